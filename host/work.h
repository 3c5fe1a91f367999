/* work.h -- instances of worksharing constructs: loops, sections, single with copyprivate.

   The threads of a team meet the same constructs in the same order.  Each construct's
   instance is a struct gomp_work_share; they form a chain and are numbered.  A thread that comes
   to a construct looks at the successor of the last instance it met; when there is none, it
   prepares one and tries to append it with one compare-and-swap.  Whoever loses takes the
   winner's.  So a thread may run ahead of others by any number of constructs that have no
   barrier.  The chain goes on from region to region.

   Reuse.  Each thread tells in its slot which number it has reached (xreached), by a plain
   store.  It counts them itself: the number in an instance is for its owner, others would fetch the
   line for it.  The objects that a thread allocated form a ring in the order of their last use.  To
   get one, the thread looks whether all threads are beyond its oldest: it knows that of
   everything before the last barrier (ws_passed), so that only long sequences without barriers make
   it look at what the others have reached.  When the oldest is still in use, the ring grows.

   Invariants
   1. An instance's parameters are written before it is appended and constant then; the
      fields starting with x are the shared state.
   2. No thread of the team looks at an instance whose number is below what every thread
      has reached.
   3. ws_passed of a thread is not above what any thread of the team has reached.
   4. A team of one has a single object, used again by each construct, and no numbers.  */

#ifndef GOMP_WORK_H
#define GOMP_WORK_H 1

#include "libgomp.h"
#include "config/linux/bar.h"
#include "host/ompt.h"
#include "host/thread.h"

/* How the iterations are handed out; resolved from the schedule.  */
enum gomp_work_kind
{
  GOMP_WORK_NONE,		/* nothing to hand out: single */
  GOMP_WORK_STATIC,		/* one block a thread */
  GOMP_WORK_STATIC_CHUNK,
  GOMP_WORK_DYNAMIC,		/* several threads, not ordered; also sections */
  GOMP_WORK_SHARES,		/* the same where no order is promised, and with many blocks */
  GOMP_WORK_DYNAMIC_ALONE,	/* the same in a team of one, which uses up start and nblocks; guided if not
				   ordered, and all other schedules if ordered, too */
  GOMP_WORK_DYNAMIC_SLOW,	/* ordered with several threads, or with a tool */
  GOMP_WORK_GUIDED,
  GOMP_WORK_DOACROSS		/* ordered (n), several threads; doacross.c */
};

struct gomp_doacross;		/* doacross.c */

/* Where a thread stands in a doacross loop.  */
struct gomp_doacross_place
{
  uint64_t first, length;	/* its block; length 0: none */
  _Atomic (uint64_t) *own;	/* the entry of its block */
  uint64_t seen_first, seen_length;	/* the block that it looked up last; length 0: none */
  _Atomic (uint64_t) *seen;	/* its entry */
};

/* What a thread has of a loop that is handed out in shares: of the blocks R, R + N, R + 2 N ... in a team of N,
   those from the NEXTth to below the ENDth: R << 56 | END << 28 | NEXT.  The thread takes them from
   the front by an addition, which goes one too far when there are none; others, who have nothing any more,
   take the first half of them by compare-and-swap.  No block comes back, so a value with blocks in
   it is there once only.  */
struct gomp_share
{
  GOMP_NO_SHARING _Atomic (uint64_t) xblocks;
};
#define GOMP_SHARE_BITS 28	/* NEXT, and END */
#define GOMP_SHARE_MASK ((UINT64_C (1) << GOMP_SHARE_BITS) - 1)

static inline uint64_t
gomp_share_of (uint64_t r, uint64_t next, uint64_t end)
{
  return r << 2 * GOMP_SHARE_BITS | end << GOMP_SHARE_BITS | next;
}

static inline uint64_t
gomp_share_next (uint64_t share)
{
  return share & GOMP_SHARE_MASK;
}

static inline uint64_t
gomp_share_end (uint64_t share)
{
  return share >> GOMP_SHARE_BITS & GOMP_SHARE_MASK;
}

/* Number K of a share's blocks, in a team of so many threads.  */
static inline uint64_t
gomp_share_block (uint64_t share, uint64_t k, uint64_t threads)
{
  return k * threads + (share >> 2 * GOMP_SHARE_BITS);
}

struct gomp_work_share
{
  /* The chain.  */
  GOMP_NO_SHARING _Atomic (struct gomp_work_share *) xnext;
  uint64_t number;		/* written before it is appended */
  struct gomp_work_share *ring_next;	/* used after this one by its owner; the owner's */

  /* Parameters.  Iterations are numbered 0 .. niter-1; number K has the value start + K * incr
     modulo 2^64, which serves signed and unsigned loops alike.  */
  _Alignas (GOMP_CACHE_LINE) enum gomp_work_kind kind;
  bool ordered;
  uint64_t start, end, incr;
  uint64_t niter;
  uint64_t chunk;		/* iterations in a block */
  uint64_t nblocks;		/* blocks of size chunk */
  uint64_t stride;		/* chunk * incr */
  void *mem;			/* zeroed memory that the construct's threads share ... */
  size_t mem_size;		/* ... and how much there is */
  struct gomp_reduction_block *reductions;	/* set when the construct has task reductions */
  struct gomp_share *shares;	/* of each thread, in a loop of that kind ... */
  unsigned nshares, shares_size;	/* ... how many there are, and for how many there is memory */

  /* State.  */
  GOMP_NO_SHARING _Atomic (uint64_t) xtaken;	/* blocks handed out; guided: iterations; shares: 1 when the
						   final block is taken */

  GOMP_NO_SHARING gomp_word_t xturn;	/* ordered: 2 * number of the block whose turn it is */
  gomp_word_t xcopied;		/* copyprivate, doacross: 2 when copy_data or doacross is there */
  void *copy_data;		/* written before xcopied */
  struct gomp_doacross *doacross;	/* the same; NULL: a doacross loop without order */
  gomp_mutex_t take_lock;	/* ordered guided: protects ticket and xtaken together */
  uint64_t tickets;		/* protected by take_lock */
};

/* ---- work.c ---- */

/* An object for the calling thread's next instance, not in the chain yet.  */
struct gomp_work_share *gomp_work_new (struct gomp_thread *);
/* The same for a thread in a team of more than one, whose place is SLOT.  */
struct gomp_work_share *gomp_work_new_at (struct gomp_slot *slot);
/* The start of a pool's chain.  */
struct gomp_work_share *gomp_work_new_root (struct gomp_slot *slot);
/* Append WS; true: it is the construct's instance, false: another thread was first.  The
   calling thread is in the construct then.  */
bool gomp_work_append (struct gomp_thread *, struct gomp_work_share *ws);
void gomp_work_init_solo (struct gomp_work_share *);
/* Free what the object holds, or all objects of a slot.  */
void gomp_work_drop_memory (struct gomp_work_share *);
void gomp_work_free_all (struct gomp_slot *);
/* Find out which number all threads of SLOT's team have reached.  */
void gomp_work_look_around (struct gomp_slot *slot);
/* At least SIZE zeroed bytes for the construct's threads.  */
void gomp_work_memory (struct gomp_work_share *, size_t size);
/* A share for each of so many threads, not set yet.  */
void gomp_work_shares (struct gomp_work_share *, unsigned threads);

/* The calling thread goes on to NEXT, of which nothing is read.  */
void gomp_work_reach (struct gomp_thread *, struct gomp_work_share *next);

/* The calling thread comes to a construct.  Answers its instance when some other thread has
   appended it already, and the thread is in the construct then.  Otherwise NULL: the caller
   prepares an object and calls gomp_work_append.  */
static inline struct gomp_work_share *
gomp_work_meet (struct gomp_thread *thr)
{
  if (thr->nthreads_minus_1 == 0)
    return NULL;
  /* Acquire: its parameters.  */
  struct gomp_work_share *next = gomp_load_acquire (&thr->ws->xnext);
  if (next != NULL)
    gomp_work_reach (thr, next);
  return next;
}

/* ---- iter.c: handing out iterations of the calling thread's instance ---- */

struct gomp_loop
{
  uint64_t start, end, incr;
  uint64_t distance;		/* from start to end in the direction of incr, 0 if none */
  uint64_t step;		/* |incr| */
  uint64_t chunk;
  unsigned sched;		/* enum gomp_schedule_kind; RUNTIME: the ICV; | GOMP_SCHED_MONOTONIC */
  bool ordered;
  bool blank;			/* hand out nothing: the compiler does it inline */
  bool sections;		/* numbers of sections */
  bool want_mem;
  size_t mem_size;
  const uintptr_t *reductions;	/* the compiler's arrays; NULL: no task reductions */
};

static inline struct gomp_loop
gomp_loop_of_longs (long start, long end, long incr, unsigned sched, long chunk)
{
  return (struct gomp_loop)
    {
      .start = start, .end = end, .incr = incr,
      .distance = incr > 0 ? (start < end ? (uint64_t) end - (uint64_t) start : 0)
		  : (start > end ? (uint64_t) start - (uint64_t) end : 0),
      .step = incr > 0 ? (uint64_t) incr : - (uint64_t) incr,
      .sched = sched, .chunk = chunk > 0 ? chunk : 0
    };
}

/* UP false: INCR is the two's complement of the step.  */
static inline struct gomp_loop
gomp_loop_of_ulls (bool up, gomp_ull start, gomp_ull end, gomp_ull incr, unsigned sched,
		   gomp_ull chunk)
{
  return (struct gomp_loop)
    {
      .start = start, .end = end, .incr = incr,
      .distance = up ? (start < end ? end - start : 0) : (start > end ? start - end : 0),
      .step = up ? incr : -incr,
      .sched = sched, .chunk = chunk
    };
}

static inline struct gomp_loop
gomp_loop_of_sections (unsigned count)
{
  struct gomp_loop loop = gomp_loop_of_longs (1, count + 1l, 1,
					      GOMP_SCHED_DYNAMIC | GOMP_SCHED_MONOTONIC, 1);
  loop.sections = true;
  return loop;
}

/* The schedule argument of the general start functions: both 0 and 4 stand for runtime.  */
static inline unsigned
gomp_decode_sched (long sched)
{
  unsigned kind = sched & GOMP_SCHED_KIND_MASK;
  return (kind == GOMP_SCHED_AUTO ? GOMP_SCHED_RUNTIME : kind) | (sched & GOMP_SCHED_MONOTONIC);
}

/* Prepare WS for the loop of a team of so many threads; THR's task tells the runtime
   schedule.  */
void gomp_loop_init (struct gomp_thread *, struct gomp_work_share *ws, unsigned threads,
		     const struct gomp_loop *);
/* Append WS, prepared for the loop; the answer is that of gomp_work_append.  */
bool gomp_loop_publish (struct gomp_thread *, struct gomp_work_share *ws,
			const struct gomp_loop *);
/* Append an instance of the loop; another thread may be first.  */
void gomp_loop_append (struct gomp_thread *, const struct gomp_loop *);

/* The calling thread joins the loop; does not hand out anything.  */
static inline void
gomp_loop_join (struct gomp_thread *thr, const struct gomp_loop *loop)
{
  if (gomp_work_meet (thr) == NULL)
    gomp_loop_append (thr, loop);
  thr->static_trip = 0;
  thr->ticket = GOMP_NO_TICKET;
}

/* The same with a tool.  */
void gomp_loop_join_reported (struct gomp_thread *, const struct gomp_loop *, const void *codeptr)
  __attribute__ ((cold));

/* The same for start functions, of which this must be a part.  */
static inline void __attribute__ ((always_inline))
gomp_loop_enter (struct gomp_thread *thr, const struct gomp_loop *loop)
{
  if (gomp_ompt_on ())
    gomp_loop_join_reported (thr, loop, __builtin_return_address (0));
  else
    gomp_loop_join (thr, loop);
}

/* Without reporting it: for the general start functions, whose arguments BLANK (no block wanted),
   REDUCTIONS and MEM may be.  */
void gomp_loop_enter_general (struct gomp_thread *, struct gomp_loop *, bool blank,
			      uintptr_t *reductions, void **mem);
/* Its two halves, for loops that are joined in another way: what the arguments ask for goes into the
   loop, and what the instance has for them comes back.  */
void gomp_loop_ask_general (struct gomp_loop *, bool blank, uintptr_t *reductions, void **mem);
void gomp_loop_answer_general (struct gomp_thread *, uintptr_t *reductions, void **mem);
/* The next block, half open; false: no more.  *ISTART and *IEND are longs or unsigned long
   longs.  What kind of loop it is, the instance knows, not the name of the entry point.  In an
   ordered loop the calling thread's turn passes on.  */
bool gomp_iter_next (struct gomp_thread *, uint64_t *istart, uint64_t *iend);
/* The same where a call more would be felt.  */
bool gomp_iter_next_slow (struct gomp_thread *, uint64_t *istart, uint64_t *iend);
/* The calling thread has nothing left of its share: a block of another one, or the final block.  */
bool gomp_iter_steal (struct gomp_thread *, uint64_t *istart, uint64_t *iend);
static inline bool
gomp_iter_next_inline (struct gomp_thread *thr, uint64_t *istart, uint64_t *iend)
{
  struct gomp_work_share *ws = thr->ws;
  uint64_t block;
  if (gomp_likely (ws->kind == GOMP_WORK_DYNAMIC))
    /* Relaxed: the number alone tells which iterations are the thread's.  */
    block = gomp_add_relaxed (&ws->xtaken, 1);
  else if (gomp_likely (ws->kind == GOMP_WORK_SHARES))
    {
      /* Relaxed: as above.  */
      uint64_t share = gomp_add_relaxed (&ws->shares[thr->thread_num].xblocks, 1);
      uint64_t next = gomp_share_next (share);
      if (gomp_unlikely (next >= gomp_share_end (share)))
	return gomp_iter_steal (thr, istart, iend);
      block = gomp_share_block (share, next, ws->nshares);
      *istart = ws->start + block * ws->stride;
      *iend = *istart + ws->stride;	/* it is not the final one */
      return true;
    }
  else if (gomp_likely (ws->kind == GOMP_WORK_DYNAMIC_ALONE))
    {
      /* The fields themselves tell what is left.  */
      if (ws->nblocks == 0)
	return false;
      uint64_t begin = ws->start, end = begin + ws->stride;
      *istart = begin;
      ws->start = end;
      *iend = --ws->nblocks == 0 ? ws->end : end;
      return true;
    }
  else
    return gomp_iter_next_slow (thr, istart, iend);

  if (block >= ws->nblocks)
    return false;
  uint64_t start = ws->start + block * ws->stride;
  *istart = start;
  *iend = block + 1 == ws->nblocks ? ws->end : start + ws->stride;
  return true;
}

/* How many of REMAINING > 0 iterations a thread of THREADS takes of a guided loop: two thirds of
   its fair share, so that the others have enough left to even out.  */
static inline uint64_t
gomp_guided_length (uint64_t threads, uint64_t chunk, uint64_t remaining)
{
  uint64_t parts = threads + (threads + 1) / 2;
  uint64_t length = (remaining - 1) / parts + 1;
  if (length < chunk)
    length = chunk;
  return length < remaining ? length : remaining;
}

/* ---- doacross.c ---- */

/* The calling thread's next block of a doacross loop.  */
bool gomp_doacross_next (struct gomp_thread *, uint64_t *istart, uint64_t *iend);
void gomp_doacross_free_all (struct gomp_thread_pool *);

/* ---- ordered.c ---- */

/* The calling thread is through with its block.  */
void gomp_ordered_pass (struct gomp_thread *);

#endif /* GOMP_WORK_H */
