/* nvptx-lanes-slots.c -- a function's frame in a kernel that all lanes run: registers, of each lane, or an array.

   A word of the frame is a register, called by its place, if it has 4 or 8 bytes and no other one has a part of it; else all of the
   frame is an array in .local.  While a region runs, words that it writes are in the block's shared memory, at their places behind the first of
   these (nvptx-lanes-frame.c).

   Called by nvptx-lanes-direct.c.  */

#include "nvptx-lanes-frame.h"

#include <inttypes.h>
#include <stdio.h>

#define NAME(ptx, name) (int) (ptx)->names[name].length, (ptx)->names[name].text

/* Is S a load or store of 4 bytes with O, a register of 8: a part of it, or extended to it?  */
static bool
is_converted (const struct ptx_function *f, const struct ptx_stmt *s, const struct ptx_operand *o)
{
  const struct ptx_op *op = s->u.insn.op;
  return op->vector <= 1 && (op->types[0] == PTX_U32 || op->types[0] == PTX_S32 || op->types[0] == PTX_B32)
	 && o->kind == PTX_O_REG && o->element == 0 && f->vars[o->id].vector <= 1
	 && (f->vars[o->id].type == PTX_U64 || f->vars[o->id].type == PTX_S64 || f->vars[o->id].type == PTX_B64);
}

/* Can all that S, a plain load or store at AT, reads or writes of the frame be registers: words of 4 or 8 bytes, of which no
   other statement uses a part?  */
static bool
find_slots (const struct ptx_function *f, const struct ptx_stmt *s, int64_t at, struct lanes_slots *slots)
{
  const struct ptx_op *op = s->u.insn.op;
  const struct ptx_operand *value = &s->u.insn.operands[op->opcode == PTX_OP_ST];
  unsigned size = ptx_type_size (op->types[0]), num = op->vector > 1 ? op->vector : 1;

  if ((size != 4 && size != 8) || num > 4)
    return false;
  for (unsigned k = 0; k < num; k++)
    {
      const struct ptx_operand *o = value;
      if (num > 1 && o->kind == PTX_O_VECTOR)
	{
	  if (o->id != num)
	    return false;
	  o = &o->u.list[k];
	}
      if (o->kind == PTX_O_REG
	  ? (ptx_type_size (f->vars[o->id].type) != size && !is_converted (f, s, o))
	    || f->vars[o->id].vector != (num > 1 && o == value ? num : o->element != 0 ? f->vars[o->id].vector : 1)
	  : (num > 1 && o == value) || op->opcode == PTX_OP_LD
	    || (o->kind != PTX_O_INT && o->kind != PTX_O_F32 && o->kind != PTX_O_F64))
	return false;
      int64_t offset = at + k * size;
      unsigned i = 0;
      while (i < slots->num && (offset >= slots->v[i].offset + slots->v[i].size || offset + size <= slots->v[i].offset))
	i++;
      if (i < slots->num)
	{
	  if (slots->v[i].offset != offset || slots->v[i].size != size)
	    return false;
	  continue;
	}
      if (slots->num == LANES_MOST_SLOTS)
	return false;
      slots->v[slots->num].offset = offset;
      slots->v[slots->num++].size = size;
    }
  return true;
}

/* S is inside of the frame.  */
bool
lanes_add_slots (const struct ptx_function *f, const struct ptx_stmt *s, int64_t at, struct lanes_slots *slots)
{
  const struct ptx_op *op = s->u.insn.op;
  uint64_t offset = (uint64_t) at;
  unsigned size = ptx_type_size (op->types[0]) * (op->vector > 1 ? op->vector : 1);

  if (offset > slots->bytes || size > slots->bytes - offset)
    return false;
  slots->in_memory |= !find_slots (f, s, at, slots);
  return true;
}

/* Region F's loads.  */
bool
lanes_add_loads (const struct ptx_function *f, const struct lanes_places *places, struct lanes_slots *slots)
{
  int64_t at;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    if (lanes_is_plain (&f->stmts[i], PTX_OP_LD) && lanes_frame_is_at (places, &f->stmts[i], &at)
	&& !lanes_add_slots (f, &f->stmts[i], at, slots))
      return false;
  return true;
}

/* What regions write has a place outside of regions as well.  */
bool
lanes_add_shared (const struct lanes_frame *frame, struct lanes_slots *slots)
{
  for (unsigned n = 0; n < frame->num; n++)
    {
      const struct lanes_frame_word *word = &frame->words[n];
      unsigned i = 0;
      while (i < slots->num && slots->v[i].offset != word->offset)
	i++;
      if (!word->shared || i < slots->num)
	continue;
      if (slots->num == LANES_MOST_SLOTS)
	return false;
      slots->v[slots->num].offset = word->offset;
      slots->v[slots->num++].size = word->size;
    }
  return true;
}

/* ---- the text ---- */

void
lanes_put_guard (struct ptx_text *out, const struct ptx_function *f, const struct ptx_stmt *s)
{
  ptx_printf (out, "\t");
  if (s->guard != PTX_NO_INDEX)
    ptx_printf (out, "@%s%.*s ", s->guard_negated ? "!" : "", NAME (f->module->ptx, f->vars[s->guard].name));
}

/* S, a load or store of the frame, at AT.  */
void
lanes_put_slots (struct ptx_text *out, const struct ptx_function *f, const struct ptx_stmt *s, int64_t at,
		 const struct lanes_slots *slots)
{
  const struct ptx_op *op = s->u.insn.op;
  bool store = op->opcode == PTX_OP_ST;
  const struct ptx_operand *value = &s->u.insn.operands[store];
  unsigned size = ptx_type_size (op->types[0]), num = op->vector > 1 ? op->vector : 1;

  if (slots->in_memory)
    {
      lanes_put_guard (out, f, s);
      ptx_printf (out, "%s.local", store ? "st" : "ld");
      for (unsigned k = 0; k < op->num_words; k++)
	ptx_printf (out, "%.*s", NAME (f->module->ptx, op->words[k]));
      ptx_printf (out, " ");
      if (!store)
	ptx_print_operand (out, f, value);
      ptx_printf (out, "%s[%%direct_frame+%" PRId64 "]", store ? "" : ", ", at);
      if (store)
	{
	  ptx_printf (out, ", ");
	  ptx_print_operand (out, f, value);
	}
      ptx_printf (out, ";\n");
      return;
    }
  for (unsigned k = 0; k < num; k++)
    {
      struct ptx_operand o = num > 1 && value->kind == PTX_O_VECTOR ? value->u.list[k] : *value;
      int64_t offset = at + k * size;
      if (num > 1 && value->kind == PTX_O_REG)
	o.element = k + 1;
      lanes_put_guard (out, f, s);
      if (is_converted (f, s, &o))
	ptx_printf (out, store ? "cvt.u32.u64 " : op->types[0] == PTX_S32 ? "cvt.s64.s32 " : "cvt.u64.u32 ");
      else
	ptx_printf (out, "mov.b%u ", size * 8);
      if (store)
	ptx_printf (out, "%%direct_slot%" PRId64 ", ", offset);
      ptx_print_operand (out, f, &o);
      if (!store)
	ptx_printf (out, ", %%direct_slot%" PRId64, offset);
      ptx_printf (out, ";\n");
    }
}

/* Words of WHICH go to the block's memory, or (BACK) come from there.  */
void
lanes_put_words (struct ptx_text *out, const struct lanes_frame *frame, const struct lanes_slots *slots, uint64_t which,
		 bool back)
{
  for (unsigned i = 0; i < frame->num; i++)
    {
      const struct lanes_frame_word *word = &frame->words[i];
      unsigned bits = word->size * 8;
      const char *slot = slots->in_memory ? "%direct_word" : "%direct_slot";
      char name[40];
      if ((which >> i & 1) == 0)
	continue;
      snprintf (name, sizeof (name), "%s%" PRId64, slot, slots->in_memory ? (int64_t) bits : word->offset);
      if (slots->in_memory && !back)
	ptx_printf (out, "\tld.local.b%u %s, [%%direct_frame+%" PRId64 "];\n", bits, name, word->offset);
      if (back)
	ptx_printf (out, "\tld.shared.b%u %s, [%%direct_shared+%" PRId64 "];\n", bits, name, word->offset - frame->low);
      else
	ptx_printf (out, "\t@%%direct_leads st.shared.b%u [%%direct_shared+%" PRId64 "], %s;\n", bits,
		    word->offset - frame->low, name);
      if (slots->in_memory && back)
	ptx_printf (out, "\tst.local.b%u [%%direct_frame+%" PRId64 "], %s;\n", bits, word->offset, name);
    }
}

bool
lanes_put_uniform_load (struct ptx_text *out, const struct lanes_function *region, const struct lanes_frame *frame,
			const struct lanes_places *places, const struct ptx_stmt *s)
{
  const struct ptx_function *f = region->f;
  int64_t at;

  if (!region->has_uniform || !lanes_is_plain (s, PTX_OP_LD) || s->guard != PTX_NO_INDEX
      || ptx_type_size (s->u.insn.op->types[0]) != 8 || !lanes_frame_is_at (places, s, &at)
      || !lanes_frame_is_shared (frame, s, at))
    return false;
  const struct ptx_operand *to = &s->u.insn.operands[0];
  const struct ptx_name_entry *together = &f->module->ptx->names[f->vars[region->together_reg].name];
  ptx_print_stmt (out, f, s);
  ptx_printf (out, "\t{\n\t.reg .b32 %%direct_half<2>;\n\tmov.b64 {%%direct_half0,%%direct_half1}, ");
  ptx_print_operand (out, f, to);
  for (unsigned half = 0; half < 2; half++)
    ptx_printf (out, ";\n\t@%.*s shfl.sync.idx.b32 %%direct_half%u, %%direct_half%u, 0, 31, 4294967295",
		(int) together->length, together->text, half, half);
  ptx_printf (out, ";\n\tmov.b64 ");
  ptx_print_operand (out, f, to);
  ptx_printf (out, ", {%%direct_half0,%%direct_half1};\n\t}\n");
  return true;
}
