/* Arithmetic of float and double: each operation on pairs of notable values has the same bits on the device as
   on the host, denormals, infinities and NaN included.
   TEST-OPTIONS: -ffp-contract=off
   TEST-SKIP-SANITIZER: thread the simulator is slow there  */
#include <math.h>
#include <stdint.h>
#include "aux-gcn.h"

enum { VALUES = 20, RESULTS = 32 };

#pragma omp declare target
static const double values[VALUES]
  = { 0.0, -0.0, 1.0, -1.0, 1.5, 2.25, 0.1, -3.7, 1e10, -1e-10, 123456.789, 3.0, 1e38, 1.5e-45, 1e-310,
      INFINITY, -INFINITY, NAN, 2147483647.5, 1e300 };

/* Not a number has many bit patterns; which one is not said.  */
#define OPERATIONS(name, type, bits, suffix, big)			\
  static bits								\
  name##_bits (type x)							\
  {									\
    bits b;								\
    if (x != x)								\
      return (bits) -1;							\
    memcpy (&b, &x, sizeof b);						\
    return b;								\
  }									\
  static __attribute__ ((noinline)) void				\
  name (bits *r, type a, type b)					\
  {									\
    int i = 0, e = 0;							\
    type inside = a > -(type) 1e9 && a < (type) 1e9 ? a : (type) 42.5;	\
    r[i++] = name##_bits (a + b);					\
    r[i++] = name##_bits (a - b);					\
    r[i++] = name##_bits (a * b);					\
    r[i++] = name##_bits (a / b);					\
    r[i++] = name##_bits (-a);						\
    r[i++] = name##_bits (__builtin_fabs##suffix (a));			\
    r[i++] = name##_bits (__builtin_copysign##suffix (a, b));		\
    r[i++] = name##_bits (__builtin_fma##suffix (a, b, (type) 3.25));	\
    r[i++] = name##_bits (__builtin_floor##suffix (a));			\
    r[i++] = name##_bits (__builtin_ceil##suffix (a));			\
    r[i++] = name##_bits (__builtin_trunc##suffix (a));			\
    r[i++] = name##_bits (__builtin_rint##suffix (a));			\
    r[i++] = name##_bits (__builtin_ldexp##suffix (a, 5));		\
    r[i++] = name##_bits (a > b ? a : b);				\
    r[i++] = name##_bits (a < b ? a : b);				\
    r[i++] = (a == b) | (a != b) << 1 | (a < b) << 2 | (a <= b) << 3 | (a > b) << 4 | (a >= b) << 5; \
    r[i++] = (bits) (isnan (a) != 0) | (bits) (isinf (a) != 0) << 1 | (bits) (signbit (a) != 0) << 2 \
	     | (bits) __builtin_isunordered (a, b) << 3 | (bits) __builtin_islessgreater (a, b) << 4; \
    r[i++] = (bits) (int) inside;					\
    r[i++] = (bits) (unsigned) (inside < 0 ? -inside : inside);		\
    r[i++] = (bits) (long) inside;					\
    r[i++] = (bits) (unsigned long) (inside < 0 ? -inside : inside);	\
    r[i++] = (bits) (short) (inside > -30000 && inside < 30000 ? inside : 1); \
    r[i++] = name##_bits ((type) (int) inside);				\
    r[i++] = name##_bits ((type) ((unsigned) (int) inside));		\
    r[i++] = name##_bits ((type) ((long) inside * 1000003));		\
    r[i++] = name##_bits ((type) ((unsigned long) (long) inside * 7));	\
    r[i++] = name##_bits ((type) (float) a);				\
    r[i++] = name##_bits ((type) ((double) a * 1.0000001));		\
    if (a - a == 0)							\
      r[i++] = name##_bits (__builtin_frexp##suffix (a, &e));		\
    r[i++] = (bits) e;							\
    while (i < RESULTS)							\
      r[i++] = 0;							\
  }
OPERATIONS (floats, float, uint32_t, f, 1e38f)
OPERATIONS (doubles, double, uint64_t, , 1e300)
#pragma omp end declare target

static uint32_t df[VALUES * VALUES * RESULTS], hf[VALUES * VALUES * RESULTS];
static uint64_t dd[VALUES * VALUES * RESULTS], hd[VALUES * VALUES * RESULTS];

#define ALL(p)								\
  for (int i = 0; i < VALUES * VALUES; i++)				\
    {									\
      double a = values[i / VALUES], b = values[i % VALUES];		\
      floats (&p##f[i * RESULTS], (float) a, (float) b);		\
      doubles (&p##d[i * RESULTS], a, b);				\
    }

int
main (void)
{
#pragma omp target parallel map (from: df, dd)
#pragma omp for
  ALL (d)
  ALL (h)
  CHECK_SAME (df, hf, VALUES * VALUES * RESULTS, "%#x");
  CHECK_SAME (dd, hd, VALUES * VALUES * RESULTS, "%#lx");
  return failures != 0;
}
