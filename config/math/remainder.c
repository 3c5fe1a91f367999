/* remainder.c -- the rest of a division to the nearest integer, half to even; exact.  */

#include "math-rest.h"

#pragma omp declare target

double MATH (remainder) (double x, double y);

double
MATH (remainder) (double x, double y)
{
  return math_remainder (x, y);
}

#pragma omp end declare target
