/* instruction.c -- functions of double that are one or two instructions.  Programs seldom call
   them: compilers have the instructions for most.  */

#include "math-double.h"

#pragma omp declare target

double MATH (sqrt) (double x);

double
MATH (sqrt) (double x)
{
  return math_sqrt (x);
}

double MATH (fabs) (double x);

double
MATH (fabs) (double x)
{
  return math_abs (x);
}

double MATH (copysign) (double x, double y);

double
MATH (copysign) (double x, double y)
{
  return math_copysign (x, y);
}

double MATH (fma) (double x, double y, double z);

double
MATH (fma) (double x, double y, double z)
{
  return math_fma (x, y, z);
}

double MATH (fmin) (double x, double y);

double
MATH (fmin) (double x, double y)
{
  return math_min (x, y);
}

double MATH (fmax) (double x, double y);

double
MATH (fmax) (double x, double y)
{
  return math_max (x, y);
}

/* NaN where one is.  */
double MATH (fdim) (double x, double y);

double
MATH (fdim) (double x, double y)
{
  return math_select (x <= y, 0, x - y);
}

double MATH (floor) (double x);

double
MATH (floor) (double x)
{
  return __builtin_floor (x);
}

double MATH (ceil) (double x);

double
MATH (ceil) (double x)
{
  return __builtin_ceil (x);
}

double MATH (trunc) (double x);

double
MATH (trunc) (double x)
{
  return math_trunc (x);
}

double MATH (rint) (double x);

double
MATH (rint) (double x)
{
  return math_rint (x);
}

double MATH (nearbyint) (double x);

double
MATH (nearbyint) (double x)
{
  return math_rint (x);
}

double MATH (round) (double x);

double
MATH (round) (double x)
{
  return math_round (x);
}

long MATH (lrint) (double x);

long
MATH (lrint) (double x)
{
  return (long) math_rint (x);
}

long long MATH (llrint) (double x);

long long
MATH (llrint) (double x)
{
  return (long long) math_rint (x);
}

long MATH (lround) (double x);

long
MATH (lround) (double x)
{
  return (long) math_round (x);
}

long long MATH (llround) (double x);

long long
MATH (llround) (double x)
{
  return (long long) math_round (x);
}

#pragma omp end declare target
