/* exit by a member of a team, by the master and with idle helpers: the process ends at once with
   that status, and handlers can run regions.  */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int
team (int want)
{
  int n = 0;
#pragma omp parallel num_threads (want) reduction (+: n)
  n++;
  return n;
}

static int how;

static void
handler (void)
{
  /* Called by whoever called exit; inside a region teams have one thread by default.  */
  int n = team (3);
  if (n != (how < 2 ? 1 : 3))
    {
      printf ("case %d: %d threads in the handler\n", how, n);
      fflush (stdout);
      _exit (99);
    }
}

static void __attribute__ ((destructor))
destructor (void)
{
  handler ();
}

int
main (void)
{
  int bad = 0;
  static const int expect[] = { 10, 11, 12, 13 };
  for (how = 0; how < 4; how++)
    {
      fflush (stdout);
      pid_t pid = fork ();
      if (pid == 0)
	{
	  alarm (50);
	  atexit (handler);
	  switch (how)
	    {
	    case 0:
	    case 1:
#pragma omp parallel num_threads (3)
	      {
		if (omp_get_thread_num () == (how == 0 ? 2 : 0))
		  exit (10 + how);
#pragma omp barrier
	      }
	      break;
	    case 2:
	      team (4);
	      exit (12);
	    case 3:
	      if (team (4) == 4)
		return 13;
	    }
	  _exit (98);
	}
      int status;
      waitpid (pid, &status, 0);
      if (!WIFEXITED (status) || WEXITSTATUS (status) != expect[how])
	printf ("case %d: status %x\n", how, status), bad++;
    }
  how = 2;
  team (2);
  if (bad)
    return 1;
  return 0;
}
