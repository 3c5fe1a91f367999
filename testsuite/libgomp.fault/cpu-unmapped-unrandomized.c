/* The program's addresses are not random (as under a debugger) and its stack has no limit: the
   worker's are, and stray host addresses are still found.
   TEST-OPTIONS: -fPIE -pie
   TEST-MODES: cpu
   TEST-SKIP-SANITIZER: address its heap has the same addresses in both processes
   TEST-SKIP-SANITIZER: thread chooses the layout itself
   TEST-EXIT: 1
   TEST-OUTPUT: is lost: worker process [0-9]+: signal 11
   TEST-OUTPUT: it wrote to the host address 0x[0-9a-f]+
   TEST-OUTPUT: this is host memory
   TEST-NO-OUTPUT: not reached  */

#include <stdio.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <unistd.h>

int
main (int argc, char **argv)
{
  int on_stack[100] = { 0 }, *p = &on_stack[50];
  struct rlimit r = { RLIM_INFINITY, RLIM_INFINITY };

  if (argc == 1)
    {
      setrlimit (RLIMIT_STACK, &r);
      if (personality (ADDR_NO_RANDOMIZE) == -1)
	return 77;
      execl ("/proc/self/exe", argv[0], "again", NULL);
      return 77;
    }
#pragma omp target firstprivate (p)
  *p = 1;
  printf ("not reached: %d\n", on_stack[50]);
  return 0;
}
