/* acos.c -- the arc cosine, to 1.5 ulp.  */

#include "math-arc.h"

#pragma omp declare target

double MATH (acos) (double x);

double
MATH (acos) (double x)
{
  double size = math_abs (x);
  bool small = size <= 0.5, left = math_high (x) >> 31;
  double t = math_select (small, size * size, math_fma (size, -0.5, 0.5));
  double root = math_sqrt_small (t) * (left ? -2 : 2);
  /* pi / 2 - asin (x), 2 asin (root of t), or pi less that.  */
  double s = math_select (small, -x, root), rest = s * math_asin_rest (t);
  bool turned = small | left;
  uint32_t more = small ? 0 : 0x00100000;
  double base = math_halves (turned ? 0x3ff921fb + more : 0, turned ? 0x54442d18 : 0);
  double base_low = math_halves (turned ? 0x3c91a626 + more : 0, turned ? 0x33145c07 : 0);
  double high = base + s;
  return high + (((base - high) + s) + (base_low + rest));
}

#pragma omp end declare target
