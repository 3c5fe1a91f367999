/* ldexp.c -- x times a power of two, rounded once.  */

#include "math-double.h"

#pragma omp declare target

/* X * 2^N with one rounding, for all.  */
MATH_INLINE double
scale (double x, int n)
{
  uint32_t top = math_high_abs (x);
  int e = (int) (top >> 20);
  if (top - 0x00100000 >= 0x7fe00000)
    {
      if (x == 0 || top >= 0x7ff00000)
	return x + x;
      x *= 0x1p54;
      e = (int) (math_high_abs (x) >> 20) - 54;
    }
  n = n > 4000 ? 4000 : n < -4000 ? -4000 : n;
  /* Of X only the fraction and the sign are used from here.  */
  e += n;
  bool small = e < 1;
  int exponent = e > 2046 ? 2047 : e < -60 ? 1 : small ? e + 64 : e;
  uint32_t high = (math_high (x) & 0x800fffff) | (uint32_t) exponent << 20;
  if (exponent == 2047)
    return math_halves (high & 0xfff00000, 0);
  double scaled = math_halves (high, math_low (x));
  return small ? scaled * 0x1p-64 : scaled;
}

double MATH (ldexp) (double x, int n);

double
MATH (ldexp) (double x, int n)
{
  return scale (x, n);
}

double MATH (scalbn) (double x, int n);

double
MATH (scalbn) (double x, int n)
{
  return scale (x, n);
}

double MATH (scalbln) (double x, long n);

double
MATH (scalbln) (double x, long n)
{
  return scale (x, n > 4000 ? 4000 : n < -4000 ? -4000 : (int) n);
}

#pragma omp end declare target
