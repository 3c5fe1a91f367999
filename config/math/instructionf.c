/* instructionf.c -- functions that are one or two instructions.  Programs seldom call them:
   compilers have the instructions for most.  */

#include "math-device.h"

#pragma omp declare target

float MATH (sqrtf) (float x);

float
MATH (sqrtf) (float x)
{
  return math_sqrtf (x);
}

float MATH (fabsf) (float x);

float
MATH (fabsf) (float x)
{
  return math_absf (x);
}

float MATH (copysignf) (float x, float y);

float
MATH (copysignf) (float x, float y)
{
  return math_copysignf (x, y);
}

float MATH (fmaf) (float x, float y, float z);

float
MATH (fmaf) (float x, float y, float z)
{
  return math_fmaf (x, y, z);
}

float MATH (fminf) (float x, float y);

float
MATH (fminf) (float x, float y)
{
  return math_minf (x, y);
}

float MATH (fmaxf) (float x, float y);

float
MATH (fmaxf) (float x, float y)
{
  return math_maxf (x, y);
}

/* NaN where one is.  */
float MATH (fdimf) (float x, float y);

float
MATH (fdimf) (float x, float y)
{
  return math_selectf (x <= y, 0, x - y);
}

float MATH (floorf) (float x);

float
MATH (floorf) (float x)
{
  return __builtin_floorf (x);
}

float MATH (ceilf) (float x);

float
MATH (ceilf) (float x)
{
  return __builtin_ceilf (x);
}

float MATH (truncf) (float x);

float
MATH (truncf) (float x)
{
  return math_truncf (x);
}

float MATH (rintf) (float x);

float
MATH (rintf) (float x)
{
  return math_rintf (x);
}

float MATH (nearbyintf) (float x);

float
MATH (nearbyintf) (float x)
{
  return math_rintf (x);
}

/* Half away from zero: with what is just less than half, which a sum would round up.  */
float MATH (roundf) (float x);

float
MATH (roundf) (float x)
{
  return math_truncf (x + math_copysignf (0x1.fffffep-2f, x));
}

long MATH (lrintf) (float x);

long
MATH (lrintf) (float x)
{
  return (long) math_rintf (x);
}

long long MATH (llrintf) (float x);

long long
MATH (llrintf) (float x)
{
  return (long long) math_rintf (x);
}

long MATH (lroundf) (float x);

long
MATH (lroundf) (float x)
{
  return (long) math_truncf (x + math_copysignf (0x1.fffffep-2f, x));
}

long long MATH (llroundf) (float x);

long long
MATH (llroundf) (float x)
{
  return (long long) math_truncf (x + math_copysignf (0x1.fffffep-2f, x));
}

#pragma omp end declare target
