/* tanhf.c -- hyperbolic tangent: 1 - 2 / (exp (2 |X|) + 1), or a polynomial.  */

#include "exponentialf.h"

#pragma omp declare target

float MATH (tanhf) (float x);

float
MATH (tanhf) (float x)
{
  float size = math_absf (x), s = x * x;
  /* Within 2^-27 of it up to 0.55.  */
  float small = math_fmaf (x * s,
			   MATH_POLYF (s, -0x1.555554p-2f, 0x1.110fc4p-3f, -0x1.b9993cp-5f,
				       0x1.5ce4a2p-6f, -0x1.afceb8p-8f), x);
  uint32_t n;
  /* Beyond it is 1.  */
  float r = math_exp_restf (2 * math_minf (size, 10), &n);
  /* exp (2 |X|) is p 2^n; divided by 2^n, as well as 1.  */
  float e = math_exp_smallf (r) * math_powerf (n);
  float large = math_fmaf (-2, math_reciprocal_newtonf (e + 1), 1);
  float value = math_copysignf (math_selectf (size < 0.55f, small, large), x);
  return math_selectf (x != x, x, value);
}

#pragma omp end declare target
