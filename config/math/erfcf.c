/* erfcf.c -- the complement of the error function: exp (-x^2) P (q) / (1 + 2 x) with q = (x - 2) /
   (x + 2), as Shepherd and Laframboise found; 2 minus that for negative numbers.  */

#include "exponentialf.h"

#pragma omp declare target

float MATH (erfcf) (float x);

float
MATH (erfcf) (float x)
{
  /* Beyond it is 0.  */
  float a = math_minf (math_absf (x), 10.5f);
  /* What is left of a - 2 = q (a + 2) is taken with a itself, and so below: the sums are
     rounded.  */
  float r = math_reciprocalf (a + 2), q = (a - 2) * r;
  q = math_fmaf (math_fmaf (-q, a, math_fmaf (-2, q + 1, a)), r, q);
  float t = q * MATH_POLYF (q, -0x1.7bf5e8p-4f, -0x1.5407a6p-3f, 0x1.4ff9e4p-3f, -0x1.bc2d58p-5f,
			    -0x1.07213p-7f, 0x1.1dca9ep-7f, 0x1.489feap-10f,
			    -0x1.7abcb8p-10f, -0x1.ad455p-12f, 0x1.876e86p-13f, 0x1.783126p-14f);
  float p = 0x1.46e80ep0f + t, p_low = 0x1.46e80ep0f - p + t;
  /* P / (1 + 2 a) in two parts.  */
  r = math_reciprocalf (math_fmaf (2, a, 1));
  float v = p * r, v_low = r * (math_fmaf (-2 * a, v, p - v) + p_low);
  float s = a * a, s_low = math_fmaf (a, a, -s);
  uint32_t n;
  r = math_exp_restf (-s, &n) - s_low;
  /* Times exp (r).  */
  r *= math_exp_slopef (r);
  float value = math_scalef (v + math_fmaf (v, r, math_fmaf (v_low, r, v_low)), n);
  value = math_selectf (x < 0, 2 - value, value);
  return math_selectf (x != x, x, value);
}

#pragma omp end declare target
