/* doacross.c -- loops with cross-iteration dependences: ordered (n), with sinks and sources.

   Level 0 of the loop is shared out in blocks, as in any other loop; here blocks are numbered in
   the order of their iterations with every schedule, so that whoever waits for a vector can tell
   the number of the block that it lies in.  The owner of a block tells how far it is in an entry
   of a window of entries: block B uses entry B modulo the window's size.  So memory depends on
   the number of threads, not on the number of iterations; a thread that is a whole window ahead
   of another waits for it (the other one waits for earlier blocks only, so somebody always goes on).

   Progress is one number: the position of a vector in the order of all vectors of the loop, plus
   one; what is below it is done.  A post is a store of that, a wait compares.  Since the number
   says which vector it is, absolutely, an entry needs no reset from block to block.  A
   block that is complete has the number of the first vector behind it.  Nor is there a reset from
   loop to loop: numbers go on where those of the window's last loop ended (its base), because
   writing to every entry again would cost more than many a loop does.

   If there are more vectors than a 64-bit number can count, the number gets several digits, each for
   as many levels as it can hold.  They are written from the last to the first and read from
   the first to the last.  A reader that sees a first digit D also sees the later digits at
   least as they were when D was written; those are never beyond the truth in front of a
   digit that is not newer than they are.  So what it reads is at most the truth, which is
   all that a wait relies on.

   Waiters that sleep.  The owner has no atomic read-modify-write to do; after its store it only
   asks whether anybody sleeps for the window, and if so compares with the least number that a
   sleeper of this entry wants, with the fences of config/linux/fence.h.  The question does not
   go to the entry's own line, which waiters look at: that would be one more trip of the line.

   Invariants
   1. The number in an entry never decreases, but when nobody uses the window: the block
      B + window begins only when B is complete, and what is left from the window's earlier loops
      is at most the base.
   2. Only the owner of the entry's present block writes its digits, and only until the first one
      is that of the vector behind the block.
   3. xwanted is at most what any thread that sleeps for the entry wants, and xwakes has
      changed since the thread looked at it otherwise.
   4. An object of a pool's list whose number is below what all threads have reached is free
      (work.h, invariant 2).

   Called by loops' entry points and by iter.c (gomp_doacross_next).  */

#include "host/abi.h"
#include "host/cancel.h"
#include "host/ompt.h"
#include "host/reduction.h"
#include "host/team.h"
#include "host/work.h"
#include "config/linux/fence.h"
#include "config/linux/futex.h"

/* So many blocks may be in work at a time, or four times the threads if that is more.  */
#define WINDOW 256

/* On the stack.  There are as many digits as the program has levels at most.  */
#define NEW_DIGITS(d) ((uint64_t *) __builtin_alloca ((d)->ndigits * sizeof (uint64_t)))

#define NO_BLOCK UINT64_MAX
#define NOBODY UINT64_MAX

/* An entry: the digits of how far the owner of a block is, written by the owner.  */
typedef _Atomic (uint64_t) entry_t;

/* Who sleeps for an entry.  Not next to the entry, which waiters look at all the time.  */
struct gomp_doacross_sleepers
{
  _Atomic (uint64_t) xwanted;	/* they wait for this in the first digit, or NOBODY */
  gomp_word_t xwakes;		/* they sleep on this; counts wake-up calls */
};

struct gomp_doacross_level
{
  uint64_t count;
  uint64_t factor;		/* the count, or 0: a new digit begins with it */
};

/* The window of one loop.  Constant while the loop runs but for what the entries hold, and
   xsleepers.  */
struct gomp_doacross
{
  GOMP_NO_SHARING struct gomp_doacross *next;	/* protected by the pool's doacross_lock */
  uint64_t number;		/* the last instance that used it; so is this */

  enum gomp_work_kind kind;	/* how blocks are dealt */
  uint64_t niter, nblocks;
  uint64_t chunk;
  int shift;			/* chunk is 1 << shift, or -1 */
  uint64_t each, longer;	/* one block a thread: its length, and how many have one more */
  uint64_t *bounds;		/* guided: first iterations of the blocks, and niter */
  size_t bounds_size;

  unsigned nlevels, ndigits;
  struct gomp_doacross_level *levels;
  unsigned levels_size;
  uint64_t digit_0_factor;	/* vectors of one iteration of level 0 as far as digit 0 counts */

  char *entries;
  size_t stride, size;		/* bytes */
  struct gomp_doacross_sleepers *sleepers;	/* of each entry */
  size_t sleepers_size;		/* how many there are */
  uint64_t mask;		/* entries - 1 */
  uint64_t nready;		/* entries whose numbers are at most the next base */
  uint64_t base;		/* first digit of the loop's first vector; 0 if there are more */
  uint64_t total;		/* how far the loop's first digits go beyond it */

  /* Threads that sleep or are about to.  Read at each post, written only when somebody sleeps,
     so it may be next to the constant fields.  */
  _Atomic (uint32_t) xsleepers;
};

/* ---- Which block, which entry ---- */

static inline entry_t *
entry_of_block (const struct gomp_doacross *d, uint64_t block)
{
  return (entry_t *) (d->entries + (block & d->mask) * d->stride);
}

static struct gomp_doacross_sleepers *
sleepers_of (const struct gomp_doacross *d, const entry_t *entry)
{
  return &d->sleepers[((const char *) entry - d->entries) / d->stride];
}

/* Where BLOCK begins; that of nblocks: the end.  */
static uint64_t
block_start (const struct gomp_doacross *d, uint64_t block)
{
  if (block >= d->nblocks)
    return d->niter;
  switch (d->kind)
    {
    case GOMP_WORK_STATIC:
      return block * d->each + (block < d->longer ? block : d->longer);
    case GOMP_WORK_GUIDED:
      return d->bounds[block];
    default:
      return block * d->chunk;
    }
}

static uint64_t
block_of (const struct gomp_doacross *d, uint64_t iter)
{
  switch (d->kind)
    {
    case GOMP_WORK_STATIC:
      {
	uint64_t shorter_start = d->longer * (d->each + 1);
	return iter < shorter_start ? iter / (d->each + 1)
	       : d->longer + (iter - shorter_start) / d->each;
      }
    case GOMP_WORK_GUIDED:
      {
	/* The last block that does not begin behind ITER.  */
	uint64_t low = 0, high = d->nblocks;
	while (high - low > 1)
	  {
	    uint64_t middle = low + (high - low) / 2;
	    if (d->bounds[middle] <= iter)
	      low = middle;
	    else
	      high = middle;
	  }
	return low;
      }
    default:
      return iter / d->chunk;
    }
}

static entry_t * __attribute__ ((noinline))
look_up (const struct gomp_doacross *d, struct gomp_doacross_place *place, uint64_t iter)
{
  uint64_t block = block_of (d, iter);
  place->seen_first = block_start (d, block);
  place->seen_length = block_start (d, block + 1) - place->seen_first;
  place->seen = entry_of_block (d, block);
  return place->seen;
}

static inline entry_t *
entry_of_iter (const struct gomp_doacross *d, struct gomp_doacross_place *place, uint64_t iter)
{
  if (d->shift >= 0)
    return entry_of_block (d, iter >> d->shift);
  if (iter - place->seen_first < place->seen_length)
    return place->seen;
  return look_up (d, place, iter);
}

/* ---- Waiting and posting ---- */

/* ENTRY's number is above AT.  */
static bool
is_beyond (const struct gomp_doacross *d, entry_t *entry, const uint64_t *at)
{
  for (unsigned i = 0; ; i++)
    {
      /* Acquire: what was done before the post, and the digits written before this one.  */
      uint64_t digit = gomp_load_acquire (&entry[i]);
      if (digit > at[i])
	return true;
      if (digit < at[i] || i + 1 == d->ndigits)
	return false;
    }
}

static void __attribute__ ((cold))
sleep_until_beyond (struct gomp_thread *thr, struct gomp_doacross *d,
		    entry_t *entry, const uint64_t *at)
{
  /* The first digit alone decides about wake-up calls; with more digits they may come early.  */
  uint64_t want = at[0] + (d->ndigits == 1);
  struct gomp_doacross_sleepers *sleepers = sleepers_of (d, entry);
  /* Relaxed, as is taking it back: the fence orders it.  */
  gomp_add_relaxed (&d->xsleepers, 1);
  for (;;)
    {
      /* Acquire: before looking at the number; release pairs below.  */
      uint32_t wakes = gomp_load_acquire (&sleepers->xwakes);
      /* Relaxed: the fence orders it.  */
      uint64_t wanted = gomp_load_relaxed (&sleepers->xwanted);
      while (want < wanted && !gomp_cas_weak_relaxed (&sleepers->xwanted, &wanted, want))
	continue;
      gomp_fence_heavy ();
      if (is_beyond (d, entry, at))
	break;
      if (!gomp_cancel_sleep (thr, &sleepers->xwakes, wakes, GOMP_FUTEX_ANY))
	break;
    }
  gomp_add_relaxed (&d->xsleepers, -1);
}

static void __attribute__ ((noinline))
wait_until_beyond (struct gomp_thread *thr, struct gomp_doacross *d,
		   entry_t *entry, const uint64_t *at)
{
  uint64_t spins = thr->team->spins;
  for (uint64_t i = 0; !is_beyond (d, entry, at); i++)
    {
      if (gomp_cancelled_wait (thr))
	return;
      if (!gomp_spin (i, spins))
	{
	  sleep_until_beyond (thr, d, entry, at);
	  return;
	}
    }
}

/* Whoever sleeps for what ENTRY's block has done with DIGIT.  */
static void __attribute__ ((cold, noinline))
wake (const struct gomp_doacross *d, entry_t *entry, uint64_t digit)
{
  struct gomp_doacross_sleepers *sleepers = sleepers_of (d, entry);
  /* Relaxed: the fence of the caller orders it.  */
  if (gomp_load_relaxed (&sleepers->xwanted) > digit)
    return;
  /* In this order, so that whoever loses its entry in xwanted sees xwakes change.  */
  gomp_swap_acq_rel (&sleepers->xwanted, NOBODY);
  gomp_add_acq_rel (&sleepers->xwakes, 1);
  gomp_futex_wake (&sleepers->xwakes, INT_MAX);
}

/* The calling thread's block has come to DIGIT, the first of the number.  */
static inline void
post_digit (const struct gomp_doacross *d, entry_t *entry, uint64_t digit)
{
  /* Release: all that the thread did before.  */
  gomp_store_release (entry, digit);
  gomp_fence_light ();
  /* Relaxed: the fence orders it.  */
  if (gomp_unlikely (gomp_load_relaxed (&d->xsleepers) != 0))
    wake (d, entry, digit);
}

static void __attribute__ ((cold))
post_digits (const struct gomp_doacross *d, entry_t *entry, const uint64_t *at)
{
  for (unsigned i = d->ndigits - 1; i > 0; i--)
    /* Release: as for the first, and not after it.  */
    gomp_store_release (&entry[i], at[i]);
  post_digit (d, entry, at[0]);
}

/* The calling thread's window, or NULL: the loop has no order to keep.  */
static inline struct gomp_doacross *
current_window (struct gomp_thread *thr)
{
  return thr->nthreads_minus_1 > 0 ? thr->ws->doacross : NULL;
}

#define POST(name, type)							\
  GOMP_EXPORT void								\
  name (type *vector)								\
  {										\
    struct gomp_thread *thr = &gomp_tls;					\
    struct gomp_doacross *d = current_window (thr);				\
    if (d == NULL)								\
      return;									\
										\
    uint64_t at = vector[0];							\
    if (gomp_likely (d->ndigits == 1))						\
      {										\
	for (unsigned k = 1; k < d->nlevels; k++)				\
	  at = at * d->levels[k].factor + (uint64_t) vector[k];			\
	post_digit (d, thr->slot->doacross.own, d->base + at + 1);		\
	return;									\
      }										\
										\
    uint64_t *digits = NEW_DIGITS (d), *digit = digits;			\
    *digit = at;								\
    for (unsigned k = 1; k < d->nlevels; k++)					\
      if (d->levels[k].factor == 0)							\
	*++digit = vector[k];							\
      else									\
	*digit = *digit * d->levels[k].factor + (uint64_t) vector[k];			\
    ++*digit;									\
    post_digits (d, thr->slot->doacross.own, digits);				\
  }

/* A vector in the thread's own block is done, since the thread is beyond it.  Vectors outside of
   the loop never come; compilers leave out most of these sinks, but not all.  */
#define WAIT(name, type)							\
  GOMP_EXPORT void								\
  name (type first, ...)							\
  {										\
    struct gomp_thread *thr = &gomp_tls;					\
    struct gomp_doacross *d = current_window (thr);				\
    if (d == NULL)								\
      return;									\
    struct gomp_doacross_place *place = &thr->slot->doacross;			\
    uint64_t at = first;							\
    if (at - place->first < place->length || at >= d->niter)			\
      return;									\
    entry_t *entry = entry_of_iter (d, place, at);				\
    uint64_t *digits = NULL, *digit = &at;					\
    if (gomp_unlikely (d->ndigits > 1))						\
      {										\
	digit = digits = NEW_DIGITS (d);					\
	*digit = at;								\
      }										\
										\
    va_list ap;									\
    va_start (ap, first);							\
    bool outside = false;							\
    for (unsigned k = 1; k < d->nlevels; k++)					\
      {										\
	uint64_t index = va_arg (ap, type);					\
	outside |= index >= d->levels[k].count;					\
	if (gomp_unlikely (d->levels[k].factor == 0))				\
	  *++digit = index;							\
	else									\
	  *digit = *digit * d->levels[k].factor + index;			\
      }										\
    va_end (ap);								\
    if (outside)								\
      return;									\
    if (digits != NULL)								\
      {										\
	wait_until_beyond (thr, d, entry, digits);				\
	return;									\
      }										\
    at += d->base;								\
    /* Acquire: what was done before the post.  */				\
    if (gomp_unlikely (gomp_load_acquire (entry) <= at))			\
      wait_until_beyond (thr, d, entry, &at);					\
  }

POST (GOMP_doacross_post, long)
POST (GOMP_doacross_ull_post, gomp_ull)
WAIT (GOMP_doacross_wait, long)
WAIT (GOMP_doacross_ull_wait, gomp_ull)

/* ---- Blocks ---- */

/* The calling thread is through with its block, whatever it has posted of it.  */
static void
complete_block (const struct gomp_doacross *d, struct gomp_doacross_place *place)
{
  uint64_t end = d->base + (place->first + place->length) * d->digit_0_factor;
  /* When the last vector was posted, the entry may be another block's already.  Relaxed: below
     END only this thread writes it.  */
  if (place->length > 0 && gomp_load_relaxed (place->own) < end)
    post_digit (d, place->own, end);
  place->length = 0;
}

static uint64_t
take_block (struct gomp_thread *thr, struct gomp_work_share *ws, const struct gomp_doacross *d)
{
  uint64_t trip;
  switch (d->kind)
    {
    case GOMP_WORK_STATIC:
      return thr->static_trip++ == 0 ? thr->thread_num : NO_BLOCK;
    case GOMP_WORK_STATIC_CHUNK:
      trip = thr->static_trip++;
      return trip * gomp_num_threads (thr) + thr->thread_num;
    default:
      /* Relaxed: the number alone tells which iterations are the thread's.  */
      return gomp_add_relaxed (&ws->xtaken, 1);
    }
}

bool
gomp_doacross_next (struct gomp_thread *thr, uint64_t *istart, uint64_t *iend)
{
  struct gomp_work_share *ws = thr->ws;
  struct gomp_doacross *d = ws->doacross;
  struct gomp_doacross_place *place = &thr->slot->doacross;

  complete_block (d, place);
  uint64_t block = take_block (thr, ws, d);
  if (block >= d->nblocks)
    return false;

  entry_t *entry = entry_of_block (d, block);
  if (block > d->mask && gomp_likely (thr->nthreads_minus_1 > 0))	/* not left alone by fork */
    {
      /* Wait until the block that had the entry before is complete.  */
      uint64_t *at = NEW_DIGITS (d);
      memset (at, 0xff, d->ndigits * sizeof (*at));
      at[0] = d->base + block_start (d, block - d->mask) * d->digit_0_factor - 1;
      wait_until_beyond (thr, d, entry, at);
    }
  place->own = entry;
  *istart = place->first = block_start (d, block);
  *iend = block_start (d, block + 1);
  place->length = *iend - *istart;
  if (gomp_ompt_on ())
    gomp_ompt_chunk (thr, place->first, place->length);
  return true;
}

/* ---- Windows ---- */

/* Split the vectors into digits: all but the first level of a digit multiply it.  */
static void
set_levels (struct gomp_doacross *d, unsigned nlevels, const uint64_t *counts)
{
  if (nlevels > d->levels_size)
    {
      d->levels = gomp_realloc_array (d->levels, nlevels, sizeof (*d->levels));
      d->levels_size = nlevels;
    }
  d->nlevels = nlevels;
  d->ndigits = 1;
  d->digit_0_factor = 1;
  uint64_t product = counts[0];
  for (unsigned k = 1; k < nlevels; k++)
    {
      uint64_t more;
      d->levels[k].count = counts[k];
      if (__builtin_mul_overflow (product, counts[k], &more))
	{
	  d->levels[k].factor = 0;
	  d->ndigits++;
	  product = counts[k];
	  continue;
	}
      product = more;
      d->levels[k].factor = counts[k];
      if (d->ndigits == 1)
	d->digit_0_factor *= counts[k];
    }
}

static void
set_guided_bounds (struct gomp_doacross *d, uint64_t threads)
{
  d->nblocks = 0;
  for (uint64_t first = 0; ; )
    {
      if (d->nblocks + 1 > d->bounds_size)
	{
	  d->bounds_size = d->bounds_size ? 2 * d->bounds_size : 64;
	  d->bounds = gomp_realloc_array (d->bounds, d->bounds_size, sizeof (*d->bounds));
	}
      d->bounds[d->nblocks] = first;
      if (first == d->niter)
	return;
      d->nblocks++;
      first += gomp_guided_length (threads, d->chunk, d->niter - first);
    }
}

static void
set_blocks (struct gomp_doacross *d, const struct gomp_work_share *ws, enum gomp_work_kind kind,
	    uint64_t threads)
{
  d->kind = kind;
  d->niter = ws->niter;
  d->chunk = ws->chunk;
  d->nblocks = ws->nblocks;
  d->shift = -1;
  switch (kind)
    {
    case GOMP_WORK_STATIC:
      d->nblocks = d->niter < threads ? d->niter : threads;
      d->each = d->niter / threads;
      d->longer = d->niter % threads;
      break;
    case GOMP_WORK_GUIDED:
      set_guided_bounds (d, threads);
      break;
    default:
      if ((d->chunk & (d->chunk - 1)) == 0)
	d->shift = __builtin_ctzll (d->chunk);
      break;
    }
}

/* Where the loop's numbers begin.  */
static void
set_base (struct gomp_doacross *d)
{
  uint64_t total = d->niter * d->digit_0_factor, end;
  d->base += d->total;
  d->total = total;
  /* Later digits do begin again with each loop.  And once in 2^64 vectors the first ones.  */
  if (d->ndigits > 1 || __builtin_add_overflow (d->base, total, &end))
    d->base = d->nready = 0;
}

/* Entries for the blocks, none of them begun.  */
static void
set_entries (struct gomp_doacross *d, uint64_t threads)
{
  uint64_t window = WINDOW;
  while (window < 4 * threads)
    window *= 2;
  while (window / 2 >= d->nblocks)
    window /= 2;
  d->mask = window - 1;

  /* Entries of their own lines, so that nobody gets in the way of a thread that posts often.  When
     there is one post to a block, who posts has usually just read the post before: then they
     are next to each other, and some processors hand the line over with the right to write.  */
  const size_t apart = 2 * GOMP_CACHE_LINE;
  size_t stride = d->ndigits * sizeof (entry_t);
  if (d->shift != 0 || d->digit_0_factor > 1 || d->ndigits > 1)
    stride = (stride + apart - 1) / apart * apart;
  if (stride != d->stride)
    d->nready = 0;
  d->stride = stride;
  if (window * stride > d->size)
    {
      free (d->entries);
      d->size = window * stride;
      d->entries = gomp_aligned_alloc (apart, d->size);
      d->nready = 0;
    }
  if (window > d->sleepers_size)
    {
      d->sleepers = gomp_realloc_array (d->sleepers, window, sizeof (*d->sleepers));
      d->sleepers_size = window;
      d->nready = 0;
    }
  for (; d->nready < window; d->nready++)
    {
      entry_t *entry = entry_of_block (d, d->nready);
      /* Relaxed: announcing the window publishes it.  */
      gomp_store_relaxed (&d->sleepers[d->nready].xwanted, NOBODY);
      gomp_store_relaxed (&d->sleepers[d->nready].xwakes, 0);
      for (unsigned k = 0; k < d->ndigits; k++)
	gomp_store_relaxed (&entry[k], 0);
    }
}

static struct gomp_doacross *
find_free (struct gomp_thread_pool *pool, uint64_t passed)
{
  struct gomp_doacross *d = pool->doacross;
  while (d != NULL && d->number >= passed)
    d = d->next;
  return d;
}

/* An object for instance NUMBER, whose first thread is that of SLOT.  */
static struct gomp_doacross *
get_object (struct gomp_slot *slot, uint64_t number)
{
  struct gomp_thread_pool *pool = slot->pool;

  gomp_mutex_lock (&pool->doacross_lock);
  struct gomp_doacross *d = find_free (pool, slot->ws_passed);
  if (d == NULL && pool->doacross != NULL)
    {
      gomp_work_look_around (slot);
      d = find_free (pool, slot->ws_passed);
    }
  if (d == NULL)
    {
      d = gomp_aligned_alloc (_Alignof (struct gomp_doacross), sizeof (*d));
      memset (d, 0, sizeof (*d));
      d->next = pool->doacross;
      pool->doacross = d;
    }
  d->number = number;
  gomp_mutex_unlock (&pool->doacross_lock);
  return d;
}

void
gomp_doacross_free_all (struct gomp_thread_pool *pool)
{
  struct gomp_doacross *d;
  while ((d = pool->doacross) != NULL)
    {
      pool->doacross = d->next;
      free (d->bounds);
      free (d->levels);
      free (d->entries);
      free (d->sleepers);
      free (d);
    }
}

/* ---- The start of a loop ---- */

/* The calling thread appends the loop's instance, or finds that another was first.  NLEVELS 0:
   some level is empty, so that there is nothing to post and nothing to wait for.  */
static void __attribute__ ((noinline))
append_loop (struct gomp_thread *thr, const struct gomp_loop *loop, unsigned nlevels,
	     const uint64_t *counts)
{
  struct gomp_work_share *ws = gomp_work_new (thr);
  bool alone = thr->nthreads_minus_1 == 0;

  gomp_loop_init (thr, ws, thr->nthreads_minus_1 + 1, loop);
  ws->doacross = NULL;
  if (alone || nlevels == 0 || loop->blank)
    {
      gomp_loop_publish (thr, ws, loop);
      return;
    }

  enum gomp_work_kind kind = ws->kind;
  ws->kind = GOMP_WORK_DOACROSS;
  gomp_store_relaxed (&ws->xcopied, 0);	/* published with the instance */
  if (!gomp_loop_publish (thr, ws, loop))
    return;
  /* Only the thread that was first makes the window, which can be large.  */
  struct gomp_doacross *d = get_object (thr->slot, ws->number);
  set_levels (d, nlevels, counts);
  set_blocks (d, ws, kind, thr->nthreads_minus_1 + 1ul);
  set_base (d);
  set_entries (d, thr->nthreads_minus_1 + 1ul);
  ws->doacross = d;
  /* Release: the window.  */
  gomp_word_post (&ws->xcopied, 2);
}

static void
enter_loop (struct gomp_thread *thr, struct gomp_loop *loop, unsigned nlevels,
	    const uint64_t *counts, bool blank, uintptr_t *reductions, void **mem)
{
  gomp_loop_ask_general (loop, blank, reductions, mem);
  if (gomp_work_meet (thr) == NULL)
    append_loop (thr, loop, nlevels, counts);
  thr->static_trip = 0;
  thr->ticket = GOMP_NO_TICKET;
  if (thr->ws->kind == GOMP_WORK_DOACROSS)
    {
      thr->slot->doacross = (struct gomp_doacross_place) { .length = 0 };
      /* Acquire: the window.  */
      gomp_word_wait (&thr->ws->xcopied, 0, thr->team->spins);
    }
  gomp_loop_answer_general (thr, reductions, mem);
}

_Static_assert (sizeof (long) == sizeof (uint64_t) && sizeof (gomp_ull) == sizeof (uint64_t),
		"vectors are read through uint64_t");

/* The rest of a start function; EMPTY: some level has no iterations.  */
static inline bool __attribute__ ((always_inline))
start_loop (struct gomp_loop loop, bool empty, unsigned ncounts, const uint64_t *counts,
	    uint64_t *istart, uint64_t *iend, uintptr_t *reductions, void **mem)
{
  struct gomp_thread *thr = gomp_self ();
  loop.sched |= GOMP_SCHED_MONOTONIC;	/* none has another name */
  enter_loop (thr, &loop, empty ? 0 : ncounts, counts, istart == NULL, reductions, mem);
  if (gomp_ompt_on ())
    gomp_ompt_loop_begin (thr, &loop, __builtin_return_address (0));
  return istart == NULL || gomp_iter_next (thr, istart, iend);
}

static inline bool __attribute__ ((always_inline))
start_long (unsigned ncounts, long *counts, unsigned sched, long chunk, long *istart, long *iend,
	    uintptr_t *reductions, void **mem)
{
  bool empty = false;
  for (unsigned k = 0; k < ncounts; k++)
    empty |= counts[k] <= 0;
  return start_loop (gomp_loop_of_longs (0, counts[0], 1, sched, chunk), empty, ncounts,
		     (const uint64_t *) counts, (uint64_t *) istart, (uint64_t *) iend,
		     reductions, mem);
}

static inline bool __attribute__ ((always_inline))
start_ull (unsigned ncounts, gomp_ull *counts, unsigned sched, gomp_ull chunk, gomp_ull *istart,
	   gomp_ull *iend, uintptr_t *reductions, void **mem)
{
  bool empty = false;
  for (unsigned k = 0; k < ncounts; k++)
    empty |= counts[k] == 0;
  return start_loop (gomp_loop_of_ulls (true, 0, counts[0], 1, sched, chunk), empty, ncounts,
		     (const uint64_t *) counts, (uint64_t *) istart, (uint64_t *) iend,
		     reductions, mem);
}

#define STARTS(prefix, type, start)						\
  GOMP_EXPORT bool								\
  GOMP_##prefix##_static_start (unsigned ncounts, type *counts, type chunk,	\
				type *istart, type *iend)			\
  {										\
    return start (ncounts, counts, GOMP_SCHED_STATIC, chunk, istart, iend,	\
		  NULL, NULL);							\
  }										\
  GOMP_EXPORT bool								\
  GOMP_##prefix##_dynamic_start (unsigned ncounts, type *counts, type chunk,	\
				 type *istart, type *iend)			\
  {										\
    return start (ncounts, counts, GOMP_SCHED_DYNAMIC, chunk, istart, iend,	\
		  NULL, NULL);							\
  }										\
  GOMP_EXPORT bool								\
  GOMP_##prefix##_guided_start (unsigned ncounts, type *counts, type chunk,	\
				type *istart, type *iend)			\
  {										\
    return start (ncounts, counts, GOMP_SCHED_GUIDED, chunk, istart, iend,	\
		  NULL, NULL);							\
  }										\
  GOMP_EXPORT bool								\
  GOMP_##prefix##_runtime_start (unsigned ncounts, type *counts, type *istart,	\
				 type *iend)					\
  {										\
    return start (ncounts, counts, GOMP_SCHED_RUNTIME, 0, istart, iend,		\
		  NULL, NULL);							\
  }										\
  GOMP_EXPORT bool								\
  GOMP_##prefix##_start (unsigned ncounts, type *counts, long sched, type chunk, \
			 type *istart, type *iend, uintptr_t *reductions,	\
			 void **mem)						\
  {										\
    return start (ncounts, counts, gomp_decode_sched (sched), chunk, istart,	\
		  iend, reductions, mem);					\
  }

STARTS (loop_doacross, long, start_long)
STARTS (loop_ull_doacross, gomp_ull, start_ull)
