/* log10.c -- the logarithm of base 10, to 0.6 ulp.  */

#include "math-double.h"

#pragma omp declare target

double MATH (log10) (double x);

double
MATH (log10) (double x)
{
  int less = 0;
  if (math_high (x) - 0x00100000 >= 0x7fe00000)
    {
      if (!(x > 0))
	return x == 0 ? -MATH_INF : x < 0 ? MATH_NAN : x + x;
      if (x == MATH_INF)
	return x;
      x *= 0x1p54;
      less = 54;
    }
  double m, low;
  double e = math_from_int (math_log_split (x, &m) - less);
  double u = math_log_near (m - 1, m + 1, &low);
  /* p + low = (u + low) / log (10); e times the high part of log10 (2) is exact.  */
  double p = u * 0x1.bcb7b1526e50ep-2;
  low = math_fma (low, 0x1.bcb7b1526e50ep-2,
		  math_fma (u, 0x1.95355baaafad3p-57, math_fma (u, 0x1.bcb7b1526e50ep-2, -p)));
  double high = math_fma (e, 0x1.34413509f78p-2, p);
  low = math_fma (e, 0x1.fef311f12b358p-46, low);
  return high + ((math_fma (e, 0x1.34413509f78p-2, -high) + p) + low);
}

#pragma omp end declare target
