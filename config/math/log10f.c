/* log10f.c -- the logarithm to base 10: e log10 (2) + log10 (1 + f).  */

#include "logarithmf.h"

#pragma omp declare target

float MATH (log10f) (float x);

float
MATH (log10f) (float x)
{
  float e, f = math_log_splitf (x, &e);
  float high, low = math_log1p_scaledf (f, 0x1.bcb7b2p-2f, -0x1.5b235ep-27f, &high);
  /* 12 bits of log10 (2), so that the product is exact, and the rest.  */
  low = math_fmaf (e, 0x1.3509f8p-18f, low);
  return math_log_specialf (x, math_fmaf (e, 0x1.344p-2f, high + low));
}

#pragma omp end declare target
