/* math-rest.h -- the rest of a division of doubles.  */

#ifndef GOMPX_MATH_REST_H
#define GOMPX_MATH_REST_H 1

#include "math-double.h"

#pragma omp declare target

/* A modulo B, for finite A >= 0 and B > 0.  A step takes 50 bits off the quotient: the rest of the
   integer nearest to a quotient below 2^53 is exact.  */
MATH_INLINE double
math_rest (double a, double b)
{
  bool again = math_high (b) < 0x00100000;
  b = again ? b * 0x1p54 : b;
  uint32_t top = math_high (b);
  double r = math_reciprocal_fine (math_halves ((top & 0xfffff) | 0x3ff00000, math_low (b)));
  double scale = 1;
  for (;;)
    {
      while (a >= b)
	{
	  int more = (int) (math_high (a) >> 20) - (int) (top >> 20) - 50;
	  more = more < 0 ? 0 : more;
	  double large = math_scale (b, more);
	  double q = math_scale (a, 1023 - (int) (top >> 20) - more) * r;
	  a = math_fma (-math_rint (q), large, a);
	  a = a < 0 ? a + large : a;
	}
      if (!again)
	return a * scale;
      /* That was modulo B * 2^54.  */
      a *= 0x1p54;
      scale = 0x1p-54;
      again = false;
    }
}

MATH_INLINE double
math_remainder (double x, double y)
{
  double a = math_abs (x), b = math_abs (y);
  if (!(b > 0 && a < MATH_INF))
    return b == b && a == a ? MATH_NAN : x + y;
  /* Modulo 2 B keeps whether the quotient is odd.  */
  if (b < 0x1p1023)
    a = math_rest (a, b + b);
  /* B / 2 may lose a bit where it is subnormal; there, A + A is exact.  */
  bool tiny = math_high (b) < 0x00200000;
  double half = 0.5 * b;
  if (tiny ? a + a > b : a > half)
    {
      a -= b;
      if (tiny ? a + a >= b : a >= half)
	a -= b;
    }
  return math_flip (a, math_high (x));
}

#pragma omp end declare target

#endif /* GOMPX_MATH_REST_H */
