/* coshf.c -- hyperbolic cosine.  */

#include "exponentialf.h"

#pragma omp declare target

float MATH (coshf) (float x);

float
MATH (coshf) (float x)
{
  float half = math_exp_halff (math_absf (x));
  return half + 0.25f * math_reciprocal_newtonf (half);
}

#pragma omp end declare target
