/* atan2.c -- the angle of a point, to 1.8 ulp.  */

#include "math-arc.h"

#pragma omp declare target

double MATH (atan2) (double y, double x);

double
MATH (atan2) (double y, double x)
{
  double ax = math_abs (x), ay = math_abs (y);
  bool swap = ay > ax, left = math_high (x) >> 31;
  double large = swap ? ay : ax, small = swap ? ax : ay;
  /* Outside 2^-900 to 2^900, where reciprocals and rests are not normal.  */
  if (math_high (large) - 0x07b00000 >= 0x78300000 - 0x07b00000)
    {
      if (x != x || y != y)
	return x + y;
      if (large == 0 || large == MATH_INF)
	{
	  small = small == MATH_INF ? 1 : 0;
	  large = 1;
	}
      double scale = large < 1 ? 0x1p200 : large > 1 ? 0x1p-200 : 1;
      large *= scale;
      small *= scale;
    }
  double r = math_reciprocal_fine (large), q = small * r;
  q = math_fma (math_fma (-q, large, small), r, q);
  double rest = math_atan_rest (q);
  /* a, pi / 2 - a, pi / 2 + a or pi - a.  The parts of pi and of pi / 2 differ in the exponent.  */
  bool turned = swap | left;
  uint32_t more = swap ? 0 : 0x00100000;
  double high = math_halves (turned ? 0x3ff921fb + more : 0, turned ? 0x54442d18 : 0);
  double low = math_halves (turned ? 0x3c91a626 + more : 0, turned ? 0x33145c07 : 0);
  uint32_t minus = swap != left ? 0x80000000 : 0;
  q = math_flip (q, minus);
  double sum = high + q;
  return math_flip (sum + (((high - sum) + q) + (low + math_flip (rest, minus))), math_high (y));
}

#pragma omp end declare target
