/* aux-fuzz-lanes.c -- fuzz target: the text of an image for NVIDIA GPUs, analysed for lane mode and rewritten; what comes
   out is read again.  The input is the text of the image's object.  */

#include "aux-fuzz.h"
#include "../libgomp.nvptx/aux-lanes-any.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  /* In memory of exactly that size.  */
  char *text = malloc (size + (size == 0));
  struct nvptx_lanes lanes;
  memcpy (text, data, size);
  lanes_anything (text, size, NVPTX_LANES_REWRITE | NVPTX_LANES_STRIDE | NVPTX_LANES_BLOCKS | NVPTX_LANES_NEST, &lanes);
  nvptx_lanes_free (&lanes);
  free (text);
  return 0;
}
