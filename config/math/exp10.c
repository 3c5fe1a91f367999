/* exp10.c -- 10 to the power of x, to 1.1 ulp.  */

#include "math-double.h"

#pragma omp declare target

double MATH (exp10) (double x);

double
MATH (exp10) (double x)
{
  double t = math_fma (x, 0x1.a934f0979a371p+1, MATH_ROUND);
  int n = (int) math_low (t);
  t -= MATH_ROUND;
  double r = math_fma (t, -0x1.427de7fbcc47cp-24, math_fma (t, -0x1.34413p-2, x));
  double p = MATH_POLY (r, 1, 0x1.26bb1bbb55516p+1, 0x1.53524c73cea77p+1, 0x1.0470591de2b2fp+1,
			0x1.2bd7609fd52bdp+0, 0x1.1429ffd21b9f4p-1, 0x1.a7ed70a124ff5p-3,
			0x1.16e4df18daf32p-4, 0x1.41165f06d5a21p-6, 0x1.4899125709a2dp-8,
			0x1.2f747p-10, 0x1.f9959p-13);
  uint32_t top = math_high_abs (x);
  if (top < 0x40733000)		/* 307 */
    return math_scale (p, n);
  return top < 0x4074a000 ? math_scale_far (p, n) : x > 0 ? MATH_INF : x < 0 ? 0 : x + x;
}

#pragma omp end declare target
