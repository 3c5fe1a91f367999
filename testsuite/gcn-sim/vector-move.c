/* vector-move.c -- vector opcodes that move data: between lanes, between lanes and SGPRs,
   between the two kinds of VGPRs; v_cndmask.

   v_readlane and v_writelane do not ask EXEC.  A lane number must be defined.  */

#include "vector.h"

SIMV_DEFINE1 (mov_b32, CHEAP, 0, U32, U32, a)
SIMV_DEFINE1 (accvgpr_mov_b32, CHEAP, 0, U32, U32, a)
SIMV_DEFINE1 (accvgpr_read_b32, CHEAP, 0, U32, U32, a)
SIMV_DEFINE1 (accvgpr_write_b32, CHEAP, 0, U32, U32, a)

static void
v_nop_one (struct sim_wave *w, const struct sim_insn *in)
{
  (void) w;
  (void) in;
}

/* -- One lane -- */

/* The lane number in source K.  */
static unsigned
lane_number (struct sim_wave *w, const struct sim_insn *in, unsigned k)
{
  uint64_t def = ~UINT64_C (0);
  uint32_t lane = sim_read32 (w, in, k, &def);
  if (__builtin_expect (!def, 0))
    sim_fault (w, "an undefined lane number");
  return lane & (SIM_LANES - 1);
}

static void
v_readlane_b32_one (struct sim_wave *w, const struct sim_insn *in)
{
  unsigned v = in->src[0] - SIM_VGPR, lane = lane_number (w, in, 1);
  sim_write32 (w, in->dst, w->vgpr[v][lane], -(w->vdef[v] >> lane & 1));
  w->lane_ops++;
}

static void
v_readfirstlane_b32_one (struct sim_wave *w, const struct sim_insn *in)
{
  uint64_t exec = sim_exec (w), def = ~UINT64_C (0);
  unsigned lane = exec == 0 ? 0 : (unsigned) __builtin_ctzll (exec);
  w->lane_ops++;
  if (in->src[0] < SIM_VGPR)
    {
      uint32_t value = sim_read32 (w, in, 0, &def);
      sim_write32 (w, in->dst, value, def);
      return;
    }
  unsigned v = in->src[0] - SIM_VGPR;
  sim_write32 (w, in->dst, w->vgpr[v][lane], -(w->vdef[v] >> lane & 1));
}

static void
v_writelane_b32_one (struct sim_wave *w, const struct sim_insn *in)
{
  uint64_t def = ~UINT64_C (0);
  uint32_t value = sim_read32 (w, in, 0, &def);
  unsigned v = in->dst - SIM_VGPR, lane = lane_number (w, in, 1);
  uint64_t bit = UINT64_C (1) << lane;
  w->vgpr[v][lane] = value;
  w->vdef[v] = (w->vdef[v] & ~bit) | (def & bit);
  w->lane_ops++;
}

static void
v_swap_b32_one (struct sim_wave *w, const struct sim_insn *in)
{
  unsigned a = in->dst - SIM_VGPR, b = in->src[0] - SIM_VGPR;
  uint64_t exec = sim_exec (w), differ = (w->vdef[a] ^ w->vdef[b]) & exec;
  for (uint64_t left = exec; left != 0; left &= left - 1)
    {
      unsigned l = (unsigned) __builtin_ctzll (left);
      uint32_t t = w->vgpr[a][l];
      w->vgpr[a][l] = w->vgpr[b][l];
      w->vgpr[b][l] = t;
    }
  w->vdef[a] ^= differ;
  w->vdef[b] ^= differ;
  w->lane_ops += (unsigned) __builtin_popcountll (exec);
}

static const struct simv_impl v_nop_impl = { v_nop_one, NULL, 0 };
static const struct simv_impl v_readlane_b32_impl = { v_readlane_b32_one, NULL, 0 };
static const struct simv_impl v_readfirstlane_b32_impl = { v_readfirstlane_b32_one, NULL, 0 };
static const struct simv_impl v_writelane_b32_impl = { v_writelane_b32_one, NULL, 0 };
static const struct simv_impl v_swap_b32_impl = { v_swap_b32_one, NULL, 0 };

/* -- Selection -- */

static void
v_cndmask_b32_all (struct simv_args *args)
{
  const struct simv_args y = *args, *x = &y;
  uint8_t second[SIM_LANES];
  simv_unpack (x->cin, second);
  SIMV_LOOP_CHEAP (x, l)
    x->dlo[l] = second[l] ? x->lo[1][l] : x->lo[0][l];
}

static void
v_cndmask_b32_one (struct sim_wave *w, const struct sim_insn *in)
{
  if (__builtin_expect (sim_exec (w) != 1, 0))
    {
      simv_many (w, in);
      return;
    }
  uint64_t def[2] = { 1, 1 }, which_def = 1;
  uint32_t value[2];
  for (unsigned k = 0; k < 2; k++)
    value[k] = simv_modify32 (in, k, simv_get32 (w, in, k, &def[k]));
  unsigned which = sim_read64 (w, in, 2, &which_def) & 1;
  simv_set32 (w, in, value[which],
	      which_def != 0 ? def[which] : value[0] == value[1] ? def[0] & def[1] : 0);
}

static const struct simv_impl v_cndmask_b32_impl
  = { v_cndmask_b32_one, v_cndmask_b32_all, SIMV_SELECT };

/* -- Lanes below this one -- */

static void
v_mbcnt_lo_u32_b32_all (struct simv_args *x)
{
  for (int l = 0; l < SIM_LANES; l++)
    {
      uint32_t below = l >= 32 ? UINT32_MAX : (UINT32_C (1) << l) - 1;
      x->dlo[l] = (uint32_t) __builtin_popcount (x->lo[0][l] & below) + x->lo[1][l];
    }
}

static void
v_mbcnt_hi_u32_b32_all (struct simv_args *x)
{
  for (int l = 0; l < SIM_LANES; l++)
    {
      uint32_t below = l < 32 ? 0 : (UINT32_C (1) << (l - 32)) - 1;
      x->dlo[l] = (uint32_t) __builtin_popcount (x->lo[0][l] & below) + x->lo[1][l];
    }
}

static const struct simv_impl v_mbcnt_lo_u32_b32_impl
  = { simv_many, v_mbcnt_lo_u32_b32_all, 0 };
static const struct simv_impl v_mbcnt_hi_u32_b32_impl
  = { simv_many, v_mbcnt_hi_u32_b32_all, 0 };

const struct sim_opcode simv_move_opcodes[] = {
  { "v_nop", SIM_VOP1, { 0, 0, 0 }, SIM_T_NONE, { 0, 0, 0 }, 0, NULL, &v_nop_impl },
  SIMV_ROW1 (VOP1, mov_b32, 1, 1, 1, U32, U32, 0)
  SIMV_ROW1 (VOP1, readfirstlane_b32, 2, 2, 2, U32, U32, SIM_OP_SDST | SIM_OP_NO_VOP3)
  SIMV_ROW1 (VOP1, swap_b32, -1, 81, 81, U32, U32, SIM_OP_NO_VOP3)
  SIMV_ROW1 (VOP1, accvgpr_mov_b32, -1, -1, 82, U32, U32,
	     SIM_OP_NO_VOP3 | SIM_OP_ACC_SRC | SIM_OP_ACC_DST)
  { "v_cndmask_b32", SIM_VOP2, { 0, 0, 0 }, SIM_B32, { SIM_F32, SIM_F32, SIM_T_MASK },
    SIM_OP_CARRY_IN, NULL, &v_cndmask_b32_impl },
  SIMV_ROW2 (VOP3, readlane_b32, 0x289, 0x289, 0x289, U32, U32, U32, SIM_OP_SDST)
  SIMV_ROW2 (VOP3, writelane_b32, 0x28a, 0x28a, 0x28a, U32, U32, U32, 0)
  SIMV_ROW2 (VOP3, mbcnt_lo_u32_b32, 0x28c, 0x28c, 0x28c, U32, U32, U32, 0)
  SIMV_ROW2 (VOP3, mbcnt_hi_u32_b32, 0x28d, 0x28d, 0x28d, U32, U32, U32, 0)
  SIMV_ROW1 (VOP3P, accvgpr_read_b32, -1, 0x58, 0x58, U32, U32, SIM_OP_ACC_SRC)
  SIMV_ROW1 (VOP3P, accvgpr_write_b32, -1, 0x59, 0x59, U32, U32, SIM_OP_ACC_DST)
  SIMV_ROWS_END
};
