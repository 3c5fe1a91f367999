/* nvptx-home.c -- variables that all modules of an image share.

   What is linked for one kernel alone is a module of its own (nvptx-parts.c), and a module has its own variables.  Here those in which one
   kernel may leave something for another one (nvptx-state.c), and those whose addresses the host wants, are taken out of the texts: they are in memory that
   the plugin gets from the driver, which takes no compiler, and all modules find them through a table of addresses.

     cvta.global.u64 %r1, x;	ld.const.u64 %r1, [gompx_home+8];
     ld.global.u32 %r2, [x+4];	{ .reg .u64 %gompx_home; ld.const.u64 %gompx_home, [gompx_home+8]; ld.global.u32 %r2, [%gompx_home+4]; }

   The table is in constant memory, so the texts are the same in each start, and what they are compiled to may be kept.

   A variable takes along those whose addresses are in its initial value, and those that have its address in theirs.  So all are in one place, or, with
   what is not wholly understood, none: an address of a function, for code has another one in each module; an initial value that is no list of numbers and
   addresses; code that does something else with a name than to load from there, to store there, or to take its address.

   Constants may be taken along, too, from GCC 12's constant memory into global memory.  There its code does not see a difference: it makes generic addresses of
   theirs.

   No state.  Called by nvptx-parts.c.  */

#include "nvptx-home.h"
#include "nvptx-pieces.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
  MOST_ALIGN = 256,		/* what the driver's memory has */
  MOST_CONSTANT = 60 << 10	/* bytes of constant memory; GPUs have 64 KB */
};

struct work
{
  const struct nvptx_object *objects;
  size_t num_objects;
  struct nvptx_variables *variables;	/* of OBJECTS */
  struct nvptx_variable **moved;	/* [home->num] */
  size_t element;		/* bytes of one, of the variable that is entered */
  struct nvptx_home *home;
  char *why;
};

/* Answers false.  */
static bool
refuse (const struct work *w, const struct nvptx_variable *v, const char *reason)
{
  snprintf (w->why, NVPTX_STATE_WHY, "%s %.*s", reason, (int) (v->length < 60 ? v->length : 60), v->name);
  return false;
}

static bool
no_memory (const struct work *w)
{
  snprintf (w->why, NVPTX_STATE_WHY, "there is no memory");
  return false;
}

/* What the name stands for in OBJECT, which defines or declares it: the definition, or NULL.  */
static struct nvptx_variable *
resolve (const struct work *w, size_t object, const char *name, size_t length)
{
  struct nvptx_variable *found = NULL;
  bool declared = false;

  for (struct nvptx_variable *v = nvptx_variables_called (w->variables, name, length); v != NULL; v = v->same)
    {
      if (v->local && v->object == object)
	return v;
      declared |= v->object == object;
      if (!v->local && !v->external && (found == NULL || (found->weak && !v->weak)))
	found = v;
    }
  return declared ? found : NULL;
}

/* V is one of those that are shared.  */
static bool
move (struct work *w, struct nvptx_variable *v)
{
  if (v->home > 0)
    return true;
  if (v->own)
    return refuse (w, v, "each module has its own");
  if (memmem (v->start, v->name - v->start, ".common", 7) != NULL)
    return refuse (w, v, "several objects may define");
  w->moved[w->home->num] = v;
  v->home = ++w->home->num;
  return true;
}

/* ---- initial values ---- */

/* The begin of V's initial value, behind the equals sign, or NULL.  */
static const char *
value_of (const struct nvptx_variable *v)
{
  const char *p = memchr (v->name, '=', v->end - v->name);
  return p != NULL ? p + 1 : NULL;
}

static const char *
behind_spaces (const char *p, const char *end)
{
  while (p < end && isspace ((unsigned char) *p))
    p++;
  return p;
}

/* Is there the begin of a name at P, not of a number?  */
static bool
is_name (const char *p, const char *end)
{
  return p < end && is_name_char (*p) && !(*p >= '0' && *p <= '9');
}

/* What the directive of V says of it: the bytes of an element, how many there are, and the alignment.  */
static bool
read_head (const struct nvptx_variable *v, size_t *element, size_t *num, size_t *align)
{
  const char *p = v->start, *dot = NULL;
  size_t bits = 0;

  *align = 0;
  while (p < v->name)
    if (*p == '.')
      {
	const char *word = ++p;
	p += name_length (p, v->name);
	if (p - word == 5 && memcmp (word, "align", 5) == 0)
	  *align = strtoul (p, NULL, 10);
	else
	  dot = word;
      }
    else
      p++;
  if (dot != NULL && strchr ("busf", *dot) != NULL)
    bits = strtoul (dot + 1, NULL, 10);
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
    return false;
  *element = bits / 8;
  if (*align < *element)
    *align = *element;
  *num = 1;
  for (p = v->name + v->length; p < v->end && *p == '['; )
    {
      char *stop;
      size_t n = strtoul (p + 1, &stop, 10);
      if (stop == p + 1 || *stop != ']' || n == 0 || __builtin_mul_overflow (*num, n, num))
	return false;
      p = stop + 1;
    }
  p = behind_spaces (p, v->end);
  return (*p == ';' || *p == '=') && *align <= MOST_ALIGN && (*align & (*align - 1)) == 0 && *num < SIZE_MAX / 64;
}

/* One value of an initial value.  */
struct value
{
  uint64_t number;		/* or what is added */
  const char *name;		/* of which it is the address, or NULL */
  size_t length;
};

/* Read the one at *AT, and go on behind it.  */
static bool
read_value (const char **at, const char *end, struct value *value)
{
  const char *p = behind_spaces (*at, end);
  char *stop;

  *value = (struct value) { .name = NULL };
  if (is_name (p, end))
    {
      value->name = p;
      value->length = name_length (p, end);
      p = behind_spaces (p + value->length, end);
      if (*p == '(')
	{
	  if (value->length != 7 || memcmp (value->name, "generic", 7) != 0)
	    return false;
	  value->name = p = behind_spaces (p + 1, end);
	  value->length = name_length (p, end);
	  p = behind_spaces (p + value->length, end);
	  if (*p++ != ')')
	    return false;
	}
      p = behind_spaces (p, end);
      if (*p == '+')
	{
	  const char *digits = behind_spaces (p + 1, end);
	  value->number = strtoull (digits, &stop, 10);
	  if (stop == digits)
	    return false;
	  p = stop;
	}
      *at = p;
      return value->length > 0;
    }
  bool hex = *p == '0' && strchr ("fFdD", p[1]) != NULL && p[1] != 0;	/* the bits of a floating-point number */
  const char *digits = hex ? p + 2 : p;
  value->number = strtoull (digits, &stop, hex ? 16 : 0);
  *at = stop;
  return stop != digits && !is_name_char (*stop) && *stop != '.';
}

/* What is done with each value of V: ELEMENT is its number.  */
typedef bool value_function (struct work *w, const struct nvptx_variable *v, size_t element, const struct value *value);

static bool
for_values (struct work *w, const struct nvptx_variable *v, value_function *function)
{
  const char *p = value_of (v);
  struct value value;
  size_t element = 0;
  bool list;

  if (p == NULL)
    return true;
  p = behind_spaces (p, v->end);
  list = skip (&p, v->end, "{");
  for (;; p++, element++)
    {
      if (!read_value (&p, v->end, &value))
	return refuse (w, v, "there is an unknown value of");
      if (!function (w, v, element, &value))
	return false;
      p = behind_spaces (p, v->end);
      if (!list || *p != ',')
	break;
    }
  p = behind_spaces (p + (list && *p == '}'), v->end);
  return p == v->end || refuse (w, v, "there is an unknown value of");
}

/* Take along what V, which is moved, has the address of.  */
static bool
follow (struct work *w, const struct nvptx_variable *v, size_t element, const struct value *value)
{
  (void) element;
  if (value->name == NULL)
    return true;
  struct nvptx_variable *other = resolve (w, v->object, value->name, value->length);
  return other != NULL ? move (w, other) : refuse (w, v, "an address of a function is in");
}

/* Does V have the address of one that is moved in its initial value?  */
static bool
points_to_moved (const struct work *w, const struct nvptx_variable *v)
{
  const char *p = value_of (v);

  for (size_t length; p != NULL && p < v->end; p += length > 0 ? length : 1)
    if ((length = name_length (p, v->end)) > 0 && is_name (p, v->end))
      {
	const struct nvptx_variable *other = resolve (w, v->object, p, length);
	if (other != NULL && other->home > 0)
	  return true;
      }
  return false;
}

/* Does V go away, as it, or what it stands for, is moved?  */
static bool
goes_away (const struct work *w, const struct nvptx_variable *v)
{
  const struct nvptx_variable *definition = resolve (w, v->object, v->name, v->length);
  return definition != NULL && definition->home > 0;
}

/* ---- which ones ---- */

static bool
choose (struct work *w, const char *const *names, size_t num_names)
{
  const struct nvptx_variables *all = w->variables;
  size_t followed = 0;

  for (size_t i = 0; i < num_names; i++)
    {
      struct nvptx_variable *v = resolve (w, 0, names[i], strlen (names[i]));	/* it may be the program's own */
      if (v == NULL || v->home > 0)
	{
	  snprintf (w->why, NVPTX_STATE_WHY, "it does not define the variable %.60s, or names it twice", names[i]);
	  return false;
	}
      if (!move (w, v))
	return false;
    }
  for (size_t i = 0; i < all->num; i++)
    if (all->all[i].left && !move (w, resolve (w, all->all[i].object, all->all[i].name, all->all[i].length)))
      return false;
  while (followed < w->home->num)
    {
      for (; followed < w->home->num; followed++)
	if (!for_values (w, w->moved[followed], follow))
	  return false;
      for (size_t i = 0; i < all->num; i++)
	if (!goes_away (w, &all->all[i]) && points_to_moved (w, &all->all[i]) && !move (w, &all->all[i]))
	  return false;
    }
  return true;
}

/* ---- where they are ---- */

static bool
has_room_for_constants (struct work *w)
{
  size_t bytes = w->home->num * 8, element, num, align;

  for (size_t i = 0; i < w->variables->num; i++)
    {
      const struct nvptx_variable *v = &w->variables->all[i];
      if (v->constant && !v->external && v->home == 0 && read_head (v, &element, &num, &align))
	bytes += element * num + align - 1;
    }
  if (bytes > MOST_CONSTANT)
    snprintf (w->why, NVPTX_STATE_WHY, "it has too many constants");
  return bytes <= MOST_CONSTANT;
}

/* Enter a value of V, whose place is known, into the contents.  */
static bool
enter (struct work *w, const struct nvptx_variable *v, size_t element, const struct value *value)
{
  struct nvptx_home *home = w->home;
  size_t bytes = w->element, offset = home->variables[v->home - 1].offset + element * bytes;

  if (element >= home->variables[v->home - 1].size / bytes || (value->name != NULL && bytes != 8))
    return refuse (w, v, "there is an unknown value of");
  for (size_t i = 0; i < bytes && value->name == NULL; i++)
    home->contents[offset + i] = (unsigned char) (value->number >> 8 * i);
  if (value->name == NULL)
    return true;
  struct nvptx_home_address *addresses = realloc (home->addresses, (home->num_addresses + 1) * sizeof (*addresses));
  if (addresses == NULL)
    return no_memory (w);
  home->addresses = addresses;
  addresses[home->num_addresses++]
    = (struct nvptx_home_address) { offset, resolve (w, v->object, value->name, value->length)->home - 1, value->number };
  return true;
}

/* Give places to those with an initial value or, else, to the others.  */
static bool
place (struct work *w, bool valued)
{
  struct nvptx_home *home = w->home;

  for (size_t i = 0; i < home->num; i++)
    {
      size_t element, num, align;
      if ((value_of (w->moved[i]) != NULL) != valued)
	continue;
      if (!read_head (w->moved[i], &element, &num, &align))
	return refuse (w, w->moved[i], "there is an unknown kind of variable,");
      const struct nvptx_variable *v = w->moved[i];
      home->variables[i]
	= (struct nvptx_home_variable) { .offset = (home->size + align - 1) & -align, .size = element * num, .start = v->start, .end = v->end,
					 .name = v->name, .length = v->length, .local = v->local, .first = v->object == 0 };
      if (__builtin_add_overflow (home->variables[i].offset, element * num, &home->size))
	return refuse (w, w->moved[i], "there is no room for");
    }
  return true;
}

static bool
lay_out (struct work *w)
{
  struct nvptx_home *home = w->home;

  home->variables = calloc (home->num + 1, sizeof (*home->variables));
  if (home->variables == NULL)
    return no_memory (w);
  if (!place (w, true))
    return false;
  home->num_contents = home->size;
  home->contents = calloc (home->num_contents + 1, 1);
  if (home->contents == NULL)
    return no_memory (w);
  for (size_t i = 0; i < home->num; i++)
    {
      size_t num, align;
      if (value_of (w->moved[i]) != NULL && (!read_head (w->moved[i], &w->element, &num, &align) || !for_values (w, w->moved[i], enter)))
	return false;
    }
  return place (w, false);
}

/* ---- code ---- */

/* A line of code, with an instruction that has the name of a variable which is moved.  */
struct use
{
  const char *start, *guard_end, *opcode, *opcode_end, *end;	/* END: behind the semicolon */
  const char *name, *behind;	/* the name, and what follows it: a number that is added, too, if ADDEND is not 0 */
  size_t length;
  unsigned long addend;
  const struct nvptx_variable *v;
};

/* The name at P in the code of OBJECT, or NULL if it is none that is moved, or no operand.  */
static const struct nvptx_variable *
used_at (const struct work *w, size_t object, const char *line, const char *p, size_t length)
{
  const struct nvptx_variable *v = resolve (w, object, p, length);

  if (v == NULL || v->home == 0)
    return NULL;
  while (p > line && (p[-1] == ' ' || p[-1] == '\t'))
    p--;
  return p > line && strchr ("[,({", p[-1]) != NULL ? v : NULL;
}

/* The first one in the line, from P on.  */
static const struct nvptx_variable *
find_use (const struct work *w, size_t object, const char *line, const char *p, const char *end, struct use *use)
{
  for (size_t length; p < end; p += length > 0 ? length : 1)
    if ((length = name_length (p, end)) > 0 && (use->v = used_at (w, object, line, p, length)) != NULL)
      {
	use->name = p;
	use->length = length;
	return use->v;
      }
  return NULL;
}

static bool
is_opcode (const struct use *use, const char *word)
{
  size_t length = strlen (word);
  return (size_t) (use->opcode_end - use->opcode) >= length && memcmp (use->opcode, word, length) == 0;
}

/* Take the line apart, in which USE was found.  False: it is more than one instruction, or has another such name.  */
static bool
take_apart (const struct work *w, size_t object, const char *line, const char *end, struct use *use)
{
  const char *p = line + strspn (line, " \t");
  struct use other;
  char *stop;

  use->start = use->guard_end = p;
  if (*p == '@')
    {
      p += 1 + strspn (p + 1, " !");
      p += name_length (p, end);
      use->guard_end = p;
      p += strspn (p, " \t");
    }
  use->opcode = p;
  while (p < end && (is_name_char (*p) || *p == '.'))
    p++;
  use->opcode_end = p;
  use->behind = use->name + use->length;
  use->addend = 0;
  if (*use->behind == '+')
    {
      use->addend = strtoul (use->behind + 1, &stop, 10);
      if (stop == use->behind + 1 || is_name_char (*stop))
	return false;
      use->behind = stop;
    }
  p = memchr (line, ';', end - line);
  if (p == NULL || p < use->behind || behind_spaces (p + 1, end) != end)
    return false;
  use->end = p + 1;
  return find_use (w, object, line, use->behind, end, &other) == NULL;
}

/* The instruction, with what is in the table in place of the name.  False: it is none of those that are known.  */
static bool
write_use (FILE *f, const struct use *use)
{
  static const char *const takes[] = { "cvta.global.u64", "cvta.const.u64", "mov.u64", "mov.b64" };
  static const char *const reaches[] = { "ld.", "st.", "atom.", "red.", "prefetch." };
  static const char *const others[] = { ".shared", ".local", ".param" };
  size_t entry = (use->v->home - 1) * 8;
  int guard = (int) (use->guard_end - use->start);
  bool takes_address = false, reaches_it = false;

  for (size_t i = 0; i < sizeof (takes) / sizeof (takes[0]); i++)
    takes_address |= (size_t) (use->opcode_end - use->opcode) == strlen (takes[i]) && is_opcode (use, takes[i]);
  for (size_t i = 0; i < sizeof (reaches) / sizeof (reaches[0]); i++)
    reaches_it |= is_opcode (use, reaches[i]);
  if (takes_address && *use->behind == ';' && (!use->v->constant || is_opcode (use, "cvta.")))
    {
      const char *result = use->opcode_end + strspn (use->opcode_end, " \t");
      int length = (int) name_length (result, use->name);
      fprintf (f, "%.*s\tld.const.u64\t%.*s, [" NVPTX_HOME_TABLE "+%zu];\n", guard, use->start, length, result, entry);
      if (use->addend != 0)
	fprintf (f, "%.*s\tadd.u64\t%.*s, %.*s, %lu;\n", guard, use->start, length, result, length, result, use->addend);
      return length > 0;
    }
  if (!reaches_it || use->name[-1] != '[' || *use->behind != ']')
    return false;
  for (size_t i = 0; i < sizeof (others) / sizeof (others[0]); i++)
    if (memmem (use->opcode, use->opcode_end - use->opcode, others[i], strlen (others[i])) != NULL)
      return false;
  const char *space = memmem (use->opcode, use->opcode_end - use->opcode, ".const", 6), *rest = space != NULL ? space + 6 : use->opcode;
  fprintf (f, "\t{\n\t.reg .u64 %%gompx_home;\n\tld.const.u64\t%%gompx_home, [" NVPTX_HOME_TABLE "+%zu];\n%.*s\t", entry, guard, use->start);
  if (space != NULL)
    fprintf (f, "%.*s.global", (int) (space - use->opcode), use->opcode);
  fwrite (rest, 1, use->name - rest, f);
  fputs ("%gompx_home", f);
  fwrite (use->name + use->length, 1, use->end - use->name - use->length, f);
  fputs ("\n\t}\n", f);
  return true;
}

/* Is there the comment of a variable at LINE, which stands behind it and goes away?  */
static bool
is_comment_of_moved (const struct work *w, const struct nvptx_variable *v, const char *line, const char *end)
{
  struct piece piece;
  return v != NULL && read_comment (line, end, &piece) != NULL && !piece.function && next_line (line, end) == v->start && goes_away (w, v);
}

/* Write object I with its variables from V to END_V as it is to be.  *CHANGED: it is another text.  */
static bool
write_object (struct work *w, FILE *f, size_t i, const struct nvptx_variable *v, const struct nvptx_variable *end_v, bool *changed)
{
  const char *end = w->objects[i].text + w->objects[i].size - 1, *next;
  bool has_frame = false, uses = false;

  for (const char *line = w->objects[i].text; line < end; line = next)
    {
      const char *name = behind_file_name (line, end);
      struct use use;
      next = next_line (line, end);
      if (v < end_v && line == v->start)
	{
	  bool away = goes_away (w, v);
	  next = away ? next_line (v->end, end) : v->end + 1;
	  if (away && behind_spaces (v->end + 1, next) != next)
	    return refuse (w, v, "something is behind");
	  if (!away)
	    fwrite (line, 1, next - line, f);
	  *changed |= away;
	  v++;
	}
      else if (is_comment_of_moved (w, v < end_v ? v : NULL, line, end))
	continue;
      else if (strncmp (line, "//", 2) != 0 && find_use (w, i, line, name != NULL ? name : line, next, &use) != NULL)
	{
	  if (!take_apart (w, i, line, next, &use) || !write_use (f, &use))
	    return refuse (w, use.v, "it does something unknown with");
	  uses = *changed = true;
	}
      else
	fwrite (line, 1, next - line, f);
      if (!has_frame && strncmp (line, ".address_size 64\n", 17) == 0)
	{
	  has_frame = true;
	  /* It comes before all code, and the one that is there for all is in the program's own object.  */
	  fprintf (f, "// BEGIN GLOBAL VAR %s: " NVPTX_HOME_TABLE "\n%s .const .align 8 .u64 " NVPTX_HOME_TABLE "[%zu];\n", i == 0 ? "DEF" : "DECL",
		   i == 0 ? ".visible" : ".extern", w->home->num);
	}
    }
  *changed |= i == 0;
  if ((uses || i == 0) && !has_frame)
    snprintf (w->why, NVPTX_STATE_WHY, "object %zu has no address size", i);
  return has_frame || !(uses || i == 0);
}

static bool
write_objects (struct work *w)
{
  struct nvptx_home *home = w->home;
  const struct nvptx_variable *v = w->variables->all, *end = v + w->variables->num;

  for (size_t i = 0; i < w->num_objects; i++)
    {
      const struct nvptx_variable *next = v;
      size_t size = 0;
      bool changed = false;
      FILE *f = open_memstream (&home->texts[i], &size);
      if (f == NULL)
	return no_memory (w);
      while (next < end && next->object == i)
	next++;
      bool good = write_object (w, f, i, v, next, &changed), bad = ferror (f);
      if (fclose (f) != 0 || (good && bad))
	return no_memory (w);
      if (!good)
	return false;
      v = next;
      if (changed)
	home->objects[i] = (struct nvptx_object) { home->texts[i], size + 1 };
      else
	{
	  free (home->texts[i]);
	  home->texts[i] = NULL;
	}
    }
  return true;
}

/* ---- the same variables in other texts ---- */

/* Do two directives say the same, but for spaces?  */
static bool
same_directive (const struct nvptx_home_variable *a, const struct nvptx_variable *b)
{
  const char *p = a->start, *q = b->start;

  for (;; p++, q++)
    {
      p = behind_spaces (p, a->end);
      q = behind_spaces (q, b->end);
      if (p == a->end || q == b->end)
	return p == a->end && q == b->end;
      if (*p != *q)
	return false;
    }
}

/* Which variable of HOME is V, the definition that counts: its number from 1 on, or 0.  False: two may be.  */
static bool
recognise (const struct nvptx_home *home, struct nvptx_variable *v)
{
  for (size_t i = 0; i < home->num; i++)
    {
      const struct nvptx_home_variable *h = &home->variables[i];
      if (h->length != v->length || memcmp (h->name, v->name, v->length) != 0 || h->local != v->local || h->first != (v->object == 0)
	  || !same_directive (h, v))
	continue;
      if (v->home > 0)
	return false;
      v->home = i + 1;
    }
  return true;
}

/* Is V the definition that its name stands for?  */
static bool
counts (const struct work *w, const struct nvptx_variable *v)
{
  return !v->external && resolve (w, v->object, v->name, v->length) == v;
}

/* Find the variables of HOME among those of W.  All of them are to be there, once.  */
static bool
recognise_all (struct work *w, const struct nvptx_home *home)
{
  size_t found = 0;

  for (size_t i = 0; i < w->variables->num; i++)
    {
      struct nvptx_variable *v = &w->variables->all[i];
      if (!counts (w, v))
	continue;
      if (!recognise (home, v))
	return refuse (w, v, "there are two of");
      if (v->home == 0)
	continue;
      if (w->moved[v->home - 1] != NULL)
	return refuse (w, v, "there are two of");
      w->moved[v->home - 1] = v;
      found++;
    }
  if (found < home->num)
    {
      snprintf (w->why, NVPTX_STATE_WHY, "it has only %zu of %zu variables", found, home->num);
      return false;
    }
  for (size_t i = 0; i < w->variables->num; i++)
    if (!goes_away (w, &w->variables->all[i]) && points_to_moved (w, &w->variables->all[i]))
      return refuse (w, &w->variables->all[i], "an address of a shared variable is in");
  return true;
}

/* ---- all of it ---- */

/* False: no memory.  */
static bool
begin (struct work *w, size_t least)
{
  struct nvptx_home *home = w->home;
  size_t num = w->num_objects;

  *home = (struct nvptx_home) { .num_objects = num };
  home->objects = malloc ((num + 1) * sizeof (*home->objects));
  home->texts = calloc (num + 1, sizeof (*home->texts));
  if (home->objects == NULL || home->texts == NULL)
    return no_memory (w);
  memcpy (home->objects, w->objects, num * sizeof (*w->objects));
  w->moved = calloc (w->variables->num + least + 1, sizeof (*w->moved));
  return w->moved != NULL || no_memory (w);
}

/* Answers GOOD.  */
static bool
end (struct work *w, bool good)
{
  free (w->moved);
  if (!good)
    nvptx_home_free (w->home);
  return good;
}

bool
nvptx_home_make (const struct nvptx_object *objects, size_t num_objects, struct nvptx_variables *variables, const char *const *names,
		 size_t num_names, struct nvptx_home *home, char why[NVPTX_STATE_WHY])
{
  struct work w = { .objects = objects, .num_objects = num_objects, .variables = variables, .home = home, .why = why };
  bool good = begin (&w, 0) && choose (&w, names, num_names);

  if (good && home->num > 0)
    good = has_room_for_constants (&w) && lay_out (&w) && write_objects (&w);
  return end (&w, good);
}

bool
nvptx_home_join (const struct nvptx_home *home, const struct nvptx_object *objects, size_t num_objects, struct nvptx_variables *variables,
		 struct nvptx_home *joined, char why[NVPTX_STATE_WHY])
{
  struct work w = { .objects = objects, .num_objects = num_objects, .variables = variables, .home = joined, .why = why };
  bool good = begin (&w, home->num);

  joined->num = home->num;
  return end (&w, good && recognise_all (&w, home) && has_room_for_constants (&w) && write_objects (&w));
}

void
nvptx_home_free_texts (struct nvptx_home *home)
{
  for (size_t i = 0; i < home->num_objects && home->texts != NULL; i++)
    free (home->texts[i]);
  free (home->texts);
  free (home->objects);
  free (home->contents);
  free (home->addresses);
  home->texts = NULL;
  home->objects = NULL;
  home->contents = NULL;
  home->addresses = NULL;
  home->num_addresses = 0;
}

void
nvptx_home_free (struct nvptx_home *home)
{
  nvptx_home_free_texts (home);
  free (home->variables);
  *home = (struct nvptx_home) { .num = 0 };
}

void
nvptx_home_settle (struct nvptx_home *home, uint64_t address)
{
  for (size_t i = 0; i < home->num_addresses; i++)
    {
      const struct nvptx_home_address *a = &home->addresses[i];
      uint64_t value = address + home->variables[a->variable].offset + a->addend;
      memcpy (home->contents + a->offset, &value, sizeof (value));
    }
}
