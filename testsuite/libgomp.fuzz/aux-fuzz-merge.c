/* aux-fuzz-merge.c -- fuzz target: the texts of an image for NVIDIA GPUs, from which what nothing reaches is left out, whose variables
   move, and which become one.  The input is the texts, each from a line "// BEGIN PREAMBLE" on; the last one is our library's.  */

#include "aux-fuzz.h"
#include "../../plugin/nvptx-home.h"
#include "../../plugin/nvptx-merge.h"
#include "../../plugin/nvptx-shake.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 8 };

/* Each of the N objects ends with its one NUL.  */
static void
check (const struct nvptx_object *objects, size_t n, size_t ours, size_t before)
{
  if (n > before || ours > n)
    abort ();
  for (size_t i = 0; i < n; i++)
    if (objects[i].size == 0 || memchr (objects[i].text, 0, objects[i].size) != objects[i].text + objects[i].size - 1)
      abort ();
}

/* Variables of the N objects move, and the name of one is asked for.  Places are in the memory, and apart.  */
static void
check_home (const struct nvptx_object *objects, size_t n)
{
  static const char *const names[] = { "a" };
  char why[NVPTX_STATE_WHY] = "";
  struct nvptx_home home, joined;

  for (size_t num_names = 0; num_names < 2; num_names++)
    {
      struct nvptx_variables variables, again;
      if (!nvptx_variables_find (objects, n, &variables))
	abort ();
      bool good = nvptx_home_make (objects, n, &variables, names, num_names, &home, why);
      nvptx_variables_free (&variables);
      if (!good)
	{
	  if (why[0] == 0 || home.num != 0 || home.objects != NULL)
	    abort ();
	  continue;
	}
      check (home.objects, n, 0, n);
      for (size_t i = 0; i < home.num; i++)
	for (size_t k = 0; k < home.num; k++)
	  if (home.variables[i].offset + home.variables[i].size > home.size
	      || (k != i && home.variables[i].offset < home.variables[k].offset + home.variables[k].size
		  && home.variables[k].offset < home.variables[i].offset + home.variables[i].size))
	    abort ();
      if (home.num > 0 && home.num_contents > home.size)
	abort ();
      nvptx_home_settle (&home, 0x7f0000000000);
      /* Its own texts have the same variables, but for two of a kind.  */
      if (!nvptx_variables_find (objects, n, &again))
	abort ();
      good = nvptx_home_join (&home, objects, n, &again, &joined, why);
      nvptx_variables_free (&again);
      if (good)
	{
	  check (joined.objects, n, 0, n);
	  for (size_t i = 0; i < n && home.num > 0; i++)
	    if (joined.objects[i].size != home.objects[i].size || memcmp (joined.objects[i].text, home.objects[i].text, home.objects[i].size) != 0)
	      abort ();
	  nvptx_home_free (&joined);
	}
      nvptx_home_free (&home);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const char mark[] = "// BEGIN PREAMBLE";
  const char *p = (const char *) data, *end = p + size;
  struct nvptx_object given[MOST], objects[MOST];
  struct nvptx_shaken shaken;
  size_t num = 0, ours, n;
  char *moved, *text;

  if (size == 0 || memchr (data, 0, size) != NULL)
    return 0;
  while (p < end && num < MOST)
    {
      const char *next = num + 1 < MOST ? memmem (p + 1, end - p - 1, mark, sizeof (mark) - 1) : NULL;
      size_t length = (next != NULL ? next : end) - p;
      /* In memory of exactly that size.  */
      char *copy = malloc (length + 1);
      memcpy (copy, p, length);
      copy[length] = 0;
      given[num++] = (struct nvptx_object) { copy, length + 1 };
      p += length;
    }

  ours = num > 1;
  memcpy (objects, given, sizeof (objects));
  n = nvptx_merge (objects, num, &ours, &text);
  check (objects, n, ours, num);
  free (text);

  ours = num > 1;
  if (!nvptx_shake (given, num, NULL, false, &shaken))
    abort ();
  check (shaken.objects, num, ours, num);
  check_home (given, num);
  check_home (shaken.objects, num);
  n = nvptx_shake_objects (shaken.objects, num, &ours, &moved);
  check (shaken.objects, n, ours, num);
  n = nvptx_merge (shaken.objects, n, &ours, &text);
  check (shaken.objects, n, ours, num);
  free (text);
  free (moved);
  nvptx_shaken_free (&shaken);
  while (num > 0)
    free ((char *) given[--num].text);
  return 0;
}
