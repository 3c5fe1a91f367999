/* work.c -- the chain of worksharing instances of a team; see work.h for its rules.  */

#include "host/team.h"
#include "host/work.h"

/* A ring of fewer objects grows rather than have its owner look at all threads.  */
#define RING_ENOUGH 8

void
gomp_work_look_around (struct gomp_slot *slot)
{
  struct gomp_thread_pool *pool = slot->pool;
  uint64_t least = UINT64_MAX;
  for (unsigned i = 0; i < pool->team.nthreads; i++)
    {
      /* Acquire: the thread's use of earlier instances comes before their next use.  A
	 thread that has not come to the region yet shows a number from before it.  */
      uint64_t reached = gomp_load_acquire (&pool->slots[i]->xreached);
      if (reached < least)
	least = reached;
    }
  slot->ws_passed = least;
}

static struct gomp_work_share * GOMP_STARTUP __attribute__ ((cold))
grow_ring (struct gomp_slot *slot)
{
  struct gomp_work_share *ws
    = gomp_aligned_alloc (_Alignof (struct gomp_work_share), sizeof (*ws));
  memset (ws, 0, sizeof (*ws));
  if (slot->ws_newest == NULL)
    ws->ring_next = ws;
  else
    {
      ws->ring_next = slot->ws_newest->ring_next;
      slot->ws_newest->ring_next = ws;
    }
  slot->ws_count++;
  return ws;
}

struct gomp_work_share *
gomp_work_new_at (struct gomp_slot *slot)
{
  struct gomp_work_share *ws = slot->ws_spare;

  if (ws != NULL)
    slot->ws_spare = NULL;	/* it is the newest of the ring */
  else
    {
      ws = slot->ws_newest != NULL ? slot->ws_newest->ring_next : NULL;
      if (gomp_unlikely (ws == NULL || ws->number >= slot->ws_passed))
	{
	  if (slot->ws_count >= RING_ENOUGH)
	    gomp_work_look_around (slot);
	  if (ws == NULL || ws->number >= slot->ws_passed)
	    ws = grow_ring (slot);
	}
      slot->ws_newest = ws;
    }
  ws->number = slot->ws_number + 1;
  gomp_store_relaxed (&ws->xnext, NULL);	/* published by appending */
  return ws;
}

struct gomp_work_share * GOMP_STARTUP
gomp_work_new_root (struct gomp_slot *slot)
{
  slot->ws_newest = grow_ring (slot);
  return slot->ws_newest;
}

struct gomp_work_share *
gomp_work_new (struct gomp_thread *thr)
{
  return thr->slot != NULL ? gomp_work_new_at (thr->slot) : thr->team->solo_ws;
}

void
gomp_work_reach (struct gomp_thread *thr, struct gomp_work_share *next)
{
  thr->ws = next;
  /* Release: this thread's use of earlier instances.  */
  gomp_store_release (&thr->slot->xreached, ++thr->slot->ws_number);
}

bool
gomp_work_append (struct gomp_thread *thr, struct gomp_work_share *ws)
{
  if (thr->nthreads_minus_1 == 0)
    {
      thr->ws = ws;
      if (gomp_unlikely (thr->lost != 0))
	thr->slot->ws_number++;
      return true;
    }

  struct gomp_work_share *next = NULL;
  /* Release: the parameters.  Acquire, when another was first: those of the other.  */
  bool first = gomp_cas_acq_rel (&thr->ws->xnext, &next, ws);
  if (first)
    next = ws;
  else
    thr->slot->ws_spare = ws;
  gomp_work_reach (thr, next);
  return first;
}

void GOMP_STARTUP
gomp_work_init_solo (struct gomp_work_share *ws)
{
  /* The rest is set by the construct that uses it.  */
  ws->kind = GOMP_WORK_NONE;
  ws->number = 0;
  ws->ordered = false;
  ws->mem = NULL;
  ws->mem_size = 0;
}

void
gomp_work_drop_memory (struct gomp_work_share *ws)
{
  free (ws->mem);
  ws->mem = NULL;
  ws->mem_size = 0;
}

void
gomp_work_free_all (struct gomp_slot *slot)
{
  for (; slot->ws_count > 0; slot->ws_count--)
    {
      struct gomp_work_share *ws = slot->ws_newest;
      slot->ws_newest = ws->ring_next;
      gomp_work_drop_memory (ws);
      free (ws->shares);
      free (ws);
    }
}

void
gomp_work_memory (struct gomp_work_share *ws, size_t size)
{
  if (size == 0)
    size = 1;			/* an address is wanted all the same */
  if (size > ws->mem_size)
    {
      gomp_work_drop_memory (ws);
      ws->mem = gomp_aligned_alloc (GOMP_CACHE_LINE, size);
      ws->mem_size = size;
    }
  memset (ws->mem, 0, size);
}

void
gomp_work_shares (struct gomp_work_share *ws, unsigned threads)
{
  ws->nshares = threads;
  if (threads <= ws->shares_size)
    return;
  free (ws->shares);
  ws->shares = gomp_aligned_alloc (_Alignof (struct gomp_share), threads * sizeof (struct gomp_share));
  ws->shares_size = threads;
}
