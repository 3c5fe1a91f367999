/* nvptx-lanes-spaces.c -- which memory the addresses of a kernel without the library are in.

   GCC's code has generic addresses only.  A GPU finds out with each access which memory that is,
   and the driver's compiler cannot tell that a store to the team's array leaves the loads of a
   mapped one alone, nor keep a thread's own array in registers.  Where all of a target region is in
   one kernel it can be seen where addresses come from, so accesses say what they go to:

	ld.f32 %a, [%p]		ld.global.f32 %a, [%p]
	st.f32 [%t], %a		st.shared.f32 [%t], %a, where %t is kept as an address there
	ld.f32 %a, [%frame+4]	ld.local.f32 %a, [%frame+4], if %frame is nothing but a base

   Each register of 64 bits has a class, as all that it is ever set to has:

	NUMBER	no address: of fewer bits, a product, shifted, a difference of addresses
	ARGS	the kernel's arguments: their address, with the launch word or without
	BLOCK	the same: that and a number
	GLOBAL	loaded from there; or that and a number
	SHARED	the block's memory: from cvta.shared; or that and a number
	LOCAL	the lane's: from cvta.local; or that and a number
	ANY	everything else: loaded elsewhere, results of calls, what is of two classes

   A constant 0 that a register is set to is of any class.

   A register of class SHARED is kept as what its generic address is less the window's, so the
   driver's compiler has sums of 32 bits instead of 64, and offsets in the accesses.  Where somebody
   else reads it, the window is added:

	cvta.shared.u64 %s, sh		mov.u64 %s, sh
	mad.wide.u32 %t, %i, 4, %s	the same
	st.u64 [%g], %s			cvta.shared.u64 %at, %s;  st.global.u64 [%g], %at
	st.u64 [%g], %t			add.u64 %at, %t, %window;  st.global.u64 [%g], %at
	and.b64 %t, %t, -16		add; and; sub.u64 %t, %at, %window

   Invariants
   1. What the host hands to a kernel is no address of the block's or of a lane's memory: both begin
      with the kernel.  So a word of the arguments is a global address or a number, and if the sum
      of it and a number is an address, that is global.
   2. An address in an object and a number is one in the same object (C17 6.5.6): in SHARED and LOCAL
      as in GLOBAL.
   3. LOCAL addresses become addresses of .local memory only if they are used for nothing but
      accesses, sums and comparisons with each other.
   4. Accesses with an order, a scope or another rule for caches stay.
   5. A register kept so is its generic value less the window, modulo 2^64, behind each statement,
      wherever it points: sums, differences and tests for equality are the same for both, all
      else gets the generic value.  A generic address in the window is that of the block's memory
      and the window (PTX ISA, "Generic Addressing").

   The arguments come with the launch (carry-proto.h) if all that the kernel does with their address is
   to load them, from places that are known.  Such a load takes them from the kernel's parameter:

	ld.u64 %a, [%args+8]	ld.param.u64 %a, [%carry+72]

   Called by nvptx-lanes-direct-emit.c and nvptx-lanes-team.c.  No state.  */

#include "nvptx-lanes-direct.h"
#include "device-abi.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum class
{
  NONE,				/* nothing is known yet */
  NUMBER,
  ARGS,
  BLOCK,
  GLOBAL,
  SHARED,
  LOCAL,
  ANY
};

enum
{
  CARRY_PARAM = 3,		/* behind those that the compiler makes */
  ELEMENTS = 8,			/* of a register that is a vector */
  MOST_OP = 64,			/* length of an opcode with its words */
  NO_ADDRESS = 255		/* of operands: none of them */
};

struct spaces
{
  struct ptx_function *f;
  uint8_t *classes;		/* by variable and element */
  bool changed;			/* a class has, in this round */
  bool shifts;			/* what may be an address is shifted right, or divided */
  uint32_t window;		/* the register with the window of .shared memory */
  uint32_t spare;		/* the first of registers for generic values */
  uint32_t at;			/* one for an address in .shared memory */
  bool *begins;			/* by var: it is always the address of a variable */
};

static bool
is_wide (const struct ptx_function *f, uint32_t var)
{
  return f->vars[var].type == PTX_U64 || f->vars[var].type == PTX_S64
	 || f->vars[var].type == PTX_B64;
}

static bool
is_block (enum class c)
{
  return c == ARGS || c == BLOCK;
}

static enum class
join (enum class a, enum class b)
{
  if (a == b || b == NONE)
    return a;
  if (a == NONE)
    return b;
  if (is_block (a) && is_block (b))
    return BLOCK;
  if ((is_block (a) || a == GLOBAL) && (is_block (b) || b == GLOBAL))
    return GLOBAL;
  return ANY;
}

/* The class of A + B.  */
static enum class
sum (enum class a, enum class b)
{
  if (a == NONE || b == NONE)
    return NONE;
  if (b == NUMBER)
    return a == ARGS ? BLOCK : a;
  if (a == NUMBER)
    return b == ARGS ? BLOCK : b;
  /* One of them is a number.  */
  if ((is_block (a) || a == GLOBAL) && (is_block (b) || b == GLOBAL))
    return GLOBAL;
  return ANY;
}

static enum class
difference (enum class a, enum class b)
{
  if (a == NONE || b == NONE)
    return NONE;
  if (b == NUMBER)
    return a == ARGS ? BLOCK : a;
  if (a == b && (a == SHARED || a == LOCAL))
    return NUMBER;
  /* Of two words of the arguments either may be a number: that, or an address.  */
  if ((is_block (a) || a == GLOBAL) && (is_block (b) || b == GLOBAL))
    return GLOBAL;
  return ANY;
}

static uint8_t *
class_of_reg (const struct spaces *s, const struct ptx_operand *o)
{
  return &s->classes[o->id * ELEMENTS + (o->element > 0 ? o->element - 1u : 0)];
}

/* Of an operand that is read.  */
static enum class
class_of (const struct spaces *s, const struct ptx_operand *o)
{
  switch (o->kind)
    {
    case PTX_O_INT:
      return NUMBER;
    case PTX_O_REG:
      if (!is_wide (s->f, o->id))
	return ptx_type_size (s->f->vars[o->id].type) < 8 ? NUMBER : ANY;
      return s->f->vars[o->id].vector > 1 && o->element == 0 ? ANY : *class_of_reg (s, o);
    case PTX_O_SPECIAL:
      return NUMBER;
    default:
      return ANY;
    }
}

/* The class of the base of address O.  */
static enum class
class_of_base (const struct spaces *s, const struct ptx_operand *o)
{
  struct ptx_operand base = { .kind = PTX_O_REG, .id = o->id, .element = o->element };

  return class_of (s, &base);
}

static bool
is_null (const struct ptx_operand *o)
{
  return o->kind == PTX_O_INT && o->u.value == 0;
}

/* The same where 0 may stand for an address that nobody uses.  */
static enum class
class_or_null (const struct spaces *s, const struct ptx_operand *o)
{
  return is_null (o) ? NONE : class_of (s, o);
}

static void
set (struct spaces *s, const struct ptx_operand *o, enum class c)
{
  unsigned num = 1;

  if (o->kind != PTX_O_REG || !is_wide (s->f, o->id))
    return;
  if (s->f->vars[o->id].vector > 1 && o->element == 0)
    num = s->f->vars[o->id].vector < ELEMENTS ? s->f->vars[o->id].vector : ELEMENTS;
  for (unsigned i = 0; i < num; i++)
    {
      uint8_t *known = class_of_reg (s, o) + i, now = (uint8_t) join (*known, c);
      s->changed |= now != *known;
      *known = now;
    }
}

/* All registers that O mentions, a result's, are of class C.  */
static void
set_all (struct spaces *s, const struct ptx_operand *o, enum class c)
{
  if (o->kind == PTX_O_VECTOR || o->kind == PTX_O_PAIR || o->kind == PTX_O_ARGS
      || o->kind == PTX_O_BRACKETS)
    for (uint32_t i = 0; i < o->id; i++)
      set_all (s, &o->u.list[i], c);
  else
    set (s, o, c);
}

static bool
is_big_shift (const struct ptx_operand *o)
{
  /* The upper half of what may be put together.  */
  return o->kind == PTX_O_INT && o->u.value >= 32;
}

/* May it be an address in memory that is not global?  */
static bool
may_be_other (enum class c)
{
  return c == SHARED || c == LOCAL || c == ANY;
}

/* What the result of instruction T, of 64 bits, is.  */
static enum class
class_of_result (const struct spaces *s, const struct ptx_stmt *t)
{
  const struct ptx_op *op = t->u.insn.op;
  const struct ptx_operand *o = t->u.insn.operands;
  enum class a, b;

  switch (op->opcode)
    {
    case PTX_OP_MOV:
      return t->num_operands == 2 ? class_or_null (s, &o[1]) : ANY;
    case PTX_OP_SELP:
      return t->num_operands == 4 ? join (class_or_null (s, &o[1]), class_or_null (s, &o[2])) : ANY;
    case PTX_OP_MIN:
    case PTX_OP_MAX:
      return t->num_operands == 3 ? join (class_of (s, &o[1]), class_of (s, &o[2])) : ANY;
    case PTX_OP_ADD:
      return t->num_operands == 3 ? sum (class_of (s, &o[1]), class_of (s, &o[2])) : ANY;
    case PTX_OP_SUB:
      return t->num_operands == 3 ? difference (class_of (s, &o[1]), class_of (s, &o[2])) : ANY;
    case PTX_OP_MAD:
      return t->num_operands == 4 ? sum (NUMBER, class_of (s, &o[3])) : ANY;
    case PTX_OP_SHL:
    case PTX_OP_MUL:
      if (t->num_operands != 3 || (op->opcode == PTX_OP_SHL && is_big_shift (&o[2])))
	return ANY;
      /* Not what was an address, and becomes one again.  */
      return s->shifts && (may_be_other (class_of (s, &o[1])) || may_be_other (class_of (s, &o[2])))
	     ? ANY : NUMBER;
    case PTX_OP_DIV:
    case PTX_OP_SHR:
      return t->num_operands == 3 && !may_be_other (class_of (s, &o[1])) ? NUMBER : ANY;
    case PTX_OP_REM:
      return NUMBER;
    case PTX_OP_NEG:
    case PTX_OP_NOT:
      a = t->num_operands == 2 ? class_of (s, &o[1]) : ANY;
      return a == NUMBER || a == NONE ? a : ANY;
    case PTX_OP_AND:
      /* A mask for an alignment, or some bits.  */
      a = t->num_operands == 3 ? class_of (s, &o[1]) : ANY;
      b = t->num_operands == 3 ? class_of (s, &o[2]) : ANY;
      if (a == ARGS && o[2].kind == PTX_O_INT
	  && (uint64_t) o[2].u.value == GOMPX_LAUNCH_ARG (UINT64_MAX))
	return ARGS;
      return a == NONE || b == NONE ? NONE : b == NUMBER ? sum (a, b) : a == NUMBER ? sum (b, a) : ANY;
    case PTX_OP_OR:
    case PTX_OP_XOR:
      a = t->num_operands == 3 ? class_of (s, &o[1]) : ANY;
      b = t->num_operands == 3 ? class_of (s, &o[2]) : ANY;
      return a == NONE || b == NONE ? NONE : a == NUMBER && b == NUMBER ? NUMBER : ANY;
    case PTX_OP_CVT:
      if (t->num_operands != 2 || o[1].kind != PTX_O_REG)
	return ANY;
      return is_wide (s->f, o[1].id) && op->num_types == 2 && ptx_type_size (op->types[1]) == 8
	     ? class_of (s, &o[1]) : NUMBER;
    case PTX_OP_CVTA:
      if (ptx_op_has (op, PTX_TO) || t->num_operands != 2)
	return ANY;
      return op->space == PTX_SHARED ? SHARED : op->space == PTX_LOCAL ? LOCAL
	     : op->space == PTX_GLOBAL ? GLOBAL : ANY;
    case PTX_OP_LD:
      if (t->num_operands != 2 || o[1].kind != PTX_O_ADDRESS)
	return ANY;
      /* The kernel's own parameters: launch word, stacks, their size.  */
      if (op->space == PTX_PARAM && o[1].base == PTX_O_VAR && o[1].id < s->f->num_params)
	return o[1].id == 0 ? ARGS : GLOBAL;
      if (o[1].base == PTX_O_REG && is_wide (s->f, o[1].id) && op->space == 0)
	{
	  a = class_of_base (s, &o[1]);
	  return is_block (a) ? GLOBAL : a == NONE ? NONE : ANY;
	}
      return ANY;
    default:
      return ANY;
    }
}

static void
find_classes (struct spaces *s)
{
  do
    {
      s->changed = false;
      for (uint32_t i = 0; i < s->f->num_stmts; i++)
	{
	  const struct ptx_stmt *t = &s->f->stmts[i];
	  if (t->kind != PTX_STMT_INSN || t->num_operands == 0)
	    continue;
	  const struct ptx_operand *o = t->u.insn.operands;
	  ptx_name opcode = t->u.insn.op->opcode;
	  if (opcode == PTX_OP_ST || opcode == PTX_OP_RED || o->kind == PTX_O_ADDRESS)
	    continue;
	  if ((opcode == PTX_OP_SHR || opcode == PTX_OP_DIV) && t->num_operands == 3
	      && !s->shifts && may_be_other (class_of (s, &o[1])))
	    s->shifts = s->changed = true;
	  if (opcode == PTX_OP_CALL)
	    set_all (s, &o[PTX_CALL_RESULT], ANY);
	  else if (o->kind == PTX_O_REG && is_wide (s->f, o->id)
		   && (s->f->vars[o->id].vector == 1 || o->element > 0))
	    set (s, o, class_of_result (s, t));
	  /* GCC sets each element of a vector behind this.  */
	  else if (opcode == PTX_OP_MOV && t->num_operands == 2 && o[1].kind == PTX_O_VECTOR
		   && o[1].id == 2 && is_null (&o[1].u.list[0]) && is_null (&o[1].u.list[1]))
	    continue;
	  else
	    set_all (s, o, ANY);
	}
    }
  while (s->changed);
}

static bool
is_local (enum class c)
{
  return c == LOCAL;
}

/* Are registers of O of a class that IS true for?  */
static bool
mentions (const struct spaces *s, const struct ptx_operand *o, bool (*is) (enum class))
{
  if (o->kind == PTX_O_VECTOR || o->kind == PTX_O_PAIR || o->kind == PTX_O_ARGS
      || o->kind == PTX_O_BRACKETS)
    {
      for (uint32_t i = 0; i < o->id; i++)
	if (mentions (s, &o->u.list[i], is))
	  return true;
      return false;
    }
  if (o->kind != PTX_O_REG || !is_wide (s->f, o->id))
    return false;
  if (o->element > 0 || s->f->vars[o->id].vector == 1)
    return is (*class_of_reg (s, o));
  for (unsigned i = 0; i < s->f->vars[o->id].vector && i < ELEMENTS; i++)
    if (is (s->classes[o->id * ELEMENTS + i]))
      return true;
  return false;
}

/* An access whose only words are its type, a vector's size and what an atomic operation does.  */
static bool
is_plain_access (const struct ptx_stmt *t, unsigned *address)
{
  if (t->kind != PTX_STMT_INSN)
    return false;
  const struct ptx_op *op = t->u.insn.op;
  bool atomic = op->opcode == PTX_OP_ATOM || op->opcode == PTX_OP_RED;

  *address = op->opcode == PTX_OP_LD || op->opcode == PTX_OP_ATOM;
  return (atomic ? op->space == 0 && op->num_words == 2 && op->num_types == 1 && op->vector <= 1
		   && op->words[0] >= PTX_AND && op->words[0] <= PTX_EXCH
		   && ptx_is_type (op->words[1])
		 : lanes_is_plain (t, PTX_OP_LD) || lanes_is_plain (t, PTX_OP_ST))
	 && *address < t->num_operands && t->u.insn.operands[*address].kind == PTX_O_ADDRESS
	 && t->u.insn.operands[*address].base == PTX_O_REG;
}

/* Do LOCAL addresses get anywhere but into accesses and each other?  */
static bool
local_escapes (const struct spaces *s)
{
  for (uint32_t i = 0; i < s->f->num_stmts; i++)
    {
      const struct ptx_stmt *t = &s->f->stmts[i];
      unsigned num_local = 0, address, num_read = 0;
      if (t->kind != PTX_STMT_INSN)
	continue;
      const struct ptx_operand *o = t->u.insn.operands;
      const struct ptx_op *op = t->u.insn.op;
      for (unsigned k = 0; k < t->num_operands; k++)
	{
	  if (o[k].kind == PTX_O_ADDRESS && o[k].base == PTX_O_REG && is_wide (s->f, o[k].id)
	      && class_of_base (s, &o[k]) == LOCAL
	      && (!is_plain_access (t, &address) || address != k || op->opcode == PTX_OP_ATOM
		  || op->opcode == PTX_OP_RED))
	    return true;
	  num_local += (k > 0 || op->opcode == PTX_OP_ST) && mentions (s, &o[k], is_local);
	  num_read += k > 0;
	}
      if (num_local == 0)
	continue;
      switch (op->opcode)
	{
	case PTX_OP_MOV:
	case PTX_OP_ADD:
	case PTX_OP_SUB:
	case PTX_OP_MAD:
	case PTX_OP_SELP:
	case PTX_OP_MIN:
	case PTX_OP_MAX:
	  /* A sum of one of them; or two that are compared, or subtracted.  */
	  if (o[0].kind == PTX_O_REG && is_wide (s->f, o[0].id)
	      && (s->f->vars[o[0].id].vector == 1 || o[0].element > 0)
	      && (*class_of_reg (s, &o[0]) == LOCAL
		  || (op->opcode == PTX_OP_SUB && num_local == 2)))
	    break;
	  return true;
	case PTX_OP_SETP:
	  if (num_local == 2 && num_read == 2)
	    break;
	  return true;
	default:
	  return true;
	}
    }
  return false;
}

/* Does T, a plain access whose address is operand ADDRESS, load arguments that can come with the
   launch, at a place that is known?  */
static bool
loads_args (const struct spaces *s, const struct ptx_stmt *t, unsigned address)
{
  const struct ptx_op *op = t->u.insn.op;
  const struct ptx_operand *o = &t->u.insn.operands[address];
  uint64_t size = op->num_types == 1 ? ptx_type_size (op->types[0]) : 0;

  if (op->vector > 1)
    size *= op->vector;
  return op->opcode == PTX_OP_LD && class_of_base (s, o) == ARGS && size > 0
	 && o->u.value <= NVPTX_CARRY_MOST - size;
}

/* Does the kernel do anything with its arguments, or their address, but such loads?  */
static bool
args_escape (const struct spaces *s)
{
  for (uint32_t i = 0; i < s->f->num_stmts; i++)
    {
      const struct ptx_stmt *t = &s->f->stmts[i];
      unsigned address;
      if (t->kind != PTX_STMT_INSN)
	continue;
      const struct ptx_operand *o = t->u.insn.operands;
      const struct ptx_op *op = t->u.insn.op;
      bool stores = op->opcode == PTX_OP_ST || op->opcode == PTX_OP_RED;
      for (unsigned k = 0; k < t->num_operands; k++)
	{
	  if (o[k].kind == PTX_O_ADDRESS && o[k].base == PTX_O_REG && is_wide (s->f, o[k].id)
	      && is_block (class_of_base (s, &o[k]))
	      && (!is_plain_access (t, &address) || !loads_args (s, t, address)))
	    return true;
	  if ((k == 0 && !stores) || !mentions (s, &o[k], is_block))
	    continue;
	  switch (op->opcode)
	    {
	    case PTX_OP_MOV:
	    case PTX_OP_ADD:
	    case PTX_OP_SUB:
	    case PTX_OP_AND:
	    case PTX_OP_SELP:
	      /* The result is one of them, and looked at as such.  */
	      if (o[0].kind == PTX_O_REG && mentions (s, &o[0], is_block))
		break;
	      return true;
	    case PTX_OP_SHR:
	    case PTX_OP_SETP:
	      break;
	    default:
	      return true;
	    }
	}
    }
  return false;
}

/* ---- Addresses in the block's memory ---- */

/* Is O a register that is kept as an address in .shared memory?  Elements of vectors are not.  */
static bool
is_kept (const struct spaces *s, const struct ptx_operand *o)
{
  return o->kind == PTX_O_REG && is_wide (s->f, o->id) && s->f->vars[o->id].vector == 1
	 && *class_of_reg (s, o) == SHARED;
}

static bool
is_list (const struct ptx_operand *o)
{
  return o->kind == PTX_O_VECTOR || o->kind == PTX_O_PAIR || o->kind == PTX_O_ARGS
	 || o->kind == PTX_O_BRACKETS;
}

/* How many registers that are kept so O mentions, its base among them.  */
static uint32_t
count_kept (const struct spaces *s, const struct ptx_operand *o)
{
  struct ptx_operand reg = *o;
  uint32_t count = 0;

  if (is_list (o))
    for (uint32_t i = 0; i < o->id; i++)
      count += count_kept (s, &o->u.list[i]);
  if (o->kind == PTX_O_ADDRESS && o->base == PTX_O_REG)
    reg.kind = PTX_O_REG;
  return count + is_kept (s, &reg);
}

/* Does T, which mentions kept registers, do with these what it does with generic addresses?  */
static bool
suits_kept (const struct spaces *s, const struct ptx_stmt *t)
{
  const struct ptx_op *op = t->u.insn.op;
  const struct ptx_operand *o = t->u.insn.operands;
  unsigned words = op->opcode == PTX_OP_SETP || op->opcode == PTX_OP_MAD ? 2 : 1;
  bool sets = t->num_operands > 0 && is_kept (s, &o[0]);

  /* No carry, no rounding; and all of the address.  */
  if (op->num_words != words || op->num_types != 1
      || (op->opcode != PTX_OP_MAD && ptx_type_size (op->types[0]) != 8))
    return false;
  switch (op->opcode)
    {
    case PTX_OP_MOV:
      return t->num_operands == 2 && sets && is_kept (s, &o[1]);
    case PTX_OP_ADD:
      return t->num_operands == 3 && sets
	     && ((is_kept (s, &o[1]) && class_of (s, &o[2]) == NUMBER)
		 || (class_of (s, &o[1]) == NUMBER && is_kept (s, &o[2])));
    case PTX_OP_SUB:
      return t->num_operands == 3 && is_kept (s, &o[1])
	     && (sets ? class_of (s, &o[2]) == NUMBER : is_kept (s, &o[2]));
    case PTX_OP_MAD:
      return t->num_operands == 4 && sets && is_kept (s, &o[3])
	     && class_of (s, &o[1]) == NUMBER && class_of (s, &o[2]) == NUMBER;
    case PTX_OP_SELP:
      return t->num_operands == 4 && sets && is_kept (s, &o[1]) && is_kept (s, &o[2]);
    case PTX_OP_SETP:
      return t->num_operands == 3 && (op->words[0] == PTX_EQ || op->words[0] == PTX_NE)
	     && is_kept (s, &o[1]) && is_kept (s, &o[2]);
    default:
      return false;
    }
}

/* Is T the begin of an address in the block's memory?  */
static bool
begins_kept (const struct spaces *s, const struct ptx_stmt *t)
{
  return lanes_is_insn (t, PTX_OP_CVTA, 2) && is_kept (s, &t->u.insn.operands[0])
	 && t->u.insn.op->space == PTX_SHARED && t->u.insn.op->num_words == 2
	 && count_kept (s, &t->u.insn.operands[1]) == 0;
}

/* Find kept registers that are set to addresses of variables only.  */
static bool
find_begins (struct spaces *s)
{
  const struct ptx_function *f = s->f;
  bool more = true;

  s->begins = ptx_alloc (f->module->ptx, f->num_vars + 1);
  if (s->begins == NULL)
    return false;
  memset (s->begins, true, f->num_vars);
  while (more)
    {
      more = false;
      for (uint32_t i = 0; i < f->num_stmts; i++)
	{
	  const struct ptx_stmt *t = &f->stmts[i];
	  if (t->kind != PTX_STMT_INSN || t->num_operands == 0)
	    continue;
	  const struct ptx_operand *o = t->u.insn.operands;
	  if (!is_kept (s, &o[0]) || !s->begins[o[0].id] || begins_kept (s, t)
	      || (lanes_is_insn (t, PTX_OP_MOV, 2) && is_kept (s, &o[1]) && s->begins[o[1].id]))
	    continue;
	  s->begins[o[0].id] = false;
	  more = true;
	}
    }
  return true;
}

/* %TO = the generic address of %FROM, which is that of a variable.  */
static struct ptx_stmt *
put_converted (const struct spaces *s, uint32_t to, uint32_t from)
{
  struct ptx_stmt *t = ptx_emit_insn (s->f, "cvta.shared.u64", 2);

  if (t != NULL)
    {
      t->u.insn.operands[0] = ptx_reg (to);
      t->u.insn.operands[1] = ptx_reg (from);
    }
  return t;
}

/* %TO = %FROM and, if ADD, the window; or without it.  */
static struct ptx_stmt *
put_window (const struct spaces *s, uint32_t to, uint32_t from, bool add)
{
  struct ptx_stmt *t = ptx_emit_insn (s->f, add ? "add.u64" : "sub.u64", 3);

  if (t != NULL)
    {
      t->u.insn.operands[0] = ptx_reg (to);
      t->u.insn.operands[1] = ptx_reg (from);
      t->u.insn.operands[2] = ptx_reg (s->window);
    }
  return t;
}

/* In O, a copy, put generic values in place of kept registers; *SPARE is the next register for one.
   Lists are copied.  */
static bool
put_generic (const struct spaces *s, struct ptx_operand *o, uint32_t *spare)
{
  if (is_list (o) && count_kept (s, o) > 0)
    {
      struct ptx_operand *list = ptx_alloc (s->f->module->ptx, o->id * sizeof (list[0]));
      if (list == NULL)
	return false;
      memcpy (list, o->u.list, o->id * sizeof (list[0]));
      o->u.list = list;
      for (uint32_t i = 0; i < o->id; i++)
	if (!put_generic (s, &list[i], spare))
	  return false;
    }
  else if (!is_list (o) && count_kept (s, o) > 0)
    {
      if ((s->begins[o->id] ? put_converted (s, *spare, o->id)
	   : put_window (s, *spare, o->id, true)) == NULL)
	return false;
      o->id = (*spare)++;
    }
  return true;
}

/* OP with SPACE in front of its other words.  */
static struct ptx_op *
op_with (struct ptx *ptx, const struct ptx_op *op, const char *space)
{
  const struct ptx_name_entry *text = &ptx->names[op->text], *opcode = &ptx->names[op->opcode];
  char with[MOST_OP];
  int length = snprintf (with, sizeof (with), "%.*s%s%.*s", (int) opcode->length, opcode->text,
			 space, (int) (text->length - opcode->length),
			 text->text + opcode->length);

  return length > 0 && length < (int) sizeof (with) ? ptx_get_op (ptx, with) : NULL;
}

/* Statement T, which mentions kept registers, with generic values for them; but for the base of
   operand ADDRESS.  SPACE: see op_with; "" leaves the opcode.  */
static bool
put_with_generic (const struct spaces *s, const struct ptx_stmt *t, unsigned address,
		  const char *space)
{
  struct ptx *ptx = s->f->module->ptx;
  struct ptx_operand *o = ptx_alloc (ptx, t->num_operands * sizeof (o[0]));
  uint32_t spare = s->spare, result = PTX_NO_INDEX;

  if (o == NULL)
    return false;
  memcpy (o, t->u.insn.operands, t->num_operands * sizeof (o[0]));
  for (unsigned i = 0; i < t->num_operands; i++)
    if (i == 0 && is_kept (s, &o[0]))
      {
	result = o[0].id;
	o[0].id = spare++;
      }
    else if (i != address && !put_generic (s, &o[i], &spare))
      return false;
  struct ptx_stmt *new = ptx_emit_copy (s->f, t);
  if (new == NULL)
    return false;
  new->u.insn.operands = o;
  if (*space != '\0' && (new->u.insn.op = op_with (ptx, t->u.insn.op, space)) == NULL)
    return false;
  if (result != PTX_NO_INDEX)
    {
      if ((new = put_window (s, result, s->spare, false)) == NULL)
	return false;
      new->guard = t->guard;
      new->guard_negated = t->guard_negated;
    }
  return true;
}

/* T, which loads_args is true for, from the parameter.  */
static bool
put_args_load (const struct spaces *s, const struct ptx_stmt *t)
{
  struct ptx *ptx = s->f->module->ptx;
  struct ptx_stmt *new = ptx_emit_copy (s->f, t);
  struct ptx_operand *operands = ptx_alloc (ptx, t->num_operands * sizeof (operands[0]));

  if (new == NULL || operands == NULL)
    return false;
  memcpy (operands, t->u.insn.operands, t->num_operands * sizeof (operands[0]));
  operands[1].base = PTX_O_VAR;
  operands[1].id = CARRY_PARAM;
  operands[1].element = 0;
  operands[1].u.value += offsetof (struct nvptx_carry, data);
  new->u.insn.operands = operands;
  new->u.insn.op = op_with (ptx, t->u.insn.op, ".param");
  return new->u.insn.op != NULL;
}

/* Statement T, which goes to the block's memory by an element of a vector, behind the address that
   it has there.  */
static bool
put_shared (const struct spaces *s, const struct ptx_stmt *t, unsigned address)
{
  struct ptx *ptx = s->f->module->ptx;
  struct ptx_stmt *new = ptx_emit_insn (s->f, "cvta.to.shared.u64", 2), with = *t;
  struct ptx_operand *o = ptx_alloc (ptx, t->num_operands * sizeof (o[0]));

  if (new == NULL || o == NULL)
    return false;
  memcpy (o, t->u.insn.operands, t->num_operands * sizeof (o[0]));
  new->u.insn.operands[0] = ptx_reg (s->at);
  new->u.insn.operands[1] = (struct ptx_operand) {
    .kind = PTX_O_REG, .id = o[address].id, .element = o[address].element
  };
  o[address].id = s->at;
  o[address].element = 0;
  with.u.insn.operands = o;
  return put_with_generic (s, &with, address, ".shared");
}

/* The registers that are put in: %window, %at, and some for generic values.  */
static bool
add_registers (struct spaces *s, const struct ptx_stmt *stmts, uint32_t num)
{
  struct ptx *ptx = s->f->module->ptx;
  uint32_t num_spare = 1, first = PTX_NO_INDEX, num_vars;

  for (uint32_t i = 0; i < num; i++)
    if (stmts[i].kind == PTX_STMT_INSN)
      {
	uint32_t count = 0;
	for (unsigned k = 0; k < stmts[i].num_operands; k++)
	  count += count_kept (s, &stmts[i].u.insn.operands[k]);
	if (count > num_spare)
	  num_spare = count;
      }
  num_vars = num_spare + 2;
  for (uint32_t i = 0; i < num_vars; i++)
    {
      ptx_name name = ptx_fresh_name (ptx, i == 0 ? "%direct_window" : "%direct_at");
      uint32_t var = name != 0 ? ptx_add_var (s->f, PTX_REG, PTX_U64, name) : PTX_NO_INDEX;
      if (var == PTX_NO_INDEX)
	return false;
      if (i == 0)
	first = var;
    }
  s->window = first;
  s->at = first + 1;
  s->spare = first + 2;
  return ptx_emit_declare (s->f, first, num_vars) != NULL;
}

/* %window = what generic addresses of .shared memory have more than those there.  */
static bool
put_begin_window (const struct spaces *s)
{
  for (int i = 0; i < 2; i++)
    {
      struct ptx_stmt *t = ptx_emit_insn (s->f, i == 0 ? "mov.u64" : "cvta.shared.u64", 2);
      if (t == NULL)
	return false;
      t->u.insn.operands[0] = ptx_reg (s->window);
      t->u.insn.operands[1] = i == 0 ? ptx_int (0) : ptx_reg (s->window);
    }
  return true;
}

/* The same statement with another opcode; NULL leaves it.  */
static bool
put_copy (const struct spaces *s, const struct ptx_stmt *t, struct ptx_op *op)
{
  struct ptx_stmt *new = ptx_emit_copy (s->f, t);

  if (new != NULL && op != NULL)
    new->u.insn.op = op;
  return new != NULL;
}

/* Instruction T again, with spaces.  */
static bool
rewrite_insn (const struct spaces *s, const struct ptx_stmt *t, bool local, bool args)
{
  struct ptx *ptx = s->f->module->ptx;
  const struct ptx_operand *o = t->u.insn.operands;
  struct ptx_op *op = NULL;
  const char *space = "";
  uint32_t num_kept = 0;
  unsigned address = 0;
  enum class c = is_plain_access (t, &address) ? class_of_base (s, &o[address]) : ANY;

  for (unsigned i = 0; i < t->num_operands; i++)
    num_kept += count_kept (s, &o[i]);
  if (c == SHARED)
    return count_kept (s, &o[address]) > 0 ? put_with_generic (s, t, address, ".shared")
	   : put_shared (s, t, address);
  if (args && c == ARGS)
    return put_args_load (s, t);
  if (c == GLOBAL || is_block (c))
    space = ".global";
  else if (c == LOCAL && local)
    space = ".local";
  if (begins_kept (s, t)
      || (local && lanes_is_insn (t, PTX_OP_CVTA, 2) && t->u.insn.op->space == PTX_LOCAL
	  && !ptx_op_has (t->u.insn.op, PTX_TO)))
    return (op = ptx_get_op (ptx, "mov.u64")) != NULL && put_copy (s, t, op);
  if (num_kept > 0 && !suits_kept (s, t))
    return put_with_generic (s, t, NO_ADDRESS, space);
  return (*space == '\0' || (op = op_with (ptx, t->u.insn.op, space)) != NULL)
	 && put_copy (s, t, op);
}

/* The body again, with spaces.  */
static bool
rewrite (struct spaces *s, bool local, bool args, char why[PTX_WHY])
{
  const struct ptx_stmt *old = s->f->stmts;
  uint32_t num = s->f->num_stmts;

  ptx_begin_body (s->f);
  if (!add_registers (s, old, num) || !put_begin_window (s))
    return false;
  for (uint32_t i = 0; i < num; i++)
    if (old[i].kind == PTX_STMT_INSN ? !rewrite_insn (s, &old[i], local, args)
	: ptx_emit_copy (s->f, &old[i]) == NULL)
      return false;
  return ptx_end_body (s->f, why);
}

uint8_t *
lanes_find_owners (struct ptx_function *f)
{
  struct spaces s = { .f = f };
  uint8_t *owners = ptx_alloc (f->module->ptx, f->num_stmts + 1);

  s.classes = ptx_alloc (f->module->ptx, (size_t) f->num_vars * ELEMENTS + 1);
  if (s.classes == NULL || owners == NULL)
    return NULL;
  find_classes (&s);
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *t = &f->stmts[i];
      if (t->kind != PTX_STMT_INSN || t->num_operands < 2)
	continue;
      const struct ptx_op *op = t->u.insn.op;
      const struct ptx_operand *o
	= &t->u.insn.operands[op->opcode == PTX_OP_LD || op->opcode == PTX_OP_ATOM];
      if (o->kind != PTX_O_ADDRESS || (op->space == 0 && o->base != PTX_O_REG))
	continue;
      if (op->space == PTX_SHARED || op->space == PTX_LOCAL || op->space == PTX_PARAM
	  || op->space == PTX_CONST)
	owners[i] = LANES_OWNER_TEAM;
      else if (o->base == PTX_O_REG && (op->space == 0 || op->space == PTX_GLOBAL))
	{
	  enum class c = class_of_base (&s, o);
	  owners[i] = is_block (c) ? LANES_OWNER_NOBODY
		      : op->space == 0 && (c == SHARED || c == LOCAL) ? LANES_OWNER_TEAM
								      : LANES_OWNER_ANY;
	}
    }
  return owners;
}

/* Is F an entry that carries (nvptx-carry.c)?  */
static bool
carries (const struct ptx_function *f)
{
  return f->num_params == CARRY_PARAM + 1
	 && ptx_var_size (&f->vars[CARRY_PARAM]) == sizeof (struct nvptx_carry);
}

bool
lanes_give_spaces (struct ptx_function *f, bool *takes_args, char why[PTX_WHY])
{
  struct spaces s = { .f = f };

  s.classes = ptx_alloc (f->module->ptx, (size_t) f->num_vars * ELEMENTS);
  if (s.classes == NULL && f->num_vars > 0)
    return false;
  find_classes (&s);
  if (!find_begins (&s))
    return false;
  *takes_args = carries (f) && !args_escape (&s);
  return rewrite (&s, !local_escapes (&s), *takes_args, why);
}
