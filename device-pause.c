/* device-pause.c -- giving back what a device holds: omp_pause_resource.

   A soft pause takes away what only makes things faster: device memory that is kept for reuse, idle
   queues and events.  A hard pause also closes the device, which ends its context, its driver
   threads or its worker process; the next use opens it again, with images loaded anew, so that
   declare target variables have their initial values and device ICVs those of the environment.
   What the program still has on the device would be lost by that: then a hard pause is
   refused, after it has done what a soft one does.

   OpenMP allows the call only where no other thread uses the device.  A construct that is found
   under way refuses the pause; one that begins at the same moment is an error of the program.

   Invariant: a device that is closed here has no entries, no memory, no queues, no images, no
   interop objects and has lent no host memory; its tables stay, empty, for the next time.  */

#include "libgomp.h"
#include "image.h"
#include "ompt-target.h"
#include "reverse.h"
#include "staging.h"
#include "target-task.h"
#include "target.h"
#include "config/linux/bar.h"

#define SETTLE_NS UINT64_C (200000000)

/* Why the device cannot be closed without a loss; NULL: it can.  open_lock is held.  */
static const char *
in_use (struct gomp_device *dev)
{
  /* Target tasks of whatever device: they would have to be complete.  */
  if (gomp_target_active () || !gomp_queues_idle (dev))
    return "a construct is under way";
  if (gomp_map_in_use (dev))
    return "data is mapped";
  if (gomp_devalloc_in_use (dev))
    return "the program has memory of omp_target_alloc";
  if (gomp_interop_in_use (dev))
    return "there are interop objects";
  /* Acquire: whoever gave back the last block is done with it.  */
  if (gomp_load_acquire (&dev->xlent) != 0)
    return "host memory of the device is allocated";
  return NULL;
}

/* open_lock is held.  */
static bool
close_device (struct gomp_device *dev)
{
  const char *why = in_use (dev);
  if (why != NULL)
    {
      gomp_debug (1, "device %d: not closed by omp_pause_resource: %s", dev->number, why);
      if (gomp_info_enabled)
	gomp_info_line (dev, "not closed by omp_pause_resource: %s", why);
      return false;
    }
  gomp_target_leave_devices ();
  gomp_reverse_stop (dev);
  gomp_images_unload (dev);
  gomp_queues_trim (dev, true);
  gomp_devalloc_trim (dev);
  gomp_staging_close (dev);
  /* Release: whoever finds it closed finds all of the above done.  */
  gomp_store_release (&dev->xstate, GOMP_DEVICE_CLOSED);
  dev->ops->device_close (dev->handle, false);
  dev->handle = NULL;
  gomp_debug (1, "device %d: closed by omp_pause_resource", dev->number);
  if (gomp_info_enabled)
    gomp_info_line (dev, "closed by omp_pause_resource");
  return true;
}

/* A target task is complete for those who wait for it a moment before the thread that found it so has
   put its things away: let it.  */
static void
settle (struct gomp_device *dev)
{
  uint64_t start = gomp_now_ns ();
  while ((gomp_target_active () || !gomp_queues_idle (dev)) && gomp_now_ns () - start < SETTLE_NS)
    {
      gomp_target_poll ();
      gomp_let_others_run ();
    }
}

bool
gomp_device_pause (struct gomp_device *dev, bool hard)
{
  bool done = false, closed = false;

  /* Acquire: what the opener stored.  */
  if (gomp_load_acquire (&dev->xstate) == GOMP_DEVICE_OPEN)
    {
      gomp_trail_finish (dev, NULL);
      if (hard)
	settle (dev);
    }
  int cancel = gomp_cancel_off ();
  gomp_lock_ranked (&dev->open_lock, GOMP_RANK_DEVICE_OPEN);
  /* Acquire: what the opener stored.  */
  switch (gomp_load_acquire (&dev->xstate))
    {
    case GOMP_DEVICE_CLOSED:
      done = true;		/* it has nothing */
      break;
    case GOMP_DEVICE_OPEN:
      gomp_queues_trim (dev, false);
      gomp_map_trim (dev);
      gomp_devalloc_trim (dev);
      if (dev->staging != NULL)
	gomp_staging_trim (dev);
      gomp_pinned_trim (dev);
      closed = hard && close_device (dev);
      done = !hard || closed;
      break;
    }
  gomp_unlock_ranked (&dev->open_lock, GOMP_RANK_DEVICE_OPEN);
  gomp_cancel_restore (cancel);
  if (closed && gomp_ompt_on ())
    {
      gomp_images_report (dev);
      gomp_ompt_device_end (dev);
    }
  return done;
}
