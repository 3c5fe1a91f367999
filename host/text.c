/* text.c -- a text that grows (text.h).  */

#include "host/text.h"

#include <stdio.h>

/* Room for N more bytes and the terminating zero.  */
static void
reserve (struct gomp_text *t, size_t n)
{
  if (t->room - t->len > n)
    return;
  size_t room = t->len + n + 1;
  if (room < 2 * t->room)
    room = 2 * t->room;
  if (room < 64)
    room = 64;
  t->start = gomp_realloc_array (t->start, room, 1);
  t->room = room;
}

void
gomp_text_bytes (struct gomp_text *t, const char *bytes, size_t n)
{
  reserve (t, n);
  memcpy (t->start + t->len, bytes, n);
  t->len += n;
  t->start[t->len] = '\0';
}

void
gomp_text_fill (struct gomp_text *t, char c, size_t n)
{
  reserve (t, n);
  memset (t->start + t->len, c, n);
  t->len += n;
  t->start[t->len] = '\0';
}

void
gomp_text_add (struct gomp_text *t, const char *fmt, ...)
{
  va_list list;
  int n;

  reserve (t, 0);
  va_start (list, fmt);
  n = vsnprintf (t->start + t->len, t->room - t->len, fmt, list);
  va_end (list);
  if (n >= 0 && (size_t) n >= t->room - t->len)
    {
      reserve (t, n);
      va_start (list, fmt);
      n = vsnprintf (t->start + t->len, t->room - t->len, fmt, list);
      va_end (list);
    }
  if (n > 0)
    t->len += n;
  t->start[t->len] = '\0';
}
