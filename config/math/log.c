/* log.c -- the natural logarithm, to 0.6 ulp.  */

#include "math-double.h"

#pragma omp declare target

double MATH (log) (double x);

double
MATH (log) (double x)
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
  double high = math_fma (e, MATH_LN2_HIGH, u);
  return high + math_fma (e, MATH_LN2_LOW, (u + math_fma (e, MATH_LN2_HIGH, -high)) + low);
}

#pragma omp end declare target
