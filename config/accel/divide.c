/* divide.c -- division, in a file of its own: a compiler that sees it puts its code wherever it is called.  */

#include "loop.h"

#pragma omp declare target

accel_u64
accel_divide (accel_u64 a, accel_u64 b)
{
  /* 64 bits are divided by a long piece of code.  */
  return (a | b) >> 32 == 0 ? (unsigned) a / (unsigned) b : a / b;
}

#pragma omp end declare target
