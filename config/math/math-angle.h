/* math-angle.h -- what sine, cosine and tangent of doubles have in common.  */

#ifndef GOMPX_MATH_ANGLE_H
#define GOMPX_MATH_ANGLE_H 1

#include "math-double.h"

#pragma omp declare target

/* For finite X >= 2^30 the rest of a division by pi / 2, with the quotient's low two bits in bits
   26 and up of the upper half: the exponent of such a rest is from 960 to 1022.  And what is to be
   added to the rest.  */
double MATH_HELPER (reduce) (double x);
double MATH_HELPER (reduce_low) (double x);

/* X = TURNS * pi / 2 + the result, for X >= 0; TURNS has the right low two bits.  The result is at
   most pi / 4, X itself where X is small, and NaN where X is infinite or NaN.  LOW, if it is not
   NULL: what is to be added to the result.  */
MATH_INLINE double
math_angle (double x, uint32_t *turns, double *low)
{
  double t = math_fma (x, 0x1.45f306dc9c883p-1, MATH_ROUND);
  uint32_t n = math_low (t);
  t -= MATH_ROUND;
  double r, a = math_fma (t, -MATH_PIO2_HIGH, x);
  if (low)
    {
      /* Either b is exact or a is larger than p.  */
      double p = t * MATH_PIO2_LOW, b = a - p;
      double d = ((a - b) - p) - math_fma (t, MATH_PIO2_LEAST, math_fma (t, MATH_PIO2_LOW, -p));
      r = b + d;
      *low = (b - r) + d;
    }
  else
    r = math_fma (t, -MATH_PIO2_LEAST, math_fma (t, -MATH_PIO2_LOW, a));
  if (math_high (x) - 0x41d00000 < 0x7ff00000 - 0x41d00000)
    {
      double both = MATH_HELPER (reduce) (x);
      uint32_t high = math_high (both);
      n = (high >> 26 & 31) - 15;
      r = math_halves (high - (n << 26), math_low (both));
      if (low)
	*low = MATH_HELPER (reduce_low) (x);
    }
  *turns = n;
  return r;
}

/* The coefficients of sine after r, in powers of r^2 from r^3 on, and those of cosine after 1, from
   r^2 on.  */
#define MATH_SIN_COEFFICIENTS \
  -0x1.5555555555547p-3, 0x1.111111110f65cp-7, -0x1.a01a019be6ef4p-13, \
  0x1.71de356389c75p-19, -0x1.ae5e6p-26, 0x1.5d933p-33
#define MATH_COS_COEFFICIENTS \
  -0.5, 0x1.5555555555548p-5, -0x1.6c16c16c14b74p-10, 0x1.a01a019c42cb3p-16, \
  -0x1.27e4f7d0108e8p-22, 0x1.1ee9dp-29, -0x1.8fa4ap-37

/* Sine and cosine of R, at most pi / 4; SQUARE is R^2.  */
MATH_INLINE double
math_sin_near (double r, double square)
{
  return math_fma (square * MATH_POLY (square, MATH_SIN_COEFFICIENTS), r, r);
}

MATH_INLINE double
math_cos_near (double square)
{
  return math_fma (square, MATH_POLY (square, MATH_COS_COEFFICIENTS), 1);
}

/* Sine of R + TURNS * pi / 2.  One polynomial with selected coefficients: the lanes of a warp have
   sines and cosines.  */
MATH_INLINE double
math_sin_turned (double r, uint32_t turns)
{
  bool cosine = turns & 1;
  double t = r * r;
#define PICK(s, c) math_select (cosine, c, s)
  double p = MATH_POLY (t, PICK (-0x1.5555555555547p-3, -0.5),
			PICK (0x1.111111110f65cp-7, 0x1.5555555555548p-5),
			PICK (-0x1.a01a019be6ef4p-13, -0x1.6c16c16c14b74p-10),
			PICK (0x1.71de356389c75p-19, 0x1.a01a019c42cb3p-16),
			PICK (-0x1.ae5e6p-26, -0x1.27e4f7d0108e8p-22),
			PICK (0x1.5d933p-33, 0x1.1ee9dp-29),
			PICK (0, -0x1.8fa4ap-37));
#undef PICK
  double a = cosine ? 1 : r;
  return math_flip (math_fma (t * p, a, a), turns << 30);
}

#pragma omp end declare target

#endif /* GOMPX_MATH_ANGLE_H */
