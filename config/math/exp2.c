/* exp2.c -- 2 to the power of x, to 0.9 ulp.  */

#include "math-double.h"

#pragma omp declare target

double MATH (exp2) (double x);

double
MATH (exp2) (double x)
{
  double t = x + MATH_ROUND;
  int n = (int) math_low (t);
  double r = x - (t - MATH_ROUND);
  double p = MATH_POLY (r, 1, 0x1.62e42fefa39efp-1, 0x1.ebfbdff82c586p-3, 0x1.c6b08d704a09fp-5,
			0x1.3b2ab6fba2e1dp-7, 0x1.5d87fe78c222p-10, 0x1.43091309fa448p-13,
			0x1.ffcbfbb4e2affp-17, 0x1.62bfccbd27627p-20, 0x1.b5268p-24,
			0x1.e61b5p-28, 0x1.e79bbp-32);
  uint32_t top = math_high_abs (x);
  if (top < 0x408fe800)		/* 1021 */
    return math_scale (p, n);
  return top < 0x40910000 ? math_scale_far (p, n) : x > 0 ? MATH_INF : x < 0 ? 0 : x + x;
}

#pragma omp end declare target
