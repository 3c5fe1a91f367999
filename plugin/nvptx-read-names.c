/* nvptx-read-names.c -- the reader of PTX: memory, names, opcodes, and what belongs to types.

   Memory comes in chunks that are freed all at once.  Names are found by an open table of their
   hashes; the first ones are the words of the language, in the order of enum ptx_word.  */

#include "nvptx-reader.h"
#include "nvptx-pages.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Memory ---- */

enum
{
  FIRST_CHUNK = 1 << 16,
  SECOND_CHUNK = 1 << 18,
  LARGE_CHUNK = 1 << 22,
  ALIGNMENT = 8
};

struct ptx_chunk
{
  struct ptx_chunk *next;
  size_t mapped;		/* bytes; 0: a block of the heap */
};

static struct ptx_chunk *
map_chunk (size_t size)
{
  struct ptx_chunk *c = nvptx_pages_map (size);
  if (c != NULL)
    c->mapped = size;
  return c;
}

static void
free_chunk (struct ptx_chunk *c)
{
  if (c->mapped != 0)
    munmap (c, c->mapped);
  else
    free (c);
}

static void *
alloc_chunk (struct ptx *ptx, size_t size)
{
  const struct ptx_chunk *last = ptx->chunks;
  size_t chunk = last == NULL ? FIRST_CHUNK : last->next == NULL ? SECOND_CHUNK : LARGE_CHUNK;
  struct ptx_chunk *c = NULL;
  if (size < SIZE_MAX / 2)
    {
      if (chunk < size + sizeof (struct ptx_chunk))
	chunk = size + sizeof (struct ptx_chunk);
      if (chunk >= LARGE_CHUNK)
	c = map_chunk (chunk = nvptx_pages_size (chunk));
      else
	c = calloc (1, chunk);
    }
  if (c == NULL)
    {
      ptx->no_memory = true;
      return NULL;
    }
  c->next = ptx->chunks;
  ptx->chunks = c;
  ptx->free_at = (char *) (c + 1) + size;
  ptx->free_end = (char *) c + chunk;
  return c + 1;
}

void *
ptx_alloc (struct ptx *ptx, size_t size)
{
  size = (size + ALIGNMENT - 1) & ~(size_t) (ALIGNMENT - 1);
  /* Things of size 0 have an address as well.  */
  if (size == 0)
    size = ALIGNMENT;
  if (size > (size_t) (ptx->free_end - ptx->free_at))
    return alloc_chunk (ptx, size);
  void *memory = ptx->free_at;
  ptx->free_at += size;
  return memory;
}

void *
ptx_copy (struct ptx *ptx, const void *from, size_t num, size_t size)
{
  void *to = ptx_alloc (ptx, num * size);
  if (to != NULL && num > 0)
    memcpy (to, from, num * size);
  return to;
}

bool
ptx_grow (struct ptx_reader *r, void *array, uint32_t *room, uint32_t num, size_t size)
{
  uint32_t more = *room == 0 ? 256 : 2 * *room;
  void *old;
  memcpy (&old, array, sizeof (old));	/* whatever it points to */
  void *all = num < PTX_MOST_VARS ? realloc (old, more * size) : NULL;
  if (all == NULL)
    {
      r->ptx->no_memory = true;
      return ptx_fail_memory (r);
    }
  memcpy (array, &all, sizeof (all));
  *room = more;
  return true;
}

/* ---- Names ---- */

static bool
enlarge_table (struct ptx *ptx)
{
  uint32_t size = ptx->name_table == NULL ? 2048 : 2 * (ptx->name_mask + 1);
  uint32_t *table = size != 0 ? calloc (size, sizeof (table[0])) : NULL;
  if (table == NULL)
    return false;
  for (uint32_t i = 1; i < ptx->num_names; i++)
    {
      uint32_t at = ptx->names[i].hash & (size - 1);
      while (table[at] != 0)
	at = (at + 1) & (size - 1);
      table[at] = i;
    }
  free (ptx->name_table);
  ptx->name_table = table;
  ptx->name_mask = size - 1;
  return true;
}

ptx_name
ptx_enter_name (struct ptx *ptx, const char *text, uint32_t length, uint32_t hash)
{
  if (ptx->num_names == ptx->name_room)
    {
      uint32_t room = ptx->name_room == 0 ? 1024 : 2 * ptx->name_room;
      struct ptx_name_entry *names = realloc (ptx->names, room * sizeof (names[0]));
      if (names == NULL)
	{
	  ptx->no_memory = true;
	  return 0;
	}
      ptx->names = names;
      ptx->name_room = room;
    }
  if ((ptx->name_table == NULL || 2 * ptx->num_names > ptx->name_mask) && !enlarge_table (ptx))
    {
      ptx->no_memory = true;
      return 0;
    }
  ptx->names[ptx->num_names] = (struct ptx_name_entry) { .text = text, .length = length,
							 .hash = hash };
  uint32_t at = hash & ptx->name_mask;
  while (ptx->name_table[at] != 0)
    at = (at + 1) & ptx->name_mask;
  return ptx->name_table[at] = ptx->num_names++;
}

static uint32_t
hash_text (const char *text, size_t length)
{
  uint32_t hash = 0;
  for (size_t i = 0; i < length; i++)
    hash = ptx_hash_step (hash, text[i]);
  return ptx_hash_end (hash);
}

ptx_name
ptx_find_name (const struct ptx *ptx, const char *text, size_t length)
{
  if (length >= UINT32_MAX)
    return 0;
  return ptx_look_up (ptx, text, (uint32_t) length, hash_text (text, length));
}

ptx_name
ptx_intern (struct ptx *ptx, const char *text, size_t length)
{
  ptx_name name = ptx_find_name (ptx, text, length);
  if (name != 0 || length >= UINT32_MAX)
    return name;
  char *copy = ptx_alloc (ptx, length);
  if (copy == NULL)
    return 0;
  memcpy (copy, text, length);
  return ptx_enter_name (ptx, copy, (uint32_t) length, hash_text (text, length));
}

ptx_name
ptx_internf (struct ptx *ptx, const char *format, ...)
{
  char text[1001];
  va_list args;
  va_start (args, format);
  int n = vsnprintf (text, sizeof (text), format, args);
  va_end (args);
  return n > 0 && n < (int) sizeof (text) ? ptx_intern (ptx, text, (size_t) n) : 0;
}

ptx_name
ptx_fresh_name (struct ptx *ptx, const char *prefix)
{
  char text[100];
  for (; ptx->num_fresh < UINT32_MAX; )
    {
      int n = snprintf (text, sizeof (text), "%s%u", prefix, ptx->num_fresh++);
      if (n <= 0 || n >= (int) sizeof (text))
	return 0;
      if (ptx_find_name (ptx, text, (size_t) n) == 0)
	return ptx_intern (ptx, text, (size_t) n);
    }
  return 0;
}

struct ptx *
ptx_new (void)
{
  static const struct
  {
    const char *text;
    uint32_t length;
  } words[] =
  {
    { "", 0 },
#define PTX_WORD(id, word) { word, sizeof (word) - 1 },
    PTX_WORDS (PTX_WORD)
#undef PTX_WORD
  };
  _Static_assert (sizeof (words) / sizeof (words[0]) == PTX_NUM_WORDS, "all words");
  _Static_assert (PTX_LAST_LINKAGE < 256, "types, spaces and linkage are bytes");

  struct ptx *ptx = calloc (1, sizeof (*ptx));
  if (ptx == NULL)
    return NULL;
  ptx->scratch = calloc (1, sizeof (*ptx->scratch));
  bool good = ptx->scratch != NULL;
  for (uint32_t i = 0; i < PTX_NUM_WORDS && good; i++)
    {
      good = ptx_enter_name (ptx, words[i].text, words[i].length,
			     hash_text (words[i].text, words[i].length)) == i;
      /* No name is empty; nobody finds it.  */
      if (i == 0)
	{
	  good = ptx->num_names == 1;
	  if (good)
	    memset (ptx->name_table, 0, (ptx->name_mask + 1) * sizeof (ptx->name_table[0]));
	}
    }
  if (good)
    return ptx;
  ptx_free (ptx);
  return NULL;
}

void
ptx_free (struct ptx *ptx)
{
  if (ptx == NULL)
    return;
  struct ptx_scratch *s = ptx->scratch;
  if (s != NULL)
    {
      free (s->vars);
      free (s->labels);
      free (s->stmts);
      free (s->operands);
      free (s->inits);
      free (s->pending);
      free (s->undo);
      free (s->members);
      free (s->blocks);
      free (s->text.text);
    }
  free (s);
  for (struct ptx_chunk *c = ptx->chunks, *next; c != NULL; c = next)
    {
      next = c->next;
      free_chunk (c);
    }
  free (ptx->names);
  free (ptx->name_table);
  free (ptx->ops);
  free (ptx->modules);
  free (ptx);
}

/* ---- Opcodes ---- */

/* Cut "ld.shared::cta.u32" into names.  False: it isn't of that form, or there is no memory.  */
static bool
cut_op (struct ptx *ptx, struct ptx_op *op, const char *text, uint32_t length)
{
  ptx_name words[PTX_MOST_OP_TEXT / 2];
  uint32_t at = 0, next;

  while (at < length && text[at] != '.')
    at++;
  if (at == 0 || (op->opcode = ptx_intern (ptx, text, at)) == 0)
    return false;
  for (; at < length; at = next)
    {
      next = at + 1;
      while (next < length && text[next] != '.')
	next++;
      if (next == at + 1 || (words[op->num_words++] = ptx_intern (ptx, text + at, next - at)) == 0)
	return false;
    }
  op->words = ptx_alloc (ptx, op->num_words * sizeof (words[0]));
  if (op->words == NULL)
    return false;
  if (op->num_words > 0)
    memcpy (op->words, words, op->num_words * sizeof (words[0]));
  return true;
}

/* .shared::cta is the space .shared.  */
static ptx_name
space_of (const struct ptx *ptx, ptx_name word)
{
  if (ptx_is_space (word))
    return word;
  const struct ptx_name_entry *e = &ptx->names[word];
  const char *colon = memchr (e->text, ':', e->length);
  ptx_name before = colon != NULL ? ptx_find_name (ptx, e->text, (size_t) (colon - e->text)) : 0;
  return ptx_is_space (before) ? before : 0;
}

struct ptx_op *
ptx_make_op (struct ptx *ptx, ptx_name text)
{
  struct ptx_name_entry *e = &ptx->names[text];
  if (e->op != NULL)
    return e->op;
  if (e->length == 0 || e->length > PTX_MOST_OP_TEXT || e->text[0] < 'a' || e->text[0] > 'z')
    return NULL;
  for (uint32_t i = 0; i < e->length; i++)
    if (e->text[i] != '.' && e->text[i] != ':' && !ptx_is_name_char (e->text[i]))
      return NULL;
  struct ptx_op *op = ptx_alloc (ptx, sizeof (*op));
  if (op == NULL || !cut_op (ptx, op, e->text, e->length))
    return NULL;
  op->text = text;
  op->vector = 1;
  for (unsigned i = 0; i < op->num_words; i++)
    {
      ptx_name word = op->words[i];
      if (ptx_is_type (word) && op->num_types < 4)
	op->types[op->num_types++] = word;
      else if (word >= PTX_V2 && word <= PTX_V8)
	op->vector = word == PTX_V2 ? 2 : word == PTX_V4 ? 4 : 8;
      else if (op->space == 0)
	op->space = space_of (ptx, word);
    }
  if (ptx->num_ops == ptx->op_room)
    {
      uint32_t room = ptx->op_room == 0 ? 256 : 2 * ptx->op_room;
      struct ptx_op **ops = realloc (ptx->ops, room * sizeof (ops[0]));
      if (ops == NULL)
	{
	  ptx->no_memory = true;
	  return NULL;
	}
      ptx->ops = ops;
      ptx->op_room = room;
    }
  op->index = ptx->num_ops;
  ptx->ops[ptx->num_ops++] = op;
  /* The names have moved perhaps.  */
  ptx->names[text].op = op;
  return op;
}

struct ptx_op *
ptx_get_op (struct ptx *ptx, const char *text)
{
  ptx_name name = ptx_intern (ptx, text, strlen (text));
  return name != 0 ? ptx_make_op (ptx, name) : NULL;
}

bool
ptx_op_has (const struct ptx_op *op, ptx_name word)
{
  for (unsigned i = 0; i < op->num_words; i++)
    if (op->words[i] == word)
      return true;
  return false;
}

/* ---- Types and variables ---- */

unsigned
ptx_type_size (ptx_name type)
{
  switch (type)
    {
    case PTX_B8: case PTX_U8: case PTX_S8: case PTX_E4M3: case PTX_E5M2:
      return 1;
    case PTX_B16: case PTX_U16: case PTX_S16: case PTX_F16: case PTX_BF16:
    case PTX_E4M3X2: case PTX_E5M2X2:
      return 2;
    case PTX_B32: case PTX_U32: case PTX_S32: case PTX_F32: case PTX_TF32: case PTX_F16X2:
    case PTX_BF16X2: case PTX_U16X2: case PTX_S16X2: case PTX_U8X4: case PTX_S8X4:
      return 4;
    case PTX_B64: case PTX_U64: case PTX_S64: case PTX_F64:
    case PTX_TEXREF: case PTX_SAMPLERREF: case PTX_SURFREF:
      return 8;
    case PTX_B128:
      return 16;
    default:
      return 0;
    }
}

/* How long an array is whose first dimension is left open, by its initial values.  */
static uint64_t
initial_rows (const struct ptx_var *v)
{
  const struct ptx_var_more *more = v->more;
  uint64_t rows = 0, values = 0, row = v->vector;
  unsigned depth = 0;

  for (uint32_t i = 1; i < more->num_dims; i++)
    if (__builtin_mul_overflow (row, more->dims[i], &row))
      return 0;
  for (uint32_t i = 0; i < more->num_inits; i++)
    switch (more->inits[i].kind)
      {
      case PTX_INIT_OPEN:
	rows += depth++ == 0;
	break;
      case PTX_INIT_CLOSE:
	depth--;
	break;
      case PTX_INIT_MASK:
	i++;
	/* fall through */
      default:
	values += depth == 0;
      }
  return rows + (row != 0 ? (values + row - 1) / row : 0);
}

uint64_t
ptx_var_size (const struct ptx_var *v)
{
  uint64_t size = (uint64_t) ptx_type_size (v->type) * v->vector;
  if (v->more != NULL)
    for (uint32_t i = 0; i < v->more->num_dims; i++)
      {
	uint64_t length = v->more->dims[i];
	if (i == 0 && length == 0)
	  length = initial_rows (v);
	if (__builtin_mul_overflow (size, length, &size))
	  return 0;
      }
  return size;
}

uint32_t
ptx_var_align (const struct ptx_var *v)
{
  uint32_t own = ptx_type_size (v->type) * v->vector;
  return v->align != 0 ? v->align : own != 0 ? own : 1;
}

/* ---- Items by name ---- */

static ptx_name
item_name (const struct ptx_item *item)
{
  return item->kind == PTX_ITEM_VARIABLE ? item->u.variable->name
	 : item->kind == PTX_ITEM_FUNCTION ? item->u.function->name
	 : item->kind == PTX_ITEM_ALIAS ? item->u.alias.name : 0;
}

static bool
defines (const struct ptx_item *item)
{
  return item->kind == PTX_ITEM_VARIABLE ? item->u.variable->linkage != PTX_EXTERN
	 : item->kind == PTX_ITEM_FUNCTION ? item->u.function->has_body : true;
}

/* Where NAME is in the table, or a free place.  */
static struct ptx_item **
place_of (const struct ptx_module *m, ptx_name name)
{
  for (uint32_t i = name * 0x9e3779b1u >> 7 & m->symbol_mask;; i = (i + 1) & m->symbol_mask)
    if (m->symbol_table[i] == NULL || item_name (m->symbol_table[i]) == name)
      return &m->symbol_table[i];
}

static bool
enlarge_symbols (struct ptx_module *m)
{
  struct ptx_item **old = m->symbol_table;
  uint32_t old_size = old != NULL ? m->symbol_mask + 1 : 0;
  uint32_t size = old != NULL ? 2 * old_size : 64;
  struct ptx_item **table = ptx_alloc (m->ptx, size * sizeof (table[0]));
  if (table == NULL)
    return false;
  m->symbol_table = table;
  m->symbol_mask = size - 1;
  for (uint32_t i = 0; i < old_size; i++)
    if (old[i] != NULL)
      *place_of (m, item_name (old[i])) = old[i];
  return true;
}

bool
ptx_add_item (struct ptx_module *m, struct ptx_item *item)
{
  if (m->num_items == m->item_room)
    {
      uint32_t room = m->item_room == 0 ? 64 : 2 * m->item_room;
      struct ptx_item **items = ptx_alloc (m->ptx, room * sizeof (items[0]));
      if (items == NULL)
	return false;
      if (m->num_items > 0)
	memcpy (items, m->items, m->num_items * sizeof (items[0]));
      m->items = items;
      m->item_room = room;
    }
  ptx_name name = item_name (item);
  if (name != 0)
    {
      if ((m->symbol_table == NULL || 2 * m->num_symbols > m->symbol_mask) && !enlarge_symbols (m))
	return false;
      struct ptx_item **place = place_of (m, name);
      m->num_symbols += *place == NULL;
      if (*place == NULL || (!defines (*place) && defines (item)))
	*place = item;
    }
  m->items[m->num_items++] = item;
  return true;
}

struct ptx_item *
ptx_find_item (const struct ptx_module *m, ptx_name name)
{
  return m->symbol_table != NULL && name != 0 ? *place_of (m, name) : NULL;
}

struct ptx_function *
ptx_find_function (const struct ptx_module *m, ptx_name name)
{
  struct ptx_item *item = ptx_find_item (m, name);
  /* An alias of an alias of itself ends.  */
  for (int steps = 0; item != NULL && item->kind == PTX_ITEM_ALIAS && steps < 8; steps++)
    item = ptx_find_item (m, item->u.alias.of);
  return item != NULL && item->kind == PTX_ITEM_FUNCTION ? item->u.function : NULL;
}

struct ptx_var *
ptx_find_variable (const struct ptx_module *m, ptx_name name)
{
  struct ptx_item *item = ptx_find_item (m, name);
  return item != NULL && item->kind == PTX_ITEM_VARIABLE ? item->u.variable : NULL;
}

const char *
ptx_find_file (const struct ptx_module *m, uint32_t number, uint32_t *length)
{
  for (uint32_t i = 0; i < m->num_items; i++)
    {
      const struct ptx_item *item = m->items[i];
      if (item->kind != PTX_ITEM_FILE || item->u.raw.number != number)
	continue;
      const char *end = item->u.raw.text + item->u.raw.length;
      const char *open = memchr (item->u.raw.text, '"', item->u.raw.length);
      const char *close = open != NULL ? memchr (open + 1, '"', (size_t) (end - open - 1)) : NULL;
      if (close == NULL)
	return NULL;
      *length = (uint32_t) (close + 1 - open);
      return open;
    }
  return NULL;
}
