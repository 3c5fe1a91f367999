/* dyn-var: a region may be smaller than asked for, but has no more threads and at least one;
   without it the number is exact.  */
#include <omp.h>
#include <stdio.h>

static int
size (int want)
{
  int n = 0;
#pragma omp parallel num_threads (want) reduction (+: n)
  n++;
  return n;
}

int
main (void)
{
  int many = 4 * omp_get_num_procs () + 3;
  if (size (many) != many)
    return puts ("dyn-var false: not the size asked for"), 1;
  omp_set_dynamic (1);
  int n = size (many);
  if (n < 1 || n > omp_get_num_procs ())
    return printf ("dyn-var true: %d threads\n", n), 1;
  int ran = 0;
#pragma omp parallel sections num_threads (many)
  {
#pragma omp section
#pragma omp atomic
    ran += omp_get_num_threads () <= 2;
#pragma omp section
#pragma omp atomic
    ran += omp_get_num_threads () <= 2;
  }
  if (ran != 2)
    return puts ("more threads than sections"), 1;

  /* Helpers of regions inside of target regions are not in anybody's way when these are over.  */
  int before = size (many), wrong = 0;
  omp_set_dynamic (0);
#pragma omp parallel num_threads (2) reduction (+: wrong)
  {
#pragma omp target if (0) map (tofrom: wrong)
    wrong = size (5) != 5;
  }
  if (wrong)
    return puts ("regions in target regions: not the size asked for"), 1;
  omp_set_dynamic (1);
  n = size (many);
  if (n != before)
    return printf ("dyn-var true: %d threads, then %d\n", before, n), 1;
  omp_set_dynamic (0);
  return size (many) != many;
}
