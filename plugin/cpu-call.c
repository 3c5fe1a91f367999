/* cpu-call.c -- what regions on a cpu device ask of the host: the worker's side.

   target device(ancestor: 1) in a region ends up here, in whatever thread of the worker meets it.
   The request goes through the area of reverse-proto.h; cpu-reverse.c is the other end.

   The waiting thread polls as long as polling pays (rule of gomp_cpu_poll), then sleeps on
   the slot.  The host looks at xsleeps after it has answered, so one of the two sees the
   other.  */

#define _GNU_SOURCE 1
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#define GOMP_REVERSE_DEVICE 1
#include "plugin/cpu.h"
#include "plugin/cpu-worker.h"

#define GOMPX_INTERFACE_ONLY 1
#include "include/gompx.h"
#include <string.h>

#define ACQUIRE_TRIES 1000	/* before a thread sleeps */

static struct gomp_reverse_free idle;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void
init_idle (void)
{
  gomp_reverse_free_init (&idle, GOMP_CPU_CALLS);
}

/* Does it pay to poll?  The thread of a queue counts among the busy ones while it runs a region.  */
static bool
may_poll (struct gomp_cpu_shared *s)
{
  bool counted = gomp_cpu_thread ()->slot != NULL;
  /* Relaxed: a hint.  */
  return s->spin_ns != 0
	 && atomic_load_explicit (&s->xbusy, memory_order_relaxed) + !counted <= (int32_t) s->num_cpus;
}

static uint32_t
acquire (struct gomp_reverse_area *area)
{
  struct gomp_own *own = gomp_own ();
  for (unsigned tries = 0; ; tries++)
    {
      uint32_t i = gomp_reverse_acquire (area, &idle, own->last_call_slot);
      if (i != GOMP_REVERSE_NONE)
	return own->last_call_slot = i;
      /* More callers than slots: this one has time.  It sleeps: a yield would give all others a whole
	 time slice where the machine is busy.  */
      if (tries < ACQUIRE_TRIES && may_poll (gomp_cpu_self))
	gomp_cpu_pause ();
      else
	{
	  const struct timespec nap = { .tv_nsec = 50000 };
	  nanosleep (&nap, NULL);
	}
    }
}

/* Nobody has taken the request so far: wake a helper if there is one.  */
static void
ask_for_help (struct gomp_reverse_area *area, struct gomp_reverse_slot *slot)
{
  /* Sequentially consistent with who goes to sleep: the bell has rung before.  */
  if (atomic_load_explicit (&slot->xstate, memory_order_relaxed) == GOMP_REVERSE_POSTED
      && atomic_load_explicit (&area->xhelpers, memory_order_seq_cst) != 0)
    {
      atomic_fetch_add_explicit (&area->xhelp, 1, memory_order_seq_cst);
      gomp_cpu_futex_wake_one (&area->xhelp);
    }
}

/* Poll for the answer for NS; false: it did not come.  */
static bool
poll_answer (struct gomp_reverse_slot *slot, uint64_t ns)
{
  for (uint64_t end = gomp_cpu_now () + ns; ; )
    {
      for (int i = 0; i < 32; i++)
	{
	  if (gomp_reverse_is_done (slot))
	    return true;
	  gomp_cpu_pause ();
	}
      if (gomp_cpu_now () >= end)
	return false;
    }
}

/* Nothing has come for a second: the bell may have been written over.  Take the request back, unless
   the host has it, and ring again with another number: the host compares it with the last one that
   it took.  */
static void
ring_again (struct gomp_reverse_area *area, uint32_t i)
{
  struct gomp_reverse_slot *slot = &area->slots[i];
  uint32_t state = GOMP_REVERSE_POSTED;
  /* Relaxed: nobody has written anything.  */
  if (atomic_compare_exchange_strong_explicit (&slot->xstate, &state, GOMP_REVERSE_IDLE,
					       memory_order_relaxed, memory_order_relaxed))
    {
      uint8_t sequence = ++idle.sequence[i];
      slot->sequence = sequence;
      /* Release: the request.  */
      GOMP_REVERSE_STORE_RELEASE (&slot->xstate, GOMP_REVERSE_POSTED);
      GOMP_REVERSE_STORE_BELL (&area->u.xbell[i], sequence);
      /* Whoever sleeps, whatever is written there about it.  */
      atomic_fetch_add_explicit (&area->xhelp, 1, memory_order_seq_cst);
      gomp_cpu_futex_wake_one (&area->xhelp);
      atomic_fetch_add_explicit (&area->xrung, 1, memory_order_seq_cst);
      gomp_cpu_futex_wake_one (&area->xrung);
    }
  else if (state != GOMP_REVERSE_SERVING && state != GOMP_REVERSE_DONE)
    gomp_cpu_fault_damaged ();
}

static void
await_answer (struct gomp_reverse_area *area, uint32_t i)
{
  struct gomp_reverse_slot *slot = &area->slots[i];
  struct gomp_cpu_shared *s = gomp_cpu_self;
  bool counted = gomp_cpu_thread ()->slot != NULL;
  uint64_t spin = may_poll (s) ? s->spin_ns : 0;

  if (spin > GOMP_CPU_CALL_HELP_NS)
    {
      if (poll_answer (slot, GOMP_CPU_CALL_HELP_NS))
	return;
      ask_for_help (area, slot);
      if (poll_answer (slot, spin - GOMP_CPU_CALL_HELP_NS))
	return;
    }
  else if (spin == 0 && !gomp_reverse_is_done (slot))
    {
      /* Give whoever serves the processor, for a moment.  */
      const struct timespec moment = { .tv_nsec = GOMP_CPU_CALL_HELP_NS };
      atomic_store_explicit (&slot->xsleeps, 1, memory_order_seq_cst);
      uint32_t seen = atomic_load_explicit (&slot->xstate, memory_order_seq_cst);
      if (seen != GOMP_REVERSE_DONE)
	gomp_cpu_futex_wait (&slot->xstate, seen, &moment);
      ask_for_help (area, slot);
    }

  if (counted)
    atomic_fetch_sub_explicit (&s->xbusy, 1, memory_order_relaxed);
  /* Sequentially consistent with the host's store of DONE: one of the two sees the other.  */
  atomic_store_explicit (&slot->xsleeps, 1, memory_order_seq_cst);
  for (;;)
    {
      uint32_t seen = atomic_load_explicit (&slot->xstate, memory_order_seq_cst);
      if (seen == GOMP_REVERSE_DONE)
	break;
      const struct timespec second = { .tv_sec = 1 };
      if (gomp_cpu_futex_wait (&slot->xstate, seen, &second) != 0 && errno == ETIMEDOUT)
	ring_again (area, i);
    }
  if (counted)
    atomic_fetch_add_explicit (&s->xbusy, 1, memory_order_relaxed);
}

/* The slot I is packed: let the host see it.  */
static void
publish (struct gomp_reverse_area *area, uint32_t i)
{
  gomp_cpu_worker_order ();
  gomp_reverse_publish (area, &idle, i);
  /* Sequentially consistent with who goes to sleep: the bell has rung before.  */
  if (atomic_load_explicit (&area->xwaiters, memory_order_seq_cst) != 0)
    {
      atomic_fetch_add_explicit (&area->xrung, 1, memory_order_seq_cst);
      gomp_cpu_futex_wake_one (&area->xrung);
    }
}

bool
gomp_cpu_worker_call (void (*fn) (void *), uint64_t count, void *const *addrs,
		      const size_t *sizes, const unsigned short *kinds, int device)
{
  struct gomp_reverse_area *area = gomp_cpu_calls (gomp_cpu_self);

  if (gomp_cpu_worker_forked ())
    return false;
  pthread_once (&once, init_idle);
  /* What the region has printed comes before what the host prints.  */
  fflush (stdout);
  uint32_t i = acquire (area);
  struct gomp_reverse_slot *slot = &area->slots[i];
  gomp_reverse_pack (slot, (uint64_t) (uintptr_t) fn, device, count, addrs, sizes, kinds);
  publish (area, i);
  if (!gomp_reverse_is_done (slot))
    await_answer (area, i);
  gomp_cpu_worker_order ();
  gomp_reverse_unpack (slot);
  gomp_reverse_release (&idle, i);
  return true;
}

/* ---- services ---- */

/* Slot I has the answer to R.  */
static void
finish (struct gomp_reverse_area *area, uint32_t i, struct gompx_request *r, uint64_t room)
{
  struct gomp_reverse_slot *slot = &area->slots[i];
  gomp_cpu_worker_order ();
  r->value = slot->function;
  r->state = slot->status == GOMP_REVERSE_OK ? GOMPX_DONE
	     : slot->status == GOMP_REVERSE_UNKNOWN_TYPE ? GOMPX_NOBODY : GOMPX_FAILED;
  uint64_t size = slot->count < GOMP_REVERSE_DATA ? slot->count : GOMP_REVERSE_DATA;
  if (size > room)
    size = room;
  if (size > 0)
    memcpy (r->data, slot->data, size);
  gomp_reverse_release (&idle, i);
}

void
gomp_cpu_worker_ask (struct gompx_request *r)
{
  struct gomp_reverse_area *area = gomp_cpu_calls (gomp_cpu_self);

  if (gomp_cpu_worker_forked ())
    return;
  pthread_once (&once, init_idle);
  if (r->mode == GOMPX_TEST || r->mode == GOMPX_WAIT)
    {
      uint32_t i = (uint32_t) r->ticket[0];
      struct gomp_reverse_slot *slot = &area->slots[i];
      if (r->mode == GOMPX_TEST)
	{
	  if (gomp_reverse_is_done (slot))
	    r->state = GOMPX_DONE;
	  else
	    ask_for_help (area, slot);
	  return;
	}
      if (!gomp_reverse_is_done (slot))
	await_answer (area, i);
      finish (area, i, r, r->room);
      return;
    }
  if (r->size > GOMPX_CALL_BYTES)
    return;
  /* What the region has printed comes before what the host writes.  */
  fflush (stdout);
  uint32_t i = acquire (area);
  struct gomp_reverse_slot *slot = &area->slots[i];
  slot->type = (uint16_t) r->operation;
  slot->flags = 0;
  slot->function = r->function;
  slot->addrs = r->argument;
  slot->count = r->size;
  if (r->size > 0)
    memcpy (slot->data, r->data, r->size);
  publish (area, i);
  if (r->mode == GOMPX_ISSUE)
    {
      r->ticket[0] = i;
      r->state = GOMPX_ISSUED;
      return;
    }
  if (!gomp_reverse_is_done (slot))
    await_answer (area, i);
  finish (area, i, r, r->operation == GOMPX_CALL ? r->size : 0);
}
