/* pause.c -- omp_pause_resource: gives back what the next use makes again.

   On the host these are the helper threads; the kind of pause makes no difference, since
   threadprivate data lives with the threads, which end in both.  On devices see device-pause.c.
   omp_pause_stop_tool is for all devices only: a hard pause, and the tool (OMPT) is finished.  */

#include "host/abi.h"
#include "host/ompt.h"
#include "host/thread.h"
#include "host/worker.h"
#include "target.h"

#include <errno.h>

enum { PAUSE_HARD = 2, PAUSE_STOP_TOOL = 3 };

/* Regions have to be over: not in a parallel region, and not on a device.  */
static bool
may_pause (void)
{
  return gomp_self ()->level == 0 && !gomp_worker.active;
}

static int
pause_device (int number, bool hard)
{
  int saved = errno;
  bool done = gomp_device_pause (gomp_device_at (number), hard);
  errno = saved;
  return done ? 0 : -1;
}

GOMP_EXPORT int
omp_pause_resource (int kind, int device)
{
  int devices = gomp_num_devices ();

  if (device == GOMP_DEVICE_DEFAULT)
    device = gomp_default_device (gomp_icvs ());
  if (!may_pause () || kind == PAUSE_STOP_TOOL)
    return -1;
  if (device == GOMP_DEVICE_INITIAL || device == devices)
    return gomp_pause_host ();
  return device >= 0 && device < devices ? pause_device (device, kind == PAUSE_HARD) : -1;
}

GOMP_EXPORT int
omp_pause_resource_all (int kind)
{
  if (!may_pause ())
    return -1;
  int result = gomp_pause_host ();
  for (int i = 0; i < gomp_num_devices (); i++)
    result |= pause_device (i, kind == PAUSE_HARD || kind == PAUSE_STOP_TOOL);
  if (kind == PAUSE_STOP_TOOL)
    gomp_ompt_finalize ();
  return result;
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
