/* Loops at the limits of long: bounds, steps and chunks with which careless arithmetic
   overflows.  The blocks are checked to follow each other without gap and overlap.  */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include "aux-gomp.h"

static long start, end, incr, chunk;
static int kind, bad;
#define MAX 5000
static struct block { long s, e; } blocks[MAX];
static int nblocks;

static bool
first (long *s, long *e)
{
  switch (kind)
    {
    case 0: return GOMP_loop_static_start (start, end, incr, chunk, s, e);
    case 1: return GOMP_loop_dynamic_start (start, end, incr, chunk, s, e);
    case 2: return GOMP_loop_guided_start (start, end, incr, chunk, s, e);
    case 3: return GOMP_loop_nonmonotonic_dynamic_start (start, end, incr, chunk, s, e);
    default: return GOMP_loop_nonmonotonic_guided_start (start, end, incr, chunk, s, e);
    }
}

static bool
next (long *s, long *e)
{
  switch (kind)
    {
    case 0: return GOMP_loop_static_next (s, e);
    case 1: return GOMP_loop_dynamic_next (s, e);
    case 2: return GOMP_loop_guided_next (s, e);
    case 3: return GOMP_loop_nonmonotonic_dynamic_next (s, e);
    default: return GOMP_loop_nonmonotonic_guided_next (s, e);
    }
}

static void
region (void *unused)
{
  long s, e;
  (void) unused;
  if (first (&s, &e))
    do
      {
	int i = __atomic_fetch_add (&nblocks, 1, __ATOMIC_RELAXED);
	if (i < MAX)
	  blocks[i] = (struct block) { s, e };
      }
    while (next (&s, &e));
  GOMP_loop_end ();
}

static int
order (const void *a, const void *b)
{
  long x = ((const struct block *) a)->s, y = ((const struct block *) b)->s;
  int up = x < y ? -1 : x > y;
  return incr > 0 ? up : -up;
}

static void
check (long from, long to, long by, long chunk_)
{
  start = from, end = to, incr = by, chunk = chunk_;
  for (kind = 0; kind < 5; kind++)
    for (unsigned threads = 1; threads <= 3; threads++)
      {
	nblocks = 0;
	GOMP_parallel (region, NULL, threads, 0);
	int ok = nblocks <= MAX && nblocks > 0;
	if (ok)
	  {
	    qsort (blocks, nblocks, sizeof (blocks[0]), order);
	    ok = blocks[0].s == start;
	    for (int i = 1; i < nblocks; i++)
	      ok &= blocks[i].s == blocks[i - 1].e;
	    /* The end is the bound, or past it by less than a step.  */
	    long last = blocks[nblocks - 1].e;
	    if (incr == 1 || incr == -1)
	      ok &= last == end;
	    else
	      ok &= incr > 0 ? (unsigned long) last - (unsigned long) end < (unsigned long) incr
		    : (unsigned long) end - (unsigned long) last < -(unsigned long) incr;
	  }
	if (!ok)
	  {
	    printf ("kind %d, %u threads, %ld to %ld by %ld chunk %ld: %d blocks", kind, threads,
		    start, end, incr, chunk, nblocks);
	    if (nblocks > 0)
	      printf (", first %ld %ld, last %ld %ld", blocks[0].s, blocks[0].e,
		      blocks[nblocks - 1].s, blocks[nblocks - 1].e);
	    printf ("\n");
	    bad++;
	  }
      }
}

int
main (void)
{
  check (0, 10, 1, LONG_MAX);
  check (5, 100, 7, LONG_MAX);
  check (100, 5, -7, LONG_MAX);
  check (LONG_MIN, LONG_MAX, 1, LONG_MAX);
  check (LONG_MAX, LONG_MIN, -1, LONG_MAX / 2);
  check (LONG_MIN, LONG_MAX, LONG_MAX, 1);
  check (LONG_MIN, LONG_MAX, LONG_MAX / 100, 3);
  check (LONG_MAX, LONG_MIN, LONG_MIN, 1);
  check (LONG_MAX - 20, LONG_MAX, 1, 3);
  check (LONG_MAX - 20, LONG_MAX, 3, 2);
  check (LONG_MIN + 20, LONG_MIN, -1, 3);
  check (LONG_MIN + 20, LONG_MIN, -3, 2);
  check (-1000, 1000, 1, 1);
  check (1000, -1000, -1, 7);
  check (0, 1, 1, 1);
  check (0, 2, LONG_MAX, LONG_MAX);
  /* A chunk that makes no sense is one.  */
  check (0, 100, 1, 0);
  check (0, 100, 1, -5);

  /* Empty loops give nothing.  */
  long s, e;
  if (GOMP_loop_dynamic_start (5, 5, 1, 1, &s, &e))
    puts ("empty loop up"), bad++;
  GOMP_loop_end ();
  if (GOMP_loop_guided_start (5, 6, -1, 1, &s, &e))
    puts ("empty loop down"), bad++;
  GOMP_loop_end ();
  if (GOMP_loop_static_start (LONG_MAX, LONG_MIN, 1, 0, &s, &e))
    puts ("empty static loop"), bad++;
  GOMP_loop_end_nowait ();
  return bad != 0;
}
