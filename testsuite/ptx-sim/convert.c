/* convert.c -- cvt, between all integer types and the two of floating point.

   size: bits of the source type's value that count are by `kind's CVT flags and the tables here.
   width: bytes of the destination register, to which an integer result is extended by its sign.
   Conversions to integers always saturate (NaN: 0), as PTX says; those between integers only with .sat.  */

#include "bits.h"
#include "sim.h"

#include <fenv.h>
#include <math.h>

static unsigned
bits_of (enum type t)
{
  switch (t)
    {
    case T_U8: case T_S8: return 8;
    case T_U16: case T_S16: return 16;
    case T_U32: case T_S32: case T_F32: return 32;
    default: return 64;
    }
}

static bool
is_signed (enum type t)
{
  return t == T_S8 || t == T_S16 || t == T_S32 || t == T_S64;
}

static int
host_mode (const struct op *in)
{
  static const int modes[] = { FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD };
  return modes[in->round];
}

/* Types of the conversion of IN: in `vec' and `size'.  */
#define TO(in) ((enum type) (in)->vec)
#define FROM(in) ((enum type) (in)->size)

static uint64_t
to_register (const struct op *in, uint64_t value)
{
  unsigned bits = bits_of (TO (in));
  if (is_signed (TO (in)))
    value = (uint64_t) ((int64_t) (value << (64 - bits)) >> (64 - bits));
  else
    value &= UINT64_MAX >> (64 - bits);
  return in->width >= 8 ? value : value & ((UINT64_C (1) << 8 * in->width) - 1);
}

/* The source as an integer of 64 bits of its own signedness.  */
static uint64_t
integer_source (const struct op *in, uint64_t value)
{
  unsigned bits = bits_of (FROM (in));
  if (is_signed (FROM (in)))
    return (uint64_t) ((int64_t) (value << (64 - bits)) >> (64 - bits));
  return value & (UINT64_MAX >> (64 - bits));
}

static uint64_t
saturated (const struct op *in, uint64_t value)
{
  unsigned bits = bits_of (TO (in));
  bool negative = is_signed (FROM (in)) && (int64_t) value < 0;
  if (!is_signed (TO (in)))
    {
      uint64_t largest = UINT64_MAX >> (64 - bits);
      return negative ? 0 : value > largest ? largest : value;
    }
  int64_t largest = (int64_t) (UINT64_MAX >> (65 - bits)), smallest = -largest - 1;
  if (negative)
    return (uint64_t) ((int64_t) value < smallest ? smallest : (int64_t) value);
  return value > (uint64_t) largest ? (uint64_t) largest : value;
}

static void
integer_to_integer (struct warp *w, const struct op *in)
{
  uint64_t *d = slot_values (w, in->dst);
  const uint64_t *a = source (w, in, 0);
  uint32_t def = source_def (w, in, 0);
  EACH_LANE (w, l, uint64_t x = integer_source (in, a[l]);
	     if ((in->kind & CVT_SAT) != 0)
	       x = saturated (in, x);
	     d[l] = to_register (in, x));
  define (w, in->dst, def);
}

static double
float_source (const struct op *in, uint64_t value)
{
  if (FROM (in) == T_F64)
    return as_double (value);
  float x = as_float (value);
  if ((in->kind & CVT_FTZ) != 0 && fpclassify (x) == FP_SUBNORMAL)
    x = copysignf (0, x);
  return (double) x;
}

static uint64_t
float_result (const struct op *in, double x)
{
  if ((in->kind & CVT_SAT) != 0)
    x = isnan (x) || x < 0 ? 0 : x > 1 ? 1 : x;
  if (TO (in) == T_F64)
    return from_double (x);
  float y = (float) x;
  if ((in->kind & CVT_FTZ) != 0 && fpclassify (y) == FP_SUBNORMAL)
    y = copysignf (0, y);
  return from_float (y);
}

/* X, an integer in value after rounding, as the destination's type.  */
static uint64_t
clamped (const struct op *in, double x)
{
  unsigned bits = bits_of (TO (in));
  if (isnan (x))
    return 0;
  x = nearbyint (x);
  if (is_signed (TO (in)))
    {
      double limit = ldexp (1, (int) bits - 1);
      if (x >= limit)
	return UINT64_MAX >> (65 - bits);
      if (x < -limit)
	return UINT64_C (1) << (bits - 1);
      return (uint64_t) (int64_t) x;
    }
  if (x >= ldexp (1, (int) bits))
    return UINT64_MAX >> (64 - bits);
  return x <= 0 ? 0 : (uint64_t) x;
}

static void
float_to_integer (struct warp *w, const struct op *in)
{
  uint64_t *d = slot_values (w, in->dst);
  const uint64_t *a = source (w, in, 0);
  uint32_t def = source_def (w, in, 0);
  int before = fegetround ();
  fesetround (host_mode (in));
  EACH_LANE (w, l, d[l] = to_register (in, clamped (in, float_source (in, a[l]))));
  fesetround (before);
  define (w, in->dst, def);
}

/* Rounded once: a 64-bit integer to single precision must not go by double.  */
static uint64_t
integer_as_float (const struct op *in, uint64_t x)
{
  if (TO (in) == T_F64)
    return float_result (in, is_signed (FROM (in)) ? (double) (int64_t) x : (double) x);
  float y = is_signed (FROM (in)) ? (float) (int64_t) x : (float) x;
  return float_result (in, (double) y);
}

static void
integer_to_float (struct warp *w, const struct op *in)
{
  uint64_t *d = slot_values (w, in->dst);
  const uint64_t *a = source (w, in, 0);
  uint32_t def = source_def (w, in, 0);
  int before = fegetround ();
  fesetround (host_mode (in));
  EACH_LANE (w, l, d[l] = integer_as_float (in, integer_source (in, a[l])));
  fesetround (before);
  define (w, in->dst, def);
}

static void
float_to_float (struct warp *w, const struct op *in)
{
  uint64_t *d = slot_values (w, in->dst);
  const uint64_t *a = source (w, in, 0);
  uint32_t def = source_def (w, in, 0);
  int before = fegetround ();
  fesetround (host_mode (in));
  EACH_LANE (w, l, double x = float_source (in, a[l]);
	     if ((in->kind & CVT_INTEGER) != 0)
	       x = nearbyint (x);
	     d[l] = float_result (in, x));
  fesetround (before);
  define (w, in->dst, def);
}

handler *
convert_handler (enum type to, enum type from)
{
  bool to_float = to == T_F32 || to == T_F64, from_float = from == T_F32 || from == T_F64;
  if (to == T_NONE || from == T_NONE || to == T_PRED || from == T_PRED)
    return NULL;
  return to_float && from_float ? float_to_float : to_float ? integer_to_float
	 : from_float ? float_to_integer : integer_to_integer;
}
