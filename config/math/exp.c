/* exp.c -- e to the power of x, to 0.9 ulp.  */

#include "math-double.h"

#pragma omp declare target

double MATH (exp) (double x);

double
MATH (exp) (double x)
{
  double t = math_fma (x, MATH_LOG2E, MATH_ROUND);
  int n = (int) math_low (t);
  t -= MATH_ROUND;
  double r = math_fma (t, -MATH_LN2_LOW, math_fma (t, -MATH_LN2_HIGH, x));
  return math_exp_end (math_exp_near (r), n, x);
}

#pragma omp end declare target
