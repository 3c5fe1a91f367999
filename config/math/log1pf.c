/* log1pf.c -- the logarithm of 1 + X.  */

#include "logarithmf.h"

#pragma omp declare target

float MATH (log1pf) (float x);

float
MATH (log1pf) (float x)
{
  float value = math_log1p_finitef (x);
  value = math_selectf ((x > -1) & (x < MATH_INFF), value, math_fmaf (x, MATH_INFF, MATH_INFF));
  value = math_selectf (x == -1, -MATH_INFF, value);
  return math_selectf (math_absf (x) < 0x1p-25f, x, value);
}

#pragma omp end declare target
