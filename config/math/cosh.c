/* cosh.c -- the hyperbolic cosine, to 1.6 ulp.  */

#include "math-double.h"

#pragma omp declare target

double MATH (cosh) (double x);

double
MATH (cosh) (double x)
{
  double a = math_abs (x);
  double t = math_fma (a, MATH_LOG2E, MATH_ROUND);
  int n = (int) math_low (t);
  t -= MATH_ROUND;
  double p = math_exp_near (math_fma (t, -MATH_LN2_LOW, math_fma (t, -MATH_LN2_HIGH, a)));
  if (math_high (a) < 0x40862000)	/* 708 */
    {
      double half = math_scale (p, n - 1);
      return math_fma (math_reciprocal_fine (half), 0.25, half);
    }
  return math_high (a) < 0x40880000 ? math_scale_far (p, n - 1) : a * MATH_INF;
}

#pragma omp end declare target
