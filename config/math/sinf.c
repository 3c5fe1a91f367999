/* sinf.c -- sine.  */

#include "trigonometricf.h"

#pragma omp declare target

float MATH (sinf) (float x);

float
MATH (sinf) (float x)
{
  uint32_t n;
  float r = math_reducef (x, &n);
  /* Minus zero would become zero.  */
  return math_selectf (x == 0, x, math_sin_turnedf (r, n));
}

#pragma omp end declare target
