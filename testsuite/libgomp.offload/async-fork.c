/* fork while target tasks are in flight: the child has no devices, but what it waits for comes to
   an end; the parent's tasks are complete as always.
   TEST-MODES: cpu test */

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int
main (void)
{
  int a = 0, b = 0, status = -1;
#pragma omp target map(tofrom: a) nowait depend(inout: a)
  {
    usleep (100000);
    a = 1;
  }
#pragma omp task depend(inout: a) shared(a, b)
  b = a + 5;
#pragma omp target map(tofrom: a) nowait depend(inout: a)
  a++;
  pid_t child = fork ();
  if (child == 0)
    {
#pragma omp taskwait
      if (b < 5)
	_exit (1);
#pragma omp target map(tofrom: a) nowait
      a = 17;
#pragma omp taskwait
      _exit (a == 17 ? 3 : 2);
    }
#pragma omp taskwait
  waitpid (child, &status, 0);
  if (a != 2 || b != 6 || !WIFEXITED (status) || WEXITSTATUS (status) != 3)
    return printf ("a %d, b %d, status %#x\n", a, b, status), 1;
  return 0;
}
