/* nvptx-lanes-frame.c -- where a function that all lanes run, and its regions, get at the function's frame.

   The function leaves a region's data in a block in its frame, and its address may not be all that the region gets: a variable
   that threads share is in the frame, too, and its address in the block.  A kernel without the library has no such
   frame.  Each lane has what is there for itself, in registers.  That is right for what regions only read, however they get at it; what
   they write, a reduction's variable for example, is in the block's shared memory while they run.

   For this each access has to be known: where in the frame it is, and how wide.  Addresses are followed from the frame's
   register, and the region's parameter, through copies, sums with a number, and words of the frame that hold such an address and
   nothing else.  The order of statements doesn't matter: a register that is always set to the same address is that address.

   Invariants
   1. A register that is an address in the frame is used for making others and as the base of an access, and for nothing else; in the function
      also as a value that is stored in the frame, or given to a region.  So nobody else has such an address.
   2. A word that holds an address holds always the same one, regions don't write it, and load it only as a whole, as an address.
   3. A region that uses a word that regions write uses no other one that has bytes of it.

   Called by nvptx-lanes-direct.c.  */

#include "nvptx-lanes-frame.h"

#include <string.h>

enum
{
  ELEMENTS = 3,			/* the whole, .x, .y */
  ELEMENT_BITS = 2
};

/* ATOM or RED of one word, in the generic space.  */
static bool
is_atomic (const struct ptx_stmt *s)
{
  const struct ptx_op *op = s->kind == PTX_STMT_INSN ? s->u.insn.op : NULL;
  return op != NULL && (op->opcode == PTX_OP_ATOM || op->opcode == PTX_OP_RED) && op->space == 0 && op->vector <= 1
	 && op->num_types == 1 && s->num_operands >= 2;
}

static const struct ptx_operand *
address_of (const struct ptx_stmt *s)
{
  return &s->u.insn.operands[s->u.insn.op->opcode == PTX_OP_LD || s->u.insn.op->opcode == PTX_OP_ATOM];
}

/* ---- places ---- */

static bool
make_places (struct lanes_work *w, struct lanes_places *places, const struct ptx_function *f)
{
  places->f = f;
  places->moving = NULL;
  places->known = ptx_alloc (w->ptx, f->num_vars * sizeof (*places->known));
  places->offset = ptx_alloc (w->ptx, ((size_t) f->num_vars << ELEMENT_BITS) * sizeof (*places->offset));
  if (places->known != NULL && places->offset != NULL)
    return true;
  w->no_memory = true;
  return false;
}

/* The index of O, a register of 64 bits or an element of such ones; SIZE_MAX: it is none.  */
static size_t
index_of (const struct lanes_places *places, const struct ptx_operand *o)
{
  if (o->kind != PTX_O_REG || o->id >= places->f->num_vars || o->element >= ELEMENTS || ptx_type_size (places->f->vars[o->id].type) != 8
      || (o->element == 0) != (places->f->vars[o->id].vector <= 1)
      || (places->f->vars[o->id].flags & PTX_VAR_INNER) != 0
      || (places->moving != NULL && places->moving[o->id] != 0))
    return SIZE_MAX;
  return (size_t) o->id << ELEMENT_BITS | o->element;
}

/* The same of an index.  */
static bool
is_known_at (const struct lanes_places *places, size_t i)
{
  return places->known[i >> ELEMENT_BITS] >> (i & ((1 << ELEMENT_BITS) - 1)) & 1;
}

static void
set_known (struct lanes_places *places, size_t i, int64_t offset)
{
  places->known[i >> ELEMENT_BITS] |= 1 << (i & ((1 << ELEMENT_BITS) - 1));
  places->offset[i] = (int32_t) offset;
}

bool
lanes_frame_is_place (const struct lanes_places *places, const struct ptx_operand *o, int64_t *offset)
{
  size_t i = index_of (places, o);
  if (i == SIZE_MAX || !is_known_at (places, i))
    return false;
  *offset = places->offset[i];
  return true;
}

static bool
is_known (const struct lanes_places *places, uint32_t var)
{
  return var < places->f->num_vars && places->known[var] != 0;
}

static uint32_t
count_in (const struct lanes_places *places, const struct ptx_operand *o)
{
  uint32_t n = 0;
  switch (o->kind)
    {
    case PTX_O_VECTOR:
    case PTX_O_PAIR:
    case PTX_O_ARGS:
    case PTX_O_BRACKETS:
      for (uint32_t i = 0; i < o->id; i++)
	n += count_in (places, &o->u.list[i]);
      return n;
    case PTX_O_ADDRESS:
      return o->base == PTX_O_REG && is_known (places, o->id);
    case PTX_O_REG:
      /* An element that is something else is none.  */
      if (o->element != 0 && o->element < ELEMENTS && o->id < places->f->num_vars)
	return places->known[o->id] >> o->element & 1;
      return is_known (places, o->id);
    default:
      return 0;
    }
}

uint32_t
lanes_frame_mentions (const struct lanes_places *places, const struct ptx_stmt *s)
{
  uint32_t n = 0;
  if (s->kind == PTX_STMT_INSN)
    {
      n = s->guard != PTX_NO_INDEX && is_known (places, s->guard);
      for (unsigned k = 0; k < s->num_operands; k++)
	n += count_in (places, &s->u.insn.operands[k]);
    }
  return n;
}

bool
lanes_frame_is_at (const struct lanes_places *places, const struct ptx_stmt *s, int64_t *offset)
{
  if (!lanes_is_plain (s, PTX_OP_LD) && !lanes_is_plain (s, PTX_OP_ST) && !is_atomic (s))
    return false;
  const struct ptx_operand *o = address_of (s);
  struct ptx_operand base = { .kind = PTX_O_REG, .id = o->id, .element = o->element };
  if (o->kind != PTX_O_ADDRESS || o->base != PTX_O_REG || !lanes_frame_is_place (places, &base, offset))
    return false;
  *offset += (int64_t) o->u.value;
  return true;
}

const struct lanes_frame_word *
lanes_frame_word (const struct lanes_frame *frame, int64_t offset, unsigned size)
{
  for (unsigned i = 0; i < frame->num; i++)
    if (frame->words[i].offset == offset && frame->words[i].size == size)
      return &frame->words[i];
  return NULL;
}

/* Does S set a register to an address that can be told from what is known: *OFFSET?  LOADS: also from the frame.  */
static bool
makes_place (const struct lanes_frame *frame, const struct lanes_places *places, const struct ptx_stmt *s, bool loads,
	     int64_t *offset)
{
  if (s->kind != PTX_STMT_INSN || s->num_operands < 2)
    return false;
  const struct ptx_operand *o = s->u.insn.operands;
  const struct ptx_op *op = s->u.insn.op;
  if (op->num_words != 1 || op->num_types != 1
      || (op->opcode != PTX_OP_MOV && op->opcode != PTX_OP_ADD && op->opcode != PTX_OP_LD)
      || ptx_type_size (op->types[0]) != 8 || index_of (places, &o[0]) == SIZE_MAX)
    return false;
  if (lanes_is_insn (s, PTX_OP_MOV, 2))
    return lanes_frame_is_place (places, &o[1], offset);
  if (lanes_is_insn (s, PTX_OP_ADD, 3) && o[2].kind == PTX_O_INT && lanes_frame_is_place (places, &o[1], offset))
    {
      int64_t more = (int64_t) o[2].u.value;
      /* Frames are small; so nothing overflows.  */
      if (more < -65536 || more > 65536 || *offset < -65536 || *offset > 65536)
	return false;
      *offset += more;
      return true;
    }
  if (!loads || !lanes_is_plain (s, PTX_OP_LD) || o[0].element != 0 || !lanes_frame_is_at (places, s, offset))
    return false;
  const struct lanes_frame_word *word = lanes_frame_word (frame, *offset, 8);
  if (word == NULL || !word->pointer)
    return false;
  *offset = word->target;
  return true;
}

/* Find all such registers, from those that are known.  */
static void
find_places (const struct lanes_frame *frame, struct lanes_places *places, bool loads)
{
  const struct ptx_function *f = places->f;
  bool again = true;

  while (again)
    {
      again = false;
      for (uint32_t i = 0; i < f->num_stmts; i++)
	{
	  int64_t offset;
	  if (!makes_place (frame, places, &f->stmts[i], loads, &offset))
	    continue;
	  size_t to = index_of (places, &f->stmts[i].u.insn.operands[0]);
	  if (is_known_at (places, to))
	    continue;
	  set_known (places, to, offset);
	  again = true;
	}
    }
}

/* Statement I sets all of a vector to numbers, in front of a straight line on which those of its elements that are addresses are set
   before anything else is done with it.  */
static bool
is_clearing (const struct lanes_places *places, uint32_t i)
{
  const struct ptx_function *f = places->f;
  const struct ptx_stmt *s = &f->stmts[i];
  bool set[ELEMENTS] = { false };

  if (!lanes_is_insn (s, PTX_OP_MOV, 2) || s->guard != PTX_NO_INDEX || s->u.insn.operands[0].kind != PTX_O_REG
      || s->u.insn.operands[0].element != 0 || s->u.insn.operands[1].kind != PTX_O_VECTOR)
    return false;
  const struct ptx_operand *o = &s->u.insn.operands[1];
  uint32_t var = s->u.insn.operands[0].id;
  for (uint32_t k = 0; k < o->id; k++)
    if (o->u.list[k].kind != PTX_O_INT)
      return false;
  for (i++; i < f->num_stmts; i++)
    {
      s = &f->stmts[i];
      if (s->kind == PTX_STMT_LOC)
	continue;
      if (s->kind != PTX_STMT_INSN || s->u.insn.op->opcode == PTX_OP_BRA || s->u.insn.op->opcode == PTX_OP_RET)
	break;
      if (lanes_mentions (s, var) == 0)
	continue;
      if (!lanes_is_insn (s, PTX_OP_MOV, 2) || s->guard != PTX_NO_INDEX || lanes_mentions (s, var) != 1
	  || index_of (places, &s->u.insn.operands[0]) == SIZE_MAX || s->u.insn.operands[0].id != var)
	break;
      set[s->u.insn.operands[0].element] = true;
    }
  for (unsigned k = 1; k < ELEMENTS; k++)
    if ((places->known[var] >> k & 1) != 0 && !set[k])
      return false;
  return true;
}

/* How many of the values that S stores are addresses?  */
static uint32_t
stored_places (const struct lanes_places *places, const struct ptx_stmt *s)
{
  return s->u.insn.op->opcode == PTX_OP_ST ? count_in (places, &s->u.insn.operands[1]) : 0;
}

/* What does statement I do?  FUNCTION: it is one of the function, not of a region.  */
static enum lanes_frame_use
use_of (const struct lanes_frame *frame, const struct lanes_places *places, uint32_t i, bool function)
{
  const struct ptx_stmt *s = &places->f->stmts[i];
  uint32_t n = lanes_frame_mentions (places, s);
  int64_t offset, value;

  if (n == 0)
    return LANES_FRAME_NONE;
  if (makes_place (frame, places, s, !function, &value))
    {
      size_t to = index_of (places, &s->u.insn.operands[0]);
      return n == 2 && is_known_at (places, to) && places->offset[to] == value ? LANES_FRAME_PLACE : LANES_FRAME_BAD;
    }
  if (function && n == 1 && is_clearing (places, i))
    return LANES_FRAME_PLACE;
  if (!lanes_frame_is_at (places, s, &offset))
    return LANES_FRAME_BAD;
  if (n != 1 + (function ? stored_places (places, s) : 0))
    return LANES_FRAME_BAD;
  return is_atomic (s) ? LANES_FRAME_ATOMIC : LANES_FRAME_ACCESS;
}

enum lanes_frame_use
lanes_frame_use (const struct lanes_frame *frame, uint32_t i)
{
  return use_of (frame, &frame->places, i, true);
}

/* ---- words ---- */

/* The word of SIZE bytes at OFFSET, which may be new.  NULL: it is not in the frame, or there is no room for it.  */
static struct lanes_frame_word *
get_word (struct lanes_frame *frame, int64_t offset, unsigned size)
{
  struct lanes_frame_word *found = NULL;
  bool mixed = false;

  if (offset < 0 || (uint64_t) offset > frame->bytes || size > frame->bytes - (uint64_t) offset)
    return NULL;
  for (unsigned i = 0; i < frame->num; i++)
    {
      struct lanes_frame_word *word = &frame->words[i];
      if (word->offset == offset && word->size == size)
	found = word;
      else if (offset < word->offset + (int64_t) word->size && word->offset < offset + (int64_t) size)
	mixed = word->mixed = true;
    }
  if (found == NULL && frame->num < LANES_FRAME_WORDS)
    {
      found = &frame->words[frame->num++];
      *found = (struct lanes_frame_word) { .offset = offset, .size = size };
    }
  if (found != NULL)
    found->mixed |= mixed;
  return found;
}

/* The function's access S at OFFSET.  */
static bool
add_access (struct lanes_frame *frame, const struct ptx_stmt *s, int64_t offset)
{
  const struct lanes_places *places = &frame->places;
  const struct ptx_op *op = s->u.insn.op;
  unsigned size = ptx_type_size (op->types[0]), num = op->vector > 1 ? op->vector : 1;

  for (unsigned k = 0; k < num; k++)
    {
      struct lanes_frame_word *word = get_word (frame, offset + k * size, size);
      int64_t target;
      if (word == NULL)
	{
	  if (offset < 0 || (uint64_t) offset + num * size > frame->bytes)
	    return false;
	  /* Too many: registers or not, regions can't write then.  */
	  frame->full = true;
	  if (stored_places (places, s) > 0)
	    return false;
	  continue;
	}
      const struct ptx_operand *value = &s->u.insn.operands[1];
      struct ptx_operand element;
      if (op->opcode == PTX_OP_LD)
	{
	  word->plain = true;
	  continue;
	}
      if (num > 1 && value->kind == PTX_O_VECTOR)
	{
	  if (value->id != num)
	    return false;
	  value = &value->u.list[k];
	}
      else if (num > 1)
	{
	  element = *value;
	  element.element = (uint8_t) (k + 1);
	  value = &element;
	}
      if (lanes_frame_is_place (places, value, &target))
	{
	  if (size != 8 || (word->pointer && word->target != target))
	    return false;
	  word->pointer = frame->pointers = true;
	  word->target = target;
	}
      else
	word->plain = true;
    }
  return true;
}

/* As lanes_frame_begin; without registers that are MOVING, if that isn't NULL.  */
static bool
begin_frame (struct lanes_work *w, struct lanes_frame *frame, const struct lanes_function *lf,
	     const uint8_t *moving)
{
  const struct ptx_function *f = lf->f;

  *frame = (struct lanes_frame) { .bytes = lf->frame_size };
  if (!make_places (w, &frame->places, f))
    return false;
  frame->places.moving = moving;
  size_t first = index_of (&frame->places, &(struct ptx_operand) { .kind = PTX_O_REG, .id = lf->frame_reg });
  if (first == SIZE_MAX)
    return false;
  set_known (&frame->places, first, 0);
  find_places (frame, &frame->places, false);
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      int64_t offset;
      if (i == lf->frame_begin)
	i = lf->frame_end;
      else if (lanes_frame_is_at (&frame->places, &f->stmts[i], &offset) && !is_atomic (&f->stmts[i])
	       && !add_access (frame, &f->stmts[i], offset))
	return false;
    }
  return true;
}

bool
lanes_frame_begin (struct lanes_work *w, struct lanes_frame *frame, const struct lanes_function *lf)
{
  return begin_frame (w, frame, lf, NULL);
}

bool
lanes_frame_unknown (struct lanes_work *w, struct lanes_frame *frame, const struct lanes_function *lf)
{
  *frame = (struct lanes_frame) { .bytes = lf->frame_size };
  return make_places (w, &frame->places, lf->f);
}

bool
lanes_frame_pointers (struct lanes_work *w, struct lanes_frame *frame, const struct lanes_function *lf)
{
  const struct ptx_function *f = lf->f;
  uint8_t *moving = ptx_alloc (w->ptx, f->num_vars);
  bool again = true;

  if (moving == NULL)
    {
      w->no_memory = true;
      return false;
    }
  /* Registers that go through an array are none of the others.  */
  while (again)
    {
      again = false;
      if (!begin_frame (w, frame, lf, moving))
	return false;
      for (uint32_t i = 0; i < f->num_stmts; i++)
	{
	  const struct ptx_stmt *s = &f->stmts[i];
	  if (i == lf->frame_begin)
	    i = lf->frame_end;
	  else if (s->kind == PTX_STMT_INSN && s->num_operands > 0 && s->u.insn.op->opcode != PTX_OP_ST
		   && count_in (&frame->places, &s->u.insn.operands[0]) > 0
		   && s->u.insn.operands[0].kind != PTX_O_ADDRESS
		   && lanes_frame_use (frame, i) != LANES_FRAME_PLACE)
	    {
	      if (s->u.insn.operands[0].kind != PTX_O_REG || s->u.insn.operands[0].id == lf->frame_reg)
		return false;
	      moving[s->u.insn.operands[0].id] = 1;
	      again = true;
	    }
	}
    }
  return true;
}

const struct lanes_frame_word *
lanes_frame_pointer (const struct lanes_frame *frame, int64_t offset)
{
  const struct lanes_frame_word *word = lanes_frame_word (frame, offset, 8);
  return word != NULL && word->pointer && !word->plain && !word->mixed ? word : NULL;
}

uint32_t
lanes_frame_param (const struct ptx_function *f)
{
  uint32_t found = PTX_NO_INDEX;

  if (f->num_params != 1 || f->num_results != 0)
    return PTX_NO_INDEX;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (!lanes_is_insn (s, PTX_OP_LD, 2) || s->u.insn.op->space != PTX_PARAM)
	continue;
      const struct ptx_operand *o = s->u.insn.operands;
      if (o[1].kind != PTX_O_ADDRESS || o[1].base != PTX_O_VAR || o[1].id != 0)
	continue;
      if (found != PTX_NO_INDEX || o[0].kind != PTX_O_REG || o[0].element != 0 || o[1].u.value != 0
	  || s->guard != PTX_NO_INDEX || f->vars[o[0].id].type != PTX_U64 || f->vars[o[0].id].vector > 1)
	return PTX_NO_INDEX;
      found = i;
    }
  return found;
}

/* A region's access S at OFFSET.  PLACE: it loads an address.  */
static bool
add_region_access (struct lanes_frame *frame, const struct ptx_stmt *s, int64_t offset, bool place, bool *more,
		   uint64_t *in, uint64_t *out, uint64_t *used)
{
  const struct ptx_op *op = s->u.insn.op;
  unsigned size = ptx_type_size (op->types[0]), num = op->vector > 1 ? op->vector : 1;
  bool writes = op->opcode != PTX_OP_LD, shared = writes;

  for (int round = 0; round < 2; round++)
    for (unsigned k = 0; k < num; k++)
      {
	struct lanes_frame_word *word = get_word (frame, offset + k * size, size);
	if (word == NULL)
	  {
	    if (offset < 0 || (uint64_t) offset + num * size > frame->bytes)
	      return false;
	    frame->full = true;
	    continue;
	  }
	if (word->pointer != place)
	  return false;
	*used |= (uint64_t) 1 << (word - frame->words);
	/* A load has all its elements from the same memory.  */
	shared |= word->shared;
	if (round == 0 || !shared)
	  continue;
	*more |= !word->shared;
	word->shared = frame->shared = true;
	uint64_t bit = (uint64_t) 1 << (word - frame->words);
	*in |= bit;
	if (writes)
	  *out |= bit;
      }
  return !(shared && frame->full);
}

/* Do words of IN, which are in the block's memory, share bytes with others of USED?  */
static bool
is_split (const struct lanes_frame *frame, uint64_t in, uint64_t used)
{
  for (unsigned i = 0; i < frame->num; i++)
    for (unsigned k = 0; k < frame->num && (in >> i & 1) != 0; k++)
      if (k != i && (used >> k & 1) != 0
	  && frame->words[k].offset < frame->words[i].offset + (int64_t) frame->words[i].size
	  && frame->words[i].offset < frame->words[k].offset + (int64_t) frame->words[k].size)
	return true;
  return false;
}

bool
lanes_frame_region (struct lanes_work *w, struct lanes_frame *frame, const struct ptx_function *f, int64_t at,
		    struct lanes_places *places, bool *more, uint64_t *in, uint64_t *out)
{
  uint32_t param = lanes_frame_param (f);
  uint64_t used = 0;

  *in = *out = 0;
  if (param == PTX_NO_INDEX || !make_places (w, places, f))
    return false;
  size_t first = index_of (places, &f->stmts[param].u.insn.operands[0]);
  if (first == SIZE_MAX)
    return false;
  set_known (places, first, at);
  find_places (frame, places, true);
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      int64_t offset;
      if (i == param)
	continue;
      enum lanes_frame_use use = use_of (frame, places, i, false);
      if (use == LANES_FRAME_BAD)
	return false;
      if (use == LANES_FRAME_ACCESS || use == LANES_FRAME_ATOMIC
	  || (use == LANES_FRAME_PLACE && s->u.insn.op->opcode == PTX_OP_LD))
	if (!lanes_frame_is_at (places, s, &offset)
	    || !add_region_access (frame, s, offset, use == LANES_FRAME_PLACE, more, in, out, &used))
	  return false;
    }
  return !is_split (frame, *in, used);
}

bool
lanes_frame_end (struct lanes_frame *frame)
{
  frame->low = frame->high = 0;
  for (unsigned i = 0; i < frame->num; i++)
    {
      const struct lanes_frame_word *word = &frame->words[i];
      if (word->pointer && (word->mixed || word->plain || word->shared || frame->full))
	return false;
      if (!word->shared)
	continue;
      frame->mixed |= word->mixed;
      if (word->size != 4 && word->size != 8)
	return false;
      if (frame->high == 0 || word->offset < frame->low)
	frame->low = word->offset & -16;
      if (word->offset + (int64_t) word->size > frame->high)
	frame->high = word->offset + word->size;
    }
  return !(frame->shared && frame->full) && frame->high - frame->low <= LANES_FRAME_SHARED;
}

bool
lanes_frame_is_shared (const struct lanes_frame *frame, const struct ptx_stmt *s, int64_t offset)
{
  const struct lanes_frame_word *word = lanes_frame_word (frame, offset, ptx_type_size (s->u.insn.op->types[0]));
  return word != NULL && word->shared;
}
