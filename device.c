/* device.c -- the list of devices, their life, and what a device number means.

   Devices are enumerated once, at the first target-related call, and numbered from 0 in the
   order of GOMP_PLUGINS and of each plugin.  A device is opened at its first use.

   State of a device, and who moves it:

	 CLOSED --open_device--> OPEN --finalize_all (exit)--> FINALIZED
	    |   <--hard pause---  '---- gomp_device_failed --> LOST
	    '----open_device, forked child----------------> FAILED

   Invariants
   1. The list never changes once xready is set.
   2. State changes happen under the device's open_lock, except OPEN -> LOST, which is
      one compare-and-swap, because the thread that finds the device dead may hold locks
      of higher rank; and except in a forked child, where no other thread exists.
   3. Whoever has seen OPEN may use handle, maps, memory and queues until the process ends:
      they are never freed, since other threads may still run while exit handlers do.  Only a hard
      pause (device-pause.c) takes the handle away, which programs may ask for when no other
      thread uses the device.  */

#include "libgomp.h"
#include "diag.h"
#include "host/env.h"
#include "host/icv.h"
#include "host/thread.h"
#include "image.h"
#include "map-check.h"
#include "ompt-target.h"
#include "plugins.h"
#include "reverse.h"
#include "target-flight.h"
#include "staging.h"
#include "target.h"
#include "trace.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static struct
{
  gomp_mutex_t lock;		/* GOMP_RANK_DEVICES: enumeration */
  _Atomic (int) xready;		/* stored with release when the rest is in place */
  pid_t owner;			/* the process that enumerated */
  pid_t child;			/* this process, if it was forked after that */
  struct gomp_device *all;
  unsigned count;
  struct gomp_plugin_entry *plugins;
  unsigned num_plugins;
  unsigned deselected;		/* devices that OMP_AVAILABLE_DEVICES leaves out */
  _Atomic (int) xtold;		/* the reasons were printed */
  _Atomic (int) xend;		/* the process ends */
} devices;

/* ---- why not ---- */

char *
gomp_devices_reasons (void)
{
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream (&text, &size);
  const char *separator = "";

  if (f == NULL)
    return gomp_strdup ("");
  if (gomp_global_icvs.target_offload == GOMP_OFFLOAD_DISABLED)
    {
      fputs ("OMP_TARGET_OFFLOAD is set to DISABLED", f);
      separator = "; ";
    }
  for (unsigned i = 0; i < devices.num_plugins; i++)
    if (devices.plugins[i].reason != NULL)
      {
	fprintf (f, "%s%s: %s", separator, devices.plugins[i].name, devices.plugins[i].reason);
	separator = "; ";
      }
  if (devices.deselected > 0)
    {
      fprintf (f, "%sOMP_AVAILABLE_DEVICES leaves out %u device%s", separator, devices.deselected,
	       devices.deselected > 1 ? "s" : "");
      separator = "; ";
    }
  for (unsigned i = 0; i < devices.count; i++)
    /* Acquire: the reason was stored before.  */
    if (gomp_load_acquire (&devices.all[i].xstate) == GOMP_DEVICE_FAILED)
      {
	fprintf (f, "%sdevice %u (%s): %s", separator, i, devices.all[i].attr.name,
		 devices.all[i].reason);
	separator = "; ";
      }
  if (fclose (f) != 0 || text == NULL)
    {
      free (text);
      return gomp_strdup ("");
    }
  return text;
}

/* A device was wanted and there is none: say why, once per process.  */
static void
tell_reasons (void)
{
  int never = 0;
  if (!gomp_cas_acq_rel (&devices.xtold, &never, 1))
    return;
  char *reasons = gomp_devices_reasons ();
  gomp_error ("no device can be used: %s", *reasons ? reasons : "GOMP_PLUGINS names none");
  free (reasons);
}

/* A machine without devices is no news, unless the user has named plugins or asked for information, or
   a driver is there and does not work.  Nor is it one that OMP_AVAILABLE_DEVICES does what it says.  */
static bool
somebody_cares (void)
{
  const char *list = gomp_getenv ("GOMP_PLUGINS", false);
  bool told = false, broken = false;

  for (unsigned i = 0; i < devices.num_plugins; i++)
    {
      told |= devices.plugins[i].user_error;
      broken |= devices.plugins[i].broken;
    }
  return gomp_info_enabled || gomp_debug_level > 0
	 || (!told && devices.deselected == 0
	     && (broken || (devices.num_plugins > 0 && list != NULL && *list != 0)));
}

void
gomp_devices_each_plugin (void (*fn) (const struct gomp_plugin_entry *, void *), void *data)
{
  for (unsigned i = 0; i < devices.num_plugins; i++)
    fn (&devices.plugins[i], data);
}

/* ---- enumeration ---- */

/* Does the device satisfy the program's requires clauses?  */
static bool
satisfies (const struct gomp_device_attr *attr, uint32_t mask)
{
  if ((mask & (GOMP_REQUIRES_UNIFIED_SHARED_MEMORY | GOMP_REQUIRES_SELF_MAPS))
      && !(attr->caps & GOMP_CAP_SHARED_MEMORY))
    return false;
  if ((mask & GOMP_REQUIRES_REVERSE_OFFLOAD) && !(attr->caps & GOMP_CAP_REVERSE_OFFLOAD))
    return false;
  return true;
}

/* Append the devices of plugin E.  All of them or none, so that a number does not depend on
   what one of several equal devices can do.  */
static void
add_devices (struct gomp_plugin_entry *e, uint32_t mask)
{
  unsigned first = devices.count;
  const char *unshared = NULL;
  bool fits = true;

  if (!e->ready || e->num_devices == 0)
    return;
  devices.all = gomp_realloc_array (devices.all, devices.count + e->num_devices,
				    sizeof (devices.all[0]));
  for (unsigned i = 0; i < e->num_devices; i++)
    {
      struct gomp_device *dev = &devices.all[first + i];
      memset (dev, 0, sizeof (*dev));
      gomp_status_t status = e->ops.device_attr (i, &dev->attr);
      if (status != GOMP_OK)
	{
	  e->reason = gomp_text ("device %u: %s", i, gomp_plugin_error_text ());
	  return;
	}
      dev->attr.name[sizeof (dev->attr.name) - 1] = 0;
      dev->attr.uid[sizeof (dev->attr.uid) - 1] = 0;
      if (dev->attr.uid[0] == 0)
	snprintf (dev->attr.uid, sizeof (dev->attr.uid), "OMP_DEV_%u", first + i);
      dev->number = first + i;
      dev->ordinal = i;
      dev->ops = &e->ops;
      dev->shared_memory = (mask & (GOMP_REQUIRES_UNIFIED_SHARED_MEMORY
				    | GOMP_REQUIRES_SELF_MAPS)) != 0;
      fits &= satisfies (&dev->attr, mask);
      dev->attr.no_shared_memory[sizeof (dev->attr.no_shared_memory) - 1] = 0;
      if (dev->shared_memory && unshared == NULL && dev->attr.no_shared_memory[0] != 0)
	unshared = dev->attr.no_shared_memory;
    }
  if (!fits)
    {
      char clauses[128];
      e->reason = gomp_text ("devices present but 'omp requires %s' cannot be fulfilled%s%s",
			     gomp_requires_text (mask, clauses, sizeof (clauses)),
			     unshared != NULL ? ": " : "", unshared != NULL ? unshared : "");
      gomp_debug (1, "%s %s", e->name, e->reason);
      return;
    }
  devices.count = first + e->num_devices;
}

/* Keep what OMP_AVAILABLE_DEVICES selects, in its order.  */
static void
select_devices (void)
{
  const char *list = gomp_env_host.values.available_devices;
  if (list == NULL || devices.count == 0)
    return;

  unsigned *order = gomp_calloc (devices.count, sizeof (*order));
  unsigned count = gomp_select_devices (list, devices.all, devices.count, order);
  struct gomp_device *selected = gomp_calloc (count + 1, sizeof (*selected));
  for (unsigned i = 0; i < count; i++)
    {
      selected[i] = devices.all[order[i]];
      selected[i].number = i;
    }
  devices.deselected = devices.count - count;
  gomp_debug (1, "OMP_AVAILABLE_DEVICES selects %u of %u devices", count, devices.count);
  free (order);
  free (devices.all);
  devices.all = selected;
  devices.count = count;
}

/* ---- the end of the process, and fork ---- */

/* Devices are closed by an exit handler.  Other threads may still be in the middle of
   something, even the calling thread may (a fatal error): a device whose lock is taken, or on which a
   construct is under way, is left to the operating system.  Threads in a region go on, as they
   would on the host, until the process is gone.  Locks are taken without their rank for the same
   reason.  */
static void
finalize_all (void)
{
  bool forked = getpid () != devices.owner, left = false;

  /* A child that the C library does not know of has only devices of its parent.  */
  if (forked && getpid () != devices.child)
    return;
  gomp_cancel_off ();		/* exit does not return */
  gomp_store_relaxed (&devices.xend, 1);	/* relaxed: for destructors, which this thread calls */
  gomp_target_drain ();
  if (!forked)
    {
      gomp_trace_collect ();
      gomp_info_finish ();
      gomp_check_finish ();
      if (gomp_ompt_on ())
	gomp_ompt_devices_end ();
    }
  for (unsigned i = 0; i < devices.count; i++)
    {
      struct gomp_device *dev = &devices.all[i];
      if (!gomp_mutex_trylock (&dev->open_lock))
	{
	  left = true;
	  continue;
	}
      /* Acquire: what the opener stored.  */
      int state = gomp_load_acquire (&dev->xstate);
      if (state == GOMP_DEVICE_OPEN || state == GOMP_DEVICE_CLOSED)
	gomp_store_release (&dev->xstate, GOMP_DEVICE_FINALIZED);
      /* In a child, open devices are its own.  */
      if (state == GOMP_DEVICE_OPEN && gomp_queues_busy (dev))
	left = true;
      else if (dev->handle != NULL
	  && (state == GOMP_DEVICE_OPEN || (state == GOMP_DEVICE_LOST_STATE && !forked)))
	dev->ops->device_close (dev->handle, true);
      gomp_mutex_unlock (&dev->open_lock);
    }
  for (unsigned i = 0; i < devices.num_plugins && !forked && !left; i++)
    if (devices.plugins[i].ready)
      devices.plugins[i].ops.fini (true);
}

/* A forked child has its parent's device handles but not its threads, worker processes or
   driver state.  It cannot use any device, but those that nobody had opened and that do not
   mind.  */
static void
after_fork_in_child (void)
{
  devices.child = getpid ();
  /* Another thread of the parent may have held them.  Relaxed: there is no other thread.  */
  gomp_store_relaxed (&devices.lock, GOMP_MUTEX_INIT);
  gomp_images_after_fork ();
  for (unsigned i = 0; i < devices.count; i++)
    {
      struct gomp_device *dev = &devices.all[i];
      gomp_store_relaxed (&dev->open_lock, GOMP_MUTEX_INIT);
      int state = gomp_load_relaxed (&dev->xstate);
      /* Who explains a lost device does so in the parent.  */
      if (state == GOMP_DEVICE_OPEN || state == GOMP_DEVICE_LOST_STATE
	  || (state == GOMP_DEVICE_CLOSED && !(dev->attr.caps & GOMP_CAP_FORK)))
	{
	  dev->reason = "this process was forked from one that uses the device";
	  gomp_store_relaxed (&dev->xstate, GOMP_DEVICE_FAILED);
	}
    }
}

_Atomic (int) gomp_xhost_number = GOMP_NO_HOST_NUMBER;

/* Under the devices' lock: all devices that a program with the requires clauses of MASK can use.  */
static void
list_devices (uint32_t mask)
{
  if (devices.plugins == NULL)
    devices.plugins = gomp_plugins_open (&devices.num_plugins);
  for (unsigned i = 0; i < devices.num_plugins; i++)
    add_devices (&devices.plugins[i], mask);
  select_devices ();
}

/* What gomp_num_devices will say, as far as the library's constructor can know: images, which
   carry the requires clauses, are registered later.  The list is made again then.  */
int
gomp_expected_devices (void)
{
  int count = 0;

  if (gomp_load_acquire (&devices.xready))	/* acquire: the list */
    return devices.count;
  gomp_lock_ranked (&devices.lock, GOMP_RANK_DEVICES);
  if (gomp_load_relaxed (&devices.xready))	/* relaxed: under the lock */
    count = devices.count;
  else if (gomp_global_icvs.target_offload != GOMP_OFFLOAD_DISABLED)
    {
      int saved = errno;
      list_devices (0);
      count = devices.count;
      free (devices.all);
      devices.all = NULL;
      devices.count = devices.deselected = 0;
      errno = saved;
    }
  gomp_unlock_ranked (&devices.lock, GOMP_RANK_DEVICES);
  return count;
}

static void
enumerate (void)
{
  int cancel = gomp_cancel_off ();
  gomp_lock_ranked (&devices.lock, GOMP_RANK_DEVICES);
  if (!gomp_load_relaxed (&devices.xready))	/* relaxed: under the lock */
    {
      int saved = errno;
      if (gomp_global_icvs.target_offload != GOMP_OFFLOAD_DISABLED)
	{
	  list_devices (gomp_requires_mask ());
	  gomp_info_devices (devices.count);
	  pthread_atfork (NULL, NULL, after_fork_in_child);
	  gomp_target_flights_init ();
	}
      devices.owner = getpid ();
      atexit (finalize_all);
      errno = saved;
      /* Release: everything above is seen by whoever sees it ready.  */
      gomp_store_release (&devices.xready, 1);
      if (gomp_global_icvs.target_offload != GOMP_OFFLOAD_MANDATORY && !gomp_info_enabled
	  && !gomp_trace_enabled && !gomp_ompt_on ())
	gomp_store_release (&gomp_xhost_number, devices.count);
      for (unsigned i = 0; i < devices.num_plugins; i++)
	if (devices.plugins[i].user_error)
	  gomp_error ("plugin %s: %s", devices.plugins[i].name, devices.plugins[i].reason);
      if (devices.count == 0 && somebody_cares ())
	tell_reasons ();
    }
  gomp_unlock_ranked (&devices.lock, GOMP_RANK_DEVICES);
  gomp_cancel_restore (cancel);
}

void
gomp_devices_init (void)
{
  if (gomp_unlikely (!gomp_load_acquire (&devices.xready)))	/* acquire: the list */
    enumerate ();
}

int
gomp_num_devices (void)
{
  gomp_devices_init ();
  return devices.count;
}

bool
gomp_devices_end (void)
{
  return gomp_load_relaxed (&devices.xend) != 0;	/* relaxed: see finalize_all */
}

int
gomp_known_devices (void)
{
  return gomp_load_acquire (&devices.xready) ? (int) devices.count : 0;	/* acquire: the list */
}

struct gomp_device *
gomp_device_at (int number)
{
  return &devices.all[number];
}

/* ---- opening ---- */

/* True: it is open, and this call has done that.  */
static bool
open_device (struct gomp_device *dev)
{
  bool opened = false;
  int cancel = gomp_cancel_off ();
  gomp_lock_ranked (&dev->open_lock, GOMP_RANK_DEVICE_OPEN);
  if (gomp_load_relaxed (&dev->xstate) == GOMP_DEVICE_CLOSED)	/* relaxed: under the lock */
    {
      int saved = errno;
      struct gomp_env_device env;
      struct gomp_trace_record *trace = gomp_trace_begin (GOMP_TRACE_SETUP, dev, "open the device");

      gomp_debug (1, "device %d: opening %s", dev->number, dev->attr.name);
      gomp_status_t status = dev->ops->device_open (dev->ordinal, dev, &dev->handle);
      if (status != GOMP_OK)
	{
	  dev->handle = NULL;
	  dev->reason = gomp_text ("%s", gomp_plugin_error_text ());
	  gomp_error ("device %d (%s) cannot be used: %s", dev->number, dev->attr.name,
		      dev->reason);
	  /* Release: the reason.  */
	  gomp_store_release (&dev->xstate, GOMP_DEVICE_FAILED);
	}
      else
	{
	  gomp_env_for_device (dev->number, &env);
	  dev->icvs.device_num = dev->number;
	  dev->icvs.default_device = env.default_device;
	  dev->icvs.nteams = env.nteams;
	  dev->icvs.teams_thread_limit = env.teams_thread_limit;
	  dev->icvs.num_devices = devices.count;
	  /* After a hard pause they are there, and empty.  */
	  if (dev->maps == NULL)
	    {
	      dev->maps = gomp_map_table_new ();
	      dev->memory = gomp_devalloc_new (&dev->attr);
	      dev->queues = gomp_queue_pool_new ();
	      dev->reverse = gomp_reverse_new ();
	      if (dev->attr.caps & GOMP_CAP_PINNED_FASTER)
		{
		  dev->pinned = gomp_devalloc_new_pinned (&dev->attr);
		  dev->staging = gomp_staging_new (dev);
		}
	    }
	  if (gomp_images_load (dev))
	    {
	      /* Release: whoever sees OPEN sees all of the above.  */
	      gomp_store_release (&dev->xstate, GOMP_DEVICE_OPEN);
	      opened = true;
	    }
	  else
	    {
	      gomp_images_unload (dev);
	      dev->ops->device_close (dev->handle, false);
	      dev->handle = NULL;
	      dev->reason = "an image cannot be loaded, or the tables of a module cannot be read";
	      gomp_store_release (&dev->xstate, GOMP_DEVICE_FAILED);	/* release: as above */
	    }
	}
      gomp_trace_end (trace);
      errno = saved;
    }
  gomp_unlock_ranked (&dev->open_lock, GOMP_RANK_DEVICE_OPEN);
  gomp_cancel_restore (cancel);
  return opened;
}

/* ---- device numbers ---- */

/* "there are 2 devices, 0 to 1; ..." for messages about device numbers, into BUF.  */
static const char *
devices_text (char *buf, size_t size)
{
  int count = gomp_num_devices ();
  if (count == 0)
    snprintf (buf, size, "there is no device");
  else if (count == 1)
    snprintf (buf, size, "there is 1 device, number 0");
  else
    snprintf (buf, size, "there are %d devices, numbers 0 to %d", count, count - 1);
  return buf;
}

/* What messages about device NUMBER have behind their first line, into BUF.  */
static const char *
number_text (int number, char *buf, size_t size)
{
  char have[64], caller[600];

  gomp_diag_caller (caller, sizeof (caller));
  snprintf (buf, size, "\n  device number %d: %s%s", number, devices_text (have, sizeof (have)),
	    caller);
  return buf;
}

static void __attribute__ ((noreturn, cold))
mandatory_fatal (const char *text, int number)
{
  char all[900], more[800];

  if (gomp_num_devices () == 0)
    tell_reasons ();
  snprintf (all, sizeof (all), "%s%s", text, number_text (number, more, sizeof (more)));
  gomp_fatal (GOMP_MANDATORY "%s", all);
}

/* The number space of GOMP_target* calls: -1 default, -2 host, -3 what the user wrote
   as -2.  */
static int
raw_number (int n, bool remapped)
{
  if (remapped)
    switch (n)
      {
      case -1:
	n = GOMP_DEVICE_DEFAULT;
	break;
      case -2:
	return GOMP_DEVICE_INITIAL;
      case -3:
	return -2;
      }
  return n == GOMP_DEVICE_DEFAULT ? gomp_default_device (gomp_icvs ()) : n;
}

/* NUMBER is no device at all.  */
static void
no_such_device (int number)
{
  bool mandatory = gomp_global_icvs.target_offload == GOMP_OFFLOAD_MANDATORY;

  if (mandatory && number < 0 && gomp_num_devices () == 0)
    mandatory_fatal ("only the host device is available", number);
  if (number == GOMP_DEVICE_INVALID)
    {
      char more[800];
      gomp_fatal ("omp_invalid_device encountered%s", number_text (number, more, sizeof (more)));
    }
  if (mandatory)
    mandatory_fatal ("device not found", number);
}

/* The device exists but is not open, whatever the reason.  */
static struct gomp_device *
usable_device (struct gomp_device *dev)
{
  int state = gomp_load_acquire (&dev->xstate);
  if (state == GOMP_DEVICE_CLOSED)
    {
      bool opened = open_device (dev);
      state = gomp_load_acquire (&dev->xstate);	/* acquire: what open_device stored */
      if (opened && gomp_ompt_on ())
	{
	  gomp_ompt_device_open (dev);
	  gomp_images_report (dev);
	}
    }
  if (state == GOMP_DEVICE_OPEN)
    return dev;
  if (gomp_global_icvs.target_offload == GOMP_OFFLOAD_MANDATORY)
    {
      char more[800];
      if (state == GOMP_DEVICE_FINALIZED)
	gomp_fatal (GOMP_MANDATORY "device is finalized%s",
		    number_text (dev->number, more, sizeof (more)));
      if (state == GOMP_DEVICE_LOST_STATE)
	{
	  gomp_await_explanation ();
	  gomp_fatal (GOMP_MANDATORY "device is lost");
	}
      gomp_fatal (GOMP_MANDATORY "device cannot be used for offloading%s",
		  number_text (dev->number, more, sizeof (more)));
    }
  return NULL;
}

/* "there is no device 7 (there is 1 device, number 0)": a text that lives for ever, the same one for
   the same number.  */
static const char *
no_number_text (int number)
{
  struct reason
  {
    struct reason *next;
    int number;
    char text[];
  };
  enum { MOST = 64 };		/* a program that tries all numbers does not fill the memory */
  static gomp_mutex_t lock;	/* a leaf: nothing is called with it */
  static struct reason *reasons;
  static unsigned count;
  char text[128], have[64];
  const char *answer = "there is no device of this number";

  int n = snprintf (text, sizeof (text), "there is no device %d (%s)", number,
		    devices_text (have, sizeof (have)));
  gomp_mutex_lock (&lock);
  struct reason *r = reasons;
  while (r != NULL && r->number != number)
    r = r->next;
  if (r == NULL && count < MOST && (r = malloc (sizeof (*r) + n + 1)) != NULL)
    {
      r->number = number;
      memcpy (r->text, text, n + 1);
      r->next = reasons;
      reasons = r;
      count++;
    }
  if (r != NULL)
    answer = r->text;
  gomp_mutex_unlock (&lock);
  return answer;
}

const char *
gomp_why_not_device (int device)
{
  int n = raw_number (device, true);
  if (n < 0 || n >= (int) devices.count)
    return devices.count == 0 ? "there is no device" : no_number_text (n);
  /* Acquire: the reason.  */
  switch (gomp_load_acquire (&devices.all[n].xstate))
    {
    case GOMP_DEVICE_FAILED:
      return devices.all[n].reason;
    case GOMP_DEVICE_FINALIZED:
      return "the program is ending, its devices are closed";
    default:
      return "the device is lost";
    }
}

/* The number of a device, or -1; *IS_HOST (out): NUMBER means the host.  */
static int
resolve_number (int number, bool remapped, bool *is_host)
{
  int n = raw_number (number, remapped);
  *is_host = n == GOMP_DEVICE_INITIAL;
  if (*is_host)
    return -1;
  int count = gomp_num_devices ();
  *is_host = n == count;
  if (gomp_unlikely (n < 0 || n > count))
    no_such_device (n);
  return n >= 0 && n < count ? n : -1;
}

/* What most constructs ask for, once there was one: the default device if that is an open one.  NULL: it
   takes more to find out.  */
static inline struct gomp_device *
default_at_once (void)
{
  const struct gomp_icvs *icvs = gomp_icvs ();
  unsigned n = icvs->default_device;

  if (icvs->default_device_unset)
    {
      if (gomp_unlikely (icvs->default_device == GOMP_DEFAULT_DEVICE_LISTED))
	return NULL;
      n = 0;
    }
  /* Acquire: the list, and that an open device is ready to use.  */
  if (gomp_unlikely (!gomp_load_acquire (&devices.xready)) || gomp_unlikely (n >= devices.count)
      || gomp_unlikely (gomp_load_acquire (&devices.all[n].xstate) != GOMP_DEVICE_OPEN))
    return NULL;
  return &devices.all[n];
}

struct gomp_device *
gomp_resolve_device (int number, bool remapped, bool *is_host)
{
  bool host;
  if (gomp_likely (number == -1) && gomp_likely (remapped))
    {
      struct gomp_device *dev = default_at_once ();
      if (gomp_likely (dev != NULL) && gomp_likely (!gomp_modules_changed (dev)))
	{
	  if (is_host != NULL)
	    *is_host = false;
	  return dev;
	}
    }
  struct gomp_device *dev = NULL;
  int n = resolve_number (number, remapped, &host);

  if (gomp_likely (n >= 0))
    {
      dev = &devices.all[n];
      /* Acquire: an open device is ready to use.  */
      if (gomp_unlikely (gomp_load_acquire (&dev->xstate) != GOMP_DEVICE_OPEN))
	dev = usable_device (dev);
      if (gomp_likely (dev != NULL) && gomp_unlikely (gomp_modules_changed (dev)))
	gomp_modules_update (dev);
    }
  if (is_host != NULL)
    *is_host = host;
  return dev;
}

const char *
gomp_device_uid (struct gomp_device *dev)
{
  return dev->attr.uid;
}
