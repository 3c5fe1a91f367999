/* erff.c -- the error function: a polynomial, and from 0.97 on 1 - exp (another one).  */

#include "exponentialf.h"

#pragma omp declare target

float MATH (erff) (float x);

float
MATH (erff) (float x)
{
  float size = math_absf (x), s = x * x;
  /* Within 2^-29 of it up to 1.  */
  float small = math_fmaf (x,
			   MATH_POLYF (s, 0x1.06eba8p-3f, -0x1.81274p-2f, 0x1.ce2d52p-4f,
				       -0x1.b7fec4p-6f, 0x1.542fecp-8f,
					  -0x1.a5197ap-11f, 0x1.4c5cb4p-14f), x);
  /* log (1 - erf (a)) / a for a from 0.94 to 4, beyond which it is 1.  */
  float a = math_minf (size, 4);
  float t = a * MATH_POLYF (a, -0x1.20f3ep0f, -0x1.45112p-1f, -0x1.b47b54p-4f, 0x1.87cf0ep-6f,
			    -0x1.d88bd6p-9f, 0x1.094384p-12f,
			    0x1.2cc332p-16f, -0x1.57ee4ep-18f, 0x1.4c97ecp-22f);
  uint32_t n;
  float r = math_exp_restf (t, &n);
  float large = math_fmaf (-math_powerf (n), math_exp_smallf (r), 1);
  float value = math_selectf (size < 0.96875f, small, math_copysignf (large, x));
  return math_selectf (x != x, x, value);
}

#pragma omp end declare target
