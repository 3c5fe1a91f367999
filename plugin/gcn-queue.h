/* gcn-queue.h -- what the files of the gcn plugin know of signals, channels and queues.

   A signal is one of the runtime's: an integer that is 1 while an operation runs and that the
   device counts down to 0 when it is complete.  Its low half is the completion word of events.
   A channel is a queue of the runtime, a ring of packets: some of our queues may share one.
   A queue is a sequence of operations, kernels in a channel and copies of the copy engines.  Each
   operation has a number, which counts up from 1 modulo 2^32, and a signal.

   Invariants
   1. Operations of a queue are complete in the order of their numbers: a kernel has the barrier bit
      behind kernels of the same queue, and all else waits for the signal of the operation before.
   2. A signal is used again when nobody needs it: not the operation, which has ended; not the next one
      of its queue, which may wait for it, and has ended; no event that was recorded behind it; no
      operation of another queue that waits for it (xrefs counts).
   3. Queues, signals and channels are never freed before their device is closed.  So whoever remembers
      (queue, number) may look at any time.
   4. The ring of operations is changed by the queue's thread only.  */

#ifndef GOMPX_GCN_QUEUE_H
#define GOMPX_GCN_QUEUE_H 1

#include "gcn.h"

#pragma GCC visibility push (hidden)

/* ---- signals (gcn-signal.c) ---- */

struct gcn_signal
{
  hsa_signal_t hsa;		/* fixed */
  _Atomic uint32_t *xword;	/* the two halves of its value, fixed; the device changes them */
  bool interrupts;		/* threads sleep well on it; the device needs longer for it; fixed */
  _Atomic unsigned xrefs;	/* invariant 2 */
  _Atomic bool xspoiled;	/* of a lost device, which may still write to it: never used again */
  _Atomic bool xfailed;		/* its copy has failed; until it is used again */
  struct gcn_signal *next;	/* of who has it while nobody uses it */
};

/* An event's target for a signal: what counts down from 1 to 0, and further, passes it then.  */
#define GCN_SIGNALLED UINT32_C (0x80000001)

/* Has the operation ended, with whatever result?  */
static inline bool
gcn_signal_done (const struct gcn_signal *s)
{
  /* Acquire: what the device did before.  */
  return (int32_t) (atomic_load_explicit (s->xword, memory_order_acquire) - GCN_SIGNALLED) >= 0;
}

/* Has it failed?  The runtime tells that of copies by a negative value.  */
static inline bool
gcn_signal_failed (const struct gcn_signal *s)
{
  /* Relaxed: of an operation that is done; the high half changes with the low one.  */
  return (int32_t) atomic_load_explicit (s->xword + 1, memory_order_relaxed) < 0;
}

/* All devices have their signals from here, since queues wait for signals of other devices.  When the
   last device is closed: destroy those that nobody uses.  */
void gcn_signals_close (void);

/* A signal that is 1, with one reference; INTERRUPTS as above.  *IDLE is a list of the caller's, in
   which it is looked for first.  */
gomp_status_t gcn_signal_take (struct gomp_plugin_device *dev, struct gcn_signal *idle[2],
			       bool interrupts, struct gcn_signal **signal);
/* One reference more.  The caller has one, or who has one cannot give it back now.  */
static inline struct gcn_signal *
gcn_signal_hold (struct gcn_signal *s)
{
  atomic_fetch_add_explicit (&s->xrefs, 1, memory_order_relaxed);	/* nothing is published */
  return s;
}
/* One reference less; the last one puts the signal into IDLE or, if that is NULL, to the others.  */
void gcn_signal_drop (struct gcn_signal *signal, struct gcn_signal *idle[2]);
/* Give the signals of a list to the others.  */
void gcn_signals_return (struct gcn_signal *idle[2]);
/* Sleep until the signal is done, or NS have passed, or for no reason.  */
void gcn_signal_sleep (struct gcn_signal *signal, uint64_t ns);

/* ---- channels (gcn-signal.c) ---- */

struct gcn_channel
{
  struct gomp_plugin_device *dev;
  hsa_queue_t *hsa;
  unsigned users;		/* queues; channels_lock of the device's queues */
};

enum { GCN_CHANNELS = 8 };	/* of a device; more queues share them */

/* Make a channel of DEV.  Errors that the runtime reports about it kill the device.  */
gomp_status_t gcn_channel_new (struct gomp_plugin_device *dev, struct gcn_channel **channel);
void gcn_channel_delete (struct gcn_channel *channel);
/* Write a packet.  Any thread may do so at any time.  The first 32 bits of PACKET are the header.
   Waits while the ring is full.  */
gomp_status_t gcn_channel_write (struct gcn_channel *channel, const void *packet);
/* A packet that waits for the signals, at most 5, and counts COMPLETION down, unless NULL.  BARRIER:
   after all packets before.  */
gomp_status_t gcn_channel_barrier (struct gcn_channel *channel, struct gcn_signal *const *deps, unsigned num_deps,
				   bool barrier, struct gcn_signal *completion);

/* ---- queues (gcn-queue.c) ---- */

enum
{
  GCN_RING = 256,		/* operations of a queue under way; a power of two */
  GCN_DEPS = 4			/* signals of other queues that the next operation waits for */
};

struct gcn_op
{
  struct gcn_signal *_Atomic xsignal;	/* read by any thread: gcn_reached */
  struct gcn_signal *deps[GCN_DEPS];	/* of other queues; counted */
  unsigned num_deps;
  bool is_packet;		/* in the channel; else a copy */
  /* What is copied, for messages.  Relaxed, by xlast's store, as xsignal.  */
  _Atomic uintptr_t xto, xfrom;
  _Atomic size_t xbytes;
};

struct gcn_queue
{
  struct gomp_plugin_queue base;	/* first: the core's view */
  struct gcn_queue *next;	/* list of all; fixed once it is in it */
  struct gcn_queue *next_free;	/* queues->lock */
  struct gcn_channel *channel;	/* where its packets go; NULL: none yet.  Of the queue's thread */
  /* The last operation's number, that of the last one that is known to be complete, and that of the
     last one whose signal was given back.  Changed by the queue's thread, read by any.  */
  _Atomic uint32_t xlast, xdone, xreleased;
  struct gcn_signal *idle[2];	/* of the queue's thread: such that interrupt, and others */
  struct gcn_signal *deps[GCN_DEPS];	/* the next operation's; of the queue's thread */
  unsigned num_deps;
  /* The last waits slept: signals that interrupt are better.  A hint.  */
  _Atomic bool xsleeps;
  /* The last kernel and its number.  Changed by the queue's thread; read by any that explains a
     fault.  */
  _Atomic (struct gcn_kernel *) xkernel;
  _Atomic uint32_t xkernel_number;
  /* For who finds that a copy has failed: the last kernel that came behind a copy or another queue while that was under
     way, and the last operation that waits for another queue.  0: none yet.  Changed by the queue's thread.  */
  _Atomic uint32_t xbehind, xfollowing;
  /* A copy has failed, until an event or a launch has told; or one of another queue that this one waited for.  */
  _Atomic bool xfailed, xspoiled;
  void *launch;			/* gcn-launch.c's; of the queue's thread */
  struct slots *slots;		/* gcn-copy.c's; of the queue's thread */
  struct gcn_op ring[GCN_RING];	/* by number modulo GCN_RING */
};

static inline struct gcn_queue *
gcn_queue_of (struct gomp_plugin_queue *queue)
{
  return (struct gcn_queue *) queue;
}

/* The number of the next operation that will be enqueued.  For the queue's thread.  */
static inline uint32_t
gcn_queue_next (const struct gcn_queue *q)
{
  return atomic_load_explicit (&q->xlast, memory_order_relaxed) + 1;	/* its own */
}

/* What an operation that is being enqueued has to wait for, and what counts it.  */
struct gcn_start
{
  struct gcn_signal *signal;
  struct gcn_signal *deps[GCN_DEPS + 1];
  unsigned num_deps;
  bool barrier;			/* a packet: wait for those before it */
};
/* For gcn-copy.c: a copy of BYTES is going to be enqueued on Q.  If that is GOMP_OK: gcn_op_end, with the
   status of starting it, which is answered.  */
gomp_status_t gcn_op_begin (struct gcn_queue *q, const void *to, const void *from, size_t bytes,
			    struct gcn_start *start);
gomp_status_t gcn_op_end (struct gcn_queue *q, struct gcn_start *start, gomp_status_t status);

/* Wait for the operation NUMBER of Q.  For the queue's thread.  */
gomp_status_t gcn_queue_wait_number (struct gcn_queue *q, uint32_t number);

/* Is the operation NUMBER of Q complete?  Any thread may ask, about any number there ever was, as long
   as fewer than 2^31 have come since.  */
bool gcn_reached (struct gcn_queue *q, uint32_t number);

/* Let Q wait, on the device, for everything that OTHER holds now.  The caller is the thread of
   both.  */
gomp_status_t gcn_queue_follow (struct gcn_queue *q, struct gcn_queue *other);

/* All queues of DEV, linked by next.  */
struct gcn_queue *gcn_queues_all (struct gomp_plugin_device *dev);

/* DEV has just been lost: all of its events are signalled.  ALIVE: the runtime does not know, and what it has not yet
   started has to be kept from starting then.  */
void gcn_queue_lost (struct gomp_plugin_device *dev, bool alive);
/* For messages: which copy of DEV was the last to fail.  The length of the text, which fits.  */
size_t gcn_queue_describe_failed (struct gomp_plugin_device *dev, char *text, size_t size);
/* For messages about lost devices: the launch that is to blame, if there is just one that is not known
   to have ended well.  */
bool gcn_queue_suspect (struct gomp_plugin_device *dev, struct gomp_plugin_image **image,
			size_t *function);

/* gcn-copy.c: an operation of DEV has ended that somebody waits for: memory that was locked for copies
   which have ended is unlocked.  */
void gcn_copy_ended (struct gomp_plugin_device *dev);

/* ---- times (gcn-times.c) ---- */

/* Called by init.  */
void gcn_times_init (void);
/* When the operation that SIGNAL has counted was running, in ns of CLOCK_MONOTONIC.  */
gomp_status_t gcn_times_get (struct gomp_plugin_device *dev, struct gcn_signal *signal,
			     bool is_packet, uint64_t *begin, uint64_t *end);

#pragma GCC visibility pop

#endif /* GOMPX_GCN_QUEUE_H */
