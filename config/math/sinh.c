/* sinh.c -- the hyperbolic sine, to 2 ulp: (e + e / (e + 1)) / 2 with e = exp (x) - 1.  */

#include "math-double.h"

#pragma omp declare target

double MATH (sinh) (double x);

double
MATH (sinh) (double x)
{
  double a = math_abs (x);
  int n;
  double rest, r = math_expm1_near (a, &n, &rest), result;
  if (math_high (a) < 0x40862000)	/* 708 */
    {
      double e = math_expm1_join (r, rest, n), d = e + 1, t = math_reciprocal_fine (d), q = e * t;
      /* The quotient is 1 long before d is too large for its reciprocal.  */
      double low = n < 64 ? math_fma (-q, d, e) * t : 0;
      q = n < 64 ? q : 1;
      double sum = e + q;
      result = math_fma (((e - sum) + q) + low, 0.5, sum * 0.5);
    }
  else
    result = math_high (a) < 0x40880000 ? math_scale_far (1 + (r + rest), n - 1) : a * MATH_INF;
  return math_flip (result, math_high (x));
}

#pragma omp end declare target
