/* Cancelled loops and sections end early in all threads; the next construct is not affected,
   with or without an instance of its own, and in teams of one.
   TEST-ENV: OMP_CANCELLATION=true  */
#include "aux-gomp.h"
#include <omp.h>
#include <stdio.h>

static int failures;
#define CHECK(c) \
  ((c) ? (void) 0 : (void) (printf ("%s:%d: %s\n", __FILE__, __LINE__, #c), failures++))
#define N 1000000

static void
loops (int threads)
{
  long dynamic = 0, inlined = 0, next = 0, later = 0;
  int two = 0, seen = 0;
#pragma omp parallel num_threads (threads)
  {
#pragma omp for schedule (dynamic)
    for (int i = 0; i < N; i++)
      {
#pragma omp atomic
	dynamic++;
	if (i == 10)
	  {
#pragma omp cancel for
	  }
#pragma omp cancellation point for
      }
    /* No instance: handed out by the compiler.  All threads cancel.  */
#pragma omp for schedule (static)
    for (int i = 0; i < N; i++)
      {
#pragma omp atomic
	inlined++;
#pragma omp cancel for if (i % 1000 == 7)
      }
#pragma omp for schedule (static)
    for (int i = 0; i < 100; i++)
      {
#pragma omp cancellation point for
#pragma omp atomic
	next++;
      }
#pragma omp for schedule (guided)
    for (int i = 0; i < 100; i++)
      {
#pragma omp cancellation point for
#pragma omp atomic
	later++;
      }
#pragma omp sections
    {
#pragma omp section
      {
#pragma omp cancel sections
#pragma omp atomic
	two += 100;
      }
#pragma omp section
      {
#pragma omp cancellation point sections
#pragma omp atomic
	two++;
      }
    }
    if (GOMP_cancellation_point (2) || GOMP_cancellation_point (4) || GOMP_cancellation_point (1))
#pragma omp atomic
      seen++;
  }
  CHECK (dynamic > 0 && dynamic < N);
  CHECK (inlined > 0 && inlined < N);
  CHECK (next == 100 && later == 100);
  CHECK (two < 2 && seen == 0);
  if (threads == 1)
    CHECK (dynamic == 11 && inlined == 8 && two == 0);
}

int
main (void)
{
  for (int round = 0; round < 20; round++)
    loops (1 + round % 5);

  /* A combined construct, then another one.  */
  long a = 0, b = 0;
#pragma omp parallel for num_threads (3) schedule (dynamic)
  for (int i = 0; i < N; i++)
    {
#pragma omp atomic
      a++;
#pragma omp cancel for
    }
#pragma omp parallel for num_threads (3) schedule (dynamic) reduction (+: b)
  for (int i = 0; i < 100; i++)
    {
#pragma omp cancellation point for
      b++;
    }
  CHECK (a <= 3 && b == 100);

  /* A condition that is false makes it a cancellation point.  */
  int after = 0;
#pragma omp parallel num_threads (3) reduction (+: after)
#pragma omp for
  for (int i = 0; i < 30; i++)
    {
#pragma omp cancel for if (i < 0)
      after++;
    }
  CHECK (after == 30);

  /* Outside of any region; nothing remains of it.  */
  CHECK (GOMP_cancel (1, true) && GOMP_cancel (2, true) && GOMP_cancel (4, true)
	 && GOMP_cancel (8, true));
  CHECK (!GOMP_cancel (1, false) && !GOMP_cancellation_point (1) && !GOMP_cancellation_point (2)
	 && !GOMP_cancellation_point (4) && !GOMP_cancellation_point (8));
  CHECK (!GOMP_barrier_cancel () && !GOMP_loop_end_cancel () && !GOMP_sections_end_cancel ());
  int ran = 0;
#pragma omp task shared (ran)
  ran = 1;
#pragma omp taskwait
  CHECK (ran);
  return failures != 0;
}
