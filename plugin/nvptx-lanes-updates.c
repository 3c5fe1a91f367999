/* nvptx-lanes-updates.c -- sections of updates in kernels without the library.

   A reduction of several variables ends in a section of the lock of atomics (nvptx-lanes-ends.c):
   in the region for each thread, and in the function that begins it for each team.  The lock is the
   library's, and where each team takes it they queue up, 1.6 us for each.  In a kernel without the
   library (nvptx-lanes-direct.c) each update stands for itself:

	an integer, or a sum of double		red.OP [place], part
	a sum of float				lanes_put_float
	else, unless it changes nothing		a loop around a compare-and-swap

   Nobody may see one of them without the others, as under the lock nobody did.  In a region each
   place is a word of the team's frame, which only the region's threads use, each once, in this
   section.  In the function each place is what a word of its own of the kernel's arguments points
   to, so they are different variables, and the section is a reduction's: an atomic construct
   updates one variable, and until the reduction is complete a program may not look at its variables
   (OpenMP 5.2, 5.5.5).

   Called by nvptx-lanes-effects.c and nvptx-lanes-direct-emit.c.  */

#include "nvptx-lanes-frame.h"

#include <string.h>

#define NAME(name) (int) ptx->names[name].length, ptx->names[name].text

/* ---- which ---- */

/* Is REG, which statements FIRST to LAST of F set, used by others?  */
static bool
is_used_elsewhere (const struct ptx_function *f, uint32_t reg, uint32_t first, uint32_t last)
{
  uint32_t inside = 0;
  for (uint32_t i = first; i <= last; i++)
    inside += lanes_mentions (&f->stmts[i], reg);
  return inside != lanes_all_mentions (f, reg);
}

bool
lanes_find_section (const struct lanes_work *w, const struct lanes_function *lf, uint32_t begin,
		    struct lanes_stride *section)
{
  const struct ptx_function *f = lf->f;

  if (!lanes_match_section (w, lf, begin, section))
    return false;
  for (uint32_t i = section->end_first; i <= section->end_last; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (s->kind == PTX_STMT_INSN && s->num_operands > 0 && s->u.insn.op->opcode != PTX_OP_ST
	  && s->u.insn.op->opcode != PTX_OP_CALL && s->u.insn.operands[0].kind == PTX_O_REG
	  && is_used_elsewhere (f, s->u.insn.operands[0].id, section->end_first, section->end_last))
	return false;
    }
  return true;
}

bool
lanes_is_place_of (const struct lanes_stride *section, const struct ptx_stmt *s)
{
  if (!lanes_is_insn (s, PTX_OP_LD, 2))
    return false;
  for (unsigned k = 0; k < section->num_updates; k++)
    if (lanes_is_reg (&s->u.insn.operands[0], section->updates[k].address))
      return true;
  return false;
}

/* ---- the text ---- */

/* What is where U is becomes COMBINE of it and the register PART, both of type TYPE and BITS, by a
   loop, if that changes it.  */
static void
put_loop (struct ptx_text *out, const struct ptx_function *f, const struct lanes_update *u,
	  const char *combine, ptx_name type, unsigned bits, const char *part, int length)
{
  const struct ptx *ptx = f->module->ptx;
  const char *base = ptx->names[f->vars[u->address].name].text;
  int base_length = (int) ptx->names[f->vars[u->address].name].length;
  long long offset = (long long) u->offset;
  unsigned n = u->first;

  ptx_printf (out,
	      "\t{\n\t.reg %.*s %%direct_value;\n\t.reg .pred %%direct_same;\n"
	      "\t.reg .b%u %%direct_old;\n\t.reg .b%u %%direct_new;\n\t.reg .b%u %%direct_found;\n"
	      "\tld.volatile.u%u %%direct_found, [%.*s+%lld];\n"
	      "$direct_again%u:\n"
	      "\tmov.b%u %%direct_old, %%direct_found;\n"
	      "\tmov.b%u %%direct_value, %%direct_old;\n"
	      "\t%s %%direct_value, %%direct_value, %.*s;\n"
	      "\tmov.b%u %%direct_new, %%direct_value;\n"
	      "\tsetp.eq.u%u %%direct_same, %%direct_new, %%direct_old;\n"
	      "\t@%%direct_same bra $direct_updated%u;\n"
	      "\tatom.cas.b%u %%direct_found, [%.*s+%lld], %%direct_old, %%direct_new;\n"
	      "\tsetp.ne.u%u %%direct_same, %%direct_found, %%direct_old;\n"
	      "\t@%%direct_same bra $direct_again%u;\n"
	      "$direct_updated%u:\n\t}\n",
	      NAME (type), bits, bits, bits, bits, base_length, base, offset, n, bits, bits,
	      combine, length, part, bits, bits, n, bits, base_length, base, offset, bits, n, n);
}

void
lanes_put_float (struct ptx_text *out, const struct ptx_function *f, const struct lanes_update *u,
		 uint32_t part)
{
  const struct ptx *ptx = f->module->ptx;
  static const char rest[] = "%direct_rest";
  const char *base = ptx->names[f->vars[u->address].name].text;
  int length = (int) ptx->names[f->vars[u->address].name].length;
  unsigned n = u->first;

  ptx_printf (
      out,
      "\t{\n\t.reg .f32 %%direct_rest;\n\t.reg .f32 %%direct_was;\n\t.reg .f32 %%direct_sum;\n"
      "\t.reg .pred %%direct_tiny;\n"
      "\tmov.f32 %%direct_rest, %.*s;\n"
      "\tisspacep.shared %%direct_tiny, %.*s;\n"
      "\t@%%direct_tiny bra $direct_rest%u;\n"
      "\ttestp.subnormal.f32 %%direct_tiny, %%direct_rest;\n"
      "\t@%%direct_tiny bra $direct_rest%u;\n"
      "\tatom.add.f32 %%direct_was, [%.*s+%lld], %%direct_rest;\n"
      "\tadd.f32 %%direct_sum, %%direct_was, %%direct_rest;\n"
      "\tmov.f32 %%direct_rest, %%direct_was;\n"
      "\ttestp.subnormal.f32 %%direct_tiny, %%direct_rest;\n"
      "\t@%%direct_tiny bra $direct_rest%u;\n"
      "\tmov.f32 %%direct_rest, %%direct_sum;\n"
      "\ttestp.subnormal.f32 %%direct_tiny, %%direct_rest;\n"
      "\t@!%%direct_tiny bra $direct_added%u;\n"
      "$direct_rest%u:\n",
      NAME (f->vars[part].name), length, base, n, n, length, base, (long long) u->offset, n, n, n);
  put_loop (out, f, u, "add.f32", PTX_F32, 32, rest, (int) sizeof (rest) - 1);
  ptx_printf (out, "$direct_added%u:\n\t}\n", n);
}

void
lanes_put_native (struct ptx_text *out, const struct ptx_function *f, const char *native,
		  const struct lanes_update *u, uint32_t part)
{
  const struct ptx *ptx = f->module->ptx;
  ptx_printf (out, "\tred%s [%.*s+%lld], %.*s;\n", native + strlen ("atom"),
	      NAME (f->vars[u->address].name), (long long) u->offset, NAME (f->vars[part].name));
}

void
lanes_put_section (struct ptx_text *out, const struct ptx_function *f,
		   const struct lanes_stride *section, bool flushes)
{
  const struct ptx *ptx = f->module->ptx;

  for (unsigned k = 0; k < section->num_updates; k++)
    {
      const struct lanes_update *u = &section->updates[k];
      const struct lanes_part *part = &section->parts[u->part];
      const char *native = lanes_native (part->combine);
      if (native != NULL)
	lanes_put_native (out, f, native, u, part->reg);
      else if (flushes && strcmp (part->combine, "add.f32") == 0)
	lanes_put_float (out, f, u, part->reg);
      else
	{
	  const struct ptx_name_entry *reg = &ptx->names[f->vars[part->reg].name];
	  put_loop (out, f, u, part->combine, f->vars[part->reg].type, part->size * 8, reg->text,
		    (int) reg->length);
	}
    }
}
