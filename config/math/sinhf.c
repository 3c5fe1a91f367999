/* sinhf.c -- hyperbolic sine.  */

#include "exponentialf.h"

#pragma omp declare target

float MATH (sinhf) (float x);

float
MATH (sinhf) (float x)
{
  float size = math_absf (x), s = x * x;
  /* Within 2^-30 of it up to 1.  */
  float small = math_fmaf (x * s,
			   MATH_POLYF (s, 0x1.555556p-3f, 0x1.1110c4p-7f, 0x1.a036dap-13f,
				       0x1.720e84p-19f), x);
  float half = math_exp_halff (size);
  float large = half - 0.25f * math_reciprocal_newtonf (half);
  return math_selectf (size < 1, small, math_copysignf (large, x));
}

#pragma omp end declare target
