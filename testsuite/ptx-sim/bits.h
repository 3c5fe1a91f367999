/* bits.h -- registers as floating-point numbers, and the other way round.  */

#ifndef PSIM_BITS_H
#define PSIM_BITS_H 1

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline float
as_float (uint64_t bits)
{
  float x;
  uint32_t word = (uint32_t) bits;
  memcpy (&x, &word, 4);
  return x;
}

static inline double
as_double (uint64_t bits)
{
  double x;
  memcpy (&x, &bits, 8);
  return x;
}

/* Single precision has one NaN as a result.  */
static inline uint64_t
from_float (float x)
{
  uint32_t word;
  memcpy (&word, &x, 4);
  return isnan (x) ? UINT32_C (0x7fffffff) : word;
}

static inline uint64_t
from_double (double x)
{
  uint64_t bits;
  memcpy (&bits, &x, 8);
  return bits;
}

#endif /* PSIM_BITS_H */
