/* hypotf.c -- the square root of X^2 + Y^2, without overflow on the way.  */

#include "math-device.h"

#pragma omp declare target

float MATH (hypotf) (float x, float y);

float
MATH (hypotf) (float x, float y)
{
  float a = math_absf (x), b = math_absf (y);
  float most = math_maxf (a, b), least = math_minf (a, b);
  /* A power of two near the larger one, from 2^-126 to 2^126.  */
  uint32_t e = math_bitsf (math_minf (math_maxf (most, 0x1p-126f), 0x1p126f)) & 0x7f800000;
  float scale = math_floatf (0x7f000000 - e);
  float p = most * scale, q = least * scale;
  float h = p * p, low = math_fmaf (q, q, math_fmaf (p, p, -h));
  float value = math_sqrtf (h + low) * math_floatf (e);
  value = math_selectf ((x != x) | (y != y), x + y, value);
  return math_selectf ((a == MATH_INFF) | (b == MATH_INFF), MATH_INFF, value);
}

#pragma omp end declare target
