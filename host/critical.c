/* critical.c -- critical regions.  The unnamed one has a lock of the process; a named one has
   the first word of the eight zero bytes that the compiler reserves for its name.  */

#include "host/abi.h"

static GOMP_NO_SHARING gomp_mutex_t unnamed;

GOMP_EXPORT void
GOMP_critical_start (void)
{
  gomp_mutex_lock (&unnamed);
}

GOMP_EXPORT void
GOMP_critical_end (void)
{
  gomp_mutex_unlock (&unnamed);
}

_Static_assert (sizeof (gomp_mutex_t) <= sizeof (void *), "the name's word holds the lock");

GOMP_EXPORT void
GOMP_critical_name_start (void **name)
{
  gomp_mutex_lock ((gomp_mutex_t *) name);
}

GOMP_EXPORT void
GOMP_critical_name_end (void **name)
{
  gomp_mutex_unlock ((gomp_mutex_t *) name);
}
