/* nvptx-merge.c -- objects of the C library and of others that the image was linked with, as one object.

   The driver's compiler takes some milliseconds for each object, whatever is in it, and compiles one after the other, but the functions of one
   at the same time.  A program with a few mathematical functions has some thirty objects, most with one function each.

   What one text needs that several did not:
     1. A name that is an object's own, like `one' and `tiny' of libm, may be another one's, too.  It gets the number of its object at its end.
     2. A function is declared once: as the object declares it that defines it, else as the first one that uses it.  All declarations come
	first, then variables, then functions, in the order of the objects.
     3. Numbers of source files are an object's own.  Lines that tell where the code comes from are left out.

   Invariants
   1. Only what is wholly understood is merged: an object that is nothing but what GCC writes of functions and variables, each function with
      its declaration.  Any other stays an object of its own.
   2. So does one that can't be in the same text as those before it: for another GPU or version of PTX; with a name that they define, too, or
      have as their own; with a declaration that differs from theirs; or with a variable whose value is another object's address.
   3. What the program, our library or an object that is not merged refers to has the name that it had.

   Called by nvptx-link.c when it links in haste; should the driver not take the text it gets the objects.  */

#include "nvptx-merge.h"
#include "nvptx-pieces.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_OWN = 64 };		/* names of an object that have to change */

struct member
{
  const struct nvptx_object *object;
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
  bool defined;
};

struct merging
{
  struct piece *pieces;
  size_t num_pieces, room;
  struct member *members;
  size_t num_members;
  struct name *names;		/* by hash; open, a power of two; piece NULL: empty */
  size_t mask;
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

/* Find the pieces of OBJECT.  False: there is something else in it, or no memory.  */
static bool
read_object (struct merging *m, const struct nvptx_object *object)
{
  const char *end = object->text + object->size - 1;

  for (const char *line = object->text; line < end; line = next_line (line, end))
    {
      struct piece piece = { .object = 0 };
      if (is_piece (line, end, &piece) || is_plain_variable (line, end, &piece))
	{
	  if (!add_piece (m, &piece))
	    return false;
	  line = piece.end - 1;
	}
      else if (!is_frame (line, end) && strncmp (line, "//", 2) != 0)
	return false;
    }
  return true;
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

/* Are the two for the same GPU and version of PTX?  */
static bool
same_frame (const char *a, const char *b)
{
  for (size_t i = 0; i < sizeof (frame_words) / sizeof (frame_words[0]); i++)
    {
      const char *p = find_line (a, frame_words[i]), *q = find_line (b, frame_words[i]);
      size_t length = p != NULL ? strcspn (p, "\n") : 0;
      if (p == NULL || q == NULL || strcspn (q, "\n") != length || memcmp (p, q, length) != 0)
	return false;
    }
  return true;
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

/* Do two declarations of a function agree, but for whose it is?  */
static bool
same_declaration (const struct piece *a, const struct piece *b)
{
  const char *p = memmem (a->start, a->end - a->start, ".func", 5), *q = memmem (b->start, b->end - b->start, ".func", 5);
  return p != NULL && q != NULL && a->end - p == b->end - q && memcmp (p, q, a->end - p) == 0;
}

/* Does the value of variable PIECE name one that the member declares, and which is another object's?  */
static bool
names_other (const struct merging *m, const struct member *member, const struct piece *piece)
{
  const char *p = memchr (piece->name, '=', piece->end - piece->name);
  for (size_t length; p != NULL && p < piece->end; p += length > 0 ? length : 1)
    {
      length = name_length (p, piece->end);
      for (size_t i = member->first; i < member->first + member->num && length > 0; i++)
	if (!m->pieces[i].function && !m->pieces[i].definition && m->pieces[i].length == length
	    && memcmp (m->pieces[i].name, p, length) == 0)
	  return true;
    }
  return false;
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
      if (piece->definition && (piece->function ? find_declaration (m, member, piece) == NULL : names_other (m, member, piece)))
	return false;
      if (piece->local && !piece->definition && !piece->function)
	return false;
      own += piece->local && n->piece != NULL;
      if (piece->local || n->piece == NULL)
	continue;
      if (n->piece->local || n->piece->function != piece->function || (piece->definition && n->defined))
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
      if (piece->definition)
	{
	  n->defined = true;
	  n->owner = index;
	  n->piece = piece->function ? find_declaration (m, member, piece) : piece;
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
      *member = (struct member) { .object = &objects[i], .number = i, .first = m->num_pieces };
      if (read_object (m, &objects[i]) && (m->num_members == 0 || same_frame (m->members[0].object->text, objects[i].text)))
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
    if (fits (m, &m->members[i]))
      {
	m->members[fit] = m->members[i];
	admit (m, fit++);
      }
  m->num_members = fit;
  return true;
}

/* ---- writing ---- */

/* Write a piece of the member without what tells of source files, and with its own names as they are now.  */
static void
write_piece (FILE *f, const struct member *member, const struct piece *piece)
{
  for (const char *line = piece->start, *next; line < piece->end; line = next)
    {
      next = next_line (line, piece->end);
      if (strncmp (line, ".loc ", 5) == 0 || strncmp (line, ".file ", 6) == 0)
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

enum part { DECLARATIONS, VARIABLES, FUNCTIONS, NUM_PARTS };

static void
write_part (FILE *f, const struct merging *m, enum part part)
{
  for (size_t k = 0; k < m->num_members; k++)
    for (size_t i = m->members[k].first; i < m->members[k].first + m->members[k].num; i++)
      {
	const struct piece *piece = &m->pieces[i];
	bool wanted = part == FUNCTIONS ? piece->function && piece->definition
		      : part == VARIABLES ? !piece->function && piece->definition
		      : !piece->definition && is_told_by (m, k, piece);
	if (wanted)
	  write_piece (f, &m->members[k], piece);
      }
}

/* The text of all members, in memory of malloc, or NULL.  */
static char *
write_all (const struct merging *m, size_t *size)
{
  char *text = NULL;
  const char *frame = m->members[0].object->text;
  FILE *f = open_memstream (&text, size);

  if (f == NULL)
    return NULL;
  fputs ("// BEGIN PREAMBLE\n", f);
  for (size_t i = 0; i < sizeof (frame_words) / sizeof (frame_words[0]); i++)
    {
      const char *line = find_line (frame, frame_words[i]);
      fprintf (f, "%.*s\n", (int) strcspn (line, "\n"), line);
    }
  fputs ("// END PREAMBLE\n", f);
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
nvptx_merge (struct nvptx_object *objects, size_t num_objects, size_t num_ours, char **memory)
{
  struct merging m = { .num_members = 0 };
  size_t size = 0, left = 1, k = 0;

  *memory = NULL;
  if (num_objects > num_ours + 2 && read_objects (&m, objects + 1, num_objects - num_ours - 1) && m.num_members > 1)
    *memory = write_all (&m, &size);
  if (*memory == NULL)
    left = num_objects;
  for (size_t i = 1; i < num_objects && *memory != NULL; i++)
    {
      bool merged = k < m.num_members && m.members[k].number + 1 == i;
      if (!merged || k == 0)
	objects[left++] = merged ? (struct nvptx_object) { *memory, size + 1 } : objects[i];
      k += merged;
    }
  free (m.names);
  free (m.members);
  free (m.pieces);
  return left;
}
