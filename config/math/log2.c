/* log2.c -- the logarithm of base 2, to 0.6 ulp.  */

#include "math-double.h"

#pragma omp declare target

double MATH (log2) (double x);

double
MATH (log2) (double x)
{
  int less = 0;
  if (math_high (x) - 0x00100000 >= 0x7fe00000)
    {
      if (!(x > 0))
	return x == 0 ? -MATH_INF : x < 0 ? MATH_NAN : x + x;
      if (x == MATH_INF)
	return x;
      x *= 0x1p54;
      less = 54;
    }
  double m, low;
  double e = math_from_int (math_log_split (x, &m) - less);
  double u = math_log_near (m - 1, m + 1, &low);
  /* p + low = (u + low) / log (2) */
  double p = u * MATH_LOG2E;
  low = math_fma (low, MATH_LOG2E,
		  math_fma (u, 0x1.777d0ffda0d24p-56, math_fma (u, MATH_LOG2E, -p)));
  double high = e + p;
  return high + (((e - high) + p) + low);
}

#pragma omp end declare target
