/* A child of fork is where its parent was, and binds the threads of its own teams.
   TEST-ENV: OMP_PROC_BIND=true
   TEST-SKIP-SANITIZER: thread does not support threads in a child of a process with threads  */

#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Threads whose mask is not their place's one CPU.  */
static int
wrong (int threads)
{
  int n = 0;
#pragma omp parallel num_threads(threads) proc_bind(close) reduction(+ : n)
  {
    int place = omp_get_thread_num () % omp_get_num_places (), cpu = -1;
    cpu_set_t mask;
    omp_get_place_proc_ids (place, &cpu);
    n += omp_get_place_num () != place || sched_getaffinity (0, sizeof mask, &mask) != 0
	 || CPU_COUNT (&mask) != 1 || !CPU_ISSET (cpu, &mask);
  }
  return n;
}

/* Forks, and the child looks; LEVELS of children.  */
static int
forked (int levels)
{
  int status;
  pid_t pid = fork ();
  if (pid == 0)
    {
      int bad = omp_get_place_num () != 0;
      if (levels > 1)
	bad += forked (levels - 1);
      bad += wrong (2) + wrong (3);
      _exit (bad);
    }
  return waitpid (pid, &status, 0) != pid || status != 0;
}

int
main (void)
{
  if (getenv ("OMP_PROC_BIND") == NULL || omp_get_num_places () < 2)
    return 77;
  int before = forked (1), with_team = wrong (2), after = forked (2), last = wrong (3);
  if (before || with_team || after || last)
    printf ("FAIL: %d threads in the parent, %d at last; children: %d before there was a team, %d"
	    " after\n", with_team, last, before, after);
  return before || with_team || after || last;
}
