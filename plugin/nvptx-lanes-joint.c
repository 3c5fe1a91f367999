/* nvptx-lanes-joint.c -- joint updates: all lanes of a warp combine what they bring, and one of
   them updates memory.

   A loop that a team's threads share out ends with an atomic update in each of them if it has a
   reduction: an instruction, or a loop around a compare-and-swap (nvptx-lanes-atomic.c).  In lane
   code 32 lanes of a warp have it at once, for one place, while those of other warps try the same.
   So where all lanes of a warp come to it together, for the same place, it is

	part = what this lane brings
	for 16, 8, 4, 2, 1:  part = part combined with that of lane ^ that
	lane 0: the update, with part
	bar.warp.sync -1

   and else what stands there without this file.

   What is combined are numbers in any grouping, or those of a reduction (doc/lanes.md, "Joint
   updates").

   Invariants
   1. Nothing that the update sets is used elsewhere: what was there before is of no account.
   2. Floating-point numbers are added or multiplied in another grouping only where what stands
   there is the end of a reduction.
   3. Only where all 32 lanes have said that they are there does one wait for another, and then each
      comes to each of the waits: control gets in between by the first statement only, and nothing
      in between waits for anything else.

   Called by nvptx-lanes.c for functions of regions, nvptx-lanes-atomic.c and
   nvptx-lanes-rewrite.c.  */

#include "nvptx-lanes-work.h"

#include <stdlib.h>
#include <string.h>

/* ---- what is brought ---- */

/* What registers must be made of: constants, and instructions with such registers.  */
struct made
{
  const struct lanes_work *w;
  const struct ptx_function *f;
  const char *combine;		/* by this one, and what is like it; NULL: 0 and 1 */
  uint64_t nothing;		/* the number that this changes nothing with */
  bool *regs;			/* by var: it may still be one */
};

static bool
is_number (const struct ptx_operand *o, uint64_t value, unsigned bits)
{
  return (o->kind == PTX_O_INT || o->kind == PTX_O_F32 || o->kind == PTX_O_F64)
	 && ((o->u.value ^ value) << (64 - bits)) == 0;
}

static bool
is_truth (const struct ptx_operand *o)
{
  return is_number (o, 0, 64) || is_number (o, 1, 64);
}

/* Is O such a register or constant, of BITS?  */
static bool
is_one (const struct made *m, const struct ptx_operand *o, unsigned bits)
{
  uint32_t reg = lanes_reg_of (m->f, o);

  if (reg != PTX_NO_INDEX)
    return m->regs[reg];
  if (m->combine == NULL)
    return is_truth (o);
  /* Both zeros.  */
  return is_number (o, m->nothing, bits) || (m->nothing == 0 && is_number (o, 0, bits - 1));
}

/* Does S set a register of BITS to one of these?  */
static bool
makes_one (const struct made *m, const struct ptx_stmt *s, unsigned bits)
{
  const struct ptx_operand *o = s->u.insn.operands;
  ptx_name opcode = s->u.insn.op->opcode;

  if (s->guard != PTX_NO_INDEX)
    return false;
  if (opcode == PTX_OP_MOV && s->num_operands == 2)
    return is_one (m, &o[1], bits);
  if (m->combine == NULL)
    return (opcode == PTX_OP_SELP && s->num_operands == 4 && is_truth (&o[1]) && is_truth (&o[2]))
	   || ((opcode == PTX_OP_AND || opcode == PTX_OP_OR || opcode == PTX_OP_XOR)
	       && s->num_operands == 3 && is_one (m, &o[1], bits) && is_one (m, &o[2], bits));
  if (lanes_name_is (m->w->ptx, s->u.insn.op->text, m->combine))
    return s->num_operands == 3 && (is_one (m, &o[1], bits) || is_one (m, &o[2], bits));
  if (strncmp (m->combine, "add", 3) != 0)
    return false;
  return (opcode == PTX_OP_SUB && s->num_operands == 3 && is_one (m, &o[1], bits))
	 || (opcode == PTX_OP_FMA && s->num_operands == 4 && is_one (m, &o[3], bits));
}

/* Statement S sets O, maybe: what that is can't be one of these, unless it is made of them.  If
   something changed it is said in *MORE.  */
static void
look_at_result (struct made *m, const struct ptx_stmt *s, const struct ptx_operand *o, bool *more)
{
  if (o->kind == PTX_O_PAIR || o->kind == PTX_O_VECTOR || o->kind == PTX_O_ARGS)
    {
      for (uint32_t k = 0; k < o->id; k++)
	if (o->u.list[k].kind == PTX_O_REG && m->regs[o->u.list[k].id])
	  m->regs[o->u.list[k].id] = false, *more = true;
    }
  else if (o->kind == PTX_O_REG && m->regs[o->id] && lanes_sets_reg (s, o->id)
	   && (o->element != 0 || !makes_one (m, s, ptx_type_size (m->f->vars[o->id].type) * 8)))
    m->regs[o->id] = false, *more = true;
}

/* Does REG of F never have a value but what is made of the constant NOTHING, by COMBINE with
   something, again and again; or, COMBINE is NULL, but 0 and 1?  Any order of statements will
   do, so it is enough that each statement which sets a register does that.  */
static bool
is_made (struct lanes_work *w, const struct ptx_function *f, uint32_t reg, const char *combine,
	 uint64_t nothing)
{
  struct made m = { .w = w, .f = f, .combine = combine, .nothing = nothing };
  bool more = true, is;

  m.regs = calloc (f->num_vars + 1, sizeof (*m.regs));
  if (m.regs == NULL)
    {
      w->no_memory = true;
      return false;
    }
  for (uint32_t v = 0; v < f->num_vars; v++)
    m.regs[v] = (f->vars[v].flags & PTX_VAR_INNER) == 0 && f->vars[v].vector <= 1
		&& ptx_type_size (f->vars[v].type) >= 4;
  while (more)
    {
      more = false;
      for (uint32_t i = 0; i < f->num_stmts; i++)
	{
	  const struct ptx_stmt *s = &f->stmts[i];
	  if (s->kind != PTX_STMT_INSN || s->num_operands == 0)
	    continue;
	  bool call = s->u.insn.op->opcode == PTX_OP_CALL;
	  look_at_result (&m, s, &s->u.insn.operands[call ? PTX_CALL_RESULT : 0], &more);
	}
    }
  is = m.regs[reg];
  free (m.regs);
  return is;
}

/* ---- by what ---- */

/* Sums and products of floating-point numbers, which only a reduction may compute in another
   grouping.  */
static bool
depends_on_order (const char *combine)
{
  return strncmp (combine, "add.f", 5) == 0 || strncmp (combine, "mul.f", 5) == 0;
}

/* Statement *I of F, before END, is the instruction NAME, with the registers VALUE and OTHER in
   either order.  The result; PTX_NO_INDEX: it is something else.  */
static uint32_t
take_pair (const struct lanes_work *w, const struct ptx_function *f, uint32_t *i, uint32_t end,
	   const char *name, uint32_t value, uint32_t other)
{
  const struct ptx_stmt *s = &f->stmts[*i];
  const struct ptx_operand *o = s->u.insn.operands;

  if (*i >= end || s->kind != PTX_STMT_INSN || s->num_operands != 3
      || !lanes_name_is (w->ptx, s->u.insn.op->text, name)
      || !((lanes_is_reg (&o[1], value) && lanes_is_reg (&o[2], other))
	   || (lanes_is_reg (&o[2], value) && lanes_is_reg (&o[1], other))))
    return PTX_NO_INDEX;
  ++*i;
  return lanes_reg_of (f, &o[0]);
}

static bool
is_float (ptx_name type)
{
  return type != PTX_U8 && type != PTX_U16 && type != PTX_U32 && type != PTX_U64 && type != PTX_S8
	 && type != PTX_S16 && type != PTX_S32 && type != PTX_S64;
}

/* From statement *I of F on, before END: 1 if REG is not 0, else 0.  The register of this;
   PTX_NO_INDEX: it is something else.  */
static uint32_t
take_truth (const struct lanes_work *w, const struct ptx_function *f, uint32_t *i, uint32_t end,
	    uint32_t reg)
{
  static const char *const tests[]
      = { "setp.ne.u32", "setp.ne.u64", "setp.neu.f32", "setp.neu.f64" };
  const struct ptx_stmt *s = &f->stmts[*i];

  if (*i + 2 > end || s[0].kind != PTX_STMT_INSN || s[1].kind != PTX_STMT_INSN)
    return PTX_NO_INDEX;
  const struct ptx_operand *test = s[0].u.insn.operands, *o = s[1].u.insn.operands;
  size_t n = 0;
  while (n < sizeof (tests) / sizeof (*tests)
	 && !lanes_name_is (w->ptx, s[0].u.insn.op->text, tests[n]))
    n++;
  if (n == sizeof (tests) / sizeof (*tests) || s[0].num_operands != 3 || test[0].kind != PTX_O_REG
      || !lanes_is_reg (&test[1], reg) || !is_number (&test[2], 0, 64)
      || s[1].u.insn.op->opcode != PTX_OP_SELP || s[1].num_operands != 4
      || !is_number (&o[1], 1, 64) || !is_number (&o[2], 0, 64)
      || !lanes_is_reg (&o[3], test[0].id))
    return PTX_NO_INDEX;
  *i += 2;
  return lanes_reg_of (f, &o[0]);
}

/* From statement *I of F on, before END: REG, which is 0 or 1, is copied, and converted while
   it is an integer, to a number that is 0 or 1, too.  The last register of these.  */
static uint32_t
take_copies (const struct ptx_function *f, uint32_t *i, uint32_t end, uint32_t reg)
{
  bool is_integer = true;

  for (; *i < end && f->stmts[*i].kind == PTX_STMT_INSN; ++*i)
    {
      const struct ptx_stmt *s = &f->stmts[*i];
      const struct ptx_op *op = s->u.insn.op;
      if (s->num_operands != 2 || !lanes_is_reg (&s->u.insn.operands[1], reg)
	  || (op->opcode != PTX_OP_MOV
	      && !(op->opcode == PTX_OP_CVT && op->num_types == 2 && is_integer
		   && !is_float (op->types[1]))))
	break;
      is_integer &= op->opcode == PTX_OP_MOV || !is_float (op->types[0]);
      reg = lanes_reg_of (f, &s->u.insn.operands[0]);
    }
  return reg;
}

/* By what parts of loop A, which is && or ||, are combined; NULL: it is neither.  */
static const char *
truth_of (struct lanes_work *w, const struct ptx_function *f, const struct lanes_atomic *a)
{
  static const char *const pairs[] = { "and.b32", "and.b64", "or.b32", "or.b64" };
  uint32_t i, reg;

  if (a->num_inputs != 1)
    return NULL;
  for (size_t n = 0; n < sizeof (pairs) / sizeof (*pairs); n++)
    {
      bool either = strncmp (pairs[n], "or", 2) == 0;
      /* (old != 0) combined with the part, which must be 0 or 1 if that could make it something
	 else.  */
      i = a->body;
      if (i < a->cas && lanes_is_insn (&f->stmts[i], PTX_OP_MOV, 2)
	  && lanes_is_reg (&f->stmts[i].u.insn.operands[1], a->old))
	reg = f->stmts[i++].u.insn.operands[0].id;
      else
	reg = a->old;
      reg = take_truth (w, f, &i, a->cas, reg);
      if (reg != PTX_NO_INDEX
	  && (reg = take_pair (w, f, &i, a->cas, pairs[n], reg, a->inputs[0])) != PTX_NO_INDEX
	  && take_copies (f, &i, a->cas, reg) == a->new && i == a->cas
	  && (!either || is_made (w, f, a->inputs[0], NULL, 0)))
	return pairs[n];
      /* (old combined with the part) != 0.  */
      i = a->body;
      if (either
	  && (reg = take_pair (w, f, &i, a->cas, pairs[n], a->old, a->inputs[0])) != PTX_NO_INDEX
	  && (reg = take_truth (w, f, &i, a->cas, reg)) != PTX_NO_INDEX
	  && take_copies (f, &i, a->cas, reg) == a->new && i == a->cas)
	return pairs[n];
    }
  return NULL;
}

/* By what parts of loop A are combined, and *NOTHING what changes nothing; NULL: not known.  */
static const char *
combine_of (struct lanes_work *w, const struct ptx_function *f, const struct lanes_atomic *a,
	    uint64_t *nothing)
{
  static const struct
  {
    const char *name;
    uint64_t nothing;
  } products[] = { { "mul.f32", 0x3f800000 }, { "mul.f64", 0x3ff0000000000000 } };
  const char *combine = lanes_combine_of (w, f, a, nothing);

  for (size_t n = 0; combine == NULL && n < sizeof (products) / sizeof (*products); n++)
    if (lanes_atomic_is (w, f, a, products[n].name))
      {
	combine = products[n].name;
	*nothing = products[n].nothing;
      }
  return combine != NULL ? combine : truth_of (w, f, a);
}

/* ---- where it is ---- */

/* Is REG used outside of statements FIRST to LAST, or set there by anything but a guess at OLD?  */
static bool
is_used (const struct ptx_function *f, uint32_t first, uint32_t last, uint32_t reg, uint32_t old)
{
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      uint32_t n = i >= first && i <= last ? 0 : lanes_mentions (&f->stmts[i], reg);
      if (n > 1 || (n == 1 && (reg != old || !lanes_sets_reg (&f->stmts[i], reg))))
	return true;
    }
  return false;
}

/* Is nothing that the loop A sets used outside of it?  */
static bool
is_closed (const struct ptx_function *f, const struct lanes_atomic *a)
{
  for (uint32_t i = a->begin; i <= a->end; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      const struct ptx_operand *o = s->u.insn.operands;
      if (s->kind != PTX_STMT_INSN || s->num_operands == 0)
	continue;
      if (o->kind == PTX_O_REG && is_used (f, a->begin, a->end, o->id, a->old))
	return false;
      for (uint32_t k = 0; (o->kind == PTX_O_PAIR || o->kind == PTX_O_VECTOR) && k < o->id; k++)
	if (o->u.list[k].kind == PTX_O_REG
	    && is_used (f, a->begin, a->end, o->u.list[k].id, a->old))
	  return false;
    }
  return true;
}

/* The ways from statements FIRST to LAST of LF on.  *AGAIN: one leads back.  *ENDS: each leads
   to a barrier of the team or the function's return, and nothing but arithmetic is on it.
   False: no memory.  */
static bool
follow (struct lanes_work *w, const struct lanes_function *lf, uint32_t first, uint32_t last,
	bool *again, bool *ends)
{
  const struct ptx_function *f = lf->f;
  uint32_t *todo = calloc ((size_t) f->num_stmts + 1, sizeof (*todo)), num = 0, next[2];
  /* 1: been there; 2: behind nothing but arithmetic.  */
  uint8_t *seen = calloc ((size_t) f->num_stmts + 1, 1);

  *again = false;
  *ends = true;
  if (todo == NULL || seen == NULL)
    w->no_memory = true;
  /* Twice: what is behind a barrier may lead back, too.  */
  for (unsigned round = 1; round <= 2 && !w->no_memory; round++)
    {
      for (uint32_t i = first; i <= last; i++)
	for (unsigned n = lanes_successors (f, i, next); n-- > 0;)
	  if ((next[n] < first || next[n] > last) && seen[next[n]] < round)
	    {
	      seen[next[n]] = (uint8_t) round;
	      todo[num++] = next[n];
	    }
      while (num > 0)
	{
	  uint32_t i = todo[--num];
	  const struct ptx_stmt *s = &f->stmts[i];
	  if (round == 2)
	    {
	      if (lanes_is_insn (s, PTX_OP_RET, 0) || lanes_is_call_block (w, f, i, "GOMP_barrier"))
		continue;
	      if (s->kind == PTX_STMT_INSN && s->u.insn.op->opcode != PTX_OP_BRA
		  && !lanes_is_arithmetic (s->u.insn.op->opcode)
		  /* Left out in a clone.  */
		  && !(lf->has_uniform && s->guard == lf->together_reg && !s->guard_negated)
		  /* A frame is given back.  */
		  && !(lf->has_frame && lanes_is_insn (s, PTX_OP_ST, 2)
		       && s->u.insn.op->space == PTX_SHARED
		       && s->u.insn.operands[0].kind == PTX_O_ADDRESS
		       && s->u.insn.operands[0].base == PTX_O_REG
		       && s->u.insn.operands[0].id == lf->slot_reg))
		*ends = false;
	    }
	  for (unsigned n = lanes_successors (f, i, next); n-- > 0;)
	    if (next[n] >= first && next[n] <= last)
	      *again = true;
	    else if (seen[next[n]] < round)
	      {
		seen[next[n]] = (uint8_t) round;
		todo[num++] = next[n];
	      }
	}
    }
  free (todo);
  free (seen);
  return !w->no_memory;
}

/* Is J an update that can be one?  Its bits and whether its place is common are filled in.  */
static bool
is_joint (struct lanes_work *w, const struct lanes_function *lf, struct lanes_joint *j,
	  uint64_t nothing)
{
  const struct ptx_function *f = lf->f;
  struct lanes_stride d = { .num_parts = 1, .num_updates = 1 };
  bool again, ends, loads;

  j->bits = strstr (j->combine, "64") != NULL ? 64 : 32;
  if (f->vars[j->part].vector > 1 || ptx_type_size (f->vars[j->part].type) * 8 != j->bits
      || !follow (w, lf, j->begin, j->end, &again, &ends))
    return false;
  d.parts[0] = (struct lanes_part){ .reg = j->part, .combine = j->combine, .size = j->bits / 8 };
  d.updates[0] = (struct lanes_update){
    .address = j->address, .offset = j->offset, .first = j->begin, .last = j->end
  };
  bool common = lanes_end_is_common (f, &d, &loads);
  j->common = common && !loads;
  if (depends_on_order (j->combine))
    return common && !again && ends && is_made (w, f, j->part, j->combine, nothing);
  /* An instruction is fast where lanes have different places.  */
  return (j->loop != PTX_NO_INDEX && lf->atomics[j->loop].native == NULL)
	 || (common && (!again || ends));
}

void
lanes_find_joints (struct lanes_work *w, struct lanes_function *lf)
{
  const struct ptx_function *f = lf->f;
  struct lanes_stride d = { .num_parts = 0 };
  uint32_t room = lf->num_atomics;

  if (lf->scanned_joints)
    return;
  lf->scanned_joints = true;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    room += f->stmts[i].kind == PTX_STMT_INSN && f->stmts[i].u.insn.op->opcode == PTX_OP_ATOM;
  /* A region with a stride has one end, which is this already (nvptx-lanes-combine.c).  */
  if (room == 0 || lanes_has_stride (lf) || !lanes_can_be_followed (f))
    return;
  lf->joints = ptx_alloc (w->ptx, room * sizeof (*lf->joints));
  if (lf->joints == NULL)
    {
      w->no_memory = true;
      return;
    }
  for (uint32_t k = 0; k < lf->num_atomics; k++)
    {
      const struct lanes_atomic *a = &lf->atomics[k];
      struct lanes_joint j = { .loop = k,
			       .begin = a->begin,
			       .end = a->end,
			       .part = a->inputs[0],
			       .address = a->address,
			       .offset = a->offset };
      uint64_t nothing = 0;
      j.combine = combine_of (w, f, a, &nothing);
      if (j.combine != NULL && is_closed (f, a) && is_joint (w, lf, &j, nothing))
	lf->joints[lf->num_joints++] = j;
    }
  /* Behind the loops, instructions.  */
  for (uint32_t at = lf->num_atomics; lanes_next_end (w, lf, &d, &at);)
    {
      struct lanes_joint j = { .loop = PTX_NO_INDEX,
			       .begin = d.end_first,
			       .end = d.end_last,
			       .part = d.parts[0].reg,
			       .combine = d.parts[0].combine,
			       .address = d.updates[0].address,
			       .offset = d.updates[0].offset };
      if (!d.end_locks && is_joint (w, lf, &j, 0))
	lf->joints[lf->num_joints++] = j;
    }
}

const struct lanes_joint *
lanes_joint_at (const struct lanes_function *lf, uint32_t i)
{
  for (uint32_t k = 0; k < lf->num_joints; k++)
    if (lf->joints[k].begin == i)
      return &lf->joints[k];
  return NULL;
}

/* ---- writing ---- */

#define TEXT(name) (int) ptx->names[name].length, ptx->names[name].text
#define NAME(reg) TEXT (f->vars[reg].name)

/* The parts of all lanes are combined.  */
static bool
emit_tree (struct ptx_function *f, const struct lanes_joint *j, uint32_t n, char why[PTX_WHY])
{
  const struct ptx *ptx = f->module->ptx;

  for (unsigned lane = 16; lane > 0; lane /= 2)
    {
      if (j->bits == 32
	      ? ptx_emitf (f, why,
			   "shfl.sync.bfly.b32 %%lanes_others%u, %.*s, %u, 31, 4294967295;\n", n,
			   NAME (j->part), lane)
		    == 0
	      : ptx_emitf (f, why,
			   "mov.b64 {%%lanes_low, %%lanes_high}, %.*s;\n"
			   "shfl.sync.bfly.b32 %%lanes_low, %%lanes_low, %u, 31, 4294967295;\n"
			   "shfl.sync.bfly.b32 %%lanes_high, %%lanes_high, %u, 31, 4294967295;\n"
			   "mov.b64 %%lanes_others%u, {%%lanes_low, %%lanes_high};\n",
			   NAME (j->part), lane, lane, n)
		    == 0)
	return false;
      if (ptx_emitf (f, why, "%s %.*s, %.*s, %%lanes_others%u;\n", j->combine, NAME (j->part),
		     NAME (j->part), n)
	  == 0)
	return false;
    }
  return true;
}

/* What lane 0 does with the part of all.  */
static bool
emit_update (struct ptx_function *f, const struct lanes_function *lf, const struct lanes_joint *j,
	     uint32_t n, char why[PTX_WHY])
{
  if (j->loop == PTX_NO_INDEX)
    {
      struct ptx_stmt *s = ptx_emit_copy (f, &lf->f->stmts[j->begin]);
      if (s != NULL)
	s->guard = PTX_NO_INDEX;
      return s != NULL;
    }
  const struct lanes_atomic *a = &lf->atomics[j->loop];
  if (a->native != NULL)
    return lanes_emit_native (f, a, why);
  return lanes_emit_atomic_loop (f, lf->f, a, "$lanes_try", n, why);
}

bool
lanes_emit_joint_begin (struct ptx_function *f, const struct lanes_function *lf,
			const struct lanes_joint *j, char why[PTX_WHY])
{
  const struct ptx *ptx = f->module->ptx;
  uint32_t n = (uint32_t) (j - lf->joints);

  if (ptx_emitf (f, why,
		 ".reg %.*s %%lanes_kept%u, %%lanes_others%u;\n"
		 "activemask.b32 %%lanes_peers;\n",
		 TEXT (f->vars[j->part].type), n, n)
      == 0)
    return false;
  if (!j->common
      && ptx_emitf (f, why,
		    "add.u64 %%lanes_address, %.*s, %lld;\n"
		    "match.any.sync.b64 %%lanes_peers, %%lanes_address, %%lanes_peers;\n",
		    NAME (j->address), (long long) j->offset)
	     == 0)
    return false;
  return ptx_emitf (f, why,
		    "setp.ne.u32 %%lanes_again, %%lanes_peers, 4294967295;\n"
		    "@%%lanes_again bra $lanes_apart%u;\n"
		    "mov.u32 %%lanes_me, %%laneid;\n"
		    "setp.ne.u32 %%lanes_leads, %%lanes_me, 0;\n"
		    "mov.b%u %%lanes_kept%u, %.*s;\n",
		    n, j->bits, n, NAME (j->part))
	     != 0
	 && emit_tree (f, j, n, why)
	 && ptx_emitf (f, why, "@%%lanes_leads bra $lanes_made%u;\n", n) != 0
	 && emit_update (f, lf, j, n, why)
	 && ptx_emitf (f, why,
		       "$lanes_made%u:\n"
		       "bar.warp.sync 4294967295;\n"
		       "mov.b%u %.*s, %%lanes_kept%u;\n"
		       "bra $lanes_joined%u;\n"
		       "$lanes_apart%u:\n",
		       n, j->bits, NAME (j->part), n, n, n)
		!= 0;
}

bool
lanes_emit_joint_end (struct ptx_function *f, const struct lanes_function *lf,
		      const struct lanes_joint *j, char why[PTX_WHY])
{
  return ptx_emitf (f, why, "$lanes_joined%u:\n", (uint32_t) (j - lf->joints)) != 0;
}
