/* Every schedule runs each iteration exactly once, for several steps and both directions, in
   teams of different sizes, as a loop in a region and combined with it.  */
#include <omp.h>
#include "aux-cover.h"

#define P(x) _Pragma (#x)
#define LOOPS(clause)								\
  do										\
    {										\
      P (omp parallel num_threads (threads))					\
      {										\
	P (omp for clause)							\
	for (long i = 0; i < n; i++)						\
	  cover_hit (i);							\
	P (omp single)								\
	cover_check (n, #clause " up by 1");					\
	P (omp for clause)							\
	for (long i = -5; i < -5 + 3 * n; i += 3)				\
	  cover_hit ((i + 5) / 3);						\
	P (omp single)								\
	cover_check (n, #clause " up by 3");					\
	P (omp for clause)							\
	for (int i = (int) n - 1; i >= 0; i--)					\
	  cover_hit (i);							\
	P (omp single)								\
	cover_check (n, #clause " down by 1");					\
	P (omp for clause collapse (2))						\
	for (int i = 0; i < 7; i++)						\
	  for (unsigned j = 10; j > 0; j -= 2)					\
	    cover_hit (i * 5 + (10 - j) / 2);					\
	P (omp single)								\
	cover_check (35, #clause " collapse");					\
	P (omp for clause)							\
	for (unsigned long long i = 4 * n; i > 3; i -= 4)			\
	  cover_hit (i / 4 - 1);						\
      }										\
      cover_check (n, #clause " unsigned, down by 4");				\
      P (omp parallel for num_threads (threads) clause)				\
      for (long i = 0; i < 100; i++)						\
	cover_hit (i);								\
      cover_check (100, "parallel for " #clause);				\
    }										\
  while (0)

int
main (void)
{
  static const long sizes[] = { 0, 1, 2, 3, 17, 100, 997 };
  for (int threads = 1; threads <= 5; threads += 2)
    for (unsigned k = 0; k < sizeof (sizes) / sizeof (sizes[0]); k++)
      {
	long n = sizes[k];
	LOOPS (schedule (static));
	LOOPS (schedule (static, 4));
	LOOPS (schedule (dynamic));
	LOOPS (schedule (dynamic, 7));
	LOOPS (schedule (monotonic: dynamic, 3));
	LOOPS (schedule (guided));
	LOOPS (schedule (guided, 5));
	LOOPS (schedule (monotonic: guided));
#ifndef TESTED	/* GCC 12 calls a function with one argument too few, which PTX cannot. */
	LOOPS (schedule (auto));
#endif
	LOOPS (schedule (runtime));
	LOOPS (schedule (monotonic: runtime));
	LOOPS (schedule (nonmonotonic: runtime));
      }
  return cover_bad != 0;
}
