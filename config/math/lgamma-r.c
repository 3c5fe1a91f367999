/* lgamma-r.c -- the logarithm of the gamma function, and the sign of that.  */

#include "math-gamma.h"

#pragma omp declare target

double MATH (lgamma_r) (double x, int *sign);

double
MATH (lgamma_r) (double x, int *sign)
{
  bool minus = x < 0 ? math_trunc (x) != x && math_sin_pi (-x) > 0 : math_high (x) == 0x80000000;
  *sign = minus ? -1 : 1;
  return math_lgamma (x);
}

#pragma omp end declare target
