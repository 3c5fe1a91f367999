/* nvptx-later.c -- images that are linked while the program runs.

   A program's version with lanes takes the driver as long to link as the one without.  Nobody should wait for both: with
   GOMP_NVPTX_LANES=auto a program whose version with lanes is not in the cache begins with the other one, and the
   first is linked meanwhile and put into the cache: by another process (nvptx-child.c), or where that can't be by a
   thread of this file.  The two are modules with
   variables, functions and locks of their own each.  Where kernels could leave something there for one another
   (nvptx_texts_agree), a program can't go from one to the other, and the next start has lanes.  Otherwise the
   image gets what was linked, and later launches load it (nvptx-image.c).  If it is for what they could leave in variables alone, and modules can share
   those (nvptx-home.c), it is linked twice: sharing them, for this process, and then as it is for later starts.

   The same is done with texts without lanes that were linked in haste because they are long, for later starts;
   and with what a program is to find in the cache at its first start (nvptx-prepare.c): for that somebody waits.

   One thread does it for all devices and images, or has it done and waits for the answer, one after the other, at a low priority;
   it is there while there is something to do.  It begins when the version without lanes has been linked, so the start is not
   delayed by it: two links at a time take longer.  What is for later starts alone another process links when this one ends, or
   has run for QUIET: it needs a context on the device, and while the driver makes that kernels of others take up to four times as long.

   What is linked is in memory of its own (nvptx-texts.h), so an image may be unloaded meanwhile, and its module closed.
   A device that is closed waits for a link under way: with its context gone the driver ended the process
   (double free, 580.159 on an H200).

   The end of the process does not wait for another one that links, nor does closing a device: that goes on alone.  What is for later starts alone
   begins when the other process sees the end of this one, so this one leaves its side open until it is gone, and with it its context.  For what has not begun
   processes are started then.  The other process has a context on the device, some hundred MB: if memory runs out there it is stopped
   (nvptx_later_give_way), and the next start tries again.

   Where this process links: only if the user has asked for lanes (nvptx_lanes_asked_for), as the end of the process may wait for it.  The driver can't be told to stop, and programs that ended in the middle of a link
   crashed (heap corruption, 7 of 7 with the same driver): its compiler is a library of its own, which the first link loads and whose
   exit handlers take down what the other thread works on.  So the process ends when the link under way has come to its end; what
   has not begun is forgotten.  That takes no longer than waiting for it at the start would have taken, and
   the next start has lanes.  The exit handler that waits must come before those of the compiler's library, so it is
   registered when that has been loaded, by a link of nothing (load_compiler).  Should a link not end in EXIT_WAIT the thread
   is left alone.

   Several processes.  One links, while the others wait until it is through, or has ended, and take what it has put into the
   cache (nvptx_cache_claim): of all the processes that are started together one is busy with it, and only one
   waits at its end.  One that has waited for OTHER_WAIT links by itself.

   Locks: lock, a leaf.  Called by nvptx-image.c, and as a part of each device.  */

#include "nvptx-later.h"
#include "clock.h"
#include "nvptx-child.h"
#include "nvptx-lanes-image.h"
#include "nvptx-link.h"
#include "nvptx-request.h"
#include "nvptx-thread.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum
{
  EXIT_WAIT = 60000,		/* ms */
  OTHER_WAIT = 60000,		/* ms, about */
  CHILD_WAIT = 660,		/* s: it has its own limit */
  STOP_WAIT = 1000,		/* ms */
  OTHER_LOOK = 100,		/* ms from one look at the other process's claim to the next */
  LOOK = 5,			/* ms, at whether this process ends */
  ANSWER_LOOK = 1000,		/* the same, where its end is also heard of */
  FINISH_LOOK = 100,		/* us, at whether the thread has let go */
  QUIET = 5000,			/* ms */
  NICE = 5			/* not more: the end of the process may wait for it */
};

struct job
{
  struct job *next;
  struct gomp_plugin_device *dev;
  struct nvptx_image *image;	/* lock: who gets it; NULL: nobody, or it has gone */
  bool only_kept;		/* nobody was to get it */
  bool by_child;		/* another process is to link it */
  bool dropped;			/* lock: don't wait for another process */
  bool stopped;			/* lock: it was told to end */
  int child;			/* lock: where it answers, or -1 */
  unsigned waited;		/* ms for another process; the thread's */
  bool gave_up;			/* waiting for it; the thread's */
  char *path;
  struct nvptx_texts texts;
  struct nvptx_home joined;	/* is linked in place of TEXTS if it has objects, for this process only */
  struct nvptx_subst subst;	/* what is linked: that of TEXTS, or with JOINED's objects */
  struct nvptx_start_note *note;	/* for the next start, or NULL */
  struct nvptx_later_result *result;	/* somebody waits for it; or NULL */
};

static struct
{
  pthread_mutex_t lock;		/* protects all of it but the handlers */
  struct job *waiting;		/* list, in order */
  struct job *current;
  bool has_thread;
  bool left;			/* the process ends: nobody listens any more */
  _Atomic bool has_handler;	/* which comes before those of the driver's compiler */
  _Atomic bool has_child_handler;	/* which need not */
} later = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void
free_job (struct job *job)
{
  nvptx_home_free (&job->joined);
  nvptx_texts_free (&job->texts);
  nvptx_start_free (job->note);
  free (job->path);
  /* Release: what end has written.  Whoever waits has nothing else of the job.  */
  if (job->result != NULL)
    atomic_store_explicit (&job->result->xdone, true, memory_order_release);
  free (job);
}

/* ---- the thread ---- */

/* What messages call what JOB makes.  */
static const char *
version_of (const struct job *job)
{
  return job->joined.objects != NULL ? "its version with lanes for this start"
	 : job->texts.has_lanes ? "its version with lanes" : "its version for later starts";
}

/* Hand over CUBIN, and tell.  */
static void
end (struct job *job, gomp_status_t status, void *cubin, const char *why, double seconds)
{
  if (job->result != NULL)
    {
      job->result->status = status;
      job->result->seconds = seconds;
      snprintf (job->result->why, sizeof (job->result->why), "%s", why != NULL ? why : "");
    }
  pthread_mutex_lock (&later.lock);
  bool left = later.left;
  if (status == GOMP_OK && cubin != NULL && job->image != NULL && !left)
    {
      nvptx_image_linked (job->image, cubin);
      cubin = NULL;
    }
  pthread_mutex_unlock (&later.lock);
  free (cubin);
  if (left || job->gave_up || nvptx_is_lost (job->dev))
    return;			/* who is lost is told elsewhere */
  if (status == GOMP_OK)
    nvptx_note (job->dev, "image of %s: %s was linked in %.1f s%s", job->path, version_of (job), seconds,
		job->only_kept ? ", and the next start has it" : "");
  else
    nvptx_note (job->dev, "image of %s: %s cannot be linked: %s", job->path, version_of (job), why);
}

static void
note_other (const struct job *job)
{
  nvptx_note (job->dev, "image of %s: another process links %s", job->path, version_of (job));
}

/* What FLAG, which the lock protects, says now.  */
static bool
is_set (const bool *flag)
{
  pthread_mutex_lock (&later.lock);
  bool set = *flag;
  pthread_mutex_unlock (&later.lock);
  return set;
}

/* Another process links what the current job is about: wait a while.  */
static enum nvptx_wait
wait_for_other (void)
{
  struct job *job = later.current;	/* this thread has written it */
  bool dropped = false;

  if (job->waited == 0)
    note_other (job);
  else if (job->waited >= OTHER_WAIT)
    return NVPTX_WAIT_ENOUGH;
  for (unsigned ms = 0; ms < OTHER_LOOK && !dropped; ms += LOOK, job->waited += LOOK)
    {
      dropped = is_set (&job->dropped);
      if (!dropped)
	nanosleep (&(struct timespec) { .tv_nsec = LOOK * 1000000 }, NULL);
    }
  job->gave_up = dropped;
  return dropped ? NVPTX_WAIT_END : NVPTX_WAIT_AGAIN;
}

static void at_exit (void);

/* Let the driver load its compiler, if it has not, and have at_exit called before the compiler goes away.  The caller has entered
   a device.  False: that can't be had.  */
static bool
load_compiler (void)
{
  return later.has_handler || (nvptx_link_load_compiler () && nvptx_thread_at_exit (&later.has_handler, at_exit));
}

/* Link JOB in this process.  */
static void
link_here (struct job *job)
{
  const struct nvptx_subst *subst = &job->subst;
  struct nvptx_scope scope;
  struct nvptx_cache_place place;
  char *why = malloc (NVPTX_LINK_WHY);
  void *cubin = NULL;

  if (why == NULL || nvptx_enter (job->dev, &scope) != GOMP_OK)
    {
      free (why);
      return;			/* the device is lost: that is told elsewhere */
    }
  if (!load_compiler ())
    {
      nvptx_leave (job->dev, &scope);
      nvptx_core->debug (1, "image of %s: %s is not linked meanwhile", job->path, version_of (job));
      free (why);
      return;
    }
  uint64_t start = plugin_now ();
  gomp_status_t status = nvptx_link_for_later (job->dev, subst->objects, subst->num, subst->num_ours, job->path,
					       &(struct nvptx_link_turn) { .wait = wait_for_other },
					       job->only_kept ? NULL : &cubin, &place, why);
  double seconds = (double) (plugin_now () - start) / 1e9;
  nvptx_leave (job->dev, &scope);
  nvptx_start_keep (job->note, &place);
  end (job, status, cubin, why, seconds);
  free (why);
}

/* JOB's process answers at FD, or, -1, no more.  */
static void
set_child (struct job *job, int fd)
{
  pthread_mutex_lock (&later.lock);
  job->child = fd;
  if (fd >= 0 && job->stopped)
    nvptx_stop_send (fd);
  pthread_mutex_unlock (&later.lock);
}

/* Wait for the answer of the process that FD is of.  False: JOB is to be linked here.  */
static bool
await_child (struct job *job, int fd)
{
  struct nvptx_answer a;
  uint64_t start = plugin_now ();
  int got;

  do
    {
      if (is_set (&job->dropped))
	{
	  set_child (job, -1);
	  return true;		/* it goes on alone */
	}
      /* When the job is dropped nothing more comes (drop).  */
      got = nvptx_answer_receive (fd, ANSWER_LOOK, &a);
      if (got > 0 && a.kind == NVPTX_ANSWER_WAITS)
	{
	  note_other (job);
	  got = 0;
	}
      else if (got > 0 && a.kind == NVPTX_ANSWER_QUEUES)
	{
	  nvptx_note (job->dev, "image of %s: another process links before %s is linked", job->path, version_of (job));
	  got = 0;
	}
    }
  while (got == 0 && plugin_now () - start < CHILD_WAIT * UINT64_C (1000000000));
  /* In this order: from here on the end of the process waits, or it has said before that nobody wants to know (finish).  */
  set_child (job, -1);
  if (is_set (&job->dropped))
    return true;
  if (got <= 0 && is_set (&job->stopped))
    end (job, GOMP_OUT_OF_DEVICE_MEMORY, NULL, "the program wants the memory that it takes; the next start tries again", 0);
  else if (got <= 0)
    end (job, GOMP_DRIVER_ERROR, NULL, "the process that links it has ended without an answer", 0);
  else if (a.kind == NVPTX_ANSWER_DONE)
    {
      void *cubin = job->only_kept ? NULL : nvptx_cache_take (&a.place);
      nvptx_start_keep (job->note, &a.place);
      end (job, GOMP_OK, cubin, NULL, a.seconds);
    }
  else if (a.kind == NVPTX_ANSWER_UNABLE || (a.kind == NVPTX_ANSWER_LATE && job->result != NULL))
    {
      nvptx_core->debug (1, "image of %s: no other process links %s: %s", job->path, version_of (job), a.why);
      return is_set (&job->dropped);
    }
  else
    end (job, GOMP_DRIVER_ERROR, NULL, a.why, 0);
  return true;
}

static void
execute (struct job *job)
{
  bool done = false;

  if (job->by_child)
    {
      int fd = nvptx_child_start (job->dev, &job->subst, job->path,
				  job->only_kept && job->result == NULL ? QUIET : 0);
      if (fd < 0)
	{
	  nvptx_core->debug (1, "image of %s: no other process to link %s: %s", job->path, version_of (job), strerror (errno));
	  done = is_set (&job->dropped);
	}
      else
	{
	  set_child (job, fd);
	  done = await_child (job, fd);
	  close (fd);
	}
    }
  if (!done && (job->result != NULL || (job->texts.has_lanes && nvptx_lanes_asked_for ())))
    link_here (job);
}

static void *
later_main (void *unused)
{
  (void) unused;
  /* On Linux this is the calling thread's alone, and of those that the driver starts for it.  */
  (void) setpriority (PRIO_PROCESS, 0, NICE);
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
      free_job (job);
    }
  later.has_thread = false;
  pthread_mutex_unlock (&later.lock);
  return NULL;
}

/* ---- the end of the process ---- */

/* Is the thread at work for DEV, or, NULL, at all?  Under the lock.  */
static bool
is_current (const struct gomp_plugin_device *dev)
{
  return later.current != NULL && (dev == NULL || later.current->dev == dev);
}

/* Take the jobs of DEV, or, NULL, of all, that have not begun off the list.  Under the lock.  */
static struct job *
take_waiting (const struct gomp_plugin_device *dev)
{
  struct job *taken = NULL;
  for (struct job **p = &later.waiting; *p != NULL; )
    if (dev == NULL || (*p)->dev == dev)
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

/* Let the thread not wait for another process that is at work for JOB, which it tells that nobody listens.  Under the lock.  */
static void
drop (struct job *job)
{
  job->dropped = true;
  if (job->child >= 0)
    (void) shutdown (job->child, SHUT_RDWR);
}

/* Does the thread wait for another process, that is at work?  Under the lock.  */
static bool
awaits_child (void)
{
  return later.current != NULL && later.current->child >= 0;
}

/* Wait until the thread is not at work for DEV, or, NULL, as the process ends, at all; jobs that have not begun are left to other
   processes or forgotten, and one for which another process is at work is left to that.  When the process ends the thread stays with such a one: so that
   one sees no end of this process before it has left the device.  False: it has taken too long.  */
static bool
finish (const struct gomp_plugin_device *dev)
{
  bool ended = true, exiting = dev == NULL;
  struct job *taken;

  pthread_mutex_lock (&later.lock);
  taken = take_waiting (dev);
  if (is_current (dev) && exiting)
    later.current->dropped = true;
  else if (is_current (dev))
    drop (later.current);
  for (unsigned i = 0; is_current (dev) && !(exiting && awaits_child ()) && (ended = i < EXIT_WAIT * (1000 / FINISH_LOOK)); i++)
    {
      pthread_mutex_unlock (&later.lock);
      nanosleep (&(struct timespec) { .tv_nsec = FINISH_LOOK * 1000 }, NULL);
      pthread_mutex_lock (&later.lock);
    }
  later.left |= !ended;
  pthread_mutex_unlock (&later.lock);
  while (taken != NULL)
    {
      struct job *job = taken;
      int fd = -1;
      if (job->by_child && job->joined.objects == NULL)
	fd = nvptx_child_start (job->dev, &job->texts.subst, job->path, exiting ? QUIET : 0);
      taken = job->next;
      if (fd >= 0 && !exiting)
	close (fd);
      free_job (job);
    }
  return ended;
}

static void
at_exit (void)
{
  (void) finish (NULL);
}

/* Have at_exit called, by which this process lets go of those that link.  False: that can't be had.  */
static bool
have_child_handler (void)
{
  return later.has_handler || nvptx_thread_at_exit (&later.has_child_handler, at_exit);
}

/* ---- jobs ---- */

/* NULL: out of memory, and what was handed over is freed.  */
static struct job *
make_job (struct nvptx_image *image, struct nvptx_texts *texts, struct nvptx_start_note *note)
{
  struct job *job = calloc (1, sizeof (*job));

  if (job == NULL || (job->path = strdup (image->path)) == NULL)
    {
      free (job);
      nvptx_texts_free (texts);
      nvptx_start_free (note);
      nvptx_core->debug (1, "image of %s: no memory to link it for later starts", image->path);
      return NULL;
    }
  job->dev = image->shared.dev;
  job->texts = *texts;
  job->subst = texts->subst;
  job->note = note;
  job->child = -1;
  return job;
}

/* Let the thread have JOB, which is freed then, or if there can be none.  */
static void
begin (struct job *job)
{
  int error = 0;

  pthread_mutex_lock (&later.lock);
  struct job **last = &later.waiting;
  while (*last != NULL)
    last = &(*last)->next;
  *last = job;
  if (!later.has_thread)
    {
      error = nvptx_thread_start (later_main, NULL, "gomp-later");
      later.has_thread = error == 0;
      if (error != 0)
	*last = NULL;
    }
  pthread_mutex_unlock (&later.lock);
  if (error != 0)
    {
      nvptx_core->debug (1, "image of %s: no thread to link %s: %s", job->path, version_of (job),
			 strerror (error));
      free_job (job);
    }
}

void
nvptx_later_link (struct nvptx_image *image, struct nvptx_texts *texts, struct nvptx_home *joined, struct nvptx_start_note *note,
		  const char *apart)
{
  struct gomp_plugin_device *dev = image->shared.dev;
  const char *path = image->path;
  struct job *job = make_job (image, texts, note);

  if (job == NULL)
    {
      if (joined != NULL)
	nvptx_home_free (joined);
      return;
    }
  if (joined != NULL)
    {
      job->joined = *joined;
      job->subst.objects = joined->objects;
    }
  job->by_child = nvptx_child_can (dev) && have_child_handler ();
  if (!job->by_child && (!job->texts.has_lanes || !nvptx_lanes_asked_for () || !load_compiler ()))
    {
      nvptx_core->debug (1, "image of %s: %s is not linked meanwhile", path, version_of (job));
      free_job (job);
      return;
    }
  job->only_kept = apart != NULL || !job->texts.has_lanes;
  job->image = job->only_kept ? NULL : image;
  if (!job->texts.has_lanes)
    nvptx_note (dev, "image of %s: linked in haste for this start, and once more meanwhile for later ones", path);
  else if (apart != NULL && *apart != 0)
    nvptx_note (dev, "image of %s: threads are warps at this start, as %s; its version with lanes is linked meanwhile",
		path, apart);
  else if (apart == NULL)
    nvptx_note (dev, "image of %s: threads are warps until its version with lanes is linked", path);
  begin (job);
}

void
nvptx_later_link_now (struct nvptx_image *image, struct nvptx_texts *texts,
		      struct nvptx_start_note *note, struct nvptx_later_result *result)
{
  struct job *job = make_job (image, texts, note);

  result->status = GOMP_OUT_OF_HOST_MEMORY;
  snprintf (result->why, sizeof (result->why), "there is no memory, or no thread");
  atomic_init (&result->xdone, job == NULL);
  if (job != NULL)
    {
      job->by_child = nvptx_child_can (job->dev) && have_child_handler ();
      job->only_kept = true;
      job->result = result;
      begin (job);
    }
  /* Acquire: the result.  */
  while (!atomic_load_explicit (&result->xdone, memory_order_acquire))
    nanosleep (&(struct timespec) { .tv_nsec = 1000000 }, NULL);
}

bool
nvptx_later_give_way (struct gomp_plugin_device *dev)
{
  pthread_mutex_lock (&later.lock);
  struct job *taken = take_waiting (dev), *job = is_current (dev) ? later.current : NULL;
  bool tell = job != NULL && job->child >= 0;
  if (tell && !job->stopped)
    nvptx_stop_send (job->child);
  if (job != NULL)
    job->stopped = true;	/* and if it has not begun, set_child tells it */
  for (unsigned i = 0; i < STOP_WAIT && tell && later.current == job; i++)
    {
      pthread_mutex_unlock (&later.lock);
      nanosleep (&(struct timespec) { .tv_nsec = 1000000 }, NULL);
      pthread_mutex_lock (&later.lock);
    }
  pthread_mutex_unlock (&later.lock);
  while (taken != NULL)
    {
      struct job *next = taken->next;
      free_job (taken);
      taken = next;
    }
  return tell;
}

void
nvptx_later_forget (struct nvptx_image *image)
{
  pthread_mutex_lock (&later.lock);
  for (struct job *job = later.waiting; job != NULL; job = job->next)
    if (job->image == image)
      job->image = NULL;
  if (later.current != NULL && later.current->image == image)
    later.current->image = NULL;
  pthread_mutex_unlock (&later.lock);
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
  /* At exit nothing is left, or what at_exit has given up.  */
  if (!exiting)
    while (!finish (dev))
      continue;
}

void
nvptx_later_forked (void)
{
  pthread_mutex_init (&later.lock, NULL);
  later.waiting = later.current = NULL;
  later.has_thread = later.left = false;	/* the handler is there in the child, too */
}
