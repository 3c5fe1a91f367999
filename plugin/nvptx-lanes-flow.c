/* nvptx-lanes-flow.c -- do addresses of local variables stay with their lane?

   In lane code frames are in .local memory: the address of a local variable means another place in
   each lane.  So it must not get where another lane, or another warp, could use it.  The functions that a
   region calls, itself included (w->closure), are looked at together, without regard to the order of statements:
   each register, parameter and result is one of

     NOTHING	nothing is known to get there
     OTHER	no address of a local variable
     LANE	surely an address in the lane's own frames
     MIXED	may be either

   which only rises, from NOTHING by OTHER or LANE to MIXED, until nothing changes.

   Invariants
   1. What may be an address of a local variable is stored only through what surely is one.  If that happens anywhere in the
      closure, anything that is loaded through what may be one is MIXED: there is one
      bit for all the contents of all frames.  Elsewhere in memory there is no such address, as the first sentence
      holds for all lane code, or the region is refused.
   2. Any arithmetic on such an address gives one; a difference, a hash, a part of one is one, too.  Only
      predicates aren't.
   3. Address plus number stays inside of the frame: who steps out of a variable has undefined behaviour in C.
   4. Library functions may use addresses while they are called (config/nvptx/lanes-abi.h); vprintf reads them
      at once.

   Called by nvptx-lanes.c for each region whose functions have no reason against lanes of their own.  */

#include "nvptx-lanes-work.h"

#include <stdlib.h>
#include <string.h>

enum value { NOTHING, OTHER, LANE, MIXED };

static inline uint8_t
join (uint8_t a, uint8_t b)
{
  return a | b;
}

_Static_assert ((OTHER | LANE) == MIXED, "join is a bitwise or");

struct flow
{
  struct lanes_work *w;
  uint8_t *vars;		/* of the function at hand */
  bool frames_hold;		/* invariant 1: an address is stored in a frame */
  bool changed;
  /* The first thing that is wrong; looked for in the last pass.  */
  bool checking;
  enum nvptx_lanes_reason reason;
  struct lanes_function *where;
  ptx_name name;
  uint32_t line;
};

static void
raise_to (struct flow *flow, uint8_t *cell, uint8_t value)
{
  uint8_t now = join (*cell, value);
  if (now != *cell)
    {
      *cell = now;
      flow->changed = true;
    }
}

/* What operand O is as a value: the address that it names, or a register's content.  */
static uint8_t
value_of (const struct flow *flow, const struct lanes_function *lf, const struct ptx_operand *o)
{
  uint8_t value = NOTHING;
  switch (o->kind == PTX_O_ADDRESS ? o->base : o->kind)
    {
    case PTX_O_REG:
      return flow->vars[o->id];
    case PTX_O_VAR:
      return lf->f->vars[o->id].space == PTX_LOCAL ? LANE : OTHER;
    case PTX_O_VECTOR:
    case PTX_O_PAIR:
      for (uint32_t i = 0; i < o->id; i++)
	value = join (value, value_of (flow, lf, &o->u.list[i]));
      return value;
    default:
      return OTHER;
    }
}

static void
set_result (struct flow *flow, const struct lanes_function *lf, const struct ptx_operand *o,
	    uint8_t value)
{
  switch (o->kind)
    {
    case PTX_O_REG:
      if (lf->f->vars[o->id].type != PTX_PRED)
	raise_to (flow, &flow->vars[o->id], value);
      break;
    case PTX_O_VECTOR:
    case PTX_O_PAIR:
      for (uint32_t i = 0; i < o->id; i++)
	set_result (flow, lf, &o->u.list[i], value);
      break;
    default:
      break;
    }
}

static void
complain (struct flow *flow, struct lanes_function *lf, const struct ptx_stmt *s,
	  enum nvptx_lanes_reason reason, ptx_name name)
{
  if (!flow->checking || flow->reason != LANES_NO_REASON)
    return;
  flow->reason = reason;
  flow->where = lf;
  flow->name = name;
  flow->line = s->line;
}

/* The variable of .param space that O, an address or an argument of call, names.  */
static uint32_t
param_var (const struct lanes_function *lf, const struct ptx_operand *o)
{
  bool is_var = o->kind == PTX_O_VAR || (o->kind == PTX_O_ADDRESS && o->base == PTX_O_VAR);
  return is_var && lf->f->vars[o->id].space == PTX_PARAM ? o->id : PTX_NO_INDEX;
}

static void
flow_call (struct flow *flow, struct lanes_function *lf, uint32_t stmt, const struct lanes_call *call)
{
  const struct ptx_stmt *s = &lf->f->stmts[stmt];
  const struct ptx_operand *args = &s->u.insn.operands[PTX_CALL_ARGS];
  const struct ptx_operand *results = &s->u.insn.operands[PTX_CALL_RESULT];
  struct lanes_function *callee = call->kind == LANES_CALL_CODE ? call->callee : NULL;

  for (uint32_t i = 0; args->kind == PTX_O_ARGS && i < args->id; i++)
    {
      uint32_t var = param_var (lf, &args->u.list[i]);
      uint8_t value = var != PTX_NO_INDEX ? flow->vars[var] : value_of (flow, lf, &args->u.list[i]);
      if (callee == NULL)
	{
	  /* Not for longer than the call (invariant 4).  A lock or a critical construct's name would be
	     shared with other threads, and the library makes atomic operations on it.  */
	  const struct ptx_name_entry *e = &flow->w->ptx->names[call->name];
	  if (value >= LANE
	      && (memmem (e->text, e->length, "_lock", 5) != NULL
		  || lanes_name_begins (flow->w->ptx, call->name, "GOMP_critical")
		  || lanes_name_is (flow->w->ptx, call->name, "free")))
	    complain (flow, lf, s, LANES_ESCAPE_CALL, call->name);
	}
      else if (i < callee->f->num_params)
	raise_to (flow, &callee->params[i], value);
      else
	complain (flow, lf, s, LANES_NOT_KNOWN, call->name);
    }
  for (uint32_t i = 0; results->kind == PTX_O_ARGS && i < results->id; i++)
    {
      uint32_t var = param_var (lf, &results->u.list[i]);
      uint8_t value = callee != NULL ? callee->result : OTHER;
      if (var != PTX_NO_INDEX)
	raise_to (flow, &flow->vars[var], value);
      else
	set_result (flow, lf, &results->u.list[i], value);
    }
}

static void
flow_load (struct flow *flow, const struct lanes_function *lf, const struct ptx_stmt *s)
{
  const struct ptx_operand *o = s->u.insn.operands;
  uint32_t var = param_var (lf, &o[1]);
  uint8_t value = OTHER;

  if (var != PTX_NO_INDEX)
    value = flow->vars[var];
  else
    {
      uint8_t address = value_of (flow, lf, &o[1]);
      if (s->u.insn.op->space == PTX_LOCAL)
	address = LANE;
      if (address == NOTHING)
	return;
      if (address >= LANE && flow->frames_hold)
	value = MIXED;
    }
  set_result (flow, lf, &o[0], value);
}

static void
flow_store (struct flow *flow, struct lanes_function *lf, const struct ptx_stmt *s)
{
  const struct ptx_operand *o = s->u.insn.operands;
  uint32_t var = param_var (lf, &o[0]);
  uint8_t value = value_of (flow, lf, &o[1]);

  if (var != PTX_NO_INDEX)
    raise_to (flow, &flow->vars[var], value);
  else if (value >= LANE)
    {
      uint8_t address = s->u.insn.op->space == PTX_LOCAL ? LANE : value_of (flow, lf, &o[0]);
      if (address == LANE && !flow->frames_hold)
	flow->frames_hold = flow->changed = true;
      if (address != LANE)
	complain (flow, lf, s, LANES_ESCAPE_STORE, 0);
    }
}

/* One operand of S is LANE, the others are OTHER: is the result in the variable that the former is in?  What is
   done to whole numbers that addresses were made is not address arithmetic: `&x & 63', or what is between a
   local variable and a global one, which plus the latter is the former.  */
static bool
stays_inside (const struct flow *flow, const struct lanes_function *lf, const struct ptx_stmt *s)
{
  const struct ptx_operand *o = s->u.insn.operands;
  bool first = value_of (flow, lf, &o[1]) == LANE;
  unsigned number = first ? 2 : 1;
  if (s->num_operands < 3)
    return false;
  for (unsigned n = 1; n < s->num_operands; n++)
    if (value_of (flow, lf, &o[n]) == MIXED)
      return false;
  switch (s->u.insn.op->opcode)
    {
    case PTX_OP_ADD:
      return true;
    case PTX_OP_SUB:
      return first && o[2].kind == PTX_O_INT;
    case PTX_OP_MAD:
      return s->num_operands == 4 && value_of (flow, lf, &o[3]) == LANE;
    case PTX_OP_AND:
      return o[number].kind == PTX_O_INT && (int64_t) o[number].u.value < 0;
    case PTX_OP_OR:
      return o[number].kind == PTX_O_INT && o[number].u.value < 4096;
    default:
      return false;
    }
}

static void
flow_arithmetic (struct flow *flow, const struct lanes_function *lf, const struct ptx_stmt *s)
{
  const struct ptx_op *op = s->u.insn.op;
  const struct ptx_operand *o = s->u.insn.operands;
  uint8_t value = NOTHING;
  unsigned lanes = 0;

  if (s->num_operands < 2)
    return;
  for (unsigned n = 1; n < s->num_operands; n++)
    {
      uint8_t v = value_of (flow, lf, &o[n]);
      bool predicate = o[n].kind == PTX_O_REG && lf->f->vars[o[n].id].type == PTX_PRED;
      if (predicate)
	continue;
      /* A loop's variable is set from something that is known in the end.  */
      if (v == NOTHING)
	return;
      lanes += v == LANE;
      value = join (value, v);
    }
  switch (op->opcode)
    {
    case PTX_OP_MOV:
    case PTX_OP_CVTA:
    case PTX_OP_SELP:
      break;			/* one of the operands */
    case PTX_OP_ADD:
    case PTX_OP_SUB:
    case PTX_OP_MAD:
    case PTX_OP_AND:
    case PTX_OP_OR:
      if (value != OTHER)
	value = lanes == 1 && value == (LANE | OTHER) && stays_inside (flow, lf, s) ? LANE : MIXED;
      break;
    default:
      if (value != OTHER && value != NOTHING)
	value = MIXED;
      break;
    }
  set_result (flow, lf, &o[0], value);
}

static void
flow_atomic (struct flow *flow, struct lanes_function *lf, const struct ptx_stmt *s)
{
  bool result = s->u.insn.op->opcode == PTX_OP_ATOM;
  const struct ptx_operand *o = s->u.insn.operands;

  if (s->num_operands < 2u + result)
    return;
  if (value_of (flow, lf, &o[result]) >= LANE)
    complain (flow, lf, s, LANES_ATOMIC_LOCAL, 0);
  for (unsigned n = 1 + result; n < s->num_operands; n++)
    if (value_of (flow, lf, &o[n]) >= LANE)
      complain (flow, lf, s, LANES_ESCAPE_STORE, 0);
  if (result)
    set_result (flow, lf, &o[0], OTHER);
}

/* Go through the statements of LF once.  */
static void
pass (struct flow *flow, struct lanes_function *lf)
{
  const struct ptx_function *f = lf->f;
  uint32_t call = 0;

  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (lf->has_frame && i == lf->frame_begin)
	i = lf->frame_end;
      else if (lf->has_uniform && i == lf->uniform_begin)
	i = lf->uniform_end;
      else if (s->kind == PTX_STMT_INSN)
	{
	  ptx_name opcode = s->u.insn.op->opcode;
	  bool dead = lf->has_uniform && s->guard == lf->together_reg && !s->guard_negated;
	  if (dead)
	    continue;
	  if (opcode == PTX_OP_CALL)
	    {
	      const struct lanes_call *c = lanes_call_at (lf, i, &call);
	      if (c != NULL)
		flow_call (flow, lf, i, c);
	    }
	  else if ((opcode == PTX_OP_LD || opcode == PTX_OP_LDU) && s->num_operands >= 2)
	    flow_load (flow, lf, s);
	  else if (opcode == PTX_OP_ST && s->num_operands >= 2)
	    flow_store (flow, lf, s);
	  else if (opcode == PTX_OP_ATOM || opcode == PTX_OP_RED)
	    flow_atomic (flow, lf, s);
	  else if (opcode != PTX_OP_BRA && opcode != PTX_OP_BRX && opcode != PTX_OP_RET)
	    flow_arithmetic (flow, lf, s);
	}
    }
}

/* One function, until nothing changes in it.  True: its callers or callees see something new.  */
static bool
flow_function (struct flow *flow, struct lanes_function *lf)
{
  bool outside = false, held = flow->frames_hold;
  uint32_t params = lf->f->num_params, results = lf->f->num_results;

  memset (flow->vars, NOTHING, lf->f->num_vars);
  for (uint32_t i = 0; i < params; i++)
    flow->vars[results + i] = lf->params[i];
  if (lf->has_frame)
    flow->vars[lf->frame_reg] = flow->vars[lf->stack_reg] = LANE;
  if (lf->has_uniform)
    flow->vars[lf->lane_reg] = OTHER;
  do
    {
      flow->changed = false;
      pass (flow, lf);
      outside |= flow->changed;
    }
  while (flow->changed);
  /* Registers begin anew each time, so a change of theirs says nothing.  */
  uint8_t result = lf->result;
  for (uint32_t i = 0; i < results; i++)
    result = join (result, flow->vars[i]);
  bool news = result != lf->result || flow->frames_hold != held;
  lf->result = result;
  return news && outside;
}

/* The sum of all that functions know of each other.  */
static uint64_t
signature (const struct lanes_work *w)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < w->num_closure; i++)
    {
      sum += w->closure[i]->result;
      for (uint32_t k = 0; k < w->closure[i]->f->num_params; k++)
	sum += w->closure[i]->params[k];
    }
  return sum;
}

enum nvptx_lanes_reason
lanes_flow (struct lanes_work *w, struct lanes_function **where, ptx_name *name, uint32_t *line)
{
  struct flow flow = { .w = w };
  uint32_t most = 0;
  bool frames = false, again;

  for (size_t i = 0; i < w->num_closure; i++)
    {
      struct lanes_function *lf = w->closure[i];
      uint32_t params = lf->f->num_params;
      frames |= lf->has_frame && lf->frame_size + lf->outgoing_size > 0;
      for (uint32_t k = 0; k < lf->f->num_vars; k++)
	frames |= lf->f->vars[k].space == PTX_LOCAL;
      if (lf->f->num_vars > most)
	most = lf->f->num_vars;
      if (lf->params == NULL && (lf->params = ptx_alloc (w->ptx, params + 1)) == NULL)
	{
	  w->no_memory = true;
	  return LANES_UNREADABLE;
	}
      memset (lf->params, NOTHING, params);
      lf->result = NOTHING;
    }
  if (!frames)
    return LANES_NO_REASON;
  flow.vars = malloc (most + 1);
  if (flow.vars == NULL)
    {
      w->no_memory = true;
      return LANES_UNREADABLE;
    }
  /* The region's argument is in memory that all threads reach.  */
  memset (w->closure[0]->params, OTHER, w->closure[0]->f->num_params);
  do
    {
      uint64_t before = signature (w);
      again = false;
      for (size_t i = 0; i < w->num_closure; i++)
	again |= flow_function (&flow, w->closure[i]);
      again |= signature (w) != before;
    }
  while (again);
  flow.checking = true;
  for (size_t i = 0; i < w->num_closure && flow.reason == LANES_NO_REASON; i++)
    flow_function (&flow, w->closure[i]);
  free (flow.vars);
  *where = flow.where;
  *name = flow.name;
  *line = flow.line;
  return flow.reason;
}
