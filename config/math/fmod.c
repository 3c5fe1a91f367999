/* fmod.c -- the rest of a division, exact.  */

#include "math-rest.h"

#pragma omp declare target

double MATH (fmod) (double x, double y);

double
MATH (fmod) (double x, double y)
{
  double a = math_abs (x), b = math_abs (y);
  if (!(b > 0 && a < MATH_INF))
    return b == b && a == a ? MATH_NAN : x + y;
  return math_flip (math_rest (a, b), math_high (x));
}

#pragma omp end declare target
