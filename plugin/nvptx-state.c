/* nvptx-state.c -- what kernels leave for others in the variables of a module.

   Kernels of two modules have each their own variables.  That is of no account for a variable which no code reaches, nor for constants, and for a few
   whose contents are the same in each module, or are read by the kernel alone that has written them.  All other variables in global memory
   that code reaches count, also through the initial value of another one that it reaches.

   Constants.  GCC 12 puts them into constant memory, later ones into global memory.  There a variable counts as one that is a file's own and
   has an initial value if functions do nothing with its address but load from it and from what they compute of it (is_only_read); and one
   with the name that GCC gives to literals.  (One table of libm's, which hands its address on, is known by its name.)

   errno.  Mathematical functions set it, so most programs that compute have the C library's record for each thread, of which there is one
   on a GPU.  Code gets its address from __errno.  If the program's own object does not refer to that function, nobody reads errno: functions of the
   libraries set it, and those that read it, as perror does, get at the record by themselves.  Then what __errno refers to is reached by nobody.

   The texts are read as compilers write them: a comment in front of a function names it, a variable's directive begins a line, and so does an
   instruction.  What is read otherwise counts as code that may do anything.

   No state.  Called by nvptx-texts.c and nvptx-parts.c.  */

#include "nvptx-state.h"
#include "nvptx-pieces.h"
#include "device-abi.h"

#include <stdio.h>
#include <stdlib.h>

struct search
{
  const struct nvptx_object *objects;
  size_t num;
  struct nvptx_variables *variables;
  struct nvptx_variable **todo;	/* reached, to be read */
  size_t num_todo;
};

static bool
begins (const char *p, const char *word)
{
  return strncmp (p, word, strlen (word)) == 0;
}

/* $LC0 and so on; or a table that libm hands to a function of its own which reads it.  */
static bool
is_constant (const struct nvptx_variable *v)
{
  return (v->length > 3 && begins (v->name, "$LC") && v->name[3] >= '0' && v->name[3] <= '9')
	 || (v->fixed && nvptx_is_named (v->name, v->length, "two_over_pi"));
}

/* Is the variable of that directive the file's own?  */
static bool
is_local (const char *line)
{
  line += strspn (line, " \t");
  return begins (line, ".global") || begins (line, ".const");
}

/* Is there a variable's directive at the begin of LINE?  */
static bool
is_variable (const char *line, const char *end, struct nvptx_variable *v)
{
  /* Set by the plugin, in each module, or never read by another kernel than the one that has written it.  */
  static const char *const harmless[]
    = { GOMPX_PLUGIN_VARIABLE, "__gomp_additional_icvs", "__gomp_device_num", "__nvptx_clocktick",
	"gompx_task_arena", "gompx_waiting", "gompx_tasking", "errno", "$offload_func_table",
	"__gomp_indirect_addr_map", "accel_order_cells" };
  const char *p = line;

  while (p < end && (*p == ' ' || *p == '\t'))
    p++;
  if (p == end || *p != '.')
    return false;
  while (p < end && *p != '\n' && strchr ("[=;({", *p) == NULL)
    p++;
  bool global = contains (line, p - line, ".global");
  if (!global && !contains (line, p - line, ".const"))
    return false;
  *v = (struct nvptx_variable) { .start = line, .constant = !global, .local = is_local (line) };
  v->external = contains (line, p - line, ".extern");
  v->weak = contains (line, p - line, ".weak") || contains (line, p - line, ".common");
  while (p > line && !is_name_char (p[-1]))
    p--;
  for (v->name = p; v->name > line && is_name_char (v->name[-1]); )
    v->name--;
  v->length = p - v->name;
  v->end = memchr (p, ';', end - p);
  v->fixed = global && v->local && v->end != NULL && memchr (p, '=', v->end - p) != NULL;
  for (size_t i = 0; i < sizeof (harmless) / sizeof (harmless[0]); i++)
    v->own |= nvptx_is_named (v->name, v->length, harmless[i]);
  v->counts = global && !v->external && !v->own && !is_constant (v);
  return v->length > 0 && v->end != NULL;
}

static const char *
end_of (const struct nvptx_object *object)
{
  return object->text + object->size - 1;
}

/* False: no memory.  */
static bool
read_variables (struct search *s)
{
  struct nvptx_variables *variables = s->variables;
  size_t room = 0;

  for (size_t i = 0; i < s->num; i++)
    for (const char *line = s->objects[i].text, *end = end_of (&s->objects[i]); line < end; line = next_line (line, end))
      {
	struct nvptx_variable v;
	if (!is_variable (line, end, &v))
	  continue;
	if (variables->num == room)
	  {
	    room = room ? 2 * room : 64;
	    struct nvptx_variable *all = realloc (variables->all, room * sizeof (*all));
	    if (all == NULL)
	      return false;
	    variables->all = all;
	  }
	v.object = i;
	variables->all[variables->num++] = v;
	line = v.end;
      }
  return true;
}

static struct nvptx_variable **
slot (const struct nvptx_variables *variables, const char *name, size_t length)
{
  size_t at = nvptx_name_hash (name, length) & variables->mask;
  while (variables->table[at] != NULL
	 && (variables->table[at]->length != length || memcmp (variables->table[at]->name, name, length) != 0))
    at = (at + 1) & variables->mask;
  return &variables->table[at];
}

struct nvptx_variable *
nvptx_variables_called (const struct nvptx_variables *variables, const char *name, size_t length)
{
  return nvptx_lengths_have (&variables->lengths, name, length) ? *slot (variables, name, length) : NULL;
}

/* False: no memory.  */
static bool
make_table (struct nvptx_variables *variables)
{
  size_t size = 16;
  while (size < 2 * variables->num)
    size *= 2;
  variables->mask = size - 1;
  variables->table = calloc (size, sizeof (variables->table[0]));
  if (variables->table == NULL)
    return false;
  for (size_t i = 0; i < variables->num; i++)
    {
      struct nvptx_variable **p = slot (variables, variables->all[i].name, variables->all[i].length);
      variables->all[i].same = *p;
      nvptx_lengths_add (&variables->lengths, variables->all[i].name, variables->all[i].length);
      *p = &variables->all[i];
    }
  return true;
}

/* ---- what is only read ---- */

enum { MOST_REGISTERS = 64 };

/* An address of the variable, and what was computed of it.  */
struct values
{
  struct { const char *name; size_t length; } names[MOST_REGISTERS];
  size_t num;
};

static bool
is_value (const struct values *values, const char *name, size_t length)
{
  for (size_t i = 0; i < values->num; i++)
    if (values->names[i].length == length && memcmp (values->names[i].name, name, length) == 0)
      return true;
  return false;
}

/* Is one of VALUES a word of the text?  */
static bool
names_value (const struct values *values, const char *p, const char *end)
{
  for (size_t length; p < end; p += length > 0 ? length : 1)
    if ((length = name_length (p, end)) > 0 && is_value (values, p, length))
      return true;
  return false;
}

/* The words of the text are VALUES, too.  False: there are too many.  *MORE: some are new.  */
static bool
add_values (struct values *values, const char *p, const char *end, bool *more)
{
  for (size_t length; p < end; p += length > 0 ? length : 1)
    {
      if ((length = name_length (p, end)) == 0 || is_value (values, p, length))
	continue;
      if (values->num == MOST_REGISTERS)
	return false;
      values->names[values->num].name = p;
      values->names[values->num++].length = length;
      *more = true;
    }
  return true;
}

static bool
begins_one_of (const char *p, const char *const *words)
{
  for (; *words != NULL; words++)
    if (begins (p, *words))
      return true;
  return false;
}

/* The line from P to END: does it nothing with VALUES but load from there, compare, and compute others?  */
static bool
is_harmless (struct values *values, const char *p, const char *end, bool *more)
{
  static const char *const uses[] = { "ld.", "setp.", "set.", NULL };
  static const char *const computes[]
    = { "mov.", "cvta.", "cvt.", "add.", "sub.", "mad.", "mul.", "shl.", "shr.", "and.", "or.", "xor.", "selp.", "min.", "max.", NULL };
  const char *stop = memchr (p, ';', end - p), *comma;

  p += strspn (p, " \t");
  if (p >= end || begins (p, "//") || begins (p, ".reg ") || !names_value (values, p, end))
    return true;
  if (stop == NULL || stop + 1 + strspn (stop + 1, " \t\r") < end - 1)
    return false;		/* not one instruction */
  if (*p == '@')
    {
      p += 1 + strspn (p + 1, " !");
      p += name_length (p, end);
      p += strspn (p, " \t");
    }
  if (begins_one_of (p, uses))
    return true;
  bool known = begins_one_of (p, computes);
  p += strcspn (p, " \t");	/* the result comes first */
  return known && p < stop && memchr (p, '{', stop - p) == NULL && (comma = memchr (p, ',', stop - p)) != NULL
	 && add_values (values, p, comma, more);
}

/* Does the function body from P to END only read V?  */
static bool
is_only_read (const char *p, const char *end, const struct nvptx_variable *v)
{
  struct values values = { .names = { { v->name, v->length } }, .num = 1 };
  bool more;

  do
    {
      more = false;
      for (const char *line = p, *next; line < end; line = next)
	{
	  next = next_line (line, end);
	  if (!is_harmless (&values, line, next, &more))
	    return false;
	}
    }
  while (more);
  return true;
}

/* ---- what is reached ---- */

/* The variables that the text names are reached.  BODY: it is that of a function; else it may do anything with them.  */
static void
read_text (struct search *s, const char *p, const char *end, bool body)
{
  const char *start = p;
  while (p < end)
    {
      size_t length = name_length (p, end);
      if (length > 0)
	for (struct nvptx_variable *v = nvptx_variables_called (s->variables, p, length); v != NULL; v = v->same)
	  {
	    if (!v->reached)
	      s->todo[s->num_todo++] = v;
	    v->reached = true;
	    if (v->fixed && v->seen != start)
	      v->fixed = body && is_only_read (start, end, v);
	    v->seen = start;
	  }
      p += length > 0 ? length : 1;
    }
}

/* Where the braces end that begin at P.  */
static const char *
end_of_body (const char *p, const char *end)
{
  unsigned depth = 0;
  for (; p < end; p++)
    if (*p == '{')
      depth++;
    else if (*p == '}' && --depth == 0)
      return p + 1;
  return end;
}

/* Is the comment that of the function that only tells where errno is?  */
static bool
is_errno (const char *line)
{
  return begins (line, "// BEGIN GLOBAL FUNCTION DEF: __errno\n");
}

/* All code of OBJECT; SET_ONLY: but for that of __errno.  */
static void
read_code (struct search *s, const struct nvptx_object *object, bool set_only)
{
  const char *end = end_of (object);
  struct nvptx_variable v;
  bool skips = false;

  for (const char *line = object->text, *next; line < end; line = next)
    {
      next = next_line (line, end);
      const char *body = memchr (line, '{', next - line), *name = behind_file_name (line, end);
      if (begins (line, "//"))
	skips = set_only && is_errno (line);
      else if ((line == object->text || line[-1] == '\n') && is_variable (line, end, &v))
	next = next_line (v.end, end);
      else if (body != NULL)
	{
	  next = end_of_body (body, end);
	  if (skips)
	    skips = false;
	  else
	    {
	      read_text (s, name != NULL && name < body ? name : line, body, false);
	      read_text (s, body, next, true);
	    }
	}
      else
	read_text (s, name != NULL ? name : line, next, false);
    }
}

/* Does OBJECT refer to the function that tells where errno is?  */
static bool
has_errno (const struct nvptx_object *object)
{
  return contains (object->text, object->size, "__errno");
}

bool
nvptx_variables_find (const struct nvptx_object *objects, size_t num, struct nvptx_variables *variables)
{
  struct search s = { .objects = objects, .num = num, .variables = variables };
  bool set_only = num > 0 && !has_errno (&objects[0]);

  *variables = (struct nvptx_variables) { .num = 0 };
  bool good = read_variables (&s);
  if (good && variables->num > 0)
    {
      s.todo = malloc (variables->num * sizeof (s.todo[0]));
      good = s.todo != NULL && make_table (variables);
    }
  for (size_t i = 0; i < num && good && variables->num > 0; i++)
    read_code (&s, &objects[i], set_only);
  while (s.num_todo > 0)
    {
      const struct nvptx_variable *v = s.todo[--s.num_todo];
      read_text (&s, v->name + v->length, v->end, false);
    }
  for (size_t i = 0; i < variables->num; i++)
    variables->all[i].left = variables->all[i].reached && variables->all[i].counts && !variables->all[i].fixed;
  free (s.todo);
  if (!good)
    nvptx_variables_free (variables);
  return good;
}

void
nvptx_variables_free (struct nvptx_variables *variables)
{
  free (variables->table);
  free (variables->all);
  *variables = (struct nvptx_variables) { .num = 0 };
}

bool
nvptx_variables_left (const struct nvptx_variables *variables, char why[NVPTX_STATE_WHY])
{
  const struct nvptx_variable *v = variables->all, *end = v + variables->num;

  while (v < end && !v->left)
    v++;
  if (v < end)
    snprintf (why, NVPTX_STATE_WHY, "it has the variable %.*s", (int) (v->length < 100 ? v->length : 100), v->name);
  return v < end;
}

bool
nvptx_state_is_left (const struct nvptx_object *objects, size_t num, char why[NVPTX_STATE_WHY])
{
  struct nvptx_variables variables;

  if (!nvptx_variables_find (objects, num, &variables))
    {
      snprintf (why, NVPTX_STATE_WHY, "there is no memory to look");
      return true;
    }
  bool found = nvptx_variables_left (&variables, why);
  nvptx_variables_free (&variables);
  return found;
}
