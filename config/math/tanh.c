/* tanh.c -- the hyperbolic tangent, to 1.6 ulp: e / (e + 2) with e = exp (2x) - 1.  */

#include "math-double.h"

#pragma omp declare target

double MATH (tanh) (double x);

double
MATH (tanh) (double x)
{
  double a = math_abs (x);
  int n;
  double rest, r = math_expm1_near (a + a, &n, &rest);
  if (math_high (a) >= 0x40360000)	/* 22 */
    return x != x ? x + x : math_copysign (1, x);
  double e = math_expm1_join (r, rest, n), d = e + 2, d_low = e > 2 ? 2 - (d - e) : e - (d - 2);
  double t = math_reciprocal_fine (d), q = e * t;
  q = math_fma (math_fma (-q, d_low, math_fma (-q, d, e)), t, q);
  return math_flip (q, math_high (x));
}

#pragma omp end declare target
