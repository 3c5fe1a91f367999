/* compare.c -- setp, set, slct and testp.

   src: the two values, then the predicate that the result is combined with (round: BOOL_...).  setp's
   second destination has the opposite of the comparison, combined likewise.  set gives all ones or 1.0
   instead of a predicate (width).  */

#include "bits.h"
#include "sim.h"

#include <math.h>

static uint64_t
combined (const struct op *in, bool result, uint64_t with)
{
  switch (in->round)
    {
    case BOOL_AND:
      return result & with & 1;
    case BOOL_OR:
      return (result | with) & 1;
    case BOOL_XOR:
      return (result ^ with) & 1;
    default:
      return result;
    }
}

/* Of set: width is 0 for a predicate, 1 for 1.0, else the bits that are all ones.  */
static uint64_t
as_given (const struct op *in, uint64_t truth)
{
  if (in->width == 0 || truth == 0)
    return truth;
  return in->width == 1 ? UINT32_C (0x3f800000) : UINT64_MAX >> (64 - in->width);
}

#define INTEGERS(TYPE)								\
  static bool									\
  holds_##TYPE (unsigned kind, TYPE x, TYPE y)					\
  {										\
    switch (kind)								\
      {										\
      case CMP_EQ: return x == y;						\
      case CMP_NE: return x != y;						\
      case CMP_LT: return x < y;						\
      case CMP_LE: return x <= y;						\
      case CMP_GT: return x > y;						\
      default: return x >= y;							\
      }										\
  }
INTEGERS (uint16_t)
INTEGERS (uint32_t)
INTEGERS (uint64_t)
INTEGERS (int16_t)
INTEGERS (int32_t)
INTEGERS (int64_t)

static bool
floats_hold (unsigned kind, double x, double y)
{
  bool nan = isnan (x) || isnan (y);
  switch (kind)
    {
    case CMP_EQ: return x == y;
    case CMP_NE: return !nan && x != y;
    case CMP_LT: return x < y;
    case CMP_LE: return x <= y;
    case CMP_GT: return x > y;
    case CMP_GE: return x >= y;
    case CMP_EQU: return nan || x == y;
    case CMP_NEU: return nan || x != y;
    case CMP_LTU: return nan || x < y;
    case CMP_LEU: return nan || x <= y;
    case CMP_GTU: return nan || x > y;
    case CMP_GEU: return nan || x >= y;
    case CMP_NUM: return !nan;
    default: return nan;
    }
}

/* Kind is a constant for the compiler in the common ones, so that their loops have no switch.  */
#define COMPARISON(NAME, RESULT)						\
  static void									\
  compare_##NAME (struct warp *w, const struct op *in)				\
  {										\
    uint64_t *d = slot_values (w, in->dst);					\
    const uint64_t *a = source (w, in, 0), *b = source (w, in, 1);		\
    uint32_t def = source_def (w, in, 0) & source_def (w, in, 1);		\
    if (in->round == BOOL_NONE && in->dst2 == NO_SLOT)				\
      {										\
	unsigned kind = in->kind;						\
	EACH_LANE (w, l, d[l] = as_given (in, RESULT));				\
	define (w, in->dst, def);						\
	return;									\
      }										\
    const uint64_t *c = source (w, in, 2);					\
    unsigned kind = in->kind;							\
    if (in->round != BOOL_NONE)							\
      def &= source_def (w, in, 2);						\
    EACH_LANE (w, l, bool r = RESULT; uint64_t with = in->round != BOOL_NONE ? c[l] : 0;	\
	       if (in->dst2 != NO_SLOT)						\
		 slot_values (w, in->dst2)[l] = combined (in, !r, with);	\
	       if (in->dst != NO_SLOT)						\
		 d[l] = as_given (in, combined (in, r, with)));			\
    if (in->dst != NO_SLOT)							\
      define (w, in->dst, def);							\
    if (in->dst2 != NO_SLOT)							\
      define (w, in->dst2, def);						\
  }

COMPARISON (U16, holds_uint16_t (kind, (uint16_t) a[l], (uint16_t) b[l]))
COMPARISON (U32, holds_uint32_t (kind, (uint32_t) a[l], (uint32_t) b[l]))
COMPARISON (U64, holds_uint64_t (kind, a[l], b[l]))
COMPARISON (S16, holds_int16_t (kind, (int16_t) a[l], (int16_t) b[l]))
COMPARISON (S32, holds_int32_t (kind, (int32_t) a[l], (int32_t) b[l]))
COMPARISON (S64, holds_int64_t (kind, (int64_t) a[l], (int64_t) b[l]))
COMPARISON (F32, floats_hold (kind, (double) as_float (a[l]), (double) as_float (b[l])))
COMPARISON (F64, floats_hold (kind, as_double (a[l]), as_double (b[l])))

/* dst = c >= 0 ? a : b.  */
static void
slct_S32 (struct warp *w, const struct op *in)
{
  uint64_t *d = slot_values (w, in->dst);
  const uint64_t *a = source (w, in, 0), *b = source (w, in, 1), *c = source (w, in, 2);
  uint32_t def = source_def (w, in, 0) & source_def (w, in, 1) & source_def (w, in, 2);
  EACH_LANE (w, l, d[l] = (int32_t) c[l] >= 0 ? a[l] : b[l]);
  define (w, in->dst, def);
}

static void
slct_F32 (struct warp *w, const struct op *in)
{
  uint64_t *d = slot_values (w, in->dst);
  const uint64_t *a = source (w, in, 0), *b = source (w, in, 1), *c = source (w, in, 2);
  uint32_t def = source_def (w, in, 0) & source_def (w, in, 1) & source_def (w, in, 2);
  EACH_LANE (w, l, d[l] = as_float (c[l]) >= 0 ? a[l] : b[l]);
  define (w, in->dst, def);
}

/* kind: finite, infinite, number, notanumber, normal, subnormal.  */
static bool
test (unsigned kind, int class)
{
  switch (kind)
    {
    case 0: return class != FP_NAN && class != FP_INFINITE;
    case 1: return class == FP_INFINITE;
    case 2: return class != FP_NAN;
    case 3: return class == FP_NAN;
    /* Zeros are normal here, says the manual.  */
    case 4: return class == FP_NORMAL || class == FP_ZERO;
    default: return class == FP_SUBNORMAL;
    }
}

static void
testp_F32 (struct warp *w, const struct op *in)
{
  uint64_t *d = slot_values (w, in->dst);
  const uint64_t *a = source (w, in, 0);
  uint32_t def = source_def (w, in, 0);
  EACH_LANE (w, l, d[l] = test (in->kind, fpclassify (as_float (a[l]))));
  define (w, in->dst, def);
}

static void
testp_F64 (struct warp *w, const struct op *in)
{
  uint64_t *d = slot_values (w, in->dst);
  const uint64_t *a = source (w, in, 0);
  uint32_t def = source_def (w, in, 0);
  EACH_LANE (w, l, d[l] = test (in->kind, fpclassify (as_double (a[l]))));
  define (w, in->dst, def);
}

const struct row compare_rows[] = {
  { "compare", { compare_U16, compare_U32, compare_U64, compare_S16, compare_S32, compare_S64, compare_F32,
		 compare_F64, NULL } },
  { "slct", { [T_S32] = slct_S32, [T_F32] = slct_F32 } },
  { "testp", { [T_F32] = testp_F32, [T_F64] = testp_F64 } },
  { NULL, { NULL } }
};
