/* nvptx-lanes-turns.c -- sections that exclude each other, for all lanes of a warp under one taking of the lock.

   GCC combines what a reduction of several variables has computed in a section of the lock of atomics:

	{ call GOMP_atomic_start; }
	... loads, arithmetic, stores, branches ...
	{ call GOMP_atomic_end; }

   and critical constructs look the same.  In lane code 32 lanes of a warp take the lock one after the other, each with
   sleeping, fences and the way from one to the next.  In a clone those lanes that come to the section together are a
   party: their first lane takes the lock for all, they go through the section in turn, and it is given back.  Where a party is
   all of the warp, barriers of the warp are between the turns; others hand the turn on by a word in shared memory, which is
   the library's part:

	membar.cta;				what the library's versions have for each lane
	party = activemask;
	whole = party is all lanes;
	if (!whole) { gompx_lanes_turn_start (party, which); goto turn; }
	@first call gompx_lanes_GOMP_atomic_start;
	rest = party;
     turn:					the loop's only entry, for ptxas
	if (!whole) goto in;
	bar.warp.sync -1;
	if it isn't this lane's turn, the lowest of rest, goto after;
     in:
	... the section ...
	if (!whole) { gompx_lanes_turn_end (party, which); goto left; }
     after:
	rest without its lowest lane;  if there is one, goto turn;
	bar.warp.sync -1;
	@first call gompx_lanes_GOMP_atomic_end;
     left:
	membar.cta;

   Registers of a lane change in its own turn only, so it is as if each had the lock for itself, in this order.
   A section that is the end of a region's threads, of which one lane of a warp is left (nvptx-lanes-combine.c), has no turns: that
   lane takes the lock.

   What is combined is mostly the team's, a variable of its initial thread, and other teams have no business there.  So a section of
   the lock of atomics takes the block's part of that only (gompx_lanes_section_start), if all it does with memory is loads and
   stores, and before each of them to memory that may be others', too, the rest (lanes-abi.h):

	at = address - low;  unless it is in .local or .shared, or at < room: call gompx_lanes_section_widen;

   Invariants
   1. A section that is executed in turns has one end; control enters it by its begin and leaves it by its end only; there
      is no cycle and no call in it.  So each lane of a party gets to `after' in finite time and as often as the others do.
   2. Lanes of a party have got PARTY by one instruction that they executed together, and no other lane has it.
   3. A section that widens gets to memory by statements that is_access knows, only.
   4. No lane waits in a warp-wide instruction with a mask that isn't all lanes.

   Any doubt, and the section stays as it is, which is right, too (doc/lanes.md, "Sections of one lock").

   Called by nvptx-lanes.c, for functions that were scanned, and nvptx-lanes-rewrite.c.  */

#include "nvptx-lanes-work.h"
#include "lanes-abi.h"

#include <string.h>

enum { SECTION = 512 };		/* statements */

/* What begins a section, and what ends it.  */
enum { ATOMIC, CRITICAL };
static const char *const pairs[][2] =
{
  [ATOMIC] = { "GOMP_atomic_start", "GOMP_atomic_end" },
  [CRITICAL] = { "GOMP_critical_start", "GOMP_critical_end" }
};

bool
lanes_is_call_block (const struct lanes_work *w, const struct ptx_function *f, uint32_t begin, const char *name)
{
  if (begin + 2 >= f->num_stmts)
    return false;
  const struct ptx_stmt *s = &f->stmts[begin];
  if (s[0].kind != PTX_STMT_BEGIN || s[1].kind != PTX_STMT_INSN || s[2].kind != PTX_STMT_END
      || s[1].u.insn.op->opcode != PTX_OP_CALL || s[1].guard != PTX_NO_INDEX)
    return false;
  const struct ptx_operand *o = s[1].u.insn.operands;
  return (o[PTX_CALL_RESULT].kind != PTX_O_ARGS || o[PTX_CALL_RESULT].id == 0)
	 && (o[PTX_CALL_ARGS].kind != PTX_O_ARGS || o[PTX_CALL_ARGS].id == 0)
	 && o[PTX_CALL_TARGET].kind == PTX_O_SYMBOL && lanes_name_is (w->ptx, o[PTX_CALL_TARGET].id, name);
}

/* May S, in LF, be in a section that is executed in turns?  */
static bool
may_be_inside (const struct lanes_function *lf, uint32_t i)
{
  const struct ptx_stmt *s = &lf->f->stmts[i];
  if ((lf->has_frame && i == lf->frame_begin) || (lf->has_uniform && i == lf->uniform_begin))
    return false;
  if (s->kind != PTX_STMT_INSN)
    return s->kind == PTX_STMT_LABEL || s->kind == PTX_STMT_BEGIN || s->kind == PTX_STMT_END
	   || s->kind == PTX_STMT_DECLARE || s->kind == PTX_STMT_LOC;
  switch (s->u.insn.op->opcode)
    {
    case PTX_OP_CALL:
    case PTX_OP_RET:
    case PTX_OP_EXIT:
    case PTX_OP_TRAP:
    case PTX_OP_NANOSLEEP:
      return false;
    default:
      return true;
    }
}

/* Of the library: what a section that widens calls (lanes-abi.h).  */
static const char start_name[] = "gompx_lanes_section_start", widen_name[] = "gompx_lanes_section_widen",
		  low_name[] = "gompx_lanes_section_low", room_name[] = "gompx_lanes_section_room";
static const char *const section_names[] = { start_name, widen_name, low_name, room_name };
/* What each section that is executed in turns calls.  */
static const char turn_start_name[] = "gompx_lanes_turn_start", turn_end_name[] = "gompx_lanes_turn_end";
static const char *const turn_names[] = { turn_start_name, turn_end_name };

#define NUM(NAMES) (sizeof (NAMES) / sizeof (*(NAMES)))

static bool
library_has_all (struct lanes_work *w, const char *const *names, size_t num)
{
  for (size_t i = 0; i < num; i++)
    if (lanes_library_has (w, names[i]) == 0)
      return false;
  return true;
}

/* Does S, in F, get to memory by *ADDRESS only, if that isn't NULL, besides what is the lane's own?  False: that isn't
   known.  */
static bool
is_access (const struct ptx_function *f, const struct ptx_stmt *s, const struct ptx_operand **address)
{
  *address = NULL;
  if (s->kind != PTX_STMT_INSN)
    return true;
  const struct ptx_op *op = s->u.insn.op;
  const struct ptx_operand *o = s->u.insn.operands;
  if ((op->opcode == PTX_OP_LD || op->opcode == PTX_OP_ST) && s->num_operands == 2)
    {
      const struct ptx_operand *at = &o[op->opcode == PTX_OP_LD];
      if (op->space == PTX_PARAM || op->space == PTX_LOCAL)
	return true;
      *address = at;
      return (op->space == 0 || op->space == PTX_GLOBAL) && at->kind == PTX_O_ADDRESS && at->base == PTX_O_REG
	     && at->element == 0 && ptx_type_size (f->vars[at->id].type) == sizeof (uint64_t)
	     && op->num_types > 0 && op->vector * ptx_type_size (op->types[0]) <= GOMPX_LANES_WIDEST;
    }
  return op->opcode == PTX_OP_BRA || lanes_is_arithmetic (op->opcode);
}

/* Is all that T does with memory seen?  */
static bool
can_widen (const struct lanes_function *lf, const struct lanes_turns *t)
{
  const struct ptx_operand *address;
  for (uint32_t i = 0; i < lf->f->num_stmts; i++)
    if (t->inside[i] && !is_access (lf->f, &lf->f->stmts[i], &address))
      return false;
  return true;
}

/* What is between the begin and the end of T, by statement: not met (as ptx_alloc leaves it), being walked through, done.  */
enum { OUTSIDE, OPEN, INSIDE };

/* Walk through the section, depth first; false: it has not the form.  INSIDE[...] says what it is then.  */
static bool
walk (const struct lanes_work *w, const struct lanes_function *lf, const char *end_name, struct lanes_turns *t,
      uint8_t *inside)
{
  const struct ptx_function *f = lf->f;
  uint32_t way[SECTION], next[2], depth = 0, met = 0;
  uint8_t taken[SECTION];

  t->end = PTX_NO_INDEX;
  way[depth] = t->begin + 3;
  taken[depth++] = 0;
  while (depth > 0)
    {
      uint32_t i = way[depth - 1];
      if (taken[depth - 1] == 0)
	{
	  if (lanes_is_call_block (w, f, i, end_name))
	    {
	      if (t->end != PTX_NO_INDEX && t->end != i)
		return false;
	      t->end = i;
	      depth--;
	      continue;
	    }
	  if (!may_be_inside (lf, i) || met++ == SECTION)
	    return false;
	  inside[i] = OPEN;
	}
      unsigned n = lanes_successors (f, i, next);
      if (n == 0)
	return false;
      if (taken[depth - 1] == n)
	{
	  inside[i] = INSIDE;
	  depth--;
	  continue;
	}
      uint32_t to = next[taken[depth - 1]++];
      if (inside[to] == OPEN)
	return false;
      if (inside[to] == INSIDE)
	continue;
      if (depth == SECTION)
	return false;
      way[depth] = to;
      taken[depth++] = 0;
    }
  return t->end != PTX_NO_INDEX;
}

/* Does control get into the section by its begin only?  */
static bool
is_closed (const struct lanes_function *lf, const struct lanes_turns *t, const uint8_t *inside)
{
  uint32_t next[2];
  for (uint32_t i = 0; i < lf->f->num_stmts; i++)
    {
      if (inside[i] == INSIDE || i == t->begin + 2)
	continue;
      for (unsigned n = lanes_successors (lf->f, i, next); n-- > 0;)
	if (inside[next[n]] == INSIDE || next[n] == t->end)
	  return false;
    }
  return true;
}

void
lanes_scan_turns (struct lanes_work *w, struct lanes_function *lf)
{
  uint32_t room = 0;

  if (lf->scanned_turns || lf->reason != LANES_NO_REASON)
    return;
  lf->scanned_turns = true;
  for (uint32_t k = 0; k < lf->num_calls; k++)
    room += lf->calls[k].kind == LANES_CALL_LIBRARY && lf->calls[k].stmt > 0;
  if (room == 0 || !lanes_can_be_followed (lf->f) || !library_has_all (w, turn_names, NUM (turn_names)))
    return;
  lf->turns = ptx_alloc (w->ptx, room * sizeof (*lf->turns));
  if (lf->turns == NULL)
    {
      w->no_memory = true;
      return;
    }
  bool widens = library_has_all (w, section_names, NUM (section_names));
  for (uint32_t k = 0; k < lf->num_calls; k++)
    for (size_t p = 0; p < NUM (pairs); p++)
      {
	if (lf->calls[k].kind != LANES_CALL_LIBRARY || lf->calls[k].stmt == 0
	    || !lanes_is_call_block (w, lf->f, lf->calls[k].stmt - 1, pairs[p][0]))
	  continue;
	struct lanes_turns t = { .begin = lf->calls[k].stmt - 1 };
	t.inside = ptx_alloc (w->ptx, lf->f->num_stmts);
	if (t.inside == NULL)
	  {
	    w->no_memory = true;
	    return;
	  }
	if (t.begin + 3 >= lf->f->num_stmts || !walk (w, lf, pairs[p][1], &t, t.inside) || !is_closed (lf, &t, t.inside))
	  continue;
	t.widens = widens && p == ATOMIC && can_widen (lf, &t);
	t.which = t.widens ? GOMPX_LANES_SECTION_TEAM
		  : p == ATOMIC ? GOMPX_LANES_SECTION_ATOMIC : GOMPX_LANES_SECTION_CRITICAL;
	lf->turns[lf->num_turns++] = t;
      }
}

/* ---- writing ---- */

bool
lanes_emit_turns_registers (struct ptx_function *f, char why[PTX_WHY])
{
  return ptx_emitf (f, why, ".reg .u32 %%lanes_party, %%lanes_self, %%lanes_waiting, %%lanes_lowest;\n"
			    ".reg .pred %%lanes_whole, %%lanes_others, %%lanes_skip, %%lanes_private, %%lanes_common,"
			    " %%lanes_near;\n"
			    ".reg .u64 %%lanes_frames, %%lanes_bytes, %%lanes_place;\n") != 0;
}

/* The block of a call of the library, with TARGET instead.  */
static bool
emit_block (struct ptx_function *f, const struct ptx_function *from, uint32_t begin, ptx_name target)
{
  for (uint32_t i = begin; i < begin + 3; i++)
    {
      struct ptx_stmt *s = ptx_emit_copy (f, &from->stmts[i]);
      if (s == NULL)
	return false;
      if (i != begin + 1)
	continue;
      struct ptx_operand *o = ptx_alloc (f->module->ptx, PTX_CALL_OPERANDS * sizeof (*o));
      if (o == NULL)
	return false;
      memcpy (o, s->u.insn.operands, PTX_CALL_OPERANDS * sizeof (*o));
      o[PTX_CALL_TARGET] = ptx_symbol (target);
      s->u.insn.operands = o;
    }
  return true;
}

static bool
declare_all (struct lanes_work *w, const struct lanes_function *lf, const char *const *names, size_t num)
{
  for (size_t i = 0; i < num; i++)
    {
      ptx_name name = lanes_library_has (w, names[i]);
      if (name == 0 || !lanes_need_declaration (lf->f->module, w->definitions[name], name))
	return false;
    }
  return true;
}

bool
lanes_declare_section_calls (struct lanes_work *w, const struct lanes_function *lf)
{
  bool any = false;
  for (uint32_t k = 0; k < lf->num_turns; k++)
    any |= lf->turns[k].widens;
  return (!any || declare_all (w, lf, section_names, NUM (section_names)))
	 && (lf->num_turns == 0 || declare_all (w, lf, turn_names, NUM (turn_names)));
}

/* What memory is the team's own.  */
static bool
emit_own_memory (struct ptx_function *f, char why[PTX_WHY])
{
  return ptx_emitf (f, why, "{\n.param .u64 %%lanes_value;\ncall (%%lanes_value), %s;\n"
			    "ld.param.u64 %%lanes_frames, [%%lanes_value];\n}\n"
			    "{\n.param .u64 %%lanes_value;\ncall (%%lanes_value), %s;\n"
			    "ld.param.u64 %%lanes_bytes, [%%lanes_value];\n}\n", low_name, room_name) != 0;
}

bool
lanes_emit_turns_access (struct ptx_function *f, const struct lanes_function *lf, uint32_t i, uint32_t *number,
			 char why[PTX_WHY])
{
  const struct ptx_operand *address = NULL;
  for (uint32_t k = 0; k < lf->num_turns && address == NULL; k++)
    if (lf->turns[k].widens && lf->turns[k].inside[i])
      is_access (lf->f, &lf->f->stmts[i], &address);
  if (address == NULL)
    return true;
  const struct ptx_name_entry *base = &f->module->ptx->names[f->vars[address->id].name];
  uint32_t n = ++*number;
  return ptx_emitf (f, why, "add.u64 %%lanes_place, %.*s, %lld;\n"
			    "isspacep.local %%lanes_private, %%lanes_place;\n"
			    "isspacep.shared %%lanes_common, %%lanes_place;\n"
			    "sub.u64 %%lanes_place, %%lanes_place, %%lanes_frames;\n"
			    "setp.lt.u64 %%lanes_near, %%lanes_place, %%lanes_bytes;\n"
			    "@%%lanes_private bra $lanes_own%u;\n"
			    "@%%lanes_common bra $lanes_own%u;\n"
			    "@%%lanes_near bra $lanes_own%u;\n"
			    "{\ncall %s;\n}\n"
			    "$lanes_own%u:\n", (int) base->length, base->text, (long long) address->u.value, n, n, n, widen_name, n) != 0;
}

/* The library's part of section T, by NAME, then on to LABEL with the section's NUMBER.  */
static bool
emit_turn_call (struct ptx_function *f, const struct lanes_turns *t, const char *name, const char *label, uint32_t number,
		char why[PTX_WHY])
{
  return ptx_emitf (f, why, "{\n.param .u32 %%lanes_with;\nst.param.u32 [%%lanes_with], %%lanes_party;\n"
			    ".param .u32 %%lanes_which;\nst.param.u32 [%%lanes_which], %u;\n"
			    "call %s, (%%lanes_with, %%lanes_which);\n}\n"
			    "bra %s%u;\n", t->which, name, label, number) != 0;
}

/* Is T the end of threads of LF, which only one lane of a warp comes to?  */
static bool
is_alone_in (const struct lanes_function *lf, const struct lanes_turns *t)
{
  return lanes_has_stride (lf) && lf->stride->end_first == t->begin;
}

bool
lanes_emit_turns_begin (struct ptx_function *f, const struct lanes_function *lf, uint32_t number, ptx_name target,
			char why[PTX_WHY])
{
  const struct lanes_turns *t = &lf->turns[number];
  if (t->widens)
    {
      target = ptx_find_name (f->module->ptx, start_name, sizeof (start_name) - 1);
      if (!emit_own_memory (f, why))
	return false;
    }
  if (is_alone_in (lf, t))
    return ptx_emitf (f, why, "membar.cta;\n") != 0 && emit_block (f, lf->f, t->begin, target);
  return ptx_emitf (f, why, "membar.cta;\n"
			    "activemask.b32 %%lanes_party;\n"
			    "mov.u32 %%lanes_self, %%laneid;\n"
			    "setp.eq.u32 %%lanes_whole, %%lanes_party, 4294967295;\n"
			    "setp.ne.u32 %%lanes_others, %%lanes_self, 0;\n"
			    "@%%lanes_whole bra $lanes_together%u;\n", number) != 0
	 && emit_turn_call (f, t, turn_start_name, "$lanes_turn", number, why)
	 && ptx_emitf (f, why, "$lanes_together%u:\n"
			       "@%%lanes_others bra $lanes_taken%u;\n", number, number) != 0
	 && emit_block (f, lf->f, t->begin, target)
	 && ptx_emitf (f, why, "$lanes_taken%u:\n"
			       "mov.u32 %%lanes_waiting, 4294967295;\n"
			       "$lanes_turn%u:\n"
			       "@!%%lanes_whole bra $lanes_inside%u;\n"
			       "bar.warp.sync 4294967295;\n"
			       "brev.b32 %%lanes_lowest, %%lanes_waiting;\n"
			       "clz.b32 %%lanes_lowest, %%lanes_lowest;\n"
			       "setp.ne.u32 %%lanes_skip, %%lanes_self, %%lanes_lowest;\n"
			       "@%%lanes_skip bra $lanes_after%u;\n"
			       "$lanes_inside%u:\n", number, number, number, number, number) != 0;
}

bool
lanes_emit_turns_end (struct ptx_function *f, const struct lanes_function *lf, uint32_t number, ptx_name target,
		      char why[PTX_WHY])
{
  const struct lanes_turns *t = &lf->turns[number];
  if (is_alone_in (lf, t))
    return emit_block (f, lf->f, t->end, target) && ptx_emitf (f, why, "membar.cta;\n") != 0;
  return ptx_emitf (f, why, "@%%lanes_whole bra $lanes_after%u;\n", number) != 0
	 && emit_turn_call (f, t, turn_end_name, "$lanes_left", number, why)
	 && ptx_emitf (f, why, "$lanes_after%u:\n"
			       "sub.u32 %%lanes_lowest, %%lanes_waiting, 1;\n"
			       "and.b32 %%lanes_waiting, %%lanes_waiting, %%lanes_lowest;\n"
			       "setp.ne.u32 %%lanes_skip, %%lanes_waiting, 0;\n"
			       "@%%lanes_skip bra $lanes_turn%u;\n"
			       "bar.warp.sync 4294967295;\n"
			       "@%%lanes_others bra $lanes_left%u;\n", number, number, number) != 0
	 && emit_block (f, lf->f, t->end, target)
	 && ptx_emitf (f, why, "$lanes_left%u:\nmembar.cta;\n", number) != 0;
}
