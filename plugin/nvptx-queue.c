/* nvptx-queue.c -- queues, events, waiting.

   A queue is a non-blocking stream.  To record an event is to enqueue one operation that marks the
   queue's word in pinned memory with the event's number (nvptx-queue.h), so that anybody sees
   the end of the operations before it without a driver call.  A kernel that carries (nvptx-ride.c) marks the
   word when it ends, which is quickest.  Else the stream writes it
   (cuStreamWriteValue32) or, where the driver or the device does not do that, fills it
   (cuMemsetD32Async), which costs about the same.  GOMP_NVPTX_MARK chooses.

   Numbers start a little below 2^32, so that every longer program shows that they may wrap around.

   Waiting.  The core polls a word for some microseconds before it asks here.  By default the
   wait goes on polling for as long as that is cheaper than to sleep and wake up, compared with
   what has been waited for already, unless more threads poll than there are processors; then it
   blocks in the driver, in an event of the queue that interrupts.  OMP_WAIT_POLICY=active polls to
   the end, passive blocks at once.  Where later events were recorded on the queue, an event of the driver's
   would come too late, and while a kernel runs that may call the host somebody has to look: then
   the wait naps.

   A context that has died writes no words any more.  Whoever polls asks the driver now and then
   (LOOK_NS), and all words are moved to their last event when the device is lost.

   Locks: queues->lock, a leaf.  No lock is held during a driver call that can wait.

   Called by the core through the ops table; by nvptx-launch.c and nvptx-driver.c through
   nvptx-queue.h.  */

#define _GNU_SOURCE 1
#include "clock.h"
#include "helpers.h"
#include "nvptx-ride.h"
#include "patience.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum
{
  FIRST_NUMBER = -32,		/* of each queue, modulo 2^32 */
  WORD_STRIDE = 128,		/* bytes from one queue's word to the next: no sharing */
  WORD_PAGE = 8192,
  POLLS_PER_CLOCK = 32
};

#define LOOK_NS 1000000		/* while polling: is the context alive? */
#define FIRST_NAP_NS 20000
#define LAST_NAP_NS 1000000
#define NAP_PART 32		/* the part of the time waited that a nap lasts */

struct word_page
{
  struct word_page *next;
  void *words;			/* WORD_PAGE bytes of pinned memory */
  unsigned left;		/* the first ones of them; lock */
};

struct sync_event
{
  struct sync_event *next;
  CUevent event;
};

struct nvptx_queues
{
  pthread_mutex_t lock;		/* a leaf; protects what says so */
  /* All queues there ever were, linked by next.  Written under the lock, read without.  */
  struct nvptx_queue *_Atomic xall;
  struct nvptx_queue *free;	/* without a stream; lock */
  struct word_page *pages;	/* lock */
  struct sync_event *events;	/* idle; lock */
  /* How a word is marked; false: filled.  Changes once, when the driver refuses.  */
  _Atomic bool xwrites;
  /* When progress is to ask the driver again; a hint.  */
  _Atomic uint64_t xlook;
  /* Since the device was lost: what was running; lock.  */
  bool have_suspect;
  struct gomp_plugin_image *suspect_image;
  size_t suspect;
};

struct nvptx_event
{
  struct gomp_plugin_event base;	/* first: the core's view */
  struct nvptx_queue *queue;	/* where it was recorded; NULL: never */
};

/* Constant once the first device is open.  */
static pthread_once_t settings_once = PTHREAD_ONCE_INIT;
static bool fill_marks;		/* GOMP_NVPTX_MARK=fill */

/* Threads that poll, on any device.  Relaxed: a measure.  */
static _Atomic unsigned xpollers;

/* The word of events that were never recorded.  */
static const _Atomic uint32_t never_recorded;

static struct nvptx_event *
event_of (const struct gomp_plugin_event *event)
{
  return (struct nvptx_event *) event;
}

static inline void
pause_cpu (void)
{
#if defined __x86_64__
  __builtin_ia32_pause ();
#elif defined __aarch64__
  __asm__ volatile ("isb" ::: "memory");
#endif
}

static gomp_status_t
no_memory (void)
{
  nvptx_core->set_error ("out of host memory");
  return GOMP_OUT_OF_HOST_MEMORY;
}

/* ---- the part of a device ---- */

static void
read_settings (void)
{
  plugin_patience_open (nvptx_core);
  const char *text = nvptx_core->getenv ("GOMP_NVPTX_MARK", false);
  fill_marks = text != NULL && strcasecmp (text, "fill") == 0;
  if (text != NULL && !fill_marks && strcasecmp (text, "write") != 0)
    nvptx_core->debug (0, "GOMP_NVPTX_MARK is `%s', neither write nor fill: ignored", text);
}

gomp_status_t
nvptx_queue_open (struct gomp_plugin_device *dev)
{
  pthread_once (&settings_once, read_settings);
  struct nvptx_queues *queues = calloc (1, sizeof (*queues));
  if (queues == NULL)
    return no_memory ();
  pthread_mutex_init (&queues->lock, NULL);
  atomic_init (&queues->xwrites, !fill_marks && nvptx_cuda.cuStreamWriteValue32_v2 != NULL);
  dev->queues = queues;
  return GOMP_OK;
}

void
nvptx_queue_close (struct gomp_plugin_device *dev, bool exiting)
{
  struct nvptx_queues *queues = dev->queues;
  if (queues == NULL || exiting)
    return;			/* other threads may still look at words */
  dev->queues = NULL;
  /* Relaxed: nobody else uses the device any more.  */
  struct nvptx_queue *q = atomic_load_explicit (&queues->xall, memory_order_relaxed);
  bool lost = nvptx_is_lost (dev);
  for (struct nvptx_queue *next; q != NULL; q = next)
    {
      next = q->next;
      if (q->stream != NULL && !lost)
	nvptx_check_quiet (dev, nvptx_cuda.cuStreamDestroy_v2 (q->stream));
      nvptx_times_free (q->times, lost);
      free (q);
    }
  for (struct sync_event *e = queues->events, *next; e != NULL; e = next)
    {
      next = e->next;
      if (!lost)
	nvptx_check_quiet (dev, nvptx_cuda.cuEventDestroy_v2 (e->event));
      free (e);
    }
  for (struct word_page *page = queues->pages, *next; page != NULL; page = next)
    {
      next = page->next;
      if (!lost)
	nvptx_pinned_free (dev, page->words);
      free (page);
    }
  pthread_mutex_destroy (&queues->lock);
  free (queues);
}

/* ---- queues ---- */

/* A word of its own for Q.  The caller has entered DEV.  */
static gomp_status_t
find_word (struct gomp_plugin_device *dev, struct nvptx_queue *q)
{
  struct nvptx_queues *queues = dev->queues;
  char *at = NULL;

  while (at == NULL)
    {
      pthread_mutex_lock (&queues->lock);
      struct word_page *page = queues->pages;
      if (page != NULL && page->left > 0)
	at = (char *) page->words + --page->left * WORD_STRIDE;
      pthread_mutex_unlock (&queues->lock);
      if (at != NULL)
	break;
      page = malloc (sizeof (*page));
      if (page == NULL)
	return no_memory ();
      gomp_status_t status = nvptx_pinned_alloc (dev, WORD_PAGE, &page->words, "completion words");
      if (status != GOMP_OK)
	{
	  free (page);
	  return status;
	}
      page->left = WORD_PAGE / WORD_STRIDE;
      pthread_mutex_lock (&queues->lock);
      page->next = queues->pages;
      queues->pages = page;
      pthread_mutex_unlock (&queues->lock);
    }
  q->word = (_Atomic uint32_t *) at;
  atomic_init (q->word, (uint32_t) FIRST_NUMBER);
  return NVPTX_CALL (dev, cuMemHostGetDevicePointer_v2, (&q->word_addr, at, 0),
		     "looking where the device sees its completion words");
}

/* A new queue without a stream.  The caller has entered DEV.  */
static gomp_status_t
new_queue (struct gomp_plugin_device *dev, struct nvptx_queue **result)
{
  struct nvptx_queues *queues = dev->queues;
  struct nvptx_queue *q = calloc (1, sizeof (*q));
  if (q == NULL)
    return no_memory ();
  q->base.dev = dev;
  atomic_init (&q->xnext, (uint32_t) FIRST_NUMBER);
  gomp_status_t status = find_word (dev, q);
  if (status != GOMP_OK)
    {
      free (q);
      return status;
    }
  q->times = nvptx_times_new (dev);
  pthread_mutex_lock (&queues->lock);
  q->next = atomic_load_explicit (&queues->xall, memory_order_relaxed);	/* under the lock */
  q->index = q->next != NULL ? q->next->index + 1 : 1;
  /* Release: the fields, for those who look without the lock.  */
  atomic_store_explicit (&queues->xall, q, memory_order_release);
  pthread_mutex_unlock (&queues->lock);
  *result = q;
  return GOMP_OK;
}

static void
keep_for_later (struct nvptx_queues *queues, struct nvptx_queue *q)
{
  pthread_mutex_lock (&queues->lock);
  q->next_free = queues->free;
  queues->free = q;
  pthread_mutex_unlock (&queues->lock);
}

gomp_status_t
nvptx_queue_create (struct gomp_plugin_device *dev, struct gomp_plugin_queue **queue)
{
  struct nvptx_queues *queues = dev->queues;
  struct nvptx_scope scope;
  gomp_status_t status = nvptx_enter (dev, &scope);
  if (status != GOMP_OK)
    return status;

  pthread_mutex_lock (&queues->lock);
  struct nvptx_queue *q = queues->free;
  if (q != NULL)
    queues->free = q->next_free;
  pthread_mutex_unlock (&queues->lock);
  if (q == NULL)
    status = new_queue (dev, &q);
  if (status == GOMP_OK)
    {
      CUstream stream = NULL;
      status = NVPTX_CALL (dev, cuStreamCreate, (&stream, CU_STREAM_NON_BLOCKING),
			   "making a stream");
      if (status == GOMP_OK)
	{
	  /* nvptx_progress looks.  */
	  pthread_mutex_lock (&queues->lock);
	  q->stream = stream;
	  pthread_mutex_unlock (&queues->lock);
	  *queue = &q->base;
	}
      else
	keep_for_later (queues, q);
    }
  nvptx_leave (dev, &scope);
  return status;
}

void
nvptx_queue_destroy (struct gomp_plugin_queue *queue)
{
  struct nvptx_queue *q = nvptx_queue_of (queue);
  struct gomp_plugin_device *dev = queue->dev;
  struct nvptx_scope scope;

  /* nvptx_progress may be about to use it.  */
  pthread_mutex_lock (&dev->queues->lock);
  CUstream stream = q->stream;
  q->stream = NULL;
  pthread_mutex_unlock (&dev->queues->lock);
  if (nvptx_enter (dev, &scope) == GOMP_OK)
    {
      nvptx_check_quiet (dev, nvptx_cuda.cuStreamDestroy_v2 (stream));
      nvptx_leave (dev, &scope);
    }
  keep_for_later (dev->queues, q);
}

CUstream
nvptx_queue_stream (struct gomp_plugin_queue *queue)
{
  struct nvptx_queue *q = nvptx_queue_of (queue);
  nvptx_queue_begins (q);
  return q->stream;
}

/* ---- lost devices ---- */

void
nvptx_queue_lost (struct gomp_plugin_device *dev)
{
  struct nvptx_queues *queues = dev->queues;
  if (queues == NULL)
    return;
  unsigned running = 0;
  /* Acquire: the queues.  */
  struct nvptx_queue *all = atomic_load_explicit (&queues->xall, memory_order_acquire);
  pthread_mutex_lock (&queues->lock);
  for (struct nvptx_queue *q = all; q != NULL; q = q->next)
    {
      /* Acquire: its image; the number may belong to the next one already, then it counts as
	 running.  */
      struct nvptx_kernel *kernel = atomic_load_explicit (&q->xkernel, memory_order_acquire);
      uint32_t number = atomic_load_explicit (&q->xkernel_number, memory_order_relaxed);
      if (kernel != NULL && !nvptx_reached (q, number))
	{
	  running++;
	  queues->suspect_image = kernel->image;
	  queues->suspect = kernel->index;
	}
    }
  queues->have_suspect = running == 1;
  pthread_mutex_unlock (&queues->lock);
  for (struct nvptx_queue *q = all; q != NULL; q = q->next)
    /* Sequentially consistent with mark, which stores the number and then looks whether the device is
       lost.  */
    atomic_store_explicit (q->word, atomic_load_explicit (&q->xnext, memory_order_seq_cst),
			   memory_order_seq_cst);
}

bool
nvptx_queue_suspect (struct gomp_plugin_device *dev, struct gomp_plugin_image **image,
		     size_t *function)
{
  struct nvptx_queues *queues = dev->queues;
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

/* Is the context alive?  Asks the driver.  The caller has not entered.  */
static gomp_status_t
look (struct nvptx_queue *q)
{
  struct gomp_plugin_device *dev = q->base.dev;
  struct nvptx_scope scope;
  gomp_status_t status = nvptx_enter (dev, &scope);
  if (status != GOMP_OK)
    return status;
  CUresult result = nvptx_cuda.cuStreamQuery (q->stream);
  if (result != CUDA_ERROR_NOT_READY)
    status = nvptx_check (dev, result, "cuStreamQuery", "waiting for the device");
  nvptx_leave (dev, &scope);
  return status;
}

void
nvptx_progress (struct gomp_plugin_device *dev)
{
  struct nvptx_queues *queues = dev->queues;
  if (nvptx_is_lost (dev))
    return;			/* all words are where they have to be */
  uint64_t now = plugin_now (), next = atomic_load_explicit (&queues->xlook, memory_order_relaxed);
  /* Relaxed: only to be one of many.  */
  if (now < next
      || !atomic_compare_exchange_strong_explicit (&queues->xlook, &next, now + LOOK_NS,
						   memory_order_relaxed, memory_order_relaxed))
    return;
  struct nvptx_scope scope;
  if (nvptx_enter (dev, &scope) != GOMP_OK)
    return;
  CUresult result = CUDA_ERROR_NOT_READY;
  pthread_mutex_lock (&queues->lock);
  /* An error shows on any stream of the context.  Relaxed: under the lock.  */
  struct nvptx_queue *q = atomic_load_explicit (&queues->xall, memory_order_relaxed);
  for (; q != NULL; q = q->next)
    if (q->stream != NULL
	&& !nvptx_reached (q, atomic_load_explicit (&q->xnext, memory_order_relaxed)))
      {
	result = nvptx_cuda.cuStreamQuery (q->stream);
	break;
      }
  pthread_mutex_unlock (&queues->lock);
  if (result != CUDA_ERROR_NOT_READY)
    nvptx_check_quiet (dev, result);
  nvptx_leave (dev, &scope);
}

/* ---- events ---- */

gomp_status_t
nvptx_event_create (struct gomp_plugin_device *dev, struct gomp_plugin_event **event)
{
  (void) dev;
  struct nvptx_event *e = calloc (1, sizeof (*e));
  if (e == NULL)
    return no_memory ();
  e->base.word = &never_recorded;
  *event = &e->base;
  return GOMP_OK;
}

void
nvptx_event_destroy (struct gomp_plugin_event *event)
{
  free (event_of (event));
}

/* Let the device mark Q's word with NUMBER.  The caller has entered.  */
static gomp_status_t
mark (struct nvptx_queue *q, uint32_t number)
{
  struct gomp_plugin_device *dev = q->base.dev;
  struct nvptx_queues *queues = dev->queues;

  /* Relaxed: either way is right.  */
  if (__builtin_expect (atomic_load_explicit (&queues->xwrites, memory_order_relaxed), 1))
    {
      CUresult result = nvptx_cuda.cuStreamWriteValue32_v2 (q->stream, q->word_addr, number,
							    CU_STREAM_WRITE_VALUE_DEFAULT);
      if (result != CUDA_ERROR_NOT_SUPPORTED)
	return nvptx_check (dev, result, "cuStreamWriteValue32", "recording an event");
      nvptx_core->debug (1, "nvptx device %u: streams cannot write memory, words are filled",
			 dev->ordinal);
      atomic_store_explicit (&queues->xwrites, false, memory_order_relaxed);
    }
  return NVPTX_CALL (dev, cuMemsetD32Async, (q->word_addr, number, 1, q->stream),
		     "recording an event");
}

/* A new number behind what Q holds.  The caller has entered.  */
static gomp_status_t
record (struct nvptx_queue *q, uint32_t *number)
{
  uint32_t next = nvptx_queue_next (q);
  gomp_status_t status = GOMP_OK;
  bool marked = false;

  /* Before the number is taken: what a launch takes is in use until the next number.  */
  if (q->held.any && (status = nvptx_ride_go (q, next, &marked)) != GOMP_OK)
    return status;
  if (__builtin_expect (q->times != NULL, 0))
    nvptx_times_end (q, next);
  /* Sequentially consistent with nvptx_queue_lost: it sees the number, or it is seen.  */
  atomic_store_explicit (&q->xnext, next, memory_order_seq_cst);
  if (!marked)
    status = mark (q, next);
  if (__builtin_expect (status != GOMP_OK, 0))
    {
      if (status != GOMP_DEVICE_LOST)
	/* Nothing will ever write it.  Relaxed: for this thread.  */
	atomic_store_explicit (&q->xnext, next - 1, memory_order_relaxed);
      return status;
    }
  if (__builtin_expect (atomic_load_explicit (&q->base.dev->xlost, memory_order_seq_cst) != 0, 0))
    atomic_store_explicit (q->word, next, memory_order_release);
  *number = next;
  return GOMP_OK;
}

/* All else is with the hardware as soon as it is enqueued.  */
gomp_status_t
nvptx_queue_flush (struct gomp_plugin_queue *queue)
{
  return nvptx_ride_end (nvptx_queue_of (queue));
}

gomp_status_t
nvptx_event_record (struct gomp_plugin_queue *queue, struct gomp_plugin_event *event)
{
  struct nvptx_queue *q = nvptx_queue_of (queue);
  struct nvptx_event *e = event_of (event);
  struct nvptx_scope scope;
  uint32_t number;

  gomp_status_t status = nvptx_enter (queue->dev, &scope);
  if (status == GOMP_OK)
    {
      status = record (q, &number);
      nvptx_leave (queue->dev, &scope);
    }
  if (__builtin_expect (status == GOMP_OK, 1))
    {
      e->queue = q;
      e->base.word = q->word;
      e->base.target = number;
    }
  else
    {
      /* Nobody is to wait for it.  */
      e->queue = NULL;
      e->base.word = &never_recorded;
      e->base.target = 0;
    }
  return status;
}

gomp_status_t
nvptx_event_status (struct gomp_plugin_event *event)
{
  struct nvptx_queue *q = event_of (event)->queue;
  if (q == NULL)
    return GOMP_OK;
  struct gomp_plugin_device *dev = q->base.dev;
  gomp_status_t status = nvptx_alive (dev);
  /* Relaxed: a hint.  */
  if (__builtin_expect (atomic_load_explicit (&q->xtimed, memory_order_relaxed) != NULL, 0)
      && status == GOMP_OK)
    nvptx_launch_timed (q, event->target);
  /* Relaxed: set and cleared by threads that the core has ordered.  While there is more on the queue,
     a later event asks for the output.  */
  if (__builtin_expect (atomic_load_explicit (&q->xprints, memory_order_relaxed), 0)
      && status == GOMP_OK
      && event->target == atomic_load_explicit (&q->xnext, memory_order_relaxed))
    {
      struct nvptx_scope scope;
      atomic_store_explicit (&q->xprints, false, memory_order_relaxed);
      status = nvptx_enter (dev, &scope);
      if (status == GOMP_OK)
	{
	  /* The stream is idle; it is this call that makes the driver print.  */
	  status = NVPTX_CALL (dev, cuStreamSynchronize, (q->stream),
			       "printing what device code has printed");
	  nvptx_leave (dev, &scope);
	}
    }
  return status;
}

gomp_status_t
nvptx_event_time (struct gomp_plugin_event *event, uint64_t *begin, uint64_t *end)
{
  struct nvptx_queue *q = event_of (event)->queue;
  struct nvptx_scope scope;

  if (q == NULL || q->times == NULL)
    return GOMP_UNSUPPORTED;
  gomp_status_t status = nvptx_enter (q->base.dev, &scope);
  if (status == GOMP_OK)
    {
      status = nvptx_times_get (q, event->target, begin, end);
      nvptx_leave (q->base.dev, &scope);
    }
  return status;
}

/* ---- the driver's events: blocking, and order between queues ---- */

/* An idle event that blocks threads.  The caller has entered.  */
static gomp_status_t
take_event (struct gomp_plugin_device *dev, struct sync_event **event)
{
  struct nvptx_queues *queues = dev->queues;
  gomp_status_t status = GOMP_OK;

  pthread_mutex_lock (&queues->lock);
  struct sync_event *e = queues->events;
  if (e != NULL)
    queues->events = e->next;
  pthread_mutex_unlock (&queues->lock);
  if (e == NULL)
    {
      e = malloc (sizeof (*e));
      if (e == NULL)
	return no_memory ();
      status = NVPTX_CALL (dev, cuEventCreate,
			   (&e->event, CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING),
			   "making an event");
      if (status != GOMP_OK)
	{
	  free (e);
	  return status;
	}
    }
  *event = e;
  return GOMP_OK;
}

static void
give_event (struct gomp_plugin_device *dev, struct sync_event *event)
{
  struct nvptx_queues *queues = dev->queues;
  pthread_mutex_lock (&queues->lock);
  event->next = queues->events;
  queues->events = event;
  pthread_mutex_unlock (&queues->lock);
}

gomp_status_t
nvptx_stream_follow (struct nvptx_queue *q, struct nvptx_queue *other)
{
  struct gomp_plugin_device *dev = q->base.dev, *other_dev = other->base.dev;
  struct sync_event *e;
  struct nvptx_scope scope;

  /* An event belongs to the context in which it is recorded; any stream may wait for it.  */
  gomp_status_t status = nvptx_enter (other_dev, &scope);
  if (status != GOMP_OK)
    return status;
  status = take_event (other_dev, &e);
  if (status == GOMP_OK)
    {
      status = NVPTX_CALL (other_dev, cuEventRecord, (e->event, other->stream),
			   "ordering two queues");
      nvptx_leave (other_dev, &scope);
      if (status == GOMP_OK)
	/* The stream keeps what it waits for: afterwards the event is free.  */
	status = NVPTX_CALL (dev, cuStreamWaitEvent, (q->stream, e->event, 0),
			     "ordering two queues");
      give_event (other_dev, e);
    }
  else
    nvptx_leave (other_dev, &scope);
  return status;
}

gomp_status_t
nvptx_queue_wait_event (struct gomp_plugin_queue *queue, struct gomp_plugin_event *event)
{
  struct nvptx_queue *q = nvptx_queue_of (queue), *other = event_of (event)->queue;
  struct gomp_plugin_device *dev = queue->dev;

  gomp_status_t status = nvptx_alive (dev);
  /* A queue is in order by itself.  The events of a lost device are signalled.  */
  if (status != GOMP_OK || other == NULL || other == q || nvptx_reached (other, event->target)
      || nvptx_is_lost (other->base.dev))
    return status;
  status = nvptx_ride_end (q);
  if (status != GOMP_OK)
    return status;
  struct nvptx_scope scope;
  status = nvptx_enter (dev, &scope);
  if (status != GOMP_OK)
    return status;
  CUresult result = CUDA_ERROR_NOT_SUPPORTED;
  /* To wait for the word is to wait for this event and not for what came later.  Nothing can be
     in its way: the mark was enqueued before.  Other devices have the word at its host address,
     so they must use such.  */
  if (nvptx_cuda.cuStreamWaitValue32_v2 != NULL
      && (other->base.dev == dev || dev->facts->unified_addressing))
    result = nvptx_cuda.cuStreamWaitValue32_v2 (q->stream, other->word_addr, event->target,
						CU_STREAM_WAIT_VALUE_GEQ);
  if (result == CUDA_ERROR_NOT_SUPPORTED)
    status = nvptx_stream_follow (q, other);
  else
    status = nvptx_check (dev, result, "cuStreamWaitValue32", "ordering two queues");
  nvptx_leave (dev, &scope);
  return status;
}

/* An event of the driver may be recorded on a stream by any thread.  */
gomp_status_t
nvptx_queue_follow (struct gomp_plugin_queue *queue, struct gomp_plugin_queue *other)
{
  struct nvptx_queue *q = nvptx_queue_of (queue);
  struct nvptx_scope scope;

  gomp_status_t status = nvptx_ride_end (q);
  if (status == GOMP_OK)
    status = nvptx_enter (queue->dev, &scope);
  if (status == GOMP_OK)
    {
      status = nvptx_stream_follow (q, nvptx_queue_of (other));
      nvptx_leave (queue->dev, &scope);
    }
  return status;
}

/* ---- waiting ---- */

/* May device code that NUMBER waits for call the host?  */
static bool
may_call_host (struct nvptx_queue *q)
{
  /* Relaxed: the thread that launches says so before its wait; others have helpers.  */
  return (q->base.dev->reverse != NULL
	  && atomic_load_explicit (&q->xcalls_host, memory_order_relaxed)
	  && !nvptx_reached (q, atomic_load_explicit (&q->xcall_number, memory_order_relaxed)));
}

static void
nap (uint64_t waited)
{
  uint64_t ns = waited / NAP_PART;
  struct timespec t = { .tv_nsec = ns < FIRST_NAP_NS ? FIRST_NAP_NS
				   : ns > LAST_NAP_NS ? LAST_NAP_NS : (long) ns };
  nanosleep (&t, NULL);
}

/* Sleep until everything that Q holds is complete, which includes what is waited for.  */
static gomp_status_t
block (struct nvptx_queue *q)
{
  struct gomp_plugin_device *dev = q->base.dev;
  struct nvptx_scope scope;
  struct sync_event *e;

  gomp_status_t status = nvptx_enter (dev, &scope);
  if (status != GOMP_OK)
    return status;
  status = take_event (dev, &e);
  if (status == GOMP_OK)
    {
      status = NVPTX_CALL (dev, cuEventRecord, (e->event, q->stream), "waiting for the device");
      if (status == GOMP_OK)
	status = NVPTX_CALL (dev, cuEventSynchronize, (e->event), "waiting for the device");
      give_event (dev, e);
    }
  nvptx_leave (dev, &scope);
  return status;
}

/* Wait until Q has reached NUMBER, which it has not.  */
static gomp_status_t
wait_long (struct nvptx_queue *q, uint32_t number)
{
  struct gomp_plugin_device *dev = q->base.dev;
  bool calls = may_call_host (q);
  /* Relaxed: a measure.  */
  unsigned pollers = atomic_fetch_add_explicit (&xpollers, 1, memory_order_relaxed) + 1;
  uint64_t start = plugin_now (), busy = start, next_look = start + LOOK_NS;
  uint64_t patience = plugin_patience (pollers);
  bool polls = patience > 0;
  gomp_status_t status = GOMP_OK;
  struct plugin_waiter waiter;

  if (calls)
    nvptx_reverse_begin (dev, &waiter, q);
  while (status == GOMP_OK)
    {
      for (int i = polls && !calls ? POLLS_PER_CLOCK : 1; i > 0; i--)
	{
	  if (nvptx_reached (q, number))
	    goto out;
	  if (!calls)
	    pause_cpu ();
	}
      uint64_t now = plugin_now ();
      if (calls && nvptx_reverse_serve (dev, &waiter))
	busy = now;		/* the region goes on, perhaps to its next call */
      else if (now >= next_look)
	{
	  status = look (q);
	  next_look = now + LOOK_NS;
	}
      else if (now - busy >= patience)
	{
	  /* Relaxed: only this thread records, or it is a later event's mark that comes late.  */
	  if (calls || number != atomic_load_explicit (&q->xnext, memory_order_relaxed))
	    nap (now - busy);
	  else
	    status = block (q);
	}
    }
 out:
  if (calls)
    nvptx_reverse_end (dev, &waiter);
  atomic_fetch_sub_explicit (&xpollers, 1, memory_order_relaxed);
  return status != GOMP_OK ? status : nvptx_alive (dev);
}

static gomp_status_t
wait_for (struct nvptx_queue *q, uint32_t number)
{
  if (nvptx_reached (q, number))
    return nvptx_alive (q->base.dev);
  return wait_long (q, number);
}

gomp_status_t
nvptx_event_wait (struct gomp_plugin_event *event)
{
  struct nvptx_queue *q = event_of (event)->queue;
  return q != NULL ? wait_for (q, event->target) : GOMP_OK;
}

gomp_status_t
nvptx_queue_wait (struct gomp_plugin_queue *queue)
{
  struct nvptx_queue *q = nvptx_queue_of (queue);
  struct nvptx_scope scope;
  uint32_t number;

  gomp_status_t status = nvptx_enter (queue->dev, &scope);
  if (status != GOMP_OK)
    return status;
  status = record (q, &number);
  nvptx_leave (queue->dev, &scope);
  return status == GOMP_OK ? wait_for (q, number) : status;
}

/* ---- for nvptx-launch.c and nvptx-reverse.c ---- */

/* Who sees a call of a kernel knows that it runs: the driver's call comes behind.  */
struct nvptx_calls
nvptx_queue_launching (struct nvptx_queue *q)
{
  /* Relaxed, all: see the readers.  */
  struct nvptx_calls before = { atomic_load_explicit (&q->xcalls_host, memory_order_relaxed),
				atomic_load_explicit (&q->xcall_number, memory_order_relaxed) };
  atomic_store_explicit (&q->xcall_number, nvptx_queue_next (q), memory_order_relaxed);
  atomic_store_explicit (&q->xcalls_host, true, memory_order_relaxed);
  nvptx_reverse_launching (q->base.dev);
  return before;
}

void
nvptx_queue_not_launched (struct nvptx_queue *q, struct nvptx_calls before)
{
  atomic_store_explicit (&q->xcalls_host, before.calls_host, memory_order_relaxed);
  atomic_store_explicit (&q->xcall_number, before.number, memory_order_relaxed);
}

void
nvptx_queue_launched (struct nvptx_queue *q, struct nvptx_kernel *kernel)
{
  uint32_t number = nvptx_queue_next (q);
  /* Release: nvptx_queue_lost looks into the kernel.  The rest relaxed: see the readers.  */
  atomic_store_explicit (&q->xkernel_number, number, memory_order_relaxed);
  atomic_store_explicit (&q->xkernel, kernel, memory_order_release);
  if (__builtin_expect (kernel->image->prints, 0))
    atomic_store_explicit (&q->xprints, true, memory_order_relaxed);
  if (__builtin_expect (kernel->image->calls_host, 0))
    {
      /* Again: launching it may have recorded something.  */
      atomic_store_explicit (&q->xcall_number, number, memory_order_relaxed);
      nvptx_reverse_launched (q->base.dev);
    }
}

bool
nvptx_queue_others_call (struct gomp_plugin_device *dev, const void *queue)
{
  /* Acquire: the queues.  */
  struct nvptx_queue *q = atomic_load_explicit (&dev->queues->xall, memory_order_acquire);
  for (; q != NULL; q = q->next)
    if (q != queue && may_call_host (q))
      return true;
  return false;
}

bool
nvptx_queue_calls_host (struct gomp_plugin_device *dev)
{
  return nvptx_queue_others_call (dev, NULL);
}
