/* expf.c -- the exponential: 2^n exp (r) with |r| at most ln 2 / 2.  */

#include "exponentialf.h"

#pragma omp declare target

float MATH (expf) (float x);

float
MATH (expf) (float x)
{
  uint32_t n;
  float r = math_exp_restf (math_exp_argumentf (x), &n);
  return math_scalef (math_exp_smallf (r), n);
}

#pragma omp end declare target
