/* exponentialf.h -- what float functions with exponentials share.  */

#ifndef GOMPX_MATH_EXPONENTIALF_H
#define GOMPX_MATH_EXPONENTIALF_H 1

#include "math-device.h"

#pragma omp declare target

/* Added to a float below 2^22 it leaves the nearest integer in the last bits.  Exponents are handed
   on as the bits of such a sum: nine of them are all that counts.  */
#define MATH_ROUNDERF 0x1.8p23f
#define MATH_ROUNDER_BITS 0x4b400000

/* 2^N for N from -126 to 127, of which SUM has the last nine bits.  */
MATH_INLINE float
math_powerf (uint32_t sum)
{
  return math_floatf ((sum << 23) + 0x3f800000);
}

/* P * 2^N for P from 1/2 to 2 and N from -200 to 200, rounded once, where SUM is N +
   MATH_ROUNDER_BITS; NaN for NaN, whatever N is.  */
MATH_INLINE float
math_scalef (float p, uint32_t sum)
{
  uint32_t half = sum >> 1;
  return p * math_powerf (half) * math_powerf (sum - half);
}

/* X - n ln 2, from -0.35 to 0.35, for X from -104 to 89, and *N = n + MATH_ROUNDER_BITS.  Above
   that it is larger, and n is 129.  */
MATH_INLINE float
math_exp_restf (float x, uint32_t *n)
{
  float sum = math_minf (math_fmaf (x, 0x1.715476p0f, MATH_ROUNDERF), MATH_ROUNDERF + 129);
  float whole = sum - MATH_ROUNDERF;
  *n = math_bitsf (sum);
  /* ln 2 to 48 bits.  */
  return math_fmaf (whole, 0x1.05c61p-29f, math_fmaf (whole, -0x1.62e43p-1f, x));
}

/* (exp (R) - 1) / R for R from -0.3473 to 0.3473.  */
MATH_INLINE float
math_exp_slopef (float r)
{
  return MATH_POLYF (r, 1, 0x1.fffffcp-2f, 0x1.55549p-3f, 0x1.5558a6p-5f, 0x1.123aecp-7f,
		     0x1.6a5a54p-10f);
}

/* exp (R) for R from -0.3473 to 0.3473, the polynomial within 2^-28 of it.  Large for larger R.  */
MATH_INLINE float
math_exp_smallf (float r)
{
  return MATH_POLYF (r, 1, 1, 0x1.fffffcp-2f, 0x1.55549p-3f, 0x1.5558a6p-5f, 0x1.123aecp-7f,
		     0x1.6a5a54p-10f);
}

/* X, or what has the same exponential, 0, if that is larger.  NaN stays.  */
MATH_INLINE float
math_exp_argumentf (float x)
{
  return math_selectf (x < -104, -104, x);
}

/* exp (X) / 2, for X that is not negative.  */
MATH_INLINE float
math_exp_halff (float x)
{
  uint32_t n;
  float r = math_exp_restf (x, &n);
  return math_scalef (math_exp_smallf (r), n - 1);
}

/* exp (X + LOW) for any X and a LOW that is small; NaN where X is.  */
MATH_INLINE float
math_exp_sumf (float x, float low)
{
  uint32_t n;
  float r = math_exp_restf (math_exp_argumentf (x), &n);
  return math_scalef (math_exp_smallf (r + low), n);
}

#pragma omp end declare target

#endif /* GOMPX_MATH_EXPONENTIALF_H */
