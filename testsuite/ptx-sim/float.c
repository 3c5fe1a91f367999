/* float.c -- floating-point arithmetic of single and double precision.

   kind: FLOAT_FTZ, FLOAT_SAT.  round: enum rounding.  The host's arithmetic is IEEE's, as PTX's is for all
   that is not .approx; approximate operations give the rounded exact value, which lies within the error
   that PTX allows.  NaN results of single precision are 0x7fffffff.

   Compiled without contraction and with -frounding-math.  */

#include "bits.h"
#include "sim.h"

#include <fenv.h>
#include <math.h>

/* A subnormal becomes a zero of its sign, with .ftz.  */
static float
flushed (float x, unsigned kind)
{
  return (kind & FLOAT_FTZ) != 0 && fpclassify (x) == FP_SUBNORMAL ? copysignf (0, x) : x;
}

static float
in_F32 (uint64_t bits, unsigned kind)
{
  return flushed (as_float (bits), kind);
}

static double
in_F64 (uint64_t bits, unsigned kind)
{
  (void) kind;
  return as_double (bits);
}

static uint64_t
out_F32 (float x, unsigned kind)
{
  if (kind == 0)
    return from_float (x);
  x = flushed (x, kind);
  if ((kind & FLOAT_SAT) != 0)
    x = isnan (x) || x < 0 ? 0 : x > 1 ? 1 : x;
  return from_float (x);
}

static uint64_t
out_F64 (double x, unsigned kind)
{
  (void) kind;
  return from_double (x);
}

static int
begin_rounding (const struct op *in)
{
  static const int modes[] = { FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD };
  int before = FE_TONEAREST;
  if (in->round != ROUND_NEAREST)
    {
      before = fegetround ();
      fesetround (modes[in->round]);
    }
  return before;
}

static void
end_rounding (const struct op *in, int before)
{
  if (in->round != ROUND_NEAREST)
    fesetround (before);
}

typedef float F32;
typedef double F64;

#define FLOAT1(NAME, TYPE, EXPRESSION)						\
  static void									\
  NAME##_##TYPE (struct warp *w, const struct op *in)				\
  {										\
    uint64_t *d = slot_values (w, in->dst);					\
    const uint64_t *a = source (w, in, 0);					\
    uint32_t def = source_def (w, in, 0);					\
    unsigned k = in->kind;							\
    int before = begin_rounding (in);						\
    EACH_LANE (w, l, TYPE x = in_##TYPE (a[l], k);				\
	       d[l] = out_##TYPE ((TYPE) (EXPRESSION), k));			\
    end_rounding (in, before);							\
    define (w, in->dst, def);							\
  }

#define FLOAT2(NAME, TYPE, EXPRESSION)						\
  static void									\
  NAME##_##TYPE (struct warp *w, const struct op *in)				\
  {										\
    uint64_t *d = slot_values (w, in->dst);					\
    const uint64_t *a = source (w, in, 0), *b = source (w, in, 1);		\
    uint32_t def = source_def (w, in, 0) & source_def (w, in, 1);		\
    unsigned k = in->kind;							\
    int before = begin_rounding (in);						\
    EACH_LANE (w, l, TYPE x = in_##TYPE (a[l], k); TYPE y = in_##TYPE (b[l], k);	\
	       d[l] = out_##TYPE ((TYPE) (EXPRESSION), k));			\
    end_rounding (in, before);							\
    define (w, in->dst, def);							\
  }

#define FLOAT3(NAME, TYPE, EXPRESSION)						\
  static void									\
  NAME##_##TYPE (struct warp *w, const struct op *in)				\
  {										\
    uint64_t *d = slot_values (w, in->dst);					\
    const uint64_t *a = source (w, in, 0), *b = source (w, in, 1);		\
    const uint64_t *c = source (w, in, 2);					\
    uint32_t def = source_def (w, in, 0) & source_def (w, in, 1)		\
		   & source_def (w, in, 2);					\
    unsigned k = in->kind;							\
    int before = begin_rounding (in);						\
    EACH_LANE (w, l, TYPE x = in_##TYPE (a[l], k); TYPE y = in_##TYPE (b[l], k);	\
	       TYPE z = in_##TYPE (c[l], k);					\
	       d[l] = out_##TYPE ((TYPE) (EXPRESSION), k));			\
    end_rounding (in, before);							\
    define (w, in->dst, def);							\
  }

/* Signs, without arithmetic: the bits of NaNs stay, but for abs and neg of .ftz.  */
#define BITS1(NAME, TYPE, EXPRESSION)						\
  static void									\
  NAME##_##TYPE (struct warp *w, const struct op *in)				\
  {										\
    uint64_t *d = slot_values (w, in->dst);					\
    const uint64_t *a = source (w, in, 0);					\
    uint32_t def = source_def (w, in, 0);					\
    EACH_LANE (w, l, uint64_t x = a[l]; d[l] = (EXPRESSION));			\
    define (w, in->dst, def);							\
  }

/* One NaN: the other value; the zeros are ordered.  */
#define SMALLER(TYPE, x, y) (isnan (x) ? (y) : isnan (y) ? (x)			\
			     : (x) < (y) || ((x) == (y) && signbit (x)) ? (x) : (y))
#define LARGER(TYPE, x, y) (isnan (x) ? (y) : isnan (y) ? (x)			\
			    : (x) > (y) || ((x) == (y) && !signbit (x)) ? (x) : (y))

FLOAT2 (add, F32, x + y)
FLOAT2 (add, F64, x + y)
FLOAT2 (sub, F32, x - y)
FLOAT2 (sub, F64, x - y)
FLOAT2 (mul, F32, x * y)
FLOAT2 (mul, F64, x * y)
FLOAT2 (div, F32, x / y)
FLOAT2 (div, F64, x / y)
FLOAT2 (min, F32, SMALLER (F32, x, y))
FLOAT2 (min, F64, SMALLER (F64, x, y))
FLOAT2 (max, F32, LARGER (F32, x, y))
FLOAT2 (max, F64, LARGER (F64, x, y))
FLOAT3 (fma, F32, fmaf (x, y, z))
FLOAT3 (fma, F64, fma (x, y, z))
FLOAT1 (rcp, F32, 1 / x)
FLOAT1 (rcp, F64, 1 / x)
FLOAT1 (sqrt, F32, sqrtf (x))
FLOAT1 (sqrt, F64, sqrt (x))
FLOAT1 (rsqrt, F32, 1 / sqrt ((double) x))
FLOAT1 (rsqrt, F64, 1 / sqrt (x))
FLOAT1 (sin, F32, sin ((double) x))
FLOAT1 (cos, F32, cos ((double) x))
FLOAT1 (lg2, F32, log2 ((double) x))
FLOAT1 (ex2, F32, exp2 ((double) x))
FLOAT1 (tanh, F32, tanh ((double) x))

#define SIGN32 UINT64_C (0x80000000)
#define SIGN64 UINT64_C (0x8000000000000000)
BITS1 (abs, F32, (in->kind != 0 ? from_float (in_F32 (x, in->kind)) : x) & ~SIGN32)
BITS1 (abs, F64, x & ~SIGN64)
BITS1 (neg, F32, (in->kind != 0 ? from_float (in_F32 (x, in->kind)) : x) ^ SIGN32)
BITS1 (neg, F64, x ^ SIGN64)

/* The sign of the first on the second.  */
static void
copysign_F32 (struct warp *w, const struct op *in)
{
  uint64_t *d = slot_values (w, in->dst);
  const uint64_t *a = source (w, in, 0), *b = source (w, in, 1);
  uint32_t def = source_def (w, in, 0) & source_def (w, in, 1);
  EACH_LANE (w, l, d[l] = (a[l] & SIGN32) | (b[l] & ~SIGN32 & UINT32_MAX));
  define (w, in->dst, def);
}

static void
copysign_F64 (struct warp *w, const struct op *in)
{
  uint64_t *d = slot_values (w, in->dst);
  const uint64_t *a = source (w, in, 0), *b = source (w, in, 1);
  uint32_t def = source_def (w, in, 0) & source_def (w, in, 1);
  EACH_LANE (w, l, d[l] = (a[l] & SIGN64) | (b[l] & ~SIGN64));
  define (w, in->dst, def);
}

#define ROW(NAME, FUNCTION) { NAME, { [T_F32] = FUNCTION##_F32, [T_F64] = FUNCTION##_F64 } }
const struct row float_rows[] = {
  ROW ("add", add),
  ROW ("sub", sub),
  ROW ("mul", mul),
  ROW ("div", div),
  ROW ("min", min),
  ROW ("max", max),
  ROW ("fma", fma),
  ROW ("mad", fma),
  ROW ("rcp", rcp),
  ROW ("sqrt", sqrt),
  ROW ("rsqrt", rsqrt),
  ROW ("abs", abs),
  ROW ("neg", neg),
  ROW ("copysign", copysign),
  { "sin", { [T_F32] = sin_F32 } },
  { "cos", { [T_F32] = cos_F32 } },
  { "lg2", { [T_F32] = lg2_F32 } },
  { "ex2", { [T_F32] = ex2_F32 } },
  { "tanh", { [T_F32] = tanh_F32 } },
  { NULL, { NULL } }
};
