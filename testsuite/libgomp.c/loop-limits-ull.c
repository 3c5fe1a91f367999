/* Unsigned long long loops at the limits, up and down.  */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include "aux-gomp.h"

static bool up;
static ull start, end, incr, chunk;
static int kind, bad;
#define MAX 5000
static struct block { ull s, e; } blocks[MAX];
static int nblocks;

static bool
first (ull *s, ull *e)
{
  switch (kind)
    {
    case 0: return GOMP_loop_ull_static_start (up, start, end, incr, chunk, s, e);
    case 1: return GOMP_loop_ull_dynamic_start (up, start, end, incr, chunk, s, e);
    case 2: return GOMP_loop_ull_guided_start (up, start, end, incr, chunk, s, e);
    case 3: return GOMP_loop_ull_nonmonotonic_dynamic_start (up, start, end, incr, chunk, s, e);
    default: return GOMP_loop_ull_start (up, start, end, incr, 3, chunk, s, e, NULL, NULL);
    }
}

static bool
next (ull *s, ull *e)
{
  switch (kind)
    {
    case 0: return GOMP_loop_ull_static_next (s, e);
    case 1: return GOMP_loop_ull_dynamic_next (s, e);
    case 2: return GOMP_loop_ull_guided_next (s, e);
    case 3: return GOMP_loop_ull_nonmonotonic_dynamic_next (s, e);
    default: return GOMP_loop_ull_nonmonotonic_guided_next (s, e);
    }
}

static void
region (void *unused)
{
  ull s, e;
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
  ull x = ((const struct block *) a)->s, y = ((const struct block *) b)->s;
  int r = x < y ? -1 : x > y;
  return up ? r : -r;
}

static void
check (bool up_, ull from, ull to, ull step, ull chunk_)
{
  up = up_, start = from, end = to, incr = up ? step : -step, chunk = chunk_;
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
	    ull last = blocks[nblocks - 1].e;
	    ok &= step == 1 ? last == end : up ? last - end < step : end - last < step;
	  }
	if (!ok)
	  {
	    printf ("kind %d, %u threads, up %d, %llu to %llu by %llu chunk %llu: %d blocks\n", kind,
		    threads, up, start, end, step, chunk, nblocks);
	    bad++;
	  }
      }
}

int
main (void)
{
  check (true, 0, 10, 1, ULLONG_MAX);
  check (true, 0, ULLONG_MAX, 1, ULLONG_MAX);
  check (true, 0, ULLONG_MAX, 1, ULLONG_MAX / 2 + 1);
  check (true, 0, ULLONG_MAX, ULLONG_MAX / 50, 1);
  check (true, ULLONG_MAX - 100, ULLONG_MAX, 1, 7);
  check (true, ULLONG_MAX - 100, ULLONG_MAX, 9, 2);
  check (true, (1ull << 63) - 20, (1ull << 63) + 20, 1, 3);
  check (false, ULLONG_MAX, 0, 1, ULLONG_MAX);
  check (false, ULLONG_MAX, 0, ULLONG_MAX / 50, 3);
  check (false, 100, 0, 1, 7);
  check (false, 100, 1, 3, 5);
  check (false, (1ull << 63) + 20, (1ull << 63) - 20, 3, 3);
  check (true, 3, 1000, 1, 1);
  check (false, 1000, 3, 1, 0);
  ull s, e;
  if (GOMP_loop_ull_dynamic_start (true, 9, 9, 1, 1, &s, &e)
      || GOMP_loop_ull_static_start (false, 3, 9, -1ull, 0, &s, &e)
      || GOMP_loop_ull_guided_start (true, ULLONG_MAX, 0, 1, 1, &s, &e))
    puts ("an empty loop gave a block"), bad++;
  GOMP_loop_end ();
  return bad != 0;
}
