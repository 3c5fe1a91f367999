/* frexpf.c -- a number's mantissa, from 1/2 to 1, and its exponent.  */

#include "math-device.h"

#pragma omp declare target

float MATH (frexpf) (float x, int *exponent);

float
MATH (frexpf) (float x, int *exponent)
{
  float size = math_absf (x);
  bool tiny = size < 0x1p-126f, plain = (size > 0) & (size < MATH_INFF);
  uint32_t bits = math_bitsf (math_selectf (tiny, x * 0x1p24f, x));
  uint32_t e = (bits << 1 >> 24) - math_selectu (tiny, 126 + 24, 126);
  *exponent = (int) math_selectu (plain, e, 0);
  return math_selectf (plain, math_floatf ((bits & 0x807fffff) | 0x3f000000), x);
}

#pragma omp end declare target
