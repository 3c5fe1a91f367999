/* atanf.c -- arc tangent.  */

#include "arcf.h"

#pragma omp declare target

float MATH (atanf) (float x);

float
MATH (atanf) (float x)
{
  float size = math_absf (x);
  bool large = size > 1;
  /* Beyond 2^25 the reciprocal is nothing beside pi/2.  */
  float t = math_selectf (large, math_reciprocal_newtonf (math_minf (size, 0x1p30f)), size);
  float value = math_atan_smallf (t);
  value = math_selectf (large, math_from_quarterf (value), value);
  return math_copysignf (value, x);
}

#pragma omp end declare target
