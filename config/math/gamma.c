/* gamma.c -- the logarithm of the gamma function; an older name of lgamma. signgam is left alone,
   as errno is.  */

#include "math-gamma.h"

#pragma omp declare target

double MATH (gamma) (double x);

double
MATH (gamma) (double x)
{
  return math_lgamma (x);
}

#pragma omp end declare target
