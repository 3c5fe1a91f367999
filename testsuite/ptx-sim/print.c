/* print.c -- vprintf: the format and the block of arguments are in device memory.

   Each argument lies at a multiple of its size (4 or 8) in the block.  %s takes a device address; %n and * are
   not supported, as the driver's are not.  */

#include "sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
next_argument (struct warp *w, unsigned l, uint64_t *at, unsigned size, uint64_t *value)
{
  static const struct op load = { .space = AS_GENERIC, .cls = PSIM_C_GLOBAL };
  uint8_t *shadow = NULL;
  *at = (*at + size - 1) & ~(uint64_t) (size - 1);
  const char *p = memory_at (w, &load, l, *at, size, false, &shadow);
  *value = 0;
  if (p == NULL)
    return false;
  for (unsigned i = 0; shadow != NULL && i < size; i++)
    if (shadow[i] == 0)
      {
	fault (w, PSIM_NOT_SHOWN, (int) l, "vprintf prints an argument that was never set");
	return false;
      }
  memcpy (value, p, size);
  *at += size;
  return true;
}

/* One conversion, FORMAT, of the argument VALUE.  */
static void
put_conversion (FILE *out, struct warp *w, unsigned l, const char *format, char kind, bool wide, uint64_t value)
{
  double x;
  char text[1024];
  switch (kind)
    {
    case 'd': case 'i':
      /* The length is left out of FORMAT: the value has all 64 bits.  */
      fprintf (out, format, wide ? (long) value : (long) (int32_t) value);
      break;
    case 'u': case 'x': case 'X': case 'o':
      fprintf (out, format, wide ? (unsigned long) value : (unsigned long) (uint32_t) value);
      break;
    case 'c':
      fprintf (out, format, (int) value);
      break;
    case 'p':
      fprintf (out, format, (void *) (uintptr_t) value);
      break;
    case 's':
      if (value == 0)
	strcpy (text, "(null)");
      else if (!memory_string (w, l, value, text, sizeof (text)))
	return;
      fprintf (out, format, text);
      break;
    default:
      memcpy (&x, &value, 8);
      fprintf (out, format, x);
    }
}

int
print_format (struct warp *w, unsigned l, uint64_t format, uint64_t args)
{
  const struct psim_launch *user = w->block->launch->user;
  char text[4096], *result = NULL;
  size_t size = 0;
  int count = 0;
  if (!memory_string (w, l, format, text, sizeof (text)))
    return -1;
  FILE *out = open_memstream (&result, &size);
  if (out == NULL)
    return -1;
  for (const char *p = text; *p != '\0' && !w->leave; )
    {
      if (*p != '%' || p[1] == '%')
	{
	  fputc (*p, out);
	  p += *p == '%' ? 2 : 1;
	  continue;
	}
      char spec[64];
      size_t n = strspn (p + 1, "-+ #0123456789.") + 1, length = strspn (p + n, "hlLqjzt");
      char kind = p[n + length];
      bool wide = length != 0 && p[n] != 'h' && p[n] != 'L';
      if (n > 40 || kind == '\0' || strchr ("diuxXocpsfFeEgGaA", kind) == NULL)
	{
	  /* As it stands: what the driver does.  */
	  fputc (*p++, out);
	  continue;
	}
      bool is_double = strchr ("fFeEgGaA", kind) != NULL, is_long = strchr ("diuxXo", kind) != NULL;
      uint64_t value;
      unsigned bytes = is_double || wide || kind == 's' || kind == 'p' ? 8 : 4;
      if (!next_argument (w, l, &args, bytes, &value))
	break;
      memcpy (spec, p, n);
      size_t end = n;
      if (is_long)
	spec[end++] = 'l';
      spec[end++] = kind;
      spec[end] = '\0';
      put_conversion (out, w, l, spec, kind, wide, value);
      p += n + length + 1;
      count++;
    }
  fclose (out);
  if (result != NULL && !w->leave)
    {
      if (user->print != NULL)
	user->print (user->user, result, size);
      else
	fwrite (result, 1, size, stdout);
    }
  free (result);
  return count;
}
