/* nvptx-lanes-rows.c -- loops of loops that end when nothing is left for a lane.

   For `simd collapse(n)' GCC has a loop over the rows that a thread has a part of, and one over the
   iterations of a row in it.  The outer one goes on to the last row, also when the thread's part has
   come to its end; the rows that are left are empty:

     HEAD: min.u32 %n, %left, %row;          how many iterations of this row
	   add.u32 %end, %at, %n;
	   setp.lt.u32 %some, %at, %end;
	   @%some bra BODY;
	   mov.u32 %end, %at;
     NEXT: add.u32 %y, %y, 1; ...
	   setp.le.s32 %last, %rows, %y;
	   @%last bra EXIT;
	   sub.u32 %left, %all, %end; ...
	   mov.u32 %at, %end;
	   bra HEAD;
     EXIT: ret;

   A thread pays for that once.  Lanes that take turns have a part of an iteration or some at a
   time, and went through a thousand empty rows for each.  So who has nothing left goes to EXIT.

   In which order these statements come, which of them are there twice, and for how many dimensions,
   differs from loop to loop and compiler to compiler.  So no form is asked for.  Behind each
   subtraction in a loop the function is followed as it goes on if the difference is 0, with what is
   known of registers then: that they are a number, or the minuend.

   Invariants
   1. From the subtraction to EXIT, on all ways that can be gone with nothing left, there are
      instructions that set registers, plain loads, and jumps.
   2. What stands at EXIT, or can be got to from there, reads none of these registers; and it does
      not lead back to the subtraction.
   3. Any doubt means that the loop stays as it is.

   Called by nvptx-lanes-rewrite.c.  No state.  */

#include "nvptx-lanes-work.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FACTS = 16 };

/* What is known of a register.  */
enum what
{
  IS_NUMBER,			/* it is VALUE; a predicate: 0 or 1 */
  IS_ALL,			/* as the minuend */
  IS_NOT_POSITIVE,		/* as a signed number */
  IS_NOT_ABOVE_ALL		/* the minuend and a number that is not positive */
};

struct fact
{
  uint32_t reg;
  enum what what;
  uint64_t value;
};

struct facts
{
  bool seen;
  unsigned num;
  struct fact facts[MOST_FACTS];
};

/* Statement AT is `sub LEFT, ALL, END'.  */
struct rows
{
  const struct ptx_function *f;
  uint32_t at, left, all, end;
  unsigned size;		/* bytes of these registers */
  bool is_signed;		/* the minuend must not be negative */
  struct facts *labels;		/* what is known there */
  uint32_t *todo;		/* labels at which more has become possible */
  uint32_t num_todo;
  bool *queued;			/* by label */
  bool *idle;			/* by statement: can be got to with nothing left */
  bool *skipped, *behind;	/* by statement: between the subtraction and EXIT, and from there on */
};

/* ---- facts ---- */

static struct fact *
find (struct facts *known, uint32_t reg)
{
  for (unsigned i = 0; i < known->num; i++)
    if (known->facts[i].reg == reg)
      return &known->facts[i];
  return NULL;
}

static void
learn (struct facts *known, uint32_t reg, enum what what, uint64_t value)
{
  struct fact *fact = find (known, reg);

  if (fact == NULL && known->num == MOST_FACTS)
    return;
  if (fact == NULL)
    fact = &known->facts[known->num++];
  *fact = (struct fact) { reg, what, value };
}

/* Keep of OLD what NEW has, too.  True: that is less than before, or the first time.  */
static bool
join (struct facts *old, struct facts *new)
{
  unsigned kept = 0;
  bool changed = !old->seen;

  if (!old->seen)
    {
      *old = *new;
      old->seen = true;
      return true;
    }
  for (unsigned i = 0; i < old->num; i++)
    {
      const struct fact *fact = find (new, old->facts[i].reg);
      if (fact != NULL && fact->what == old->facts[i].what && fact->value == old->facts[i].value)
	old->facts[kept++] = old->facts[i];
      else
	changed = true;
    }
  old->num = kept;
  return changed;
}

/* What is known of operand O of SIZE bytes, in *FACT.  */
static bool
know (const struct rows *r, struct facts *known, const struct ptx_operand *o, unsigned size,
      struct fact *fact)
{
  uint32_t reg = lanes_reg_of (r->f, o);
  const struct fact *found = reg != PTX_NO_INDEX ? find (known, reg) : NULL;

  if (o->kind == PTX_O_INT)
    *fact = (struct fact) { PTX_NO_INDEX, IS_NUMBER, size == 4 ? (uint32_t) o->u.value : o->u.value };
  else if (found != NULL && ptx_type_size (r->f->vars[reg].type) == size)
    *fact = *found;
  else
    return false;
  return true;
}

static int64_t
as_signed (uint64_t value, unsigned size)
{
  return size == 4 ? (int32_t) value : (int64_t) value;
}

/* ---- instructions ---- */

/* How do A and B compare: less, equal or greater, *HOW is -1, 0 or 1; or -2, not greater.  False:
   that isn't known.  */
static bool
compare (struct rows *r, const struct fact *a, const struct fact *b, ptx_name type, int *how)
{
  bool with_sign = ptx_is_signed (type);
  unsigned size = ptx_type_size (type);

  if (a->what == IS_NUMBER && b->what == IS_NUMBER)
    {
      int64_t x = as_signed (a->value, size), y = as_signed (b->value, size);
      *how = with_sign ? (x > y) - (x < y) : (a->value > b->value) - (a->value < b->value);
    }
  else if (a->what == IS_ALL && b->what == IS_ALL)
    *how = 0;
  else if (a->what == IS_NOT_ABOVE_ALL && b->what == IS_ALL && with_sign)
    {
      *how = -2;
      r->is_signed = true;
    }
  else
    return false;
  return true;
}

/* Is comparison OP of what compares as HOW true (1) or false (0)?  -1: that isn't known.  */
static int
holds (const struct ptx_op *op, int how)
{
  if (ptx_op_has (op, PTX_LE))
    return how <= 0;
  if (ptx_op_has (op, PTX_GT))
    return how > 0;
  if (how == -2)
    return -1;
  if (ptx_op_has (op, PTX_LT))
    return how < 0;
  if (ptx_op_has (op, PTX_GE))
    return how >= 0;
  if (ptx_op_has (op, PTX_EQ))
    return how == 0;
  return ptx_op_has (op, PTX_NE) ? how != 0 : -1;
}

/* The same with operands exchanged, for what is known as the other one is.  */
static int
holds_exchanged (const struct ptx_op *op, int how)
{
  if (how != -2)
    return holds (op, -how);
  return ptx_op_has (op, PTX_GE) ? 1 : ptx_op_has (op, PTX_LT) ? 0 : -1;
}

static bool
compares (struct rows *r, struct facts *known, const struct ptx_stmt *s, struct fact *result)
{
  const struct ptx_op *op = s->u.insn.op;
  unsigned size = ptx_type_size (op->types[0]);
  struct fact a, b;
  int how, value = -1;

  if (op->num_words != 2 || !know (r, known, &s->u.insn.operands[1], size, &a)
      || !know (r, known, &s->u.insn.operands[2], size, &b))
    return false;
  if (compare (r, &a, &b, op->types[0], &how))
    value = holds (op, how);
  else if (compare (r, &b, &a, op->types[0], &how))
    value = holds_exchanged (op, how);
  *result = (struct fact) { PTX_NO_INDEX, IS_NUMBER, value == 1 };
  return value >= 0;
}

/* The sum of A and B, of SIZE bytes.  */
static bool
adds (const struct fact *a, const struct fact *b, unsigned size, struct fact *result)
{
  if (a->what != IS_NUMBER && b->what == IS_NUMBER)
    return adds (b, a, size, result);
  *result = (struct fact) { PTX_NO_INDEX, IS_NUMBER, 0 };
  if (a->what == IS_NUMBER && b->what == IS_NUMBER)
    result->value = size == 4 ? (uint32_t) (a->value + b->value) : a->value + b->value;
  else if (a->what == IS_NUMBER && a->value == 0)
    *result = *b;
  else if ((a->what == IS_ALL && b->what == IS_NOT_POSITIVE)
	   || (b->what == IS_ALL && a->what == IS_NOT_POSITIVE))
    result->what = IS_NOT_ABOVE_ALL;
  else
    return false;
  return true;
}

/* The lesser of two numbers of TYPE, of which one (A) or both are known.  */
static bool
takes_lesser (const struct fact *a, const struct fact *b, ptx_name type, struct fact *result)
{
  unsigned size = ptx_type_size (type);
  bool with_sign = ptx_is_signed (type);

  if (b != NULL && a->what == IS_NUMBER && b->what == IS_NUMBER)
    *result = (with_sign ? as_signed (a->value, size) < as_signed (b->value, size)
	       : a->value < b->value) ? *a : *b;
  else if (a->what == IS_NUMBER && a->value == 0 && !with_sign)
    *result = *a;
  else if (with_sign && (a->what == IS_NOT_POSITIVE
			 || (a->what == IS_NUMBER && as_signed (a->value, size) <= 0)))
    *result = (struct fact) { PTX_NO_INDEX, IS_NOT_POSITIVE, 0 };
  else
    return false;
  return true;
}

/* What S, which is not guarded, sets its result to, in *RESULT.  */
static bool
evaluate (struct rows *r, struct facts *known, const struct ptx_stmt *s, struct fact *result)
{
  const struct ptx_op *op = s->u.insn.op;
  const struct ptx_operand *o = s->u.insn.operands;
  unsigned size = op->num_types == 1 ? ptx_type_size (op->types[0]) : 0;
  struct fact a, b;

  if ((size != 4 && size != 8) || ptx_is_float (op->types[0]) || s->num_operands < 2)
    return false;
  if (lanes_is_insn (s, PTX_OP_SETP, 3))
    return compares (r, known, s, result);
  if (op->num_words != 1)
    return false;
  bool has_a = know (r, known, &o[1], size, &a);
  if (lanes_is_insn (s, PTX_OP_MOV, 2))
    {
      *result = a;
      return has_a;
    }
  if (s->num_operands != 3)
    return false;
  bool has_b = know (r, known, &o[2], size, &b);
  switch (op->opcode)
    {
    case PTX_OP_ADD:
      return has_a && has_b && adds (&a, &b, size, result);
    case PTX_OP_SUB:
      *result = (struct fact) { PTX_NO_INDEX, IS_NUMBER, 0 };
      if (!has_a || !has_b || (a.what == IS_ALL && b.what == IS_ALL))
	return has_a && has_b;
      b.value = size == 4 ? (uint32_t) -b.value : -b.value;
      return b.what == IS_NUMBER && adds (&a, &b, size, result);
    case PTX_OP_MIN:
      return (has_a && takes_lesser (&a, has_b ? &b : NULL, op->types[0], result))
	     || (has_b && takes_lesser (&b, has_a ? &a : NULL, op->types[0], result));
    default:
      return false;
    }
}

/* What is known behind S.  */
static void
apply (struct rows *r, struct facts *known, const struct ptx_stmt *s)
{
  struct fact result;
  unsigned kept = 0;
  bool is_known = s->guard == PTX_NO_INDEX && evaluate (r, known, s, &result);
  uint32_t reg = is_known ? lanes_reg_of (r->f, &s->u.insn.operands[0]) : PTX_NO_INDEX;

  for (unsigned i = 0; i < known->num; i++)
    if (!lanes_sets_reg (s, known->facts[i].reg))
      known->facts[kept++] = known->facts[i];
  known->num = kept;
  if (reg != PTX_NO_INDEX)
    learn (known, reg, result.what, result.value);
}

/* ---- ways ---- */

static void
queue (struct rows *r, uint32_t label, struct facts *known)
{
  if (join (&r->labels[label], known) && !r->queued[label])
    {
      r->queued[label] = true;
      r->todo[r->num_todo++] = label;
    }
}

/* Go on at statement I, of which KNOWN is known, up to a jump or a label.  */
static void
walk (struct rows *r, uint32_t i, struct facts *known)
{
  for (; i < r->f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &r->f->stmts[i];
      r->idle[i] = true;
      if (s->kind == PTX_STMT_LABEL && !r->labels[s->u.label].seen)
	join (&r->labels[s->u.label], known);
      else if (s->kind == PTX_STMT_LABEL)
	{
	  queue (r, s->u.label, known);
	  return;
	}
      if (s->kind != PTX_STMT_INSN)
	continue;
      ptx_name opcode = s->u.insn.op->opcode;
      const struct fact *guard = s->guard != PTX_NO_INDEX ? find (known, s->guard) : NULL;
      bool never = guard != NULL && (guard->value != 0) == s->guard_negated;
      bool always = s->guard == PTX_NO_INDEX || (guard != NULL && !never);
      if (opcode == PTX_OP_BRA && !never)
	queue (r, s->u.insn.operands[0].id, known);
      if ((opcode == PTX_OP_BRA && always) || opcode == PTX_OP_RET)
	return;
      if (opcode != PTX_OP_BRA)
	apply (r, known, s);
    }
}

/* Is REG set in statements FROM to the subtraction, without that?  */
static bool
is_set_before (const struct rows *r, uint32_t from, uint32_t reg)
{
  for (uint32_t i = from; i < r->at; i++)
    if (lanes_sets_reg (&r->f->stmts[i], reg))
      return true;
  return false;
}

/* Find out where control can get to from behind the subtraction if it gives 0.  */
static void
find_idle (struct rows *r)
{
  struct facts known = { .num = 0 };

  learn (&known, r->end, IS_ALL, 0);
  learn (&known, r->all, IS_ALL, 0);
  learn (&known, r->left, IS_NUMBER, 0);
  /* Copies that were made in front of it.  */
  for (uint32_t i = r->at; i-- > 0 && lanes_is_insn (&r->f->stmts[i], PTX_OP_MOV, 2);)
    {
      const struct ptx_stmt *s = &r->f->stmts[i];
      uint32_t to = lanes_reg_of (r->f, &s->u.insn.operands[0]);
      uint32_t from = lanes_reg_of (r->f, &s->u.insn.operands[1]);
      if (s->guard != PTX_NO_INDEX || to == PTX_NO_INDEX || to == r->end || to == r->all)
	break;
      if ((from == r->end || from == r->all) && to != r->left && !is_set_before (r, i + 1, to)
	  && ptx_type_size (r->f->vars[to].type) == r->size)
	learn (&known, to, IS_ALL, 0);
    }
  walk (r, r->at + 1, &known);
  while (r->num_todo > 0)
    {
      uint32_t label = r->todo[--r->num_todo];
      r->queued[label] = false;
      known = r->labels[label];
      r->idle[r->f->labels[label].stmt] = true;
      walk (r, r->f->labels[label].stmt + 1, &known);
    }
}

/* Mark what can be got to from statement FROM, not through STOP, in MARKS: of what ONLY has, if that
   isn't NULL.  */
static void
mark (const struct rows *r, uint32_t from, uint32_t stop, const bool *only, bool *marks,
      uint32_t *stack)
{
  uint32_t depth = 0, next[2];

  memset (marks, 0, r->f->num_stmts * sizeof (*marks));
  marks[from] = true;
  stack[depth++] = from;
  while (depth > 0)
    for (unsigned n = lanes_successors (r->f, stack[--depth], next); n-- > 0;)
      if (next[n] != stop && !marks[next[n]] && (only == NULL || only[next[n]]))
	{
	  marks[next[n]] = true;
	  stack[depth++] = next[n];
	}
}

/* Can nobody tell whether S was executed but by the registers that it sets?  */
static bool
can_be_skipped (const struct ptx_stmt *s)
{
  switch (s->kind)
    {
    case PTX_STMT_LABEL:
    case PTX_STMT_LOC:
      return true;
    case PTX_STMT_INSN:
      return s->u.insn.op->opcode == PTX_OP_MOV || s->u.insn.op->opcode == PTX_OP_SETP
	     || s->u.insn.op->opcode == PTX_OP_BRA || lanes_is_arithmetic (s->u.insn.op->opcode)
	     || lanes_is_plain (s, PTX_OP_LD);
    default:
      return false;
    }
}

/* Does anything behind EXIT read what S sets?  Each operand that names a register counts.  */
static bool
is_read_behind (const struct rows *r, const struct ptx_stmt *s)
{
  if (s->kind != PTX_STMT_INSN)
    return false;
  for (uint32_t reg = 0; reg < r->f->num_vars; reg++)
    if (lanes_sets_reg (s, reg))
      for (uint32_t i = 0; i < r->f->num_stmts; i++)
	if (r->behind[i] && lanes_mentions (&r->f->stmts[i], reg) > 0)
	  return true;
  return false;
}

/* Can control go to LABEL at once?  */
static bool
is_exit (struct rows *r, uint32_t label, uint32_t *stack)
{
  uint32_t stmt = r->f->labels[label].stmt;

  mark (r, stmt, PTX_NO_INDEX, NULL, r->behind, stack);
  if (r->behind[r->at] || !lanes_is_outside (r->f, stmt))
    return false;
  mark (r, r->at + 1, stmt, r->idle, r->skipped, stack);
  /* If it doesn't come back there is nothing to be won.  */
  if (!r->skipped[r->at])
    return false;
  for (uint32_t i = 0; i < r->f->num_stmts; i++)
    if (r->skipped[i]
	&& (!can_be_skipped (&r->f->stmts[i]) || is_read_behind (r, &r->f->stmts[i])))
      return false;
  return true;
}

/* The label that statement R->at may be followed by; PTX_NO_INDEX: there is none.  */
static uint32_t
find_exit (struct rows *r)
{
  uint32_t n = r->f->num_stmts, num = r->f->num_labels, found = PTX_NO_INDEX;
  uint32_t *stack = calloc ((size_t) n + 2 + num, sizeof (*stack));
  bool *marks = calloc (3 * (size_t) n + num, sizeof (*marks));
  r->labels = calloc (num, sizeof (*r->labels));

  if (stack != NULL && marks != NULL && r->labels != NULL)
    {
      r->todo = stack + n + 2;
      r->idle = marks;
      r->skipped = marks + n;
      r->behind = marks + 2 * (size_t) n;
      r->queued = marks + 3 * (size_t) n;
      find_idle (r);
      for (uint32_t label = 0; label < num && found == PTX_NO_INDEX; label++)
	if (r->labels[label].seen && is_exit (r, label, stack))
	  found = label;
    }
  free (stack);
  free (marks);
  free (r->labels);
  return found;
}

/* ---- subtractions ---- */

/* Does control come back to statement I of F by a jump from behind it?  */
static bool
is_in_loop (const struct ptx_function *f, uint32_t i)
{
  for (uint32_t k = i + 1; k < f->num_stmts; k++)
    if (lanes_is_insn (&f->stmts[k], PTX_OP_BRA, 1)
	&& f->stmts[k].u.insn.operands[0].kind == PTX_O_LABEL
	&& f->labels[f->stmts[k].u.insn.operands[0].id].stmt < i)
      return true;
  return false;
}

static bool
has_min (const struct ptx_function *f)
{
  for (uint32_t i = 0; i < f->num_stmts; i++)
    if (lanes_is_insn (&f->stmts[i], PTX_OP_MIN, 3))
      return true;
  return false;
}

/* Is statement I of F such a subtraction?  */
static bool
match (struct rows *r, const struct ptx_function *f, uint32_t i)
{
  const struct ptx_stmt *s = &f->stmts[i];
  const struct ptx_operand *o = s->u.insn.operands;

  if (!lanes_is_insn (s, PTX_OP_SUB, 3) || s->guard != PTX_NO_INDEX
      || s->u.insn.op->num_words != 1 || ptx_is_float (s->u.insn.op->types[0]))
    return false;
  *r = (struct rows) { .f = f, .at = i, .left = lanes_reg_of (f, &o[0]),
		       .all = lanes_reg_of (f, &o[1]), .end = lanes_reg_of (f, &o[2]) };
  r->size = ptx_type_size (s->u.insn.op->types[0]);
  return r->left != PTX_NO_INDEX && r->all != PTX_NO_INDEX && r->end != PTX_NO_INDEX
	 && r->left != r->all && r->all != r->end && r->left != r->end
	 && (r->size == 4 || r->size == 8) && ptx_type_size (f->vars[r->left].type) == r->size
	 && ptx_type_size (f->vars[r->all].type) == r->size
	 && ptx_type_size (f->vars[r->end].type) == r->size;
}

bool
lanes_emit_rows (struct ptx_function *clone, const struct ptx_function *f, uint32_t i,
		 char why[PTX_WHY])
{
  const struct ptx *ptx = f->module->ptx;
  struct rows r;
  uint32_t exit;

  if (!match (&r, f, i) || !is_in_loop (f, i) || !has_min (f) || !lanes_is_outside (f, i)
      || !lanes_can_be_followed (f) || (exit = find_exit (&r)) == PTX_NO_INDEX)
    return true;
  const struct ptx_name_entry *left = &ptx->names[f->vars[r.left].name];
  const struct ptx_name_entry *all = &ptx->names[f->vars[r.all].name];
  const struct ptx_name_entry *label = &ptx->names[f->labels[exit].name];
  if (ptx_emitf (clone, why, ".reg .pred %%lanes_idle%u;\nsetp.eq.u%u %%lanes_idle%u, %.*s, 0;\n", i,
		 r.size * 8, i, (int) left->length, left->text) == 0)
    return false;
  if (r.is_signed
      && ptx_emitf (clone, why, "@%%lanes_idle%u setp.ge.s%u %%lanes_idle%u, %.*s, 0;\n", i,
		    r.size * 8, i, (int) all->length, all->text) == 0)
    return false;
  return ptx_emitf (clone, why, "@%%lanes_idle%u bra %.*s;\n", i, (int) label->length, label->text)
	 != 0;
}
