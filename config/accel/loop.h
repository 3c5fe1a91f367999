/* loop.h -- loops: what the entry points share.

   The kind of a loop is that of its descriptor: a next function may have another name than the start
   function had.  All arithmetic is on iteration numbers and block numbers from zero, in 64 bits unsigned,
   where nothing overflows: a loop has at most 2^64 - 1 iterations, a block begins at an
   iteration below that count, and a counter of blocks goes beyond the number of blocks by at
   most one for each thread.  Only the result is turned into values of the loop's variable.

   The block that contains the final iteration is the last one that its thread gets (the
   program tells the lastprivate thread by that), and its end is exactly the loop's bound.  */

#ifndef GOMPX_ACCEL_LOOP_H
#define GOMPX_ACCEL_LOOP_H 1

#include "accel.h"

/* What a loop is, besides its numbers: a schedule kind (ACCEL_SCHED_*) and these.  */
enum
{
  ACCEL_LOOP_ORDERED = 0x08,
  ACCEL_LOOP_UNSIGNED = 0x10,	/* unsigned long long, or logical iterations */
  ACCEL_LOOP_DOWN = 0x20,	/* and counting down: incr is the two's complement of the step */
  ACCEL_LOOP_BLANK = 0x40	/* the compiler hands the iterations out itself */
};

/* accel_work.ordered */
enum { ACCEL_ORDERED_NO, ACCEL_ORDERED_YES, ACCEL_ORDERED_DOACROSS };

#pragma omp declare target

/* ---- iter.c ---- */

/* Fill in D for a loop of N threads; SELF's task tells the runtime schedule.  */
void accel_loop_fill (struct accel_thread *self, struct accel_work *d, unsigned n, unsigned flags,
		      accel_u64 start, accel_u64 end, accel_u64 incr, accel_u64 chunk);
/* SELF meets the loop and takes its first block.  */
bool accel_loop_start (unsigned flags, accel_u64 start, accel_u64 end, accel_u64 incr, accel_u64 chunk,
		       accel_u64 *istart, accel_u64 *iend);
/* The next block, half open; false: no more.  In an ordered loop SELF's turn passes on.  */
bool accel_loop_next_long (struct accel_thread *self, accel_u64 *istart, accel_u64 *iend);

#ifdef MACHINE_NEAR
/* The next functions of loops that are likely to be dynamic are in assembly there, and call this if
   accel_thread.near_dynamic is 0.  */
bool accel_loop_next_other (accel_u64 *istart, accel_u64 *iend);
#else
static inline bool
accel_loop_next (accel_u64 *istart, accel_u64 *iend)
{
  struct accel_thread *self = accel_self ();
  struct accel_work *d = self->work;
  if (d == NULL || d->kind != ACCEL_WORK_DYNAMIC)
    return accel_loop_next_long (self, istart, iend);
  unsigned block = machine_shared_add32 (&d->xtaken32, 1), blocks = (unsigned) d->blocks;
  if (block >= blocks)
    return false;
  accel_u64 stride = d->stride, first = d->start + block * stride;
  *istart = first;
  *iend = block + 1 == blocks ? d->end : first + stride;
  return true;
}

#endif

/* SELF's first block of D, which it has just met.  */
static inline bool
accel_loop_next_first (struct accel_thread *self, struct accel_work *d, accel_u64 *istart, accel_u64 *iend)
{
#ifdef MACHINE_NEAR
  if (d->kind == ACCEL_WORK_DYNAMIC)
    self->near_dynamic = machine_near (d);
  return accel_loop_next_long (self, istart, iend);
#else
  (void) self;
  (void) d;
  return accel_loop_next (istart, iend);
#endif
}

/* The schedule argument of the general start functions: 0 and 4 stand for runtime.  */
static inline unsigned
accel_decode_schedule (long schedule)
{
  unsigned kind = schedule & ACCEL_SCHED_KIND_MASK;
  return kind == ACCEL_SCHED_AUTO ? ACCEL_SCHED_RUNTIME : kind;
}

/* A function, because division is long and wants many registers.  */
accel_u64 accel_divide (accel_u64 a, accel_u64 b);

/* ---- work-general.c ---- */

/* What the general start functions may ask for: FIRST prepares it in D, and every thread enters.  */
void accel_general_prepare (struct accel_thread *self, struct accel_work *d, uintptr_t *reductions,
			    void **mem);
void accel_general_enter (struct accel_thread *self, struct accel_work *d, uintptr_t *reductions,
			  void **mem);

/* ---- doacross.c ---- */

/* The shared state of a doacross loop, in accel_work.doacross.  Vectors of iterations are numbered in
   their order.  Level 0 is handed out in blocks, and block B tells in entry B modulo
   ACCEL_DOACROSS_WINDOW how far it is: the number of the first vector that is not done.  */
struct accel_doacross
{
  unsigned levels;
  unsigned simple;		/* one level, and blocks are iterations: vector N is block N */
  accel_u64 vectors;		/* of one iteration of level 0 */
  accel_u64 xdone[ACCEL_DOACROSS_WINDOW];
  accel_u64 counts[];		/* of the other levels */
};

/* Fill in D for a doacross loop.  */
void accel_doacross_fill (struct accel_thread *self, struct accel_work *d, unsigned levels,
			  const accel_u64 *counts, unsigned schedule, accel_u64 chunk);
/* SELF is through with its block, or has got a new one.  */
void accel_doacross_pass (struct accel_thread *self, struct accel_work *d);
void accel_doacross_take (struct accel_thread *self, struct accel_work *d);

/* ---- ordered.c ---- */

/* SELF is through with its block.  */
void accel_ordered_pass (struct accel_thread *self, struct accel_work *d);

#pragma omp end declare target

#endif /* GOMPX_ACCEL_LOOP_H */
