/* erfc.c -- the complementary error function, to 2 ulp: exp (-x^2) / (2x + 1) times a polynomial
   of (x - 3.5) / (x + 3.5), which makes one range of all x (Shepherd and Laframboise 1981).  */

#include "math-double.h"

#pragma omp declare target

double MATH (erfc) (double x);

double
MATH (erfc) (double x)
{
  double a = math_abs (x);
  if (math_high (a) >= 0x403c0000)	/* 28 */
    return x != x ? x + x : x > 0 ? 0 : 2;
  /* t + t_low, as near 0 it is -1 and little more; 1.5 t^4 is the polynomial's slope there.  */
  double u = (a + a) * math_reciprocal_fine (a + 3.5);
  double t = u - 1, t_low = (-1 - t) + u, t2 = t * t;
  double odd = MATH_POLY (t2, -0x1.1ebd220ea5936p-3, 0x1.8f702ec6b2e5p-4, 0x1.6861060478ed1p-4,
			      0x1.38ec666eb799ep-6, -0x1.3cf3648572567p-12, -0x1.fda96e86361f7p-14,
			      0x1.970dc26989c63p-16, -0x1.00292fe9f7828p-18, 0x1.43faf48047ea4p-21,
			      -0x1.992ffp-24, 0x1.7be18p-27);
  double even = MATH_POLY (t2, -0x1.59e2c284b0b42p-7, -0x1.d76830c3563e5p-4, -0x1.8ff5ef763cd5dp-5,
			       -0x1.143c4ce0db44cp-8, 0x1.27e672113a9dbp-11, -0x1.66e5f92b65a28p-15,
			       0x1.3939a70c92a62p-19, -0x1.d6cd5ad96df52p-25, 0x1.55d32p-28,
			       -0x1.1f299p-27, 0x1.6fb7bp-29);
  /* p + p_low, then s + s_low = (p + p_low) / (2 a + 1) */
  double rest = t * math_fma (even, t, odd), p = 0x1.3e0a99a0ee914p+0 + rest;
  double p_low = ((0x1.3e0a99a0ee914p+0 - p) + rest)
		 + math_fma (t_low, t2 * t2 * 1.5, -0x1.5b78038851258p-56);
  double d = math_fma (a, 2, 1), d_low = a > 0.5 ? 1 - math_fma (a, -2, d) : math_fma (a, 2, 1 - d);
  double r = math_reciprocal_fine (d), s = p * r;
  double s_low = (math_fma (-s, d_low, math_fma (-s, d, p)) + p_low) * r;

  /* exp (-a^2) = 2^n (1 + e + w) */
  double square = a * a, square_low = math_fma (a, a, -square);
  double turns = math_fma (square, -MATH_LOG2E, MATH_ROUND);
  int n = (int) math_low (turns);
  turns -= MATH_ROUND;
  double high = math_fma (turns, -MATH_LN2_HIGH, -square);
  double low = math_fma (turns, -MATH_LN2_LOW, -square_low);
  double e = high + low;
  low += high - e;
  double w = MATH_POLY (e, 0x1.000000000000ap-1, 0x1.55555555554d7p-3, 0x1.55555555506fap-5,
			0x1.111111112d689p-7, 0x1.6c16c18459c4cp-10, 0x1.a01a011936d66p-13,
			0x1.a01999d60aa5bp-16, 0x1.71df35642ab1ap-19, 0x1.28ad7p-22,
			0x1.ad7fp-26);
  w = math_fma (e * e, w, low);
  double first = math_fma (s, e, s);
  double result = first + math_fma (s, w, math_fma (s, e, s - first) + s_low);
  if (math_high (a) < 0x403a8000)	/* 26.5 */
    result = math_scale (result, n);
  else
    result = math_scale_far (result, n);
  return x < 0 ? 2 - result : result;
}

#pragma omp end declare target
