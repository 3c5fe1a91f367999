/* atanhf.c -- inverse hyperbolic tangent: log (1 + 2 a / (1 - a)) / 2.  */

#include "logarithmf.h"

#pragma omp declare target

float MATH (atanhf) (float x);

float
MATH (atanhf) (float x)
{
  float a = math_absf (x);
  float b = 1 - a, b_low = 1 - b - a;
  float r = math_reciprocalf (b), t = 2 * a * r;
  t = math_fmaf (math_fmaf (-t, b_low, math_fmaf (-t, b, 2 * a)), r, t);
  float value = 0.5f * math_log1p_finitef (t);
  value = math_selectf (a < 0x1p-12f, math_fmaf (a, a * a * 0x1.555556p-2f, a), value);
  value = math_selectf (a == 1, MATH_INFF, value);
  value = math_selectf (a <= 1, value, MATH_NANF);
  return math_copysignf (value, x);
}

#pragma omp end declare target
