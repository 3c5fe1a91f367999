/* math-gamma.h -- the gamma function of doubles and its logarithm.  */

#ifndef GOMPX_MATH_GAMMA_H
#define GOMPX_MATH_GAMMA_H 1

#include "math-angle.h"

#pragma omp declare target

/* log (gamma (X)) = the result + LOW for X >= 3: Stirling's formula, (x - 1/2) (log (x) - 1), a
   constant and a series of 1/x that is fitted from 3 on.  L + L_LOW is log (X).  Infinite for large
   X, where LOW does not matter.  */
MATH_INLINE double
math_stirling (double x, double l, double l_low, double *low)
{
  double m = l - 1, m_low = ((l - m) - 1) + l_low;
  double a = x - 0.5, q = a * m, q_low = math_fma (a, m_low, math_fma (a, m, -q));
  double r = math_reciprocal_fine (math_min (x, 0x1p100)), t = r * r;
  double s = r * MATH_POLY (t, 0x1.5555555555549p-4, -0x1.6c16c16bbb833p-9, 0x1.a01a002e663b3p-11,
			       -0x1.3812d7cc814dfp-11, 0x1.b9266d2c4bb7dp-11, -0x1.f32fp-10,
			       0x1.8c2bap-8, -0x1.70498p-6, 0x1.3d569p-4, -0x1.88d2bp-3,
			       0x1.e2f25p-3);
  double c = 0x1.acfe390c97d69p-2 + s;
  double c_low = ((0x1.acfe390c97d69p-2 - c) + s) + 0x1.3494bc9001442p-56;
  /* Either may be larger.  */
  double sum = q + c, part = sum - q;
  *low = ((q - (sum - part)) + (c - part)) + (q_low + c_low);
  return sum;
}

/* The sine of pi * X, for X >= 0.  */
MATH_INLINE double
math_sin_pi (double x)
{
  double n = math_rint (x + x), f = math_fma (n, -0.5, x);
  double r = math_fma (f, 0x1.921fb54442d18p+1, f * 0x1.1a62633145c07p-53);
  /* Modulo 4 first: an integer has no room for all.  */
  return math_sin_turned (r, (uint32_t) (int) math_fma (math_trunc (n * 0.25), -4, n));
}

/* log (|gamma (X)|).  To 2 ulp for X > 0; for X < 0 to some units of 2^-52 or of the last place, so
   that it is less exact near the zeros there.  */
MATH_INLINE double
math_lgamma (double x)
{
  double a = math_abs (x), result;
  double l_low, l = math_log_exact (a, &l_low);
  if (a < 0x1p-60 || !(a < MATH_INF))
    return a == 0 ? MATH_INF : a < 1 ? -(l + l_low) : x * x;
  if (a < 1.5)
    {
      /* log (gamma (1 + f)), less log (a) where that is the next one.  */
      bool next = a < 0.7;
      double f = next ? a : a - 1;
      double q = MATH_POLY (f, 0x1.a51a6625307d3p-1, -0x1.9a4d55beab293p-2, 0x1.151322ac7d67ep-2,
			       -0x1.a8b9c17aadd14p-3, 0x1.5b40cb10457e6p-3, -0x1.2703a1da7f4abp-3,
			       0x1.010b369aebccbp-3, -0x1.c8067109133b8p-4, 0x1.9a01ead4e5e18p-4,
			       -0x1.748c2f8caa7abp-4, 0x1.556a245ed3857p-4, -0x1.3b1c7f7377535p-4,
			       0x1.249f69071104cp-4, -0x1.1131971d18cedp-4,
			       MATH_POLY (f, 0x1.ffc7476bde4b1p-5, -0x1.df655786be673p-5,
					     0x1.c3d66p-5, -0x1.b7513p-5, 0x1.b9d0dp-5,
					     -0x1.a6b9p-5, 0x1.4e824p-5, -0x1.7da3fp-6,
					     0x1.0da29p-7, -0x1.5dfc2p-10));
      double rest = f * q, p = -0x1.2788cfc6fb619p-1 + rest;
      double p_low = ((-0x1.2788cfc6fb619p-1 - p) + rest)
		     + (math_fma (f, q, -rest) + 0x1.11252b512486p-59);
      result = math_fma (f, p, f * p_low);
      if (next)
	{
	  double v = f * p, sum = v - l;
	  result = sum + (((v - (sum + l)) + math_fma (f, p, -v)) + (f * p_low - l_low));
	}
    }
  else if (a < 3)
    {
      double f = a - 2;
      double q = MATH_POLY (f, 0x1.4a34cc4a60fa7p-2, -0x1.13e001a5575f9p-4, 0x1.51322ac7d82eap-6,
			       -0x1.e404fc2194efp-8, 0x1.7add6eadb458bp-9, -0x1.38ac5c28de413p-10,
			       0x1.0b36af8852bccp-11, -0x1.d3fd4e267ba8bp-13, 0x1.a127b21714974p-14,
			       -0x1.78de1c4be1a18p-15, 0x1.580d4883330c7p-16,
			       -0x1.3cc19b6943d2fp-17, 0x1.25aa363270815p-18, -0x1.11876p-19,
			       MATH_POLY (f, 0x1.fe667p-21, -0x1.e1548p-22, 0x1.d8338p-23,
					     -0x1.d5ea4p-24, 0x1.93c0bp-25, -0x1.d5b2p-27,
					     0x1.01bf6p-29));
      double rest = f * q, p = 0x1.b0ee6072093cep-2 + rest;
      double p_low = ((0x1.b0ee6072093cep-2 - p) + rest)
		     + (math_fma (f, q, -rest) + 0x1.57bea41e72558p-58);
      result = math_fma (f, p, f * p_low);
    }
  else
    {
      double low;
      result = math_stirling (a, l, l_low, &low);
      result = result < MATH_INF ? result + low : result;
    }
  if (x < 0)
    {
      /* gamma (x) gamma (a) = -pi / (a sin (pi a)) */
      if (a == math_trunc (a))
	return MATH_INF;
      double s = math_abs (math_sin_pi (a));
      double m, m_low;
      double e = math_from_int (math_log_split (s, &m));
      double u = math_log_near (m - 1, m + 1, &m_low);
      double sine = math_fma (e, MATH_LN2_HIGH, u);
      m_low += u + math_fma (e, MATH_LN2_HIGH, -sine);
      m_low = math_fma (e, MATH_LN2_LOW, m_low);
      result = ((0x1.250d048e7a1bdp+0 - l) - sine) - result - (l_low + m_low);
    }
  return result;
}

#pragma omp end declare target

#endif /* GOMPX_MATH_GAMMA_H */
