/* acosf.c -- arc cosine: pi/2 - asin (x), or from 0.56 on 2 asin (sqrt ((1 - x) / 2)).  */

#include "arcf.h"

#pragma omp declare target

float MATH (acosf) (float x);

float
MATH (acosf) (float x)
{
  float size = math_absf (x);
  bool large = size >= 0.5625f;
  float s = math_selectf (large, math_fmaf (-0.5f, size, 0.5f), size * size);
  float t = math_selectf (large, math_sqrtf (s), size);
  float value = math_asin_smallf (t, s);
  float near = math_selectf (x < 0, math_from_halff (2 * value), 2 * value);
  return math_selectf (large, near, math_from_quarterf (math_copysignf (value, x)));
}

#pragma omp end declare target
