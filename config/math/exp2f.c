/* exp2f.c -- 2 to the power of X.  */

#include "exponentialf.h"

#pragma omp declare target

float MATH (exp2f) (float x);

float
MATH (exp2f) (float x)
{
  /* Beyond these it is 0 or infinite; NaN stays.  */
  float y = math_selectf (x < -151, -151, x);
  float sum = math_minf (y + MATH_ROUNDERF, MATH_ROUNDERF + 129);
  float r = y - (sum - MATH_ROUNDERF);
  /* Within 2^-28 of it from -1/2 to 1/2.  */
  float p = MATH_POLYF (r, 1, 0x1.62e43p-1f, 0x1.ebfbd8p-3f, 0x1.c6af72p-5f, 0x1.3b309p-7f,
			0x1.5f0e12p-10f, 0x1.3fb5f2p-13f);
  return math_scalef (p, math_bitsf (sum));
}

#pragma omp end declare target
