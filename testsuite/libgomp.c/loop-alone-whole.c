/* On the host a team of one gets all iterations of a nonmonotonic loop as one block; also at the ends of
   the type, none for an empty one, and with regions and tasks in the body.  A modifier monotonic of the
   schedule or of the ICV brings blocks of the chunk back.  */
#include <limits.h>
#include <omp.h>
#include <stdio.h>
#include "aux-gomp.h"

extern bool GOMP_loop_nonmonotonic_runtime_start (long, long, long, long *, long *);
extern bool GOMP_loop_nonmonotonic_runtime_next (long *, long *);
extern bool GOMP_loop_ull_maybe_nonmonotonic_runtime_start (bool, ull, ull, ull, ull *, ull *);
extern bool GOMP_loop_ull_maybe_nonmonotonic_runtime_next (ull *, ull *);
extern void GOMP_parallel_loop_nonmonotonic_dynamic (FN, void *, unsigned, long, long, long, long, unsigned);
extern void GOMP_parallel_loop_nonmonotonic_guided (FN, void *, unsigned, long, long, long, long, unsigned);
extern void GOMP_parallel_loop_maybe_nonmonotonic_runtime (FN, void *, unsigned, long, long, long, unsigned);

static int bad;

#define FAIL(what, s, e, next)							\
  (printf ("%s: %lld to %lld, more %d\n", what, (long long) s, (long long) e, next), bad = 1)

/* One block of START to END; none if that is empty.  */
#define LONGS(start, end, incr, kind, ...)					\
  do										\
    {										\
      long s, e, s2 = 11, e2 = 12;						\
      if (!GOMP_loop_##kind##_start (start, end, incr, ##__VA_ARGS__, &s, &e))	\
	FAIL (#kind " " #start, 0, 0, 0);					\
      else									\
	{									\
	  bool more = GOMP_loop_##kind##_next (&s2, &e2);			\
	  if (s != (start) || e != (end) || more || s2 != 11 || e2 != 12)	\
	    FAIL (#kind " " #start, s, e, more);				\
	}									\
      GOMP_loop_end ();								\
      if (GOMP_loop_##kind##_start (start, start, incr, ##__VA_ARGS__, &s, &e)) \
	FAIL (#kind ", empty", s, e, 0);					\
      GOMP_loop_end_nowait ();							\
    }										\
  while (0)

#define ULLS(up, start, end, incr, kind, ...)					\
  do										\
    {										\
      ull s, e, s2 = 11, e2 = 12;						\
      if (!GOMP_loop_ull_##kind##_start (up, start, end, incr, ##__VA_ARGS__, &s, &e)) \
	FAIL ("ull " #kind " " #start, 0, 0, 0);				\
      else									\
	{									\
	  bool more = GOMP_loop_ull_##kind##_next (&s2, &e2);			\
	  if (s != (start) || e != (end) || more || s2 != 11 || e2 != 12)	\
	    FAIL ("ull " #kind " " #start, s, e, more);				\
	}									\
      GOMP_loop_end ();								\
      if (GOMP_loop_ull_##kind##_start (up, end, end, incr, ##__VA_ARGS__, &s, &e)) \
	FAIL ("ull " #kind ", empty", s, e, 0);					\
      GOMP_loop_end_nowait ();							\
    }										\
  while (0)

static void
whole (void *unused)
{
  (void) unused;
  LONGS (10, 109, 3, nonmonotonic_dynamic, 1);
  LONGS (110, 10, -7, nonmonotonic_dynamic, 4);
  LONGS (LONG_MIN, LONG_MAX, 1, nonmonotonic_dynamic, 1);
  LONGS (LONG_MAX, LONG_MIN, -1, nonmonotonic_dynamic, LONG_MAX);
  LONGS (LONG_MIN, LONG_MAX, LONG_MAX, nonmonotonic_dynamic, 2);
  LONGS (3, 4, 1, nonmonotonic_dynamic, 0);
  LONGS (0, 1000, 1, nonmonotonic_guided, 2);
  LONGS (LONG_MAX, LONG_MIN, LONG_MIN, nonmonotonic_guided, 1);
  LONGS (0, 1000, 1, nonmonotonic_runtime);
  LONGS (1000, -1, -1, maybe_nonmonotonic_runtime);
  ULLS (true, 10, 109, 3, nonmonotonic_dynamic, 1);
  ULLS (true, 0, ULLONG_MAX, 1, nonmonotonic_dynamic, 5);
  ULLS (false, ULLONG_MAX, 0, -1ull, nonmonotonic_dynamic, ULLONG_MAX);
  ULLS (false, ULLONG_MAX, 3, -7ull, nonmonotonic_guided, 3);
  ULLS (true, 0, ULLONG_MAX, 2, maybe_nonmonotonic_runtime);
}

/* The loop that the region began with: 0 to 20 by 2.  */
static void
begun (void *unused)
{
  (void) unused;
  long s, e, s2, e2;
  if (!GOMP_loop_nonmonotonic_dynamic_next (&s, &e) || s != 0 || e != 20
      || GOMP_loop_nonmonotonic_dynamic_next (&s2, &e2))
    FAIL ("begun by the region", s, e, 0);
  GOMP_loop_end_nowait ();
}

static void
regions (void)
{
  GOMP_parallel_loop_nonmonotonic_dynamic (begun, NULL, 1, 0, 20, 2, 1, 0);
  GOMP_parallel_loop_nonmonotonic_guided (begun, NULL, 1, 0, 20, 2, 3, 0);
  GOMP_parallel_loop_maybe_nonmonotonic_runtime (begun, NULL, 1, 0, 20, 2, 0);
}

/* Blocks of exactly three iterations, 0 to 10.  */
static void
threes (const char *what, bool (*next) (long *, long *), bool got, long s, long e)
{
  long at = 0;
  for (; got; got = next (&s, &e))
    {
      if (s != at || e != (at < 9 ? at + 3 : 10))
	FAIL (what, s, e, 0);
      at = e;
    }
  if (at != 10)
    FAIL (what, at, at, 0);
  GOMP_loop_end ();
}

static void
by_chunk (void *unused)
{
  (void) unused;
  long s, e;
  bool got = GOMP_loop_maybe_nonmonotonic_runtime_start (0, 10, 1, &s, &e);
  threes ("monotonic ICV", GOMP_loop_maybe_nonmonotonic_runtime_next, got, s, e);
  omp_set_schedule (omp_sched_static, 3);
  got = GOMP_loop_maybe_nonmonotonic_runtime_start (0, 10, 1, &s, &e);
  threes ("static ICV", GOMP_loop_maybe_nonmonotonic_runtime_next, got, s, e);
  omp_set_schedule (omp_sched_dynamic, 3);
  got = GOMP_loop_runtime_start (0, 10, 1, &s, &e);
  threes ("monotonic:runtime", GOMP_loop_runtime_next, got, s, e);
  got = GOMP_loop_dynamic_start (0, 10, 1, 3, &s, &e);
  threes ("monotonic:dynamic", GOMP_loop_dynamic_next, got, s, e);
  got = GOMP_loop_start (0, 10, 1, 0x80000002L, 3, &s, &e, NULL, NULL);
  threes ("general", GOMP_loop_dynamic_next, got, s, e);
}

/* What compiled code sees of it: constructs in the body, cancellation, lastprivate, reductions.  */
static int
constructs (void)
{
  int n = 0, last = -1, tasks = 0, inner = 0, sum = 0;
#pragma omp parallel num_threads (1)
  {
#pragma omp for schedule (dynamic) lastprivate (last)
    for (int i = 7; i > -8; i -= 2)
      {
	last = i;
#pragma omp task shared (tasks)
	tasks++;
#pragma omp taskyield
#pragma omp parallel for schedule (dynamic, 3) num_threads (1 + (i & 2)) reduction (+: inner)
	for (int j = 0; j < 10; j++)
	  inner++;
      }
#pragma omp for schedule (guided) reduction (task, +: sum)
    for (int i = 0; i < 10; i++)
#pragma omp task in_reduction (+: sum)
      sum += i;
#pragma omp for schedule (dynamic) collapse (2)
    for (int i = 0; i < 10; i++)
      for (int j = 0; j < 10; j++)
	{
#pragma omp cancel for if (i == 3)
	  n++;
	}
  }
  /* Cancellation is off, unless OMP_CANCELLATION is set.  */
  return last != -7 || tasks != 8 || inner != 80 || sum != 45 || n != (omp_get_cancellation () ? 30 : 100);
}

int
main (void)
{
  for (int kind = omp_sched_dynamic; kind <= omp_sched_guided; kind++)
    {
      omp_set_schedule (kind, 3);
      whole (NULL);		/* outside of any region */
      GOMP_parallel (whole, NULL, 1, 0);
      regions ();
    }
  omp_set_schedule (omp_sched_dynamic | omp_sched_monotonic, 3);
  by_chunk (NULL);
  omp_set_schedule (omp_sched_dynamic | omp_sched_monotonic, 3);
  GOMP_parallel (by_chunk, NULL, 1, 0);
  if (constructs ())
    {
      printf ("constructs\n");
      bad = 1;
    }
  return bad;
}
