/* pause.c -- omp_pause_resource: gives back what the next use makes again.  The kind of pause
   makes no difference: threadprivate data lives with the threads, which end in both.  */

#include "host/abi.h"
#include "host/thread.h"
#include "target.h"

GOMP_EXPORT int
omp_pause_resource (int kind, int device)
{
  int devices = gomp_num_devices ();
  (void) kind;

  if (device == GOMP_DEVICE_DEFAULT)
    device = gomp_default_device (gomp_icvs ());
  if (device == GOMP_DEVICE_INITIAL || device == devices)
    return gomp_pause_host ();
  /* Devices keep what they have: nothing of it is in anybody's way.  */
  return device >= 0 && device < devices ? 0 : -1;
}

GOMP_EXPORT int
omp_pause_resource_all (int kind)
{
  (void) kind;
  return gomp_pause_host ();
}

GOMP_EXPORT int32_t
omp_pause_resource_ (const int32_t *kind, const int32_t *device)
{
  return omp_pause_resource (*kind, *device);
}

GOMP_EXPORT int32_t
omp_pause_resource_all_ (const int32_t *kind)
{
  return omp_pause_resource_all (*kind);
}
