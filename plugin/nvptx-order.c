/* nvptx-order.c -- threads and teams add their parts of reductions in the order of their numbers, so that a sum of floating-point
   numbers has the same bits in each run.

   A compiler's code adds each thread's part to its team's at the end of the region's function, and each team's to the
   result at the end of what the kernel runs for a team: in a loop around a compare-and-swap if it is one number, else under the lock of
   atomics.  In front of that stands a call, then, that waits until all threads or teams with lower numbers have added theirs; behind
   it one that lets the next go on (config/accel/order.c has the functions).  The instructions stay as they are.

   Why nobody waits for ever.  Threads: who waits has nothing to do behind the addition that another thread could wait for, but the addition
   itself; so whatever threads with lower numbers wait for, they wait for each other or for what has been done, and come to the function's
   end, or a barrier, where they hand the turn on.  (A thread that waits for what another one adds, before it adds itself, does so against
   the user's wish for an order.)  Teams may not wait for each other in OpenMP at all; they are begun in order.

   Invariants
   1. An addition gets an order only if on each way from it to the function's return, a barrier of it, or the next team there are nothing but
      arithmetic, loads, stores to the thread's own frame, and other additions, without a loop, which might wait, and none leads back to it.
      All else is as it was, and told.
   2. A function gets calls for threads only if everyone who has its name begins a parallel region with it; so all threads of a team
      run it from the begin to a return.  At that, and at each barrier, which by OpenMP's rules all threads come to or none, each hands
      the turn on.
   3. In the text whole lines are added, and the name of one function is replaced.  Where a statement does not begin its line,
      nothing is done.
   4. Any doubt, also a text that can't be read, means no order.

   Called by nvptx-texts.c when an image is linked and the user wants this.  No state.  */

#define _GNU_SOURCE 1
#include "nvptx-order.h"
#include "nvptx-lanes-work.h"

#include <stdlib.h>
#include <string.h>

enum { NONE, KERNEL, REGION };	/* roles of functions */

static const char teams4[] = "GOMP_teams4", order_teams4[] = "gompx_order_teams4", preamble_end[] = "// END PREAMBLE\n";

/* What is called, and where it begins a line.  */
enum call { BEGIN, THREAD, THREAD_OF_ALL, THREAD_END, TEAM, TEAMS4, CALLS };
static const char *const names[CALLS]
  = { "gompx_order_begin", "gompx_order_thread", "gompx_order_thread_of_all", "gompx_order_thread_end", "gompx_order_team",
      order_teams4 };

struct edit
{
  uint32_t line;
  enum call call;		/* in front of the line; TEAMS4: in it */
};

/* Of a name.  */
struct symbol
{
  uint8_t role;
  bool teams;			/* teams that run it have an order */
  uint32_t mentions, regions;	/* operands; regions that are begun with it */
};

struct order_work
{
  struct ptx *ptx;
  struct ptx_module *module;
  struct symbol *symbols;	/* by name */
  struct edit *edits;
  size_t num_edits, edit_room;
  struct nvptx_order *order;
  size_t note_room;
  bool no_memory;
};

enum seen { UNSEEN, ON_WAY, DONE };

/* The function at hand; arrays by statement.  */
struct body
{
  const struct ptx_function *f;
  uint32_t *unit;		/* which addition it is part of, from 1 on; 0: none */
  uint32_t *from, *todo;	/* of searches */
  uint8_t *seen;		/* enum seen */
  struct unit *units;
  uint32_t num_units;
};

struct unit
{
  uint32_t insert;		/* where the call belongs */
  bool end;			/* it is what the function ends with: it has an order */
  bool own;			/* it adds to what belongs to the team */
};

/* ---- statements ---- */

static bool
is_insn (const struct ptx_stmt *s, ptx_name opcode)
{
  return s->kind == PTX_STMT_INSN && s->u.insn.op->opcode == opcode;
}

/* Is S a call of NAME?  */
static bool
calls (const struct order_work *w, const struct ptx_stmt *s, const char *name)
{
  return is_insn (s, PTX_OP_CALL) && s->u.insn.operands[PTX_CALL_TARGET].kind == PTX_O_SYMBOL
	 && lanes_name_is (w->ptx, s->u.insn.operands[PTX_CALL_TARGET].id, name);
}

/* Is S a call of a function of the OpenMP library?  */
static bool
calls_library (const struct order_work *w, const struct ptx_stmt *s)
{
  const struct ptx_operand *target = &s->u.insn.operands[PTX_CALL_TARGET];
  return is_insn (s, PTX_OP_CALL) && target->kind == PTX_O_SYMBOL && lanes_is_library_name (w->ptx, target->id);
}

/* Does S compute a floating-point number that depends on an order?  */
static bool
computes_float (const struct ptx_stmt *s)
{
  if (s->kind != PTX_STMT_INSN)
    return false;
  const struct ptx_op *op = s->u.insn.op;
  bool is_float = false;
  for (unsigned i = 0; i < op->num_types && i < sizeof (op->types) / sizeof (op->types[0]); i++)
    is_float |= ptx_is_float (op->types[i]);
  return is_float && (op->opcode == PTX_OP_ADD || op->opcode == PTX_OP_SUB || op->opcode == PTX_OP_MUL || op->opcode == PTX_OP_FMA
		      || op->opcode == PTX_OP_MAD || op->opcode == PTX_OP_DIV);
}

/* Is operand N of S an address in the frame of function F, by the names that GCC gives?  */
static bool
is_own (const struct order_work *w, const struct ptx_function *f, const struct ptx_stmt *s, unsigned n)
{
  static const char *const own[] = { "%frame", "%stack", "%sspslot" };
  if (n >= s->num_operands)
    return false;
  const struct ptx_operand *address = &s->u.insn.operands[n];
  if (address->kind != PTX_O_ADDRESS || address->base != PTX_O_REG)
    return false;
  for (size_t i = 0; i < sizeof (own) / sizeof (own[0]); i++)
    if (lanes_name_is (w->ptx, f->vars[address->id].name, own[i]))
      return true;
  return false;
}

/* Is S nothing that another thread could wait for?  */
static bool
is_harmless (const struct order_work *w, const struct ptx_function *f, const struct ptx_stmt *s)
{
  if (s->kind != PTX_STMT_INSN)
    return true;
  const struct ptx_op *op = s->u.insn.op;
  switch (op->opcode)
    {
    case PTX_OP_ST:
      return op->space == PTX_PARAM || op->space == PTX_LOCAL || is_own (w, f, s, 0);
    case PTX_OP_LD:
    case PTX_OP_CVTA:
    case PTX_OP_BRA:
    case PTX_OP_RET:
      return true;
    case PTX_OP_CALL:
      return calls (w, s, "free");
    default:
      return lanes_is_arithmetic (op->opcode);
    }
}

/* The begin of the block that statement CALL is in; PTX_NO_INDEX: it is in none.  */
static uint32_t
block_begin (const struct ptx_function *f, uint32_t call)
{
  for (uint32_t i = call; i-- > 0;)
    if (f->stmts[i].kind == PTX_STMT_BEGIN && f->stmts[i].u.match > call)
      return i;
  return PTX_NO_INDEX;
}

/* Is operand N of S an address in the block of data that F got, or in its own frame?  All threads of a team get one that the team's initial
   thread has in its frame.  */
static bool
is_of_team (const struct order_work *w, const struct ptx_function *f, const struct ptx_stmt *s, unsigned n)
{
  if (is_own (w, f, s, n))
    return true;
  if (n >= s->num_operands || s->u.insn.operands[n].kind != PTX_O_ADDRESS || s->u.insn.operands[n].base != PTX_O_REG)
    return false;
  uint32_t reg = s->u.insn.operands[n].id;
  for (unsigned depth = 0; depth < 8; depth++)
    {
      uint32_t i = 0;
      if (!lanes_is_set_once (f, reg))
	return false;
      while (!lanes_sets_reg (&f->stmts[i], reg))
	i++;
      const struct ptx_operand *operands = f->stmts[i].u.insn.operands;
      if (lanes_is_insn (&f->stmts[i], PTX_OP_LD, 2))
	return operands[1].kind == PTX_O_ADDRESS && operands[1].base == PTX_O_VAR && operands[1].id < f->num_params
	       && f->stmts[i].u.insn.op->space == PTX_PARAM;
      bool moves = lanes_is_insn (&f->stmts[i], PTX_OP_MOV, 2)
		   || (lanes_is_insn (&f->stmts[i], PTX_OP_ADD, 3) && operands[2].kind == PTX_O_INT);
      if (!moves || operands[1].kind != PTX_O_REG || operands[1].element != 0)
	return false;
      reg = operands[1].id;
    }
  return false;
}

/* Does statement I begin a line?  */
static bool
begins_line (const struct ptx_function *f, uint32_t i)
{
  return f->stmts[i].line > (i == 0 ? f->line : f->stmts[i - 1].line);
}

/* ---- additions ---- */

/* Mark statement I as part of the addition that is being looked at.  */
static void
take (struct body *b, uint32_t i)
{
  b->unit[i] = b->num_units + 1;
}

/* What was taken is no addition.  */
static void
drop (struct body *b)
{
  for (uint32_t i = 0; i < b->f->num_stmts; i++)
    if (b->unit[i] == b->num_units + 1)
      b->unit[i] = 0;
}

/* What was taken is one.  */
static void
add_unit (const struct order_work *w, struct body *b, uint32_t insert)
{
  bool own = true;
  for (uint32_t i = 0; i < b->f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &b->f->stmts[i];
      if (b->unit[i] != b->num_units + 1 || s->kind != PTX_STMT_INSN)
	continue;
      if (is_insn (s, PTX_OP_ST))
	own &= s->u.insn.op->space == PTX_PARAM || is_of_team (w, b->f, s, 0);
      else if (is_insn (s, PTX_OP_RED))
	own &= is_of_team (w, b->f, s, 0);
      else if (is_insn (s, PTX_OP_ATOM))
	own &= is_of_team (w, b->f, s, 1);
      else if (is_insn (s, PTX_OP_CALL))
	own &= calls_library (w, s);
    }
  b->units[b->num_units++] = (struct unit) { .insert = insert, .own = own };
}

/* Where the loop that has been taken, around the compare-and-swap CAS, is entered by one way: in front of the load of the old
   value, if that is on it.  Otherwise in front of CAS, which fails once more then.  */
static uint32_t
loop_entry (const struct body *b, uint32_t cas)
{
  const struct ptx_function *f = b->f;
  const struct ptx_stmt *c = &f->stmts[cas];
  uint32_t entry = PTX_NO_INDEX, next[2];

  for (uint32_t i = 0; i < f->num_stmts; i++)
    if (b->unit[i] != b->num_units + 1)
      for (unsigned n = lanes_successors (f, i, next); n-- > 0;)
	if (b->unit[next[n]] == b->num_units + 1)
	  {
	    if (entry != PTX_NO_INDEX)
	      return cas;
	    entry = i;
	  }
  if (entry == PTX_NO_INDEX || c->num_operands != 4)
    return cas;
  uint32_t old = lanes_reg_of (f, &c->u.insn.operands[2]);
  for (uint32_t i = entry; i != PTX_NO_INDEX && old != PTX_NO_INDEX; i--)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (s->kind == PTX_STMT_LOC)
	continue;
      if (s->kind != PTX_STMT_INSN || s->u.insn.op->opcode == PTX_OP_CALL || s->u.insn.op->opcode == PTX_OP_RET
	  || (s->u.insn.op->opcode == PTX_OP_BRA && (i != entry || s->guard != PTX_NO_INDEX)))
	break;
      if (is_insn (s, PTX_OP_LD) && s->guard == PTX_NO_INDEX && lanes_is_reg (&s->u.insn.operands[0], old))
	return i;
    }
  return cas;
}

/* Statement CAS is a compare-and-swap.  Take the shortest way from it to itself without a call, which is its loop.  */
static void
find_loop (const struct order_work *w, struct body *b, uint32_t cas)
{
  const struct ptx_function *f = b->f;
  uint32_t num = 0, next[2], last = PTX_NO_INDEX;
  bool adds = false;

  memset (b->seen, UNSEEN, f->num_stmts * sizeof (*b->seen));
  b->todo[num++] = cas;
  for (uint32_t at = 0; at < num && last == PTX_NO_INDEX; at++)
    for (unsigned n = is_insn (&f->stmts[b->todo[at]], PTX_OP_CALL) ? 0 : lanes_successors (f, b->todo[at], next); n-- > 0;)
      if (next[n] == cas)
	last = b->todo[at];
      else if (b->seen[next[n]] == UNSEEN)
	{
	  b->seen[next[n]] = DONE;
	  b->from[next[n]] = b->todo[at];
	  b->todo[num++] = next[n];
	}
  if (last == PTX_NO_INDEX)
    return;
  take (b, cas);
  for (uint32_t i = last; i != cas; i = b->from[i])
    {
      if (b->unit[i] != 0)
	return drop (b);
      take (b, i);
      adds |= computes_float (&f->stmts[i]);
    }
  if (adds)
    add_unit (w, b, loop_entry (b, cas));
  else
    drop (b);
}

/* Statement CALL takes a lock that is given back by END.  Take all up to there.  CALLING: other functions of the program may be called.  */
static void
find_section (const struct order_work *w, struct body *b, uint32_t call, const char *end, bool calling)
{
  const struct ptx_function *f = b->f;
  uint32_t num = 0, next[2], begin = block_begin (f, call);
  bool adds = false;

  if (begin == PTX_NO_INDEX)
    return;
  for (uint32_t i = begin; i <= call; i++)
    {
      if (b->unit[i] != 0)
	return drop (b);
      take (b, i);
    }
  b->todo[num++] = call;
  for (uint32_t at = 0; at < num; at++)
    {
      const struct ptx_stmt *s = &f->stmts[b->todo[at]];
      if (at > 0 && calls (w, s, end))
	continue;
      adds |= computes_float (s);
      if (at > 0 && is_insn (s, PTX_OP_CALL))
	{
	  if (!calling || calls_library (w, s))
	    return drop (b);
	  adds = true;
	}
      unsigned n = lanes_successors (f, b->todo[at], next);
      if (n == 0)
	return drop (b);
      while (n-- > 0)
	if (b->unit[next[n]] != b->num_units + 1)
	  {
	    if (b->unit[next[n]] != 0)
	      return drop (b);
	    take (b, next[n]);
	    b->todo[num++] = next[n];
	  }
    }
  if (adds)
    add_unit (w, b, begin);
  else
    drop (b);
}

/* All additions of the function.  */
static void
find_units (const struct order_work *w, struct body *b)
{
  const struct ptx_function *f = b->f;

  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (b->unit[i] != 0)
	continue;
      if (calls (w, s, "GOMP_atomic_start"))
	find_section (w, b, i, "GOMP_atomic_end", true);
      else if (calls (w, s, "GOMP_critical_start"))
	find_section (w, b, i, "GOMP_critical_end", false);
      else if (calls (w, s, "GOMP_critical_name_start"))
	find_section (w, b, i, "GOMP_critical_name_end", false);
    }
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (b->unit[i] != 0 || (!is_insn (s, PTX_OP_ATOM) && !is_insn (s, PTX_OP_RED)))
	continue;
      const struct ptx_op *op = s->u.insn.op;
      if (ptx_op_has (op, PTX_CAS))
	find_loop (w, b, i);
      else if (ptx_op_has (op, PTX_ADD) && op->num_types > 0 && ptx_is_float (op->types[0]))
	{
	  take (b, i);
	  add_unit (w, b, i);
	}
    }
}

/* Does S end what additions are made for, before the function does?  ROLE is that of the function.  */
static bool
is_end (const struct order_work *w, const struct ptx_stmt *s, unsigned role)
{
  return calls (w, s, role == KERNEL ? teams4 : "GOMP_barrier");
}

/* Statement I is met behind addition UNIT.  NULL: that may be.  */
static const char *
why_not_behind (const struct order_work *w, const struct body *b, uint32_t i, uint32_t unit, unsigned role)
{
  const struct ptx_stmt *s = &b->f->stmts[i];
  if (b->unit[i] == unit)
    return "it may be made several times";
  return b->unit[i] != 0 || is_end (w, s, role) || is_harmless (w, b->f, s) ? NULL : "something follows it";
}

/* Follow the ways from statement FIRST, which is behind addition UNIT.  A loop may wait for another thread.  */
static const char *
follow_ways (const struct order_work *w, struct body *b, uint32_t first, uint32_t unit, unsigned role)
{
  uint32_t depth = 0, next[2], i = first;
  const char *why = why_not_behind (w, b, first, unit, role);

  if (why != NULL || b->seen[first] != UNSEEN)
    return why;
  b->seen[first] = ON_WAY;
  b->from[first] = 0;
  b->todo[depth++] = first;
  while (depth > 0)
    {
      i = b->todo[depth - 1];
      uint32_t n = is_end (w, &b->f->stmts[i], role) ? 0 : lanes_successors (b->f, i, next);
      if (b->from[i] == n)
	{
	  b->seen[i] = DONE;
	  depth--;
	  continue;
	}
      uint32_t to = next[b->from[i]++];
      if (b->seen[to] == ON_WAY && (b->unit[to] == 0 || b->unit[to] != b->unit[i]))
	return "a loop follows it";
      if (b->seen[to] != UNSEEN)
	continue;
      if ((why = why_not_behind (w, b, to, unit, role)) != NULL)
	return why;
      b->seen[to] = ON_WAY;
      b->from[to] = 0;
      b->todo[depth++] = to;
    }
  return NULL;
}

/* Is addition UNIT the last thing that is done before a barrier, the next team, or the function's return?  NULL: it is.  */
static const char *
why_no_end (const struct order_work *w, struct body *b, uint32_t unit, unsigned role)
{
  const struct ptx_function *f = b->f;
  const char *why = NULL;
  uint32_t next[2];

  memset (b->seen, UNSEEN, f->num_stmts * sizeof (*b->seen));
  for (uint32_t i = 0; i < f->num_stmts && why == NULL; i++)
    if (b->unit[i] == unit)
      for (unsigned n = lanes_successors (f, i, next); n-- > 0 && why == NULL;)
	if (b->unit[next[n]] != unit)
	  why = follow_ways (w, b, next[n], unit, role);
  return why;
}

/* ---- functions ---- */

/* CALL belongs to statement I.  False: it can't be put there.  */
static bool
add_edit (struct order_work *w, const struct ptx_function *f, uint32_t i, enum call call)
{
  if (i == PTX_NO_INDEX || !begins_line (f, i))
    return false;
  if (w->num_edits == w->edit_room)
    {
      size_t room = 2 * w->edit_room + 16;
      struct edit *edits = realloc (w->edits, room * sizeof (*edits));
      if (edits == NULL)
	{
	  w->no_memory = true;
	  return false;
	}
      w->edits = edits;
      w->edit_room = room;
    }
  w->edits[w->num_edits++] = (struct edit) { f->stmts[i].line, call };
  return true;
}

static void
add_note (struct order_work *w, const struct ptx_function *f, bool teams, unsigned ordered, unsigned others, const char *why)
{
  struct nvptx_order *order = w->order;
  const struct ptx_name_entry *e = &w->ptx->names[f->name];

  if (order->num_notes == w->note_room)
    {
      size_t room = 2 * w->note_room + 16;
      struct nvptx_order_note *notes = realloc (order->notes, room * sizeof (*notes));
      if (notes == NULL)
	{
	  w->no_memory = true;
	  return;
	}
      order->notes = notes;
      w->note_room = room;
    }
  order->notes[order->num_notes++]
    = (struct nvptx_order_note) { e->text, e->length, teams, ordered, others, why };
}

/* Put in the calls for a function with ROLE.  False: they can't be.  */
static bool
put_calls (struct order_work *w, const struct body *b, unsigned role)
{
  const struct ptx_function *f = b->f;
  size_t before = w->num_edits;
  bool good = true;

  for (uint32_t u = 0; u < b->num_units; u++)
    if (b->units[u].end)
      good &= add_edit (w, f, b->units[u].insert, role == KERNEL ? TEAM : b->units[u].own ? THREAD : THREAD_OF_ALL);
  for (uint32_t i = 0; i < f->num_stmts; i++)
    if (role == REGION && is_end (w, &f->stmts[i], role))
      good &= add_edit (w, f, block_begin (f, i), THREAD_END);
    else if (role == REGION && is_insn (&f->stmts[i], PTX_OP_RET))
      good &= add_edit (w, f, i, THREAD_END);
  if (!good)
    w->num_edits = before;
  return good;
}

static bool
has_teams (const struct order_work *w, const struct ptx_function *f)
{
  for (uint32_t i = 0; i < f->num_stmts; i++)
    if (calls (w, &f->stmts[i], teams4))
      return true;
  return false;
}

static const char several[] = "the text has several statements in a line";

/* Look at the additions of a function with ROLE.  */
static void
look_at_units (struct order_work *w, struct body *b, unsigned role)
{
  unsigned ordered = 0, others = 0;
  const char *why = NULL;

  find_units (w, b);
  if (b->num_units == 0 || (role == KERNEL && !has_teams (w, b->f)))
    return;
  for (uint32_t u = 0; u < b->num_units; u++)
    {
      const char *reason = role == NONE ? "it is no function of a region itself" : why_no_end (w, b, u + 1, role);
      b->units[u].end = reason == NULL;
      ordered += reason == NULL;
      others += reason != NULL;
      why = reason != NULL ? reason : why;
    }
  if (ordered > 0 && !put_calls (w, b, role))
    {
      others += ordered;
      ordered = 0;
      why = several;
    }
  if (ordered > 0)
    for (uint32_t u = 0; u < b->num_units; u++)
      w->symbols[b->f->name].teams |= b->units[u].end && (role == KERNEL || !b->units[u].own);
  add_note (w, b->f, role == KERNEL, ordered, others, why);
}

static void
look_at_function (struct order_work *w, const struct ptx_function *f)
{
  const struct symbol *symbol = &w->symbols[f->name];
  size_t n = f->num_stmts;
  struct body b = { .f = f };

  if (n == 0 || !lanes_can_be_followed (f))
    return;
  b.unit = calloc (n, sizeof (*b.unit));
  b.from = malloc (n * sizeof (*b.from));
  b.todo = malloc (n * sizeof (*b.todo));
  b.seen = malloc (n * sizeof (*b.seen));
  b.units = malloc (n * sizeof (*b.units));
  if (b.unit == NULL || b.from == NULL || b.todo == NULL || b.seen == NULL || b.units == NULL)
    w->no_memory = true;
  else
    look_at_units (w, &b, symbol->role == KERNEL && symbol->regions == 0 ? KERNEL
			  : symbol->role != KERNEL && symbol->regions > 0 && symbol->mentions <= symbol->regions ? REGION : NONE);
  free (b.unit);
  free (b.from);
  free (b.todo);
  free (b.seen);
  free (b.units);
}

/* ---- roles ---- */

/* Count what O mentions.  ENTRY: it is in an entry, which runs what it mentions.  */
static void
note_operand (struct order_work *w, const struct ptx_operand *o, bool entry)
{
  switch (o->kind)
    {
    case PTX_O_VECTOR:
    case PTX_O_PAIR:
    case PTX_O_ARGS:
    case PTX_O_BRACKETS:
      for (uint32_t i = 0; i < o->id; i++)
	note_operand (w, &o->u.list[i], entry);
      return;
    case PTX_O_ADDRESS:
      if (o->base != PTX_O_SYMBOL)
	return;
      break;
    case PTX_O_SYMBOL:
      break;
    default:
      return;
    }
  struct symbol *s = &w->symbols[o->id];
  s->mentions++;
  if (entry)
    s->role = KERNEL;
}

/* Does F begin a region that wants teams to have an order?  */
static bool
mentions_teams (const struct order_work *w, const struct ptx_function *f)
{
  for (uint32_t i = 0; i < f->num_stmts; i++)
    for (unsigned k = 0; f->stmts[i].kind == PTX_STMT_INSN && k < f->stmts[i].num_operands; k++)
      {
	const struct ptx_operand *o = &f->stmts[i].u.insn.operands[k];
	if (o->kind == PTX_O_SYMBOL && w->symbols[o->id].role != KERNEL && w->symbols[o->id].teams)
	  return true;
      }
  return false;
}

static bool
begins_region (const struct order_work *w, const struct ptx_stmt *s)
{
  static const char begin[] = "GOMP_parallel";
  if (!is_insn (s, PTX_OP_CALL) || s->u.insn.operands[PTX_CALL_TARGET].kind != PTX_O_SYMBOL)
    return false;
  ptx_name name = s->u.insn.operands[PTX_CALL_TARGET].id;
  return lanes_name_begins (w->ptx, name, begin) && !lanes_name_is (w->ptx, name, "GOMP_parallel_end")
	 && !lanes_name_is (w->ptx, name, "GOMP_parallel_reductions");
}

static void
note_mentions (struct order_work *w, struct ptx_function *f)
{
  struct lanes_function lf = { .f = f };

  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      uint32_t argument;
      if (s->kind != PTX_STMT_INSN)
	continue;
      for (unsigned k = 0; k < s->num_operands; k++)
	note_operand (w, &s->u.insn.operands[k], f->is_entry);
      if (begins_region (w, s))
	w->symbols[lanes_first_argument (&lf, &(struct lanes_call) { .stmt = i }, &argument)].regions++;
    }
}

/* Variables that begin with the address of a function are mentions, too.  */
static void
note_variable (struct order_work *w, const struct ptx_var *v)
{
  for (uint32_t i = 0; v->more != NULL && i < v->more->num_inits; i++)
    if (v->more->inits[i].kind == PTX_INIT_SYMBOL || v->more->inits[i].kind == PTX_INIT_GENERIC
	|| v->more->inits[i].kind == PTX_INIT_MASK)
      w->symbols[v->more->inits[i].name].mentions++;
}

/* ---- the text ---- */

static int
by_line (const void *a, const void *b)
{
  const struct edit *x = a, *y = b;
  return x->line < y->line ? -1 : x->line > y->line ? 1 : (int) x->call - (int) y->call;
}

static void
declare (struct ptx_text *out, const struct order_work *w)
{
  bool used[CALLS] = { false };

  for (size_t i = 0; i < w->num_edits; i++)
    used[w->edits[i].call] = true;
  for (unsigned k = 0; k < CALLS; k++)
    if (used[k])
      ptx_printf (out, "// BEGIN GLOBAL FUNCTION DECL: %s\n.extern .func %s%s%s;\n", names[k],
		  k == TEAMS4 ? "(.param.u32 %value_out) " : "", names[k],
		  k == TEAMS4 ? " (.param.u32 %in_ar0, .param.u32 %in_ar1, .param.u32 %in_ar2, .param.u32 %in_ar3)" : "");
}

/* The object's text with all edits.  False: one can't be made.  */
static bool
print (struct ptx_text *out, struct order_work *w, const struct nvptx_object *object)
{
  const char *text = object->text, *from = text, *declared = strstr (text, preamble_end) + sizeof (preamble_end) - 1;
  uint32_t line = 1;

  if (!ptx_reserve (out, object->size + 100 * w->num_edits + 1000))
    return false;
  qsort (w->edits, w->num_edits, sizeof (*w->edits), by_line);
  ptx_print_up_to (out, &from, declared, 0);
  declare (out, w);
  for (size_t i = 0; i < w->num_edits; i++)
    {
      const struct edit *e = &w->edits[i];
      for (; line < e->line; line++)
	text = strchr (text, '\n') + 1;
      if (e->call == TEAMS4)
	{
	  const char *at = strstr (text, teams4);
	  if (at == NULL || memchr (text, '\n', at - text) != NULL)
	    return false;
	  ptx_print_up_to (out, &from, at, sizeof (teams4) - 1);
	  ptx_printf (out, "%s", order_teams4);
	}
      else
	{
	  ptx_print_up_to (out, &from, text, 0);
	  ptx_printf (out, "\t{\n\tcall %s;\n\t}\n", names[e->call]);
	}
    }
  ptx_printf (out, "%s", from);
  return true;
}

/* Nothing has an order.  */
static void
give_up (struct order_work *w)
{
  w->num_edits = 0;
  for (size_t i = 0; i < w->order->num_notes; i++)
    if (w->order->notes[i].ordered > 0)
      {
	w->order->notes[i].others += w->order->notes[i].ordered;
	w->order->notes[i].ordered = 0;
	w->order->notes[i].why = several;
      }
}

/* Read all functions.  False: the text can't be read, or there is no memory.  */
static bool
read_all (struct order_work *w, const struct nvptx_object *object)
{
  char why[PTX_WHY];

  w->module = ptx_read (w->ptx, object->text, object->size, 0, why);
  if (w->module == NULL)
    return false;
  w->symbols = calloc (w->ptx->num_names, sizeof (*w->symbols));
  w->no_memory |= w->symbols == NULL;
  return w->symbols != NULL;
}

/* The function that item I defines, if it is no entry; NULL: there is none.  */
static struct ptx_function *
function_of (const struct order_work *w, size_t i)
{
  const struct ptx_item *item = w->module->items[i];
  return item->kind == PTX_ITEM_FUNCTION && item->u.function->has_body && !item->u.function->is_entry ? item->u.function : NULL;
}

/* What kernels run needs calls, too.  */
static void
put_kernel_calls (struct order_work *w)
{
  size_t num = w->module->num_items;
  bool all = false, good = true;

  /* A region may be begun by any kernel, through other functions.  */
  for (size_t i = 0; i < num; i++)
    {
      const struct ptx_function *f = function_of (w, i);
      all |= f != NULL && w->symbols[f->name].role != KERNEL && mentions_teams (w, f);
    }
  for (size_t i = 0; i < num; i++)
    {
      const struct ptx_function *f = function_of (w, i);
      if (f == NULL || w->symbols[f->name].role != KERNEL || f->num_stmts == 0)
	continue;
      good &= add_edit (w, f, 0, BEGIN);
      bool teams = all || w->symbols[f->name].teams || mentions_teams (w, f);
      for (uint32_t k = 0; k < f->num_stmts && teams; k++)
	if (calls (w, &f->stmts[k], teams4))
	  good &= add_edit (w, f, k, TEAMS4);
    }
  if (!good)
    give_up (w);
}

static void
look (struct order_work *w)
{
  size_t num = w->module->num_items;

  for (size_t i = 0; i < num; i++)
    {
      const struct ptx_item *item = w->module->items[i];
      if (item->kind == PTX_ITEM_FUNCTION && item->u.function->has_body)
	note_mentions (w, item->u.function);
      else if (item->kind == PTX_ITEM_VARIABLE)
	note_variable (w, item->u.variable);
    }
  for (size_t i = 0; i < num && !w->no_memory; i++)
    if (function_of (w, i) != NULL)
      look_at_function (w, function_of (w, i));
  if (w->num_edits > 0)
    put_kernel_calls (w);
}

bool
nvptx_order_parts (const struct nvptx_object *object, struct nvptx_order *order)
{
  struct order_work w = { .order = order };
  struct ptx_text out = { .size = 0 };

  *order = (struct nvptx_order) { .num_notes = 0 };
  if (object->size == 0 || memchr (object->text, 0, object->size) != object->text + object->size - 1
      || strstr (object->text, preamble_end) == NULL
      || (strstr (object->text, "atom.") == NULL && strstr (object->text, "red.") == NULL
	  && strstr (object->text, "GOMP_atomic_start") == NULL && strstr (object->text, "GOMP_critical_") == NULL))
    return true;
  w.ptx = ptx_new ();
  if (w.ptx != NULL && read_all (&w, object))
    look (&w);
  bool printed = w.num_edits > 0 && !w.no_memory && print (&out, &w, object);
  if (!printed)
    give_up (&w);
  bool good = w.ptx != NULL && !w.no_memory && !w.ptx->no_memory && !out.no_memory;
  ptx_free (w.ptx);
  free (w.symbols);
  free (w.edits);
  if (good && printed)
    order->object = (struct nvptx_object) { out.text, out.size + 1 };
  else
    free (out.text);
  return good;
}

void
nvptx_order_free (struct nvptx_order *order)
{
  free ((char *) order->object.text);
  free (order->notes);
  *order = (struct nvptx_order) { .num_notes = 0 };
}
