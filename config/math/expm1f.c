/* expm1f.c -- exp (X) - 1: 2^n e + (2^n - 1), where e is that of the rest.  */

#include "exponentialf.h"

#pragma omp declare target

float MATH (expm1f) (float x);

float
MATH (expm1f) (float x)
{
  uint32_t n;
  /* Below it is -1; NaN stays.  */
  float r = math_exp_restf (math_selectf (x < -17.4f, -17.4f, x), &n);
  /* Within 2^-30 of it.  */
  float p = MATH_POLYF (r, 0.5f, 0x1.555556p-3f, 0x1.5555p-5f, 0x1.110ffp-7f, 0x1.6d30c2p-10f,
			0x1.a26c0ap-13f);
  float e = math_fmaf (r * r, p, r);
  /* Half of it, as 2^128 is none.  */
  float half = math_powerf (n - 1);
  float value = 2 * math_fmaf (e, half, half - 0.5f);
  value = math_selectf (n > MATH_ROUNDER_BITS + 128, MATH_INFF, value);
  value = math_selectf (n == MATH_ROUNDER_BITS, e, value);
  value = math_selectf (x != x, x, value);
  return math_copysignf (value, x);
}

#pragma omp end declare target
