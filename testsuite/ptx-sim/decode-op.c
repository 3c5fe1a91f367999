/* decode-op.c -- arithmetic: which handler an opcode has for its type, what modifiers it may have.

   A modifier that is not known makes an instruction unknown: nothing is skipped.  */

#include "program.h"

#include <stdio.h>
#include <string.h>

static handler *
row_handler (const struct row *rows, const char *name, enum type type)
{
  for (; rows->name != NULL && type < TYPES; rows++)
    if (strcmp (rows->name, name) == 0)
      return rows->by_type[type];
  return NULL;
}

handler *
int_handler (const char *name, enum type type)
{
  return row_handler (int_rows, name, type);
}

static bool
is_float (enum type t)
{
  return t == T_F32 || t == T_F64;
}

/* All words of OP that are no types are among these N.  */
static bool
only_words (const struct ptx_op *op, const ptx_name *words, unsigned n)
{
  for (unsigned i = 0; i < op->num_words; i++)
    {
      unsigned j = 0;
      while (j < n && words[j] != op->words[i])
	j++;
      if (j == n && !ptx_is_type (op->words[i]))
	return false;
    }
  return true;
}
#define ONLY(op, ...) \
  only_words (op, (const ptx_name[]) { __VA_ARGS__ }, sizeof ((const ptx_name[]) { __VA_ARGS__ }) / sizeof (ptx_name))

static enum rounding
rounding_of (const struct ptx_op *op)
{
  return ptx_op_has (op, PTX_RZ) || ptx_op_has (op, PTX_RZI) ? ROUND_ZERO
	 : ptx_op_has (op, PTX_RM) || ptx_op_has (op, PTX_RMI) ? ROUND_DOWN
	 : ptx_op_has (op, PTX_RP) || ptx_op_has (op, PTX_RPI) ? ROUND_UP : ROUND_NEAREST;
}

/* RUN with N sources, whose types are TYPES; destination first.  */
static struct op *
emit_simple (struct decoder *d, const struct ptx_stmt *s, handler *run, enum psim_class cls, unsigned n,
	     const enum type *types)
{
  const struct ptx_operand *o = s->u.insn.operands;
  struct operand src[SRCS];
  if (run == NULL || s->num_operands != n + 1)
    {
      decode_fail (d, "this form is not implemented");
      return decode_emit (d, run_nothing, cls);
    }
  for (unsigned i = 0; i < n; i++)
    src[i] = decode_source (d, &o[i + 1], types[i]);
  struct op *op = decode_emit_guarded (d, run, cls);
  op->dst = decode_destination (d, &o[0], NULL);
  if (op->dst == NO_SLOT)
    op->dst = decode_temp (d);
  for (unsigned i = 0; i < n; i++)
    op->src[i] = src[i];
  return op;
}

static const char *
name_of (const struct decoder *d, const struct ptx_op *op, char *text, size_t room)
{
  const struct ptx_name_entry *e = &d->program->ptx->names[op->opcode];
  const char *more = ptx_op_has (op, PTX_LO) ? ".lo" : ptx_op_has (op, PTX_HI) ? ".hi"
		     : ptx_op_has (op, PTX_WIDE) ? ".wide" : ptx_op_has (op, PTX_L) ? ".l"
		     : ptx_op_has (op, PTX_R) ? ".r" : "";
  snprintf (text, room, "%.*s%s", (int) e->length, e->text, more);
  return text;
}

/* Instructions whose sources all have the instruction's type, but for what is said here.  */
static void
decode_plain (struct decoder *d, const struct ptx_stmt *s, unsigned n)
{
  const struct ptx_op *op = s->u.insn.op;
  enum type type = decode_type (op->types[0]), types[SRCS] = { type, type, type, type, T_U32 };
  char name[32];
  name_of (d, op, name, sizeof (name));
  if (op->num_types != 1)
    {
      decode_fail (d, "this form is not implemented");
      return;
    }
  if (is_float (type))
    {
      handler *run = row_handler (float_rows, name, type);
      if (strcmp (name, "abs") != 0 && strcmp (name, "neg") != 0 && strcmp (name, "copysign") != 0
	  && op->opcode == PTX_OP_SELP)
	run = int_handler (name, type);
      if (op->opcode == PTX_OP_SELP)
	types[2] = T_PRED;
      if (!ONLY (op, PTX_RN, PTX_RZ, PTX_RM, PTX_RP, PTX_FTZ, PTX_SAT, PTX_APPROX, PTX_FULL)
	  || (ptx_op_has (op, PTX_SAT) && type == T_F64))
	run = NULL;
      struct op *out = emit_simple (d, s, run, op->opcode == PTX_OP_SELP ? PSIM_C_INT : PSIM_C_FLOAT, n, types);
      out->round = (uint8_t) rounding_of (op);
      out->kind = (uint8_t) ((ptx_op_has (op, PTX_FTZ) ? FLOAT_FTZ : 0)
			     | (ptx_op_has (op, PTX_SAT) ? FLOAT_SAT : 0));
      return;
    }
  handler *run = int_handler (name, type);
  unsigned kind = 0;
  switch (op->opcode)
    {
    case PTX_OP_SHL:
    case PTX_OP_SHR:
      types[1] = T_U32;
      break;
    case PTX_OP_BFE:
      types[1] = types[2] = T_U32;
      break;
    case PTX_OP_BFI:
      types[2] = types[3] = T_U32;
      break;
    case PTX_OP_SELP:
      types[2] = T_PRED;
      break;
    case PTX_OP_MAD:
      if (ptx_op_has (op, PTX_WIDE))
	types[2] = T_U64;
      break;
    case PTX_OP_SHF:
      kind = ptx_op_has (op, PTX_CLAMP);
      break;
    case PTX_OP_BFIND:
      kind = ptx_op_has (op, PTX_SHIFTAMT);
      break;
    case PTX_OP_ADD:
    case PTX_OP_SUB:
      /* Those that set the carry are those that use it as well, elsewhere.  */
      kind = ptx_op_has (op, PTX_CC);
      if (kind != 0)
	run = int_handler (op->opcode == PTX_OP_ADD ? "addc" : "subc", type);
      break;
    case PTX_OP_ADDC:
    case PTX_OP_SUBC:
      kind = 2u | ptx_op_has (op, PTX_CC);
      break;
    default:
      break;
    }
  if (!ONLY (op, PTX_LO, PTX_HI, PTX_WIDE, PTX_L, PTX_R, PTX_CLAMP, PTX_WRAP, PTX_SHIFTAMT, PTX_CC)
      || (ptx_op_has (op, PTX_CC) && (op->opcode == PTX_OP_MAD || op->opcode == PTX_OP_MADC)))
    run = NULL;
  emit_simple (d, s, run, PSIM_C_INT, n, types)->kind = (uint8_t) kind;
}

/* -- Comparisons -- */

static bool
comparison_of (const struct ptx_op *op, enum comparison *out)
{
  static const struct { ptx_name word; enum comparison kind; } list[]
    = { { PTX_EQ, CMP_EQ }, { PTX_NE, CMP_NE }, { PTX_LT, CMP_LT }, { PTX_LE, CMP_LE },
	{ PTX_GT, CMP_GT }, { PTX_GE, CMP_GE }, { PTX_LO, CMP_LT }, { PTX_LS, CMP_LE },
	{ PTX_HI, CMP_GT }, { PTX_HS, CMP_GE }, { PTX_EQU, CMP_EQU }, { PTX_NEU, CMP_NEU },
	{ PTX_LTU, CMP_LTU }, { PTX_LEU, CMP_LEU }, { PTX_GTU, CMP_GTU }, { PTX_GEU, CMP_GEU },
	{ PTX_NUM, CMP_NUM }, { PTX_NAN, CMP_NAN } };
  for (unsigned i = 0; i < sizeof (list) / sizeof (*list); i++)
    if (ptx_op_has (op, list[i].word))
      {
	*out = list[i].kind;
	return true;
      }
  return false;
}

static void
decode_compare (struct decoder *d, const struct ptx_stmt *s)
{
  const struct ptx_op *op = s->u.insn.op;
  const struct ptx_operand *o = s->u.insn.operands;
  bool set = op->opcode == PTX_OP_SET;
  enum type type = decode_type (op->types[set ? 1 : 0]), to = decode_type (op->types[0]);
  enum comparison kind = CMP_EQ;
  unsigned join = ptx_op_has (op, PTX_AND) ? BOOL_AND : ptx_op_has (op, PTX_OR) ? BOOL_OR
		  : ptx_op_has (op, PTX_XOR) ? BOOL_XOR : BOOL_NONE;
  handler *run = row_handler (compare_rows, "compare", type);
  if (run == NULL || !comparison_of (op, &kind) || op->num_types != (set ? 2 : 1)
      || op->num_words != op->num_types + 1u + (join != BOOL_NONE)
      || s->num_operands != 3u + (join != BOOL_NONE) || (!is_float (type) && kind > CMP_GE))
    {
      decode_fail (d, "this comparison is not implemented");
      return;
    }
  struct operand a = decode_source (d, &o[1], type), b = decode_source (d, &o[2], type), c = a;
  if (join != BOOL_NONE)
    c = decode_source (d, &o[3], T_PRED);
  struct op *out = decode_emit_guarded (d, run, PSIM_C_INT);
  out->src[0] = a;
  out->src[1] = b;
  if (join != BOOL_NONE)
    out->src[2] = c;
  out->kind = (uint8_t) kind;
  out->round = (uint8_t) join;
  out->width = (uint8_t) (!set ? 0 : to == T_F32 ? 1 : to == T_U16 || to == T_S16 ? 16 : 32);
  if (o[0].kind == PTX_O_PAIR)
    {
      out->dst = decode_destination (d, &o[0].u.list[0], NULL);
      out->dst2 = decode_destination (d, &o[0].u.list[1], NULL);
    }
  else
    out->dst = decode_destination (d, &o[0], NULL);
  if (out->dst == NO_SLOT && out->dst2 == NO_SLOT)
    out->dst = decode_temp (d);
}

static void
decode_testp (struct decoder *d, const struct ptx_stmt *s)
{
  static const ptx_name words[] = { PTX_FINITE, PTX_INFINITE, PTX_NUMBER, PTX_NOTANUMBER, PTX_NORMAL,
				    PTX_SUBNORMAL };
  const struct ptx_op *op = s->u.insn.op;
  enum type type = decode_type (op->types[0]);
  unsigned kind = 0;
  while (kind < 6 && !ptx_op_has (op, words[kind]))
    kind++;
  emit_simple (d, s, kind < 6 ? row_handler (compare_rows, "testp", type) : NULL, PSIM_C_FLOAT, 1,
	       &type)->kind = (uint8_t) kind;
}

/* -- Conversions and moves -- */

static void
decode_cvt (struct decoder *d, const struct ptx_stmt *s)
{
  const struct ptx_op *op = s->u.insn.op;
  enum type to = decode_type (op->types[0]), from = decode_type (op->types[1]);
  unsigned width = 8;
  handler *run = op->num_types == 2 ? convert_handler (to, from) : NULL;
  if (!ONLY (op, PTX_RN, PTX_RZ, PTX_RM, PTX_RP, PTX_RNI, PTX_RZI, PTX_RMI, PTX_RPI, PTX_FTZ, PTX_SAT))
    run = NULL;
  struct op *out = emit_simple (d, s, run, PSIM_C_INT, 1, &from);
  if (d->failed)
    return;
  decode_destination (d, &s->u.insn.operands[0], &width);
  out->vec = (uint8_t) to;
  out->size = (uint8_t) from;
  out->width = (uint8_t) width;
  out->round = (uint8_t) rounding_of (op);
  out->kind = (uint8_t) ((ptx_op_has (op, PTX_SAT) ? CVT_SAT : 0) | (ptx_op_has (op, PTX_FTZ) ? CVT_FTZ : 0)
			 | (ptx_op_has (op, PTX_RNI) || ptx_op_has (op, PTX_RZI) || ptx_op_has (op, PTX_RMI)
			    || ptx_op_has (op, PTX_RPI) ? CVT_INTEGER : 0));
}

/* mov.v2 between registers that are vectors.  */
static void
decode_move_vector (struct decoder *d, const struct ptx_stmt *s)
{
  const struct ptx_op *op = s->u.insn.op;
  const struct ptx_operand *o = s->u.insn.operands;
  for (unsigned i = 0; i < op->vector; i++)
    {
      struct operand from;
      uint32_t to;
      enum type type = decode_type (op->types[0]);
      if (o[1].kind == PTX_O_VECTOR && i < o[1].id)
	from = decode_source (d, &o[1].u.list[i], type);
      else
	{
	  from = decode_source (d, &o[1], type);
	  from.slot += i;
	}
      if (o[0].kind == PTX_O_VECTOR && i < o[0].id)
	to = decode_destination (d, &o[0].u.list[i], NULL);
      else
	to = decode_destination (d, &o[0], NULL) + i;
      struct op *out = decode_emit_guarded (d, run_mov, PSIM_C_MOVE);
      out->src[0] = from;
      out->dst = to;
    }
}

/* How many elements the operand has, if it is the whole of a register that is a vector; else 0.  */
static unsigned
whole_vector (const struct decoder *d, const struct ptx_operand *o)
{
  return o->kind == PTX_O_REG && o->element == 0 && d->node->vars[o->id].vector > 1
	 ? d->node->vars[o->id].vector : 0;
}

static void
decode_mov (struct decoder *d, const struct ptx_stmt *s)
{
  const struct ptx_op *op = s->u.insn.op;
  const struct ptx_operand *o = s->u.insn.operands;
  enum type type = decode_type (op->types[0]);
  unsigned size = ptx_type_size (op->types[0]);
  if (s->num_operands != 2 || op->num_types != 1 || type == T_NONE)
    {
      decode_fail (d, "this move is not implemented");
      return;
    }
  if (op->vector > 1)
    {
      decode_move_vector (d, s);
      return;
    }
  bool pack = o[1].kind == PTX_O_VECTOR || whole_vector (d, &o[1]) > 0;
  bool unpack = o[0].kind == PTX_O_VECTOR || whole_vector (d, &o[0]) > 0;
  if (pack || unpack)
    {
      const struct ptx_operand *list = pack ? &o[1] : &o[0];
      unsigned whole = whole_vector (d, list), num = whole > 0 ? whole : list->id;
      struct vector *v = ptx_alloc (d->program->ptx, sizeof (*v));
      if (v == NULL || (pack && unpack) || num > 8 || num < 2 || size / num == 0 || size > 8)
	{
	  decode_fail (d, "this move of a vector is not implemented");
	  return;
	}
      for (uint32_t i = 0; i < num; i++)
	if (whole > 0)
	  v->element[i].slot = decode_destination (d, list, NULL) + i;
	else if (pack)
	  v->element[i] = decode_source (d, &list->u.list[i], T_U64);
	else
	  v->element[i].slot = decode_destination (d, &list->u.list[i], NULL);
      struct operand a = { .slot = NO_SLOT };
      if (unpack)
	a = decode_source (d, &o[1], type);
      struct op *out = decode_emit_guarded (d, pack ? run_pack : run_unpack, PSIM_C_MOVE);
      out->vec = (uint8_t) num;
      out->size = (uint8_t) (size / num);
      out->aux = v;
      if (unpack)
	out->src[0] = a;
      else
	out->dst = decode_destination (d, &o[0], NULL);
      return;
    }
  if (o[1].kind == PTX_O_VECTOR || o[0].kind == PTX_O_SINK)
    {
      decode_fail (d, "this move is not implemented");
      return;
    }
  struct operand a = decode_source (d, &o[1], type);
  struct op *out = decode_emit_guarded (d, run_mov, PSIM_C_MOVE);
  out->src[0] = a;
  out->dst = decode_destination (d, &o[0], NULL);
}

bool
decode_arithmetic (struct decoder *d, const struct ptx_stmt *s)
{
  const struct ptx_op *op = s->u.insn.op;
  switch (op->opcode)
    {
    case PTX_OP_MOV:
      decode_mov (d, s);
      return true;
    case PTX_OP_CVT:
      decode_cvt (d, s);
      return true;
    case PTX_OP_SETP:
    case PTX_OP_SET:
      decode_compare (d, s);
      return true;
    case PTX_OP_TESTP:
      decode_testp (d, s);
      return true;
    case PTX_OP_SLCT:
      {
	enum type type = decode_type (op->types[0]), by = decode_type (op->types[1]);
	emit_simple (d, s, op->num_words == 2 ? row_handler (compare_rows, "slct", by) : NULL, PSIM_C_INT, 3,
		     (const enum type[]) { type, type, by });
	return true;
      }
    case PTX_OP_VADD:
    case PTX_OP_VSUB:
      {
	bool plain = op->num_words == 4 && op->words[3] == PTX_ADD && op->types[0] == PTX_U32
		     && op->types[1] == PTX_U32 && op->types[2] == PTX_U32;
	for (unsigned i = 0; i < s->num_operands; i++)
	  plain = plain && s->u.insn.operands[i].element == 0;
	emit_simple (d, s, plain ? int_handler (op->opcode == PTX_OP_VADD ? "vadd" : "vsub", T_U32) : NULL,
		     PSIM_C_INT, 3, (const enum type[]) { T_U32, T_U32, T_U32 });
	return true;
      }
    case PTX_OP_ADD: case PTX_OP_ADDC: case PTX_OP_SUB: case PTX_OP_SUBC: case PTX_OP_MUL:
    case PTX_OP_DIV: case PTX_OP_REM: case PTX_OP_MIN: case PTX_OP_MAX: case PTX_OP_AND:
    case PTX_OP_OR: case PTX_OP_XOR: case PTX_OP_SHL: case PTX_OP_SHR: case PTX_OP_COPYSIGN:
      decode_plain (d, s, 2);
      return true;
    case PTX_OP_NEG: case PTX_OP_ABS: case PTX_OP_NOT: case PTX_OP_CNOT: case PTX_OP_POPC:
    case PTX_OP_CLZ: case PTX_OP_BREV: case PTX_OP_BFIND: case PTX_OP_RCP: case PTX_OP_SQRT:
    case PTX_OP_RSQRT: case PTX_OP_SIN: case PTX_OP_COS: case PTX_OP_LG2: case PTX_OP_EX2:
    case PTX_OP_TANH:
      decode_plain (d, s, 1);
      return true;
    case PTX_OP_MAD: case PTX_OP_FMA: case PTX_OP_SAD: case PTX_OP_BFE: case PTX_OP_PRMT:
    case PTX_OP_SHF: case PTX_OP_SELP:
      decode_plain (d, s, 3);
      return true;
    case PTX_OP_BFI: case PTX_OP_LOP3:
      decode_plain (d, s, 4);
      return true;
    default:
      return false;
    }
}
