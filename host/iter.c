/* iter.c -- handing out the iterations of a loop, the sections of a sections construct.

   All arithmetic is on iteration numbers and block numbers from zero, in 64 bits unsigned,
   where nothing overflows: a loop has at most 2^64 - 1 iterations, a block begins at an
   iteration below that count, and a counter of blocks goes beyond the number of blocks by at
   most one for each thread.  Only the result is turned into values of the loop's variable.

   The block that contains the final iteration is the last one that its thread gets (the
   program tells the lastprivate thread by that), and its end is exactly the loop's bound.

   Shares.  A counter of blocks is a line that goes from thread to thread with each block.  A dynamic loop
   that promises no order (without "monotonic", OpenMP 5.2, 11.5.3) and has many blocks is parted
   among the threads instead, each of which takes from a line of its own, and when that is empty
   from the end of another one's.  A share is every Nth block, so that early blocks begin early,
   as programs expect that put the long ones first.  The final block is in no share: whoever
   finds nothing any more takes it, and then no other.  */

#include "host/ompt.h"
#include "host/reduction.h"
#include "host/team.h"
#include "host/work.h"

/* Blocks for each thread, on the average, from which on shares pay: the threads have to look for what is left at the
   end, in all lines.  */
#define SHARE_BLOCKS 8
/* As many have a number in a share.  Each object that such a loop has used keeps a line for each thread.  */
#define SHARE_THREADS 256

/* Part the blocks of WS among so many threads.  */
static bool
make_shares (struct gomp_work_share *ws, unsigned threads)
{
  if (threads > SHARE_THREADS || ws->nblocks / SHARE_BLOCKS < threads
      || ws->nblocks / threads > GOMP_SHARE_MASK / 2)
    return false;
  gomp_work_shares (ws, threads);
  uint64_t each = (ws->nblocks - 1) / threads, rest = (ws->nblocks - 1) % threads;
  for (unsigned i = 0; i < threads; i++)
    /* Relaxed: appending the instance publishes it.  */
    gomp_store_relaxed (&ws->shares[i].xblocks, gomp_share_of (i, 0, each + (i < rest)));
  return true;
}

void
gomp_loop_init (struct gomp_thread *thr, struct gomp_work_share *ws, unsigned threads,
		const struct gomp_loop *loop)
{
  bool alone = threads == 1;
  unsigned kind = loop->sched & GOMP_SCHED_KIND_MASK;
  bool monotonic = loop->sched & GOMP_SCHED_MONOTONIC;
  uint64_t chunk = loop->chunk;

  if (kind == GOMP_SCHED_RUNTIME)
    {
      const struct gomp_icvs *icvs = &thr->task->icvs;
      kind = icvs->run_sched & GOMP_SCHED_KIND_MASK;
      monotonic |= (icvs->run_sched & GOMP_SCHED_MONOTONIC) != 0;
      chunk = icvs->run_sched_chunk > 0 ? icvs->run_sched_chunk : 0;
      if (kind == GOMP_SCHED_AUTO)
	chunk = 0;
    }

  ws->ordered = loop->ordered;
  ws->start = loop->start;
  ws->end = loop->end;
  ws->incr = loop->incr;
  ws->niter = loop->distance;
  if (loop->step > 1 && loop->distance > 0)
    ws->niter = (loop->distance - 1) / loop->step + 1;
  if (loop->blank)
    ws->niter = 0;

  /* Who else would take a block?  A program cannot see where they begin, but by calling the
     entry points itself, and those without "nonmonotonic" in their names keep to the chunk.  */
  if (alone && !monotonic && !loop->ordered && !gomp_ompt_on ()
      && (kind == GOMP_SCHED_DYNAMIC || kind == GOMP_SCHED_GUIDED))
    {
      kind = GOMP_SCHED_DYNAMIC;
      chunk = ws->niter;
    }

  /* A thread alone has all blocks, and always its turn.  Those of a static schedule are in order, too,
     but in the child of a fork it has only its own of them.  */
  if (alone && thr->lost == 0 && loop->ordered && !gomp_ompt_on () && kind != GOMP_SCHED_GUIDED)
    {
      if (kind != GOMP_SCHED_DYNAMIC && chunk == 0)
	chunk = ws->niter;
      kind = GOMP_SCHED_DYNAMIC;
    }

  switch (kind)
    {
    case GOMP_SCHED_DYNAMIC:
      /* The fast ways do not report blocks to a tool.  */
      ws->kind = gomp_ompt_on () || (loop->ordered && !alone) ? GOMP_WORK_DYNAMIC_SLOW
		 : alone ? GOMP_WORK_DYNAMIC_ALONE : GOMP_WORK_DYNAMIC;
      break;
    case GOMP_SCHED_GUIDED:
      ws->kind = GOMP_WORK_GUIDED;
      break;
    default:
      ws->kind = chunk == 0 ? GOMP_WORK_STATIC : GOMP_WORK_STATIC_CHUNK;
      break;
    }
  if (chunk == 0)
    chunk = 1;
  ws->chunk = chunk;
  ws->nblocks = ws->niter;
  if (chunk > 1 && ws->niter > 0)
    ws->nblocks = (ws->niter - 1) / chunk + 1;
  ws->stride = chunk * ws->incr;
  if (ws->kind == GOMP_WORK_DYNAMIC && !monotonic && make_shares (ws, threads))
    ws->kind = GOMP_WORK_SHARES;

  /* Relaxed: appending the instance publishes it.  */
  gomp_store_relaxed (&ws->xtaken, 0);
  if (loop->ordered)
    {
      gomp_store_relaxed (&ws->xturn, 0);
      gomp_store_relaxed (&ws->take_lock, GOMP_MUTEX_INIT);
      ws->tickets = 0;
    }
  if (loop->want_mem)
    gomp_work_memory (ws, loop->mem_size);
  if (loop->reductions != NULL)
    ws->reductions = gomp_reduction_new_block (thr, loop->reductions);
}

bool
gomp_loop_publish (struct gomp_thread *thr, struct gomp_work_share *ws,
		   const struct gomp_loop *loop)
{
  bool first = gomp_work_append (thr, ws);
  if (gomp_unlikely (loop->reductions != NULL) && !first)
    gomp_reduction_free_block (ws->reductions);
  return first;
}

void
gomp_loop_append (struct gomp_thread *thr, const struct gomp_loop *loop)
{
  struct gomp_work_share *ws = gomp_work_new (thr);
  gomp_loop_init (thr, ws, thr->nthreads_minus_1 + 1, loop);
  gomp_loop_publish (thr, ws, loop);
}

void
gomp_loop_join_reported (struct gomp_thread *thr, const struct gomp_loop *loop,
			 const void *codeptr)
{
  gomp_loop_join (thr, loop);
  gomp_ompt_loop_begin (thr, loop, codeptr);
}

void
gomp_loop_ask_general (struct gomp_loop *loop, bool blank, uintptr_t *reductions, void **mem)
{
  loop->blank = blank;
  loop->reductions = reductions;
  if (mem != NULL)
    {
      loop->want_mem = true;
      loop->mem_size = (uintptr_t) *mem;
    }
}

void
gomp_loop_answer_general (struct gomp_thread *thr, uintptr_t *reductions, void **mem)
{
  if (mem != NULL)
    *mem = thr->ws->mem;
  if (reductions != NULL)
    gomp_reduction_enter_workshare (thr, thr->ws->reductions, reductions);
}

void
gomp_loop_enter_general (struct gomp_thread *thr, struct gomp_loop *loop, bool blank,
			 uintptr_t *reductions, void **mem)
{
  gomp_loop_ask_general (loop, blank, reductions, mem);
  gomp_loop_join (thr, loop);
  gomp_loop_answer_general (thr, reductions, mem);
}

/* The next block as first iteration and length; *TICKET gets its number in an ordered loop.  */

static bool
take_static (struct gomp_thread *thr, struct gomp_work_share *ws,
	     uint64_t *first, uint64_t *length, uint64_t *ticket)
{
  uint64_t n = gomp_num_threads (thr);
  uint64_t each = ws->niter / n, rest = ws->niter % n;
  uint64_t num = thr->thread_num;

  if (thr->static_trip++ > 0)
    return false;
  /* As inline code does: the first REST threads get one more.  */
  *first = num * each + (num < rest ? num : rest);
  *length = each + (num < rest);
  *ticket = num;
  return *length > 0;
}

/* Block number BLOCK of equal ones, the last of which may be shorter.  */
static bool
equal_block (struct gomp_work_share *ws, uint64_t block, uint64_t *first, uint64_t *length)
{
  if (block >= ws->nblocks)
    return false;
  *first = block * ws->chunk;
  *length = ws->niter - *first;
  if (*length > ws->chunk)
    *length = ws->chunk;
  return true;
}

static bool
take_static_chunk (struct gomp_thread *thr, struct gomp_work_share *ws,
		   uint64_t *first, uint64_t *length, uint64_t *ticket)
{
  *ticket = thr->static_trip * gomp_num_threads (thr) + thr->thread_num;
  if (!equal_block (ws, *ticket, first, length))
    return false;
  thr->static_trip++;
  return true;
}

static bool
take_dynamic (struct gomp_work_share *ws, uint64_t *first, uint64_t *length, uint64_t *ticket)
{
  /* Relaxed: the number alone tells which iterations are the thread's.  */
  uint64_t block = gomp_add_relaxed (&ws->xtaken, 1);
  *ticket = block;
  return equal_block (ws, block, first, length);
}

static bool
take_guided (struct gomp_thread *thr, struct gomp_work_share *ws,
	     uint64_t *first, uint64_t *length, uint64_t *ticket)
{
  if (ws->ordered)
    gomp_mutex_lock (&ws->take_lock);	/* the ticket must fit the block */
  uint64_t taken = gomp_load_relaxed (&ws->xtaken);
  bool got = false;
  while (!got && taken < ws->niter)
    {
      *first = taken;
      *length = gomp_guided_length (thr->nthreads_minus_1 + 1ul, ws->chunk, ws->niter - taken);
      /* Relaxed: as for dynamic.  */
      got = gomp_cas_weak_relaxed (&ws->xtaken, &taken, taken + *length);
    }
  if (ws->ordered)
    {
      if (got)
	*ticket = ws->tickets++;
      gomp_mutex_unlock (&ws->take_lock);
    }
  return got;
}

bool __attribute__ ((noinline))
gomp_iter_steal (struct gomp_thread *thr, uint64_t *istart, uint64_t *iend)
{
  struct gomp_work_share *ws = thr->ws;
  unsigned n = ws->nshares, me = thr->thread_num;

  if (thr->static_trip != 0)
    return false;		/* it has had the final block */
  for (unsigned i = 1; i < n; i++)
    {
      struct gomp_share *other = &ws->shares[me + i < n ? me + i : me + i - n];
      /* Relaxed, all: the numbers alone tell which iterations are whose.  */
      uint64_t share = gomp_load_relaxed (&other->xblocks), next, end;
      while ((next = gomp_share_next (share)) < (end = gomp_share_end (share)))
	{
	  /* The first half: perhaps the owner has not begun, and early blocks should not come last.  */
	  uint64_t r = share >> 2 * GOMP_SHARE_BITS, mid = next + (end - next + 1) / 2;
	  if (!gomp_cas_weak_relaxed (&other->xblocks, &share, gomp_share_of (r, mid, end)))
	    continue;
	  /* Nobody changes an empty share but its owner.  */
	  gomp_store_relaxed (&ws->shares[me].xblocks, gomp_share_of (r, next + 1, mid));
	  *istart = ws->start + gomp_share_block (share, next, n) * ws->stride;
	  *iend = *istart + ws->stride;
	  return true;
	}
    }
  if (gomp_load_relaxed (&ws->xtaken) != 0 || gomp_add_relaxed (&ws->xtaken, 1) != 0)
    return false;
  thr->static_trip = 1;
  *istart = ws->start + (ws->nblocks - 1) * ws->stride;
  *iend = ws->end;
  return true;
}

/* All kinds but the plain dynamic ones.  */
bool
gomp_iter_next_slow (struct gomp_thread *thr, uint64_t *istart, uint64_t *iend)
{
  struct gomp_work_share *ws = thr->ws;
  uint64_t first = 0, length = 0, ticket = GOMP_NO_TICKET;
  bool got;

  if (gomp_unlikely (ws->ordered))
    gomp_ordered_pass (thr);

  switch (ws->kind)
    {
    case GOMP_WORK_DYNAMIC_SLOW:
      got = take_dynamic (ws, &first, &length, &ticket);
      break;
    case GOMP_WORK_GUIDED:
      got = take_guided (thr, ws, &first, &length, &ticket);
      break;
    case GOMP_WORK_STATIC:
      got = take_static (thr, ws, &first, &length, &ticket);
      break;
    case GOMP_WORK_STATIC_CHUNK:
      got = take_static_chunk (thr, ws, &first, &length, &ticket);
      break;
    case GOMP_WORK_DOACROSS:
      return gomp_doacross_next (thr, istart, iend);
    default:
      return false;		/* not in a loop */
    }
  if (!got)
    return false;

  if (gomp_unlikely (ws->ordered))
    thr->ticket = ticket;
  if (gomp_ompt_on ())
    gomp_ompt_chunk (thr, first, length);
  *istart = ws->start + first * ws->incr;
  *iend = first + length == ws->niter ? ws->end : ws->start + (first + length) * ws->incr;
  return true;
}

bool
gomp_iter_next (struct gomp_thread *thr, uint64_t *istart, uint64_t *iend)
{
  return gomp_iter_next_inline (thr, istart, iend);
}
