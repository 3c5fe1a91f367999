/* atan2f.c -- the angle of a point.  */

#include "arcf.h"

#pragma omp declare target

float MATH (atan2f) (float y, float x);

float
MATH (atan2f) (float y, float x)
{
  float a = math_absf (x), b = math_absf (y);
  float most = math_maxf (a, b), least = math_minf (a, b);
  /* The quotient may be subnormal, so this is the division of C.  Of two infinities it is 1, of two
     zeros 0.  */
  float t = math_selectf (most == least, math_selectf (most == 0, 0, 1), least / most);
  float value = math_atan_smallf (t);
  value = math_selectf (b > a, math_from_quarterf (value), value);
  value = math_selectf (math_bitsf (x) >> 31, math_from_halff (value), value);
  value = math_copysignf (value, y);
  return math_selectf ((x != x) | (y != y), x + y, value);
}

#pragma omp end declare target
