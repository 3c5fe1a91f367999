/* Signals that come at every moment and interrupt system calls change
   nothing for barriers, tasks, loops with order and copies; nor does stopping and continuing the
   process.
   TEST-ENV: OMP_WAIT_POLICY=passive  */
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include "aux-fib.h"

static int ticks;

static void
tick (int sig)
{
  (void) sig;
  __atomic_fetch_add (&ticks, 1, __ATOMIC_RELAXED);
}

/* One round; answers whether all is right.  */
static int
work (int threads)
{
  int arrived = 0, tasks = 0, wrong = 0, order = 0, chain = 0, f = 0;
#pragma omp parallel num_threads (threads)
  {
#pragma omp atomic
    arrived++;
#pragma omp barrier
    int seen, copied = 0;
#pragma omp atomic read
    seen = arrived;
#pragma omp task
#pragma omp atomic
    tasks++;
#pragma omp barrier
    int done;
#pragma omp atomic read
    done = tasks;
#pragma omp single copyprivate (copied)
    {
      f = fib (10);
      copied = 5;
    }
    if (seen != threads || done != threads || copied != 5)
#pragma omp atomic
      wrong++;
#pragma omp for ordered schedule (dynamic)
    for (int i = 0; i < 20; i++)
#pragma omp ordered
      order += i == order;
#pragma omp for ordered (1) schedule (static, 1)
    for (int i = 0; i < 20; i++)
      {
#pragma omp ordered depend (sink: i - 1)
	chain += i == chain;
#pragma omp ordered depend (source)
      }
  }
  return wrong == 0 && order == 20 && chain == 20 && f == 55;
}

static int
storm (void)
{
  struct sigaction action;
  struct itimerval timer = { { 0, 1000 }, { 0, 1000 } };
  memset (&action, 0, sizeof action);
  action.sa_handler = tick;	/* no SA_RESTART */
  sigaction (SIGALRM, &action, NULL);
  sigaction (SIGPROF, &action, NULL);
  setitimer (ITIMER_REAL, &timer, NULL);
  setitimer (ITIMER_PROF, &timer, NULL);
  for (int round = 0; round < 5 || __atomic_load_n (&ticks, __ATOMIC_RELAXED) < 100; round++)
    if (!work (2 + round % 5))
      {
	printf ("round %d is wrong\n", round);
	return 1;
      }
  return 0;
}

int
main (void)
{
  fflush (stdout);
  pid_t pid = fork ();
  if (pid == 0)
    _exit (storm () != 0 ? 1 : 7);
  int status;
  do
    {
      kill (pid, SIGSTOP);
      if (waitpid (pid, &status, WUNTRACED) != pid)
	return 1;
      if (!WIFSTOPPED (status))
	break;
      kill (pid, SIGCONT);
      usleep (2000);
    }
  while (1);
  if (!WIFEXITED (status) || WEXITSTATUS (status) != 7)
    printf ("status %x\n", status);
  return !WIFEXITED (status) || WEXITSTATUS (status) != 7;
}
