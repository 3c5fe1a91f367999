/* pow.c -- x to the power of y, to 1 ulp: the exponential of y times a logarithm of twice the
   digits.  */

#include "math-double.h"

#pragma omp declare target

/* The result where X is not positive, finite and normal, or Y not finite: with RESULT for |X| where
   that is finite and not 0, and Y finite.  */
double MATH_HELPER (pow_special) (double x, double y, double result);

double MATH (pow) (double x, double y);

double
MATH (pow) (double x, double y)
{
  double l_low, l = math_log_exact (math_abs (x), &l_low);
  double q = y * l;
  double result = math_exp_sum (q, math_fma (y, l_low, math_fma (y, l, -q)));
  if (math_high (x) - 0x00100000 >= 0x7fe00000 || math_high_abs (y) >= 0x7ff00000)
    result = MATH_HELPER (pow_special) (x, y, result);
  return result;
}

#pragma omp end declare target
