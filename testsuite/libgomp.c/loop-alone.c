/* A team of one gets the blocks of a monotonic dynamic loop with exactly as many iterations as the chunk
   has, of a guided one with no less, in order; the last one ends at the bound.  On devices, too; what the
   host does with other loops is in loop-alone-whole.c.  */
#include <limits.h>
#include <omp.h>
#include <stdio.h>
#include "aux-gomp.h"

static int bad;

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
  omp_set_schedule (omp_sched_dynamic, 3);
  run (NULL);			/* outside of any region */
  GOMP_parallel (run, NULL, 1, 0);
  return bad;
}
