/* atanh.c -- the inverse hyperbolic tangent, to 2 ulp: log (1 + w) / 2 with w = 2a / (1 - a).  */

#include "math-double.h"

#pragma omp declare target

double MATH (atanh) (double x);

double
MATH (atanh) (double x)
{
  double a = math_abs (x);
  if (!(a < 1))
    return a == 1 ? x * MATH_INF : a > 1 ? MATH_NAN : x + x;
  double d = 1 - a, d_low = (1 - d) - a, r = math_reciprocal_fine (d), w = (a + a) * r;
  double low = math_fma (-w, d_low, math_fma (-w, d, a + a)) * r;
  return math_flip (0.5 * math_log1p_sum (w, low, 0), math_high (x));
}

#pragma omp end declare target
