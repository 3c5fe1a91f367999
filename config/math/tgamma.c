/* tgamma.c -- the gamma function, to 2 ulp; to 5 ulp for x < 0.  */

#include "math-gamma.h"

#pragma omp declare target

double MATH (tgamma) (double x);

double
MATH (tgamma) (double x)
{
  double a = math_abs (x);
  if (a < 0x1p-60 || !(a < 190))
    {
      if (a < 1)
	{
	  /* 1 / x; the small ones have no normal reciprocal.  */
	  double large = a * 0x1p200;
	  large = large == 0 ? MATH_INF : math_divide_normal (1, large) * 0x1p200;
	  return math_copysign (large, x);
	}
      if (x > 0)
	return MATH_INF;
      if (x != x || a == math_trunc (a))
	return MATH_NAN;
      return math_flip (0, math_high (math_sin_pi (a)) ^ 0x80000000);
    }
  double factor = 1;
  if (x < 0)
    {
      /* gamma (x) = -pi / (a sin (pi a) gamma (a)) */
      double s = math_sin_pi (a);
      if (s == 0)
	return MATH_NAN;
      factor = math_divide_normal (-0x1.921fb54442d18p+1, a * s);
    }
  if (a < 3)
    {
      /* gamma (a) = gamma (2 + f) / d */
      double n = math_trunc (a), f = a - n;
      double p = MATH_POLY (f, 0x1.b0ee6072093d1p-2, 0x1.a5b978b96bc31p-2, 0x1.4e2399848903fp-4,
			       0x1.301fbb0b77779p-4, -0x1.17f33c3ddad41p-12, 0x1.6d7ed9a4e8fbcp-7,
			       -0x1.75e5160b58e93p-9, 0x1.13bb4e4195ee5p-9, -0x1.e19b71a6c6458p-11,
			       0x1.ff59741c68a9fp-12, -0x1.ed108d4f09d21p-13, 0x1.d5d0bp-14,
			       -0x1.95351p-15, 0x1.2a60fp-16, -0x1.52204p-18,
			    MATH_POLY (f, 0x1.fe56dp-21, -0x1.78575p-24));
      double g = math_fma (f, p, 1), d = n > 1 ? 1 : n > 0 ? a : math_fma (a, a, a);
      if (x < 0)
	return math_divide_normal (factor * d, g);
      double g_low = math_fma (f, p, 1 - g), d_low = n > 0 ? 0 : math_fma (a, a, a - d);
      double r = math_reciprocal_fine (d), q = g * r;
      return math_fma (math_fma (-q, d, g) + math_fma (-q, d_low, g_low), r, q);
    }
  double l_low, l = math_log_exact (a, &l_low);
  double low, e = math_stirling (a, l, l_low, &low);
  e = x > 0 ? e : -e;
  low = x > 0 ? low : -low;
  double t = math_fma (e, MATH_LOG2E, MATH_ROUND);
  int n = (int) math_low (t);
  t -= MATH_ROUND;
  double r = math_fma (t, -MATH_LN2_HIGH, e) + math_fma (t, -MATH_LN2_LOW, low);
  return math_scale_far (math_exp_near (r) * factor, n);
}

#pragma omp end declare target
