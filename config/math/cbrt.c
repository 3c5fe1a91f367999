/* cbrt.c -- the cube root, to 0.7 ulp.  */

#include "math-double.h"

#pragma omp declare target

/* M^(-2/3) to 2^-19 of its value, for M between 1/2 and 8.  */
#if defined (MATH_NVPTX)
MATH_INLINE double
cbrt_slope (double m)
{
  uint64_t result;
  __asm__ ("{ .reg .f32 %%math; .reg .f64 %%math2; mov.b64 %%math2, %1; "
	   "cvt.rn.f32.f64 %%math, %%math2; lg2.approx.ftz.f32 %%math, %%math; "
	   "mul.rn.f32 %%math, %%math, 0fBF2AAAAB; "
	   "ex2.approx.ftz.f32 %%math, %%math; cvt.f64.f32 %%math2, %%math; mov.b64 %0, %%math2; }"
	   : "=r" (result) : "r" (math_bits (m)));
  return math_double (result);
}
#else
MATH_INLINE double
cbrt_slope (double m)
{
  /* Newton's method for m^(-1/3), from what the line through the exponents tells.  */
  double y = math_halves (0x55400000 - math_high (m) / 3 - 0x00008000, 0);
  for (int i = 0; i < 4; i++)
    y = math_fma (math_fma (-m * y, y * y, 1), y * 0x1.5555555555555p-2, y);
# ifdef MATH_HOST
  y *= 1 + math_host_error * 0x1p-20;
# endif
  return y * y;
}
#endif

double MATH (cbrt) (double x);

double
MATH (cbrt) (double x)
{
  uint32_t top = math_high_abs (x);
  int less = 0;
  double m = math_abs (x);
  if (top - 0x00100000 >= 0x7fe00000)
    {
      if (x == 0 || top >= 0x7ff00000)
	return x + x;
      m *= 0x1p54;
      top = math_high (m);
      less = 18;
    }
  /* A third of the exponent, rounded down.  */
  int third = (((int) (top >> 20) - 1023) * 0x5556) >> 16;
  m = math_scale (m, -3 * third);
  double slope = cbrt_slope (m), root = m * slope;
  slope *= 0x1.5555555555555p-2;
  root = math_fma (math_fma (-root * root, root, m), slope, root);
  double square = root * root, low = math_fma (root, root, -square);
  root = math_fma (math_fma (-root, square, m) - root * low, slope, root);
  return math_flip (math_scale (root, third - less), math_high (x));
}

#pragma omp end declare target
