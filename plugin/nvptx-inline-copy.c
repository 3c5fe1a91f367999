/* nvptx-inline-copy.c -- small copies in the program's text, in place of calls of memcpy, memmove
   and memset.

   GCC calls them also for small copies of constant size: an assignment of a struct, a loop over a
   small array.  Such a call takes hundreds of cycles, and an array whose address is given to it has
   to stay in memory.  Loads and stores stand in its place, all loads first, so that places may
   overlap:

     { .param .u64 %value_in;
       .param .u64 %out_arg1;                      .reg .b32 %gompx7_w<2>;
       st.param.u64 [%out_arg1],%r27;              (the test)
       ...                                   =>    ld.u32 %gompx7_w0,[%r23];
       call (%value_in),memcpy,                    ld.u32 %gompx7_w1,[%r23+4];
	 (%out_arg1,%out_arg2,%out_arg3);          st.v2.u32 [%r27],{%gompx7_w0,%gompx7_w1};
       ld.param.u64 %r33,[%value_in]; }            mov.u64 %r33,%r27;

   What is copied passes through registers of four bytes.  How wide an access may be depends on the
   address.  It is followed through copies, sums, and products with constants to the function's
   frame and to variables.  Where that tells the lowest two bits, the accesses are as wide as they
   allow, up to 16 bytes, and the address is the base of accesses at constant offsets, and nothing
   else: so an array can become registers (nvptx-frame-registers.c).  Other addresses are tested
   when the program runs: words of four bytes if they are multiples of four, else bytes.  There is
   one test, of both addresses where both are not known.

   The same in all the text, whatever form a function has: nothing that is written here concerns
   other lanes.  A function that runs as warps stores the same from all lanes, as the function that
   is called does.

   Invariants
   1. A block is replaced if it is as compilers write it: arguments of the function's types are
      stored, the call, perhaps with a guard, and perhaps the load of its result; with braces that
      have lines of their own.  Everything else stays a call.
   2. The size is a constant of at most MOST_BYTES: 32 registers hold it, an eighth of what a thread
      can have.  Programs with very many copies have only the smaller ones replaced, for the sake of
      the time that the driver's compiler takes.
   3. Nothing else is read or written than the function does, with plain loads and stores like its.
   4. An address counts as known if each statement that sets its registers allows that, wherever it
      stands.  GCC keeps the soft stack's pointer a multiple of 16.
   5. A program that has a function of one of the names keeps its calls of that.
   6. Names of registers and labels are such as compilers and programs don't use, and have the
      copy's number.
   7. Nothing outside of the text is read: it ends with a NUL.

   Called by nvptx-texts.c, after names have been looked for, and before versions for lanes are made:
   a function that calls nothing can do without the library.  */

#define _GNU_SOURCE 1
#include "nvptx-inline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum
{
  MOST_BYTES = 128,		/* of a copy */
  MOST_UNROLLED = 16,		/* bytes of which both addresses aren't multiples of a word */
  MOST_IN_ALL = 8192,		/* statements */
  ALIGNED = 16,			/* the greatest alignment that is of use */
  WORD = 4,
  MOST_STEPS = 256,		/* when an address is followed */
  ARGUMENTS = 3
};

enum function { MEMCPY, MEMMOVE, MEMSET, NUM_FUNCTIONS };

static const char *const names[NUM_FUNCTIONS] = { "memcpy", "memmove", "memset" };

/* What is known of a value: that it is RESIDUE modulo MODULUS, a power of two up to ALIGNED.  */
struct rest
{
  unsigned modulus, residue;
};

/* A block around a call, in the text's lines FIRST to LAST.  */
struct copy
{
  const struct ptx_function *f;
  uint32_t first, last;
  enum function function;
  const struct ptx_operand *to, *from;	/* registers; MEMSET: what is stored */
  const struct ptx_operand *result;	/* a register, or NULL */
  struct rest to_rest, from_rest;
  uint32_t guard;		/* a var, or PTX_NO_INDEX */
  bool guard_negated;
  unsigned size;
};

struct copies
{
  struct ptx *ptx;
  struct copy *v;
  size_t num, room;
  bool no_memory;
};

/* ---- what addresses are known to be ---- */

/* The statements that set a function's registers.  */
struct setters
{
  const struct ptx_function *f;
  uint32_t *first;		/* [var] 1 + statement; UNKNOWN: not followed; 0: none */
  uint32_t *next;		/* [statement] the same of the next one with that register */
  bool *visited;		/* [var] it is being looked at */
  unsigned steps;		/* that are left */
};

static const uint32_t unknown = UINT32_MAX;
static const struct rest any = { 1, 0 };

static void
set_unknown (struct setters *s, const struct ptx_operand *o)
{
  if (o->kind == PTX_O_REG)
    s->first[o->id] = unknown;
  else if (o->kind == PTX_O_VECTOR || o->kind == PTX_O_PAIR || o->kind == PTX_O_ARGS)
    for (uint32_t i = 0; i < o->id; i++)
      set_unknown (s, &o->u.list[i]);
}

/* False: no memory.  */
static bool
find_setters (struct ptx *ptx, const struct ptx_function *f, struct setters *s)
{
  s->f = f;
  s->first = ptx_alloc (ptx, f->num_vars * sizeof (*s->first) + 1);
  s->next = ptx_alloc (ptx, f->num_stmts * sizeof (*s->next) + 1);
  s->visited = ptx_alloc (ptx, f->num_vars * sizeof (*s->visited) + 1);
  if (s->first == NULL || s->next == NULL || s->visited == NULL)
    return false;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *stmt = &f->stmts[i];
      if (stmt->kind != PTX_STMT_INSN || stmt->num_operands == 0)
	continue;
      const struct ptx_operand *o = &stmt->u.insn.operands[0];
      if (o->kind != PTX_O_REG || o->element != 0)
	set_unknown (s, o);
      else if (s->first[o->id] != unknown)
	{
	  s->next[i] = s->first[o->id];
	  s->first[o->id] = i + 1;
	}
    }
  return true;
}

static unsigned
lowest_bit (uint64_t n)
{
  return n % ALIGNED == 0 ? ALIGNED : (unsigned) (n & -n);
}

static struct rest
make_rest (unsigned modulus, uint64_t residue)
{
  if (modulus > ALIGNED)
    modulus = ALIGNED;
  return (struct rest) { modulus, (unsigned) residue & (modulus - 1) };
}

static struct rest
add_rests (struct rest a, struct rest b)
{
  return make_rest (a.modulus < b.modulus ? a.modulus : b.modulus, a.residue + b.residue);
}

static struct rest
multiply_rest (struct rest a, uint64_t factor)
{
  return make_rest (a.modulus * lowest_bit (factor), a.residue * (factor % ALIGNED));
}

/* One of both.  */
static struct rest
either_rest (struct rest a, struct rest b)
{
  struct rest r = make_rest (a.modulus < b.modulus ? a.modulus : b.modulus, a.residue);
  while (((a.residue ^ b.residue) & (r.modulus - 1)) != 0)
    r = make_rest (r.modulus / 2, r.residue);
  return r;
}

static struct rest find_rest (struct setters *s, const struct ptx_operand *o);

/* A variable's address.  */
static struct rest
variable_rest (const struct ptx_var *var, uint64_t offset)
{
  if (var == NULL || (var->space != PTX_LOCAL && var->space != PTX_SHARED
		      && var->space != PTX_GLOBAL && var->space != PTX_CONST))
    return any;
  return make_rest (lowest_bit (ptx_var_align (var)), offset);
}

static bool
is_integer_type (ptx_name type)
{
  return ptx_is_signed (type) || ptx_is_unsigned (type) || ptx_is_bits (type);
}

/* Does OP have WORD, if any, and a type that is an integer, and nothing else?  */
static bool
is_integer (const struct ptx_op *op, ptx_name word)
{
  return op->num_types == 1 && op->num_words == 1 + (word != 0)
	 && (word == 0 || ptx_op_has (op, word)) && is_integer_type (op->types[0]);
}

/* A number among the operands from I on of a product: the other one is *FACTOR's.  */
static const struct ptx_operand *
find_factor (const struct ptx_operand *o, uint64_t *factor)
{
  int number = o[2].kind == PTX_O_INT ? 2 : 1;
  *factor = o[number].u.value;
  return o[number].kind == PTX_O_INT ? &o[3 - number] : NULL;
}

/* What STMT sets its register to.  */
static struct rest
set_rest (struct setters *s, const struct ptx_stmt *stmt)
{
  static const char stack[] = "%sspprev";
  const struct ptx_op *op = stmt->u.insn.op;
  const struct ptx_operand *o = stmt->u.insn.operands, *other;
  unsigned num = stmt->num_operands;
  uint64_t factor;

  switch (op->opcode)
    {
    case PTX_OP_MOV:
      return num == 2 && is_integer (op, 0) ? find_rest (s, &o[1]) : any;
    case PTX_OP_CVTA:
      return num == 2 && !ptx_op_has (op, PTX_TO) ? find_rest (s, &o[1]) : any;
    case PTX_OP_CVT:
      return num == 2 && op->num_words == 2 && op->num_types == 2 && is_integer_type (op->types[0])
	     && is_integer_type (op->types[1]) ? find_rest (s, &o[1]) : any;
    case PTX_OP_ADD:
      return num == 3 && is_integer (op, 0)
	     ? add_rests (find_rest (s, &o[1]), find_rest (s, &o[2])) : any;
    case PTX_OP_SUB:
      return num == 3 && is_integer (op, 0)
	     ? add_rests (find_rest (s, &o[1]), multiply_rest (find_rest (s, &o[2]), -1)) : any;
    case PTX_OP_SHL:
      if (num != 3 || !is_integer (op, 0) || o[2].kind != PTX_O_INT)
	return any;
      return multiply_rest (find_rest (s, &o[1]),
			    o[2].u.value < ALIGNED ? 1 << o[2].u.value : ALIGNED);
    case PTX_OP_MUL:
    case PTX_OP_MAD:
      if (num != (op->opcode == PTX_OP_MUL ? 3 : 4)
	  || (!is_integer (op, PTX_LO) && !is_integer (op, PTX_WIDE))
	  || (other = find_factor (o, &factor)) == NULL)
	return any;
      struct rest product = multiply_rest (find_rest (s, other), factor);
      return num == 3 ? product : add_rests (product, find_rest (s, &o[3]));
    case PTX_OP_AND:
      return num == 3 && is_integer (op, 0) && o[2].kind == PTX_O_INT
	     ? make_rest (lowest_bit (o[2].u.value), 0) : any;
    case PTX_OP_LD:
      return nvptx_is_named (s->f->module->ptx->names[s->f->vars[o->id].name].text,
			     s->f->module->ptx->names[s->f->vars[o->id].name].length, stack)
	     && op->space == PTX_SHARED ? make_rest (ALIGNED, 0) : any;
    default:
      return any;
    }
}

/* Does STMT add a constant to its register?  */
static bool
is_step (const struct ptx_stmt *stmt, uint64_t *step)
{
  const struct ptx_op *op = stmt->u.insn.op;
  const struct ptx_operand *o = stmt->u.insn.operands;
  bool good = (op->opcode == PTX_OP_ADD || op->opcode == PTX_OP_SUB) && is_integer (op, 0)
	      && stmt->num_operands == 3 && o[1].kind == PTX_O_REG && o[1].id == o[0].id
	      && o[1].element == 0 && o[2].kind == PTX_O_INT;
  *step = good ? o[2].u.value : 0;
  return good;
}

static struct rest
find_rest (struct setters *s, const struct ptx_operand *o)
{
  struct rest rest = { 0, 0 };
  unsigned steps = ALIGNED;
  uint64_t step;

  if (o->kind == PTX_O_INT)
    return make_rest (ALIGNED, o->u.value);
  if (o->kind == PTX_O_VAR)
    return variable_rest (&s->f->vars[o->id], 0);
  if (o->kind == PTX_O_SYMBOL)
    return variable_rest (ptx_find_variable (s->f->module, o->id), o->u.value);
  if (o->kind != PTX_O_REG || o->element != 0 || s->first[o->id] == unknown || s->visited[o->id]
      || s->steps == 0)
    return any;
  s->steps--;
  s->visited[o->id] = true;
  for (uint32_t i = s->first[o->id]; i != 0; i = s->next[i - 1])
    if (is_step (&s->f->stmts[i - 1], &step))
      steps = lowest_bit (step) < steps ? lowest_bit (step) : steps;
    else
      {
	struct rest next = set_rest (s, &s->f->stmts[i - 1]);
	rest = rest.modulus == 0 ? next : either_rest (rest, next);
      }
  s->visited[o->id] = false;
  if (rest.modulus == 0)
    return any;
  return make_rest (rest.modulus < steps ? rest.modulus : steps, rest.residue);
}

/* Is O always the same number?  */
static bool
find_number (const struct setters *s, const struct ptx_operand *o, uint64_t *number)
{
  bool found = false;

  *number = o->u.value;
  if (o->kind == PTX_O_INT)
    return true;
  if (o->kind != PTX_O_REG || o->element != 0 || s->first[o->id] == unknown)
    return false;
  for (uint32_t i = s->first[o->id]; i != 0; i = s->next[i - 1])
    {
      const struct ptx_stmt *stmt = &s->f->stmts[i - 1];
      const struct ptx_operand *value = &stmt->u.insn.operands[1];
      if (stmt->u.insn.op->opcode != PTX_OP_MOV || stmt->num_operands != 2
	  || value->kind != PTX_O_INT || (found && value->u.value != *number))
	return false;
      *number = value->u.value;
      found = true;
    }
  return found;
}

/* ---- blocks around calls ---- */

static bool
is_register (const struct ptx_operand *o)
{
  return o->kind == PTX_O_REG && o->element == 0;
}

/* Is S an access of a whole parameter of F, with OPCODE?  */
static bool
is_access (const struct ptx_function *f, const struct ptx_stmt *s, ptx_name opcode)
{
  if (s->kind != PTX_STMT_INSN || s->u.insn.op->opcode != opcode || s->u.insn.op->space != PTX_PARAM
      || s->guard != PTX_NO_INDEX || s->num_operands != 2)
    return false;
  const struct ptx_operand *address = &s->u.insn.operands[opcode == PTX_OP_LD];
  return address->kind == PTX_O_ADDRESS && address->base == PTX_O_VAR && address->u.value == 0
	 && s->u.insn.op->vector <= 1
	 && ptx_type_size (s->u.insn.op->types[0]) == ptx_var_size (&f->vars[address->id]);
}

/* Is O, of a call's list, the parameter ID, of BYTES bytes?  */
static bool
is_parameter (const struct ptx_function *f, const struct ptx_operand *o, uint32_t id,
	      unsigned bytes)
{
  const struct ptx_var *var = &f->vars[id];
  return o->kind == PTX_O_VAR && o->id == id && var->space == PTX_PARAM
	 && ptx_var_size (var) == bytes && var->vector <= 1 && !ptx_is_float (var->type);
}

/* Which of the functions S calls, if it is not the program's own; or NUM_FUNCTIONS.  */
static enum function
called_function (const struct ptx_function *f, const struct ptx_stmt *s)
{
  if (s->kind != PTX_STMT_INSN || s->u.insn.op->opcode != PTX_OP_CALL)
    return NUM_FUNCTIONS;
  const struct ptx_operand *target = &s->u.insn.operands[PTX_CALL_TARGET];
  if (target->kind != PTX_O_SYMBOL || target->u.value != 0)
    return NUM_FUNCTIONS;
  const struct ptx_name_entry *name = &f->module->ptx->names[target->id];
  const struct ptx_function *callee = ptx_find_function (f->module, target->id);
  if (callee == NULL || callee->has_body)
    return NUM_FUNCTIONS;
  for (enum function i = 0; i < NUM_FUNCTIONS; i++)
    if (nvptx_is_named (name->text, name->length, names[i]))
      return i;
  return NUM_FUNCTIONS;
}

/* The block whose brace is statement BEGIN: is it a call that can be replaced?  Fills in *COPY but
   for what is known of the addresses.  */
static bool
read_block (const struct setters *setters, uint32_t begin, struct copy *copy)
{
  const struct ptx_function *f = setters->f;
  const struct ptx_stmt *s = &f->stmts[begin + 1], *end = &f->stmts[f->stmts[begin].u.match];
  const struct ptx_operand *values[ARGUMENTS];
  uint32_t parameters[ARGUMENTS], result;
  unsigned num = 0;
  uint64_t size;

  for (; s < end && (s->kind == PTX_STMT_DECLARE || is_access (f, s, PTX_OP_ST)); s++)
    if (s->kind == PTX_STMT_DECLARE)
      {
	for (uint32_t i = 0; i < s->u.declare.num; i++)
	  if (f->vars[s->u.declare.first + i].space != PTX_PARAM)
	    return false;
      }
    else if (num == ARGUMENTS)
      return false;
    else
      {
	parameters[num] = s->u.insn.operands[0].id;
	values[num++] = &s->u.insn.operands[1];
      }
  if (s >= end || num != ARGUMENTS)
    return false;
  *copy = (struct copy) { .f = f, .first = f->stmts[begin].line, .last = end->line, .to = values[0],
			  .from = values[1], .guard = s->guard, .guard_negated = s->guard_negated };
  copy->function = called_function (f, s);
  if (copy->function == NUM_FUNCTIONS || !find_number (setters, values[2], &size)
      || size > MOST_BYTES)
    return false;
  copy->size = size;
  const struct ptx_operand *o = s->u.insn.operands, *arguments = o[PTX_CALL_ARGS].u.list;
  if (o[PTX_CALL_RESULT].kind != PTX_O_ARGS || o[PTX_CALL_RESULT].id != 1
      || o[PTX_CALL_RESULT].u.list->kind != PTX_O_VAR || o[PTX_CALL_ARGS].kind != PTX_O_ARGS
      || o[PTX_CALL_ARGS].id != ARGUMENTS || o[PTX_CALL_PROTOTYPE].kind != PTX_O_NONE)
    return false;
  result = o[PTX_CALL_RESULT].u.list->id;
  if (!is_parameter (f, o[PTX_CALL_RESULT].u.list, result, 8)
      || !is_parameter (f, &arguments[0], parameters[0], 8)
      || !is_parameter (f, &arguments[1], parameters[1], copy->function == MEMSET ? 4 : 8)
      || !is_parameter (f, &arguments[2], parameters[2], 8)
      || parameters[0] == parameters[1] || !is_register (copy->to)
      || (!is_register (copy->from)
	  && (copy->function != MEMSET || copy->from->kind != PTX_O_INT)))
    return false;
  s++;
  if (is_access (f, s, PTX_OP_LD) && s->u.insn.operands[1].id == result
      && is_register (&s->u.insn.operands[0]))
    copy->result = &s++->u.insn.operands[0];
  return s == end;
}

static bool
add_copy (struct copies *copies, const struct copy *copy)
{
  if (copies->num == copies->room)
    {
      size_t room = copies->room < 16 ? 16 : 2 * copies->room;
      struct copy *v = realloc (copies->v, room * sizeof (*v));
      if (v == NULL)
	return false;
      copies->v = v;
      copies->room = room;
    }
  copies->v[copies->num++] = *copy;
  return true;
}

/* Those of F, whose body has been read.  False: no memory.  */
static bool
find_copies (struct copies *copies, const struct ptx_function *f)
{
  struct setters setters;
  struct copy copy;

  if (!find_setters (copies->ptx, f, &setters))
    return false;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    if (f->stmts[i].kind == PTX_STMT_BEGIN && read_block (&setters, i, &copy))
      {
	setters.steps = MOST_STEPS;
	copy.to_rest = find_rest (&setters, copy.to);
	setters.steps = MOST_STEPS;
	copy.from_rest = copy.function == MEMSET ? make_rest (ALIGNED, 0)
			 : find_rest (&setters, copy.from);
	if (!add_copy (copies, &copy))
	  return false;
      }
  return true;
}

/* ---- what stands in their place ---- */

/* An address of a copy.  */
struct side
{
  const struct ptx_operand *address;
  bool tested;			/* when the program runs: the lowest bits aren't known */
  unsigned width;		/* of accesses; TESTED: if the test fails, else WORD */
};

static struct side
make_side (const struct ptx_operand *address, struct rest rest, unsigned size)
{
  struct side side = { address, false, lowest_bit (rest.residue | rest.modulus) };

  side.tested = rest.modulus < WORD && rest.residue % 2 == 0 && size >= WORD;
  return side;
}

static void
put_place (struct ptx_text *out, const struct copy *c, const struct ptx_operand *address,
	   unsigned offset)
{
  ptx_printf (out, "[");
  ptx_print_operand (out, c->f, address);
  if (offset > 0)
    ptx_printf (out, "+%u", offset);
  ptx_printf (out, "]");
}

/* The widest access at OFFSET of C, if WIDTH bytes are allowed.  */
static unsigned
access_bytes (const struct copy *c, unsigned offset, unsigned width)
{
  while (offset % width != 0 || offset + width > c->size)
    width /= 2;
  return width;
}

/* The registers of one access of BYTES bytes, a multiple of a word, at OFFSET.  */
static void
put_words (struct ptx_text *out, const struct copy *c, unsigned offset, unsigned bytes)
{
  unsigned word = offset / WORD;

  if (bytes > WORD)
    ptx_printf (out, "{");
  for (unsigned i = 0; i < bytes / WORD; i++)
    ptx_printf (out, "%s%%gompx_w%u", i > 0 ? "," : "", c->function == MEMSET ? 0 : word + i);
  if (bytes > WORD)
    ptx_printf (out, "}");
}

static const char *
vector_of (unsigned bytes)
{
  return bytes == 4 * WORD ? ".v4" : bytes == 2 * WORD ? ".v2" : "";
}

static void
put_loads (struct ptx_text *out, const struct copy *c, const struct side *side, unsigned width)
{
  for (unsigned offset = 0, bytes; offset < c->size; offset += bytes)
    {
      unsigned word = offset / WORD, at = offset % WORD, selector = 0x3210;
      bytes = access_bytes (c, offset, width);
      if (bytes >= WORD)
	{
	  ptx_printf (out, "\tld%s.u32 ", vector_of (bytes));
	  put_words (out, c, offset, bytes);
	}
      else if (at == 0)
	ptx_printf (out, "\tld.u%u %%gompx_w%u", 8 * bytes, word);
      else
	ptx_printf (out, "\tld.u%u %%gompx_part", 8 * bytes);
      ptx_printf (out, ",");
      put_place (out, c, side->address, offset);
      ptx_printf (out, ";\n");
      if (bytes >= WORD || at == 0)
	continue;
      for (unsigned i = 0; i < bytes; i++)
	selector = (selector & ~(0xfu << 4 * (at + i))) | (WORD + i) << 4 * (at + i);
      ptx_printf (out, "\tprmt.b32 %%gompx_w%u,%%gompx_w%u,%%gompx_part,%u;\n", word, word,
		  selector);
    }
}

static void
put_stores (struct ptx_text *out, const struct copy *c, const struct side *side, unsigned width)
{
  for (unsigned offset = 0, bytes; offset < c->size; offset += bytes)
    {
      unsigned word = c->function == MEMSET ? 0 : offset / WORD, at = offset % WORD;
      bool shifted = at > 0 && c->function != MEMSET;
      bytes = access_bytes (c, offset, width);
      if (shifted)
	ptx_printf (out, "\tshr.u32 %%gompx_part,%%gompx_w%u,%u;\n", word, 8 * at);
      ptx_printf (out, "\tst%s.u%u ", vector_of (bytes), bytes >= WORD ? 32 : 8 * bytes);
      put_place (out, c, side->address, offset);
      ptx_printf (out, ",");
      if (bytes >= WORD)
	put_words (out, c, offset, bytes);
      else if (shifted)
	ptx_printf (out, "%%gompx_part");
      else
	ptx_printf (out, "%%gompx_w%u", word);
      ptx_printf (out, ";\n");
    }
}

/* Is one of the addresses, of which one is not known, no multiple of a word?  */
static void
put_test (struct ptx_text *out, const struct copy *c, const struct side *from,
	  const struct side *to)
{
  ptx_printf (out, "\t.reg .pred %%gompx_odd;\n\t.reg .u64 %%gompx_low;\n");
  ptx_printf (out, "\t%s.b64 %%gompx_low,", from->tested && to->tested ? "or" : "mov");
  if (from->tested)
    ptx_print_operand (out, c->f, from->address);
  if (from->tested && to->tested)
    ptx_printf (out, ",");
  if (to->tested)
    ptx_print_operand (out, c->f, to->address);
  ptx_printf (out, ";\n\tand.b64 %%gompx_low,%%gompx_low,%u;\n"
	      "\tsetp.ne.u64 %%gompx_odd,%%gompx_low,0;\n", WORD - 1);
}

/* What memset stores, as a word.  */
static void
put_value (struct ptx_text *out, const struct copy *c)
{
  if (c->from->kind == PTX_O_INT)
    {
      ptx_printf (out, "\tmov.u32 %%gompx_w0,%u;\n",
		  (unsigned) (c->from->u.value & 255) * 0x01010101);
      return;
    }
  ptx_printf (out, "\tand.b32 %%gompx_w0,");
  ptx_print_operand (out, c->f, c->from);
  ptx_printf (out, ",255;\n\tmul.lo.u32 %%gompx_w0,%%gompx_w0,%u;\n", 0x01010101);
}

enum { LOADS = 1, STORES = 2 };

static void
put_accesses (struct ptx_text *out, const struct copy *c, const struct side *from,
	      const struct side *to, unsigned which, bool words)
{
  if ((which & LOADS) != 0)
    put_loads (out, c, from, from->tested && words ? WORD : from->width);
  if ((which & STORES) != 0)
    put_stores (out, c, to, to->tested && words ? WORD : to->width);
}

/* Are bytes copied by a loop?  Not where one address is known, which has constant offsets then.  */
static bool
is_looped (const struct copy *c, const struct side *from, const struct side *to)
{
  return c->size > MOST_UNROLLED && to->tested && (c->function == MEMSET || from->tested);
}

static void
put_sum (struct ptx_text *out, const struct copy *c, const struct ptx_operand *address)
{
  ptx_printf (out, "\tadd.u64 %%gompx_at,");
  ptx_print_operand (out, c->f, address);
  ptx_printf (out, ",%%gompx_i;\n");
}

/* Byte by byte, downwards where memmove's destination begins in its source.  */
static void
put_loop (struct ptx_text *out, const struct copy *c, unsigned number)
{
  ptx_printf (out, "\t.reg .u64 %%gompx_i,%%gompx_step,%%gompx_end,%%gompx_at;\n"
	      "\tmov.u64 %%gompx_i,0;\n\tmov.u64 %%gompx_step,1;\n\tmov.u64 %%gompx_end,%u;\n",
	      c->size);
  if (c->function == MEMMOVE)
    {
      ptx_printf (out, "\tsub.u64 %%gompx_low,");
      ptx_print_operand (out, c->f, c->to);
      ptx_printf (out, ",");
      ptx_print_operand (out, c->f, c->from);
      ptx_printf (out, ";\n\tsetp.lt.u64 %%gompx_odd,%%gompx_low,%u;\n"
		  "\t@%%gompx_odd mov.u64 %%gompx_i,%u;\n\t@%%gompx_odd mov.u64 %%gompx_step,-1;\n"
		  "\t@%%gompx_odd mov.u64 %%gompx_end,-1;\n", c->size, c->size - 1);
    }
  ptx_printf (out, "$gompxc%u_l:\n", number);
  if (c->function != MEMSET)
    {
      put_sum (out, c, c->from);
      ptx_printf (out, "\tld.u8 %%gompx_w0,[%%gompx_at];\n");
    }
  put_sum (out, c, c->to);
  ptx_printf (out, "\tst.u8 [%%gompx_at],%%gompx_w0;\n\tadd.u64 %%gompx_i,%%gompx_i,%%gompx_step;\n"
	      "\tsetp.ne.u64 %%gompx_odd,%%gompx_i,%%gompx_end;\n\t@%%gompx_odd bra $gompxc%u_l;\n",
	      number);
}

/* The same, and a branch where the test is needed.  */
static void
put_either (struct ptx_text *out, const struct copy *c, const struct side *from,
	    const struct side *to, unsigned which, unsigned number)
{
  bool tested = ((which & LOADS) != 0 && from->tested) || ((which & STORES) != 0 && to->tested);

  if (tested)
    ptx_printf (out, "\t@%%gompx_odd bra $gompxc%u_b%u;\n", number, which);
  put_accesses (out, c, from, to, which, true);
  if (!tested)
    return;
  ptx_printf (out, "\tbra $gompxc%u_e%u;\n$gompxc%u_b%u:\n", number, which, number, which);
  if (is_looped (c, from, to))
    put_loop (out, c, number);
  else
    put_accesses (out, c, from, to, which, false);
  ptx_printf (out, "$gompxc%u_e%u:\n", number, which);
}

/* What stands in place of the block C, number NUMBER, but for that in the names of registers.  */
static void
put_copy (struct ptx_text *out, const struct copy *c, unsigned number)
{
  struct side to = make_side (c->to, c->to_rest, c->size);
  struct side from = make_side (c->from, c->from_rest, c->size);
  unsigned words = c->function == MEMSET ? 1 : (c->size + WORD - 1) / WORD;

  if (c->size > 0)
    ptx_printf (out, "\t.reg .b32 %%gompx_w<%u>;\n\t.reg .b32 %%gompx_part;\n", words);
  if (c->guard != PTX_NO_INDEX && c->size > 0)
    {
      struct ptx_operand guard = { .kind = PTX_O_REG, .id = c->guard };
      ptx_printf (out, "\t@%s", c->guard_negated ? "" : "!");
      ptx_print_operand (out, c->f, &guard);
      ptx_printf (out, " bra $gompxc%u_g;\n", number);
    }
  if (c->size > 0 && (from.tested || to.tested))
    put_test (out, c, &from, &to);
  if (c->function == MEMSET && c->size > 0)
    {
      put_value (out, c);
      put_either (out, c, &from, &to, STORES, number);
    }
  else if (from.tested && to.tested)
    put_either (out, c, &from, &to, LOADS | STORES, number);
  else
    {
      put_either (out, c, &from, &to, LOADS, number);
      put_either (out, c, &from, &to, STORES, number);
    }
  if (c->guard != PTX_NO_INDEX && c->size > 0)
    ptx_printf (out, "$gompxc%u_g:\n", number);
  if (c->result != NULL)
    {
      ptx_printf (out, "\tmov.u64 ");
      ptx_print_operand (out, c->f, c->result);
      ptx_printf (out, ",");
      ptx_print_operand (out, c->f, c->to);
      ptx_printf (out, ";\n");
    }
}

/* TEXT with NUMBER in its names: registers have a block's names without a block, which is for calls
   to who reads this next.  */
static void
put_numbered (struct ptx_text *out, const char *text, unsigned number)
{
  static const char name[] = "%gompx_";
  const char *found;

  for (; (found = strstr (text, name)) != NULL; text = found + strlen (name))
    ptx_printf (out, "%.*s%%gompx%u_", (int) (found - text), text, number);
  ptx_printf (out, "%s", text);
}

/* ---- the program ---- */

/* Does [TEXT, TEXT + SIZE) mention one of the functions?  */
static bool
mentions_any (const char *text, size_t size)
{
  for (enum function i = 0; i < NUM_FUNCTIONS; i++)
    if (memmem (text, size, names[i], strlen (names[i])) != NULL)
      return true;
  return false;
}

/* Those of the whole module.  False: no memory.  */
static bool
find_all (struct copies *copies, const struct ptx_module *m)
{
  char why[PTX_WHY];

  for (uint32_t i = 0; i < m->num_items; i++)
    {
      if (m->items[i]->kind != PTX_ITEM_FUNCTION)
	continue;
      struct ptx_function *f = m->items[i]->u.function;
      if (!f->has_body || !mentions_any (f->text, f->text_size))
	continue;
      if (!ptx_read_body (f, PTX_NO_LOC, why))
	{
	  if (copies->ptx->no_memory)
	    return false;
	}
      else if (!find_copies (copies, f))
	return false;
    }
  return true;
}

/* About how many statements C becomes.  */
static size_t
cost_of (const struct copy *c)
{
  struct side to = make_side (c->to, c->to_rest, c->size);
  struct side from = make_side (c->from, c->from_rest, c->size);
  bool bytes = (to.tested || from.tested) && !is_looped (c, &from, &to);

  return bytes ? 4 + 2 * c->size : 20 + c->size / 2;
}

/* Up to which size are copies replaced?  */
static unsigned
most_bytes (const struct copies *copies)
{
  unsigned most = MOST_BYTES;

  for (;; most /= 2)
    {
      size_t all = 0;
      for (size_t i = 0; i < copies->num; i++)
	all += copies->v[i].size <= most ? cost_of (&copies->v[i]) : 0;
      if (all <= MOST_IN_ALL || most == 0)
	return most;
    }
}

/* Has the line at AT nothing but BRACE?  */
static bool
is_alone (const char *at, char brace)
{
  at += strspn (at, " \t");
  return *at == brace && at[1 + strspn (at + 1, " \t\r")] == '\n';
}

/* Line NUMBER, from the one at AT, which is *LINE.  */
static const char *
go_to_line (const char *at, uint32_t *line, uint32_t number)
{
  for (; *line < number && *at != 0; ++*line)
    {
      at = strchrnul (at, '\n');
      at += *at != 0;
    }
  return at;
}

/* The text with copies in it.  How many there are.  */
static unsigned
put_all (struct ptx_text *out, const struct copies *copies, const struct nvptx_object *object)
{
  const char *done = object->text, *at = object->text;
  unsigned most = most_bytes (copies), number = 0;
  struct ptx_text copy = { .size = 0 };
  uint32_t line = 1;

  if (!ptx_reserve (out, object->size + object->size / 8))
    return 0;
  for (size_t i = 0; i < copies->num; i++)
    {
      const struct copy *c = &copies->v[i];
      if (c->size > most)
	continue;
      const char *first = at = go_to_line (at, &line, c->first);
      const char *last = at = go_to_line (at, &line, c->last);
      if (line != c->last || !is_alone (first, '{') || !is_alone (last, '}'))
	continue;
      ptx_print_up_to (out, &done, first, 0);
      copy.size = 0;
      put_copy (&copy, c, number);
      out->no_memory |= copy.no_memory;
      put_numbered (out, copy.text != NULL ? copy.text : "", number++);
      done = at = go_to_line (at, &line, line + 1);
    }
  ptx_printf (out, "%s", done);
  free (copy.text);
  return number;
}

bool
nvptx_inline_copies (const struct nvptx_object *object, struct nvptx_object *result)
{
  struct ptx_text out = { .size = 0 };
  struct copies copies = { .num = 0 };
  char why[PTX_WHY];
  unsigned number = 0;

  result->text = NULL;
  if (object->size == 0 || memchr (object->text, 0, object->size) != object->text + object->size - 1
      || !mentions_any (object->text, object->size - 1))
    return true;
  copies.ptx = ptx_new ();
  if (copies.ptx == NULL)
    return false;
  struct ptx_module *m = ptx_read (copies.ptx, object->text, object->size, PTX_LAZY | PTX_NO_LOC,
				   why);
  bool good = m != NULL ? find_all (&copies, m) : !copies.ptx->no_memory;
  if (good && copies.num > 0)
    number = put_all (&out, &copies, object);
  good = good && !out.no_memory;
  if (good && number > 0)
    *result = (struct nvptx_object) { out.text, out.size + 1 };
  else
    free (out.text);
  free (copies.v);
  ptx_free (copies.ptx);
  return good;
}
