/* target-flight.c -- target tasks between their steps: agendas, lanes, what is in flight, the
   progress thread, the end of the process, fork.

   target-task.h has the life of a target task and the invariants; target-task.c the steps.

   Lanes.  A lane is a queue with target tasks in flight.  Tasks that have nothing to do with each
   other go to different lanes, up to a number for each device, so that they may run at the same time;
   one that comes after the last task of a lane goes behind that.  When a lane is empty, its
   queue goes back to the pool (queue.c), where synchronous constructs find it warm.

   Collecting.  Tasks land in the order of their lane, so only the first one of each lane is looked
   at.  Whoever takes it out of the lane takes its next step, without the lock.

   The progress thread is started when it is first needed, lives as long as the process, and
   sleeps when nothing is in flight.  Otherwise it looks again and again, first after a few
   microseconds, then more and more rarely: a twentieth of the time for which it has seen nothing begin
   or end, so that nobody hears of an end much too late.  Who needs it for something that began
   since it went to sleep wakes it.  Where all that is in flight is on one device whose plugin can tell
   when any of it gets on (device_nap), it sleeps there, for a millisecond at most.  It blocks all signals, so that handlers of the program run in the program's
   threads.

   Slow steps.  A thread that moves bulk data in a step is busy for long: before it begins, the task is
   in the list of slow ones, and what else the thread had on its agenda goes to those who collect.

   Fork.  The child has no devices, and nothing in flight will ever land there.  Such tasks, and those
   in a slow step, end without results as soon as somebody collects, so that waits of the child come to
   an end.  fork waits a moment for threads that are in another step.  */

#include "libgomp.h"
#include "config/linux/futex.h"
#include "host/depend-node.h"
#include "host/task.h"
#include "reverse.h"
#include "staging.h"
#include "target-flight.h"
#include "plugin/thread-own.h"

#include <errno.h>
#include <pthread.h>
#include <sys/prctl.h>

/* Lanes of a device that are used side by side: two for each of its compute units, in these limits.
   Each costs a stream or a thread.  */
#define MIN_LANES 8
#define MAX_LANES 32
#define PREDECESSORS 16		/* of a task that are looked for at the ends of lanes */
#define THROTTLE 1024		/* tasks under way, at first */
#define PATIENCE_NS 2000000	/* without any progress, for the one who is to help */
/* Naps: at first an eighth of the time without news, in these limits; then a twentieth.  */
#define FIRST_NAP_NS 20000
#define NEWS_NS 50000
#define SHORT_NAP_NS 45000
#define LAST_NAP_NS 1000000
#define FIRST_NAP_PART 8
#define NAP_PART 20
/* Looks at threads that are in a step, the later ones after a nap.  */
#define FORK_LOOKS 1000
#define FORK_PATIENCE 2000
#define PROGRESS_IDLE_NS 900000000	/* without a task, until the thread ends; less than a second */
#define FORK_NAP_NS 100000

_Atomic (unsigned) gomp_xtarget_active;

struct device_lanes
{
  struct device_lanes *next;	/* fixed once it is in the list */
  struct gomp_device *dev;	/* fixed */
  struct gomp_lane *lanes;	/* flights.lock */
  unsigned num_lanes;		/* flights.lock */
  unsigned limit;		/* for num_lanes, unless threads need more at once; fixed */
  _Atomic (unsigned) xload;	/* tasks in flight; changed under flights.lock, relaxed hints */
};

static struct
{
  gomp_mutex_t lock;		/* a leaf; protects what follows, lanes, and xflight of nodes */
  struct gomp_target_task *stalled, **stalled_end;
  struct gomp_target_task *slow;	/* linked by next_slow */
  struct gomp_target_task *orphans;	/* child of fork: nobody will signal their events */
  /* Appended under the lock, read without.  */
  _Atomic (struct device_lanes *) xdevices;
} flights = { .stalled_end = &flights.stalled };

static _Atomic (unsigned) xrunning;	/* threads with tasks that are in no list; for fork, relaxed */
static _Atomic (unsigned) xattending;	/* threads that may use a device for what is in flight */
static _Atomic (unsigned) xthrottle = THROTTLE;	/* relaxed: only a measure */
static _Atomic (uint64_t) xlanded;	/* how many; relaxed, to see whether something happens */
static _Atomic (uint64_t) xlaunched;	/* the same */
static gomp_word_t never;	/* to sleep for some time */

/* ---- Agendas ---- */

static void
add_to_agenda (struct gomp_target_task *t)
{
  struct gomp_own *own = gomp_own ();
  t->next = NULL;
  if (own->agenda.first == NULL)
    own->agenda.first = t;
  else
    own->agenda.last->next = t;
  own->agenda.last = t;
}

/* The calling thread has tasks that are in no list, or none.  */
static inline void
count_agenda (bool counted)
{
  struct gomp_own *own = gomp_own ();
  if (own->agenda.counted != counted)
    gomp_add_relaxed (&xrunning, counted ? 1 : -1u);	/* see there */
  own->agenda.counted = counted;
}

static void
run_agenda (void)
{
  struct gomp_thread *thr = gomp_self ();
  struct gomp_own *own = gomp_own ();
  struct gomp_target_task *t;
  int saved = errno;

  count_agenda (true);
  own->agenda.running = true;
  while ((t = own->agenda.first) != NULL)
    {
      own->agenda.first = t->next;
      gomp_target_task_step (thr, t);
    }
  own->agenda.running = false;
  count_agenda (false);
  errno = saved;
}

void
gomp_target_task_start (struct gomp_target_task *t)
{
  /* Relaxed: this thread finishes it or puts it into a list.  Counted before its predecessor is not
     any more: who sees zero knows that nothing follows.  */
  gomp_add_relaxed (&gomp_xtarget_active, 1);
  add_to_agenda (t);
  if (!gomp_own ()->agenda.running)
    run_agenda ();
}

void
gomp_target_task_ready (struct gomp_task *task)
{
  struct gomp_target_task *t = task->data;
  t->pending = true;
  gomp_target_task_start (t);
}

/* ---- Lanes ---- */

static inline void
lock_flights (void)
{
  gomp_mutex_lock (&flights.lock);
}

static inline void
unlock_flights (void)
{
  gomp_mutex_unlock (&flights.lock);
}

/* The lanes of DEV; with the lock.  */
static struct device_lanes *
lanes_of (struct gomp_device *dev)
{
  /* Relaxed: under the lock.  */
  struct device_lanes *d = gomp_load_relaxed (&flights.xdevices);
  while (d != NULL && d->dev != dev)
    d = d->next;
  if (d == NULL)
    {
      d = gomp_calloc (1, sizeof (*d));
      unsigned limit = 2 * dev->attr.multiprocessors;
      d->limit = limit < MIN_LANES ? MIN_LANES : limit > MAX_LANES ? MAX_LANES : limit;
      d->dev = dev;
      d->next = gomp_load_relaxed (&flights.xdevices);	/* under the lock */
      /* Release: the fields.  */
      gomp_store_release (&flights.xdevices, d);
    }
  return d;
}

/* Does T come after BATCH?  Of many only the last ones are looked at.  */
static bool
comes_after (const struct gomp_target_task *t, const struct gomp_map_batch *batch)
{
  size_t n = t->plan != NULL ? t->plan->fills.n : t->after.n;
  struct gomp_map_batch *const *v = t->plan != NULL ? t->plan->fills.v : t->after.v;

  for (size_t i = n; i > 0 && n - i < PREDECESSORS; i--)
    if (v[i - 1] == batch)
      return true;
  return false;
}

struct gomp_lane *
gomp_lane_take (struct gomp_target_task *t)
{
  struct gomp_lane *best = NULL, *lane;

  lock_flights ();
  struct device_lanes *d = lanes_of (t->dev);
  for (lane = d->lanes; lane != NULL; lane = lane->next)
    {
      if (lane->busy)
	continue;
      if (lane->last != NULL && comes_after (t, lane->last->flight))
	{
	  best = lane;
	  break;
	}
      if (best == NULL || lane->load < best->load)
	best = lane;
    }
  if (best == NULL || (lane == NULL && best->load > 0 && d->num_lanes < d->limit))
    {
      best = gomp_calloc (1, sizeof (*best));
      best->d = d;
      best->next = d->lanes;
      d->lanes = best;
      d->num_lanes++;
    }
  best->busy = true;
  unlock_flights ();
  if (best->queue == NULL)
    best->queue = gomp_queue_get (t->dev, &t->note);
  return best;
}

void
gomp_target_let_follow (struct gomp_target_task *t)
{
  struct gomp_depend_node *node = t->task->depend;

  if (node == NULL || !t->on_device)
    return;
  /* From now on new successors find it themselves.  It cannot land yet.  */
  lock_flights ();
  gomp_store_relaxed (&node->xflight, t);	/* under the lock */
  unlock_flights ();
  gomp_depend_let_follow (node);
}

/* With the lock: the slow step of T is over, and the calling thread has a task in no list again.  */
static void __attribute__ ((cold, noinline))
unlink_slow (struct gomp_target_task *t)
{
  struct gomp_target_task **p = &flights.slow;
  while (*p != t)
    p = &(*p)->next_slow;
  *p = t->next_slow;
  t->slow = false;
  count_agenda (true);
}

void
gomp_target_end_slow (struct gomp_target_task *t)
{
  lock_flights ();
  unlink_slow (t);
  unlock_flights ();
}

void
gomp_lane_launch (struct gomp_lane *lane, struct gomp_target_task *t)
{
  struct device_lanes *d = lane->d;
  bool needs_progress = t->pending;

  t->next = NULL;
  lock_flights ();
  if (gomp_unlikely (t->slow))
    unlink_slow (t);
  if (lane->last != NULL)
    lane->last->next = t;
  else
    lane->first = t;
  lane->last = t;
  lane->load++;
  lane->busy = false;
  /* Such a device does not go on by itself from one operation to the next.  */
  if ((d->dev->attr.caps & GOMP_CAP_NEEDS_PROGRESS) && (lane->load > 1 || t->waited))
    needs_progress = true;
  gomp_add_relaxed (&d->xload, 1);	/* under the lock */
  gomp_add_relaxed (&xlaunched, 1);	/* see there */
  if (t->task->depend != NULL)
    gomp_store_relaxed (&t->task->depend->xflight, t);	/* under the lock */
  /* From now on it may land, and be gone.  */
  unlock_flights ();
  gomp_reverse_expect (d->dev);
  if (needs_progress)
    gomp_target_need_progress ();
}

void
gomp_target_stall (struct gomp_target_task *t)
{
  t->next = NULL;
  lock_flights ();
  if (gomp_unlikely (t->slow))
    unlink_slow (t);
  *flights.stalled_end = t;
  flights.stalled_end = &t->next;
  unlock_flights ();
  gomp_target_need_progress ();
}

/* For a helper thread of a device's ring.  */
static void
resume (void *arg)
{
  add_to_agenda (arg);
  run_agenda ();
}

bool
gomp_target_hand_over (struct gomp_target_task *t)
{
  lock_flights ();
  if (!t->slow)
    {
      t->slow = true;
      t->next_slow = flights.slow;
      flights.slow = t;
    }
  unlock_flights ();
  if (gomp_staging_hand_over (t->dev, resume, t))
    return true;

  /* The calling thread will be busy.  */
  struct gomp_own *own = gomp_own ();
  bool others = own->agenda.first != NULL;
  lock_flights ();
  if (others)
    {
      *flights.stalled_end = own->agenda.first;
      flights.stalled_end = &own->agenda.last->next;
      own->agenda.first = own->agenda.last = NULL;
    }
  count_agenda (false);
  unlock_flights ();
  if (others)
    gomp_target_need_progress ();
  return false;
}

bool
gomp_target_task_follow (struct gomp_task *task, struct gomp_depend_node *pred)
{
  bool follows = false;

  lock_flights ();
  struct gomp_target_task *p = gomp_load_relaxed (&pred->xflight);	/* under the lock */
  bool under_way = p != NULL;
  if (under_way && task != NULL && task->kind == GOMP_TASK_TARGET)
    {
      struct gomp_target_task *t = task->data;
      if (p->on_device && p->dev == t->dev)
	{
	  follows = true;
	  t->waited = true;
	  if (t->plan != NULL)
	    gomp_map_await_batch (t->plan, p->flight);
	  else
	    {
	      *gomp_vec_push (&t->after) = p->flight;
	      gomp_add_relaxed (&p->flight->xrefs, 1);	/* it has one until it is complete */
	    }
	}
    }
  unlock_flights ();
  if (under_way && !follows)
    gomp_target_need_progress ();
  return follows;
}

void
gomp_target_unpublish (struct gomp_target_task *t)
{
  lock_flights ();
  gomp_store_relaxed (&t->task->depend->xflight, NULL);	/* under the lock */
  unlock_flights ();
}

/* ---- Collecting ---- */

/* Take what has landed on the lanes of D; with the lock.  */
static void
take_landed (struct device_lanes *d)
{
  for (struct gomp_lane *lane = d->lanes; lane != NULL; lane = lane->next)
    {
      struct gomp_target_task *t;
      while ((t = lane->first) != NULL && gomp_event_done (t->flight->event))
	{
	  lane->first = t->next;
	  if (lane->first == NULL)
	    lane->last = NULL;
	  if (--lane->load == 0 && !lane->busy)
	    {
	      t->spare = lane->queue;
	      lane->queue = NULL;
	    }
	  gomp_add_relaxed (&d->xload, -1u);	/* under the lock */
	  gomp_add_relaxed (&xlanded, 1);	/* see there */
	  add_to_agenda (t);
	}
    }
}

/* In the child of a fork: what was in flight is over.  */
static void
end_orphans (void)
{
  struct gomp_target_task *t;

  lock_flights ();
  struct gomp_target_task *all = flights.orphans;
  flights.orphans = NULL;
  unlock_flights ();
  while ((t = all) != NULL)
    {
      all = t->next;
      add_to_agenda (t);
    }
}

void
gomp_target_collect (void)
{
  struct gomp_own *own = gomp_own ();
  if (own->agenda.running)
    return;
  /* Acquire: who finds nothing in flight after gomp_target_leave_devices has seen nobody.  */
  gomp_add_acq_rel (&xattending, 1);
  /* Acquire: the lanes.  */
  for (struct device_lanes *d = gomp_load_acquire (&flights.xdevices); d != NULL; d = d->next)
    /* Relaxed: a hint.  Acquire: whether the handle is still good.  */
    if ((d->dev->attr.caps & (GOMP_CAP_NEEDS_PROGRESS | GOMP_CAP_REVERSE_OFFLOAD))
	&& gomp_load_relaxed (&d->xload) != 0
	&& gomp_load_acquire (&d->dev->xstate) == GOMP_DEVICE_OPEN)
      {
	d->dev->ops->progress (d->dev->handle);
	gomp_reverse_attend (d->dev);
      }
  gomp_sub_acq_rel (&xattending, 1);	/* release: the use of devices */
  if (!gomp_mutex_trylock (&flights.lock))
    return;			/* somebody else does it */
  struct gomp_target_task *stalled = flights.stalled, *t;
  flights.stalled = NULL;
  flights.stalled_end = &flights.stalled;
  for (struct device_lanes *d = gomp_load_acquire (&flights.xdevices); d != NULL; d = d->next)
    if (gomp_load_relaxed (&d->xload) != 0	/* under the lock */
	&& gomp_load_acquire (&d->dev->xstate) == GOMP_DEVICE_OPEN)	/* as above */
      take_landed (d);
  bool orphans = flights.orphans != NULL;
  bool taken = stalled != NULL || own->agenda.first != NULL;
  /* Under the lock, with which before_fork looks: what was taken is in no list now.  */
  if (taken)
    count_agenda (true);
  unlock_flights ();
  /* Those that landed may be what these wait for.  */
  while ((t = stalled) != NULL)
    {
      stalled = t->next;
      add_to_agenda (t);
    }
  if (gomp_unlikely (orphans))
    end_orphans ();
  if (own->agenda.first != NULL)
    run_agenda ();
}

/* ---- Waiting ---- */

/* How long to sleep after nothing has happened since SINCE.  */
static long
nap_length (uint64_t since)
{
  uint64_t age = gomp_now_ns () - since, ns = age / NAP_PART;
  if (ns < SHORT_NAP_NS)
    {
      ns = age / FIRST_NAP_PART;
      if (ns > SHORT_NAP_NS)
	ns = SHORT_NAP_NS;
    }
  return ns < FIRST_NAP_NS ? FIRST_NAP_NS : ns > LAST_NAP_NS ? LAST_NAP_NS : (long) ns;
}

bool
gomp_target_in_flight (void)
{
  /* Acquire: the fields.  Relaxed: a hint.  */
  for (struct device_lanes *d = gomp_load_acquire (&flights.xdevices); d != NULL; d = d->next)
    if (!(d->dev->attr.caps & GOMP_CAP_NEEDS_PROGRESS) && gomp_load_relaxed (&d->xload) != 0)
      return true;
  return false;
}

enum { NO_THREAD, ASLEEP, AWAKE, NAPPING };
static gomp_word_t xprogress;	/* of the progress thread; it sleeps on it */
static _Atomic (uint64_t) xknown;	/* of xlaunched, when it began to nap; relaxed, a hint */

/* The device that has everything that is in flight; NULL: there are several, or something is stalled,
   which nobody can wait for.  */
static struct device_lanes *
only_device (void)
{
  struct device_lanes *only = NULL;

  lock_flights ();
  bool several = flights.stalled != NULL || flights.orphans != NULL;
  /* Relaxed: under the lock.  */
  for (struct device_lanes *d = gomp_load_relaxed (&flights.xdevices); d != NULL; d = d->next)
    if (gomp_load_relaxed (&d->xload) != 0)
      {
	several |= only != NULL;
	only = d;
      }
  unlock_flights ();
  return several ? NULL : only;
}

/* Sleep in the plugin of that device until *XPROGRESS is not NAPPING or its device gets on.  */
static bool
nap_in_plugin (void)
{
  bool slept = false;
  struct device_lanes *d = only_device ();

  /* Acquire: as in gomp_target_collect.  */
  gomp_add_acq_rel (&xattending, 1);
  if (d != NULL && gomp_load_relaxed (&d->xload) != 0
      && gomp_load_acquire (&d->dev->xstate) == GOMP_DEVICE_OPEN)
    slept = d->dev->ops->device_nap (d->dev->handle, &xprogress, NAPPING, LAST_NAP_NS);
  gomp_sub_acq_rel (&xattending, 1);	/* release: the use of devices */
  return slept;
}

/* Nothing has happened since SINCE, when LAUNCHED tasks had been.  */
static void
progress_nap (uint64_t since, uint64_t launched)
{
  uint32_t state = AWAKE;
  long ns = nap_length (since);

  /* Soon after news more is likely, and need not wake the thread.  */
  if (gomp_now_ns () - since < NEWS_NS)
    {
      gomp_futex_wait_ns (&xprogress, AWAKE, ns);
      return;
    }
  gomp_store_relaxed (&xknown, launched);	/* see there */
  /* Release: that.  Whatever becomes of it: the thread looks at everything afterwards.  */
  if (!gomp_cas_acq_rel (&xprogress, &state, NAPPING))
    return;
  if (!nap_in_plugin ())
    gomp_futex_wait_ns (&xprogress, NAPPING, ns);
  state = NAPPING;
  gomp_cas_acq_rel (&xprogress, &state, AWAKE);	/* unless somebody else has done that */
}

/* False: nobody has asked for progress for long, and the next one makes a thread again.  A process
   whose main thread has ended lasts until all others have, this one, too.  */
static bool
progress_sleep (void)
{
  uint64_t since = gomp_now_ns ();

  /* Acquire: what those had started who asked for progress before this.  */
  gomp_swap_acq_rel (&xprogress, ASLEEP);
  if (gomp_load_acquire (&gomp_xtarget_active) != 0)
    gomp_swap_acq_rel (&xprogress, AWAKE);
  else
    while (gomp_load_acquire (&xprogress) == ASLEEP)	/* acquire: as above */
      {
	uint32_t state = ASLEEP;
	uint64_t age = gomp_now_ns () - since;
	if (age < PROGRESS_IDLE_NS)
	  gomp_futex_wait_ns (&xprogress, ASLEEP, PROGRESS_IDLE_NS - age);
	else if (gomp_cas_acq_rel (&xprogress, &state, NO_THREAD))	/* release: nothing */
	  return false;
      }
  return true;
}

void
gomp_target_leave_devices (void)
{
  uint32_t state = NAPPING;
  /* Perhaps in a plugin.  Release: nothing.  */
  if (gomp_cas_acq_rel (&xprogress, &state, AWAKE))
    gomp_futex_wake (&xprogress, 1);
  /* A change, so that whoever comes later sees what the caller has seen; acquire: the use.  */
  while (gomp_add_acq_rel (&xattending, 0) != 0)
    gomp_let_others_run ();
}

static void *
progress_main (void *arg)
{
  uint64_t landed = 0, launched = 0, since = gomp_now_ns ();

  (void) arg;
  prctl (PR_SET_TIMERSLACK, 1000);
  if (gomp_ompt_on ())
    gomp_ompt_other_begin (gomp_self ());
  for (;;)
    {
      gomp_target_collect ();
      if (!gomp_target_active ())
	{
	  if (!progress_sleep ())
	    break;
	  since = gomp_now_ns ();
	  continue;
	}
      uint64_t now_landed = gomp_load_relaxed (&xlanded);	/* statistics */
      uint64_t now_launched = gomp_load_relaxed (&xlaunched);
      if (now_landed != landed || now_launched != launched)
	{
	  landed = now_landed;
	  launched = now_launched;
	  since = gomp_now_ns ();
	}
      else
	progress_nap (since, launched);
    }
  return NULL;
}

bool
gomp_target_need_progress (void)
{
  /* Relaxed: hints.  If the thread naps and knows of everything, it need not be disturbed.  */
  if (gomp_load_relaxed (&xprogress) == NAPPING
      && gomp_load_relaxed (&xknown) == gomp_load_relaxed (&xlaunched))
    return true;
  /* Release: what this thread has started; acquire: nothing.  */
  uint32_t state = gomp_swap_acq_rel (&xprogress, AWAKE);
  if (gomp_likely (state == AWAKE))
    return true;
  if (state == ASLEEP || state == NAPPING)
    {
      gomp_futex_wake (&xprogress, 1);
      return true;
    }
  if (gomp_helper_thread (progress_main, NULL, "gomp-progress", 0, true) == 0)
    return true;
  gomp_swap_acq_rel (&xprogress, NO_THREAD);
  return false;
}

void
gomp_target_throttle (void)
{
  /* Relaxed, here and below: only measures.  */
  unsigned limit = gomp_load_relaxed (&xthrottle);
  if (gomp_likely (gomp_load_relaxed (&gomp_xtarget_active) < limit))
    return;
  uint64_t landed = gomp_load_relaxed (&xlanded), since = gomp_now_ns ();
  for (uint64_t i = 0; gomp_load_relaxed (&gomp_xtarget_active) > limit / 4 * 3; i++)
    {
      gomp_target_collect ();
      uint64_t now = gomp_load_relaxed (&xlanded);
      if (now != landed)
	{
	  landed = now;
	  since = gomp_now_ns ();
	}
      else if (i % 64 == 0 && gomp_now_ns () - since > PATIENCE_NS)
	{
	  /* They may wait for something that this thread does later.  */
	  gomp_store_relaxed (&xthrottle, 2 * limit);
	  return;
	}
      gomp_spin_pause (i);
    }
}

/* Collect until DONE (ARG), or, if it is NULL, while there is something; PATIENCE is not 0: or until
   nothing has landed for so many ns or cannot, since a call that a region waits for waits for
   this thread; then the answer is false.  */
static bool
collect_until (bool (*done) (void *), void *arg, uint64_t patience)
{
  uint64_t landed = gomp_load_relaxed (&xlanded), since = gomp_now_ns ();

  /* Acquire: what the tasks did.  */
  for (uint64_t i = 0; (done == NULL || !done (arg))
		       && gomp_load_acquire (&gomp_xtarget_active) != 0; i++)
    {
      gomp_target_collect ();
      uint64_t now = gomp_load_relaxed (&xlanded);	/* a statistic */
      if (now != landed)
	{
	  landed = now;
	  since = gomp_now_ns ();
	  i = 0;
	}
      else if (i < 256)
	gomp_spin_pause (i);
      else if (patience != 0
	       && (gomp_now_ns () - since > patience || gomp_reverse_joins_me ()))
	return false;
      else
	gomp_futex_wait_ns (&never, 0, nap_length (since));
    }
  return true;
}

static bool
has_other_work (void *thr)
{
  struct gomp_thread *self = thr;
  return (gomp_task_may_be_queued (self)
	  || gomp_children_finished (&self->task->children));
}

void
gomp_target_thread_end (struct gomp_thread *thr)
{
  if (gomp_own_now ()->agenda.running || gomp_ending_by_error)
    return;
  for (;;)
    {
      bool active = gomp_load_acquire (&gomp_xtarget_active) != 0;	/* as in gomp_target_drain */
      if (gomp_task_work (thr))
	continue;
      if (!active || gomp_children_finished (&thr->task->children))
	break;
      collect_until (has_other_work, thr, 0);
    }
}

static bool
has_tasks (void *thr)
{
  return gomp_task_may_be_queued (thr);
}

static bool
is_through (void *thr)
{
  return gomp_children_finished (&((struct gomp_thread *) thr)->task->children);
}

void
gomp_target_drain (void)
{
  struct gomp_thread *thr = &gomp_tls;

  /* After an error nothing is certain; a thread that is in a step cannot wait for it, and one that
     serves a reverse call not for the region that has made it.  */
  if (gomp_own_now ()->agenda.running || gomp_reverse_serving () || gomp_ending_by_error)
    return;
  /* Outside of regions, tasks that nobody has waited for may be left, and may wait for what is in
     flight or be waited for.  */
  bool initial = thr->team != NULL && thr->level == 0 && thr->slot == NULL
		 && thr->task->kind == GOMP_TASK_IMPLICIT;
  for (;;)
    {
      /* Acquire: host tasks that the last target task has made ready.  Looked at first: they
	 may have become so since the queues were looked at.  */
      bool active = gomp_load_acquire (&gomp_xtarget_active) != 0;
      if (initial && gomp_task_work (thr))
	continue;
      if (!active)
	break;
      /* The tasks that this task has generated are complete before its devices are closed,
	 however long they take.  Those of other threads, which end with the process wherever they
	 are, get a chance.  */
      if (thr->task != NULL && !is_through (thr))
	collect_until (initial ? has_other_work : is_through, thr, 0);
      else if (!collect_until (initial ? has_tasks : NULL, thr, GOMP_EXIT_PATIENCE_NS))
	{
	  if (!gomp_reverse_joins_me ())
	    gomp_error ("target tasks of other threads do not end: they are abandoned at exit");
	  break;
	}
    }
}

/* ---- Fork ---- */

static void
before_fork (void)
{
  /* Relaxed: a look now and then; under the lock, so that nobody takes tasks out of lists
     meanwhile.  */
  for (unsigned i = 0; ; i++)
    {
      lock_flights ();
      if (i >= FORK_PATIENCE || gomp_load_relaxed (&xrunning) == 0)
	return;
      unlock_flights ();
      if (i < FORK_LOOKS)
	gomp_spin_pause (i);
      else
	gomp_futex_wait_ns (&never, 0, FORK_NAP_NS);
    }
}

static void
after_fork_in_parent (void)
{
  unlock_flights ();
}

static void
make_orphan (struct gomp_target_task *t, unsigned *count)
{
  t->orphan = true;
  t->slow = false;
  t->next = flights.orphans;
  flights.orphans = t;
  ++*count;
}

static void
make_orphans (struct gomp_target_task *list, unsigned *count)
{
  while (list != NULL)
    {
      struct gomp_target_task *t = list;
      list = t->next;
      make_orphan (t, count);
    }
}

static void
after_fork_in_child (void)
{
  unsigned count = 0;

  /* Nobody else is there, all of it.  */
  for (struct device_lanes *d = gomp_load_relaxed (&flights.xdevices); d != NULL; d = d->next)
    {
      for (struct gomp_lane *lane = d->lanes; lane != NULL; lane = lane->next)
	{
	  make_orphans (lane->first, &count);
	  lane->first = lane->last = NULL;
	  lane->queue = NULL;
	  lane->load = 0;
	  lane->busy = false;
	}
      gomp_store_relaxed (&d->xload, 0);
    }
  for (struct gomp_target_task *t = flights.slow; t != NULL; t = t->next_slow)
    make_orphan (t, &count);
  flights.slow = NULL;
  make_orphans (flights.stalled, &count);
  flights.stalled = NULL;
  flights.stalled_end = &flights.stalled;
  gomp_store_relaxed (&gomp_xtarget_active, count);
  gomp_store_relaxed (&xrunning, gomp_own_now ()->agenda.counted);
  gomp_store_relaxed (&xattending, 0);
  gomp_store_relaxed (&xprogress, NO_THREAD);
  unlock_flights ();
}

void
gomp_target_flights_init (void)
{
  /* Without memory for the handlers only a child of fork is worse off.  */
  (void) pthread_atfork (before_fork, after_fork_in_parent, after_fork_in_child);
}
