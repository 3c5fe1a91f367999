/* erf.c -- the error function, to 1.5 ulp.  */

#include "math-double.h"

#pragma omp declare target

double MATH (erf) (double x);

double
MATH (erf) (double x)
{
  double a = math_abs (x);
  if (math_high (a) < 0x3ff00000)	/* 1 */
    {
      double t = a * a, t2 = t * t;
      double even = MATH_POLY (t2, 0x1.06eba8214db68p-3, 0x1.ce2f21a04087dp-4, 0x1.565bccf8d0bfap-8,
			       0x1.f9a2ba7bef045p-14, 0x1.b97fdp-20, 0x1.d71b1p-27);
      double odd = MATH_POLY (t2, -0x1.812746b0379abp-2, -0x1.b82ce311f3615p-6,
			      -0x1.c02db038c621ap-11, -0x1.f4ca4c67f8b63p-17, -0x1.5c072p-23,
			      -0x1.abae4p-31);
      return math_fma (math_fma (odd, t, even), x, x);
    }
  /* 1 - exp (a * p) */
  double t = a * a;
  double even = MATH_POLY (t, -0x1.20dd741181c57p+0, -0x1.a4f3045a2ed35p-4, 0x1.bcb38804cebafp-13,
			   0x1.2d4abf6fa0795p-11, -0x1.907c9e17c15fap-14, -0x1.556ed95f2536cp-16,
			   -0x1.21674p-20, -0x1.377a4p-26, -0x1.28a06p-34);
  double odd = MATH_POLY (t, -0x1.45f31709aceabp-1, 0x1.3957df3e69885p-6, -0x1.bbb5e3974dd0bp-10,
			  0x1.040404fe4c701p-20, 0x1.d6133cedcf2c6p-15, 0x1.69644p-18,
			  0x1.5e15ep-23, 0x1.817cp-30, 0x1.ab7fp-40);
  double e = a * math_fma (odd, a, even);
  double turns = math_fma (e, MATH_LOG2E, MATH_ROUND);
  int n = (int) math_low (turns);
  turns -= MATH_ROUND;
  e = math_fma (turns, -MATH_LN2_LOW, math_fma (turns, -MATH_LN2_HIGH, e));
  double result = 1 - math_scale (math_exp_near (e), n);
  return math_copysign (a < 5.95 ? result : a == a ? 1 : a, x);
}

#pragma omp end declare target
