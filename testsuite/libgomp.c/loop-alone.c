/* A team of one gets all iterations of a dynamic, guided or runtime loop as one block, whatever
   the chunk; sections come one by one all the same.  */
#include <omp.h>
#include <stdio.h>
#include "aux-gomp.h"

static int bad;

static void
expect (const char *what, bool got, long s, long e, long want_s, long want_e, bool more)
{
  if (got && s == want_s && e == want_e && !more)
    return;
  printf ("%s: %d, %ld to %ld, more %d\n", what, got, s, e, more);
  bad = 1;
}

static void
run (void *unused)
{
  long s, e, s2, e2;
  bool got;
  (void) unused;

  got = GOMP_loop_dynamic_start (10, 110, 3, 1, &s, &e);
  expect ("dynamic", got, s, e, 10, 110, GOMP_loop_dynamic_next (&s2, &e2));
  GOMP_loop_end ();
  got = GOMP_loop_nonmonotonic_dynamic_start (110, 10, -1, 7, &s, &e);
  expect ("downward", got, s, e, 110, 10, GOMP_loop_nonmonotonic_dynamic_next (&s2, &e2));
  GOMP_loop_end ();
  got = GOMP_loop_guided_start (0, 1000, 1, 2, &s, &e);
  expect ("guided", got, s, e, 0, 1000, GOMP_loop_guided_next (&s2, &e2));
  GOMP_loop_end ();
  got = GOMP_loop_runtime_start (0, 1000, 1, &s, &e);
  expect ("runtime", got, s, e, 0, 1000, GOMP_loop_runtime_next (&s2, &e2));
  GOMP_loop_end ();
  got = GOMP_loop_ordered_dynamic_start (0, 1000, 1, 5, &s, &e);
  expect ("ordered", got, s, e, 0, 1000, GOMP_loop_ordered_dynamic_next (&s2, &e2));
  GOMP_loop_end ();
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
