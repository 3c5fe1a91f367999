/* aux-occurrences.h -- for tests of what is written into a text.  */

#ifndef AUX_OCCURRENCES_H
#define AUX_OCCURRENCES_H 1

#include <string.h>

/* How often WORD is in TEXT, which may be NULL.  */
static unsigned
occurrences (const char *text, const char *word)
{
  unsigned n = 0;
  for (; text != NULL && (text = strstr (text, word)) != NULL; text++)
    n++;
  return n;
}

#endif
