/* hsa-copy.c -- copies and fills, and the engines that do them.

   Each GPU agent has two engines, one for copies into its memory and one for those out of it, as the
   SDMA engines of hardware: an engine takes its copies in order, and waits with the first one until its
   dependences are 0.  The thread of an engine starts with its first copy.

   Invariants
   1. A copy is on the list of its engine until it is complete; so whoever frees what it uses is
      found out.
   2. The list is protected by the engine's lock; the copy itself is fixed while it is on the
      list.  */

#include "hsa-sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MAX_DEPS = 1024 };

/* SIZE bytes at ADDR, SIZE a row's when there are rows.  */
struct side
{
  uint64_t addr;		/* as the program says it */
  size_t pitch, slice;
  struct sim_range range;	/* where it is */
};

struct copy
{
  struct copy *next;
  struct side to, from;
  size_t width, rows, planes;
  hsa_signal_t completion;
  uint32_t num_deps;
  hsa_signal_t deps[];
};

static struct engine
{
  pthread_mutex_t lock;
  pthread_cond_t work;
  int gpu;
  bool started;
  struct copy *head, **tail;
} engines[SIM_MAX_AGENTS][2];

static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Atomic bool never;

static void
start_engines (void)
{
  for (int i = 0; i < SIM_MAX_AGENTS; i++)
    for (int j = 0; j < 2; j++)
      {
	pthread_mutex_init (&engines[i][j].lock, NULL);
	pthread_cond_init (&engines[i][j].work, NULL);
	engines[i][j].tail = &engines[i][j].head;
	engines[i][j].gpu = i;
      }
}

/* ---- what is copied ---- */

/* Bytes from the first to the last of a side.  */
static size_t
extent (const struct side *s, size_t width, size_t rows, size_t planes)
{
  return s->slice * (planes - 1) + s->pitch * (rows - 1) + width;
}

/* Where ADDR is for the simulator; NULL: nowhere, and that was told.  With ENGINE not -2, it must be
   memory that the agent ENGINE can use, so not just any of the program's.  */
static bool
locate (const char *function, struct side *s, size_t bytes, int engine)
{
  char text[300];
  if (space_is_arena (s->addr))
    {
      if (space_view (s->addr, bytes, &s->range) == NULL)
	{
	  sim_space_explain (s->addr, bytes, -1, text, sizeof (text));
	  hsa_misuse ("%s: [%#lx, +%zu) is not allocated: %s", function, (unsigned long) s->addr,
		      bytes, text);
	  return false;
	}
    }
  else if (engine == -2)
    space_view (s->addr, bytes, &s->range);
  else
    {
      struct sim_range locked;
      if (space_locked_host ((void *) s->addr, &locked)
	  && bytes <= locked.size - (s->addr - (uintptr_t) locked.view))
	{
	  s->range = locked;
	  s->addr = locked.start + (s->addr - (uintptr_t) locked.view);
	}
      else if (!sim_space_find (s->addr, bytes, engine, &s->range))
	{
	  hsa_misuse ("%s: [%#lx, +%zu) is memory of the program that is not locked", function,
		      (unsigned long) s->addr, bytes);
	  return false;
	}
    }
  if (engine >= 0 && (s->range.agents >> engine & 1) == 0)
    {
      sim_space_explain (s->addr, bytes, engine, text, sizeof (text));
      hsa_misuse ("%s: [%#lx, +%zu): %s", function, (unsigned long) s->addr, bytes, text);
      return false;
    }
  return true;
}

static void
copy_row (const struct side *to, size_t to_offset, const struct side *from, size_t from_offset,
	  size_t size)
{
  size_t t = to->addr - to->range.start + to_offset;
  size_t f = from->addr - from->range.start + from_offset;
  memmove (to->range.view + t, from->range.view + f, size);
  space_define (&to->range, to->range.view + t, size,
		from->range.shadow != NULL ? from->range.shadow + f : NULL);
}

static void
copy_all (const struct copy *c)
{
  for (size_t z = 0; z < c->planes; z++)
    for (size_t y = 0; y < c->rows; y++)
      copy_row (&c->to, z * c->to.slice + y * c->to.pitch, &c->from,
		z * c->from.slice + y * c->from.pitch, c->width);
}

/* ---- engines ---- */

static void *
run_engine (void *arg)
{
  struct engine *e = arg;
  pthread_mutex_lock (&e->lock);
  for (;;)
    {
      while (e->head == NULL)
	pthread_cond_wait (&e->work, &e->lock);
      struct copy *c = e->head;
      pthread_mutex_unlock (&e->lock);
      signal_wait_zero (c->deps, c->num_deps, true, &never);
      hsa_status_t status = hsa_execute ("copy");
      uint64_t begin = hsa_now ();
      /* Where a queue has failed, the program ends by itself what is waited for, by others and by itself, whether or not it has
	 happened: the kernel of another queue may be at work on that memory.  Relaxed: told before by such a signal.  */
      bool dropped = atomic_load_explicit (&hsa_gpus[e->gpu].xfailed, memory_order_relaxed);
      if (status == HSA_STATUS_SUCCESS && !dropped)
	copy_all (c);
      uint64_t end = hsa_now ();
      hsa_log ("%s %#lx from %#lx +%zu*%zu*%zu", dropped ? "did not copy" : "copied", (unsigned long) c->to.addr,
	       (unsigned long) c->from.addr, c->width, c->rows, c->planes);
      for (uint32_t i = 0; i < c->num_deps; i++)
	signal_unuse (c->deps[i]);
      pthread_mutex_lock (&e->lock);
      e->head = c->next;
      if (e->head == NULL)
	e->tail = &e->head;
      pthread_mutex_unlock (&e->lock);
      /* Before it is known to be complete: the program may end then, and look for lost memory.  */
      hsa_signal_t completion = c->completion;
      free (c);
      if (completion.handle != 0)
	{
	  signal_times (completion, begin, end);
	  signal_unuse (completion);
	  if (status == HSA_STATUS_SUCCESS)
	    signal_subtract (completion, 1);
	  else
	    signal_set (completion, -1);
	}
      pthread_mutex_lock (&e->lock);
    }
  return NULL;
}

static void
submit (int gpu, bool out, struct copy *c)
{
  struct engine *e = &engines[gpu][out];
  for (uint32_t i = 0; i < c->num_deps; i++)
    signal_use (c->deps[i]);
  signal_use (c->completion);
  hsa_count (COUNT_COPIES, 1);
  hsa_count (COUNT_COPY_BYTES, c->width * c->rows * c->planes);
  pthread_mutex_lock (&e->lock);
  if (!e->started)
    {
      pthread_t thread;
      if (pthread_create (&thread, NULL, run_engine, e) != 0)
	abort ();
      pthread_detach (thread);
      e->started = true;
    }
  *e->tail = c;
  e->tail = &c->next;
  pthread_cond_signal (&e->work);
  pthread_mutex_unlock (&e->lock);
}

static bool
overlaps (const struct side *s, const struct copy *c, uint64_t addr, size_t size)
{
  uint64_t end = s->addr + extent (s, c->width, c->rows, c->planes);
  return s->addr < addr + size && addr < end;
}

void
copy_check_free (const char *function, uint64_t addr, size_t size)
{
  bool used = false;
  pthread_once (&once, start_engines);
  for (int i = 0; i < hsa_num_gpus; i++)
    for (int j = 0; j < 2; j++)
      {
	struct engine *e = &engines[i][j];
	pthread_mutex_lock (&e->lock);
	for (struct copy *c = e->head; c != NULL; c = c->next)
	  used = used || overlaps (&c->to, c, addr, size) || overlaps (&c->from, c, addr, size);
	pthread_mutex_unlock (&e->lock);
      }
  if (used)
    hsa_misuse ("%s: [%#lx, +%zu) is used by a copy in flight", function, (unsigned long) addr,
		size);
}

/* ---- asynchronous copies ---- */

/* The engine's agent for a copy between these; -2: there is none.  */
static int
choose_engine (int to, int from, bool *out)
{
  *out = from >= 0;
  return from >= 0 ? from : to >= 0 ? to : -2;
}

static bool
check_signals (const char *function, uint32_t num_deps, const hsa_signal_t *deps,
	       hsa_signal_t completion)
{
  if ((num_deps != 0) != (deps != NULL) || num_deps > MAX_DEPS)
    {
      hsa_misuse ("%s: %u dependences", function, num_deps);
      return false;
    }
  for (uint32_t i = 0; i < num_deps; i++)
    if (!hsa_signal_ok (deps[i], function))
      return false;
  return hsa_signal_ok (completion, function);
}

static struct copy *
new_copy (uint32_t num_deps, const hsa_signal_t *deps, hsa_signal_t completion)
{
  struct copy *c = calloc (1, sizeof (*c) + num_deps * sizeof (deps[0]));
  if (c == NULL)
    abort ();
  c->completion = completion;
  c->num_deps = num_deps;
  if (num_deps != 0)
    memcpy (c->deps, deps, num_deps * sizeof (deps[0]));
  return c;
}

/* Whose memory is ADDR, if the caller does not say?  */
static int
discover (uint64_t addr)
{
  struct sim_range range;
  return space_is_arena (addr) && space_view (addr, 1, &range) != NULL ? range.owner : -1;
}

hsa_status_t
hsa_amd_memory_async_copy (void *dst, hsa_agent_t dst_agent, const void *src,
			   hsa_agent_t src_agent, size_t size, uint32_t num_deps,
			   const hsa_signal_t *deps, hsa_signal_t completion)
{
  bool out;
  ENTER (hsa_amd_memory_async_copy);
  pthread_once (&once, start_engines);
  int to = dst_agent.handle != 0 ? hsa_agent_number (dst_agent) : discover ((uintptr_t) dst);
  int from = src_agent.handle != 0 ? hsa_agent_number (src_agent) : discover ((uintptr_t) src);
  if (to < -1 || from < -1)
    {
      hsa_misuse ("hsa_amd_memory_async_copy: %#lx, %#lx are not both agents",
		  (unsigned long) dst_agent.handle, (unsigned long) src_agent.handle);
      return HSA_STATUS_ERROR_INVALID_AGENT;
    }
  if (dst == NULL || src == NULL)
    {
      hsa_misuse ("hsa_amd_memory_async_copy: a null pointer");
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  if (!check_signals ("hsa_amd_memory_async_copy", num_deps, deps, completion))
    return HSA_STATUS_ERROR_INVALID_SIGNAL;
  int gpu = choose_engine (to, from, &out);
  if (gpu < 0)
    {
      hsa_misuse ("hsa_amd_memory_async_copy: neither agent is a GPU");
      return HSA_STATUS_ERROR_INVALID_AGENT;
    }
  struct copy *c = new_copy (num_deps, deps, completion);
  c->to.addr = (uintptr_t) dst;
  c->from.addr = (uintptr_t) src;
  c->width = size;
  c->rows = c->planes = 1;
  if (size == 0)
    c->planes = 0;
  else if (!locate ("hsa_amd_memory_async_copy", &c->to, size, gpu)
	   || !locate ("hsa_amd_memory_async_copy", &c->from, size, gpu))
    {
      free (c);
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  submit (gpu, out, c);
  return HSA_STATUS_SUCCESS;
}

/* One side of a rectangle; false: it is told.  */
static bool
set_side (struct side *s, const hsa_pitched_ptr_t *p, const hsa_dim3_t *offset,
	  const hsa_dim3_t *range)
{
  if ((uintptr_t) p->base % 4 != 0 || p->pitch % 4 != 0 || p->slice % 4 != 0)
    {
      hsa_misuse ("hsa_amd_memory_async_copy_rect: base, pitch and slice must be multiples of 4");
      return false;
    }
  if ((range->y > 1 && p->pitch < (size_t) offset->x + range->x)
      || (range->z > 1 && p->slice < p->pitch * ((size_t) offset->y + range->y)))
    {
      hsa_misuse ("hsa_amd_memory_async_copy_rect: %zu, %zu: rows overlap", p->pitch, p->slice);
      return false;
    }
  s->pitch = p->pitch;
  s->slice = p->slice;
  s->addr = (uintptr_t) p->base + offset->z * p->slice + offset->y * p->pitch + offset->x;
  return true;
}

hsa_status_t
hsa_amd_memory_async_copy_rect (const hsa_pitched_ptr_t *dst, const hsa_dim3_t *dst_offset,
				const hsa_pitched_ptr_t *src, const hsa_dim3_t *src_offset,
				const hsa_dim3_t *range, hsa_agent_t copy_agent, int direction,
				uint32_t num_deps, const hsa_signal_t *deps,
				hsa_signal_t completion)
{
  static const char function[] = "hsa_amd_memory_async_copy_rect";
  ENTER (hsa_amd_memory_async_copy_rect);
  pthread_once (&once, start_engines);
  int gpu = hsa_agent_number (copy_agent);
  if (gpu < 0)
    {
      hsa_misuse ("%s: %#lx is no GPU agent", function, (unsigned long) copy_agent.handle);
      return HSA_STATUS_ERROR_INVALID_AGENT;
    }
  if (dst == NULL || dst_offset == NULL || src == NULL || src_offset == NULL || range == NULL
      || direction < hsaHostToHost || direction > hsaDeviceToDevice)
    {
      hsa_misuse ("%s: %s", function, range == NULL || dst == NULL || src == NULL
		  ? "a null pointer" : "direction");
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  if (!check_signals (function, num_deps, deps, completion))
    return HSA_STATUS_ERROR_INVALID_SIGNAL;
  struct copy *c = new_copy (num_deps, deps, completion);
  c->width = range->x;
  c->rows = range->y;
  c->planes = range->x != 0 && range->y != 0 ? range->z : 0;
  bool ok = set_side (&c->to, dst, dst_offset, range) && set_side (&c->from, src, src_offset, range);
  if (ok && c->planes != 0)
    ok = locate (function, &c->to, extent (&c->to, c->width, c->rows, c->planes), gpu)
	 && locate (function, &c->from, extent (&c->from, c->width, c->rows, c->planes), gpu);
  if (ok && c->planes != 0)
    {
      bool device_to = c->to.range.owner >= 0, device_from = c->from.range.owner >= 0;
      if (device_to != (direction == hsaHostToDevice || direction == hsaDeviceToDevice)
	  || device_from != (direction == hsaDeviceToHost || direction == hsaDeviceToDevice))
	{
	  hsa_misuse ("%s: direction %d is not what the addresses are", function, direction);
	  ok = false;
	}
    }
  if (!ok)
    {
      free (c);
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  submit (gpu, direction == hsaDeviceToHost, c);
  return HSA_STATUS_SUCCESS;
}

/* ---- synchronous ones ---- */

hsa_status_t
hsa_memory_copy (void *dst, const void *src, size_t size)
{
  static int readonly_fails = -1;
  struct copy c = { .to.addr = (uintptr_t) dst, .from.addr = (uintptr_t) src, .width = size,
		    .rows = 1, .planes = 1 };
  ENTER (hsa_memory_copy);
  if (size == 0)
    return HSA_STATUS_SUCCESS;
  if (dst == NULL || src == NULL)
    {
      hsa_misuse ("hsa_memory_copy: a null pointer");
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  if (!locate ("hsa_memory_copy", &c.to, size, -2) || !locate ("hsa_memory_copy", &c.from, size, -2))
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  pthread_mutex_lock (&hsa_lock);
  if (readonly_fails < 0)
    readonly_fails = hsa_setting ("GCN_SIM_READONLY", 0) != 0;
  bool fails = readonly_fails;
  pthread_mutex_unlock (&hsa_lock);
  if (fails && c.from.range.kind == SIM_HOST_MEMORY && c.to.range.kind != SIM_HOST_MEMORY
      && !space_host_readable (c.from.addr, size, true))
    {
      hsa_log ("hsa_memory_copy: read-only source");
      return HSA_STATUS_ERROR;
    }
  copy_all (&c);
  hsa_count (COUNT_SYNC_COPIES, 1);
  hsa_count (COUNT_SYNC_COPY_BYTES, size);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_amd_memory_fill (void *ptr, uint32_t value, size_t words)
{
  struct side s = { .addr = (uintptr_t) ptr };
  ENTER (hsa_amd_memory_fill);
  if (ptr == NULL || (uintptr_t) ptr % 4 != 0)
    {
      hsa_misuse ("hsa_amd_memory_fill: %p is not the address of words", ptr);
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  if (words == 0)
    return HSA_STATUS_SUCCESS;
  if (words > SIZE_MAX / 4 || !locate ("hsa_amd_memory_fill", &s, words * 4, -1))
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  char *at = s.range.view + (s.addr - s.range.start);
  for (size_t i = 0; i < words; i++)
    memcpy (at + 4 * i, &value, 4);
  space_define (&s.range, at, words * 4, NULL);
  hsa_count (COUNT_FILLS, 1);
  return HSA_STATUS_SUCCESS;
}

/* ---- times ---- */

hsa_status_t
hsa_amd_profiling_async_copy_enable (bool enable)
{
  ENTER (hsa_amd_profiling_async_copy_enable);
  hsa_log ("times of copies: %d", enable);
  return HSA_STATUS_SUCCESS;
}

static hsa_status_t
get_times (hsa_signal_t signal, const char *function, hsa_amd_profiling_dispatch_time_t *t)
{
  if (!hsa_signal_ok (signal, function))
    return HSA_STATUS_ERROR_INVALID_SIGNAL;
  if (t == NULL)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  const struct hsa_signal_block *b = (const struct hsa_signal_block *) signal.handle;
  if (b->end == 0)
    return HSA_STATUS_ERROR;
  t->start = b->start;
  t->end = b->end;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_amd_profiling_get_async_copy_time (hsa_signal_t signal,
				       hsa_amd_profiling_async_copy_time_t *t)
{
  ENTER (hsa_amd_profiling_get_async_copy_time);
  return get_times (signal, "hsa_amd_profiling_get_async_copy_time", t);
}

hsa_status_t
hsa_amd_profiling_get_dispatch_time (hsa_agent_t agent, hsa_signal_t signal,
				     hsa_amd_profiling_dispatch_time_t *t)
{
  ENTER (hsa_amd_profiling_get_dispatch_time);
  if (hsa_agent_number (agent) < 0)
    {
      hsa_misuse ("hsa_amd_profiling_get_dispatch_time: no GPU agent");
      return HSA_STATUS_ERROR_INVALID_AGENT;
    }
  return get_times (signal, "hsa_amd_profiling_get_dispatch_time", t);
}
