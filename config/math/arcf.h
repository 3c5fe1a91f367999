/* arcf.h -- what inverse trigonometric functions share.  */

#ifndef GOMPX_MATH_ARCF_H
#define GOMPX_MATH_ARCF_H 1

#include "math-device.h"

#pragma omp declare target

/* The arc tangent of T from 0 to 1; the polynomial is within 2^-26 of it.  */
MATH_INLINE float
math_atan_smallf (float t)
{
  float s = t * t;
  return math_fmaf (t * s,
		    MATH_POLYF (s, -0x1.555554p-2f, 0x1.999832p-3f, -0x1.246ce4p-3f, 0x1.c3f7fep-4f,
				-0x1.62baf8p-4f, 0x1.005ebp-4f,
				       -0x1.26cceep-5f, 0x1.bd14p-7f, -0x1.3b6c6ap-9f), t);
}

/* The arc sine of T from 0 to 0.5625, S is T^2; the polynomial is within 2^-27 of it.  */
MATH_INLINE float
math_asin_smallf (float t, float s)
{
  return math_fmaf (t * s,
		    MATH_POLYF (s, 0x1.555552p-3f, 0x1.3337dap-4f, 0x1.6c7c0ep-5f, 0x1.084442p-5f,
				0x1.89aaaep-7f, 0x1.5519cap-5f), t);
}

/* pi/2 and pi minus X, which is not larger.  */
MATH_INLINE float
math_from_quarterf (float x)
{
  return 0x1.921fb6p0f - (x + 0x1.777a5cp-25f);
}

MATH_INLINE float
math_from_halff (float x)
{
  return 0x1.921fb6p1f - (x + 0x1.777a5cp-24f);
}

#pragma omp end declare target

#endif /* GOMPX_MATH_ARCF_H */
