/* nvptx-state.c -- what kernels leave for others in the variables of a module.

   Kernels of two modules have each their own variables.  That is of no account for a variable which no code reaches, nor for constants, and for a few
   whose contents are the same in each module, or are read by the kernel alone that has written them.  All other variables in global memory
   that code reaches count, also through the initial value of another one that it reaches.

   errno.  Mathematical functions set it, so most programs that compute have the C library's record for each thread, of which there is one
   on a GPU.  Code gets its address from __errno.  If the program's own object does not refer to that function, nobody reads errno: functions of the
   libraries set it, and those that read it, as perror does, get at the record by themselves.  Then what __errno refers to is reached by nobody.

   The texts are read as compilers write them: a function begins with a comment that names it, and ends with a line that begins with a brace;
   a variable's directive begins a line.  What is read otherwise counts as code.

   No state.  Called by nvptx-texts.c and nvptx-parts.c.  */

#include "nvptx-state.h"
#include "nvptx-tokens.h"
#include "device-abi.h"

#include <stdio.h>
#include <stdlib.h>

/* The directive of a variable.  */
struct variable
{
  const char *start, *end;	/* to its semicolon */
  const char *name;
  size_t length;
  bool counts;			/* a definition in global memory, and not one of the few */
  bool reached;
  struct variable *same;	/* another one of that name */
};

struct search
{
  const struct nvptx_object *objects;
  size_t num;
  struct variable *variables;	/* in the order of the text */
  size_t num_variables, room;
  struct variable **table;	/* by hash of the name; open, a power of two */
  size_t mask;
  struct variable **todo;	/* reached, to be read */
  size_t num_todo;
};

static bool
has_word (const char *p, size_t size, const char *word)
{
  return memmem (p, size, word, strlen (word)) != NULL;
}

/* Is there a variable's directive at the begin of LINE?  */
static bool
is_variable (const char *line, const char *end, struct variable *v)
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
  while (p < end && *p != '\n' && strchr ("[=;(", *p) == NULL)
    p++;
  bool global = has_word (line, p - line, ".global");
  if (!global && !has_word (line, p - line, ".const"))
    return false;
  *v = (struct variable) { .start = line };
  while (p > line && !is_name_char (p[-1]))
    p--;
  for (v->name = p; v->name > line && is_name_char (v->name[-1]); )
    v->name--;
  v->length = p - v->name;
  v->end = memchr (p, ';', end - p);
  v->counts = global && !has_word (line, v->name - line, ".extern");
  for (size_t i = 0; i < sizeof (harmless) / sizeof (harmless[0]); i++)
    v->counts &= strlen (harmless[i]) != v->length || memcmp (harmless[i], v->name, v->length) != 0;
  return v->length > 0 && v->end != NULL;
}

static const char *
next_line (const char *at, const char *end)
{
  const char *p = memchr (at, '\n', end - at);
  return p != NULL ? p + 1 : end;
}

static const char *
end_of (const struct nvptx_object *object)
{
  return object->text + object->size - 1;
}

/* False: no memory.  */
static bool
find_variables (struct search *s)
{
  for (size_t i = 0; i < s->num; i++)
    for (const char *line = s->objects[i].text, *end = end_of (&s->objects[i]); line < end; line = next_line (line, end))
      {
	struct variable v;
	if (!is_variable (line, end, &v))
	  continue;
	if (s->num_variables == s->room)
	  {
	    size_t room = s->room ? 2 * s->room : 64;
	    struct variable *variables = realloc (s->variables, room * sizeof (*variables));
	    if (variables == NULL)
	      return false;
	    s->variables = variables;
	    s->room = room;
	  }
	s->variables[s->num_variables++] = v;
	line = v.end;
      }
  return true;
}

static struct variable **
slot (struct search *s, const char *name, size_t length)
{
  size_t at = nvptx_name_hash (name, length) & s->mask;
  while (s->table[at] != NULL && (s->table[at]->length != length || memcmp (s->table[at]->name, name, length) != 0))
    at = (at + 1) & s->mask;
  return &s->table[at];
}

/* False: no memory.  */
static bool
make_table (struct search *s)
{
  size_t size = 16;
  while (size < 2 * s->num_variables)
    size *= 2;
  s->mask = size - 1;
  s->table = calloc (size, sizeof (s->table[0]));
  s->todo = malloc ((s->num_variables + 1) * sizeof (s->todo[0]));
  if (s->table == NULL || s->todo == NULL)
    return false;
  for (size_t i = 0; i < s->num_variables; i++)
    {
      struct variable **p = slot (s, s->variables[i].name, s->variables[i].length);
      s->variables[i].same = *p;
      *p = &s->variables[i];
    }
  return true;
}

/* The variables that the text names are reached.  */
static void
read_text (struct search *s, const char *p, const char *end)
{
  while (p < end)
    {
      size_t length = name_length (p, end);
      if (length > 0)
	for (struct variable *v = *slot (s, p, length); v != NULL && !v->reached; v = v->same)
	  {
	    v->reached = true;
	    s->todo[s->num_todo++] = v;
	  }
      p += length > 0 ? length : 1;
    }
}

/* Does the line begin a function that only tells where errno is?  */
static bool
is_errno (const char *line, const char *end)
{
  static const char comment[] = "// BEGIN GLOBAL FUNCTION DEF: __errno\n";
  return (size_t) (end - line) >= sizeof (comment) - 1 && memcmp (line, comment, sizeof (comment) - 1) == 0;
}

/* All code of OBJECT; SET_ONLY: but for that of __errno.  */
static void
read_code (struct search *s, const struct nvptx_object *object, bool set_only)
{
  const char *end = end_of (object);
  struct variable v;
  bool skips = false;

  for (const char *line = object->text, *next; line < end; line = next)
    {
      next = next_line (line, end);
      if (*line == '/' && line[1] == '/')
	skips = skips || (set_only && is_errno (line, end));
      else if (*line == '}' && skips)
	skips = false;
      else if (is_variable (line, end, &v))
	next = next_line (v.end, end);
      else if (!skips && strncmp (line, ".file ", 6) != 0)
	read_text (s, line, next);
    }
}

/* Does OBJECT refer to the function that tells where errno is?  */
static bool
has_errno (const struct nvptx_object *object)
{
  return has_word (object->text, object->size, "__errno");
}

bool
nvptx_state_is_left (const struct nvptx_object *objects, size_t num, char why[NVPTX_STATE_WHY])
{
  struct search s = { .objects = objects, .num = num };
  const struct variable *found = NULL;
  bool set_only = num > 0 && !has_errno (&objects[0]);
  bool good = find_variables (&s);

  if (good && s.num_variables > 0 && (good = make_table (&s)))
    {
      for (size_t i = 0; i < num; i++)
	read_code (&s, &objects[i], set_only);
      while (s.num_todo > 0)
	{
	  const struct variable *v = s.todo[--s.num_todo];
	  if (v->counts && found == NULL)
	    found = v;
	  read_text (&s, v->name + v->length, v->end);
	}
    }
  if (!good)
    snprintf (why, NVPTX_STATE_WHY, "there is no memory to look");
  else if (found != NULL)
    snprintf (why, NVPTX_STATE_WHY, "it has the variable %.*s", found->length < 100 ? (int) found->length : 100, found->name);
  free (s.todo);
  free (s.table);
  free (s.variables);
  return !good || found != NULL;
}
