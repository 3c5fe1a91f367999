/* cbrtf.c -- cube root: x y^2 with y = x^(-1/3), which two steps make of a guess by the
   exponent.  */

#include "math-device.h"

#pragma omp declare target

float MATH (cbrtf) (float x);

/* From Y near A^(-1/3) to one that is much nearer.  */
MATH_INLINE float
nearer (float a, float y)
{
  float h = math_fmaf (-a * y, y * y, 1);
  return math_fmaf (h * y, MATH_POLYF (h, 0x1.555556p-2f, 0x1.c71c72p-3f, 0x1.61f9aep-3f), y);
}

float
MATH (cbrtf) (float x)
{
  float size = math_absf (x);
  bool tiny = size < 0x1p-126f;
  float a = math_selectf (tiny, size * 0x1p24f, size);
  /* Within 4 percent.  */
  float y = math_floatf (0x54a21d2a - math_bitsf (a) / 3);
  y = nearer (a, nearer (a, y));
  float z = y * y, c = a * z;
  /* The error of c^3, divided by the slope.  */
  c = math_fmaf (math_fmaf (-c * c, c, a), z * 0x1.555556p-2f, c);
  c = math_selectf (tiny, c * 0x1p-8f, c);
  return math_selectf ((x == 0) | !(size < MATH_INFF), x, math_copysignf (c, x));
}

#pragma omp end declare target
