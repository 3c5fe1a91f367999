/* nvptx-read.c -- reading PTX: modules and their items.

   Bodies of functions are nvptx-read-body.c's, names and memory nvptx-read-names.c's, comments and
   numbers nvptx-read-lex.c's.

   The parser works on characters, without a pass that makes tokens: most of the text are names of
   registers and opcodes, and each of those is looked at once.  Each function reads one thing of the
   language and leaves the reader behind it; space and comments are skipped before a thing, not
   after it.  */

#include "nvptx-reader.h"

#include <stdlib.h>

/* ---- Variables ---- */

static struct ptx_var_more *
more_of (struct ptx_reader *r, struct ptx_var *v)
{
  if (v->more == NULL && (v->more = ptx_alloc (r->ptx, sizeof (*v->more))) == NULL)
    ptx_fail_memory (r);
  return v->more;
}

static bool
read_attribute (struct ptx_reader *r, struct ptx_var *v)
{
  if (!ptx_expect (r, '('))
    return false;
  const char *start = r->p;
  for (unsigned depth = 1;; r->p++)
    {
      depth += *r->p == '(';
      if (*r->p == ')' && --depth == 0)
	break;
      if (*r->p == 0 || *r->p == '\n' || *r->p == ';')
	return ptx_expected (r, "')'");
    }
  struct ptx_var_more *more = more_of (r, v);
  if (more == NULL)
    return false;
  more->attribute = start;
  more->attribute_length = (uint32_t) (r->p - start);
  r->p++;
  return true;
}

static bool
read_align (struct ptx_reader *r, uint32_t *align)
{
  return ptx_read_u32 (r, align)
	 && ((*align != 0 && (*align & (*align - 1)) == 0)
	     || ptx_fail (r, "alignment %u isn't a power of two", *align));
}

bool
ptx_read_var_words (struct ptx_reader *r, struct ptx_var *v)
{
  bool ptr = false;
  for (;;)
    {
      ptx_skip_space (r);
      if (*r->p != '.')
	break;
      ptx_name word = ptx_read_word (r);
      if (word == 0)
	return false;
      if (ptx_is_type (word) && v->type == 0)
	v->type = (uint8_t) word;
      else if (word >= PTX_V2 && word <= PTX_V8)
	v->vector = word == PTX_V2 ? 2 : word == PTX_V4 ? 4 : 8;
      else if (word == PTX_ALIGN)
	{
	  if (!read_align (r, ptr ? &v->more->ptr_align : &v->align))
	    return false;
	}
      else if (word == PTX_ATTRIBUTE)
	{
	  if (!read_attribute (r, v))
	    return false;
	}
      else if (word == PTX_PTR && !ptr)
	{
	  if (more_of (r, v) == NULL)
	    return false;
	  ptr = v->more->is_ptr = true;
	}
      else if (ptr && ptx_is_space (word))
	v->more->ptr_space = word;
      else
	return ptx_fail (r, "%.*s is not expected in a declaration",
			 (int) r->ptx->names[word].length, r->ptx->names[word].text);
    }
  return v->type != 0 || ptx_expected (r, "a type");
}

static bool
read_dims (struct ptx_reader *r, struct ptx_var *v)
{
  uint64_t dims[PTX_MOST_DIMS];
  unsigned n = 0;
  while (ptx_accept (r, '['))
    {
      if (n == PTX_MOST_DIMS)
	return ptx_fail (r, "an array has too many dimensions");
      dims[n] = 0;
      if (ptx_accept (r, ']'))
	{
	  if (n++ > 0)
	    return ptx_fail (r, "only the first dimension may be without a number");
	  continue;
	}
      if (!ptx_read_integer (r, &dims[n++]) || !ptx_expect (r, ']'))
	return false;
    }
  struct ptx_var_more *more = more_of (r, v);
  if (more == NULL || (more->dims = ptx_alloc (r->ptx, n * sizeof (dims[0]))) == NULL)
    return ptx_fail_memory (r);
  memcpy (more->dims, dims, n * sizeof (dims[0]));
  more->num_dims = n;
  return true;
}

static bool
push_init (struct ptx_reader *r, struct ptx_init init)
{
  if (!PTX_ROOM (r, inits, num_inits, init_room))
    return false;
  r->s->inits[r->s->num_inits++] = init;
  return true;
}

/* symbol, symbol + 4.  */
static bool
read_init_symbol (struct ptx_reader *r, ptx_name name, uint8_t kind)
{
  struct ptx_operand offset = { .u.value = 0 };
  ptx_skip_space (r);
  if (*r->p == '+' || *r->p == '-')
    {
      r->p += *r->p == '+';
      if (!ptx_read_number (r, &offset))
	return false;
      if (offset.kind != PTX_O_INT)
	return ptx_expected (r, "an integer");
    }
  return push_init (r, (struct ptx_init) { .kind = kind, .name = name, .bits = offset.u.value });
}

static bool
read_init_value (struct ptx_reader *r)
{
  static const char generic[] = "generic";
  ptx_skip_space (r);
  if (ptx_begins_name (*r->p))
    {
      ptx_name name = ptx_read_name (r);
      if (name == 0)
	return false;
      const struct ptx_name_entry *e = &r->ptx->names[name];
      if (e->length != sizeof (generic) - 1 || memcmp (e->text, generic, e->length) != 0
	  || !ptx_accept (r, '('))
	return read_init_symbol (r, name, PTX_INIT_SYMBOL);
      /* generic (x) + 4 and generic (x + 4) are the same.  */
      name = ptx_expect_name (r);
      if (name == 0 || !read_init_symbol (r, name, PTX_INIT_GENERIC) || !ptx_expect (r, ')'))
	return false;
      uint64_t inside = r->s->inits[--r->s->num_inits].bits;
      if (!read_init_symbol (r, name, PTX_INIT_GENERIC))
	return false;
      r->s->inits[r->s->num_inits - 1].bits += inside;
      return true;
    }
  struct ptx_operand o;
  if (!ptx_read_number (r, &o))
    return false;
  struct ptx_init number = { .kind = o.kind == PTX_O_INT ? PTX_INIT_INT
				     : o.kind == PTX_O_F32 ? PTX_INIT_F32 : PTX_INIT_F64,
			     .negative = (o.flags & PTX_NEGATIVE) != 0, .bits = o.u.value };
  if (o.kind != PTX_O_INT || !ptx_accept (r, '('))
    return push_init (r, number);
  /* 0xff (symbol + 4): a byte of its address.  */
  ptx_name name = ptx_expect_name (r);
  return name != 0 && read_init_symbol (r, name, PTX_INIT_MASK) && ptx_expect (r, ')')
	 && push_init (r, number);
}

static bool
read_initialiser (struct ptx_reader *r, struct ptx_var *v)
{
  struct ptx_var_more *more = more_of (r, v);
  if (more == NULL)
    return false;
  r->s->num_inits = 0;
  more->init_braces = ptx_accept (r, '{');
  if (!more->init_braces)
    {
      if (!read_init_value (r))
	return false;
    }
  else
    for (unsigned depth = 1; depth > 0; )
      {
	/* A value, or the end of an empty list.  */
	if (ptx_accept (r, '{'))
	  {
	    if (depth++ == PTX_MOST_DIMS)
	      return ptx_fail (r, "an initialiser has too many braces");
	    if (!push_init (r, (struct ptx_init) { .kind = PTX_INIT_OPEN }))
	      return false;
	    continue;
	  }
	ptx_skip_space (r);
	if (*r->p != '}' && !read_init_value (r))
	  return false;
	while (depth > 0 && ptx_accept (r, '}'))
	  if (--depth > 0 && !push_init (r, (struct ptx_init) { .kind = PTX_INIT_CLOSE }))
	    return false;
	if (depth > 0 && !ptx_expect (r, ','))
	  return false;
      }
  more->num_inits = r->s->num_inits;
  more->inits = ptx_alloc (r->ptx, more->num_inits * sizeof (more->inits[0]));
  if (more->inits == NULL)
    return ptx_fail_memory (r);
  if (more->num_inits > 0)
    memcpy (more->inits, r->s->inits, more->num_inits * sizeof (more->inits[0]));
  return true;
}

bool
ptx_read_declarator (struct ptx_reader *r, struct ptx_var *v, bool nameless)
{
  ptx_skip_space (r);
  if (nameless && !ptx_begins_name (*r->p))
    v->name = PTX_UNDERSCORE;
  else if ((v->name = ptx_expect_name (r)) == 0)
    return false;
  ptx_skip_space (r);
  if (*r->p == '<' && (v->space == PTX_REG || v->space == PTX_PARAM))
    {
      r->p++;
      v->flags |= PTX_VAR_RANGE;
      return ptx_read_u32 (r, &v->range) && ptx_expect (r, '>');
    }
  if (*r->p == '[' && !read_dims (r, v))
    return false;
  return !ptx_accept (r, '=') || read_initialiser (r, v);
}

bool
ptx_read_params (struct ptx_reader *r, uint32_t *num, bool nameless)
{
  *num = 0;
  if (!ptx_expect (r, '('))
    return false;
  if (ptx_accept (r, ')'))
    return true;
  do
    {
      struct ptx_var v = { .vector = 1 };
      ptx_skip_space (r);
      ptx_name space = ptx_read_word (r);
      if (space != PTX_PARAM && space != PTX_REG)
	return space != 0 && ptx_fail (r, ".param expected");
      v.space = (uint8_t) space;
      if (!ptx_read_var_words (r, &v) || !ptx_read_declarator (r, &v, nameless)
	  || !PTX_ROOM (r, vars, num_vars, var_room))
	return false;
      if (v.flags & PTX_VAR_RANGE)
	return ptx_fail (r, "a parameter is a range");
      r->s->vars[r->s->num_vars++] = v;
      ++*num;
    }
  while (ptx_accept (r, ','));
  return ptx_expect (r, ')');
}

/* ---- Items ---- */

static struct ptx_item *
new_item (struct ptx_reader *r, enum ptx_item_kind kind, uint32_t line)
{
  struct ptx_item *item = ptx_alloc (r->ptx, sizeof (*item));
  if (item == NULL)
    {
      ptx_fail_memory (r);
      return NULL;
    }
  item->kind = kind;
  item->line = line;
  if ((kind == PTX_ITEM_VARIABLE && r->mark_variable)
      || (kind == PTX_ITEM_FUNCTION && !r->mark_variable))
    item->mark = r->mark;
  if (kind == PTX_ITEM_VARIABLE || kind == PTX_ITEM_FUNCTION)
    r->mark = 0;
  return item;
}

static bool
add_item (struct ptx_reader *r, struct ptx_item *item)
{
  return ptx_add_item (r->module, item) || ptx_fail_memory (r);
}

/* .global .u32 a, b[4] = { ... };  */
static bool
read_variables (struct ptx_reader *r, ptx_name space, uint8_t linkage)
{
  struct ptx_var head = { .space = (uint8_t) space, .linkage = linkage, .vector = 1 };
  if (space == PTX_REG || space == PTX_SREG || space == PTX_PARAM)
    return ptx_fail (r, "only functions have registers and parameters");
  if (!ptx_read_var_words (r, &head))
    return false;
  do
    {
      uint32_t line = r->line;
      struct ptx_var *v = ptx_alloc (r->ptx, sizeof (*v));
      struct ptx_item *item = new_item (r, PTX_ITEM_VARIABLE, line);
      if (v == NULL || item == NULL)
	return ptx_fail_memory (r);
      *v = head;
      if (head.more != NULL)
	{
	  v->more = NULL;
	  if (more_of (r, v) == NULL)
	    return false;
	  *v->more = *head.more;
	}
      if (!ptx_read_declarator (r, v, false))
	return false;
      item->u.variable = v;
      if (!add_item (r, item))
	return false;
    }
  while (ptx_accept (r, ','));
  return ptx_expect (r, ';');
}

/* .maxntid 32, 1 and the like, from behind the word.  */
static bool
read_directive (struct ptx_reader *r, ptx_name word, struct ptx_directive *d)
{
  *d = (struct ptx_directive) { .word = word };
  if (word == PTX_PRAGMA)
    return ptx_read_string (r, &d->text, &d->length) && ptx_expect (r, ';');
  ptx_skip_space (r);
  if (ptx_is_digit (*r->p))
    do
      if (d->num == 3)
	return ptx_fail (r, "a directive has too many numbers");
      else if (!ptx_read_u32 (r, &d->values[d->num++]))
	return false;
    while (ptx_accept (r, ','));
  return true;
}

static bool
read_directives (struct ptx_reader *r, struct ptx_function *f)
{
  struct ptx_directive all[16];
  unsigned n = 0;
  for (;;)
    {
      ptx_skip_space (r);
      if (*r->p != '.')
	break;
      ptx_name word = ptx_read_word (r);
      if (word == 0)
	return false;
      if (ptx_is_word (word) && word < PTX_LAST_SPACE)
	return ptx_fail (r, "a directive, ';' or '{' expected behind the head of a function");
      if (n == sizeof (all) / sizeof (all[0]))
	return ptx_fail (r, "a function has too many directives");
      if (!read_directive (r, word, &all[n++]))
	return false;
    }
  if (n > 0)
    {
      f->directives = ptx_alloc (r->ptx, n * sizeof (all[0]));
      if (f->directives == NULL)
	return ptx_fail_memory (r);
      memcpy (f->directives, all, n * sizeof (all[0]));
      f->num_directives = n;
    }
  return true;
}

/* Skip what means nothing to skip_body, many characters at a time: most of an image is bodies that nobody calls.  */
static void
skip_plain (struct ptx_reader *r)
{
  typedef uint8_t bytes __attribute__ ((vector_size (16)));
  typedef uint64_t words __attribute__ ((vector_size (16)));
  const char *p = r->p;
  bytes lines = { 0 };
  unsigned rounds = 0;

  for (bytes b; r->end - p >= (ptrdiff_t) sizeof (b); p += sizeof (b))
    {
      memcpy (&b, p, sizeof (b));
      words found = (words) ((b == '{') | (b == '}') | (b == '/') | (b == '"') | (b == 0));
      if ((found[0] | found[1]) != 0)
	break;
      lines -= (bytes) (b == '\n');
      if (++rounds % UINT8_MAX != 0)
	continue;
      for (unsigned i = 0; i < sizeof (lines); i++)
	r->line += lines[i];
      lines = (bytes) { 0 };
    }
  for (unsigned i = 0; i < sizeof (lines) && p > r->p; i++)
    r->line += lines[i];
  for (; *p != '{' && *p != '}' && *p != '/' && *p != '"' && *p != 0; p++)
    r->line += *p == '\n';
  r->p = p;
}

/* From behind the opening brace of a body to behind the closing one.  */
static bool
skip_body (struct ptx_reader *r)
{
  for (uint32_t depth = 1; depth > 0; )
    switch (*r->p)
      {
      case '{':
	depth++;
	r->p++;
	break;
      case '}':
	depth--;
	r->p++;
	break;
      case '/':
	if (!ptx_skip_comment (r))
	  r->p++;
	break;
      case '"':
	{
	  const char *text;
	  uint32_t length;
	  if (!ptx_read_string (r, &text, &length))
	    return false;
	  break;
	}
      case 0:
	return ptx_fail (r, "a function's body has no end");
      default:
	skip_plain (r);
      }
  return true;
}

static bool
read_function (struct ptx_reader *r, bool entry, uint8_t linkage)
{
  uint32_t line = r->line;
  struct ptx_item *item = new_item (r, PTX_ITEM_FUNCTION, line);
  struct ptx_function *f = ptx_alloc (r->ptx, sizeof (*f));
  if (item == NULL || f == NULL)
    return ptx_fail_memory (r);
  item->u.function = f;
  f->module = r->module;
  f->linkage = linkage;
  f->is_entry = entry;

  r->s->num_vars = 0;
  ptx_skip_space (r);
  if (*r->p == '(' && !entry && !ptx_read_params (r, &f->num_results, false))
    return false;
  if ((f->name = ptx_expect_name (r)) == 0)
    return false;
  ptx_skip_space (r);
  if (*r->p == '(')
    {
      if (!ptx_read_params (r, &f->num_params, false))
	return false;
      f->param_parens = f->num_params == 0;
    }
  if (!read_directives (r, f))
    return false;
  f->num_vars = f->var_room = f->num_results + f->num_params;
  f->vars = ptx_alloc (r->ptx, f->num_vars * sizeof (f->vars[0]));
  if (f->vars == NULL)
    return ptx_fail_memory (r);
  if (f->num_vars > 0)
    memcpy (f->vars, r->s->vars, f->num_vars * sizeof (f->vars[0]));

  f->is_read = true;
  if (!ptx_accept (r, ';'))
    {
      if (!ptx_expect (r, '{'))
	return false;
      f->text = r->p - 1;
      f->line = r->line;
      f->has_body = true;
      f->is_read = (r->flags & PTX_LAZY) == 0;
      r->is_body = true;
      bool good = f->is_read ? ptx_read_statements (r, f) : skip_body (r);
      r->is_body = false;
      if (!good)
	return false;
      f->text_size = (uint32_t) (r->p - f->text);
    }
  return add_item (r, item);
}

static bool
read_alias (struct ptx_reader *r)
{
  struct ptx_item *item = new_item (r, PTX_ITEM_ALIAS, r->line);
  return item != NULL && (item->u.alias.name = ptx_expect_name (r)) != 0 && ptx_expect (r, ',')
	 && (item->u.alias.of = ptx_expect_name (r)) != 0 && ptx_expect (r, ';')
	 && add_item (r, item);
}

/* .file 1 "name", 0, 0; .pragma "name"; .section name { ... }.  */
static bool
read_raw (struct ptx_reader *r, enum ptx_item_kind kind)
{
  struct ptx_item *item = new_item (r, kind, r->line);
  const char *text;
  uint32_t length;
  uint32_t number;

  if (item == NULL)
    return false;
  ptx_skip_space (r);
  const char *start = r->p, *end;
  if (kind == PTX_ITEM_SECTION)
    {
      while (*r->p != '{' && *r->p != 0 && *r->p != ';')
	r->line += *r->p++ == '\n';
      if (!ptx_expect (r, '{') || !skip_body (r))
	return false;
      end = r->p;
    }
  else
    {
      if (kind == PTX_ITEM_FILE && !ptx_read_u32 (r, &item->u.raw.number))
	return false;
      if (!ptx_read_string (r, &text, &length))
	return false;
      end = r->p;
      while (kind == PTX_ITEM_FILE && ptx_accept (r, ','))
	{
	  if (!ptx_read_plain (r, &number))
	    return false;
	  end = r->p;
	}
      if (kind == PTX_ITEM_PRAGMA && !ptx_expect (r, ';'))
	return false;
    }
  item->u.raw.text = start;
  item->u.raw.length = (uint32_t) (end - start);
  return add_item (r, item);
}

static bool
read_version (struct ptx_reader *r)
{
  struct ptx_module *m = r->module;
  uint32_t part[2] = { 0, 0 };
  ptx_skip_space (r);
  const char *at = r->p;
  for (int i = 0; i < 2; i++)
    {
      if (!ptx_is_digit (*r->p))
	return ptx_expected (r, "a digit");
      for (; ptx_is_digit (*r->p) && part[i] < 1000; r->p++)
	part[i] = part[i] * 10 + (unsigned) (*r->p - '0');
      if (i == 0 && *r->p++ != '.')
	return ptx_fail (r, ".version without '.'");
    }
  if (m->version_major != 0 || part[0] == 0)
    return ptx_fail (r, part[0] == 0 ? "version 0" : "a second .version");
  m->version_at = at;
  m->version_size = (uint32_t) (r->p - at);
  m->version_major = (uint16_t) part[0];
  m->version_minor = (uint16_t) part[1];
  return true;
}

static bool
read_target (struct ptx_reader *r)
{
  struct ptx_module *m = r->module;
  static const char sm[] = "sm_";
  ptx_skip_space (r);
  m->can_grow = m->target == NULL;
  m->target = m->target_at = r->p;
  do
    {
      ptx_name name = ptx_expect_name (r);
      if (name == 0)
	return false;
      const struct ptx_name_entry *e = &r->ptx->names[name];
      m->target_length = m->target_size = (uint32_t) (r->p - m->target);
      if (e->length > sizeof (sm) - 1 && memcmp (e->text, sm, sizeof (sm) - 1) == 0)
	for (uint32_t i = sizeof (sm) - 1; i < e->length && i < 8 && ptx_is_digit (e->text[i]); i++)
	  m->sm = m->sm * 10 + (unsigned) (e->text[i] - '0');
    }
  while (ptx_accept (r, ','));
  return true;
}

/* .loc outside of functions says nothing.  */
static bool
skip_loc (struct ptx_reader *r)
{
  uint32_t number;
  return ptx_read_u32 (r, &number) && ptx_read_u32 (r, &number) && ptx_read_u32 (r, &number);
}

static bool
read_item (struct ptx_reader *r)
{
  for (uint8_t linkage = 0;;)
    {
      ptx_name word = ptx_read_word (r);
      if (word == 0)
	return false;
      if (word == PTX_FUNC || word == PTX_ENTRY)
	return read_function (r, word == PTX_ENTRY, linkage);
      if (ptx_is_space (word))
	return read_variables (r, word, linkage);
      if (linkage != 0)
	return ptx_expected (r, "a variable or function");
      switch (word)
	{
	case PTX_EXTERN:
	case PTX_VISIBLE:
	case PTX_WEAK:
	case PTX_COMMON:
	  linkage = (uint8_t) word;
	  break;
	case PTX_VERSION: return read_version (r);
	case PTX_TARGET: return read_target (r);
	case PTX_ADDRESS_SIZE:
	  return ptx_read_u32 (r, &r->module->address_size)
		 && (r->module->address_size == 32 || r->module->address_size == 64
		     || ptx_fail (r, "addresses of %u bits", r->module->address_size));
	case PTX_FILE: return read_raw (r, PTX_ITEM_FILE);
	case PTX_PRAGMA: return read_raw (r, PTX_ITEM_PRAGMA);
	case PTX_SECTION: return read_raw (r, PTX_ITEM_SECTION);
	case PTX_ALIAS: return read_alias (r);
	case PTX_LOC: return skip_loc (r);
	default:
	  return ptx_fail (r, "%.*s is not expected here", (int) r->ptx->names[word].length,
			   r->ptx->names[word].text);
	}
      ptx_skip_space (r);
    }
}

bool
ptx_read_items (struct ptx_reader *r)
{
  for (;;)
    {
      ptx_skip_space (r);
      if (*r->p == ';')
	r->p++;
      else if (*r->p == 0)
	return true;
      else if (!read_item (r))
	return false;
    }
}

/* ---- Texts ---- */

static bool
read_module (struct ptx *ptx, const char *text, size_t size, unsigned flags, char *why,
	     struct ptx_module **module)
{
  struct ptx_reader r = { .ptx = ptx, .s = ptx->scratch, .line = 1, .flags = flags, .why = why };
  const char *end = size > 0 ? memchr (text, 0, size) : NULL;
  struct ptx_module *m = ptx_alloc (ptx, sizeof (*m));

  if (size >= UINT32_MAX)
    return ptx_fail (&r, "the text is too large");
  if (end == NULL)
    {
      char *copy = ptx_alloc (ptx, size + 1);
      if (copy == NULL)
	return ptx_fail_memory (&r);
      if (size > 0)
	memcpy (copy, text, size);
      text = copy;
      end = copy + size;
    }
  if (m == NULL)
    return ptx_fail_memory (&r);
  *module = r.module = m;
  m->ptx = ptx;
  m->text = text;
  m->size = (size_t) (end - text);
  r.p = text;
  r.end = end;
  if (!ptx_read_items (&r))
    return false;
  if (m->version_major == 0)
    return ptx_fail (&r, "there is no .version");
  m->num_read = m->num_items;
  if (ptx->num_modules == ptx->module_room)
    {
      uint32_t room = ptx->module_room ? 2 * ptx->module_room : 16;
      struct ptx_module **all = realloc (ptx->modules, room * sizeof (all[0]));
      if (all == NULL)
	{
	  ptx->no_memory = true;
	  return ptx_fail_memory (&r);
	}
      ptx->modules = all;
      ptx->module_room = room;
    }
  m->index = ptx->num_modules;
  ptx->modules[ptx->num_modules++] = m;
  return true;
}

struct ptx_module *
ptx_read (struct ptx *ptx, const char *text, size_t size, unsigned flags, char why[PTX_WHY])
{
  struct ptx_module *m = NULL;
  ptx_close_scopes (ptx);
  bool good = read_module (ptx, text, size, flags, why, &m);
  ptx_close_scopes (ptx);
  return good ? m : NULL;
}

bool
ptx_read_body (struct ptx_function *f, unsigned flags, char why[PTX_WHY])
{
  if (f->is_read)
    return true;
  struct ptx *ptx = f->module->ptx;
  struct ptx_reader r = { .ptx = ptx, .s = ptx->scratch, .module = f->module,
			  .p = f->text + 1, .end = f->module->text + f->module->size,
			  .line = f->line, .flags = flags, .is_body = true, .why = why };
  ptx_close_scopes (ptx);
  bool good = ptx_read_statements (&r, f);
  if (good && r.p != f->text + f->text_size)
    good = ptx_fail (&r, "the function's end is somewhere else");
  ptx_close_scopes (ptx);
  f->is_read = good;
  return good;
}
