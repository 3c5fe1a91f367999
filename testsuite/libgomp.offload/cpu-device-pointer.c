/* A device pointer means nothing in the program: using it faults.
   TEST-MODES: cpu
   TEST-SKIP-SANITIZER: address it reports the fault
   TEST-SKIP-SANITIZER: thread it reports the fault  */

#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int
main (void)
{
  int status = 0;
  volatile int *p = omp_target_alloc (100 * sizeof (int), 0);
  if (p == NULL)
    return 1;
#pragma omp target is_device_ptr (p)
  p[5] = 1;
  pid_t pid = fork ();
  if (pid == 0)
    _exit (p[5]);
  waitpid (pid, &status, 0);
  if (!WIFSIGNALED (status) || WTERMSIG (status) != SIGSEGV)
    {
      printf ("reading a device pointer in the child: status %#x\n", status);
      return 1;
    }
  /* Where the address is reserved.  */
  FILE *maps = fopen ("/proc/self/maps", "r");
  char line[512];
  while (maps != NULL && fgets (line, sizeof (line), maps) != NULL)
    {
      unsigned long from, to;
      char access[8];
      if (sscanf (line, "%lx-%lx %7s", &from, &to, access) == 3
	  && (unsigned long) p >= from && (unsigned long) p < to)
	{
	  if (access[0] == '-' && access[1] == '-')
	    return 0;
	  printf ("%s", line);
	  return 1;
	}
    }
  printf ("the address is not reserved\n");
  return 1;
}
