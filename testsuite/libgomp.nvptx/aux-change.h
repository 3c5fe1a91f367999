/* aux-change.h -- for tests of what changes a program's text (nvptx-inline.h and the like).  */

#ifndef AUX_CHANGE_H
#define AUX_CHANGE_H 1

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

/* What CHANGE makes of TEXT, which has SIZE bytes with its end.  NULL: nothing.  */
static inline char *
changed_by (bool (*change) (const struct nvptx_object *, struct nvptx_object *), const char *text,
	    size_t size)
{
  struct nvptx_object object = { text, size }, result;

  if (!change (&object, &result))
    {
      puts ("out of memory");
      exit (2);
    }
  if (result.text != NULL && strlen (result.text) + 1 != result.size)
    puts ("wrong size"), failures++;
  return (char *) result.text;
}

#endif /* AUX_CHANGE_H */
