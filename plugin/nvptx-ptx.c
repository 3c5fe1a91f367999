/* nvptx-ptx.c -- what PTX objects of an image say about themselves.

   The compiler marks each declaration and definition with a comment line that the nvptx linker works
   by, and that is still there in the image:

	// BEGIN [GLOBAL|WEAK] {FUNCTION|VAR} {DECL|DEF}: NAME

   (without GLOBAL or WEAK: known in its object only).  Reading these lines takes the place of parsing
   PTX.  Objects that the tools generate have none; they count as objects without symbols.  Called
   once for each image, when it is linked.

   Invariants
   1. Nothing outside [text, text + size) of an object is read, whatever the text is.
   2. Names point into the objects, which live as long as the image.  */

#include "nvptx-ptx.h"

#include <stdlib.h>
#include <string.h>

static const char mark[] = "// BEGIN ";

/* If TEXT begins with WORD, skip it.  */
static bool
skip_word (const char **text, const char *end, const char *word)
{
  size_t n = strlen (word);
  if ((size_t) (end - *text) < n || memcmp (*text, word, n) != 0)
    return false;
  *text += n;
  return true;
}

/* Decode the line behind the mark.  False: it names no symbol.  */
static bool
read_mark (const char *p, const char *end, struct nvptx_symbol *symbol)
{
  symbol->global = skip_word (&p, end, "GLOBAL ") || skip_word (&p, end, "WEAK ");
  if (skip_word (&p, end, "FUNCTION "))
    symbol->function = true;
  else if (skip_word (&p, end, "VAR "))
    symbol->function = false;
  else
    return false;
  if (skip_word (&p, end, "DEF: "))
    symbol->definition = true;
  else if (skip_word (&p, end, "DECL: "))
    symbol->definition = false;
  else
    return false;

  size_t length = 0;
  while (p + length < end && p[length] != '\n' && p[length] != '\r' && p[length] != 0)
    length++;
  symbol->name = p;
  symbol->length = length;
  return length != 0 && length <= UINT32_MAX;
}

static int
compare_names (const char *a, size_t a_length, const char *b, size_t b_length)
{
  int order = memcmp (a, b, a_length < b_length ? a_length : b_length);
  return order != 0 ? order : a_length < b_length ? -1 : a_length > b_length;
}

static int
by_name (const void *a, const void *b)
{
  const struct nvptx_symbol *x = *(const struct nvptx_symbol *const *) a;
  const struct nvptx_symbol *y = *(const struct nvptx_symbol *const *) b;
  int order = compare_names (x->name, x->length, y->name, y->length);
  /* Global ones first, then in the order of the image.  */
  return order != 0 ? order : x->global != y->global ? (x->global ? -1 : 1)
	 : x < y ? -1 : x > y;
}

static bool
add_symbol (struct nvptx_symbols *symbols, size_t *room, const struct nvptx_symbol *symbol)
{
  if (symbols->num == *room)
    {
      size_t more = *room == 0 ? 1024 : *room * 2;
      struct nvptx_symbol *all = realloc (symbols->all, more * sizeof (*all));
      if (all == NULL)
	return false;
      symbols->all = all;
      *room = more;
    }
  symbols->all[symbols->num++] = *symbol;
  symbols->num_defs += symbol->definition;
  return true;
}

bool
nvptx_symbols_find (const struct nvptx_object *objects, size_t n, struct nvptx_symbols *symbols)
{
  size_t room = 0;

  memset (symbols, 0, sizeof (*symbols));
  symbols->num_objects = n;
  symbols->first = calloc (n + 1, sizeof (*symbols->first));
  if (symbols->first == NULL)
    return false;
  for (size_t i = 0; i < n; i++)
    {
      const char *text = objects[i].text, *end = text + objects[i].size, *p = text;
      symbols->first[i] = symbols->num;
      while (p < end && (p = memmem (p, end - p, mark, sizeof (mark) - 1)) != NULL)
	{
	  struct nvptx_symbol symbol = { .object = i };
	  bool at_start = p == text || p[-1] == '\n';
	  p += sizeof (mark) - 1;
	  if (at_start && read_mark (p, end, &symbol) && !add_symbol (symbols, &room, &symbol))
	    {
	      nvptx_symbols_free (symbols);
	      return false;
	    }
	}
    }
  symbols->first[n] = symbols->num;

  /* One more than needed: malloc (0) may be NULL.  */
  symbols->defs = malloc ((symbols->num_defs + 1) * sizeof (*symbols->defs));
  if (symbols->defs == NULL)
    {
      nvptx_symbols_free (symbols);
      return false;
    }
  size_t d = 0;
  for (size_t i = 0; i < symbols->num; i++)
    if (symbols->all[i].definition)
      symbols->defs[d++] = &symbols->all[i];
  qsort (symbols->defs, d, sizeof (*symbols->defs), by_name);
  return true;
}

void
nvptx_symbols_free (struct nvptx_symbols *symbols)
{
  free (symbols->all);
  free (symbols->first);
  free (symbols->defs);
  memset (symbols, 0, sizeof (*symbols));
}

static bool
has_name (const struct nvptx_symbol *s, const char *name, size_t length)
{
  return compare_names (s->name, s->length, name, length) == 0;
}

size_t
nvptx_symbol_definitions (const struct nvptx_symbols *symbols, const char *name, size_t length,
			  const struct nvptx_symbol *const **defs)
{
  size_t low = 0, high = symbols->num_defs;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      const struct nvptx_symbol *s = symbols->defs[middle];
      if (compare_names (s->name, s->length, name, length) < 0)
	low = middle + 1;
      else
	high = middle;
    }
  *defs = symbols->defs + low;
  size_t n = 0;
  while (low + n < symbols->num_defs && has_name (symbols->defs[low + n], name, length))
    n++;
  return n;
}

const struct nvptx_symbol *
nvptx_symbol_defined (const struct nvptx_symbols *symbols, const char *name, size_t length,
		      bool local)
{
  const struct nvptx_symbol *const *defs;
  size_t n = nvptx_symbol_definitions (symbols, name, length, &defs);
  return n > 0 && (defs[0]->global || local) ? defs[0] : NULL;
}

bool
nvptx_object_mentions (const struct nvptx_symbols *symbols, size_t object, const char *name)
{
  size_t length = strlen (name);
  if (object >= symbols->num_objects)
    return false;
  for (size_t i = symbols->first[object]; i < symbols->first[object + 1]; i++)
    if (symbols->all[i].length == length && memcmp (symbols->all[i].name, name, length) == 0)
      return true;
  return false;
}

static bool
begins_with (const struct nvptx_symbol *symbol, const char *prefix)
{
  size_t n = strlen (prefix);
  return symbol->length >= n && memcmp (symbol->name, prefix, n) == 0;
}

static bool
is_called (const struct nvptx_symbol *symbol, const char *name)
{
  return symbol->length == strlen (name) && begins_with (symbol, name);
}

/* Part of the OpenMP library, which is not followed.  */
static bool
is_library (const struct nvptx_symbol *symbol)
{
  if (is_called (symbol, "GOMP_error") || is_called (symbol, "GOMP_warning"))
    return false;
  return begins_with (symbol, "GOMP_") || begins_with (symbol, "omp_")
	 || begins_with (symbol, "gomp_") || begins_with (symbol, "acc_");
}

bool
nvptx_object_prints (const struct nvptx_symbols *symbols, size_t object)
{
  size_t n = symbols->num_objects, num = 0;
  if (object >= n)
    return false;
  uint32_t *reached = malloc (n * sizeof (*reached));
  bool *seen = calloc (n, sizeof (*seen));
  bool prints = reached == NULL || seen == NULL;	/* out of memory: assume the worst */

  if (!prints)
    {
      reached[num++] = object;
      seen[object] = true;
    }
  for (size_t next = 0; next < num && !prints; next++)
    for (size_t i = symbols->first[reached[next]];
	 i < symbols->first[reached[next] + 1] && !prints; i++)
      {
	const struct nvptx_symbol *s = &symbols->all[i];
	if (s->definition || !s->global || !s->function || is_library (s))
	  continue;
	prints = is_called (s, "vprintf");
	const struct nvptx_symbol *def = nvptx_symbol_defined (symbols, s->name, s->length, false);
	if (def != NULL && !seen[def->object])
	  {
	    seen[def->object] = true;
	    reached[num++] = def->object;
	  }
      }
  free (reached);
  free (seen);
  return prints;
}
