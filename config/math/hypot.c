/* hypot.c -- the length of a vector, to 1 ulp.  */

#include "math-double.h"

#pragma omp declare target

double MATH (hypot) (double x, double y);

double
MATH (hypot) (double x, double y)
{
  double ax = math_abs (x), ay = math_abs (y);
  bool swap = ay > ax;
  double large = swap ? ay : ax, small = swap ? ax : ay, scale = 1;
  if (math_high (large) - 0x23d00000 >= 0x5f300000 - 0x23d00000)	/* 2^-450 to 2^500 */
    {
      if (ax == MATH_INF || ay == MATH_INF)
	return MATH_INF;
      bool up = large < 1;
      scale = up ? 0x1p-600 : 0x1p600;
      large *= up ? 0x1p600 : 0x1p-600;
      small *= up ? 0x1p600 : 0x1p-600;
    }
  double square = large * large;
  double sum = square + math_fma (small, small, math_fma (large, large, -square));
  return math_sqrt (sum) * scale;
}

#pragma omp end declare target
