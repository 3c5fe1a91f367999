/* nvptx-inline-math.c -- our functions of libm in the program's text, in place of their calls.

   Such a function is some dozens of instructions without a branch.  Around a call of it the
   driver's compiler keeps what is needed behind the call in certain registers, or in memory, and
   what the function computes can't be mixed with what stands around it.

   Like in nvptx-inline.c a body is a block of PTX with registers of its own.  Here it has
   parameters, and they are what the call's block has stored:

     { .param .f32 %value_in;                    { .reg .f32 %gompx_in0; .reg .f32 %gompx_result;
       .param .f32 %out_arg1;                      mov.f32 %gompx_in0,%r23;
       st.param.f32 [%out_arg1],%r23;       =>     { the body, from %gompx_in0 to %gompx_result }
       call (%value_in),expf,(%out_arg1);          mov.f32 %r25,%gompx_result;
       ld.param.f32 %r25,[%value_in]; }          }

   What a function has to hand back by pointers, as sincosf, it stores, and the program loads it
   behind the call, from its frame, which is in global memory or in that of the lane.  Such loads
   are moves from the registers of the body.

   Invariants
   1. A function is taken if its text is a body with one return, at its end, that refers to nothing
      but its own registers and parameters and calls nothing but our functions of libm.  Any other
      stays a call.  None is taken that the program has a function of its own for, by name.
   2. Only a block as compilers write it is replaced, with arguments of the types of the parameters.
   3. Registers and labels get names of their own, as in nvptx-inline.c.
   4. A load behind a call is replaced if the pointer was made once, as an address in the function's
      frame that is the load's, and the body ends with the store there, of as many bytes, with no
      branch or label behind it.
   5. Nothing outside of the texts is read: they end with a NUL.

   Called by nvptx-texts.c, after everything that looks for the names of what is called.  */

#define _GNU_SOURCE 1
#include "nvptx-inline.h"
#include "nvptx-tokens.h"

#include <stdlib.h>
#include <string.h>

enum
{
  MOST_PARAMETERS = 4,
  MOST_NAMES = 400,		/* registers and parameters of a body */
  MOST_STATEMENTS = 256,	/* of a body */
  MOST_ADDED = 4096		/* statements, in all */
};

static const char begin_definition[] = "// BEGIN GLOBAL FUNCTION DEF: ";
static const char any_definition[] = "FUNCTION DEF: ";

/* Stands for a number in what is kept of a body.  */
enum { SITE = '#' };

struct parameter
{
  struct token type, name;
  unsigned moved;		/* bits of what the body stores there, and moves to a register; 0: none */
  bool stored;			/* it ends with that */
};

struct math
{
  struct token name;
  struct parameter result, parameters[MOST_PARAMETERS];	/* a result of length 0: none */
  unsigned num_parameters, num_statements;
  struct ptx_text text;		/* a block, with a mark where its number goes */
};

struct body
{
  const struct nvptx_object *objects;
  size_t num_objects;
  struct math *f;
  struct ptx_text *declarations;
  struct token names[MOST_NAMES];
  unsigned char holds[MOST_NAMES];	/* by name: 1 + the parameter that it holds, or 0 */
  unsigned char nothing;
  bool rewritten;		/* one that holds a parameter is written again */
  size_t num_names;
};

static bool
is_known (const struct body *b, struct token word)
{
  for (size_t i = 0; i < b->num_names; i++)
    if (token_same (b->names[i], word))
      return true;
  return false;
}

/* What a register of the body holds of the parameters, a place to write it to.  */
static unsigned char *
holds (struct body *b, struct token reg)
{
  for (size_t i = 0; i < b->num_names; i++)
    if (token_same (b->names[i], reg))
      return &b->holds[i];
  b->nothing = 0;
  return &b->nothing;
}

/* ---- declarations ---- */

/* The type behind ".param" at *T.  */
static bool
skip_param (struct token *t, struct token *type)
{
  static const char word[] = ".param";
  size_t length = sizeof (word) - 1;

  if (!token_begins (*t, word))
    return false;
  *type = *t;
  if (t->length == length)
    return *t = token_after (*t), skip_word_token (t, type);
  type->at += length;
  type->length -= length;
  *t = token_after (*t);
  return true;
}

/* A definition's head, from ".func" at T to the brace.  */
static bool
read_head (struct token t, struct math *f, struct token *body)
{
  if (!skip_token (&t, ".func"))
    return false;
  if (skip_token (&t, "(")
      && !(skip_param (&t, &f->result.type) && skip_word_token (&t, &f->result.name)
	   && skip_token (&t, ")")))
    return false;
  if (!skip_word_token (&t, &f->name) || !skip_token (&t, "("))
    return false;
  do
    if (f->num_parameters == MOST_PARAMETERS
	|| !skip_param (&t, &f->parameters[f->num_parameters].type)
	|| !skip_word_token (&t, &f->parameters[f->num_parameters++].name))
      return false;
  while (skip_token (&t, ","));
  *body = t;
  return skip_token (body, ")") && token_is (*body, "{");
}

/* Does OBJECT have a function called NAME, also one of its own?  */
static bool
has_function (const struct nvptx_object *object, struct token name)
{
  for (const char *at = object->text; (at = strstr (at, any_definition)) != NULL; )
    {
      at += sizeof (any_definition) - 1;
      if (strncmp (at, name.at, name.length) == 0 && at[name.length] == '\n')
	return true;
    }
  return false;
}

/* What one of OBJECTS defines as NAME, behind the comment in front of it; or NULL.  */
static const char *
find_definition (const struct nvptx_object *objects, size_t num, struct token name)
{
  for (size_t i = 0; i < num; i++)
    for (const char *at = objects[i].text; (at = strstr (at, begin_definition)) != NULL; )
      {
	at += sizeof (begin_definition) - 1;
	if (strncmp (at, name.at, name.length) == 0 && at[name.length] == '\n')
	  return at + name.length + 1;
      }
  return NULL;
}

/* ---- bodies ---- */

static void
put_name (struct ptx_text *out, struct token name)
{
  ptx_printf (out, "%%gompx_%.*s", (int) name.length - (*name.at == '%'),
	      name.at + (*name.at == '%'));
}

/* Print a word or other character, with a blank behind it where there was white space.  False: it
   can't stand elsewhere.  */
static bool
put_token (struct body *b, struct token t)
{
  struct ptx_text *out = &b->f->text;

  if (is_known (b, t))
    put_name (out, t);
  else if (token_begins (t, "$L"))
    ptx_printf (out, "$gompx%c_%.*s", SITE, (int) t.length - 1, t.at + 1);
  else if (t.length == 0 || (t.word ? *t.at == '%' : strchr ("#\"/", *t.at) != NULL))
    return false;
  else
    ptx_printf (out, "%.*s", (int) t.length, t.at);
  if (strchr (" \t\n\r", t.at[t.length]) != NULL)
    ptx_printf (out, " ");
  return true;
}

/* A statement from *T up to its semicolon, as it is.  SYMBOL: a word that may stand there though it
   is no register.  */
static bool
put_rest (struct body *b, struct token *t, struct token symbol)
{
  for (; !token_is (*t, ";"); *t = token_after (*t))
    if (t->word && (*t->at == '_' || (*t->at >= 'a' && *t->at <= 'z')) && !token_same (*t, symbol))
      return false;
    else if (!put_token (b, *t))
      return false;
  *t = token_after (*t);
  ptx_printf (&b->f->text, ";\n");
  return true;
}

/* The declaration at *T, of registers or a parameter.  */
static bool
put_declaration (struct body *b, struct token *t)
{
  for (struct token word = *t; !token_is (word, ";"); word = token_after (word))
    if (word.length == 0 || b->num_names == MOST_NAMES)
      return false;
    else if (word.word && *word.at == '%')
      b->names[b->num_names++] = word;
  return put_rest (b, t, *t);
}

/* The load of a parameter or store of the result at *T: a move.  Others concern the body's own
   parameters.  */
static bool
put_access (struct body *b, struct token *t)
{
  struct token next = *t, reg, name;
  bool load = token_begins (*t, "ld");
  const char *type = t->at + sizeof ("ld.param") - 1;
  int length = (int) t->length - (int) sizeof ("ld.param") + 1;

  next = token_after (next);
  if (load ? !skip_word_token (&next, &reg) || !skip_token (&next, ",") || !skip_token (&next, "[")
	     || !skip_word_token (&next, &name) || !skip_token (&next, "]")
	   : !skip_token (&next, "[") || !skip_word_token (&next, &name) || !skip_token (&next, "]")
	     || !skip_token (&next, ",") || !skip_word_token (&next, &reg))
    return false;
  if (is_known (b, name))
    return put_token (b, *t) && (*t = token_after (*t), put_rest (b, t, *t));
  if (!is_known (b, reg) || !skip_token (&next, ";"))
    return false;
  *t = next;
  ptx_printf (&b->f->text, "mov%.*s ", length, type);
  for (unsigned i = 0; i < b->f->num_parameters && load; i++)
    if (token_same (name, b->f->parameters[i].name))
      {
	b->rewritten |= *holds (b, reg) != 0;
	*holds (b, reg) = 1 + i;
	put_name (&b->f->text, reg);
	ptx_printf (&b->f->text, ",%%gompx_in%u;\n", i);
	return true;
      }
  if (load || !token_same (name, b->f->result.name))
    return false;
  ptx_printf (&b->f->text, "%%gompx_result,");
  put_name (&b->f->text, reg);
  ptx_printf (&b->f->text, ";\n");
  return true;
}

/* The call at *T, of another function of ours.  */
static bool
put_call (struct body *b, struct token *t)
{
  struct token callee = token_after (*t);

  if (token_is (callee, "("))
    while (callee.length > 0 && !skip_token (&callee, ","))
      callee = token_after (callee);
  const char *line = find_definition (b->objects, b->num_objects, callee);
  if (line == NULL)
    return false;
  struct token first = token_at (line);
  line = first.at + first.length;
  ptx_printf (b->declarations, "// BEGIN GLOBAL FUNCTION DECL: %.*s\n.extern%.*s;\n",
	      (int) callee.length, callee.at,
	      (int) strcspn (line, "\n"), line);
  return put_token (b, *t) && (*t = token_after (*t), put_rest (b, t, callee));
}

/* Forget the stores: the body does not end with them.  */
static void
forget_stored (struct body *b)
{
  for (unsigned i = 0; i < b->f->num_parameters; i++)
    b->f->parameters[i].stored = false;
}

/* How many bits a load or store is of, if it is a plain one of 32 or 64, as ld.f32.  */
static unsigned
bits_of (struct token opcode)
{
  if (opcode.length != 6)
    return 0;
  return memcmp (opcode.at + 4, "32", 2) == 0 ? 32 : memcmp (opcode.at + 4, "64", 2) == 0 ? 64 : 0;
}

/* Behind the store at T, which was printed: if it is to where a parameter points, also a move to a
   register.  False: the body cannot be taken.  */
static bool
put_stored (struct body *b, struct token t)
{
  struct token value, pointer;
  unsigned bits = bits_of (t), k = 0;

  t = token_after (t);
  if (bits > 0 && skip_token (&t, "[") && skip_word_token (&t, &pointer) && skip_token (&t, "]")
      && skip_token (&t, ",")
      && skip_word_token (&t, &value) && is_known (b, value))
    k = *holds (b, pointer);
  if (k == 0)
    {
      forget_stored (b);
      return true;
    }
  struct parameter *p = &b->f->parameters[k - 1];
  if (p->moved != 0 && p->moved != bits)
    return false;
  p->moved = bits;
  p->stored = true;
  ptx_printf (&b->f->text, "mov.b%u %%gompx_out%u,", bits, k - 1);
  put_name (&b->f->text, value);
  ptx_printf (&b->f->text, ";\n");
  return true;
}

/* The statement at T, which writes a register: a move hands on what its source holds.  */
static void
note_holder (struct body *b, struct token t)
{
  struct token to, from;
  bool move = token_is (t, "mov.u64");

  t = token_after (t);
  if (!skip_word_token (&t, &to))
    return;
  b->rewritten |= *holds (b, to) != 0;
  if (move && skip_token (&t, ",") && skip_word_token (&t, &from))
    *holds (b, to) = *holds (b, from);
}

/* The body whose opening brace is at T.  */
static bool
put_body (struct body *b, struct token t)
{
  unsigned depth = 0;

  while (t.length > 0)
    {
      if (skip_token (&t, "{"))
	{
	  depth++;
	  ptx_printf (&b->f->text, "{\n");
	  continue;
	}
      if (skip_token (&t, "}"))
	{
	  if (--depth == 0)
	    return false;
	  ptx_printf (&b->f->text, "}\n");
	  continue;
	}
      if (token_begins (t, "$L") && token_is (token_after (t), ":"))
	{
	  put_token (b, t);
	  ptx_printf (&b->f->text, ":\n");
	  forget_stored (b);
	  t = token_after (token_after (t));
	  continue;
	}
      if (skip_token (&t, "ret"))
	{
	  ptx_printf (&b->f->text, "}\n");
	  if (b->rewritten)
	    forget_stored (b);
	  return depth == 1 && skip_token (&t, ";") && token_is (t, "}");
	}
      if (++b->f->num_statements > MOST_STATEMENTS)
	return false;
      if (token_begins (t, ".reg") || token_begins (t, ".param"))
	{
	  b->f->num_statements--;
	  if (!put_declaration (b, &t))
	    return false;
	  continue;
	}
      if (token_begins (t, "ld.param") || token_begins (t, "st.param"))
	{
	  if (!put_access (b, &t))
	    return false;
	  continue;
	}
      if (token_begins (t, "call"))
	{
	  forget_stored (b);
	  if (!put_call (b, &t))
	    return false;
	  continue;
	}
      bool guarded = token_is (t, "@");
      if (guarded)
	do
	  if (!put_token (b, t))
	    return false;
	while (t = token_after (t), token_is (t, "!") || (t.word && *t.at == '%'));
      if (!t.word || *t.at < 'a' || *t.at > 'z' || token_is (t, "ret") || token_is (t, "exit")
	  || token_begins (t, "call")
	  || !put_token (b, t))
	return false;
      struct token opcode = t;
      t = token_after (t);
      if (!put_rest (b, &t, t))
	return false;
      if (token_begins (opcode, "bra") || (token_begins (opcode, "st") && guarded))
	forget_stored (b);
      else if (token_begins (opcode, "st") ? !put_stored (b, opcode)
	       : (note_holder (b, opcode), false))
	return false;
    }
  return false;
}

/* What can be taken of OBJECTS.  */
struct maths
{
  struct math *v;
  size_t num;
  struct ptx_text declarations;
};

static void
free_maths (struct maths *m)
{
  for (size_t i = 0; i < m->num; i++)
    free (m->v[i].text.text);
  free (m->v);
  free (m->declarations.text);
}

/* For PROGRAM.  False: out of memory.  */
static bool
find_maths (const struct nvptx_object *objects, size_t num, const struct nvptx_object *program,
	    struct maths *m)
{
  struct body *b = malloc (sizeof (*b));
  size_t room = 0;
  bool good = b != NULL;

  for (size_t i = 0; i < num && good; i++)
    for (const char *at = objects[i].text; good && (at = strstr (at, begin_definition)) != NULL; )
      {
	at += strcspn (at, "\n");
	if (m->num == room)
	  {
	    struct math *more = realloc (m->v, (room += 32) * sizeof (*more));
	    if (more == NULL)
	      {
		good = false;
		break;
	      }
	    m->v = more;
	  }
	struct math *f = &m->v[m->num];
	struct token body;
	size_t before = m->declarations.size;
	memset (f, 0, sizeof (*f));
	*b = (struct body) { .objects = objects, .num_objects = num, .f = f,
			     .declarations = &m->declarations };
	bool taken = read_head (token_after (token_at (at)), f, &body)
		     && !has_function (program, f->name) && put_body (b, body);
	good = !f->text.no_memory && !m->declarations.no_memory;
	if (taken && good)
	  m->num++;
	else
	  {
	    free (f->text.text);
	    m->declarations.size = before;
	    if (m->declarations.text != NULL)
	      m->declarations.text[before] = 0;
	  }
      }
  free (b);
  return good;
}

/* ---- the program ---- */

/* A block around a call.  */
struct site
{
  const struct math *f;
  struct token callee, values[MOST_PARAMETERS], types[MOST_PARAMETERS], names[MOST_PARAMETERS];
  unsigned num_values;
  struct token result, result_type, destination;	/* of length 0: none */
};

/* A place in a function's frame.  */
struct place
{
  bool known;
  long offset;
};

/* The type behind "st.param" or "ld.param" at *T.  */
static bool
skip_access (struct token *t, const char *word, struct token *type)
{
  *type = *t;
  if (!token_begins (*t, word) || t->length == strlen (word))
    return false;
  type->at += strlen (word);
  type->length -= strlen (word);
  *t = token_after (*t);
  return true;
}

static bool
read_store (struct token *t, struct site *s)
{
  unsigned n = s->num_values++;
  return n < MOST_PARAMETERS && skip_access (t, "st.param", &s->types[n]) && skip_token (t, "[")
	 && skip_word_token (t, &s->names[n]) && skip_token (t, "]") && skip_token (t, ",")
	 && skip_word_token (t, &s->values[n]) && skip_token (t, ";");
}

/* The call itself, with the arguments in the order in which they were stored.  */
static bool
read_call (struct token *t, struct site *s)
{
  struct token name;

  if (!skip_token (t, "call") && !skip_token (t, "call.uni"))
    return false;
  if (skip_token (t, "(")
      && !(skip_word_token (t, &s->result) && skip_token (t, ")") && skip_token (t, ",")))
    return false;
  if (!skip_word_token (t, &s->callee) || !skip_token (t, ",") || !skip_token (t, "("))
    return false;
  for (unsigned i = 0; i < s->num_values; i++)
    if ((i > 0 && !skip_token (t, ",")) || !skip_word_token (t, &name)
	|| !token_same (name, s->names[i]))
      return false;
  return skip_token (t, ")") && skip_token (t, ";");
}

/* The block whose brace is at AT: where the text goes on behind it; NULL: it is no call that can be
   replaced.  */
static const char *
read_site (const struct maths *m, const char *at, struct site *s)
{
  struct token t = token_at (at), name;

  memset (s, 0, sizeof (*s));
  if (!skip_token (&t, "{"))
    return NULL;
  for (;;)
    if (token_begins (t, ".param"))
      {
	while (t.length > 0 && !token_is (t, ";"))
	  t = token_after (t);
	t = token_after (t);
      }
    else if (!token_begins (t, "st.param"))
      break;
    else if (!read_store (&t, s))
      return NULL;
  if (!read_call (&t, s))
    return NULL;
  if (s->result.length > 0
      && !(skip_access (&t, "ld.param", &s->result_type) && skip_word_token (&t, &s->destination)
	   && skip_token (&t, ",") && skip_token (&t, "[") && skip_word_token (&t, &name)
	   && token_same (name, s->result) && skip_token (&t, "]")
	   && skip_token (&t, ";")))
    return NULL;
  if (!token_is (t, "}"))
    return NULL;
  for (size_t i = 0; i < m->num && s->f == NULL; i++)
    if (token_same (m->v[i].name, s->callee))
      s->f = &m->v[i];
  if (s->f == NULL || s->f->num_parameters != s->num_values
      || s->f->result.type.length != s->result_type.length
      || (s->result.length > 0 && !token_same (s->f->result.type, s->result_type)))
    return NULL;
  for (unsigned i = 0; i < s->num_values; i++)
    if (!token_same (s->f->parameters[i].type, s->types[i]))
      return NULL;
  return t.at + t.length;
}

/* Is WORD the first operand of the statement of LINE, up to its end: what it writes, or jumps
   to? */
static bool
is_written (const char *line, const char *end, struct token word, struct token *opcode)
{
  struct token t = token_at (line);

  if (skip_token (&t, "@"))
    {
      skip_token (&t, "!");
      t = token_after (t);
    }
  *opcode = t;
  t = token_after (t);
  return opcode->word && t.at < end && token_same (t, word);
}

/* The statement that makes REG in the function from BEGIN to END, if there is just one, without a
   guard; or NULL.  */
static const char *
find_maker (const char *begin, const char *end, struct token reg)
{
  const char *found = NULL;

  for (const char *line = begin; line < end; line += strcspn (line, "\n") + 1)
    {
      struct token opcode;
      const char *stop = line + strcspn (line, "\n");
      if (token_begins (token_at (line), "."))
	continue;
      if (is_written (line, stop, reg, &opcode))
	{
	  if (found != NULL || token_is (token_at (line), "@"))
	    return NULL;
	  found = opcode.at;
	}
      /* Several at once, or at a place that is not looked at.  */
      else if (memchr (line, '{', stop - line) != NULL
	       && memmem (line, stop - line, reg.at, reg.length) != NULL)
	return NULL;
    }
  return found;
}

/* The number at *T, as in an address.  */
static bool
skip_number (struct token *t, long *number)
{
  char *end;
  *number = strtol (t->at, &end, 10);
  bool good = t->word && end == t->at + t->length;
  *t = token_after (*t);
  return good;
}

/* Where REG points to, in the function from BEGIN to END.  */
static struct place
find_place (const char *begin, const char *end, struct token reg)
{
  static const char frame[] = "%frame";
  struct place none = { false, 0 }, here = { true, 0 };
  struct token name = { frame, sizeof (frame) - 1, true };

  if (find_maker (begin, end, name) == NULL)
    return none;
  if (token_same (reg, name))
    return here;
  const char *maker = find_maker (begin, end, reg);
  if (maker == NULL)
    return none;
  struct token t = token_at (maker), to;
  here.known = skip_token (&t, "add.u64") && skip_word_token (&t, &to) && skip_token (&t, ",")
	       && skip_token (&t, frame) && skip_token (&t, ",") && skip_number (&t, &here.offset)
	       && token_is (t, ";");
  return here;
}

/* The load at AT of what site S has stored in its function's frame, from BEGIN to END, becomes a
   move.  Where the text goes on; NULL: it is none.  */
static const char *
put_load (struct ptx_text *out, const struct site *s, const char *begin, const char *end,
	  const char *at)
{
  struct token t = token_at (at), opcode = t, to, base;
  long offset = 0;

  if (!token_begins (t, "ld."))
    return NULL;
  unsigned bits = bits_of (opcode);
  t = token_after (t);
  if (bits == 0 || !skip_word_token (&t, &to) || !skip_token (&t, ",") || !skip_token (&t, "[")
      || !skip_word_token (&t, &base)
      || (skip_token (&t, "+") && !skip_number (&t, &offset)) || !skip_token (&t, "]")
	  || !token_is (t, ";"))
    return NULL;
  struct place place = find_place (begin, end, base);
  unsigned found = MOST_PARAMETERS;
  for (unsigned i = 0; i < s->num_values && place.known; i++)
    {
      const struct parameter *p = &s->f->parameters[i];
      if (p->moved == 0)
	continue;
      struct place other = find_place (begin, end, s->values[i]);
      /* Another one may be there, too.  */
      if (!other.known || !p->stored)
	return NULL;
      long distance = 8 * (place.offset + offset - other.offset);
      if (distance == 0 && p->moved == bits && found == MOST_PARAMETERS)
	found = i;
      else if (distance > -(long) bits && distance < (long) p->moved)
	return NULL;
    }
  if (found == MOST_PARAMETERS)
    return NULL;
  ptx_printf (out, "\tmov.b%u %.*s,%%gompx_out%u;\n", bits, (int) to.length, to.at, found);
  return t.at + t.length;
}

/* In place of S, the site number NUMBER, in the function from BEGIN to END.  Where the text goes on
   that is at AT behind it.  */
static const char *
put_site (struct ptx_text *out, const struct site *s, unsigned number, const char *begin,
	  const char *end, const char *at)
{
  ptx_printf (out, "{\n");
  for (unsigned i = 0; i < s->num_values; i++)
    if (s->f->parameters[i].moved > 0)
      ptx_printf (out, "\t.reg .b%u %%gompx_out%u;\n", s->f->parameters[i].moved, i);
  for (unsigned i = 0; i < s->num_values; i++)
    {
      struct token type = s->types[i];
      ptx_printf (out, "\t.reg %.*s %%gompx_in%u;\n", (int) type.length, type.at, i);
      ptx_printf (out, "\tmov%.*s %%gompx_in%u,%.*s;\n", (int) type.length, type.at, i,
		  (int) s->values[i].length, s->values[i].at);
    }
  struct token type = s->result_type;
  if (s->result.length > 0)
    ptx_printf (out, "\t.reg %.*s %%gompx_result;\n", (int) type.length, type.at);
  const char *piece = s->f->text.text;
  for (const char *next; (next = strchr (piece, SITE)) != NULL; piece = next + 1)
    ptx_printf (out, "%.*sm%u", (int) (next - piece), piece, number);
  ptx_printf (out, "%s", piece);
  if (s->result.length > 0)
    ptx_printf (out, "\tmov%.*s %.*s,%%gompx_result;\n", (int) type.length, type.at,
		(int) s->destination.length, s->destination.at);
  for (const char *next; (next = put_load (out, s, begin, end, at)) != NULL; )
    at = next;
  ptx_printf (out, "}");
  return at;
}

/* With what was found in M, in OBJECT's text.  */
static void
put_object (struct ptx_text *out, const struct maths *m, const struct nvptx_object *object,
	    unsigned *sites)
{
  static const char size[] = "\n.address_size 64\n";
  const char *head = strstr (object->text, size), *done = object->text, *next;
  const char *begin = object->text, *stop = begin;
  unsigned added = 0;

  if (head == NULL || !ptx_reserve (out, object->size + object->size / 8))
    return;
  ptx_print_up_to (out, &done, head += sizeof (size) - 1, 0);
  ptx_printf (out, "%s", m->declarations.text != NULL ? m->declarations.text : "");
  for (const char *line = head; *line != 0; line = next)
    {
      struct site s;
      if (line >= stop)
	{
	  /* The function, or what is between two.  */
	  begin = line;
	  stop = strstr (line + 1, "\n// BEGIN ");
	  stop = stop != NULL ? stop + 1 : line + strlen (line);
	}
      const char *at = line + strspn (line, " \t");
      const char *end = *at == '{' ? read_site (m, at, &s) : NULL;
      if (end != NULL && added + s.f->num_statements <= MOST_ADDED)
	{
	  ptx_print_up_to (out, &done, at, 0);
	  done = next = put_site (out, &s, (*sites)++, begin, stop, end);
	  added += s.f->num_statements;
	}
      else
	{
	  next = strchrnul (at, '\n');
	  next += *next != 0;
	}
    }
  ptx_printf (out, "%s", done);
}

bool
nvptx_inline_math (const struct nvptx_object *math, size_t num_math,
		   const struct nvptx_object *object, struct nvptx_object *result)
{
  struct maths m = { .num = 0 };
  struct ptx_text out = { .size = 0 };
  unsigned sites = 0;

  result->text = NULL;
  if (num_math == 0 || object->size == 0
      || memchr (object->text, 0, object->size) != object->text + object->size - 1)
    return true;
  bool good = find_maths (math, num_math, object, &m);
  if (good && m.num > 0)
    put_object (&out, &m, object, &sites);
  free_maths (&m);
  if (good && sites > 0 && !out.no_memory)
    *result = (struct nvptx_object) { out.text, out.size + 1 };
  else
    free (out.text);
  return good && (sites == 0 || !out.no_memory);
}
