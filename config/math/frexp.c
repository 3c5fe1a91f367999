/* frexp.c -- a fraction between 1/2 and 1, and an exponent.  */

#include "math-double.h"

#pragma omp declare target

double MATH (frexp) (double x, int *exponent);

double
MATH (frexp) (double x, int *exponent)
{
  uint32_t top = math_high_abs (x);
  int less = 1022;
  if (top - 0x00100000 >= 0x7fe00000)
    {
      if (x == 0 || top >= 0x7ff00000)
	{
	  *exponent = 0;
	  return x + x;
	}
      x *= 0x1p54;
      top = math_high_abs (x);
      less += 54;
    }
  *exponent = (int) (top >> 20) - less;
  return math_halves ((math_high (x) & 0x800fffff) | 0x3fe00000, math_low (x));
}

#pragma omp end declare target
