/* aux-fuzz-ptx.c -- fuzz target: the text of an image for NVIDIA GPUs, read as a tree, printed and read
   again.  The input is the text.  */

#include "aux-fuzz.h"
#include "../libgomp.nvptx/aux-read.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  /* In memory of exactly that size.  */
  char *text = malloc (size + (size == 0));
  memcpy (text, data, size);
  (void) read_anything (text, size);
  free (text);
  return 0;
}
