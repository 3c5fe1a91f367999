/* log2f.c -- the logarithm to base 2: e + log2 (1 + f).  */

#include "logarithmf.h"

#pragma omp declare target

float MATH (log2f) (float x);

float
MATH (log2f) (float x)
{
  float e, f = math_log_splitf (x, &e);
  float high, low = math_log1p_scaledf (f, 0x1.715476p0f, 0x1.4ae0cp-26f, &high);
  return math_log_specialf (x, e + (high + low));
}

#pragma omp end declare target
