/* cpu-queue.c -- queues, events and copies of a cpu device.

   A queue is a list of operations.  Some are for the worker (running a function, copying
   from and to its variables), which gets them as commands in the queue's ring; the others
   are done by a host thread, since only the host sees both the program's memory and, through
   its window, the device's.  All of them count, in the order in which they were enqueued:

	done <= first <= submit <= next		(modulo 2^32)

     [first, submit)  commands that the worker has, or has done
     [submit, next)   waiting: for room in the ring, or, where the operation at submit is the
		      host's, for the worker to have done everything before it, unless nothing is
		      to be done for it any more

   advance () moves first and submit as far as they go and then publishes xdone = first, the
   word of the queue's events.  It is called by whoever enqueues, polls or waits.  Operations of
   the host therefore happen in some thread that calls the plugin (GOMP_CAP_NEEDS_PROGRESS),
   those of the worker and everything that could be handed to it need nobody.

   The core copies the arguments of a region to the device right before it launches it.  If that
   would have to wait for the worker, the arguments go with the command instead (take_args), so that
   the worker gets from one region to the next without the host.

   Queues are never freed before the device is closed, so that the word of an event outlives its
   queue.  The copy of a block when the queue is idle is done at once and is no operation.  */

#define _GNU_SOURCE 1
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/cpu-device.h"

enum op_kind
{
  OP_COMMAND,			/* for the worker; the rest is the host's */
  OP_COPY,
  OP_COPY3D,
  OP_FILL,
  OP_WAIT,			/* for an event of another queue */
  OP_NOTHING			/* a copy of arguments, which go with the command behind it */
};

struct op
{
  enum op_kind kind;
  uint32_t number;		/* slot's xdone when it is complete; valid in [first, submit) */
  const void *args;		/* COMMAND with args_size: the arguments */
  union
  {
    struct gomp_cpu_command command;
    /* host: that of the two which is the program's memory, or NULL.  */
    struct { void *dst; const void *src; const void *host; size_t size; } copy;
    struct { void *dst; const void *src; const void *host; struct gomp_copy3d shape; } copy3d;
    struct { void *dst; size_t size; uint8_t value; } fill;
    struct { struct gomp_cpu_queue *queue; const _Atomic (uint32_t) *word; uint32_t target; } wait;
  } u;
};

struct gomp_cpu_queue
{
  struct gomp_plugin_queue base;	/* first: the core's view */
  unsigned number;		/* of the slot; fixed */
  struct gomp_cpu_slot *slot;	/* fixed */
  struct gomp_cpu_queue *next_free;	/* protected by dev->lock */

  /* Operations completed; stored with release by advance ().  */
  _Alignas (2 * GOMP_CPU_LINE) _Atomic (uint32_t) xdone;

  pthread_mutex_t lock;		/* protects what follows */
  uint32_t first, submit, next;
  uint32_t marked;		/* what next was when an event was recorded last */
  uint32_t head;		/* == slot->xhead */
  uint32_t seen;		/* slot->xdone, when it was last looked at: seen <= xdone <= head */
  uint32_t capacity;		/* of ops: a power of two */
  struct op *ops;
  struct op_times *times;	/* of the last TIMES_KEPT operations, by number; NULL: nobody asks */
};

enum { TIMES_KEPT = 512 };	/* a power of two */

struct op_times
{
  uint32_t op;			/* number of the operation, plus 1 */
  struct gomp_cpu_times at;
};

struct cpu_event
{
  struct gomp_plugin_event base;
  struct gomp_cpu_queue *queue;	/* where it was recorded; NULL: never */
};

static const _Atomic (uint32_t) never_recorded;

static struct gomp_cpu_queue *
of_core (struct gomp_plugin_queue *queue)
{
  return (struct gomp_cpu_queue *) queue;
}

static struct op *
op_at (struct gomp_cpu_queue *q, uint32_t i)
{
  return &q->ops[i & (q->capacity - 1)];
}

/* ---- waiting for the worker ---- */

/* Sleep until the slot's xdone is not SEEN, xrung is not *RUNG (may be NULL), the worker dies, or
   some time has passed.  Answers false in the last case.  */
static bool
sleep_on_slot (struct gomp_plugin_device *dev, struct gomp_cpu_slot *slot, uint32_t seen,
	       const uint32_t *rung)
{
  uint32_t life = atomic_load_explicit (&dev->shared->xlife, memory_order_relaxed);
  if ((life & FUTEX_OWNER_DIED) != 0)
    return true;
  if (dev->have_waitv)
    {
      struct futex_waitv words[3] =
	{
	  { .val = seen, .uaddr = (uintptr_t) &slot->xdone, .flags = FUTEX_32 },
	  { .val = life, .uaddr = (uintptr_t) &dev->shared->xlife, .flags = FUTEX_32 }
	};
      if (rung != NULL)
	words[2] = (struct futex_waitv)
	  {
	    .val = *rung, .uaddr = (uintptr_t) &dev->bells->area->xrung, .flags = FUTEX_32
	  };
      struct timespec end;
      clock_gettime (CLOCK_MONOTONIC, &end);
      end.tv_sec += 1;
      return syscall (SYS_futex_waitv, words, rung != NULL ? 3 : 2, 0, &end,
		      CLOCK_MONOTONIC) >= 0
	     || errno != ETIMEDOUT;
    }
  /* Without it, death is found by looking now and then.  */
  const struct timespec step = { .tv_nsec = 50000000 };
  return gomp_cpu_futex_wait (&slot->xdone, seen, &step) == 0 || errno != ETIMEDOUT;
}

bool
gomp_cpu_slot_agrees (struct gomp_plugin_device *dev, unsigned number)
{
  struct gomp_cpu_slot *slot = gomp_cpu_slot_at (dev->shared, number);
  struct gomp_cpu_queue *q = number != 0 ? dev->queues[number] : NULL;

  /* Slot 0 is the caller's, who holds control_lock.  */
  if (q != NULL && pthread_mutex_trylock (&q->lock) != 0)
    return true;
  uint32_t head = q != NULL ? q->head : dev->control_head;
  bool same = atomic_load_explicit (&slot->xhead, memory_order_relaxed) == head;
  if (q != NULL)
    pthread_mutex_unlock (&q->lock);
  if (same)
    gomp_cpu_futex_wake (&slot->xhead);
  return same;
}

gomp_status_t
gomp_cpu_wait_slot (struct gomp_plugin_device *dev, unsigned number, uint32_t seen, bool serve)
{
  struct gomp_cpu_shared *shared = dev->shared;
  struct gomp_cpu_slot *slot = gomp_cpu_slot_at (shared, number);
  struct gomp_cpu_bells *bells = serve ? dev->bells : NULL;
  int saved = errno;
  struct gomp_cpu_stop stop = { 0, 0 };
  gomp_status_t status = GOMP_OK;
  bool same_cpu, slept = false;
  unsigned vain = 0;

 again:
  if (gomp_cpu_lost (dev))
    return GOMP_DEVICE_LOST;
  while (gomp_cpu_poll (shared, &slot->xdone, seen, &slot->xhost_cpu, &slot->xworker_cpu, bells,
			&same_cpu))
    {
      /* Acquire: what the worker did before.  */
      if (atomic_load_explicit (&slot->xdone, memory_order_acquire) != seen)
	goto out;
      gomp_cpu_answer_bell (dev, number, &bells, &vain);
      if (gomp_cpu_is_dead (shared))
	break;
      if (gomp_cpu_lost (dev))
	return GOMP_DEVICE_LOST;
    }

  /* Sequentially consistent with the worker's store to xdone: rule 3 of cpu-proto.h.  */
  atomic_fetch_add_explicit (&slot->xhost_sleepers, 1, memory_order_seq_cst);
  while (atomic_load_explicit (&slot->xdone, memory_order_seq_cst) == seen)
    {
      if (gomp_cpu_is_dead (shared))
	{
	  /* It may have done the work and died afterwards.  */
	  if (atomic_load_explicit (&slot->xdone, memory_order_acquire) == seen)
	    status = gomp_cpu_lose (dev, NULL);
	  break;
	}
      if (gomp_cpu_lost (dev))
	{
	  status = GOMP_DEVICE_LOST;
	  break;
	}
      /* Without futex_waitv helpers see to the calls; the first one is found when some time has
	 passed.  */
      uint32_t rung = 0;
      bool ring = false, listen = bells != NULL && dev->have_waitv;
      if (listen)
	{
	  /* Sequentially consistent with a caller's bell, after which it looks at xwaiters.  */
	  atomic_fetch_add_explicit (&bells->area->xwaiters, 1, memory_order_seq_cst);
	  rung = atomic_load_explicit (&bells->area->xrung, memory_order_seq_cst);
	  slept = true;
	}
      if (bells != NULL)
	ring = gomp_cpu_bells_ring (bells);
      if (!ring)
	vain = 0;
      bool woken = ring || sleep_on_slot (dev, slot, seen, listen ? &rung : NULL);
      if (listen && !gomp_cpu_lost (dev))
	atomic_fetch_sub_explicit (&bells->area->xwaiters, 1, memory_order_relaxed);
      if (ring || (bells != NULL && !gomp_cpu_lost (dev) && gomp_cpu_bells_ring (bells)))
	{
	  atomic_fetch_sub_explicit (&slot->xhost_sleepers, 1, memory_order_relaxed);
	  gomp_cpu_answer_bell (dev, number, &bells, &vain);
	  goto again;		/* the region goes on at once: poll first */
	}
      if (woken)
	continue;
      if (!gomp_cpu_looks_sound (dev, number) || gomp_cpu_long_stopped (dev, &stop))
	{
	  status = GOMP_DEVICE_LOST;
	  break;
	}
    }
  atomic_fetch_sub_explicit (&slot->xhost_sleepers, 1, memory_order_relaxed);
 out:
  if (slept && !gomp_cpu_lost (dev))
    gomp_cpu_reverse_pass_on (dev);
  errno = saved;
  return status;
}

/* ---- commands ---- */

static void
put_command (struct gomp_cpu_slot *slot, uint32_t head, const struct gomp_cpu_command *command)
{
  slot->ring[head % GOMP_CPU_RING] = *command;
  slot->ring[head % GOMP_CPU_RING].number = head + 1;
  /* Relaxed: a hint for the worker, not to poll where this thread runs.  */
  atomic_store_explicit (&slot->xhost_cpu, gomp_cpu_here (), memory_order_relaxed);
  /* Sequentially consistent with the worker's xworker_sleeps; also releases the command.  */
  atomic_store_explicit (&slot->xhead, head + 1, memory_order_seq_cst);
  if (atomic_load_explicit (&slot->xworker_sleeps, memory_order_seq_cst) != 0)
    {
      int saved = errno;
      gomp_cpu_futex_wake (&slot->xhead);
      errno = saved;
    }
}

gomp_status_t
gomp_cpu_control (struct gomp_plugin_device *dev, const struct gomp_cpu_command *command)
{
  struct gomp_cpu_slot *slot = gomp_cpu_slot_at (dev->shared, 0);
  uint32_t head = dev->control_head++;
  put_command (slot, head, command);
  for (;;)
    {
      uint32_t done = atomic_load_explicit (&slot->xdone, memory_order_acquire);
      if (done == head + 1)
	return GOMP_OK;
      if (done != head)
	gomp_cpu_lose_damaged (dev);
      if (gomp_cpu_wait_slot (dev, 0, done, false) != GOMP_OK)
	return gomp_cpu_say_lost (dev);
    }
}

/* ---- operations ---- */

/* Operation I of Q, which is the worker's or took place at AT, is complete.  */
static void __attribute__ ((noinline, cold))
keep_times (struct gomp_cpu_queue *q, uint32_t i, const struct gomp_cpu_times *at)
{
  struct op_times *times = &q->times[i & (TIMES_KEPT - 1)];
  times->op = i + 1;
  times->at = at != NULL ? *at : q->slot->times[(op_at (q, i)->number - 1) % GOMP_CPU_RING];
  /* The worker's are not believed: no span ends before it begins, or later than now.  */
  if (times->at.begin > times->at.end || times->at.end > gomp_cpu_now ())
    times->at = (struct gomp_cpu_times) { 0 };
}

static bool
signalled (const _Atomic (uint32_t) *word, uint32_t target)
{
  /* Acquire: what was done before the event.  */
  return (int32_t) (atomic_load_explicit (word, memory_order_acquire) - target) >= 0;
}

/* Is OP, an operation of the host, complete as soon as those before it are?  A wait whose time is
   asked for is not.  */
static bool
is_over (const struct gomp_cpu_queue *q, const struct op *op)
{
  return (op->kind == OP_NOTHING
	  || (op->kind == OP_WAIT && q->times == NULL
	      && signalled (op->u.wait.word, op->u.wait.target)));
}

/* Move Q on as far as possible; its lock is held.  Answers the queue that has to get on first: Q
   itself when the worker has to do something (*SEEN is then the slot's xdone to wait on),
   the one of an event, or NULL when nothing is left.  */
static struct gomp_cpu_queue *
advance (struct gomp_cpu_queue *q, uint32_t *seen)
{
  struct gomp_plugin_device *dev = q->base.dev;
  struct gomp_cpu_queue *blocker = NULL;
  bool dead = !gomp_cpu_lost (dev) && gomp_cpu_is_dead (dev->shared);

  for (;;)
    {
      if (gomp_cpu_lost (dev))
	{
	  /* Its memory may not even be mapped.  */
	  q->first = q->submit = q->next;
	  break;
	}
      /* Acquire: what the worker wrote before.  */
      *seen = atomic_load_explicit (&q->slot->xdone, memory_order_acquire);
      if (*seen - q->seen > q->head - q->seen)
	{
	  gomp_cpu_lose_damaged (dev);
	  continue;
	}
      q->seen = *seen;
      while (q->first != q->submit && (int32_t) (*seen - op_at (q, q->first)->number) >= 0)
	{
	  if (q->times != NULL)
	    keep_times (q, q->first, NULL);
	  q->first++;
	}
      gomp_cpu_order (dev);
      if (q->first == q->next)
	break;
      if (dead)
	{
	  gomp_cpu_lose (dev, NULL);
	  continue;
	}
      if (q->submit == q->next)
	{
	  blocker = q;
	  break;
	}
      struct op *op = op_at (q, q->submit);
      if (op->kind == OP_COMMAND)
	{
	  if (q->head - *seen == GOMP_CPU_RING)
	    {
	      blocker = q;
	      break;
	    }
	  op->number = q->head + 1;
	  if (op->u.command.verb == GOMP_CPU_RUN && op->u.command.u.run.args_size != 0)
	    memcpy ((char *) dev->shared + gomp_cpu_args_offset (q->number, q->head), op->args,
		    op->u.command.u.run.args_size);
	  put_command (q->slot, q->head++, &op->u.command);
	  q->submit++;
	  continue;
	}
      if (q->first != q->submit)
	{
	  if (!is_over (q, op))
	    {
	      blocker = q;
	      break;
	    }
	  op->number = q->head;
	  q->submit++;
	  continue;
	}
      struct gomp_cpu_times at = { .begin = q->times != NULL ? gomp_cpu_now () : 0 };
      switch (op->kind)
	{
	case OP_COPY:
	  gomp_cpu_copy_host (dev, op->u.copy.dst, op->u.copy.src, op->u.copy.host, op->u.copy.size);
	  break;
	case OP_COPY3D:
	  gomp_cpu_copy3d_host (dev, op->u.copy3d.dst, op->u.copy3d.src, op->u.copy3d.host,
				&op->u.copy3d.shape);
	  break;
	case OP_FILL:
	  memset (op->u.fill.dst, op->u.fill.value, op->u.fill.size);
	  break;
	case OP_NOTHING:
	  break;
	default:
	  if (!signalled (op->u.wait.word, op->u.wait.target))
	    {
	      blocker = op->u.wait.queue;
	      goto out;
	    }
	  break;
	}
      if (q->times != NULL)
	{
	  at.end = gomp_cpu_now ();
	  keep_times (q, q->first, &at);
	}
      q->first = ++q->submit;
    }
 out:
  /* Release: the results of the host's own operations.  */
  if (atomic_load_explicit (&q->xdone, memory_order_relaxed) != q->first)
    atomic_store_explicit (&q->xdone, q->first, memory_order_release);
  return blocker;
}

/* A new operation at the end of Q; its lock is held.  NULL: out of memory.  */
static struct op *
new_op (struct gomp_cpu_queue *q, enum op_kind kind)
{
  if (q->next - q->first == q->capacity)
    {
      uint32_t capacity = q->capacity ? 2 * q->capacity : 64;
      struct op *ops = calloc (capacity, sizeof (*ops));
      if (ops == NULL)
	return NULL;
      for (uint32_t i = q->first; i != q->next; i++)
	ops[i & (capacity - 1)] = *op_at (q, i);
      free (q->ops);
      q->ops = ops;
      q->capacity = capacity;
    }
  struct op *op = op_at (q, q->next++);
  op->kind = kind;
  return op;
}

/* Lock Q to enqueue something.  On a lost device it is not locked.  */
static gomp_status_t
begin (struct gomp_cpu_queue *q)
{
  if (gomp_cpu_lost (q->base.dev))
    return gomp_cpu_say_lost (q->base.dev);
  pthread_mutex_lock (&q->lock);
  return GOMP_OK;
}

/* Everything in Q is done: the host may do its part at once.  Not if its time is wanted: only
   operations have one.  */
static bool
idle (struct gomp_cpu_queue *q)
{
  uint32_t seen;
  if (q->times != NULL)
    return false;
  return q->first == q->next || (advance (q, &seen), q->first == q->next);
}

static gomp_status_t
finish (struct gomp_cpu_queue *q, bool complete)
{
  uint32_t seen;
  /* What the host has done at once is over, and xdone says so already.  */
  if (q->first != q->next)
    advance (q, &seen);
  else
    gomp_cpu_order (q->base.dev);
  pthread_mutex_unlock (&q->lock);
  if (!complete)
    {
      gomp_cpu_core->set_error ("out of host memory");
      return GOMP_OUT_OF_HOST_MEMORY;
    }
  return gomp_cpu_lost (q->base.dev) ? gomp_cpu_say_lost (q->base.dev) : GOMP_OK;
}

/* Copy host memory to host memory, in order; HOST is that of the two which is the program's, or NULL.  The
   lock is held.  */
static bool
host_copy (struct gomp_cpu_queue *q, void *dst, const void *src, const void *host, size_t size)
{
  if (idle (q))
    {
      memmove (dst, src, size);
      return true;
    }
  struct op *op = new_op (q, OP_COPY);
  if (op == NULL)
    return false;
  op->u.copy.dst = dst;
  op->u.copy.src = src;
  op->u.copy.host = host;
  op->u.copy.size = size;
  return true;
}

/* Let the worker copy inside its own memory.  The lock is held.  */
static bool
worker_copy (struct gomp_cpu_queue *q, uint64_t dst, uint64_t src, size_t size)
{
  struct op *op = new_op (q, OP_COMMAND);
  if (op == NULL)
    return false;
  op->u.command.verb = GOMP_CPU_COPY;
  op->u.command.u.copy.dst = dst;
  op->u.command.u.copy.src = src;
  op->u.command.u.copy.size = size;
  return true;
}

/* The queue's stage, where the worker sees it.  */
static uint64_t
worker_stage (struct gomp_cpu_queue *q)
{
  return q->base.dev->worker_base + GOMP_CPU_STAGE_OFFSET
	 + (uint64_t) q->number * GOMP_CPU_STAGE;
}

/* The mapping checker is to know that the host writes device memory.  */
static inline void
note_write (struct gomp_plugin_device *dev, gomp_devptr_t dst, size_t size)
{
  if (__builtin_expect (gomp_cpu_checks (dev), 0) && gomp_cpu_in_heap (dev, dst, size))
    gomp_cpu_check_written (dev, dst - dev->heap_addr, size);
}

gomp_status_t
gomp_cpu_copy_h2d (struct gomp_plugin_queue *queue, gomp_devptr_t dst, const void *src, size_t size)
{
  struct gomp_cpu_queue *q = of_core (queue);
  struct gomp_plugin_device *dev = queue->dev;
  bool here = gomp_cpu_in_heap (dev, dst, size), complete = true;
  gomp_status_t status = here ? GOMP_OK : gomp_cpu_mem_look (dev, dst, size);

  if (status != GOMP_OK || (status = begin (q)) != GOMP_OK)
    return status;
  if (here)
    {
      note_write (dev, dst, size);
      complete = host_copy (q, gomp_cpu_window (dev, dst), src, src, size);
    }
  else
    /* A variable in the worker's image: through the stage, piece by piece.  */
    for (size_t at = 0, n; at < size && complete && !gomp_cpu_lost (dev); at += n)
      {
	n = size - at < GOMP_CPU_STAGE ? size - at : GOMP_CPU_STAGE;
	complete = host_copy (q, gomp_cpu_stage (dev, q->number), (const char *) src + at,
			      (const char *) src + at, n)
		   && worker_copy (q, dst + at, worker_stage (q), n);
      }
  return finish (q, complete);
}

gomp_status_t
gomp_cpu_copy_d2h (struct gomp_plugin_queue *queue, void *dst, gomp_devptr_t src, size_t size)
{
  struct gomp_cpu_queue *q = of_core (queue);
  struct gomp_plugin_device *dev = queue->dev;
  bool here = gomp_cpu_in_heap (dev, src, size), complete = true;
  gomp_status_t status = here ? GOMP_OK : gomp_cpu_mem_look (dev, src, size);

  if (status != GOMP_OK || (status = begin (q)) != GOMP_OK)
    return status;
  if (here)
    complete = host_copy (q, dst, gomp_cpu_window (dev, src), dst, size);
  else
    for (size_t at = 0, n; at < size && complete && !gomp_cpu_lost (dev); at += n)
      {
	n = size - at < GOMP_CPU_STAGE ? size - at : GOMP_CPU_STAGE;
	complete = worker_copy (q, worker_stage (q), src + at, n)
		   && host_copy (q, (char *) dst + at, gomp_cpu_stage (dev, q->number),
				 (char *) dst + at, n);
      }
  return finish (q, complete);
}

gomp_status_t
gomp_cpu_copy_d2d (struct gomp_plugin_queue *queue, struct gomp_plugin_device *dst_dev,
		   gomp_devptr_t dst, struct gomp_plugin_device *src_dev, gomp_devptr_t src,
		   size_t size)
{
  struct gomp_cpu_queue *q = of_core (queue);
  bool both = gomp_cpu_in_heap (dst_dev, dst, size) && gomp_cpu_in_heap (src_dev, src, size);

  if (!both && dst_dev != src_dev)
    {
      gomp_cpu_core->set_error ("variables are not copied between two workers directly");
      return GOMP_UNSUPPORTED;
    }
  if (gomp_cpu_lost (dst_dev))
    return gomp_cpu_say_lost (dst_dev);
  gomp_status_t status = both ? GOMP_OK : gomp_cpu_mem_look (dst_dev, dst, size);
  if (status == GOMP_OK && !both)
    status = gomp_cpu_mem_look (src_dev, src, size);
  if (status != GOMP_OK || (status = begin (q)) != GOMP_OK)
    return status;
  note_write (dst_dev, dst, size);
  return finish (q, both ? host_copy (q, gomp_cpu_window (dst_dev, dst),
				      gomp_cpu_window (src_dev, src), NULL, size)
		     : worker_copy (q, dst, src, size));
}

/* HOST: as in host_copy, but never NULL.  */
static gomp_status_t
host_copy3d (struct gomp_cpu_queue *q, void *dst, const void *src, const void *host,
	     const struct gomp_copy3d *shape)
{
  gomp_status_t status = begin (q);
  if (status != GOMP_OK)
    return status;
  if (idle (q))
    {
      gomp_cpu_copy3d_host (q->base.dev, dst, src, host, shape);
      return finish (q, true);
    }
  struct op *op = new_op (q, OP_COPY3D);
  if (op != NULL)
    {
      op->u.copy3d.dst = dst;
      op->u.copy3d.src = src;
      op->u.copy3d.host = host;
      op->u.copy3d.shape = *shape;
    }
  return finish (q, op != NULL);
}

gomp_status_t
gomp_cpu_copy3d_h2d (struct gomp_plugin_queue *queue, gomp_devptr_t dst, const void *src,
		     const struct gomp_copy3d *shape)
{
  note_write (queue->dev, dst, gomp_cpu_span (shape, shape->dst_stride));
  if (gomp_cpu_in_heap (queue->dev, dst, gomp_cpu_span (shape, shape->dst_stride)))
    return host_copy3d (of_core (queue), gomp_cpu_window (queue->dev, dst), src, src, shape);
  gomp_status_t status = GOMP_OK;
  for (size_t i = 0; i < shape->count[2]; i++)
    for (size_t j = 0; j < shape->count[1] && status == GOMP_OK; j++)
      status = gomp_cpu_copy_h2d (queue, dst + i * shape->dst_stride[1] + j * shape->dst_stride[0],
				  (const char *) src + i * shape->src_stride[1]
				  + j * shape->src_stride[0], shape->count[0]);
  return status;
}

gomp_status_t
gomp_cpu_copy3d_d2h (struct gomp_plugin_queue *queue, void *dst, gomp_devptr_t src,
		     const struct gomp_copy3d *shape)
{
  if (gomp_cpu_in_heap (queue->dev, src, gomp_cpu_span (shape, shape->src_stride)))
    return host_copy3d (of_core (queue), dst, gomp_cpu_window (queue->dev, src), dst, shape);
  gomp_status_t status = GOMP_OK;
  for (size_t i = 0; i < shape->count[2]; i++)
    for (size_t j = 0; j < shape->count[1] && status == GOMP_OK; j++)
      status = gomp_cpu_copy_d2h (queue, (char *) dst + i * shape->dst_stride[1]
				  + j * shape->dst_stride[0],
				  src + i * shape->src_stride[1] + j * shape->src_stride[0],
				  shape->count[0]);
  return status;
}

gomp_status_t
gomp_cpu_fill (struct gomp_plugin_queue *queue, gomp_devptr_t dst, uint8_t value, size_t size)
{
  struct gomp_cpu_queue *q = of_core (queue);
  struct gomp_plugin_device *dev = queue->dev;
  bool here = gomp_cpu_in_heap (dev, dst, size);
  gomp_status_t status = here ? GOMP_OK : gomp_cpu_mem_look (dev, dst, size);

  if (status != GOMP_OK || (status = begin (q)) != GOMP_OK)
    return status;
  note_write (dev, dst, size);
  if (here && idle (q))
    {
      memset (gomp_cpu_window (dev, dst), value, size);
      return finish (q, true);
    }
  struct op *op = new_op (q, here ? OP_FILL : OP_COMMAND);
  if (op != NULL && here)
    {
      op->u.fill.dst = gomp_cpu_window (dev, dst);
      op->u.fill.size = size;
      op->u.fill.value = value;
    }
  else if (op != NULL)
    {
      op->u.command.verb = GOMP_CPU_FILL;
      op->u.command.u.fill.dst = dst;
      op->u.command.u.fill.size = size;
      op->u.command.u.fill.value = value;
    }
  return finish (q, op != NULL);
}

/* A region with the arguments ARGS is about to be enqueued on Q, whose lock is held.  If the
   operation before it is the copy of these, has not been done, and nobody waits for it alone, the
   command is to take them along: answers how many bytes, and puts to *FROM where they are.  0: it
   is not.  The core has gathered them for this launch, so that it does not matter when they are
   read.  Other data may be changed by host functions that earlier regions call.  */
static uint32_t
take_args (struct gomp_cpu_queue *q, gomp_devptr_t args, const void **from)
{
  struct gomp_plugin_device *dev = q->base.dev;

  if (q->submit == q->next || q->marked == q->next || q->times != NULL)
    return 0;
  struct op *op = op_at (q, q->next - 1);
  if (op->kind != OP_COPY || op->u.copy.size > GOMP_CPU_ARGS || !gomp_cpu_in_heap (dev, args, 1)
      || op->u.copy.dst != gomp_cpu_window (dev, args))
    return 0;
  op->kind = OP_NOTHING;
  *from = op->u.copy.src;
  return op->u.copy.size;
}

gomp_status_t
gomp_cpu_enqueue_run (struct gomp_plugin_queue *queue, uint64_t addr,
		      const struct gomp_launch *launch)
{
  struct gomp_cpu_queue *q = of_core (queue);
  gomp_status_t status = begin (q);
  if (status != GOMP_OK)
    return status;
  gomp_cpu_order (queue->dev);
  const void *from = NULL;
  uint32_t args_size = take_args (q, launch->args, &from);
  struct op *op = new_op (q, OP_COMMAND);
  if (op != NULL)
    {
      op->args = from;
      op->u.command.u.run.args_size = args_size;
      op->u.command.verb = GOMP_CPU_RUN;
      op->u.command.u.run.fp_control = gomp_cpu_fp_control ();
      op->u.command.u.run.fn = addr;
      op->u.command.u.run.args = launch->args;
      op->u.command.u.run.num_teams = launch->num_teams;
      op->u.command.u.run.thread_limit = launch->thread_limit;
    }
  return finish (q, op != NULL);
}

/* ---- queues ---- */

gomp_status_t
gomp_cpu_queue_create (struct gomp_plugin_device *dev, struct gomp_plugin_queue **queue)
{
  if (gomp_cpu_lost (dev) || gomp_cpu_glance (dev) != GOMP_OK)
    return gomp_cpu_say_lost (dev);

  pthread_mutex_lock (&dev->lock);
  struct gomp_cpu_queue *q = dev->free_queues;
  if (q != NULL)
    dev->free_queues = q->next_free;
  pthread_mutex_unlock (&dev->lock);
  if (q != NULL)
    {
      *queue = &q->base;
      return GOMP_OK;
    }

  q = aligned_alloc (2 * GOMP_CPU_LINE, sizeof (*q));
  if (q == NULL)
    {
      gomp_cpu_core->set_error ("out of host memory");
      return GOMP_OUT_OF_HOST_MEMORY;
    }
  memset (q, 0, sizeof (*q));
  q->base.dev = dev;
  if (gomp_cpu_core->wants_times)
    q->times = calloc (TIMES_KEPT, sizeof (q->times[0]));	/* NULL: there are none */
  pthread_mutex_init (&q->lock, NULL);

  pthread_mutex_lock (&dev->control_lock);
  gomp_status_t status = GOMP_OUT_OF_DEVICE_MEMORY;
  if (gomp_cpu_num_queues (dev) == GOMP_CPU_SLOTS - 1)
    gomp_cpu_core->set_error ("all %d queues are in use", GOMP_CPU_SLOTS - 1);
  else
    {
      q->number = gomp_cpu_num_queues (dev) + 1;
      q->slot = gomp_cpu_slot_at (dev->shared, q->number);
      struct gomp_cpu_command command = { .verb = GOMP_CPU_THREAD };
      command.u.thread.slot = q->number;
      status = gomp_cpu_control (dev, &command);
      /* Once.  */
      int error = *(volatile int32_t *) &gomp_cpu_slot_at (dev->shared, 0)->status;
      if (status == GOMP_OK && error != 0)
	{
	  gomp_cpu_core->set_error ("the worker process cannot start a thread: %s",
				    strerror (error));
	  status = GOMP_DRIVER_ERROR;
	}
    }
  if (status == GOMP_OK)
    {
      pthread_mutex_lock (&dev->lock);
      unsigned n = atomic_load_explicit (&dev->xnum_queues, memory_order_relaxed) + 1;
      dev->queues[n] = q;
      /* Release: the queue.  */
      atomic_store_explicit (&dev->xnum_queues, n, memory_order_release);
      pthread_mutex_unlock (&dev->lock);
      *queue = &q->base;
    }
  else
    {
      pthread_mutex_destroy (&q->lock);
      free (q->times);
      free (q);
    }
  pthread_mutex_unlock (&dev->control_lock);
  return status;
}

void
gomp_cpu_queue_destroy (struct gomp_plugin_queue *queue)
{
  struct gomp_cpu_queue *q = of_core (queue);
  pthread_mutex_lock (&queue->dev->lock);
  q->next_free = queue->dev->free_queues;
  queue->dev->free_queues = q;
  pthread_mutex_unlock (&queue->dev->lock);
}

void
gomp_cpu_queues_abandon (struct gomp_plugin_device *dev)
{
  for (unsigned i = 1; i <= gomp_cpu_num_queues (dev); i++)
    {
      struct gomp_cpu_queue *q = dev->queues[i];
      pthread_mutex_init (&q->lock, NULL);
      q->first = q->submit = q->next;
      atomic_store_explicit (&q->xdone, q->next, memory_order_relaxed);
    }
}

void
gomp_cpu_queues_free (struct gomp_plugin_device *dev)
{
  for (unsigned i = 1; i <= gomp_cpu_num_queues (dev); i++)
    {
      pthread_mutex_destroy (&dev->queues[i]->lock);
      free (dev->queues[i]->ops);
      free (dev->queues[i]->times);
      free (dev->queues[i]);
    }
  atomic_store_explicit (&dev->xnum_queues, 0, memory_order_relaxed);
}

gomp_status_t
gomp_cpu_queue_flush (struct gomp_plugin_queue *queue)
{
  gomp_status_t status = begin (of_core (queue));
  return status == GOMP_OK ? finish (of_core (queue), true) : status;
}

/* Wait until operation TARGET of Q, counted as xdone counts, is complete.  */
static gomp_status_t
wait_for (struct gomp_cpu_queue *q, uint32_t target)
{
  for (;;)
    {
      uint32_t seen = 0;
      pthread_mutex_lock (&q->lock);
      struct gomp_cpu_queue *at = q, *blocker = advance (q, &seen);
      pthread_mutex_unlock (&q->lock);
      if (signalled (&q->xdone, target))
	return gomp_cpu_lost (q->base.dev) ? gomp_cpu_say_lost (q->base.dev) : GOMP_OK;

      /* Queues may wait for each other in a row; somewhere it ends at a worker.  */
      while (blocker != NULL && blocker != at)
	{
	  at = blocker;
	  pthread_mutex_lock (&at->lock);
	  blocker = advance (at, &seen);
	  pthread_mutex_unlock (&at->lock);
	}
      /* A lost device shows in the next round.  */
      if (blocker != NULL)
	gomp_cpu_wait_slot (at->base.dev, at->number, seen, true);
    }
}

gomp_status_t
gomp_cpu_queue_wait (struct gomp_plugin_queue *queue)
{
  struct gomp_cpu_queue *q = of_core (queue);
  if (gomp_cpu_lost (queue->dev))
    return gomp_cpu_say_lost (queue->dev);
  /* Nobody else enqueues meanwhile.  */
  return wait_for (q, q->next);
}

void
gomp_cpu_progress (struct gomp_plugin_device *dev)
{
  unsigned n = gomp_cpu_num_queues (dev);
  for (unsigned i = 1; i <= n; i++)
    {
      struct gomp_cpu_queue *q = dev->queues[i];
      uint32_t seen;
      if (pthread_mutex_trylock (&q->lock) != 0)
	continue;		/* somebody is at it */
      if (q->first != q->next)
	advance (q, &seen);
      pthread_mutex_unlock (&q->lock);
    }
}

/* Queues that wait for the worker, with the xdone of their slots as it was seen.  */
enum { MOST_WATCHED = 64 };
struct watch
{
  struct gomp_cpu_slot *slot[MOST_WATCHED];
  uint32_t seen[MOST_WATCHED];
  unsigned number[MOST_WATCHED];
  unsigned n;
};

/* False: a queue has got on, or somebody is at it, or another device's event holds one up, or there
   are too many.  */
static bool
find_waiting (struct gomp_plugin_device *dev, struct watch *w)
{
  unsigned n = gomp_cpu_num_queues (dev);
  w->n = 0;
  for (unsigned i = 1; i <= n; i++)
    {
      struct gomp_cpu_queue *q = dev->queues[i], *blocker = NULL;
      uint32_t seen = 0;
      if (pthread_mutex_trylock (&q->lock) != 0)
	return false;
      uint32_t before = atomic_load_explicit (&q->xdone, memory_order_relaxed);
      if (q->first != q->next)
	blocker = advance (q, &seen);
      bool moved = atomic_load_explicit (&q->xdone, memory_order_relaxed) != before;
      pthread_mutex_unlock (&q->lock);
      if (moved || (blocker != NULL && blocker->base.dev != dev) || w->n == MOST_WATCHED)
	return false;
      if (blocker == q)
	{
	  w->slot[w->n] = q->slot;
	  w->number[w->n] = i;
	  w->seen[w->n++] = seen;
	}
    }
  return true;
}

bool
gomp_cpu_device_nap (struct gomp_plugin_device *dev, const _Atomic (uint32_t) *word, uint32_t value,
		     uint64_t ns)
{
  struct watch w;
  struct futex_waitv words[MOST_WATCHED + 2];
  bool wait = true, silent = false;
  int saved = errno;

  if (!dev->have_waitv || gomp_cpu_lost (dev))
    return false;
  uint32_t life = atomic_load_explicit (&dev->shared->xlife, memory_order_relaxed);
  if ((life & FUTEX_OWNER_DIED) != 0 || !find_waiting (dev, &w))
    return false;
  words[0] = (struct futex_waitv) { .val = value, .uaddr = (uintptr_t) word,
				    .flags = FUTEX_32 | FUTEX_PRIVATE_FLAG };
  words[1] = (struct futex_waitv) { .val = life, .uaddr = (uintptr_t) &dev->shared->xlife,
				    .flags = FUTEX_32 };
  for (unsigned i = 0; i < w.n; i++)
    {
      words[i + 2] = (struct futex_waitv) { .val = w.seen[i], .uaddr = (uintptr_t) &w.slot[i]->xdone,
					    .flags = FUTEX_32 };
      /* Sequentially consistent with the worker's store to xdone: rule 3 of cpu-proto.h.  */
      atomic_fetch_add_explicit (&w.slot[i]->xhost_sleepers, 1, memory_order_seq_cst);
      if (atomic_load_explicit (&w.slot[i]->xdone, memory_order_seq_cst) != w.seen[i])
	wait = false;
    }
  if (wait)
    {
      struct timespec end;
      clock_gettime (CLOCK_MONOTONIC, &end);
      ns += end.tv_nsec;
      end.tv_sec += ns / 1000000000;
      end.tv_nsec = ns % 1000000000;
      long woken = syscall (SYS_futex_waitv, words, w.n + 2, 0, &end, CLOCK_MONOTONIC);
      silent = woken < 0 && errno == ETIMEDOUT;
    }
  for (unsigned i = 0; i < w.n; i++)
    atomic_fetch_sub_explicit (&w.slot[i]->xhost_sleepers, 1, memory_order_relaxed);
  /* Naps are short: one a second looks.  Relaxed: any of them.  */
  uint64_t now = silent ? gomp_cpu_now () : 0;
  uint64_t looked = atomic_load_explicit (&dev->xlooked, memory_order_relaxed);
  if (silent && now - looked > GOMP_CPU_LOOK_NS
      && atomic_compare_exchange_strong_explicit (&dev->xlooked, &looked, now, memory_order_relaxed,
						  memory_order_relaxed))
    for (unsigned i = 0; i < w.n && gomp_cpu_looks_sound (dev, w.number[i]); i++)
      continue;
  errno = saved;
  return true;
}

/* ---- events ---- */

gomp_status_t
gomp_cpu_event_create (struct gomp_plugin_device *dev, struct gomp_plugin_event **event)
{
  (void) dev;
  struct cpu_event *e = calloc (1, sizeof (*e));
  if (e == NULL)
    {
      gomp_cpu_core->set_error ("out of host memory");
      return GOMP_OUT_OF_HOST_MEMORY;
    }
  e->base.word = &never_recorded;
  *event = &e->base;
  return GOMP_OK;
}

void
gomp_cpu_event_destroy (struct gomp_plugin_event *event)
{
  free (event);
}

gomp_status_t
gomp_cpu_event_record (struct gomp_plugin_queue *queue, struct gomp_plugin_event *event)
{
  struct cpu_event *e = (struct cpu_event *) event;
  struct gomp_cpu_queue *q = of_core (queue);
  gomp_status_t status = begin (q);
  if (status != GOMP_OK)
    return status;
  e->queue = q;
  e->base.word = &q->xdone;
  e->base.target = q->marked = q->next;
  return finish (q, true);
}

gomp_status_t
gomp_cpu_event_wait (struct gomp_plugin_event *event)
{
  struct cpu_event *e = (struct cpu_event *) event;
  return e->queue != NULL ? wait_for (e->queue, event->target) : GOMP_OK;
}

gomp_status_t
gomp_cpu_event_status (struct gomp_plugin_event *event)
{
  struct cpu_event *e = (struct cpu_event *) event;
  return e->queue != NULL && gomp_cpu_lost (e->queue->base.dev)
	 ? gomp_cpu_say_lost (e->queue->base.dev) : GOMP_OK;
}

gomp_status_t
gomp_cpu_event_time (struct gomp_plugin_event *event, uint64_t *begin, uint64_t *end)
{
  struct cpu_event *e = (struct cpu_event *) event;
  struct gomp_cpu_queue *q = e->queue;
  gomp_status_t status = GOMP_UNSUPPORTED;

  if (q == NULL || q->times == NULL)
    return status;
  pthread_mutex_lock (&q->lock);
  const struct op_times *times = &q->times[(event->target - 1) & (TIMES_KEPT - 1)];
  if (times->op == event->target && times->at.end != 0)
    {
      *begin = times->at.begin;
      *end = times->at.end;
      status = GOMP_OK;
    }
  pthread_mutex_unlock (&q->lock);
  return status;
}

gomp_status_t
gomp_cpu_queue_wait_event (struct gomp_plugin_queue *queue, struct gomp_plugin_event *event)
{
  struct cpu_event *e = (struct cpu_event *) event;
  struct gomp_cpu_queue *q = of_core (queue);
  if (e->queue == NULL || e->queue == q || signalled (event->word, event->target))
    return GOMP_OK;		/* one queue is in order anyway */
  gomp_status_t status = begin (q);
  if (status != GOMP_OK)
    return status;
  struct op *op = new_op (q, OP_WAIT);
  if (op != NULL)
    {
      op->u.wait.queue = e->queue;
      op->u.wait.word = event->word;
      op->u.wait.target = event->target;
    }
  return finish (q, op != NULL);
}
