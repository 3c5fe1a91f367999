/* unit-int.c -- integer instructions.  The expected values are computed from the PTX ISA's words, in exact
   arithmetic of 128 bits where that is possible, not by the simulator's expressions.  */

#include "unit.h"

typedef __int128 wide;

static wide
as_signed (uint64_t x, unsigned bits)
{
  wide y = (wide) (x & (UINT64_MAX >> (64 - bits)));
  return y >= (wide) 1 << (bits - 1) ? y - ((wide) 1 << bits) : y;
}

static uint64_t
low (wide x, unsigned bits)
{
  return (uint64_t) x & (UINT64_MAX >> (64 - bits));
}

/* NAME_h, _w, _d with BITS.  */
#define EACH(NAME, EXPRESSION)							\
  static uint64_t NAME##_h (uint64_t a, uint64_t b, uint64_t c)			\
  { const unsigned BITS = 16; (void) a; (void) b; (void) c; (void) BITS; return EXPRESSION; }	\
  static uint64_t NAME##_w (uint64_t a, uint64_t b, uint64_t c)			\
  { const unsigned BITS = 32; (void) a; (void) b; (void) c; (void) BITS; return EXPRESSION; }	\
  static uint64_t NAME##_d (uint64_t a, uint64_t b, uint64_t c)			\
  { const unsigned BITS = 64; (void) a; (void) b; (void) c; (void) BITS; return EXPRESSION; }
#define S(x) as_signed (x, BITS)
#define U(x) ((wide) (x))

EACH (add, low (S (a) + S (b), BITS))
EACH (sub, low (S (a) - S (b), BITS))
EACH (mul, low (S (a) * S (b), BITS))
EACH (mad, low (S (a) * S (b) + S (c), BITS))
EACH (hi_u, low ((wide) (((unsigned __int128) a * b) >> BITS), BITS))
EACH (hi_s, low ((S (a) * S (b)) >> BITS, BITS))
EACH (min_s, low (S (a) < S (b) ? S (a) : S (b), BITS))
EACH (max_u, a > b ? a : b)
EACH (and, a & b)
EACH (or, a | b)
EACH (xor, a ^ b)
EACH (not, low (-U (a) - 1, BITS))
EACH (cnot, a == 0 ? 1 : 0)
EACH (neg, low (-S (a), BITS))
EACH (abs_, low (S (a) < 0 ? -S (a) : S (a), BITS))
/* Divisors that are not 0: b | 1.  */
EACH (div_u, a / (b | 1))
EACH (rem_u, a % (b | 1))
EACH (div_s, low (S (a) / S (b | 1), BITS))
EACH (rem_s, low (S (a) % S (b | 1), BITS))
EACH (shl, (uint32_t) b >= BITS ? 0 : low (U (a) << (uint32_t) b, BITS))
EACH (shr_u, (uint32_t) b >= BITS ? 0 : a >> (uint32_t) b)
EACH (shr_s, low (S (a) >> ((uint32_t) b >= BITS ? BITS : (uint32_t) b), BITS))
EACH (lt_s, S (a) < S (b))
EACH (ge_u, a >= b)
EACH (selp, (c & 1) != 0 ? a : b)
EACH (sad_s, low (U (c) + (S (a) > S (b) ? S (a) - S (b) : S (b) - S (a)), BITS))

static uint64_t
wide_u (uint64_t a, uint64_t b, uint64_t c)
{
  (void) c;
  return a * b;
}

static uint64_t
wide_s (uint64_t a, uint64_t b, uint64_t c)
{
  (void) c;
  return (uint64_t) (as_signed (a, 32) * as_signed (b, 32));
}

static uint64_t
mad_wide_u (uint64_t a, uint64_t b, uint64_t c)
{
  return a * b + c;
}

static uint64_t
popc (uint64_t a, uint64_t b, uint64_t c)
{
  uint64_t n = 0;
  (void) b; (void) c;
  for (; a != 0; a >>= 1)
    n += a & 1;
  return n;
}

static uint64_t
clz32 (uint64_t a, uint64_t b, uint64_t c)
{
  uint64_t n = 0;
  (void) b; (void) c;
  for (int i = 31; i >= 0 && (a >> i & 1) == 0; i--)
    n++;
  return n;
}

static uint64_t
clz64 (uint64_t a, uint64_t b, uint64_t c)
{
  uint64_t n = 0;
  (void) b; (void) c;
  for (int i = 63; i >= 0 && (a >> i & 1) == 0; i--)
    n++;
  return n;
}

static uint64_t
brev32 (uint64_t a, uint64_t b, uint64_t c)
{
  uint32_t r = 0;
  (void) b; (void) c;
  for (int i = 0; i < 32; i++)
    if (a >> i & 1)
      r |= UINT32_C (1) << (31 - i);
  return r;
}

/* The position of the first bit that differs from the sign; all ones if there is none.  */
static uint64_t
bfind_s32 (uint64_t a, uint64_t b, uint64_t c)
{
  (void) b; (void) c;
  for (int i = 30; i >= 0; i--)
    if ((a >> i & 1) != (a >> 31 & 1))
      return (uint64_t) i;
  return UINT32_MAX;
}

static uint64_t
bfe_u32 (uint64_t a, uint64_t b, uint64_t c)
{
  unsigned pos = b & 255, len = c & 255;
  wide field = pos > 31 ? 0 : (wide) a >> pos;
  return (uint32_t) (len > 31 ? field : field & (((wide) 1 << len) - 1));
}

static uint64_t
bfe_s32 (uint64_t a, uint64_t b, uint64_t c)
{
  unsigned pos = b & 255, len = c & 255;
  if (len == 0)
    return 0;
  /* A register that goes on with its sign for ever.  */
  wide field = as_signed (a, 32) >> (pos > 40 ? 40 : pos);
  if (len < 64)
    {
      wide m = (wide) 1 << len;
      field &= m - 1;
      if (field & (m >> 1))
	field -= m;
    }
  return (uint32_t) field;
}

static uint64_t
funnel_left (uint64_t a, uint64_t b, uint64_t c)
{
  return (uint32_t) ((((wide) b << 32 | (wide) a) << (c % 32)) >> 32);
}

static uint64_t
funnel_right_clamp (uint64_t a, uint64_t b, uint64_t c)
{
  return (uint32_t) (((wide) b << 32 | (wide) a) >> (c > 32 ? 32 : c));
}

static uint64_t
prmt (uint64_t a, uint64_t b, uint64_t c)
{
  unsigned char bytes[8];
  uint64_t r = 0;
  for (int i = 0; i < 4; i++)
    {
      bytes[i] = (unsigned char) (a >> 8 * i);
      bytes[4 + i] = (unsigned char) (b >> 8 * i);
    }
  for (int i = 0; i < 4; i++)
    {
      unsigned s = c >> 4 * i & 0xf;
      unsigned char v = bytes[s & 7];
      if (s & 8)
	v = v >= 128 ? 255 : 0;
      r |= (uint64_t) v << 8 * i;
    }
  return r;
}

/* (a & b) | (~a & c).  */
static uint64_t
choose (uint64_t a, uint64_t b, uint64_t c)
{
  return (uint32_t) ((a & b) | (~a & c));
}

static uint64_t
add3 (uint64_t a, uint64_t b, uint64_t c)
{
  return (uint32_t) (a + b + c);
}

static uint64_t
carry (uint64_t a, uint64_t b, uint64_t c)
{
  /* The high word of (c:a) + (c:b) in 64 bits.  */
  return (uint32_t) (((wide) (c << 32 | a) + (wide) (c << 32 | b)) >> 32);
}

static uint64_t
borrow (uint64_t a, uint64_t b, uint64_t c)
{
  (void) c;
  return a < b ? UINT32_MAX : 0;
}

static uint64_t
both (uint64_t a, uint64_t b, uint64_t c)
{
  return (a == b) && (c & 1);
}

static uint64_t
neither (uint64_t a, uint64_t b, uint64_t c)
{
  return !(a == b) || (c & 1);
}

static uint64_t
ones (uint64_t a, uint64_t b, uint64_t c)
{
  (void) c;
  return a <= b ? UINT32_MAX : 0;
}

static uint64_t
swap (uint64_t a, uint64_t b, uint64_t c)
{
  (void) b; (void) c;
  return a << 32 | a >> 32;
}

static uint64_t
pred_xor (uint64_t a, uint64_t b, uint64_t c)
{
  (void) c;
  return (a ^ b) & 1;
}

static uint64_t
byte_to_s16 (uint64_t a, uint64_t b, uint64_t c)
{
  (void) b; (void) c;
  return (uint16_t) as_signed (a, 8);
}

static uint64_t
half_to_s64 (uint64_t a, uint64_t b, uint64_t c)
{
  (void) b; (void) c;
  return (uint64_t) as_signed (a, 16);
}

static uint64_t
saturate_s8 (uint64_t a, uint64_t b, uint64_t c)
{
  wide x = as_signed (a, 32);
  (void) b; (void) c;
  return (uint32_t) (x < -128 ? -128 : x > 127 ? 127 : x);
}

#define ALL3(TEXT, B, NAME, SOURCES)					\
  unit_op (TEXT "." B "16 " SOURCES, "hhhh", NAME##_h);			\
  unit_op (TEXT "." B "32 " SOURCES, "wwww", NAME##_w);			\
  unit_op (TEXT "." B "64 " SOURCES, "dddd", NAME##_d)
/* Shifts: the amount has 32 bits.  */
#define SHIFT3(TEXT, B, NAME)						\
  unit_op (TEXT "." B "16 %d, %a, %b;", "hhw", NAME##_h);		\
  unit_op (TEXT "." B "32 %d, %a, %b;", "www", NAME##_w);		\
  unit_op (TEXT "." B "64 %d, %a, %b;", "ddw", NAME##_d)
#define DIVIDE3(TEXT, B, NAME)						\
  unit_op ("or.b16 %b, %b, 1; " TEXT "." B "16 %d, %a, %b;", "hhh", NAME##_h);	\
  unit_op ("or.b32 %b, %b, 1; " TEXT "." B "32 %d, %a, %b;", "www", NAME##_w);	\
  unit_op ("or.b64 %b, %b, 1; " TEXT "." B "64 %d, %a, %b;", "ddd", NAME##_d)

void
unit_int (void)
{
  ALL3 ("add", "u", add, "%d, %a, %b;");
  ALL3 ("sub", "s", sub, "%d, %a, %b;");
  ALL3 ("mul.lo", "u", mul, "%d, %a, %b;");
  ALL3 ("mad.lo", "s", mad, "%d, %a, %b, %c;");
  ALL3 ("mul.hi", "u", hi_u, "%d, %a, %b;");
  ALL3 ("mul.hi", "s", hi_s, "%d, %a, %b;");
  ALL3 ("min", "s", min_s, "%d, %a, %b;");
  ALL3 ("max", "u", max_u, "%d, %a, %b;");
  ALL3 ("and", "b", and, "%d, %a, %b;");
  ALL3 ("or", "b", or, "%d, %a, %b;");
  ALL3 ("xor", "b", xor, "%d, %a, %b;");
  ALL3 ("not", "b", not, "%d, %a;");
  ALL3 ("cnot", "b", cnot, "%d, %a;");
  ALL3 ("neg", "s", neg, "%d, %a;");
  ALL3 ("abs", "s", abs_, "%d, %a;");
  ALL3 ("sad", "s", sad_s, "%d, %a, %b, %c;");
  DIVIDE3 ("div", "u", div_u);
  DIVIDE3 ("rem", "u", rem_u);
  DIVIDE3 ("div", "s", div_s);
  DIVIDE3 ("rem", "s", rem_s);
  SHIFT3 ("shl", "b", shl);
  SHIFT3 ("shr", "u", shr_u);
  SHIFT3 ("shr", "s", shr_s);
  unit_op ("setp.lt.s16 %d, %a, %b;", "phh", lt_s_h);
  unit_op ("setp.lt.s32 %d, %a, %b;", "pww", lt_s_w);
  unit_op ("setp.lt.s64 %d, %a, %b;", "pdd", lt_s_d);
  unit_op ("setp.ge.u16 %d, %a, %b;", "phh", ge_u_h);
  unit_op ("setp.ge.u32 %d, %a, %b;", "pww", ge_u_w);
  unit_op ("setp.hs.u64 %d, %a, %b;", "pdd", ge_u_d);
  unit_op ("setp.eq.and.u32 %d, %a, %b, %c;", "pwwp", both);
  unit_op ("setp.eq.and.u32 %q|%d, %a, %b, !%c; not.pred %q, %q; or.pred %d, %d, %c;", "pwwp", neither);
  unit_op ("set.le.u32.u32 %d, %a, %b;", "www", ones);
  unit_op ("selp.b32 %d, %a, %b, %c;", "wwwp", selp_w);
  unit_op ("selp.u64 %d, %a, %b, %c;", "dddp", selp_d);
  unit_op ("selp.b16 %d, %a, %b, %c;", "hhhp", selp_h);
  unit_op ("xor.pred %d, %a, %b;", "ppp", pred_xor);
  unit_op ("mul.wide.u32 %d, %a, %b;", "dww", wide_u);
  unit_op ("mul.wide.s32 %d, %a, %b;", "dww", wide_s);
  unit_op ("mul.wide.u16 %d, %a, %b;", "whh", wide_u);
  unit_op ("mad.wide.u32 %d, %a, %b, %c;", "dwwd", mad_wide_u);
  unit_op ("popc.b32 %d, %a;", "ww", popc);
  unit_op ("popc.b64 %d, %a;", "wd", popc);
  unit_op ("clz.b32 %d, %a;", "ww", clz32);
  unit_op ("clz.b64 %d, %a;", "wd", clz64);
  unit_op ("brev.b32 %d, %a;", "ww", brev32);
  unit_op ("bfind.s32 %d, %a;", "ww", bfind_s32);
  unit_op ("bfe.u32 %d, %a, %b, %c;", "wwww", bfe_u32);
  unit_op ("bfe.s32 %d, %a, %b, %c;", "wwww", bfe_s32);
  unit_op ("shf.l.wrap.b32 %d, %a, %b, %c;", "wwww", funnel_left);
  unit_op ("shf.r.clamp.b32 %d, %a, %b, %c;", "wwww", funnel_right_clamp);
  unit_op ("prmt.b32 %d, %a, %b, %c;", "wwww", prmt);
  unit_op ("lop3.b32 %d, %a, %b, %c, 0xca;", "wwww", choose);
  unit_op ("vadd.u32.u32.u32.add %d, %a, %b, %c;", "wwww", add3);
  unit_op ("add.cc.u32 %one, %a, %b; addc.u32 %d, %c, %c;", "wwww", carry);
  unit_op ("sub.cc.u32 %one, %a, %b; subc.u32 %d, 0, 0;", "www", borrow);
  unit_op ("{ .reg .b32 %x, %y; mov.b64 {%x, %y}, %a; mov.b64 %d, {%y, %x}; }", "dd", swap);
  unit_op ("{ .reg .v2 .u32 %v, %w; mov.b64 %v, %a; mov.v2.u32 %w, {0, 0}; mov.u32 %w.x, %v.y; mov.u32 %w.y, %v.x;"
	   "mov.b64 %d, %w; }", "dd", swap);
  unit_op ("cvt.s16.s8 %d, %a;", "hw", byte_to_s16);
  unit_op ("cvt.s64.s16 %d, %a;", "dw", half_to_s64);
  unit_op ("cvt.sat.s8.s32 %d, %a;", "ww", saturate_s8);
}
