/* strsearch.h -- how often words occur in a text: sizes, input and the serial reference.  */

#ifndef STRSEARCH_H
#define STRSEARCH_H 1

#include "blocks.h"

/* A team looks at STARTS places of each thread of a full team.  */
enum { THREADS = 128, STARTS = 8, BLOCK = THREADS * STARTS };
/* Words of different length, behind which there are zeros.  */
enum { WORDS = 16, LONGEST = 12 };

/* Does TEXT begin with the word?  A text ends with LONGEST zeros, so that none matches that goes
   past its end.  */
BOTH_SIDES int
matches (const char *text, const char *word)
{
  int i = 0;
  while (i < LONGEST && word[i] != 0 && word[i] == text[i])
    i++;
  return i == LONGEST || word[i] == 0;
}

static inline int
letters_of (int w)
{
  return 2 + w * (LONGEST - 1) / WORDS;
}

/* Words of two to LONGEST letters; the text is noise with words in it, also where teams meet, and
   one at the end that is cut.  */
static inline void
prepare (char *text, char *words, int *expected, long length)
{
  unsigned long long state = 9;

  memset (words, 0, WORDS * LONGEST);
  for (int w = 0; w < WORDS; w++)
    for (int i = 0; i < letters_of (w); i++)
      words[w * LONGEST + i] = "abcd"[draw_below (&state, 4)];
  for (long i = 0; i < length; i++)
    text[i] = "abcd"[draw_below (&state, 4)];
  for (long i = 0; i < length; i += 1 + draw_below (&state, 50))
    {
      const char *word = words + draw_below (&state, WORDS) * LONGEST;
      for (int k = 0; k < LONGEST && word[k] != 0 && i + k < length; k++)
	text[i + k] = word[k];
    }
  const char *word = words + (WORDS - 1) * LONGEST;
  for (long edge = BLOCK; edge <= length; edge += BLOCK)
    for (int k = 0; k < LONGEST && word[k] != 0 && edge - 4 + k < length; k++)
      text[edge - 4 + k] = word[k];
  memset (text + length, 0, LONGEST);

  for (int w = 0; w < WORDS; w++)
    {
      expected[w] = 0;
      for (long i = 0; i + letters_of (w) <= length; i++)
	expected[w] += memcmp (text + i, words + w * LONGEST, (size_t) letters_of (w)) == 0;
    }
}

#endif
