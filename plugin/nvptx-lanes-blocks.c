/* nvptx-lanes-blocks.c -- regions that are written like CUDA's kernels, in kernels without the
   library.

	target teams num_teams (G) thread_limit (256)
	  {
	    float tile[16][17];				the team's
	    parallel
	      {
		... thread and team numbers, tile[...] = ..., barrier, ... tile[...] ...
	      }
	  }

   They have no loop that a stride could be made of, threads that wait for one another, and arrays
   in the function's frame, whose places no analysis knows.  So the frame stays what it is, memory:
   the block's shared memory, by its generic address.  What the function stores there is lane 0's
   business, as its other stores are (nvptx-lanes-effects.c).  In the region thread and team numbers
   are registers of the kernel, and a barrier is the GPU's:

	barrier.sync 1, threads of the region

   Not `bar.sync', to which all threads have to come at one place: GCC copies barriers into the ways
   on which threads come to them, and lanes of a warp may have come on different ones.

   Functions of the program that ask for numbers or come to barriers themselves have no place to get
   them from.  Their statements stand in the region, in place of each call.  Of what a team does
   once (`single') thread 0 is the one that does it.

   Arrays of variable length are where GCC's code moves the stack pointer of the initial thread to.
   That begins at the frame here, below which there is room for some; what has none goes on at the
   first warp's soft stack, in global memory.

   Invariants
   1. Barriers are only where the threads of a region are whole warps: numbers that clauses ask for
      are multiples of 32 that stand in the code.  Barrier 0 is the kernel's, for all lanes of the
      block.
   2. The frame's address goes to no function that uses it: the function calls none but what only
      computes, and what a region calls is analysed as lane code.
   3. The stack pointer is what it was at the function's begin, or less by room that was found, or
      what it was at another time.  Nobody looks where the warp keeps it.
   4. A function whose statements stand in a region mentions its parameters and its result only to
      load and store them as a whole, and is not recursive.

   Called by nvptx-lanes.c and nvptx-lanes-direct.c.  */

#include "nvptx-lanes-direct.h"
#include "lanes-abi.h"

#include <inttypes.h>
#include <string.h>

enum
{
  MOST_CALLS = 8,		/* one in another, that become the function's code */
  MOST_STATEMENTS = 10000	/* of a region with that */
};

enum lanes_answer
lanes_answer_of (const struct lanes_work *w, ptx_name name)
{
  static const struct { const char *name; enum lanes_answer answer; } answers[] =
  {
    { "omp_get_thread_num", LANES_ANSWER_THREAD }, { "omp_get_num_threads", LANES_ANSWER_THREADS },
    { "omp_get_team_num", LANES_ANSWER_TEAM }, { "omp_get_num_teams", LANES_ANSWER_TEAMS },
    { "GOMP_single_start", LANES_ANSWER_SINGLE }
  };
  const struct ptx_name_entry *e = &w->ptx->names[name];
  size_t prefix = strlen (GOMPX_LANES_PREFIX);
  const char *text = e->text;
  size_t length = e->length;

  /* In Fortran; in a clone.  */
  if (length > 0 && text[length - 1] == '_')
    length--;
  if (length > prefix && memcmp (text, GOMPX_LANES_PREFIX, prefix) == 0)
    {
      text += prefix;
      length -= prefix;
    }
  for (size_t i = 0; i < sizeof (answers) / sizeof (answers[0]); i++)
    if (strlen (answers[i].name) == length && memcmp (answers[i].name, text, length) == 0)
      return answers[i].answer;
  return LANES_ANSWER_NONE;
}

/* ---- locks ---- */

bool
lanes_is_lock (const struct lanes_work *w, ptx_name name)
{
  static const char *const names[] = {
    "GOMP_critical_start", "GOMP_critical_end", "GOMP_critical_name_start",
    "GOMP_critical_name_end", "GOMP_atomic_start", "GOMP_atomic_end", "omp_init_lock",
    "omp_destroy_lock", "omp_set_lock", "omp_unset_lock", "omp_test_lock"
  };
  for (size_t i = 0; i < sizeof (names) / sizeof (names[0]); i++)
    if (lanes_is_routine (w->ptx, name, names[i]))
      return true;
  return false;
}

ptx_name
lanes_locks_begin (struct lanes_work *w)
{
  return lanes_library_has (w, GOMPX_LANES_PREFIX "locks_begin");
}

/* ---- functions that regions call ---- */

/* O, a register or a number, can be moved as TYPE to a register of its size, or (RESULT) moved to
   by that.  */
static bool
moves_as (const struct ptx_function *f, const struct ptx_operand *o, ptx_name type, bool result)
{
  unsigned size = type != 0 ? ptx_type_size (type) : 0;
  if (size != 4 && size != 8)
    return false;
  if (o->kind == PTX_O_REG)
    return ptx_type_size (f->vars[o->id].type) == size
	   && (o->element != 0) == (f->vars[o->id].vector > 1);
  return !result && (o->kind == PTX_O_INT || o->kind == PTX_O_F32 || o->kind == PTX_O_F64);
}

/* S is OPCODE of a whole parameter or result of F, as a register's or number's, operand VALUE: its
   number among the variables; else PTX_NO_INDEX.  */
static uint32_t
param_of (const struct ptx_function *f, const struct ptx_stmt *s, ptx_name opcode, unsigned value)
{
  if (!lanes_is_insn (s, opcode, 2) || s->u.insn.op->space != PTX_PARAM
      || s->u.insn.op->num_types != 1 || s->u.insn.op->num_words != 2)
    return PTX_NO_INDEX;
  const struct ptx_operand *o = &s->u.insn.operands[1 - value];
  if (o->kind != PTX_O_ADDRESS || o->base != PTX_O_VAR || o->u.value != 0
      || o->id >= f->num_results + f->num_params
      || ptx_type_size (f->vars[o->id].type) != ptx_type_size (s->u.insn.op->types[0])
      || f->vars[o->id].more != NULL
      || !moves_as (f, &s->u.insn.operands[value], s->u.insn.op->types[0], opcode == PTX_OP_LD))
    return PTX_NO_INDEX;
  return o->id;
}

bool
lanes_loads_param (const struct ptx_function *f, const struct ptx_stmt *s, uint32_t *number)
{
  uint32_t var = param_of (f, s, PTX_OP_LD, 0);
  if (var == PTX_NO_INDEX || var < f->num_results)
    return false;
  *number = var - f->num_results;
  return true;
}

bool
lanes_stores_result (const struct ptx_function *f, const struct ptx_stmt *s)
{
  return param_of (f, s, PTX_OP_ST, 1) < f->num_results;
}

static bool
is_param (unsigned kind, uint32_t id, const void *data)
{
  const struct ptx_function *f = data;
  return kind == PTX_O_VAR && id < f->num_results + f->num_params;
}

/* Parameters and results of F are mentioned where they are loaded and stored, and nowhere else.  */
static bool
has_plain_params (const struct ptx_function *f)
{
  uint32_t number;

  if (f->num_results > 1 || f->num_params > LANES_BLOCK_ARGS)
    return false;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      uint32_t n = 0;
      for (unsigned k = 0; s->kind == PTX_STMT_INSN && k < s->num_operands; k++)
	n += lanes_count_if (&s->u.insn.operands[k], is_param, f);
      if (n != 0 && !lanes_loads_param (f, s, &number) && !lanes_stores_result (f, s))
	return false;
    }
  return true;
}

bool
lanes_matches_callee (const struct ptx_function *f, const struct lanes_call *call,
		      const struct ptx_function *callee, struct lanes_block *b)
{
  unsigned size = callee->num_results == 1 ? ptx_type_size (callee->vars[0].type) : 0;
  if (!lanes_call_block (f, call, callee->num_params, size, b))
    return false;
  const struct ptx_operand result = { .kind = PTX_O_REG, .id = b->result };
  if (b->result != PTX_NO_INDEX && !moves_as (f, &result, b->result_type, true))
    return false;
  for (uint32_t i = 0; i < callee->num_params; i++)
    if (!moves_as (f, &b->args[i], b->types[i], false)
	|| ptx_type_size (b->types[i])
	     != ptx_type_size (callee->vars[callee->num_results + i].type))
      return false;
  return true;
}

struct lanes_function *
lanes_inner_callee (const struct lanes_function *caller, const struct ptx_stmt *s)
{
  if (s->kind != PTX_STMT_INSN || s->u.insn.op->opcode != PTX_OP_CALL
      || s->u.insn.operands[PTX_CALL_TARGET].kind != PTX_O_SYMBOL)
    return NULL;
  ptx_name name = s->u.insn.operands[PTX_CALL_TARGET].id;
  for (uint32_t k = 0; k < caller->num_calls; k++)
    {
      struct lanes_function *callee = caller->calls[k].callee;
      if (caller->calls[k].kind == LANES_CALL_CODE && callee->is_inner
	  && (caller->calls[k].name == name || callee->clone_name == name))
	return callee;
    }
  return NULL;
}

/* Find out who in the closure asks, or calls who does; the first one is a region.  */
static void
find_inner (struct lanes_work *w)
{
  bool again = true;
  for (size_t i = 1; i < w->num_closure; i++)
    for (uint32_t k = 0; k < w->closure[i]->num_calls; k++)
      w->closure[i]->is_inner |= w->closure[i]->calls[k].kind == LANES_CALL_LIBRARY;
  while (again)
    {
      again = false;
      for (size_t i = 1; i < w->num_closure; i++)
	for (uint32_t k = 0; k < w->closure[i]->num_calls && !w->closure[i]->is_inner; k++)
	  if (w->closure[i]->calls[k].kind == LANES_CALL_CODE && w->closure[i]->calls[k].callee->is_inner)
	    again = w->closure[i]->is_inner = true;
    }
}

/* Add to *NUM how many statements LF becomes with what it calls in the place of calls.  False: too
   many, or too deep.  */
static bool
count_inner (const struct lanes_function *lf, unsigned depth, uint32_t *num)
{
  *num += lf->f->num_stmts + 1;
  if (depth > MOST_CALLS || (depth > 0 && *num > MOST_STATEMENTS))
    return false;
  for (uint32_t k = 0; k < lf->num_calls; k++)
    if (lf->calls[k].kind == LANES_CALL_CODE && lf->calls[k].callee->is_inner
	&& !count_inner (lf->calls[k].callee, depth + 1, num))
      return false;
  return true;
}

/* Is all that LF, ROOT or an inner function, calls of the library or of inner functions known?
   Tells ROOT, a region, what it does there.  */
static bool
has_good_calls (struct lanes_work *w, const struct lanes_function *lf, struct lanes_function *root)
{
  struct lanes_block b;

  for (uint32_t k = 0; k < lf->num_calls; k++)
    {
      const struct lanes_call *call = &lf->calls[k];
      if (call->kind == LANES_CALL_CODE && call->callee->is_inner
	  && !lanes_matches_callee (lf->f, call, call->callee->f, &b))
	return false;
      if (call->kind != LANES_CALL_LIBRARY)
	continue;
      if (call->stmt > 0 && lanes_is_call_block (w, lf->f, call->stmt - 1, "GOMP_barrier"))
	root->meets = true;
      else if (lanes_is_lock (w, call->name) && lanes_locks_begin (w) != 0)
	root->locks = true;
      else if (lanes_answer_of (w, call->name) == LANES_ANSWER_NONE
	       || !lanes_is_answered (lf, call))
	return false;
    }
  return true;
}

void
lanes_find_block (struct lanes_work *w, struct lanes_function *lf)
{
  uint32_t num = 0;

  lf->can_be_block = lf->meets = lf->locks = false;
  if (lf->object != 0 || lanes_frame_param (lf->f) == PTX_NO_INDEX)
    return;
  find_inner (w);
  for (size_t i = 0; i < w->num_closure; i++)
    {
      const struct lanes_function *other = w->closure[i];
      if (lanes_prints (w, other))
	return;
      if (other != lf && !other->is_inner)
	continue;
      if (other->object != 0 || other->recursive || !has_good_calls (w, other, lf)
	  || (other != lf && !has_plain_params (other->f)))
	return;
    }
  lf->can_be_block = count_inner (lf, 0, &num);
}

bool
lanes_is_whole_warps (const struct ptx_function *f, const struct ptx_operand *o)
{
  bool any = false;

  if (o->kind == PTX_O_INT)
    return o->u.value % 32 == 0;
  if (o->kind != PTX_O_REG || o->element != 0 || (f->vars[o->id].flags & PTX_VAR_INNER) != 0)
    return false;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (!lanes_sets_reg (s, o->id))
	continue;
      if (!lanes_is_insn (s, PTX_OP_MOV, 2) || !lanes_is_reg (&s->u.insn.operands[0], o->id)
	  || s->u.insn.operands[1].kind != PTX_O_INT || s->u.insn.operands[1].u.value % 32 != 0)
	return false;
      any = true;
    }
  return any;
}

/* ---- arrays of variable length ---- */

/* Statement S makes the stack of LF longer: the operand that says by how many bytes, which *LESS
   says is negative; NULL: it doesn't.  */
static const struct ptx_operand *
growth_of (const struct lanes_function *lf, const struct ptx_stmt *s, bool *less)
{
  if (!(lanes_is_insn (s, PTX_OP_SUB, 3) || lanes_is_insn (s, PTX_OP_ADD, 3))
      || s->guard != PTX_NO_INDEX || s->u.insn.op->num_words != 1
      || s->u.insn.op->num_types != 1 || ptx_type_size (s->u.insn.op->types[0]) != 8
      || !lanes_is_reg (&s->u.insn.operands[0], lf->stack_reg)
      || !lanes_is_reg (&s->u.insn.operands[1], lf->stack_reg))
    return NULL;
  const struct ptx_operand *o = &s->u.insn.operands[2];
  *less = s->u.insn.op->opcode == PTX_OP_ADD;
  /* A register is what GCC has rounded up; a number may be added.  */
  if (o->kind == PTX_O_INT)
    return ((int64_t) o->u.value < 0) == *less && o->u.value != 0 ? o : NULL;
  return !*less && o->kind == PTX_O_REG && o->id != lf->stack_reg ? o : NULL;
}

/* `mov A, B' of whole registers, A is TO: B; else PTX_NO_INDEX.  */
static uint32_t
moved_to (const struct ptx_stmt *s, uint32_t to)
{
  if (!lanes_is_insn (s, PTX_OP_MOV, 2) || s->u.insn.op->num_words != 1
      || !lanes_is_reg (&s->u.insn.operands[0], to) || s->u.insn.operands[1].kind != PTX_O_REG
      || s->u.insn.operands[1].element != 0)
    return PTX_NO_INDEX;
  return s->u.insn.operands[1].id;
}

/* Does REG never hold anything but what the stack was?  */
static bool
is_saved (const struct lanes_function *lf, uint32_t reg)
{
  const struct ptx_function *f = lf->f;
  bool any = false;

  if ((f->vars[reg].flags & PTX_VAR_INNER) != 0 || f->vars[reg].vector > 1)
    return false;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    if (lanes_sets_reg (&f->stmts[i], reg))
      {
	if (moved_to (&f->stmts[i], reg) != lf->stack_reg)
	  return false;
	any = true;
      }
  return any;
}

bool
lanes_frame_grows (const struct lanes_function *lf)
{
  const struct ptx_function *f = lf->f;
  bool any = false, less;

  if (lf->outgoing_size != 0 || (f->vars[lf->stack_reg].flags & PTX_VAR_INNER) != 0)
    return false;
  for (uint32_t i = lf->frame_end + 1; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      uint32_t from;
      if (!lanes_sets_reg (s, lf->stack_reg))
	continue;
      if (growth_of (lf, s, &less) != NULL)
	any = true;
      else if ((from = moved_to (s, lf->stack_reg)) == PTX_NO_INDEX || !is_saved (lf, from))
	return false;
    }
  return any;
}

void
lanes_put_growth (const struct direct *d, struct ptx_text *out, const struct ptx_stmt *s)
{
  const struct lanes_function *lf = d->lf;
  const struct ptx_function *f = lf->f;
  const struct ptx_name_entry *stack = &f->module->ptx->names[f->vars[lf->stack_reg].name];
  const struct ptx_operand *o;
  bool less;

  if (!d->grows || (o = growth_of (lf, s, &less)) == NULL)
    return;
  /* How much there is, and how much it takes.  */
  ptx_printf (out,
	      "\tadd.u64 %%direct_room, %.*s, %d;\n"
	      "\tsub.u64 %%direct_room, %%direct_room, %%direct_base;\n"
	      "\tmov.u64 %%direct_more, ",
	      (int) stack->length, stack->text, LANES_SHARED_GROWTH);
  if (less)
    ptx_printf (out, "%" PRIu64, -o->u.value);
  else
    ptx_print_operand (out, f, o);
  ptx_printf (out,
	      ";\n"
	      "\tsetp.le.u64 %%direct_idle, %%direct_room, %d;\n"
	      "\tsetp.gt.u64 %%direct_yes, %%direct_more, %%direct_room;\n"
	      "\tand.pred %%direct_idle, %%direct_idle, %%direct_yes;\n"
	      "\t@%%direct_idle mov.u64 %.*s, %%direct_soft;\n",
	      LANES_SHARED_GROWTH, (int) stack->length, stack->text);
}
