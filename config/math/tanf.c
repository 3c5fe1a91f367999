/* tanf.c -- tangent: of R, or -1 divided by it.  */

#include "trigonometricf.h"

#pragma omp declare target

float MATH (tanf) (float x);

float
MATH (tanf) (float x)
{
  uint32_t n;
  float rest, r = math_reduce_lowf (x, &n, &rest), s = r * r;
  /* Within 2^-28 of the tangent from -pi/4 to pi/4.  */
  float t = MATH_POLYF (s, 0x1.555556p-2f, 0x1.11107p-3f, 0x1.ba57cap-5f, 0x1.62p-6f, 0x1.47d0ap-7f,
			0x1.27b89ep-10f, 0x1.fba502p-9f);
  float low = math_fmaf (r * s, t, math_fmaf (rest, s, rest));
  float value = r + low;
  /* What the sum has lost.  */
  low = r - value + low;
  float q = math_reciprocalf (value);
  q = math_fmaf (math_fmaf (-value, q, 1), q, q);
  rest = math_fmaf (-low, q, math_fmaf (-value, q, 1));
  value = math_selectf (n & 1, -math_fmaf (rest, q, q), value);
  return math_selectf (x == 0, x, value);
}

#pragma omp end declare target
