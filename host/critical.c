/* critical.c -- critical regions.  The unnamed one has a lock of the process; a named one has
   the first word of the eight zero bytes that the compiler reserves for its name.  */

#include "host/abi.h"
#include "host/ompt.h"

static GOMP_NO_SHARING gomp_mutex_t unnamed;

GOMP_EXPORT void GOMP_SHORT
GOMP_critical_start (void)
{
  if (gomp_ompt_on ())
    gomp_ompt_mutex_lock (ompt_mutex_critical, &unnamed,
			    __builtin_return_address (0));
  else
    gomp_mutex_lock (&unnamed);
}

GOMP_EXPORT void GOMP_SHORT
GOMP_critical_end (void)
{
  if (gomp_ompt_on ())
    gomp_ompt_mutex_unlock (ompt_mutex_critical, &unnamed,
			    __builtin_return_address (0));
  else
    gomp_mutex_unlock (&unnamed);
}

_Static_assert (sizeof (gomp_mutex_t) <= sizeof (void *), "the name's word holds the lock");

GOMP_EXPORT void GOMP_SHORT
GOMP_critical_name_start (void **name)
{
  if (gomp_ompt_on ())
    gomp_ompt_mutex_lock (ompt_mutex_critical, (gomp_mutex_t *) name,
			    __builtin_return_address (0));
  else
    gomp_mutex_lock ((gomp_mutex_t *) name);
}

GOMP_EXPORT void GOMP_SHORT
GOMP_critical_name_end (void **name)
{
  if (gomp_ompt_on ())
    gomp_ompt_mutex_unlock (ompt_mutex_critical, (gomp_mutex_t *) name,
			    __builtin_return_address (0));
  else
    gomp_mutex_unlock ((gomp_mutex_t *) name);
}
