/* exp10f.c -- 10 to the power of X.  */

#include "exponentialf.h"

#pragma omp declare target

float MATH (exp10f) (float x);

float
MATH (exp10f) (float x)
{
  /* Beyond these it is 0 or infinite; NaN stays.  */
  float y = math_selectf (x < -46, -46, x);
  y = math_selectf (y > 38.7f, 38.7f, y);
  float sum = math_fmaf (y, 0x1.a934fp1f, MATH_ROUNDERF), whole = sum - MATH_ROUNDERF;
  float r = math_fmaf (whole, -0x1.344136p-2f, y);
  r = math_fmaf (whole, 0x1.ec10cp-27f, r);
  /* R ln 10 in two parts.  */
  float t = r * 0x1.26bb1cp1f;
  float low = math_fmaf (r, 0x1.26bb1cp1f, -t);
  low = math_fmaf (r, -0x1.12aabap-25f, low);
  return math_scalef (math_exp_smallf (t + low), math_bitsf (sum));
}

#pragma omp end declare target
