/* nvptx-lanes-warps.c -- kernels whose warps run a whole target region by themselves, without the library.

   Regions with simd loops have no lanes left to make threads of.  But the library in between costs them the same as others:
   a call through a pointer, with as many registers as any function needs that a pointer may lead to, and a
   thread 0 that the others wait for.  So what nvptx-lanes-direct.c does with lanes is done with warps here: NAME$warps is
   the kernel in which each warp runs the target region's function for itself, with the parallel region's in place of the call of
   GOMP_parallel.  A warp is a thread, as GCC means it; so the region's code stays as it is, with its frame on the warp's
   stack and the warp's flag, both of which the kernel's entry has made.

   Registers.  With 32 a multiprocessor has room for all the warps that it can hold.  What takes more in most kernels is
   the divisions of 64 bits by which a loop is shared out: the GPU's compiler makes calls of them, over which it keeps what is
   needed behind them.  Here they are of 32 bits where that will do, and else a loop (lanes_put_division).

   Shares.  A thread has an n-th part of the loop, and its lanes have each a 32nd of that.  A team with few iterations gave each
   of its warps less than 32, and lanes idled: in n-body with 8192 bodies three of four.  Here so many warps have a part that
   it is about 32, and the others have none (lanes_put_share).

   Likewise what travels with the launch (nvptx-carry.c) is stored without a call of the library, also in kernels for lanes: a
   kernel has no less registers than what it calls.

   Owns: can_be_warps, share and is_warps of struct lanes_function.

   Invariants
   1. A region may do what it likes, alone or with other warps, but nothing that the library has to know of or that it would have
      to be in: it, and all that it calls, calls nothing of the library but to ask, in the region's own function, who and how many
      the threads are; no function of our library by any other name; and nothing that can't be seen.
   2. What could be about the library's threads, barriers or shared memory is a reason: opcodes, special registers and symbols that are
      not listed.
   3. What a region calls has no frame on the warp's stack and does not look at the warp's flag.  In GCC's code a lane that has no
      iteration left makes both the warp's again, while others may still be in the loop and call what uses them: that goes well or
      not by the order of the lanes, which is not to depend on this.
      So nobody looks at the flag and the stack pointer that the region stores, and they stay as the entry has made them: the
      region itself loads them before it has stored any (sees_marks).
   4. Who has which iterations of a loop that is shared out is known from the quotient, the rest and the thread's number alone, in
      the one place where they are used (lanes_match_share): so another division is as good, if it is one.
   5. The target region's function, its data block and the regions' ends are as for lanes (nvptx-lanes-direct.c, 1, 2 and 5), and
      all its regions are of this kind.

   Called by nvptx-lanes.c.  */

#include "nvptx-lanes-work.h"

#include <stdlib.h>
#include <string.h>

/* May F, which is a region (ROOT) or called by one, have operand O?  */
static bool
good_operand (struct lanes_work *w, const struct ptx_function *f, const struct ptx_operand *o, bool root)
{
  switch (o->kind == PTX_O_ADDRESS ? o->base : o->kind)
    {
    case PTX_O_VECTOR:
    case PTX_O_PAIR:
    case PTX_O_ARGS:
      for (uint32_t i = 0; i < o->id; i++)
	if (!good_operand (w, f, &o->u.list[i], root))
	  return false;
      return true;
    case PTX_O_SPECIAL:
      return o->id == PTX_SREG_LANEID || (o->id == PTX_SREG_TID && o->element == 2) || lanes_is_good_special (o->id);
    case PTX_O_SYMBOL:
      {
	const struct ptx_var *v = ptx_find_variable (f->module, o->id);
	if (o->id == w->stacks || o->id == w->uniform)
	  return root;
	return (v == NULL || v->space != PTX_SHARED) && !lanes_is_library_name (w->ptx, o->id);
      }
    case PTX_O_BRACKETS:
      return false;
    default:
      return true;
    }
}

static bool
good_insn (struct lanes_work *w, const struct ptx_function *f, uint32_t i, bool root)
{
  const struct ptx_stmt *s = &f->stmts[i];
  const struct ptx_op *op = s->u.insn.op;

  switch (op->opcode)
    {
    case PTX_OP_SHFL:
    case PTX_OP_VOTE:
      if (!ptx_op_has (op, PTX_SYNC))
	return false;
      break;
    case PTX_OP_BAR:
      if (!lanes_name_is (w->ptx, op->text, "bar.warp.sync"))
	return false;
      break;
    case PTX_OP_EXIT:
      /* `trap; exit;': what can't be reached.  */
      if (s->guard != PTX_NO_INDEX || i == 0 || f->stmts[i - 1].kind != PTX_STMT_INSN || f->stmts[i - 1].guard != PTX_NO_INDEX
	  || f->stmts[i - 1].u.insn.op->opcode != PTX_OP_TRAP)
	return false;
      break;
    default:
      if (!lanes_is_good_opcode (op->opcode))
	return false;
    }
  for (unsigned n = 0; n < s->num_operands; n++)
    if (!(op->opcode == PTX_OP_CALL && n == PTX_CALL_TARGET) && !good_operand (w, f, &s->u.insn.operands[n], root))
      return false;
  return true;
}

static bool
good_statements (struct lanes_work *w, const struct ptx_function *f, bool root)
{
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      switch (s->kind)
	{
	case PTX_STMT_INSN:
	  if (!good_insn (w, f, i, root))
	    return false;
	  break;
	case PTX_STMT_DECLARE:
	  for (uint32_t k = 0; k < s->u.declare.num; k++)
	    {
	      const struct ptx_var *v = &f->vars[s->u.declare.first + k];
	      if (v->space != PTX_REG && v->space != PTX_LOCAL && v->space != PTX_PARAM)
		return false;
	    }
	  break;
	case PTX_STMT_LABEL:
	case PTX_STMT_BEGIN:
	case PTX_STMT_END:
	case PTX_STMT_LOC:
	case PTX_STMT_TARGETS:
	  break;
	default:
	  return false;
	}
    }
  return true;
}

/* Could what is put into F's text be taken for names of F's?  */
static bool
has_our_names (const struct lanes_work *w, const struct ptx_function *f)
{
  for (uint32_t i = 0; i < f->num_vars; i++)
    if (lanes_name_begins (w->ptx, f->vars[i].name, "%direct"))
      return true;
  return false;
}

/* Calls of LF, which is the region ROOT or called by it; functions go to the closure.  */
static bool
good_calls (struct lanes_work *w, const struct lanes_function *lf, const struct lanes_function *root)
{
  for (uint32_t i = 0; i < lf->num_calls; i++)
    {
      const struct lanes_call *call = &lf->calls[i];
      if (call->kind == LANES_CALL_LIBRARY && lf == root
	  && (lanes_is_routine (w->ptx, call->name, "omp_get_num_threads")
	      || lanes_is_routine (w->ptx, call->name, "omp_get_thread_num"))
	  && lanes_is_answered (lf, call))
	continue;
      if (call->kind != LANES_CALL_CODE || call->callee->object >= w->num - w->num_ours
	  || lanes_is_library_name (w->ptx, call->name) || !lanes_add_to_closure (w, call->callee))
	return false;
    }
  return true;
}

/* ---- divisions ---- */

/* S is an unguarded OPCODE of TYPE, with a register as its result.  */
static bool
is_wide (const struct ptx_stmt *s, ptx_name opcode, ptx_name type)
{
  if (s->kind != PTX_STMT_INSN || s->guard != PTX_NO_INDEX || s->num_operands != 3)
    return false;
  const struct ptx_op *op = s->u.insn.op;
  const struct ptx_operand *o = s->u.insn.operands;
  return op->opcode == opcode && op->num_words == 1 && op->words[0] == type && o[0].kind == PTX_O_REG
	 && o[0].element == 0 && (o[1].kind == PTX_O_REG || o[1].kind == PTX_O_INT)
	 && (o[2].kind == PTX_O_REG || o[2].kind == PTX_O_INT);
}

static bool
is_same (const struct ptx_operand *a, const struct ptx_operand *b)
{
  return a->kind == b->kind && a->element == b->element
	 && (a->kind == PTX_O_REG ? a->id == b->id : a->u.value == b->u.value);
}

bool
lanes_put_division (struct ptx_text *out, const struct ptx_function *f, uint32_t *i)
{
  struct ptx *ptx = f->module->ptx;
  const struct ptx_stmt *s = &f->stmts[*i];

  if (*i + 1 >= f->num_stmts)
    return false;
  bool with_sign = is_wide (s, PTX_OP_DIV, PTX_S64) && is_wide (s + 1, PTX_OP_REM, PTX_S64);
  if (!with_sign && !(is_wide (s, PTX_OP_DIV, PTX_U64) && is_wide (s + 1, PTX_OP_REM, PTX_U64)))
    return false;
  const struct ptx_operand *quotient = &s[0].u.insn.operands[0], *rest = &s[1].u.insn.operands[0];
  const struct ptx_operand *number = &s[0].u.insn.operands[1], *by = &s[0].u.insn.operands[2];
  ptx_name wide = ptx_fresh_name (ptx, "$direct_wide"), turn = ptx_fresh_name (ptx, "$direct_turn");
  ptx_name done = ptx_fresh_name (ptx, "$direct_done");
  if (wide == 0 || turn == 0 || done == 0 || !is_same (number, &s[1].u.insn.operands[1])
      || !is_same (by, &s[1].u.insn.operands[2]) || (number->kind == PTX_O_REG && number->id == quotient->id)
      || (by->kind == PTX_O_REG && by->id == quotient->id))
    return false;
#define NAME(n) (int) ptx->names[n].length, ptx->names[n].text
  ptx_printf (out, "\t{\n"
	      "\t.reg .u64 %%direct_n;\n\t.reg .u64 %%direct_d;\n\t.reg .u64 %%direct_q;\n\t.reg .u64 %%direct_r;\n"
	      "\t.reg .u32 %%direct_a;\n\t.reg .u32 %%direct_b;\n\t.reg .pred %%direct_p;\n\t.reg .pred %%direct_c;\n"
	      "\tmov.b64 %%direct_n, ");
  ptx_print_operand (out, f, number);
  ptx_printf (out, ";\n\tmov.b64 %%direct_d, ");
  ptx_print_operand (out, f, by);
  ptx_printf (out, ";\n"
	      "\tor.b64 %%direct_q, %%direct_n, %%direct_d;\n"
	      "\tshr.u64 %%direct_q, %%direct_q, 32;\n"
	      "\tsetp.ne.u64 %%direct_p, %%direct_q, 0;\n"
	      "\t@%%direct_p bra %.*s;\n"
	      "\tcvt.u32.u64 %%direct_a, %%direct_n;\n"
	      "\tcvt.u32.u64 %%direct_b, %%direct_d;\n"
	      "\tdiv.u32 %%direct_a, %%direct_a, %%direct_b;\n"
	      "\tcvt.u64.u32 %%direct_q, %%direct_a;\n"
	      "\tmul.lo.u64 %%direct_d, %%direct_q, %%direct_d;\n"
	      "\tsub.u64 %%direct_r, %%direct_n, %%direct_d;\n"
	      "\tbra %.*s;\n"
	      "%.*s:\n"
	      "\tmov.u64 %%direct_q, %%direct_n;\n"
	      "\tmov.u64 %%direct_r, 0;\n"
	      "\tmov.u32 %%direct_a, 64;\n", NAME (wide), NAME (done), NAME (wide));
  if (with_sign)
    ptx_printf (out,
		"\tsetp.lt.s64 %%direct_p, %%direct_n, 0;\n"
		"\t@%%direct_p sub.u64 %%direct_q, 0, %%direct_q;\n"
		"\tsetp.lt.s64 %%direct_p, %%direct_d, 0;\n"
		"\t@%%direct_p sub.u64 %%direct_d, 0, %%direct_d;\n");
  /* A bit at a time from the top of the number, as one divides by hand.  */
  ptx_printf (out,
	      "%.*s:\n"
	      "\tsetp.lt.s64 %%direct_c, %%direct_r, 0;\n"
	      "\tshl.b64 %%direct_r, %%direct_r, 1;\n"
	      "\tsetp.lt.s64 %%direct_p, %%direct_q, 0;\n"
	      "\t@%%direct_p add.u64 %%direct_r, %%direct_r, 1;\n"
	      "\tshl.b64 %%direct_q, %%direct_q, 1;\n"
	      "\tsetp.ge.or.u64 %%direct_p, %%direct_r, %%direct_d, %%direct_c;\n"
	      "\t@%%direct_p sub.u64 %%direct_r, %%direct_r, %%direct_d;\n"
	      "\t@%%direct_p add.u64 %%direct_q, %%direct_q, 1;\n"
	      "\tadd.u32 %%direct_a, %%direct_a, -1;\n"
	      "\tsetp.ne.u32 %%direct_p, %%direct_a, 0;\n"
	      "\t@%%direct_p bra %.*s;\n", NAME (turn), NAME (turn));
  if (with_sign)
    {
      /* The rest has the number's sign.  */
      ptx_printf (out,
		  "\tsetp.lt.s64 %%direct_p, %%direct_n, 0;\n"
		  "\t@%%direct_p sub.u64 %%direct_r, 0, %%direct_r;\n"
		  "\txor.b64 %%direct_n, %%direct_n, ");
      ptx_print_operand (out, f, by);
      ptx_printf (out, ";\n"
		  "\tsetp.lt.s64 %%direct_p, %%direct_n, 0;\n"
		  "\t@%%direct_p sub.u64 %%direct_q, 0, %%direct_q;\n");
    }
  ptx_printf (out, "%.*s:\n\tmov.b64 ", NAME (done));
#undef NAME
  ptx_print_operand (out, f, quotient);
  ptx_printf (out, ", %%direct_q;\n\tmov.b64 ");
  ptx_print_operand (out, f, rest);
  ptx_printf (out, ", %%direct_r;\n\t}\n");
  *i += 1;
  return true;
}

/* ---- the warp's flag and stack ---- */

enum { MARK_SETS = 3 };

/* Is REG of F an address of the warp's flag, or of where its stack pointer is: made of one of these symbols by adding, and of
   nothing else?  DEPTH: of so many registers at most, one of the other.  */
static bool
is_mark (const struct lanes_work *w, const struct ptx_function *f, uint32_t reg, unsigned depth)
{
  bool any = false;

  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (!lanes_sets_reg (s, reg))
	continue;
      const struct ptx_operand *o = s->u.insn.operands;
      any = true;
      if (s->guard != PTX_NO_INDEX)
	return false;
      if (lanes_is_insn (s, PTX_OP_MOV, 2) && o[1].kind == PTX_O_SYMBOL
	  && (o[1].id == w->stacks || o[1].id == w->uniform))
	continue;
      if (!lanes_is_insn (s, PTX_OP_ADD, 3) || o[1].kind != PTX_O_REG || depth == 0
	  || (o[1].id != reg && !is_mark (w, f, o[1].id, depth - 1)))
	return false;
    }
  return any;
}

/* OPCODE of S is to such an address.  */
static bool
is_of_mark (const struct lanes_work *w, const struct ptx_function *f, const struct ptx_stmt *s,
	    ptx_name opcode)
{
  if (!lanes_is_insn (s, opcode, 2) || s->u.insn.op->space != PTX_SHARED)
    return false;
  const struct ptx_operand *o = &s->u.insn.operands[opcode == PTX_OP_LD];
  return o->kind == PTX_O_ADDRESS && o->base == PTX_O_REG && is_mark (w, f, o->id, MARK_SETS);
}

/* Does F load anything of that behind its first straight line, in which it has stored nothing but a new stack pointer?  */
static bool
sees_marks (const struct lanes_work *w, const struct ptx_function *f)
{
  bool stored = false;

  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (s->kind == PTX_STMT_LABEL || lanes_is_insn (s, PTX_OP_BRA, 1))
	stored = true;
      if (s->kind != PTX_STMT_INSN || s->u.insn.op->space != PTX_SHARED
	  || s->u.insn.op->opcode == PTX_OP_ST)
	continue;
      if (stored || !is_of_mark (w, f, s, PTX_OP_LD))
	return true;
    }
  return false;
}

bool
lanes_is_unseen (const struct lanes_work *w, const struct lanes_function *lf, const struct ptx_stmt *s)
{
  return !lf->sees_marks && is_of_mark (w, lf->f, s, PTX_OP_ST);
}

/* ---- shares ---- */

/* Statement I of F can get to itself.  */
static bool
is_in_cycle (struct lanes_work *w, const struct ptx_function *f, uint32_t i)
{
  bool *seen = calloc (f->num_stmts + 1, sizeof (*seen));
  uint32_t *stack = calloc ((size_t) f->num_stmts + 2, sizeof (*stack)), depth = 0, next[2];

  w->no_memory |= seen == NULL || stack == NULL;
  if (seen != NULL && stack != NULL)
    stack[depth++] = i;
  while (depth > 0 && !seen[i])
    for (unsigned n = lanes_successors (f, stack[--depth], next); n-- > 0;)
      if (!seen[next[n]])
	{
	  seen[next[n]] = true;
	  stack[depth++] = next[n];
	}
  bool found = seen == NULL || seen[i];
  free (seen);
  free (stack);
  return found;
}

enum { MOST_MADE = 32 };

/* Registers that are made of one.  */
struct made
{
  uint32_t regs[MOST_MADE];
  unsigned num;
};

static bool
is_made (const struct made *made, const struct ptx_function *f, const struct ptx_operand *o)
{
  uint32_t reg = lanes_reg_of (f, o);

  for (unsigned i = 0; i < made->num; i++)
    if (made->regs[i] == reg)
      return true;
  return false;
}

/* Fill in what sums, products and conversions make of REG in F, of as many registers as there is room for.  */
static void
find_made (struct made *made, const struct ptx_function *f, uint32_t reg)
{
  made->regs[0] = reg;
  made->num = 1;
  for (unsigned before = 0; before < made->num;)
    {
      before = made->num;
      for (uint32_t i = 0; i < f->num_stmts && made->num < MOST_MADE; i++)
	{
	  const struct ptx_stmt *s = &f->stmts[i];
	  bool takes = false;
	  if (s->kind != PTX_STMT_INSN
	      || (s->u.insn.op->opcode != PTX_OP_ADD && s->u.insn.op->opcode != PTX_OP_MUL
		  && s->u.insn.op->opcode != PTX_OP_MAD && s->u.insn.op->opcode != PTX_OP_SHL
		  && s->u.insn.op->opcode != PTX_OP_CVT && s->u.insn.op->opcode != PTX_OP_MOV))
	    continue;
	  for (unsigned k = 1; k < s->num_operands; k++)
	    takes |= is_made (made, f, &s->u.insn.operands[k]);
	  uint32_t to = lanes_reg_of (f, &s->u.insn.operands[0]);
	  if (takes && to != PTX_NO_INDEX && !is_made (made, f, &s->u.insn.operands[0]))
	    made->regs[made->num++] = to;
	}
    }
}

/* Do lanes begin the loop, of which a thread's first iteration is in START, with one after the other: is the lane's number
   added to that, once for all of the loop?  If not, a thread's iteration may have a simd loop in it.  */
static bool
is_for_lanes (struct lanes_work *w, const struct ptx_function *f, uint32_t start)
{
  struct made of_lane = { .num = 0 }, of_start;
  bool found = false;

  for (uint32_t i = 0; i < f->num_stmts && of_lane.num == 0; i++)
    if (lanes_is_insn (&f->stmts[i], PTX_OP_MOV, 2)
	&& f->stmts[i].u.insn.operands[1].kind == PTX_O_SPECIAL
	&& f->stmts[i].u.insn.operands[1].id == PTX_SREG_LANEID
	&& lanes_reg_of (f, &f->stmts[i].u.insn.operands[0]) != PTX_NO_INDEX)
      find_made (&of_lane, f, lanes_reg_of (f, &f->stmts[i].u.insn.operands[0]));
  if (of_lane.num == 0)
    return false;
  find_made (&of_start, f, start);
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (!lanes_is_insn (s, PTX_OP_ADD, 3) && !lanes_is_insn (s, PTX_OP_MAD, 4))
	continue;
      const struct ptx_operand *o = s->u.insn.operands;
      const struct ptx_operand *last = &o[s->num_operands - 1];
      bool lane = is_made (&of_lane, f, &o[1]) || (s->num_operands == 4 && is_made (&of_lane, f, &o[2]));
      if ((lane && is_made (&of_start, f, last) && !is_made (&of_lane, f, last))
	  || (is_made (&of_lane, f, last) && is_made (&of_start, f, &o[1])
	      && !is_made (&of_lane, f, &o[1])))
	{
	  if (is_in_cycle (w, f, i))
	    return false;
	  found = true;
	}
    }
  return found;
}

static void
find_share (struct lanes_work *w, struct lanes_function *root)
{
  struct lanes_share share;
  uint32_t start;

  if (!lanes_match_share (w, root, &share, &start) || !is_for_lanes (w, root->f, start))
    return;
  root->share = ptx_alloc (w->ptx, sizeof (share));
  if (root->share != NULL)
    *root->share = share;
  else
    w->no_memory = true;
}

void
lanes_put_share (struct ptx_text *out, const struct lanes_function *lf, uint32_t i, bool behind)
{
  const struct lanes_share *share = lf->share;
  const struct ptx_function *f = lf->f;
  const struct ptx *ptx = f->module->ptx;

  if (share == NULL || i != (behind ? share->last : share->first))
    return;
#define REG(r) (int) ptx->names[f->vars[r].name].length, ptx->names[f->vars[r].name].text
  if (behind)
    {
      /* Who is none of these has no iteration: from 0 to 0.  */
      ptx_printf (out,
		  "\t{\n\t.reg .pred %%direct_none;\n"
		  "\tsetp.ge.u32 %%direct_none, %.*s, %.*s;\n"
		  "\t@%%direct_none mov.u%u %.*s, 0;\n\t@%%direct_none mov.u%u %.*s, 0;\n\t}\n",
		  REG (share->id), REG (share->team), share->bits, REG (share->quotient), share->bits,
		  REG (share->rest));
      return;
    }
  /* One for each 32 iterations; with none of these as many as there are.  */
  ptx_printf (out,
	      "\t{\n\t.reg .u32 %%direct_full;\n\t.reg .u%u %%direct_lots;\n"
	      "\tadd.u%u %%direct_lots, %.*s, -1;\n"
	      "\tshr.u%u %%direct_lots, %%direct_lots, 5;\n"
	      "\tmin.u%u %%direct_lots, %%direct_lots, 2147483646;\n"
	      "\t%s %%direct_full, %%direct_lots;\n"
	      "\tadd.u32 %%direct_full, %%direct_full, 1;\n"
	      "\tmin.u32 %.*s, %.*s, %%direct_full;\n",
	      share->bits, share->bits, REG (share->num), share->bits, share->bits,
	      share->bits == 64 ? "cvt.u32.u64" : "mov.u32", REG (share->team), REG (share->team));
  if (share->wide_team != share->team)
    ptx_printf (out, "\tcvt.u64.u32 %.*s, %.*s;\n", REG (share->wide_team), REG (share->team));
  ptx_printf (out, "\t}\n");
#undef REG
}

/* ---- what travels with the launch ---- */

/* Declare what ARGS are and set it: %carry0, ... of WIDTHS bits.  */
static void
put_args (struct ptx_text *out, const struct ptx_function *f, const struct ptx_operand *args, const unsigned *widths,
	  unsigned num)
{
  for (unsigned i = 0; i < num; i++)
    {
      ptx_printf (out, "\t.reg .b%u %%direct_carry%u;\n\tmov.b%u %%direct_carry%u, ", widths[i], i, widths[i], i);
      ptx_print_operand (out, f, &args[i]);
      ptx_printf (out, ";\n");
    }
}

/* These two are as in config/nvptx/machine.h, machine_scatter and machine_copy_lanes, and config/accel/start.c.  */
void
lanes_put_carry_in (struct ptx_text *out, const struct ptx_function *f, const struct ptx_operand *args)
{
  static const unsigned widths[LANES_CARRY_IN_ARGS] = { 64, 32, 64, 64 };

  ptx_printf (out, "\t{\n");
  put_args (out, f, args, widths, LANES_CARRY_IN_ARGS);
  ptx_printf (out,
	      "\t.reg .pred %%direct_some;\n\t.reg .u32 %%direct_at;\n\t.reg .u32 %%direct_part<4>;\n"
	      "\t.reg .u64 %%direct_where;\n"
	      "\tmov.u32 %%direct_at, %%laneid;\n"
	      "\tmul.wide.u32 %%direct_where, %%direct_at, 16;\n"
	      "\tshl.b32 %%direct_at, %%direct_at, 4;\n"
	      "\tadd.u64 %%direct_where, %%direct_where, %%direct_carry0;\n"
	      "\tmov.b64 {%%direct_part0,%%direct_part1}, %%direct_carry2;\n"
	      "\tmov.b64 {%%direct_part2,%%direct_part3}, %%direct_carry3;\n");
  for (unsigned i = 0; i < 4; i++)
    ptx_printf (out,
		"%s\tsetp.lt.u32 %%direct_some, %%direct_at, %%direct_carry1;\n"
		"\t@%%direct_some st.global.u32 [%%direct_where+%u], %%direct_part%u;\n",
		i > 0 ? "\tadd.u32 %direct_at, %direct_at, 4;\n" : "", i * 4, i);
  ptx_printf (out, "\tbar.warp.sync 4294967295;\n\t}\n");
}

void
lanes_put_carry_out (struct ptx_text *out, const struct ptx_function *f, const struct ptx_operand *args)
{
  static const unsigned widths[LANES_CARRY_ARGS] = { 64, 64, 32, 64, 32 };

  ptx_printf (out, "\t{\n");
  put_args (out, f, args, widths, LANES_CARRY_ARGS);
  ptx_printf (out,
	      "\t.reg .pred %%direct_some;\n\t.reg .u32 %%direct_at;\n\t.reg .u32 %%direct_word;\n"
	      "\t.reg .u64 %%direct_from;\n\t.reg .u64 %%direct_to;\n\t.reg .u64 %%direct_offset;\n"
	      "\tmov.u32 %%direct_at, %%laneid;\n"
	      "\tshl.b32 %%direct_at, %%direct_at, 2;\n"
	      "$direct_copy:\n"
	      "\tsetp.ge.u32 %%direct_some, %%direct_at, %%direct_carry2;\n"
	      "\t@%%direct_some bra $direct_copied;\n"
	      "\tcvt.u64.u32 %%direct_offset, %%direct_at;\n"
	      "\tadd.u64 %%direct_from, %%direct_carry0, %%direct_offset;\n"
	      "\tadd.u64 %%direct_to, %%direct_carry1, %%direct_offset;\n"
	      "\tld.volatile.global.u32 %%direct_word, [%%direct_from];\n"
	      "\tst.volatile.global.u32 [%%direct_to], %%direct_word;\n"
	      "\tadd.u32 %%direct_at, %%direct_at, 128;\n"
	      "\tbra $direct_copy;\n"
	      "$direct_copied:\n"
	      "\tmembar.sys;\n"
	      "\tbar.warp.sync 4294967295;\n"
	      "\tst.volatile.u32 [%%direct_carry3], %%direct_carry4;\n"
	      "\t}\n");
}

/* ---- regions and kernels ---- */

void
lanes_find_warps (struct lanes_work *w, struct lanes_function *root)
{
  root->can_be_warps = false;
  if (root->object != 0 || has_our_names (w, root->f))
    return;
  w->num_closure = 0;
  w->mark++;
  if (!lanes_add_to_closure (w, root))
    return;
  for (size_t i = 0; i < w->num_closure; i++)
    {
      struct lanes_function *lf = w->closure[i];
      lanes_scan (w, lf);
      if (lf->reason == LANES_UNREADABLE || lf->calls == NULL || !good_statements (w, lf->f, lf == root)
	  || !good_calls (w, lf, root))
	return;
    }
  for (size_t i = 0; i < w->num_closure; i++)
    if ((w->flags & NVPTX_LANES_RECURSION) == 0 && lanes_is_recursive (w, w->closure[i]))
      return;
  find_share (w, root);
  root->sees_marks = sees_marks (w, root->f);
  root->can_be_warps = !w->no_memory;
}

/* Atomic operations of LF, which is in warp mode, are for one lane of its warp, as GCC makes them.  */
static bool
has_good_atomics (const struct lanes_function *lf)
{
  for (uint32_t i = 0; i < lf->f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &lf->f->stmts[i];
      if (s->kind == PTX_STMT_INSN && (s->u.insn.op->opcode == PTX_OP_ATOM || s->u.insn.op->opcode == PTX_OP_RED)
	  && !(lf->has_uniform && s->guard == lf->master_reg && !s->guard_negated))
	return false;
    }
  return true;
}

bool
lanes_mark_warps (struct lanes_work *w)
{
  bool any = false;

  for (uint32_t i = 0; i < w->modules[0]->num_items; i++)
    {
      struct lanes_function *runs = lanes_kernel_region (w, w->modules[0]->items[i]);
      if (runs == NULL || has_our_names (w, runs->f) || !has_good_atomics (runs))
	continue;
      lanes_scan_atomics (w, runs);
      if (lanes_has_warps (w, runs))
	any = runs->is_warps = true;
    }
  for (size_t i = 0; i < w->num_regions; i++)
    {
      bool begun = false, by_others = false;
      for (size_t k = 0; k < w->num_parallels; k++)
	if (w->parallels[k].region == i)
	  *(w->parallels[k].caller->is_warps ? &begun : &by_others) = true;
      w->regions[i].result->warps = begun && !by_others;
    }
  return any;
}
