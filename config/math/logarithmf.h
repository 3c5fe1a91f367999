/* logarithmf.h -- what float logarithms share.  */

#ifndef GOMPX_MATH_LOGARITHMF_H
#define GOMPX_MATH_LOGARITHMF_H 1

#include "math-device.h"

#pragma omp declare target

/* Split X, positive and finite: X = (1 + F) 2^E with F from -1/3 to 1/3, returned; E is a whole
   number.  */
MATH_INLINE float
math_log_splitf (float x, float *e)
{
  /* Subnormal numbers become normal ones.  */
  bool tiny = x < 0x1p-126f;
  uint32_t bits = math_bitsf (math_selectf (tiny, x * 0x1p23f, x));
  uint32_t up = (bits - 0x3f2aaaab) & 0xff800000;
  *e = math_fmaf ((float) (int32_t) up, 0x1p-23f, math_selectf (tiny, -23, 0));
  return math_floatf (bits - up) - 1;
}

/* log (1 + F) for F from -1/3 to 1/3; the polynomial is within 2^-26 of it.  */
MATH_INLINE float
math_log1p_smallf (float f)
{
  float p = MATH_POLYF (f, -0.5f, 0x1.5554e2p-2f, -0x1.fffddcp-3f, 0x1.99de2p-3f, -0x1.55ca84p-3f,
			0x1.1e0ceap-3f,
			-0x1.ee8974p-4f, 0x1.21ed24p-3f, -0x1.115dccp-3f);
  return math_fmaf (f * f, p, f);
}

/* log (1 + X) for finite X above -1; zero is positive then.  */
MATH_INLINE float
math_log1p_finitef (float x)
{
  /* 1 + X = (1 + F) 2^E; F = X 2^-E + (2^-E - 1), of which the sum alone is rounded.  */
  uint32_t up = (math_bitsf (x + 1) - 0x3f2aaaab) & 0xff800000;
  float one = math_fmaf (0.25f, math_floatf (0x40800000 - up), -1);
  float f = math_floatf (math_bitsf (x) - up) + one;
  return math_fmaf ((float) (int32_t) up, 0x1.62e43p-24f, math_log1p_smallf (f));
}

/* log (1 + F) times a factor of two parts, A + B: what is to be added to *HIGH, the larger
   part.  */
MATH_INLINE float
math_log1p_scaledf (float f, float a, float b, float *high)
{
  float p = MATH_POLYF (f, -0.5f, 0x1.5554e2p-2f, -0x1.fffddcp-3f, 0x1.99de2p-3f, -0x1.55ca84p-3f,
			0x1.1e0ceap-3f,
			-0x1.ee8974p-4f, 0x1.21ed24p-3f, -0x1.115dccp-3f);
  *high = f * a;
  return math_fmaf (f * f * p, a, math_fmaf (f, b, math_fmaf (f, a, -*high)));
}

/* A logarithm of X: VALUE where X is positive and finite.  */
MATH_INLINE float
math_log_specialf (float x, float value)
{
  /* Infinity and NaN are their own logarithms; what is below zero has none.  */
  value = math_selectf (math_bitsf (x) < 0x7f800000, value, math_fmaf (x, MATH_INFF, MATH_INFF));
  return math_selectf (x == 0, -MATH_INFF, value);
}

#pragma omp end declare target

#endif /* GOMPX_MATH_LOGARITHMF_H */
