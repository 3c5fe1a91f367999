/* nvptx-lanes-windows.c -- which memory a region gets to whose inner loop may be shared out, for
   nvptx-lanes-nest.c.

   Each register of 64 bits has a class, as all that it is ever set to has: a number, or a certain
   word of the kernel's arguments and a number, which is an address in what the word points to if it
   is one.  A word by which the inner loop writes has a window for each iteration.

   Owns: classes, windows, stores in front and the two sets of words in struct lanes_nest.

   Called by nvptx-lanes-nest.c.  */

#include "nvptx-lanes-nest.h"
#include "device-abi.h"

/* ---- memory ---- */

enum
{
  C_NONE,
  C_NUMBER,
  C_BLOCK, /* the kernel's arguments */
  C_LOADED, /* from elsewhere: a number, or the address of anything */
  C_BAD,
  C_SLOT /* and its number: a word of the arguments; or that and a number */
};

static bool
is_wide (const struct ptx_function *f, uint32_t reg)
{
  return f->vars[reg].type == PTX_U64 || f->vars[reg].type == PTX_S64
	 || f->vars[reg].type == PTX_B64;
}

static uint8_t
class_of (const struct lanes_nest *n, const struct ptx_operand *o)
{
  if (o->kind == PTX_O_INT || o->kind == PTX_O_SPECIAL)
    return C_NUMBER;
  if ((o->kind != PTX_O_REG && o->kind != PTX_O_ADDRESS)
      || (o->kind == PTX_O_ADDRESS && o->base != PTX_O_REG))
    return C_BAD;
  const struct ptx_var *v = &n->f->vars[o->id];
  if (!is_wide (n->f, o->id))
    return ptx_type_size (v->type) < 8 ? C_NUMBER : C_BAD;
  return v->vector > 1 && o->element == 0
	     ? C_BAD
	     : n->classes[o->id * LANES_REG_ELEMENTS + (o->element > 0 ? o->element - 1u : 0)];
}

static uint8_t
join (uint8_t a, uint8_t b)
{
  return a == b || b == C_NONE ? a : a == C_NONE ? b : C_BAD;
}

static uint8_t
sum (uint8_t a, uint8_t b)
{
  if (a == C_NONE || b == C_NONE)
    return C_NONE;
  if (a == C_NUMBER)
    return b == C_BLOCK ? C_BAD : b;
  return b == C_NUMBER && a != C_BLOCK ? a : C_BAD;
}

/* The word that a load of 8 bytes at OFFSET behind the arguments' address gets.  */
static uint8_t
slot_at (uint64_t offset)
{
  return offset % 8 == 0 && offset / 8 < NVPTX_LANES_WORDS ? (uint8_t) (C_SLOT + offset / 8)
							   : C_BAD;
}

static uint8_t
class_of_load (const struct lanes_nest *n, const struct ptx_stmt *s, unsigned element)
{
  const struct ptx_operand *address = &s->u.insn.operands[1];

  if (address->kind != PTX_O_ADDRESS)
    return C_BAD;
  /* The launch word.  */
  if (s->u.insn.op->space == PTX_PARAM)
    return address->base == PTX_O_VAR && address->id == 0 && n->f->num_params > 0 ? C_BLOCK : C_BAD;
  if (!lanes_is_plain (s, PTX_OP_LD))
    return C_BAD;
  uint8_t c = class_of (n, address);
  if (c == C_NONE)
    return C_NONE;
  if (ptx_type_size (s->u.insn.op->types[0]) < 8)
    return C_NUMBER;
  return c == C_BLOCK ? slot_at (address->u.value + 8 * element) : C_LOADED;
}

/* What the 64 bits are that S sets.  */
static uint8_t
class_of_result (const struct lanes_nest *n, const struct ptx_stmt *s)
{
  const struct ptx_operand *o = s->u.insn.operands;
  uint8_t a = s->num_operands > 1 ? class_of (n, &o[1]) : C_BAD,
	  b = s->num_operands > 2 ? class_of (n, &o[2]) : C_BAD;

  switch (s->u.insn.op->opcode)
    {
    case PTX_OP_MOV:
      return s->num_operands == 2 ? a : C_BAD;
    case PTX_OP_SELP:
    case PTX_OP_MIN:
    case PTX_OP_MAX:
      return s->num_operands >= 3 ? join (a, b) : C_BAD;
    case PTX_OP_ADD:
      return s->num_operands == 3 ? sum (a, b) : C_BAD;
    case PTX_OP_SUB:
      if (a == C_NONE || b == C_NONE)
	return C_NONE;
      return b == C_NUMBER && a != C_BLOCK ? a : a == b && a >= C_SLOT ? C_NUMBER : C_BAD;
    case PTX_OP_MAD:
      return s->num_operands == 4 && a != C_BLOCK && b != C_BLOCK
		 ? sum (C_NUMBER, class_of (n, &o[3]))
		 : C_BAD;
    /* Not an address any more, nor the difference of two.  */
    case PTX_OP_MUL:
    case PTX_OP_SHL:
    case PTX_OP_SHR:
    case PTX_OP_DIV:
    case PTX_OP_REM:
      return C_NUMBER;
    case PTX_OP_NEG:
    case PTX_OP_NOT:
      return a == C_NUMBER || a == C_NONE ? a : C_BAD;
    case PTX_OP_AND:
      if (a == C_BLOCK)
	return o[2].kind == PTX_O_INT && o[2].u.value == GOMPX_LAUNCH_ADDRESS ? C_BLOCK : C_BAD;
      /* Some of an address's last bits.  */
      if (o[2].kind == PTX_O_INT && o[2].u.value < 4096)
	return C_NUMBER;
      /* Fall through.  */
    case PTX_OP_OR:
    case PTX_OP_XOR:
      return a == C_NONE || b == C_NONE	      ? C_NONE
	     : a == C_NUMBER && b == C_NUMBER ? C_NUMBER
					      : C_BAD;
    case PTX_OP_CVT:
      return s->num_operands == 2 && s->u.insn.op->num_types == 2 ? a : C_BAD;
    default:
      return C_BAD;
    }
}

static bool
raise_class (struct lanes_nest *n, const struct ptx_operand *o, unsigned element, uint8_t c)
{
  if (o->kind != PTX_O_REG || !is_wide (n->f, o->id) || element >= LANES_REG_ELEMENTS)
    return false;
  uint8_t *known = &n->classes[o->id * LANES_REG_ELEMENTS + element], now = join (*known, c);
  bool changed = now != *known;
  *known = now;
  return changed;
}

/* All elements of O, a result, are of class C.  */
static bool
raise_all (struct lanes_nest *n, const struct ptx_operand *o, uint8_t c)
{
  bool changed = false;

  if (o->kind == PTX_O_VECTOR || o->kind == PTX_O_PAIR || o->kind == PTX_O_ARGS)
    for (uint32_t i = 0; i < o->id; i++)
      changed |= raise_all (n, &o->u.list[i], c);
  else if (o->kind == PTX_O_REG && o->element > 0)
    changed = raise_class (n, o, o->element - 1u, c);
  else if (o->kind == PTX_O_REG)
    for (unsigned i = 0; i < n->f->vars[o->id].vector; i++)
      changed |= raise_class (n, o, i, c);
  return changed;
}

static bool
classify (struct lanes_nest *n, const struct ptx_stmt *s)
{
  const struct ptx_operand *o = s->u.insn.operands;
  bool changed = false;

  if (lanes_has_opcode (s, PTX_OP_CALL))
    return raise_all (n, &o[PTX_CALL_RESULT], C_BAD);
  if (!lanes_stmt_has_result (s))
    return false;
  bool load = lanes_is_insn (s, PTX_OP_LD, 2), whole = o[0].kind == PTX_O_REG && o[0].element == 0;
  unsigned vector = whole ? n->f->vars[o[0].id].vector : 1;
  if (load && o[0].kind == PTX_O_VECTOR)
    for (uint32_t k = 0; k < o[0].id; k++)
      changed |= raise_class (n, &o[0].u.list[k],
			      o[0].u.list[k].element > 0 ? o[0].u.list[k].element - 1u : 0,
			      class_of_load (n, s, k));
  else if (load && whole)
    for (unsigned k = 0; k < vector; k++)
      changed |= raise_class (n, &o[0], k, class_of_load (n, s, k));
  else if (load || o[0].kind != PTX_O_REG)
    changed = raise_all (n, &o[0], C_BAD);
  /* GCC sets each element of a vector behind this.  */
  else if (vector > 1 && lanes_is_insn (s, PTX_OP_MOV, 2) && o[1].kind == PTX_O_VECTOR)
    for (unsigned k = 0; k < vector; k++)
      changed |= raise_class (
	  n, &o[0], k,
	  k < o[1].id && o[1].u.list[k].kind == PTX_O_INT && o[1].u.list[k].u.value == 0 ? C_NONE
											 : C_BAD);
  else if (vector > 1)
    changed = raise_all (n, &o[0], C_BAD);
  else
    changed
	= raise_class (n, &o[0], o[0].element > 0 ? o[0].element - 1u : 0, class_of_result (n, s));
  return changed;
}

void
lanes_find_classes (struct lanes_nest *n)
{
  bool changed;
  do
    {
      changed = false;
      for (uint32_t i = 0; i < n->f->num_stmts; i++)
	if (n->f->stmts[i].kind == PTX_STMT_INSN && n->f->stmts[i].num_operands > 0)
	  changed |= classify (n, &n->f->stmts[i]);
    }
  while (changed);
}

static const struct ptx_operand *
address_of (const struct ptx_stmt *s)
{
  return &s->u.insn.operands[lanes_has_opcode (s, PTX_OP_LD)];
}

/* Is S a load or store of a call's parameters, or results?  */
static bool
is_param_access (const struct lanes_nest *n, const struct ptx_stmt *s)
{
  const struct ptx_operand *o = address_of (s);
  return s->u.insn.op->space == PTX_PARAM && o->kind == PTX_O_ADDRESS && o->base == PTX_O_VAR
	 && o->id >= n->f->num_params;
}

/* The loop right in INNER that statement I is in, and in no other one there.  NULL: there is none,
   or its end can't be seen.  */
static struct lanes_loop *
deep_loop (struct lanes_nest *n, uint32_t i)
{
  struct lanes_loop *loop = NULL;

  for (unsigned k = 0; k < n->num_loops; k++)
    if (n->loops[k].depth > n->inner->depth && n->loops[k].inside[i])
      {
	if (loop != NULL)
	  return NULL;
	loop = &n->loops[k];
      }
  return loop != NULL && lanes_find_test (n, loop, true) ? loop : NULL;
}

/* What BASE is at statement I in a loop in INNER: from FIRST on in ascending order up to LAST.  The
   loop goes on until RIGHT - LEFT has come to 0 in steps, so the last one is where it is when the
   loop begins and as many steps; however it is entered.  */
static bool
eval_range (struct lanes_nest *n, uint32_t i, const struct ptx_operand *base,
	    struct lanes_form_sum *first, struct lanes_form_sum *last)
{
  struct lanes_loop *loop = deep_loop (n, i);
  struct lanes_form_sum form, left, right, begin, rest;
  int64_t change, step;
  bool less, any = false;

  if (loop == NULL || !lanes_eval_operand (n, loop, base, i, LANES_EVAL_DEPTH, 64, &form)
      || !lanes_eval_test (n, loop, &left, &right, &less) || less
      || !lanes_add_form (&right, &left, UINT64_MAX) || right.bits != 64
      || !lanes_change_in (n, loop, &form, &change) || !lanes_change_in (n, loop, &right, &step)
      || step == 0 || change < 0 || change % step != 0)
    return false;
  for (uint32_t p = n->first[loop->head]; p < n->first[loop->head + 1]; p++)
    {
      uint32_t at = n->before[p];
      if (loop->inside[at])
	continue;
      if (!lanes_eval_form (n, n->inner, &form, at, &begin)
	  || !lanes_eval_form (n, n->inner, &right, at, &rest))
	return false;
      struct lanes_form_sum end = begin;
      if (!lanes_add_form (&end, &rest, (uint64_t) (-change / step))
	  || (any && (!lanes_is_same_form (&begin, first) || !lanes_is_same_form (&end, last))))
	return false;
      if (!any || (int64_t) begin.more < (int64_t) first->more)
	*first = begin;
      if (!any || (int64_t) end.more > (int64_t) last->more)
	*last = end;
      any = true;
    }
  return any;
}

/* Where what WINDOW has of an iteration ends is not a number, but that and LAST, another one.  */
static bool
add_extent (const struct lanes_nest *n, struct lanes_window *window,
	    const struct lanes_form_sum *last, int64_t size)
{
  struct lanes_form_sum extent = *last;
  int64_t high;

  if (!lanes_add_form (&extent, &window->base, UINT64_MAX))
    return false;
  high = (int64_t) extent.more + size;
  extent.more = 0;
  if (lanes_has_counters (n, &extent) || high < INT32_MIN || high > INT32_MAX
      || (window->has_extent && !lanes_is_same_form (&extent, &window->extent)))
    return false;
  if (!window->has_extent || high > window->extent_high)
    window->extent_high = high;
  window->has_extent = true;
  window->extent = extent;
  return true;
}

/* Statement I, an access in INNER by a word that it writes by: make it part of that word's window.
 */
static bool
add_access (struct lanes_nest *n, uint32_t i, unsigned slot)
{
  const struct ptx_stmt *s = &n->f->stmts[i];
  const struct ptx_op *op = s->u.insn.op;
  const struct ptx_operand *address = address_of (s);
  struct ptx_operand base = { .kind = PTX_O_REG, .id = address->id, .element = address->element };
  struct lanes_form_sum first, last;
  int64_t size = ptx_type_size (op->types[0]) * (op->vector > 1 ? op->vector : 1);
  bool single = true;
  unsigned k = 0;

  if (!n->inner->inside[i])
    return false;
  if (!lanes_eval_operand (n, n->inner, &base, i, LANES_EVAL_DEPTH, 64, &first))
    {
      if (!eval_range (n, i, &base, &first, &last))
	return false;
      single = lanes_is_same_form (&first, &last);
      size += single ? (int64_t) (last.more - first.more) : 0;
    }
  int64_t low = (int64_t) (first.more + address->u.value);
  first.more = 0;
  while (k < n->num_windows && n->windows[k].slot != slot)
    k++;
  if (k == LANES_NEST_GROUPS || low < INT32_MIN || low > INT32_MAX || size > INT32_MAX)
    return false;
  struct lanes_window *window = &n->windows[k];
  if (k == n->num_windows)
    {
      *window = (struct lanes_window) { .slot = slot, .low = low, .high = low, .base = first };
      n->num_windows++;
    }
  if (!lanes_is_same_form (&first, &window->base))
    return false;
  window->low = low < window->low ? low : window->low;
  if (!single)
    return add_extent (n, window, &last, (int64_t) address->u.value + size);
  window->high = low + size > window->high ? low + size : window->high;
  return true;
}

/* What FORM changes by from one iteration of INNER to the next.  */
static bool
step_of (struct lanes_nest *n, const struct lanes_form_sum *form, struct lanes_form_sum *step)
{
  *step = (struct lanes_form_sum) { .bits = form->bits };
  for (unsigned k = 0; k < form->num; k++)
    {
      uint32_t reg = form->terms[k].reg;
      const struct lanes_counter *c = reg < LANES_WIDE ? lanes_counter_of (n, reg) : NULL;
      struct lanes_form_sum inner, wide;
      if (c != NULL && !lanes_add_form (step, &c->step, form->terms[k].by))
	return false;
      if (reg < LANES_WIDE || !lanes_has_counters (n, &n->wides[reg - LANES_WIDE].sum))
	continue;
      /* As long as it stays in 32 bits, which is found out when it runs.  */
      if (!step_of (n, &n->wides[reg - LANES_WIDE].sum, &inner)
	  || !lanes_extend_form (n, &inner, true, &wide)
	  || !lanes_add_form (step, &wide, form->terms[k].by))
	return false;
      n->wides[reg - LANES_WIDE].steps = true;
      n->wides[reg - LANES_WIDE].step = inner;
    }
  return true;
}

/* How far windows of one iteration are from those of the next.  */
static bool
find_step (struct lanes_nest *n, struct lanes_window *window)
{
  if (!step_of (n, &window->base, &window->step))
    return false;
  if (window->step.num > 0)
    return true;
  int64_t step = (int64_t) window->step.more, distance = step < 0 ? -step : step;
  return distance >= window->high - window->low && distance > 0 && distance <= INT32_MAX;
}

/* Statement I stores by SLOT in the outer loop, in front of the inner one: what it writes is none
   of the inner one's windows, however that is entered behind it.  */
static bool
is_earlier (struct lanes_nest *n, uint32_t i)
{
  const struct ptx_stmt *s = &n->f->stmts[i];
  const struct ptx_op *op = s->u.insn.op;
  const struct ptx_operand *address = address_of (s);
  const struct lanes_window *window = NULL;
  struct ptx_operand base = { .kind = PTX_O_REG, .id = address->id, .element = address->element };
  struct lanes_form_sum place, begin;
  int64_t size = ptx_type_size (op->types[0]) * (op->vector > 1 ? op->vector : 1);

  for (unsigned k = 0; k < n->num_windows; k++)
    if (n->windows[k].slot + C_SLOT == class_of (n, address))
      window = &n->windows[k];
  if (window == NULL || window->step.num > 0
      || (window->has_extent && (int64_t) window->step.more < 0)
      || lanes_leads_to (n, n->outer, n->inner->head, i)
      || !lanes_eval_operand (n, n->outer, &base, i, LANES_EVAL_DEPTH, 64, &place))
    return false;
  place.more += address->u.value;
  for (uint32_t p = n->first[n->inner->head]; p < n->first[n->inner->head + 1]; p++)
    {
      uint32_t at = n->before[p];
      if (n->inner->inside[at] || (at != i && !lanes_leads_to (n, n->outer, i, at)))
	continue;
      if (!lanes_eval_form (n, n->outer, &window->base, at, &begin)
	  || !lanes_add_form (&begin, &place, UINT64_MAX) || begin.num > 0)
	return false;
      /* From here to the first window.  */
      int64_t distance = (int64_t) begin.more;
      if (distance < INT32_MIN || distance > INT32_MAX
	  || ((int64_t) window->step.more > 0 ? distance + window->low < size
					      : distance + window->high > 0))
	return false;
    }
  return true;
}

/* Statement I is in the outer loop, and in no other one.  */
static bool
is_in_outer (const struct lanes_nest *n, uint32_t i)
{
  for (unsigned k = 0; k < n->num_loops; k++)
    if (n->loops[k].inside[i] && n->loops[k].head != n->outer->head)
      return false;
  return n->outer->inside[i];
}

/* Statement S of the region computes with registers, and does nothing else.  */
static bool
is_call_of_code (const struct lanes_nest *n, const struct ptx_stmt *s)
{
  const struct ptx_operand *target = &s->u.insn.operands[PTX_CALL_TARGET];
  struct lanes_function *callee
      = target->kind == PTX_O_SYMBOL ? lanes_resolve (n->w, 0, target->id) : NULL;
  return callee != NULL && lanes_is_pure (n->w, callee);
}

const char *
lanes_check_accesses (struct lanes_nest *n)
{
  const struct ptx_function *f = n->f;

  for (unsigned round = 0; round < 2; round++)
    for (uint32_t i = n->begin; i < n->end; i++)
      {
	const struct ptx_stmt *s = &f->stmts[i];
	if (s->kind != PTX_STMT_INSN || n->order[i] == PTX_NO_INDEX)
	  continue;
	bool load = lanes_is_insn (s, PTX_OP_LD, 2), store = lanes_is_insn (s, PTX_OP_ST, 2);
	if (!load && !store)
	  {
	    if (!lanes_only_computes (n->w, s)
		&& !(lanes_has_opcode (s, PTX_OP_CALL) && is_call_of_code (n, s)))
	      return "it does something that its lanes can't all do";
	    continue;
	  }
	if (is_param_access (n, s) || (load && s->u.insn.op->space == PTX_CONST))
	  continue;
	uint8_t c = class_of (n, address_of (s));
	if (!lanes_is_plain (s, s->u.insn.op->opcode) || (c < C_SLOT && !(load && c == C_BLOCK)))
	  return "it can't be seen which memory it gets to";
	/* First what is written, then what is read.  */
	if (c == C_BLOCK || store != (round == 0))
	  continue;
	uint64_t bit = UINT64_C (1) << (c - C_SLOT);
	*(store ? &n->stored : &n->loaded) |= bit;
	if (store && s->guard == PTX_NO_INDEX && n->num_earlier < LANES_NEST_EARLIER
	    && is_in_outer (n, i))
	  n->earlier[n->num_earlier++] = i;
	else if ((n->stored & bit) != 0 && !add_access (n, i, c - C_SLOT))
	  return "it can't be seen that iterations write to different places";
      }
  for (unsigned k = 0; k < n->num_windows; k++)
    if (!find_step (n, &n->windows[k]))
      return "iterations may write to the same places";
  for (unsigned k = 0; k < n->num_earlier; k++)
    if (!is_earlier (n, n->earlier[k]))
      return "it can't be seen that iterations write to different places";
  return NULL;
}
