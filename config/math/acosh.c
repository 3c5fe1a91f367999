/* acosh.c -- the inverse hyperbolic cosine, to 2 ulp: log (1 + w) with w = x - 1 + root.  */

#include "math-arc.h"

#pragma omp declare target

double MATH (acosh) (double x);

double
MATH (acosh) (double x)
{
  double w = x - 1, low = 0;
  bool large = math_high (x) >= 0x43b00000;	/* 2^60; negative ones do not get there */
  if (!(w >= 0 && w < MATH_INF))
    return w < 0 ? MATH_NAN : x + x;
  if (!large)
    {
      double t = w, root = math_sqrt_small (math_fma (t, t, t + t));
      w = t + root;
      low = t > root ? (t - w) + root : (root - w) + t;
    }
  return math_log1p_sum (w, low, large);
}

#pragma omp end declare target
