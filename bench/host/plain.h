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

#endif /* PLAIN_H */
