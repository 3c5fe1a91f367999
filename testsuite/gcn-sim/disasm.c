/* disasm.c -- struct sim_insn -> text, as llvm-objdump prints it.

   Reports show it, and comparing it with llvm-objdump over whole images is the test of the decoder.  */

#include "isa.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Text under construction; what does not fit is dropped.  */
struct out
{
  char *text;
  size_t size, length;
  bool operands;		/* the next one needs a comma before it */
};

static void put (struct out *, const char *, ...) __attribute__ ((format (printf, 2, 3)));

static void
put (struct out *o, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  int n = vsnprintf (o->text + o->length, o->size - o->length, format, args);
  va_end (args);
  o->length += n < 0 ? 0 : (size_t) n;
  if (o->length >= o->size)
    o->length = o->size - 1;
}

/* Between the operands.  */
static void
separate (struct out *o)
{
  put (o, o->operands ? ", " : " ");
  o->operands = true;
}

/* -- Operands -- */

static void
put_range (struct out *o, char letter, unsigned first, unsigned count)
{
  if (count <= 1)
    put (o, "%c%u", letter, first);
  else
    put (o, "%c[%u:%u]", letter, first, first + count - 1);
}

/* Pairs with names, by their first code; the halves are NAME_lo and NAME_hi.  */
static bool
put_named (struct out *o, unsigned code, unsigned count)
{
  static const struct { unsigned code; const char *name; } pairs[]
    = { { 102, "flat_scratch" }, { 104, "xnack_mask" }, { SIM_VCC, "vcc" }, { SIM_EXEC, "exec" } };
  for (unsigned i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
    if ((code & ~1u) == pairs[i].code)
      {
	put (o, "%s%s", pairs[i].name, count == 2 ? "" : code & 1 ? "_hi" : "_lo");
	return true;
      }
  if (code == SIM_M0)
    put (o, "m0");
  else if (code >= 108 && code < 124)
    {
      if (count > 1)
	put (o, "ttmp[%u:%u]", code - 108, code - 108 + count - 1);
      else
	put (o, "ttmp%u", code - 108);
    }
  else
    return false;
  return true;
}

static void
put_register (struct out *o, unsigned code, unsigned count)
{
  if (code >= SIM_AGPR)
    put_range (o, 'a', code - SIM_AGPR, count);
  else if (code >= SIM_VGPR)
    put_range (o, 'v', code - SIM_VGPR, count);
  else if (!put_named (o, code, count))
    put_range (o, 's', code, count);
}

static const char *const float_names[]
  = { "0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0" };

static bool
is_short (enum sim_type type)
{
  return type == SIM_B16 || type == SIM_I16;
}

/* A literal that an inline constant could have been is printed like that one.  */
static void
put_literal (struct out *o, uint32_t value, enum sim_type type)
{
  static const uint32_t floats[] = { 0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
				     0xc0000000, 0x40800000, 0xc0800000 };
  if (is_short (type))
    value = (uint32_t) (int16_t) value;
  bool wide = sim_type_regs (type) == 2;
  if (value <= 64 || (!wide && (int32_t) value < 0 && (int32_t) value >= -16))
    {
      put (o, "%d", (int) value);
      return;
    }
  if (sim_type_regs (type) == 1 && !is_short (type))
    for (unsigned i = 0; i < sizeof floats / sizeof floats[0]; i++)
      if (value == floats[i])
	{
	  put (o, "%s", float_names[i]);
	  return;
	}
  put (o, "0x%x", is_short (type) ? value & 0xffff : value);
}

static void
put_constant (struct out *o, const struct sim_insn *in, unsigned i)
{
  unsigned code = in->src[i];
  enum sim_type type = in->type[i];
  static const char *const apertures[]
    = { "src_shared_base", "src_shared_limit", "src_private_base", "src_private_limit" };
  if (code <= SIM_INT_64)
    put (o, "%u", code - SIM_INT_0);
  else if (code <= SIM_INT_M16)
    put (o, "-%u", code - SIM_INT_64);
  else if (code >= SIM_FLOAT_FIRST && code <= SIM_FLOAT_LAST && is_short (type))
    put (o, "0x%x", (unsigned) in->imm[i]);
  else if (code >= SIM_FLOAT_FIRST && code < SIM_FLOAT_LAST)
    put (o, "%s", float_names[code - SIM_FLOAT_FIRST]);
  else if (code == SIM_FLOAT_LAST)
    put (o, "%s", sim_type_regs (type) == 2 ? "0.15915494309189532" : "0.15915494");
  else if (code == SIM_LITERAL)
    put_literal (o, in->word[1], type);
  else if (code >= SIM_SHARED_BASE && code <= SIM_PRIVATE_LIMIT)
    put (o, "%s", apertures[code - SIM_SHARED_BASE]);
  else if (code == SIM_VCCZ)
    put (o, "src_vccz");
  else if (code == SIM_EXECZ)
    put (o, "src_execz");
  else if (code == SIM_SCC)
    put (o, "src_scc");
  else
    put (o, "operand %u", code);
}

/* Source I without its modifiers.  */
static void
put_source (struct out *o, const struct sim_insn *in, unsigned i)
{
  unsigned code = in->src[i];
  if (code < SIM_SGPRS || code >= SIM_VGPR)
    put_register (o, code, sim_type_regs (in->type[i]));
  else
    put_constant (o, in, i);
}

static void
put_vector_source (struct out *o, const struct sim_insn *in, unsigned i)
{
  bool sext = in->variant == SIM_SDWA && i < 2 && in->src_sext[i];
  bool neg = in->neg >> i & 1 && in->format != SIM_VOP3P;
  bool abs = in->abs >> i & 1 && in->format != SIM_VOP3P;
  unsigned code = in->src[i];
  bool number = !abs && ((code >= SIM_INT_0 && code <= SIM_INT_M16)
			 || (code >= SIM_FLOAT_FIRST && code <= SIM_FLOAT_LAST));
  if (sext)
    put (o, "sext(");
  if (neg)
    put (o, number ? "neg(" : "-");
  if (abs)
    put (o, "|");
  put_source (o, in, i);
  if (abs)
    put (o, "|");
  if (neg && number)
    put (o, ")");
  if (sext)
    put (o, ")");
}

/* -- Scalar formats -- */

static void
put_waitcnt (struct out *o, const struct sim_insn *in)
{
  unsigned mask = (unsigned) in->offset & 0xffff;
  unsigned vm = (mask & 15) | (mask >> 14 & 3) << 4, exp = mask >> 4 & 7, lgkm = mask >> 8 & 15;
  bool all = vm == 63 && exp == 7 && lgkm == 15;
  if (vm != 63 || all)
    put (o, " vmcnt(%u)", vm);
  if (exp != 7 || all)
    put (o, " expcnt(%u)", exp);
  if (lgkm != 15 || all)
    put (o, " lgkmcnt(%u)", lgkm);
}

static void
put_scalar (struct out *o, const struct sim_insn *in, uint64_t pc)
{
  const struct sim_opcode *op = in->op;
  if (in->format == SIM_SOPP)
    {
      if (!strcmp (op->name, "s_waitcnt"))
	put_waitcnt (o, in);
      else if (op->flags & SIM_OP_BRANCH)
	{
	  if (pc)
	    put (o, " %#llx", (unsigned long long) (pc + 4 + 4 * (int64_t) in->offset));
	  else
	    put (o, " %u", (unsigned) in->offset & 0xffff);
	}
      else if (!strcmp (op->name, "s_sendmsg") && in->offset == 1)
	put (o, " sendmsg(MSG_INTERRUPT)");
      else if (in->offset || !strcmp (op->name, "s_nop") || !strcmp (op->name, "s_sleep")
	       || !strcmp (op->name, "s_trap") || !strcmp (op->name, "s_setprio"))
	put (o, " %u", (unsigned) in->offset & 0xffff);
      return;
    }
  if (op->dst != SIM_T_NONE)
    {
      separate (o);
      put_register (o, in->dst, sim_type_regs (op->dst));
    }
  for (unsigned i = 0; i < 2; i++)
    if (op->src[i] != SIM_T_NONE)
      {
	separate (o);
	put_source (o, in, i);
      }
  if (in->format == SIM_SOPK)
    {
      separate (o);
      if (op->flags & SIM_OP_BRANCH)
	put (o, "%u", (unsigned) in->offset & 0xffff);
      else
	put (o, "0x%x", (unsigned) in->offset & 0xffff);
    }
}

static void
put_smem (struct out *o, const struct sim_insn *in)
{
  if (in->op->dst != SIM_T_NONE)
    {
      separate (o);
      put_register (o, in->dst, sim_type_regs (in->op->dst));
    }
  if (in->op->src[0] != SIM_T_NONE)
    {
      separate (o);
      put_source (o, in, 0);
      separate (o);
      if (in->src[2] != SIM_NO_OPERAND)
	{
	  put_source (o, in, 2);
	  if (in->offset)
	    put (o, " offset:%#x", (unsigned) in->offset);
	}
      else if (in->offset < 0)
	put (o, "-0x%x", (unsigned) -in->offset);
      else
	put (o, "0x%x", (unsigned) in->offset);
    }
  if (in->glc)
    put (o, " glc");
}

/* -- Vector formats -- */

static void
put_dpp (struct out *o, const struct sim_insn *in)
{
  unsigned c = in->dpp_ctrl;
  static const struct { unsigned first; const char *name; } shifts[]
    = { { 0x100, "row_shl" }, { 0x110, "row_shr" }, { 0x120, "row_ror" }, { 0x150, "row_newbcast" } };
  if (c < 0x100)
    put (o, " quad_perm:[%u,%u,%u,%u]", c & 3, c >> 2 & 3, c >> 4 & 3, c >> 6 & 3);
  else if (c == 0x130)
    put (o, " wave_shl:1");
  else if (c == 0x134)
    put (o, " wave_rol:1");
  else if (c == 0x138)
    put (o, " wave_shr:1");
  else if (c == 0x13c)
    put (o, " wave_ror:1");
  else if (c == 0x140)
    put (o, " row_mirror");
  else if (c == 0x141)
    put (o, " row_half_mirror");
  else if (c == 0x142)
    put (o, " row_bcast:15");
  else if (c == 0x143)
    put (o, " row_bcast:31");
  else
    {
      bool known = false;
      for (unsigned i = 0; i < sizeof shifts / sizeof shifts[0]; i++)
	if ((c & ~15u) == shifts[i].first && ((c & 15) || i == 3))
	  {
	    put (o, " %s:%u", shifts[i].name, c & 15);
	    known = true;
	  }
      if (!known)
	put (o, " dpp:%#x", c);
    }
  put (o, " row_mask:0x%x bank_mask:0x%x", in->row_mask, in->bank_mask);
  if (in->bound_ctrl)
    put (o, " bound_ctrl:1");
}

static void
put_sdwa (struct out *o, const struct sim_insn *in)
{
  static const char *const selections[]
    = { "BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD", "?" };
  static const char *const unused[] = { "UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE", "?" };
  if (in->format != SIM_VOPC)
    put (o, " dst_sel:%s dst_unused:%s", selections[in->dst_sel], unused[in->dst_unused]);
  put (o, " src0_sel:%s", selections[in->src_sel[0]]);
  if (in->op->src[1] != SIM_T_NONE && in->format != SIM_VOP1)
    put (o, " src1_sel:%s", selections[in->src_sel[1]]);
}

/* op_sel and its like: N bits in brackets.  */
static void
put_bits (struct out *o, const char *name, unsigned value, unsigned n)
{
  put (o, " %s:[", name);
  for (unsigned i = 0; i < n; i++)
    put (o, "%s%u", i ? "," : "", value >> i & 1);
  put (o, "]");
}

static void
put_output_modifiers (struct out *o, const struct sim_insn *in)
{
  static const char *const omods[] = { "", " mul:2", " mul:4", " div:2" };
  if (in->clamp)
    put (o, " clamp");
  put (o, "%s", omods[in->omod & 3]);
}

static void
put_vector (struct out *o, const struct sim_insn *in)
{
  const struct sim_opcode *op = in->op;
  bool vop3 = in->format == SIM_VOP3 || in->format == SIM_VOP3P;
  if (in->variant != SIM_PLAIN)
    put (o, in->variant == SIM_DPP ? "_dpp" : "_sdwa");
  else if (op->format == in->format && !vop3)
    {
      if (!(op->flags & SIM_OP_NO_VOP3) && op->src[0] != SIM_T_NONE)
	put (o, "_e32");
    }
  else if (op->format != in->format && op->src[0] != SIM_T_NONE)
    put (o, "_e64");

  if (in->dst != SIM_NO_OPERAND)
    {
      separate (o);
      put_register (o, in->dst, op->format == SIM_VOPC ? 2 : sim_type_regs (op->dst));
    }
  if (in->sdst != SIM_NO_OPERAND)
    {
      separate (o);
      put_register (o, in->sdst, 2);
    }
  unsigned sources = 0;
  for (unsigned i = 0; i < 3; i++)
    if (op->src[i] != SIM_T_NONE && in->src[i] != SIM_NO_OPERAND)
      {
	separate (o);
	put_vector_source (o, in, i);
	sources++;
      }
  if (in->variant == SIM_SDWA)
    {
      put_output_modifiers (o, in);
      put_sdwa (o, in);
    }
  else if (in->variant == SIM_DPP)
    put_dpp (o, in);
  else if (in->format == SIM_VOP3P && !(op->flags & (SIM_OP_ACC_SRC | SIM_OP_ACC_DST)))
    {
      unsigned all = (1u << sources) - 1;
      if (in->opsel & all)
	put_bits (o, "op_sel", in->opsel, sources);
      if ((in->opsel_hi & all) != all)
	put_bits (o, "op_sel_hi", in->opsel_hi, sources);
      if (in->neg & all)
	put_bits (o, "neg_lo", in->neg, sources);
      if (in->abs & all)
	put_bits (o, "neg_hi", in->abs, sources);
      if (in->clamp)
	put (o, " clamp");
    }
  else if (in->format == SIM_VOP3)
    {
      if (in->opsel)
	{
	  /* The destination's bit is printed behind those of the sources.  */
	  unsigned high = in->opsel >> 3 & 1;
	  put_bits (o, "op_sel", (in->opsel & ((1u << sources) - 1)) | high << sources, sources + 1);
	}
      put_output_modifiers (o, in);
    }
}

/* -- Memory formats -- */

static void
put_flat (struct out *o, const struct sim_insn *in)
{
  if (in->dst != SIM_NO_OPERAND)
    {
      separate (o);
      put_register (o, in->dst, sim_type_regs (in->op->dst));
    }
  for (unsigned i = 0; i < 2; i++)
    if (in->src[i] != SIM_NO_OPERAND)
      {
	separate (o);
	put_source (o, in, i);
      }
  if (in->format == SIM_GLOBAL)
    {
      separate (o);
      if (in->src[2] == SIM_NO_OPERAND)
	put (o, "off");
      else
	put_source (o, in, 2);
    }
  if (in->offset)
    put (o, " offset:%d", (int) in->offset);
  if (in->glc)
    put (o, " glc");
  if (in->slc)
    put (o, " slc");
}

static void
put_ds (struct out *o, const struct sim_insn *in)
{
  if (in->dst != SIM_NO_OPERAND)
    {
      separate (o);
      put_register (o, in->dst, sim_type_regs (in->op->dst));
    }
  for (unsigned i = 0; i < 3; i++)
    if (in->src[i] != SIM_NO_OPERAND)
      {
	separate (o);
	put_source (o, in, i);
      }
  if (in->op->flags & SIM_OP_OFFSETS)
    {
      if (in->offset & 0xff)
	put (o, " offset0:%d", in->offset & 0xff);
      if (in->offset >> 8)
	put (o, " offset1:%d", in->offset >> 8);
    }
  else if (in->offset)
    put (o, " offset:%d", (int) in->offset);
}

char *
sim_disasm (const struct sim_insn *in, uint64_t pc, char *text, size_t size)
{
  struct out o = { text, size, 0, false };
  text[0] = 0;
  if (!in->op)
    {
      put (&o, ".long 0x%08x", in->word[0]);
      if (in->words == 2)
	put (&o, ", 0x%08x", in->word[1]);
      return text;
    }
  put (&o, "%s", in->op->name);
  switch (in->format)
    {
    case SIM_SOP1: case SIM_SOP2: case SIM_SOPC: case SIM_SOPK: case SIM_SOPP:
      put_scalar (&o, in, pc);
      break;
    case SIM_SMEM:
      put_smem (&o, in);
      break;
    case SIM_VOP1: case SIM_VOP2: case SIM_VOPC: case SIM_VOP3: case SIM_VOP3P:
      put_vector (&o, in);
      break;
    case SIM_FLAT: case SIM_GLOBAL:
      put_flat (&o, in);
      break;
    case SIM_DS:
      put_ds (&o, in);
      break;
    default:
      break;
    }
  return text;
}
