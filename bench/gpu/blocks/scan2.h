/* scan2.h -- the sums of all numbers before each: sizes, input and the serial reference.  */

#ifndef SCAN2_H
#define SCAN2_H 1

#include "blocks.h"

/* A thread has EACH numbers of a block.  */
enum { THREADS = 256, EACH = 4, BLOCK = THREADS * EACH };

/* Numbers of both signs that 32 bits do not hold, whose sums 53 bits do not hold: 2e10 on average,
   2e12 at most.  */
static inline void
prepare (long long *in, long long *expected, long n)
{
  unsigned long long state = 10;
  long long sum = 0;

  for (long i = 0; i < n; i++)
    {
      in[i] = ((long long) draw (&state) - (1ll << 31)) * 1000 + 20000000000ll;
      expected[i] = sum;
      sum += in[i];
    }
}

#endif
