/* kernels.h -- what the kernels of this directory share.

   A kernel is a problem: arrays, what is in them at the start, a check of what is in them after one run,
   and a run in OpenMP, which is one or more plain target regions.  The same arrays and the
   same check are for the form written by hand (hand.c, hand.cu), so that both do the same work.

   Arrays are on the device already; what moves in a run are a few scalars.  */

#ifndef KERNELS_H
#define KERNELS_H 1

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "sizes.h"

/* Clauses that users write on such loops, -DSHAPE='thread_limit (256)' and so on: none of them may
   make a loop slow.  What is not allowed around an atomic construct is left out there.  */
#ifndef SHAPE
# define SHAPE
#endif
#ifndef SHAPE_OF_ATOMICS
# define SHAPE_OF_ATOMICS SHAPE
#endif

enum { MOST_ARRAYS = 6 };

struct kernel
{
  const char *name;
  size_t bytes[MOST_ARRAYS];	/* 0: no such array */
  void (*init) (void **host);
  void (*run) (void **device);
  int (*check) (void **host);	/* 1: right */
};

extern const struct kernel *const kernels[];	/* ended by NULL */

/* What a kernel whose result is one number leaves on the host; the check looks there.  For the
   form by hand its last array is where the device has it.  */
union result
{
  float f;
  double d;
  int i;
  unsigned long long u;
  struct
  {
    float value;
    int index;
  } least;
};
extern union result result;

/* Small numbers that look random, a different one for each N.  */
static inline uint32_t
scramble (uint32_t n)
{
  n = (n ^ 61) ^ (n >> 16);
  n *= 9;
  n ^= n >> 4;
  n *= 0x27d4eb2d;
  return n ^ n >> 15;
}

/* In 0 to 1.  */
static inline float
fraction (uint32_t n)
{
  return (float) (scramble (n) >> 8) * (1.0f / (1 << 24));
}

static inline int
near (double got, double expected, double part)
{
  return fabs (got - expected) <= part * (fabs (expected) + 1e-6);
}

#endif
