/* nvptx-frame-registers.c -- private arrays in registers.

   The frame of a lane is an array in .local memory, and the driver's assembler leaves there what is
   in .local memory: to put an array into registers is the business of compilers.  GCC has done so
   where it could.  But there are arrays in frames for the sake of copies that were calls then
   (nvptx-inline-copy.c), or of loops that it unrolls too late.  They are read and written at
   constant offsets only, and nobody else has their address.  Such an array becomes registers of
   four bytes:

     .local .align 16 .b8 %lanes_frame3[64];     .reg .b32 %gompx_f9_<16>;
     cvta.local.u64 %frame,%lanes_frame3;   =>   mov.u64 %frame,0;
     st.f32 [%frame+4],%r23;			 mov.b32 %gompx_f9_1,%r23;
     ld.v2.u64 {%r24,%r25},[%frame+16];		 mov.b64 %r24,{%gompx_f9_4,%gompx_f9_5}; ...

   The order of statements doesn't matter: a register that is always set to the same place of the
   array is that place.  Where that is not enough, nvptx-frame-loops.c looks whether loops can be
   written out such that each access has one.

   Invariants
   1. A register that is a place of the array is set to that one only, and used for nothing but
      other such registers and as base of plain loads and stores, of whole elements in the array.
      The array itself is not used otherwise.
   2. The array has at most MOST_WORDS words.
   3. Only statements that have lines of their own are replaced; where another one would have to be,
      the array stays as it is.
   4. Nothing outside of the text is read: it ends with a NUL.

   Called by nvptx-texts.c, after small copies are in the text.  */

#define _GNU_SOURCE 1
#include "nvptx-inline.h"
#include "nvptx-frame.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum
{
  MOST_WORDS = 64,		/* a quarter of what a thread can have */
  WORD = 4,
  MOST_ELEMENTS = 4
};

/* What a register is.  */
enum { NO_PLACE, A_PLACE, OTHER_PLACES };

/* ---- places ---- */

/* Is O, not a memory operand, the array or a register that is a place of it?  */
static bool
is_place (const struct frame_arrays *a, const struct ptx_operand *o, int64_t *offset)
{
  *offset = o->kind == PTX_O_REG ? a->offset[o->id] : 0;
  return (o->kind == PTX_O_VAR && o->id == a->var)
	 || (o->kind == PTX_O_REG && o->element == 0 && a->kind[o->id] == A_PLACE);
}

bool
frame_mentions (const struct frame_arrays *a, const struct ptx_operand *o)
{
  unsigned kind = o->kind == PTX_O_ADDRESS ? o->base : o->kind;

  if (kind == PTX_O_REG)
    return a->kind[o->id] != NO_PLACE;
  if (kind == PTX_O_VAR)
    return o->id == a->var;
  if (kind == PTX_O_VECTOR || kind == PTX_O_PAIR || kind == PTX_O_ARGS || kind == PTX_O_BRACKETS)
    for (uint32_t i = 0; i < o->id; i++)
      if (frame_mentions (a, &o->u.list[i]))
	return true;
  return false;
}

static bool
is_insn (const struct ptx_stmt *s, ptx_name opcode, unsigned operands)
{
  return s->kind == PTX_STMT_INSN && s->u.insn.op->opcode == opcode && s->num_operands == operands;
}

/* Does S add a constant to its own register?  */
static bool
is_step (const struct ptx_stmt *s, int64_t *step)
{
  if (!is_insn (s, PTX_OP_ADD, 3) && !is_insn (s, PTX_OP_SUB, 3))
    return false;
  const struct ptx_operand *o = s->u.insn.operands;
  *step = s->u.insn.op->opcode == PTX_OP_ADD ? (int64_t) o[2].u.value : -(int64_t) o[2].u.value;
  return o[0].kind == PTX_O_REG && o[0].element == 0 && o[1].kind == PTX_O_REG && o[1].id == o[0].id
	 && o[1].element == 0 && o[2].kind == PTX_O_INT && s->u.insn.op->num_words == 1
	 && s->guard == PTX_NO_INDEX && ptx_type_size (s->u.insn.op->types[0]) == 8;
}

/* Does statement I set a register to a place of the array?  */
static bool
makes_place (const struct frame_arrays *a, uint32_t i, int64_t *offset)
{
  const struct ptx_stmt *s = &a->f->stmts[i];
  int64_t step;

  if (s->kind != PTX_STMT_INSN || s->num_operands < 2)
    return false;
  const struct ptx_op *op = s->u.insn.op;
  const struct ptx_operand *o = s->u.insn.operands;
  if (o[0].kind != PTX_O_REG || o[0].element != 0 || op->num_types != 1
      || ptx_type_size (op->types[0]) != 8 || !is_place (a, &o[1], offset))
    return false;
  if (is_insn (s, PTX_OP_CVTA, 2) || (is_insn (s, PTX_OP_MOV, 2) && op->num_words == 1))
    {
      /* The frame's register is moved on at once.  */
      if (i + 1 < a->f->num_stmts && o[1].kind == PTX_O_VAR && is_step (s + 1, &step)
	  && s[1].u.insn.operands[0].id == o[0].id && s->guard == PTX_NO_INDEX)
	*offset += step;
      return true;
    }
  if ((!is_insn (s, PTX_OP_ADD, 3) && !is_insn (s, PTX_OP_SUB, 3)) || op->num_words != 1
      || o[2].kind != PTX_O_INT)
    return false;
  if (i > 0 && is_step (s, &step) && makes_place (a, i - 1, &step)
      && s[-1].u.insn.operands[0].id == o[0].id && s[-1].u.insn.operands[1].kind == PTX_O_VAR
      && s[-1].guard == PTX_NO_INDEX)
    {
      /* The second part of that.  */
      *offset = step;
      return true;
    }
  *offset += op->opcode == PTX_OP_ADD ? (int64_t) o[2].u.value : -(int64_t) o[2].u.value;
  return true;
}

/* Find the registers that are places.  */
static void
find_places (struct frame_arrays *a)
{
  int64_t offset;
  bool more;

  do
    {
      more = false;
      for (uint32_t i = 0; i < a->f->num_stmts; i++)
	if (makes_place (a, i, &offset))
	  {
	    uint32_t reg = a->f->stmts[i].u.insn.operands[0].id;
	    if (a->kind[reg] == NO_PLACE)
	      {
		a->kind[reg] = A_PLACE;
		a->offset[reg] = offset;
		more = true;
	      }
	    else if (a->kind[reg] == A_PLACE && a->offset[reg] != offset)
	      a->kind[reg] = OTHER_PLACES, more = true;
	  }
    }
  while (more);
}

/* ---- accesses ---- */

const struct ptx_operand *
frame_address (const struct ptx_stmt *s)
{
  if (!is_insn (s, PTX_OP_LD, 2) && !is_insn (s, PTX_OP_ST, 2))
    return NULL;
  const struct ptx_op *op = s->u.insn.op;
  const struct ptx_operand *o = &s->u.insn.operands[op->opcode == PTX_OP_LD];
  bool plain = op->num_types == 1 && (op->space == 0 || op->space == PTX_LOCAL)
	       && op->num_words == 1 + (op->space != 0) + (op->vector > 1)
	       && op->vector <= MOST_ELEMENTS && o->kind == PTX_O_ADDRESS
	       && (o->base == PTX_O_REG || o->base == PTX_O_VAR);
  return plain ? o : NULL;
}

/* Element I of what S loads or stores.  */
static struct ptx_operand
element_of (const struct ptx_stmt *s, unsigned i)
{
  struct ptx_operand o = s->u.insn.operands[s->u.insn.op->opcode == PTX_OP_ST];

  if (o.kind == PTX_O_VECTOR)
    return o.u.list[i];
  if (s->u.insn.op->vector > 1)
    o.element = (uint8_t) (i + 1);
  return o;
}

/* Can ELEMENT of SIZE bytes be moved?  */
static bool
can_move (const struct frame_arrays *a, const struct ptx_op *op, const struct ptx_operand *element,
	  unsigned size)
{
  if (element->kind == PTX_O_INT || element->kind == PTX_O_SINK
      || (element->kind == PTX_O_F32 && size == 4) || (element->kind == PTX_O_F64 && size == 8))
    return true;
  if (element->kind != PTX_O_REG)
    return false;
  ptx_name type = a->f->vars[element->id].type;
  unsigned bytes = ptx_type_size (type);
  bool integer = ptx_is_signed (type) || ptx_is_unsigned (type) || ptx_is_bits (type);
  return bytes <= 8 && bytes >= size && bytes >= 2 && (size >= WORD || integer)
	 && (bytes == size || (integer && !ptx_is_float (op->types[0])));
}

bool
frame_can_access (const struct frame_arrays *a, const struct ptx_stmt *s, int64_t at)
{
  const struct ptx_op *op = s->u.insn.op;
  const struct ptx_operand *value = &s->u.insn.operands[op->opcode == PTX_OP_ST];
  unsigned size = ptx_type_size (op->types[0]), num = op->vector > 1 ? op->vector : 1;

  if (frame_mentions (a, value) || size == 0 || size > 8
      || (value->kind == PTX_O_VECTOR ? value->id != num
	  : num > 1 && (value->kind != PTX_O_REG || a->f->vars[value->id].vector != num)))
    return false;
  if (at < 0 || at % size != 0 || (uint64_t) at + size * num > a->size)
    return false;
  for (unsigned i = 0; i < num; i++)
    {
      struct ptx_operand element = element_of (s, i);
      if (!can_move (a, op, &element, size))
	return false;
    }
  return true;
}

/* Is S an access that can be replaced?  */
static bool
is_access (const struct frame_arrays *a, const struct ptx_stmt *s, int64_t *at)
{
  const struct ptx_operand *address = frame_address (s);

  if (address == NULL)
    return false;
  struct ptx_operand base = { .kind = address->base, .id = address->id };
  if (!is_place (a, &base, at))
    return false;
  *at += (int64_t) address->u.value;
  return frame_can_access (a, s, *at);
}

/* Is the array used for nothing else?  Notes accesses.  */
static bool
is_private (struct frame_arrays *a)
{
  const struct ptx_function *f = a->f;
  int64_t offset;

  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      bool found = false;
      if (s->kind != PTX_STMT_INSN)
	continue;
      for (unsigned k = 0; k < s->num_operands; k++)
	found |= frame_mentions (a, &s->u.insn.operands[k]);
      if (!found)
	continue;
      if (is_access (a, s, &offset))
	{
	  a->owner[i] = a->var + 1;
	  a->at[i] = offset;
	}
      else if (!makes_place (a, i, &offset) || a->kind[s->u.insn.operands[0].id] != A_PLACE)
	return false;
      else if (s->u.insn.operands[1].kind == PTX_O_VAR)
	a->owner[i] = a->var + 1;
    }
  return true;
}

/* ---- lines ---- */

const char *
frame_go_to_line (struct frame_lines *l, uint32_t number)
{
  for (; l->number < number && *l->at != 0; l->number++)
    {
      l->at = strchrnul (l->at, '\n');
      l->at += *l->at != 0;
    }
  return l->at;
}

bool
frame_is_alone (const char *text, const char *at)
{
  const char *end = strchrnul (at, '\n'), *semicolon = memchr (at, ';', end - at), *before = at;

  if (semicolon == NULL || semicolon[1 + strspn (semicolon + 1, " \t\r")] != '\n'
      || memmem (at, end - at, "//", 2) != NULL || memmem (at, end - at, "/*", 2) != NULL)
    return false;
  while (before > text && strchr (" \t\r\n", before[-1]) != NULL)
    before--;
  return before > text && strchr (";{}:", before[-1]) != NULL;
}

/* The line in which statement I declares VAR, with others or not; 0: it has none of its own.  */
static uint32_t
find_line (const struct ptx_function *f, uint32_t i, uint32_t var, const char *text,
	   struct frame_lines *lines)
{
  static const char local[] = ".local";
  const struct ptx_name_entry *name = &f->module->ptx->names[f->vars[var].name];
  uint32_t end = i + 1 < f->num_stmts ? f->stmts[i + 1].line : f->stmts[i].line + 1;

  for (uint32_t line = f->stmts[i].line; line < end; line++)
    {
      const char *at = frame_go_to_line (lines, line), *stop = strchrnul (at, '\n');
      const char *found = memmem (at, stop - at, name->text, name->length);
      if (found != NULL && found > at && found[name->length] == '['
	  && strchr (" \t", found[-1]) != NULL
	  && strncmp (at + strspn (at, " \t"), local, strlen (local)) == 0
	  && memchr (at, ',', stop - at) == NULL && frame_is_alone (text, at))
	return line;
    }
  return 0;
}

bool
frame_has_lines (const struct frame_arrays *a, const char *text, struct frame_lines lines)
{
  const struct ptx_function *f = a->f;

  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (a->owner[i] == a->var + 1
	  && !(s->kind == PTX_STMT_INSN ? frame_is_alone (text, frame_go_to_line (&lines, s->line))
	       : find_line (f, i, a->var, text, &lines) > 0))
	return false;
    }
  return true;
}

/* ---- a function ---- */

uint32_t
frame_declaration (const struct frame_arrays *a)
{
  for (uint32_t i = 0; i < a->f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &a->f->stmts[i];
      if (s->kind == PTX_STMT_DECLARE && a->var >= s->u.declare.first
	  && a->var < s->u.declare.first + s->u.declare.num)
	return i;
    }
  return PTX_NO_INDEX;
}

/* Look at the array VAR.  Is it small enough?  */
static bool
fits (struct frame_arrays *a, uint32_t var)
{
  a->var = var;
  a->size = ptx_var_size (&a->f->vars[var]);
  return a->size > 0 && a->size <= MOST_WORDS * WORD;
}

static bool
is_replaced (const struct frame_arrays *a, uint32_t var)
{
  for (uint32_t i = 0; i < a->f->num_stmts; i++)
    if (a->owner[i] == var + 1)
      return true;
  return false;
}

/* Can the array VAR be in registers?  What is to be replaced is noted then.  */
static bool
look_at (struct frame_arrays *a, uint32_t var, const char *text, struct frame_lines lines)
{
  const struct ptx_function *f = a->f;

  if (!fits (a, var))
    return false;
  memset (a->kind, NO_PLACE, f->num_vars);
  find_places (a);
  uint32_t declaration = frame_declaration (a);
  bool good = declaration != PTX_NO_INDEX && is_private (a);
  if (good && a->owner[declaration] == 0)
    a->owner[declaration] = var + 1;
  else
    good = false;
  if (good && frame_has_lines (a, text, lines))
    return true;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    if (a->owner[i] == var + 1)
      a->owner[i] = 0;
  return false;
}

/* ---- moves ---- */

void
frame_put_guard (struct ptx_text *out, const struct ptx_function *f, const struct ptx_stmt *s)
{
  struct ptx_operand guard = { .kind = PTX_O_REG, .id = s->guard };

  ptx_printf (out, "\t");
  if (s->guard == PTX_NO_INDEX)
    return;
  ptx_printf (out, "@%s", s->guard_negated ? "!" : "");
  ptx_print_operand (out, f, &guard);
  ptx_printf (out, " ");
}

static void
put_word (struct ptx_text *out, uint32_t var, int64_t at)
{
  ptx_printf (out, "%%gompx_f%u_%u", var, (unsigned) (at / WORD));
}

/* Load ELEMENT of SIZE bytes from AT.  */
static void
put_load (struct ptx_text *out, const struct frame_arrays *a, const struct ptx_stmt *s,
	  uint32_t var, const struct ptx_operand *element, unsigned size, int64_t at)
{
  bool is_signed = ptx_is_signed (s->u.insn.op->types[0]);
  char sign = is_signed ? 's' : 'u';

  if (element->kind != PTX_O_REG)
    return;
  unsigned bytes = ptx_type_size (a->f->vars[element->id].type);
  if (size < WORD)
    {
      frame_put_guard (out, a->f, s);
      ptx_printf (out, "bfe.%c32 %%gompx_f%u_t,", sign, var);
      put_word (out, var, at);
      ptx_printf (out, ",%u,%u;\n", (unsigned) (at % WORD) * 8, size * 8);
    }
  frame_put_guard (out, a->f, s);
  if (bytes == WORD || size == 8)
    ptx_printf (out, "mov.b%u ", 8 * bytes);
  else
    ptx_printf (out, "cvt.%c%u.%c32 ", sign, 8 * bytes, sign);
  ptx_print_operand (out, a->f, element);
  ptx_printf (out, size == 8 ? ",{" : ",");
  if (size < WORD)
    ptx_printf (out, "%%gompx_f%u_t", var);
  else
    put_word (out, var, at);
  if (size == 8)
    {
      ptx_printf (out, ",");
      put_word (out, var, at + WORD);
      ptx_printf (out, "}");
    }
  ptx_printf (out, ";\n");
}

/* Store ELEMENT of SIZE bytes to AT.  */
static void
put_store (struct ptx_text *out, const struct frame_arrays *a, const struct ptx_stmt *s,
	   uint32_t var, const struct ptx_operand *element, unsigned size, int64_t at)
{
  unsigned bytes = element->kind == PTX_O_REG ? ptx_type_size (a->f->vars[element->id].type) : 0;

  if (element->kind == PTX_O_SINK)
    return;
  for (unsigned word = 0; bytes == 0 && size >= WORD && word < size / WORD; word++)
    {
      frame_put_guard (out, a->f, s);
      ptx_printf (out, "mov.b32 ");
      put_word (out, var, at + word * WORD);
      ptx_printf (out, ",%u;\n", (unsigned) (element->u.value >> 32 * word));
    }
  if (bytes == 0 && size >= WORD)
    return;
  frame_put_guard (out, a->f, s);
  if (size == 8)
    {
      ptx_printf (out, "mov.b64 {");
      put_word (out, var, at);
      ptx_printf (out, ",");
      put_word (out, var, at + WORD);
      ptx_printf (out, "},");
    }
  else
    {
      if (bytes == 0 || bytes == WORD)
	ptx_printf (out, "mov.b32 ");
      else
	ptx_printf (out, "cvt.u32.u%u ", 8 * bytes);
      if (size < WORD)
	ptx_printf (out, "%%gompx_f%u_t", var);
      else
	put_word (out, var, at);
      ptx_printf (out, ",");
    }
  if (bytes == 0)
    ptx_printf (out, "%u", (unsigned) element->u.value & ((1U << 8 * size) - 1));
  else
    ptx_print_operand (out, a->f, element);
  ptx_printf (out, ";\n");
  if (size >= WORD)
    return;
  frame_put_guard (out, a->f, s);
  ptx_printf (out, "bfi.b32 ");
  put_word (out, var, at);
  ptx_printf (out, ",%%gompx_f%u_t,", var);
  put_word (out, var, at);
  ptx_printf (out, ",%u,%u;\n", (unsigned) (at % WORD) * 8, size * 8);
}

void
frame_put_moves (struct ptx_text *out, const struct frame_arrays *a, uint32_t i)
{
  const struct ptx_stmt *s = &a->f->stmts[i];
  const struct ptx_op *op = s->u.insn.op;
  unsigned size = ptx_type_size (op->types[0]), num = op->vector > 1 ? op->vector : 1;

  if (frame_address (s) == NULL)
    {
      /* The array's address.  */
      frame_put_guard (out, a->f, s);
      ptx_printf (out, "mov.u64 ");
      ptx_print_operand (out, a->f, &s->u.insn.operands[0]);
      ptx_printf (out, ",0;\n");
      return;
    }
  for (unsigned k = 0; k < num; k++)
    {
      struct ptx_operand element = element_of (s, k);
      (op->opcode == PTX_OP_LD ? put_load : put_store) (out, a, s, a->owner[i] - 1, &element, size,
							a->at[i] + k * size);
    }
}

void
frame_put_replaced (struct ptx_text *out, const struct frame_arrays *a, uint32_t i,
		    const char *text, const char **done, struct frame_lines *lines)
{
  const struct ptx_stmt *s = &a->f->stmts[i];
  uint32_t var = a->owner[i] - 1;
  uint32_t line = s->kind == PTX_STMT_INSN ? s->line : find_line (a->f, i, var, text, lines);

  ptx_print_up_to (out, done, frame_go_to_line (lines, line), 0);
  *done = frame_go_to_line (lines, line + 1);
  if (s->kind == PTX_STMT_INSN)
    frame_put_moves (out, a, i);
  else
    ptx_printf (out, "\t.reg .b32 %%gompx_f%u_<%u>;\n\t.reg .b32 %%gompx_f%u_t;\n", var,
		(unsigned) (ptx_var_size (&a->f->vars[var]) + WORD - 1) / WORD, var);
}

/* Those of F, whose body has been read.  *NUM: how many there are.  False: no memory.  */
static bool
put_arrays (struct ptx_text *out, struct ptx *ptx, const struct ptx_function *f, const char *text,
	    const char **done, struct frame_lines *lines, unsigned *num)
{
  struct frame_arrays a = { .f = f };
  unsigned before = *num;

  a.kind = ptx_alloc (ptx, f->num_vars + 1);
  a.offset = ptx_alloc (ptx, f->num_vars * sizeof (*a.offset) + 1);
  a.owner = ptx_alloc (ptx, f->num_stmts * sizeof (*a.owner) + 1);
  a.at = ptx_alloc (ptx, f->num_stmts * sizeof (*a.at) + 1);
  if (a.kind == NULL || a.offset == NULL || a.owner == NULL || a.at == NULL)
    return false;
  frame_go_to_line (lines, f->line);
  for (uint32_t i = 0; i < f->num_vars; i++)
    if (f->vars[i].space == PTX_LOCAL && look_at (&a, i, text, *lines))
      ++*num;
  struct frame_loops *loops = NULL;
  for (uint32_t i = 0; i < f->num_vars && loops == NULL; i++)
    if (f->vars[i].space == PTX_LOCAL && fits (&a, i) && !is_replaced (&a, i))
      loops = frame_find_loops (&a, ptx, text, *lines);
  *num += loops != NULL;
  if (loops != NULL)
    frame_put_loops (out, loops, text, done, lines);
  else if (*num > before)
    for (uint32_t i = 0; i < f->num_stmts; i++)
      if (a.owner[i] != 0)
	frame_put_replaced (out, &a, i, text, done, lines);
  return !ptx->no_memory;
}

/* ---- the program ---- */

bool
nvptx_frames_in_registers (const struct nvptx_object *object, struct nvptx_object *result)
{
  static const char local[] = ".local .align";
  struct ptx_text out = { .size = 0 };
  struct frame_lines lines = { object->text, 1 };
  const char *done = object->text;
  char why[PTX_WHY];
  unsigned num = 0;

  result->text = NULL;
  if (object->size == 0 || memchr (object->text, 0, object->size) != object->text + object->size - 1
      || memmem (object->text, object->size, local, strlen (local)) == NULL)
    return true;
  struct ptx *ptx = ptx_new ();
  if (ptx == NULL)
    return false;
  struct ptx_module *m = ptx_read (ptx, object->text, object->size, PTX_LAZY | PTX_NO_LOC, why);
  bool good = !ptx->no_memory;
  for (uint32_t i = 0; good && m != NULL && i < m->num_items; i++)
    {
      if (m->items[i]->kind != PTX_ITEM_FUNCTION)
	continue;
      struct ptx_function *f = m->items[i]->u.function;
      if (f->has_body && memmem (f->text, f->text_size, local, strlen (local)) != NULL
	  && ptx_read_body (f, PTX_NO_LOC, why))
	good = put_arrays (&out, ptx, f, object->text, &done, &lines, &num);
      good = good && !ptx->no_memory;
    }
  if (good && num > 0)
    ptx_printf (&out, "%s", done);
  good = good && !out.no_memory;
  if (good && num > 0)
    *result = (struct nvptx_object) { out.text, out.size + 1 };
  else
    free (out.text);
  ptx_free (ptx);
  return good;
}
