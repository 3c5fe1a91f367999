/* unit-scalar.c -- scalar instructions against what the manual says, written down a second time.

   The expected values are computed in plain C here, bit by bit where that is simplest, from the ISA
   manual ("Vega" Instruction Set Architecture, chapter 12): nothing is shared with scalar.c.  Numbers of
   opcodes are checked against an assembler elsewhere (isa-decode.sh).  */

#include "unit.h"

#include <stddef.h>
#include <string.h>

/* -- Encodings -- */

#define SOP2(op, d, a, b) (UINT32_C (2) << 30 | (uint32_t) (op) << 23 | (d) << 16 | (b) << 8 | (a))
#define SOP1(op, d, a) (UINT32_C (0x17d) << 23 | (uint32_t) (d) << 16 | (op) << 8 | (a))
#define SOPC(op, a, b) (UINT32_C (0x17e) << 23 | (uint32_t) (op) << 16 | (b) << 8 | (a))
#define SOPP(op, k) (UINT32_C (0x17f) << 23 | (uint32_t) (op) << 16 | ((k) & 0xffff))
#define SOPK(op, d, k) (UINT32_C (0xb) << 28 | (uint32_t) (op) << 23 | (d) << 16 | ((k) & 0xffff))

/* What an instruction shall do: destination, and SCC (-1: unchanged).  */
struct want
{
  uint64_t d;
  int scc;
};

typedef struct want model (uint64_t a, uint64_t b, uint64_t old, unsigned scc);

enum { ROUNDS = 200 };

/* -- The models -- */

static int64_t
signed_of (uint64_t x, unsigned width)
{
  return width == 64 ? (int64_t) x : (int64_t) (int32_t) x;
}

static uint64_t
low (uint64_t x, unsigned width)
{
  return width == 64 ? x : x & UINT32_MAX;
}

#define MODEL(name) \
  static struct want name (uint64_t a, uint64_t b, uint64_t old, unsigned scc)
#define UNUSED (void) a, (void) b, (void) old, (void) scc
#define WANT(value, condition) (struct want) { (value), (condition) }

/* The sums in 64 bits, where nothing overflows.  */
MODEL (m_add_u32) { UNUSED; return WANT (low (a + b, 32), (a + b) >> 32 & 1); }
MODEL (m_sub_u32) { UNUSED; return WANT (low (a - b, 32), a < b); }
MODEL (m_addc_u32) { UNUSED; return WANT (low (a + b + scc, 32), (a + b + scc) >> 32 & 1); }
MODEL (m_subb_u32) { UNUSED; return WANT (low (a - b - scc, 32), a < b + scc); }

static struct want
signed_sum (int64_t sum)
{
  return WANT (low ((uint64_t) sum, 32), sum > INT32_MAX || sum < INT32_MIN);
}
MODEL (m_add_i32) { UNUSED; return signed_sum (signed_of (a, 32) + signed_of (b, 32)); }
MODEL (m_sub_i32) { UNUSED; return signed_sum (signed_of (a, 32) - signed_of (b, 32)); }

MODEL (m_min_i32) { UNUSED; bool first = signed_of (a, 32) < signed_of (b, 32); return WANT (first ? a : b, first); }
MODEL (m_max_i32) { UNUSED; bool first = signed_of (a, 32) > signed_of (b, 32); return WANT (first ? a : b, first); }
MODEL (m_min_u32) { UNUSED; bool first = a < b; return WANT (first ? a : b, first); }
MODEL (m_max_u32) { UNUSED; bool first = a > b; return WANT (first ? a : b, first); }
MODEL (m_cselect) { UNUSED; return WANT (scc ? a : b, -1); }

/* Bit operations, a bit at a time by their truth table: bit 2a+b of TABLE.  */
static struct want
bitwise (uint64_t a, uint64_t b, unsigned table, unsigned width)
{
  uint64_t d = 0;
  for (unsigned i = 0; i < width; i++)
    d |= (uint64_t) (table >> (2 * (a >> i & 1) + (b >> i & 1)) & 1) << i;
  return WANT (d, d != 0);
}
#define BITWISE(name, table)						\
  MODEL (m_##name##_32) { UNUSED; return bitwise (a, b, table, 32); }	\
  MODEL (m_##name##_64) { UNUSED; return bitwise (a, b, table, 64); }
BITWISE (and, 8)
BITWISE (or, 14)
BITWISE (xor, 6)
BITWISE (andn2, 4)
BITWISE (orn2, 13)
BITWISE (nand, 7)
BITWISE (nor, 1)
BITWISE (xnor, 9)

/* Shifts, a place at a time.  */
static struct want
shift (uint64_t a, unsigned n, unsigned width, int direction, bool arithmetic)
{
  uint64_t top = a >> (width - 1) & 1;
  for (n &= width - 1; n; n--)
    if (direction > 0)
      a = low (a << 1, width);
    else
      a = a >> 1 | (arithmetic ? top << (width - 1) : 0);
  return WANT (a, a != 0);
}
MODEL (m_lshl_32) { UNUSED; return shift (a, b, 32, 1, false); }
MODEL (m_lshl_64) { UNUSED; return shift (a, b, 64, 1, false); }
MODEL (m_lshr_32) { UNUSED; return shift (a, b, 32, -1, false); }
MODEL (m_lshr_64) { UNUSED; return shift (a, b, 64, -1, false); }
MODEL (m_ashr_32) { UNUSED; return shift (a, b, 32, -1, true); }
MODEL (m_ashr_64) { UNUSED; return shift (a, b, 64, -1, true); }

/* Ones in places B to B + A - 1.  */
static struct want
mask_of (unsigned count, unsigned first, unsigned width)
{
  uint64_t d = 0;
  for (unsigned i = 0; i < count && first + i < width; i++)
    d |= UINT64_C (1) << (first + i);
  return WANT (d, -1);
}
MODEL (m_bfm_32) { UNUSED; return mask_of (a & 31, b & 31, 32); }
MODEL (m_bfm_64) { UNUSED; return mask_of (a & 63, b & 63, 64); }

/* The product from 16-bit halves.  */
static uint64_t
product (uint64_t a, uint64_t b)
{
  uint64_t al = a & 0xffff, ah = a >> 16 & 0xffff, bl = b & 0xffff, bh = b >> 16 & 0xffff;
  return al * bl + ((al * bh) << 16) + ((ah * bl) << 16) + ((ah * bh) << 32);
}
MODEL (m_mul_i32) { UNUSED; return WANT (low (product (a, b), 32), -1); }
MODEL (m_mul_hi_u32) { UNUSED; return WANT (product (a, b) >> 32, -1); }
MODEL (m_mul_hi_i32)
{
  UNUSED;
  uint64_t high = product (a, b) >> 32;
  if (a >> 31)
    high -= b;
  if (b >> 31)
    high -= a;
  return WANT (low (high, 32), -1);
}

/* A field of B[22:16] bits from B[4:0] or B[5:0] on; bits beyond the top are zero or the sign.  */
static struct want
field_of (uint64_t a, uint64_t b, unsigned width, bool sign)
{
  unsigned first = b & (width - 1), count = b >> 16 & 127;
  uint64_t d = 0, last = 0;
  if (count > width)
    count = width;
  for (unsigned i = 0; i < width; i++)
    {
      uint64_t bit = first + i < width ? a >> (first + i) & 1 : sign ? a >> (width - 1) & 1 : 0;
      if (i < count)
	last = bit;
      d |= (i < count ? bit : sign && count ? last : 0) << i;
    }
  return WANT (d, d != 0);
}
MODEL (m_bfe_u32) { UNUSED; return field_of (a, b, 32, false); }
MODEL (m_bfe_i32) { UNUSED; return field_of (a, b, 32, true); }
MODEL (m_bfe_u64) { UNUSED; return field_of (a, b, 64, false); }
MODEL (m_bfe_i64) { UNUSED; return field_of (a, b, 64, true); }
MODEL (m_absdiff)
{
  UNUSED;
  /* Of the wrapped difference.  */
  uint64_t d = low (a - b, 32);
  if (d >> 31)
    d = low (~d + 1, 32);
  return WANT (d, d != 0);
}
MODEL (m_lshl1_add) { UNUSED; uint64_t s = a * 2 + b; return WANT (low (s, 32), s > UINT32_MAX); }
MODEL (m_lshl2_add) { UNUSED; uint64_t s = a * 4 + b; return WANT (low (s, 32), s > UINT32_MAX); }
MODEL (m_lshl3_add) { UNUSED; uint64_t s = a * 8 + b; return WANT (low (s, 32), s > UINT32_MAX); }
MODEL (m_lshl4_add) { UNUSED; uint64_t s = a * 16 + b; return WANT (low (s, 32), s > UINT32_MAX); }
MODEL (m_pack_ll) { UNUSED; return WANT (a % 65536 + b % 65536 * 65536, -1); }
MODEL (m_pack_lh) { UNUSED; return WANT (a % 65536 + b / 65536 * 65536, -1); }
MODEL (m_pack_hh) { UNUSED; return WANT (a / 65536 + b / 65536 * 65536, -1); }

MODEL (m_mov) { UNUSED; return WANT (a, -1); }
MODEL (m_cmov) { UNUSED; return WANT (scc ? a : old, -1); }
MODEL (m_not_32) { UNUSED; return WANT (UINT32_MAX - a, a != UINT32_MAX); }
MODEL (m_not_64) { UNUSED; return WANT (UINT64_MAX - a, a != UINT64_MAX); }

static struct want
reversed (uint64_t a, unsigned width)
{
  uint64_t d = 0;
  for (unsigned i = 0; i < width; i++)
    d = d << 1 | (a >> i & 1);
  return WANT (d, -1);
}
MODEL (m_brev_32) { UNUSED; return reversed (a, 32); }
MODEL (m_brev_64) { UNUSED; return reversed (a, 64); }

static struct want
count_of (uint64_t a, unsigned bit, unsigned width)
{
  uint64_t n = 0;
  for (unsigned i = 0; i < width; i++)
    n += (a >> i & 1) == bit;
  return WANT (n, n != 0);
}
MODEL (m_bcnt0_32) { UNUSED; return count_of (a, 0, 32); }
MODEL (m_bcnt0_64) { UNUSED; return count_of (a, 0, 64); }
MODEL (m_bcnt1_32) { UNUSED; return count_of (a, 1, 32); }
MODEL (m_bcnt1_64) { UNUSED; return count_of (a, 1, 64); }

/* The first place, from below or above, at which the bit is BIT.  */
static struct want
first_of (uint64_t a, unsigned bit, unsigned width, bool from_above)
{
  for (unsigned i = 0; i < width; i++)
    if ((a >> (from_above ? width - 1 - i : i) & 1) == bit)
      return WANT (i, -1);
  return WANT (UINT32_MAX, -1);
}
MODEL (m_ff0_32) { UNUSED; return first_of (a, 0, 32, false); }
MODEL (m_ff0_64) { UNUSED; return first_of (a, 0, 64, false); }
MODEL (m_ff1_32) { UNUSED; return first_of (a, 1, 32, false); }
MODEL (m_ff1_64) { UNUSED; return first_of (a, 1, 64, false); }
MODEL (m_flbit_32) { UNUSED; return first_of (a, 1, 32, true); }
MODEL (m_flbit_64) { UNUSED; return first_of (a, 1, 64, true); }
MODEL (m_flbit_i32) { UNUSED; return first_of (a, !(a >> 31), 32, true); }
MODEL (m_flbit_i64) { UNUSED; return first_of (a, !(a >> 63), 64, true); }
MODEL (m_sext8) { UNUSED; return WANT (low ((a & 0xff) - (a & 0x80) * 2, 32), -1); }
MODEL (m_sext16) { UNUSED; return WANT (low ((a & 0xffff) - (a & 0x8000) * 2, 32), -1); }
MODEL (m_abs) { UNUSED; uint64_t d = a >> 31 ? low (0 - a, 32) : a; return WANT (d, d != 0); }
MODEL (m_bitset0_32) { UNUSED; return WANT (old & ~(UINT64_C (1) << (a & 31)), -1); }
MODEL (m_bitset0_64) { UNUSED; return WANT (old & ~(UINT64_C (1) << (a & 63)), -1); }
MODEL (m_bitset1_32) { UNUSED; return WANT (old | UINT64_C (1) << (a & 31), -1); }
MODEL (m_bitset1_64) { UNUSED; return WANT (old | UINT64_C (1) << (a & 63), -1); }

/* Comparisons: the sign of a - b decides, by a table: bit 0 less, bit 1 equal, bit 2 greater.  */
static struct want
compared (int order, unsigned table)
{
  return WANT (0, table >> (order + 1) & 1);
}
#define ORDER(x, y) (((x) > (y)) - ((x) < (y)))
#define COMPARE(name, table)								\
  MODEL (m_##name##_i) { UNUSED; return compared (ORDER (signed_of (a, 32), signed_of (b, 32)), table); }	\
  MODEL (m_##name##_u) { UNUSED; return compared (ORDER (a, b), table); }
COMPARE (eq, 2)
COMPARE (lg, 5)
COMPARE (gt, 4)
COMPARE (ge, 6)
COMPARE (lt, 1)
COMPARE (le, 3)
MODEL (m_bitcmp0_32) { UNUSED; return WANT (0, !(a >> (b & 31) & 1)); }
MODEL (m_bitcmp1_32) { UNUSED; return WANT (0, a >> (b & 31) & 1); }
MODEL (m_bitcmp0_64) { UNUSED; return WANT (0, !(a >> (b & 63) & 1)); }
MODEL (m_bitcmp1_64) { UNUSED; return WANT (0, a >> (b & 63) & 1); }
/* K in b.  */
MODEL (m_movk) { UNUSED; return WANT (b, -1); }
MODEL (m_cmovk) { UNUSED; return WANT (scc ? b : old, -1); }
MODEL (m_addk) { UNUSED; return signed_sum (signed_of (old, 32) + signed_of (b, 32)); }
MODEL (m_mulk) { UNUSED; return WANT (low (product (old, b), 32), -1); }

/* -- The instructions -- */

enum shape { S_SOP2, S_SOP1, S_SOPC, S_SOPK, S_CMPK };

static const struct
{
  enum shape shape;
  unsigned char op, d, a, b;	/* widths in bits; 0: no operand */
  model *model;
  const char *name;
  bool unsigned_k;
} rows[] =
{
#define R2(op, d, a, b, m) { S_SOP2, op, d, a, b, m, #m, false }
#define R1(op, d, a, m) { S_SOP1, op, d, a, 0, m, #m, false }
#define RC(op, a, b, m) { S_SOPC, op, 0, a, b, m, #m, false }
#define RK(op, m) { S_SOPK, op, 32, 0, 0, m, #m, false }
#define RCK(op, m, u) { S_CMPK, op, 0, 32, 0, m, #m, u }
  R2 (0, 32, 32, 32, m_add_u32), R2 (1, 32, 32, 32, m_sub_u32), R2 (2, 32, 32, 32, m_add_i32),
  R2 (3, 32, 32, 32, m_sub_i32), R2 (4, 32, 32, 32, m_addc_u32), R2 (5, 32, 32, 32, m_subb_u32),
  R2 (6, 32, 32, 32, m_min_i32), R2 (7, 32, 32, 32, m_min_u32), R2 (8, 32, 32, 32, m_max_i32),
  R2 (9, 32, 32, 32, m_max_u32), R2 (10, 32, 32, 32, m_cselect), R2 (11, 64, 64, 64, m_cselect),
  R2 (12, 32, 32, 32, m_and_32), R2 (13, 64, 64, 64, m_and_64), R2 (14, 32, 32, 32, m_or_32),
  R2 (15, 64, 64, 64, m_or_64), R2 (16, 32, 32, 32, m_xor_32), R2 (17, 64, 64, 64, m_xor_64),
  R2 (18, 32, 32, 32, m_andn2_32), R2 (19, 64, 64, 64, m_andn2_64), R2 (20, 32, 32, 32, m_orn2_32),
  R2 (21, 64, 64, 64, m_orn2_64), R2 (22, 32, 32, 32, m_nand_32), R2 (23, 64, 64, 64, m_nand_64),
  R2 (24, 32, 32, 32, m_nor_32), R2 (25, 64, 64, 64, m_nor_64), R2 (26, 32, 32, 32, m_xnor_32),
  R2 (27, 64, 64, 64, m_xnor_64), R2 (28, 32, 32, 32, m_lshl_32), R2 (29, 64, 64, 32, m_lshl_64),
  R2 (30, 32, 32, 32, m_lshr_32), R2 (31, 64, 64, 32, m_lshr_64), R2 (32, 32, 32, 32, m_ashr_32),
  R2 (33, 64, 64, 32, m_ashr_64), R2 (34, 32, 32, 32, m_bfm_32), R2 (35, 64, 32, 32, m_bfm_64),
  R2 (36, 32, 32, 32, m_mul_i32), R2 (37, 32, 32, 32, m_bfe_u32), R2 (38, 32, 32, 32, m_bfe_i32),
  R2 (39, 64, 64, 32, m_bfe_u64), R2 (40, 64, 64, 32, m_bfe_i64), R2 (42, 32, 32, 32, m_absdiff),
  R2 (44, 32, 32, 32, m_mul_hi_u32), R2 (45, 32, 32, 32, m_mul_hi_i32),
  R2 (46, 32, 32, 32, m_lshl1_add), R2 (47, 32, 32, 32, m_lshl2_add),
  R2 (48, 32, 32, 32, m_lshl3_add), R2 (49, 32, 32, 32, m_lshl4_add), R2 (50, 32, 32, 32, m_pack_ll),
  R2 (51, 32, 32, 32, m_pack_lh), R2 (52, 32, 32, 32, m_pack_hh),
  R1 (0, 32, 32, m_mov), R1 (1, 64, 64, m_mov), R1 (2, 32, 32, m_cmov), R1 (3, 64, 64, m_cmov),
  R1 (4, 32, 32, m_not_32), R1 (5, 64, 64, m_not_64), R1 (8, 32, 32, m_brev_32),
  R1 (9, 64, 64, m_brev_64), R1 (10, 32, 32, m_bcnt0_32), R1 (11, 32, 64, m_bcnt0_64),
  R1 (12, 32, 32, m_bcnt1_32), R1 (13, 32, 64, m_bcnt1_64), R1 (14, 32, 32, m_ff0_32),
  R1 (15, 32, 64, m_ff0_64), R1 (16, 32, 32, m_ff1_32), R1 (17, 32, 64, m_ff1_64),
  R1 (18, 32, 32, m_flbit_32), R1 (19, 32, 64, m_flbit_64), R1 (20, 32, 32, m_flbit_i32),
  R1 (21, 32, 64, m_flbit_i64), R1 (22, 32, 32, m_sext8), R1 (23, 32, 32, m_sext16),
  R1 (24, 32, 32, m_bitset0_32), R1 (25, 64, 32, m_bitset0_64), R1 (26, 32, 32, m_bitset1_32),
  R1 (27, 64, 32, m_bitset1_64), R1 (48, 32, 32, m_abs),
  RC (0, 32, 32, m_eq_i), RC (1, 32, 32, m_lg_i), RC (2, 32, 32, m_gt_i), RC (3, 32, 32, m_ge_i),
  RC (4, 32, 32, m_lt_i), RC (5, 32, 32, m_le_i), RC (6, 32, 32, m_eq_u), RC (7, 32, 32, m_lg_u),
  RC (8, 32, 32, m_gt_u), RC (9, 32, 32, m_ge_u), RC (10, 32, 32, m_lt_u), RC (11, 32, 32, m_le_u),
  RC (12, 32, 32, m_bitcmp0_32), RC (13, 32, 32, m_bitcmp1_32), RC (14, 64, 32, m_bitcmp0_64),
  RC (15, 64, 32, m_bitcmp1_64), RC (18, 64, 64, m_eq_u), RC (19, 64, 64, m_lg_u),
  RK (0, m_movk), RK (1, m_cmovk), RK (14, m_addk), RK (15, m_mulk),
  RCK (2, m_eq_i, false), RCK (3, m_lg_i, false), RCK (4, m_gt_i, false), RCK (5, m_ge_i, false),
  RCK (6, m_lt_i, false), RCK (7, m_le_i, false), RCK (8, m_eq_u, true), RCK (9, m_lg_u, true),
  RCK (10, m_gt_u, true), RCK (11, m_ge_u, true), RCK (12, m_lt_u, true), RCK (13, m_le_u, true)
};

/* Registers of the operands.  */
enum { D = 10, A = 20, B = 30 };

static void
set (unsigned reg, unsigned width, uint64_t value)
{
  if (width == 64)
    unit_s64 (reg, value);
  else if (width)
    unit_s32 (reg, (uint32_t) value);
}

static uint64_t
interesting (unsigned width)
{
  uint64_t x = unit_interesting ();
  return width == 64 ? x << 32 | unit_interesting () : x;
}

static void
check_values (unsigned r)
{
  unsigned shape = rows[r].shape, op = rows[r].op, d_width = rows[r].d;
  for (unsigned round = 0; round < ROUNDS; round++)
    {
      uint64_t a = interesting (rows[r].a), b = interesting (rows[r].b), old = interesting (d_width);
      unsigned scc = unit_random () & 1;
      uint32_t k = unit_interesting () & 0xffff;
      bool takes_k = shape == S_SOPK || shape == S_CMPK;
      if (takes_k)
	b = rows[r].unsigned_k ? k : low ((uint64_t) (int64_t) (int16_t) k, 32);
      /* Equal numbers, often.  */
      if (round % 4 == 0 && !takes_k && rows[r].a == rows[r].b)
	b = a;
      if (round % 4 == 0 && shape == S_CMPK)
	a = b;
      uint32_t word = shape == S_SOP2 ? SOP2 (op, D, A, B) : shape == S_SOP1 ? SOP1 (op, D, A)
		      : shape == S_SOPC ? SOPC (op, A, B) : SOPK (op, shape == S_CMPK ? A : D, k);
      unit_begin ("gfx900", word, 0);
      set (D, d_width, old);
      set (A, rows[r].a, a);
      set (B, rows[r].b, b);
      unit_scc (scc);
      struct want want = rows[r].model (a, b, old, scc);
      CHECK (unit_step () == SIM_RUNNING, "%s stops", rows[r].name);
      uint64_t got = d_width == 64 ? unit_wave.s64[D / 2] : unit_wave.s[D];
      if (d_width)
	{
	  CHECK (got == want.d, "%s a=%#llx b=%#llx old=%#llx scc=%u: %#llx instead of %#llx",
		 rows[r].name, (unsigned long long) a, (unsigned long long) b, (unsigned long long) old,
		 scc, (unsigned long long) got, (unsigned long long) want.d);
	  CHECK (unit_wave.sdef[D] && (d_width < 64 || unit_wave.sdef[D + 1]), "%s: not defined",
		 rows[r].name);
	}
      unsigned want_scc = want.scc < 0 ? scc : (unsigned) want.scc;
      CHECK (unit_wave.scc == want_scc, "%s a=%#llx b=%#llx: SCC %u", rows[r].name,
	     (unsigned long long) a, (unsigned long long) b, unit_wave.scc);
    }
}

/* With an undefined source, the result and what becomes of SCC are undefined.  */
static void
check_definedness (unsigned r)
{
  unsigned shape = rows[r].shape, op = rows[r].op;
  for (unsigned which = 0; which < 2; which++)
    {
      unsigned width = which ? rows[r].b : rows[r].a;
      if (!width)
	continue;
      unit_begin ("gfx900", shape == S_SOP2 ? SOP2 (op, D, A, B) : shape == S_SOP1 ? SOP1 (op, D, A)
		  : shape == S_SOPC ? SOPC (op, A, B) : SOPK (op, A, 5), 0);
      set (D, rows[r].d, 1);
      set (A, rows[r].a, 3);
      set (B, rows[r].b, 5);
      /* Takes the first, with s_cselect.  */
      unit_scc (which == 0);
      unit_wave.sdef[(which ? B : A) + (width == 64)] = 0;
      CHECK (unit_step () == SIM_RUNNING, "%s stops", rows[r].name);
      bool moved_not = rows[r].model == m_cmov && which;
      if (rows[r].d && !moved_not)
	CHECK (!unit_wave.sdef[D], "%s: the result is defined", rows[r].name);
      if (rows[r].model (3, 5, 1, 0).scc >= 0)
	CHECK (!unit_wave.scc_def, "%s: SCC is defined", rows[r].name);
    }
}

/* -- What fits no row -- */

static void
check_operands (void)
{
  /* Inline constants, a literal, SCC, apertures, vccz and execz.  */
  static const struct { unsigned code; uint64_t value32, value64; } codes[] =
  {
    { 128, 0, 0 }, { 129, 1, 1 }, { 192, 64, 64 }, { 193, 0xffffffff, UINT64_MAX },
    { 208, 0xfffffff0, UINT64_C (0xfffffffffffffff0) }, { 240, 0x3f000000, UINT64_C (0x3fe0000000000000) },
    { 243, 0xbf800000, UINT64_C (0xbff0000000000000) }, { 246, 0x40800000, UINT64_C (0x4010000000000000) },
    { 248, 0x3e22f983, UINT64_C (0x3fc45f306dc9c882) }, { 255, 0x89abcdef, UINT64_C (0x89abcdef) }
  };
  for (unsigned i = 0; i < sizeof codes / sizeof codes[0]; i++)
    {
      unit_begin ("gfx900", SOP1 (0, D, codes[i].code), 0x89abcdef);
      CHECK (unit_step () == SIM_RUNNING && unit_wave.s[D] == codes[i].value32, "operand %u: %#x",
	     codes[i].code, unit_wave.s[D]);
      unit_begin ("gfx900", SOP1 (1, D, codes[i].code), 0x89abcdef);
      CHECK (unit_step () == SIM_RUNNING && unit_wave.s64[D / 2] == codes[i].value64, "operand %u: %#llx",
	     codes[i].code, (unsigned long long) unit_wave.s64[D / 2]);
      /* The literal is not executed.  */
      CHECK (sim_pc (&unit_wave, unit_wave.next) == UNIT_CODE + (codes[i].code == 255 ? 8 : 4),
	     "operand %u: where the next instruction is", codes[i].code);
    }
  unit_begin ("gfx900", SOP1 (1, D, 235), 0);
  CHECK (unit_step () == SIM_RUNNING && unit_wave.s64[D / 2] == (uint64_t) SIM_SHARED_APERTURE << 32,
	 "src_shared_base: %#llx", (unsigned long long) unit_wave.s64[D / 2]);
  for (unsigned zero = 0; zero < 2; zero++)
    {
      unit_begin ("gfx900", SOP1 (0, D, 253), 0);
      unit_scc (zero);
      CHECK (unit_step () == SIM_RUNNING && unit_wave.s[D] == zero, "src_scc: %u", unit_wave.s[D]);
      unit_begin ("gfx900", SOP1 (0, D, 251), 0);
      unit_s64 (SIM_VCC, zero ? 0 : UINT64_C (1) << 40);
      CHECK (unit_step () == SIM_RUNNING && unit_wave.s[D] == zero, "src_vccz: %u", unit_wave.s[D]);
      unit_begin ("gfx900", SOP1 (0, D, 252), 0);
      unit_s64 (SIM_EXEC, zero ? 0 : UINT64_C (1) << 40);
      CHECK (unit_step () == SIM_RUNNING && unit_wave.s[D] == zero, "src_execz: %u", unit_wave.s[D]);
    }
}

static void
check_saveexec (void)
{
  static const struct { unsigned op, table; } ops[]
    = { { 32, 8 }, { 33, 14 }, { 34, 6 }, { 35, 4 }, { 36, 13 }, { 37, 7 }, { 38, 1 }, { 39, 9 } };
  for (unsigned i = 0; i < sizeof ops / sizeof ops[0]; i++)
    for (unsigned round = 0; round < ROUNDS; round++)
      {
	uint64_t a = interesting (64), exec = round % 8 ? interesting (64) : a;
	unit_begin ("gfx900", SOP1 (ops[i].op, D, A), 0);
	unit_s64 (A, a);
	unit_s64 (SIM_EXEC, exec);
	struct want want = bitwise (a, exec, ops[i].table, 64);
	CHECK (unit_step () == SIM_RUNNING && unit_wave.s64[D / 2] == exec
	       && sim_exec (&unit_wave) == want.d && unit_wave.scc == (unsigned) want.scc,
	       "saveexec %u: %#llx, %#llx -> %#llx", ops[i].op, (unsigned long long) a,
	       (unsigned long long) exec, (unsigned long long) sim_exec (&unit_wave));
      }
}

/* Branches and jumps: to the word at UNIT_CODE + TARGET.  */
static void
check_flow (void)
{
  enum { TAKEN = 12, NOT = 4 };
  static const struct { unsigned op; unsigned scc; uint64_t vcc, exec; unsigned target; } rows_of[] =
  {
    { 2, 0, 0, 1, TAKEN }, { 4, 0, 0, 1, TAKEN }, { 4, 1, 0, 1, NOT }, { 5, 1, 0, 1, TAKEN },
    { 5, 0, 0, 1, NOT }, { 6, 0, 0, 1, TAKEN }, { 6, 0, UINT64_C (1) << 63, 1, NOT },
    { 7, 0, 1, 1, TAKEN }, { 7, 0, 0, 1, NOT }, { 8, 0, 0, 0, TAKEN }, { 8, 0, 0, 1, NOT },
    { 9, 0, 0, UINT64_C (1) << 63, TAKEN }, { 9, 0, 0, 0, NOT }
  };
  for (unsigned i = 0; i < sizeof rows_of / sizeof rows_of[0]; i++)
    {
      unit_begin ("gfx900", SOPP (rows_of[i].op, 2), 0);
      unit_scc (rows_of[i].scc);
      unit_s64 (SIM_VCC, rows_of[i].vcc);
      unit_s64 (SIM_EXEC, rows_of[i].exec);
      CHECK (unit_step () == SIM_RUNNING
	     && sim_pc (&unit_wave, unit_wave.next) == UNIT_CODE + rows_of[i].target,
	     "branch %u, row %u", rows_of[i].op, i);
    }
  unit_begin ("gfx900", SOPP (2, -1), 0);
  CHECK (unit_step () == SIM_RUNNING && sim_pc (&unit_wave, unit_wave.next) == UNIT_CODE, "backwards");

  unit_begin ("gfx900", SOP1 (28, D, 0), 0);
  CHECK (unit_step () == SIM_RUNNING && unit_wave.s64[D / 2] == UNIT_CODE + 4, "s_getpc_b64");
  unit_begin ("gfx900", SOP1 (29, 0, A), 0);
  unit_s64 (A, UNIT_CODE + 12);
  CHECK (unit_step () == SIM_RUNNING && sim_pc (&unit_wave, unit_wave.next) == UNIT_CODE + 12,
	 "s_setpc_b64");
  /* Source and destination the same.  */
  unit_begin ("gfx900", SOP1 (30, A, A), 0);
  unit_s64 (A, UNIT_CODE + 8);
  CHECK (unit_step () == SIM_RUNNING && sim_pc (&unit_wave, unit_wave.next) == UNIT_CODE + 8
	 && unit_wave.s64[A / 2] == UNIT_CODE + 4, "s_swappc_b64");
  unit_begin ("gfx900", SOPK (21, D, 1), 0);
  CHECK (unit_step () == SIM_RUNNING && sim_pc (&unit_wave, unit_wave.next) == UNIT_CODE + 8
	 && unit_wave.s64[D / 2] == UNIT_CODE + 4, "s_call_b64");

  static const struct { unsigned op; enum sim_stop stop; } stops[]
    = { { 1, SIM_END }, { 10, SIM_BARRIER }, { 14, SIM_SLEEP }, { 18, SIM_TRAP }, { 0, SIM_RUNNING },
	{ 12, SIM_RUNNING } };
  for (unsigned i = 0; i < sizeof stops / sizeof stops[0]; i++)
    {
      unit_begin ("gfx900", SOPP (stops[i].op, 3), SOPP (1, 0));
      enum sim_stop stop = unit_step ();
      CHECK (stop == stops[i].stop, "SOPP %u stops by %d", stops[i].op, stop);
      if (stop == SIM_TRAP)
	CHECK (unit_wave.trap == 3, "trap %u", unit_wave.trap);
      if (stop == SIM_BARRIER || stop == SIM_SLEEP)
	CHECK (unit_step () == SIM_END, "SOPP %u does not go on", stops[i].op);
    }
}

void
unit_scalar (void)
{
  for (unsigned r = 0; r < sizeof rows / sizeof rows[0]; r++)
    {
      check_values (r);
      check_definedness (r);
    }
  check_operands ();
  check_saveexec ();
  check_flow ();
}
