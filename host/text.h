/* text.h -- a text that grows, for messages of more than one line; writing without being killed.  */

#ifndef GOMP_TEXT_H
#define GOMP_TEXT_H 1

#include "libgomp.h"

#include <signal.h>

/* All zero is the empty text.  START is NULL or terminated; free it with free ().  */
struct gomp_text
{
  char *start;
  size_t len, room;
};

void gomp_text_add (struct gomp_text *, const char *fmt, ...)
  __attribute__ ((format (printf, 2, 3)));
/* N times C.  */
void gomp_text_fill (struct gomp_text *, char c, size_t n);
void gomp_text_bytes (struct gomp_text *, const char *bytes, size_t n);

/* What the library itself writes must not end the program: between these two a full limit (SIGXFSZ)
   and a pipe that nobody reads (SIGPIPE) are errors of write and no signals.  For the calling thread;
   errno is kept.  In error.c.  */
struct gomp_write_guard
{
  sigset_t old, pending;
};
void gomp_write_guard_begin (struct gomp_write_guard *);
void gomp_write_guard_end (struct gomp_write_guard *);

#endif /* GOMP_TEXT_H */
