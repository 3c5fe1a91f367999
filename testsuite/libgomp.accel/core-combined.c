/* Regions that begin in a loop or in sections, one after the other and between other constructs.  For
   schedule(auto) GCC calls GOMP_parallel_loop_static but none of the functions that leave a loop.  */

#include <omp.h>
#include <stdio.h>

static int hits[100];

#define PRAGMA(text) _Pragma (#text)
#define REGION(...)							\
  PRAGMA (omp parallel for schedule (__VA_ARGS__) num_threads (n))		\
  for (long i = 0; i < 100; i++)					\
    __atomic_fetch_add (&hits[i], 1, __ATOMIC_RELAXED)

int
main (void)
{
  int rounds = 0, sections = 0;
  for (int n = 1; n <= 9; n++)
    for (int k = 0; k < 20; k++)
      {
	REGION (auto);
	REGION (static);
	REGION (static, 3);
	REGION (dynamic, 3);
	REGION (monotonic: dynamic);
	REGION (guided);
	REGION (monotonic: guided, 2);
	REGION (runtime);
	REGION (monotonic: runtime);
#pragma omp parallel sections num_threads (n)
	{
#pragma omp section
	  __atomic_fetch_add (&sections, 1, __ATOMIC_RELAXED);
#pragma omp section
	  __atomic_fetch_add (&sections, 10, __ATOMIC_RELAXED);
	}
#pragma omp parallel num_threads (n)
#pragma omp for schedule (dynamic)
	for (long i = 0; i < 100; i++)
	  __atomic_fetch_add (&hits[i], 1, __ATOMIC_RELAXED);
	rounds++;
      }
  for (int i = 0; i < 100; i++)
    if (hits[i] != 10 * rounds)
      return printf ("iteration %d ran %d times in %d rounds\n", i, hits[i], rounds), 1;
  if (sections != 11 * rounds)
    return printf ("sections: %d\n", sections), 1;
  return 0;
}
