/* asinf.c -- arc sine: from 0.56 on pi/2 - 2 asin (sqrt ((1 - x) / 2)).  */

#include "arcf.h"

#pragma omp declare target

float MATH (asinf) (float x);

float
MATH (asinf) (float x)
{
  float size = math_absf (x);
  bool large = size >= 0.5625f;
  /* NaN of what is beyond 1.  */
  float s = math_selectf (large, math_fmaf (-0.5f, size, 0.5f), size * size);
  float t = math_selectf (large, math_sqrtf (s), size);
  float value = math_asin_smallf (t, s);
  value = math_selectf (large, math_from_quarterf (2 * value), value);
  return math_copysignf (value, x);
}

#pragma omp end declare target
