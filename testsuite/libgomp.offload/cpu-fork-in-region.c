/* A region forks, and its child exits, crashes, or just goes on: the device does not mind.
   TEST-MODES: cpu
   TEST-SKIP-SANITIZER: thread a child of a process with threads cannot do much there  */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int
main (void)
{
  int failed = 0;
  for (int how = 0; how < 4; how++)
    {
      int in_child = 0, status = -1, count = 0;
#pragma omp target map (tofrom: in_child) map (from: status) map (tofrom: count)
      {
	pid_t pid = fork ();
	if (pid == 0)
	  {
	    if (how == 0)
	      exit (5);
	    if (how == 1)
	      raise (SIGABRT);
	    if (how == 2)
	      _exit (7);
	  }
	else
	  {
	    count++;
	    waitpid (pid, &status, 0);
	  }
      }
      int right = how == 0 ? WIFEXITED (status) && WEXITSTATUS (status) == 5
		  : how == 1 ? WIFSIGNALED (status) && WTERMSIG (status) == SIGABRT
		  : how == 2 ? WIFEXITED (status) && WEXITSTATUS (status) == 7
		  : WIFEXITED (status) && WEXITSTATUS (status) == 0;
      if (!right || count != 1)
	{
	  printf ("case %d: status %#x, count %d\n", how, status, count);
	  failed = 1;
	}
    }
  int x = 1;
#pragma omp target map (tofrom: x)
  x++;
  return failed || x != 2;
}
