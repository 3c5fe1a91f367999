/* trigonometricf.h -- what float functions of angles share.  */

#ifndef GOMPX_MATH_TRIGONOMETRICF_H
#define GOMPX_MATH_TRIGONOMETRICF_H 1

#include "math-device.h"

#pragma omp declare target

/* X - N pi/2 for X that is not small, infinite and NaN, too (NaN then), as a double's bits, the
   last two of which are N modulo 4.  */
uint64_t MATH_HELPER (reducef) (float x);

/* Up to here N has 16 bits.  */
#define MATH_REDUCE_MOSTF 0x1p16f

/* pi/2 to 72 bits.  */
#define MATH_PIO2_FIRSTF 0x1.921fb6p0f
#define MATH_PIO2_SECONDF -0x1.777a5cp-25f
#define MATH_PIO2_THIRDF -0x1.ee59dap-50f

/* X - N pi/2, from -pi/4 to pi/4, to 2^-24 of itself; N modulo 4.  */
MATH_INLINE float
math_reducef (float x, uint32_t *n)
{
  float sum = math_fmaf (x, 0x1.45f306p-1f, 0x1.8p23f), whole = sum - 0x1.8p23f;
  /* The first one is exact: nothing in it is less than 2^-23 or than the last place of X, and it is
     below 1.  */
  float r = math_fmaf (whole, -MATH_PIO2_FIRSTF, x);
  r = math_fmaf (whole, -MATH_PIO2_SECONDF, r);
  r = math_fmaf (whole, -MATH_PIO2_THIRDF, r);
  *n = math_bitsf (sum);
  if (!(math_absf (x) <= MATH_REDUCE_MOSTF))
    {
      uint64_t both = MATH_HELPER (reducef) (x);
      r = (float) math_double (both);
      *n = (uint32_t) both;
    }
  return r;
}

/* The same, and what is to be added.  */
MATH_INLINE float
math_reduce_lowf (float x, uint32_t *n, float *low)
{
  float sum = math_fmaf (x, 0x1.45f306p-1f, 0x1.8p23f), whole = sum - 0x1.8p23f;
  float first = math_fmaf (whole, -MATH_PIO2_FIRSTF, x);
  float product = whole * -MATH_PIO2_SECONDF, second = first + product, part = second - first;
  *low = (first - (second - part)) + (product - part);
  *low += math_fmaf (whole, -MATH_PIO2_SECONDF, -product);
  float r = math_fmaf (whole, -MATH_PIO2_THIRDF, second);
  *low += math_fmaf (whole, -MATH_PIO2_THIRDF, second - r);
  *n = math_bitsf (sum);
  if (!(math_absf (x) <= MATH_REDUCE_MOSTF))
    {
      uint64_t both = MATH_HELPER (reducef) (x);
      r = (float) math_double (both);
      *low = (float) (math_double (both) - r);
      *n = (uint32_t) both;
    }
  return r;
}

/* Sine and cosine of R from -pi/4 to pi/4, S is R^2; the polynomials are within 2^-26 and 2^-29 of
   them.  */
MATH_INLINE float
math_sin_smallf (float r, float s)
{
  return math_fmaf (r * s,
		    MATH_POLYF (s, -0x1.555556p-3f, 0x1.111198p-7f, -0x1.a082fcp-13f,
				0x1.876c06p-19f), r);
}

MATH_INLINE float
math_cos_smallf (float s)
{
  return MATH_POLYF (s, 1, -0.5f, 0x1.555554p-5f, -0x1.6c129ap-10f, 0x1.9bc536p-16f);
}

/* Sine of R + N pi/2.  */
MATH_INLINE float
math_sin_turnedf (float r, uint32_t n)
{
  float s = r * r;
  float value = math_selectf (n & 1, math_cos_smallf (s), math_sin_smallf (r, s));
  return math_floatf (math_bitsf (value) ^ (n & 2) << 30);
}

#pragma omp end declare target

#endif /* GOMPX_MATH_TRIGONOMETRICF_H */
