/* expm1.c -- exp (x) - 1, to 1.2 ulp.  */

#include "math-double.h"

#pragma omp declare target

double MATH (expm1) (double x);

double
MATH (expm1) (double x)
{
  int n;
  double rest, r = math_expm1_near (x, &n, &rest);
  uint32_t top = math_high_abs (x);
  if (top >= 0x40862000)	/* 708 */
    return x < 0 ? -1 : top < 0x40880000 ? math_scale_far (1 + (r + rest), n) : x * MATH_INF;
  double e = math_expm1_join (r, rest, n);
  return top < 0x3c900000 ? x : e;
}

#pragma omp end declare target
