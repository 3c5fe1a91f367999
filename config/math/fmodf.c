/* fmodf.c -- the rest of a division towards zero, exact.  */

#include "math-device.h"

#pragma omp declare target

float MATH (fmodf) (float x, float y);
float MATH_HELPER (restf) (float x, float y);

float
MATH (fmodf) (float x, float y)
{
  float a = math_absf (x), b = math_absf (y);
  if (!(a < b * 0x1p18f && b > 0x1p-100f && b < 0x1p100f))
    return MATH_HELPER (restf) (x, y);
  /* The quotient is made too large by more than what it may be wrong by, and less than 1/2: so it
     is right, or 1 too large.  The rest is exact: it is not larger than b, and has no digits below
     b's last one.  */
  float q = math_truncf (a * math_reciprocalf (b) * (1 + 0x1p-20f));
  float rest = math_fmaf (-q, b, a);
  return math_copysignf (math_selectf (rest < 0, rest + b, rest), x);
}

#pragma omp end declare target
