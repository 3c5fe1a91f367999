/* gcn-sample.c -- encodings of all opcodes that the simulator knows, for comparing decoders.

   gcn-sample ISA N: for each opcode of the ISA N encodings with random legal operands, as assembler source:
   ".long" of 4 words each, the instruction followed by s_nop.  The same in each run.  */

#include "isa.h"

#include <stdio.h>
#include <stdlib.h>

static const struct sim_isa *isa;
static uint64_t state = UINT64_C (0x9e3779b97f4a7c15);

/* Below N.  */
static unsigned
any (unsigned n)
{
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (unsigned) (state >> 20) % n;
}

static bool
is_wide (unsigned type)
{
  return sim_type_regs (type) == 2;
}

/* -- Operands -- */

/* The first of COUNT SGPRs, aligned as that needs.  */
static unsigned
sgpr (unsigned count)
{
  unsigned align = count > 4 ? 4 : count > 2 ? 4 : count;
  return any ((100 - count) / align) * align;
}

static unsigned
vgpr (unsigned type)
{
  return any (256 - sim_type_regs (type));
}

/* What can be both source and destination.  */
static unsigned
scalar_register (unsigned type)
{
  if (sim_type_regs (type) <= 2 && any (6) == 0)
    return any (2) ? SIM_VCC : SIM_EXEC;
  if (sim_type_regs (type) == 1 && any (12) == 0)
    return SIM_M0;
  return sgpr (sim_type_regs (type));
}

/* LITERAL: NULL, or set when one was chosen.  */
static unsigned
scalar_source (unsigned type, bool *literal)
{
  switch (any (8))
    {
    case 0:
      return SIM_INT_0 + any (SIM_INT_M16 - SIM_INT_0 + 1);
    case 1:
      return type == SIM_T_MASK ? sgpr (2) : SIM_FLOAT_FIRST + any (8);
    case 2:
      if (literal && !*literal)
	{
	  *literal = true;
	  return SIM_LITERAL;
	}
      return SIM_INT_0;
    case 3:
      if (is_wide (type))
	return isa->gen != SIM_GFX8 ? SIM_SHARED_BASE + any (4) : SIM_VCC;
      return SIM_VCCZ + any (3);
    default:
      return scalar_register (type);
    }
}

static unsigned
vector_source (unsigned type, bool *literal)
{
  if (type == SIM_T_MASK)
    return sgpr (2);
  return any (2) ? SIM_VGPR + vgpr (type) : scalar_source (type, literal);
}

/* -- Formats -- */

static uint32_t words[2];

/* A literal: often one that an inline constant would do for.  */
static uint32_t
literal_word (void)
{
  static const uint32_t values[] = { 0, 64, 65, 0xfffffff0, 0xffffffef, 0x3f800000, 0x12345678, 0x80000000 };
  return any (2) ? values[any (8)] : any (1u << 31);
}

static void
scalar (const struct sim_opcode *op, unsigned code)
{
  bool literal = false;
  bool jump = op->format == SIM_SOP1 && op->src[0] && (op->flags & SIM_OP_ENDS);
  unsigned a = jump ? scalar_register (op->src[0]) : op->src[0] ? scalar_source (op->src[0], &literal) : 0;
  unsigned b = op->src[1] ? scalar_source (op->src[1], &literal) : 0;
  unsigned d = op->dst ? scalar_register (op->dst) : 0;
  words[1] = literal ? literal_word () : 0;
  switch (op->format)
    {
    case SIM_SOP1:
      words[0] = UINT32_C (0x17d) << 23 | d << 16 | code << 8 | a;
      break;
    case SIM_SOPC:
      words[0] = UINT32_C (0x17e) << 23 | code << 16 | b << 8 | a;
      break;
    case SIM_SOP2:
      words[0] = UINT32_C (2) << 30 | code << 23 | d << 16 | b << 8 | a;
      break;
    case SIM_SOPK:
      if (!op->dst)
	d = scalar_register (op->src[0]);
      words[0] = UINT32_C (0xb) << 28 | code << 23 | d << 16 | any (65536);
      words[1] = 0;
      break;
    default:
      /* Those without an operand want 0; messages other than 1 have other names.  */
      words[0] = UINT32_C (0x17f) << 23 | code << 16;
      words[1] = 0;
      if (code == 16)
	words[0] |= 1;
      else if (code == 0 || code == 14 || code == 15 || code == 18)
	words[0] |= any (4);
      else if (code == 12 || op->flags & SIM_OP_BRANCH)
	words[0] |= any (65536);
    }
}

static void
smem (const struct sim_opcode *op, unsigned code)
{
  unsigned d = op->dst ? sgpr (sim_type_regs (op->dst)) : 0;
  words[0] = UINT32_C (0x30) << 26 | code << 18 | d << 6;
  words[1] = 0;
  if (!op->src[0])
    return;
  words[0] |= sgpr (2) / 2 | any (2) << 16;
  if (any (2))
    {
      words[0] |= 1 << 17;
      words[1] = isa->gen == SIM_GFX8 ? any (1 << 20) : any (1 << 21);
    }
  else
    words[1] = scalar_register (SIM_B32);
}

static unsigned
destination (const struct sim_opcode *op)
{
  return op->flags & SIM_OP_SDST ? scalar_register (op->dst) : op->dst ? vgpr (op->dst) : 0;
}

/* VOP1, VOP2, VOPC: plain, DPP or SDWA.  */
static void
vop (const struct sim_opcode *op, unsigned code)
{
  bool literal = false;
  unsigned src0 = !op->src[0] ? 0 : op->flags & (SIM_OP_SDST | SIM_OP_ACC_SRC) ? SIM_VGPR + vgpr (op->src[0])
		  : vector_source (op->src[0], &literal);
  bool small = op->src[0] && !is_wide (op->dst) && !is_wide (op->src[0]) && !is_wide (op->src[1])
	       && !(op->flags & SIM_OP_SDST);
  bool compare = op->format == SIM_VOPC;
  if (compare)
    small = op->src[0] && !is_wide (op->src[0]);
  unsigned variant = small && !(op->flags & (SIM_OP_ACC_SRC | SIM_OP_ACC_DST)) ? any (3) : 0;
  words[1] = literal ? literal_word () : 0;
  if (variant == 1 && !compare)
    {
      static const unsigned short controls[]
	= { 0, 0x1b, 0xe4, 0x101, 0x10f, 0x111, 0x118, 0x121, 0x130, 0x134, 0x138, 0x13c, 0x140, 0x141, 0x142, 0x143 };
      src0 = SIM_DPP_WORD;
      words[1] = vgpr (op->src[0]) | (uint32_t) controls[any (16)] << 8 | any (2) << 19 | any (256) << 24;
      /* Modifiers belong to numbers.  */
      if (op->src[0] == SIM_F32 && !(op->flags & SIM_OP_CARRY_IN))
	words[1] |= any (2) << 20 | any (2) << 21;
    }
  else if (variant == 2)
    {
      src0 = SIM_SDWA_WORD;
      words[1] = vgpr (op->src[0]) | any (7) << 16;
      if (op->src[1] && op->format != SIM_VOP1)
	words[1] |= any (7) << 24;
      if (!compare)
	words[1] |= any (7) << 8 | any (3) << 11;
      if (op->src[0] == SIM_F32)
	words[1] |= any (4) << 20;
    }
  unsigned src1 = op->src[1] ? vgpr (op->src[1]) : 0;
  if (op->format == SIM_VOP1)
    words[0] = UINT32_C (0x3f) << 25 | destination (op) << 17 | code << 9 | src0;
  else if (compare)
    words[0] = UINT32_C (0x3e) << 25 | code << 17 | src1 << 9 | src0;
  else
    words[0] = code << 25 | destination (op) << 17 | src1 << 9 | src0;
}

static void
vop3 (const struct sim_opcode *op, unsigned code)
{
  bool compare = op->format == SIM_VOPC;
  unsigned d = compare ? scalar_register (SIM_T_MASK) : destination (op);
  bool two = op->flags & (SIM_OP_CARRY_OUT | SIM_OP_VOP3B);
  bool numbers = true;
  words[0] = UINT32_C (0x34) << 26 | code << 16 | d;
  words[1] = 0;
  for (unsigned i = 0; i < 3; i++)
    if (op->src[i])
      {
	/* v_readlane reads a vector register.  */
	unsigned source = i == 0 && op->flags & SIM_OP_SDST && !compare ? SIM_VGPR + vgpr (op->src[0])
			  : vector_source (op->src[i], NULL);
	words[1] |= (uint32_t) source << 9 * i;
	if (op->src[i] != SIM_F32 && op->src[i] != SIM_F64)
	  numbers = false;
      }
  if (two)
    words[0] |= scalar_register (SIM_T_MASK) << 8;
  /* Modifiers, where all operands are numbers.  */
  else if (numbers && op->src[0] && any (2))
    for (unsigned i = 0; i < 3; i++)
      if (op->src[i])
	{
	  words[1] |= any (2) << (29 + i);
	  words[0] |= any (2) << (8 + i);
	}
  if (numbers && op->src[0] && !compare && (op->dst == SIM_F32 || op->dst == SIM_F64) && !two && any (4) == 0)
    words[0] |= 1 << 15;
}

static void
vop3p (const struct sim_opcode *op, unsigned code)
{
  words[0] = UINT32_C (0x1a7) << 23 | code << 16 | 1 << 14 | vgpr (op->dst);
  words[1] = UINT32_C (3) << 27;
  for (unsigned i = 0; i < 3; i++)
    if (op->src[i])
      words[1] |= (SIM_VGPR + vgpr (op->src[i])) << 9 * i;
}

static void
flat (const struct sim_opcode *op, unsigned code)
{
  bool global = op->format == SIM_GLOBAL, old = isa->gen == SIM_GFX8;
  unsigned offset = old ? 0 : any (2) ? 0 : global ? any (1 << 13) : any (1 << 12);
  unsigned saddr = !global ? 0 : any (2) ? 0x7f : sgpr (2);
  bool glc = any (2);
  bool acc = isa->gen == SIM_GFX90A && any (4) == 0;
  words[0] = UINT32_C (0x37) << 26 | code << 18 | (uint32_t) glc << 16 | any (2) << 17
	     | (global ? UINT32_C (2) << 14 : 0) | offset;
  words[1] = vgpr (SIM_B64) | saddr << 16 | (uint32_t) acc << 23;
  if (op->src[1])
    words[1] |= vgpr (op->src[1]) << 8;
  if (op->dst && (glc || !(op->flags & SIM_OP_ATOMIC)))
    words[1] |= (uint32_t) vgpr (op->dst) << 24;
}

static void
ds (const struct sim_opcode *op, unsigned code)
{
  /* Offsets of ds_swizzle have names.  */
  unsigned offset = op->run && any (2) && code != 61 ? any (1 << 16) : 0;
  bool acc = isa->gen == SIM_GFX90A && any (4) == 0 && code != 20 && code < 61;
  words[0] = UINT32_C (0x36) << 26 | code << 17 | offset | (uint32_t) acc << 25;
  words[1] = 0;
  if (op->src[0])
    words[1] |= vgpr (SIM_B32);
  else
    words[0] = UINT32_C (0x36) << 26 | code << 17;
  if (op->src[1])
    words[1] |= vgpr (op->src[1]) << 8;
  if (op->src[2])
    words[1] |= vgpr (op->src[2]) << 16;
  if (op->dst)
    words[1] |= (uint32_t) vgpr (op->dst) << 24;
}

static void
sample (const struct sim_opcode *op, enum sim_format format, unsigned code)
{
  switch (format)
    {
    case SIM_SMEM: smem (op, code); break;
    case SIM_VOP1: case SIM_VOP2: case SIM_VOPC: vop (op, code); break;
    case SIM_VOP3: vop3 (op, code); break;
    case SIM_VOP3P: vop3p (op, code); break;
    case SIM_FLAT: case SIM_GLOBAL: flat (op, code); break;
    case SIM_DS: ds (op, code); break;
    case SIM_MUBUF:
      words[0] = UINT32_C (0x38) << 26 | code << 18;
      words[1] = 0;
      break;
    default: scalar (op, code);
    }
  struct sim_insn in;
  sim_decode (isa, words, 2, &in);
  printf ("\t.long 0x%08x, 0x%08x, 0xbf800000, 0xbf800000\n", words[0],
	  in.words == 2 ? words[1] : 0xbf800000);
}

int
main (int argc, char **argv)
{
  isa = argc == 3 ? sim_isa_find (argv[1]) : NULL;
  if (!isa)
    {
      fprintf (stderr, "usage: gcn-sample ISA N\n");
      return 2;
    }
  unsigned n = (unsigned) atoi (argv[2]);
  for (enum sim_format format = SIM_SOP1; format < SIM_FORMATS; format++)
    for (unsigned code = 0; code < 1024; code++)
      {
	const struct sim_opcode *op = sim_opcode_find (isa->gen, format, code);
	for (unsigned i = 0; op && i < n; i++)
	  sample (op, format, code);
      }
  return 0;
}
