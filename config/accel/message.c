/* message.c -- the error directive, and everything else that the library says.

   All of it goes to the device's output in one call for each message, so that messages of different
   threads do not mix.  */

#include "accel.h"
#include "api.h"
#include "message.h"

#include <stdlib.h>

#pragma omp declare target

#define SHORT 256		/* messages that are not longer need no memory of the heap */

/* ---- texts ---- */

size_t
accel_strlen (const char *s)
{
  size_t n = 0;
  while (s[n] != '\0')
    n++;
  return n;
}

void
accel_text_bytes (struct accel_text *t, const char *from, size_t n)
{
  for (size_t i = 0; i < n; i++)
    accel_text_char (t, from[i]);
}

void
accel_text_string (struct accel_text *t, const char *s)
{
  accel_text_bytes (t, s, accel_strlen (s));
}

void
accel_text_fill (struct accel_text *t, char c, size_t n)
{
  for (size_t i = 0; i < n; i++)
    accel_text_char (t, c);
}

void
accel_text_number (struct accel_text *t, uint64_t n, unsigned base)
{
  char digits[20];
  unsigned first = sizeof (digits);
  do
    {
      digits[--first] = "0123456789abcdef"[n % base];
      n /= base;
    }
  while (n != 0);
  accel_text_bytes (t, digits + first, sizeof (digits) - first);
}

/* ---- errors ---- */

void
accel_fatal (const char *before, uint64_t number, unsigned base, const char *after)
{
  char buffer[SHORT];
  struct accel_text t = { buffer, sizeof (buffer) - 1, 0 };
  accel_text_string (&t, "\nlibgomp: ");
  accel_text_string (&t, before);
  if (base != 0)
    accel_text_number (&t, number, base);
  accel_text_string (&t, after);
  accel_text_string (&t, "\n");
  accel_text_end (&t);
  machine_print (buffer);
  machine_end_program ();
}

/* ---- the error directive ---- */

#define ALL_OF_IT SIZE_MAX	/* the length of a C string */

static void
make_message (struct accel_text *t, bool fatal, const char *text, size_t len)
{
  accel_text_string (t, fatal ? "\nlibgomp: fatal error: error directive encountered"
			      : "\nlibgomp: error directive encountered");
  if (text != NULL)
    {
      accel_text_string (t, ": ");
      accel_text_bytes (t, text, len == ALL_OF_IT ? accel_strlen (text) : len);
    }
  accel_text_string (t, "\n");
  accel_text_end (t);
}

static void
error_directive (bool fatal, const char *text, size_t len)
{
  char buffer[SHORT], *larger;
  struct accel_text t = { buffer, sizeof (buffer) - 1, 0 };
  make_message (&t, fatal, text, len);
  /* Where there is no memory for it, the message is what fits into the buffer.  */
  if (t.len > t.room && (larger = malloc (t.len + 1)) != NULL)
    {
      t = (struct accel_text) { larger, t.len, 0 };
      make_message (&t, fatal, text, len);
      machine_print (larger);
      free (larger);
    }
  else
    machine_print (buffer);
}

void
GOMP_warning (const char *text, size_t len)
{
  error_directive (false, text, len);
}

void
GOMP_error (const char *text, size_t len)
{
  error_directive (true, text, len);
  machine_end_program ();
}

#pragma omp end declare target
