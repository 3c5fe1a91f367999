/* nvptx-lanes-team.c -- critical constructs that exclude only the threads of a team, in kernels
   without the library.

   A critical construct is for the threads of a contention group, which are a team's (OpenMP 5.2,
   15.2).  The library's lock is the device's, as programs combine what teams have computed in such
   sections.  Then each section of any team waits for those of all others.  Where no thread of another
   team can tell, the lock of the team's does, a word in shared memory:

	{ call gompx_lanes_GOMP_critical_start; }	{ ... call gompx_lanes_team_start, (0); }
	...						...
	{ call gompx_lanes_GOMP_critical_end; }		the same

   The function that ends such sections gives back what the block has (lanes-abi.h).  Sections whose
   lanes take turns (nvptx-lanes-turns.c) say so to the library's part of these.

   What a section does is all that can be executed between its begin and an end, on any way:

	OWN	it gets to the team's memory, the lane's, or the kernel's arguments
	LOADS	it has plain loads of other memory, too
	STORES	everything else

   A section has the team's lock if it is OWN; or if it is LOADS, and no section of the same name in
   the kernel is STORES.  A name has one of the team's locks of its own.  If a section of it is STORES,
   all of them take both locks, the team's first: so one lane of each block waits for the device's.

   Invariants
   1. All sections of a construct exclude each other within a block, as each takes the team's lock, in
      the library or here.
   2. A section without the device's lock stores to nothing that a thread of another team may use.
   3. A kernel that may order memory for other teams, by atomic operations or fences, has the device's
      fence behind the begin of such a section and in front of its end, where the lock had it.

   Any doubt, and the section keeps the device's lock (doc/lanes.md, "Critical constructs of a team").

   Called by nvptx-lanes-direct-emit.c and nvptx-lanes-rewrite.c.  No state.  */

#include "nvptx-lanes-direct.h"
#include "lanes-abi.h"

#include <string.h>

/* What a statement does with memory.  */
enum reach
{
  OWN,				/* nothing, or with what is the team's, the lane's, or nobody writes */
  LOADS,			/* a plain load of what may be others' */
  STORES,			/* a plain store to that */
  ORDERS	/* it may order others' accesses: atomics, fences, calls, what isn't known */
};

enum
{
  MOST_COPIES = 4,		/* of a name's address */
  MOST_CALLS = 4		/* one in another, that are looked at for fences */
};

/* A call that begins or ends such sections.  */
struct lock
{
  uint32_t call, begin, end;	/* statements: it, the block around it */
  uint32_t which;		/* the statement that says which lock, of gompx_lanes_turn_...; else 0 */
  ptx_name name;		/* the variable of a construct with a name; 0: it has none */
  bool starts;
  uint8_t reach;		/* of what it begins: enum reach */
};

struct locks
{
  struct ptx_function *f;
  struct lock *v;
  uint32_t num;
  uint32_t *at;			/* by statement: the number of the lock whose call it is, plus 1 */
  ptx_name names[GOMPX_LANES_NAMES];
  unsigned num_names;
  bool names_known;		/* which name each lock with one has */
  bool fences;			/* invariant 3 */
  bool near;			/* sections without a name have the team's lock */
};

/* ---- which ---- */

static bool
calls_by_name (const struct ptx_stmt *s)
{
  return s->kind == PTX_STMT_INSN && s->u.insn.op->opcode == PTX_OP_CALL
	 && s->u.insn.operands[PTX_CALL_TARGET].kind == PTX_O_SYMBOL;
}

static const char start_name[] = GOMPX_LANES_PREFIX "team_start",
		  end_name[] = GOMPX_LANES_PREFIX "team_end";

bool
lanes_declare_team_locks (struct lanes_work *w, struct ptx_module *module)
{
  ptx_name start = lanes_library_has (w, start_name), end = lanes_library_has (w, end_name);
  return start == 0 || end == 0
	 || (lanes_need_declaration (module, w->definitions[start], start)
	     && lanes_need_declaration (module, w->definitions[end], end));
}

/* Argument NUMBER of call L: the statement that stores it.  0: not just one does.  */
static uint32_t
argument_of (const struct ptx_function *f, const struct lock *l, uint32_t number)
{
  const struct ptx_operand *args = &f->stmts[l->call].u.insn.operands[PTX_CALL_ARGS];
  uint32_t found = 0;

  if (args->kind != PTX_O_ARGS || number >= args->id || args->u.list[number].kind != PTX_O_VAR)
    return 0;
  for (uint32_t i = l->begin; i < l->call; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (!lanes_is_insn (s, PTX_OP_ST, 2) || s->u.insn.operands[0].kind != PTX_O_ADDRESS
	  || s->u.insn.operands[0].base != PTX_O_VAR
	  || s->u.insn.operands[0].id != args->u.list[number].id)
	continue;
      if (found != 0 || s->guard != PTX_NO_INDEX || s->u.insn.operands[0].u.value != 0)
	return 0;
      found = i;
    }
  return found;
}

/* The variable whose address O is; 0: that can't be told.  */
static ptx_name
symbol_of (const struct ptx_function *f, const struct ptx_operand *o)
{
  for (unsigned copies = 0; copies < MOST_COPIES && o->kind == PTX_O_REG && o->element == 0
			    && lanes_is_set_once (f, o->id); copies++)
    {
      uint32_t i = 0;
      while (!lanes_sets_reg (&f->stmts[i], o->id))
	i++;
      const struct ptx_stmt *s = &f->stmts[i];
      if (s->guard != PTX_NO_INDEX
	  || !(lanes_is_insn (s, PTX_OP_MOV, 2)
	       || (lanes_is_insn (s, PTX_OP_CVTA, 2) && s->u.insn.op->space == PTX_GLOBAL
		   && !ptx_op_has (s->u.insn.op, PTX_TO))))
	return 0;
      o = &s->u.insn.operands[1];
    }
  return o->kind == PTX_O_SYMBOL && o->u.value == 0 ? o->id : 0;
}

/* Fill in L if its call is one of those.  *GOOD: false if it is, but not as it should be.  */
static bool
is_lock (struct lanes_work *w, struct locks *all, struct lock *l, bool *good)
{
  static const struct { const char *name; bool starts, named, turns; } calls[] =
  {
    { GOMPX_LANES_PREFIX "GOMP_critical_start", true, false, false },
    { GOMPX_LANES_PREFIX "GOMP_critical_end", false, false, false },
    { GOMPX_LANES_PREFIX "GOMP_critical_name_start", true, true, false },
    { GOMPX_LANES_PREFIX "GOMP_critical_name_end", false, true, false },
    { GOMPX_LANES_PREFIX "turn_start", true, false, true },
    { GOMPX_LANES_PREFIX "turn_end", false, false, true }
  };
  const struct ptx_function *f = all->f;
  const struct ptx_stmt *s = &f->stmts[l->call];
  size_t k = 0;

  while (k < sizeof (calls) / sizeof (calls[0])
	 && !lanes_name_is (w->ptx, s->u.insn.operands[PTX_CALL_TARGET].id, calls[k].name))
    k++;
  if (k == sizeof (calls) / sizeof (calls[0]))
    return false;
  l->starts = calls[k].starts;
  l->begin = l->call;
  while (l->begin > 0 && f->stmts[l->begin].kind != PTX_STMT_BEGIN
	 && f->stmts[l->begin].kind != PTX_STMT_END)
    l->begin--;
  if (f->stmts[l->begin].kind != PTX_STMT_BEGIN || s->guard != PTX_NO_INDEX)
    {
      *good = false;
      return true;
    }
  l->end = f->stmts[l->begin].u.match;
  if (calls[k].turns)
    {
      l->which = argument_of (f, l, 1);
      const struct ptx_operand *o
	= l->which != 0 ? &f->stmts[l->which].u.insn.operands[1] : NULL;
      if (o == NULL || o->kind != PTX_O_INT)
	*good = false;
      /* Else it is the lock of atomics.  */
      else if (o->u.value != GOMPX_LANES_SECTION_CRITICAL)
	return false;
    }
  else if (calls[k].named)
    {
      uint32_t at = argument_of (f, l, 0);
      l->name = at != 0 ? symbol_of (f, &f->stmts[at].u.insn.operands[1]) : 0;
      if (l->name == 0)
	{
	  all->names_known = false;
	  l->name = PTX_UNDERSCORE;
	}
    }
  return true;
}

/* Find them.  False: one is not as it should be, or there is no memory.  */
static bool
find_locks (struct lanes_work *w, struct locks *all)
{
  const struct ptx_function *f = all->f;
  uint32_t num_calls = 0;
  bool good = true;

  for (uint32_t i = 0; i < f->num_stmts; i++)
    num_calls += calls_by_name (&f->stmts[i]);
  all->v = ptx_alloc (w->ptx, (num_calls + 1) * sizeof (*all->v));
  all->at = ptx_alloc (w->ptx, (f->num_stmts + 1) * sizeof (*all->at));
  if (all->v == NULL || all->at == NULL)
    {
      w->no_memory = true;
      return false;
    }
  for (uint32_t i = 0; i < f->num_stmts && good; i++)
    if (calls_by_name (&f->stmts[i]))
      {
	struct lock l = { .call = i };
	if (!is_lock (w, all, &l, &good))
	  continue;
	all->v[all->num++] = l;
	all->at[i] = all->num;
      }
  return good;
}

/* ---- what they protect ---- */

/* A label where a section's lanes are when all of them have had their turns.  */
static bool
is_left (const struct ptx *ptx, const struct ptx_function *f, const struct ptx_stmt *s)
{
  return s->kind == PTX_STMT_LABEL
	 && lanes_name_begins (ptx, f->labels[s->u.label].name, "$lanes_left");
}

/* What statement S does, an access to OWNER's memory if it is one.  */
static enum reach
reach_of (const struct ptx_stmt *s, enum lanes_owner owner)
{
  if (s->kind != PTX_STMT_INSN)
    return s->kind == PTX_STMT_LABEL || s->kind == PTX_STMT_DECLARE || s->kind == PTX_STMT_BEGIN
	   || s->kind == PTX_STMT_END || s->kind == PTX_STMT_LOC ? OWN : ORDERS;
  const struct ptx_op *op = s->u.insn.op;
  switch (op->opcode)
    {
    case PTX_OP_LD:
    case PTX_OP_ST:
    case PTX_OP_ATOM:
    case PTX_OP_RED:
      if (owner == LANES_OWNER_TEAM)
	return OWN;
      if (op->opcode == PTX_OP_ATOM || op->opcode == PTX_OP_RED || op->num_types != 1
	  || op->num_words != 1u + (op->space != 0) + (op->vector > 1))
	return ORDERS;
      return op->opcode == PTX_OP_ST ? STORES : owner == LANES_OWNER_NOBODY ? OWN : LOADS;
    case PTX_OP_MEMBAR:
      return ptx_op_has (op, PTX_CTA) ? OWN : ORDERS;
    case PTX_OP_CVTA:
    case PTX_OP_ISSPACEP:
    case PTX_OP_ACTIVEMASK:
    case PTX_OP_MATCH:
    case PTX_OP_SHFL:
    case PTX_OP_VOTE:
    case PTX_OP_BAR:
    case PTX_OP_BARRIER:
    case PTX_OP_NANOSLEEP:
      return OWN;
    default:
      return lanes_computes (op->opcode) ? OWN : ORDERS;
    }
}

/* Does a call of NAME order nothing: is its code seen, with all that it calls up to DEPTH deep, and
   has no such statement?  */
static bool
orders_nothing (struct lanes_work *w, ptx_name name, unsigned depth)
{
  const struct ptx_function *f = ptx_find_function (w->modules[0], name);

  if ((f == NULL || !f->has_body) && name < w->num_definitions)
    f = w->definitions[name];
  if (f == NULL || !f->has_body || !f->is_read || depth == 0)
    return false;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (reach_of (s, LANES_OWNER_ANY) != ORDERS)
	continue;
      if (!calls_by_name (s)
	  || !orders_nothing (w, s->u.insn.operands[PTX_CALL_TARGET].id, depth - 1))
	return false;
    }
  return true;
}

/* What is done on all ways from the begin L to an end; REACH by statement.  ROOM: 2 for each
   statement.  */
static uint8_t
section_reach (const struct lanes_work *w, const struct locks *all, const struct lock *l,
	       const uint8_t *reach, uint32_t *room)
{
  const struct ptx_function *f = all->f;
  uint32_t *seen = room + f->num_stmts, depth = 0, next[2];
  uint8_t most = OWN;

  memset (seen, 0, f->num_stmts * sizeof (*seen));
  room[depth++] = l->end;
  seen[l->end] = 1;
  while (depth > 0)
    {
      uint32_t i = room[--depth];
      const struct ptx_stmt *s = &f->stmts[i];
      if (s->kind == PTX_STMT_INSN)
	switch (s->u.insn.op->opcode)
	  {
	  case PTX_OP_CALL:
	    {
	      const struct lock *end = all->at[i] != 0 ? &all->v[all->at[i] - 1] : NULL;
	      if (end == NULL || end->starts || end->name != l->name)
		return ORDERS;
	      continue;
	    }
	  case PTX_OP_RET:
	  case PTX_OP_EXIT:
	    return ORDERS;
	  default:
	    break;
	  }
      else if (l->name == 0 && is_left (w->ptx, f, s))
	continue;
      if (reach[i] > most)
	most = reach[i];
      for (unsigned n = lanes_successors (f, i, next); n-- > 0;)
	if (seen[next[n]] == 0)
	  {
	    seen[next[n]] = 1;
	    room[depth++] = next[n];
	  }
    }
  return most;
}

/* Fill in what begins do, and whether the kernel may order memory for others.  */
static bool
find_reach (struct lanes_work *w, struct locks *all)
{
  const struct ptx_function *f = all->f;
  uint32_t *room = ptx_alloc (w->ptx, (2 * (size_t) f->num_stmts + 1) * sizeof (*room));
  uint8_t *reach = lanes_find_owners (all->f);

  if (room == NULL || reach == NULL)
    {
      w->no_memory = true;
      return false;
    }
  for (uint32_t i = 0; i < f->num_stmts; i++)
    reach[i] = (uint8_t) reach_of (&f->stmts[i], reach[i]);
  for (uint32_t k = 0; k < all->num; k++)
    if (all->v[k].starts)
      all->v[k].reach = section_reach (w, all, &all->v[k], reach, room);
  /* What travels with the launch is outside of the block that is the program's code.  */
  uint32_t from = 0;
  while (f->stmts[from].kind != PTX_STMT_BEGIN || f->stmts[from].u.match < all->v[0].call)
    from++;
  for (uint32_t i = from; i < f->stmts[from].u.match; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (reach[i] != ORDERS)
	continue;
      ptx_name name = calls_by_name (s) ? s->u.insn.operands[PTX_CALL_TARGET].id : 0;
      all->fences |= name == 0 || !(lanes_name_begins (w->ptx, name, GOMPX_LANES_PREFIX)
				    || orders_nothing (w, name, MOST_CALLS));
    }
  return true;
}

/* Has a section of L's construct a store that threads of other teams may see?  */
static bool
is_stored_to (const struct locks *all, const struct lock *l)
{
  for (uint32_t k = 0; k < all->num; k++)
    if (all->v[k].starts && all->v[k].name == l->name && all->v[k].reach > LOADS)
      return true;
  return false;
}

/* Does the team's lock do for L, the begin of a section, or any lock with a name?  */
static bool
is_near (const struct locks *all, const struct lock *l)
{
  if (l->name == 0)
    return l->starts && (l->reach == OWN || !is_stored_to (all, l));
  return !is_stored_to (all, l);
}

/* The number of L's name among those that have a lock; 0: it has none.  */
static unsigned
number_of (const struct locks *all, const struct lock *l)
{
  for (unsigned i = 0; i < all->num_names; i++)
    if (all->names[i] == l->name)
      return i + 1;
  return 0;
}

static void
find_names (struct locks *all)
{
  for (uint32_t k = 0; k < all->num && all->names_known; k++)
    if (all->v[k].name != 0 && number_of (all, &all->v[k]) == 0
	&& all->num_names < GOMPX_LANES_NAMES)
      all->names[all->num_names++] = all->v[k].name;
}

/* ---- writing ---- */

static bool
emit_call (struct ptx_function *f, const char *name, unsigned number, char why[PTX_WHY])
{
  return ptx_emitf (f, why, "{\n.param .u32 %%lanes_which;\nst.param.u32 [%%lanes_which], %u;\n"
			    "call %s, (%%lanes_which);\n}\n", number, name) != 0;
}

static bool
emit_fence (const struct locks *all, char why[PTX_WHY])
{
  return !all->fences || ptx_emitf (all->f, why, "membar.gl;\n") != 0;
}

/* The block of L, of statements OLD; NEAR: it begins for the team only.  */
static bool
emit_block (const struct locks *all, const struct ptx_stmt *old, const struct lock *l, bool near)
{
  for (uint32_t i = l->begin; i <= l->end; i++)
    {
      struct ptx_stmt *s = ptx_emit_copy (all->f, &old[i]);
      if (s == NULL)
	return false;
      if (!near || i != l->which)
	continue;
      struct ptx_operand *o = ptx_alloc (all->f->module->ptx, 2 * sizeof (*o));
      if (o == NULL)
	return false;
      memcpy (o, s->u.insn.operands, 2 * sizeof (*o));
      o[1].u.value = GOMPX_LANES_SECTION_NEAR;
      s->u.insn.operands = o;
    }
  return true;
}

/* What takes the place of L.  */
static bool
emit_lock (const struct locks *all, const struct ptx_stmt *old, const struct lock *l,
	   char why[PTX_WHY])
{
  unsigned number = number_of (all, l);
  bool near = is_near (all, l);

  if (l->name != 0 && number == 0)
    return emit_block (all, old, l, false);
  if (l->name != 0 && l->starts)
    return emit_call (all->f, start_name, number, why)
	   && (near ? emit_fence (all, why) : emit_block (all, old, l, false));
  if (l->name != 0)
    return (near ? emit_fence (all, why) : emit_block (all, old, l, false))
	   && emit_call (all->f, end_name, number, why);
  if (!l->starts)
    return (!all->near || emit_fence (all, why)) && emit_block (all, old, l, false);
  if (!near)
    return emit_block (all, old, l, false);
  return (l->which != 0 ? emit_block (all, old, l, true)
			: emit_call (all->f, start_name, 0, why))
	 && emit_fence (all, why);
}

bool
lanes_use_team_locks (struct lanes_work *w, struct ptx_function *f, char why[PTX_WHY])
{
  struct locks all = { .f = f, .names_known = true };

  if (!lanes_can_be_followed (f) || lanes_library_has (w, start_name) == 0
      || lanes_library_has (w, end_name) == 0)
    return true;
  if (!find_locks (w, &all))
    return !w->no_memory;
  if (all.num == 0)
    return true;
  if (!find_reach (w, &all))
    return false;
  find_names (&all);
  for (uint32_t k = 0; k < all.num; k++)
    all.near |= all.v[k].name == 0 && is_near (&all, &all.v[k]);
  if (!all.near && all.num_names == 0)
    return true;

  const struct ptx_stmt *old = f->stmts;
  uint32_t num = f->num_stmts, next = 0;
  ptx_begin_body (f);
  for (uint32_t i = 0; i < num; i++)
    if (next < all.num && all.v[next].begin == i)
      {
	if (!emit_lock (&all, old, &all.v[next], why))
	  return false;
	i = all.v[next++].end;
      }
    else if (ptx_emit_copy (f, &old[i]) == NULL)
      return false;
  return ptx_end_body (f, why);
}
