/* nvptx-lanes-direct.c -- kernels whose lanes run a whole target region by themselves, without the library.

   What a plain `target teams distribute parallel for' becomes is a function that asks which teams it runs, computes each one's
   part of the loop, leaves that and the region's arguments in a data block, and calls GOMP_parallel.  One thread does
   so, and the library hands the block's address to the others.  If all that is computed comes from
   the kernel's arguments every lane can compute it for itself, and gets the same.  Then the kernel needs no thread 0, no soft stack,
   no team and no call through a pointer: the function and the region stand in the kernel's own text, the data block
   is registers (or, where they share places or are small, an array of the lane's), and the GPU's compiler sees all of it.  Each kernel has as many registers as it needs, instead of as many
   as any function of the image.

   Here is found out which can be so; nvptx-lanes-direct-emit.c writes them.

   Owns: lanes_function.can_be_direct and direct.

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

   Called by nvptx-lanes.c, nvptx-lanes-blocks.c, nvptx-lanes-warps.c, nvptx-lanes-rewrite.c and nvptx-lanes-direct-emit.c.  */

#include "nvptx-lanes-direct.h"

#include <stdlib.h>
#include <string.h>

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

bool
lanes_is_base_access (const struct ptx_stmt *s, const struct lanes_base *base)
{
  return is_based_on (s, base->param) || is_based_on (s, base->alias);
}

/* How many registers and variables of O, which may be a list of operands, IS true for; DATA is for it.  */
uint32_t
lanes_count_if (const struct ptx_operand *o, bool (*is) (unsigned kind, uint32_t id, const void *data), const void *data)
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
	n += lanes_count_if (&o->u.list[i], is, data);
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
  const struct lanes_base *base = data;
  return kind == PTX_O_REG && (id == base->param || id == base->alias);
}

/* How often does instruction S mention one of them?  */
static uint32_t
mentions_base (const struct ptx_stmt *s, const struct lanes_base *base)
{
  uint32_t n = s->guard != PTX_NO_INDEX && (s->guard == base->param || s->guard == base->alias);
  for (unsigned k = 0; k < s->num_operands; k++)
    n += lanes_count_if (&s->u.insn.operands[k], is_base, base);
  return n;
}

/* S is an access to such an address and a number: what it stores is none.  */
static bool
changes_at_base (const struct ptx_stmt *s, const struct lanes_base *base)
{
  if (lanes_is_plain (s, PTX_OP_ST))
    return lanes_is_base_access (s, base) && mentions_base (s, base) == 1;
  if (s->kind != PTX_STMT_INSN
      || (s->u.insn.op->opcode != PTX_OP_ATOM && s->u.insn.op->opcode != PTX_OP_RED))
    return false;
  const struct ptx_operand *o = &s->u.insn.operands[s->u.insn.op->opcode == PTX_OP_ATOM];
  return o->kind == PTX_O_ADDRESS && o->base == PTX_O_REG
	 && (o->id == base->param || o->id == base->alias) && mentions_base (s, base) == 1;
}

bool
lanes_changes_word (const struct ptx_function *f, const struct lanes_base *base, int64_t offset,
		    unsigned size)
{
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (!changes_at_base (s, base))
	continue;
      const struct ptx_op *op = s->u.insn.op;
      int64_t at = (int64_t) s->u.insn.operands[op->opcode == PTX_OP_ATOM].u.value;
      /* Of an atomic operation what it is to change is not looked for.  */
      unsigned bytes = op->opcode != PTX_OP_ST || op->num_types == 0
		       ? 16 : ptx_type_size (op->types[0]) * (op->vector > 1 ? op->vector : 1);
      if (at < offset + size && offset < at + bytes)
	return true;
    }
  return false;
}

bool
lanes_find_base (const struct ptx_function *f, struct lanes_base *base, bool changes)
{
  uint32_t allowed = 0, all = 0, sets = 0, alias_sets = 0;

  *base = (struct lanes_base) { PTX_NO_INDEX, PTX_NO_INDEX, PTX_NO_INDEX, PTX_NO_INDEX };
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
      else if ((lanes_is_plain (s, PTX_OP_LD) && lanes_is_base_access (s, base))
	       || (changes && changes_at_base (s, base)))
	allowed++;
    }
  return all == allowed && sets == 1 && alias_sets == (base->copy != PTX_NO_INDEX);
}

bool
lanes_call_block (const struct ptx_function *f, const struct lanes_call *call, unsigned num_args, unsigned result_size,
	    struct lanes_block *b)
{
  uint32_t i = call->stmt, seen = 0;
  const struct ptx_stmt *s = &f->stmts[i];
  const struct ptx_operand *args = &s->u.insn.operands[PTX_CALL_ARGS];
  const struct ptx_operand *results = &s->u.insn.operands[PTX_CALL_RESULT];

  bool has_result = result_size != 0;
  b->result = PTX_NO_INDEX;
  b->result_type = 0;
  if (s->guard != PTX_NO_INDEX || num_args > LANES_BLOCK_ARGS || (args->kind == PTX_O_ARGS ? args->id : 0) != num_args
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
	      || ptx_type_size (f->vars[o[0].id].type) != result_size)
	    return false;
	  b->result = o[0].id;
	  b->result_type = s->u.insn.op->num_types == 1 ? s->u.insn.op->types[0] : 0;
	  continue;
	}
      unsigned n = 0;
      while (n < num_args && (args->u.list[n].kind != PTX_O_VAR || args->u.list[n].id != address->id))
	n++;
      if (i > call->stmt || n == num_args || (seen >> n & 1) != 0)
	return false;
      seen |= 1u << n;
      b->args[n] = o[1];
      b->types[n] = s->u.insn.op->num_types == 1 ? s->u.insn.op->types[0] : 0;
    }
  return seen == (1u << num_args) - 1;
}

/* The block at statement I that asks the library for a number: its last statement, with the register in *RESULT and the name
   in *NAME; else 0.  */
uint32_t
lanes_match_ask (const struct ptx_function *f, uint32_t i, uint32_t *result, ptx_name *name)
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
bool
lanes_is_zero (const struct ptx_function *f, const struct ptx_operand *o, uint32_t at)
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
  struct lanes_block b;
  uint32_t result;
  ptx_name name;
  return lanes_call_block (lf->f, call, 0, 4, &b) && lanes_match_ask (lf->f, b.begin, &result, &name) == b.end
	 && result == b.result && name == call->name;
}

/* The call of the function GOMP_parallel: what there is to know of it.  */
struct lanes_function *
lanes_direct_region (struct lanes_work *w, const struct lanes_function *lf, uint32_t call, enum lanes_form form)
{
  for (size_t i = 0; i < w->num_parallels; i++)
    if (w->parallels[i].caller == lf && w->parallels[i].call == call && w->parallels[i].region != SIZE_MAX)
      {
	struct lanes_region *r = &w->regions[w->parallels[i].region];
	if (form == LANES_FORM_WARPS)
	  return r->root->can_be_warps ? r->root : NULL;
	if (form == LANES_FORM_BLOCKS)
	  return r->result->verdict != NVPTX_LANES_WARP_ONLY && r->root->can_be_block ? r->root : NULL;
	return r->result->verdict != NVPTX_LANES_WARP_ONLY && r->root->can_be_direct && lanes_has_stride (r->root)
	       ? r->root : NULL;
      }
  return NULL;
}

bool
lanes_computes (ptx_name opcode)
{
  static const ptx_name others[]
    = { PTX_OP_BRA, PTX_OP_RET, PTX_OP_BFIND, PTX_OP_BREV, PTX_OP_CLZ, PTX_OP_COPYSIGN, PTX_OP_COS,
	PTX_OP_EX2, PTX_OP_LG2, PTX_OP_LOP3, PTX_OP_MAD24, PTX_OP_MUL24, PTX_OP_POPC, PTX_OP_RCP,
	PTX_OP_RSQRT, PTX_OP_SAD, PTX_OP_SHF, PTX_OP_SIN, PTX_OP_SQRT, PTX_OP_TANH, PTX_OP_TESTP,
	PTX_OP_VADD, PTX_OP_VSUB };

  for (size_t i = 0; i < sizeof (others) / sizeof (others[0]); i++)
    if (others[i] == opcode)
      return true;
  return lanes_is_arithmetic (opcode);
}

bool
lanes_only_computes (const struct lanes_work *w, const struct ptx_stmt *s)
{
  const struct ptx_op *op = s->u.insn.op;
  bool known = lanes_computes (op->opcode);

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

/* Statement S of a function gets to no memory but that of its own activation, and constants.  */
static bool
is_own_access (const struct ptx_stmt *s)
{
  const struct ptx_op *op = s->u.insn.op;
  return (lanes_is_insn (s, PTX_OP_LD, 2) && (op->space == PTX_PARAM || op->space == PTX_LOCAL || op->space == PTX_CONST))
	 || (lanes_is_insn (s, PTX_OP_ST, 2) && (op->space == PTX_PARAM || op->space == PTX_LOCAL));
}

/* Does LF itself compute the same in all lanes that have the same arguments, do nothing else, and
   know nothing of the warp: no frame on its stack, no look at its flag?  */
static bool
is_pure (struct lanes_work *w, struct lanes_function *lf)
{
  lanes_scan (w, lf);
  if (lf->reason != LANES_NO_REASON || lf->has_frame || lf->has_uniform)
    return false;
  for (uint32_t k = 0; k < lf->num_calls; k++)
    if (lf->calls[k].kind != LANES_CALL_CODE)
      return false;
  for (uint32_t i = 0; i < lf->f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &lf->f->stmts[i];
      if (s->kind == PTX_STMT_INSN && s->u.insn.op->opcode != PTX_OP_CALL && !is_own_access (s)
	  && !lanes_only_computes (w, s))
	return false;
      for (uint32_t k = 0; s->kind == PTX_STMT_DECLARE && k < s->u.declare.num; k++)
	{
	  ptx_name space = lf->f->vars[s->u.declare.first + k].space;
	  if (space != PTX_REG && space != PTX_PARAM && space != PTX_LOCAL)
	    return false;
	}
    }
  return true;
}

/* Find out whether LF and all that it calls are such: then calls of each other are.  Uses w->closure
   behind what is in it.  */
static void
find_pure (struct lanes_work *w, struct lanes_function *lf)
{
  size_t from = w->num_closure;
  bool again = lf->pure == LANES_PURE_UNKNOWN && (w->mark++, lanes_add_to_closure (w, lf));

  for (size_t i = from; again && i < w->num_closure; i++)
    {
      struct lanes_function *other = w->closure[i];
      if (other->pure != LANES_PURE_UNKNOWN)
	continue;
      other->pure = is_pure (w, other) ? LANES_PURE_YES : LANES_PURE_NO;
      for (uint32_t k = 0; k < other->num_calls && other->pure == LANES_PURE_YES; k++)
	if (other->calls[k].kind == LANES_CALL_CODE
	    && !lanes_add_to_closure (w, other->calls[k].callee))
	  lf->pure = LANES_PURE_NO;
    }
  for (size_t i = from, num = w->num_closure; again && i < num; i++)
    if ((w->flags & NVPTX_LANES_RECURSION) == 0 && w->closure[i]->pure == LANES_PURE_YES
	&& lanes_is_recursive (w, w->closure[i]))
      w->closure[i]->pure = LANES_PURE_NO;
  while (again)
    {
      again = false;
      for (size_t i = from; i < w->num_closure; i++)
	for (uint32_t k = 0; k < w->closure[i]->num_calls; k++)
	  if (w->closure[i]->pure == LANES_PURE_YES && w->closure[i]->calls[k].kind == LANES_CALL_CODE
	      && w->closure[i]->calls[k].callee->pure == LANES_PURE_NO)
	    {
	      w->closure[i]->pure = LANES_PURE_NO;
	      again = true;
	    }
    }
  w->num_closure = from;
}

bool
lanes_is_pure (struct lanes_work *w, struct lanes_function *lf)
{
  find_pure (w, lf);
  return lf->pure == LANES_PURE_YES;
}

enum lanes_callee
lanes_direct_callee (const struct lanes_work *w, const struct lanes_call *call)
{
  if (call->kind == LANES_CALL_CODE && call->callee->pure == LANES_PURE_YES)
    return LANES_CALLEE_PURE;
  if (call->kind != LANES_CALL_LIBRARY)
    return LANES_CALLEE_OTHER;
  return lanes_name_is (w->ptx, call->name, "GOMP_teams4") ? LANES_CALLEE_TEAMS
	 : lanes_is_routine (w->ptx, call->name, "omp_get_num_teams") ? LANES_CALLEE_NUM_TEAMS
	 : lanes_is_routine (w->ptx, call->name, "omp_get_team_num") ? LANES_CALLEE_TEAM_NUM
	 : lanes_name_is (w->ptx, call->name, "GOMP_parallel") ? LANES_CALLEE_PARALLEL
	 : lanes_name_is (w->ptx, call->name, "GOMP_atomic_start")
	   || lanes_name_is (w->ptx, call->name, "GOMP_atomic_end") ? LANES_CALLEE_LOCK : LANES_CALLEE_OTHER;
}

/* The block of call NUMBER of D's function.  */
bool
lanes_direct_call (const struct direct *d, uint32_t number, struct lanes_block *b)
{
  const struct lanes_call *call = &d->lf->calls[number];
  switch (lanes_direct_callee (d->w, call))
    {
    case LANES_CALLEE_TEAMS:
      return lanes_call_block (d->lf->f, call, 4, 4, b) && b->result != PTX_NO_INDEX;
    case LANES_CALLEE_NUM_TEAMS:
    case LANES_CALLEE_TEAM_NUM:
      return lanes_call_block (d->lf->f, call, 0, 4, b) && b->result != PTX_NO_INDEX;
    case LANES_CALLEE_PARALLEL:
      return lanes_call_block (d->lf->f, call, 4, 0, b);
    case LANES_CALLEE_PURE:
      {
	const struct ptx_function *callee = call->callee->f;
	return callee->num_results <= 1
	       && lanes_call_block (d->lf->f, call, callee->num_params,
				    callee->num_results == 1 ? ptx_type_size (callee->vars[0].type) : 0, b);
      }
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

  if (d->form != LANES_FORM_LANES || !end->end_locks)
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
good_call (struct direct *d, uint32_t number, struct lanes_block *b)
{
  const struct lanes_function *lf = d->lf;
  struct lanes_function *region;
  struct lanes_places places;
  struct lanes_base base;
  uint64_t in, out;
  int64_t at;

  if (!lanes_direct_call (d, number, b))
    return false;
  switch (lanes_direct_callee (d->w, &lf->calls[number]))
    {
    case LANES_CALLEE_TEAMS:
      if (!is_count (lf->f, &b->args[2]))
	return false;
      d->limits |= !lanes_is_zero (lf->f, &b->args[2], b->begin);
      d->uneven |= d->form == LANES_FORM_BLOCKS && !lanes_is_whole_warps (lf->f, &b->args[2]);
      return true;
    case LANES_CALLEE_PARALLEL:
      if (d->form == LANES_FORM_BLOCKS)
	{
	  if (!is_count (lf->f, &b->args[2]) || (region = lanes_direct_region (d->w, lf, number, d->form)) == NULL)
	    return false;
	  d->uneven |= !lanes_is_whole_warps (lf->f, &b->args[2]);
	  d->meets |= region->meets;
	  d->locks |= region->locks;
	  return true;
	}
      /* The number of threads, and no flags, though they say nothing that matters here.  */
      if (!is_count (lf->f, &b->args[2])
	  || (region = lanes_direct_region (d->w, lf, number, d->form)) == NULL || !lanes_frame_is_place (&d->frame.places, &b->args[1], &at)
	  || !lanes_frame_region (d->w, &d->frame, region->f, at, &places, &d->more, &in, &out)
	  || !has_good_end (d, region, &places) || !lanes_add_loads (region->f, &places, &d->slots))
	return false;
      d->limits |= !lanes_is_zero (lf->f, &b->args[2], b->begin);
      d->based |= at != 0 || !lanes_find_base (region->f, &base, false);
      return true;
    default:
      return true;
    }
}

/* S mentions where the warp's stack pointer is kept, or what it was.  */
static bool
mentions_slot (const struct lanes_function *lf, const struct ptx_stmt *s)
{
  return lanes_mentions (s, lf->slot_reg) != 0 || lanes_mentions (s, lf->previous_reg) != 0;
}

/* Statement I, which is one of a block around a call: does it mention the frame only to hand it on as B says?  */
static bool
good_in_block (const struct direct *d, const struct lanes_block *b, bool parallel, uint32_t i)
{
  const struct ptx_stmt *s = &d->lf->f->stmts[i];
  uint32_t n = lanes_frame_mentions (&d->frame.places, s);	/* blocks: 0 */
  if (lanes_mentions (s, d->lf->stack_reg) != 0 || mentions_slot (d->lf, s))
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

  /* The frame is given back, or longer.  */
  if (lanes_is_insn (s, PTX_OP_ST, 2) && s->u.insn.op->space == PTX_SHARED && is_based_on (s, lf->slot_reg))
    return true;
  if (mentions_slot (lf, s) || (lanes_mentions (s, lf->stack_reg) != 0 && !d->grows))
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
      return lanes_is_plain (s, PTX_OP_LD) || is_global_load (s) || lanes_only_computes (d->w, s);
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
	  || !lanes_is_base_access (s, &d->base) || lanes_reg_of (f, &s->u.insn.operands[0]) != reg)
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
	 && !lanes_is_base_access (s, &d->base)
	 && lanes_frame_mentions (&d->frame.places, s) == 0;
}

/* Is register REG of the function a word of the kernel's arguments?  Memory that it points to is none
   of the block, which begins with the kernel.  */
static bool
is_argument (const struct direct *d, uint32_t reg)
{
  const struct ptx_function *f = d->lf->f;
  uint32_t sets = 0;

  for (uint32_t i = 0; i < f->num_stmts; i++)
    if (f->stmts[i].kind == PTX_STMT_INSN && lanes_sets_reg (&f->stmts[i], reg))
      {
	if (!lanes_is_plain (&f->stmts[i], PTX_OP_LD)
	    || !lanes_is_base_access (&f->stmts[i], &d->base)
	    || lanes_reg_of (f, &f->stmts[i].u.insn.operands[0]) != reg)
	  return false;
	sets++;
      }
  return sets > 0;
}

/* Where statement I, a load or an effect, gets to memory.  */
static void
find_touch (const struct direct *d, uint32_t i, struct lanes_touch *touch)
{
  const struct ptx_stmt *s = &d->lf->f->stmts[i];
  const struct ptx_operand *o;

  if (s->kind != PTX_STMT_INSN)
    return;
  if (is_global_load (s))
    touch->where = LANES_WHERE_ELSEWHERE;
  if (!lanes_is_plain (s, PTX_OP_LD) && !lanes_is_plain (s, PTX_OP_ST))
    return;
  o = address_of (s);
  if (d->pointers && lanes_frame_is_at (&d->known.places, s, &touch->from))
    {
      const struct ptx_op *op = s->u.insn.op;
      touch->where = LANES_WHERE_FRAME;
      touch->end = touch->from
		   + (int64_t) ptx_type_size (op->types[0]) * (op->vector > 1 ? op->vector : 1);
    }
  else if (o->kind == PTX_O_ADDRESS && o->base == PTX_O_REG && o->element == 0
	   && d->lf->f->vars[o->id].vector <= 1 && is_argument (d, o->id))
    touch->where = LANES_WHERE_ELSEWHERE;
}

/* Lanes meet between loads and effects.  */
static bool
order (struct direct *d)
{
  const struct ptx_function *f = d->lf->f;
  struct lanes_touch *touches = ptx_alloc (d->w->ptx, (f->num_stmts + 1) * sizeof (*touches));
  bool *meet = ptx_alloc (d->w->ptx, f->num_stmts + 1);
  struct lanes_block b;

  if (touches == NULL || meet == NULL)
    {
      d->w->no_memory = true;
      return false;
    }
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      touches[i].loads = is_load (d, i);
      if (touches[i].loads || d->effects.what[i] != LANES_EFFECT_NONE)
	find_touch (d, i, &touches[i]);
    }
  for (uint32_t k = 0; k < d->lf->num_calls; k++)
    {
      enum lanes_callee callee = lanes_direct_callee (d->w, &d->lf->calls[k]);
      if ((callee == LANES_CALLEE_TEAMS || callee == LANES_CALLEE_PARALLEL) && lanes_direct_call (d, k, &b))
	meet[b.begin] = true;
    }
  return lanes_order_effects (d->w, d->lf, &d->effects, touches, meet);
}

/* Once more, until it is known which words regions write, and what that takes.  */
static bool
examine_again (struct direct *d)
{
  struct lanes_block b;
  while (d->more)
    {
      d->more = false;
      for (uint32_t k = 0; k < d->lf->num_calls; k++)
	if (lanes_direct_callee (d->w, &d->lf->calls[k]) != LANES_CALLEE_LOCK && !good_call (d, k, &b))
	  return false;
    }
  d->based |= d->frame.pointers || d->frame.shared || d->form == LANES_FORM_BLOCKS;
  d->pointers = d->form == LANES_FORM_BLOCKS && lanes_frame_pointers (d->w, &d->known, d->lf);
  if (d->meets && d->uneven)
    return false;
  /* The library's locks are in shared memory, too, with all else of a block's.  */
  if (d->locks && d->grows && d->lf->frame_size + LANES_SHARED_GROWTH > LANES_SHARED_FRAME)
    return false;
  if (!lanes_frame_end (&d->frame) || !lanes_add_shared (&d->frame, &d->slots))
    return false;
  d->slots.in_memory |= d->frame.mixed;
  return !d->loads || !d->effects.any || order (d);
}

/* No call of LF is one that can't be had.  Examine would find that, too, but most functions of most programs end here.  */
static bool
has_good_callees (struct lanes_work *w, const struct lanes_function *lf, enum lanes_form form)
{
  for (uint32_t i = 0; i < lf->num_calls; i++)
    {
      enum lanes_callee callee = lanes_direct_callee (w, &lf->calls[i]);
      if (callee == LANES_CALLEE_OTHER || (callee == LANES_CALLEE_PARALLEL && lanes_direct_region (w, lf, i, form) == NULL))
	return false;
    }
  return true;
}

static bool
examine (struct direct *d, struct lanes_work *w, const struct lanes_function *lf, enum lanes_form form)
{
  const struct ptx_function *f = lf->f;
  uint32_t call = 0;
  bool begins = false;

  d->w = w;
  d->lf = lf;
  d->slots.num = 0;
  d->num_inner = 0;
  d->num_regions = 0;
  d->groups = false;
  d->slots.in_memory = false;
  d->slots.bytes = lf->has_frame ? lf->frame_size : 0;
  d->loads = d->limits = d->based = d->more = d->meets = d->locks = d->uneven = false;
  d->form = form;
  d->grows = form == LANES_FORM_BLOCKS && lf->has_frame && lanes_frame_grows (lf);
  /* The launch may tell a limit, or an ICV does.  */
  d->limits = form != LANES_FORM_WARPS;
  if (lf->object != 0 || !lf->has_frame || !has_good_callees (w, lf, form) || !lanes_find_base (f, &d->base, false)
      || (d->form == LANES_FORM_BLOCKS && (lf->frame_size == 0 || lf->frame_size > LANES_SHARED_FRAME))
      || !(d->form == LANES_FORM_BLOCKS ? lanes_frame_unknown (w, &d->frame, lf) : lanes_frame_begin (w, &d->frame, lf)) || !lanes_find_effects (w, lf, &d->frame.places, &d->effects)
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
      /* Each block is that of a call, or of what has come in the place of one (nvptx-inline-copy.c).  */
      if (s->kind == PTX_STMT_BEGIN && (lanes_block_calls (lf, i, &call) || form != LANES_FORM_BLOCKS))
	{
	  struct lanes_block b;
	  if (call == lf->num_calls || !good_call (d, call, &b) || b.begin != i)
	    return false;
	  bool parallel = lanes_direct_callee (w, &lf->calls[call]) == LANES_CALLEE_PARALLEL;
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
	case PTX_STMT_BEGIN:
	case PTX_STMT_END:
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

bool
lanes_examine_direct (struct direct *d, struct lanes_work *w, const struct lanes_function *lf, bool warps)
{
  return warps ? examine (d, w, lf, LANES_FORM_WARPS)
	 : examine (d, w, lf, LANES_FORM_LANES) || examine (d, w, lf, LANES_FORM_BLOCKS);
}

/* Examine, and keep what is found for lanes_make_direct.  */
static bool
has_kernel (struct lanes_work *w, struct lanes_function *lf, bool warps)
{
  struct direct d;
  for (uint32_t k = 0; k < lf->num_calls; k++)
    if (lf->calls[k].kind == LANES_CALL_CODE)
      find_pure (w, lf->calls[k].callee);
  if (!lanes_examine_direct (&d, w, lf, warps))
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
  return has_kernel (w, lf, false);
}

bool
lanes_has_warps (struct lanes_work *w, struct lanes_function *lf)
{
  return has_kernel (w, lf, true);
}
