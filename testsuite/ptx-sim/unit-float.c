/* unit-float.c -- floating point and conversions.

   Expected values come from arithmetic of more precision (long double, or exact by construction) that
   is rounded once, or from the manual's words about NaNs, zeros, subnormals and limits.  */

#include "unit.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

static float
f (uint64_t bits)
{
  uint32_t word = (uint32_t) bits;
  float x;
  memcpy (&x, &word, 4);
  return x;
}

static double
g (uint64_t bits)
{
  double x;
  memcpy (&x, &bits, 8);
  return x;
}

/* Single precision has one NaN.  */
static uint64_t
bits_f (float x)
{
  uint32_t word;
  memcpy (&word, &x, 4);
  return isnan (x) ? 0x7fffffff : word;
}

/* NaNs of double precision compare as one: see unit_op's text, which makes them so.  */
static uint64_t
bits_g (double x)
{
  uint64_t bits;
  memcpy (&bits, &x, 8);
  return isnan (x) ? UINT64_C (0x7ff8000000000000) : bits;
}

#define TWO(NAME, EXPRESSION)						\
  static uint64_t							\
  NAME (uint64_t a, uint64_t b, uint64_t c)				\
  {									\
    (void) a; (void) b; (void) c;					\
    return EXPRESSION;							\
  }

/* The sum and product of two singles in double are exact or rounded so that rounding again is right;
   quotients and roots, too (double has more than twice the bits and two).  */
TWO (add_f, bits_f ((float) ((double) f (a) + (double) f (b))))
TWO (sub_f, bits_f ((float) ((double) f (a) - (double) f (b))))
TWO (mul_f, bits_f ((float) ((double) f (a) * (double) f (b))))
TWO (div_f, bits_f ((float) ((double) f (a) / (double) f (b))))
TWO (sqrt_f, bits_f ((float) sqrt ((double) f (a))))
TWO (rcp_f, bits_f ((float) (1 / (double) f (a))))
TWO (fma_f, bits_f (fmaf (f (a), f (b), f (c))))
TWO (add_g, bits_g (g (a) + g (b)))
TWO (mul_g, bits_g (g (a) * g (b)))
TWO (div_g, bits_g (g (a) / g (b)))
TWO (sqrt_g, bits_g (sqrt (g (a))))
TWO (fma_g, bits_g (fma (g (a), g (b), g (c))))

static uint64_t
down (float (*op) (float, float), int mode, uint64_t a, uint64_t b)
{
  int before = fegetround ();
  fesetround (mode);
  volatile float x = f (a), y = f (b), r = op (x, y);
  fesetround (before);
  return bits_f (r);
}
static float
plus (float x, float y)
{
  volatile float r = x + y;
  return r;
}
static float
over (float x, float y)
{
  volatile float r = x / y;
  return r;
}
TWO (add_rz, down (plus, FE_TOWARDZERO, a, b))
TWO (add_rm, down (plus, FE_DOWNWARD, a, b))
TWO (div_rp, down (over, FE_UPWARD, a, b))

/* A NaN and a number: the number; -0 is less than +0.  */
static uint64_t
min_f (uint64_t a, uint64_t b, uint64_t c)
{
  float x = f (a), y = f (b);
  (void) c;
  if (x != x)
    return bits_f (y);
  if (y != y)
    return bits_f (x);
  if (x == 0 && y == 0)
    return a | b;
  return x < y ? a : b;
}

static uint64_t
max_g (uint64_t a, uint64_t b, uint64_t c)
{
  double x = g (a), y = g (b);
  (void) c;
  if (x != x)
    return bits_g (y);
  if (y != y)
    return bits_g (x);
  if (x == 0 && y == 0)
    return a & b;
  return x > y ? a : b;
}

TWO (neg_f, a ^ 0x80000000)
TWO (abs_g, a & ~(UINT64_C (1) << 63))
TWO (copysign_g, (b & ~(UINT64_C (1) << 63)) | (a & UINT64_C (1) << 63))

static bool
tiny (uint64_t a)
{
  return (a & 0x7f800000) == 0 && (a & 0x7fffff) != 0;
}
static uint64_t
flush (uint64_t a)
{
  return tiny (a) ? a & 0x80000000 : a;
}
TWO (add_ftz, flush (add_f (flush (a), flush (b), 0)))
static uint64_t
add_sat (uint64_t a, uint64_t b, uint64_t c)
{
  float x = f (add_f (a, b, c));
  return bits_f (x > 1 ? 1 : x > 0 ? x : 0);
}

/* Comparisons.  */
TWO (lt_f, f (a) < f (b))
TWO (geu_g, !(g (a) < g (b)))
TWO (ne_f, f (a) < f (b) || f (a) > f (b))
TWO (neu_g, !(g (a) == g (b)))
TWO (nan_f, f (a) != f (a) || f (b) != f (b))
TWO (num_g, g (a) == g (a) && g (b) == g (b))
TWO (infinite_f, (a & 0x7fffffff) == 0x7f800000)
TWO (subnormal_f, tiny (a))
TWO (finite_g, (a >> 52 & 0x7ff) != 0x7ff)

/* Conversions: to integers with limits, NaN is 0.  */
static uint64_t
to_int (long double x, long double smallest, long double largest, uint64_t mask)
{
  if (x != x)
    return 0;
  x = x < smallest ? smallest : x > largest ? largest : x;
  return (x < 0 ? (uint64_t) (int64_t) x : (uint64_t) x) & mask;
}
TWO (s32_f, to_int (truncl (f (a)), -2147483648.0L, 2147483647.0L, UINT32_MAX))
TWO (u32_g, to_int (truncl (g (a)), 0, 4294967295.0L, UINT32_MAX))
TWO (s64_g, to_int (truncl (g (a)), -9223372036854775808.0L, 9223372036854775807.0L, UINT64_MAX))
TWO (u64_f, to_int (truncl (f (a)), 0, 18446744073709551615.0L, UINT64_MAX))
TWO (s32_rni, to_int (rintl (f (a)), -2147483648.0L, 2147483647.0L, UINT32_MAX))
TWO (s32_rmi, to_int (floorl (g (a)), -2147483648.0L, 2147483647.0L, UINT32_MAX))
TWO (f_s32, bits_f ((float) (double) (int32_t) a))
TWO (f_u64, bits_f ((float) (long double) a))
TWO (f_s64, bits_f ((float) (long double) (int64_t) a))
TWO (g_u64, bits_g ((double) (long double) a))
TWO (g_f, bits_g ((double) f (a)))
TWO (f_g, bits_f ((float) g (a)))
TWO (rzi_g, bits_g (trunc (g (a))))
TWO (rpi_f, bits_f (ceilf (f (a))))

/* Doubles that are NaN become one.  */
#define ONE_NAN " { .reg .pred %n; setp.nan.f64 %n, %d, %d; @%n mov.f64 %d, 0d7ff8000000000000; }"

void
unit_float (void)
{
  unit_op ("add.f32 %d, %a, %b;", "fff", add_f);
  unit_op ("sub.rn.f32 %d, %a, %b;", "fff", sub_f);
  unit_op ("mul.f32 %d, %a, %b;", "fff", mul_f);
  unit_op ("div.rn.f32 %d, %a, %b;", "fff", div_f);
  unit_op ("sqrt.rn.f32 %d, %a;", "ff", sqrt_f);
  unit_op ("rcp.rn.f32 %d, %a;", "ff", rcp_f);
  unit_op ("fma.rn.f32 %d, %a, %b, %c;", "ffff", fma_f);
  unit_op ("add.f64 %d, %a, %b;" ONE_NAN, "ggg", add_g);
  unit_op ("mul.f64 %d, %a, %b;" ONE_NAN, "ggg", mul_g);
  unit_op ("div.rn.f64 %d, %a, %b;" ONE_NAN, "ggg", div_g);
  unit_op ("sqrt.rn.f64 %d, %a;" ONE_NAN, "gg", sqrt_g);
  unit_op ("fma.rn.f64 %d, %a, %b, %c;" ONE_NAN, "gggg", fma_g);
  unit_op ("add.rz.f32 %d, %a, %b;", "fff", add_rz);
  unit_op ("add.rm.f32 %d, %a, %b;", "fff", add_rm);
  unit_op ("div.rp.f32 %d, %a, %b;", "fff", div_rp);
  unit_op ("min.f32 %d, %a, %b;", "fff", min_f);
  unit_op ("max.f64 %d, %a, %b;" ONE_NAN, "ggg", max_g);
  unit_op ("neg.f32 %d, %a;", "ff", neg_f);
  unit_op ("abs.f64 %d, %a;", "gg", abs_g);
  unit_op ("copysign.f64 %d, %a, %b;", "ggg", copysign_g);
  unit_op ("add.ftz.f32 %d, %a, %b;", "fff", add_ftz);
  unit_op ("add.sat.f32 %d, %a, %b;", "fff", add_sat);
  unit_op ("setp.lt.f32 %d, %a, %b;", "pff", lt_f);
  unit_op ("setp.geu.f64 %d, %a, %b;", "pgg", geu_g);
  unit_op ("setp.ne.f32 %d, %a, %b;", "pff", ne_f);
  unit_op ("setp.neu.f64 %d, %a, %b;", "pgg", neu_g);
  unit_op ("setp.nan.f32 %d, %a, %b;", "pff", nan_f);
  unit_op ("setp.num.f64 %d, %a, %b;", "pgg", num_g);
  unit_op ("testp.infinite.f32 %d, %a;", "pf", infinite_f);
  unit_op ("testp.subnormal.f32 %d, %a;", "pf", subnormal_f);
  unit_op ("testp.finite.f64 %d, %a;", "pg", finite_g);
  unit_op ("cvt.rzi.s32.f32 %d, %a;", "wf", s32_f);
  unit_op ("cvt.rzi.u32.f64 %d, %a;", "wg", u32_g);
  unit_op ("cvt.rzi.s64.f64 %d, %a;", "dg", s64_g);
  unit_op ("cvt.rzi.u64.f32 %d, %a;", "df", u64_f);
  unit_op ("cvt.rni.s32.f32 %d, %a;", "wf", s32_rni);
  unit_op ("cvt.rmi.s32.f64 %d, %a;", "wg", s32_rmi);
  unit_op ("cvt.rn.f32.s32 %d, %a;", "fw", f_s32);
  unit_op ("cvt.rn.f32.u64 %d, %a;", "fd", f_u64);
  unit_op ("cvt.rn.f32.s64 %d, %a;", "fd", f_s64);
  unit_op ("cvt.rn.f64.u64 %d, %a;", "gd", g_u64);
  unit_op ("cvt.f64.f32 %d, %a;" ONE_NAN, "gf", g_f);
  unit_op ("cvt.rn.f32.f64 %d, %a;", "fg", f_g);
  unit_op ("cvt.rzi.f64.f64 %d, %a;" ONE_NAN, "gg", rzi_g);
  unit_op ("cvt.rpi.f32.f32 %d, %a;", "ff", rpi_f);
}
