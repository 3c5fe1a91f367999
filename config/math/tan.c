/* tan.c -- the tangent, to 1.2 ulp.  */

#include "math-angle.h"

#pragma omp declare target

double MATH (tan) (double x);

double
MATH (tan) (double x)
{
  uint32_t turns;
  double low, r = math_angle (math_abs (x), &turns, &low), t = r * r;
  double t2 = t * t;
  double even = MATH_POLY (t2, 0x1.55555555554f2p-2, 0x1.ba1ba1b46a074p-5, 0x1.226e125673451p-7,
			   0x1.7d5b58bd0082dp-10, 0x1.d26ff49b95c1bp-13, -0x1.b900fp-16,
			   -0x1.7809p-15);
  double odd = MATH_POLY (t2, 0x1.11111111182f7p-3, 0x1.664f49a89ea31p-6, 0x1.d6d9342363ddfp-9,
			  0x1.37faa368067edp-11, 0x1.1e2a463d5daa9p-13, 0x1.76cdep-14,
			  0x1.5dd3bp-16);
  double p = t * math_fma (odd, t, even);
  /* sum + low */
  double sum = math_fma (p, r, r);
  low = math_fma (low, math_fma (sum, sum, 1), math_fma (p, r, r - sum));
  double result = sum + low;
  if (turns & 1)
    {
      /* -1 / (sum + low) */
      double q = -math_reciprocal_fine (sum);
      result = math_fma (math_fma (q, low, math_fma (q, sum, 1)), q, q);
    }
  return math_flip (result, math_high (x));
}

#pragma omp end declare target
