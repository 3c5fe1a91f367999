/* modff.c -- a number's whole and fractional parts, both with its sign.  */

#include "math-device.h"

#pragma omp declare target

float MATH (modff) (float x, float *whole);

float
MATH (modff) (float x, float *whole)
{
  float w = math_truncf (x);
  *whole = w;
  /* Infinity has nothing behind the point.  */
  return math_copysignf (math_selectf (w == x, 0, x - w), x);
}

#pragma omp end declare target
