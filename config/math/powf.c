/* powf.c -- X to the power of Y: exp (Y log X), with a logarithm of two floats.

   log X = e ln 2 + q + q^3 (1/12 + q^2 R (q^2)) with q = 2 f / (2 + f), as log (1 + f) = 2 artanh
   (f / (2 + f)).  Y times it may be 150 and has to be right to 2^-25 or so, the logarithm to 2^-33
   of itself: so q, q^3 and 1/12 have two parts, and the products of first parts are made
   exactly.  */

#include "exponentialf.h"
#include "logarithmf.h"

#pragma omp declare target

float MATH (powf) (float x, float y);

/* The logarithm of X, positive and finite; *LOW: what it is more.  */
MATH_INLINE float
log_two_parts (float x, float *low)
{
  float e, f = math_log_splitf (x, &e);
  float r = math_reciprocalf (2 + f);
  float q = 2 * f * r;
  /* What is left of 2 f = q (2 + f); f - q is exact, as q is near f.  */
  float q_low = r * math_fmaf (-q, f, 2 * (f - q));
  float s = q * q, s_low = math_fmaf (2 * q, q_low, math_fmaf (q, q, -s));
  float c = q * s, c_low = math_fmaf (s, q_low, math_fmaf (q, s_low, math_fmaf (q, s, -c)));
  /* 1/12 and what the series has beyond, which is at most a seventh of it.  */
  float t = s * MATH_POLYF (s, 0x1.99999ap-7f, 0x1.24921cp-9f, 0x1.c6f7eap-12f, 0x1.83d446p-14f);
  float p = 0x1.555556p-4f + t, p_low = 0x1.555556p-4f - p + t - 0x1.555556p-29f;
  float d = c * p, d_low = math_fmaf (c_low, p, math_fmaf (c, p_low, math_fmaf (c, p, -d)));
  /* e ln 2 with 16 bits of ln 2 is exact, and larger than q or 0.  */
  float whole = e * 0x1.62e4p-1f, sum = whole + q;
  float sum_low = whole - sum + q;
  float high = sum + d;
  float rest = (sum - high + d) + (sum_low + (math_fmaf (e, 0x1.7f7d1cp-20f, q_low) + d_low));
  float result = high + rest;
  *low = high - result + rest;
  return result;
}

float
MATH (powf) (float x, float y)
{
  float size = math_absf (x), low;
  float high = log_two_parts (size, &low);
  /* Of infinity and NaN, which are their own logarithms, and of zero.  */
  high = math_selectf (size < MATH_INFF, high, size);
  high = math_selectf (size == 0, -MATH_INFF, high);
  float product = high * y;
  /* Elsewhere it may be that one of the two is infinite.  */
  float product_low = math_fmaf (low, y, math_fmaf (high, y, -product));
  product_low = math_selectf (math_absf (product) < 110, product_low, 0);
  float value = math_exp_sumf (product, product_low);
  bool whole = math_truncf (y) == y;
  bool odd = math_absf (y - 2 * math_truncf (0.5f * y)) == 1;
  value = math_selectf (odd, math_copysignf (value, x), value);
  value = math_selectf ((x < 0) & (size < MATH_INFF) & !whole, MATH_NANF, value);
  /* 1 is what 1 gives, also with NaN, and -1 with infinity.  */
  return math_selectf ((y == 0) | (x == 1) | ((x == -1) & (math_absf (y) == MATH_INFF)), 1, value);
}

#pragma omp end declare target
