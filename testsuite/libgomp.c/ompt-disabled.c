/* OMP_TOOL=disabled: no tool is asked, neither that of the program nor one of a library.
   TEST-OPTIONS: -rdynamic
   TEST-SHARED: ompt-library-lib.c
   TEST-ENV: OMP_TOOL= Disabled
   TEST-ENV: OMP_TOOL_LIBRARIES=@rundir@/ompt-library-lib.so
   TEST-ENV: OMP_TOOL_VERBOSE_INIT=stderr
   TEST-OUTPUT: ^libgomp: tool: OMP_TOOL=disabled: no tool is looked for$
   TEST-NO-OUTPUT: asked  */

#include "aux-ompt.h"

int
main (void)
{
  int n = 0;
  #pragma omp parallel num_threads (2) reduction (+: n)
  n++;
  return n != 2 || ompt_initialized || ompt_threads > 0;
}
