/* The ranges that taskloop gives its tasks, by direct calls: each iteration exactly once, also
   for loops that span all of 64 bits, and as many tasks of the sizes that grainsize and
   num_tasks ask for.  Nothing here counts iterations: the ranges are sorted and must join.  */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "aux-gomp.h"

#define UP 0x100
#define GRAINSIZE 0x200
#define IF 0x400
#define NOGROUP 0x800
#define STRICT 0x4000
extern void GOMP_taskloop (FN, void *, void (*) (void *, void *), long, long, unsigned,
			   unsigned long, int, long, long, long);
extern void GOMP_taskloop_ull (FN, void *, void (*) (void *, void *), long, long, unsigned,
			       unsigned long, int, ull, ull, ull);

#define MAX_TASKS 4096
/* More than the runtime has room for at once.  FEW: for a device that is simulated.  */
#ifdef FEW
#define MANY 300
#else
#define MANY 1500
#endif
static struct range { ull from, to; } ranges[MAX_TASKS];
static int tasks, bad, copies;

struct block { ull from, to; long magic; };

static void
body (void *data)
{
  struct block *block = data;
  int k = __atomic_fetch_add (&tasks, 1, __ATOMIC_RELAXED);
  if (k < MAX_TASKS)
    ranges[k] = (struct range) { block->from, block->to };
  if (block->magic != 4711)
    __atomic_fetch_add (&bad, 1, __ATOMIC_RELAXED);
}

static void
copy (void *to, void *from)
{
  memcpy (to, from, sizeof (struct block));
  copies++;			/* in the encountering thread only */
}

static ull base, stride;		/* start of the loop and |step| */
static int downwards;

/* Iteration number of a value; the values lie on the loop's grid.  */
static ull
number (ull value)
{
  ull distance = downwards ? base - value : value - base;
  return distance / stride + (distance % stride != 0);
}

static int
by_number (const void *a, const void *b)
{
  ull x = number (((const struct range *) a)->from), y = number (((const struct range *) b)->from);
  return x < y ? -1 : x > y;
}

/* Runs the loop and checks it.  N iterations are expected.  */
static void
check (const char *what, int is_ull, unsigned flags, unsigned long num, ull start, ull end,
       ull step, ull n, int cxx)
{
  struct block block = { 0, 0, 4711 };
  void (*cpyfn) (void *, void *) = cxx ? copy : NULL;

  downwards = !(flags & UP);
  base = start;
  stride = downwards ? -step : step;
  tasks = copies = 0;
  if (is_ull)
    GOMP_taskloop_ull (body, &block, cpyfn, sizeof block, 8, flags, num, 0, start, end, step);
  else
    GOMP_taskloop (body, &block, cpyfn, sizeof block, 8, flags, num, 0, start, end, step);
  if (flags & NOGROUP)
    GOMP_taskwait ();

  int wrong = 0;
  ull expected = 0;
  if (n == 0)
    wrong |= tasks != 0;
  else if (flags & GRAINSIZE)
    {
      expected = flags & STRICT ? n / num + (n % num != 0) : n / num;
      if (expected == 0)
	expected = 1;
    }
  else if (num != 0)
    expected = num < n ? num : n;
  if (n != 0 && (expected != 0 ? tasks != (int) expected : tasks < 1))
    wrong |= 2;
  if (cxx && copies != tasks)
    wrong |= 4;
  if (!wrong && n != 0)
    {
      ull least = -1, most = 0, next = 0;
      qsort (ranges, tasks, sizeof ranges[0], by_number);
      for (int k = 0; k < tasks; k++)
	{
	  ull first = number (ranges[k].from);
	  ull size = k + 1 < tasks ? number (ranges[k].to) - first : n - first;
	  if (first != next || size == 0)
	    wrong |= 8;
	  if (k + 1 == tasks)
	    {
	      /* The end itself, or the next multiple past it.  */
	      if (ranges[k].to != end && ranges[k].to != ranges[k].from + size * step)
		wrong |= 16;
	    }
	  next = first + size;
	  if (!(flags & STRICT) || k + 1 < tasks)
	    {
	      least = size < least ? size : least;
	      most = size > most ? size : most;
	    }
	}
      wrong |= next != n ? 32 : 0;
      if ((flags & GRAINSIZE) && !(flags & STRICT) && n >= num)
	wrong |= least < num || most - num >= num ? 64 : 0;
      if ((flags & GRAINSIZE) && (flags & STRICT) && tasks > 1)
	wrong |= least != num || most != num ? 128 : 0;
      if (!(flags & GRAINSIZE))
	wrong |= most - least > 1 ? 256 : 0;
    }
  if (wrong)
    {
      printf ("%s flags %x num %lu %llx..%llx step %llx: wrong %x, %d tasks\n", what, flags, num,
	      start, end, step, wrong, tasks);
      bad++;
    }
}

static void
all (void *arg)
{
  const char *what = arg;
  if (!GOMP_single_start ())
    {
      GOMP_barrier ();
      return;
    }
  static const struct { unsigned flags; unsigned long num; } how[] = {
    { IF, 0 }, { IF, 1 }, { IF, 2 }, { IF, 7 }, { IF, 100 }, { IF, MANY },
    { IF | GRAINSIZE, 1 }, { IF | GRAINSIZE, 4 }, { IF | GRAINSIZE, 7 }, { IF | GRAINSIZE, 1000 },
    { IF | GRAINSIZE | STRICT, 3 }, { IF | GRAINSIZE | STRICT, 10 },
    { IF | STRICT, 5 }, { IF | GRAINSIZE | STRICT, 5000 },
    { 0, 5 }, { GRAINSIZE, 3 }, { IF | NOGROUP, 300 }, { NOGROUP, 3 },
    { IF | NOGROUP | GRAINSIZE, 2 }
  };
  for (unsigned h = 0; h < sizeof how / sizeof how[0]; h++)
    for (int cxx = 0; cxx < 2; cxx++)
      {
	unsigned f = how[h].flags;
	unsigned long num = how[h].num;
	for (int n = 0; n < 40; n += 13)
	  {
	    check (what, 0, f | UP, num, 5, 5 + n, 1, n, cxx);
	    check (what, 0, f | UP, num, -5, -5 + 3 * n, 3, n, cxx);
	    check (what, 0, f, num, 20, 20 - 2 * n, -2, n, cxx);
	    check (what, 1, f | UP, num, ULLONG_MAX - 100, ULLONG_MAX - 100 + n, 1, n, cxx);
	    check (what, 1, f, num, 4000, 4000 - 5 * n, -5, n, cxx);
	  }
	/* Empty: the wrong way round.  */
	check (what, 0, f | UP, num, 10, 5, 1, 0, cxx);
	check (what, 0, f, num, 5, 10, -1, 0, cxx);
	check (what, 1, f | UP, num, 10, 5, 1, 0, cxx);
	check (what, 1, f, num, 5, 10, -1, 0, cxx);
	/* Near the limits, ends that are not on the grid.  */
	check (what, 0, f | UP, num, LONG_MAX - 1000, LONG_MAX, 7, 143, cxx);
	check (what, 0, f, num, LONG_MIN + 1000, LONG_MIN, -7, 143, cxx);
	check (what, 1, f, num, 1000, 0, -7, 143, cxx);
	check (what, 1, f | UP, num, ULLONG_MAX - 1000, ULLONG_MAX, 7, 143, cxx);
	/* All of 64 bits.  */
	check (what, 0, f | UP, num, LONG_MIN, LONG_MAX, LONG_MAX / 50, 101, cxx);
	check (what, 0, f, num, LONG_MAX, LONG_MIN, -(LONG_MAX / 50), 101, cxx);
	check (what, 0, f, num, LONG_MAX, LONG_MIN, LONG_MIN, 2, cxx);
	check (what, 1, f | UP, num, 0, ULLONG_MAX, ULLONG_MAX / 100, 101, cxx);
	check (what, 1, f | UP, num, 0, ULLONG_MAX, ULLONG_MAX - 1, 2, cxx);
	if (f & GRAINSIZE)
	  continue;
	/* As many iterations as there can be.  */
	if (num != MANY)
	  {
	    check (what, 0, f | UP, num, LONG_MIN, LONG_MAX, 1, ULLONG_MAX, cxx);
	    check (what, 1, f | UP, num, 0, ULLONG_MAX, 1, ULLONG_MAX, cxx);
	    check (what, 1, f, num, ULLONG_MAX, 0, -1, ULLONG_MAX, cxx);
	  }
      }
  /* Grains near the limit.  */
  check (what, 1, UP | IF | GRAINSIZE, ULLONG_MAX / 3, 0, ULLONG_MAX, 1, ULLONG_MAX, 0);
  check (what, 1, UP | IF | GRAINSIZE | STRICT, ULLONG_MAX - 1, 0, ULLONG_MAX, 1, ULLONG_MAX, 0);
  check (what, 1, UP | IF | GRAINSIZE | STRICT, ULLONG_MAX / 2 + 1, 0, ULLONG_MAX, 1, ULLONG_MAX, 0);
  check (what, 0, UP | IF | GRAINSIZE, ULLONG_MAX, LONG_MIN, LONG_MAX, 1, ULLONG_MAX, 0);
  GOMP_barrier ();
}

int
main (void)
{
#ifndef FEW
  all ("no region");
  GOMP_parallel (all, "one thread", 1, 0);
  GOMP_parallel (all, "two threads", 2, 0);
#endif
  GOMP_parallel (all, "five threads", 5, 0);
  return bad != 0;
}
