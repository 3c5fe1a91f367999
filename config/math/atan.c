/* atan.c -- the arc tangent, to 1.8 ulp.  */

#include "math-arc.h"

#pragma omp declare target

double MATH (atan) (double x);

double
MATH (atan) (double x)
{
  double size = math_abs (x);
  bool large = size > 1;
  if (math_high (size) >= 0x44000000)	/* 2^65 */
    return x != x ? x + x : math_copysign (MATH_PIO2_HIGH, x);
  double r = math_reciprocal_fine (size), q = large ? -r : size, rest = math_atan_rest (q);
  double high = large ? MATH_PIO2_HIGH : 0, sum = high + q;
  double low = ((high - sum) + q) + rest;
  return math_flip (sum + (large ? low + MATH_PIO2_LOW : low), math_high (x));
}

#pragma omp end declare target
