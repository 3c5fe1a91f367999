/* OMP_TOOL_VERBOSE_INIT names a file.
   TEST-OPTIONS: -rdynamic
   TEST-ENV: OMP_TOOL_VERBOSE_INIT=@rundir@/report
   TEST-NO-OUTPUT: libgomp  */

#include "aux-ompt.h"

int
main (void)
{
  char line[200] = "", all[1000] = "";
  #pragma omp critical
  ;
  FILE *f = fopen (getenv ("OMP_TOOL_VERBOSE_INIT"), "r");
  while (f != NULL && fgets (line, sizeof (line), f) != NULL)
    strncat (all, line, sizeof (all) - strlen (all) - 1);
  if (strcmp (all, "libgomp: tool: the program and its libraries: ompt_start_tool wants to start\n"
		   "libgomp: tool: initialize answered 1: the tool is active\n") != 0)
    ompt_bad ("the report is\n%s", all);
  return ompt_failures != 0;
}
