/* Bad values: OMP_TOOL counts as not set, and a file for the report that cannot be written is
   told once.
   TEST-OPTIONS: -rdynamic
   TEST-ENV: OMP_TOOL=perhaps
   TEST-ENV: OMP_TOOL_VERBOSE_INIT=@rundir@/missing/report
   TEST-OUTPUT: ^libgomp: Invalid value for environment variable OMP_TOOL: perhaps$
   TEST-OUTPUT: ^libgomp: cannot write to .*missing.report, the value of OMP_TOOL_VERBOSE_INIT$
   TEST-NO-OUTPUT: libgomp: tool  */

#include "aux-ompt.h"

int
main (void)
{
  int n = 0;
  #pragma omp parallel num_threads (2) reduction (+: n)
  n++;
  return n != 2 || !ompt_initialized;
}
