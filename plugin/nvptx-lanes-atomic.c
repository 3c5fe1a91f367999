/* nvptx-lanes-atomic.c -- atomic updates in lane clones, of all lanes of a warp at once.

   Where PTX has no instruction for an atomic update, GCC makes a loop around a compare-and-swap, for reductions,
   too:

	ld.u32 old, [address];
	bra $top;
     $retry:
	mov.u32 old, result;
     $top:
	... new from old and from registers that the loop doesn't set ...
	@master atom.cas.b32 result, [address], old, new;
	@together shfl.sync.idx.b32 result, ...;
	setp.ne.u32 again, old, result;
	@again bra $retry;			or	@!again bra $done; bra $retry;

   In lane code every lane is in such a loop, and those of a warp that have the same address take each other's
   chances: 32 lanes need 32 rounds, and at the end of a region all lanes of the team have the same one.  So a clone has
   something else in its place.

   An instruction, where there is one for what the loop does: a sum of double, the least or greatest of integers.
   (Not sums of float: atom.add.f32 takes denormal numbers for 0.)

   Else a fold: lanes that are there with the same address do it together, one after the other in a register,

     peers = those lanes;  first = what their first lane has read
     again: old = first
       for each lane of peers:  the registers that it brings are told to all, and all compute new from old;  old = new
       the first lane:  result = compare-and-swap (address, first, old)
       if result is not first:  first = result, again
     each lane: old = result = what was there when its turn came;  new from that, once more

   which is what would have happened if the lanes had come in this order, with no other thread in between.
   So the result has the same bits as some order of single updates gives, whatever is computed.  A lane that is alone with its
   address has the loop as it was; if all 32 have one address their turns are written one after the other.

   And where all lanes of a warp may combine what they bring, that stands in front (nvptx-lanes-joint.c).

   Either way the state behind the loop is as it was: OLD and RESULT have what was there before this lane's update, and
   NEW and all that leads to it are computed from that.  How the loop is entered doesn't matter: it guesses.

   Invariants
   1. A loop is recognised with every statement in it; what is computed is arithmetic on registers, without memory,
      guards or labels.  Any doubt, and it stays as it is, which is right, too.
   2. Lanes that wait for each other have all computed the same PEERS, by one instruction that told each of them.

   Called by nvptx-lanes.c, for functions that were scanned, and nvptx-lanes-rewrite.c.  */

#include "nvptx-lanes-work.h"

#include <stdio.h>
#include <string.h>

enum
{
  BODY = 64,			/* statements */
  INPUTS = 4,			/* registers that a lane brings */
  LANES = 32,
  LONGEST = 256			/* statements of all lanes of a warp, one after the other */
};

/* ---- recognising ---- */

static const ptx_name arithmetic[] =
{
  PTX_OP_ABS, PTX_OP_ADD, PTX_OP_AND, PTX_OP_BFE, PTX_OP_BFI, PTX_OP_CNOT, PTX_OP_CVT, PTX_OP_DIV, PTX_OP_FMA,
  PTX_OP_MAD, PTX_OP_MAX, PTX_OP_MIN, PTX_OP_MOV, PTX_OP_MUL, PTX_OP_NEG, PTX_OP_NOT, PTX_OP_OR, PTX_OP_PRMT,
  PTX_OP_REM, PTX_OP_SELP, PTX_OP_SET, PTX_OP_SETP, PTX_OP_SHL, PTX_OP_SHR, PTX_OP_SLCT, PTX_OP_SUB,
  PTX_OP_XOR
};

bool
lanes_is_arithmetic (ptx_name opcode)
{
  for (size_t i = 0; i < sizeof (arithmetic) / sizeof (*arithmetic); i++)
    if (arithmetic[i] == opcode)
      return true;
  return false;
}

static bool
is_arithmetic (const struct ptx_stmt *s)
{
  return s->kind == PTX_STMT_INSN && s->guard == PTX_NO_INDEX && s->num_operands >= 2
	 && !ptx_op_has (s->u.insn.op, PTX_CC) && lanes_is_arithmetic (s->u.insn.op->opcode);
}

static bool
text_is (const struct lanes_work *w, const struct ptx_stmt *s, const char *text)
{
  return s->kind == PTX_STMT_INSN && lanes_name_is (w->ptx, s->u.insn.op->text, text);
}

/* A register of the whole function, not a part of one.  */
static bool
is_reg (const struct ptx_function *f, const struct ptx_operand *o)
{
  return o->kind == PTX_O_REG && o->element == 0 && (f->vars[o->id].flags & PTX_VAR_INNER) == 0
	 && f->vars[o->id].vector == 1;
}

/* Bits of register REG, if it can be told from lane to lane; else 0.  */
static unsigned
bits_of (const struct ptx_function *f, uint32_t reg)
{
  switch (f->vars[reg].type)
    {
    case PTX_B32:
    case PTX_U32:
    case PTX_S32:
    case PTX_F32:
      return 32;
    case PTX_B64:
    case PTX_U64:
    case PTX_S64:
    case PTX_F64:
      return 64;
    default:
      return 0;
    }
}

static bool
is_set_before (const struct ptx_function *f, uint32_t begin, uint32_t end, uint32_t reg)
{
  for (uint32_t i = begin; i < end; i++)
    if (f->stmts[i].kind == PTX_STMT_INSN && f->stmts[i].num_operands > 0 && lanes_is_reg (&f->stmts[i].u.insn.operands[0], reg))
      return true;
  return false;
}

/* The statements from A->body to A->cas: what they read and set.  */
static bool
match_body (const struct ptx_function *f, struct lanes_atomic *a)
{
  for (uint32_t i = a->body; i < a->cas; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      const struct ptx_operand *o = s->u.insn.operands;
      if (!is_arithmetic (s) || !is_reg (f, &o[0]) || o[0].id == a->old || o[0].id == a->result
	  || o[0].id == a->address)
	return false;
      for (unsigned n = 1; n < s->num_operands; n++)
	{
	  bool known = o[n].kind == PTX_O_REG
		       && (o[n].id == a->old || is_set_before (f, a->body, i, o[n].id));
	  if (o[n].kind == PTX_O_INT || o[n].kind == PTX_O_F32 || o[n].kind == PTX_O_F64)
	    continue;
	  if (!is_reg (f, &o[n]) || o[n].id == a->result)
	    return false;
	  for (unsigned k = 0; k < a->num_inputs; k++)
	    known |= a->inputs[k] == o[n].id;
	  if (known)
	    continue;
	  /* What a later statement sets would be of the round before.  */
	  if (is_set_before (f, i, a->cas, o[n].id) || a->num_inputs == INPUTS || bits_of (f, o[n].id) == 0)
	    return false;
	  a->inputs[a->num_inputs++] = o[n].id;
	}
    }
  return true;
}

/* Statement I sets the label LABEL.  */
static bool
is_label (const struct ptx_function *f, uint32_t i, uint32_t label)
{
  return f->stmts[i].kind == PTX_STMT_LABEL && f->stmts[i].u.label == label;
}

static bool
is_move (const struct ptx_stmt *s, uint32_t to, uint32_t from)
{
  return s->kind == PTX_STMT_INSN && s->u.insn.op->opcode == PTX_OP_MOV && s->guard == PTX_NO_INDEX
	 && s->num_operands == 2 && lanes_is_reg (&s->u.insn.operands[0], to)
	 && lanes_is_reg (&s->u.insn.operands[1], from);
}

/* From statement I on: how the loop ends.  */
static bool
match_end (const struct lanes_work *w, const struct lanes_function *lf, struct lanes_atomic *a, uint32_t i)
{
  const struct ptx_function *f = lf->f;
  const struct ptx_operand *o;

  while (i < f->num_stmts && lf->has_uniform && f->stmts[i].kind == PTX_STMT_INSN
	 && f->stmts[i].guard == lf->together_reg && !f->stmts[i].guard_negated)
    i++;
  if (i + 2 >= f->num_stmts || f->stmts[i].guard != PTX_NO_INDEX
      || !text_is (w, &f->stmts[i], a->bits == 32 ? "setp.ne.u32" : "setp.ne.u64"))
    return false;
  o = f->stmts[i].u.insn.operands;
  if (f->stmts[i].num_operands != 3 || !is_reg (f, &o[0])
      || !((lanes_is_reg (&o[1], a->old) && lanes_is_reg (&o[2], a->result))
	   || (lanes_is_reg (&o[1], a->result) && lanes_is_reg (&o[2], a->old))))
    return false;
  a->compare = i;
  const struct ptx_stmt *s = &f->stmts[i + 1], *next = &f->stmts[i + 2];
  if (!text_is (w, s, "bra") || s->guard != o[0].id || s->u.insn.operands[0].kind != PTX_O_LABEL)
    return false;
  a->end = i + 1;
  a->exit = PTX_NO_INDEX;
  if (!s->guard_negated)
    a->retry = s->u.insn.operands[0].id;
  else
    {
      if (!text_is (w, next, "bra") || next->guard != PTX_NO_INDEX
	  || next->u.insn.operands[0].kind != PTX_O_LABEL)
	return false;
      a->exit = s->u.insn.operands[0].id;
      a->retry = next->u.insn.operands[0].id;
      a->end = i + 2;
    }
  return true;
}

/* Is statement CAS the one of a loop?  */
static bool
match (const struct lanes_work *w, const struct lanes_function *lf, uint32_t cas, struct lanes_atomic *a)
{
  const struct ptx_function *f = lf->f;
  const struct ptx_stmt *s = &f->stmts[cas];
  const struct ptx_operand *o = s->u.insn.operands;

  *a = (struct lanes_atomic) { .cas = cas };
  a->bits = text_is (w, s, "atom.cas.b32") ? 32 : text_is (w, s, "atom.cas.b64") ? 64 : 0;
  if (a->bits == 0 || s->num_operands != 4
      || (s->guard != PTX_NO_INDEX && !(lf->has_uniform && s->guard == lf->master_reg && !s->guard_negated))
      || !is_reg (f, &o[0]) || o[1].kind != PTX_O_ADDRESS || o[1].base != PTX_O_REG || o[1].element != 0
      || !is_reg (f, &o[2]) || !is_reg (f, &o[3]))
    return false;
  a->result = o[0].id;
  a->address = o[1].id;
  a->offset = (int64_t) o[1].u.value;
  a->old = o[2].id;
  a->new = o[3].id;
  if (a->result == a->old || a->address == a->old || a->address == a->result || a->new == a->old
      || a->new == a->result || bits_of (f, a->old) != a->bits || bits_of (f, a->result) != a->bits
      || bits_of (f, a->new) != a->bits || bits_of (f, a->address) != 64
      || !match_end (w, lf, a, cas + 1))
    return false;

  /* The begin: a label, `mov old, result', a label.  */
  uint32_t top = cas;
  while (top > 0 && cas - top < BODY && f->stmts[top].kind != PTX_STMT_LABEL)
    top--;
  if (top < 2 || f->stmts[top].kind != PTX_STMT_LABEL || !is_move (&f->stmts[top - 1], a->old, a->result)
      || !is_label (f, top - 2, a->retry))
    return false;
  a->begin = top - 2;
  a->body = top + 1;
  return match_body (f, a) && is_set_before (f, a->body, cas, a->new);
}

bool
lanes_atomic_is (const struct lanes_work *w, const struct ptx_function *f, const struct lanes_atomic *a,
		 const char *name)
{
  uint32_t old = a->old, i = a->body;

  if (a->num_inputs != 1)
    return false;
  if (i < a->cas && is_move (&f->stmts[i], f->stmts[i].u.insn.operands[0].id, old))
    old = f->stmts[i++].u.insn.operands[0].id;
  if (i >= a->cas || !text_is (w, &f->stmts[i], name))
    return false;
  const struct ptx_operand *o = f->stmts[i].u.insn.operands;
  uint32_t new = o[0].id;
  if (f->stmts[i].num_operands != 3
      || !((lanes_is_reg (&o[1], old) && lanes_is_reg (&o[2], a->inputs[0]))
	   || (lanes_is_reg (&o[2], old) && lanes_is_reg (&o[1], a->inputs[0]))))
    return false;
  i++;
  if (i < a->cas && is_move (&f->stmts[i], a->new, new))
    {
      i++;
      new = a->new;
    }
  return i == a->cas && new == a->new;
}

static const char *
native (const struct lanes_work *w, const struct ptx_function *f, const struct lanes_atomic *a)
{
  static const char *const same[] =
    { "add.f64", "max.s32", "min.s32", "max.u32", "min.u32", "max.s64", "min.s64", "max.u64", "min.u64" };
  for (size_t i = 0; i < sizeof (same) / sizeof (*same); i++)
    if (lanes_atomic_is (w, f, a, same[i]))
      return lanes_native (same[i]);
  return NULL;
}

void
lanes_scan_atomics (struct lanes_work *w, struct lanes_function *lf)
{
  struct lanes_atomic a;
  uint32_t num = 0;

  if (lf->scanned_atomics)
    return;
  lf->scanned_atomics = true;
  for (int round = 0; round < 2; round++)
    {
      num = 0;
      for (uint32_t i = 0; i < lf->f->num_stmts; i++)
	if (lf->f->stmts[i].kind == PTX_STMT_INSN && lf->f->stmts[i].u.insn.op->opcode == PTX_OP_ATOM
	    && match (w, lf, i, &a))
	  {
	    a.native = native (w, lf->f, &a);
	    a.adds_float = lanes_atomic_is (w, lf->f, &a, "add.f32");
	    if (round == 1)
	      lf->atomics[num] = a;
	    num++;
	  }
      if (round == 0 && (num == 0 || (lf->atomics = ptx_alloc (w->ptx, num * sizeof (a))) == NULL))
	return;
    }
  lf->num_atomics = num;
}

/* ---- writing ---- */

#define NAME(reg) (int) ptx->names[f->vars[reg].name].length, ptx->names[f->vars[reg].name].text

bool
lanes_emit_atomic_registers (struct ptx_function *f, char why[PTX_WHY])
{
  return ptx_emitf (f, why, ".reg .u32 %%lanes_peers, %%lanes_me, %%lanes_leader, %%lanes_rest, %%lanes_turn,"
			    " %%lanes_low, %%lanes_high;\n"
			    ".reg .b64 %%lanes_address, %%lanes_first64, %%lanes_mine64;\n"
			    ".reg .b32 %%lanes_first32, %%lanes_mine32;\n"
			    ".reg .f64 %%lanes_double;\n"
			    ".reg .pred %%lanes_leads, %%lanes_again;\n"
			    ".reg .b32 %%lanes_a0, %%lanes_a1, %%lanes_a2, %%lanes_a3;\n"
			    ".reg .b64 %%lanes_b0, %%lanes_b1, %%lanes_b2, %%lanes_b3;\n") != 0;
}

static bool
emit_body (struct ptx_function *f, const struct ptx_function *from, const struct lanes_atomic *a)
{
  for (uint32_t i = a->body; i < a->cas; i++)
    if (ptx_emit_copy (f, &from->stmts[i]) == NULL)
      return false;
  return true;
}

/* TO becomes what lane LANE of the peers has in FROM, of BITS bits; names.  */
static bool
emit_tell (struct ptx_function *f, char why[PTX_WHY], unsigned bits, const char *to, int to_length,
	   const char *from, int from_length, const char *lane)
{
  if (bits == 32)
    return ptx_emitf (f, why, "shfl.sync.idx.b32 %.*s, %.*s, %s, 31, %%lanes_peers;\n", to_length, to, from_length,
		      from, lane) != 0;
  return ptx_emitf (f, why, "mov.b64 {%%lanes_low, %%lanes_high}, %.*s;\n"
			    "shfl.sync.idx.b32 %%lanes_low, %%lanes_low, %s, 31, %%lanes_peers;\n"
			    "shfl.sync.idx.b32 %%lanes_high, %%lanes_high, %s, 31, %%lanes_peers;\n"
			    "mov.b64 %.*s, {%%lanes_low, %%lanes_high};\n", from_length, from, lane, lane,
		    to_length, to) != 0;
}

bool
lanes_emit_native (struct ptx_function *f, const struct lanes_atomic *a, char why[PTX_WHY])
{
  struct ptx *ptx = f->module->ptx;

  if (strcmp (a->native, "atom.add.f64") == 0)
    return ptx_emitf (f, why, "atom.add.f64 %%lanes_double, [%.*s+%lld], %.*s;\nmov.b64 %.*s, %%lanes_double;\n"
			      "mov.b64 %.*s, %.*s;\n", NAME (a->address), (long long) a->offset,
		      NAME (a->inputs[0]), NAME (a->result), NAME (a->old), NAME (a->result)) != 0;
  return ptx_emitf (f, why, "%s %.*s, [%.*s+%lld], %.*s;\nmov.b%u %.*s, %.*s;\n", a->native, NAME (a->result),
		    NAME (a->address), (long long) a->offset, NAME (a->inputs[0]), a->bits, NAME (a->old),
		    NAME (a->result)) != 0;
}

/* What the fold at hand is written with.  */
struct fold
{
  const struct ptx_function *from;
  const struct lanes_atomic *a;
  uint32_t number;		/* for labels */
  /* Registers: what was read first; what was there when this lane's turn came; what it brings.  */
  const char *first, *mine;
  char kept[INPUTS][24];
};

/* Which lanes are there with this one's address, which of them is the first, and whether this one
   is.  */
static bool
emit_peers (struct ptx_function *f, const struct lanes_atomic *a, char why[PTX_WHY])
{
  struct ptx *ptx = f->module->ptx;
  return ptx_emitf (f, why,
		    "add.u64 %%lanes_address, %.*s, %lld;\n"
		    "activemask.b32 %%lanes_peers;\n"
		    "match.any.sync.b64 %%lanes_peers, %%lanes_address, %%lanes_peers;\n"
		    "mov.u32 %%lanes_me, %%laneid;\n"
		    "brev.b32 %%lanes_leader, %%lanes_peers;\n"
		    "clz.b32 %%lanes_leader, %%lanes_leader;\n"
		    "setp.eq.u32 %%lanes_leads, %%lanes_me, %%lanes_leader;\n",
		    NAME (a->address), (long long) a->offset)
	 != 0;
}

bool
lanes_emit_atomic_loop (struct ptx_function *f, const struct ptx_function *from,
			const struct lanes_atomic *a, const char *label, uint32_t number,
			char why[PTX_WHY])
{
  struct ptx *ptx = f->module->ptx;
  return ptx_emitf (f, why, "%s%u:\n", label, number) != 0 && emit_body (f, from, a)
	 && ptx_emitf (f, why,
		       "atom.cas.b%u %.*s, [%.*s+%lld], %.*s, %.*s;\n"
		       "setp.ne.u%u %%lanes_again, %.*s, %.*s;\n"
		       "mov.b%u %.*s, %.*s;\n"
		       "@%%lanes_again bra %s%u;\n",
		       a->bits, NAME (a->result), NAME (a->address), (long long) a->offset,
		       NAME (a->old), NAME (a->new), a->bits, NAME (a->result), NAME (a->old),
		       a->bits, NAME (a->old), NAME (a->result), label, number)
		!= 0;
}

/* Whoever is alone with its address has the loop for itself: lanes with different ones are in it
   together.  */
static bool
emit_alone (struct ptx_function *f, const struct fold *d, char why[PTX_WHY])
{
  return ptx_emitf (f, why,
		    "sub.u32 %%lanes_rest, %%lanes_peers, 1;\n"
		    "and.b32 %%lanes_rest, %%lanes_rest, %%lanes_peers;\n"
		    "setp.ne.u32 %%lanes_again, %%lanes_rest, 0;\n"
		    "@%%lanes_again bra $lanes_several%u;\n",
		    d->number)
	     != 0
	 && lanes_emit_atomic_loop (f, d->from, d->a, "$lanes_alone", d->number, why)
	 && ptx_emitf (f, why, "bra $lanes_folded%u;\n$lanes_several%u:\n", d->number, d->number)
		!= 0;
}

/* The turn of lane LANE, which has told what it brings: OLD becomes NEW.  */
static bool
emit_turn (struct ptx_function *f, const struct fold *d, const char *lane, char why[PTX_WHY])
{
  const struct lanes_atomic *a = d->a;
  struct ptx *ptx = f->module->ptx;

  for (unsigned k = 0; k < a->num_inputs; k++)
    if (!emit_tell (f, why, bits_of (d->from, a->inputs[k]),
		    ptx->names[f->vars[a->inputs[k]].name].text,
		    (int) ptx->names[f->vars[a->inputs[k]].name].length, d->kept[k],
		    (int) strlen (d->kept[k]), lane))
      return false;
  return ptx_emitf (f, why,
		    "setp.eq.u32 %%lanes_again, %%lanes_me, %s;\n"
		    "@%%lanes_again mov.b%u %s, %.*s;\n",
		    lane, a->bits, d->mine, NAME (a->old))
	     != 0
	 && emit_body (f, d->from, a)
	 && ptx_emitf (f, why, "mov.b%u %.*s, %.*s;\n", a->bits, NAME (a->old), NAME (a->new)) != 0;
}

/* All have had their turns: the first lane swaps, and if that fails all begin again at LABEL.  */
static bool
emit_swap (struct ptx_function *f, const struct fold *d, const char *label, char why[PTX_WHY])
{
  const struct lanes_atomic *a = d->a;
  struct ptx *ptx = f->module->ptx;
  const struct ptx_name_entry *result = &ptx->names[f->vars[a->result].name];

  return ptx_emitf (f, why, "@%%lanes_leads atom.cas.b%u %.*s, [%%lanes_address], %s, %.*s;\n",
		    a->bits, NAME (a->result), d->first, NAME (a->old))
	     != 0
	 && emit_tell (f, why, a->bits, result->text, (int) result->length, result->text,
		       (int) result->length, "%lanes_leader")
	 && ptx_emitf (f, why,
		       "setp.ne.u%u %%lanes_again, %.*s, %s;\nmov.b%u %s, %.*s;\n"
		       "@%%lanes_again bra %s%u;\n",
		       a->bits, NAME (a->result), d->first, a->bits, d->first, NAME (a->result),
		       label, d->number)
		!= 0;
}

/* All lanes of the warp are there, and whose turn it is need not be found out: what they tell is
   under way together, and a swap that failed is soon tried again.  */
static bool
emit_whole (struct ptx_function *f, const struct fold *d, char why[PTX_WHY])
{
  struct ptx *ptx = f->module->ptx;
  char lane[16];

  if (ptx_emitf (f, why,
		 "setp.ne.u32 %%lanes_again, %%lanes_peers, 4294967295;\n"
		 "@%%lanes_again bra $lanes_some%u;\n"
		 "$lanes_whole%u:\n"
		 "mov.b%u %.*s, %s;\n",
		 d->number, d->number, d->a->bits, NAME (d->a->old), d->first)
      == 0)
    return false;
  for (unsigned n = 0; n < LANES; n++)
    {
      snprintf (lane, sizeof (lane), "%u", n);
      if (!emit_turn (f, d, lane, why))
	return false;
    }
  return emit_swap (f, d, "$lanes_whole", why)
	 && ptx_emitf (f, why, "bra $lanes_through%u;\n$lanes_some%u:\n", d->number, d->number)
		!= 0;
}

/* Some are: from the lowest to the highest.  */
static bool
emit_some (struct ptx_function *f, const struct fold *d, char why[PTX_WHY])
{
  struct ptx *ptx = f->module->ptx;
  return ptx_emitf (f, why,
		    "$lanes_again%u:\nmov.b%u %.*s, %s;\nmov.u32 %%lanes_rest, %%lanes_peers;\n"
		    "$lanes_next%u:\n"
		    "brev.b32 %%lanes_turn, %%lanes_rest;\nclz.b32 %%lanes_turn, %%lanes_turn;\n",
		    d->number, d->a->bits, NAME (d->a->old), d->first, d->number)
	     != 0
	 && emit_turn (f, d, "%lanes_turn", why)
	 && ptx_emitf (f, why,
		       "sub.u32 %%lanes_turn, %%lanes_rest, 1;\n"
		       "and.b32 %%lanes_rest, %%lanes_rest, %%lanes_turn;\n"
		       "setp.ne.u32 %%lanes_again, %%lanes_rest, 0;\n"
		       "@%%lanes_again bra $lanes_next%u;\n",
		       d->number)
		!= 0
	 && emit_swap (f, d, "$lanes_again", why);
}

/* APART: the lanes aren't all there.  */
static bool
emit_fold (struct ptx_function *f, const struct ptx_function *from, const struct lanes_atomic *a,
	   uint32_t number, bool apart, char why[PTX_WHY])
{
  struct ptx *ptx = f->module->ptx;
  const struct ptx_name_entry *old = &ptx->names[f->vars[a->old].name];
  struct fold d = { .from = from,
		    .a = a,
		    .number = number,
		    .first = a->bits == 32 ? "%lanes_first32" : "%lanes_first64",
		    .mine = a->bits == 32 ? "%lanes_mine32" : "%lanes_mine64" };

  if (!emit_peers (f, a, why) || !emit_alone (f, &d, why))
    return false;
  for (unsigned k = 0; k < a->num_inputs; k++)
    {
      unsigned bits = bits_of (from, a->inputs[k]);
      snprintf (d.kept[k], sizeof (d.kept[k]), "%%lanes_%c%u", bits == 32 ? 'a' : 'b', k);
      if (ptx_emitf (f, why, "mov.b%u %s, %.*s;\n", bits, d.kept[k], NAME (a->inputs[k])) == 0)
	return false;
    }
  if (!emit_tell (f, why, a->bits, d.first, (int) strlen (d.first), old->text, (int) old->length,
		  "%lanes_leader")
      || (!apart && (a->cas - a->body) * LANES <= LONGEST && a->num_inputs == 1
	  && !emit_whole (f, &d, why))
      || !emit_some (f, &d, why)
      || ptx_emitf (f, why, "$lanes_through%u:\nmov.b%u %.*s, %s;\nmov.b%u %.*s, %s;\n", number,
		    a->bits, NAME (a->old), d.mine, a->bits, NAME (a->result), d.mine)
	     == 0)
    return false;
  for (unsigned k = 0; k < a->num_inputs; k++)
    if (ptx_emitf (f, why, "mov.b%u %.*s, %s;\n", bits_of (from, a->inputs[k]), NAME (a->inputs[k]),
		   d.kept[k])
	== 0)
      return false;
  return ptx_emitf (f, why, "$lanes_folded%u:\n", number) != 0;
}

bool
lanes_emit_atomic (struct ptx_function *f, const struct lanes_function *lf, uint32_t number, char why[PTX_WHY])
{
  const struct lanes_atomic *a = &lf->atomics[number];
  const struct ptx_function *from = lf->f;
  const struct lanes_joint *j = lanes_joint_at (lf, a->begin);

  /* The labels, and the move between them, for whoever jumps there.  */
  for (uint32_t i = a->begin; i < a->body; i++)
    if (ptx_emit_copy (f, &from->stmts[i]) == NULL)
      return false;
  if ((j != NULL && !lanes_emit_joint_begin (f, lf, j, why))
      || !(a->native != NULL ? lanes_emit_native (f, a, why) : emit_fold (f, from, a, number, j != NULL, why))
      || !emit_body (f, from, a) || ptx_emit_copy (f, &from->stmts[a->compare]) == NULL
      || (j != NULL && !lanes_emit_joint_end (f, lf, j, why)))
    return false;
  if (a->exit == PTX_NO_INDEX)
    return true;
  struct ptx_stmt *s = ptx_emit_insn (f, "bra", 1);
  if (s == NULL)
    return false;
  s->u.insn.operands[0] = ptx_label_operand (a->exit);
  return true;
}
