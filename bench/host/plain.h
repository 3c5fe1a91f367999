/* plain.h -- the constructs that several programs measure in several circumstances.  */

#ifndef PLAIN_H
#define PLAIN_H 1

#include "../bench.h"

static inline void
region (long count)
{
  for (long k = 0; k < count; k++)
    {
#pragma omp parallel
      BENCH_KEEP (k);
    }
}

static inline void
barrier (long count)
{
#pragma omp parallel
  for (long k = 0; k < count; k++)
    {
#pragma omp barrier
    }
}

/* NAME: loops of ORDERED iterations, a macro of who uses it, with an ordered region.  */
#define ORDERED_LOOP(name, clauses)					\
  static void								\
  name (long count)							\
  {									\
    int n = ORDERED;							\
    _Pragma ("omp parallel")						\
    for (long k = 0; k < count; k++)					\
      {									\
	_Pragma (clauses)						\
	for (int i = 0; i < n; i++)					\
	  {								\
	    _Pragma ("omp ordered")					\
	    BENCH_KEEP (i);						\
	  }								\
      }									\
  }

#endif /* PLAIN_H */
