/* scalar.c -- SOP1, SOP2, SOPC, SOPK and SOPP: what each opcode does, and their table.

   A result is defined if all sources are; SCC likewise.  Deciding by an undefined SCC, VCC or EXEC is
   a fault in the instruction that decides.  Names of handlers are those of the opcodes.  */

#include "isa.h"
#include "space.h"

/* -- Shapes of handlers --

   Each defines a function run_NAME.  In the expressions a and b are the sources, d the result, scc
   what SCC becomes; 32 or 64 is the width of the operands.  */

#define OPERANDS2(A, B)								\
  uint64_t def = ~UINT64_C (0);							\
  uint##A##_t a = sim_read##A (w, in, 0, &def);					\
  uint##B##_t b = sim_read##B (w, in, 1, &def)

/* SCC changes.  */
#define SOP2_SCC(name, D, A, B, result, condition)				\
  static void									\
  run_##name (struct sim_wave *w, const struct sim_insn *in)			\
  {										\
    OPERANDS2 (A, B);								\
    uint##D##_t d = (uint##D##_t) (result);					\
    w->scc = (condition);							\
    w->scc_def = def;								\
    sim_write##D (w, in->dst, d, def);						\
  }

/* SCC = the result is not 0.  */
#define SOP2_BITS(name, D, B, result) SOP2_SCC (name, D, D, B, result, d != 0)

/* SCC stays.  */
#define SOP2_PLAIN(name, D, A, B, result)					\
  static void									\
  run_##name (struct sim_wave *w, const struct sim_insn *in)			\
  {										\
    OPERANDS2 (A, B);								\
    sim_write##D (w, in->dst, (uint##D##_t) (result), def);			\
  }

#define SOP1_SCC(name, D, A, result, condition)					\
  static void									\
  run_##name (struct sim_wave *w, const struct sim_insn *in)			\
  {										\
    uint64_t def = ~UINT64_C (0);						\
    uint##A##_t a = sim_read##A (w, in, 0, &def);				\
    uint##D##_t d = (uint##D##_t) (result);					\
    w->scc = (condition);							\
    w->scc_def = def;								\
    sim_write##D (w, in->dst, d, def);						\
  }

#define SOP1_PLAIN(name, D, A, result)						\
  static void									\
  run_##name (struct sim_wave *w, const struct sim_insn *in)			\
  {										\
    uint64_t def = ~UINT64_C (0);						\
    uint##A##_t a = sim_read##A (w, in, 0, &def);				\
    sim_write##D (w, in->dst, (uint##D##_t) (result), def);			\
  }

#define SOPC(name, A, B, condition)						\
  static void									\
  run_##name (struct sim_wave *w, const struct sim_insn *in)			\
  {										\
    OPERANDS2 (A, B);								\
    w->scc = (condition);							\
    w->scc_def = def;								\
  }

/* The constant is k.  */
#define SOPK_COMPARE(name, type, op)						\
  static void									\
  run_##name (struct sim_wave *w, const struct sim_insn *in)			\
  {										\
    uint64_t def = ~UINT64_C (0);						\
    uint32_t a = sim_read32 (w, in, 0, &def);					\
    w->scc = (type) a op (type) in->offset;					\
    w->scc_def = def;								\
  }

/* -- SOP2 -- */

/* Carry out of the sum of three, signed overflow.  */
#define CARRY(x, y, z) ((uint64_t) (x) + (y) + (z) > UINT32_MAX)
#define OVERFLOWS(x, op, y)							\
  ((int64_t) (int32_t) (x) op (int32_t) (y)					\
   != (int32_t) ((uint32_t) (x) op (uint32_t) (y)))

SOP2_SCC (s_add_u32, 32, 32, 32, a + b, CARRY (a, b, 0))
SOP2_SCC (s_sub_u32, 32, 32, 32, a - b, b > a)
SOP2_SCC (s_add_i32, 32, 32, 32, a + b, OVERFLOWS (a, +, b))
SOP2_SCC (s_sub_i32, 32, 32, 32, a - b, OVERFLOWS (a, -, b))
SOP2_SCC (s_min_i32, 32, 32, 32, (int32_t) a < (int32_t) b ? a : b, (int32_t) a < (int32_t) b)
SOP2_SCC (s_min_u32, 32, 32, 32, a < b ? a : b, a < b)
SOP2_SCC (s_max_i32, 32, 32, 32, (int32_t) a > (int32_t) b ? a : b, (int32_t) a > (int32_t) b)
SOP2_SCC (s_max_u32, 32, 32, 32, a > b ? a : b, a > b)

static void
run_s_addc_u32 (struct sim_wave *w, const struct sim_insn *in)
{
  OPERANDS2 (32, 32);
  def &= w->scc_def;
  uint32_t carry = w->scc;
  w->scc = CARRY (a, b, carry);
  w->scc_def = def;
  sim_write32 (w, in->dst, a + b + carry, def);
}

static void
run_s_subb_u32 (struct sim_wave *w, const struct sim_insn *in)
{
  OPERANDS2 (32, 32);
  def &= w->scc_def;
  uint32_t borrow = w->scc;
  w->scc = (uint64_t) b + borrow > a;
  w->scc_def = def;
  sim_write32 (w, in->dst, a - b - borrow, def);
}

/* Only the source that is taken has to be defined.  */
#define CSELECT(name, D)							\
  static void									\
  run_##name (struct sim_wave *w, const struct sim_insn *in)			\
  {										\
    uint64_t def = w->scc_def;							\
    uint##D##_t d = sim_read##D (w, in, w->scc ? 0 : 1, &def);			\
    sim_write##D (w, in->dst, d, def);						\
  }
CSELECT (s_cselect_b32, 32)
CSELECT (s_cselect_b64, 64)

SOP2_BITS (s_and_b32, 32, 32, a & b)
SOP2_BITS (s_and_b64, 64, 64, a & b)
SOP2_BITS (s_or_b32, 32, 32, a | b)
SOP2_BITS (s_or_b64, 64, 64, a | b)
SOP2_BITS (s_xor_b32, 32, 32, a ^ b)
SOP2_BITS (s_xor_b64, 64, 64, a ^ b)
SOP2_BITS (s_andn2_b32, 32, 32, a & ~b)
SOP2_BITS (s_andn2_b64, 64, 64, a & ~b)
SOP2_BITS (s_orn2_b32, 32, 32, a | ~b)
SOP2_BITS (s_orn2_b64, 64, 64, a | ~b)
SOP2_BITS (s_nand_b32, 32, 32, ~(a & b))
SOP2_BITS (s_nand_b64, 64, 64, ~(a & b))
SOP2_BITS (s_nor_b32, 32, 32, ~(a | b))
SOP2_BITS (s_nor_b64, 64, 64, ~(a | b))
SOP2_BITS (s_xnor_b32, 32, 32, ~(a ^ b))
SOP2_BITS (s_xnor_b64, 64, 64, ~(a ^ b))
SOP2_BITS (s_lshl_b32, 32, 32, a << (b & 31))
SOP2_BITS (s_lshl_b64, 64, 32, a << (b & 63))
SOP2_BITS (s_lshr_b32, 32, 32, a >> (b & 31))
SOP2_BITS (s_lshr_b64, 64, 32, a >> (b & 63))
SOP2_BITS (s_ashr_i32, 32, 32, (int32_t) a >> (b & 31))
SOP2_BITS (s_ashr_i64, 64, 32, (int64_t) a >> (b & 63))
SOP2_PLAIN (s_bfm_b32, 32, 32, 32, ((UINT32_C (1) << (a & 31)) - 1) << (b & 31))
SOP2_PLAIN (s_bfm_b64, 64, 32, 32, ((UINT64_C (1) << (a & 63)) - 1) << (b & 63))
SOP2_PLAIN (s_mul_i32, 32, 32, 32, a * b)
SOP2_PLAIN (s_mul_hi_u32, 32, 32, 32, (uint64_t) a * b >> 32)
SOP2_PLAIN (s_mul_hi_i32, 32, 32, 32, (int64_t) (int32_t) a * (int32_t) b >> 32)

/* WIDTH bits of A from bit OFFSET on; what is beyond the top is not there.  */
static uint64_t
field (uint64_t a, unsigned offset, unsigned width, bool sign)
{
  if (width == 0)
    return 0;
  a >>= offset;
  if (width >= 64)
    return a;
  a &= (UINT64_C (1) << width) - 1;
  if (sign && a >> (width - 1))
    a |= ~UINT64_C (0) << width;
  return a;
}

/* A field of a 32-bit number that ends beyond it: its sign is the number's.  */
#define BFE32(sign) field ((sign) ? (uint64_t) (int64_t) (int32_t) a : a, b & 31,	\
			   (b >> 16 & 127) > 32 ? 32 : b >> 16 & 127, sign)
#define BFE64(sign) ((b & 63) + (b >> 16 & 127) >= 64 && (sign) && (b >> 16 & 127)		\
		     ? (uint64_t) ((int64_t) a >> (b & 63))					\
		     : field (a, b & 63, b >> 16 & 127, sign))
SOP2_BITS (s_bfe_u32, 32, 32, BFE32 (false))
SOP2_BITS (s_bfe_i32, 32, 32, BFE32 (true))
SOP2_BITS (s_bfe_u64, 64, 32, BFE64 (false))
SOP2_BITS (s_bfe_i64, 64, 32, BFE64 (true))
SOP2_BITS (s_absdiff_i32, 32, 32, (int32_t) (a - b) < 0 ? b - a : a - b)

#define LSHL_ADD(n) SOP2_SCC (s_lshl##n##_add_u32, 32, 32, 32, (a << n) + b,	\
			      ((uint64_t) a << n) + b > UINT32_MAX)
LSHL_ADD (1)
LSHL_ADD (2)
LSHL_ADD (3)
LSHL_ADD (4)
SOP2_PLAIN (s_pack_ll_b32_b16, 32, 32, 32, (a & 0xffff) | b << 16)
SOP2_PLAIN (s_pack_lh_b32_b16, 32, 32, 32, (a & 0xffff) | (b & 0xffff0000))
SOP2_PLAIN (s_pack_hh_b32_b16, 32, 32, 32, a >> 16 | (b & 0xffff0000))

/* -- SOP1 -- */

SOP1_PLAIN (s_mov_b32, 32, 32, a)
SOP1_PLAIN (s_mov_b64, 64, 64, a)
SOP1_SCC (s_not_b32, 32, 32, ~a, d != 0)
SOP1_SCC (s_not_b64, 64, 64, ~a, d != 0)

/* Without the condition the destination keeps what it has.  */
#define CMOV(name, D)								\
  static void									\
  run_##name (struct sim_wave *w, const struct sim_insn *in)			\
  {										\
    uint64_t def = w->scc_def;							\
    uint##D##_t d = sim_read##D (w, in, 0, &def);				\
    if (!w->scc_def)								\
      sim_fault (w, "SCC decides and is undefined");				\
    else if (w->scc)								\
      sim_write##D (w, in->dst, d, def);					\
  }
CMOV (s_cmov_b32, 32)
CMOV (s_cmov_b64, 64)

static uint64_t
reverse (uint64_t a, unsigned width)
{
  uint64_t d = 0;
  for (unsigned i = 0; i < width; i++)
    d |= (a >> i & 1) << (width - 1 - i);
  return d;
}

SOP1_PLAIN (s_brev_b32, 32, 32, reverse (a, 32))
SOP1_PLAIN (s_brev_b64, 64, 64, reverse (a, 64))
SOP1_SCC (s_bcnt0_i32_b32, 32, 32, __builtin_popcount (~a), d != 0)
SOP1_SCC (s_bcnt0_i32_b64, 32, 64, __builtin_popcountll (~a), d != 0)
SOP1_SCC (s_bcnt1_i32_b32, 32, 32, __builtin_popcount (a), d != 0)
SOP1_SCC (s_bcnt1_i32_b64, 32, 64, __builtin_popcountll (a), d != 0)

/* The first bit set from below, from above; -1: none.  flbit_i32: the first that differs from the sign.  */
#define FIRST_LOW(a) ((a) ? __builtin_ctzll (a) : -1)
#define FIRST_HIGH(a, width) ((a) ? __builtin_clzll (a) - (64 - width) : -1)
SOP1_PLAIN (s_ff0_i32_b32, 32, 32, FIRST_LOW ((uint32_t) ~a))
SOP1_PLAIN (s_ff0_i32_b64, 32, 64, FIRST_LOW (~a))
SOP1_PLAIN (s_ff1_i32_b32, 32, 32, FIRST_LOW (a))
SOP1_PLAIN (s_ff1_i32_b64, 32, 64, FIRST_LOW (a))
SOP1_PLAIN (s_flbit_i32_b32, 32, 32, FIRST_HIGH (a, 32))
SOP1_PLAIN (s_flbit_i32_b64, 32, 64, FIRST_HIGH (a, 64))
SOP1_PLAIN (s_flbit_i32, 32, 32, FIRST_HIGH ((int32_t) a < 0 ? ~a : a, 32))
SOP1_PLAIN (s_flbit_i32_i64, 32, 64, FIRST_HIGH ((int64_t) a < 0 ? ~a : a, 64))
SOP1_PLAIN (s_sext_i32_i8, 32, 32, (int8_t) a)
SOP1_PLAIN (s_sext_i32_i16, 32, 32, (int16_t) a)
SOP1_SCC (s_abs_i32, 32, 32, (int32_t) a < 0 ? -a : a, d != 0)

/* One bit of the destination.  */
#define BITSET(name, D, regs, change)						\
  static void									\
  run_##name (struct sim_wave *w, const struct sim_insn *in)			\
  {										\
    uint64_t def = w->sdef[in->dst] & w->sdef[in->dst + (regs) - 1];		\
    uint32_t n = sim_read32 (w, in, 0, &def) & (D - 1);				\
    uint##D##_t d = (regs) == 2 ? (uint##D##_t) w->s64[in->dst / 2] : w->s[in->dst];	\
    uint##D##_t bit = (uint##D##_t) 1 << n;					\
    sim_write##D (w, in->dst, change, def);					\
  }
BITSET (s_bitset0_b32, 32, 1, d & ~bit)
BITSET (s_bitset0_b64, 64, 2, d & ~bit)
BITSET (s_bitset1_b32, 32, 1, d | bit)
BITSET (s_bitset1_b64, 64, 2, d | bit)

/* The destination gets the old EXEC.  */
#define SAVEEXEC(name, result)							\
  static void									\
  run_##name (struct sim_wave *w, const struct sim_insn *in)			\
  {										\
    uint64_t def = ~UINT64_C (0);						\
    uint64_t a = sim_read64 (w, in, 0, &def), exec = sim_exec (w);		\
    uint64_t d = (result), exec_def = sim_exec_defined (w);			\
    def &= exec_def;								\
    sim_write64 (w, in->dst, exec, exec_def);					\
    sim_write64 (w, SIM_EXEC, d, def);						\
    w->scc = d != 0;								\
    w->scc_def = def;								\
  }
SAVEEXEC (s_and_saveexec_b64, a & exec)
SAVEEXEC (s_or_saveexec_b64, a | exec)
SAVEEXEC (s_xor_saveexec_b64, a ^ exec)
SAVEEXEC (s_andn2_saveexec_b64, a & ~exec)
SAVEEXEC (s_orn2_saveexec_b64, a | ~exec)
SAVEEXEC (s_nand_saveexec_b64, ~(a & exec))
SAVEEXEC (s_nor_saveexec_b64, ~(a | exec))
SAVEEXEC (s_xnor_saveexec_b64, ~(a ^ exec))

static void
run_s_getpc_b64 (struct sim_wave *w, const struct sim_insn *in)
{
  sim_write64 (w, in->dst, sim_pc (w, w->next), ~UINT64_C (0));
}

static void
jump (struct sim_wave *w, uint64_t pc, uint64_t def)
{
  if (!def)
    sim_fault (w, "jump to an undefined address");
  else
    sim_jump (w, pc);
}

static void
run_s_setpc_b64 (struct sim_wave *w, const struct sim_insn *in)
{
  uint64_t def = ~UINT64_C (0), pc = sim_read64 (w, in, 0, &def);
  jump (w, pc, def);
}

static void
run_s_swappc_b64 (struct sim_wave *w, const struct sim_insn *in)
{
  uint64_t def = ~UINT64_C (0), pc = sim_read64 (w, in, 0, &def);
  sim_write64 (w, in->dst, sim_pc (w, w->next), ~UINT64_C (0));
  jump (w, pc, def);
}

/* -- SOPC -- */

#define SOPC_I32(name, op) SOPC (name, 32, 32, (int32_t) a op (int32_t) b)
#define SOPC_U32(name, op) SOPC (name, 32, 32, a op b)
SOPC_I32 (s_cmp_eq_i32, ==)
SOPC_I32 (s_cmp_lg_i32, !=)
SOPC_I32 (s_cmp_gt_i32, >)
SOPC_I32 (s_cmp_ge_i32, >=)
SOPC_I32 (s_cmp_lt_i32, <)
SOPC_I32 (s_cmp_le_i32, <=)
SOPC_U32 (s_cmp_eq_u32, ==)
SOPC_U32 (s_cmp_lg_u32, !=)
SOPC_U32 (s_cmp_gt_u32, >)
SOPC_U32 (s_cmp_ge_u32, >=)
SOPC_U32 (s_cmp_lt_u32, <)
SOPC_U32 (s_cmp_le_u32, <=)
SOPC (s_bitcmp0_b32, 32, 32, !(a >> (b & 31) & 1))
SOPC (s_bitcmp1_b32, 32, 32, a >> (b & 31) & 1)
SOPC (s_bitcmp0_b64, 64, 32, !(a >> (b & 63) & 1))
SOPC (s_bitcmp1_b64, 64, 32, a >> (b & 63) & 1)
SOPC (s_cmp_eq_u64, 64, 64, a == b)
SOPC (s_cmp_lg_u64, 64, 64, a != b)

/* -- SOPK -- */

SOPK_COMPARE (s_cmpk_eq_i32, int32_t, ==)
SOPK_COMPARE (s_cmpk_lg_i32, int32_t, !=)
SOPK_COMPARE (s_cmpk_gt_i32, int32_t, >)
SOPK_COMPARE (s_cmpk_ge_i32, int32_t, >=)
SOPK_COMPARE (s_cmpk_lt_i32, int32_t, <)
SOPK_COMPARE (s_cmpk_le_i32, int32_t, <=)
SOPK_COMPARE (s_cmpk_eq_u32, uint32_t, ==)
SOPK_COMPARE (s_cmpk_lg_u32, uint32_t, !=)
SOPK_COMPARE (s_cmpk_gt_u32, uint32_t, >)
SOPK_COMPARE (s_cmpk_ge_u32, uint32_t, >=)
SOPK_COMPARE (s_cmpk_lt_u32, uint32_t, <)
SOPK_COMPARE (s_cmpk_le_u32, uint32_t, <=)

static void
run_s_movk_i32 (struct sim_wave *w, const struct sim_insn *in)
{
  sim_write32 (w, in->dst, (uint32_t) in->offset, ~UINT64_C (0));
}

static void
run_s_cmovk_i32 (struct sim_wave *w, const struct sim_insn *in)
{
  if (!w->scc_def)
    sim_fault (w, "SCC decides and is undefined");
  else if (w->scc)
    sim_write32 (w, in->dst, (uint32_t) in->offset, ~UINT64_C (0));
}

static void
run_s_addk_i32 (struct sim_wave *w, const struct sim_insn *in)
{
  uint32_t a = w->s[in->dst], k = (uint32_t) in->offset;
  uint64_t def = w->sdef[in->dst];
  w->scc = OVERFLOWS (a, +, k);
  w->scc_def = def;
  sim_write32 (w, in->dst, a + k, def);
}

static void
run_s_mulk_i32 (struct sim_wave *w, const struct sim_insn *in)
{
  sim_write32 (w, in->dst, w->s[in->dst] * (uint32_t) in->offset, w->sdef[in->dst]);
}

/* -- SOPP -- */

static void
run_s_branch (struct sim_wave *w, const struct sim_insn *in)
{
  sim_branch (w, in);
}

static void
run_s_call_b64 (struct sim_wave *w, const struct sim_insn *in)
{
  sim_write64 (w, in->dst, sim_pc (w, w->next), ~UINT64_C (0));
  sim_branch (w, in);
}

/* NAME: what the message calls it.  */
#define CBRANCH(name, what, def, condition)					\
  static void									\
  run_##name (struct sim_wave *w, const struct sim_insn *in)			\
  {										\
    if (__builtin_expect (!(def), 0))						\
      sim_fault (w, "branch on an undefined " what);				\
    else if (condition)								\
      sim_branch (w, in);							\
  }
#define VCC_DEF (w->sdef[SIM_VCC] & w->sdef[SIM_VCC + 1])
CBRANCH (s_cbranch_scc0, "SCC", w->scc_def, !w->scc)
CBRANCH (s_cbranch_scc1, "SCC", w->scc_def, w->scc)
CBRANCH (s_cbranch_vccz, "VCC", VCC_DEF, sim_vcc (w) == 0)
CBRANCH (s_cbranch_vccnz, "VCC", VCC_DEF, sim_vcc (w) != 0)
CBRANCH (s_cbranch_execz, "EXEC", sim_exec_defined (w), sim_exec (w) == 0)
CBRANCH (s_cbranch_execnz, "EXEC", sim_exec_defined (w), sim_exec (w) != 0)

static void
run_s_barrier (struct sim_wave *w, const struct sim_insn *in)
{
  (void) in;
  w->stop = SIM_BARRIER;
}

static void
run_s_sleep (struct sim_wave *w, const struct sim_insn *in)
{
  (void) in;
  w->stop = SIM_SLEEP;
}

static void
run_s_endpgm (struct sim_wave *w, const struct sim_insn *in)
{
  (void) in;
  w->stop = SIM_END;
}

static void
run_s_trap (struct sim_wave *w, const struct sim_insn *in)
{
  w->trap = in->offset & 0xff;
  w->stop = SIM_TRAP;
}

/* Message 1 is an interrupt: M0 is the event of a signal.  There is nobody to take the others.  */
static void
run_s_sendmsg (struct sim_wave *w, const struct sim_insn *in)
{
  if ((in->offset & 15) != 1)
    sim_fault (w, "message %d is not simulated", (int) in->offset);
  else if (!w->sdef[SIM_M0])
    sim_fault (w, "interrupt with an undefined M0");
  else
    sim_interrupt (w, w->s[SIM_M0]);
}

/* -- The table -- */

#define ALL(n) { n, n, n }
#define GFX9(n) { -1, n, n }

#define ROW_SOP2(n, name, type)							\
  { #name, SIM_SOP2, ALL (n), type, { type, type, 0 }, 0, run_##name, NULL }
#define ROW_SHIFT(n, name, type)						\
  { #name, SIM_SOP2, ALL (n), type, { type, SIM_B32, 0 }, 0, run_##name, NULL }
#define ROW_SOP2_GFX9(n, name)							\
  { #name, SIM_SOP2, GFX9 (n), SIM_B32, { SIM_B32, SIM_B32, 0 }, 0, run_##name, NULL }
#define ROW_SOP1(n, name, to, from)						\
  { #name, SIM_SOP1, ALL (n), to, { from, 0, 0 }, 0, run_##name, NULL }
#define ROW_SOPC(n, name, a, b)							\
  { #name, SIM_SOPC, ALL (n), 0, { a, b, 0 }, 0, run_##name, NULL }
#define ROW_CMPK(n, name, flags)						\
  { #name, SIM_SOPK, ALL (n), 0, { SIM_B32, 0, 0 }, flags, run_##name, NULL }
#define ROW_SOPK(n, name)							\
  { #name, SIM_SOPK, ALL (n), SIM_B32, { 0, 0, 0 }, SIM_OP_SIGNED, run_##name, NULL }
#define ROW_SOPP(n, name, flags, function)					\
  { #name, SIM_SOPP, ALL (n), 0, { 0, 0, 0 }, flags, function, NULL }

const struct sim_opcode sim_scalar_opcodes[] =
{
  ROW_SOP2 (0, s_add_u32, SIM_B32),
  ROW_SOP2 (1, s_sub_u32, SIM_B32),
  ROW_SOP2 (2, s_add_i32, SIM_B32),
  ROW_SOP2 (3, s_sub_i32, SIM_B32),
  ROW_SOP2 (4, s_addc_u32, SIM_B32),
  ROW_SOP2 (5, s_subb_u32, SIM_B32),
  ROW_SOP2 (6, s_min_i32, SIM_B32),
  ROW_SOP2 (7, s_min_u32, SIM_B32),
  ROW_SOP2 (8, s_max_i32, SIM_B32),
  ROW_SOP2 (9, s_max_u32, SIM_B32),
  ROW_SOP2 (10, s_cselect_b32, SIM_B32),
  ROW_SOP2 (11, s_cselect_b64, SIM_B64),
  ROW_SOP2 (12, s_and_b32, SIM_B32),
  ROW_SOP2 (13, s_and_b64, SIM_B64),
  ROW_SOP2 (14, s_or_b32, SIM_B32),
  ROW_SOP2 (15, s_or_b64, SIM_B64),
  ROW_SOP2 (16, s_xor_b32, SIM_B32),
  ROW_SOP2 (17, s_xor_b64, SIM_B64),
  ROW_SOP2 (18, s_andn2_b32, SIM_B32),
  ROW_SOP2 (19, s_andn2_b64, SIM_B64),
  ROW_SOP2 (20, s_orn2_b32, SIM_B32),
  ROW_SOP2 (21, s_orn2_b64, SIM_B64),
  ROW_SOP2 (22, s_nand_b32, SIM_B32),
  ROW_SOP2 (23, s_nand_b64, SIM_B64),
  ROW_SOP2 (24, s_nor_b32, SIM_B32),
  ROW_SOP2 (25, s_nor_b64, SIM_B64),
  ROW_SOP2 (26, s_xnor_b32, SIM_B32),
  ROW_SOP2 (27, s_xnor_b64, SIM_B64),
  ROW_SHIFT (28, s_lshl_b32, SIM_B32),
  ROW_SHIFT (29, s_lshl_b64, SIM_B64),
  ROW_SHIFT (30, s_lshr_b32, SIM_B32),
  ROW_SHIFT (31, s_lshr_b64, SIM_B64),
  ROW_SHIFT (32, s_ashr_i32, SIM_B32),
  ROW_SHIFT (33, s_ashr_i64, SIM_I64),
  ROW_SOP2 (34, s_bfm_b32, SIM_B32),
  { "s_bfm_b64", SIM_SOP2, ALL (35), SIM_B64, { SIM_B32, SIM_B32, 0 }, 0, run_s_bfm_b64, NULL },
  ROW_SOP2 (36, s_mul_i32, SIM_B32),
  ROW_SHIFT (37, s_bfe_u32, SIM_B32),
  ROW_SHIFT (38, s_bfe_i32, SIM_B32),
  ROW_SHIFT (39, s_bfe_u64, SIM_B64),
  ROW_SHIFT (40, s_bfe_i64, SIM_I64),
  ROW_SOP2 (42, s_absdiff_i32, SIM_B32),
  ROW_SOP2_GFX9 (44, s_mul_hi_u32),
  ROW_SOP2_GFX9 (45, s_mul_hi_i32),
  ROW_SOP2_GFX9 (46, s_lshl1_add_u32),
  ROW_SOP2_GFX9 (47, s_lshl2_add_u32),
  ROW_SOP2_GFX9 (48, s_lshl3_add_u32),
  ROW_SOP2_GFX9 (49, s_lshl4_add_u32),
  ROW_SOP2_GFX9 (50, s_pack_ll_b32_b16),
  ROW_SOP2_GFX9 (51, s_pack_lh_b32_b16),
  ROW_SOP2_GFX9 (52, s_pack_hh_b32_b16),

  ROW_SOP1 (0, s_mov_b32, SIM_B32, SIM_B32),
  ROW_SOP1 (1, s_mov_b64, SIM_B64, SIM_B64),
  ROW_SOP1 (2, s_cmov_b32, SIM_B32, SIM_B32),
  ROW_SOP1 (3, s_cmov_b64, SIM_B64, SIM_B64),
  ROW_SOP1 (4, s_not_b32, SIM_B32, SIM_B32),
  ROW_SOP1 (5, s_not_b64, SIM_B64, SIM_B64),
  ROW_SOP1 (8, s_brev_b32, SIM_B32, SIM_B32),
  ROW_SOP1 (9, s_brev_b64, SIM_B64, SIM_B64),
  ROW_SOP1 (10, s_bcnt0_i32_b32, SIM_B32, SIM_B32),
  ROW_SOP1 (11, s_bcnt0_i32_b64, SIM_B32, SIM_B64),
  ROW_SOP1 (12, s_bcnt1_i32_b32, SIM_B32, SIM_B32),
  ROW_SOP1 (13, s_bcnt1_i32_b64, SIM_B32, SIM_B64),
  ROW_SOP1 (14, s_ff0_i32_b32, SIM_B32, SIM_B32),
  ROW_SOP1 (15, s_ff0_i32_b64, SIM_B32, SIM_B64),
  ROW_SOP1 (16, s_ff1_i32_b32, SIM_B32, SIM_B32),
  ROW_SOP1 (17, s_ff1_i32_b64, SIM_B32, SIM_B64),
  ROW_SOP1 (18, s_flbit_i32_b32, SIM_B32, SIM_B32),
  ROW_SOP1 (19, s_flbit_i32_b64, SIM_B32, SIM_B64),
  ROW_SOP1 (20, s_flbit_i32, SIM_B32, SIM_B32),
  ROW_SOP1 (21, s_flbit_i32_i64, SIM_B32, SIM_I64),
  ROW_SOP1 (22, s_sext_i32_i8, SIM_B32, SIM_B32),
  ROW_SOP1 (23, s_sext_i32_i16, SIM_B32, SIM_B32),
  ROW_SOP1 (24, s_bitset0_b32, SIM_B32, SIM_B32),
  ROW_SOP1 (25, s_bitset0_b64, SIM_B64, SIM_B32),
  ROW_SOP1 (26, s_bitset1_b32, SIM_B32, SIM_B32),
  ROW_SOP1 (27, s_bitset1_b64, SIM_B64, SIM_B32),
  ROW_SOP1 (28, s_getpc_b64, SIM_B64, 0),
  { "s_setpc_b64", SIM_SOP1, ALL (29), 0, { SIM_B64, 0, 0 }, SIM_OP_ENDS, run_s_setpc_b64, NULL },
  ROW_SOP1 (30, s_swappc_b64, SIM_B64, SIM_B64),
  ROW_SOP1 (32, s_and_saveexec_b64, SIM_B64, SIM_B64),
  ROW_SOP1 (33, s_or_saveexec_b64, SIM_B64, SIM_B64),
  ROW_SOP1 (34, s_xor_saveexec_b64, SIM_B64, SIM_B64),
  ROW_SOP1 (35, s_andn2_saveexec_b64, SIM_B64, SIM_B64),
  ROW_SOP1 (36, s_orn2_saveexec_b64, SIM_B64, SIM_B64),
  ROW_SOP1 (37, s_nand_saveexec_b64, SIM_B64, SIM_B64),
  ROW_SOP1 (38, s_nor_saveexec_b64, SIM_B64, SIM_B64),
  ROW_SOP1 (39, s_xnor_saveexec_b64, SIM_B64, SIM_B64),
  ROW_SOP1 (48, s_abs_i32, SIM_B32, SIM_B32),

  ROW_SOPC (0, s_cmp_eq_i32, SIM_B32, SIM_B32),
  ROW_SOPC (1, s_cmp_lg_i32, SIM_B32, SIM_B32),
  ROW_SOPC (2, s_cmp_gt_i32, SIM_B32, SIM_B32),
  ROW_SOPC (3, s_cmp_ge_i32, SIM_B32, SIM_B32),
  ROW_SOPC (4, s_cmp_lt_i32, SIM_B32, SIM_B32),
  ROW_SOPC (5, s_cmp_le_i32, SIM_B32, SIM_B32),
  ROW_SOPC (6, s_cmp_eq_u32, SIM_B32, SIM_B32),
  ROW_SOPC (7, s_cmp_lg_u32, SIM_B32, SIM_B32),
  ROW_SOPC (8, s_cmp_gt_u32, SIM_B32, SIM_B32),
  ROW_SOPC (9, s_cmp_ge_u32, SIM_B32, SIM_B32),
  ROW_SOPC (10, s_cmp_lt_u32, SIM_B32, SIM_B32),
  ROW_SOPC (11, s_cmp_le_u32, SIM_B32, SIM_B32),
  ROW_SOPC (12, s_bitcmp0_b32, SIM_B32, SIM_B32),
  ROW_SOPC (13, s_bitcmp1_b32, SIM_B32, SIM_B32),
  ROW_SOPC (14, s_bitcmp0_b64, SIM_B64, SIM_B32),
  ROW_SOPC (15, s_bitcmp1_b64, SIM_B64, SIM_B32),
  ROW_SOPC (18, s_cmp_eq_u64, SIM_B64, SIM_B64),
  ROW_SOPC (19, s_cmp_lg_u64, SIM_B64, SIM_B64),

  ROW_SOPK (0, s_movk_i32),
  ROW_SOPK (1, s_cmovk_i32),
  ROW_CMPK (2, s_cmpk_eq_i32, SIM_OP_SIGNED),
  ROW_CMPK (3, s_cmpk_lg_i32, SIM_OP_SIGNED),
  ROW_CMPK (4, s_cmpk_gt_i32, SIM_OP_SIGNED),
  ROW_CMPK (5, s_cmpk_ge_i32, SIM_OP_SIGNED),
  ROW_CMPK (6, s_cmpk_lt_i32, SIM_OP_SIGNED),
  ROW_CMPK (7, s_cmpk_le_i32, SIM_OP_SIGNED),
  ROW_CMPK (8, s_cmpk_eq_u32, 0),
  ROW_CMPK (9, s_cmpk_lg_u32, 0),
  ROW_CMPK (10, s_cmpk_gt_u32, 0),
  ROW_CMPK (11, s_cmpk_ge_u32, 0),
  ROW_CMPK (12, s_cmpk_lt_u32, 0),
  ROW_CMPK (13, s_cmpk_le_u32, 0),
  ROW_SOPK (14, s_addk_i32),
  ROW_SOPK (15, s_mulk_i32),
  { "s_call_b64", SIM_SOPK, GFX9 (21), SIM_B64, { 0, 0, 0 }, SIM_OP_SIGNED | SIM_OP_BRANCH,
    run_s_call_b64, NULL },

  ROW_SOPP (0, s_nop, 0, sim_run_nothing),
  ROW_SOPP (1, s_endpgm, SIM_OP_ENDS, run_s_endpgm),
  ROW_SOPP (2, s_branch, SIM_OP_ENDS | SIM_OP_BRANCH, run_s_branch),
  ROW_SOPP (3, s_wakeup, 0, sim_run_nothing),
  ROW_SOPP (4, s_cbranch_scc0, SIM_OP_BRANCH, run_s_cbranch_scc0),
  ROW_SOPP (5, s_cbranch_scc1, SIM_OP_BRANCH, run_s_cbranch_scc1),
  ROW_SOPP (6, s_cbranch_vccz, SIM_OP_BRANCH, run_s_cbranch_vccz),
  ROW_SOPP (7, s_cbranch_vccnz, SIM_OP_BRANCH, run_s_cbranch_vccnz),
  ROW_SOPP (8, s_cbranch_execz, SIM_OP_BRANCH, run_s_cbranch_execz),
  ROW_SOPP (9, s_cbranch_execnz, SIM_OP_BRANCH, run_s_cbranch_execnz),
  ROW_SOPP (10, s_barrier, 0, run_s_barrier),
  ROW_SOPP (12, s_waitcnt, 0, sim_run_nothing),
  ROW_SOPP (14, s_sleep, 0, run_s_sleep),
  ROW_SOPP (15, s_setprio, 0, sim_run_nothing),
  ROW_SOPP (16, s_sendmsg, 0, run_s_sendmsg),
  ROW_SOPP (18, s_trap, 0, run_s_trap),
  ROW_SOPP (19, s_icache_inv, 0, sim_run_nothing),
  { .name = NULL }
};
