/* aux-copies.h -- for tests of small copies in regions: sizes, and the same byte by byte.  */

#ifndef AUX_COPIES_H
#define AUX_COPIES_H 1

#include <stdio.h>

void *memcpy (void *, const void *, __SIZE_TYPE__);
void *memmove (void *, const void *, __SIZE_TYPE__);
void *memset (void *, int, __SIZE_TYPE__);

enum { ROOM = 192, MIDDLE = 32 };

/* 129 bytes are copied by the function.  */
#define SIZES(S) S (0) S (1) S (2) S (3) S (4) S (5) S (6) S (7) S (8) S (9) S (10) S (11) \
  S (12) S (13) S (14) S (15) S (16) S (17) S (18) S (19) S (20) S (24) S (31) S (32) S (33) \
  S (47) S (48) S (63) S (64) S (65) S (100) S (127) S (128) S (129)
#define FEW(S) S (0) S (1) S (2) S (3) S (4) S (7) S (8) S (13) S (16) S (22) S (31) S (36) S (128)

static int bad;

/* What byte I of a buffer has before anything is copied.  */
static inline unsigned char
byte_at (int i)
{
  return (unsigned char) (i * 37 + (i >> 8) * 11 + 5);
}

static void
fill (unsigned char *buffer, int size)
{
  for (int i = 0; i < size; i++)
    buffer[i] = byte_at (i);
}

/* memmove, and for VALUE >= 0 memset.  The compiler shall not see that.  */
static void
by_bytes (volatile unsigned char *to, const volatile unsigned char *from, int size, int value)
{
  unsigned char bytes[ROOM];

  for (int i = 0; i < size; i++)
    bytes[i] = value >= 0 ? (unsigned char) value : from[i];
  for (int i = 0; i < size; i++)
    to[i] = bytes[i];
}

static void
compare (const char *what, const unsigned char *got, const unsigned char *want, int size, int to,
	 int from)
{
  for (int i = 0; i < size; i++)
    if (got[i] != want[i])
      {
	printf ("%s, to %d, from %d: byte %d, of the %dth buffer, is %d instead of %d\n", what, to,
		from, i % ROOM, i / ROOM, got[i], want[i]);
	bad = 1;
	return;
      }
}

#endif
