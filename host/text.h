/* text.h -- a text that grows, for messages of more than one line.  */

#ifndef GOMP_TEXT_H
#define GOMP_TEXT_H 1

#include "libgomp.h"

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

#endif /* GOMP_TEXT_H */
