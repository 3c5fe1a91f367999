/* service-print.c -- printf of device code, formatted on the host.

   The device sends the format, the packed arguments and the texts of %s, as config/accel/print.c
   says; both sides read the format by the same rules.  Nothing of it is believed: every
   conversion is given to the C library by itself, with an argument of the type that was read.  */

#include "service.h"
#include "plugin/print-proto.h"

#include <stdio.h>
#include <stdlib.h>

struct text
{
  char *chars;
  size_t size, room;
  bool failed;
};

static void
append (struct text *t, const char *chars, size_t size)
{
  if (t->room - t->size < size)
    {
      size_t room = t->room + size + 1024;
      char *more = realloc (t->chars, room);
      t->failed |= more == NULL;
      if (more == NULL)
	return;
      t->chars = more;
      t->room = room;
    }
  memcpy (t->chars + t->size, chars, size);
  t->size += size;
}

/* What one conversion may make: more is cut off.  */
enum { MOST_CHARS = 4096, MOST_SPEC = 64 };

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

/* Append ARG as SPEC says, a conversion with * replaced by numbers.  */
static void
append_number (struct text *t, const struct gompx_conversion *c, const char *spec, uint64_t arg)
{
  char chars[MOST_CHARS];
  double value;
  int n;

  memcpy (&value, &arg, sizeof (value));
  if (c->type == GOMPX_PRINT_DOUBLE)
    n = snprintf (chars, sizeof (chars), spec, value);
  else if (c->type == GOMPX_PRINT_LONG)
    n = snprintf (chars, sizeof (chars), spec, (long) arg);
  else
    n = snprintf (chars, sizeof (chars), spec, (int) arg);
  if (n > 0)
    append (t, chars, n < MOST_CHARS ? (size_t) n : MOST_CHARS - 1);
}

static void
append_string (struct text *t, const struct gompx_conversion *c, const char *spec, const char *string)
{
  char chars[MOST_CHARS];
  (void) c;
  int n = snprintf (chars, sizeof (chars), spec, string);
  if (n > 0)
    append (t, chars, n < MOST_CHARS ? (size_t) n : MOST_CHARS - 1);
}

#pragma GCC diagnostic pop

/* The text of the conversion C at AT, with the numbers that stood for its stars.  False: too long.  */
static bool
make_spec (const struct gompx_conversion *c, const char *at, const int *stars, char *spec)
{
  size_t n = 0;
  unsigned star = 0;
  for (unsigned i = 0; i < c->length; i++)
    {
      if (n + 16 > MOST_SPEC)
	return false;
      if (at[i] == '*')
	n += (size_t) snprintf (spec + n, 16, "%d", stars[star++]);
      else
	spec[n++] = at[i];
    }
  spec[n] = '\0';
  return true;
}

static bool
format (struct text *t, const struct gompx_print *head, const unsigned char *data, size_t size)
{
  const char *f = (const char *) data;
  const unsigned char *args = data + gompx_print_round (head->format);
  size_t strings = gompx_print_round (head->format) + gompx_print_round (head->args), at = 0;

  if (head->format == 0 || head->format > size || head->args > size || strings > size
      || f[head->format - 1] != '\0')
    return false;
  while (*f != '\0')
    {
      struct gompx_conversion c;
      char spec[MOST_SPEC];
      int stars[2] = { 0, 0 };
      uint64_t arg = 0;

      if (*f != '%')
	{
	  size_t n = strcspn (f, "%");
	  append (t, f, n);
	  f += n;
	  continue;
	}
      gompx_print_conversion (f, &c);
      for (unsigned i = 0; i < c.stars; i++, at += 4)
	{
	  if (head->args - at < 4)
	    return false;
	  memcpy (&stars[i], args + at, 4);
	}
      if (c.type != GOMPX_PRINT_NONE)
	{
	  size_t bytes = c.type == GOMPX_PRINT_INT ? 4 : 8;
	  at = (at + bytes - 1) & -bytes;
	  if (at > head->args || head->args - at < bytes)
	    return false;
	  memcpy (&arg, args + at, bytes);
	  at += bytes;
	}
      /* Precisions count bytes of a text, and many.  */
      if (!make_spec (&c, f, stars, spec))
	return false;
      f += c.length;
      if (c.type == GOMPX_PRINT_STRING)
	{
	  const char *string = (const char *) data + strings;
	  size_t n = strings < size ? strnlen (string, size - strings) : size;
	  if (n >= size - strings)
	    return false;
	  strings += n + 1;
	  append_string (t, &c, spec, string);
	}
      else if (c.type == GOMPX_PRINT_NONE)
	append (t, spec, spec[0] == '%' && spec[1] == '%' ? 1 : strlen (spec));
      else if (c.type != GOMPX_PRINT_COUNT)
	append_number (t, &c, spec, arg);
    }
  return true;
}

long
gomp_service_print (const unsigned char *data, size_t size)
{
  struct gompx_print head;
  struct text text = { NULL, 0, 0, false };
  long done = -1;

  if (size < sizeof (head))
    return -1;
  memcpy (&head, data, sizeof (head));
  if (format (&text, &head, data + sizeof (head), size - sizeof (head)) && !text.failed)
    {
      flockfile (stdout);
      if (fwrite (text.chars, 1, text.size, stdout) == text.size && fflush (stdout) == 0)
	done = (long) text.size;
      funlockfile (stdout);
    }
  free (text.chars);
  return done;
}
