/* OMP_TOOL_LIBRARIES: a file that does not exist, one that is no library, a library without
   tool, a tool that does not want to, one that does, one that is not asked any more; and what
   OMP_TOOL_VERBOSE_INIT tells of it.
   TEST-SHARED: ompt-none-lib.c
   TEST-SHARED: ompt-null-lib.c
   TEST-SHARED: ompt-library-lib.c
   TEST-ENV: OMP_TOOL_LIBRARIES=@rundir@/missing.so::@srcdir@/libgomp.c/ompt-libraries.c:@rundir@/ompt-none-lib.so:@rundir@/ompt-null-lib.so:@rundir@/ompt-library-lib.so:@rundir@/ompt-zero-lib.so
   TEST-ENV: OMP_TOOL_VERBOSE_INIT=stderr
   TEST-OUTPUT: ^libgomp: tool: no ompt_start_tool in the program and its libraries$
   TEST-OUTPUT: ^libgomp: tool: .*missing.so: cannot be loaded: .*No such file
   TEST-OUTPUT: ^libgomp: tool: .*ompt-libraries.c: cannot be loaded: .*
   TEST-OUTPUT: ^libgomp: tool: .*ompt-none-lib.so: has no ompt_start_tool$
   TEST-OUTPUT: ^libgomp: tool: .*ompt-null-lib.so: ompt_start_tool answered NULL: no$
   TEST-OUTPUT: ^libgomp: tool: .*ompt-library-lib.so: ompt_start_tool wants to start$
   TEST-OUTPUT: ^libgomp: tool: initialize answered 7: the tool is active$
   TEST-NO-OUTPUT: ompt-zero-lib
   TEST-OUTPUT: ^tool: asked, 202111 gompx .*$
   TEST-OUTPUT: ^tool: 3 regions$  */

int
main (void)
{
  int n = 0;
  for (int i = 0; i < 3; i++)
    {
      #pragma omp parallel num_threads (2) reduction (+: n)
      n++;
    }
  return n != 6;
}
