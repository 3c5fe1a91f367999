/* nvptx-queue.h -- what the files of the nvptx plugin know of a queue.

   A queue is a stream and a word in pinned memory, on which the GPU marks how far it has got:
   the stream writes the number of an event behind the operations before it.  Numbers
   count up, modulo 2^32.

   Invariants
   1. A queue is never freed before its device is closed; when it is destroyed its stream goes, and
      the rest is used for the next queue.  So its word outlives all events that were recorded on
      it, and whoever remembers (queue, number) may look at any time.
   2. The word moves only forward.  The GPU writes it; the host does when the device is lost.
   3. All operations enqueued before the event NUMBER was recorded are complete, with success, when
      the word has reached NUMBER and the device is not lost.  */

#ifndef GOMPX_NVPTX_QUEUE_H
#define GOMPX_NVPTX_QUEUE_H 1

#include "carry-proto.h"
#include "nvptx.h"

#pragma GCC visibility push (hidden)

struct nvptx_times;		/* nvptx-times.c */

/* What a queue's thread has enqueued and the driver has not got yet: nvptx-ride.c.  */
struct nvptx_held
{
  bool any;
  struct nvptx_kernel *kernel;	/* NULL: none */
  struct gomp_launch launch;
  struct nvptx_carry_params params;	/* in_size, out_size: 0 where nothing is held back */
};

struct nvptx_queue
{
  struct gomp_plugin_queue base;	/* first: the core's view */
  CUstream stream;		/* while the core has the queue; changed by create and destroy */
  _Atomic uint32_t *word;	/* fixed; in pinned memory, loaded with acquire */
  CUdeviceptr word_addr;	/* the same for the device; fixed */
  struct nvptx_queue *next;	/* list of all; fixed once it is in it */
  unsigned index;		/* in it, from 1 on; fixed */
  struct nvptx_queue *next_free;	/* queues->lock */
  /* The last event's number.  Changed by the queue's thread, read by any.  */
  _Atomic uint32_t xnext;
  /* The last kernel, and the number of the event that is going to be behind it.  Changed by the
     queue's thread; read by any that explains a fault.  */
  _Atomic (struct nvptx_kernel *) xkernel;
  _Atomic uint32_t xkernel_number;
  /* A kernel that may print has run since output was last asked for.  */
  _Atomic bool xprints;
  /* There was a kernel that may call the host, and the number of the event behind the last one.
     Changed by the queue's thread.  */
  _Atomic bool xcalls_host;
  _Atomic uint32_t xcall_number;
  /* A kernel that is being timed, or NULL; from when on, and the event behind it.  Set by the
     queue's thread, taken by who waits for that event or a later one.  */
  _Atomic (struct nvptx_kernel *) xtimed;
  _Atomic uint64_t xtimed_start;
  _Atomic uint32_t xtimed_number;
  struct nvptx_times *times;	/* NULL: nobody wants to know; fixed */
  struct nvptx_held held;	/* the queue's thread's */
};

static inline struct nvptx_queue *
nvptx_queue_of (struct gomp_plugin_queue *queue)
{
  return (struct nvptx_queue *) queue;
}

/* Has the queue got to the event NUMBER?  */
static inline bool
nvptx_reached (const struct nvptx_queue *q, uint32_t number)
{
  /* Acquire: what the device did before.  */
  return (int32_t) (atomic_load_explicit (q->word, memory_order_acquire) - number) >= 0;
}

/* The number of the next event that will be recorded.  For the queue's thread.  */
static inline uint32_t
nvptx_queue_next (const struct nvptx_queue *q)
{
  return atomic_load_explicit (&q->xnext, memory_order_relaxed) + 1;
}

/* ---- nvptx-queue.c; the caller has entered the queue's device ---- */

/* Let Q wait, on the device, for everything that OTHER's stream holds now.  */
gomp_status_t nvptx_stream_follow (struct nvptx_queue *q, struct nvptx_queue *other);
/* A kernel that may call the host is going to be enqueued on Q; and it was not.  What the first answers is the second's.  */
struct nvptx_calls
{
  bool calls_host;
  uint32_t number;
};
struct nvptx_calls nvptx_queue_launching (struct nvptx_queue *q);
void nvptx_queue_not_launched (struct nvptx_queue *q, struct nvptx_calls before);
/* A kernel was enqueued on Q.  */
void nvptx_queue_launched (struct nvptx_queue *q, struct nvptx_kernel *kernel);
/* nvptx-launch.c: the event NUMBER of Q has been waited for; is it behind the kernel that is being
   timed?  Takes launches->lock.  */
void nvptx_launch_timed (struct nvptx_queue *q, uint32_t number) __attribute__ ((cold));
/* May a kernel be running on DEV that calls the host?  And one that is not in QUEUE?  */
bool nvptx_queue_calls_host (struct gomp_plugin_device *dev);
bool nvptx_queue_others_call (struct gomp_plugin_device *dev, const void *queue);
/* DEV has just been lost: all of its events are signalled.  */
void nvptx_queue_lost (struct gomp_plugin_device *dev);

/* ---- nvptx-times.c: when operations took place, for GOMP_TRACE ---- */

/* For a new queue, if the core asks for times at all; else, or without memory, NULL.  */
struct nvptx_times *nvptx_times_new (struct gomp_plugin_device *dev);
/* The caller has entered the device, unless EXITING.  */
void nvptx_times_free (struct nvptx_times *times, bool exiting);
/* An operation is about to be enqueued on Q.  */
void nvptx_times_begin (struct nvptx_queue *q);
/* The event NUMBER is being recorded on Q.  */
void nvptx_times_end (struct nvptx_queue *q, uint32_t number);
/* GOMP_UNSUPPORTED: not known.  */
gomp_status_t nvptx_times_get (struct nvptx_queue *q, uint32_t number, uint64_t *begin,
			       uint64_t *end);

/* What every slot that enqueues an operation calls before.  */
static inline void
nvptx_queue_begins (struct nvptx_queue *q)
{
  if (__builtin_expect (q->times != NULL, 0))
    nvptx_times_begin (q);
}

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_QUEUE_H */
