/* nvptx-link-main.c -- gompx-nvptx-link: the program that links the image of another one, which may have ended meanwhile.

   nvptx-child.c starts it, with a request, a way for answers, and nothing else (nvptx-request.h).  What it links goes into the cache; of several
   programs that are asked for the same one links it, and the others wait for that as long as somebody listens to them.

   It is made of the plugin's own files for the driver, the cache and linking.  What it can't do, since it has no memory, device, or limit
   for it, it says and ends; it makes no noise.

   It keeps out of the way.  Its priority for processors and disks is the lowest that there is, one thread compiles or two, and of all
   that a user has on a machine one is at work at a time: the others have not even loaded the driver.  So many may wait (NVPTX_TURN_PLACES) for
   so long (TURN_WAIT), as long as the program that has started them is there; what is left out then the next start asks for again.
   What only later starts want it begins when that program ends, or some seconds later.

   Who has started it may want the memory of its context back, and tells it to stop.

   Exit status: 0 done; 1 it can't be linked; 2 no request; 3 not here; 4 told to stop; 5 others have been
   there first.  */

#include "clock.h"
#include "nvptx-link.h"
#include "nvptx-request.h"

#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { DONE, FAILED, NO_REQUEST, NOT_HERE, STOPPED, NO_TURN };	/* exit statuses */

enum
{
  MOST_SECONDS = 600,		/* then a signal ends it */
  OTHER_WAIT = 60000,		/* ms for another process, about */
  OTHER_LOOK = 100,		/* ms */
  TURN_WAIT = 30000,		/* ms for those that link before */
  MOST_THREADS = 2,		/* that compile */
  NICE = 19,
  IO_PROCESS = 1, IO_IDLE = 3 << 13,	/* of ioprio_set */
  STACK_BYTES = 64 << 20	/* the driver's compiler is recursive */
};

static char error_text[1024];
static bool not_here;		/* begin_link has failed */
static unsigned waited;		/* ms for another process */

/* ---- what the plugin's files want of the core and of each other ---- */

static void
set_error (const char *fmt, ...)
{
  va_list args;
  va_start (args, fmt);
  vsnprintf (error_text, sizeof (error_text), fmt, args);
  va_end (args);
}

static void
debug (int level, const char *fmt, ...)
{
  (void) level;
  (void) fmt;
}

static const char *
get_variable (const char *name, bool file_name)
{
  (void) file_name;
  return secure_getenv (name);
}

static const struct gomp_plugin_core core = { .set_error = set_error, .debug = debug, .getenv = get_variable };

gomp_status_t
nvptx_lose (struct gomp_plugin_device *dev, CUresult result)
{
  atomic_store_explicit (&dev->xlost, result, memory_order_relaxed);	/* one thread */
  return GOMP_DEVICE_LOST;
}

gomp_status_t
nvptx_alive (struct gomp_plugin_device *dev)
{
  return nvptx_is_lost (dev) ? GOMP_DEVICE_LOST : GOMP_OK;
}

/* ---- the device ---- */

static struct nvptx_facts facts;
static struct gomp_plugin_device device = { .facts = &facts };

/* Find the device that is called UID, and what is to be known of it.  */
static bool
find_device (const char *uid)
{
  int num = 0;
  char found[sizeof (facts.uid)];

  if (NVPTX_CALL (NULL, cuDeviceGetCount, (&num), "counting devices") != GOMP_OK)
    return false;
  for (int i = 0; i < num; i++)
    {
      if (NVPTX_CALL (NULL, cuDeviceGet, (&facts.cuda, i), "looking at device %d", i) != GOMP_OK)
	return false;
      nvptx_device_uid (facts.cuda, found, sizeof (found));
      if (strcmp (found, uid) == 0)
	{
	  device.cuda = facts.cuda;
	  return NVPTX_CALL (NULL, cuDeviceGetAttribute,
			     (&facts.cc_major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, facts.cuda),
			     "asking for its architecture") == GOMP_OK
		 && NVPTX_CALL (NULL, cuDeviceGetAttribute,
				(&facts.cc_minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, facts.cuda),
				"asking for its architecture") == GOMP_OK;
	}
    }
  set_error ("there is no device %s", uid);
  return false;
}

/* Is what is linked here what would be linked there?  False: error_text says why not.  */
static bool
set_up (const struct nvptx_request *r)
{
  if (nvptx_driver_load () != GOMP_OK
      || NVPTX_CALL (NULL, cuInit, (0), "starting the driver") != GOMP_OK
      || NVPTX_CALL (NULL, cuDriverGetVersion, (&nvptx_driver_version), "asking for its version") != GOMP_OK
      || !find_device (r->uid))
    return false;
  char *settings = nvptx_link_settings (&device);
  bool same = settings != NULL && strcmp (settings, r->settings) == 0;
  free (settings);
  if (!same)
    set_error ("the driver or its settings differ there");
  return same;
}

static gomp_status_t
begin_link (void)
{
  gomp_status_t status = NVPTX_CALL (NULL, cuDevicePrimaryCtxRetain, (&device.context, device.cuda), "opening the device");
  if (status == GOMP_OK)
    status = NVPTX_CALL (NULL, cuCtxPushCurrent_v2, (device.context), "opening the device");
  not_here = status != GOMP_OK;
  return status;
}

/* ---- the request ---- */

static void
answer (enum nvptx_answer_kind kind, const struct nvptx_cache_place *place, double seconds, const char *why)
{
  struct nvptx_answer a = { .kind = kind, .seconds = seconds };

  if (place != NULL)
    a.place = *place;
  if (why != NULL)
    snprintf (a.why, sizeof (a.why), "%.*s", (int) sizeof (a.why) - 1, why);
  (void) nvptx_answer_send (NVPTX_CHILD_ANSWER, &a);	/* who asked may have ended */
}

/* Another process links it.  */
static enum nvptx_wait
wait_for_other (void)
{
  struct pollfd listener = { .fd = NVPTX_CHILD_ANSWER };

  if (waited == 0)
    answer (NVPTX_ANSWER_WAITS, NULL, 0, NULL);
  if (waited >= OTHER_WAIT)
    return NVPTX_WAIT_ENOUGH;
  waited += OTHER_LOOK;
  /* Without a listener there is a hangup at once.  */
  return poll (&listener, 1, OTHER_LOOK) > 0 ? NVPTX_WAIT_END : NVPTX_WAIT_AGAIN;
}

/* The program that has asked for it has the device for itself for so many MS, or until its end.  */
static void
leave_alone (unsigned ms)
{
  struct pollfd listener = { .fd = NVPTX_CHILD_ANSWER };

  if (ms > 0)
    (void) poll (&listener, 1, (int) ms);
}

/* Get a place to wait in, which stays this process's to its end.  */
static bool
get_place (void)
{
  enum nvptx_claim_result result = NVPTX_CLAIM_TAKEN;

  for (unsigned i = 1; i <= NVPTX_TURN_PLACES && result == NVPTX_CLAIM_TAKEN; i++)
    result = nvptx_cache_turn (i);
  return result == NVPTX_CLAIMED;
}

/* Get the turn.  False: it has not come in time, or nobody listens any more.  */
static bool
await_turn (void)
{
  struct pollfd listener = { .fd = NVPTX_CHILD_ANSWER };
  enum nvptx_claim_result result = nvptx_cache_turn (NVPTX_TURN);

  if (result == NVPTX_CLAIM_TAKEN && get_place ())
    {
      answer (NVPTX_ANSWER_QUEUES, NULL, 0, NULL);
      for (unsigned ms = 0; result == NVPTX_CLAIM_TAKEN && ms < TURN_WAIT; ms += OTHER_LOOK)
	{
	  /* Without a listener there is a hangup at once.  */
	  if (poll (&listener, 1, OTHER_LOOK) > 0)
	    return false;
	  result = nvptx_cache_turn (NVPTX_TURN);
	}
    }
  if (result == NVPTX_CLAIM_TAKEN)
    answer (NVPTX_ANSWER_LATE, NULL, 0, "others are linked before it; the next start tries again");
  return result != NVPTX_CLAIM_TAKEN;	/* without locks there are no turns */
}

static int
work (const struct nvptx_request *r)
{
  struct nvptx_cache_place place;
  static char why[NVPTX_LINK_WHY];

  uint64_t start = plugin_now ();
  gomp_status_t status
    = nvptx_link_for_later (&device, r->objects, r->num, r->num_ours, r->what,
			    &(struct nvptx_link_turn) { wait_for_other, begin_link }, NULL, &place, why);
  double seconds = (double) (plugin_now () - start) / 1e9;
  if (status == GOMP_OK)
    answer (NVPTX_ANSWER_DONE, &place, seconds, NULL);
  else
    answer (not_here ? NVPTX_ANSWER_UNABLE : NVPTX_ANSWER_FAILED, NULL, 0, not_here ? error_text : why);
  if (device.context != NULL)
    {
      CUcontext popped;
      (void) nvptx_cuda.cuCtxPopCurrent_v2 (&popped);
      (void) nvptx_cuda.cuDevicePrimaryCtxRelease_v2 (device.cuda);
    }
  return status == GOMP_OK ? DONE : not_here ? NOT_HERE : FAILED;
}

/* Nothing of who has started it: signals that are ignored, priority, core files, a small stack.  */
static void
settle (void)
{
  struct rlimit limit;

  for (int i = 1; i < NSIG; i++)
    if (i != SIGKILL && i != SIGSTOP)
      (void) signal (i, SIG_DFL);
  (void) signal (SIGPIPE, SIG_IGN);
  (void) alarm (MOST_SECONDS);
  (void) setpriority (PRIO_PROCESS, 0, NICE);
  (void) sched_setscheduler (0, SCHED_IDLE, &(struct sched_param) { .sched_priority = 0 });
  (void) syscall (SYS_ioprio_set, IO_PROCESS, 0, IO_IDLE);
  if (getrlimit (RLIMIT_CORE, &limit) == 0)
    {
      limit.rlim_cur = 0;
      (void) setrlimit (RLIMIT_CORE, &limit);
    }
  if (getrlimit (RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < STACK_BYTES)
    {
      limit.rlim_cur = limit.rlim_max < STACK_BYTES ? limit.rlim_max : STACK_BYTES;
      (void) setrlimit (RLIMIT_STACK, &limit);
    }
  (void) umask (077);
}

/* A thread: the driver's compiler can't be interrupted, and a signal might be in its way.  */
static void *
wait_for_stop (void *unused)
{
  (void) unused;
  if (nvptx_stop_await (NVPTX_CHILD_ANSWER))
    _exit (STOPPED);
  return NULL;
}

/* End when told to, from now on.  Without the thread it goes on to its end.  */
static void
obey (void)
{
  pthread_attr_t attr;
  pthread_t thread;

  if (pthread_attr_init (&attr) != 0)
    return;
  pthread_attr_setdetachstate (&attr, PTHREAD_CREATE_DETACHED);
  (void) pthread_create (&thread, &attr, wait_for_stop, NULL);
  pthread_attr_destroy (&attr);
}

int
main (void)
{
  struct nvptx_request r;
  const char *why;

  if (!nvptx_request_read (NVPTX_CHILD_REQUEST, &r, &why))
    {
      fprintf (stderr, NVPTX_CHILD_PROGRAM ": the request cannot be used: %s (gompx starts this program itself)\n", why);
      return NO_REQUEST;
    }
  settle ();
  obey ();
  nvptx_core = &core;
  nvptx_link_limit_threads (MOST_THREADS);
  int status = NOT_HERE;
  bool known = nvptx_link_init (&core) == GOMP_OK;
  if (known)
    leave_alone (r.quiet);
  if (known && !await_turn ())
    status = NO_TURN;
  else if (known && set_up (&r))
    status = work (&r);
  else
    answer (NVPTX_ANSWER_UNABLE, NULL, 0, error_text);
  nvptx_request_free (&r);
  return status;
}
