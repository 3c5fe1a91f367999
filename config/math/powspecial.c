/* powspecial.c -- powers of what is not positive, finite and normal.  */

#include "math-double.h"

#pragma omp declare target

double MATH_HELPER (pow_special) (double x, double y, double result);

__attribute__ ((noinline)) double
MATH_HELPER (pow_special) (double x, double y, double result)
{
  double size = math_abs (x);
  if (x == 1 || y == 0)
    return 1;
  if (x != x || y != y)
    return x + y;
  if (math_abs (y) == MATH_INF)
    return size == 1 ? 1 : (size > 1) == (y > 0) ? MATH_INF : 0;
  bool integer = math_trunc (y) == y, odd = integer && math_trunc (y * 0.5) != y * 0.5;
  if (size == 0 || size == MATH_INF)
    result = (size == 0) == (y > 0) ? 0 : MATH_INF;
  else if (x < 0 && !integer)
    return MATH_NAN;
  return odd ? math_copysign (result, x) : result;
}

#pragma omp end declare target
