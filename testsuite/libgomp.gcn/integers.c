/* Integer arithmetic of all widths: each operation on pairs of notable values, on the device and on the host.
   TEST-SKIP-SANITIZER: thread the simulator is slow there  */
#include <stdint.h>
#include "aux-gcn.h"

enum { VALUES = 14, RESULTS = 64 };

#pragma omp declare target
static const int64_t values[VALUES]
  = { 0, 1, -1, 2, 3, 7, -13, 100, 127, 128, 0x7fffffff, -0x80000000ll, 0x123456789abcdefll, INT64_MIN + 1 };

/* All operations on a and b of a type.  N is its number of bits.  */
#define OPERATIONS(name, type, utype, wide, N)				\
  static __attribute__ ((noinline)) void				\
  name (utype *r, type a, type b)					\
  {									\
    utype ua = (utype) a, ub = (utype) b;				\
    unsigned shift = ub % N;						\
    int i = 0;								\
    r[i++] = ua + ub;							\
    r[i++] = ua - ub;							\
    r[i++] = (utype) ((uint64_t) ua * ub);				\
    r[i++] = b == 0 || (b == -1 && ua == (utype) 1 << (N - 1)) ? 0 : (utype) (a / b); \
    r[i++] = b == 0 || (b == -1 && ua == (utype) 1 << (N - 1)) ? 0 : (utype) (a % b); \
    r[i++] = ub == 0 ? 0 : (utype) (ua / ub);				\
    r[i++] = ub == 0 ? 0 : (utype) (ua % ub);				\
    r[i++] = (utype) (ua / 7);						\
    r[i++] = (utype) (a / 10);						\
    r[i++] = (utype) (a % 1000);					\
    r[i++] = ua & ub;							\
    r[i++] = ua | ub;							\
    r[i++] = ua ^ ub;							\
    r[i++] = (utype) ~ua;						\
    r[i++] = (utype) -ua;						\
    r[i++] = (utype) (ua << shift);					\
    r[i++] = (utype) (ua >> shift);					\
    r[i++] = (utype) (a >> shift);					\
    r[i++] = (utype) (ua << 5);						\
    r[i++] = (utype) (a >> 3);						\
    r[i++] = (utype) (ua << shift | ua >> (N - shift) % N);		\
    r[i++] = (utype) (a < b ? a : b);					\
    r[i++] = (utype) (a > b ? a : b);					\
    r[i++] = ua < ub ? ua : ub;						\
    r[i++] = ua > ub ? ua : ub;						\
    r[i++] = (a == b) | (a != b) << 1 | (a < b) << 2 | (a <= b) << 3 | (a > b) << 4 | (a >= b) << 5; \
    r[i++] = (ua < ub) | (ua <= ub) << 1 | (ua > ub) << 2 | (ua >= ub) << 3; \
    r[i++] = (utype) __builtin_popcountll (ua);				\
    r[i++] = ua == 0 ? N : (utype) __builtin_clzll (ua);		\
    r[i++] = ua == 0 ? N : (utype) __builtin_ctzll (ua);		\
    /* Of 16 bits alone these are more than the device compilers of GCC 14 and 16 survive.  */ \
    r[i++] = (utype) __builtin_ffsll ((int64_t) ((uint64_t) ua << 20));	\
    r[i++] = (utype) __builtin_parityll (ua ^ (uint64_t) ub << 30);	\
    r[i++] = (utype) __builtin_bswap64 (ua);				\
    r[i++] = (utype) __builtin_bswap32 ((uint32_t) ua);			\
    r[i++] = (utype) (int8_t) a;					\
    r[i++] = (utype) (int16_t) a;					\
    r[i++] = (utype) (uint8_t) a;					\
    r[i++] = (utype) (uint16_t) a;					\
    r[i++] = (utype) (int32_t) a;					\
    r[i++] = (utype) (((wide) a * (wide) b) >> N / 2);			\
    r[i++] = (utype) ((uint64_t) (ua & 0xffffffff) * (ub & 0xffffffff) >> 32); \
    {									\
      utype s;								\
      type t;								\
      r[i++] = __builtin_add_overflow (ua, ub, &s);			\
      r[i++] = s;							\
      r[i++] = __builtin_sub_overflow (a, b, &t);			\
      r[i++] = (utype) t;						\
      r[i++] = __builtin_mul_overflow (a, b, &t);			\
      r[i++] = (utype) t;						\
    }									\
    while (i < RESULTS)							\
      r[i++] = 0;							\
  }
OPERATIONS (all8, int8_t, uint8_t, int64_t, 8)
OPERATIONS (all16, int16_t, uint16_t, int64_t, 16)
OPERATIONS (all32, int32_t, uint32_t, int64_t, 32)
OPERATIONS (all64, int64_t, uint64_t, __int128, 64)

/* 128 bits are functions of the compiler's library.  */
static __attribute__ ((noinline)) void
all128 (uint64_t *r, __int128 a, __int128 b)
{
  unsigned __int128 ua = a, ub = b, results[12];
  unsigned shift = (unsigned) b & 127;
  int i = 0;
  results[i++] = ua + ub;
  results[i++] = ua - ub;
  results[i++] = ua * ub;
  results[i++] = ub == 0 ? 0 : ua / ub;
  results[i++] = ub == 0 ? 0 : ua % ub;
  results[i++] = b == 0 ? 0 : a / b;
  results[i++] = b == 0 ? 0 : a % b;
  results[i++] = ua << shift;
  results[i++] = ua >> shift;
  results[i++] = a >> shift;
  results[i++] = (a < b) | (a == b) << 1 | (ua > ub) << 2;
  results[i++] = -ua ^ ~ub;
  for (int j = 0; j < i; j++)
    {
      r[2 * j] = (uint64_t) results[j];
      r[2 * j + 1] = (uint64_t) (results[j] >> 64);
    }
  for (int j = 2 * i; j < RESULTS; j++)
    r[j] = 0;
}
#pragma omp end declare target

static uint8_t d8[VALUES * VALUES * RESULTS], h8[VALUES * VALUES * RESULTS];
static uint16_t d16[VALUES * VALUES * RESULTS], h16[VALUES * VALUES * RESULTS];
static uint32_t d32[VALUES * VALUES * RESULTS], h32[VALUES * VALUES * RESULTS];
static uint64_t d64[VALUES * VALUES * RESULTS], h64[VALUES * VALUES * RESULTS];
static uint64_t d128[VALUES * VALUES * RESULTS], h128[VALUES * VALUES * RESULTS];

#define ALL(p)								\
  for (int i = 0; i < VALUES * VALUES; i++)				\
    {									\
      int64_t a = values[i / VALUES], b = values[i % VALUES];		\
      int at = i * RESULTS;						\
      all8 (&p##8[at], (int8_t) a, (int8_t) b);				\
      all16 (&p##16[at], (int16_t) a, (int16_t) b);			\
      all32 (&p##32[at], (int32_t) a, (int32_t) b);			\
      all64 (&p##64[at], a, b);						\
      all128 (&p##128[at], (__int128) a << 50 | (b & 0xffff), (__int128) b << 30 ^ a); \
    }

int
main (void)
{
#pragma omp target parallel map (from: d8, d16, d32, d64, d128)
#pragma omp for
  ALL (d)
  ALL (h)
  CHECK_SAME (d8, h8, VALUES * VALUES * RESULTS, "%#x");
  CHECK_SAME (d16, h16, VALUES * VALUES * RESULTS, "%#x");
  CHECK_SAME (d32, h32, VALUES * VALUES * RESULTS, "%#x");
  CHECK_SAME (d64, h64, VALUES * VALUES * RESULTS, "%#lx");
  CHECK_SAME (d128, h128, VALUES * VALUES * RESULTS, "%#lx");
  return failures != 0;
}
