/* decode.c -- words of code -> struct sim_insn.

   Every format is taken apart here, the vector ones too; what an opcode is comes from the tables of
   opcodes.  A word that is no instruction that we know gets a handler that says so when it is executed:
   code may hold data.  */

#include "isa.h"

#include <string.h>

static unsigned
bits (uint32_t word, unsigned high, unsigned low)
{
  return word >> low & ((UINT32_C (2) << (high - low)) - 1);
}

/* Leave IN as something that cannot be executed, for that reason.  */
static void
refuse (struct sim_insn *in, const char *why)
{
  in->aux_p = why;
  in->run = sim_illegal;
}

void
sim_illegal (struct sim_wave *w, const struct sim_insn *in)
{
  sim_fault (w, "illegal instruction: %s", (const char *) in->aux_p);
}

/* -- Operands -- */

/* What the inline constants 240 to 248 are: 0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 4.0, -4.0, 1/(2*pi).  */
static const uint16_t half_constants[]
  = { 0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118 };
static const uint32_t float_constants[]
  = { 0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000, 0xc0000000, 0x40800000, 0xc0800000,
      0x3e22f983 };
static const uint64_t double_constants[]
  = { UINT64_C (0x3fe0000000000000), UINT64_C (0xbfe0000000000000), UINT64_C (0x3ff0000000000000),
      UINT64_C (0xbff0000000000000), UINT64_C (0x4000000000000000), UINT64_C (0xc000000000000000),
      UINT64_C (0x4010000000000000), UINT64_C (0xc010000000000000), UINT64_C (0x3fc45f306dc9c882) };

static bool
is_16_bits (enum sim_type type)
{
  return type == SIM_B16 || type == SIM_F16 || type == SIM_I16;
}

/* The value of source I if it is a constant; complains about what no operand can be.  */
static void
decode_source (struct sim_insn *in, unsigned i, unsigned code)
{
  enum sim_type type = in->type[i];
  unsigned regs = sim_type_regs (type);
  bool wide = regs == 2;
  in->src[i] = code;
  if (code >= SIM_VGPR)
    {
      if ((code - SIM_VGPR) % 256 + regs > 256)
	refuse (in, "vector registers beyond the last one");
      return;
    }
  if (code < SIM_SGPRS)
    {
      if (wide && (code & 1))
	refuse (in, "a pair of SGPRs that begins with an odd one");
      if (code == 125 || (code >= 108 && code < 124))
	refuse (in, "a scalar register that programs do not have");
      return;
    }
  if (code <= SIM_INT_M16)
    {
      int value = code <= SIM_INT_64 ? (int) code - SIM_INT_0 : SIM_INT_64 - (int) code;
      in->imm[i] = wide ? (uint64_t) (int64_t) value : (uint32_t) value;
    }
  else if (code >= SIM_FLOAT_FIRST && code <= SIM_FLOAT_LAST)
    {
      unsigned n = code - SIM_FLOAT_FIRST;
      in->imm[i] = wide ? double_constants[n] : is_16_bits (type) ? half_constants[n]
						 : float_constants[n];
    }
  else if (code == SIM_LITERAL)
    {
      uint32_t literal = in->word[1];
      in->imm[i] = type == SIM_F64 ? (uint64_t) literal << 32
		   : type == SIM_I64 ? (uint64_t) (int64_t) (int32_t) literal : literal;
    }
  else if (code >= SIM_SHARED_BASE && code <= SIM_PRIVATE_LIMIT)
    {
      uint64_t high = code < SIM_PRIVATE_BASE ? SIM_SHARED_APERTURE : SIM_PRIVATE_APERTURE;
      bool limit = code == SIM_SHARED_LIMIT || code == SIM_PRIVATE_LIMIT;
      in->imm[i] = high << 32 | (limit ? UINT32_MAX : 0);
      /* The hardware is known to give something else there.  */
      if (!wide)
	refuse (in, "an aperture as an operand of 32 bits");
    }
  else if (code != SIM_VCCZ && code != SIM_EXECZ && code != SIM_SCC)
    refuse (in, "a source operand that does not exist");
}

/* A scalar destination.  */
static unsigned
scalar_destination (struct sim_insn *in, unsigned code, enum sim_type type)
{
  unsigned regs = sim_type_regs (type);
  if (regs > 1 && code % (regs > 4 ? 4 : regs))
    refuse (in, "SGPRs that begin with one not aligned");
  if ((code >= 108 && code < 124) || code == 125 || code >= SIM_SGPRS || code + regs > SIM_SGPRS)
    refuse (in, "a scalar register that programs do not have");
  return code;
}

static void
vector_destination (struct sim_insn *in, unsigned reg)
{
  if (reg + sim_type_regs (in->type[3]) > 256)
    refuse (in, "vector registers beyond the last one");
  in->dst = SIM_VGPR + reg;
}

/* The opcode of IN, whose format, code and words are known.  False: there is none.  */
static bool
find_opcode (const struct sim_isa *isa, struct sim_insn *in)
{
  in->op = sim_opcode_find (isa->gen, in->format, in->code);
  if (!in->op)
    {
      refuse (in, "unknown opcode");
      return false;
    }
  for (unsigned i = 0; i < 3; i++)
    in->type[i] = in->op->src[i];
  in->type[3] = in->op->dst;
  return true;
}

/* Room for the second word, which is there by the N words that can be read.  */
static void
second_word (struct sim_insn *in, unsigned n)
{
  in->words = 2;
  if (n < 2)
    refuse (in, "the code ends in the middle of an instruction");
}

/* -- Scalar formats -- */

static void
decode_scalar (const struct sim_isa *isa, struct sim_insn *in, unsigned n)
{
  uint32_t word = in->word[0];
  if (bits (word, 31, 23) == 0x17d)
    {
      in->format = SIM_SOP1;
      in->code = bits (word, 15, 8);
    }
  else if (bits (word, 31, 23) == 0x17e)
    {
      in->format = SIM_SOPC;
      in->code = bits (word, 22, 16);
    }
  else if (bits (word, 31, 23) == 0x17f)
    {
      in->format = SIM_SOPP;
      in->code = bits (word, 22, 16);
    }
  else if (bits (word, 31, 28) == 0xb)
    {
      in->format = SIM_SOPK;
      in->code = bits (word, 27, 23);
    }
  else
    {
      in->format = SIM_SOP2;
      in->code = bits (word, 29, 23);
    }
  if (!find_opcode (isa, in))
    return;
  const struct sim_opcode *op = in->op;

  if (in->format == SIM_SOPP || in->format == SIM_SOPK)
    {
      in->offset = in->format == SIM_SOPP || (op->flags & SIM_OP_SIGNED)
		   ? (int16_t) bits (word, 15, 0) : (int32_t) bits (word, 15, 0);
      if (in->format == SIM_SOPK)
	{
	  unsigned reg = bits (word, 22, 16);
	  if (op->dst != SIM_T_NONE)
	    in->dst = scalar_destination (in, reg, op->dst);
	  if (op->src[0] != SIM_T_NONE)
	    decode_source (in, 0, reg);
	}
      return;
    }
  unsigned source[2] = { bits (word, 7, 0), bits (word, 15, 8) };
  if ((op->src[0] != SIM_T_NONE && source[0] == SIM_LITERAL)
      || (op->src[1] != SIM_T_NONE && source[1] == SIM_LITERAL))
    second_word (in, n);
  for (unsigned i = 0; i < 2; i++)
    if (op->src[i] != SIM_T_NONE)
      decode_source (in, i, source[i]);
  if (op->dst != SIM_T_NONE && in->format != SIM_SOPC)
    in->dst = scalar_destination (in, bits (word, 22, 16), op->dst);
}

static void
decode_smem (const struct sim_isa *isa, struct sim_insn *in, unsigned n)
{
  uint32_t word = in->word[0];
  in->format = SIM_SMEM;
  in->code = bits (word, 25, 18);
  second_word (in, n);
  if (!find_opcode (isa, in))
    return;
  in->glc = bits (word, 16, 16);
  in->nv = bits (word, 15, 15);
  if (in->op->dst != SIM_T_NONE)
    in->dst = scalar_destination (in, bits (word, 12, 6), in->op->dst);
  if (in->op->src[0] == SIM_T_NONE)
    return;
  decode_source (in, 0, 2 * bits (word, 5, 0));
  if (bits (word, 17, 17))
    in->offset = isa->gen == SIM_GFX8 ? (int32_t) bits (in->word[1], 19, 0)
				      : (int32_t) (in->word[1] << 11) >> 11;
  in->type[2] = SIM_B32;
  if (isa->gen != SIM_GFX8 && bits (word, 14, 14))
    decode_source (in, 2, bits (in->word[1], 31, 25));
  else if (!bits (word, 17, 17))
    decode_source (in, 2, bits (in->word[1], 6, 0));
}

/* -- Vector formats -- */

static void
decode_sdwa (const struct sim_isa *isa, struct sim_insn *in)
{
  uint32_t word = in->word[1];
  bool compare = in->format == SIM_VOPC;
  in->variant = SIM_SDWA;
  unsigned base0 = bits (word, 23, 23) && isa->gen != SIM_GFX8 ? 0 : SIM_VGPR;
  decode_source (in, 0, base0 + bits (word, 7, 0));
  if (in->op->src[1] != SIM_T_NONE && in->format != SIM_VOP1)
    {
      unsigned base1 = bits (word, 31, 31) && isa->gen != SIM_GFX8 ? 0 : SIM_VGPR;
      decode_source (in, 1, base1 + bits (in->word[0], 16, 9));
    }
  if (compare && isa->gen != SIM_GFX8)
    in->dst = bits (word, 15, 15) ? scalar_destination (in, bits (word, 14, 8), SIM_T_MASK) : SIM_VCC;
  else
    {
      in->dst_sel = bits (word, 10, 8);
      in->dst_unused = bits (word, 12, 11);
      in->clamp = bits (word, 13, 13);
      in->omod = isa->gen != SIM_GFX8 ? bits (word, 15, 14) : 0;
    }
  in->src_sel[0] = bits (word, 18, 16);
  in->src_sel[1] = bits (word, 26, 24);
  in->src_sext[0] = bits (word, 19, 19);
  in->src_sext[1] = bits (word, 27, 27);
  in->neg = bits (word, 20, 20) | bits (word, 28, 28) << 1;
  in->abs = bits (word, 21, 21) | bits (word, 29, 29) << 1;
}

static void
decode_dpp (struct sim_insn *in)
{
  uint32_t word = in->word[1];
  in->variant = SIM_DPP;
  decode_source (in, 0, SIM_VGPR + bits (word, 7, 0));
  if (in->op->src[1] != SIM_T_NONE && in->format != SIM_VOP1)
    decode_source (in, 1, SIM_VGPR + bits (in->word[0], 16, 9));
  in->dpp_ctrl = bits (word, 16, 8);
  in->bound_ctrl = bits (word, 19, 19);
  in->neg = bits (word, 20, 20) | bits (word, 22, 22) << 1;
  in->abs = bits (word, 21, 21) | bits (word, 23, 23) << 1;
  in->bank_mask = bits (word, 27, 24);
  in->row_mask = bits (word, 31, 28);
}

/* VOP1, VOP2, VOPC.  */
static void
decode_vop (const struct sim_isa *isa, struct sim_insn *in, unsigned n)
{
  uint32_t word = in->word[0];
  if (bits (word, 31, 25) == 0x3f)
    {
      in->format = SIM_VOP1;
      in->code = bits (word, 16, 9);
    }
  else if (bits (word, 31, 25) == 0x3e)
    {
      in->format = SIM_VOPC;
      in->code = bits (word, 24, 17);
    }
  else
    {
      in->format = SIM_VOP2;
      in->code = bits (word, 30, 25);
    }
  unsigned src0 = bits (word, 8, 0);
  if (!find_opcode (isa, in))
    return;
  const struct sim_opcode *op = in->op;
  if (op->src[0] != SIM_T_NONE
      && (src0 == SIM_LITERAL || src0 == SIM_SDWA_WORD || src0 == SIM_DPP_WORD))
    second_word (in, n);

  /* Destinations first: SDWA comparisons name their own.  */
  if (in->format == SIM_VOPC)
    in->dst = SIM_VCC;
  else if (op->flags & SIM_OP_SDST)
    in->dst = scalar_destination (in, bits (word, 24, 17), op->dst);
  else if (op->dst != SIM_T_NONE)
    vector_destination (in, bits (word, 24, 17));
  if (op->flags & SIM_OP_CARRY_OUT)
    in->sdst = SIM_VCC;
  if (op->flags & SIM_OP_CARRY_IN)
    in->src[2] = SIM_VCC;

  if (op->src[0] == SIM_T_NONE)
    ;
  else if (src0 == SIM_SDWA_WORD)
    decode_sdwa (isa, in);
  else if (src0 == SIM_DPP_WORD)
    decode_dpp (in);
  else
    {
      decode_source (in, 0, src0);
      if (in->format != SIM_VOP1 && op->src[1] != SIM_T_NONE)
	decode_source (in, 1, SIM_VGPR + bits (word, 16, 9));
    }
  if (op->flags & SIM_OP_ACC_SRC)
    in->src[0] += SIM_AGPR - SIM_VGPR;
  if (op->flags & SIM_OP_ACC_DST)
    in->dst += SIM_AGPR - SIM_VGPR;
}

static void
decode_vop3 (const struct sim_isa *isa, struct sim_insn *in, unsigned n)
{
  uint32_t low = in->word[0], high = in->word[1];
  bool packed = bits (low, 31, 23) == 0x1a7;
  in->format = packed ? SIM_VOP3P : SIM_VOP3;
  in->code = packed ? bits (low, 22, 16) : bits (low, 25, 16);
  second_word (in, n);
  if (!find_opcode (isa, in))
    return;
  const struct sim_opcode *op = in->op;
  unsigned source[3] = { bits (high, 8, 0), bits (high, 17, 9), bits (high, 26, 18) };
  for (unsigned i = 0; i < 3; i++)
    if (op->src[i] != SIM_T_NONE)
      {
	if (source[i] == SIM_LITERAL)
	  refuse (in, "a literal in VOP3");
	decode_source (in, i, source[i]);
      }
  in->neg = bits (high, 31, 29);
  in->clamp = bits (low, 15, 15);
  if (packed)
    {
      in->abs = bits (low, 10, 8);
      in->opsel = bits (low, 13, 11);
      in->opsel_hi = bits (high, 28, 27) | bits (low, 14, 14) << 2;
    }
  else
    {
      in->omod = bits (high, 28, 27);
      if (op->flags & (SIM_OP_CARRY_OUT | SIM_OP_VOP3B))
	in->sdst = scalar_destination (in, bits (low, 14, 8), SIM_T_MASK);
      else
	{
	  in->abs = bits (low, 10, 8);
	  in->opsel = bits (low, 14, 11);
	}
    }
  if (op->format == SIM_VOPC)
    in->dst = scalar_destination (in, bits (low, 7, 0), SIM_T_MASK);
  else if (op->flags & SIM_OP_SDST)
    in->dst = scalar_destination (in, bits (low, 7, 0), op->dst);
  else if (op->dst != SIM_T_NONE)
    vector_destination (in, bits (low, 7, 0));
  if ((op->flags & SIM_OP_ACC_SRC) && in->src[0] >= SIM_VGPR)
    in->src[0] += SIM_AGPR - SIM_VGPR;
  if (op->flags & SIM_OP_ACC_DST)
    in->dst += SIM_AGPR - SIM_VGPR;
}

/* -- Memory formats -- */

/* Vector register REG of source I, or the accumulation one.  */
static void
memory_operand (struct sim_insn *in, unsigned i, unsigned reg, bool acc)
{
  if (in->op->src[i] == SIM_T_NONE)
    return;
  decode_source (in, i, (acc ? SIM_AGPR : SIM_VGPR) + reg);
}

static void
decode_flat (const struct sim_isa *isa, struct sim_insn *in, unsigned n)
{
  uint32_t low = in->word[0], high = in->word[1];
  static const enum sim_format segments[] = { SIM_FLAT, SIM_SCRATCH, SIM_GLOBAL, SIM_F_NONE };
  unsigned segment = isa->gen == SIM_GFX8 ? 0 : bits (low, 15, 14);
  in->format = segments[segment];
  in->code = bits (low, 24, 18);
  second_word (in, n);
  if (in->format == SIM_F_NONE)
    {
      refuse (in, "a memory segment that does not exist");
      return;
    }
  if (!find_opcode (isa, in))
    return;
  const struct sim_opcode *op = in->op;
  bool acc = isa->gen == SIM_GFX90A && bits (high, 23, 23);
  unsigned saddr = bits (high, 22, 16);
  in->glc = bits (low, 16, 16);
  in->slc = bits (low, 17, 17);
  in->nv = isa->gen == SIM_GFX9 && bits (high, 23, 23);
  if (isa->gen != SIM_GFX8)
    in->offset = in->format == SIM_FLAT ? (int32_t) bits (low, 11, 0)
					: (int32_t) (bits (low, 12, 0) << 19) >> 19;
  if (bits (low, 13, 13))
    refuse (in, "a load into LDS");
  if (in->format == SIM_GLOBAL && saddr != 0x7f)
    {
      in->type[0] = SIM_B32;
      in->type[2] = SIM_B64;
      decode_source (in, 2, saddr);
    }
  memory_operand (in, 0, bits (high, 7, 0), false);
  memory_operand (in, 1, bits (high, 15, 8), acc);
  bool result = op->dst != SIM_T_NONE && (!(op->flags & SIM_OP_ATOMIC) || in->glc);
  if (result)
    {
      vector_destination (in, bits (high, 31, 24));
      if (acc)
	in->dst += SIM_AGPR - SIM_VGPR;
    }
}

static void
decode_ds (const struct sim_isa *isa, struct sim_insn *in, unsigned n)
{
  uint32_t low = in->word[0], high = in->word[1];
  in->format = SIM_DS;
  in->code = bits (low, 24, 17);
  second_word (in, n);
  if (!find_opcode (isa, in))
    return;
  bool acc = isa->gen == SIM_GFX90A && bits (low, 25, 25);
  in->offset = bits (low, 15, 0);
  in->gds = bits (low, 16, 16);
  if (in->gds)
    refuse (in, "GDS");
  memory_operand (in, 0, bits (high, 7, 0), false);
  memory_operand (in, 1, bits (high, 15, 8), acc);
  memory_operand (in, 2, bits (high, 23, 16), acc);
  if (in->op->dst != SIM_T_NONE)
    {
      vector_destination (in, bits (high, 31, 24));
      if (acc)
	in->dst += SIM_AGPR - SIM_VGPR;
    }
}

static void
decode_mubuf (const struct sim_isa *isa, struct sim_insn *in, unsigned n)
{
  in->format = SIM_MUBUF;
  in->code = bits (in->word[0], 24, 18);
  second_word (in, n);
  find_opcode (isa, in);
}

void
sim_decode (const struct sim_isa *isa, const uint32_t *words, unsigned n, struct sim_insn *in)
{
  memset (in, 0, sizeof *in);
  in->words = 1;
  in->dst = in->sdst = in->src[0] = in->src[1] = in->src[2] = SIM_NO_OPERAND;
  uint32_t word = in->word[0] = words[0];
  in->word[1] = n > 1 ? words[1] : 0;

  if (!(word >> 31))
    decode_vop (isa, in, n);
  else if (word >> 30 == 2)
    decode_scalar (isa, in, n);
  else
    switch (bits (word, 31, 26))
      {
      case 0x30:
	decode_smem (isa, in, n);
	break;
      case 0x34:
	decode_vop3 (isa, in, n);
	break;
      case 0x36:
	decode_ds (isa, in, n);
	break;
      case 0x37:
	decode_flat (isa, in, n);
	break;
      case 0x38:
	decode_mubuf (isa, in, n);
	break;
      default:
	refuse (in, "unknown encoding");
      }
  if (in->run)
    return;
  switch (in->format)
    {
    case SIM_VOP1: case SIM_VOP2: case SIM_VOPC: case SIM_VOP3: case SIM_VOP3P:
      in->run = simv_bind (in);
      if (!in->run)
	refuse (in, "this form of the opcode is not simulated");
      break;
    default:
      in->run = in->op->run;
    }
}
