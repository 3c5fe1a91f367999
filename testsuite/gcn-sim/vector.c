/* vector.c -- vector instructions in all their forms: which handler an instruction gets, and the
   handlers of any EXEC, DPP, SDWA, clamp and op_sel.  vector.h tells how the rest fits in.

   Called by the decoder (simv_bind) and as handlers of instructions.  */

#include "vector.h"

const struct sim_opcode *const simv_opcodes[] = {
  simv_move_opcodes, simv_int_opcodes, simv_float_opcodes, simv_convert_opcodes,
  simv_compare_opcodes, NULL
};

/* -- Which handler -- */

static bool
is_float (unsigned type)
{
  return type == SIM_F32 || type == SIM_F64;
}

static bool
is_short (unsigned type)
{
  return type == SIM_B16 || type == SIM_I16;
}

/* Bit n for source N that may have the modifiers neg and abs.  */
static unsigned
float_sources (const struct sim_opcode *op)
{
  unsigned sources = 0;
  for (unsigned k = 0; k < 3; k++)
    sources |= (unsigned) is_float (op->src[k]) << k;
  return sources;
}

/* Those that are values, not lane masks.  */
static unsigned
number_of_sources (const struct sim_opcode *op)
{
  unsigned n = 0;
  while (n < 3 && op->src[n] != SIM_T_NONE && op->src[n] != SIM_T_MASK)
    n++;
  return n;
}

sim_handler *
simv_bind (struct sim_insn *in)
{
  const struct sim_opcode *op = in->op;
  const struct simv_impl *impl = op->aux;
  unsigned modified = in->neg | in->abs;
  in->aux[0] = (unsigned char) number_of_sources (op);	/* for simv_many, simv_complex */

  if (in->format == SIM_VOP3P)
    /* Only v_accvgpr_read and _write; the assembler sets op_sel_hi or not.  */
    return modified == 0 && !in->clamp ? impl->one : NULL;
  if (impl->all == NULL)
    return in->variant == SIM_PLAIN && modified == 0 && !in->clamp && in->opsel == 0
	   ? impl->one : NULL;
  if ((modified & ~float_sources (op)) != 0)
    return NULL;
  if (in->clamp && !is_float (op->dst) && op->dst != SIM_T_MASK)
    return NULL;
  if (in->variant != SIM_PLAIN)
    {
      /* Neither form has operands of 64 bits.  */
      if (sim_type_regs (op->src[0]) != 1 || sim_type_regs (op->src[1]) > 1
	  || (op->dst != SIM_T_MASK && sim_type_regs (op->dst) != 1))
	return NULL;
      return simv_complex;
    }
  if (in->opsel != 0)
    {
      /* Bit k: the high half of source k; bit 3: of the destination.  */
      for (unsigned k = 0; k < 3; k++)
	if ((in->opsel >> k & 1) != 0 && !is_short (op->src[k]))
	  return NULL;
      if ((in->opsel & 8) != 0 && !is_short (op->dst))
	return NULL;
      return simv_complex;
    }
  /* The result modifier omod has no effect: denormals are kept, and then the hardware ignores
     it.  */
  return in->clamp ? simv_complex : impl->one;
}

/* -- Any EXEC -- */

/* A source for all lanes.  */
struct source
{
  uint32_t lo[SIM_LANES], hi[SIM_LANES];
};

/* The lanes of source K: where they are, or copied to ROOM.  Returns the defined ones.  */
static uint64_t
fetch (struct sim_wave *w, const struct sim_insn *in, unsigned k, struct source *room, bool copy,
       const uint32_t **lo, const uint32_t **hi)
{
  bool wide = sim_type_regs (in->op->src[k]) == 2;
  unsigned code = in->src[k];
  *lo = room->lo;
  *hi = room->hi;
  if (code >= SIM_VGPR)
    {
      const uint32_t (*v)[SIM_LANES] = w->vgpr + (code - SIM_VGPR);
      uint64_t def = w->vdef[code - SIM_VGPR];
      if (wide)
	def &= w->vdef[code - SIM_VGPR + 1];
      if (!copy)
	{
	  *lo = v[0];
	  *hi = wide ? v[1] : NULL;
	  return def;
	}
      memcpy (room->lo, v[0], sizeof room->lo);
      if (wide)
	memcpy (room->hi, v[1], sizeof room->hi);
      return def;
    }
  uint64_t def = ~UINT64_C (0);
  uint64_t value = wide ? sim_read64 (w, in, k, &def) : sim_read32 (w, in, k, &def);
  for (int l = 0; l < SIM_LANES; l++)
    room->lo[l] = (uint32_t) value;
  if (wide)
    for (int l = 0; l < SIM_LANES; l++)
      room->hi[l] = (uint32_t) (value >> 32);
  return def;
}

/* abs and neg of source K, which has been copied to ROOM.  */
static void
modify (const struct sim_insn *in, unsigned k, struct source *room)
{
  uint32_t *top = sim_type_regs (in->op->src[k]) == 2 ? room->hi : room->lo;
  uint32_t clear = ~((uint32_t) (in->abs >> k) << 31), flip = (uint32_t) (in->neg >> k) << 31;
  for (int l = 0; l < SIM_LANES; l++)
    top[l] = (top[l] & clear) ^ flip;
}

static void
merge (uint32_t *to, const uint32_t *from, uint64_t mask)
{
  if (mask == ~UINT64_C (0))
    memcpy (to, from, SIM_LANES * sizeof *to);
  else
    for (uint64_t left = mask; left != 0; left &= left - 1)
      {
	unsigned l = (unsigned) __builtin_ctzll (left);
	to[l] = from[l];
      }
}

/* The lane mask that the instruction reads besides its sources; *DEF: whether it is defined.  */
static uint64_t
read_mask (struct sim_wave *w, const struct sim_insn *in, const struct simv_impl *impl,
	   uint64_t *def)
{
  if ((impl->flags & SIMV_READS_VCC) != 0)
    {
      *def &= w->sdef[SIM_VCC] & w->sdef[SIM_VCC + 1];
      return sim_vcc (w);
    }
  return (in->op->flags & SIM_OP_CARRY_IN) != 0 ? sim_read64 (w, in, 2, def) : 0;
}

/* Write the lane mask that the kernel made.  DEFINED: the lanes whose sources are.  */
static void
write_mask (struct sim_wave *w, const struct sim_insn *in, const struct simv_impl *impl,
	    uint64_t mask, uint64_t defined, uint64_t active)
{
  uint64_t def = active != 1 ? ~UINT64_C (0) : -(defined & 1);
  if (in->op->dst != SIM_T_MASK)
    sim_write64 (w, in->sdst, mask & active, def);
  else
    {
      sim_write64 (w, in->dst, mask & active, def);
      if ((impl->flags & SIMV_CMPX) != 0)
	sim_write64 (w, SIM_EXEC, mask & active, def);
    }
}

/* Definedness of the result, by that of the N sources, and of the lane mask: DEF.  */
static uint64_t
defined (const struct simv_impl *impl, const struct simv_args *args, const uint64_t *sources,
	 unsigned n, uint64_t def)
{
  if ((impl->flags & SIMV_SELECT) != 0)
    {
      if (def != 0)
	return (args->cin & sources[1]) | (~args->cin & sources[0]);
      /* No matter which one.  */
      uint64_t same = 0;
      for (int l = 0; l < SIM_LANES; l++)
	same |= (uint64_t) (args->lo[0][l] == args->lo[1][l]) << l;
      return same & sources[0] & sources[1];
    }
  if ((impl->flags & SIMV_BITS) != 0)
    return sources[0] | sources[1] | (n > 2 ? sources[2] : 0);
  return def & sources[0] & sources[1] & sources[2];
}

void
simv_many (struct sim_wave *w, const struct sim_insn *in)
{
  const struct sim_opcode *op = in->op;
  const struct simv_impl *impl = op->aux;
  struct simv_args args;
  struct source room[3], result;
  uint64_t def[3] = { ~UINT64_C (0), ~UINT64_C (0), ~UINT64_C (0) }, mask_def = ~UINT64_C (0);
  uint64_t active = sim_exec (w);

  unsigned n = in->aux[0];
  for (unsigned k = 0; k < n; k++)
    {
      bool modified = ((in->neg | in->abs) >> k & 1) != 0;
      def[k] = fetch (w, in, k, room + k, modified, &args.lo[k], &args.hi[k]);
      if (modified)
	modify (in, k, room + k);
    }
  args.mask = active;
  args.cin = read_mask (w, in, impl, &mask_def);
  args.cout = 0;
  uint64_t all_def = defined (impl, &args, def, n, mask_def);
  w->lane_ops += (unsigned) __builtin_popcountll (active);

  if (op->dst == SIM_T_MASK)
    {
      impl->all (&args);
      write_mask (w, in, impl, args.cout, all_def, active);
      return;
    }

  unsigned d = in->dst - SIM_VGPR;
  bool wide = sim_type_regs (op->dst) == 2;
  if (active == ~UINT64_C (0))
    {
      args.dlo = w->vgpr[d];
      args.dhi = wide ? w->vgpr[d + 1] : NULL;
      impl->all (&args);
    }
  else
    {
      args.dlo = result.lo;
      args.dhi = result.hi;
      impl->all (&args);
      merge (w->vgpr[d], result.lo, active);
      if (wide)
	merge (w->vgpr[d + 1], result.hi, active);
    }
  w->vdef[d] = (w->vdef[d] & ~active) | (all_def & active);
  if (wide)
    w->vdef[d + 1] = (w->vdef[d + 1] & ~active) | (all_def & active);
  if ((op->flags & SIM_OP_CARRY_OUT) != 0)
    write_mask (w, in, impl, args.cout, all_def, active);
}

/* -- DPP -- */

/* The lane that lane L reads under the control CTRL; -1: there is none, -2: no such control.  */
static int
dpp_lane (unsigned ctrl, int l)
{
  int row = l & ~15, in_row = l & 15, n = (int) (ctrl & 15);
  if (ctrl <= 0xff)			/* quad_perm */
    return (l & ~3) | (int) (ctrl >> 2 * (l & 3) & 3);
  switch (ctrl & ~15u)
    {
    case 0x100:				/* row_shl */
      return n == 0 ? -2 : in_row + n < 16 ? l + n : -1;
    case 0x110:				/* row_shr */
      return n == 0 ? -2 : in_row >= n ? l - n : -1;
    case 0x120:				/* row_ror */
      return n == 0 ? -2 : row | ((in_row - n) & 15);
    case 0x150:				/* row_newbcast */
      return row | n;
    }
  switch (ctrl)
    {
    case 0x130:				/* wave_shl:1 */
      return l + 1 < SIM_LANES ? l + 1 : -1;
    case 0x134:				/* wave_rol:1 */
      return (l + 1) & (SIM_LANES - 1);
    case 0x138:				/* wave_shr:1 */
      return l - 1;
    case 0x13c:				/* wave_ror:1 */
      return (l - 1) & (SIM_LANES - 1);
    case 0x140:				/* row_mirror */
      return row | (15 - in_row);
    case 0x141:				/* row_half_mirror */
      return (l & ~7) | (7 - (l & 7));
    case 0x142:				/* row_bcast:15 */
      return row == 0 ? -1 : row - 1;
    case 0x143:				/* row_bcast:31 */
      return l < 32 ? -1 : 31;
    default:
      return -2;
    }
}

/* Permute the lanes of ROOM, of which *DEF are defined.  A lane that is not active cannot be
   read.  Returns the lanes that the instruction writes.  */
static uint64_t
permute (struct sim_wave *w, const struct sim_insn *in, uint64_t active, struct source *room,
	 uint64_t *def)
{
  uint32_t from[SIM_LANES];
  uint64_t from_def = *def, written = 0;
  memcpy (from, room->lo, sizeof from);
  *def = 0;
  for (int l = 0; l < SIM_LANES; l++)
    {
      int source = dpp_lane (in->dpp_ctrl, l);
      if (source == -2)
	{
	  sim_fault (w, "no such DPP control");
	  return 0;
	}
      bool valid = source >= 0 && (active >> source & 1) != 0;
      room->lo[l] = valid ? from[source] : 0;
      *def |= (valid ? from_def >> source & 1 : UINT64_C (1)) << l;
      if ((valid || in->bound_ctrl) && (in->row_mask >> (l >> 4) & 1) != 0
	  && (in->bank_mask >> (l >> 2 & 3) & 1) != 0)
	written |= UINT64_C (1) << l;
    }
  return written & active;
}

/* -- SDWA and op_sel -- */

/* Bytes, words and the double word of selection SEL: where they begin, how many bits.  */
static const unsigned char sel_shift[7] = { 0, 8, 16, 24, 0, 16, 0 };
static const unsigned char sel_width[7] = { 8, 8, 8, 8, 16, 16, 32 };

static void
select_part (unsigned sel, bool sext, uint32_t *lanes)
{
  unsigned up = 32u - sel_width[sel] - sel_shift[sel], down = 32u - sel_width[sel];
  for (int l = 0; l < SIM_LANES; l++)
    {
      uint32_t v = lanes[l] << up;
      lanes[l] = sext ? (uint32_t) ((int32_t) v >> down) : v >> down;
    }
}

/* Put the low bits of each lane of RESULT at the place of selection SEL; the others become 0
   (UNUSED 0), copies of the sign (1), or remain those of OLD (2).  */
static void
place_part (unsigned sel, unsigned unused, const uint32_t *old, uint32_t *result)
{
  uint32_t mask = (uint32_t) ((UINT64_C (1) << sel_width[sel]) - 1) << sel_shift[sel];
  for (int l = 0; l < SIM_LANES; l++)
    {
      uint32_t v = result[l] << sel_shift[sel] & mask;
      if (unused == 2)
	v |= old[l] & ~mask;
      else if (unused == 1 && (v & mask & ~(mask >> 1)) != 0)
	v |= ~mask & ~((UINT32_C (1) << sel_shift[sel]) - 1);
      result[l] = v;
    }
}

/* -- clamp -- */

/* To between 0 and 1; a NaN becomes 0 (DX10_CLAMP is set in GCC's kernels).  */
static void
clamp (struct source *result, bool wide)
{
  for (int l = 0; l < SIM_LANES; l++)
    if (wide)
      {
	double r = simv_f64 (simv_pair (result->lo[l], result->hi[l]));
	uint64_t bits = simv_b64 (!(r > 0) ? 0 : r > 1 ? 1 : r);
	result->lo[l] = (uint32_t) bits;
	result->hi[l] = (uint32_t) (bits >> 32);
      }
    else
      {
	float r = simv_f32 (result->lo[l]);
	result->lo[l] = simv_b32 (!(r > 0) ? 0 : r > 1 ? 1 : r);
      }
}

void
simv_complex (struct sim_wave *w, const struct sim_insn *in)
{
  const struct sim_opcode *op = in->op;
  const struct simv_impl *impl = op->aux;
  struct simv_args args;
  struct source room[3], result;
  uint64_t def[3] = { ~UINT64_C (0), ~UINT64_C (0), ~UINT64_C (0) }, mask_def = ~UINT64_C (0);
  uint64_t exec = sim_exec (w), active = exec;

  unsigned n = in->aux[0];
  for (unsigned k = 0; k < n; k++)
    {
      def[k] = fetch (w, in, k, room + k, true, &args.lo[k], &args.hi[k]);
      if (in->variant == SIM_DPP && k == 0)
	active = permute (w, in, exec, room, def);
      if (in->variant == SIM_SDWA && k < 2)
	select_part (in->src_sel[k], in->src_sext[k], room[k].lo);
      if ((in->opsel >> k & 1) != 0)
	select_part (5, false, room[k].lo);
      modify (in, k, room + k);
    }
  args.mask = active;
  args.cin = read_mask (w, in, impl, &mask_def);
  args.cout = 0;
  args.dlo = result.lo;
  args.dhi = result.hi;
  impl->all (&args);
  uint64_t all_def = defined (impl, &args, def, n, mask_def);
  w->lane_ops += (unsigned) __builtin_popcountll (active);

  if (op->dst == SIM_T_MASK)
    {
      write_mask (w, in, impl, args.cout, all_def, active);
      return;
    }
  unsigned d = in->dst - SIM_VGPR;
  bool wide = sim_type_regs (op->dst) == 2;
  if (in->clamp)
    clamp (&result, wide);
  if (in->variant == SIM_SDWA)
    {
      place_part (in->dst_sel, in->dst_unused, w->vgpr[d], result.lo);
      if (in->dst_unused == 2 && in->dst_sel != 6)
	all_def &= w->vdef[d];
    }
  else if ((in->opsel & 8) != 0)
    {
      place_part (5, 2, w->vgpr[d], result.lo);
      all_def &= w->vdef[d];
    }
  merge (w->vgpr[d], result.lo, active);
  w->vdef[d] = (w->vdef[d] & ~active) | (all_def & active);
  if (wide)
    {
      merge (w->vgpr[d + 1], result.hi, active);
      w->vdef[d + 1] = (w->vdef[d + 1] & ~active) | (all_def & active);
    }
  if ((op->flags & SIM_OP_CARRY_OUT) != 0)
    write_mask (w, in, impl, args.cout, all_def, active);
}
