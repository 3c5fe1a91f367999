/* sin.c -- the sine, to 1.6 ulp.  */

#include "math-angle.h"

#pragma omp declare target

double MATH (sin) (double x);

double
MATH (sin) (double x)
{
  uint32_t turns;
  double r = math_angle (math_abs (x), &turns, 0);
  return math_flip (math_sin_turned (r, turns), math_high (x));
}

#pragma omp end declare target
