/* doacross.c -- loops with cross-iteration dependences: ordered (n), with sinks and sources.

   Level 0 of the loop is shared out in blocks, as in any other loop, and blocks are numbered in the order of
   their iterations with every schedule, so that whoever waits for a vector can tell the number of the
   block that it lies in.  (A guided loop is dealt like a dynamic one, because its blocks' bounds
   are nowhere written down.)  The owner of a block tells how far it is in an entry of a window of
   entries: block B uses entry B modulo the window's size.  Progress is one number: that of the first
   vector, in the order of all vectors of the loop, that is not done.  Since it is absolute, an entry
   needs no reset from block to block, and a later post stands for earlier ones, too.

   A program goes through all vectors of a loop, so that 64 bits are enough to number them. A loop with
   2 ** 64 and more (libgomp.c/doacross-many-vectors.c goes through a few of them) is not ordered.

   Invariants
   1. The number in an entry never decreases while the loop runs: the block B + window begins only
      when B is complete.  Whoever waits for that waits for an earlier block, so somebody always goes on.
   2. Only the owner of the entry's present block writes it, and not once it says that the block is
      complete: from then on it may be the next block's.  */

#include "loop.h"

#pragma omp declare target

extern bool GOMP_loop_doacross_static_start (unsigned, long *, long, long *, long *);
extern bool GOMP_loop_doacross_dynamic_start (unsigned, long *, long, long *, long *);
extern bool GOMP_loop_doacross_guided_start (unsigned, long *, long, long *, long *);
extern bool GOMP_loop_doacross_runtime_start (unsigned, long *, long *, long *);
extern bool GOMP_loop_ull_doacross_static_start (unsigned, accel_u64 *, accel_u64, accel_u64 *,
						 accel_u64 *);
extern bool GOMP_loop_ull_doacross_dynamic_start (unsigned, accel_u64 *, accel_u64, accel_u64 *,
						  accel_u64 *);
extern bool GOMP_loop_ull_doacross_guided_start (unsigned, accel_u64 *, accel_u64, accel_u64 *,
						 accel_u64 *);
extern bool GOMP_loop_ull_doacross_runtime_start (unsigned, accel_u64 *, accel_u64 *, accel_u64 *);
extern void GOMP_doacross_post (long *);
extern void GOMP_doacross_wait (long, long *);
extern void GOMP_doacross_ull_post (accel_u64 *);
extern void GOMP_doacross_ull_wait (accel_u64, accel_u64 *);

void
accel_doacross_fill (struct accel_thread *self, struct accel_work *d, unsigned levels,
		     const accel_u64 *counts, unsigned schedule, accel_u64 chunk)
{
  unsigned n = self->num_threads;
  /* Unsigned, but a chunk may come as a negative long.  */
  if ((schedule & ACCEL_SCHED_KIND_MASK) != ACCEL_SCHED_RUNTIME && (long) chunk < 0)
    chunk = 0;
  accel_loop_fill (self, d, n, schedule | ACCEL_LOOP_UNSIGNED, 0, counts[0], 1, chunk);
  if (d->kind == ACCEL_WORK_DYNAMIC || d->kind == ACCEL_WORK_GUIDED)
    d->kind = ACCEL_WORK_DYNAMIC_WIDE;

  accel_u64 vectors = 1;
  for (unsigned i = 1; i < levels; i++)
    vectors *= counts[i];
  if (n == 1 || vectors == 0)
    return;			/* nothing to wait for */

  struct accel_doacross *doacross
    = accel_work_memory (d, ACCEL_ALLOCATED_DOACROSS,
			 sizeof *doacross + (levels - 1) * sizeof (accel_u64));
  doacross->levels = levels;
  doacross->simple = levels == 1 && d->chunk == 1 && d->kind != ACCEL_WORK_STATIC;
  doacross->vectors = vectors;
  for (unsigned i = 1; i < levels; i++)
    doacross->counts[i - 1] = counts[i];
  d->ordered = ACCEL_ORDERED_DOACROSS;
}

static bool
start (unsigned levels, const accel_u64 *counts, unsigned schedule, accel_u64 chunk,
       accel_u64 *istart, accel_u64 *iend)
{
  struct accel_thread *self = accel_self ();
  uintptr_t met = accel_work_meet (self);
  struct accel_work *d = accel_work_of (met);
  if (d == NULL)
    return false;
  if (met & ACCEL_FIRST)
    {
      accel_doacross_fill (self, d, levels, counts, schedule, chunk);
      accel_work_ready (self, d);
    }
  return accel_loop_next_long (self, istart, iend);
}

/* The block of an iteration.  */
static accel_u64
block_of (const struct accel_work *d, unsigned n, accel_u64 iteration)
{
  if (d->kind != ACCEL_WORK_STATIC)
    return d->chunk == 1 ? iteration : accel_divide (iteration, d->chunk);
  accel_u64 each = accel_divide (d->count, n), longer = d->count - each * n;
  accel_u64 short_ones = longer * (each + 1);
  return (iteration < short_ones ? accel_divide (iteration, each + 1)
	  : longer + accel_divide (iteration - short_ones, each));
}

static accel_u64 *
entry_of (struct accel_work *d, unsigned n, accel_u64 iteration)
{
  return &d->doacross->xdone[block_of (d, n, iteration) % ACCEL_DOACROSS_WINDOW];
}

/* Until the entry says that vectors below NUMBER are done; not longer than the region lives.  */
static inline void
wait_for (struct accel_thread *self, const accel_u64 *entry, accel_u64 number)
{
  for (unsigned turn = 0; machine_uniform_load64 (entry) < number; turn++)
    {
      if (machine_load32 (&self->team->xcancelled))
	break;
      machine_pause (turn);
    }
  machine_fence_block ();	/* what was done before the post */
}

static inline void
tell (accel_u64 *entry, accel_u64 number)
{
  machine_fence_block ();	/* what was done before the post */
  machine_uniform_store64 (entry, number);
}

/* If the block's last vector has been posted, the entry may be another block's already.  If not, it
   is still SELF's.  */
void
accel_doacross_pass (struct accel_thread *self, struct accel_work *d)
{
  if (self->first == self->next)
    return;
  accel_u64 *entry = entry_of (d, self->num_threads, self->first);
  accel_u64 end = self->next * d->doacross->vectors;
  if (machine_uniform_load64 (entry) < end)
    tell (entry, end);
}

/* The entry must have been left by the block that used it before.  */
void
accel_doacross_take (struct accel_thread *self, struct accel_work *d)
{
  unsigned n = self->num_threads;
  accel_u64 block = block_of (d, n, self->first);
  /* A static schedule without chunks has fewer blocks than the window has entries.  */
  if (block >= ACCEL_DOACROSS_WINDOW)
    {
      accel_u64 behind = (block - ACCEL_DOACROSS_WINDOW + 1) * d->chunk;
      wait_for (self, entry_of (d, n, self->first), behind * d->doacross->vectors);
    }
}

/* The number of vector FIRST, REST[0] ...; false: it is not in the loop.  */
static bool
number_of (const struct accel_work *d, accel_u64 first, const accel_u64 *rest, accel_u64 *number)
{
  const struct accel_doacross *doacross = d->doacross;
  bool inside = first < d->count;
  *number = first;
  for (unsigned i = 1; i < doacross->levels; i++)
    {
      inside = inside && rest[i - 1] < doacross->counts[i - 1];
      *number = *number * doacross->counts[i - 1] + rest[i - 1];
    }
  return inside;
}

static void __attribute__ ((noinline))
post_any (const accel_u64 *vector)
{
  struct accel_thread *self = accel_self ();
  struct accel_work *d = self->work;
  accel_u64 number;
  if (number_of (d, vector[0], vector + 1, &number))
    tell (entry_of (d, self->num_threads, self->first), number + 1);
}

static void __attribute__ ((noinline))
wait_any (accel_u64 first, const accel_u64 *rest)
{
  struct accel_thread *self = accel_self ();
  struct accel_work *d = self->work;
  accel_u64 number;
  if (number_of (d, first, rest, &number))
    wait_for (self, entry_of (d, self->num_threads, first), number + 1);
}

/* What is between a post and the end of the wait for it is all that a loop takes whose iterations depend on each
   other.  So the simple ones, which are the usual ones, are done without calls.  */
static inline void __attribute__ ((always_inline))
post (const accel_u64 *vector)
{
  struct accel_thread *self = accel_self ();
  struct accel_work *d = self->work;
  accel_u64 number = vector[0], first = self->first;
  struct accel_doacross *doacross;
  if (d == NULL || (doacross = d->doacross) == NULL)
    return;
  if (!doacross->simple)
    post_any (vector);
  else if (number < d->count)
    tell (&doacross->xdone[first % ACCEL_DOACROSS_WINDOW], number + 1);
}

/* Compilers leave some sinks outside of the loop in the program.  What is in the thread's own block is done,
   or never will be.  */
static inline void __attribute__ ((always_inline))
wait (accel_u64 first, const accel_u64 *rest)
{
  struct accel_thread *self = accel_self ();
  struct accel_work *d = self->work;
  accel_u64 mine = self->first, next = self->next;
  struct accel_doacross *doacross;
  if (d == NULL || (doacross = d->doacross) == NULL || first - mine < next - mine)
    return;
  if (!doacross->simple)
    wait_any (first, rest);
  else if (first < d->count)
    wait_for (self, &doacross->xdone[first % ACCEL_DOACROSS_WINDOW], first + 1);
}

/* Longs are not negative here.  */

bool
GOMP_loop_doacross_static_start (unsigned levels, long *counts, long chunk, long *istart, long *iend)
{
  return start (levels, (accel_u64 *) counts, ACCEL_SCHED_STATIC, chunk, (accel_u64 *) istart,
		(accel_u64 *) iend);
}

bool
GOMP_loop_doacross_dynamic_start (unsigned levels, long *counts, long chunk, long *istart, long *iend)
{
  return start (levels, (accel_u64 *) counts, ACCEL_SCHED_DYNAMIC, chunk, (accel_u64 *) istart,
		(accel_u64 *) iend);
}

bool
GOMP_loop_doacross_guided_start (unsigned levels, long *counts, long chunk, long *istart, long *iend)
{
  return start (levels, (accel_u64 *) counts, ACCEL_SCHED_GUIDED, chunk, (accel_u64 *) istart,
		(accel_u64 *) iend);
}

bool
GOMP_loop_doacross_runtime_start (unsigned levels, long *counts, long *istart, long *iend)
{
  return start (levels, (accel_u64 *) counts, ACCEL_SCHED_RUNTIME, 0, (accel_u64 *) istart,
		(accel_u64 *) iend);
}

bool
GOMP_loop_ull_doacross_static_start (unsigned levels, accel_u64 *counts, accel_u64 chunk,
				     accel_u64 *istart, accel_u64 *iend)
{
  return start (levels, counts, ACCEL_SCHED_STATIC, chunk, istart, iend);
}

bool
GOMP_loop_ull_doacross_dynamic_start (unsigned levels, accel_u64 *counts, accel_u64 chunk,
				      accel_u64 *istart, accel_u64 *iend)
{
  return start (levels, counts, ACCEL_SCHED_DYNAMIC, chunk, istart, iend);
}

bool
GOMP_loop_ull_doacross_guided_start (unsigned levels, accel_u64 *counts, accel_u64 chunk,
				     accel_u64 *istart, accel_u64 *iend)
{
  return start (levels, counts, ACCEL_SCHED_GUIDED, chunk, istart, iend);
}

bool
GOMP_loop_ull_doacross_runtime_start (unsigned levels, accel_u64 *counts, accel_u64 *istart,
				      accel_u64 *iend)
{
  return start (levels, counts, ACCEL_SCHED_RUNTIME, 0, istart, iend);
}

void
GOMP_doacross_post (long *vector)
{
  post ((accel_u64 *) vector);
}

void
GOMP_doacross_wait (long first, long *rest)
{
  wait (first, (accel_u64 *) rest);
}

void
GOMP_doacross_ull_post (accel_u64 *vector)
{
  post (vector);
}

void
GOMP_doacross_ull_wait (accel_u64 first, accel_u64 *rest)
{
  wait (first, rest);
}

#pragma omp end declare target
