/* asinh.c -- the inverse hyperbolic sine, to 2 ulp: log (1 + w) with w = a + a^2 / (1 + root).  */

#include "math-arc.h"

#pragma omp declare target

double MATH (asinh) (double x);

double
MATH (asinh) (double x)
{
  double a = math_abs (x), w = a, low = 0;
  bool large = math_high (a) >= 0x43b00000;	/* 2^60 */
  if (math_high (a) >= 0x7ff00000)
    return x + x;
  if (!large)
    {
      double square = a * a, d = math_sqrt_small (math_fma (a, a, 1)) + 1;
      double r = math_reciprocal_fine (d), q = square * r;
      q = math_fma (math_fma (-q, d, square), r, q);
      w = a + q;
      low = (a - w) + q;
    }
  return math_flip (math_log1p_sum (w, low, large), math_high (x));
}

#pragma omp end declare target
