/* drem.c -- the rest of a division to the nearest integer, half to even; exact.  An older name of
   remainder.  */

#include "math-rest.h"

#pragma omp declare target

double MATH (drem) (double x, double y);

double
MATH (drem) (double x, double y)
{
  return math_remainder (x, y);
}

#pragma omp end declare target
