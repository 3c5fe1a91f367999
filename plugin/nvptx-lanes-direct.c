/* nvptx-lanes-direct.c -- kernels whose lanes run a whole target region by themselves, without the library.

   What a plain `target teams distribute parallel for' becomes is a function that asks which teams it runs, computes each one's
   part of the loop, leaves that and the region's arguments in a data block, and calls GOMP_parallel.  One thread does
   so, and the library hands the block's address to the others.  If all that is computed comes from
   the kernel's arguments every lane can compute it for itself, and gets the same.  Then the kernel needs no thread 0, no soft stack,
   no team and no call through a pointer: the function and the region stand in the kernel's own text, the data block
   is registers (or, where they share places or are small, an array of the lane's), and the GPU's compiler sees all of it.  Each kernel has as many registers as it needs, instead of as many
   as any function of the image.

   Owns: lanes_function.can_be_direct; the text of such kernels.

   Invariants
   1. The function reads the kernel's arguments, which nobody writes, its frame, and other memory by plain loads; it writes the
      frame, and begins regions.  Other effects are lane 0's (nvptx-lanes-effects.c).
   2. The frame's address goes nowhere but to regions and words of the frame, and all that is done with it is known
      (nvptx-lanes-frame.c).  So a copy for each lane is as good as one for all, but for words that regions write: these are in the block's
      memory while a region runs.
   3. Regions have a stride (nvptx-lanes-stride.c), and no function in them calls the library but to ask who and how many the
      threads are, once.
   4. Regions have as many threads as the library would give them (accel_region_size): the block's lanes, or fewer by a clause
      num_threads, or if, or the teams' thread_limit.  Lanes that are no thread of a region wait at its end.
   5. Who has left a region waits for the others of the block: what follows it, or precedes the next one, does so for all.
      If the function loads what could be written, or writes, they wait in front of regions, too: then all have loaded
      it before one of them may write, as thread 0 would have, and thread 0 has written.

   Or the frame is in the block's memory, and regions may have no stride: nvptx-lanes-blocks.c, "blocks" in what follows.  Then 2 and 3 are
   replaced by that file's invariants; what the function does to the frame are effects.

   The same with warps in place of lanes, where regions have simd loops: nvptx-lanes-warps.c.

   Called by nvptx-lanes.c, nvptx-lanes-warps.c and nvptx-lanes-rewrite.c.  */

#include "nvptx-lanes-frame.h"
#include "carry-proto.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum
{
  MOST_ARGS = LANES_CARRY_ARGS,
  MOST_DEPTH = 100,		/* of blocks in blocks that are not looked at twice */
  MOST_FRAME = 32 << 10		/* bytes of a frame in the block's memory */
};

/* ---- statements ---- */

/* S is such a load of a global variable by name.  */
static bool
is_global_load (const struct ptx_stmt *s)
{
  const struct ptx_op *op = s->kind == PTX_STMT_INSN ? s->u.insn.op : NULL;
  return lanes_is_insn (s, PTX_OP_LD, 2) && op->space == PTX_GLOBAL && op->num_types == 1
	 && op->num_words == (op->vector > 1 ? 3 : 2) && s->u.insn.operands[1].kind == PTX_O_ADDRESS;
}

static const struct ptx_operand *
address_of (const struct ptx_stmt *s)
{
  return &s->u.insn.operands[s->u.insn.op->opcode == PTX_OP_LD];
}

static bool
is_based_on (const struct ptx_stmt *s, uint32_t reg)
{
  const struct ptx_operand *o = address_of (s);
  return reg != PTX_NO_INDEX && o->kind == PTX_O_ADDRESS && o->base == PTX_O_REG && o->id == reg;
}

/* The registers that are a function's only parameter.  */
struct base
{
  uint32_t load, copy;		/* statements that set them; copy may be PTX_NO_INDEX */
  uint32_t param, alias;	/* the same of registers */
};

static bool
is_base_access (const struct ptx_stmt *s, const struct base *base)
{
  return is_based_on (s, base->param) || is_based_on (s, base->alias);
}

/* How many registers and variables of O, which may be a list of operands, IS true for; DATA is for it.  */
static uint32_t
count_if (const struct ptx_operand *o, bool (*is) (unsigned kind, uint32_t id, const void *data), const void *data)
{
  unsigned kind = o->kind == PTX_O_ADDRESS ? o->base : o->kind;
  uint32_t n = 0;
  switch (kind)
    {
    case PTX_O_VECTOR:
    case PTX_O_PAIR:
    case PTX_O_ARGS:
    case PTX_O_BRACKETS:
      for (uint32_t i = 0; i < o->id; i++)
	n += count_if (&o->u.list[i], is, data);
      return n;
    case PTX_O_REG:
    case PTX_O_VAR:
      return is (kind, o->id, data);
    default:
      return 0;
    }
}

static bool
is_base (unsigned kind, uint32_t id, const void *data)
{
  const struct base *base = data;
  return kind == PTX_O_REG && (id == base->param || id == base->alias);
}

/* How often does instruction S mention one of them?  */
static uint32_t
mentions_base (const struct ptx_stmt *s, const struct base *base)
{
  uint32_t n = s->guard != PTX_NO_INDEX && (s->guard == base->param || s->guard == base->alias);
  for (unsigned k = 0; k < s->num_operands; k++)
    n += count_if (&s->u.insn.operands[k], is_base, base);
  return n;
}

/* Are they only what plain loads add an offset to?  */
static bool
find_base (const struct ptx_function *f, struct base *base)
{
  uint32_t allowed = 0, all = 0, sets = 0, alias_sets = 0;

  *base = (struct base) { PTX_NO_INDEX, PTX_NO_INDEX, PTX_NO_INDEX, PTX_NO_INDEX };
  if (f->num_params != 1 || f->num_results != 0)
    return false;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (s->kind != PTX_STMT_INSN)
	continue;
      const struct ptx_operand *o = s->u.insn.operands;
      if (lanes_is_insn (s, PTX_OP_LD, 2) && s->u.insn.op->space == PTX_PARAM && o[1].kind == PTX_O_ADDRESS
	  && o[1].base == PTX_O_VAR && o[1].id == 0)
	{
	  if (base->load != PTX_NO_INDEX || o[0].kind != PTX_O_REG || o[0].element != 0 || o[1].u.value != 0
	      || s->guard != PTX_NO_INDEX || f->vars[o[0].id].type != PTX_U64)
	    return false;
	  base->load = i;
	  base->param = o[0].id;
	}
      else if (lanes_is_insn (s, PTX_OP_MOV, 2) && base->param != PTX_NO_INDEX && base->copy == PTX_NO_INDEX
	       && s->guard == PTX_NO_INDEX && lanes_is_reg (&o[1], base->param) && o[0].kind == PTX_O_REG
	       && o[0].element == 0 && f->vars[o[0].id].type == PTX_U64)
	{
	  base->copy = i;
	  base->alias = o[0].id;
	}
    }
  if (base->load == PTX_NO_INDEX)
    return false;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (s->kind != PTX_STMT_INSN)
	continue;
      uint32_t n = mentions_base (s, base);
      if (n == 0)
	continue;
      sets += lanes_sets_reg (s, base->param);
      alias_sets += base->copy != PTX_NO_INDEX && lanes_sets_reg (s, base->alias);
      all += n;
      if (i == base->load || i == base->copy)
	allowed += n;
      else if (lanes_is_plain (s, PTX_OP_LD) && is_base_access (s, base))
	allowed++;
    }
  return all == allowed && sets == 1 && alias_sets == (base->copy != PTX_NO_INDEX);
}

/* The block { declarations; st.param ...; call ...; [ld.param ...;] } around a call.  */
struct block
{
  uint32_t begin, end;
  struct ptx_operand args[MOST_ARGS];
  uint32_t result;		/* a register; PTX_NO_INDEX: there is none */
};

static bool
find_block (const struct ptx_function *f, const struct lanes_call *call, unsigned num_args, bool has_result,
	    struct block *b)
{
  uint32_t i = call->stmt, seen = 0;
  const struct ptx_stmt *s = &f->stmts[i];
  const struct ptx_operand *args = &s->u.insn.operands[PTX_CALL_ARGS];
  const struct ptx_operand *results = &s->u.insn.operands[PTX_CALL_RESULT];

  b->result = PTX_NO_INDEX;
  if (s->guard != PTX_NO_INDEX || num_args > MOST_ARGS || (args->kind == PTX_O_ARGS ? args->id : 0) != num_args
      || (results->kind == PTX_O_ARGS ? results->id : 0) != has_result)
    return false;
  while (i > 0 && f->stmts[i].kind != PTX_STMT_BEGIN && f->stmts[i].kind != PTX_STMT_END)
    i--;
  if (f->stmts[i].kind != PTX_STMT_BEGIN || f->stmts[i].u.match >= f->num_stmts)
    return false;
  b->begin = i;
  b->end = f->stmts[i].u.match;
  for (i = b->begin + 1; i < b->end; i++)
    {
      s = &f->stmts[i];
      if (s->kind == PTX_STMT_LOC || i == call->stmt)
	continue;
      if (s->kind == PTX_STMT_DECLARE)
	{
	  for (uint32_t k = 0; k < s->u.declare.num; k++)
	    if (f->vars[s->u.declare.first + k].space != PTX_PARAM)
	      return false;
	  continue;
	}
      bool store = lanes_is_insn (s, PTX_OP_ST, 2), load = lanes_is_insn (s, PTX_OP_LD, 2);
      if (!(store || load) || s->guard != PTX_NO_INDEX || s->u.insn.op->space != PTX_PARAM
	  || s->u.insn.op->num_words != 2)
	return false;
      const struct ptx_operand *o = s->u.insn.operands, *address = &o[load];
      if (address->kind != PTX_O_ADDRESS || address->base != PTX_O_VAR || address->u.value != 0)
	return false;
      if (load)
	{
	  if (i < call->stmt || b->result != PTX_NO_INDEX || !has_result || results->u.list[0].kind != PTX_O_VAR
	      || results->u.list[0].id != address->id || o[0].kind != PTX_O_REG || o[0].element != 0
	      || ptx_type_size (f->vars[o[0].id].type) != 4)
	    return false;
	  b->result = o[0].id;
	  continue;
	}
      unsigned n = 0;
      while (n < num_args && (args->u.list[n].kind != PTX_O_VAR || args->u.list[n].id != address->id))
	n++;
      if (i > call->stmt || n == num_args || (seen >> n & 1) != 0)
	return false;
      seen |= 1u << n;
      b->args[n] = o[1];
    }
  return seen == (1u << num_args) - 1 && (b->result != PTX_NO_INDEX || !has_result);
}

/* The block at statement I that asks the library for a number: its last statement, with the register in *RESULT and the name
   in *NAME; else 0.  */
static uint32_t
match_ask (const struct ptx_function *f, uint32_t i, uint32_t *result, ptx_name *name)
{
  const struct ptx_stmt *s = &f->stmts[i];
  if (s->kind != PTX_STMT_BEGIN || i + 4 >= f->num_stmts || s->u.match != i + 4 || s[2].kind != PTX_STMT_INSN
      || s[2].u.insn.op->opcode != PTX_OP_CALL || s[2].u.insn.operands[PTX_CALL_TARGET].kind != PTX_O_SYMBOL
      || !lanes_is_insn (&s[3], PTX_OP_LD, 2) || s[3].u.insn.operands[0].kind != PTX_O_REG)
    return 0;
  *name = s[2].u.insn.operands[PTX_CALL_TARGET].id;
  *result = s[3].u.insn.operands[0].id;
  return i + 4;
}

static bool
moves_zero (const struct ptx_stmt *s)
{
  return lanes_is_insn (s, PTX_OP_MOV, 2) && s->guard == PTX_NO_INDEX && s->u.insn.operands[1].kind == PTX_O_INT
	 && s->u.insn.operands[1].u.value == 0;
}

/* Is O 0 in front of statement AT: what it was set to last, if no label is in between, or whatever it is set to?  */
static bool
is_zero (const struct ptx_function *f, const struct ptx_operand *o, uint32_t at)
{
  bool any = false;
  if (o->kind == PTX_O_INT)
    return o->u.value == 0;
  if (o->kind != PTX_O_REG || o->element != 0)
    return false;
  for (uint32_t i = at; i-- > 0 && f->stmts[i].kind != PTX_STMT_LABEL;)
    if (lanes_sets_reg (&f->stmts[i], o->id))
      return moves_zero (&f->stmts[i]);
  for (uint32_t i = 0; i < f->num_stmts; i++)
    if (lanes_sets_reg (&f->stmts[i], o->id))
      {
	if (!moves_zero (&f->stmts[i]))
	  return false;
	any = true;
      }
  return any;
}

/* Can O be used as a number of threads: 32 bits?  */
static bool
is_count (const struct ptx_function *f, const struct ptx_operand *o)
{
  return o->kind == PTX_O_INT
	 || (o->kind == PTX_O_REG && o->element == 0 && f->vars[o->id].vector <= 1
	     && (f->vars[o->id].type == PTX_U32 || f->vars[o->id].type == PTX_S32 || f->vars[o->id].type == PTX_B32));
}

/* ---- what can be had ---- */

void
lanes_find_direct (struct lanes_work *w, struct lanes_function *lf)
{
  unsigned asks = 0;

  lf->can_be_direct = false;
  if (!lanes_has_stride (lf) || lf->object != 0 || lanes_frame_param (lf->f) == PTX_NO_INDEX)
    return;
  for (size_t i = 0; i < w->num_closure; i++)
    for (uint32_t k = 0; k < w->closure[i]->num_calls; k++)
      if (w->closure[i]->calls[k].kind == LANES_CALL_LIBRARY)
	asks++;
  /* Those of the stride: the number of threads and the thread's own; and those of the end's lock.  */
  lf->can_be_direct = asks == (lf->stride->end_locks ? 4u : 2u);
}

bool
lanes_is_answered (const struct lanes_function *lf, const struct lanes_call *call)
{
  struct block b;
  uint32_t result;
  ptx_name name;
  return find_block (lf->f, call, 0, true, &b) && match_ask (lf->f, b.begin, &result, &name) == b.end
	 && result == b.result && name == call->name;
}

enum form { FORM_LANES, FORM_WARPS, FORM_BLOCKS };

/* The call of the function GOMP_parallel: what there is to know of it.  */
static struct lanes_function *
region_of (struct lanes_work *w, const struct lanes_function *lf, uint32_t call, enum form form)
{
  for (size_t i = 0; i < w->num_parallels; i++)
    if (w->parallels[i].caller == lf && w->parallels[i].call == call && w->parallels[i].region != SIZE_MAX)
      {
	struct lanes_region *r = &w->regions[w->parallels[i].region];
	if (form == FORM_WARPS)
	  return r->root->can_be_warps ? r->root : NULL;
	if (form == FORM_BLOCKS)
	  return r->result->verdict != NVPTX_LANES_WARP_ONLY && r->root->can_be_block ? r->root : NULL;
	return r->result->verdict != NVPTX_LANES_WARP_ONLY && r->root->can_be_direct && lanes_has_stride (r->root)
	       ? r->root : NULL;
      }
  return NULL;
}

/* Statement S computes, and does nothing else.  */
static bool
is_arithmetic (const struct lanes_work *w, const struct ptx_stmt *s)
{
  static const ptx_name opcodes[]
    = { PTX_OP_ADD, PTX_OP_SUB, PTX_OP_MUL, PTX_OP_MAD, PTX_OP_DIV, PTX_OP_REM, PTX_OP_MOV, PTX_OP_CVT, PTX_OP_SHL,
	PTX_OP_SHR, PTX_OP_AND, PTX_OP_OR, PTX_OP_XOR, PTX_OP_NOT, PTX_OP_NEG, PTX_OP_MIN, PTX_OP_MAX, PTX_OP_SETP,
	PTX_OP_SELP, PTX_OP_SET, PTX_OP_CNOT, PTX_OP_BRA, PTX_OP_RET };
  const struct ptx_op *op = s->u.insn.op;
  bool known = false;

  for (size_t i = 0; i < sizeof (opcodes) / sizeof (opcodes[0]); i++)
    known |= op->opcode == opcodes[i];
  known |= lanes_is_arithmetic (op->opcode);
  for (unsigned k = 0; k < s->num_operands && known; k++)
    {
      const struct ptx_operand *o = &s->u.insn.operands[k];
      switch (o->kind)
	{
	case PTX_O_REG: case PTX_O_LABEL: case PTX_O_INT: case PTX_O_F32: case PTX_O_F64:
	  break;
	case PTX_O_SYMBOL:
	  /* The region's function.  */
	  known = op->opcode == PTX_OP_MOV && o->id != w->stacks && o->id != w->uniform;
	  break;
	case PTX_O_VECTOR:
	  for (uint32_t i = 0; i < o->id; i++)
	    known &= o->u.list[i].kind == PTX_O_REG || o->u.list[i].kind == PTX_O_INT;
	  break;
	default:
	  known = false;
	}
    }
  return known;
}

/* What is known of a function that is to be run by all lanes.  */
struct direct
{
  struct lanes_work *w;
  const struct lanes_function *lf;
  struct base base;
  struct lanes_slots slots;
  struct lanes_frame frame;
  bool based;			/* registers are addresses in the frame */
  bool more;			/* another word is shared than was known for all regions */
  struct lanes_effects effects;
  bool loads;			/* of what could be written while the kernel runs */
  bool limits;			/* regions may have fewer threads than the block has lanes */
  bool sure;			/* what is put into the text is right there; else it is read */
  bool meets;			/* regions have barriers */
  bool uneven;			/* their threads may be no whole warps */
  bool warps;			/* a thread is a warp, not a lane */
  bool blocks;
  bool pointers;		/* blocks: KNOWN tells which words of the frame are addresses in it */
  struct lanes_frame known;
  enum form form;		/* the same */
};

enum callee { CALLEE_OTHER, CALLEE_TEAMS, CALLEE_NUM_TEAMS, CALLEE_TEAM_NUM, CALLEE_PARALLEL, CALLEE_LOCK };

static enum callee
callee_of (const struct lanes_work *w, const struct lanes_call *call)
{
  if (call->kind != LANES_CALL_LIBRARY)
    return CALLEE_OTHER;
  return lanes_name_is (w->ptx, call->name, "GOMP_teams4") ? CALLEE_TEAMS
	 : lanes_name_is (w->ptx, call->name, "omp_get_num_teams") ? CALLEE_NUM_TEAMS
	 : lanes_name_is (w->ptx, call->name, "omp_get_team_num") ? CALLEE_TEAM_NUM
	 : lanes_name_is (w->ptx, call->name, "GOMP_parallel") ? CALLEE_PARALLEL
	 : lanes_name_is (w->ptx, call->name, "GOMP_atomic_start")
	   || lanes_name_is (w->ptx, call->name, "GOMP_atomic_end") ? CALLEE_LOCK : CALLEE_OTHER;
}

/* The block of call NUMBER of D's function.  */
static bool
find_call (const struct direct *d, uint32_t number, struct block *b)
{
  const struct lanes_call *call = &d->lf->calls[number];
  switch (callee_of (d->w, call))
    {
    case CALLEE_TEAMS:
      return find_block (d->lf->f, call, 4, true, b);
    case CALLEE_NUM_TEAMS:
    case CALLEE_TEAM_NUM:
      return find_block (d->lf->f, call, 0, true, b);
    case CALLEE_PARALLEL:
      return find_block (d->lf->f, call, 4, false, b);
    default:
      return false;
    }
}

/* What the end of REGION updates under the lock, if it does so, is in the frame; PLACES are its.  */
static bool
has_good_end (const struct direct *d, const struct lanes_function *region, const struct lanes_places *places)
{
  const struct lanes_stride *end = region->stride;
  int64_t at;

  if (d->form != FORM_LANES || !end->end_locks)
    return true;
  for (unsigned k = 0; k < end->num_updates; k++)
    {
      const struct ptx_operand address = { .kind = PTX_O_REG, .id = end->updates[k].address };
      if (!lanes_frame_is_place (places, &address, &at))
	return false;
    }
  return true;
}

/* Call NUMBER of D's function, in block B.  */
static bool
good_call (struct direct *d, uint32_t number, struct block *b)
{
  const struct lanes_function *lf = d->lf;
  struct lanes_function *region;
  struct lanes_places places;
  struct base base;
  uint64_t in, out;
  int64_t at;

  if (!find_call (d, number, b))
    return false;
  switch (callee_of (d->w, &lf->calls[number]))
    {
    case CALLEE_TEAMS:
      if (!is_count (lf->f, &b->args[2]))
	return false;
      d->limits |= !is_zero (lf->f, &b->args[2], b->begin);
      d->uneven |= d->blocks && !lanes_is_whole_warps (lf->f, &b->args[2]);
      return true;
    case CALLEE_PARALLEL:
      if (d->blocks)
	{
	  if (!is_count (lf->f, &b->args[2]) || (region = region_of (d->w, lf, number, d->form)) == NULL)
	    return false;
	  d->limits |= !is_zero (lf->f, &b->args[2], b->begin);
	  d->uneven |= !lanes_is_whole_warps (lf->f, &b->args[2]);
	  d->meets |= region->meets;
	  return true;
	}
      /* The number of threads, and no flags, though they say nothing that matters here.  */
      if (!is_count (lf->f, &b->args[2])
	  || (region = region_of (d->w, lf, number, d->form)) == NULL || !lanes_frame_is_place (&d->frame.places, &b->args[1], &at)
	  || !lanes_frame_region (d->w, &d->frame, region->f, at, &places, &d->more, &in, &out)
	  || !has_good_end (d, region, &places) || !lanes_add_loads (region->f, &places, &d->slots))
	return false;
      d->limits |= !is_zero (lf->f, &b->args[2], b->begin);
      d->based |= at != 0 || !find_base (region->f, &base);
      return true;
    default:
      return true;
    }
}

/* Statement I, which is one of a block around a call: does it mention the frame only to hand it on as B says?  */
static bool
good_in_block (const struct direct *d, const struct block *b, bool parallel, uint32_t i)
{
  const struct ptx_stmt *s = &d->lf->f->stmts[i];
  uint32_t n = lanes_frame_mentions (&d->frame.places, s);	/* blocks: 0 */
  if (lanes_mentions (s, d->lf->stack_reg) != 0)
    return false;
  return n == 0 || (n == 1 && parallel && lanes_is_insn (s, PTX_OP_ST, 2) && s->u.insn.operands[1].kind == PTX_O_REG
		    && s->u.insn.operands[1].id == b->args[1].id && s->u.insn.operands[1].element == b->args[1].element);
}

/* Statement I, an instruction outside of such blocks.  */
static bool
good_insn (struct direct *d, uint32_t i)
{
  const struct lanes_function *lf = d->lf;
  const struct ptx_function *f = lf->f;
  const struct ptx_stmt *s = &f->stmts[i];
  int64_t at;

  /* The frame is given back.  */
  if (lanes_is_insn (s, PTX_OP_ST, 2) && s->u.insn.op->space == PTX_SHARED && is_based_on (s, lf->slot_reg))
    return true;
  if (lanes_mentions (s, lf->stack_reg) != 0)
    return false;
  if (d->effects.what[i] != LANES_EFFECT_NONE)
    return true;
  switch (lanes_frame_use (&d->frame, i))
    {
    case LANES_FRAME_PLACE:
      d->based = true;
      return true;
    case LANES_FRAME_ACCESS:
      return lanes_frame_is_at (&d->frame.places, s, &at) && lanes_add_slots (f, s, at, &d->slots);
    case LANES_FRAME_NONE:
      return lanes_is_plain (s, PTX_OP_LD) || is_global_load (s) || is_arithmetic (d->w, s);
    default:
      return false;
    }
}

/* Are the places of SECTION what different words of the kernel's arguments point to?  */
static bool
has_own_places (const struct direct *d, const struct lanes_stride *section)
{
  const struct ptx_function *f = d->lf->f;
  uint64_t words[LANES_MOST_PARTS];

  for (unsigned k = 0; k < section->num_updates; k++)
    {
      uint32_t reg = section->updates[k].address, i = 0;
      if (!lanes_is_set_once (f, reg))
	return false;
      while (!lanes_sets_reg (&f->stmts[i], reg))
	i++;
      const struct ptx_stmt *s = &f->stmts[i];
      if (s->guard != PTX_NO_INDEX || !lanes_is_plain (s, PTX_OP_LD) || s->u.insn.op->vector > 1
	  || !is_base_access (s, &d->base) || lanes_reg_of (f, &s->u.insn.operands[0]) != reg)
	return false;
      words[k] = s->u.insn.operands[1].u.value;
      for (unsigned n = 0; n < k; n++)
	if (words[n] == words[k])
	  return false;
    }
  return true;
}

static bool
has_good_sections (const struct direct *d)
{
  for (uint32_t k = 0; k < d->effects.num_sections; k++)
    if (!has_own_places (d, &d->effects.sections[k]))
      return false;
  return true;
}

/* Statement I loads what could be written while the kernel runs, in all lanes.  */
static bool
is_load (const struct direct *d, uint32_t i)
{
  const struct ptx_stmt *s = &d->lf->f->stmts[i];
  return (lanes_is_plain (s, PTX_OP_LD) || is_global_load (s)) && d->effects.what[i] == LANES_EFFECT_NONE
	 && !is_base_access (s, &d->base)
	 && lanes_frame_mentions (&d->frame.places, s) == 0;
}

/* Lanes meet between loads and effects.  */
static bool
order (struct direct *d)
{
  const struct ptx_function *f = d->lf->f;
  bool *loads = ptx_alloc (d->w->ptx, f->num_stmts + 1), *meet = ptx_alloc (d->w->ptx, f->num_stmts + 1);
  struct block b;

  if (loads == NULL || meet == NULL)
    {
      d->w->no_memory = true;
      return false;
    }
  for (uint32_t i = 0; i < f->num_stmts; i++)
    loads[i] = is_load (d, i);
  for (uint32_t k = 0; k < d->lf->num_calls; k++)
    {
      enum callee callee = callee_of (d->w, &d->lf->calls[k]);
      if ((callee == CALLEE_TEAMS || callee == CALLEE_PARALLEL) && find_call (d, k, &b))
	meet[b.begin] = true;
    }
  return lanes_order_effects (d->w, d->lf, &d->effects, loads, meet);
}

/* Once more, until it is known which words regions write, and what that takes.  */
static bool
examine_again (struct direct *d)
{
  struct block b;
  while (d->more)
    {
      d->more = false;
      for (uint32_t k = 0; k < d->lf->num_calls; k++)
	if (callee_of (d->w, &d->lf->calls[k]) != CALLEE_LOCK && !good_call (d, k, &b))
	  return false;
    }
  d->based |= d->frame.pointers || d->frame.shared || d->blocks;
  d->pointers = d->blocks && lanes_frame_pointers (d->w, &d->known, d->lf);
  if (d->meets && d->uneven)
    return false;
  if (!lanes_frame_end (&d->frame) || !lanes_add_shared (&d->frame, &d->slots))
    return false;
  d->slots.in_memory |= d->frame.mixed;
  return !d->loads || !d->effects.any || order (d);
}

/* No call of LF is one that can't be had.  Examine would find that, too, but most functions of most programs end here.  */
static bool
has_good_callees (struct lanes_work *w, const struct lanes_function *lf, enum form form)
{
  for (uint32_t i = 0; i < lf->num_calls; i++)
    {
      enum callee callee = callee_of (w, &lf->calls[i]);
      if (callee == CALLEE_OTHER || (callee == CALLEE_PARALLEL && region_of (w, lf, i, form) == NULL))
	return false;
    }
  return true;
}

static bool
examine (struct direct *d, struct lanes_work *w, const struct lanes_function *lf, enum form form)
{
  const struct ptx_function *f = lf->f;
  uint32_t call = 0;
  bool begins = false;

  d->w = w;
  d->lf = lf;
  d->slots.num = 0;
  d->slots.in_memory = false;
  d->slots.bytes = lf->has_frame ? lf->frame_size : 0;
  d->loads = d->limits = d->based = d->more = d->meets = d->uneven = false;
  d->form = form;
  d->warps = form == FORM_WARPS;
  d->blocks = form == FORM_BLOCKS;
  if (lf->object != 0 || !lf->has_frame || !has_good_callees (w, lf, form) || !find_base (f, &d->base)
      || (d->blocks && (lf->frame_size == 0 || lf->frame_size > MOST_FRAME))
      || !(d->blocks ? lanes_frame_unknown (w, &d->frame, lf) : lanes_frame_begin (w, &d->frame, lf)) || !lanes_find_effects (w, lf, &d->frame.places, &d->effects)
      || !has_good_sections (d))
    return false;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (i == lf->frame_begin || (lf->has_uniform && i == lf->uniform_begin))
	{
	  i = i == lf->frame_begin ? lf->frame_end : lf->uniform_end;
	  continue;
	}
      if (s->kind == PTX_STMT_BEGIN && d->effects.what[i] != LANES_EFFECT_NONE)
	{
	  i = s->u.match;	/* a section's */
	  continue;
	}
      if (s->kind == PTX_STMT_BEGIN)
	{
	  /* Each block is that of a call.  */
	  struct block b;
	  while (call < lf->num_calls && lf->calls[call].stmt < i)
	    call++;
	  if (call == lf->num_calls || !good_call (d, call, &b) || b.begin != i)
	    return false;
	  bool parallel = callee_of (w, &lf->calls[call]) == CALLEE_PARALLEL;
	  begins |= parallel;
	  for (uint32_t k = b.begin; k <= b.end; k++)
	    if (!good_in_block (d, &b, parallel, k))
	      return false;
	  i = b.end;
	  continue;
	}
      switch (s->kind)
	{
	case PTX_STMT_LABEL:
	case PTX_STMT_LOC:
	  continue;
	case PTX_STMT_DECLARE:
	  for (uint32_t k = 0; k < s->u.declare.num; k++)
	    if (f->vars[s->u.declare.first + k].space != PTX_REG)
	      return false;
	  continue;
	case PTX_STMT_INSN:
	  break;
	default:
	  return false;
	}
      if (i == d->base.load)
	continue;
      if (!good_insn (d, i))
	return false;
      d->loads |= is_load (d, i);
    }
  return begins && examine_again (d);
}

/* Examine, and keep what is found for lanes_make_direct.  */
static bool
has_kernel (struct lanes_work *w, struct lanes_function *lf, enum form form)
{
  struct direct d;
  if (!examine (&d, w, lf, form))
    return false;
  lf->direct = ptx_alloc (w->ptx, sizeof (d));
  if (lf->direct != NULL)
    *lf->direct = d;
  else
    w->no_memory = true;
  return lf->direct != NULL;
}

bool
lanes_has_direct (struct lanes_work *w, struct lanes_function *lf)
{
  return has_kernel (w, lf, FORM_LANES) || has_kernel (w, lf, FORM_BLOCKS);
}

bool
lanes_has_warps (struct lanes_work *w, struct lanes_function *lf)
{
  return has_kernel (w, lf, FORM_WARPS);
}

/* ---- the text ---- */

#define NAME(ptx, name) (int) (ptx)->names[name].length, (ptx)->names[name].text

/* A parameter of the function, or a result.  */
static bool
is_param (unsigned kind, uint32_t id, const void *data)
{
  const struct ptx_function *f = data;
  (void) kind;
  return id < f->num_results + f->num_params;
}

/* Do F's statements mean the same in a block of another function, with parameters only where one is loaded and that is replaced?
   They were read once, and printed; names are what could go wrong then: those that are put in here, and those in ranges, which are
   read if they hide nothing.  */
static bool
is_sure (const struct lanes_work *w, const struct ptx_function *f)
{
  uint32_t params = 0, depth = 0;

  for (uint32_t i = 0; i < f->num_vars; i++)
    if ((f->vars[i].flags & PTX_VAR_RANGE) != 0 || lanes_name_begins (w->ptx, f->vars[i].name, "%direct"))
      return false;
  for (uint32_t i = 0; i < f->num_labels; i++)
    if (lanes_name_begins (w->ptx, f->labels[i].name, "$direct"))
      return false;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      for (unsigned k = 0; s->kind == PTX_STMT_INSN && k < s->num_operands; k++)
	params += count_if (&s->u.insn.operands[k], is_param, f);
      depth += s->kind == PTX_STMT_BEGIN;
      depth -= s->kind == PTX_STMT_END;
      if (depth > MOST_DEPTH)
	return false;
    }
  return params == 1;
}

/* How many threads a region has whose clause says CLAUSE, as accel_region_size has it; lanes that are none go to END.  */
static void
put_size (struct direct *d, struct ptx_text *out, const struct ptx_operand *clause, ptx_name end)
{
  ptx_printf (out, "\tmov.u32 %%direct_size, ");
  ptx_print_operand (out, d->lf->f, clause);
  ptx_printf (out, ";\n"
	      "\tsetp.eq.u32 %%direct_idle, %%direct_size, 0;\n"
	      "\t@%%direct_idle mov.u32 %%direct_size, %%direct_wanted;\n"
	      "\tmin.u32 %%direct_size, %%direct_size, %%direct_limit;\n"
	      "\tmin.u32 %%direct_size, %%direct_size, %%direct_threads;\n"
	      "\tsetp.ge.u32 %%direct_idle, %%direct_thread, %%direct_size;\n"
	      "\t@%%direct_idle bra %.*s;\n", NAME (d->w->ptx, end));
}

/* Is there something that one lane does?  */
static bool
leads (const struct direct *d)
{
  return d->effects.any || d->frame.shared || d->blocks;
}

/* Statement S of a region, if it is about the frame, of which there are PLACES.  */
static bool
put_access (const struct direct *d, struct ptx_text *out, const struct ptx_function *f, const struct ptx_stmt *s,
	    const struct lanes_places *places)
{
  int64_t at;
  if (!lanes_is_plain (s, PTX_OP_LD) || !lanes_frame_is_at (places, s, &at) || lanes_frame_is_shared (&d->frame, s, at))
    return false;
  lanes_put_slots (out, f, s, at, &d->slots);
  return true;
}

/* Statement S of F, a clone, loads by the region's parameter (BASE) an address in the frame, where its data is at AT: a number that the
   kernel knows.  */
static bool
put_pointer (const struct direct *d, struct ptx_text *out, const struct ptx_function *f, const struct ptx_stmt *s, const struct base *base,
	     int64_t at)
{
  const struct ptx *ptx = d->w->ptx;
  const struct lanes_frame_word *word;

  if (!lanes_is_plain (s, PTX_OP_LD) || s->u.insn.op->vector > 1 || s->guard != PTX_NO_INDEX || !is_base_access (s, base)
      || s->u.insn.operands[0].kind != PTX_O_REG || s->u.insn.operands[0].element != 0
      || ptx_type_size (f->vars[s->u.insn.operands[0].id].type) != 8
      || (word = lanes_frame_pointer (&d->known, at + (int64_t) s->u.insn.operands[1].u.value)) == NULL)
    return false;
  ptx_printf (out, "\tadd.u64 %.*s, %%direct_base, %" PRId64 ";\n", NAME (ptx, f->vars[s->u.insn.operands[0].id].name), word->target);
  return true;
}

/* The block at statement I of F, a clone, is a call of what the kernel knows, or a barrier: its last statement.  0: it is none.  */
static uint32_t
put_answer (const struct direct *d, struct ptx_text *out, const struct ptx_function *f, uint32_t i)
{
  const struct ptx *ptx = d->w->ptx;
  const char *threads = d->limits ? "%direct_size" : "%direct_threads", *value = NULL;
  uint32_t result, last;
  ptx_name asked;

  if (f->stmts[i].kind == PTX_STMT_BEGIN && i + 2 < f->num_stmts && f->stmts[i].u.match == i + 2
      && f->stmts[i + 1].kind == PTX_STMT_INSN && f->stmts[i + 1].u.insn.op->opcode == PTX_OP_CALL
      && f->stmts[i + 1].u.insn.operands[PTX_CALL_TARGET].kind == PTX_O_SYMBOL
      && lanes_answer_of (d->w, f->stmts[i + 1].u.insn.operands[PTX_CALL_TARGET].id) == LANES_ANSWER_BARRIER)
    {
      ptx_printf (out, "\tbarrier.sync 1, %s;\n", threads);
      return i + 2;
    }
  if ((last = match_ask (f, i, &result, &asked)) == 0)
    return 0;
  switch (lanes_answer_of (d->w, asked))
    {
    case LANES_ANSWER_THREAD: value = "%direct_thread"; break;
    case LANES_ANSWER_THREADS: value = threads; break;
    case LANES_ANSWER_TEAM: value = "%direct_team"; break;
    case LANES_ANSWER_TEAMS: value = "%direct_teams"; break;
    default: return 0;
    }
  ptx_printf (out, "\tmov.u32 %.*s, %s;\n", NAME (ptx, f->vars[result].name), value);
  return last;
}

/* The block at statement I of CLONE, which is REGION's, takes the lock of its end: the last statement of the section.  0: it
   doesn't.  */
static uint32_t
match_end (const struct direct *d, const struct ptx_function *clone, const struct lanes_function *region, uint32_t i)
{
  if (d->form != FORM_LANES || !region->stride->end_locks || clone->stmts[i].kind != PTX_STMT_BEGIN
      || !lanes_is_call_block (d->w, clone, i, "GOMP_atomic_start"))
    return 0;
  while (i < clone->num_stmts && !lanes_is_call_block (d->w, clone, i, "GOMP_atomic_end"))
    i++;
  return i < clone->num_stmts ? i + 2 : 0;
}

/* REGION, as the statements of a block B, which is the call's: the number of threads that is asked for, or 0, and where in the frame
   its data is.  */
static bool
put_region (struct direct *d, struct ptx_text *out, struct lanes_function *region, const struct block *b,
	    char why[PTX_WHY])
{
  struct ptx *ptx = d->w->ptx;
  ptx_name name = ptx_fresh_name (ptx, "%direct_region"), end = ptx_fresh_name (ptx, "$direct_end"), asked;
  uint32_t before = d->w->modules[0]->num_items, result, last;
  struct ptx_function *f = name == 0 || end == 0 ? NULL
			   : d->warps ? region->f : lanes_make_clone (d->w, region, name, true, why);
  const char *how_many = d->warps ? "omp_get_num_threads" : "gompx_lanes_omp_get_num_threads";
  const char *which = d->warps ? "omp_get_thread_num" : "gompx_lanes_omp_get_thread_num";
  struct lanes_places places;
  struct base base;
  uint64_t in, back;
  int64_t at;
  bool ends = d->form != FORM_LANES || !region->stride->end_locks, knows = false;

  if (f == NULL)
    return false;
  in = back = 0;
  if (!d->blocks
      && ((!d->based && !find_base (f, &base))
	  || !lanes_frame_is_place (&d->frame.places, &b->args[1], &at)
	  || !lanes_frame_region (d->w, &d->frame, region->f, at, &places, &d->more, &in, &back)))
    return false;
  if (d->based)
    {
      base = (struct base) { PTX_NO_INDEX, PTX_NO_INDEX, PTX_NO_INDEX, PTX_NO_INDEX };
      base.load = lanes_frame_param (f);
    }
  d->sure &= is_sure (d->w, f);
  /* It was made for its text.  */
  for (uint32_t i = before; i < d->w->modules[0]->num_items; i++)
    d->w->modules[0]->items[i]->left_out = true;
  /* All have what the function loaded, and a region before wrote; lane 0 has done what comes before.  */
  if (d->loads || d->effects.any || in != 0)
    ptx_printf (out, "\tbarrier.sync 0;\n");
  lanes_put_words (out, &d->frame, &d->slots, in, false);
  if (d->blocks)
    {
      /* Behind the brace its register's name may be one of the region's.  */
      ptx_printf (out, "\tmov.u64 %%direct_next, ");
      ptx_print_operand (out, d->lf->f, &b->args[1]);
      ptx_printf (out, ";\n");
      knows = d->pointers && find_base (f, &base) && lanes_frame_is_place (&d->known.places, &b->args[1], &at);
      if (!knows)
	base = (struct base) { lanes_frame_param (f), PTX_NO_INDEX, PTX_NO_INDEX, PTX_NO_INDEX };
    }
  ptx_printf (out, "%s%s\t{\n", in != 0 ? "\tbarrier.sync 0;\n" : "",
	      /* Lane 0 may have done something alone.  */
	      d->warps && leads (d) ? "\tbar.warp.sync 4294967295;\n" : "");
  if (d->limits)
    put_size (d, out, &b->args[2], end);
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (d->blocks && i == base.load)
	ptx_printf (out, "\tmov.u64 %.*s, %%direct_next;\n", NAME (ptx, f->vars[s->u.insn.operands[0].id].name));
      else if (d->based && i == base.load)
	ptx_printf (out, "\tadd.u64 %.*s, %%direct_base, %" PRId64 ";\n", NAME (ptx, f->vars[s->u.insn.operands[0].id].name),
		    at);
      if (i == base.load || (!d->blocks && i == base.copy))
	continue;
      if (knows && put_pointer (d, out, f, s, &base, at))
	continue;
      if (d->blocks && (last = put_answer (d, out, f, i)) != 0)
	i = last;
      else if ((last = match_ask (f, i, &result, &asked)) != 0
	  && (lanes_name_is (ptx, asked, how_many) || lanes_name_is (ptx, asked, which)))
	{
	  ptx_printf (out, "\tmov.u32 %.*s, %s;\n", NAME (ptx, f->vars[result].name),
		      !lanes_name_is (ptx, asked, how_many) ? "%direct_thread"
		      : d->limits ? "%direct_size" : "%direct_threads");
	  i = last;
	}
      else if ((last = match_end (d, f, region, i)) != 0)
	{
	  lanes_put_section (out, f, region->stride, d->effects.flushes);
	  ends = true;
	  i = last;
	}
      else if (lanes_is_insn (s, PTX_OP_RET, 0))
	{
	  lanes_put_guard (out, f, s);
	  ptx_printf (out, "bra %.*s;\n", NAME (ptx, end));
	}
      else if (d->blocks)
	ptx_print_stmt (out, f, s);
      else if (!put_access (d, out, f, s, &places)
	       && (!d->warps || (!lanes_put_uniform_load (out, region, &d->frame, &places, s)
				 && !lanes_put_division (out, f, &i))))
	ptx_print_stmt (out, f, s);
    }
  ptx_printf (out, "%.*s:\n\t}\n\tbarrier.sync 0;\n", NAME (ptx, end));
  lanes_put_words (out, &d->frame, &d->slots, back, true);
  return ends;
}

/* GOMP_teams4: as teams.c of the library has it.  */
static void
put_teams (struct direct *d, struct ptx_text *out, const struct ptx_function *f, const struct block *b)
{
  if (d->limits)
    {
      ptx_printf (out, "\tmov.u32 %%direct_some, ");
      ptx_print_operand (out, f, &b->args[2]);
      ptx_printf (out, ";\n"
		  "\tsetp.ne.u32 %%direct_yes, %%direct_some, 0;\n"
		  "\t@%%direct_yes mov.u32 %%direct_limit, %%direct_some;\n");
      /* nthreads-var is a number in kernels for lanes only.  */
      if (!d->warps)
	ptx_printf (out, "\t@%%direct_yes min.u32 %%direct_wanted, %%direct_wanted, %%direct_some;\n");
    }
  ptx_printf (out, "\tsetp.ne.u32 %%direct_first, ");
  ptx_print_operand (out, f, &b->args[3]);
  ptx_printf (out, ", 0;\n\t@%%direct_first mov.u32 %%direct_teams, %%direct_default;\n");
  if (!is_zero (f, &b->args[1], b->begin))
    {
      ptx_printf (out, "\tmov.u32 %%direct_some, ");
      ptx_print_operand (out, f, &b->args[0]);
      ptx_printf (out, ";\n\tmax.u32 %%direct_some, %%direct_some, %%direct_blocks;\n\tmov.u32 %%direct_most, ");
      ptx_print_operand (out, f, &b->args[1]);
      ptx_printf (out, ";\n"
		  "\tsetp.gt.u32 %%direct_yes, %%direct_blocks, %%direct_most;\n"
		  "\t@%%direct_yes mov.u32 %%direct_some, %%direct_most;\n"
		  "\tsetp.ne.u32 %%direct_yes, %%direct_most, 0;\n"
		  "\tand.pred %%direct_yes, %%direct_yes, %%direct_first;\n"
		  "\t@%%direct_yes mov.u32 %%direct_teams, %%direct_some;\n");
    }
  ptx_printf (out,
	      "\tcvt.u64.u32 %%direct_next, %%direct_team;\n"
	      "\tcvt.u64.u32 %%direct_wide, %%direct_blocks;\n"
	      "\tadd.u64 %%direct_next, %%direct_next, %%direct_wide;\n"
	      "\t@%%direct_first cvt.u64.u32 %%direct_next, %%direct_block;\n"
	      "\tcvt.u64.u32 %%direct_wide, %%direct_teams;\n"
	      "\tsetp.lt.u64 %%direct_yes, %%direct_next, %%direct_wide;\n"
	      "\t@%%direct_yes cvt.u32.u64 %%direct_team, %%direct_next;\n"
	      "\tselp.u32 %.*s, 1, 0, %%direct_yes;\n", NAME (f->module->ptx, f->vars[b->result].name));
}

/* What stands before everything: who the lane is, what the launch word says (device-abi.h), the word's address.  The entry has set
   the warp's flag for warp mode; functions that a region for lanes calls may look whether lanes are on their own
   (lanes-abi.h).  CARRIES: the first warp may have put the arguments into memory just now.  */
static void
put_begin (struct direct *d, struct ptx_text *out, const struct ptx_function *entry, bool carries)
{
  static const char lane[]
    = "\tmov.u32 %direct_some, %tid.y;\n"
      "\tmov.u64 %direct_next, __nvptx_uni;\n"
      "\tmad.wide.u32 %direct_next, %direct_some, 4, %direct_next;\n"
      "\tmov.u32 %direct_most, -1;\n"
      "\tst.shared.u32 [%direct_next], %direct_most;\n"
      "\tmov.u32 %direct_thread, %tid.x;\n"
      "\tmad.lo.u32 %direct_thread, %direct_some, 32, %direct_thread;\n"
      "\tmov.u32 %direct_threads, %ntid.y;\n"
      "\tmul.lo.u32 %direct_threads, %direct_threads, 32;\n";
  static const char warp[]
    = "\tmov.u32 %direct_thread, %tid.y;\n"
      "\tmov.u32 %direct_threads, %ntid.y;\n";
  struct ptx *ptx = d->w->ptx;

  if (d->based)
    ptx_printf (out, "\t.reg .u64 %%direct_base;\n");
  if (leads (d))
    ptx_printf (out, "\t.reg .pred %%direct_leads;\n");
  if (d->blocks)
    ptx_printf (out, "\t.shared .align %u .b8 %%direct_shared[%" PRIu64 "];\n", d->lf->frame_align > 16 ? d->lf->frame_align : 16,
		(uint64_t) d->lf->frame_size);
  if (d->frame.shared)
    ptx_printf (out, "\t.shared .align 16 .b8 %%direct_shared[%" PRId64 "];\n\t.reg .b32 %%direct_word32;\n"
		"\t.reg .b64 %%direct_word64;\n", d->frame.high - d->frame.low);
  if (d->slots.in_memory)
    ptx_printf (out, "\t.local .align %u .b8 %%direct_frame[%" PRIu64 "];\n", d->lf->frame_align, d->slots.bytes);
  else
    for (unsigned i = 0; i < d->slots.num; i++)
      ptx_printf (out, "\t.reg .b%u %%direct_slot%" PRId64 ";\n", d->slots.v[i].size * 8,
		  d->slots.v[i].offset);
  if (d->limits)
    ptx_printf (out,
		"\t.reg .u32 %%direct_limit;\n\t.reg .u32 %%direct_wanted;\n\t.reg .u32 %%direct_size;\n"
		"\t.reg .pred %%direct_idle;\n");
  ptx_printf (out,
	      "\t.reg .u32 %%direct_thread;\n\t.reg .u32 %%direct_threads;\n\t.reg .u32 %%direct_block;\n"
	      "\t.reg .u32 %%direct_blocks;\n\t.reg .u32 %%direct_team;\n\t.reg .u32 %%direct_teams;\n"
	      "\t.reg .u32 %%direct_default;\n\t.reg .u32 %%direct_some;\n\t.reg .u32 %%direct_most;\n"
	      "\t.reg .u64 %%direct_word;\n\t.reg .u64 %%direct_next;\n\t.reg .u64 %%direct_wide;\n"
	      "\t.reg .pred %%direct_first;\n\t.reg .pred %%direct_yes;\n"
	      "\t%s;\n"
	      "\tld.param.u64 %%direct_word, [%.*s];\n"
	      "%s"
	      "\tmov.u32 %%direct_block, %%ctaid.x;\n"
	      "\tmov.u32 %%direct_blocks, %%nctaid.x;\n"
	      "\tmov.u32 %%direct_team, 0;\n"
	      "\tmov.u32 %%direct_teams, 1;\n"
	      /* M << E, or the number of blocks.  */
	      "\tshr.u64 %%direct_next, %%direct_word, 48;\n"
	      "\tcvt.u32.u64 %%direct_some, %%direct_next;\n"
	      "\tshr.u32 %%direct_default, %%direct_some, 4;\n"
	      "\tand.b32 %%direct_some, %%direct_some, 15;\n"
	      "\tshl.b32 %%direct_default, %%direct_default, %%direct_some;\n"
	      "\tsetp.eq.u32 %%direct_yes, %%direct_default, 0;\n"
	      "\t@%%direct_yes mov.u32 %%direct_default, %%direct_blocks;\n"
	      /* The ICV nteams.  */
	      "\tmov.u64 %%direct_next, __gomp_additional_icvs;\n"
	      "\tld.global.u32 %%direct_some, [%%direct_next+8];\n"
	      "\tmin.u32 %%direct_most, %%direct_some, %%direct_blocks;\n"
	      "\tsetp.gt.s32 %%direct_yes, %%direct_some, 0;\n"
	      "\t@%%direct_yes mov.u32 %%direct_default, %%direct_most;\n"
	      "\tand.b64 %%direct_word, %%direct_word, 281474976710655;\n",
	      carries ? "barrier.sync 0" : "bar.warp.sync 4294967295", NAME (ptx, entry->vars[0].name),
	      d->warps ? warp : lane);
  /* thread-limit-var, nthreads-var.  */
  if (d->limits)
    ptx_printf (out,
		"\tmov.u32 %%direct_limit, %%direct_threads;\n"
		"\tmov.u32 %%direct_wanted, %%direct_threads;\n");
  if (leads (d))
    ptx_printf (out, "%s\tsetp.eq.u32 %%direct_leads, %s, 0;\n",
		/* Of thread 0 one lane.  */
		!d->warps ? "" : "\tmov.u32 %direct_some, %tid.x;\n\tor.b32 %direct_some, %direct_some, %direct_thread;\n",
		d->warps ? "%direct_some" : "%direct_thread");
  if (d->frame.shared)
    ptx_printf (out, "\tcvta.shared.u64 %%direct_base, %%direct_shared;\n"
		"\tsub.u64 %%direct_base, %%direct_base, %" PRId64 ";\n", d->frame.low);
  else if (d->blocks)
    ptx_printf (out, "\tcvta.shared.u64 %%direct_base, %%direct_shared;\n");
  else if (d->based)
    ptx_printf (out, "\tmov.u64 %%direct_base, 0;\n");
  /* They go to the block's memory before a region, set or not.  */
  for (unsigned i = 0; i < d->frame.num && !d->slots.in_memory; i++)
    if (d->frame.words[i].shared)
      ptx_printf (out, "\tmov.b%u %%direct_slot%" PRId64 ", 0;\n", d->frame.words[i].size * 8, d->frame.words[i].offset);
}

/* The entry goes on in warp mode.  */
static void
put_end (struct ptx_text *out)
{
  ptx_printf (out,
	      "\tbar.warp.sync 4294967295;\n"
	      "\tmov.u32 %%direct_some, %%tid.y;\n"
	      "\tmov.u64 %%direct_next, __nvptx_uni;\n"
	      "\tmad.wide.u32 %%direct_next, %%direct_some, 4, %%direct_next;\n"
	      "\tmov.u32 %%direct_most, 0;\n"
	      "\tst.shared.u32 [%%direct_next], %%direct_most;\n"
	      "\tbar.warp.sync 4294967295;\n");
}

static bool
put_function (struct direct *d, struct ptx_text *out, ptx_name end, char why[PTX_WHY])
{
  const struct lanes_function *lf = d->lf;
  const struct ptx_function *f = lf->f;
  struct ptx *ptx = d->w->ptx;
  uint32_t call = 0;

  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      struct block b;
      int64_t at;
      if (i == lf->frame_begin)
	{
	  if (d->based)
	    ptx_printf (out, "\tmov.u64 %.*s, %%direct_base;\n", NAME (ptx, f->vars[lf->frame_reg].name));
	  i = lf->frame_end;
	}
      else if (lf->has_uniform && i == lf->uniform_begin)
	i = lf->uniform_end;
      else if (i == d->base.load)
	ptx_printf (out, "\tmov.u64 %.*s, %%direct_word;\n", NAME (ptx, f->vars[d->base.param].name));
      else if (s->kind == PTX_STMT_BEGIN && lanes_put_effect (out, lf, &d->effects, &d->frame, i))
	i = s->u.match;
      else if (s->kind == PTX_STMT_BEGIN)
	{
	  while (lf->calls[call].stmt < i)
	    call++;
	  if (!find_call (d, call, &b))
	    return false;
	  switch (callee_of (d->w, &lf->calls[call]))
	    {
	    case CALLEE_TEAMS:
	      put_teams (d, out, f, &b);
	      break;
	    case CALLEE_NUM_TEAMS:
	      ptx_printf (out, "\tmov.u32 %.*s, %%direct_teams;\n", NAME (ptx, f->vars[b.result].name));
	      break;
	    case CALLEE_TEAM_NUM:
	      ptx_printf (out, "\tmov.u32 %.*s, %%direct_team;\n", NAME (ptx, f->vars[b.result].name));
	      break;
	    default:
	      if (!put_region (d, out, region_of (d->w, lf, call, d->form), &b, why))
		return false;
	    }
	  i = b.end;
	}
      else if (s->kind == PTX_STMT_INSN && lanes_is_insn (s, PTX_OP_ST, 2) && s->u.insn.op->space == PTX_SHARED)
	continue;		/* the frame is given back */
      else if (lanes_is_insn (s, PTX_OP_RET, 0))
	{
	  lanes_put_guard (out, f, s);
	  ptx_printf (out, "bra %.*s;\n", NAME (ptx, end));
	}
      else if (lanes_frame_is_at (&d->frame.places, s, &at))
	lanes_put_slots (out, f, s, at, &d->slots);
      else if (!lanes_put_effect (out, lf, &d->effects, &d->frame, i) && (!d->warps || !lanes_put_division (out, f, &i)))
	ptx_print_stmt (out, f, s);
    }
  return true;
}

/* A call of what nvptx-carry.c has put in, which is number NUMBER of ENTRY's: its last statement.  0: it is none, or not as there.  */
static uint32_t
put_carry (struct ptx_text *out, const struct lanes_function *entry, uint32_t number)
{
  const struct lanes_call *call = &entry->calls[number];
  const struct ptx *ptx = entry->f->module->ptx;
  struct block b;

  if (lanes_name_is (ptx, call->name, NVPTX_CARRY_IN) && find_block (entry->f, call, LANES_CARRY_IN_ARGS, false, &b))
    lanes_put_carry_in (out, entry->f, b.args);
  else if (lanes_name_is (ptx, call->name, NVPTX_CARRY_OUT) && find_block (entry->f, call, LANES_CARRY_ARGS, false, &b))
    lanes_put_carry_out (out, entry->f, b.args);
  else
    return 0;
  return b.end;
}

bool
lanes_make_direct (struct lanes_work *w, const struct lanes_function *entry, const struct lanes_function *lf,
		   ptx_name name, char why[PTX_WHY])
{
  struct ptx_module *module = w->modules[0];
  const struct ptx_function *f = entry->f;
  struct direct d = *lf->direct;	/* another kernel may run the same function */
  struct ptx_text *text = &w->texts[0];
  struct ptx_function head = *f;
  ptx_name end = ptx_fresh_name (w->ptx, "$direct_exit");
  bool good, carries = entry->num_calls > 1;
  uint32_t call = 0, last;

  if (end == 0 || !lanes_declare_icvs (w, why) || (d.warps != lf->is_warps && !examine (&d, w, lf, lf->is_warps ? FORM_WARPS : d.form)))
    return false;
  size_t begin = text->size;
  ptx_printf (text, "// BEGIN GLOBAL FUNCTION DEF: %.*s\n", NAME (w->ptx, name));
  head.name = name;
  head.has_body = false;
  ptx_print_function (text, &head);
  /* Up to the `;' of a declaration.  */
  while (text->size > begin && text->text[text->size - 1] != ')')
    text->size--;
  ptx_printf (text, "\n{\n");
  good = text->size > begin;
  d.sure = is_sure (w, lf->f) && (lf->f->vars[lf->frame_reg].flags & PTX_VAR_INNER) == 0;
  for (uint32_t i = 0; i < f->num_stmts && good; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      const struct lanes_call *main = NULL;
      while (call < entry->num_calls && entry->calls[call].stmt < i)
	call++;
      if (s->kind == PTX_STMT_BEGIN && call < entry->num_calls && entry->calls[call].stmt < s->u.match
	  && lanes_name_is (w->ptx, entry->calls[call].name, "gomp_nvptx_main"))
	main = &entry->calls[call];
      if (main != NULL)
	{
	  ptx_printf (text, "\t{\n");
	  put_begin (&d, text, f, carries);
	  good = put_function (&d, text, end, why);
	  ptx_printf (text, "%.*s:\n", NAME (w->ptx, end));
	  if (carries && !d.warps)
	    put_end (text);
	  ptx_printf (text, "\t}\n");
	  i = s->u.match;
	}
      else if (s->kind == PTX_STMT_BEGIN && call < entry->num_calls && (last = put_carry (text, entry, call)) != 0)
	i = last;
      else if (!lanes_is_insn (s, PTX_OP_MOV, 2) || s->u.insn.operands[1].kind != PTX_O_SYMBOL
	       || s->u.insn.operands[1].id != lf->f->name)
	ptx_print_stmt (text, f, s);
    }
  ptx_printf (text, "}\n");
  if (!good || text->no_memory)
    return false;
  uint32_t before = module->num_items;
  if (d.sure ? ptx_declare_function (module, f, name) == NULL
      : !ptx_add_items (module, text->text + begin, text->size - begin, why))
    return false;
  for (uint32_t i = before; i < module->num_items; i++)
    module->items[i]->left_out = true;	/* the text has it */
  return true;
}
