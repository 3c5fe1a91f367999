/* The program ends in a team by each of the ways there are, while the other threads go on, end it,
   too, or wait, and a target task is under way: it ends at once, with that status, and handlers can
   run regions.
   TEST-MODES: host cpu
   TEST-TIMEOUT: 120
   TEST-SKIP-SANITIZER: thread reports that exit was called by two threads  */

#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ALL_EXIT, ALL_EXIT_HANDLER, CRITICAL, QUICK, QUICK_ALL, UNDERSCORE, ABORT, WAYS };
static const char *const names[] = {
  "exit by all", "exit by all, with a handler", "exit in a critical construct", "quick_exit",
  "quick_exit by all", "_exit", "abort"
};

/* A status of its own tells that it has run.  */
static void
handler (void)
{
  int n = 0, x = 1;
#pragma omp parallel num_threads(4) reduction(+: n)
  n++;
#pragma omp target map(tofrom: x)
  x++;
  _exit (n >= 1 && x == 2 ? 4 : 90);
}

static void
leave (int way)
{
  int x = 0;
  if (way == QUICK || way == QUICK_ALL)
    at_quick_exit (handler);
  else if (way != ALL_EXIT)
    atexit (handler);
#pragma omp target map(tofrom: x) nowait
  x++;
#pragma omp parallel num_threads(4)
  {
#pragma omp barrier
    int last = omp_get_thread_num () == 3;
    if (way == ALL_EXIT || way == ALL_EXIT_HANDLER)
      exit (3);
    else if (way == CRITICAL)
      {
#pragma omp critical
	exit (3);
      }
    else if (way == QUICK_ALL || (way == QUICK && last))
      quick_exit (3);
    else if (way == UNDERSCORE && last)
      _exit (3);
    else if (way == ABORT && last)
      abort ();
    for (;;)
      usleep (1000);
  }
}

int
main (void)
{
  int failed = 0;
  for (int round = 0; round < 3; round++)
    for (int way = 0; way < WAYS; way++)
      {
	int status = 0;
	pid_t pid = fork ();
	if (pid == 0)
	  {
	    alarm (60);
	    leave (way);
	    _exit (91);
	  }
	if (pid < 0 || waitpid (pid, &status, 0) != pid)
	  return 77;
	/* Of several threads that call exit one runs the handlers, and another one may be quicker.  */
	int code = WIFEXITED (status) ? WEXITSTATUS (status) : -1;
	int right = way == ABORT ? WIFSIGNALED (status) && WTERMSIG (status) == SIGABRT
		    : way == CRITICAL || way == QUICK ? code == 4
		    : code == 3 || (code == 4 && way != ALL_EXIT && way != UNDERSCORE);
	if (!right)
	  {
	    printf ("%s: status %#x\n", names[way], status);
	    failed = 1;
	  }
      }
  return failed;
}
