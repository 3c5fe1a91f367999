/* ldexpf.c -- X times a power of two, rounded once: the last product alone may be inexact.  */

#include "math-device.h"

#pragma omp declare target

float MATH (ldexpf) (float x, int n);
float MATH (scalbnf) (float x, int n);
float MATH (scalblnf) (float x, long n);

/* Where N is too large for one product, one to make it smaller, which leaves 24 bits above the
   smallest normal number.  */
MATH_INLINE float
step (float x, int *n)
{
  bool up = *n > 127, down = *n < -126;
  x *= math_selectf (up, 0x1p127f, math_selectf (down, 0x1p-102f, 1));
  *n -= (int) math_selectu (up, 127, math_selectu (down, (uint32_t) -102, 0));
  return x;
}

MATH_INLINE float
scale (float x, int n)
{
  x = step (x, &n);
  x = step (x, &n);
  n = (int) math_selectu (n > 127, 127, (uint32_t) n);
  n = (int) math_selectu (n < -126, (uint32_t) -126, (uint32_t) n);
  return x * math_floatf ((uint32_t) (n + 127) << 23);
}

float
MATH (ldexpf) (float x, int n)
{
  return scale (x, n);
}

float
MATH (scalbnf) (float x, int n)
{
  return scale (x, n);
}

float
MATH (scalblnf) (float x, long n)
{
  return scale (x, n > 1000 ? 1000 : n < -1000 ? -1000 : (int) n);
}

#pragma omp end declare target
