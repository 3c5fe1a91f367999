/* cos.c -- the cosine, to 1.6 ulp.  */

#include "math-angle.h"

#pragma omp declare target

double MATH (cos) (double x);

double
MATH (cos) (double x)
{
  uint32_t turns;
  double r = math_angle (math_abs (x), &turns, 0);
  return math_sin_turned (r, turns + 1);
}

#pragma omp end declare target
