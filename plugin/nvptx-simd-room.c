/* nvptx-simd-room.c -- room for what a simd loop's iterations have in memory.

   In a simd loop each lane has a stack of its own, an array in `.local' for which GCC reserves the
   same for all functions, 128 bytes for frames of callees and 8 for the former stack pointer.  Its
   variables in memory, arrays for instance, come out of that, too:

	.local.align 8 .b8 %simtstack_ar[136];
	cvta.local.u64 %r51, %simtstack_ar + 136;
	sub.u64 %r51, %r51, 520;
	st.u64 [%r51 + -8], %stack;

   With more than 128 bytes of them a lane leaves the array, and on a GPU maybe its memory: what it
   stores there is lost, in another variable, or ends the program.  So the array gets as much more as
   is taken out of it.

   Nor does GCC always use what it takes: where it knows which variable an address leads to, the
   variable is in the function's frame, which is one for all lanes of the warp (GCC 12 to 16, -O1 and
   above), and each lane overwrites what the others have there.  If the frame has just the size of what
   is taken it has these variables and nothing else, in the same places.  Then the lane's memory
   becomes its frame, behind the subtraction: mov.u64 %frame, %r51.

   Invariants
   1. Of the text only the array's size and the places of its end change, in functions in which all
      uses of the array are as above, with a number that is known.
   2. A frame becomes the lane's own if it is mentioned nowhere but in the simd loop: on no way to its
      begin, and on none from its end.  And what is taken is not used by the register that has its
      address, so the variables that it is for are in the frame.
   3. Any doubt means that the function stays as it is.

   Called by nvptx-texts.c.  No state.  */

#include "nvptx-simd-room.h"
#include "nvptx-lanes-work.h"

#include <stdlib.h>
#include <string.h>

static const char array[] = "%simtstack_ar";

enum
{
  MOST_ROOM = 1 << 16,		/* more than that no lane has */
  ROUND = 16,
  NEAR = 400			/* characters: a block that makes a frame has less */
};

/* Numbers of a text that are to change, in order; and places where the frame becomes a register's
   memory, with the register.  */
struct numbers
{
  struct
  {
    const char *at, *reg;	/* REG: NULL for numbers */
    unsigned length, value;
  } *v;
  size_t num, room;
  bool no_memory;
};

static const char *
skip_blanks (const char *p)
{
  return p + strspn (p, " \t");
}

/* The number at P, in *VALUE; its end, or NULL: there is none.  */
static const char *
read_number (const char *p, unsigned *value)
{
  size_t length = strspn (p, "0123456789");

  if (length == 0 || length > 6)
    return NULL;
  *value = (unsigned) strtoul (p, NULL, 10);
  return p + length;
}

static void
add_number (struct numbers *n, const char *at, const char *end, unsigned value)
{
  if (n->num == n->room)
    {
      size_t room = n->room * 2 + 8;
      void *v = realloc (n->v, room * sizeof (*n->v));
      if (v == NULL)
	{
	  n->no_memory = true;
	  return;
	}
      n->v = v;
      n->room = room;
    }
  n->v[n->num].at = at;
  n->v[n->num].reg = NULL;
  n->v[n->num].length = (unsigned) (end - at);
  n->v[n->num++].value = value;
}

/* How much the statement behind P, the end of the array's address in register REG, takes out of it, in *TAKEN.
   The statement's end, or NULL: it is another one.  */
static const char *
read_taken (const char *p, const char *reg, size_t length, unsigned *taken)
{
  static const char sub[] = "sub.u64";

  p += strspn (p, "; \t\n");
  if (strncmp (p, sub, strlen (sub)) != 0)
    return NULL;
  p = skip_blanks (p + strlen (sub));
  for (int i = 0; i < 2; i++)
    {
      if (strncmp (p, reg, length) != 0 || p[length] != ',')
	return NULL;
      p = skip_blanks (p + length + 1);
    }
  p = read_number (p, taken);
  return p != NULL && *p == ';' && *taken < MOST_ROOM ? p + 1 : NULL;
}

/* How large the frame of the function with the array at P is; 0: it has none, or that can't be seen.  */
static unsigned
frame_size (const char *text, const char *p)
{
  static const char before[] = "%sspprev,";
  unsigned size;

  /* Its block stands in front of the array, with nothing else in between.  */
  for (const char *from = p; from > text && p - from < NEAR && strncmp (from, ".func", 5) != 0; from--)
    if (strncmp (from, before, strlen (before)) == 0)
      {
	from = read_number (skip_blanks (from + strlen (before)), &size);
	return from != NULL && *from == ';' ? size : 0;
      }
  return 0;
}

/* ---- whose frame it is ---- */

/* The register NAME of F, of LENGTH characters; PTX_NO_INDEX: there is none, or more.  */
static uint32_t
find_register (const struct ptx_function *f, const char *name, size_t length)
{
  uint32_t found = PTX_NO_INDEX;

  for (uint32_t i = 0; i < f->num_vars; i++)
    {
      const struct ptx_name_entry *e = &f->module->ptx->names[f->vars[i].name];
      if (f->vars[i].space == PTX_REG && e->length == length && memcmp (e->text, name, length) == 0)
	{
	  if (found != PTX_NO_INDEX)
	    return PTX_NO_INDEX;
	  found = i;
	}
    }
  return found;
}

/* S is OPCODE where the former stack pointer is, below what REG is the address of.  */
static bool
is_former (const struct ptx_stmt *s, ptx_name opcode, uint32_t reg)
{
  if (!lanes_is_plain (s, opcode))
    return false;
  const struct ptx_operand *o = &s->u.insn.operands[opcode == PTX_OP_LD];
  return o->kind == PTX_O_ADDRESS && o->base == PTX_O_REG && o->id == reg
	 && o->u.value == (uint64_t) -8 && lanes_mentions (s, reg) == 1;
}

/* A simd loop of F begins where REG, an address, is set; in *BEGIN.  False: REG is used for more than that, the
   former stack pointer and the new one.  */
static bool
find_begin (const struct ptx_function *f, uint32_t reg, uint32_t *begin)
{
  *begin = PTX_NO_INDEX;
  for (uint32_t i = 0; i < f->num_stmts; i++)
    {
      const struct ptx_stmt *s = &f->stmts[i];
      if (lanes_mentions (s, reg) == 0 || is_former (s, PTX_OP_ST, reg) || is_former (s, PTX_OP_LD, reg))
	continue;
      const struct ptx_operand *o = s->u.insn.operands;
      if (s->u.insn.op->opcode == PTX_OP_CVTA && lanes_mentions (s, reg) == 1)
	continue;
      if (!lanes_is_insn (s, PTX_OP_SUB, 3) || s->guard != PTX_NO_INDEX || o[2].kind != PTX_O_INT
	  || !lanes_is_reg (&o[1], reg) || (lanes_is_reg (&o[0], reg) && *begin != PTX_NO_INDEX)
	  || (!lanes_is_reg (&o[0], reg) && o[2].u.value != 8))
	return false;
      if (lanes_is_reg (&o[0], reg))
	*begin = i;
    }
  return *begin != PTX_NO_INDEX;
}

/* Does F mention FRAME where control can get to from statement FROM, not by BEGIN, at FIRST or behind?  */
static bool
gets_to_frame (const struct ptx_function *f, uint32_t from, uint32_t begin, uint32_t first,
	       uint32_t frame, bool *seen, uint32_t *stack)
{
  uint32_t depth = 0, next[2];

  memset (seen, 0, f->num_stmts * sizeof (*seen));
  seen[from] = true;
  stack[depth++] = from;
  while (depth > 0)
    {
      uint32_t i = stack[--depth];
      if (i >= first && lanes_mentions (&f->stmts[i], frame) > 0)
	return true;
      for (unsigned n = lanes_successors (f, i, next); n-- > 0;)
	if (next[n] != begin && !seen[next[n]])
	  {
	    seen[next[n]] = true;
	    stack[depth++] = next[n];
	  }
    }
  return false;
}

/* Is F's frame for the simd loop that begins where REG is set, and nothing else?  */
static bool
is_frame_of_loop (const struct ptx_function *f, uint32_t reg, bool *no_memory)
{
  uint32_t frame = find_register (f, "%frame", strlen ("%frame")), begin, first = 0;
  bool is = frame != PTX_NO_INDEX && reg != PTX_NO_INDEX && lanes_can_be_followed (f)
	    && find_begin (f, reg, &begin);

  if (!is)
    return false;
  bool *seen = malloc ((f->num_stmts + 1) * sizeof (*seen));
  uint32_t *stack = malloc ((f->num_stmts + 1) * sizeof (*stack));
  *no_memory |= seen == NULL || stack == NULL;
  is = seen != NULL && stack != NULL;
  /* The block that makes it is the first, and ends where the stack pointer is told.  */
  while (first < f->num_stmts && f->stmts[first].kind != PTX_STMT_END)
    first++;
  is = is && !gets_to_frame (f, 0, begin, first, frame, seen, stack);
  for (uint32_t i = 0; i < f->num_stmts && is; i++)
    if (is_former (&f->stmts[i], PTX_OP_LD, reg))
      is = !gets_to_frame (f, i, begin, 0, frame, seen, stack);
  free (seen);
  free (stack);
  return is;
}

/* The same of the function with AT in its text, and the register REG of LENGTH characters.  */
static bool
is_for_lanes (const struct nvptx_object *object, const char *at, const char *reg, size_t length,
	      bool *no_memory)
{
  struct ptx *ptx = ptx_new ();
  char why[PTX_WHY];
  struct ptx_module *m = ptx != NULL ? ptx_read (ptx, object->text, object->size, PTX_LAZY | PTX_NO_LOC, why)
			 : NULL;
  bool is = false;

  for (uint32_t i = 0; m != NULL && i < m->num_items; i++)
    {
      struct ptx_function *f = m->items[i]->kind == PTX_ITEM_FUNCTION ? m->items[i]->u.function : NULL;
      if (f != NULL && f->has_body && f->text != NULL && at >= f->text && at < f->text + f->text_size)
	is = ptx_read_body (f, PTX_NO_LOC, why)
	     && is_frame_of_loop (f, find_register (f, reg, length), no_memory);
    }
  *no_memory |= ptx == NULL || ptx->no_memory;
  if (ptx != NULL)
    ptx_free (ptx);
  return is;
}

/* ---- the text ---- */

/* P is behind the array's name, in a use of it: add the number of its end, which is SIZE, and make
   *TAKEN what is taken out of it, if that is more.  */
static bool
read_use (struct numbers *n, const char *text, const char *name, const char *p, unsigned size,
	  unsigned *taken)
{
  static const char cvta[] = "cvta.local.u64";
  unsigned end, here;
  const char *reg = name, *number, *behind;

  /* Back to the register, and to the instruction.  */
  while (reg > text && (reg[-1] == ' ' || reg[-1] == '\t' || reg[-1] == ','))
    reg--;
  const char *reg_end = reg;
  while (reg > text && *reg != '%')
    reg--;
  size_t length = (size_t) (reg_end - reg);
  const char *op = reg;
  while (op > text && (op[-1] == ' ' || op[-1] == '\t'))
    op--;
  p = skip_blanks (p);
  if (*reg != '%' || length < 2 || (size_t) (op - text) < strlen (cvta)
      || strncmp (op - strlen (cvta), cvta, strlen (cvta)) != 0 || *p != '+')
    return false;
  number = skip_blanks (p + 1);
  behind = read_number (number, &end);
  const char *statement_end = behind != NULL && end == size && *behind == ';'
			      ? read_taken (behind, reg, length, &here) : NULL;
  if (statement_end == NULL)
    return false;
  if (here > *taken)
    *taken = here;
  add_number (n, number, behind, 0);
  if (!n->no_memory)
    add_number (n, statement_end, statement_end, here);
  if (!n->no_memory)
    {
      n->v[n->num - 1].reg = reg;
      n->v[n->num - 1].value = (unsigned) length;
    }
  return true;
}

/* One function's: from the declaration at P, behind the array's name, on.  Where to look for the next.  */
static const char *
read_function (struct numbers *n, const struct nvptx_object *object, const char *p)
{
  const char *text = object->text;
  size_t first = n->num;
  unsigned size = 0, taken = 0;
  const char *declared = p, *number = p + 1, *end = read_number (number, &size);
  bool good = end != NULL && *end == ']';

  if (good)
    add_number (n, number, end, 0);
  for (p = strstr (p, array); p != NULL && p[strlen (array)] != '['; p = strstr (p + 1, array))
    good = good && read_use (n, text, p, p + strlen (array), size, &taken);
  if (!good || taken == 0 || n->no_memory)
    n->num = first;
  unsigned frame = n->num > first ? frame_size (text, declared) : 0;
  /* One simd loop: declared, used, taken.  */
  bool becomes = n->num == first + 3 && frame >= taken && frame < taken + ROUND
		 && is_for_lanes (object, declared, n->v[first + 2].reg, n->v[first + 2].value, &n->no_memory);
  for (size_t i = first; i < n->num; i++)
    if (n->v[i].reg == NULL)
      n->v[i].value = size + (taken + ROUND - 1) / ROUND * ROUND;
    else if (!becomes)
      n->v[i].reg = NULL, n->v[i].value = 0;
  return p;
}

bool
nvptx_simd_room (const struct nvptx_object *object, struct nvptx_object *result)
{
  struct numbers n = { .num = 0 };
  struct ptx_text out = { .size = 0 };
  const char *p;

  result->text = NULL;
  if (object->size == 0 || memchr (object->text, 0, object->size) != object->text + object->size - 1)
    return true;
  for (p = strstr (object->text, array); p != NULL;)
    p = p[strlen (array)] == '[' ? read_function (&n, object, p + strlen (array))
	: strstr (p + 1, array);
  if (n.num > 0 && !n.no_memory && ptx_reserve (&out, object->size + n.num * 40))
    {
      p = object->text;
      for (size_t i = 0; i < n.num; i++)
	{
	  ptx_print_up_to (&out, &p, n.v[i].at, n.v[i].length);
	  if (n.v[i].reg != NULL)
	    ptx_printf (&out, " mov.u64 %%frame, %.*s;", (int) n.v[i].value, n.v[i].reg);
	  else if (n.v[i].length > 0)
	    ptx_printf (&out, "%u", n.v[i].value);
	}
      ptx_printf (&out, "%s", p);
    }
  free (n.v);
  bool good = !n.no_memory && !out.no_memory;
  if (good && out.size > 0)
    *result = (struct nvptx_object) { out.text, out.size + 1 };
  else
    free (out.text);
  return good;
}
