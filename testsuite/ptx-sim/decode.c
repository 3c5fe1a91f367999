/* decode.c -- the statements of a function become operations: operands, memory accesses, control.

   A register of the function is a slot of the frame; so is each 8 bytes of a parameter, its own or
   one of a call.  Local variables are bytes of the frame's local memory.  Blocks ({ }) do not
   matter here: the reader gives each variable a number of its own.

   Called by function_ready with the program's lock.  */

#include "program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
decode_fail (struct decoder *d, const char *format, ...)
{
  if (d->failed)
    return;
  d->failed = true;
  va_list args;
  va_start (args, format);
  int n = vsnprintf (d->why, d->why_room, format, args);
  va_end (args);
  if (d->stmt != NULL && n > 0 && (size_t) n < d->why_room)
    {
      struct ptx_text text = { 0 };
      ptx_print_stmt (&text, d->node, d->stmt);
      if (text.text != NULL)
	text.text[strcspn (text.text, "\n")] = '\0';
      snprintf (d->why + n, d->why_room - (size_t) n, ": %s (%s:%u)", text.text != NULL ? text.text : "",
		d->function->module->name, (unsigned) d->stmt->line);
      free (text.text);
    }
}

static struct operand
fixed (struct decoder *d, uint64_t value)
{
  const uint64_t *c = program_constant (d->program, value);
  if (c == NULL)
    decode_fail (d, "no memory");
  return (struct operand) { .fixed = c, .slot = NO_SLOT };
}

struct op *
decode_emit (struct decoder *d, handler *run, enum psim_class cls)
{
  static struct op nowhere;
  if (d->n == d->room)
    {
      unsigned room = d->room != 0 ? 2 * d->room : 256;
      struct op *more = realloc (d->ops, room * sizeof (*more));
      if (more == NULL)
	{
	  decode_fail (d, "no memory");
	  return &nowhere;
	}
      d->ops = more;
      d->room = room;
    }
  struct op *op = &d->ops[d->n++];
  struct operand zero = fixed (d, 0);
  *op = (struct op) { .run = run, .cls = (uint8_t) cls, .guard = NO_SLOT, .dst = NO_SLOT, .dst2 = NO_SLOT,
		      .stmt = d->stmt };
  for (unsigned i = 0; i < SRCS; i++)
    op->src[i] = zero;
  return op;
}

struct op *
decode_emit_guarded (struct decoder *d, handler *run, enum psim_class cls)
{
  struct op *op = decode_emit (d, run, cls);
  op->guard = d->guard;
  if (d->guard_negated)
    op->flags |= OP_NEGATED_GUARD;
  return op;
}

uint32_t
decode_temp (struct decoder *d)
{
  if (++d->temps > d->most_temps)
    d->most_temps = d->temps;
  /* Behind all others; numbered when their count is known, which is before operations are made.  */
  return d->slots + d->temps - 1;
}

enum type
decode_type (ptx_name type)
{
  switch (type)
    {
    case PTX_B8: case PTX_U8: return T_U8;
    case PTX_S8: return T_S8;
    case PTX_B16: case PTX_U16: return T_U16;
    case PTX_S16: return T_S16;
    case PTX_B32: case PTX_U32: return T_U32;
    case PTX_S32: return T_S32;
    case PTX_B64: case PTX_U64: return T_U64;
    case PTX_S64: return T_S64;
    case PTX_F32: return T_F32;
    case PTX_F64: return T_F64;
    case PTX_PRED: return T_PRED;
    default: return T_NONE;
    }
}

/* -- Operands -- */

static bool
special_register (struct decoder *d, const struct ptx_operand *o, enum special *which)
{
  char text[64];
  const struct ptx_name_entry *e = &d->program->ptx->names[o->id];
  snprintf (text, sizeof (text), "%.*s%s%c", (int) e->length, e->text, o->element != 0 ? "." : "",
	    o->element != 0 ? "xyzw"[o->element - 1] : '\0');
  for (int i = 0; i < SPECIALS; i++)
    if (strcmp (text, special_names[i]) == 0)
      {
	*which = (enum special) i;
	return true;
      }
  decode_fail (d, "special register %s is not implemented", text);
  return false;
}

/* Address of the symbol NAME, in its space.  */
static bool
symbol_value (struct decoder *d, ptx_name name, uint64_t *value, uint8_t *space)
{
  const struct symbol *s = program_symbol (d->function->module, name);
  *space = AS_GLOBAL;
  if (s != NULL && s->function != NULL)
    {
      *value = s->function->address;
      *space = AS_GENERIC;
      return true;
    }
  if (s == NULL || s->variable == NULL)
    {
      decode_fail (d, "%s is not defined", program_name (d->program, name));
      return false;
    }
  if (s->variable->public.space == PSIM_SHARED)
    {
      *value = s->variable->offset;
      *space = AS_SHARED;
      return true;
    }
  *value = s->variable->public.address;
  *space = s->variable->public.space == PSIM_CONST ? AS_CONST : AS_GLOBAL;
  if (*value == 0 && s->variable->public.size != 0)
    decode_fail (d, "%s has no address yet", s->variable->public.name);
  return !d->failed;
}

/* The address of variable VAR of the function plus OFFSET, in its own space.  */
static struct operand
variable_address (struct decoder *d, uint32_t var, uint64_t offset, uint8_t *space)
{
  const struct ptx_var *v = &d->node->vars[var];
  const struct variable *inner = program_inner (d->program, d->node, var);
  if (inner != NULL)
    {
      bool shared = inner->public.space == PSIM_SHARED;
      *space = shared ? AS_SHARED : AS_GLOBAL;
      return fixed (d, (shared ? inner->offset : inner->public.address) + offset);
    }
  if (v->space != PTX_LOCAL && d->node->is_entry && var < d->node->num_params)
    {
      *space = AS_PARAM;
      return fixed (d, d->slot[var] * UINT64_C (8) + offset);
    }
  if (v->space != PTX_LOCAL)
    {
      decode_fail (d, "the address of a parameter of a call is not implemented");
      return fixed (d, 0);
    }
  struct op *op = decode_emit (d, run_local_address, PSIM_C_INT);
  op->dst = decode_temp (d);
  op->offset = (int64_t) d->slot[var] - (int64_t) d->function->local_bytes + (int64_t) offset;
  *space = AS_LOCAL;
  return (struct operand) { .slot = op->dst };
}

static uint64_t
immediate (struct decoder *d, const struct ptx_operand *o, enum type type)
{
  uint64_t value = o->u.value;
  if (o->kind == PTX_O_F64 && type == T_F32)
    {
      double x;
      memcpy (&x, &value, 8);
      float y = (float) x;
      uint32_t word;
      memcpy (&word, &y, 4);
      return word;
    }
  if (o->kind == PTX_O_F32 && type == T_F64)
    {
      float x;
      uint32_t word = (uint32_t) value;
      memcpy (&x, &word, 4);
      double y = (double) x;
      memcpy (&value, &y, 8);
      return value;
    }
  if (o->kind == PTX_O_INT && (type == T_F32 || type == T_F64))
    {
      decode_fail (d, "an integer where floating point is needed");
      return 0;
    }
  switch (type)
    {
    case T_U8: case T_S8: return (uint8_t) value;
    case T_U16: case T_S16: return (uint16_t) value;
    case T_U32: case T_S32: case T_F32: return (uint32_t) value;
    case T_PRED: return value != 0;
    default: return value;
    }
}

struct operand
decode_source (struct decoder *d, const struct ptx_operand *o, enum type type)
{
  uint8_t space;
  switch (o->kind)
    {
    case PTX_O_REG:
      {
	struct operand s = { .slot = d->slot[o->id] + (o->element != 0 ? o->element - 1u : 0) };
	if ((o->flags & PTX_NEGATED) == 0)
	  return s;
	struct op *op = decode_emit (d, int_handler ("not", T_PRED), PSIM_C_INT);
	op->src[0] = s;
	op->dst = decode_temp (d);
	return (struct operand) { .slot = op->dst };
      }
    case PTX_O_SPECIAL:
      {
	enum special which = SP_LANEID;
	special_register (d, o, &which);
	struct op *op = decode_emit (d, run_special, PSIM_C_MOVE);
	op->kind = (uint8_t) which;
	op->dst = decode_temp (d);
	return (struct operand) { .slot = op->dst };
      }
    case PTX_O_INT:
    case PTX_O_F32:
    case PTX_O_F64:
      return fixed (d, immediate (d, o, type));
    case PTX_O_VAR:
      return variable_address (d, o->id, o->u.value, &space);
    case PTX_O_SYMBOL:
      {
	uint64_t value = 0;
	symbol_value (d, o->id, &value, &space);
	return fixed (d, value + o->u.value);
      }
    default:
      decode_fail (d, "this kind of operand is not implemented");
      return fixed (d, 0);
    }
}

uint32_t
decode_destination (struct decoder *d, const struct ptx_operand *o, unsigned *width)
{
  if (width != NULL)
    *width = 8;
  if (o->kind == PTX_O_SINK)
    return NO_SLOT;
  if (o->kind != PTX_O_REG || (o->flags & PTX_NEGATED) != 0)
    {
      decode_fail (d, "the result is no register");
      return NO_SLOT;
    }
  const struct ptx_var *v = &d->node->vars[o->id];
  if (width != NULL && ptx_type_size (v->type) != 0)
    *width = ptx_type_size (v->type);
  return d->slot[o->id] + (o->element != 0 ? o->element - 1u : 0);
}

struct operand
decode_address (struct decoder *d, const struct ptx_operand *o, uint8_t *space, int64_t *offset)
{
  uint8_t own = AS_GENERIC;
  struct operand s = fixed (d, 0);
  *offset = 0;
  if (o->kind != PTX_O_ADDRESS)
    {
      decode_fail (d, "an address is needed");
      return s;
    }
  switch (o->base)
    {
    case PTX_O_REG:
      s.fixed = NULL;
      s.slot = d->slot[o->id] + (o->element != 0 ? o->element - 1u : 0);
      *offset = (int64_t) o->u.value;
      return s;
    case PTX_O_INT:
      return fixed (d, o->u.value);
    case PTX_O_SYMBOL:
      {
	uint64_t value = 0;
	if (symbol_value (d, o->id, &value, &own))
	  s = fixed (d, value + o->u.value);
	break;
      }
    default:
      s = variable_address (d, o->id, o->u.value, &own);
    }
  if (*space == AS_GENERIC)
    *space = own;
  else if (own != AS_GENERIC && *space != own)
    decode_fail (d, "the variable is in another space");
  return s;
}

/* -- Loads and stores -- */

static uint8_t
space_of (struct decoder *d, ptx_name space)
{
  switch (space)
    {
    case 0: return AS_GENERIC;
    case PTX_GLOBAL: return AS_GLOBAL;
    case PTX_CONST: return AS_CONST;
    case PTX_SHARED: return AS_SHARED;
    case PTX_LOCAL: return AS_LOCAL;
    case PTX_PARAM: return AS_PARAM;
    default:
      decode_fail (d, "this space is not implemented");
      return AS_GENERIC;
    }
}

static enum psim_class
class_of (uint8_t space)
{
  return space == AS_SHARED ? PSIM_C_SHARED : space == AS_LOCAL ? PSIM_C_LOCAL
	 : space == AS_PARAM ? PSIM_C_PARAM : PSIM_C_GLOBAL;
}

/* Registers of a vector operand.  */
static unsigned
elements (struct decoder *d, const struct ptx_operand *o, unsigned n, enum type type, bool store,
	  struct operand *out)
{
  for (unsigned i = 0; i < n && i < 8; i++)
    {
      if (o->kind == PTX_O_VECTOR && i < o->id)
	{
	  if (store)
	    out[i] = decode_source (d, &o->u.list[i], type);
	  else
	    out[i] = (struct operand) { .slot = decode_destination (d, &o->u.list[i], NULL) };
	}
      else if (o->kind == PTX_O_REG && d->node->vars[o->id].vector == n)
	out[i] = (struct operand) { .slot = d->slot[o->id] + i };
      else
	decode_fail (d, "this vector is not implemented");
    }
  return n;
}

/* ld.param with an address in a register: of a kernel's parameters only.  */
static void
decode_param_at (struct decoder *d, const struct ptx_op *op, const struct ptx_operand *memory,
		 const struct ptx_operand *value)
{
  enum type type = decode_type (op->types[0]);
  unsigned size = ptx_type_size (op->types[0]), n = op->vector, width = 8;
  struct operand e[8];
  uint64_t *range = ptx_alloc (d->program->ptx, 2 * sizeof (*range));
  if (range == NULL || !d->node->is_entry)
    {
      decode_fail (d, range == NULL ? "no memory" : "this access to a parameter is not implemented");
      return;
    }
  range[0] = UINT64_MAX;
  for (uint32_t i = 0; i < d->node->num_params; i++)
    {
      uint64_t start = d->slot[i] * UINT64_C (8), end = start + ptx_var_size (&d->node->vars[i]);
      range[0] = start < range[0] ? start : range[0];
      range[1] = end > range[1] ? end : range[1];
    }
  if (n > 1)
    elements (d, value, n, type, false, e);
  else
    e[0] = (struct operand) { .slot = decode_destination (d, value, &width) };
  struct operand address = decode_source (d, &(struct ptx_operand) { .kind = PTX_O_REG, .id = memory->id,
								     .element = memory->element }, T_U64);
  for (unsigned i = 0; i < n && !d->failed; i++)
    {
      if (e[i].slot == NO_SLOT)
	continue;
      if (e[i].slot == address.slot && i + 1 < n)
	decode_fail (d, "a vector whose first element is its own address is not implemented");
      struct op *out = decode_emit_guarded (d, run_load_param_at, PSIM_C_PARAM);
      out->src[0] = address;
      out->offset = (int64_t) memory->u.value + (int64_t) (i * size);
      out->size = (uint8_t) size;
      out->width = (uint8_t) width;
      out->dst = e[i].slot;
      out->aux = range;
      if (ptx_is_signed (op->types[0]))
	out->flags |= OP_SIGNED;
    }
}

/* ld.param, st.param: slots of the frame.  */
static void
decode_param (struct decoder *d, const struct ptx_op *op, const struct ptx_operand *memory,
	      const struct ptx_operand *value, bool store)
{
  enum type type = decode_type (op->types[0]);
  unsigned size = ptx_type_size (op->types[0]), n = op->vector;
  struct operand e[8];
  unsigned width = 8;
  if (memory->kind == PTX_O_ADDRESS && memory->base == PTX_O_REG && !store)
    {
      decode_param_at (d, op, memory, value);
      return;
    }
  if (memory->kind != PTX_O_ADDRESS || memory->base != PTX_O_VAR
      || d->node->vars[memory->id].space != PTX_PARAM)
    {
      decode_fail (d, "this access to a parameter is not implemented");
      return;
    }
  uint64_t room = ptx_var_size (&d->node->vars[memory->id]);
  if (n > 1)
    elements (d, value, n, type, store, e);
  else if (store)
    e[0] = decode_source (d, value, type);
  else
    e[0] = (struct operand) { .slot = decode_destination (d, value, &width) };
  for (unsigned i = 0; i < n && !d->failed; i++)
    {
      uint64_t at = memory->u.value + i * size;
      if (at + size > room || at % size != 0)
	{
	  decode_fail (d, "the access is not within the parameter");
	  return;
	}
      struct operand slot = { .slot = d->slot[memory->id] + (uint32_t) (at / 8) };
      if (!store && e[i].slot == NO_SLOT)
	continue;
      struct op *out = decode_emit_guarded (d, store ? run_store_param : run_load_param, PSIM_C_PARAM);
      out->offset = (int64_t) (at % 8);
      out->size = (uint8_t) size;
      out->width = (uint8_t) width;
      if (ptx_is_signed (op->types[0]))
	out->flags |= OP_SIGNED;
      if (store)
	{
	  out->dst = slot.slot;
	  out->src[0] = e[i];
	}
      else
	{
	  out->dst = e[i].slot;
	  out->src[0] = slot;
	}
    }
}

static bool
is_strong (const struct ptx_op *op)
{
  return ptx_op_has (op, PTX_VOLATILE) || ptx_op_has (op, PTX_RELAXED) || ptx_op_has (op, PTX_ACQUIRE)
	 || ptx_op_has (op, PTX_RELEASE) || ptx_op_has (op, PTX_MMIO);
}

static void
decode_memory (struct decoder *d, const struct ptx_stmt *s)
{
  const struct ptx_op *op = s->u.insn.op;
  const struct ptx_operand *o = s->u.insn.operands;
  bool store = op->opcode == PTX_OP_ST;
  const struct ptx_operand *memory = store ? &o[0] : &o[1], *value = store ? &o[1] : &o[0];
  enum type type = decode_type (op->types[0]);
  uint8_t space = space_of (d, op->space);
  int64_t offset;
  if (s->num_operands < 2 || op->num_types != 1 || type == T_NONE || type == T_PRED || op->vector > 8)
    {
      decode_fail (d, "this form is not implemented");
      return;
    }
  if (space == AS_PARAM)
    {
      decode_param (d, op, memory, value, store);
      return;
    }
  struct operand address = decode_address (d, memory, &space, &offset);
  struct vector *v = NULL;
  struct operand one = { .slot = NO_SLOT };
  unsigned width = 8;
  if (op->vector > 1)
    {
      v = ptx_alloc (d->program->ptx, sizeof (*v));
      if (v == NULL)
	decode_fail (d, "no memory");
      else
	elements (d, value, op->vector, type, store, v->element);
    }
  else if (store)
    one = decode_source (d, value, type);
  else
    one.slot = decode_destination (d, value, &width);
  struct op *out = decode_emit_guarded (d, store ? run_store : run_load, class_of (space));
  out->src[0] = address;
  out->offset = offset;
  out->space = space;
  out->size = (uint8_t) ptx_type_size (op->types[0]);
  out->vec = op->vector;
  out->width = (uint8_t) width;
  out->aux = v;
  if (store)
    out->src[1] = one;
  else
    out->dst = one.slot;
  if (ptx_is_signed (op->types[0]))
    out->flags |= OP_SIGNED;
  if (is_strong (op))
    out->flags |= OP_VOLATILE;
}

static void
decode_atomic (struct decoder *d, const struct ptx_stmt *s)
{
  static const struct { ptx_name word; enum atomic_kind kind; } kinds[]
    = { { PTX_ADD, ATOM_ADD }, { PTX_EXCH, ATOM_EXCH }, { PTX_CAS, ATOM_CAS }, { PTX_AND, ATOM_AND },
	{ PTX_OR, ATOM_OR }, { PTX_XOR, ATOM_XOR }, { PTX_MIN, ATOM_MIN }, { PTX_MAX, ATOM_MAX },
	{ PTX_INC, ATOM_INC }, { PTX_DEC, ATOM_DEC } };
  const struct ptx_op *op = s->u.insn.op;
  const struct ptx_operand *o = s->u.insn.operands;
  bool red = op->opcode == PTX_OP_RED;
  unsigned first = red ? 0 : 1, kind;
  for (kind = 0; kind < 10 && !ptx_op_has (op, kinds[kind].word); kind++)
    ;
  enum type type = decode_type (op->types[0]);
  if (kind == 10 || op->num_types != 1 || op->vector > 1 || type == T_NONE || type == T_PRED || type == T_U8
      || type == T_S8 || s->num_operands < first + 2u + (kinds[kind].kind == ATOM_CAS)
      || (type == T_U16 && kinds[kind].kind != ATOM_CAS && kinds[kind].kind != ATOM_EXCH)
      || ((type == T_F32 || type == T_F64) && kinds[kind].kind != ATOM_ADD))
    {
      decode_fail (d, "this atomic operation is not implemented");
      return;
    }
  uint8_t space = space_of (d, op->space);
  int64_t offset;
  struct operand address = decode_address (d, &o[first], &space, &offset);
  struct operand b = decode_source (d, &o[first + 1], type), c = fixed (d, 0);
  if (kinds[kind].kind == ATOM_CAS)
    c = decode_source (d, &o[first + 2], type);
  struct op *out = decode_emit_guarded (d, run_atom, PSIM_C_ATOMIC);
  out->dst = red ? NO_SLOT : decode_destination (d, &o[0], NULL);
  out->src[0] = address;
  out->src[1] = b;
  out->src[2] = c;
  out->offset = offset;
  out->space = space;
  out->size = (uint8_t) ptx_type_size (op->types[0]);
  out->kind = (uint8_t) kinds[kind].kind;
  out->width = (uint8_t) (type == T_S32 ? AT_S32 : type == T_U64 ? AT_U64 : type == T_S64 ? AT_S64
			  : type == T_F32 ? AT_F32 : type == T_F64 ? AT_F64 : AT_U32);
}

static void
decode_cvta (struct decoder *d, const struct ptx_stmt *s)
{
  const struct ptx_op *op = s->u.insn.op;
  const struct ptx_operand *o = s->u.insn.operands;
  handler *run = op->opcode == PTX_OP_ISSPACEP ? run_isspacep : ptx_op_has (op, PTX_TO) ? run_cvta_to : run_cvta;
  uint8_t space = space_of (d, op->space);
  if (s->num_operands < 2 || space == AS_GENERIC || space == AS_PARAM)
    {
      decode_fail (d, "this form is not implemented");
      return;
    }
  struct operand a = decode_source (d, &o[1], T_U64);
  struct op *out = decode_emit_guarded (d, run, PSIM_C_INT);
  out->dst = decode_destination (d, &o[0], NULL);
  out->src[0] = a;
  out->space = space;
}

/* -- Calls -- */

/* Where the values of LIST are.  */
static struct param_slots *
call_slots (struct decoder *d, const struct ptx_operand *list, unsigned *n, bool results)
{
  unsigned count = list->kind == PTX_O_ARGS ? list->id : 0;
  struct param_slots *slots = ptx_alloc (d->program->ptx, (count + 1) * sizeof (*slots));
  if (slots == NULL)
    {
      decode_fail (d, "no memory");
      count = 0;
    }
  *n = count;
  for (unsigned i = 0; i < count && !d->failed; i++)
    {
      const struct ptx_operand *o = &list->u.list[i];
      if ((o->kind == PTX_O_VAR && d->node->vars[o->id].space == PTX_PARAM)
	  || (o->kind == PTX_O_REG && (o->flags & PTX_NEGATED) == 0))
	{
	  uint64_t size = o->kind == PTX_O_REG ? 8 : ptx_var_size (&d->node->vars[o->id]);
	  slots[i] = (struct param_slots) { .slot = d->slot[o->id]
						    + (o->element != 0 ? o->element - 1u : 0),
					    .slots = (uint32_t) ((size + 7) / 8) };
	}
      else if (results)
	decode_fail (d, "this result is not implemented");
      else
	{
	  struct op *move;
	  struct operand value = decode_source (d, o, T_U64);
	  move = decode_emit (d, run_mov, PSIM_C_MOVE);
	  move->src[0] = value;
	  move->dst = decode_temp (d);
	  slots[i] = (struct param_slots) { .slot = move->dst, .slots = 1 };
	}
    }
  return slots;
}

static void
decode_call (struct decoder *d, const struct ptx_stmt *s)
{
  const struct ptx_operand *o = s->u.insn.operands;
  struct call_info *info = ptx_alloc (d->program->ptx, sizeof (*info));
  if (info == NULL || s->num_operands != PTX_CALL_OPERANDS)
    {
      decode_fail (d, "no memory");
      return;
    }
  info->result = call_slots (d, &o[PTX_CALL_RESULT], &info->results, true);
  info->arg = call_slots (d, &o[PTX_CALL_ARGS], &info->args, false);
  struct op *out;
  if (o[PTX_CALL_TARGET].kind == PTX_O_SYMBOL)
    {
      const struct symbol *f = program_symbol (d->function->module, o[PTX_CALL_TARGET].id);
      if (f == NULL || f->function == NULL)
	{
	  decode_fail (d, "%s is no function", program_name (d->program, o[PTX_CALL_TARGET].id));
	  return;
	}
      info->callee = f->function;
      out = decode_emit_guarded (d, run_call, PSIM_C_CALL);
    }
  else
    {
      struct operand target = decode_source (d, &o[PTX_CALL_TARGET], T_U64);
      out = decode_emit_guarded (d, run_call_indirect, PSIM_C_CALL);
      out->src[0] = target;
    }
  out->aux = info;
}

/* -- Control -- */

struct targets { unsigned n; const struct op **ops; };

static void
decode_brx (struct decoder *d, const struct ptx_stmt *s)
{
  const struct ptx_operand *o = s->u.insn.operands;
  const struct ptx_targets *list = NULL;
  for (uint32_t i = 0; i < d->node->num_stmts && s->num_operands == 2 && list == NULL; i++)
    if (d->node->stmts[i].kind == PTX_STMT_TARGETS && o[1].kind == PTX_O_LABEL
	&& d->node->stmts[i].u.targets.label == o[1].id)
      list = d->node->stmts[i].u.targets.targets;
  struct targets *t = ptx_alloc (d->program->ptx, sizeof (*t));
  if (list == NULL || list->calls || t == NULL
      || (t->ops = ptx_alloc (d->program->ptx, (list->num + 1) * sizeof (*t->ops))) == NULL)
    {
      decode_fail (d, "the targets of brx are not there");
      return;
    }
  t->n = list->num;
  /* Numbers of labels for now: see link_labels.  */
  for (uint32_t i = 0; i < list->num; i++)
    t->ops[i] = (const struct op *) (uintptr_t) list->ids[i];
  struct operand index = decode_source (d, &o[0], T_U32);
  struct op *out = decode_emit_guarded (d, run_brx, PSIM_C_CONTROL);
  out->src[0] = index;
  out->aux = t;
}

/* False: it is none of these.  */
static bool
decode_control (struct decoder *d, const struct ptx_stmt *s)
{
  const struct ptx_operand *o = s->u.insn.operands;
  switch (s->u.insn.op->opcode)
    {
    case PTX_OP_BRA:
      if (s->num_operands != 1 || o[0].kind != PTX_O_LABEL)
	decode_fail (d, "a branch without a label");
      else
	decode_emit_guarded (d, run_bra, PSIM_C_CONTROL)->offset = (int64_t) o[0].id;
      return true;
    case PTX_OP_BRX:
      decode_brx (d, s);
      return true;
    case PTX_OP_CALL:
      decode_call (d, s);
      return true;
    case PTX_OP_RET:
      decode_emit_guarded (d, run_ret, PSIM_C_CONTROL)->aux = d->function;
      return true;
    case PTX_OP_EXIT:
      decode_emit_guarded (d, run_exit, PSIM_C_CONTROL);
      return true;
    case PTX_OP_TRAP:
      decode_emit_guarded (d, run_trap, PSIM_C_CONTROL);
      return true;
    case PTX_OP_BRKPT:
      decode_emit_guarded (d, run_brkpt, PSIM_C_CONTROL);
      return true;
    case PTX_OP_LD:
    case PTX_OP_LDU:
    case PTX_OP_ST:
      decode_memory (d, s);
      return true;
    case PTX_OP_ATOM:
    case PTX_OP_RED:
      decode_atomic (d, s);
      return true;
    case PTX_OP_CVTA:
    case PTX_OP_ISSPACEP:
      decode_cvta (d, s);
      return true;
    default:
      return false;
    }
}

/* -- Functions -- */

/* Slots of registers and parameters, places of local variables.  */
static void
lay_out (struct decoder *d)
{
  struct function *f = d->function;
  uint64_t local = 0;
  uint32_t parameters = d->node->num_results + d->node->num_params;
  f->arg_slots = ptx_alloc (d->program->ptx, (f->args + 1) * sizeof (*f->arg_slots));
  f->result_slots = ptx_alloc (d->program->ptx, (f->results + 1) * sizeof (*f->result_slots));
  if (f->arg_slots == NULL || f->result_slots == NULL)
    {
      decode_fail (d, "no memory");
      return;
    }
  for (uint32_t i = 0; i < d->node->num_vars; i++)
    {
      const struct ptx_var *v = &d->node->vars[i];
      uint32_t slots = 0;
      d->slot[i] = d->slots;
      if ((v->flags & PTX_VAR_RANGE) != 0)
	continue;
      if (v->space == PTX_REG)
	slots = v->vector;
      else if (v->space == PTX_PARAM)
	slots = (uint32_t) ((ptx_var_size (v) + 7) / 8);
      else if (v->space == PTX_LOCAL)
	{
	  uint32_t align = ptx_var_align (v);
	  align = align == 0 ? 1 : align > 16 ? 16 : align;
	  local = (local + align - 1) & ~(uint64_t) (align - 1);
	  d->slot[i] = (uint32_t) local;
	  local += ptx_var_size (v);
	}
      if (i < f->results)
	f->result_slots[i] = (struct param_slots) { d->slots, slots };
      else if (i < parameters)
	f->arg_slots[i - f->results] = (struct param_slots) { d->slots, slots };
      d->slots += slots;
      if (d->slots > REG_SLOTS / 2 || local > UINT32_MAX / 4)
	{
	  decode_fail (d, "too many registers or too much local memory");
	  return;
	}
    }
  f->local_bytes = (uint32_t) ((local + 15) & ~UINT64_C (15));
}

/* Branches have numbers of labels in their offset until all operations are there.  */
static void
link_labels (struct decoder *d, const uint32_t *place)
{
  struct function *f = d->function;
  for (unsigned i = 0; i < f->n_ops; i++)
    {
      struct op *op = &f->ops[i];
      if (op->run == run_bra)
	{
	  op->target = f->ops + place[op->offset];
	  op->offset = 0;
	}
      else if (op->run == run_brx)
	{
	  const struct targets *t = op->aux;
	  for (unsigned j = 0; j < t->n; j++)
	    t->ops[j] = f->ops + place[(uintptr_t) t->ops[j]];
	}
      else if (op->run == run_call || op->run == run_call_indirect)
	((struct call_info *) (uintptr_t) op->aux)->caller_slots = f->slots;
    }
}

bool
decode_function (struct psim_program *p, struct function *f, char *why, size_t room)
{
  struct ptx_function *node = (struct ptx_function *) (uintptr_t) f->node;
  struct decoder d = { .program = p, .function = f, .node = node, .why = why, .why_room = room };
  char reason[PTX_WHY];
  if (!ptx_read_body (node, PTX_NO_LOC, reason))
    {
      snprintf (why, room, "%s: %s", f->module->name, reason);
      return false;
    }
  uint32_t *place = calloc (node->num_labels + 1, sizeof (*place));
  d.slot = calloc (node->num_vars + 1, sizeof (*d.slot));
  if (place == NULL || d.slot == NULL)
    decode_fail (&d, "no memory");
  else
    lay_out (&d);
  for (uint32_t i = 0; i < node->num_stmts && !d.failed; i++)
    {
      const struct ptx_stmt *s = &node->stmts[i];
      if (s->kind == PTX_STMT_LABEL)
	place[s->u.label] = d.n;
      if (s->kind != PTX_STMT_INSN)
	continue;
      d.stmt = s;
      d.temps = 0;
      d.guard = s->guard != PTX_NO_INDEX ? d.slot[s->guard] : NO_SLOT;
      d.guard_negated = s->guard_negated;
      if (!decode_control (&d, s) && !decode_warp (&d, s) && !decode_arithmetic (&d, s))
	decode_fail (&d, "not implemented");
    }
  if (!d.failed)
    {
      d.stmt = NULL;
      decode_emit (&d, run_trap, PSIM_C_CONTROL)->kind = 1;
      if (!frame_size (node, f->local_bytes, &f->stack_bytes))
	decode_fail (&d, "no memory");
      f->slots = d.slots + d.most_temps;
      f->n_ops = d.n;
      f->ops = ptx_alloc (p->ptx, d.n * sizeof (*f->ops));
      if (f->ops == NULL)
	decode_fail (&d, "no memory");
      else
	{
	  memcpy (f->ops, d.ops, d.n * sizeof (*f->ops));
	  link_labels (&d, place);
	}
    }
  free (d.ops);
  free (d.slot);
  free (place);
  return !d.failed;
}
