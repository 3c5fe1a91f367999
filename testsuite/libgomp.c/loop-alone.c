/* A team of one gets the blocks of a dynamic loop with exactly as many iterations as the chunk has, of
   a guided one with no less, in order; the last one ends at the bound.  Where the entry point is one of
   nonmonotonic loops, which programs do not call by themselves, it gets all as one block.  */
#include <limits.h>
#include <omp.h>
#include <stdio.h>
#include "aux-gomp.h"

static int bad, monotonic;

/* The blocks of a loop, the first of which is GOT: S to E.  Each of EXACTLY CHUNK iterations, or of that
   many at least, but for the last.  */
static void
expect (const char *what, bool (*next) (long *, long *), bool got, long s, long e, long start,
	long end, long incr, long chunk, bool exactly)
{
  long at = start;
  for (; got; got = next (&s, &e))
    {
      long length = (e - s) / incr;
      bool last = e == end;
      if (s != at || (!last && (exactly ? length != chunk : length < chunk))
	  || (last && exactly && length > chunk))
	{
	  printf ("%s: %ld to %ld\n", what, s, e);
	  bad = 1;
	}
      at = e;
    }
  if (at != end)
    {
      printf ("%s: ends at %ld\n", what, at);
      bad = 1;
    }
  GOMP_loop_end ();
}

static void
run (void *unused)
{
  long s, e;
  bool got;
  (void) unused;

  got = GOMP_loop_dynamic_start (10, 109, 3, 1, &s, &e);
  expect ("dynamic", GOMP_loop_dynamic_next, got, s, e, 10, 109, 3, 1, true);
  got = GOMP_loop_dynamic_start (110, 10, -1, 7, &s, &e);
  expect ("downward", GOMP_loop_dynamic_next, got, s, e, 110, 10, -1, 7, true);
  got = GOMP_loop_nonmonotonic_dynamic_start (110, 10, -1, 7, &s, &e);
  expect ("downward, one", GOMP_loop_nonmonotonic_dynamic_next, got, s, e, 110, 10, -1, 100, true);
  got = GOMP_loop_nonmonotonic_dynamic_start (3, 103, 3, 1, &s, &e);
  expect ("steps, one", GOMP_loop_nonmonotonic_dynamic_next, got, s, e, 3, 103, 3, 34, true);
  got = GOMP_loop_nonmonotonic_dynamic_start (LONG_MIN, LONG_MAX, 1, 1, &s, &e);
  if (!got || s != LONG_MIN || e != LONG_MAX || GOMP_loop_nonmonotonic_dynamic_next (&s, &e))
    {
      printf ("all longs: %ld to %ld\n", s, e);
      bad = 1;
    }
  GOMP_loop_end ();
  got = GOMP_loop_nonmonotonic_guided_start (0, 1000, 1, 2, &s, &e);
  expect ("guided, one", GOMP_loop_nonmonotonic_guided_next, got, s, e, 0, 1000, 1, 1000, true);
  got = GOMP_loop_maybe_nonmonotonic_runtime_start (0, 1000, 1, &s, &e);
  expect ("runtime, one", GOMP_loop_maybe_nonmonotonic_runtime_next, got, s, e, 0, 1000, 1,
	  monotonic ? 3 : 1000, true);
  if (GOMP_loop_nonmonotonic_dynamic_start (5, 5, 1, 1, &s, &e)
      || GOMP_loop_nonmonotonic_guided_start (5, 4, 1, 1, &s, &e))
    {
      printf ("an empty nonmonotonic loop has a block\n");
      bad = 1;
    }
  got = GOMP_loop_dynamic_start (0, 6, 1, LONG_MAX, &s, &e);
  expect ("large chunk", GOMP_loop_dynamic_next, got, s, e, 0, 6, 1, LONG_MAX, true);
  got = GOMP_loop_guided_start (0, 1000, 1, 2, &s, &e);
  expect ("guided", GOMP_loop_guided_next, got, s, e, 0, 1000, 1, 2, false);
  got = GOMP_loop_runtime_start (0, 1000, 1, &s, &e);
  expect ("runtime", GOMP_loop_runtime_next, got, s, e, 0, 1000, 1, 3, true);
  got = GOMP_loop_ordered_dynamic_start (0, 1000, 1, 5, &s, &e);
  expect ("ordered", GOMP_loop_ordered_dynamic_next, got, s, e, 0, 1000, 1, 5, true);
  if (GOMP_loop_dynamic_start (5, 5, 1, 1, &s, &e) || GOMP_loop_guided_start (5, 4, 1, 1, &s, &e))
    {
      printf ("an empty loop has a block\n");
      bad = 1;
    }

  unsigned section = GOMP_sections_start (3), want = 1;
  for (; section != 0; section = GOMP_sections_next ())
    if (section != want++)
      bad = 1;
  if (want != 4)
    bad = 1;
  GOMP_sections_end ();
}

int
main (void)
{
  for (monotonic = 0; monotonic < 2; monotonic++)
    {
      omp_set_schedule (monotonic ? omp_sched_dynamic | omp_sched_monotonic : omp_sched_dynamic, 3);
      run (NULL);		/* outside of any region */
      GOMP_parallel (run, NULL, 1, 0);
    }
  return bad;
}
