/* A tool without an initialize function is no tool.
   TEST-SHARED: ompt-nofunction-lib.c
   TEST-ENV: OMP_TOOL_LIBRARIES=@rundir@/ompt-nofunction-lib.so
   TEST-ENV: OMP_TOOL_VERBOSE_INIT=stderr
   TEST-OUTPUT: ^libgomp: tool: it has no initialize function: there is no tool$
   TEST-NO-OUTPUT: regions  */

int
main (void)
{
  int n = 0;
  #pragma omp parallel num_threads (2) reduction (+: n)
  n++;
  return n != 2;
}
