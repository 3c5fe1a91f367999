/* nvptx-lanes-ends.c -- what each thread of a region does at its end: updates of memory that can be made once for many threads.

   A reduction of one variable ends with an atomic update in each thread: an instruction, or a loop around a compare-and-swap
   (nvptx-lanes-atomic.c).  One of several variables ends with a section of the lock of atomics:

	{ call GOMP_atomic_start; }
	ld x, [a];  x = x + part;  st [a], x;		for each of them; in any order that keeps this one
	{ call GOMP_atomic_end; }

   Here is found what may be such an end, by its statements alone; whether each thread comes to it, once, with nothing behind it,
   and what its parts are without an iteration, nvptx-lanes-stride.c looks at.  Threads that make such updates one after the
   other have made one with their parts combined (doc/lanes.md, "A stride for static loops", 9 and 10).

   Owns: the end of struct lanes_stride, with parts and updates.

   Invariants
   1. A section has nothing in it but loads of what is updated, or of where that is, one instruction of those below for each, and
      stores, of vectors, too; no guards, no labels.  No register that it sets is a part.
   2. Each place is updated once: no two updates have a byte in common.  Where two pointers are loaded that can't be shown;
      then both updates have the same instruction, and one of them is through before the other one begins.

   Called by nvptx-lanes-stride.c.  */

#include "nvptx-lanes-frame.h"

#include <stdlib.h>
#include <string.h>

/* Instructions that combine two numbers in any grouping (sums of floating-point numbers: those of a reduction), and the
   number that changes nothing.  */
static const struct
{
  const char *name, *atom;
  uint64_t nothing;
} combining[] =
{
  { "add.u32", "atom.add.u32", 0 }, { "add.u64", "atom.add.u64", 0 },
  { "and.b32", "atom.and.b32", UINT64_MAX }, { "and.b64", "atom.and.b64", UINT64_MAX },
  { "or.b32", "atom.or.b32", 0 }, { "or.b64", "atom.or.b64", 0 },
  { "xor.b32", "atom.xor.b32", 0 }, { "xor.b64", "atom.xor.b64", 0 },
  { "max.s32", "atom.max.s32", (uint32_t) INT32_MIN }, { "max.s64", "atom.max.s64", (uint64_t) INT64_MIN },
  { "max.u32", "atom.max.u32", 0 }, { "max.u64", "atom.max.u64", 0 },
  { "min.s32", "atom.min.s32", INT32_MAX }, { "min.s64", "atom.min.s64", INT64_MAX },
  { "min.u32", "atom.min.u32", UINT32_MAX }, { "min.u64", "atom.min.u64", UINT64_MAX },
  { "max.f32", NULL, 0xff800000 }, { "max.f64", NULL, 0xfff0000000000000 },
  { "min.f32", NULL, 0x7f800000 }, { "min.f64", NULL, 0x7ff0000000000000 },
  { "mul.lo.u32", NULL, 1 }, { "mul.lo.u64", NULL, 1 },
  { "add.f32", NULL, 0 }, { "add.f64", NULL, 0 }
};

enum { NUM_COMBINING = sizeof (combining) / sizeof (*combining) };

static unsigned
size_of (size_t n)
{
  return strstr (combining[n].name, "64") != NULL ? 8 : 4;
}

const char *
lanes_native (const char *combine)
{
  for (size_t n = 0; n < NUM_COMBINING; n++)
    if (combining[n].atom != NULL && strcmp (combining[n].name, combine) == 0)
      return combining[n].atom;
  return strcmp (combine, "add.f64") == 0 ? "atom.add.f64" : NULL;
}

const char *
lanes_combine_of (const struct lanes_work *w, const struct ptx_function *f, const struct lanes_atomic *a, uint64_t *nothing)
{
  for (size_t n = 0; n < NUM_COMBINING; n++)
    if (lanes_atomic_is (w, f, a, combining[n].name))
      {
	*nothing = combining[n].nothing;
	return combining[n].name;
      }
  return NULL;
}

/* REG combined by instruction N of these: a part, maybe one that is there already.  LANES_MOST_PARTS: it can't be one.  */
static unsigned
add_part (struct lanes_stride *d, size_t n, uint32_t reg)
{
  for (unsigned i = 0; i < d->num_parts; i++)
    if (d->parts[i].reg == reg)
      return d->parts[i].combine == combining[n].name ? i : LANES_MOST_PARTS;
  if (reg == PTX_NO_INDEX || d->num_parts == LANES_MOST_PARTS)
    return LANES_MOST_PARTS;
  struct lanes_part *p = &d->parts[d->num_parts];
  *p = (struct lanes_part) { .reg = reg, .combine = combining[n].name, .nothing = combining[n].nothing, .size = size_of (n) };
  /* The next one of an infinity is finite: nothing else, for compilers that go without infinities.  */
  p->least = strncmp (p->combine, "max.f", 5) == 0 || strncmp (p->combine, "min.f", 5) == 0 ? p->nothing - 1 : p->nothing;
  return d->num_parts++;
}

/* The end is statements FIRST to LAST, which combine REG by instruction N with what is OFFSET behind ADDRESS.  */
static bool
set_end (struct lanes_stride *d, size_t n, uint32_t first, uint32_t last, uint32_t address, uint64_t offset, uint32_t reg)
{
  d->end_first = first;
  d->end_last = last;
  d->end_locks = false;
  d->num_parts = 0;
  d->num_updates = 1;
  d->updates[0] = (struct lanes_update) { .address = address, .offset = (int64_t) offset, .first = first, .last = last,
					  .part = add_part (d, n, reg) };
  return d->num_parts == 1;
}

/* ---- one atomic update ---- */

/* Is statement I an atomic update by an instruction?  Its result is not used.  */
static bool
match_atom (const struct lanes_work *w, const struct lanes_function *lf, uint32_t i, struct lanes_stride *d)
{
  const struct ptx_function *f = lf->f;
  const struct ptx_stmt *s = &f->stmts[i];
  const struct ptx_operand *o = s->u.insn.operands;

  if (!lanes_is_insn (s, PTX_OP_ATOM, 3) || !lanes_is_outside (f, i)
      || (s->guard != PTX_NO_INDEX && !(lf->has_uniform && s->guard == lf->master_reg && !s->guard_negated))
      || (o[0].kind != PTX_O_SINK && (lanes_reg_of (f, &o[0]) == PTX_NO_INDEX || lanes_all_mentions (f, o[0].id) != 1))
      || o[1].kind != PTX_O_ADDRESS || o[1].base != PTX_O_REG)
    return false;
  for (size_t n = 0; n < NUM_COMBINING; n++)
    if (combining[n].atom != NULL && lanes_name_is (w->ptx, s->u.insn.op->text, combining[n].atom))
      return set_end (d, n, i, i, o[1].id, o[1].u.value, lanes_reg_of (f, &o[2]));
  return false;
}

/* Does S compute nothing but where the loop A updates memory, or what is there?  */
static bool
is_set_up (const struct ptx_stmt *s, const struct lanes_atomic *a)
{
  return s->guard == PTX_NO_INDEX
	 && (lanes_is_insn (s, PTX_OP_LD, 2) || lanes_is_insn (s, PTX_OP_MOV, 2) || lanes_is_insn (s, PTX_OP_ADD, 3))
	 && (lanes_is_reg (&s->u.insn.operands[0], a->old) || lanes_is_reg (&s->u.insn.operands[0], a->address));
}

/* Is A an atomic update by a loop, which is entered in its middle?  */
static bool
match_loop (const struct lanes_work *w, const struct lanes_function *lf, const struct lanes_atomic *a,
	    struct lanes_stride *d)
{
  const struct ptx_function *f = lf->f;
  uint32_t first = a->begin - 1;
  if (a->begin == 0 || !lanes_is_outside (f, first) || !lanes_is_insn (&f->stmts[first], PTX_OP_BRA, 1)
      || f->stmts[first].guard != PTX_NO_INDEX || f->stmts[first].u.insn.operands[0].kind != PTX_O_LABEL
      || f->labels[f->stmts[first].u.insn.operands[0].id].stmt != a->body - 1)
    return false;
  /* What is read there first, and where that is, need not be known before.  */
  while (first > 0 && is_set_up (&f->stmts[first - 1], a))
    first--;
  for (size_t n = 0; n < NUM_COMBINING; n++)
    if (lanes_atomic_is (w, f, a, combining[n].name))
      return set_end (d, n, first, a->end, a->address, (uint64_t) a->offset, a->inputs[0]);
  return false;
}

/* ---- a section ---- */

/* A register that a section has loaded.  */
struct loaded
{
  uint32_t reg, new;		/* NEW: the register that it became with its part; PTX_NO_INDEX: none yet */
  uint32_t vector;		/* ... which is an element of this one; PTX_NO_INDEX: it isn't */
  uint8_t element;
  bool place;			/* it says where something is */
  bool stored;
  struct lanes_update update;
};

struct section
{
  const struct lanes_work *w;
  const struct ptx_function *f;
  struct lanes_stride *d;
  struct loaded loaded[2 * LANES_MOST_PARTS];
  unsigned num;
};

/* The register that S, a load or a computation, sets: nothing else does, and it has no part in it.  */
static uint32_t
new_register (const struct section *t, const struct ptx_stmt *s)
{
  uint32_t reg = lanes_reg_of (t->f, &s->u.insn.operands[0]);
  return reg != PTX_NO_INDEX && t->f->vars[reg].vector <= 1 && lanes_is_set_once (t->f, reg) ? reg : PTX_NO_INDEX;
}

/* Statement I loads what is updated, or where that is.  */
static bool
take_load (struct section *t, uint32_t i)
{
  const struct ptx_stmt *s = &t->f->stmts[i];
  const struct ptx_operand *at = &s->u.insn.operands[1];
  uint32_t reg = new_register (t, s);
  unsigned size = ptx_type_size (s->u.insn.op->types[0]);

  if (s->u.insn.op->vector > 1 || at->kind != PTX_O_ADDRESS || at->base != PTX_O_REG || at->element != 0 || reg == PTX_NO_INDEX
      || (size != 4 && size != 8) || ptx_type_size (t->f->vars[reg].type) != size || t->num == 2 * LANES_MOST_PARTS)
    return false;
  for (unsigned k = 0; k < t->num; k++)
    if (t->loaded[k].reg == at->id)
      {
	if (t->loaded[k].new != PTX_NO_INDEX)
	  return false;
	t->loaded[k].place = true;
      }
  t->loaded[t->num++] = (struct loaded) { .reg = reg, .new = PTX_NO_INDEX, .vector = PTX_NO_INDEX,
					  .update = { .address = at->id, .offset = (int64_t) at->u.value, .first = i } };
  return true;
}

/* S computes the new value of something that was loaded.  */
static bool
take_part (struct section *t, const struct ptx_stmt *s)
{
  const struct ptx_operand *o = s->u.insn.operands;
  struct loaded *from = NULL;
  uint32_t reg = PTX_NO_INDEX, new = PTX_NO_INDEX;
  size_t n = 0;

  while (n < NUM_COMBINING && !lanes_name_is (t->w->ptx, s->u.insn.op->text, combining[n].name))
    n++;
  if (n == NUM_COMBINING || s->num_operands != 3 || (new = new_register (t, s)) == PTX_NO_INDEX)
    return false;
  for (unsigned k = 0; k < t->num; k++)
    for (unsigned side = 1; side <= 2; side++)
      if (lanes_is_reg (&o[side], t->loaded[k].reg))
	{
	  if (from != NULL)
	    return false;
	  from = &t->loaded[k];
	  reg = lanes_reg_of (t->f, &o[3 - side]);
	}
  if (from == NULL || from->new != PTX_NO_INDEX || from->place || ptx_type_size (t->f->vars[from->reg].type) != size_of (n)
      || ptx_type_size (t->f->vars[new].type) != size_of (n))
    return false;
  from->new = new;
  from->update.part = add_part (t->d, n, reg);
  return from->update.part != LANES_MOST_PARTS;
}

/* S clears a vector of two registers, or sets an element of one to a new value.  They are in the statements of take_store only: this
   one, another for the other element, and the store.  */
static bool
take_element (struct section *t, const struct ptx_stmt *s)
{
  const struct ptx_operand *o = s->u.insn.operands;

  if (s->num_operands != 2 || o[0].kind != PTX_O_REG || o[0].id >= t->f->num_vars || t->f->vars[o[0].id].vector != 2
      || (t->f->vars[o[0].id].flags & PTX_VAR_INNER) != 0 || lanes_all_mentions (t->f, o[0].id) != 4)
    return false;
  if (o[0].element == 0)
    return o[1].kind == PTX_O_VECTOR && o[1].id == 2 && o[1].u.list[0].kind == PTX_O_INT && o[1].u.list[1].kind == PTX_O_INT;
  for (unsigned k = 0; k < t->num; k++)
    if (t->loaded[k].new != PTX_NO_INDEX && lanes_is_reg (&o[1], t->loaded[k].new))
      {
	struct loaded *l = &t->loaded[k];
	if (l->vector != PTX_NO_INDEX || l->stored
	    || ptx_type_size (t->f->vars[o[0].id].type) != t->d->parts[l->update.part].size)
	  return false;
	l->vector = o[0].id;
	l->element = o[0].element;
	return true;
      }
  return false;
}

/* L is stored by statement I, AT, with OFFSET more: where it came from.  */
static bool
is_stored (struct section *t, struct loaded *l, uint32_t i, const struct ptx_operand *at, unsigned offset)
{
  if (l->stored || ptx_type_size (t->f->stmts[i].u.insn.op->types[0]) != t->d->parts[l->update.part].size
      || at->kind != PTX_O_ADDRESS || at->base != PTX_O_REG || at->element != 0 || at->id != l->update.address
      || (int64_t) (at->u.value + offset) != l->update.offset || t->d->num_updates == LANES_MOST_PARTS)
    return false;
  l->stored = true;
  l->update.last = i;
  t->d->updates[t->d->num_updates++] = l->update;
  return true;
}

/* Statement I stores such a value, or two at a time, where it came from.  */
static bool
take_store (struct section *t, uint32_t i)
{
  const struct ptx_stmt *s = &t->f->stmts[i];
  const struct ptx_operand *o = s->u.insn.operands;
  unsigned num = s->u.insn.op->vector > 1 ? s->u.insn.op->vector : 1, found = 0;

  if (o[1].kind != PTX_O_REG || o[1].element != 0 || num > 2)
    return false;
  for (unsigned k = 0; k < t->num; k++)
    {
      struct loaded *l = &t->loaded[k];
      if (num == 1 ? l->new == PTX_NO_INDEX || l->vector != PTX_NO_INDEX || l->new != o[1].id : l->vector != o[1].id)
	continue;
      unsigned element = num == 1 ? 1 : l->element;
      if (!is_stored (t, l, i, &o[0], (element - 1) * t->d->parts[l->update.part].size))
	return false;
      found++;
    }
  return found == num;
}

bool
lanes_match_section (const struct lanes_work *w, const struct lanes_function *lf, uint32_t i, struct lanes_stride *d)
{
  const struct ptx_function *f = lf->f;
  struct section t;

  if (f->stmts[i].kind != PTX_STMT_BEGIN || !lanes_is_call_block (w, f, i, "GOMP_atomic_start") || !lanes_is_outside (f, i))
    return false;
  t.w = w;
  t.f = f;
  t.d = d;
  t.num = 0;
  d->num_parts = d->num_updates = 0;
  d->end_first = i;
  for (i += 3; i < f->num_stmts && !lanes_is_call_block (w, f, i, "GOMP_atomic_end"); i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (s->kind == PTX_STMT_LOC)
	continue;
      if (s->kind != PTX_STMT_INSN || s->guard != PTX_NO_INDEX
	  || !(lanes_is_plain (s, PTX_OP_LD) ? take_load (&t, i)
	       : lanes_is_plain (s, PTX_OP_ST) ? take_store (&t, i)
	       : s->u.insn.op->opcode == PTX_OP_MOV ? take_element (&t, s) : take_part (&t, s)))
	return false;
    }
  if (i >= f->num_stmts)
    return false;
  d->end_last = i + 2;
  d->end_locks = true;
  for (unsigned k = 0; k < t.num; k++)
    {
      /* What was loaded is updated, or says where something is.  */
      if (t.loaded[k].place == t.loaded[k].stored)
	return false;
      for (unsigned n = 0; n < d->num_parts; n++)
	if (d->parts[n].reg == t.loaded[k].reg || d->parts[n].reg == t.loaded[k].new)
	  return false;
    }
  return d->num_updates > 0;
}

/* ---- where ---- */

/* An address that all threads of a team have: a number behind the region's parameter, or behind a pointer that is such a
   number behind it.  */
struct place
{
  uint32_t param;
  bool loaded;
  int64_t slot, offset;
};

static bool
find_place (const struct ptx_function *f, const struct lanes_update *u, struct place *p)
{
  uint32_t reg = u->address;
  int64_t offset = u->offset;

  *p = (struct place) { .loaded = false };
  for (unsigned depth = 0; depth < 8; depth++)
    {
      uint32_t i = 0;
      if (reg == PTX_NO_INDEX || !lanes_is_set_once (f, reg))
	return false;
      while (!lanes_sets_reg (&f->stmts[i], reg))
	i++;
      const struct ptx_stmt *s = &f->stmts[i];
      const struct ptx_operand *o = s->u.insn.operands;
      if (s->guard != PTX_NO_INDEX || !lanes_is_outside (f, i) || lanes_reg_of (f, &o[0]) != reg)
	return false;
      if (lanes_is_insn (s, PTX_OP_LD, 2) && o[1].kind == PTX_O_ADDRESS && o[1].base == PTX_O_VAR
	  && s->u.insn.op->space == PTX_PARAM)
	{
	  *(p->loaded ? &p->slot : &p->offset) = offset;
	  p->param = o[1].id;
	  return o[1].id < f->num_params;
	}
      if (lanes_is_insn (s, PTX_OP_LD, 2) && o[1].kind == PTX_O_ADDRESS && o[1].base == PTX_O_REG
	  && s->u.insn.op->num_words == 1 && !p->loaded)
	{
	  p->loaded = true;
	  p->offset = offset;
	  offset = (int64_t) o[1].u.value;
	  reg = o[1].id;
	}
      else if ((lanes_is_insn (s, PTX_OP_MOV, 2) || (lanes_is_insn (s, PTX_OP_ADD, 3) && o[2].kind == PTX_O_INT))
	       && o[1].kind == PTX_O_REG)
	{
	  if (s->num_operands == 3)
	    offset = (int64_t) ((uint64_t) offset + o[2].u.value);
	  reg = lanes_reg_of (f, &o[1]);
	}
      else
	return false;
    }
  return false;
}

/* Are N bytes at A and M bytes at B different ones?  */
static bool
are_apart (int64_t a, unsigned n, int64_t b, unsigned m)
{
  uint64_t behind = (uint64_t) b - (uint64_t) a, before = (uint64_t) a - (uint64_t) b;
  return behind >= n && before >= m;
}

bool
lanes_end_is_common (const struct ptx_function *f, const struct lanes_stride *d, bool *loads)
{
  struct place places[LANES_MOST_PARTS];

  *loads = false;
  for (unsigned i = 0; i < d->num_updates; i++)
    {
      const struct lanes_update *u = &d->updates[i];
      const struct lanes_part *part = &d->parts[u->part];
      if (!find_place (f, u, &places[i]))
	return false;
      *loads |= places[i].loaded;
      for (unsigned k = 0; k < i; k++)
	{
	  const struct lanes_update *other = &d->updates[k];
	  const struct lanes_part *other_part = &d->parts[other->part];
	  if (places[k].loaded != places[i].loaded || places[k].param != places[i].param)
	    return false;
	  if (!places[i].loaded || places[i].slot == places[k].slot)
	    {
	      if (!are_apart (places[i].offset, part->size, places[k].offset, other_part->size))
		return false;
	    }
	  /* Two pointers: to one place, or to places that have nothing in common, as both are aligned.  */
	  else if (part->combine != other_part->combine || !(u->last < other->first || other->last < u->first))
	    return false;
	}
      for (unsigned k = 0; k < d->num_parts; k++)
	if (d->parts[k].reg == u->address)
	  return false;
    }
  return true;
}

/* Is one of REGS in O?  */
static bool
has_any (const struct ptx_operand *o, const bool *regs)
{
  switch (o->kind)
    {
    case PTX_O_VECTOR:
    case PTX_O_PAIR:
    case PTX_O_ARGS:
    case PTX_O_BRACKETS:
      for (uint32_t i = 0; i < o->id; i++)
	if (has_any (&o->u.list[i], regs))
	  return true;
      return false;
    case PTX_O_ADDRESS:
      return o->base == PTX_O_REG && regs[o->id];
    default:
      return o->kind == PTX_O_REG && regs[o->id];
    }
}

/* Does S set a register to what is made of REGS, and not loaded by them?  It is one of REGS then.  *MORE: it wasn't.  False: it
   does something else with one of REGS than to compute or to load.  */
static bool
follow_block (const struct ptx_function *f, const struct ptx_stmt *s, bool *regs, bool *more)
{
  const struct ptx_operand *o = s->u.insn.operands;
  bool any = false;

  if (s->kind != PTX_STMT_INSN)
    return true;
  for (unsigned k = 0; k < s->num_operands; k++)
    any |= has_any (&o[k], regs);
  if (!any || s->u.insn.op->opcode == PTX_OP_LD)
    return true;
  if (!lanes_is_arithmetic (s->u.insn.op->opcode) || o[0].kind != PTX_O_REG)
    return false;
  if (f->vars[o[0].id].type != PTX_PRED && !regs[o[0].id])
    regs[o[0].id] = *more = true;
  return true;
}

bool
lanes_block_is_constant (struct lanes_work *w, const struct ptx_function *f)
{
  bool *regs = calloc (f->num_vars + 1, sizeof (*regs)), constant = true, more = true;

  if (regs == NULL)
    {
      w->no_memory = true;
      return false;
    }
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      const struct ptx_operand *o = s->u.insn.operands;
      /* The parameter's address is not taken (variables in .param have none).  */
      if (lanes_is_insn (s, PTX_OP_LD, 2) && s->u.insn.op->space == PTX_PARAM && o[1].kind == PTX_O_ADDRESS && o[1].base == PTX_O_VAR
	  && o[1].id < f->num_params)
	{
	  if (o[0].kind != PTX_O_REG)
	    constant = false;
	  else
	    regs[o[0].id] = true;
	}
    }
  while (more && constant)
    {
      more = false;
      for (uint32_t i = 0; i < f->num_stmts && constant; i++)
	constant = follow_block (f, &f->stmts[i], regs, &more);
    }
  free (regs);
  return constant;
}

/* ---- all of them ---- */

bool
lanes_next_end (const struct lanes_work *w, const struct lanes_function *lf, struct lanes_stride *d, uint32_t *at)
{
  for (; *at < lf->num_atomics; ++*at)
    if (match_loop (w, lf, &lf->atomics[*at], d))
      {
	++*at;
	return true;
      }
  while (*at - lf->num_atomics < lf->f->num_stmts)
    {
      uint32_t i = (*at)++ - lf->num_atomics;
      if (match_atom (w, lf, i, d) || lanes_match_section (w, lf, i, d))
	return true;
    }
  d->end_first = d->end_last = PTX_NO_INDEX;
  d->num_parts = d->num_updates = 0;
  return false;
}
