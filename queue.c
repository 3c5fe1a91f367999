/* queue.c -- pools of queues and events of a device, and waiting.

   A construct takes a queue, enqueues, and gives it back, busy or not: what comes next on a
   busy queue is just ordered behind.  Queues and events are destroyed by omp_pause_resource only;
   otherwise closing the device ends them.  The pool's lock is held for a few instructions only; creating an object
   is a plugin call and is done without it.

   The trail of a device is what constructs have left under way: small copies to it that have taken
   the program's data along (GOMP_CAP_TAKES_ALONG) and whose end nobody has to wait for.  Whatever
   uses the device later comes behind them: a queue is ordered behind the trail when it is taken, and
   by gomp_trail_follow where something else has been waited for since then.  On the same queue, which is what
   a program with one thread gets, that costs nothing.

   On devices with GOMP_CAP_FOLLOW not even an event is recorded behind what is left (marks are operations, too).
   Whoever takes that queue next and waits for what he enqueues himself has waited for both.  Who takes it for
   anything that may last records an event first.  Who takes another queue records one on the idle queue, in
   the place of its owner; should somebody else have taken it in between, for copies then, the new queue
   follows all that it holds at that time (queue_follow).

   Waiting: completion words are polled for a short time, which saves the plugin call when the
   work is nearly done; then the plugin waits, which knows best how.  OMP_WAIT_POLICY=passive
   does not poll, active polls longer.  */

#include "libgomp.h"
#include "host/icv.h"
#include "ompt-target.h"
#include "reverse.h"
#include "target-task.h"
#include "target.h"
#include "config/linux/bar.h"
#include "trace.h"

#define POLL_NS 2000
#define POLL_ACTIVE_NS 1000000
#define POLLS_PER_CLOCK 32

struct pool
{
  void **items;			/* the last one is taken first: it is warm */
  unsigned count, room;
  unsigned out;			/* taken and not given back */
};

/* Left under way on QUEUE.  */
struct trailing
{
  struct gomp_plugin_queue *queue;
  struct gomp_plugin_event *event;	/* behind it; NULL: nothing marks its end yet */
};

#define TRAIL_MOST 16
#define OWN_EVENTS 64

struct gomp_queue_pool
{
  gomp_mutex_t lock;		/* GOMP_RANK_QUEUES */
  struct pool queues, events;
  _Atomic (unsigned) xmade;	/* queues, for their numbers */
  struct trailing trail[TRAIL_MOST];	/* oldest first; protected by the lock */
  /* How many; changed under the lock.  Relaxed: who has to come behind something was told of its
     construct's end by other means.  */
  _Atomic (unsigned) xtrail;
  unsigned readers;		/* threads that use events of the trail; protected by the lock */
  unsigned followers;		/* those that follow queues which others have; protected by the lock */
  /* By the queue's number less 1: an event for gomp_queue_finish, so that waiting needs no lock, or
     NULL.  They belong to who has taken the queue.  */
  struct gomp_plugin_event *own[OWN_EVENTS];
};

struct gomp_queue_pool *
gomp_queue_pool_new (void)
{
  return gomp_calloc (1, sizeof (struct gomp_queue_pool));
}

static void *
pool_take (struct gomp_queue_pool *q, struct pool *p)
{
  void *item = NULL;
  gomp_lock_ranked (&q->lock, GOMP_RANK_QUEUES);
  p->out++;
  if (p->count > 0)
    item = p->items[--p->count];
  gomp_unlock_ranked (&q->lock, GOMP_RANK_QUEUES);
  return item;
}

static void
pool_give (struct gomp_queue_pool *q, struct pool *p, void *item)
{
  gomp_lock_ranked (&q->lock, GOMP_RANK_QUEUES);
  if (p->count == p->room)
    {
      p->room = p->room * 2 + 8;
      p->items = gomp_realloc_array (p->items, p->room, sizeof (p->items[0]));
    }
  p->items[p->count++] = item;
  p->out--;
  gomp_unlock_ranked (&q->lock, GOMP_RANK_QUEUES);
}

/* What was taken does not come back, or could not be made.  */
static void __attribute__ ((cold))
pool_none (struct gomp_queue_pool *q, struct pool *p)
{
  gomp_lock_ranked (&q->lock, GOMP_RANK_QUEUES);
  p->out--;
  gomp_unlock_ranked (&q->lock, GOMP_RANK_QUEUES);
}

static struct gomp_plugin_queue *
queue_take (struct gomp_device *dev, const struct gomp_region_note *note)
{
  struct gomp_plugin_queue *queue = pool_take (dev->queues, &dev->queues->queues);
  if (gomp_unlikely (queue == NULL))
    {
      gomp_status_t status = dev->ops->queue_create (dev->handle, &queue);
      if (status != GOMP_OK)
	gomp_device_failed (dev, status, note, "creating a queue");
      queue->number = gomp_add_relaxed (&dev->queues->xmade, 1) + 1;	/* relaxed: a number */
    }
  return queue;
}

/* ---- The trail ---- */

/* Take what has come to its end out of the trail, and what is on PASSED, all of which has been waited for: at
   most TRAIL_MOST events, to EVENTS; answers how many.  With the lock.  */
static unsigned
trail_take_done (struct gomp_queue_pool *q, const struct gomp_plugin_queue *passed,
		 struct gomp_plugin_event **events)
{
  unsigned n = gomp_load_relaxed (&q->xtrail), done = 0, kept = 0;	/* under the lock */

  for (unsigned i = 0; i < n; i++)
    {
      struct trailing t = q->trail[i];
      if (t.event == NULL ? t.queue != passed : q->readers > 0 || !gomp_event_done (t.event))
	q->trail[kept++] = t;
      else if (t.event != NULL)
	events[done++] = t.event;
    }
  gomp_store_relaxed (&q->xtrail, kept);	/* under the lock */
  return done;
}

/* What is on QUEUE without an event, or NULL.  With the lock.  */
static struct trailing *
trail_unmarked (struct gomp_queue_pool *q, const struct gomp_plugin_queue *queue)
{
  unsigned n = gomp_load_relaxed (&q->xtrail);	/* under the lock */
  for (struct trailing *t = q->trail; t < q->trail + n; t++)
    if (t->queue == queue && t->event == NULL)
      return t;
  return NULL;
}

/* Those copies have arrived, or failed.  */
static void
trail_check (struct gomp_device *dev, struct gomp_plugin_event **events, unsigned n,
	     const struct gomp_region_note *note)
{
  for (unsigned i = 0; i < n; i++)
    {
      gomp_status_t status = dev->ops->event_status (events[i]);
      if (gomp_unlikely (status != GOMP_OK))
	gomp_device_failed (dev, status, note, "copying data that an earlier construct has sent");
      gomp_event_put (dev, events[i]);
    }
}

/* All of QUEUE has been waited for.  */
static void __attribute__ ((noinline))
trail_passed (struct gomp_device *dev, const struct gomp_plugin_queue *queue,
	      const struct gomp_region_note *note)
{
  struct gomp_queue_pool *q = dev->queues;
  struct gomp_plugin_event *done[TRAIL_MOST];

  gomp_lock_ranked (&q->lock, GOMP_RANK_QUEUES);
  unsigned num_done = trail_take_done (q, queue, done);
  gomp_unlock_ranked (&q->lock, GOMP_RANK_QUEUES);
  trail_check (dev, done, num_done, note);
}

void
gomp_trail_leave (struct gomp_device *dev, struct gomp_plugin_queue *queue,
		  const struct gomp_region_note *note)
{
  struct gomp_queue_pool *q = dev->queues;
  struct gomp_plugin_event *done[TRAIL_MOST], *event = NULL;

  if (dev->attr.caps & GOMP_CAP_FOLLOW)
    {
      gomp_status_t status = dev->ops->queue_flush (queue);
      if (gomp_unlikely (status != GOMP_OK))
	{
	  gomp_queue_abandon (dev, queue, status);
	  gomp_device_failed (dev, status, note, "copying to the device");
	}
    }
  else
    event = gomp_event_record (dev, queue, note);
  gomp_lock_ranked (&q->lock, GOMP_RANK_QUEUES);
  unsigned num_done = trail_take_done (q, NULL, done);
  unsigned n = gomp_load_relaxed (&q->xtrail);	/* under the lock */
  bool left = event == NULL && trail_unmarked (q, queue) != NULL;
  if (!left && n < TRAIL_MOST)
    {
      q->trail[n] = (struct trailing) { queue, event };
      gomp_store_relaxed (&q->xtrail, n + 1);	/* under the lock */
      left = true;
    }
  gomp_unlock_ranked (&q->lock, GOMP_RANK_QUEUES);
  trail_check (dev, done, num_done, note);
  if (gomp_likely (left))
    return;
  if (event == NULL)
    gomp_queue_finish (dev, queue, note);
  else
    {
      gomp_event_finish (dev, event, note);
      gomp_event_put (dev, event);
    }
}

/* Record an event behind what was left on QUEUE, which the caller has taken.  */
static void
trail_mark (struct gomp_device *dev, struct gomp_plugin_queue *queue,
	    const struct gomp_region_note *note)
{
  struct gomp_queue_pool *q = dev->queues;
  struct gomp_plugin_event *event = gomp_event_record (dev, queue, note);

  gomp_lock_ranked (&q->lock, GOMP_RANK_QUEUES);
  trail_unmarked (q, queue)->event = event;	/* only who has the queue changes that */
  gomp_unlock_ranked (&q->lock, GOMP_RANK_QUEUES);
}

/* Take QUEUE out of the pool if it is there.  With the lock.  */
static bool
take_idle (struct pool *p, struct gomp_plugin_queue *queue)
{
  for (unsigned i = 0; i < p->count; i++)
    if (p->items[i] == queue)
      {
	memmove (p->items + i, p->items + i + 1, (--p->count - i) * sizeof (p->items[0]));
	p->out++;
	return true;
      }
  return false;
}

/* An idle queue other than QUEUE that was left with something that has no event, taken out of the pool; or NULL.
   With the lock.  */
static struct gomp_plugin_queue *
take_unmarked (struct gomp_queue_pool *q, const struct gomp_plugin_queue *queue)
{
  unsigned n = gomp_load_relaxed (&q->xtrail);	/* under the lock */
  for (struct trailing *t = q->trail; t < q->trail + n; t++)
    if (t->event == NULL && t->queue != queue && take_idle (&q->queues, t->queue))
      return t->queue;
  return NULL;
}

/* Let QUEUE come behind what OTHER holds, which another thread has; NULL: wait for that.  */
static void __attribute__ ((cold))
follow_queue (struct gomp_device *dev, struct gomp_plugin_queue *queue,
	      struct gomp_plugin_queue *other, const struct gomp_region_note *note)
{
  struct gomp_plugin_queue *own = queue != NULL ? queue : queue_take (dev, note);
  gomp_status_t status = dev->ops->queue_follow (own, other);
  if (status == GOMP_OK && queue == NULL)
    status = gomp_queue_try_finish (dev, own);
  else if (gomp_unlikely (status != GOMP_OK))
    gomp_queue_abandon (dev, own, status);
  if (queue == NULL)
    gomp_queue_put (dev, own);
  if (gomp_unlikely (status != GOMP_OK))
    gomp_device_failed (dev, status, note, "waiting for data that was sent before");
}

/* Order QUEUE behind the trail; NULL: wait for it.  False: nothing is left of the latter but what queues hold
   that others have.  */
static bool __attribute__ ((noinline))
trail_follow (struct gomp_device *dev, struct gomp_plugin_queue *queue,
	      const struct gomp_region_note *note)
{
  struct gomp_queue_pool *q = dev->queues;
  struct gomp_plugin_event *done[TRAIL_MOST], *others[TRAIL_MOST];
  struct gomp_plugin_queue *busy[TRAIL_MOST], *idle;
  unsigned num_others = 0, num_busy = 0;

  gomp_lock_ranked (&q->lock, GOMP_RANK_QUEUES);
  while ((idle = take_unmarked (q, queue)) != NULL)
    {
      gomp_unlock_ranked (&q->lock, GOMP_RANK_QUEUES);
      trail_mark (dev, idle, note);
      gomp_queue_put (dev, idle);
      gomp_lock_ranked (&q->lock, GOMP_RANK_QUEUES);
    }
  unsigned num_done = trail_take_done (q, NULL, done);
  unsigned n = gomp_load_relaxed (&q->xtrail);	/* under the lock */
  for (unsigned i = 0; i < n; i++)
    if (q->trail[i].queue != queue)
      {
	if (q->trail[i].event != NULL)
	  others[num_others++] = q->trail[i].event;
	else
	  busy[num_busy++] = q->trail[i].queue;
      }
  bool left = num_others > 0;
  /* They stay where they are meanwhile.  */
  q->readers += num_others > 0;
  /* And nobody launches on those.  */
  q->followers += num_busy > 0;
  gomp_unlock_ranked (&q->lock, GOMP_RANK_QUEUES);
  for (unsigned i = 0; i < num_busy; i++)
    follow_queue (dev, queue, busy[i], note);
  for (unsigned i = 0; i < num_others; i++)
    if (queue == NULL)
      {
	/* The caller may hold a lock.  */
	gomp_reverse_forbid (true);
	gomp_event_finish (dev, others[i], note);
	gomp_reverse_forbid (false);
      }
    else
      {
	/* Also for what has ended: the plugin knows how.  */
	gomp_status_t status = gomp_dev_queue_wait_event (dev, queue, others[i]);
	if (gomp_unlikely (status != GOMP_OK))
	  {
	    gomp_queue_abandon (dev, queue, status);
	    gomp_device_failed (dev, status, note, "waiting for data that was sent before");
	  }
      }
  if (num_others + num_busy > 0)
    {
      gomp_lock_ranked (&q->lock, GOMP_RANK_QUEUES);
      q->readers -= num_others > 0;
      q->followers -= num_busy > 0;
      gomp_unlock_ranked (&q->lock, GOMP_RANK_QUEUES);
    }
  trail_check (dev, done, num_done, note);
  return left;
}

/* QUEUE, which was left with something that has no event, is going to hold what may last.  */
static void __attribute__ ((noinline))
trail_mark_own (struct gomp_device *dev, struct gomp_plugin_queue *queue,
		const struct gomp_region_note *note)
{
  struct gomp_queue_pool *q = dev->queues;

  gomp_lock_ranked (&q->lock, GOMP_RANK_QUEUES);
  bool unmarked = trail_unmarked (q, queue) != NULL;
  gomp_unlock_ranked (&q->lock, GOMP_RANK_QUEUES);
  if (!unmarked)
    return;
  trail_mark (dev, queue, note);
  /* Who has found it without is about to follow whatever the queue holds: a call or two of the plugin.  */
  for (bool followed = true; followed; )
    {
      gomp_lock_ranked (&q->lock, GOMP_RANK_QUEUES);
      followed = q->followers > 0;
      gomp_unlock_ranked (&q->lock, GOMP_RANK_QUEUES);
      if (followed)
	gomp_let_others_run ();
    }
}

void
gomp_trail_follow (struct gomp_device *dev, struct gomp_plugin_queue *queue,
		   const struct gomp_region_note *note)
{
  if (gomp_unlikely (gomp_load_relaxed (&dev->queues->xtrail) != 0))	/* see there */
    trail_follow (dev, queue, note);
}

void
gomp_trail_finish (struct gomp_device *dev, const struct gomp_region_note *note)
{
  while (gomp_load_relaxed (&dev->queues->xtrail) != 0	/* see there */
	 && trail_follow (dev, NULL, note))
    ;
}

void
gomp_device_expose (struct gomp_device *dev, const struct gomp_region_note *note)
{
  gomp_store_relaxed (&dev->xexposed, true);	/* see there */
  gomp_trail_finish (dev, note);
}

/* ---- Queues ---- */

struct gomp_plugin_queue *
gomp_queue_get_short (struct gomp_device *dev, const struct gomp_region_note *note)
{
  struct gomp_plugin_queue *queue = queue_take (dev, note);
  gomp_trail_follow (dev, queue, note);
  return queue;
}

struct gomp_plugin_queue *
gomp_queue_get (struct gomp_device *dev, const struct gomp_region_note *note)
{
  struct gomp_plugin_queue *queue = queue_take (dev, note);
  if (gomp_unlikely (gomp_load_relaxed (&dev->queues->xtrail) != 0))	/* see there */
    {
      trail_mark_own (dev, queue, note);
      trail_follow (dev, queue, note);
    }
  return queue;
}

void
gomp_queue_put (struct gomp_device *dev, struct gomp_plugin_queue *queue)
{
  pool_give (dev->queues, &dev->queues->queues, queue);
}

bool
gomp_queues_busy (struct gomp_device *dev)
{
  struct gomp_queue_pool *q = dev->queues;
  /* Not ranked: the caller may hold anything.  */
  if (!gomp_mutex_trylock (&q->lock))
    return true;
  bool busy = q->queues.out > 0;
  gomp_mutex_unlock (&q->lock);
  return busy;
}

bool
gomp_queues_idle (struct gomp_device *dev)
{
  struct gomp_queue_pool *q = dev->queues;
  gomp_lock_ranked (&q->lock, GOMP_RANK_QUEUES);
  bool idle = q->queues.out == 0 && q->events.out == 0;
  gomp_unlock_ranked (&q->lock, GOMP_RANK_QUEUES);
  return idle;
}

static inline struct gomp_plugin_event **
own_event (struct gomp_queue_pool *q, const struct gomp_plugin_queue *queue)
{
  return queue->number - 1 < OWN_EVENTS ? &q->own[queue->number - 1] : NULL;
}

/* Put the events of QUEUES, which have been taken out of their pool, to EVENTS.  */
static void
collect_own (struct gomp_queue_pool *q, const struct pool *queues, struct pool *events)
{
  events->items = gomp_realloc_array (events->items, events->count + queues->count,
				      sizeof (events->items[0]));
  for (unsigned i = 0; i < queues->count; i++)
    {
      struct gomp_plugin_event **own = own_event (q, queues->items[i]);
      if (own != NULL && *own != NULL)
	{
	  events->items[events->count++] = *own;
	  *own = NULL;
	}
    }
}

/* Take all items out of a pool.  */
static struct pool
pool_empty (struct gomp_queue_pool *q, struct pool *p)
{
  gomp_lock_ranked (&q->lock, GOMP_RANK_QUEUES);
  struct pool taken = *p;
  p->items = NULL;
  p->count = p->room = 0;
  gomp_unlock_ranked (&q->lock, GOMP_RANK_QUEUES);
  return taken;
}

/* It stays after all.  */
static void
pool_keep (struct gomp_queue_pool *q, struct pool *p, void *item)
{
  gomp_lock_ranked (&q->lock, GOMP_RANK_QUEUES);
  p->out++;
  gomp_unlock_ranked (&q->lock, GOMP_RANK_QUEUES);
  pool_give (q, p, item);
}

void
gomp_queues_trim (struct gomp_device *dev, bool closing)
{
  struct gomp_queue_pool *q = dev->queues;
  struct pool queues = pool_empty (q, &q->queues), events = pool_empty (q, &q->events);

  collect_own (q, &queues, &events);
  for (unsigned i = 0; i < queues.count; i++)
    {
      bool lost = dev->ops->queue_wait (queues.items[i]) == GOMP_DEVICE_LOST;
      trail_passed (dev, queues.items[i], NULL);
      if (!lost)
	dev->ops->queue_destroy (queues.items[i]);
      else if (!closing)
	pool_keep (q, &q->queues, queues.items[i]);
    }
  dev->ops->progress (dev->handle);
  for (unsigned i = 0; i < events.count; i++)
    /* Most are signalled; what waits for one may still be under way in another queue.  */
    if (gomp_event_done (events.items[i]))
      dev->ops->event_destroy (events.items[i]);
    else if (!closing)
      pool_keep (q, &q->events, events.items[i]);
  free (queues.items);
  free (events.items);
}

/* EVENT marks what is enqueued so far.  */
static inline gomp_status_t
mark (struct gomp_device *dev, struct gomp_plugin_queue *queue, struct gomp_plugin_event *event)
{
  gomp_status_t status = dev->ops->event_record (queue, event);
  if (gomp_likely (status == GOMP_OK))
    status = dev->ops->queue_flush (queue);
  return status;
}

/* Nobody can wait for the end of QUEUE: what is enqueued uses memory of the caller's.  */
static void __attribute__ ((cold))
not_marked (struct gomp_device *dev, struct gomp_plugin_queue *queue, gomp_status_t status)
{
  if (status != GOMP_DEVICE_LOST)
    dev->ops->queue_wait (queue);
}

static gomp_status_t
record (struct gomp_device *dev, struct gomp_plugin_queue *queue,
	struct gomp_plugin_event **event)
{
  gomp_status_t status = GOMP_OK;
  *event = pool_take (dev->queues, &dev->queues->events);
  if (gomp_unlikely (*event == NULL))
    {
      status = dev->ops->event_create (dev->handle, event);
      if (status != GOMP_OK)
	{
	  *event = NULL;
	  pool_none (dev->queues, &dev->queues->events);
	}
    }
  if (gomp_likely (status == GOMP_OK))
    status = mark (dev, queue, *event);
  if (gomp_unlikely (status != GOMP_OK))
    not_marked (dev, queue, status);
  return status;
}

struct gomp_plugin_event *
gomp_event_record (struct gomp_device *dev, struct gomp_plugin_queue *queue,
		   const struct gomp_region_note *note)
{
  struct gomp_plugin_event *event;
  gomp_status_t status = record (dev, queue, &event);
  if (gomp_unlikely (status != GOMP_OK))
    gomp_device_failed (dev, status, note, "recording an event");
  return event;
}

struct gomp_plugin_event *
gomp_event_try_record (struct gomp_device *dev, struct gomp_plugin_queue *queue)
{
  struct gomp_plugin_event *event = NULL;
  if (record (dev, queue, &event) == GOMP_OK)
    return event;
  if (event != NULL)
    gomp_event_put (dev, event);
  return NULL;
}

bool
gomp_event_done (const struct gomp_plugin_event *event)
{
  /* Acquire: what the device did before is visible.  */
  return (int32_t) (gomp_load_acquire (event->word) - event->target) >= 0;
}

void
gomp_event_put (struct gomp_device *dev, struct gomp_plugin_event *event)
{
  pool_give (dev->queues, &dev->queues->events, event);
}

/* True: the event was signalled while polling.  */
static bool
poll_event (struct gomp_device *dev, const struct gomp_plugin_event *event)
{
  enum gomp_wait_policy policy = gomp_global_icvs.wait_policy;

  if (gomp_event_done (event))
    return true;
  /* Where the word advances in calls of the plugin only, the plugin polls in its wait.  */
  if (policy == GOMP_WAIT_PASSIVE || gomp_global_icvs.available_cpus == 1
      || (dev->attr.caps & GOMP_CAP_NEEDS_PROGRESS))
    return false;
  uint64_t limit = policy == GOMP_WAIT_ACTIVE ? POLL_ACTIVE_NS : POLL_NS;
  if (2 * dev->attr.launch_latency_ns > limit)
    limit = 2 * dev->attr.launch_latency_ns;
  for (uint64_t start = gomp_now_ns (); ; )
    {
      for (int i = 0; i < POLLS_PER_CLOCK; i++)
	{
	  if (gomp_event_done (event))
	    return true;
	  gomp_cpu_relax ();
	}
      if (gomp_now_ns () - start >= limit)
	return gomp_event_done (event);
    }
}

static gomp_status_t
finish (struct gomp_device *dev, struct gomp_plugin_event *event)
{
  struct gomp_trace_record *trace = gomp_trace_begin (GOMP_TRACE_WAIT, dev, "wait for the device");
  ompt_state_t state = gomp_ompt_wait_begin ();
  gomp_status_t status = GOMP_OK;
  if (!poll_event (dev, event))
    {
      /* Target tasks go on meanwhile.  */
      if (gomp_target_active ())
	gomp_target_need_progress ();
      status = dev->ops->event_wait (event);
    }
  if (gomp_likely (status == GOMP_OK))
    status = dev->ops->event_status (event);
  gomp_ompt_wait_end (state);
  gomp_trace_end (trace);
  gomp_trace_waited ();
  return status;
}

void
gomp_event_finish (struct gomp_device *dev, struct gomp_plugin_event *event,
		   const struct gomp_region_note *note)
{
  gomp_status_t status = finish (dev, event);
  if (gomp_unlikely (status != GOMP_OK))
    gomp_device_failed (dev, status, note, "waiting for the device");
}

void
gomp_queue_finish (struct gomp_device *dev, struct gomp_plugin_queue *queue,
		   const struct gomp_region_note *note)
{
  struct gomp_plugin_event **own = own_event (dev->queues, queue);
  if (gomp_likely (own != NULL) && gomp_likely (*own != NULL))
    {
      gomp_status_t status = mark (dev, queue, *own);
      if (gomp_unlikely (status != GOMP_OK))
	{
	  not_marked (dev, queue, status);
	  gomp_device_failed (dev, status, note, "recording an event");
	}
      gomp_event_finish (dev, *own, note);
      if (gomp_unlikely (gomp_load_relaxed (&dev->queues->xtrail) != 0))	/* see there */
	trail_passed (dev, queue, note);
      return;
    }
  struct gomp_plugin_event *event = gomp_event_record (dev, queue, note);
  gomp_event_finish (dev, event, note);
  if (gomp_unlikely (gomp_load_relaxed (&dev->queues->xtrail) != 0))	/* see there */
    trail_passed (dev, queue, note);
  if (own != NULL)
    {
      *own = event;
      pool_none (dev->queues, &dev->queues->events);	/* it is not the pool's any more */
    }
  else
    gomp_event_put (dev, event);
}

gomp_status_t
gomp_queue_try_finish (struct gomp_device *dev, struct gomp_plugin_queue *queue)
{
  struct gomp_plugin_event *event;
  gomp_status_t status = record (dev, queue, &event);
  /* The caller may hold a lock.  */
  gomp_reverse_forbid (true);
  if (status == GOMP_OK)
    status = finish (dev, event);
  if (status == GOMP_OK && gomp_load_relaxed (&dev->queues->xtrail) != 0)	/* see there */
    trail_passed (dev, queue, NULL);
  gomp_reverse_forbid (false);
  if (event != NULL)
    gomp_event_put (dev, event);
  return status;
}

void
gomp_queue_abandon (struct gomp_device *dev, struct gomp_plugin_queue *queue,
		    gomp_status_t status)
{
  if (status != GOMP_DEVICE_LOST)
    gomp_queue_try_finish (dev, queue);		/* whatever comes of it */
}
