/* nvptx-times.c -- when operations of a queue took place, for GOMP_TRACE.

   With a trace every operation of a queue is put between two events of the driver that note the
   time.  The last TIMES_KEPT pairs of a queue are kept by the number of the event that the core
   recorded behind the operation.

   The driver tells differences between its events, as float milliseconds.  They are turned into
   times of CLOCK_MONOTONIC by an event whose time is known, the base: it was recorded on an
   idle stream, and the host has waited for it.  A float has 24 bits, so that a base becomes too old
   for exact differences: after BASE_MS a new one is made, every time.

   Locks: lock of a queue's times, held while the driver is asked for differences, never during
   a wait.  Only with GOMP_TRACE.  */

#include "nvptx-queue.h"
#include "clock.h"

#include <stdlib.h>

enum { TIMES_KEPT = 256 };	/* a power of two */
#define BASE_MS 2000.f
enum { BASE_TRIES = 5, BASE_GOOD_NS = 50000 };

struct pair
{
  uint32_t number;
  bool has_begin, has_end;	/* recorded */
  CUevent begin, end;		/* NULL: not made yet */
};

struct nvptx_times
{
  pthread_mutex_t lock;		/* protects the rest */
  CUevent base;			/* NULL: none yet */
  uint64_t base_ns;
  CUstream idle;		/* for the base */
  struct pair pairs[TIMES_KEPT];
};

struct nvptx_times *
nvptx_times_new (struct gomp_plugin_device *dev)
{
  if (!nvptx_core->wants_times)
    return NULL;
  struct nvptx_times *times = calloc (1, sizeof (*times));
  if (times == NULL)
    return NULL;
  if (nvptx_check_quiet (dev, nvptx_cuda.cuStreamCreate (&times->idle, CU_STREAM_NON_BLOCKING))
      != GOMP_OK)
    {
      free (times);
      return NULL;
    }
  pthread_mutex_init (&times->lock, NULL);
  return times;
}

static void
drop (CUevent event)
{
  if (event != NULL)
    nvptx_check_quiet (NULL, nvptx_cuda.cuEventDestroy_v2 (event));
}

void
nvptx_times_free (struct nvptx_times *times, bool exiting)
{
  if (times == NULL)
    return;
  if (!exiting)
    {
      for (int i = 0; i < TIMES_KEPT; i++)
	{
	  drop (times->pairs[i].begin);
	  drop (times->pairs[i].end);
	}
      drop (times->base);
      nvptx_check_quiet (NULL, nvptx_cuda.cuStreamDestroy_v2 (times->idle));
    }
  pthread_mutex_destroy (&times->lock);
  free (times);
}

/* Record *EVENT, which is made if there is none.  */
static bool
record (struct nvptx_queue *q, CUevent *event)
{
  struct gomp_plugin_device *dev = q->base.dev;
  if (*event == NULL
      && nvptx_check_quiet (dev, nvptx_cuda.cuEventCreate (event, CU_EVENT_DEFAULT)) != GOMP_OK)
    {
      *event = NULL;
      return false;
    }
  return nvptx_check_quiet (dev, nvptx_cuda.cuEventRecord (*event, q->stream)) == GOMP_OK;
}

/* The pair of the event NUMBER, emptied if it is an older one's.  */
static struct pair *
pair_for (struct nvptx_times *times, uint32_t number)
{
  struct pair *pair = &times->pairs[number & (TIMES_KEPT - 1)];
  if (pair->number != number)
    {
      pair->number = number;
      pair->has_begin = pair->has_end = false;
    }
  return pair;
}

void
nvptx_times_begin (struct nvptx_queue *q)
{
  struct nvptx_times *times = q->times;
  pthread_mutex_lock (&times->lock);
  struct pair *pair = pair_for (times, nvptx_queue_next (q));
  pair->has_begin = record (q, &pair->begin);
  pthread_mutex_unlock (&times->lock);
}

void
nvptx_times_end (struct nvptx_queue *q, uint32_t number)
{
  struct nvptx_times *times = q->times;
  pthread_mutex_lock (&times->lock);
  struct pair *pair = pair_for (times, number);
  pair->has_end = record (q, &pair->end);
  pthread_mutex_unlock (&times->lock);
}

/* Make a base of now.  Its time is somewhere in the call; one that took long, because this thread did
   not run meanwhile, is tried again, and the best one stays.  */
static bool
new_base (struct gomp_plugin_device *dev, struct nvptx_times *times)
{
  int64_t best = INT64_MAX;

  for (int tries = 0; tries < BASE_TRIES && best > BASE_GOOD_NS; tries++)
    {
      CUevent base;

      if (nvptx_check_quiet (dev, nvptx_cuda.cuEventCreate (&base, CU_EVENT_DEFAULT)) != GOMP_OK)
	break;
      uint64_t before = plugin_now ();
      if (nvptx_check_quiet (dev, nvptx_cuda.cuEventRecord (base, times->idle)) != GOMP_OK
	  || nvptx_check_quiet (dev, nvptx_cuda.cuEventSynchronize (base)) != GOMP_OK)
	{
	  drop (base);
	  break;
	}
      int64_t took = (int64_t) (plugin_now () - before);
      if (took >= best)
	{
	  drop (base);
	  continue;
	}
      drop (times->base);
      times->base = base;
      times->base_ns = before + (uint64_t) took / 2;
      best = took;
    }
  return best != INT64_MAX;
}

gomp_status_t
nvptx_times_get (struct nvptx_queue *q, uint32_t number, uint64_t *begin, uint64_t *end)
{
  struct nvptx_times *times = q->times;
  struct gomp_plugin_device *dev = q->base.dev;
  gomp_status_t status = GOMP_UNSUPPORTED;

  pthread_mutex_lock (&times->lock);
  const struct pair *pair = &times->pairs[number & (TIMES_KEPT - 1)];
  if (pair->number == number && pair->has_end && (times->base != NULL || new_base (dev, times)))
    {
      float ms = 0, took = 0;
      CUresult result = nvptx_cuda.cuEventElapsedTime (&ms, times->base, pair->end);
      if (result == CUDA_SUCCESS && ms > BASE_MS && new_base (dev, times))
	result = nvptx_cuda.cuEventElapsedTime (&ms, times->base, pair->end);
      if (nvptx_check_quiet (dev, result) == GOMP_OK)
	{
	  *end = times->base_ns + (int64_t) (ms * 1e6);
	  *begin = 0;
	  if (pair->has_begin
	      && nvptx_check_quiet (dev, nvptx_cuda.cuEventElapsedTime (&took, pair->begin, pair->end))
		 == GOMP_OK)
	    *begin = *end - (uint64_t) (took * 1e6);
	  status = GOMP_OK;
	}
    }
  pthread_mutex_unlock (&times->lock);
  return status;
}
