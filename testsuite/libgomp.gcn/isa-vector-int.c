/* Vector opcodes on integers: every one with edge values and random ones, against the same by
   plain
   arithmetic on wider types.

   TEST-MODES: host
   TEST-OPTIONS: -I@top_srcdir@/testsuite/gcn-sim @top_builddir@/testsuite/gcn-sim/.libs/libisa.a
      */

#include "aux-vector.h"

typedef __int128 wide;
typedef uint64_t model (uint64_t a, uint64_t b, uint64_t c, bool *carry);

#define MODEL(name, expr) \
  static uint64_t \
  name (uint64_t a, uint64_t b, uint64_t c, bool *carry) \
  { \
    (void) a, (void) b, (void) c, (void) carry; \
    return expr; \
  }

/* Sources of 32 bits as numbers.  */
#define SA32 ((wide) (int32_t) a)
#define SB32 ((wide) (int32_t) b)
#define SC32 ((wide) (int32_t) c)
#define LOW32(x) ((uint64_t) (x) & 0xffffffff)
#define MIN(x, y) ((x) < (y) ? (x) : (y))
#define MAX(x, y) ((x) > (y) ? (x) : (y))

/* N bits from bit FROM of X, one after the other.  */
static uint64_t
field (uint64_t x, unsigned from, unsigned n)
{
  uint64_t r = 0;
  for (unsigned i = 0; i < n && from + i < 64; i++)
    r |= (x >> (from + i) & 1) << i;
  return r;
}

/* The low N bits of X as a signed number.  */
static wide
as_signed (uint64_t x, unsigned n)
{
  wide r = 0;
  for (unsigned i = 0; i < n; i++)
    if (x >> i & 1)
      r += (i == n - 1 ? -1 : 1) * ((wide) 1 << i);
  return r;
}

/* The number of the highest or lowest set bit; -1: none.  */
static int
highest (uint64_t x)
{
  int at = -1;
  for (int i = 0; i < 32; i++)
    if (x >> i & 1)
      at = i;
  return at;
}

static int
lowest (uint64_t x)
{
  for (int i = 0; i < 32; i++)
    if (x >> i & 1)
      return i;
  return -1;
}

static uint64_t
backwards (uint64_t x)
{
  uint64_t r = 0;
  for (int i = 0; i < 32; i++)
    r |= (x >> i & 1) << (31 - i);
  return r;
}

static unsigned
count (uint64_t x)
{
  unsigned n = 0;
  for (; x != 0; x >>= 1)
    n += x & 1;
  return n;
}

/* Bits at the top that are like the highest one.  */
static uint64_t
leading_like (uint64_t x)
{
  unsigned n = 0;
  while (n < 32 && (x >> (31 - n) & 1) == (x >> 31 & 1))
    n++;
  return n == 32 ? 0xffffffff : n;
}

static wide
median (wide a, wide b, wide c)
{
  return (a <= b && b <= c) || (c <= b && b <= a) ? b
	 : (b <= a && a <= c) || (c <= a && a <= b) ? a : c;
}

static uint64_t
with_carry (wide sum, bool *carry)
{
  *carry = sum < 0 || sum > UINT32_MAX;
  return LOW32 (sum);
}

static uint64_t
mad64 (wide sum, bool *carry)
{
  *carry = sum > (wide) UINT64_MAX;
  return (uint64_t) sum;
}

static uint64_t
mad64_signed (wide sum, bool *carry)
{
  *carry = sum > INT64_MAX || sum < INT64_MIN;
  return (uint64_t) sum;
}

MODEL (m_not, LOW32 (~a))
MODEL (m_mov, a)
MODEL (m_bfrev, backwards (a))
MODEL (m_ffbh_u32, LOW32 (a == 0 ? -1 : 31 - highest (a)))
MODEL (m_ffbl, LOW32 (lowest (a)))
MODEL (m_ffbh_i32, leading_like (a))
MODEL (m_mul_i24, LOW32 (as_signed (a, 24) * as_signed (b, 24)))
MODEL (m_mul_hi_i24, LOW32 (as_signed (a, 24) * as_signed (b, 24) >> 32))
MODEL (m_mul_u24, LOW32 (field (a, 0, 24) * field (b, 0, 24)))
MODEL (m_mul_hi_u24, LOW32 ((wide) field (a, 0, 24) * field (b, 0, 24) >> 32))
MODEL (m_min_i32, LOW32 (MIN (SA32, SB32)))
MODEL (m_max_i32, LOW32 (MAX (SA32, SB32)))
MODEL (m_min_u32, MIN (a, b))
MODEL (m_max_u32, MAX (a, b))
MODEL (m_lshrrev, field (b, a % 32, 32))
MODEL (m_ashrrev, LOW32 (SB32 >> a % 32))
MODEL (m_lshlrev, LOW32 ((wide) b << a % 32))
MODEL (m_and, a & b)
MODEL (m_or, a | b)
MODEL (m_xor, (a | b) - (a & b))
MODEL (m_add, LOW32 ((wide) a + b))
MODEL (m_sub, LOW32 ((wide) a - b))
MODEL (m_subrev, LOW32 ((wide) b - a))
MODEL (m_add_co, with_carry ((wide) a + b, carry))
MODEL (m_sub_co, with_carry ((wide) a - b, carry))
MODEL (m_subrev_co, with_carry ((wide) b - a, carry))
MODEL (m_add_16, field (field (a, 0, 16) + field (b, 0, 16), 0, 16))
MODEL (m_sub_16, field (field (a, 0, 16) - field (b, 0, 16), 0, 16))
MODEL (m_subrev_16, field (field (b, 0, 16) - field (a, 0, 16), 0, 16))
MODEL (m_mul_lo_16, field (field (a, 0, 16) * field (b, 0, 16), 0, 16))
MODEL (m_lshlrev_16, field (field (b, 0, 16) << a % 16, 0, 16))
MODEL (m_lshrrev_16, field (b, 0, 16) >> a % 16)
MODEL (m_ashrrev_16, field ((uint64_t) (as_signed (b, 16) >> a % 16), 0, 16))
MODEL (m_max_u16, MAX (field (a, 0, 16), field (b, 0, 16)))
MODEL (m_min_u16, MIN (field (a, 0, 16), field (b, 0, 16)))
MODEL (m_max_i16, field ((uint64_t) MAX (as_signed (a, 16), as_signed (b, 16)), 0, 16))
MODEL (m_min_i16, field ((uint64_t) MIN (as_signed (a, 16), as_signed (b, 16)), 0, 16))
MODEL (m_mad_i24, LOW32 (as_signed (a, 24) * as_signed (b, 24) + c))
MODEL (m_mad_u24, LOW32 ((wide) field (a, 0, 24) * field (b, 0, 24) + c))
MODEL (m_bfe_u32, field (field (a, b % 32, 32), 0, c % 32))
MODEL (m_bfe_i32, LOW32 (as_signed (field ((uint64_t) SA32, b % 32, 32), c % 32)))
MODEL (m_bfi, (a & b) | (LOW32 (~a) & c))
MODEL (m_alignbit, field (a << 32 | b, c % 32, 32))
MODEL (m_alignbyte, field (a << 32 | b, c % 4 * 8, 32))
MODEL (m_min3_i32, LOW32 (MIN (MIN (SA32, SB32), SC32)))
MODEL (m_max3_i32, LOW32 (MAX (MAX (SA32, SB32), SC32)))
MODEL (m_med3_i32, LOW32 (median (SA32, SB32, SC32)))
MODEL (m_min3_u32, MIN (MIN (a, b), c))
MODEL (m_max3_u32, MAX (MAX (a, b), c))
MODEL (m_med3_u32, LOW32 (median (a, b, c)))
MODEL (m_sad_u32, LOW32 (MAX (a, b) - MIN (a, b) + c))
MODEL (m_mad_u32_u16, LOW32 (field (a, 0, 16) * field (b, 0, 16) + c))
MODEL (m_mad_i32_i16, LOW32 (as_signed (a, 16) * as_signed (b, 16) + c))
MODEL (m_xad, LOW32 ((a ^ b) + c))
MODEL (m_lshl_add, LOW32 (((wide) a << b % 32) + c))
MODEL (m_add_lshl, LOW32 ((wide) LOW32 (a + b) << c % 32))
MODEL (m_add3, LOW32 (a + b + c))
MODEL (m_lshl_or, LOW32 ((wide) a << b % 32) | c)
MODEL (m_and_or, (a & b) | c)
MODEL (m_or3, a | b | c)
MODEL (m_mul_lo, LOW32 ((wide) a * b))
MODEL (m_mul_hi_u, LOW32 ((wide) a * b >> 32))
MODEL (m_mul_hi_i, LOW32 (SA32 * SB32 >> 32))
MODEL (m_bcnt, LOW32 (count (a) + b))
MODEL (m_lshlrev_64, (uint64_t) ((wide) b << a % 64))
MODEL (m_lshrrev_64, (uint64_t) ((wide) b >> a % 64))
MODEL (m_ashrrev_64, (uint64_t) ((wide) (int64_t) b >> a % 64))
MODEL (m_bfm, LOW32 (((wide) field (UINT64_MAX, 0, a % 32)) << b % 32))
MODEL (m_mad_u64_u32, mad64 ((wide) a * b + c, carry))
MODEL (m_mad_i64_i32, mad64_signed (SA32 * SB32 + (int64_t) c, carry))

/* Numbers of the opcodes as the manual has them.  */
static const struct
{
  struct opcode o;
  model *value;
} table[] = {
  { { "v_mov_b32", F1, 1, "ss" }, m_mov },
  { { "v_not_b32", F1, 43, "ss" }, m_not },
  { { "v_bfrev_b32", F1, 44, "ss" }, m_bfrev },
  { { "v_ffbh_u32", F1, 45, "ss" }, m_ffbh_u32 },
  { { "v_ffbl_b32", F1, 46, "ss" }, m_ffbl },
  { { "v_ffbh_i32", F1, 47, "ss" }, m_ffbh_i32 },
  { { "v_mul_i32_i24", F2, 6, "sss" }, m_mul_i24 },
  { { "v_mul_hi_i32_i24", F2, 7, "sss" }, m_mul_hi_i24 },
  { { "v_mul_u32_u24", F2, 8, "sss" }, m_mul_u24 },
  { { "v_mul_hi_u32_u24", F2, 9, "sss" }, m_mul_hi_u24 },
  { { "v_min_i32", F2, 12, "sss" }, m_min_i32 },
  { { "v_max_i32", F2, 13, "sss" }, m_max_i32 },
  { { "v_min_u32", F2, 14, "sss" }, m_min_u32 },
  { { "v_max_u32", F2, 15, "sss" }, m_max_u32 },
  { { "v_lshrrev_b32", F2, 16, "sss" }, m_lshrrev },
  { { "v_ashrrev_i32", F2, 17, "sss" }, m_ashrrev },
  { { "v_lshlrev_b32", F2, 18, "sss" }, m_lshlrev },
  { { "v_and_b32", F2, 19, "sss" }, m_and },
  { { "v_or_b32", F2, 20, "sss" }, m_or },
  { { "v_xor_b32", F2, 21, "sss" }, m_xor },
  { { "v_add_u32", F2, 52, "sss" }, m_add },
  { { "v_sub_u32", F2, 53, "sss" }, m_sub },
  { { "v_subrev_u32", F2, 54, "sss" }, m_subrev },
  { { "v_add_u16", F2, 38, "sss" }, m_add_16 },
  { { "v_sub_u16", F2, 39, "sss" }, m_sub_16 },
  { { "v_subrev_u16", F2, 40, "sss" }, m_subrev_16 },
  { { "v_mul_lo_u16", F2, 41, "sss" }, m_mul_lo_16 },
  { { "v_lshlrev_b16", F2, 42, "sss" }, m_lshlrev_16 },
  { { "v_lshrrev_b16", F2, 43, "sss" }, m_lshrrev_16 },
  { { "v_ashrrev_i16", F2, 44, "sss" }, m_ashrrev_16 },
  { { "v_max_u16", F2, 47, "sss" }, m_max_u16 },
  { { "v_max_i16", F2, 48, "sss" }, m_max_i16 },
  { { "v_min_u16", F2, 49, "sss" }, m_min_u16 },
  { { "v_min_i16", F2, 50, "sss" }, m_min_i16 },
  { { "v_add_co_u32", F3B, 0x119, "sss" }, m_add_co },
  { { "v_sub_co_u32", F3B, 0x11a, "sss" }, m_sub_co },
  { { "v_subrev_co_u32", F3B, 0x11b, "sss" }, m_subrev_co },
  { { "v_mad_i32_i24", F3, 0x1c2, "ssss" }, m_mad_i24 },
  { { "v_mad_u32_u24", F3, 0x1c3, "ssss" }, m_mad_u24 },
  { { "v_bfe_u32", F3, 0x1c8, "ssss" }, m_bfe_u32 },
  { { "v_bfe_i32", F3, 0x1c9, "ssss" }, m_bfe_i32 },
  { { "v_bfi_b32", F3, 0x1ca, "ssss" }, m_bfi },
  { { "v_alignbit_b32", F3, 0x1ce, "ssss" }, m_alignbit },
  { { "v_alignbyte_b32", F3, 0x1cf, "ssss" }, m_alignbyte },
  { { "v_min3_i32", F3, 0x1d1, "ssss" }, m_min3_i32 },
  { { "v_min3_u32", F3, 0x1d2, "ssss" }, m_min3_u32 },
  { { "v_max3_i32", F3, 0x1d4, "ssss" }, m_max3_i32 },
  { { "v_max3_u32", F3, 0x1d5, "ssss" }, m_max3_u32 },
  { { "v_med3_i32", F3, 0x1d7, "ssss" }, m_med3_i32 },
  { { "v_med3_u32", F3, 0x1d8, "ssss" }, m_med3_u32 },
  { { "v_sad_u32", F3, 0x1dc, "ssss" }, m_sad_u32 },
  { { "v_mad_u32_u16", F3, 0x1f1, "ssss" }, m_mad_u32_u16 },
  { { "v_mad_i32_i16", F3, 0x1f2, "ssss" }, m_mad_i32_i16 },
  { { "v_xad_u32", F3, 0x1f3, "ssss" }, m_xad },
  { { "v_lshl_add_u32", F3, 0x1fd, "ssss" }, m_lshl_add },
  { { "v_add_lshl_u32", F3, 0x1fe, "ssss" }, m_add_lshl },
  { { "v_add3_u32", F3, 0x1ff, "ssss" }, m_add3 },
  { { "v_lshl_or_b32", F3, 0x200, "ssss" }, m_lshl_or },
  { { "v_and_or_b32", F3, 0x201, "ssss" }, m_and_or },
  { { "v_or3_b32", F3, 0x202, "ssss" }, m_or3 },
  { { "v_mul_lo_u32", F3, 0x285, "sss" }, m_mul_lo },
  { { "v_mul_hi_u32", F3, 0x286, "sss" }, m_mul_hi_u },
  { { "v_mul_hi_i32", F3, 0x287, "sss" }, m_mul_hi_i },
  { { "v_bcnt_u32_b32", F3, 0x28b, "sss" }, m_bcnt },
  { { "v_lshlrev_b64", F3, 0x28f, "dsd" }, m_lshlrev_64 },
  { { "v_lshrrev_b64", F3, 0x290, "dsd" }, m_lshrrev_64 },
  { { "v_ashrrev_i64", F3, 0x291, "dsd" }, m_ashrrev_64 },
  { { "v_bfm_b32", F3, 0x293, "sss" }, m_bfm },
  { { "v_add_i32", F3, 0x29c, "sss" }, m_add },
  { { "v_sub_i32", F3, 0x29d, "sss" }, m_sub },
  { { "v_mad_u64_u32", F3B, 0x1e8, "dssd" }, m_mad_u64_u32 },
  { { "v_mad_i64_i32", F3B, 0x1e9, "dssd" }, m_mad_i64_i32 }
};

static const uint64_t edges[] = {
  0, 1, 2, 15, 16, 31, 32, 33, 63, 64, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffff, 0x800000,
  0xffffff, 0x1000000, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x12345678
};
enum { EDGES = sizeof edges / sizeof edges[0], VECTORS = EDGES * EDGES + 512 };

/* An argument of the given width.  */
static uint64_t
argument (uint64_t x, char width)
{
  if (width == 's')
    return LOW32 (x);
  return x | (x & 1 ? next_random () << 32 : x << 32);
}

/* The opcodes that read a carry.  */
static void
check_carry_in (void)
{
  static const struct
  {
    unsigned op;
    const char *name;
    int sign_a, sign_b, sign_c;
  } ops[] = {
    { 0x11c, "v_addc_co_u32", 1, 1, 1 },
    { 0x11d, "v_subb_co_u32", 1, -1, -1 },
    { 0x11e, "v_subbrev_co_u32", -1, 1, -1 }
  };
  for (size_t o = 0; o < sizeof ops / sizeof ops[0]; o++)
    for (unsigned regime = 0; regime < 2; regime++)
      for (unsigned form = 0; form < 2; form++)
	{
	  uint64_t carries = next_random (), exec = regime == 0 ? 1 : next_random () | 1;
	  unsigned sin = form == 0 ? SIM_VCC : SC, sout = form == 0 ? SIM_VCC : SD;
	  sim_exec (&wave) = exec;
	  wave.s64[sin / 2] = carries;
	  for (unsigned l = 0; l < SIM_LANES; l++)
	    {
	      set_v (VA, l, edges[next_random () % EDGES], false);
	      set_v (VB, l, edges[next_random () % EDGES], false);
	    }
	  if (form == 0)
	    run_words (vop2 (ops[o].op - 0x100, VD, SIM_VGPR + VA, VB), 0);
	  else
	    run_vop3 ((struct vop3) { .op = ops[o].op, .dst = VD, .sdst = SD,
				      .src0 = SIM_VGPR + VA, .src1 = SIM_VGPR + VB, .src2 = SC });
	  for (unsigned l = 0; l < SIM_LANES; l++)
	    {
	      wide sum = ops[o].sign_a * (wide) wave.vgpr[VA][l]
	      + ops[o].sign_b * (wide) wave.vgpr[VB][l]
			 + ops[o].sign_c * (wide) (carries >> l & 1);
	      bool carry, out = wave.s64[sout / 2] >> l & 1;
	      uint32_t low = (uint32_t) with_carry (sum, &carry);
	      if (!(exec >> l & 1))
		carry = false;
	      else if (wave.vgpr[VD][l] != low)
		FAIL ("%s: %x, %x -> %x, not %x", ops[o].name, wave.vgpr[VA][l], wave.vgpr[VB][l],
		      wave.vgpr[VD][l], low);
	      if (out != carry)
		FAIL ("%s: %x, %x: carry of lane %u is %d", ops[o].name, wave.vgpr[VA][l],
		      wave.vgpr[VB][l], l, out);
	    }
	}
}

int
main (void)
{
  static struct vector vectors[VECTORS];

  start ("gfx900");
  memset (wave.vgpr, 0, sizeof wave.vgpr);
  for (size_t t = 0; t < sizeof table / sizeof table[0]; t++)
    {
      const struct opcode *o = &table[t].o;
      size_t sources = strlen (o->wide) - 1;
      for (size_t i = 0; i < VECTORS; i++)
	{
	  uint64_t a = i < EDGES * EDGES ? edges[i % EDGES] : next_random ();
	  uint64_t b = i < EDGES * EDGES ? edges[i / EDGES] : next_random ();
	  uint64_t c = i < EDGES * EDGES ? edges[next_random () % EDGES] : next_random ();
	  struct vector *v = &vectors[i];
	  *v = (struct vector) { .a = argument (a, o->wide[1]) };
	  v->b = sources > 1 ? argument (b, o->wide[2]) : 0;
	  v->c = sources > 2 ? argument (c, o->wide[3]) : 0;
	  v->result = table[t].value (v->a, v->b, v->c, &v->carry);
	}
      check_opcode (o, vectors, VECTORS);
    }
  check_carry_in ();
  return finish ();
}
