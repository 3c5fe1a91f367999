/* Counting how often each iteration runs.  */
#include <stdio.h>
#include <string.h>

#define COVER_MAX 1000
static unsigned char cover[COVER_MAX];
static int cover_bad;

static inline void
cover_reset (void)
{
  memset (cover, 0, sizeof (cover));
}

static inline void
cover_hit (long index)
{
  if (index < 0 || index >= COVER_MAX)
    {
      printf ("iteration %ld outside\n", index);
      __atomic_fetch_add (&cover_bad, 1, __ATOMIC_RELAXED);
    }
  else
    __atomic_fetch_add (&cover[index], 1, __ATOMIC_RELAXED);
}

/* Exactly the iterations 0 .. n-1, once each.  */
static inline void
cover_check (long n, const char *what)
{
  for (long i = 0; i < COVER_MAX; i++)
    if (cover[i] != (i < n))
      {
	printf ("%s: iteration %ld of %ld ran %d times\n", what, i, n, cover[i]);
	cover_bad++;
	break;
      }
  cover_reset ();
}
