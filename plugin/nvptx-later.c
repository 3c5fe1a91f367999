/* nvptx-later.c -- images that are linked while the program runs, for its next start.

   A program's version with lanes takes the driver as long to link as the one without.  Nobody should wait for both: with
   GOMP_NVPTX_LANES=auto a program whose version with lanes is not in the cache begins with the other one, and the
   first is linked meanwhile, by a thread of this file, which puts it into the cache and loads nothing.  The two have
   variables, functions and locks of their own each, so that a program can't go from one to the other.

   One thread does it for all devices and images, one after the other, at the lowest priority; it is there while there
   is something to do.  It begins when the version without lanes has been linked, so the start is not
   delayed by it: two links at a time take longer.

   What is linked is in memory of its own (nvptx-texts.h), so an image may be unloaded meanwhile, and its module closed.
   A device that is closed waits for a link under way: with its context gone the driver ended the process
   (double free, 580.159 on an H200).

   The end of the process.  The driver can't be told to stop.  So the exit handler waits EXIT_WAIT, in which a link may
   come to its end, and then leaves the thread as it is: what it works on stays, and the process ends under it.  With the same driver 20 programs
   that ended 5 to 2300 ms after the begin of a link took no longer for it than with _exit, and ended well.  Files of the cache get
   their names when they are complete.

   Locks: lock, a leaf.  Called by nvptx-image.c, and as a part of each device.  */

#include "nvptx-later.h"
#include "nvptx-link.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum
{
  EXIT_WAIT = 10,		/* ms */
  STACK_BYTES = 16 << 20	/* the driver's compiler is recursive, and the program's limit may be small */
};

struct job
{
  struct job *next;
  struct gomp_plugin_device *dev;
  char *path;
  struct nvptx_texts texts;
};

static struct
{
  pthread_mutex_t lock;		/* protects all of it */
  pthread_cond_t ended;		/* of a job */
  struct job *waiting;		/* list, in order */
  struct job *current;
  bool has_thread;
  bool left;			/* the process ends: nobody listens any more */
} later = { .lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER };

static void
free_job (struct job *job)
{
  nvptx_texts_free (&job->texts);
  free (job->path);
  free (job);
}

/* ---- the thread ---- */

static void
tell_end (const struct job *job, gomp_status_t status, const char *why, double seconds)
{
  pthread_mutex_lock (&later.lock);
  bool left = later.left;
  pthread_mutex_unlock (&later.lock);
  if (left)
    return;
  if (status == GOMP_OK)
    nvptx_note (job->dev, "image of %s: its version with lanes was linked in %.1f s, and the next start has it",
		job->path, seconds);
  else
    nvptx_note (job->dev, "image of %s: its version with lanes cannot be linked: %s", job->path, why);
}

static void
execute (struct job *job)
{
  const struct nvptx_subst *subst = &job->texts.subst;
  struct nvptx_scope scope;
  struct timespec start, end;
  char *why = malloc (NVPTX_LINK_WHY);

  if (why == NULL || nvptx_enter (job->dev, &scope) != GOMP_OK)
    {
      free (why);
      return;			/* the device is lost: that is told elsewhere */
    }
  clock_gettime (CLOCK_MONOTONIC, &start);
  gomp_status_t status = nvptx_link_for_later (job->dev, subst->objects, subst->num, subst->num_ours, job->path, why);
  clock_gettime (CLOCK_MONOTONIC, &end);
  nvptx_leave (job->dev, &scope);
  if (!nvptx_is_lost (job->dev))
    tell_end (job, status, why, (double) (end.tv_sec - start.tv_sec) + (double) (end.tv_nsec - start.tv_nsec) / 1e9);
  free (why);
}

static void *
later_main (void *unused)
{
  (void) unused;
  /* On Linux this is the calling thread's alone, and of those that the driver starts for it.  */
  (void) setpriority (PRIO_PROCESS, 0, 19);
  pthread_mutex_lock (&later.lock);
  while (later.waiting != NULL)
    {
      struct job *job = later.waiting;
      later.waiting = job->next;
      later.current = job;
      pthread_mutex_unlock (&later.lock);
      execute (job);
      pthread_mutex_lock (&later.lock);
      later.current = NULL;
      pthread_cond_broadcast (&later.ended);
      free_job (job);
    }
  later.has_thread = false;
  pthread_mutex_unlock (&later.lock);
  return NULL;
}

static int
start_thread (void)
{
  pthread_attr_t attr;
  pthread_t thread;
  sigset_t all, old;

  pthread_attr_init (&attr);
  pthread_attr_setdetachstate (&attr, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize (&attr, STACK_BYTES);
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &old);
  int error = pthread_create (&thread, &attr, later_main, NULL);
  pthread_sigmask (SIG_SETMASK, &old, NULL);
  pthread_attr_destroy (&attr);
  return error;
}

/* ---- jobs ---- */

void
nvptx_later_link (struct gomp_plugin_device *dev, const char *path, struct nvptx_texts *texts)
{
  struct job *job = calloc (1, sizeof (*job));
  int error = 0;

  if (job == NULL || (job->path = strdup (path)) == NULL)
    {
      free (job);
      nvptx_texts_free (texts);
      nvptx_core->debug (1, "image of %s: no memory to link its version with lanes", path);
      return;
    }
  job->dev = dev;
  job->texts = *texts;
  nvptx_note (dev, "image of %s: threads are warps at this start; its version with lanes is linked meanwhile", path);
  pthread_mutex_lock (&later.lock);
  struct job **last = &later.waiting;
  while (*last != NULL)
    last = &(*last)->next;
  *last = job;
  if (!later.has_thread)
    {
      error = start_thread ();
      later.has_thread = error == 0;
      if (error != 0)
	*last = NULL;
    }
  pthread_mutex_unlock (&later.lock);
  if (error != 0)
    {
      nvptx_core->debug (1, "image of %s: no thread to link its version with lanes: %s", path, strerror (error));
      free_job (job);
    }
}

/* Does DEV have jobs?  Under the lock.  */
static bool
has_jobs (const struct gomp_plugin_device *dev)
{
  for (const struct job *job = later.waiting; job != NULL; job = job->next)
    if (job->dev == dev)
      return true;
  return later.current != NULL && later.current->dev == dev;
}

/* Take DEV's jobs that have not begun off the list.  Under the lock.  */
static struct job *
take_waiting (const struct gomp_plugin_device *dev)
{
  struct job *taken = NULL;
  for (struct job **p = &later.waiting; *p != NULL; )
    if ((*p)->dev == dev)
      {
	struct job *job = *p;
	*p = job->next;
	job->next = taken;
	taken = job;
      }
    else
      p = &(*p)->next;
  return taken;
}

gomp_status_t
nvptx_later_open (struct gomp_plugin_device *dev)
{
  (void) dev;
  return GOMP_OK;
}

void
nvptx_later_close (struct gomp_plugin_device *dev, bool exiting)
{
  pthread_mutex_lock (&later.lock);
  for (unsigned i = 0; exiting && !later.left && i < EXIT_WAIT && has_jobs (dev); i++)
    {
      pthread_mutex_unlock (&later.lock);
      nanosleep (&(struct timespec) { .tv_nsec = 1000000 }, NULL);
      pthread_mutex_lock (&later.lock);
    }
  bool left = has_jobs (dev);
  struct job *taken = take_waiting (dev);
  while (!exiting && later.current != NULL && later.current->dev == dev)
    pthread_cond_wait (&later.ended, &later.lock);
  later.left |= exiting;
  pthread_mutex_unlock (&later.lock);
  if (left && nvptx_core->wants_info)
    nvptx_core->info (dev->core_device, "the program's version with lanes has not been linked when it ended;"
		      " a start with GOMP_NVPTX_LANES=wait waits for it");
  while (taken != NULL)
    {
      struct job *job = taken;
      taken = job->next;
      free_job (job);
    }
}

void
nvptx_later_forked (void)
{
  pthread_mutex_init (&later.lock, NULL);
  pthread_cond_init (&later.ended, NULL);
  later.waiting = later.current = NULL;
  later.has_thread = later.left = false;
}
