/* int.c -- integer, logical and move instructions: one handler for each opcode and type.

   Values are slots of 64 bits, extended by zeros.  What PTX leaves open (a division by zero) is undefined
   in the sense of sim.h.  */

#include "sim.h"

typedef uint16_t U16;
typedef uint32_t U32;
typedef uint64_t U64;
typedef int16_t S16;
typedef int32_t S32;
typedef int64_t S64;
typedef uint16_t unsigned_U16, unsigned_S16, BITS_16;
typedef uint32_t unsigned_U32, unsigned_S32;
typedef uint64_t unsigned_U64, unsigned_S64;

#define BITS(TYPE) (8 * (unsigned) sizeof (TYPE))

#define UNARY(NAME, TYPE, EXPRESSION)						\
  static void									\
  NAME##_##TYPE (struct warp *w, const struct op *in)				\
  {										\
    uint64_t *d = slot_values (w, in->dst);					\
    const uint64_t *a = source (w, in, 0);					\
    uint32_t def = source_def (w, in, 0);					\
    EACH_LANE (w, l, TYPE x = (TYPE) a[l];					\
	       d[l] = (unsigned_##TYPE) (EXPRESSION));				\
    define (w, in->dst, def);							\
  }

#define BINARY(NAME, TYPE, EXPRESSION)						\
  static void									\
  NAME##_##TYPE (struct warp *w, const struct op *in)				\
  {										\
    uint64_t *d = slot_values (w, in->dst);					\
    const uint64_t *a = source (w, in, 0), *b = source (w, in, 1);		\
    uint32_t def = source_def (w, in, 0) & source_def (w, in, 1);		\
    EACH_LANE (w, l, TYPE x = (TYPE) a[l]; TYPE y = (TYPE) b[l];		\
	       d[l] = (unsigned_##TYPE) (EXPRESSION));				\
    define (w, in->dst, def);							\
  }

/* The second source has 32 bits whatever the type is.  */
#define SHIFT(NAME, TYPE, EXPRESSION)						\
  static void									\
  NAME##_##TYPE (struct warp *w, const struct op *in)				\
  {										\
    uint64_t *d = slot_values (w, in->dst);					\
    const uint64_t *a = source (w, in, 0), *b = source (w, in, 1);		\
    uint32_t def = source_def (w, in, 0) & source_def (w, in, 1);		\
    EACH_LANE (w, l, TYPE x = (TYPE) a[l]; uint32_t n = (uint32_t) b[l];	\
	       d[l] = (unsigned_##TYPE) (EXPRESSION));				\
    define (w, in->dst, def);							\
  }

#define TERNARY(NAME, TYPE, EXPRESSION)						\
  static void									\
  NAME##_##TYPE (struct warp *w, const struct op *in)				\
  {										\
    uint64_t *d = slot_values (w, in->dst);					\
    const uint64_t *a = source (w, in, 0), *b = source (w, in, 1);		\
    const uint64_t *c = source (w, in, 2);					\
    uint32_t def = source_def (w, in, 0) & source_def (w, in, 1)		\
		   & source_def (w, in, 2);					\
    EACH_LANE (w, l, TYPE x = (TYPE) a[l]; TYPE y = (TYPE) b[l];		\
	       TYPE z = (TYPE) c[l]; d[l] = (unsigned_##TYPE) (EXPRESSION));	\
    define (w, in->dst, def);							\
  }

/* The result has twice the size: WIDE.  */
#define WIDENING(NAME, TYPE, WIDE)						\
  static void									\
  NAME##_##TYPE (struct warp *w, const struct op *in)				\
  {										\
    uint64_t *d = slot_values (w, in->dst);					\
    const uint64_t *a = source (w, in, 0), *b = source (w, in, 1);		\
    uint32_t def = source_def (w, in, 0) & source_def (w, in, 1);		\
    EACH_LANE (w, l, d[l] = (unsigned_##WIDE) ((WIDE) (TYPE) a[l] * (WIDE) (TYPE) b[l]));	\
    define (w, in->dst, def);							\
  }										\
  static void									\
  mad_##NAME##_##TYPE (struct warp *w, const struct op *in)			\
  {										\
    uint64_t *d = slot_values (w, in->dst);					\
    const uint64_t *a = source (w, in, 0), *b = source (w, in, 1);		\
    const uint64_t *c = source (w, in, 2);					\
    uint32_t def = source_def (w, in, 0) & source_def (w, in, 1)		\
		   & source_def (w, in, 2);					\
    EACH_LANE (w, l, d[l] = (unsigned_##WIDE)					\
	       ((unsigned_##WIDE) ((WIDE) (TYPE) a[l] * (WIDE) (TYPE) b[l])	\
		+ (unsigned_##WIDE) c[l]));					\
    define (w, in->dst, def);							\
  }

/* Division: by zero it is undefined; the smallest number by -1 wraps.  */
#define DIVIDING(NAME, TYPE, EXPRESSION)					\
  static void									\
  NAME##_##TYPE (struct warp *w, const struct op *in)				\
  {										\
    uint64_t *d = slot_values (w, in->dst);					\
    const uint64_t *a = source (w, in, 0), *b = source (w, in, 1);		\
    uint32_t def = source_def (w, in, 0) & source_def (w, in, 1);		\
    for (uint32_t rest = w->exec; rest != 0; rest &= rest - 1)			\
      {										\
	unsigned l = (unsigned) __builtin_ctz (rest);				\
	TYPE x = (TYPE) a[l], y = (TYPE) b[l];					\
	if (y == 0)								\
	  def &= ~(UINT32_C (1) << l);						\
	d[l] = y == 0 ? UINT64_MAX >> (64 - BITS (TYPE)) : (unsigned_##TYPE) (EXPRESSION);	\
      }										\
    define (w, in->dst, def);							\
  }

#define UNSIGNED(MACRO, NAME, EXPRESSION) \
  MACRO (NAME, U16, EXPRESSION) MACRO (NAME, U32, EXPRESSION) MACRO (NAME, U64, EXPRESSION)
#define SIGNED(MACRO, NAME, EXPRESSION) \
  MACRO (NAME, S16, EXPRESSION) MACRO (NAME, S32, EXPRESSION) MACRO (NAME, S64, EXPRESSION)
#define BOTH(MACRO, NAME, EXPRESSION) \
  UNSIGNED (MACRO, NAME, EXPRESSION) SIGNED (MACRO, NAME, EXPRESSION)

/* Wrapping: two's complement is the same for signed types.  */
UNSIGNED (BINARY, add, (uint64_t) x + y)
UNSIGNED (BINARY, sub, (uint64_t) x - y)
UNSIGNED (BINARY, mul_lo, (uint64_t) x * y)
UNSIGNED (TERNARY, mad_lo, (uint64_t) x * y + z)
BOTH (BINARY, min, x < y ? x : y)
BOTH (BINARY, max, x > y ? x : y)
UNSIGNED (BINARY, xor, x ^ y)
UNSIGNED (UNARY, not, ~x)
UNSIGNED (UNARY, cnot, x == 0)
UNSIGNED (UNARY, neg, 0 - (uint64_t) x)
SIGNED (UNARY, abs, x < 0 ? 0 - (uint64_t) x : (uint64_t) x)
UNSIGNED (DIVIDING, div, x / y)
UNSIGNED (DIVIDING, rem, x % y)
SIGNED (DIVIDING, div, y == -1 ? 0 - (uint64_t) x : (uint64_t) (x / y))
SIGNED (DIVIDING, rem, y == -1 ? 0 : x % y)
UNSIGNED (SHIFT, shl, n >= BITS (x) ? 0 : (uint64_t) x << n)
UNSIGNED (SHIFT, shr, n >= BITS (x) ? 0 : x >> n)
SIGNED (SHIFT, shr, x >> (n >= BITS (x) ? BITS (x) - 1 : n))
BOTH (TERNARY, sad, z + (x > y ? (uint64_t) x - (uint64_t) y : (uint64_t) y - (uint64_t) x))

WIDENING (wide, U16, U32)
WIDENING (wide, U32, U64)
WIDENING (wide, S16, S32)
WIDENING (wide, S32, S64)

typedef __int128 WIDE128;
#define HIGH(TYPE, PRODUCT) ((unsigned_##TYPE) ((unsigned __int128) (PRODUCT) >> BITS (TYPE)))
BINARY (mul_hi, U16, HIGH (U16, (WIDE128) x * y))
BINARY (mul_hi, U32, HIGH (U32, (WIDE128) x * y))
BINARY (mul_hi, U64, HIGH (U64, (unsigned __int128) x * y))
BINARY (mul_hi, S16, HIGH (S16, (WIDE128) x * y))
BINARY (mul_hi, S32, HIGH (S32, (WIDE128) x * y))
BINARY (mul_hi, S64, HIGH (S64, (WIDE128) x * y))
TERNARY (mad_hi, U16, (uint64_t) HIGH (U16, (WIDE128) x * y) + z)
TERNARY (mad_hi, U32, (uint64_t) HIGH (U32, (WIDE128) x * y) + z)
TERNARY (mad_hi, U64, (uint64_t) HIGH (U64, (unsigned __int128) x * y) + z)
TERNARY (mad_hi, S16, (uint64_t) HIGH (S16, (WIDE128) x * y) + (uint64_t) z)
TERNARY (mad_hi, S32, (uint64_t) HIGH (S32, (WIDE128) x * y) + (uint64_t) z)
TERNARY (mad_hi, S64, (uint64_t) HIGH (S64, (WIDE128) x * y) + (uint64_t) z)

/* -- Bits; results that count have 32 bits -- */

#define COUNTING(NAME, TYPE, EXPRESSION)					\
  static void									\
  NAME##_##TYPE (struct warp *w, const struct op *in)				\
  {										\
    uint64_t *d = slot_values (w, in->dst);					\
    const uint64_t *a = source (w, in, 0);					\
    uint32_t def = source_def (w, in, 0);					\
    EACH_LANE (w, l, TYPE x = (TYPE) a[l]; d[l] = (uint32_t) (EXPRESSION));	\
    define (w, in->dst, def);							\
  }

COUNTING (popc, U32, __builtin_popcount (x))
COUNTING (popc, U64, __builtin_popcountll (x))
COUNTING (clz, U32, x == 0 ? 32 : __builtin_clz (x))
COUNTING (clz, U64, x == 0 ? 64 : __builtin_clzll (x))

/* The highest bit that is not the sign; kind 1: as distance from the top.  */
#define FIND(TYPE, VALUE, TOP)							\
  COUNTING (bfind, TYPE, (VALUE) == 0 ? UINT32_MAX				\
	    : in->kind != 0 ? (unsigned) __builtin_clzll (VALUE) - (63 - TOP)	\
	    : 63 - (unsigned) __builtin_clzll (VALUE))
FIND (U32, (uint64_t) x, 31)
FIND (U64, x, 63)
FIND (S32, (uint64_t) (uint32_t) (x < 0 ? ~x : x), 31)
FIND (S64, (uint64_t) (x < 0 ? ~x : x), 63)

static uint64_t
reversed (uint64_t x, unsigned bits)
{
  uint64_t y = 0;
  for (unsigned i = 0; i < bits; i++)
    y |= (x >> i & 1) << (bits - 1 - i);
  return y;
}
UNARY (brev, U32, reversed (x, 32))
UNARY (brev, U64, reversed (x, 64))

/* Field of X from bit POS & 255, LEN & 255 bits, extended by the sign if SIGN.  */
static uint64_t
extract (uint64_t x, unsigned bits, uint64_t pos, uint64_t len, bool sign)
{
  unsigned p = pos & 255, n = len & 255, top = p + n - 1 < bits - 1 ? p + n - 1 : bits - 1;
  uint64_t fill = sign && n != 0 ? x >> top & 1 : 0, y = 0;
  for (unsigned i = 0; i < bits; i++)
    y |= (i < n && p + i < bits ? x >> (p + i) & 1 : fill) << i;
  return y;
}
TERNARY (bfe, U32, extract (x, 32, y, z, false))
TERNARY (bfe, U64, extract (x, 64, y, z, false))
TERNARY (bfe, S32, extract ((uint32_t) x, 32, (uint64_t) y, (uint64_t) z, true))
TERNARY (bfe, S64, extract ((uint64_t) x, 64, (uint64_t) y, (uint64_t) z, true))

/* FROM into INTO at bit POS & 255, LEN & 255 bits.  */
static uint64_t
insert (uint64_t from, uint64_t into, unsigned bits, uint64_t pos, uint64_t len)
{
  unsigned p = pos & 255, n = len & 255;
  for (unsigned i = 0; i < n && p + i < bits; i++)
    into = (into & ~(UINT64_C (1) << (p + i))) | (from >> i & 1) << (p + i);
  return into;
}

#define FOUR(NAME, EXPRESSION)							\
  static void									\
  NAME (struct warp *w, const struct op *in)					\
  {										\
    uint64_t *d = slot_values (w, in->dst);					\
    const uint64_t *a = source (w, in, 0), *b = source (w, in, 1);		\
    const uint64_t *c = source (w, in, 2), *e = source (w, in, 3);		\
    uint32_t def = source_def (w, in, 0) & source_def (w, in, 1)		\
		   & source_def (w, in, 2) & source_def (w, in, 3);		\
    EACH_LANE (w, l, d[l] = (EXPRESSION));					\
    define (w, in->dst, def);							\
  }
FOUR (bfi_U32, (uint32_t) insert (a[l], b[l], 32, c[l], e[l]))
FOUR (bfi_U64, insert (a[l], b[l], 64, c[l], e[l]))

static uint32_t
lop3 (uint32_t a, uint32_t b, uint32_t c, uint64_t table)
{
  uint32_t y = 0;
  for (unsigned i = 0; i < 8; i++)
    if ((table >> i & 1) != 0)
      y |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  return y;
}
FOUR (lop3_U32, lop3 ((uint32_t) a[l], (uint32_t) b[l], (uint32_t) c[l], e[l]))

/* Bytes of {b, a} by the selectors in c; bit 3 of one: its sign in all bits.  */
static uint32_t
permute (uint32_t a, uint32_t b, uint32_t c)
{
  uint64_t both = (uint64_t) b << 32 | a;
  uint32_t y = 0;
  for (unsigned i = 0; i < 4; i++)
    {
      unsigned how = c >> 4 * i & 15;
      uint32_t byte = (uint32_t) (both >> 8 * (how & 7)) & 0xff;
      if ((how & 8) != 0)
	byte = (byte & 0x80) != 0 ? 0xff : 0;
      y |= byte << 8 * i;
    }
  return y;
}
TERNARY (prmt, U32, permute (x, y, z))

/* shf: kind bit 0: clamp (else wrap); the sources are low and high word.  */
static uint32_t
shift_amount (uint32_t n, unsigned kind)
{
  return (kind & 1) == 0 ? n & 31 : n > 32 ? 32 : n;
}
TERNARY (shf_l, U32, (((uint64_t) y << 32 | x) << shift_amount (z, in->kind)) >> 32)
TERNARY (shf_r, U32, ((uint64_t) y << 32 | x) >> shift_amount (z, in->kind))
/* vadd, vsub with .add of a third value: 32-bit words without selectors.  */
TERNARY (vadd, U32, x + y + z)
TERNARY (vsub, U32, x - y + z)

/* -- Choosing -- */

static void
selp (struct warp *w, const struct op *in)
{
  uint64_t *d = slot_values (w, in->dst);
  const uint64_t *a = source (w, in, 0), *b = source (w, in, 1), *p = source (w, in, 2);
  uint32_t yes = 0;
  for (uint32_t rest = w->exec; rest != 0; rest &= rest - 1)
    {
      unsigned l = (unsigned) __builtin_ctz (rest);
      yes |= (uint32_t) (p[l] & 1) << l;
    }
  uint32_t def = ((source_def (w, in, 0) & yes) | (source_def (w, in, 1) & ~yes)) & source_def (w, in, 2);
  EACH_LANE (w, l, d[l] = (p[l] & 1) != 0 ? a[l] : b[l]);
  define (w, in->dst, def);
}

/* Lanes that are defined though one of A and B is not, because the other one is DECIDES.  */
static uint32_t __attribute__ ((noinline, cold))
decided (struct warp *w, const struct op *in, uint64_t decides)
{
  const uint64_t *a = source (w, in, 0), *b = source (w, in, 1);
  uint32_t mask = 0;
  for (uint32_t rest = w->exec; rest != 0; rest &= rest - 1)
    {
      unsigned l = (unsigned) __builtin_ctz (rest);
      uint32_t bit = UINT32_C (1) << l;
      if (((source_def (w, in, 0) & bit) != 0 && a[l] == decides)
	  || ((source_def (w, in, 1) & bit) != 0 && b[l] == decides))
	mask |= bit;
    }
  return mask;
}

/* "and" and "or": 0 and anything is 0; compilers compare two things, of which one may not be there, and
   combine the results.  */
#define LOGIC(NAME, TYPE, EXPRESSION, DECIDES)					\
  static void									\
  NAME##_##TYPE (struct warp *w, const struct op *in)				\
  {										\
    uint64_t *d = slot_values (w, in->dst);					\
    const uint64_t *a = source (w, in, 0), *b = source (w, in, 1);		\
    uint32_t def = source_def (w, in, 0) & source_def (w, in, 1);		\
    if (__builtin_expect ((w->exec & ~def) != 0, 0))				\
      def |= decided (w, in, DECIDES);						\
    EACH_LANE (w, l, d[l] = (EXPRESSION));					\
    define (w, in->dst, def);							\
  }
LOGIC (and, PRED, a[l] & b[l], 0)
LOGIC (or, PRED, a[l] | b[l], 1)
LOGIC (xor, PRED, a[l] ^ b[l], UINT64_MAX)
LOGIC (and, U16, a[l] & b[l] & UINT16_MAX, 0)
LOGIC (or, U16, (a[l] | b[l]) & UINT16_MAX, UINT16_MAX)
LOGIC (and, U32, a[l] & b[l] & UINT32_MAX, 0)
LOGIC (or, U32, (a[l] | b[l]) & UINT32_MAX, UINT32_MAX)
LOGIC (and, U64, a[l] & b[l], 0)
LOGIC (or, U64, a[l] | b[l], UINT64_MAX)

static void
not_PRED (struct warp *w, const struct op *in)
{
  uint64_t *d = slot_values (w, in->dst);
  const uint64_t *a = source (w, in, 0);
  uint32_t def = source_def (w, in, 0);
  EACH_LANE (w, l, d[l] = a[l] ^ 1);
  define (w, in->dst, def);
}

/* -- Carry: kind bit 0 sets it, bit 1 uses it -- */

#define CARRYING(NAME, TYPE, WIDE, EXPRESSION)					\
  static void									\
  NAME##_##TYPE (struct warp *w, const struct op *in)				\
  {										\
    uint64_t *d = slot_values (w, in->dst);					\
    const uint64_t *a = source (w, in, 0), *b = source (w, in, 1);		\
    uint32_t def = source_def (w, in, 0) & source_def (w, in, 1);		\
    EACH_LANE (w, l, WIDE x = (TYPE) a[l]; WIDE y = (TYPE) b[l];		\
	       WIDE c = (in->kind & 2) != 0 ? w->carry[l] : 0;			\
	       WIDE r = (EXPRESSION); d[l] = (TYPE) r;				\
	       if ((in->kind & 1) != 0) w->carry[l] = (uint8_t) (r >> BITS (TYPE) & 1));	\
    define (w, in->dst, def);							\
  }
CARRYING (addc, U32, uint64_t, x + y + c)
CARRYING (addc, U64, unsigned __int128, x + y + c)
/* The carry of a subtraction is its borrow.  */
CARRYING (subc, U32, uint64_t, x - y - c)
CARRYING (subc, U64, unsigned __int128, x - y - c)

/* -- Moves -- */

void
run_mov (struct warp *w, const struct op *in)
{
  uint64_t *d = slot_values (w, in->dst);
  const uint64_t *a = source (w, in, 0);
  uint32_t def = source_def (w, in, 0);
  EACH_LANE (w, l, d[l] = a[l]);
  define (w, in->dst, def);
}

/* dst = {aux's elements}, each of `size' bytes; and the other way round.  */
void
run_pack (struct warp *w, const struct op *in)
{
  const struct vector *v = in->aux;
  uint64_t *d = slot_values (w, in->dst), sum[LANES] = { 0 };
  uint32_t def = ALL_LANES;
  uint64_t mask = (UINT64_C (1) << 8 * in->size) - 1;
  for (unsigned i = 0; i < in->vec; i++)
    {
      const uint64_t *a = v->element[i].fixed != NULL ? v->element[i].fixed
			  : slot_values (w, v->element[i].slot);
      def &= v->element[i].fixed != NULL ? ALL_LANES : w->fdef[v->element[i].slot];
      for (unsigned l = 0; l < LANES; l++)
	sum[l] |= (a[l] & mask) << 8 * in->size * i;
    }
  EACH_LANE (w, l, d[l] = sum[l]);
  define (w, in->dst, def);
}

void
run_unpack (struct warp *w, const struct op *in)
{
  const struct vector *v = in->aux;
  uint64_t a[LANES], mask = (UINT64_C (1) << 8 * in->size) - 1;
  const uint64_t *from = source (w, in, 0);
  uint32_t def = source_def (w, in, 0);
  for (unsigned l = 0; l < LANES; l++)
    a[l] = from[l];
  for (unsigned i = 0; i < in->vec; i++)
    {
      if (v->element[i].slot == NO_SLOT)
	continue;
      uint64_t *d = slot_values (w, v->element[i].slot);
      EACH_LANE (w, l, d[l] = a[l] >> 8 * in->size * i & mask);
      define (w, v->element[i].slot, def);
    }
}

#define UNSIGNED_ROW(NAME, FUNCTION) \
  { NAME, { [T_U16] = FUNCTION##_U16, [T_U32] = FUNCTION##_U32, [T_U64] = FUNCTION##_U64 } }
/* Signed types do the same as unsigned ones.  */
#define SAME_ROW(NAME, FUNCTION)							\
  { NAME, { [T_U16] = FUNCTION##_U16, [T_U32] = FUNCTION##_U32, [T_U64] = FUNCTION##_U64,	\
	    [T_S16] = FUNCTION##_U16, [T_S32] = FUNCTION##_U32, [T_S64] = FUNCTION##_U64 } }
#define BOTH_ROW(NAME, FUNCTION)							\
  { NAME, { [T_U16] = FUNCTION##_U16, [T_U32] = FUNCTION##_U32, [T_U64] = FUNCTION##_U64,	\
	    [T_S16] = FUNCTION##_S16, [T_S32] = FUNCTION##_S32, [T_S64] = FUNCTION##_S64 } }
#define LOGIC_ROW(NAME, FUNCTION)							\
  { NAME, { [T_U16] = FUNCTION##_U16, [T_U32] = FUNCTION##_U32, [T_U64] = FUNCTION##_U64,	\
	    [T_PRED] = FUNCTION##_PRED } }

const struct row int_rows[] = {
  SAME_ROW ("add", add),
  SAME_ROW ("sub", sub),
  SAME_ROW ("mul.lo", mul_lo),
  SAME_ROW ("mad.lo", mad_lo),
  BOTH_ROW ("mul.hi", mul_hi),
  BOTH_ROW ("mad.hi", mad_hi),
  { "mul.wide", { [T_U16] = wide_U16, [T_U32] = wide_U32, [T_S16] = wide_S16, [T_S32] = wide_S32 } },
  { "mad.wide", { [T_U16] = mad_wide_U16, [T_U32] = mad_wide_U32, [T_S16] = mad_wide_S16,
		  [T_S32] = mad_wide_S32 } },
  BOTH_ROW ("div", div),
  BOTH_ROW ("rem", rem),
  BOTH_ROW ("min", min),
  BOTH_ROW ("max", max),
  BOTH_ROW ("sad", sad),
  { "abs", { [T_S16] = abs_S16, [T_S32] = abs_S32, [T_S64] = abs_S64 } },
  SAME_ROW ("neg", neg),
  LOGIC_ROW ("and", and),
  LOGIC_ROW ("or", or),
  LOGIC_ROW ("xor", xor),
  LOGIC_ROW ("not", not),
  UNSIGNED_ROW ("cnot", cnot),
  SAME_ROW ("shl", shl),
  BOTH_ROW ("shr", shr),
  { "popc", { [T_U32] = popc_U32, [T_U64] = popc_U64 } },
  { "clz", { [T_U32] = clz_U32, [T_U64] = clz_U64 } },
  { "brev", { [T_U32] = brev_U32, [T_U64] = brev_U64 } },
  { "bfind", { [T_U32] = bfind_U32, [T_U64] = bfind_U64, [T_S32] = bfind_S32, [T_S64] = bfind_S64 } },
  { "bfe", { [T_U32] = bfe_U32, [T_U64] = bfe_U64, [T_S32] = bfe_S32, [T_S64] = bfe_S64 } },
  { "bfi", { [T_U32] = bfi_U32, [T_U64] = bfi_U64 } },
  { "lop3", { [T_U32] = lop3_U32 } },
  { "prmt", { [T_U32] = prmt_U32 } },
  { "shf.l", { [T_U32] = shf_l_U32 } },
  { "shf.r", { [T_U32] = shf_r_U32 } },
  { "vadd", { [T_U32] = vadd_U32 } },
  { "vsub", { [T_U32] = vsub_U32 } },
  { "selp", { selp, selp, selp, selp, selp, selp, selp, selp, NULL } },
  { "addc", { [T_U32] = addc_U32, [T_U64] = addc_U64, [T_S32] = addc_U32, [T_S64] = addc_U64 } },
  { "subc", { [T_U32] = subc_U32, [T_U64] = subc_U64, [T_S32] = subc_U32, [T_S64] = subc_U64 } },
  { "mov", { run_mov, run_mov, run_mov, run_mov, run_mov, run_mov, run_mov, run_mov, run_mov } },
  { NULL, { NULL } }
};
