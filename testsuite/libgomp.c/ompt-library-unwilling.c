/* A tool whose initialize function answers 0 is not used; no other is looked for, and the
   program runs as if there were none.
   TEST-SHARED: ompt-zero-lib.c
   TEST-SHARED: ompt-library-lib.c
   TEST-ENV: OMP_TOOL_LIBRARIES=@rundir@/ompt-zero-lib.so:@rundir@/ompt-library-lib.so
   TEST-ENV: OMP_TOOL_VERBOSE_INIT=STDOUT
   TEST-OUTPUT: ^libgomp: tool: initialize answered 0: the tool does not want to run$
   TEST-NO-OUTPUT: regions|ompt-library-lib  */

int
main (void)
{
  int n = 0;
  #pragma omp parallel num_threads (2) reduction (+: n)
  {
    #pragma omp critical
    n++;
    #pragma omp for schedule (dynamic)
    for (int i = 0; i < 10; i++)
      n++;
  }
  return n != 12;
}
