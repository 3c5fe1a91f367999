/* math-arc.h -- the arc functions of doubles.  Their polynomials are two of half the length, which
   a GPU works at together.  */

#ifndef GOMPX_MATH_ARC_H
#define GOMPX_MATH_ARC_H 1

#include "math-double.h"

#pragma omp declare target

/* The arc tangent of Q between 0 and 1 is Q and this.  */
MATH_INLINE double
math_atan_rest (double q)
{
  double t = q * q, t2 = t * t;
  double even = MATH_POLY (t2, -0x1.249249237b944p-3, -0x1.745d11a9f3221p-4, -0x1.110e501c67f41p-4,
			       -0x1.ae5e447904293p-5, -0x1.59a2941af94dcp-5, -0x1.e9f1e118e9bd6p-6,
			       -0x1.c77e96ccc82bfp-7, -0x1.7a224p-9, -0x1.3f1b4p-13);
  double odd = MATH_POLY (t2, 0x1.c71c717f6342dp-4, 0x1.3b13667377629p-4, 0x1.e1bb9b3aa0125p-5,
			      0x1.82da4453a11dap-5, 0x1.2c2ba3764d9e4p-5, 0x1.68333c437e3f8p-6,
			      0x1.d7a1b3ae44278p-8, 0x1.b3dacp-11, 0x1.bbc35p-17);
  double p = math_fma (math_fma (odd, t, even), t, 0x1.9999999995322p-3);
  return math_fma (p, t, -0x1.555555555552p-2) * t * q;
}

/* asin (s) = s + s * this, where T = s^2 is at most 1/4.  */
MATH_INLINE double
math_asin_rest (double t)
{
  double t2 = t * t;
  double even = MATH_POLY (t2, 0x1.5555555555394p-3, 0x1.6db6db428465dp-5, 0x1.6e89f45d54c88p-6,
			   0x1.c6fdda722eeedp-7, 0x1.abd46p-8, -0x1.09cep-6);
  double odd = MATH_POLY (t2, 0x1.333333336e5b9p-4, 0x1.f1c72c37355f8p-6, 0x1.1c6be04064e51p-6,
			  0x1.8ec26327edd1ap-7, 0x1.3ff15p-6, 0x1.056bbp-5);
  return math_fma (odd, t, even) * t;
}

/* The square root of T between 2^-140 and 2^200, or 0.  */
MATH_INLINE double
math_sqrt_small (double t)
{
  double y = math_rsqrt_near (t + 0x1p-200), root = t * y, half = 0.5 * y;
  double e = math_fma (-root, half, 0.5);
  root = math_fma (root, e, root);
  half = math_fma (half, e, half);
  return math_fma (math_fma (-root, root, t), half, root);
}

#pragma omp end declare target

#endif /* GOMPX_MATH_ARC_H */
