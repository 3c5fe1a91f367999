/* nvptx-shake.c -- linking without the functions and variables that no code of the program, or of one kernel, reaches, and without tiny objects.

   A linker for GPUs takes whole objects, and those of GCC's device library have many functions each: all of
   tasking is linked to a program that uses barriers.  The driver's compiler would spend most of a
   program's first start on functions that are never called, so their text is left out.  Variables in memory of the device that these alone
   use go, too, but only those that are an object's own: others the plugin may look for by their names.  One of these goes nevertheless, the one by
   which our library calls the host: the plugin takes an image that has it for one that may call.

   A request of include/gompx.h is a call of the function for reverse offload with a number as its mark.  Where no object but those of the function that
   serves requests has that number nobody makes any, and that function, as large as all else of a reverse call, is left empty.
   So is the one that calls the host through GCC's block, which is for GCC's plugin.

   For one kernel (nvptx-parts.c) the program's own object is treated likewise, and its other kernels are left out, too.  Somebody waits for that one: the
   function that calls the host has the body of another one then, which can do all that it can, but some calls not as fast, and is compiled sooner.

   Invariants
   1. Only what looks in every way like the definition of a function that a compiler wrote is left out:
      its comment, .func, a body whose braces match; or a kernel of the program's; or of a variable of another object: its comment, and a
      directive to its semicolon.  Everything else stays and counts as code that is reached, as does the program's own object unless it is for
      one kernel.
   2. A function or variable is reached if its name is a word of any text that stays, apart from declarations, comments and names of files.
      What is an object's own is reached from there alone; other names that several objects define stay or go together.
   3. The given texts are not changed.

   Each object costs the driver's compiler some milliseconds, whatever is in it.  Those that nothing is left of are left out, too.  GCC's compiler
   has two words for all of a program in an object of their own; where another object declares them they are defined there instead
   (nvptx_shake_objects).

   Called by nvptx-link.c before it links; the cache's key is made of the whole objects, and of what nvptx-parts.c has left of them.  */

#include "nvptx-shake.h"
#include "nvptx-pieces.h"
#include "slots-proto.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GOMPX_INTERFACE_ONLY 1
#include "include/gompx.h"

struct shaking
{
  const struct nvptx_object *objects;
  struct piece *pieces;		/* in the order of the text */
  size_t num, room;
  struct piece **table;		/* definitions by hash of the name; open, a power of two */
  size_t mask;
  struct nvptx_lengths lengths;	/* of their names */
  struct piece **todo;		/* live, to be read */
  size_t num_todo;
  bool lacks_requests;		/* nobody makes any: SERVICE is empty */
  const struct piece *any;	/* TARGET_ANY, where TARGET has its body; or NULL */
};

/* What serves requests, config/accel/service.c.  */
#define SERVICE "accel_service"
/* What calls the host through GCC's block, config/accel/reverse.c: for GCC's plugin.  With this one slots are there.  */
#define BLOCK_CALL "accel_call_block"
/* The bodies of them where they are not needed.  */
static const char nothing[] = "{\nret;\n}", never[] = "{\ntrap;\nret;\n}";
/* What calls the host, and the same without calls in rows, with the same parameters: config/accel/reverse.c, too.  */
#define TARGET "GOMP_target_ext"
#define TARGET_ANY "accel_target_any"

/* Is there a kernel?  Compilers put no comment in front of it.  */
static bool
is_kernel (const char *at, const char *end, struct piece *piece)
{
  const char *p = at;
  if (!skip (&p, end, ".visible .entry "))
    return false;
  piece->definition = piece->function = true;
  piece->start = at;
  piece->name = p;
  piece->length = name_length (p, end);
  piece->end = end_of_function (at, end, ".entry", true);
  return piece->length > 0 && piece->end != NULL;
}

/* Does nobody ask for variable PIECE by its name?  Its declarations are of any object that uses it.  */
static bool
may_go (const struct piece *piece)
{
  static const char table[] = "$offload_";
  const size_t length = sizeof (table) - 1;
  return nvptx_is_named (piece->name, piece->length, GOMPX_REVERSE_VARIABLE)
	 || (piece->local && (piece->length < length || memcmp (piece->name, table, length) != 0));
}

/* The functions of object I, and its variables or, OWN, the kernels.  False: no memory.  */
static bool
cut (struct shaking *s, size_t i, bool own)
{
  const char *line = s->objects[i].text, *end = line + s->objects[i].size - 1;

  while (line < end)
    {
      struct piece piece = { .object = i };
      if ((*line == '/' && is_piece (line, end, &piece) && (piece.function || (!own && may_go (&piece)))) || (own && *line == '.' && is_kernel (line, end, &piece)))
	{
	  if (s->num == s->room)
	    {
	      size_t room = s->room ? 2 * s->room : 256;
	      struct piece *pieces = realloc (s->pieces, room * sizeof (*pieces));
	      if (pieces == NULL)
		return false;
	      s->pieces = pieces;
	      s->room = room;
	    }
	  s->pieces[s->num++] = piece;
	  line = piece.end;
	}
      line = next_line (line, end);
    }
  return true;
}

static struct piece **
slot (struct shaking *s, const char *name, size_t length)
{
  size_t at = nvptx_name_hash (name, length) & s->mask;
  while (s->table[at] != NULL
	 && (s->table[at]->length != length || memcmp (s->table[at]->name, name, length) != 0))
    at = (at + 1) & s->mask;
  return &s->table[at];
}

static bool
make_table (struct shaking *s)
{
  size_t size = 16;
  while (size < 2 * s->num)
    size *= 2;
  s->table = calloc (size, sizeof (s->table[0]));
  s->todo = malloc ((s->num + 1) * sizeof (s->todo[0]));
  s->mask = size - 1;
  if (s->table == NULL || s->todo == NULL)
    return false;
  for (size_t i = 0; i < s->num; i++)
    if (s->pieces[i].definition)
      {
	struct piece **p = slot (s, s->pieces[i].name, s->pieces[i].length);
	s->pieces[i].same = *p;
	*p = &s->pieces[i];
	nvptx_lengths_add (&s->lengths, s->pieces[i].name, s->pieces[i].length);
      }
  return true;
}

/* Behind a comment, or the name of a source file, at AT; NULL: there is none.  */
static const char *
behind_remark (const char *at, const char *end)
{
  return *at == '/' && end - at > 1 && at[1] == '/' ? next_line (at, end) : *at == '.' ? behind_file_name (at, end) : NULL;
}

/* Does nobody make requests?  */
static bool
lacks_requests (struct shaking *s, size_t num_objects)
{
  char number[20];
  bool lacks = *slot (s, SERVICE, strlen (SERVICE)) != NULL;

  snprintf (number, sizeof (number), "%d", GOMPX_REQUEST);
  for (size_t i = 0; i < num_objects && lacks; i++)
    {
      const struct nvptx_object *object = &s->objects[i];
      lacks = !contains (object->text, object->size, number) || contains (object->text, object->size, SERVICE);
    }
  return lacks;
}

/* The body of a function.  */
struct body
{
  const char *start;
  size_t length;		/* 0: there is none */
};

static struct body
body_of (const struct piece *f)
{
  const char *start = memchr (f->start, '{', (size_t) (f->end - f->start));
  return (struct body) { start, start != NULL ? (size_t) (f->end - start) : 0 };
}

/* What is to be there instead of the body of PIECE; mostly none is.  The program's own may have such names.  */
static struct body
instead_of (const struct shaking *s, const struct piece *piece)
{
  struct body instead = { NULL, 0 };

  if (!piece->definition || !piece->function || piece->object == 0)
    return instead;
  if (s->lacks_requests && nvptx_is_named (piece->name, piece->length, SERVICE))
    instead = (struct body) { nothing, sizeof (nothing) - 1 };
  else if (nvptx_is_named (piece->name, piece->length, BLOCK_CALL))
    instead = (struct body) { never, sizeof (never) - 1 };
  else if (s->any != NULL && piece->object == s->any->object && nvptx_is_named (piece->name, piece->length, TARGET))
    instead = body_of (s->any);
  if (instead.length > 0 && body_of (piece).length <= instead.length)
    instead.length = 0;
  return instead;
}

/* The function NAME of another object than the program's, or NULL.  */
static const struct piece *
library_function (struct shaking *s, const char *name)
{
  for (const struct piece *f = *slot (s, name, strlen (name)); f != NULL; f = f->same)
    if (f->function && f->object != 0)
      return f;
  return NULL;
}

/* May the name of F mean F in this object?  */
static bool
is_meant (const struct piece *f, size_t object)
{
  return !f->local || f->object == object;
}

/* What the text of OBJECT mentions is reached, apart from remarks.  */
static void
read_text (struct shaking *s, size_t object, const char *p, const char *end)
{
  while (p < end)
    {
      const char *behind = behind_remark (p, end);
      if (behind != NULL)
	{
	  p = behind;
	  continue;
	}
      size_t length = name_length (p, end);
      if (length > 0 && nvptx_lengths_have (&s->lengths, p, length))
	for (struct piece *f = *slot (s, p, length); f != NULL; f = f->same)
	  if (!f->live && is_meant (f, object))
	    {
	      f->live = true;
	      s->todo[s->num_todo++] = f;
	    }
      p += length > 0 ? length : 1;
    }
}

/* All that what is reached so far leads to.  */
static void
follow (struct shaking *s)
{
  while (s->num_todo > 0)
    {
      struct piece *f = s->todo[--s->num_todo];
      struct body instead = instead_of (s, f);
      read_text (s, f->object, f->start, instead.length > 0 ? body_of (f).start : f->end);
      if (instead.length > 0)
	read_text (s, f->object, instead.start, instead.start + instead.length);
    }
}

/* The same, and everything outside of pieces.  */
static void
follow_all (struct shaking *s, size_t num_objects)
{
  size_t k = 0;
  for (size_t i = 0; i < num_objects; i++)
    {
      const char *at = s->objects[i].text, *end = at + s->objects[i].size - 1;
      for (; k < s->num && s->pieces[k].object == i; k++)
	{
	  read_text (s, i, at, s->pieces[k].start);
	  at = s->pieces[k].end;
	}
      read_text (s, i, at, end);
    }
  follow (s);
}

/* Does the piece go?  A declaration does with all that it may mean.  */
static bool
goes (struct shaking *s, const struct piece *piece)
{
  bool is_known = false;

  if (piece->definition)
    return !piece->live;
  for (const struct piece *f = *slot (s, piece->name, piece->length); f != NULL; f = f->same)
    if (is_meant (f, piece->object))
      {
	if (f->live)
	  return false;
	is_known = true;
      }
  return is_known;
}

static bool
copy_rest (struct shaking *s, size_t num_objects, struct nvptx_shaken *shaken)
{
  size_t total = 0, k = 0;
  for (size_t i = 0; i < num_objects; i++)
    total += s->objects[i].size;
  char *out = shaken->memory = malloc (total);
  if (out == NULL)
    return false;
  for (size_t i = 0; i < num_objects; i++)
    {
      const char *at = s->objects[i].text, *end = at + s->objects[i].size, *start = out;
      for (; k < s->num && s->pieces[k].object == i; k++)
	{
	  const struct piece *piece = &s->pieces[k];
	  bool is_function = piece->definition && piece->function, left = goes (s, piece);
	  struct body instead = instead_of (s, piece);
	  shaken->functions += is_function;
	  if (!left && instead.length == 0)
	    continue;
	  shaken->left_out += is_function;
	  const char *to = left ? piece->start : body_of (piece).start;
	  memcpy (out, at, to - at);
	  out += to - at;
	  if (!left)
	    {
	      memcpy (out, instead.start, instead.length);
	      out += instead.length;
	    }
	  at = piece->end;
	}
      if (out == start && at == s->objects[i].text)
	continue;		/* as it was */
      memcpy (out, at, end - at);
      out += end - at;
      shaken->objects[i] = (struct nvptx_object) { start, out - start };
    }
  return true;
}

bool
nvptx_shake (const struct nvptx_object *objects, size_t num_objects, const char *kernel, bool for_parts, struct nvptx_shaken *shaken)
{
  struct shaking s = { .objects = objects };
  bool good = true;

  *shaken = (struct nvptx_shaken) { .objects = malloc ((num_objects + 1) * sizeof (*objects)) };
  if (shaken->objects == NULL)
    return false;
  memcpy (shaken->objects, objects, num_objects * sizeof (*objects));
  for (size_t i = kernel != NULL ? 0 : 1; i < num_objects && good; i++)
    good = cut (&s, i, i == 0);
  if (good && make_table (&s))
    {
      s.lacks_requests = lacks_requests (&s, num_objects);
      if (kernel != NULL)
	{
	  s.any = library_function (&s, TARGET_ANY);
	  read_text (&s, 0, kernel, kernel + strlen (kernel));
	}
      follow_all (&s, num_objects);
      const struct piece *target = for_parts ? library_function (&s, TARGET) : NULL;
      if (target != NULL && target->live)
	{
	  read_text (&s, target->object, TARGET_ANY, &TARGET_ANY[sizeof (TARGET_ANY) - 1]);
	  follow (&s);
	}
      copy_rest (&s, num_objects, shaken);
    }
  free (s.todo);
  free (s.table);
  free (s.pieces);
  return true;
}

void
nvptx_shaken_free (struct nvptx_shaken *shaken)
{
  free (shaken->memory);
  free (shaken->objects);
  *shaken = (struct nvptx_shaken) { .objects = NULL };
}

/* ---- objects of variables, or of nothing ---- */

enum { MOST_VARIABLES = 16 };

/* How many variables OBJECT has, if it has nothing but these and no more than VARIABLES has room for; else 0.  */
static size_t
only_variables (const struct nvptx_object *object, struct piece variables[MOST_VARIABLES])
{
  const char *end = object->text + object->size - 1;
  size_t num = 0;

  for (const char *line = object->text; line < end; )
    if (num < MOST_VARIABLES && is_plain_variable (line, end, &variables[num]) && variables[num].definition)
      line = variables[num++].end;
    else if (is_frame (line, end))
      line = next_line (line, end);
    else
      return 0;
  return num;
}

static bool
is_among (const struct piece *variables, size_t num, const struct piece *piece)
{
  for (size_t i = 0; i < num; i++)
    if (variables[i].length == piece->length && memcmp (variables[i].name, piece->name, piece->length) == 0)
      return true;
  return false;
}

static char *
append (char *out, const char *from, const char *to)
{
  return (char *) memcpy (out, from, to - from) + (to - from);
}

/* Write OBJECT's text to OUT, with the definitions of NUM VARIABLES in place of its first declaration of one of them, and no other
   declarations of them.  Answers its size; 0: it has none, and nothing was written.  */
static size_t
define_variables (char *out, const struct nvptx_object *object, const struct piece *variables, size_t num)
{
  const char *end = object->text + object->size - 1, *copied = object->text;
  struct piece piece;
  char *p = out;

  for (const char *line = object->text; line < end; )
    {
      if (!is_plain_variable (line, end, &piece) || piece.definition || !is_among (variables, num, &piece))
	{
	  line = next_line (line, end);
	  continue;
	}
      p = append (p, copied, line);
      for (size_t i = 0; i < num && copied == object->text; i++)
	p = append (p, variables[i].start, variables[i].end);
      line = copied = piece.end;
    }
  return copied != object->text ? append (p, copied, end + 1) - out : 0;
}

/* Does OBJECT define nothing?  It may declare something.  */
static bool
is_empty (const struct nvptx_object *object)
{
  const char *end = object->text + object->size - 1;
  struct piece piece;

  for (const char *line = object->text; line < end; line = next_line (line, end))
    if ((is_piece (line, end, &piece) || is_plain_variable (line, end, &piece)) && !piece.definition)
      line = piece.end - 1;
    else if (!is_frame (line, end))
      return false;
  return true;
}

/* Leave out all such objects.  *NUM_OURS as for nvptx_shake_objects.  */
static size_t
drop_empty (struct nvptx_object *objects, size_t num_objects, size_t *num_ours)
{
  size_t first_ours = num_objects - *num_ours, left = 0;

  for (size_t i = 0; i < num_objects; i++)
    if (i == 0 || !is_empty (&objects[i]))
      objects[left++] = objects[i];
    else if (i >= first_ours)
      --*num_ours;
  return left;
}

size_t
nvptx_shake_objects (struct nvptx_object *objects, size_t num_objects, size_t *num_ours, char **memory)
{
  struct piece variables[MOST_VARIABLES];
  size_t from = 1, num = 0, size = 0;

  *memory = NULL;
  num_objects = drop_empty (objects, num_objects, num_ours);
  /* One object: compilers make one such.  */
  while (from < num_objects && (num = only_variables (&objects[from], variables)) == 0)
    from++;
  for (size_t to = num_objects; num > 0 && size == 0 && --to > 0; )
    {
      if (to == from || (*memory = malloc (objects[from].size + objects[to].size)) == NULL)
	continue;
      size = define_variables (*memory, &objects[to], variables, num);
      if (size == 0)
	free (*memory);
      else
	objects[to] = (struct nvptx_object) { *memory, size };
    }
  if (size == 0)
    {
      *memory = NULL;
      return num_objects;
    }
  *num_ours -= from >= num_objects - *num_ours;
  num_objects--;
  memmove (&objects[from], &objects[from + 1], (num_objects - from) * sizeof (*objects));
  return num_objects;
}

/* ---- how long functions are ---- */

struct nvptx_lengths_of
nvptx_shake_lengths (const struct nvptx_object *objects, size_t num_objects)
{
  struct nvptx_lengths_of lengths = { .total = 0 };

  for (size_t i = 0; i < num_objects; i++)
    for (const char *line = objects[i].text, *end = line + objects[i].size - 1; line < end; line = next_line (line, end))
      {
	struct piece piece;
	bool kernel = *line == '.' && is_kernel (line, end, &piece);
	if (!kernel && !(*line == '/' && is_piece (line, end, &piece) && piece.function))
	  continue;
	size_t size = piece.definition ? (size_t) (piece.end - line) : 0;
	lengths.total += size;
	lengths.functions += kernel ? 0 : size;
	if (size > lengths.longest)
	  lengths.longest = size;
	line = piece.end - 1;
      }
  return lengths;
}
