/* expf.c -- the exponential: 2^n exp (r) with |r| at most ln 2 / 2.  */

#include "exponentialf.h"

#pragma omp declare target

float MATH (expf) (float x);

float
MATH (expf) (float x)
{
  return math_exp_sumf (x, 0);
}

#pragma omp end declare target
