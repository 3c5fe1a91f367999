/* nvptx-lanes-offsets.c -- constants in the indices of the block's arrays become offsets of accesses.

   GCC has a 64-bit sum for each element of an array in a team's memory, and the driver's compiler
   computes each:

     sub.u32 %r319,%r35,1;		with %r35 in %r319's place, these are the sums of
     cvt.s64.s32 %r321,%r319;		tile[j][i], which are there already
     shl.b64 %r324,%r321,6;
     add.u64 %r327,%r68,%r324;		ld.shared.f32 %r95,[twin of %r327 + -64];
     ld.shared.f32 %r95,[%r327];

   So a register that a constant has gone into gets a *twin*, which is the same without the constant;
   it is set behind the register, by the same instruction of twins.  Accesses in .shared memory then go
   to the twin with the constant as offset, like their neighbours.

   Invariants
   1. Only a register that one statement sets, without a guard, has a twin, and that is set behind it:
      so at any time register = twin + constant, modulo 2^32 or 2^64, whatever operands are since.
      An operand may be a register of any kind; it stands for itself if it has no twin.
   2. Sums, differences, and products with constants keep that.  Where 32 bits are extended to 64 it
      holds if the number does not wrap on the way from the twin to the register.  The access is in
      .shared memory, so the number is less than 2^MOST_BITS, and with a sign the twin's is less than
      2^30 then; without one the twin's has to be the larger one, so the constant is negative.
      (An index that is extended is one in an object, C17 6.5.6, and objects of the block are small.)
   3. Nothing else is changed: the registers are set as they were.

   Called by nvptx-lanes-direct-emit.c, behind nvptx-lanes-spaces.c.  No state.  */

#include "nvptx-lanes-direct.h"

#include <string.h>

enum
{
  MOST_DEPTH = 40,		/* of sums of sums */
  MOST_CONSTANT = 1 << 18	/* more than the block's memory */
};

/* A register.  */
struct twin
{
  uint32_t sets;		/* statements that do */
  uint32_t def;			/* one of them */
  bool looked_at, is_open;
  bool has;			/* it has a twin */
  bool needed;
  uint8_t by_twin;		/* bits: operands of which the twin is taken */
  int64_t constant;
  uint32_t var;			/* the twin */
};

struct offsets
{
  struct ptx_function *f;
  struct twin *twins;		/* by var */
};

/* ---- what is set ---- */

static void
count_set (struct offsets *s, const struct ptx_operand *o, uint32_t i, uint32_t times)
{
  if (o->kind == PTX_O_REG)
    {
      s->twins[o->id].sets += times;
      s->twins[o->id].def = i;
    }
  else if (o->kind == PTX_O_VECTOR || o->kind == PTX_O_PAIR || o->kind == PTX_O_ARGS
	   || o->kind == PTX_O_BRACKETS)
    /* Twice: has none.  */
    for (uint32_t k = 0; k < o->id; k++)
      count_set (s, &o->u.list[k], i, 2);
}

static void
count_sets (struct offsets *s)
{
  for (uint32_t i = 0; i < s->f->num_stmts; i++)
    {
      const struct ptx_stmt *t = &s->f->stmts[i];
      if (t->kind == PTX_STMT_INSN && t->num_operands > 0)
	count_set (s, &t->u.insn.operands[0], i, t->guard == PTX_NO_INDEX ? 1 : 2);
    }
}

/* ---- constants ---- */

/* A scalar register of SIZE bytes, or (0) of 4 or 8?  */
static bool
is_scalar (const struct offsets *s, const struct ptx_operand *o, unsigned size)
{
  if (o->kind != PTX_O_REG || o->element != 0 || s->f->vars[o->id].vector > 1)
    return false;
  unsigned has = ptx_type_size (s->f->vars[o->id].type);
  return size != 0 ? has == size : has == 4 || has == 8;
}

static bool look_at (struct offsets *s, uint32_t var, unsigned depth);

/* What is constant in operand K of T, of SIZE bytes, in *CONSTANT; T's result V takes its twin.
   False: it is something else than a register or a number.  */
static bool
take (struct offsets *s, const struct ptx_stmt *t, unsigned k, unsigned size, struct twin *v,
      unsigned depth, int64_t *constant)
{
  const struct ptx_operand *o = &t->u.insn.operands[k];

  *constant = 0;
  if (o->kind == PTX_O_INT)
    {
      int64_t value = (int64_t) o->u.value;
      if (value > MOST_CONSTANT || value < -MOST_CONSTANT)
	return false;
      *constant = value;
      return true;
    }
  if (!is_scalar (s, o, size))
    return false;
  if (look_at (s, o->id, depth))
    {
      *constant = s->twins[o->id].constant;
      v->by_twin |= (uint8_t) (1 << k);
    }
  return true;
}

/* A factor or, as 2 to its power, a number of bits to shift by.  0: it is none.  */
static int64_t
factor_of (const struct ptx_operand *o, bool shift)
{
  if (o->kind != PTX_O_INT || o->u.value == 0 || o->u.value > (shift ? 16 : 1 << 16))
    return 0;
  return shift ? (int64_t) 1 << o->u.value : (int64_t) o->u.value;
}

/* The constant in a product of operand 1 of T, of SIZE bytes.  */
static bool
take_product (struct offsets *s, const struct ptx_stmt *t, unsigned size, bool shift, struct twin *v,
	      unsigned depth, int64_t *constant)
{
  const struct ptx_operand *o = t->u.insn.operands;
  int64_t factor = factor_of (&o[2], shift);

  if (!is_scalar (s, &o[1], size))
    return false;
  *constant = 0;
  if (factor == 0)
    return !shift;		/* of two registers, or too large: both stand for themselves */
  if (!take (s, t, 1, size, v, depth, constant))
    return false;
  *constant *= factor;
  return true;
}

/* May the constant C go through an extension of a number of TYPE?  */
static bool
extends (ptx_name type, int64_t c)
{
  return ptx_is_signed (type) || c <= 0;
}

/* Find V's constant, which statement T sets.  False: it has none.  */
static bool
find_constant (struct offsets *s, const struct ptx_stmt *t, struct twin *v, unsigned depth)
{
  const struct ptx_op *op = t->u.insn.op;
  const struct ptx_operand *o = t->u.insn.operands;
  ptx_name type = op->num_types > 0 ? op->types[0] : 0;
  unsigned size = ptx_type_size (type), to = ptx_type_size (s->f->vars[o[0].id].type);
  bool is_wide;
  int64_t a = 0, b = 0;

  switch (op->opcode)
    {
    case PTX_OP_MOV:
      if (t->num_operands != 2 || op->num_words != 1 || size != to || o[1].kind != PTX_O_REG
	  || !take (s, t, 1, size, v, depth, &a))
	return false;
      break;
    case PTX_OP_ADD:
    case PTX_OP_SUB:
      if (t->num_operands != 3 || op->num_words != 1 || size != to
	  || !take (s, t, 1, size, v, depth, &a) || !take (s, t, 2, size, v, depth, &b))
	return false;
      a += op->opcode == PTX_OP_ADD ? b : -b;
      break;
    case PTX_OP_SHL:
      if (t->num_operands != 3 || op->num_words != 1 || size != to
	  || !take_product (s, t, size, true, v, depth, &a))
	return false;
      break;
    case PTX_OP_MUL:
    case PTX_OP_MAD:
      is_wide = op->num_words == 2 && op->words[0] == PTX_WIDE;
      if (op->num_words != 2 || (!is_wide && op->words[0] != PTX_LO)
	  || size * (is_wide ? 2 : 1) != to || t->num_operands != (op->opcode == PTX_OP_MUL ? 3 : 4)
	  || !take_product (s, t, size, false, v, depth, &a) || (is_wide && !extends (type, a))
	  || (op->opcode == PTX_OP_MAD && !take (s, t, 3, to, v, depth, &b)))
	return false;
      a += b;
      break;
    case PTX_OP_CVT:
      if (t->num_operands != 2 || op->num_words != 2 || op->num_types != 2 || size != 8 || to != 8
	  || ptx_type_size (op->types[1]) != 4 || o[1].kind != PTX_O_REG
	  || !take (s, t, 1, 4, v, depth, &a) || !extends (op->types[1], a))
	return false;
      break;
    default:
      return false;
    }
  v->constant = a;
  return a != 0 && a <= MOST_CONSTANT && a >= -MOST_CONSTANT;
}

/* Does register VAR have a twin?  */
static bool
look_at (struct offsets *s, uint32_t var, unsigned depth)
{
  struct twin *v = &s->twins[var];

  if (v->looked_at || v->is_open || depth > MOST_DEPTH)
    return v->has;
  const struct ptx_stmt *t = v->sets == 1 ? &s->f->stmts[v->def] : NULL;
  if (t != NULL && is_scalar (s, &t->u.insn.operands[0], 0))
    {
      v->is_open = true;
      v->has = find_constant (s, t, v, depth + 1);
      v->is_open = false;
    }
  v->looked_at = true;
  return v->has;
}

/* ---- rewriting ---- */

/* The operand of T that is an address in .shared memory, by a register with a twin.  0: there is
   none, 1 + its number else.  */
static unsigned
address_by_twin (struct offsets *s, const struct ptx_stmt *t)
{
  if (t->kind != PTX_STMT_INSN || t->u.insn.op->space != PTX_SHARED
      || (t->u.insn.op->opcode != PTX_OP_LD && t->u.insn.op->opcode != PTX_OP_ST))
    return 0;
  for (unsigned k = 0; k < t->num_operands; k++)
    {
      const struct ptx_operand *o = &t->u.insn.operands[k];
      struct ptx_operand base = { .kind = PTX_O_REG, .id = o->id, .element = o->element };
      if (o->kind == PTX_O_ADDRESS && o->base == PTX_O_REG && is_scalar (s, &base, 8)
	  && look_at (s, o->id, 0))
	return 1 + k;
    }
  return 0;
}

/* Register VAR, and all that it is made of, needs its twin.  */
static bool
need (struct offsets *s, uint32_t var)
{
  struct twin *v = &s->twins[var];
  const struct ptx_operand *o = s->f->stmts[v->def].u.insn.operands;

  if (v->needed)
    return true;
  v->needed = true;
  for (unsigned k = 1; k < s->f->stmts[v->def].num_operands; k++)
    if ((v->by_twin >> k & 1) != 0 && !need (s, o[k].id))
      return false;
  ptx_name name = ptx_fresh_name (s->f->module->ptx, "%direct_twin");
  v->var = name != 0 ? ptx_add_var (s->f, PTX_REG, s->f->vars[var].type, name) : PTX_NO_INDEX;
  return v->var != PTX_NO_INDEX;
}

/* Behind statement T, which sets V: the same of twins, and without numbers that are added.  */
static bool
put_twin (struct offsets *s, const struct ptx_stmt *t, const struct twin *v)
{
  struct ptx_operand *o = ptx_alloc (s->f->module->ptx, t->num_operands * sizeof (o[0]));
  ptx_name opcode = t->u.insn.op->opcode;
  struct ptx_stmt *new = ptx_emit_copy (s->f, t);

  if (o == NULL || new == NULL)
    return false;
  memcpy (o, t->u.insn.operands, t->num_operands * sizeof (o[0]));
  new->u.insn.operands = o;
  o[0].id = v->var;
  for (unsigned k = 1; k < t->num_operands; k++)
    if ((v->by_twin >> k & 1) != 0)
      o[k].id = s->twins[o[k].id].var;
    else if (o[k].kind == PTX_O_INT
	     && (opcode == PTX_OP_ADD || opcode == PTX_OP_SUB || (opcode == PTX_OP_MAD && k == 3)))
      o[k] = ptx_int (0);
  return true;
}

/* The same with the twin of its base.  */
static bool
put_access (struct offsets *s, const struct ptx_stmt *t, unsigned address)
{
  struct ptx_operand *o = ptx_alloc (s->f->module->ptx, t->num_operands * sizeof (o[0]));
  struct ptx_stmt *new = ptx_emit_copy (s->f, t);

  if (o == NULL || new == NULL)
    return false;
  memcpy (o, t->u.insn.operands, t->num_operands * sizeof (o[0]));
  new->u.insn.operands = o;
  o[address].u.value += (uint64_t) s->twins[o[address].id].constant;
  o[address].id = s->twins[o[address].id].var;
  return true;
}

bool
lanes_give_offsets (struct ptx_function *f, char why[PTX_WHY])
{
  struct offsets s = { .f = f };
  const struct ptx_stmt *old = f->stmts;
  uint32_t num = f->num_stmts, first = f->num_vars, num_old = f->num_vars;
  unsigned address;

  s.twins = ptx_alloc (f->module->ptx, f->num_vars * sizeof (s.twins[0]) + 1);
  if (s.twins == NULL)
    return false;
  count_sets (&s);
  for (uint32_t i = 0; i < num; i++)
    if ((address = address_by_twin (&s, &old[i])) != 0
	&& !need (&s, old[i].u.insn.operands[address - 1].id))
      return false;
  if (f->num_vars == first)
    return true;
  ptx_begin_body (f);
  if (ptx_emit_declare (f, first, f->num_vars - first) == NULL)
    return false;
  for (uint32_t i = 0; i < num; i++)
    {
      const struct ptx_stmt *t = &old[i];
      address = address_by_twin (&s, t);
      if (address != 0 ? !put_access (&s, t, address - 1) : ptx_emit_copy (f, t) == NULL)
	return false;
      if (t->kind != PTX_STMT_INSN || t->num_operands == 0
	  || t->u.insn.operands[0].kind != PTX_O_REG || t->u.insn.operands[0].id >= num_old)
	continue;
      const struct twin *v = &s.twins[t->u.insn.operands[0].id];
      if (v->needed && v->def == i && !put_twin (&s, t, v))
	return false;
    }
  return ptx_end_body (f, why);
}
