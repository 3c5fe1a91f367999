/* asinhf.c -- inverse hyperbolic sine: log (1 + a + a^2 / (1 + sqrt (1 + a^2))).  */

#include "logarithmf.h"

#pragma omp declare target

float MATH (asinhf) (float x);

float
MATH (asinhf) (float x)
{
  float a = math_absf (x);
  /* So far that 1 is nothing beside a: log (2 a).  */
  bool far = a > 0x1p30f;
  float b = math_minf (a, 0x1p30f), s = b * b;
  float t = b + math_divide_normalf (s, 1 + math_sqrtf (1 + s));
  float log_2 = math_selectf (far, 0x1.62e43p-1f, 0);
  float value = math_log1p_finitef (math_selectf (far, a, t)) + log_2;
  return math_selectf (a < MATH_INFF, math_copysignf (value, x), x);
}

#pragma omp end declare target
