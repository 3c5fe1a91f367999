/* sincosf.c -- sine and cosine, which compilers ask for at once.  */

#include "trigonometricf.h"

#pragma omp declare target

void MATH (sincosf) (float x, float *sine, float *cosine);

void
MATH (sincosf) (float x, float *sine, float *cosine)
{
  uint32_t n;
  float r = math_reducef (x, &n), s = r * r;
  float sin = math_sin_smallf (r, s), cos = math_cos_smallf (s);
  bool odd = n & 1;
  float a = math_selectf (odd, cos, sin), b = math_selectf (odd, sin, cos);
  *sine = math_selectf (x == 0, x, math_floatf (math_bitsf (a) ^ (n & 2) << 30));
  *cosine = math_floatf (math_bitsf (b) ^ ((n + 1) & 2) << 30);
}

#pragma omp end declare target
