/* modf.c -- the integer and the fraction.  */

#include "math-double.h"

#pragma omp declare target

double MATH (modf) (double x, double *integer);

double
MATH (modf) (double x, double *integer)
{
  double whole = math_trunc (x);
  *integer = whole;
  return math_copysign (math_abs (x) == MATH_INF ? 0 : x - whole, x);
}

#pragma omp end declare target
