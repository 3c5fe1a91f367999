/* sincos.c -- sine and cosine of one angle, to 1.6 ulp.  */

#include "math-angle.h"

#pragma omp declare target

void MATH (sincos) (double x, double *sine, double *cosine);

void
MATH (sincos) (double x, double *sine, double *cosine)
{
  uint32_t turns;
  double r = math_angle (math_abs (x), &turns, 0), t = r * r;
  double s = math_sin_near (r, t), c = math_cos_near (t);
  bool odd = turns & 1;
  *sine = math_flip (odd ? c : s, turns << 30 ^ math_high (x));
  *cosine = math_flip (odd ? s : c, (turns + 1) << 30);
}

#pragma omp end declare target
