/* acoshf.c -- inverse hyperbolic cosine: log (1 + t + sqrt (2 t + t^2)) with t = x - 1.  */

#include "logarithmf.h"

#pragma omp declare target

float MATH (acoshf) (float x);

float
MATH (acoshf) (float x)
{
  bool far = x > 0x1p30f;
  float t = x - 1;
  float u = t + math_sqrtf (math_fmaf (t, t, 2 * t));
  float log_2 = math_selectf (far, 0x1.62e43p-1f, 0);
  float value = math_log1p_finitef (math_selectf (far, x, u)) + log_2;
  /* NaN, infinity, and what has none.  */
  value = math_selectf (x < MATH_INFF, value, x);
  return math_selectf (x < 1, MATH_NANF, value);
}

#pragma omp end declare target
