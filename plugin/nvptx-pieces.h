/* nvptx-pieces.h -- functions and variables in a PTX text as GCC writes it, for who leaves some out or moves them.

   A piece is the comment that tells its name, and its directive.  No locks, no memory.  */

#ifndef GOMPX_NVPTX_PIECES_H
#define GOMPX_NVPTX_PIECES_H 1

#include "nvptx-tokens.h"

/* The definition or declaration of a function, kernel or variable in the text.  */
struct piece
{
  const char *start, *end;
  const char *name;
  size_t length;
  bool definition;
  bool function;		/* or a kernel */
  bool local;			/* its object's own; of functions and variables with a comment */

  /* For who keeps them.  */
  size_t object;
  struct piece *same;		/* definitions: another one of that name */
  bool live;
};

static inline bool
skip (const char **at, const char *end, const char *text)
{
  size_t n = strlen (text);
  if ((size_t) (end - *at) < n || memcmp (*at, text, n) != 0)
    return false;
  *at += n;
  return true;
}

/* Is TEXT in the SIZE bytes at AT?  */
static inline bool
contains (const char *at, size_t size, const char *text)
{
  return memmem (at, size, text, strlen (text)) != NULL;
}

/* Behind the line AT.  */
static inline const char *
next_line (const char *at, const char *end)
{
  const char *p = memchr (at, '\n', end - at);
  return p != NULL ? p + 1 : end;
}

/* Where the function ends whose text follows a comment: behind its closing brace, or behind the
   semicolon of a declaration.  WORD: what makes it one.  NULL: it is something else.  */
static inline const char *
end_of_function (const char *p, const char *end, const char *word, bool definition)
{
  size_t length = strlen (word);
  bool func = false;
  unsigned depth = 0;

  for (; p < end; p++)
    switch (*p)
      {
      case '.':
	if (depth == 0 && (size_t) (end - p) > length && memcmp (p, word, length) == 0)
	  func = true;
	break;
      case '/':
	if (depth == 0)
	  return NULL;		/* the next comment */
	break;
      case ';':
	if (depth == 0)
	  return func && !definition ? p + 1 : NULL;
	break;
      case '{':
	if (!func || !definition)
	  return NULL;
	depth++;
	break;
      case '}':
	if (depth == 0)
	  return NULL;
	if (--depth == 0)
	  return p + 1;
	break;
      }
  return NULL;
}

/* Where the directive of the variable PIECE ends that begins at LINE.  NULL: it is none of those in memory of the device.  */
static inline const char *
end_of_variable (const char *line, const char *end, const struct piece *piece)
{
  const char *p = line, *value = memchr (line, ';', end - line);

  if (value == NULL || *p != '.')
    return NULL;
  while (p < value && *p != '[' && *p != '=' && *p != '\n')
    p++;
  bool named = (size_t) (p - line) > piece->length && memcmp (p - piece->length, piece->name, piece->length) == 0
	       && !is_name_char (p[-(ptrdiff_t) piece->length - 1]);
  return named && (memmem (line, p - line, ".global ", 8) != NULL || memmem (line, p - line, ".const ", 7) != NULL) ? value + 1 : NULL;
}

/* Read the comment at the begin of the line AT, if it is that of a function or variable: PIECE, but for its end.  Answers what is behind the
   name, or NULL.  */
static inline const char *
read_comment (const char *at, const char *end, struct piece *piece)
{
  const char *p = at;
  if (!skip (&p, end, "// BEGIN "))
    return NULL;
  piece->local = !skip (&p, end, "GLOBAL ") && !skip (&p, end, "WEAK ");
  piece->function = skip (&p, end, "FUNCTION ");
  if (!piece->function && !skip (&p, end, "VAR "))
    return NULL;
  piece->definition = skip (&p, end, "DEF: ");
  if (!piece->definition && !skip (&p, end, "DECL: "))
    return NULL;
  piece->start = at;
  piece->name = p;
  piece->length = name_length (p, end);
  return p + piece->length;
}

/* Is there a function, or a variable, at the begin of the line AT?  */
static inline bool
is_piece (const char *at, const char *end, struct piece *piece)
{
  const char *p = read_comment (at, end, piece);
  if (p == NULL || piece->length == 0 || p == end || *p != '\n')
    return false;
  piece->end = piece->function ? end_of_function (p, end, ".func", piece->definition) : end_of_variable (p + 1, end, piece);
  return piece->end != NULL;
}

/* Is there a variable at the begin of the line AT, without a value: its comment, and a line that is all of it?  */
static inline bool
is_plain_variable (const char *at, const char *end, struct piece *piece)
{
  const char *p = at;
  if (!skip (&p, end, "// BEGIN GLOBAL VAR ") || (p = read_comment (at, end, piece)) == NULL)
    return false;
  p = next_line (p, end);
  piece->end = next_line (p, end);
  return skip (&p, end, piece->definition ? ".visible ." : ".extern .")
	 && piece->end - p > 2 && memcmp (piece->end - 2, ";\n", 2) == 0
	 && memchr (p, ';', piece->end - p - 2) == NULL && memchr (p, '=', piece->end - p) == NULL;
}

/* Behind the name of a source file at AT, in which names of functions often are; NULL: there is none.  Something else may follow in the line.  */
static inline const char *
behind_file_name (const char *at, const char *end)
{
  const char *p = at, *line;
  if (!skip (&p, end, ".file "))
    return NULL;
  line = next_line (p, end);
  p = memchr (p, '"', line - p);
  p = p != NULL ? memchr (p + 1, '"', line - p - 1) : NULL;
  return p != NULL ? p + 1 : NULL;
}

/* How lines begin that tell for which GPU and version of PTX a text is.  */
static const char *const frame_words[] = { ".version ", ".target ", ".address_size " };

/* A line that says nothing of a program.  GCC's mkoffload writes objects that are one line: that begins so, and goes on with something else.  */
static inline bool
is_frame (const char *line, const char *end)
{
  const char *stop = next_line (line, end), *p = behind_file_name (line, end);
  bool known = p != NULL || *line == '\n' || skip (&line, end, "// BEGIN PREAMBLE\n") || skip (&line, end, "// END PREAMBLE\n");

  for (size_t i = 0; i < sizeof (frame_words) / sizeof (frame_words[0]) && !known; i++)
    known = skip (&line, end, frame_words[i]);
  if (p == NULL)
    p = line;
  /* What follows is one word, but for the dot in a number and the commas in a list.  */
  for (; known && p < stop && *p != '\n'; p++)
    known = is_name_char (*p) || *p == ' ' || *p == ',' || (*p == '.' && p[1] >= '0' && p[1] <= '9');
  return known;
}

#endif /* GOMPX_NVPTX_PIECES_H */
