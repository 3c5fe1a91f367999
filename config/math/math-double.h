/* math-double.h -- pieces of the functions of double for devices.

   Coefficients are of tools/minimax.py, whose fits have the names of the functions.  Those with
   short mantissas are immediate operands of a GPU's instructions.  Comments count errors in units
   of the last place (ulp).  */

#ifndef GOMPX_MATH_DOUBLE_H
#define GOMPX_MATH_DOUBLE_H 1

#include "math-device.h"

/* Added and subtracted, rounds to an integer, which is then in the low bits of the sum.  */
#define MATH_ROUND 0x1.8p52

#define MATH_LOG2E 0x1.71547652b82fep+0
/* log (2) = HIGH + LOW; HIGH times an integer of 31 bits is exact.  */
#define MATH_LN2_HIGH 0x1.62e43p-1
#define MATH_LN2_LOW -0x1.05c610ca86c39p-29
/* pi / 2 */
#define MATH_PIO2_HIGH 0x1.921fb54442d18p+0
#define MATH_PIO2_LOW 0x1.1a62633145c07p-54
#define MATH_PIO2_LEAST -0x1.f1976b7ed8fbcp-110

#pragma omp declare target

MATH_INLINE uint32_t
math_high_abs (double x)
{
  return math_high (x) & 0x7fffffff;
}

/* X with the sign bit of SIGNS flipped in.  */
MATH_INLINE double
math_flip (double x, uint32_t signs)
{
  return math_halves (math_high (x) ^ (signs & 0x80000000), math_low (x));
}

/* X * 2^N, where X and the result are normal.  */
MATH_INLINE double
math_scale (double x, int n)
{
  return math_halves (math_high (x) + ((uint32_t) n << 20), math_low (x));
}

/* X * 2^N with one rounding, for X near 1 and N between -2040 and 2040.  */
MATH_INLINE double
math_scale_far (double x, int n)
{
  int half = n >> 1;
  return math_scale (x, half) * math_scale (1, n - half);
}

/* N as a double: an addition, where a conversion is slow.  */
MATH_INLINE double
math_from_int (int n)
{
  return math_halves (0x43300000, (uint32_t) n ^ 0x80000000) - 0x1.000008p52;
}

/* The nearest integer, half away from 0: the largest double below 1/2 does not carry less than a
   half over.  */
MATH_INLINE double
math_round (double x)
{
  return math_trunc (x + math_copysign (0x1.fffffffffffffp-2, x));
}

/* 1 / sqrt (X) to 2^-20 of its value, for normal X.  */
#if defined (MATH_NVPTX)
MATH_INLINE double
math_rsqrt_near (double x)
{
  uint64_t result;
  __asm__ ("{ .reg .f64 %%math; mov.b64 %%math, %1; "
	   "rsqrt.approx.ftz.f64 %%math, %%math; mov.b64 %0, %%math; }"
	   : "=r" (result) : "r" (math_bits (x)));
  return math_double (result);
}
#elif defined (MATH_HOST)
MATH_INLINE double
math_rsqrt_near (double x)
{
  return (1 + math_host_error * 0x1p-20) / math_sqrt (x);
}
#else
MATH_INLINE double math_rsqrt_near (double x) { return 1 / math_sqrt (x); }
#endif

/* 1 / X to 2^-52 of its value, for normal X whose reciprocal is normal.  */
MATH_INLINE double
math_reciprocal_fine (double x)
{
  double r = math_reciprocal (x), e = math_fma (-x, r, 1);
  return math_fma (math_fma (e, e, e), r, r);
}

/* ---- exp ---- */

/* exp (R) for |R| <= log (2) / 2, to 0.8 ulp.  */
MATH_INLINE double
math_exp_near (double r)
{
  double p = MATH_POLY (r, 0x1.000000000000ap-1, 0x1.55555555554d7p-3, 0x1.55555555506fap-5,
			0x1.111111112d689p-7, 0x1.6c16c18459c4cp-10, 0x1.a01a011936d66p-13,
			0x1.a01999d60aa5bp-16, 0x1.71df35642ab1ap-19, 0x1.28ad7p-22,
			0x1.ad7fp-26);
  return math_fma (math_fma (p, r, 1), r, 1);
}

/* exp (X), which is P * 2^N unless that is an infinity, 0, subnormal or near those.  */
MATH_INLINE double
math_exp_end (double p, int n, double x)
{
  uint32_t top = math_high_abs (x);
  if (top < 0x40862000)		/* 708 */
    return math_scale (p, n);
  return top < 0x40880000 ? math_scale_far (p, n) : x > 0 ? MATH_INF : x < 0 ? 0 : x + x;
}

/* exp (X + LOW) for a LOW that is small beside X; where X is an infinity or NaN, LOW does not
   matter.  */
MATH_INLINE double
math_exp_sum (double x, double low)
{
  double t = math_fma (x, MATH_LOG2E, MATH_ROUND);
  int n = (int) math_low (t);
  t -= MATH_ROUND;
  double r = math_fma (t, -MATH_LN2_HIGH, x) + math_fma (t, -MATH_LN2_LOW, low);
  return math_exp_end (math_exp_near (r), n, x);
}

/* exp (X) / 2^N = 1 + the result + REST, as exact as that is small; REST is smaller.  */
MATH_INLINE double
math_expm1_near (double x, int *n, double *rest)
{
  double t = math_fma (x, MATH_LOG2E, MATH_ROUND);
  *n = (int) math_low (t);
  t -= MATH_ROUND;
  double high = math_fma (t, -MATH_LN2_HIGH, x), low = t * -MATH_LN2_LOW;
  double r = high + low;
  low += high - r;
  double p = MATH_POLY (r, 0.5, 0x1.555555555556p-3, 0x1.5555555555566p-5, 0x1.111111110dedbp-7,
			0x1.6c16c16c0f368p-10, 0x1.a01a01b5c6304p-13, 0x1.a01a01cc70e11p-16,
			0x1.71ddfp-19, 0x1.27e48p-22, 0x1.af65p-26, 0x1.20139p-29);
  *rest = math_fma (r * r, p, low);
  return r;
}

/* exp (X) - 1 from those, for an N that makes 2^N normal.  */
MATH_INLINE double
math_expm1_join (double r, double rest, int n)
{
  double s = math_scale (1, n), less = s - 1, high = math_fma (s, r, less);
  return high + math_fma (s, rest, math_fma (s, r, less - high));
}

/* ---- log ---- */

/* X = M * 2^E, M between sqrt (1/2) and sqrt (2); X > 0 normal.  */
MATH_INLINE int
math_log_split (double x, double *m)
{
  uint32_t high = math_high (x);
  int e = (int) (high - 0x3fe6a09e) >> 20;
  *m = math_halves (high - ((uint32_t) e << 20), math_low (x));
  return e;
}

/* log (M) = U + LOW with U = 2 (M - 1) / (M + 1) nearly: LOW is what U lacks, and the series' other
   terms U^3 / 12 + ...  F is M - 1, SUM is M + 1.  */
MATH_INLINE double
math_log_near (double f, double sum, double *low)
{
  double r = math_reciprocal_fine (sum), u = (f + f) * r, t = u * u, d = f - u;
  double rest = math_fma (-f, u, d + d) * r;
  double p = MATH_POLY (t, 0x1.555555555559bp-4, 0x1.999999997ecdap-7, 0x1.249249424d4bcp-9,
			0x1.c71c51efea5b6p-12, 0x1.74664p-14, 0x1.39a1cp-16, 0x1.2f054p-18);
  *low = math_fma (u * t, p, rest);
  return u;
}

/* log (1 + X + LOW) + MORE * log (2), for finite X > -1 and a LOW that is small beside X.  */
MATH_INLINE double
math_log1p_sum (double x, double low, int more)
{
  /* sum + rest = 1 + x + low */
  double sum = 1 + x, part = sum - 1, rest = (1 - (sum - part)) + (x - part) + low;
  double m;
  int n = math_log_split (sum, &m);
  double e = math_from_int (n + more);
  rest *= math_scale (1, n > 60 ? -60 : -n);
  double f = (m - 1) + rest, f_low = ((m - 1) - f) + rest;
  double u = math_log_near (f, f + 2, &low);
  double high = math_fma (e, MATH_LN2_HIGH, u);
  low += (u + math_fma (e, MATH_LN2_HIGH, -high)) + math_fma (-f, f_low, f_low);
  return high + math_fma (e, MATH_LN2_LOW, low);
}

/* log (X) = the result + LOW, with 65 bits at least; X > 0.  */
MATH_INLINE double
math_log_exact (double x, double *low)
{
  bool small = math_high (x) < 0x00100000;
  double m;
  x = small ? x * 0x1p54 : x;
  double e = math_from_int (math_log_split (x, &m) - (small ? 54 : 0));

  /* u + rest = 2 (m - 1) / (m + 1), with 100 bits.  */
  double f = m - 1, r = math_reciprocal_fine (m + 1), u = (f + f) * r, d = f - u;
  double rest = math_fma (-f, u, d + d) * r;
  /* t + t_low is its square.  */
  double t = u * u, t_low = math_fma (u + u, rest, math_fma (u, u, -t));
  double p = t * MATH_POLY (t, 0x1.9999999999b2fp-7, 0x1.2492492457effp-9, 0x1.c71c722d47fbfp-12,
			    0x1.745ce9ebdcb8cp-14, 0x1.3b1eead0549dfp-16, 0x1.0f8p-18,
			    0x1.0e421p-20);
  /* 1/12 + p, times the square, times u; added to u.  */
  double w = 0x1.5555555555555p-4 + p;
  double w_low = ((0x1.5555555555555p-4 - w) + p) + 0x1.5555555555555p-58;
  double v = t * w, v_low = math_fma (t_low, w, math_fma (t, w_low, math_fma (t, w, -v)));
  double z = u * v, z_low = math_fma (rest, v, math_fma (u, v_low, math_fma (u, v, -z)));
  double s = u + z, s_low = ((u - s) + z) + (rest + z_low);
  /* The logarithm, l + l_low; e times the high part of log (2) is exact.  */
  double l = math_fma (e, 0x1.62e42fefa38p-1, s);
  double l_low = (s + math_fma (e, 0x1.62e42fefa38p-1, -l)) + s_low;
  l_low = math_fma (e, 0x1.ef35793c7673p-45, l_low);
  *low = l_low;
  return l;
}

#pragma omp end declare target

#endif /* GOMPX_MATH_DOUBLE_H */
