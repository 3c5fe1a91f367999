/* merge.h -- numbers sorted by merging: sizes, input and the serial reference.  */

#ifndef MERGE_H
#define MERGE_H 1

#include "blocks.h"

#include <algorithm>
#include <functional>

/* A team sorts or merges BLOCK numbers.  */
enum { THREADS = 256, BLOCK = 1024 };

/* The order.  */
struct falling
{
#ifdef __CUDACC__
  __host__ __device__
#endif
  bool operator() (long long a, long long b) const { return a > b; }
};

/* Numbers of 64 bits, of which a third are equal to others, and runs of which are in order or in
   the opposite order.  */
static inline void
prepare (long long *in, long long *expected, int n)
{
  unsigned long long state = 32;

  for (int i = 0; i < n; i++)
    {
      long long high = draw (&state);
      in[i] = i / 700 % 5 == 3 ? i * 3ll : i / 700 % 5 == 4 ? -i * 3ll
	      : draw_below (&state, 3) == 0 ? high % 100 : (high << 31) - (1ll << 61);
      expected[i] = in[i];
    }
  std::sort (expected, expected + n, std::greater<long long> ());
}

#endif
