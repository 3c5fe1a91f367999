/* log1p.c -- the logarithm of 1 + x, to 1 ulp.  */

#include "math-double.h"

#pragma omp declare target

double MATH (log1p) (double x);

double
MATH (log1p) (double x)
{
  /* Nearly 0, infinite, or none.  */
  if (math_high_abs (x) - 0x3c900000 >= 0x7ff00000 - 0x3c900000 || x <= -1)
    return math_high_abs (x) < 0x3c900000 ? x
	   : x == -1 ? -MATH_INF : x < -1 ? MATH_NAN : x + x;
  return math_log1p_sum (x, 0, 0);
}

#pragma omp end declare target
