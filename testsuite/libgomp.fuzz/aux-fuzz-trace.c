/* aux-fuzz-trace.c -- fuzz target: a timeline, as gompx-info --trace reads it.  What it says goes nowhere.  */

#define _GNU_SOURCE 1
#include "aux-fuzz.h"
#include "tools/info-trace.c"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static FILE *nowhere;
  FILE *out = stdout, *err = stderr;

  if (nowhere == NULL && (nowhere = fopen ("/dev/null", "w")) == NULL)
    return 0;
  stdout = stderr = nowhere;
  info_print_trace_text ("input", (const char *) data, size);
  stdout = out;
  stderr = err;
  return 0;
}
