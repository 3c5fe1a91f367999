/* math-device.h -- what the mathematical functions for devices are written with.

   A function of libm is a file of its own here, with the function's name: an object of the device
   library is linked as from an archive, so a program that defines one of the names itself must not
   lose the others.  What several files need is a static inline function in a header, or, where that
   is long and seldom called, a global function in a file of its own (MATH_HELPER).

   The same files are compiled
     - for devices (config/nvptx/device.mk), as `expf',
     - for the host by the tests, with MATH_HOST defined, as `device_expf'.
   Results have the same bits on both, but for those of "the machine's own" functions below: nobody
   contracts expressions (-ffp-contract=off, and device.mk gives PTX's additions and multiplications
   the .rn that keeps its assembler from it), and what is to be one operation is written as
   math_fmaf or math_fma.

   Rules
     1. No errno, no exceptions but by accident: doc/device-math.md says why.
     2. No tables in memory, no arrays, no addresses of locals: on an NVIDIA GPU they would be on
	the stack of a warp.
     3. Few branches, as the lanes of a warp have different arguments: math_selectf of two values
	that are both there; a branch for what is long and rare.
     4. Double arithmetic in a float function only where it is rare.  */

#ifndef GOMPX_MATH_DEVICE_H
#define GOMPX_MATH_DEVICE_H 1

#include <stdbool.h>
#include <stdint.h>

/* Define with these: float MATH (expf) (float x).  */
#ifdef MATH_HOST
# define MATH(NAME) device_##NAME
#else
# define MATH(NAME) NAME
#endif
/* A function that is long and seldom called.  Not with gompx_ in front, which is what the plugin's
   analysis takes for OpenMP.  */
#define MATH_HELPER(NAME) __gompx_math_##NAME

#define MATH_INLINE static inline __attribute__ ((always_inline, unused))

#ifdef MATH_HOST
/* How wrong the machine's own operations are made: -1, 0 or 1 times what they may be (the tests try
   each).  */
extern int math_host_error;
#endif

#pragma omp declare target

/* ---- bits ---- */

MATH_INLINE uint32_t
math_bitsf (float x)
{
  union { float f; uint32_t u; } v = { .f = x };
  return v.u;
}

MATH_INLINE float
math_floatf (uint32_t bits)
{
  union { uint32_t u; float f; } v = { .u = bits };
  return v.f;
}

MATH_INLINE uint64_t
math_bits (double x)
{
  union { double f; uint64_t u; } v = { .f = x };
  return v.u;
}

MATH_INLINE double
math_double (uint64_t bits)
{
  union { uint64_t u; double f; } v = { .u = bits };
  return v.f;
}

/* The upper and lower halves of a double's bits, and one of such halves: moves of registers on a
   GPU.  */
MATH_INLINE uint32_t
math_high (double x)
{
  return math_bits (x) >> 32;
}

MATH_INLINE uint32_t
math_low (double x)
{
  return (uint32_t) math_bits (x);
}

MATH_INLINE double
math_halves (uint32_t high, uint32_t low)
{
  return math_double ((uint64_t) high << 32 | low);
}

#define MATH_INFF (__builtin_inff ())
#define MATH_INF (__builtin_inf ())
#define MATH_NANF (__builtin_nanf (""))
#define MATH_NAN (__builtin_nan (""))

/* ---- operations that are one instruction ---- */

MATH_INLINE float math_fmaf (float a, float b, float c) { return __builtin_fmaf (a, b, c); }
MATH_INLINE double math_fma (double a, double b, double c) { return __builtin_fma (a, b, c); }
MATH_INLINE float math_absf (float x) { return __builtin_fabsf (x); }
MATH_INLINE double math_abs (double x) { return __builtin_fabs (x); }
MATH_INLINE float math_copysignf (float x, float s) { return __builtin_copysignf (x, s); }
MATH_INLINE double math_copysign (double x, double s) { return __builtin_copysign (x, s); }
MATH_INLINE float math_truncf (float x) { return __builtin_truncf (x); }
MATH_INLINE double math_trunc (double x) { return __builtin_trunc (x); }
/* To the nearest integer, half to even.  */
MATH_INLINE float math_rintf (float x) { return __builtin_nearbyintf (x); }
MATH_INLINE double math_rint (double x) { return __builtin_nearbyint (x); }
/* Exact to the last bit; NaN of negative numbers.  */
MATH_INLINE float math_sqrtf (float x) { return __builtin_sqrtf (x); }
MATH_INLINE double math_sqrt (double x) { return __builtin_sqrt (x); }

/* c0 + x (c1 + x (c2 + ...)), by Horner's rule: MATH_POLYF (x, c0, c1, c2), up to 16 coefficients.
   MATH_POLY: double.  */
#define MATH_POLYF(x, ...) \
  MATH_POLY_BY_COUNT (__VA_ARGS__, MATH_POLY_COUNTS) (math_fmaf, x, __VA_ARGS__)
#define MATH_POLY(x, ...) \
  MATH_POLY_BY_COUNT (__VA_ARGS__, MATH_POLY_COUNTS) (math_fma, x, __VA_ARGS__)
#define MATH_POLY_COUNTS 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
#define MATH_POLY_BY_COUNT(...) MATH_POLY_PICK (__VA_ARGS__)
#define MATH_POLY_PICK(c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, ca, cb, cc, cd, ce, cf, n, ...) \
  MATH_POLY_##n
#define MATH_POLY_1(fma, x, c) (c)
#define MATH_POLY_2(fma, x, c, ...) fma (MATH_POLY_1 (fma, x, __VA_ARGS__), x, c)
#define MATH_POLY_3(fma, x, c, ...) fma (MATH_POLY_2 (fma, x, __VA_ARGS__), x, c)
#define MATH_POLY_4(fma, x, c, ...) fma (MATH_POLY_3 (fma, x, __VA_ARGS__), x, c)
#define MATH_POLY_5(fma, x, c, ...) fma (MATH_POLY_4 (fma, x, __VA_ARGS__), x, c)
#define MATH_POLY_6(fma, x, c, ...) fma (MATH_POLY_5 (fma, x, __VA_ARGS__), x, c)
#define MATH_POLY_7(fma, x, c, ...) fma (MATH_POLY_6 (fma, x, __VA_ARGS__), x, c)
#define MATH_POLY_8(fma, x, c, ...) fma (MATH_POLY_7 (fma, x, __VA_ARGS__), x, c)
#define MATH_POLY_9(fma, x, c, ...) fma (MATH_POLY_8 (fma, x, __VA_ARGS__), x, c)
#define MATH_POLY_10(fma, x, c, ...) fma (MATH_POLY_9 (fma, x, __VA_ARGS__), x, c)
#define MATH_POLY_11(fma, x, c, ...) fma (MATH_POLY_10 (fma, x, __VA_ARGS__), x, c)
#define MATH_POLY_12(fma, x, c, ...) fma (MATH_POLY_11 (fma, x, __VA_ARGS__), x, c)
#define MATH_POLY_13(fma, x, c, ...) fma (MATH_POLY_12 (fma, x, __VA_ARGS__), x, c)
#define MATH_POLY_14(fma, x, c, ...) fma (MATH_POLY_13 (fma, x, __VA_ARGS__), x, c)
#define MATH_POLY_15(fma, x, c, ...) fma (MATH_POLY_14 (fma, x, __VA_ARGS__), x, c)
#define MATH_POLY_16(fma, x, c, ...) fma (MATH_POLY_15 (fma, x, __VA_ARGS__), x, c)

/* ---- the machine's own ---- */

/* The smaller and the larger of two, the other one if one is NaN; and C ? A : B without a branch:
   compilers like to make one of ?:, and to move behind it what only one of the values needs.  */
#ifdef MATH_NVPTX
/* The host's compiler sees these first, and has no such registers: numbers pass as their bits.  */
# define MATH_TWO_OPERANDS(NAME, OPCODE, LETTER, TYPE, BITS, TO_BITS, FROM_BITS)	\
  MATH_INLINE TYPE							\
  NAME (TYPE a, TYPE b)							\
  {									\
    uint##BITS##_t result;						\
    __asm__ ("{ .reg .f" #BITS " %%math, %%math2; "						\
	     "mov.b" #BITS " %%math, %1; mov.b" #BITS " %%math2, %2; "				\
	     OPCODE ".f" #BITS " %%math, %%math, %%math2; mov.b" #BITS " %0, %%math; }"	\
	     : "=" LETTER (result) : LETTER (TO_BITS (a)), LETTER (TO_BITS (b)));	\
    return FROM_BITS (result);						\
  }
# define MATH_SELECT(NAME, LETTER, TYPE, BITS, TO_BITS, FROM_BITS)	\
  MATH_INLINE TYPE							\
  NAME (bool c, TYPE a, TYPE b)						\
  {									\
    uint##BITS##_t result;						\
    __asm__ ("{ .reg .pred %%math; setp.ne.u32 %%math, %1, 0; "				\
	     "selp.b" #BITS " %0, %2, %3, %%math; }"						\
	     : "=" LETTER (result)								\
	     : "r" ((uint32_t) c), LETTER (TO_BITS (a)), LETTER (TO_BITS (b)));			\
    return FROM_BITS (result);						\
  }
MATH_TWO_OPERANDS (math_minf, "min", "r", float, 32, math_bitsf, math_floatf)
MATH_TWO_OPERANDS (math_maxf, "max", "r", float, 32, math_bitsf, math_floatf)
MATH_TWO_OPERANDS (math_min, "min", "r", double, 64, math_bits, math_double)
MATH_TWO_OPERANDS (math_max, "max", "r", double, 64, math_bits, math_double)
MATH_SELECT (math_selectf, "r", float, 32, math_bitsf, math_floatf)
MATH_SELECT (math_select, "r", double, 64, math_bits, math_double)
MATH_SELECT (math_selectu, "r", uint32_t, 32, , )
#else
MATH_INLINE float math_minf (float a, float b) { return a < b || b != b ? a : b; }
MATH_INLINE float math_maxf (float a, float b) { return a > b || b != b ? a : b; }
MATH_INLINE double math_min (double a, double b) { return a < b || b != b ? a : b; }
MATH_INLINE double math_max (double a, double b) { return a > b || b != b ? a : b; }
MATH_INLINE float math_selectf (bool c, float a, float b) { return c ? a : b; }
MATH_INLINE double math_select (bool c, double a, double b) { return c ? a : b; }
MATH_INLINE uint32_t math_selectu (bool c, uint32_t a, uint32_t b) { return c ? a : b; }
#endif

/* 1 / X to 2^-23 of its value (float), 2^-20 (double), for normal X whose reciprocal is normal.  On
   the host: the exact one with the error that math_host_error asks for.  */
#if defined (MATH_NVPTX)
MATH_INLINE float
math_reciprocalf (float x)
{
  uint32_t result;
  __asm__ ("{ .reg .f32 %%math; mov.b32 %%math, %1; "
	   "rcp.approx.ftz.f32 %%math, %%math; mov.b32 %0, %%math; }"
	   : "=r" (result) : "r" (math_bitsf (x)));
  return math_floatf (result);
}

MATH_INLINE double
math_reciprocal (double x)
{
  uint64_t result;
  __asm__ ("{ .reg .f64 %%math; mov.b64 %%math, %1; "
	   "rcp.approx.ftz.f64 %%math, %%math; mov.b64 %0, %%math; }"
	   : "=r" (result) : "r" (math_bits (x)));
  return math_double (result);
}
#elif defined (MATH_HOST)
MATH_INLINE float
math_reciprocalf (float x)
{
  return (float) ((1 + math_host_error * 0x1p-23) / x);
}

MATH_INLINE double
math_reciprocal (double x)
{
  return (1 + math_host_error * 0x1p-20) / x;
}
#else
MATH_INLINE float math_reciprocalf (float x) { return 1 / x; }
MATH_INLINE double math_reciprocal (double x) { return 1 / x; }
#endif

/* 1 / X within 0.51 units of the last place, for normal X whose reciprocal is normal; 0 for
   infinity.  */
MATH_INLINE float
math_reciprocal_newtonf (float x)
{
  float r = math_reciprocalf (x);
  return math_selectf (r == 0, 0, math_fmaf (math_fmaf (-x, r, 1), r, r));
}

/* A / B within 0.51 units of the last place, for normal numbers whose quotient is normal, with 1 /
   B normal.  NaN and infinities give NaN.  */
MATH_INLINE float
math_divide_normalf (float a, float b)
{
  float r = math_reciprocalf (b);
  r = math_fmaf (math_fmaf (-b, r, 1), r, r);
  float q = a * r;
  return math_fmaf (math_fmaf (-b, q, a), r, q);
}

MATH_INLINE double
math_divide_normal (double a, double b)
{
  double r = math_reciprocal (b), e = math_fma (-b, r, 1);
  e = math_fma (e, e, e);
  r = math_fma (e, r, r);
  r = math_fma (math_fma (-b, r, 1), r, r);
  double q = a * r;
  return math_fma (math_fma (-b, q, a), r, q);
}

#pragma omp end declare target

#endif /* GOMPX_MATH_DEVICE_H */
