/* What is done to an image's text behind the versions for lanes: small functions in place of calls, also
   those of libm, small copies, private arrays in registers, divisions by constants, and loads that ask for more.
   aux-texts IMAGE LIBRARY-TEXT...: prints the new text of the image's first object.  */

#include "nvptx-inline.h"
#include "nvptx-stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 400 };

static struct nvptx_object
read_text (const char *name)
{
  FILE *file = fopen (name, "r");
  char *text = NULL;
  size_t size = 0, got = 0;

  if (file == NULL)
    {
      perror (name);
      exit (1);
    }
  do
    {
      text = realloc (text, size += 1 << 20);
      got += text == NULL ? 0 : fread (text + got, 1, size - got - 1, file);
    }
  while (got == size - 1);
  fclose (file);
  text[got] = 0;
  return (struct nvptx_object) { text, strlen (text) + 1 };
}

int
main (int argc, char **argv)
{
  static struct nvptx_object objects[MOST], math[MOST];
  struct nvptx_object streaming, result, with_math, with_copies, in_registers, divided, *last = &objects[0];
  struct nvptx_symbols symbols;
  struct nvptx_inlines found;
  size_t num_math = 0;

  if (argc < 3 || argc > MOST)
    return 2;
  for (int i = 1; i < argc; i++)
    {
      objects[i - 1] = read_text (argv[i]);
      if (strstr (objects[i - 1].text, "// GOMPX MATH") != NULL)
	math[num_math++] = objects[i - 1];
    }
  if (!nvptx_symbols_find (objects, argc - 1, &symbols) || !nvptx_inline_find (&symbols, argc - 2, &found)
      || !nvptx_stream_loads (last, &streaming))
    return 1;
  if (streaming.text != NULL)
    last = &streaming;
  if (!nvptx_inline_calls (&found, last, &result))
    return 1;
  if (result.text != NULL)
    last = &result;
  if (!nvptx_inline_math (math, num_math, last, &with_math))
    return 1;
  if (with_math.text != NULL)
    last = &with_math;
  if (!nvptx_inline_copies (last, &with_copies))
    return 1;
  if (with_copies.text != NULL)
    last = &with_copies;
  if (!nvptx_frames_in_registers (last, &in_registers))
    return 1;
  if (in_registers.text != NULL)
    last = &in_registers;
  if (!nvptx_divide_by_constants (last, &divided))
    return 1;
  fputs (divided.text != NULL ? divided.text : last->text, stdout);
  nvptx_symbols_free (&symbols);
  nvptx_inline_free (&found);
  free ((char *) streaming.text);
  free ((char *) result.text);
  free ((char *) with_math.text);
  free ((char *) with_copies.text);
  free ((char *) in_registers.text);
  free ((char *) divided.text);
  for (int i = 1; i < argc; i++)
    free ((char *) objects[i - 1].text);
  return 0;
}
