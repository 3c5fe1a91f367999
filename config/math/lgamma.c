/* lgamma.c -- the logarithm of the gamma function.  signgam is left alone, as errno is.  */

#include "math-gamma.h"

#pragma omp declare target

double MATH (lgamma) (double x);

double
MATH (lgamma) (double x)
{
  return math_lgamma (x);
}

#pragma omp end declare target
