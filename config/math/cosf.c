/* cosf.c -- cosine.  */

#include "trigonometricf.h"

#pragma omp declare target

float MATH (cosf) (float x);

float
MATH (cosf) (float x)
{
  uint32_t n;
  float r = math_reducef (x, &n);
  return math_sin_turnedf (r, n + 1);
}

#pragma omp end declare target
