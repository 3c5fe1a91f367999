/* Constructs inside of regions: worksharing with all schedules, sections, single, critical, atomic,
   ordered, barriers, tasks, functions of libm, recursion, device memory.
   TEST-MODES: gpu
   TEST-OPTIONS: -foffload-options=nvptx-none=-lm -foffload-options=nvptx-none=-latomic  */

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
#define CHECK_EQUAL(a, b)						\
  do									\
    {									\
      long a_ = (long) (a), b_ = (long) (b);				\
      if (a_ != b_)							\
	{								\
	  printf ("%d: %s is %ld, not %ld\n", __LINE__, #a, a_, b_);	\
	  failures++;							\
	}								\
    }									\
  while (0)

#pragma omp declare target
static int
fibonacci (int n)
{
  return n < 2 ? n : fibonacci (n - 1) + fibonacci (n - 2);
}
#pragma omp end declare target

int
main (void)
{
  int s[6] = { 0 }, order = 0, wrong = 0, threads = 0, done = 0, fib = 0, text = 0, heap = 0;
  double root = 0;

#pragma omp target map (tofrom: s, order, wrong, threads, done)
#pragma omp parallel num_threads (8)
  {
#pragma omp single
    threads = omp_get_num_threads ();
#pragma omp for schedule (static, 3) reduction (+: s[0])
    for (int i = 0; i < 1000; i++)
      s[0] += i;
#pragma omp for schedule (dynamic, 5) reduction (+: s[1])
    for (int i = 0; i < 1000; i++)
      s[1] += i;
#pragma omp for schedule (guided) reduction (max: s[2])
    for (int i = 0; i < 1000; i++)
      s[2] = i > s[2] ? i : s[2];
#pragma omp for ordered
    for (int i = 0; i < 64; i++)
#pragma omp ordered
      {
	wrong += order != i;
	order = i + 1;
      }
#pragma omp sections
    {
#pragma omp section
      s[3] += 1;
#pragma omp section
      s[4] += 2;
    }
    for (int i = 0; i < 10; i++)
#pragma omp critical
      s[5]++;
#pragma omp barrier
#pragma omp single
    for (int i = 0; i < 20; i++)
#pragma omp task
      {
#pragma omp atomic
	done++;
      }
  }
  CHECK_EQUAL (threads, 8);
  CHECK_EQUAL (s[0], 499500);
  CHECK_EQUAL (s[1], 499500);
  CHECK_EQUAL (s[2], 999);
  CHECK_EQUAL (order * 100 + wrong, 6400);
  CHECK_EQUAL (s[3] * 10 + s[4], 12);
  CHECK_EQUAL (s[5], 10 * threads);
  CHECK_EQUAL (done, 20);

#pragma omp target map (from: root, fib, text, heap)
  {
    char line[20];
    int *p = malloc (100 * sizeof (int));
    strcpy (line, "on the device");
    text = strlen (line);
    root = sqrt (2) * sqrt (2) + pow (2, 10) + fabs (sin (0));
    fib = fibonacci (12);
    heap = p != NULL;
    if (p != NULL)
      for (int i = 0; i < 100; i++)
	p[i] = i;
    heap += p != NULL && p[99] == 99;
    free (p);
  }
  CHECK_EQUAL (root > 1025.999 && root < 1026.001, 1);
  CHECK_EQUAL (fib, 144);
  CHECK_EQUAL (text, 13);
  CHECK_EQUAL (heap, 2);
  return failures != 0;
}
