/* nvptx-merge.c -- the program, our library and the objects of the C library and of others that the image was linked with, as one object.

   The driver's compiler takes some milliseconds for each object, whatever is in it, and compiles one after the other, but the functions of one
   at the same time.  So one object takes about as long as its largest function, and several as long as the largest of each together.  A program
   with a few mathematical functions has some thirty objects, most with one function each.

   What one text needs that several did not:
     1. A name that is an object's own, like `one' and `tiny' of libm, may be another one's, too.  It gets the number of its object at its end.
     2. A function is declared once: as the object declares it that defines it, else as the first one that uses it.  All declarations come
	first, then variables, then functions, in the order of the objects.
     3. Numbers of source files are an object's own.  Lines that tell where the code comes from are left out, but for those of the first object.
     4. One version of PTX and one architecture: the newest that an object wants.
     5. A definition that is weak gives way to another one, which the linker would see to.
     6. The tables that mkoffload makes for programs that call the host, or have indirect functions, are a line each, for which the driver's compiler is
	not particular.  They are read as if they were written as compilers do.

   Invariants
   1. Only what is wholly understood is merged: an object that is nothing but what GCC and this plugin write of kernels, functions and variables,
      each function with its declaration and with names of registers and labels that are no names of C.  Any other stays an object of its own.
   2. So does one that can't be in the same text as those before it: with a name that they define, too, neither weakly, or have as their own; with a declaration
      that differs from theirs; or made for threads of a warp that go their own ways (sm_70 and newer) where the others are not, as the driver
      compiles these in another way.
   3. What an object that is not merged refers to has the name that it had, and so has all that is the program's.

   Called by nvptx-link.c when it links in haste; should the driver not take the text it gets the objects.  */

#include "nvptx-merge.h"
#include "nvptx-pieces.h"

#include <stdio.h>
#include <stdlib.h>

enum
{
  MOST_OWN = 200,		/* names of an object that have to change */
  MOST_TABLES = 2
};

/* What an object was made for.  */
struct frame
{
  unsigned major, minor;	/* of PTX */
  unsigned target;		/* sm_NN */
};

enum { OWN_WAYS = 70 };		/* sm_NN: from here on each thread of a warp has a program counter */

struct member
{
  const struct nvptx_object *object;
  struct frame frame;
  size_t number;		/* of the object */
  size_t first, num;		/* its pieces */
  const struct piece *renamed[MOST_OWN];	/* one of each name */
  size_t num_renamed;
};

/* A name that objects share, or that is one's own.  */
struct name
{
  const struct piece *piece;	/* the definition's declaration, else the first declaration; variables: the definition, else the first declaration */
  size_t owner;			/* the member it is of */
  const struct piece *definition;	/* or NULL */
};

struct merging
{
  struct piece *pieces;
  size_t num_pieces, room;
  struct member *members;
  size_t num_members;
  struct nvptx_object tables[MOST_TABLES];	/* as compilers would write them, of malloc */
  size_t num_tables;
  struct name *names;		/* by hash; open, a power of two; piece NULL: empty */
  size_t mask;
  struct frame frame;
};

/* ---- reading ---- */

static bool
add_piece (struct merging *m, const struct piece *piece)
{
  if (m->num_pieces == m->room)
    {
      size_t room = m->room ? 2 * m->room : 256;
      struct piece *pieces = realloc (m->pieces, room * sizeof (*pieces));
      if (pieces == NULL)
	return false;
      m->pieces = pieces;
      m->room = room;
    }
  m->pieces[m->num_pieces++] = *piece;
  return true;
}

/* Read the kernel, or the declaration of what another object defines, that has no comment and is at the begin of LINE.  */
static bool
is_bare (const char *line, const char *end, struct piece *piece)
{
  const char *p = line, *stop = next_line (line, end), *value;
  bool kernel = skip (&p, end, ".visible .entry ");

  if (!kernel && !skip (&p, end, ".extern ."))
    return false;
  *piece = (struct piece) { .start = line, .definition = kernel, .function = kernel || skip (&p, end, "func ") };
  if (piece->function)
    {
      if (*p == '(' && (value = memchr (p, ')', stop - p)) != NULL && value + 1 < stop)
	p = value + (value[1] == ' ' ? 2 : 1);
      piece->name = p;
      piece->length = name_length (p, end);
      piece->end = end_of_function (line, end, kernel ? ".entry" : ".func", kernel);
    }
  else
    {
      while (p < stop && *p != '[' && *p != ';')
	p++;
      for (piece->name = p; is_name_char (piece->name[-1]); piece->length++)
	piece->name--;
      value = memchr (p, ';', stop - p);
      piece->end = value != NULL && memchr (line, '=', stop - line) == NULL ? value + 1 : NULL;
    }
  return piece->end != NULL && piece->length > 0;
}

/* Do the names that the statement at P declares, behind its types, begin with `%'?  */
static bool
has_register_names (const char *p, const char *end)
{
  for (; p < end && *p != ';' && *p != ')'; p++)
    {
      while (p < end && (*p == '.' || *p == ' ' || *p == '\t' || (*p >= '0' && *p <= '9')))
	p += *p == '.' ? 1 + name_length (p + 1, end) : 1;
      if (p == end || *p != '%')
	return false;
      while (p < end && *p != ',' && *p != ';' && *p != ')')
	p++;
      if (p < end && *p != ',')
	return true;
    }
  return true;
}

/* Are the names that function PIECE has for itself, those of registers, parameters and labels, unlike all names of C?  PTX allows the same name for
   something in a function and for another function, but the driver's compiler, of CUDA 13, may crash then.  */
static bool
has_names_apart (const struct piece *piece)
{
  static const char *const spaces[] = { ".reg", ".param", ".local", ".shared", ".global", ".const" };

  for (const char *p = piece->name; p < piece->end; p++)
    if (*p == '/' && p[1] == '/')
      p = next_line (p, piece->end) - 1;
    else if (*p == ':')
      {
	const char *label = p;
	while (is_name_char (label[-1]))
	  label--;
	if (*label != '$')
	  return false;
      }
    else if (*p == '.' && strchr (" \t\n;{(,", p[-1]) != NULL)
      for (size_t i = 0; i < sizeof (spaces) / sizeof (spaces[0]); i++)
	{
	  size_t length = strlen (spaces[i]);
	  if ((size_t) (piece->end - p) > length && memcmp (p, spaces[i], length) == 0 && strchr (" \t.", p[length]) != NULL
	      && !has_register_names (p + length, piece->end))
	    return false;
	}
  return true;
}

/* Find the pieces of OBJECT.  False: there is something else in it, or no memory.  */
static bool
read_object (struct merging *m, const struct nvptx_object *object)
{
  const char *end = object->text + object->size - 1;

  for (const char *line = object->text; line < end; line = next_line (line, end))
    {
      struct piece piece = { .object = 0 };
      if (is_piece (line, end, &piece) || is_plain_variable (line, end, &piece) || is_bare (line, end, &piece))
	{
	  bool more = piece.end < end && piece.end[-1] != '\n' && *piece.end != '\n';	/* in the same line */
	  if (more || (piece.function && !has_names_apart (&piece)) || !add_piece (m, &piece))
	    return false;
	  line = piece.end - 1;
	}
      else if (!is_frame (line, end) && strncmp (line, "//", 2) != 0)
	return false;
    }
  return true;
}

/* Behind mkoffload's function without a name for others, declared and defined, at P; NULL: it is not there.  */
static const char *
behind_dummy (const char *p)
{
  const char *name = p + 6;
  size_t length;

  if (strncmp (p, ".func __dummy$func", 18) != 0)
    return NULL;
  for (length = 0; is_name_char (name[length]); length++)
    continue;
  p = name + length;
  if (strncmp (p, " ( );.func ", 11) != 0 || strncmp (p + 11, name, length) != 0 || strncmp (p + 11 + length, " ( ){}", 6) != 0)
    return NULL;
  return p + 11 + length + 6;
}

/* Write the statements of a table from P on to F, each as a compiler does.  False: it has others.  */
static bool
write_statements (FILE *f, const char *p)
{
  while (*p != 0 && *p != '\n')
    {
      const char *end = strchr (p, ';'), *name = strchr (p, '[');
      if (end == NULL)
	return false;
      if (strncmp (p, ".visible .global ", 17) == 0 && name != NULL && name < end)
	{
	  int length = 0;
	  while (is_name_char (name[-1]))
	    name--, length++;
	  fprintf (f, "// BEGIN GLOBAL VAR DEF: %.*s\n", length, name);
	}
      else if (strncmp (p, ".extern .func ", 14) != 0)
	return false;
      fprintf (f, "%.*s;\n", (int) (end - p), p);
      p = end + 1;
    }
  return p[0] == 0 || p[1] == 0;
}

/* OBJECT as a compiler would write it, if it is a table of mkoffload's; else itself.  */
static const struct nvptx_object *
spell (struct merging *m, const struct nvptx_object *object)
{
  unsigned major, minor, target, file;
  int read = 0;
  char *text = NULL;
  size_t size = 0;
  const char *p;
  FILE *f;

  if (m->num_tables == MOST_TABLES
      || sscanf (object->text, ".version %u.%u.target sm_%u.file %u \"%n", &major, &minor, &target, &file, &read) != 4 || read == 0
      || (p = strchr (object->text + read, '"')) == NULL || (p = behind_dummy (p + 1)) == NULL || (f = open_memstream (&text, &size)) == NULL)
    return object;
  fprintf (f, "// BEGIN PREAMBLE\n.version %u.%u\n.target sm_%u\n.address_size 64\n// END PREAMBLE\n", major, minor, target);
  bool good = write_statements (f, p) && !ferror (f);
  if (fclose (f) != 0 || !good)
    {
      free (text);
      return object;
    }
  m->tables[m->num_tables] = (struct nvptx_object) { text, size + 1 };
  return &m->tables[m->num_tables++];
}

/* The line of TEXT that begins with WORD, or NULL.  */
static const char *
find_line (const char *text, const char *word)
{
  const char *p = strncmp (text, word, strlen (word)) == 0 ? text : NULL;
  for (const char *at = text; p == NULL && (at = strchr (at, '\n')) != NULL; )
    if (strncmp (++at, word, strlen (word)) == 0)
      p = at;
  return p;
}

static bool
read_frame (const char *text, struct frame *frame)
{
  const char *version = find_line (text, ".version "), *target = find_line (text, ".target "), *size = find_line (text, ".address_size ");
  char behind = 0;

  return version != NULL && target != NULL && size != NULL && strncmp (size, ".address_size 64\n", 17) == 0
	 && sscanf (version, ".version %u.%u%c", &frame->major, &frame->minor, &behind) == 3 && behind == '\n'
	 && sscanf (target, ".target sm_%u%c", &frame->target, &behind) == 2 && behind == '\n';
}

/* Can what was made for the one be in a text for the other, or for the newer of both?  */
static bool
same_ways (const struct frame *a, const struct frame *b)
{
  return (a->target < OWN_WAYS) == (b->target < OWN_WAYS);
}

/* FRAME is to do for B, too.  */
static void
extend_frame (struct frame *frame, const struct frame *b)
{
  if (b->target > frame->target)
    frame->target = b->target;
  if (b->major > frame->major || (b->major == frame->major && b->minor > frame->minor))
    {
      frame->major = b->major;
      frame->minor = b->minor;
    }
}

/* ---- names ---- */

static bool
same_name (const struct piece *a, const struct piece *b)
{
  return a->length == b->length && memcmp (a->name, b->name, a->length) == 0;
}

static struct name *
find_name (const struct merging *m, const struct piece *piece)
{
  size_t at = nvptx_name_hash (piece->name, piece->length) & m->mask;
  while (m->names[at].piece != NULL && !same_name (m->names[at].piece, piece))
    at = (at + 1) & m->mask;
  return &m->names[at];
}

/* Is there a declaration of function PIECE in the member?  */
static const struct piece *
find_declaration (const struct merging *m, const struct member *member, const struct piece *piece)
{
  for (size_t i = member->first; i < member->first + member->num; i++)
    if (m->pieces[i].function && !m->pieces[i].definition && same_name (&m->pieces[i], piece))
      return &m->pieces[i];
  return NULL;
}

/* Behind the names of parameters at P, and spaces.  */
static const char *
behind_names (const char *p, const char *end)
{
  while (p < end && (*p == ' ' || *p == '\n' || *p == '%'))
    p += *p == '%' ? name_length (p, end) : 1;
  return p;
}

/* Do two declarations of a function agree, but for whose it is and how its parameters are called?  */
static bool
same_declaration (const struct piece *a, const struct piece *b)
{
  const char *p = memmem (a->start, a->end - a->start, ".func", 5), *q = memmem (b->start, b->end - b->start, ".func", 5);

  if (p == NULL || q == NULL)
    return false;
  for (;; p++, q++)
    {
      p = behind_names (p, a->end);
      q = behind_names (q, b->end);
      if (p == a->end || q == b->end)
	return p == a->end && q == b->end;
      if (*p != *q)
	return false;
    }
}

/* Is the variable that PIECE of the member declares named by the value of one that it defines?  That may come before the definition, so the
   declaration stays.  */
static bool
is_in_value (const struct merging *m, const struct member *member, const struct piece *piece)
{
  for (size_t i = member->first; i < member->first + member->num; i++)
    {
      const struct piece *variable = &m->pieces[i];
      const char *p = variable->function || !variable->definition ? NULL : memchr (variable->name, '=', variable->end - variable->name);
      for (size_t length; p != NULL && p < variable->end; p += length > 0 ? length : 1)
	{
	  length = name_length (p, variable->end);
	  if (length == piece->length && memcmp (piece->name, p, length) == 0)
	    return true;
	}
    }
  return false;
}

/* A kernel, which nobody calls, needs no declaration.  */
static bool
is_kernel (const struct piece *piece)
{
  return piece->function && strncmp (piece->start, ".visible .entry ", 16) == 0;
}

/* Does another definition take the place of this one?  */
static bool
is_weak (const struct piece *definition)
{
  const char *p = definition->start;
  if (*p == '/')
    p = next_line (p, definition->end);
  return skip (&p, definition->end, ".weak ");
}

/* Can the member, which was read, be in one text with those before it?  */
static bool
fits (const struct merging *m, const struct member *member)
{
  size_t own = 0;

  for (size_t i = member->first; i < member->first + member->num; i++)
    {
      const struct piece *piece = &m->pieces[i];
      const struct name *n = find_name (m, piece);
      if (piece->definition && piece->function && (find_declaration (m, member, piece) == NULL) != is_kernel (piece))
	return false;
      if (piece->local && !piece->definition && !piece->function)
	return false;
      own += piece->local && n->piece != NULL;
      if (piece->local || n->piece == NULL)
	continue;
      if (n->piece->local || n->piece->function != piece->function)
	return false;
      if (piece->definition && n->definition != NULL && !is_weak (n->definition) && !is_weak (piece))
	return false;
      if (piece->function && !piece->definition && !same_declaration (n->piece, piece))
	return false;
    }
  return own <= MOST_OWN;
}

static bool
is_renamed (const struct member *member, const char *name, size_t length)
{
  for (size_t i = 0; i < member->num_renamed; i++)
    if (member->renamed[i]->length == length && memcmp (member->renamed[i]->name, name, length) == 0)
      return true;
  return false;
}

/* The member fits: enter its names.  */
static void
admit (struct merging *m, size_t index)
{
  struct member *member = &m->members[index];

  for (size_t i = member->first; i < member->first + member->num; i++)
    {
      const struct piece *piece = &m->pieces[i];
      struct name *n = find_name (m, piece);
      bool is_new = n->piece == NULL;
      if (piece->local && !is_new && n->owner != index)
	{
	  if (!is_renamed (member, piece->name, piece->length))
	    member->renamed[member->num_renamed++] = piece;
	  continue;
	}
      if (is_new)
	*n = (struct name) { .piece = piece, .owner = index };
      if (piece->definition && (n->definition == NULL || (is_weak (n->definition) && !is_weak (piece))))
	{
	  n->definition = piece;
	  n->owner = index;
	  n->piece = piece->function && !is_kernel (piece) ? find_declaration (m, member, piece) : piece;
	}
    }
}

/* Read those of NUM objects from OBJECTS on that fit together.  False: no memory.  */
static bool
read_objects (struct merging *m, const struct nvptx_object *objects, size_t num)
{
  size_t size = 16, fit = 0;

  m->members = calloc (num, sizeof (*m->members));
  if (m->members == NULL)
    return false;
  for (size_t i = 0; i < num; i++)
    {
      struct member *member = &m->members[m->num_members];
      const struct nvptx_object *object = spell (m, &objects[i]);
      *member = (struct member) { .object = object, .number = i, .first = m->num_pieces };
      if (read_object (m, object) && read_frame (object->text, &member->frame))
	{
	  member->num = m->num_pieces - member->first;
	  m->num_members++;
	}
      else
	m->num_pieces = member->first;
    }
  while (size < 2 * m->num_pieces)
    size *= 2;
  m->mask = size - 1;
  m->names = calloc (size, sizeof (*m->names));
  if (m->names == NULL)
    return false;
  for (size_t i = 0; i < m->num_members; i++)
    if ((fit == 0 || same_ways (&m->frame, &m->members[i].frame)) && fits (m, &m->members[i]))
      {
	if (fit == 0)
	  m->frame = m->members[i].frame;
	extend_frame (&m->frame, &m->members[i].frame);
	m->members[fit] = m->members[i];
	admit (m, fit++);
      }
  m->num_members = fit;
  return true;
}

/* ---- writing ---- */

/* Are the source files of the text those of the member?  */
static bool
has_files (const struct member *member)
{
  return member->number == 0;
}

/* Write a piece of the member, without what tells of source files that are not the text's, and with its own names as they are now.  */
static void
write_piece (FILE *f, const struct member *member, const struct piece *piece)
{
  for (const char *line = piece->start, *next; line < piece->end; line = next)
    {
      next = next_line (line, piece->end);
      if (!has_files (member) && (strncmp (line, ".loc ", 5) == 0 || strncmp (line, ".file ", 6) == 0))
	continue;
      for (const char *p = line; p < next && member->num_renamed > 0; )
	{
	  size_t length = name_length (p, next);
	  if (length > 0 && p[-1] != '.' && p[length] != '.' && is_renamed (member, p, length))
	    {
	      fwrite (line, p + length - line, 1, f);
	      fprintf (f, "$m%zu", member->number);
	      line = p + length;
	    }
	  p += length > 0 ? length : 1;
	}
      fwrite (line, next - line, 1, f);
    }
  if (piece->end[-1] != '\n')
    fputc ('\n', f);
}

/* Is it PIECE of member INDEX that tells what the name is?  */
static bool
is_told_by (const struct merging *m, size_t index, const struct piece *piece)
{
  const struct name *n = find_name (m, piece);
  return is_renamed (&m->members[index], piece->name, piece->length) || (n->owner == index && n->piece == piece);
}

/* Does the definition PIECE of the member stay?  */
static bool
is_defined_by (const struct merging *m, const struct member *member, const struct piece *piece)
{
  return is_renamed (member, piece->name, piece->length) || find_name (m, piece)->definition == piece;
}

enum part { DECLARATIONS, VARIABLES, FUNCTIONS, NUM_PARTS };

static void
write_part (FILE *f, const struct merging *m, enum part part)
{
  for (size_t k = 0; k < m->num_members; k++)
    for (size_t i = m->members[k].first; i < m->members[k].first + m->members[k].num; i++)
      {
	const struct piece *piece = &m->pieces[i];
	if (part != (!piece->definition ? DECLARATIONS : piece->function ? FUNCTIONS : VARIABLES))
	  continue;
	if (piece->definition ? is_defined_by (m, &m->members[k], piece)
	    : is_told_by (m, k, piece) || (!piece->function && is_in_value (m, &m->members[k], piece)))
	  write_piece (f, &m->members[k], piece);
      }
}

/* Write the lines with source files that are between the pieces of the member.  */
static void
write_files (FILE *f, const struct merging *m, const struct member *member)
{
  const char *line = member->object->text, *end = line + member->object->size - 1;
  const struct piece *piece = &m->pieces[member->first], *last = piece + member->num;

  for (const char *next; line < end; line = next)
    {
      next = next_line (line, end);
      if (piece < last && line == piece->start)
	next = piece++->end;
      else if (strncmp (line, ".file ", 6) == 0)
	fwrite (line, next - line, 1, f);
    }
}

/* The text of all members, in memory of malloc, or NULL.  */
static char *
write_all (const struct merging *m, size_t *size)
{
  char *text = NULL;
  FILE *f = open_memstream (&text, size);

  if (f == NULL)
    return NULL;
  fprintf (f, "// BEGIN PREAMBLE\n.version %u.%u\n.target sm_%u\n.address_size 64\n// END PREAMBLE\n", m->frame.major, m->frame.minor, m->frame.target);
  if (has_files (&m->members[0]))
    write_files (f, m, &m->members[0]);
  for (int part = 0; part < NUM_PARTS; part++)
    write_part (f, m, part);
  bool bad = ferror (f);
  if (fclose (f) != 0 || bad)
    {
      free (text);
      return NULL;
    }
  return text;
}

size_t
nvptx_merge (struct nvptx_object *objects, size_t num_objects, size_t *num_ours, char **memory)
{
  struct merging m = { .num_members = 0 };
  size_t size = 0, left = 0, ours = 0, k = 0;

  *memory = NULL;
  if (num_objects > 1 && read_objects (&m, objects, num_objects) && m.num_members > 1 && m.num_pieces > 0)
    *memory = write_all (&m, &size);
  for (size_t i = 0; i < num_objects && *memory != NULL; i++)
    {
      bool merged = k < m.num_members && m.members[k].number == i;
      if (!merged || k == 0)
	{
	  ours += !merged && i >= num_objects - *num_ours;
	  objects[left++] = merged ? (struct nvptx_object) { *memory, size + 1 } : objects[i];
	}
      k += merged;
    }
  for (size_t i = 0; i < m.num_tables; i++)
    free ((char *) m.tables[i].text);
  free (m.names);
  free (m.members);
  free (m.pieces);
  if (*memory == NULL)
    return num_objects;
  *num_ours = ours;
  return left;
}
