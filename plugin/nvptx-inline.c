/* nvptx-inline.c -- small functions of our device library in place of their calls.

   A barrier of the hardware and the number of a thread are a handful of instructions, of which the way to
   another object and back takes the greater part: the driver's compiler knows nothing of the callee, so it keeps what is needed
   behind the call in other registers, brings the lanes of the warp together, and finds the address of shared memory
   each time.  So the bodies of such functions stand in the program's text: in a block of PTX, which has registers of its own.

   The bodies are taken from the library's text, so they are always those of the library that is linked.

   Invariants
   1. Only functions of the list are taken, if our library and nothing else defines them, and if their text is a body without
      parameters, with one return at its end, that refers to nothing but its registers, special registers, gompx_block and global
      functions of the library.  Everything else stays a call.
   2. Only a call in the form in which compilers write it is replaced: a statement with a line of its own, without a predicate,
      and, where there is a value, the load of it behind it.
   3. Labels and registers get names of their own, which compilers and programs don't use: ptxas 13 makes an access to global memory
      of ld.shared [base] where the program has a variable of the name that a register of the block has.
   4. Nothing outside of the texts is read: they end with a NUL.

   Called by nvptx-texts.c, after everything that looks for the names of what is called.  */

#define _GNU_SOURCE 1
#include "nvptx-inline.h"
#include "nvptx-tokens.h"

#include <stdlib.h>
#include <string.h>

/* What is called, and whose body it gets: the forms for Fortran are calls of the others.  */
static const struct
{
  const char *name, *body;
  bool value;
} candidates[] =
{
  { "GOMP_barrier", "GOMP_barrier", false },
  { "omp_get_thread_num", "omp_get_thread_num", true },
  { "omp_get_thread_num_", "omp_get_thread_num", true },
  { "omp_get_num_threads", "omp_get_num_threads", true },
  { "omp_get_num_threads_", "omp_get_num_threads", true },
  { "omp_get_team_num", "omp_get_team_num", true },
  { "omp_get_team_num_", "omp_get_team_num", true },
  { "omp_get_num_teams", "omp_get_num_teams", true },
  { "omp_get_num_teams_", "omp_get_num_teams", true },
  /* What lanes ask.  */
  { "gompx_lanes_omp_get_thread_num", "gompx_lanes_omp_get_thread_num", true },
  { "gompx_lanes_omp_get_num_threads", "gompx_lanes_omp_get_num_threads", true },
  { "gompx_lanes_omp_get_team_num", "gompx_lanes_omp_get_team_num", true },
  { "gompx_lanes_omp_get_num_teams", "gompx_lanes_omp_get_num_teams", true }
};

enum { NUM_CANDIDATES = sizeof (candidates) / sizeof (candidates[0]), MAX_NAMES = 24 };
_Static_assert ((int) NUM_CANDIDATES <= (int) NVPTX_INLINE_MAX, "room for all");

static const char shared[] = "gompx_block", value_out[] = "%value_out", label[] = "$L";

/* Stands for a number in what is kept of a body.  */
enum { SITE = '#' };

/* A call without arguments at T: what is called, and the parameter that takes the value, of length 0 where there is none.
   *T is what follows the semicolon.  */
static bool
skip_call (struct token *t, struct token *callee, struct token *parameter)
{
  parameter->length = 0;
  if (!skip_token (t, "call") && !skip_token (t, "call.uni"))
    return false;
  if (skip_token (t, "(") && !(skip_word_token (t, parameter) && skip_token (t, ")") && skip_token (t, ",")))
    return false;
  return skip_word_token (t, callee) && skip_token (t, ";");
}

/* ---- the library ---- */

/* The line behind the comment that marks the definition of NAME (LENGTH bytes), if only our library has one, and a global
   one.  One that is not weak goes before others.  */
static const char *
find_definition (const struct nvptx_symbols *symbols, size_t num_ours, const char *name, size_t length)
{
  const struct nvptx_symbol *const *defs;
  size_t count = nvptx_symbol_definitions (symbols, name, length, &defs);
  const char *found = NULL;

  for (size_t i = 0; i < count; i++)
    {
      const char *line = defs[i]->name + length;
      if (defs[i]->object < symbols->num_objects - num_ours)
	return NULL;
      if (defs[i]->global && *line == '\n' && (found == NULL || !token_is (token_at (line + 1), ".weak")))
	found = line + 1;
    }
  return found;
}

/* Declare what LINE defines; AFTER stands behind it.  */
static void
declare (struct ptx_text *out, const char *line, const char *after)
{
  struct token first = token_at (line);
  const char *rest = first.at + first.length;
  ptx_printf (out, ".extern%.*s%s\n", (int) strcspn (rest, "\n"), rest, after);
}

/* Forget what was declared behind SIZE bytes.  */
static void
cut (struct ptx_text *out, size_t size)
{
  out->size = size;
  if (out->text != NULL)
    out->text[size] = 0;
}

/* Names of registers and parameters that a body declares.  */
struct names
{
  struct token v[MAX_NAMES];
  size_t num;
};

static bool
is_known (const struct names *names, struct token word)
{
  for (size_t i = 0; i < names->num; i++)
    if (token_same (names->v[i], word))
      return true;
  return false;
}

/* Can a statement with the operand T stand elsewhere?  */
static bool
good_operand (const struct names *names, struct token t)
{
  if (!t.word)
    return *t.at != '/' && *t.at != '"' && *t.at != SITE && t.length > 0;
  if (is_known (names, t))
    return true;
  if (*t.at == '%')
    return !token_begins (t, "%in_ar") && !token_is (t, value_out) && !token_begins (t, "%r");
  return (*t.at >= '0' && *t.at <= '9') || token_begins (t, label) || token_is (t, shared);
}

/* The declaration at *T of registers, or of a parameter for a call.  */
static bool
skip_declaration (struct token *t, struct names *names)
{
  for (; !token_is (*t, ";"); *t = token_after (*t))
    if (t->length == 0 || names->num == MAX_NAMES || !(t->word || token_is (*t, ",")))
      return false;
    else if (t->word && *t->at != '.')
      names->v[names->num++] = *t;
  *t = token_after (*t);
  return true;
}

/* Look at the body whose opening brace is at T.  *END: where its return is.  What it calls is declared.  */
static bool
look_at_body (const struct nvptx_symbols *symbols, size_t num_ours, struct token t, bool value, const char **end,
	      struct ptx_text *declarations)
{
  struct names names = { .num = 0 };
  unsigned stores = 0, depth = 0;

  if (!skip_token (&t, "{"))
    return false;
  while (t.length > 0)
    {
      struct token word, parameter, begin = t;
      if (skip_token (&t, "{"))
	depth++;
      else if (skip_token (&t, "}"))
	{
	  if (depth-- == 0)
	    return false;
	}
      else if (skip_token (&t, "ret"))
	{
	  *end = begin.at;
	  return depth == 0 && skip_token (&t, ";") && token_is (t, "}") && stores == (value ? 1 : 0);
	}
      else if (token_begins (t, "call"))
	{
	  if (!skip_call (&t, &word, &parameter))
	    return false;
	  const char *line = find_definition (symbols, num_ours, word.at, word.length);
	  if (line == NULL)
	    return false;
	  declare (declarations, line, ";");
	}
      else if (token_begins (t, ".reg") || token_begins (t, ".param"))
	{
	  if (!skip_declaration (&t, &names))
	    return false;
	}
      else if (*t.at == '.')
	return false;
      else if (skip_token (&t, "st.param.u32"))
	{
	  if (!skip_token (&t, "[") || !skip_token (&t, value_out) || !skip_token (&t, "]") || !skip_token (&t, ",") || !skip_word_token (&t, &word)
	      || !good_operand (&names, word) || !skip_token (&t, ";"))
	    return false;
	  stores++;
	}
      else if (token_begins (t, label) && token_is (token_after (t), ":"))
	t = token_after (token_after (t));
      else
	{
	  if (skip_token (&t, "@") && (skip_token (&t, "!"), !skip_word_token (&t, &word)))
	    return false;
	  if (!skip_word_token (&t, &word) || token_is (word, "ret") || token_is (word, "exit") || token_begins (word, "call"))
	    return false;
	  for (; !token_is (t, ";"); t = token_after (t))
	    if (!good_operand (&names, t))
	      return false;
	  t = token_after (t);
	}
    }
  return false;
}

/* Print the body from its brace at BODY to its return at END, as it can stand elsewhere.  */
static void
put_body (struct ptx_text *out, const char *body, const char *end)
{
  const char *done = body;
  struct names names = { .num = 0 };

  for (struct token t = token_at (body); t.at < end; )
    if (!token_begins (t, ".reg") && !token_begins (t, ".param"))
      t = token_after (t);
    else if (!skip_declaration (&t, &names))
      break;			/* never: it was looked at */
  for (struct token t = token_at (body); t.at < end; t = token_after (t))
    if (is_known (&names, t))
      {
	ptx_print_up_to (out, &done, t.at, t.length);
	ptx_printf (out, "%%gompx_%.*s", (int) t.length - (*t.at == '%'), t.at + (*t.at == '%'));
      }
    else if (token_begins (t, label))
      {
	ptx_print_up_to (out, &done, t.at, t.length);
	ptx_printf (out, "$gompx%c_%.*s", SITE, (int) t.length - 1, t.at + 1);
      }
    else if (token_is (t, "st.param.u32"))
      {
	ptx_print_up_to (out, &done, t.at, 0);
	ptx_printf (out, "mov.u32 %%gompx_result, ");
	for (unsigned i = 0; i < 4; i++)	/* brackets, parameter, comma */
	  t = token_after (t);
	done = token_after (t).at;
      }
  ptx_print_up_to (out, &done, end, 0);
  ptx_printf (out, "}\n");
}

bool
nvptx_inline_find (const struct nvptx_symbols *symbols, size_t num_ours, struct nvptx_inlines *found)
{
  memset (found, 0, sizeof (*found));
  const char *block = find_definition (symbols, num_ours, shared, sizeof (shared) - 1);
  if (block == NULL || nvptx_object_mentions (symbols, 0, shared))
    return true;
  declare (&found->declarations, block, "");
  bool good = !found->declarations.no_memory;
  for (size_t i = 0; i < NUM_CANDIDATES && good; i++)
    {
      const char *name = candidates[i].name, *end;
      struct nvptx_inline f = { .name = name, .value = candidates[i].value };
      const char *line = find_definition (symbols, num_ours, candidates[i].body, strlen (candidates[i].body));
      if (line == NULL || find_definition (symbols, num_ours, name, strlen (name)) == NULL)
	continue;
      const char *body = line + strcspn (line, "\n");
      size_t before = found->declarations.size;
      if ((memchr (line, '%', body - line) != NULL) != f.value
	  || !look_at_body (symbols, num_ours, token_at (body), f.value, &end, &found->declarations))
	{
	  cut (&found->declarations, before);
	  continue;
	}
      put_body (&f.text, body, end);
      found->v[found->num++] = f;
      good = !f.text.no_memory && !found->declarations.no_memory;
    }
  return good;
}

void
nvptx_inline_free (struct nvptx_inlines *found)
{
  for (size_t i = 0; i < found->num; i++)
    free (found->v[i].text.text);
  free (found->declarations.text);
  memset (found, 0, sizeof (*found));
}

/* ---- the program ---- */

/* Does the statement at AT of TEXT begin its line, with nothing before it that belongs to it?  */
static bool
stands_alone (const char *text, const char *at)
{
  while (at > text && (at[-1] == ' ' || at[-1] == '\t'))
    at--;
  if (at == text || at[-1] != '\n')
    return false;
  while (at > text && strchr (" \t\r\n", at[-1]) != NULL)
    at--;
  const char *line = at;
  while (line > text && line[-1] != '\n')
    line--;
  return at == text || at[-1] == ';' || !token_is (token_at (line), "@");
}

/* Put what was found in place of the call at AT, number SITE.  Where the text goes on; NULL: it stays.  */
static const char *
put_call (struct ptx_text *out, const struct nvptx_inlines *found, const char *at, unsigned site, const char *text,
	  const char **done)
{
  struct token t = token_at (at), callee, parameter, reg = { .length = 0 };
  const struct nvptx_inline *f = NULL;

  if (!skip_call (&t, &callee, &parameter))
    return NULL;
  for (size_t i = 0; i < found->num && f == NULL; i++)
    if (token_is (callee, found->v[i].name))
      f = &found->v[i];
  if (f == NULL || f->value != (parameter.length > 0) || !stands_alone (text, at))
    return NULL;
  if (f->value)
    {
      if (!skip_token (&t, "ld.param.u32") || !skip_word_token (&t, &reg) || !skip_token (&t, ",") || !skip_token (&t, "["))
	return NULL;
      if (!token_same (t, parameter))
	return NULL;
      t = token_after (t);
      if (!skip_token (&t, "]") || !skip_token (&t, ";"))
	return NULL;
    }
  ptx_print_up_to (out, done, at, t.at - at);
  if (f->value)
    ptx_printf (out, "{\n\t.reg .u32 %%gompx_result;\n");
  const char *piece = f->text.text;
  for (const char *next; (next = strchr (piece, SITE)) != NULL; piece = next + 1)
    ptx_printf (out, "%.*s%u", (int) (next - piece), piece, site);
  ptx_printf (out, "%s", piece);
  if (f->value)
    ptx_printf (out, "\tmov.u32 %.*s, %%gompx_result;\n}\n", (int) reg.length, reg.at);
  return *done;
}

bool
nvptx_inline_calls (const struct nvptx_inlines *found, const struct nvptx_object *object, struct nvptx_object *result)
{
  static const char size[] = "\n.address_size 64\n";
  struct ptx_text out = { .size = 0 };
  unsigned sites = 0;

  result->text = NULL;
  if (found->num == 0 || object->size == 0 || memchr (object->text, 0, object->size) != object->text + object->size - 1)
    return true;
  const char *head = strstr (object->text, size);
  if (head == NULL)
    return true;
  const char *done = object->text, *line = head += sizeof (size) - 1, *next;
  if (!ptx_reserve (&out, object->size + object->size / 8 + found->declarations.size))
    return false;
  ptx_print_up_to (&out, &done, head, 0);
  ptx_printf (&out, "%s", found->declarations.text);
  for (; *line != 0; line = next)
    {
      const char *at = line;
      while (*at == ' ' || *at == '\t')
	at++;
      next = *at == 'c' ? put_call (&out, found, at, sites, object->text, &done) : NULL;
      sites += next != NULL;
      if (next == NULL)
	{
	  next = strchrnul (at, '\n');
	  next += *next != 0;
	}
    }
  if (sites > 0)
    ptx_printf (&out, "%s", done);
  if (sites > 0 && !out.no_memory)
    *result = (struct nvptx_object) { out.text, out.size + 1 };
  else
    free (out.text);
  return sites == 0 || !out.no_memory;
}
