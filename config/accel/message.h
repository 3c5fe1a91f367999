/* message.h -- what the library says, and texts that it makes for that.

   A text is made in memory of a given size; what does not fit is counted but not stored, so that a second
   attempt knows how much it needs.  */

#ifndef GOMPX_ACCEL_MESSAGE_H
#define GOMPX_ACCEL_MESSAGE_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma omp declare target

struct accel_text
{
  char *to;
  size_t room;			/* characters that fit in there */
  size_t len;			/* of the whole text */
};

static inline void
accel_text_char (struct accel_text *t, char c)
{
  if (t->len < t->room)
    t->to[t->len] = c;
  t->len++;
}

/* Make it a string; there is memory for one more than ROOM.  */
static inline void
accel_text_end (struct accel_text *t)
{
  t->to[t->len < t->room ? t->len : t->room] = '\0';
}

void accel_text_bytes (struct accel_text *, const char *, size_t);
void accel_text_string (struct accel_text *, const char *);
void accel_text_fill (struct accel_text *, char, size_t);
/* In base 10 or 16.  */
void accel_text_number (struct accel_text *, uint64_t, unsigned base);

/* An error that ends the program: "libgomp: ", then BEFORE, NUMBER in BASE unless that is 0, AFTER.  */
void accel_fatal (const char *before, uint64_t number, unsigned base, const char *after)
  __attribute__ ((noreturn, cold));

size_t accel_strlen (const char *);

#pragma omp end declare target

#endif /* GOMPX_ACCEL_MESSAGE_H */
