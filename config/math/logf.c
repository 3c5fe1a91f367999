/* logf.c -- the natural logarithm: e ln 2 + log (1 + f).  */

#include "logarithmf.h"

#pragma omp declare target

float MATH (logf) (float x);

float
MATH (logf) (float x)
{
  float e, f = math_log_splitf (x, &e);
  return math_log_specialf (x, math_fmaf (e, 0x1.62e43p-1f, math_log1p_smallf (f)));
}

#pragma omp end declare target
