/* gcn-queue.c -- queues, events, waiting.

   An operation is a packet in the queue's channel or a copy, each with a signal of its own
   (gcn-queue.h).  To record an event costs nothing: it is the signal of the last operation, whose low
   half is the event's word; a packet is needed only behind queue_wait_event.  Kernels follow kernels
   by the barrier bit; a kernel behind a copy has a barrier packet before it that waits for the copy's
   signal; a copy gets the signals that it has to wait for when it is started.  What has ended by
   then is not waited for.  So the steady state of a region that copies nothing is one packet.

   A queue gets a channel with its first packet: the first GCN_CHANNELS queues one each, later ones
   share.  Whatever waits in a channel waits for what was enqueued before, so that sharing can
   delay, but not block for ever.

   Waiting.  The core polls a word for some microseconds before it asks here.  The wait goes on polling
   for as long as that is cheap compared with what has been waited for already, unless more threads poll
   than there are processors; then it sleeps in the runtime.  A queue whose waits sleep uses signals
   that raise interrupts from then on, others do not.  OMP_WAIT_POLICY=active polls to the end,
   passive sleeps at once.  While kernels may print or call the host, waits look after that
   (gcn_attend).

   A copy that has failed leaves a negative value, on which nothing that waits for 0 goes on.  Who finds it makes it 0:
   copies behind it go on, the next event tells, and the next kernel of the queue, or of one that follows it, is not
   started but told of it.  A kernel that is waiting already cannot be called back: its device is lost then, as it is
   with NVIDIA's driver, and its channels are stopped before all signals are made 0.

   Locks: queues->lock, a leaf; queues->channels_lock, held while a channel is made.  None is held while
   gcn_attend is called, which may end the process.

   Called by the core through the ops table; by gcn-launch.c, gcn-copy.c and gcn-image.c through
   gcn.h and gcn-queue.h.  */

#define _GNU_SOURCE 1
#include "gcn-queue.h"
#include "clock.h"
#include "helpers.h"
#include "patience.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum { POLLS_PER_CLOCK = 32 };

#define LOOK_NS 1000000		/* has a copy failed? */
#define SLEEP_NS 20000000

struct gcn_queues
{
  pthread_mutex_t lock;		/* a leaf; protects what says so */
  /* All queues there ever were, linked by next.  Written under the lock, read without.  */
  struct gcn_queue *_Atomic xall;
  struct gcn_queue *free;	/* lock */
  pthread_mutex_t channels_lock;
  struct gcn_channel *channels[GCN_CHANNELS];	/* channels_lock */
  _Atomic uint64_t xlook;	/* when progress is to look again; a hint */
  /* The last copy that has failed.  Relaxed: for messages.  */
  _Atomic uintptr_t xfailed_to, xfailed_from;
  _Atomic size_t xfailed_bytes;
  /* Since the device was lost: what was running; lock.  */
  bool have_suspect;
  struct gomp_plugin_image *suspect_image;
  size_t suspect;
};

struct gcn_event
{
  struct gomp_plugin_event base;	/* first: the core's view */
  struct gcn_queue *queue;	/* where it was recorded; NULL: never */
  struct gcn_signal *signal;	/* of the operation before it, counted; NULL: it had ended */
  bool is_packet;		/* that operation */
};

/* Constant once the first device is open.  */

/* Threads that poll, on any device.  Relaxed: a measure.  */
static _Atomic unsigned xpollers;

/* The word of events behind nothing.  */
static const _Atomic uint32_t always_signalled;

static struct gcn_event *
event_of (const struct gomp_plugin_event *event)
{
  return (struct gcn_event *) event;
}

static inline struct gcn_op *
op_of (struct gcn_queue *q, uint32_t number)
{
  return &q->ring[number & (GCN_RING - 1)];
}

static inline void
pause_cpu (void)
{
#if defined __x86_64__
  __builtin_ia32_pause ();
#endif
}

/* ---- the part of a device ---- */

gomp_status_t
gcn_queue_open (struct gomp_plugin_device *dev)
{
  plugin_patience_open (gcn_core);
  struct gcn_queues *queues = calloc (1, sizeof (*queues));
  if (queues == NULL)
    return gcn_no_memory ();
  pthread_mutex_init (&queues->lock, NULL);
  pthread_mutex_init (&queues->channels_lock, NULL);
  dev->queues = queues;
  return GOMP_OK;
}

static void empty_queue (struct gcn_queue *q);

void
gcn_queue_close (struct gomp_plugin_device *dev, bool exiting)
{
  struct gcn_queues *queues = dev->queues;
  if (queues == NULL || exiting)
    return;			/* other threads may still look at words */
  dev->queues = NULL;
  for (int i = 0; i < GCN_CHANNELS; i++)
    if (queues->channels[i] != NULL)
      gcn_channel_delete (queues->channels[i]);
  /* Relaxed: nobody else uses the device any more.  */
  struct gcn_queue *q = atomic_load_explicit (&queues->xall, memory_order_relaxed);
  for (struct gcn_queue *next; q != NULL; q = next)
    {
      next = q->next;
      empty_queue (q);
      free (q);
    }
  pthread_mutex_destroy (&queues->channels_lock);
  pthread_mutex_destroy (&queues->lock);
  free (queues);
}

struct gcn_queue *
gcn_queues_all (struct gomp_plugin_device *dev)
{
  /* Acquire: the queues.  */
  return dev->queues != NULL
	 ? atomic_load_explicit (&dev->queues->xall, memory_order_acquire) : NULL;
}

/* ---- operations ---- */

static void copy_failed (struct gcn_queue *q, uint32_t number, struct gcn_signal *s);

/* Q goes on behind S, of another queue, which is done.  */
static inline void
goes_on_behind (struct gcn_queue *q, const struct gcn_signal *s)
{
  /* By the signal's value; what is not 0 yet will be (invariant 2).  */
  if (__builtin_expect (atomic_load_explicit (&s->xfailed, memory_order_relaxed) || gcn_signal_failed (s), 0))
    atomic_store_explicit (&q->xspoiled, true, memory_order_relaxed);	/* a flag */
}

/* Q has waited for S, of another queue, and gives it back.  */
static inline void
drop_dep (struct gcn_queue *q, struct gcn_signal *s)
{
  goes_on_behind (q, s);
  gcn_signal_drop (s, q->idle);
}

/* Find out what has ended, and give back what nobody needs any more.  For the queue's thread.  */
static void
reap (struct gcn_queue *q)
{
  /* Relaxed: they are this thread's.  */
  uint32_t last = atomic_load_explicit (&q->xlast, memory_order_relaxed);
  uint32_t before = atomic_load_explicit (&q->xdone, memory_order_relaxed), done = before;
  uint32_t released = atomic_load_explicit (&q->xreleased, memory_order_relaxed);

  while (done != last)
    {
      struct gcn_op *op = op_of (q, done + 1);
      struct gcn_signal *s = atomic_load_explicit (&op->xsignal, memory_order_relaxed);
      if (!gcn_signal_done (s))
	break;
      if (__builtin_expect (!op->is_packet && gcn_signal_failed (s), 0))
	copy_failed (q, done + 1, s);
      done++;
    }
  if (done != before)
    /* Release: gcn_reached.  */
    atomic_store_explicit (&q->xdone, done, memory_order_release);
  /* The next one may be waiting for the signal of the last that is done.  */
  uint32_t upto = done == last ? done : done - 1;
  while ((int32_t) (upto - released) > 0)
    {
      struct gcn_op *op = op_of (q, ++released);
      struct gcn_signal *s = atomic_load_explicit (&op->xsignal, memory_order_relaxed);
      for (unsigned i = 0; i < op->num_deps; i++)
	drop_dep (q, op->deps[i]);
      op->num_deps = 0;
      /* Sequentially consistent with gcn_queue_lost, as the drop.  */
      atomic_store (&q->xreleased, released);
      gcn_signal_drop (s, q->idle);
    }
}

/* An operation is going to be enqueued: a copy of BYTES, or a packet, which copies nothing.  */
static inline gomp_status_t
begin (struct gcn_queue *q, bool is_packet, const void *to, const void *from, size_t bytes, struct gcn_start *start)
{
  struct gomp_plugin_device *dev = q->base.dev;
  gomp_status_t status = gcn_alive (dev);
  if (status != GOMP_OK)
    return status;
  reap (q);
  /* Relaxed: they are this thread's.  */
  uint32_t last = atomic_load_explicit (&q->xlast, memory_order_relaxed);
  while (__builtin_expect (last - atomic_load_explicit (&q->xreleased, memory_order_relaxed)
			   >= GCN_RING, 0))
    {
      status = gcn_queue_wait_number (q, last - GCN_RING / 2);
      if (status != GOMP_OK)
	return status;
      reap (q);
    }
  bool sleeps = atomic_load_explicit (&q->xsleeps, memory_order_relaxed);	/* a hint */
  status = gcn_signal_take (dev, q->idle, sleeps, &start->signal);
  if (status != GOMP_OK)
    return status;

  struct gcn_op *op = op_of (q, last + 1);
  start->num_deps = 0;
  start->barrier = false;
  if (last != atomic_load_explicit (&q->xdone, memory_order_relaxed))
    {
      struct gcn_op *before = op_of (q, last);
      struct gcn_signal *s = atomic_load_explicit (&before->xsignal, memory_order_relaxed);
      if (is_packet && before->is_packet)
	start->barrier = true;
      else
	start->deps[start->num_deps++] = s;
    }
  op->num_deps = 0;
  for (unsigned i = 0; i < q->num_deps; i++)
    if (gcn_signal_done (q->deps[i]))
      drop_dep (q, q->deps[i]);
    else
      start->deps[start->num_deps++] = op->deps[op->num_deps++] = q->deps[i];
  q->num_deps = 0;
  if (op->num_deps > 0)
    /* Sequentially consistent: see kernels_wait.  */
    atomic_store (&q->xfollowing, last + 1);
  op->is_packet = is_packet;
  if (!is_packet)
    {
      atomic_store_explicit (&op->xto, (uintptr_t) to, memory_order_relaxed);
      atomic_store_explicit (&op->xfrom, (uintptr_t) from, memory_order_relaxed);
      atomic_store_explicit (&op->xbytes, bytes, memory_order_relaxed);
    }
  atomic_store_explicit (&op->xsignal, start->signal, memory_order_relaxed);	/* by xlast's store */
  /* Sequentially consistent with gcn_lose: it sees the operation, or it is seen by gcn_op_end.
     Release: the operation.  */
  atomic_store (&q->xlast, last + 1);
  return GOMP_OK;
}

/* The device was lost while the operation was started.  */
static void __attribute__ ((noinline, cold))
end_signal (struct gcn_signal *s)
{
  atomic_store_explicit (&s->xspoiled, true, memory_order_relaxed);	/* by the references */
  gcn_hsa.hsa_signal_store_screlease (s->hsa, 0);
}

gomp_status_t
gcn_op_begin (struct gcn_queue *q, const void *to, const void *from, size_t bytes, struct gcn_start *start)
{
  return begin (q, false, to, from, bytes, start);
}

gomp_status_t
gcn_op_end (struct gcn_queue *q, struct gcn_start *start, gomp_status_t status)
{
  if (__builtin_expect (atomic_load (&q->base.dev->xlost) != 0, 0))	/* begin says why */
    {
      end_signal (start->signal);
      return status != GOMP_OK ? status : gcn_alive (q->base.dev);
    }
  if (__builtin_expect (status != GOMP_OK, 0))
    /* It will never run: as if it had, for those behind it.  */
    gcn_hsa.hsa_signal_store_screlease (start->signal->hsa, 0);
  return status;
}

bool
gcn_reached (struct gcn_queue *q, uint32_t number)
{
  /* Acquire: what the device did before.  */
  if ((int32_t) (atomic_load_explicit (&q->xdone, memory_order_acquire) - number) >= 0)
    return true;
  /* Acquire: the operation.  */
  if ((int32_t) (atomic_load_explicit (&q->xlast, memory_order_acquire) - number) < 0)
    return false;
  /* Acquire: with an operation that came into the same place, that this one is done.  */
  struct gcn_signal *s = atomic_load_explicit (&op_of (q, number)->xsignal, memory_order_acquire);
  /* A signal that was given back belongs to an operation that is done: what has set it again did so
     behind xdone.  */
  return (gcn_signal_done (s)
	  || (int32_t) (atomic_load_explicit (&q->xdone, memory_order_acquire) - number) >= 0);
}

/* ---- channels ---- */

/* Give Q a channel: one that nobody uses, a new one, or that with the fewest users.  */
static gomp_status_t __attribute__ ((noinline, cold))
find_channel (struct gcn_queue *q)
{
  struct gomp_plugin_device *dev = q->base.dev;
  struct gcn_queues *queues = dev->queues;
  gomp_status_t status = GOMP_OK;
  struct gcn_channel *best = NULL, **empty = NULL;

  pthread_mutex_lock (&queues->channels_lock);
  for (int i = 0; i < GCN_CHANNELS; i++)
    {
      struct gcn_channel *c = queues->channels[i];
      if (c == NULL)
	empty = &queues->channels[i];
      else if (best == NULL || c->users < best->users)
	best = c;
    }
  if (empty != NULL && (best == NULL || best->users > 0))
    {
      struct gcn_channel *made = NULL;
      status = gcn_channel_new (dev, &made);
      if (status == GOMP_OK)
	best = *empty = made;
      else if (best != NULL)
	{
	  gcn_core->debug (1, "gcn device %u: queues share channels: no more can be made",
			   dev->ordinal);
	  status = gcn_alive (dev);
	}
    }
  if (status == GOMP_OK)
    {
      best->users++;
      q->channel = best;
    }
  pthread_mutex_unlock (&queues->channels_lock);
  return status;
}

static inline gomp_status_t
need_channel (struct gcn_queue *q)
{
  return __builtin_expect (q->channel != NULL, 1) ? GOMP_OK : find_channel (q);
}

/* The text about the copy that has failed last.  The caller has found the flags of Q and taken them back.  */
static gomp_status_t __attribute__ ((noinline, cold))
tell_failed (struct gcn_queue *q)
{
  char text[200];
  gcn_queue_describe_failed (q->base.dev, text, sizeof (text));
  gcn_core->set_error ("%s", text);
  return GOMP_DRIVER_ERROR;
}

/* A kernel, the operation NUMBER of Q, is about to be given to the device.  Has a copy failed that it comes behind?  Of
   those under way copy_failed finds out, and finds the kernel.  */
static bool
is_spoiled (struct gcn_queue *q, uint32_t number, const struct gcn_start *start)
{
  uint32_t before = atomic_load_explicit (&q->xbehind, memory_order_relaxed);
  if (start->num_deps > 0 || (start->barrier && before != 0 && !gcn_reached (q, before)))
    /* Sequentially consistent with copy_failed, as the loads.  */
    atomic_store (&q->xbehind, number);
  bool spoiled = atomic_load (&q->xfailed) || atomic_load (&q->xspoiled);
  for (unsigned i = 0; i < start->num_deps; i++)
    spoiled |= atomic_load (&start->deps[i]->xfailed);
  /* Operations before it may have waited for such a copy, and not have ended.  Relaxed: this thread's.  */
  uint32_t at = atomic_load_explicit (&q->xreleased, memory_order_relaxed);
  if ((int32_t) (atomic_load_explicit (&q->xfollowing, memory_order_relaxed) - at) > 0)
    while (++at != number)
      for (unsigned i = 0; i < op_of (q, at)->num_deps; i++)
	spoiled |= atomic_load (&op_of (q, at)->deps[i]->xfailed);
  return spoiled;
}

gomp_status_t
gcn_dispatch (struct gcn_queue *q, const struct gcn_packet *p)
{
  struct gcn_start start;
  gomp_status_t status = need_channel (q);
  if (status == GOMP_OK)
    status = begin (q, true, NULL, NULL, 0, &start);
  if (status != GOMP_OK)
    return status;
  if (__builtin_expect (is_spoiled (q, gcn_queue_next (q) - 1, &start), 0))
    {
      /* Relaxed: flags.  */
      atomic_store_explicit (&q->xfailed, false, memory_order_relaxed);
      atomic_store_explicit (&q->xspoiled, false, memory_order_relaxed);
      return gcn_op_end (q, &start, tell_failed (q));
    }
  if (start.num_deps > 0)
    status = gcn_channel_barrier (q->channel, start.deps, start.num_deps, false, NULL);
  const hsa_kernel_dispatch_packet_t packet =
    {
      .header = (HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE
		 | start.barrier << HSA_PACKET_HEADER_BARRIER
		 | HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE
		 | HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE),
      .setup = 3,
      .workgroup_size_x = 1,
      .workgroup_size_y = 64,
      .workgroup_size_z = (uint16_t) p->waves,
      .grid_size_x = p->groups,
      .grid_size_y = 64,
      .grid_size_z = p->waves,
      .private_segment_size = p->private_size,
      .group_segment_size = p->group_size,
      .kernel_object = p->kernel_object,
      .kernarg_address = p->kernarg,
      .completion_signal = start.signal->hsa
    };
  /* Release: gcn_queue_lost looks into the kernel.  The number relaxed: should somebody mix it with
     that of the kernel before, he blames one that was just started.  */
  atomic_store_explicit (&q->xkernel_number, gcn_queue_next (q) - 1, memory_order_relaxed);
  atomic_store_explicit (&q->xkernel, p->kernel, memory_order_release);
  if (status == GOMP_OK)
    status = gcn_channel_write (q->channel, &packet);
  return gcn_op_end (q, &start, status);
}

/* An operation that does nothing but wait for what Q has to wait for.  */
static gomp_status_t
enqueue_barrier (struct gcn_queue *q)
{
  struct gcn_start start;
  gomp_status_t status = need_channel (q);
  if (status == GOMP_OK)
    status = begin (q, true, NULL, NULL, 0, &start);
  if (status != GOMP_OK)
    return status;
  status = gcn_channel_barrier (q->channel, start.deps, start.num_deps, start.barrier, start.signal);
  return gcn_op_end (q, &start, status);
}

/* Forget signals to wait for that are done; answers whether any is left.  */
static bool
has_deps (struct gcn_queue *q)
{
  unsigned left = 0;
  for (unsigned i = 0; i < q->num_deps; i++)
    if (gcn_signal_done (q->deps[i]))
      drop_dep (q, q->deps[i]);
    else
      q->deps[left++] = q->deps[i];
  q->num_deps = left;
  return left > 0;
}

/* The next operation of Q has to wait for S.  */
static gomp_status_t
add_dep (struct gcn_queue *q, struct gcn_signal *s)
{
  gomp_status_t status = GOMP_OK;
  if (q->num_deps == GCN_DEPS && has_deps (q) && q->num_deps == GCN_DEPS)
    status = enqueue_barrier (q);
  if (status == GOMP_OK)
    q->deps[q->num_deps++] = gcn_signal_hold (s);
  return status;
}

/* ---- queues ---- */

static gomp_status_t
new_queue (struct gomp_plugin_device *dev, struct gcn_queue **result)
{
  struct gcn_queues *queues = dev->queues;
  struct gcn_queue *q = calloc (1, sizeof (*q));
  if (q == NULL)
    return gcn_no_memory ();
  q->base.dev = dev;
  pthread_mutex_lock (&queues->lock);
  q->next = atomic_load_explicit (&queues->xall, memory_order_relaxed);	/* under the lock */
  /* Release: the fields, for those who look without the lock.  */
  atomic_store_explicit (&queues->xall, q, memory_order_release);
  pthread_mutex_unlock (&queues->lock);
  *result = q;
  return GOMP_OK;
}

/* Q is idle: give back what it has.  */
static void
empty_queue (struct gcn_queue *q)
{
  reap (q);
  for (unsigned i = 0; i < q->num_deps; i++)
    gcn_signal_drop (q->deps[i], NULL);
  q->num_deps = 0;
  gcn_signals_return (q->idle);
}

gomp_status_t
gcn_queue_create (struct gomp_plugin_device *dev, struct gomp_plugin_queue **queue)
{
  struct gcn_queues *queues = dev->queues;
  gomp_status_t status = gcn_alive (dev);
  if (status != GOMP_OK)
    return status;
  pthread_mutex_lock (&queues->lock);
  struct gcn_queue *q = queues->free;
  if (q != NULL)
    queues->free = q->next_free;
  pthread_mutex_unlock (&queues->lock);
  if (q == NULL)
    status = new_queue (dev, &q);
  if (status == GOMP_OK)
    *queue = &q->base;
  return status;
}

void
gcn_queue_destroy (struct gomp_plugin_queue *queue)
{
  struct gcn_queue *q = gcn_queue_of (queue);
  struct gcn_queues *queues = queue->dev->queues;

  empty_queue (q);
  if (q->channel != NULL)
    {
      pthread_mutex_lock (&queues->channels_lock);
      q->channel->users--;
      pthread_mutex_unlock (&queues->channels_lock);
      q->channel = NULL;
    }
  pthread_mutex_lock (&queues->lock);
  q->next_free = queues->free;
  queues->free = q;
  pthread_mutex_unlock (&queues->lock);
}

/* ---- lost devices, and copies that fail ---- */

/* Take a reference on the signal of the operation NUMBER of Q, from any thread; NULL: it has been given
   back.  */
static struct gcn_signal *
hold_signal_of (struct gcn_queue *q, uint32_t number)
{
  struct gcn_signal *s = atomic_load_explicit (&op_of (q, number)->xsignal, memory_order_acquire);
  unsigned refs = s != NULL ? atomic_load_explicit (&s->xrefs, memory_order_relaxed) : 0;
  do
    if (refs == 0)
      return NULL;
  while (!atomic_compare_exchange_weak (&s->xrefs, &refs, refs + 1));
  /* Sequentially consistent with reap: if the operation still has its reference, it cannot have been
     the last, and the signal is the operation's as long as this one is held.  */
  if ((int32_t) (atomic_load (&q->xreleased) - number) < 0)
    return s;
  gcn_signal_drop (s, NULL);
  return NULL;
}

/* Call FN for the signals of all operations that are under way.  */
static void
for_each_signal (struct gomp_plugin_device *dev,
		 void (*fn) (struct gcn_queue *, uint32_t number, struct gcn_signal *))
{
  for (struct gcn_queue *q = gcn_queues_all (dev); q != NULL; q = q->next)
    {
      uint32_t number = atomic_load (&q->xreleased), last = atomic_load (&q->xlast);
      while ((int32_t) (last - number) > 0)
	{
	  struct gcn_signal *s = hold_signal_of (q, ++number);
	  if (s != NULL)
	    {
	      if (!gcn_signal_done (s) || gcn_signal_failed (s))
		fn (q, number, s);
	      gcn_signal_drop (s, NULL);
	    }
	}
    }
}

static void
end_lost (struct gcn_queue *q, uint32_t number, struct gcn_signal *s)
{
  (void) q;
  (void) number;
  end_signal (s);
}

/* Let the runtime start nothing more that waits in a channel.  */
static void
stop_channels (struct gomp_plugin_device *dev)
{
  struct gcn_queues *queues = dev->queues;
  pthread_mutex_lock (&queues->channels_lock);
  for (int i = 0; i < GCN_CHANNELS; i++)
    if (queues->channels[i] != NULL)
      (void) gcn_hsa.hsa_queue_inactivate (queues->channels[i]->hsa);
  pthread_mutex_unlock (&queues->channels_lock);
}

void
gcn_queue_lost (struct gomp_plugin_device *dev, bool alive)
{
  struct gcn_queues *queues = dev->queues;
  unsigned running = 0;
  if (queues == NULL)
    return;
  if (alive)
    stop_channels (dev);
  pthread_mutex_lock (&queues->lock);
  for (struct gcn_queue *q = gcn_queues_all (dev); q != NULL; q = q->next)
    {
      /* Acquire: its image.  */
      struct gcn_kernel *kernel = atomic_load_explicit (&q->xkernel, memory_order_acquire);
      uint32_t number = atomic_load_explicit (&q->xkernel_number, memory_order_relaxed);
      if (kernel != NULL && !gcn_reached (q, number))
	{
	  running++;
	  queues->suspect_image = kernel->image;
	  queues->suspect = kernel->index;
	}
    }
  queues->have_suspect = running == 1 && !alive;
  pthread_mutex_unlock (&queues->lock);
  for_each_signal (dev, end_lost);
}

bool
gcn_queue_suspect (struct gomp_plugin_device *dev, struct gomp_plugin_image **image,
		   size_t *function)
{
  struct gcn_queues *queues = dev->queues;
  if (queues == NULL)
    return false;
  pthread_mutex_lock (&queues->lock);
  bool found = queues->have_suspect;
  if (found)
    {
      *image = queues->suspect_image;
      *function = queues->suspect;
    }
  pthread_mutex_unlock (&queues->lock);
  return found;
}

/* Is a kernel waiting for the copy NUMBER of Q, which has failed?  For operations that wait for other queues nothing
   tells for which: it may be.  */
static bool
kernels_wait (struct gcn_queue *q, uint32_t number)
{
  for (struct gcn_queue *o = gcn_queues_all (q->base.dev); o != NULL; o = o->next)
    {
      /* Sequentially consistent: see is_spoiled.  */
      uint32_t kernel = atomic_load (&o->xbehind), from = o == q ? number : atomic_load (&o->xfollowing);
      if (kernel != 0 && from != 0 && (int32_t) (kernel - from) >= 0 && !gcn_reached (o, kernel)
	  && (o == q || !gcn_reached (o, from)))
	return true;
    }
  return false;
}

/* The copy NUMBER of Q, which S counts, has failed.  */
static void __attribute__ ((noinline, cold))
copy_failed (struct gcn_queue *q, uint32_t number, struct gcn_signal *s)
{
  struct gomp_plugin_device *dev = q->base.dev;
  struct gcn_queues *queues = dev->queues;
  const struct gcn_op *op = op_of (q, number);
  bool lose = false;
  if (queues == NULL || gcn_is_lost (dev))
    return;
  pthread_mutex_lock (&queues->lock);
  /* Several threads may find it.  */
  if (gcn_signal_failed (s))
    {
      /* Relaxed, all of these: for messages.  */
      atomic_store_explicit (&queues->xfailed_to, atomic_load_explicit (&op->xto, memory_order_relaxed),
			     memory_order_relaxed);
      atomic_store_explicit (&queues->xfailed_from, atomic_load_explicit (&op->xfrom, memory_order_relaxed),
			     memory_order_relaxed);
      atomic_store_explicit (&queues->xfailed_bytes, atomic_load_explicit (&op->xbytes, memory_order_relaxed),
			     memory_order_relaxed);
      /* Sequentially consistent: see is_spoiled.  */
      atomic_store (&s->xfailed, true);
      atomic_store (&q->xfailed, true);
      lose = kernels_wait (q, number);
      if (!lose)
	gcn_hsa.hsa_signal_store_screlease (s->hsa, 0);
    }
  pthread_mutex_unlock (&queues->lock);
  if (lose)
    gcn_lose (dev, GCN_COPY_FAILED);
}

static void
repair_failed (struct gcn_queue *q, uint32_t number, struct gcn_signal *s)
{
  if (gcn_signal_failed (s))
    copy_failed (q, number, s);
}

size_t
gcn_queue_describe_failed (struct gomp_plugin_device *dev, char *text, size_t size)
{
  const struct gcn_queues *queues = dev->queues;
  if (queues == NULL)
    return (size_t) snprintf (text, size, "a copy has failed");
  return (size_t) snprintf (text, size, "copying %zu bytes from %p to %p on device %u has failed: the HSA runtime does"
			    " not say why",
			    atomic_load_explicit (&queues->xfailed_bytes, memory_order_relaxed),
			    (void *) atomic_load_explicit (&queues->xfailed_from, memory_order_relaxed),
			    (void *) atomic_load_explicit (&queues->xfailed_to, memory_order_relaxed), dev->ordinal);
}

/* Let go on what waits for copies that have failed.  */
static void
repair (struct gomp_plugin_device *dev)
{
  if (!gcn_is_lost (dev))
    for_each_signal (dev, repair_failed);
}

void
gcn_progress (struct gomp_plugin_device *dev)
{
  struct gcn_queues *queues = dev->queues;
  if (gcn_is_lost (dev))
    return;			/* all signals are where they have to be */
  gcn_attend (dev, NULL);
  uint64_t now = plugin_now (), next = atomic_load_explicit (&queues->xlook, memory_order_relaxed);
  /* Relaxed: only to be one of many.  */
  if (now >= next
      && atomic_compare_exchange_strong_explicit (&queues->xlook, &next, now + LOOK_NS,
						  memory_order_relaxed, memory_order_relaxed))
    repair (dev);
}

/* ---- waiting ---- */

/* Wait until S, which counts an operation of Q, is done, which it is not; until LIMIT.  */
static void
wait_long (struct gcn_queue *q, struct gcn_signal *s, uint64_t limit)
{
  struct gomp_plugin_device *dev = q->base.dev;
  /* Relaxed: a measure.  */
  unsigned pollers = atomic_fetch_add_explicit (&xpollers, 1, memory_order_relaxed) + 1;
  uint64_t busy = plugin_now (), next_look = busy + LOOK_NS;
  uint64_t patience = plugin_patience (pollers);
  bool slept = false;
  struct plugin_waiter waiter;

  gcn_reverse_begin (dev, &waiter, q);
  while (true)
    {
      for (int i = patience > 0 ? POLLS_PER_CLOCK : 1; i > 0; i--)
	{
	  if (gcn_signal_done (s))
	    goto out;
	  pause_cpu ();
	}
      uint64_t nap = gcn_attend_nap (q);
      bool attended = nap != 0 && gcn_attend (dev, &waiter);
      uint64_t now = plugin_now ();
      if (now >= limit)
	break;
      if (attended)
	busy = now;		/* the kernel goes on, perhaps to its next call */
      else if (now >= next_look)
	{
	  repair (dev);
	  next_look = now + LOOK_NS;
	}
      else if (now - busy >= patience)
	{
	  uint64_t most = nap != 0 && nap < SLEEP_NS ? nap : SLEEP_NS;
	  gcn_signal_sleep (s, limit - now < most ? limit - now : most);
	  slept = true;
	}
    }
 out:
  gcn_reverse_end (dev, &waiter);
  /* Relaxed: a hint.  */
  if (slept != atomic_load_explicit (&q->xsleeps, memory_order_relaxed))
    atomic_store_explicit (&q->xsleeps, slept, memory_order_relaxed);
  atomic_fetch_sub_explicit (&xpollers, 1, memory_order_relaxed);
}

/* Something of Q has ended that is waited for: how?  */
static gomp_status_t
finish (struct gcn_queue *q)
{
  struct gomp_plugin_device *dev = q->base.dev;
  gomp_status_t status = gcn_alive (dev);
  if (status != GOMP_OK)
    return status;
  gcn_copy_ended (dev);
  atomic_store_explicit (&q->xspoiled, false, memory_order_relaxed);	/* who waits is told by the other queue */
  /* Relaxed: a flag that was set before the signal was seen, or by this thread.  */
  if (__builtin_expect (atomic_load_explicit (&q->xfailed, memory_order_relaxed), 0)
      && atomic_exchange_explicit (&q->xfailed, false, memory_order_relaxed))
    return tell_failed (q);
  return gcn_attend_end (dev, q);
}

gomp_status_t
gcn_queue_wait_number (struct gcn_queue *q, uint32_t number)
{
  /* Not one that was going to be enqueued, and then was not.  */
  if ((int32_t) (number - gcn_queue_next (q)) < 0 && !gcn_reached (q, number))
    wait_long (q, atomic_load_explicit (&op_of (q, number)->xsignal, memory_order_relaxed),
	       UINT64_MAX);
  return gcn_alive (q->base.dev);
}

gomp_status_t
gcn_queue_wait (struct gomp_plugin_queue *queue)
{
  struct gcn_queue *q = gcn_queue_of (queue);

  gomp_status_t status = gcn_alive (queue->dev);
  if (status == GOMP_OK && has_deps (q))
    status = enqueue_barrier (q);
  if (status == GOMP_OK)
    status = gcn_queue_wait_number (q, gcn_queue_next (q) - 1);
  reap (q);
  return status == GOMP_OK ? finish (q) : status;
}

gomp_status_t
gcn_dispatch_now (struct gomp_plugin_device *dev, const struct gcn_packet *packet,
		  uint64_t limit_ms)
{
  struct gomp_plugin_queue *queue;
  gomp_status_t status = gcn_queue_create (dev, &queue);
  if (status != GOMP_OK)
    return status;
  struct gcn_queue *q = gcn_queue_of (queue);
  status = gcn_dispatch (q, packet);
  uint32_t number = gcn_queue_next (q) - 1;
  if (status == GOMP_OK && !gcn_reached (q, number))
    wait_long (q, atomic_load_explicit (&op_of (q, number)->xsignal, memory_order_relaxed),
	       limit_ms < UINT64_MAX / 2000000 ? plugin_now () + limit_ms * 1000000 : UINT64_MAX);
  if (status == GOMP_OK && !gcn_reached (q, number))
    {
      /* The queue is lost with it.  */
      gcn_core->set_error ("a kernel has not ended after %llu ms", (unsigned long long) limit_ms);
      return GOMP_DRIVER_ERROR;
    }
  if (status == GOMP_OK)
    status = finish (q);
  gcn_queue_destroy (queue);
  return status;
}

/* ---- events ---- */

gomp_status_t
gcn_event_create (struct gomp_plugin_device *dev, struct gomp_plugin_event **event)
{
  (void) dev;
  struct gcn_event *e = calloc (1, sizeof (*e));
  if (e == NULL)
    return gcn_no_memory ();
  e->base.word = &always_signalled;
  *event = &e->base;
  return GOMP_OK;
}

/* Let E mark nothing.  */
static void
forget (struct gcn_event *e, struct gcn_signal *idle[2])
{
  e->base.word = &always_signalled;
  e->base.target = 0;
  if (e->signal != NULL)
    gcn_signal_drop (e->signal, idle);
  e->signal = NULL;
  e->queue = NULL;
}

void
gcn_event_destroy (struct gomp_plugin_event *event)
{
  forget (event_of (event), NULL);
  free (event_of (event));
}

gomp_status_t
gcn_event_record (struct gomp_plugin_queue *queue, struct gomp_plugin_event *event)
{
  struct gcn_queue *q = gcn_queue_of (queue);
  struct gcn_event *e = event_of (event);

  forget (e, q->idle);
  gomp_status_t status = gcn_alive (queue->dev);
  if (status == GOMP_OK && __builtin_expect (q->num_deps > 0, 0) && has_deps (q))
    status = enqueue_barrier (q);
  if (status != GOMP_OK)
    return status;
  uint32_t last = gcn_queue_next (q) - 1;
  struct gcn_op *op = op_of (q, last);
  e->queue = q;
  /* Relaxed: this thread's.  Signals up to xreleased are not the queue's any more.  */
  if (last != atomic_load_explicit (&q->xreleased, memory_order_relaxed))
    {
      e->signal
	= gcn_signal_hold (atomic_load_explicit (&op->xsignal, memory_order_relaxed));
      e->is_packet = op->is_packet;
      e->base.word = e->signal->xword;
      e->base.target = GCN_SIGNALLED;
    }
  return GOMP_OK;
}

gomp_status_t
gcn_event_wait (struct gomp_plugin_event *event)
{
  struct gcn_event *e = event_of (event);
  if (e->queue == NULL)
    return GOMP_OK;
  if (e->signal != NULL && !gcn_signal_done (e->signal))
    wait_long (e->queue, e->signal, UINT64_MAX);
  return gcn_alive (e->queue->base.dev);
}

gomp_status_t
gcn_event_status (struct gomp_plugin_event *event)
{
  struct gcn_event *e = event_of (event);
  if (e->queue == NULL)
    return GOMP_OK;
  /* Nobody may have looked yet.  */
  if (e->signal != NULL && !e->is_packet && gcn_signal_failed (e->signal))
    repair (e->queue->base.dev);
  return finish (e->queue);
}

gomp_status_t
gcn_event_time (struct gomp_plugin_event *event, uint64_t *begin, uint64_t *end)
{
  struct gcn_event *e = event_of (event);
  if (e->queue == NULL || e->signal == NULL)
    return GOMP_UNSUPPORTED;
  gomp_status_t status = gcn_alive (e->queue->base.dev);
  return status == GOMP_OK
	 ? gcn_times_get (e->queue->base.dev, e->signal, e->is_packet, begin, end) : status;
}

/* ---- order between queues ---- */

gomp_status_t
gcn_queue_wait_event (struct gomp_plugin_queue *queue, struct gomp_plugin_event *event)
{
  struct gcn_queue *q = gcn_queue_of (queue);
  struct gcn_event *e = event_of (event);

  gomp_status_t status = gcn_alive (queue->dev);
  /* A queue is in order by itself.  */
  if (status != GOMP_OK || e->queue == NULL || e->queue == q)
    return status;
  bool under_way = e->signal != NULL && !gcn_signal_done (e->signal);
  /* One before the event's operation may have failed, or that itself so long ago that its signal was given back.
     Relaxed: a flag that was set before the signal was done.  */
  if (__builtin_expect (atomic_load_explicit (&e->queue->xfailed, memory_order_relaxed), 0))
    atomic_store_explicit (&q->xspoiled, true, memory_order_relaxed);
  if (under_way)
    return add_dep (q, e->signal);
  if (e->signal != NULL)
    goes_on_behind (q, e->signal);
  return GOMP_OK;
}

gomp_status_t
gcn_queue_follow (struct gcn_queue *q, struct gcn_queue *other)
{
  gomp_status_t status = gcn_alive (q->base.dev);
  if (status == GOMP_OK && has_deps (other))
    status = enqueue_barrier (other);
  uint32_t last = gcn_queue_next (other) - 1;
  if (status != GOMP_OK || gcn_reached (other, last))
    return status;
  return add_dep (q, atomic_load_explicit (&op_of (other, last)->xsignal, memory_order_relaxed));
}
