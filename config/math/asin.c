/* asin.c -- the arc sine, to 1.5 ulp.  */

#include "math-arc.h"

#pragma omp declare target

double MATH (asin) (double x);

double
MATH (asin) (double x)
{
  double size = math_abs (x);
  bool small = size <= 0.5;
  double t = math_select (small, size * size, math_fma (size, -0.5, 0.5));
  double root = math_sqrt_small (t), s = math_select (small, size, root);
  double rest = s * math_asin_rest (t), result = s + rest;
  /* pi / 2 - 2 (s + rest) */
  double high = math_fma (s, -2, MATH_PIO2_HIGH);
  double low = math_fma (s, -2, MATH_PIO2_HIGH - high) + math_fma (rest, -2, MATH_PIO2_LOW);
  return math_flip (small ? result : high + low, math_high (x));
}

#pragma omp end declare target
