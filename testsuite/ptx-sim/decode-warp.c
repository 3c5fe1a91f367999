/* decode-warp.c -- votes, shuffles, barriers, fences, and what has no effect here.  */

#include "program.h"

#include <string.h>

static bool
mode_of (const struct ptx_op *op, const ptx_name *words, unsigned n, unsigned *kind)
{
  for (unsigned i = 0; i < n; i++)
    if (ptx_op_has (op, words[i]))
      {
	*kind = i;
	return true;
      }
  return false;
}

/* Destinations d or d|p.  */
static void
destinations (struct decoder *d, struct op *out, const struct ptx_operand *o)
{
  if (o->kind == PTX_O_PAIR)
    {
      out->dst = decode_destination (d, &o->u.list[0], NULL);
      out->dst2 = decode_destination (d, &o->u.list[1], NULL);
    }
  else
    out->dst = decode_destination (d, o, NULL);
  if (out->dst == NO_SLOT)
    out->dst = decode_temp (d);
}

static void
emit (struct decoder *d, const struct ptx_stmt *s, handler *run, unsigned kind, unsigned n,
      const enum type *types)
{
  const struct ptx_operand *o = s->u.insn.operands;
  struct operand src[SRCS];
  if (s->num_operands != n + 1)
    {
      decode_fail (d, "this form is not implemented");
      return;
    }
  for (unsigned i = 0; i < n; i++)
    src[i] = decode_source (d, &o[i + 1], types[i]);
  struct op *out = decode_emit_guarded (d, run, PSIM_C_SYNC);
  memcpy (out->src, src, n * sizeof (*src));
  out->kind = (uint8_t) kind;
  destinations (d, out, &o[0]);
  if (ptx_is_signed (s->u.insn.op->types[0]))
    out->flags |= OP_SIGNED;
}

static void
decode_barrier (struct decoder *d, const struct ptx_stmt *s)
{
  const struct ptx_op *op = s->u.insn.op;
  const struct ptx_operand *o = s->u.insn.operands;
  unsigned n = s->num_operands, kind = BAR_SYNC, first = 0;
  if (op->opcode == PTX_OP_BAR && ptx_op_has (op, PTX_WARP))
    {
      struct operand mask = { .slot = NO_SLOT };
      if (n != 1)
	decode_fail (d, "a mask is missing");
      else
	mask = decode_source (d, &o[0], T_U32);
      struct op *out = decode_emit_guarded (d, run_warp_barrier, PSIM_C_SYNC);
      if (n == 1)
	out->src[0] = mask;
      return;
    }
  if (ptx_op_has (op, PTX_ARRIVE))
    kind = BAR_ARRIVE;
  else if (ptx_op_has (op, PTX_RED))
    {
      kind = ptx_op_has (op, PTX_POPC) ? BAR_RED_POPC : ptx_op_has (op, PTX_AND) ? BAR_RED_AND : BAR_RED_OR;
      first = 1;
    }
  else if (!ptx_op_has (op, PTX_SYNC))
    {
      decode_fail (d, "not implemented");
      return;
    }
  bool red = first != 0;
  unsigned numbers = n - first - red;
  if (n < first + 1 + red || numbers > 2 || (kind == BAR_ARRIVE && numbers != 2))
    {
      decode_fail (d, "not implemented with these operands");
      return;
    }
  struct operand id = decode_source (d, &o[first], T_U32), count = id, p = id;
  if (numbers == 2)
    count = decode_source (d, &o[first + 1], T_U32);
  if (red)
    p = decode_source (d, &o[n - 1], T_PRED);
  struct op *out = decode_emit_guarded (d, run_barrier, PSIM_C_SYNC);
  out->kind = (uint8_t) kind;
  out->vec = numbers == 2;
  out->src[0] = id;
  if (numbers == 2)
    out->src[1] = count;
  if (red)
    {
      out->src[2] = p;
      destinations (d, out, &o[0]);
    }
  if (op->opcode == PTX_OP_BAR || ptx_op_has (op, PTX_ALIGNED))
    out->flags |= OP_ALIGNED;
}

bool
decode_warp (struct decoder *d, const struct ptx_stmt *s)
{
  static const ptx_name shuffles[] = { PTX_UP, PTX_DOWN, PTX_BFLY, PTX_IDX };
  static const ptx_name votes[] = { PTX_ALL, PTX_ANY, PTX_UNI, PTX_BALLOT };
  static const ptx_name reductions[] = { PTX_ADD, PTX_MIN, PTX_MAX, PTX_AND, PTX_OR, PTX_XOR };
  const struct ptx_op *op = s->u.insn.op;
  unsigned kind = 0;
  bool sync = ptx_op_has (op, PTX_SYNC);
  switch (op->opcode)
    {
    case PTX_OP_SHFL:
      if (!sync || !mode_of (op, shuffles, 4, &kind))
	decode_fail (d, "only shfl.sync is implemented");
      else
	emit (d, s, run_shfl, kind, 4, (const enum type[]) { T_U32, T_U32, T_U32, T_U32 });
      return true;
    case PTX_OP_VOTE:
      if (!sync || !mode_of (op, votes, 4, &kind))
	decode_fail (d, "only vote.sync is implemented");
      else
	emit (d, s, run_vote, kind, 2, (const enum type[]) { T_PRED, T_U32 });
      return true;
    case PTX_OP_MATCH:
      mode_of (op, votes, 2, &kind);
      emit (d, s, run_match, kind, 2, (const enum type[]) { decode_type (op->types[0]), T_U32 });
      return true;
    case PTX_OP_REDUX:
      if (!mode_of (op, reductions, 6, &kind) || ptx_type_size (op->types[0]) != 4
	  || ptx_is_float (op->types[0]))
	decode_fail (d, "not implemented");
      else
	emit (d, s, run_redux, kind, 2, (const enum type[]) { T_U32, T_U32 });
      return true;
    case PTX_OP_ELECT:
      emit (d, s, run_elect, 0, 1, (const enum type[]) { T_U32 });
      return true;
    case PTX_OP_ACTIVEMASK:
      emit (d, s, run_activemask, 0, 0, NULL);
      return true;
    case PTX_OP_BAR:
    case PTX_OP_BARRIER:
      decode_barrier (d, s);
      return true;
    case PTX_OP_MEMBAR:
    case PTX_OP_FENCE:
      decode_emit_guarded (d, run_fence, PSIM_C_SYNC);
      return true;
    case PTX_OP_NANOSLEEP:
      decode_emit_guarded (d, run_nanosleep, PSIM_C_SYNC);
      return true;
    case PTX_OP_PREFETCH:
    case PTX_OP_PREFETCHU:
    case PTX_OP_PMEVENT:
      decode_emit_guarded (d, run_nothing, PSIM_C_SYNC);
      return true;
    default:
      return false;
    }
}
