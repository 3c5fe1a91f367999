/* nvptx-code.c -- what the code of regions does, as far as its PTX tells.

   How many threads a region's teams had best have depends on what it does with them: one that never
   starts a parallel region needs a single one, and the device library takes longer to start and end a
   team the more there are.  And one that makes no tasks can do with barriers that look for none, which take an
   eighth of the time (config/accel/barrier-wait.c).  All code of a program is in its first object, also when it was
   compiled from several files.  Its text is cut into functions; the words of each one show which of
   the others it calls or takes the address of, and what it calls of the device library.  A call
   through a register may be anything.

   The same graph shows recursion: a function that is on a circle of mentions, or that calls through
   a pointer, may call itself any number of times.  The driver computes the stack of every other
   kernel; for these it has only its limit (nvptx-limit.c).  Of functions outside of the text one is
   known by its name: qsort, which calls back and itself.

   Most of what is found is only used to choose between shapes that are all right, so a text that is not as
   expected does no harm.  That a region makes no tasks has to be true, though: otherwise its tasks are run at once by
   the threads that make them (config/accel/task-queue.c).

   Invariants
   1. NVPTX_CODE_TASKS is not set only if all that the region reaches is known: each function is found by its comment, and
      text that looks like one more function is taken for something that makes tasks.
   2. A function whose name stands anywhere in the text of another one, as a word, is reached from
      there; for recursion, in its body.  What is an alias of a function leads to it.

   Called by nvptx-start.c when an image is linked.  */

#include "nvptx-code.h"
#include "nvptx-launch.h"
#include "nvptx-ptx.h"
#include "nvptx-tokens.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct function
{
  const char *name;
  size_t length;
  const char *start, *end;	/* its text, or so */
  bool entry;
  unsigned code;		/* what it does itself */
  uint32_t first, last;		/* of edges: the functions that it mentions, by index */
  uint32_t body_last;		/* the same: where those of its body end */
  uint32_t seen;		/* the search that met it last */
  /* find_circles: the order in which functions are met (0: not yet), the first one of those on the
     path that it leads back to, and the edge that is next.  */
  uint32_t met, leads_to, next;
  bool on_path;
};

struct functions
{
  struct function *v;
  size_t n, room;
  size_t shortest;		/* of the names' lengths */
  struct function **table;	/* by hash of the name; open, a power of two */
  size_t mask;
  uint32_t *edges;
  size_t num_edges, edge_room;
};

static bool
begins (const char *at, const char *end, const char *text)
{
  size_t n = strlen (text);
  return (size_t) (end - at) >= n && memcmp (at, text, n) == 0;
}

/* Does a function begin with the line [AT, END)?  Compilers put a comment before each, but for
   entries.  */
static bool
begins_function (const char *at, const char *end, const char **name)
{
  static const char marker[] = "FUNCTION DEF: ";
  if (begins (at, end, "// BEGIN "))
    {
      const char *p = at + strlen ("// BEGIN ");
      if (begins (p, end, "GLOBAL "))
	p += strlen ("GLOBAL ");
      else if (begins (p, end, "WEAK "))
	p += strlen ("WEAK ");
      *name = p + strlen (marker);
      return begins (p, end, marker);
    }
  if (begins (at, end, ".visible .entry "))
    *name = at + strlen (".visible .entry ");
  else if (begins (at, end, ".entry "))
    *name = at + strlen (".entry ");
  else
    return false;
  return true;
}

/* One more function.  False: no memory.  */
static bool
add (struct functions *all, const struct function *f)
{
  if (all->n == all->room)
    {
      size_t room = all->room ? 2 * all->room : 64;
      struct function *v = realloc (all->v, room * sizeof (*v));
      if (v == NULL)
	return false;
      all->v = v;
      all->room = room;
    }
  all->v[all->n++] = *f;
  if (f->length < all->shortest)
    all->shortest = f->length;
  return true;
}

/* The functions of a text.  False: no memory.  */
static bool
cut (const char *text, const char *end, struct functions *all)
{
  for (const char *line = text, *next; line < end; line = next)
    {
      const char *name, *eol = memchr (line, '\n', end - line);
      next = eol != NULL ? eol + 1 : end;
      if ((*line != '/' && *line != '.') || !begins_function (line, next, &name))
	continue;
      if (all->n > 0)
	all->v[all->n - 1].end = line;
      size_t length = name_length (name, next);
      if (all->n > 0 && all->v[all->n - 1].length == length
	  && memcmp (all->v[all->n - 1].name, name, length) == 0)
	{
	  all->v[all->n - 1].end = end;		/* an entry behind its comment */
	  all->v[all->n - 1].entry = true;
	  continue;
	}
      if (!add (all, &(struct function) { .name = name, .length = length, .start = next, .end = end,
					  .entry = *line == '.' }))
	return false;
    }
  return true;
}

static struct function **
slot (struct functions *all, const char *name, size_t length)
{
  size_t i = nvptx_name_hash (name, length) & all->mask;
  while (all->table[i] != NULL
	 && (all->table[i]->length != length || memcmp (all->table[i]->name, name, length) != 0))
    i = (i + 1) & all->mask;
  return &all->table[i];
}

static bool
make_table (struct functions *all)
{
  size_t size = 16;
  while (size < 2 * all->n)
    size *= 2;
  all->table = calloc (size, sizeof (all->table[0]));
  all->mask = size - 1;
  if (all->table == NULL)
    return false;
  for (size_t i = 0; i < all->n; i++)
    {
      struct function **p = slot (all, all->v[i].name, all->v[i].length);
      if (*p == NULL)
	*p = &all->v[i];
    }
  return true;
}

/* What a word of the device library or of the language says.  BEHIND is what follows.  */
static unsigned
meaning (const char *word, size_t length, const char *behind, const char *end)
{
  static const struct { const char *begin; unsigned code; } words[] =
  {
    { "GOMP_parallel", NVPTX_CODE_THREADS },
    { "GOMP_barrier", NVPTX_CODE_BARRIER },
    { "GOMP_atomic_start", NVPTX_CODE_LOCK },
    { "gompx_order_teams4", NVPTX_CODE_ORDER },
    { "GOMP_target_map_indirect_ptr", NVPTX_CODE_ANY_CALL },
    { "qsort", NVPTX_CODE_RECURSION },
    { "omp_get_max_threads", NVPTX_CODE_THREADS },
    { "omp_get_num_procs", NVPTX_CODE_THREADS },
    { "omp_get_thread_limit", NVPTX_CODE_THREADS },
    { "%simtstack", NVPTX_CODE_SIMD },
    /* What a call through a register needs.  */
    { "callprototype", NVPTX_CODE_ANY_CALL },
    { "calltargets", NVPTX_CODE_ANY_CALL }
  };
  for (size_t i = 0; i < sizeof (words) / sizeof (words[0]); i++)
    if (begins (word, word + length, words[i].begin))
      return words[i].code;
  /* A call through a register: call (%value), %r1, (%args), prototype.  */
  if (length == 4 && memcmp (word, "call", 4) == 0)
    {
      if (begins (behind, end, ".uni"))
	behind += strlen (".uni");
      while (behind < end && (*behind == ' ' || *behind == '\t'))
	behind++;
      if (behind < end && *behind == '(')
	{
	  while (behind < end && *behind != ')' && *behind != ';')
	    behind++;
	  while (behind < end && (*behind == ')' || *behind == ',' || *behind == ' '))
	    behind++;
	}
      if (behind < end && *behind == '%')
	return NVPTX_CODE_ANY_CALL;
    }
  return 0;
}

/* NVPTX_CODE_COUNTS of the call of GOMP_parallel, or one of its kind, whose name stands at CALL.  START
   is where the function begins.  The argument is a register, which compilers set in front of the
   call if it is a number.  */
static unsigned
threads_asked_for (const char *start, const char *call)
{
  static const char argument[] = "[%out_arg3]", set[] = "mov.u32";
  const char *p = call, *name;
  size_t length;
  unsigned long n = 0;

  while (p > start && *p != '{' && *p != '}' && !begins (p, call, argument))
    p--;
  if (!begins (p, call, argument))
    return 0;			/* not a call */
  for (p += strlen (argument); p < call && (*p == ',' || *p == ' ' || *p == '\t'); p++)
    continue;
  name = p;
  length = name_length (p, call);
  while (--p > start)
    {
      if (!begins (p, call, set))
	continue;
      const char *to = p + strlen (set);
      while (*to == ' ' || *to == '\t')
	to++;
      if (name_length (to, call) != length || memcmp (to, name, length) != 0)
	continue;
      for (to += length; *to == ',' || *to == ' ' || *to == '\t'; to++)
	continue;
      if (*to < '0' || *to > '9')
	return NVPTX_CODE_COUNTS_256;
      while (*to >= '0' && *to <= '9' && n <= 512)
	n = n * 10 + (*to++ - '0');
      return n <= NVPTX_MAX_WARPS ? 0 : n <= 256 ? NVPTX_CODE_COUNTS_256
	     : n <= 512 ? NVPTX_CODE_COUNTS_512 : NVPTX_CODE_COUNTS;
    }
  return NVPTX_CODE_COUNTS_256;
}

/* Of two sets all flags, and the larger number.  */
static unsigned
join (unsigned a, unsigned b)
{
  unsigned counts_a = a & NVPTX_CODE_COUNTS, counts_b = b & NVPTX_CODE_COUNTS;
  return ((a | b) & ~(unsigned) NVPTX_CODE_COUNTS) | (counts_a > counts_b ? counts_a : counts_b);
}

/* What F does itself, and what it mentions.  False: no memory.  */
static bool
read_function (struct functions *all, struct function *f)
{
  unsigned funcs = 0;
  unsigned depth = 0;		/* of braces */

  f->first = (uint32_t) all->num_edges;
  f->body_last = UINT32_MAX;
  for (const char *p = f->start; p < f->end; )
    {
      if (!is_name_char (*p))
	{
	  if (*p == '{')
	    depth++;
	  /* An alias has no body: `.alias name, of;'.  What is behind that it doesn't mention.  */
	  else if (((*p == '}' && depth > 0 && --depth == 0) || (*p == ';' && depth == 0))
		   && f->body_last == UINT32_MAX)
	    f->body_last = (uint32_t) all->num_edges;
	  p++;
	  continue;
	}
      size_t length = name_length (p, f->end);
      /* Registers and numbers are most of it.  */
      if (length > 3 || (length >= all->shortest && *p != '%'))
	{
	  struct function *g = *slot (all, p, length);
	  if (g == NULL)
	    {
	      unsigned code = meaning (p, length, p + length, f->end);
	      if (code == NVPTX_CODE_THREADS && *p == 'G')
		code |= threads_asked_for (f->start, p);
	      /* A declaration.  */
	      if (f->body_last != UINT32_MAX)
		code &= ~(unsigned) NVPTX_CODE_RECURSION;
	      f->code = join (f->code, code);
	      funcs += length == 4 && memcmp (p, "func", 4) == 0;
	    }
	  /* In front of its body a function only says its own name.  */
	  else if (g != f || depth > 0)
	    {
	      if (all->num_edges == all->edge_room)
		{
		  size_t room = all->edge_room ? 2 * all->edge_room : 256;
		  uint32_t *edges = realloc (all->edges, room * sizeof (*edges));
		  if (edges == NULL)
		    return false;
		  all->edges = edges;
		  all->edge_room = room;
		}
	      all->edges[all->num_edges++] = (uint32_t) (g - all->v);
	    }
	}
      p += length;
    }
  f->last = (uint32_t) all->num_edges;
  if (f->body_last == UINT32_MAX)
    f->body_last = f->last;
  if (funcs > (f->entry ? 0 : 1))
    f->code |= NVPTX_CODE_TASKS;
  return true;
}

/* Functions on circles of mentions in bodies get NVPTX_CODE_RECURSION: Tarjan's strongly connected
   components, with its recursion in `next' and STACK, which has room for twice all functions.  */
static void
find_circles (struct functions *all, struct function **stack)
{
  struct function **path = stack + all->n;	/* met, and of no component that is complete */
  size_t depth = 0, length = 0;
  uint32_t met = 0;

  for (size_t i = 0; i < all->n; i++)
    {
      if (all->v[i].met == 0)
	stack[depth++] = &all->v[i];
      while (depth > 0)
	{
	  struct function *f = stack[depth - 1];
	  if (f->met == 0)
	    {
	      f->met = f->leads_to = ++met;
	      f->next = f->first;
	      f->on_path = true;
	      path[length++] = f;
	    }
	  if (f->next < f->body_last)
	    {
	      struct function *g = &all->v[all->edges[f->next++]];
	      if (g == f)
		f->code |= NVPTX_CODE_RECURSION;
	      else if (g->met == 0)
		stack[depth++] = g;
	      else if (g->on_path && g->met < f->leads_to)
		f->leads_to = g->met;
	      continue;
	    }
	  depth--;
	  if (depth > 0 && f->leads_to < stack[depth - 1]->leads_to)
	    stack[depth - 1]->leads_to = f->leads_to;
	  if (f->leads_to < f->met)
	    continue;
	  /* All behind F on the path lead back to it.  */
	  bool several = path[length - 1] != f;
	  struct function *g;
	  do
	    {
	      g = path[--length];
	      g->on_path = false;
	      g->code |= several ? NVPTX_CODE_RECURSION : 0;
	    }
	  while (g != f);
	}
    }
}

/* Everything that FIRST leads to, BODIES: by what stands in functions' bodies.  STACK has room for all
   functions.  */
static unsigned
follow (struct functions *all, struct function *first, bool bodies, uint32_t search,
	struct function **stack)
{
  size_t n = 0;
  unsigned code = 0;

  stack[n++] = first;
  first->seen = search;
  while (n > 0)
    {
      const struct function *f = stack[--n];
      code = join (code, f->code);
      for (uint32_t i = f->first; i < (bodies ? f->body_last : f->last); i++)
	{
	  struct function *g = &all->v[all->edges[i]];
	  if (g->seen != search)
	    {
	      g->seen = search;
	      stack[n++] = g;
	    }
	}
    }
  return code;
}

bool
nvptx_code_look (const char *text, size_t size, const char *const *names, size_t count,
		 const struct nvptx_symbol *tasks, size_t num_tasks, nvptx_code_set *code)
{
  struct functions all = { .v = NULL, .shortest = SIZE_MAX };
  struct function **stack = NULL;

  for (size_t i = 0; i < count; i++)
    code[i] = NVPTX_CODE_UNKNOWN;
  bool good = cut (text, text + size, &all);
  /* Functions of which nothing else is known.  */
  for (size_t i = 0; i < num_tasks && good; i++)
    good = add (&all, &(struct function) { .name = tasks[i].name, .length = tasks[i].length, .start = text, .end = text,
					   .code = NVPTX_CODE_TASKS | meaning (tasks[i].name, tasks[i].length, text, text) });
  good = good && all.n < UINT32_MAX && make_table (&all);
  for (size_t i = 0; i < all.n && good; i++)
    good = read_function (&all, &all.v[i]);
  good = good && (stack = malloc ((2 * all.n + 1) * sizeof (stack[0]))) != NULL;
  if (good)
    find_circles (&all, stack);
  if (good)
    for (size_t i = 0; i < count; i++)
      if (names[i] != NULL)
	{
	  struct function *f = *slot (&all, names[i], strlen (names[i]));
	  if (f == NULL)
	    continue;
	  /* Declarations behind a body may be of recursive functions that it has nothing to do with.  */
	  unsigned any = follow (&all, f, false, 2 * (uint32_t) i + 1, stack);
	  if ((any & NVPTX_CODE_RECURSION) != 0)
	    any = (any & ~(unsigned) NVPTX_CODE_RECURSION)
		  | (follow (&all, f, true, 2 * (uint32_t) i + 2, stack) & NVPTX_CODE_RECURSION);
	  code[i] = (nvptx_code_set) any;
	}
  free (stack);
  free (all.edges);
  free (all.table);
  free (all.v);
  return good;
}
