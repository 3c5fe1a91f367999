/* Every single allocation of the runtime fails in turn, once or from then on: the program ends with a
   message, and handlers of atexit can still run regions if there is memory for them.
   TEST-ENV: OMP_MAX_TASK_PRIORITY=5
   TEST-OUTPUT: libgomp: Out of memory allocating
   TEST-SKIP-SANITIZER: address has its own allocator
   TEST-SKIP-SANITIZER: thread does not support threads in a child of a process with threads  */

#include "aux-malloc.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void
work (int threads)
{
  int x = 0;
#pragma omp parallel num_threads (threads)
  {
#pragma omp single
    for (int i = 0; i < 200; i++)
      {
#pragma omp task
#pragma omp atomic
	x++;
#pragma omp task depend (inout: x)
#pragma omp atomic
	x++;
	omp_event_handle_t event;
#pragma omp task detach (event)
	omp_fulfill_event (event);
#pragma omp task priority (3) if (i % 7)
	;
      }
#pragma omp for ordered (1) schedule (dynamic)
    for (int i = 0; i < 20; i++)
      {
#pragma omp ordered depend (sink: i - 1)
#pragma omp ordered depend (source)
      }
#pragma omp taskloop reduction (+: x) num_tasks (10)
    for (int i = 0; i < 30; i++)
      x += i;
#pragma omp single nowait
    omp_free (omp_alloc (100, omp_thread_mem_alloc), omp_thread_mem_alloc);
  }
}

static void
handler (void)
{
  work (3);
}

int
main (void)
{
  int bad = 0, complete = 0;
  for (for_ever = 0; for_ever < 2; for_ever++)
    for (int k = 1; k <= 40; k++)
      {
	fflush (stdout);
	pid_t pid = fork ();
	if (pid == 0)
	  {
	    alarm (50);
	    omp_set_max_active_levels (2);
	    atexit (handler);
	    if (k % 2)
	      work (2);
	    left = k;
	    work (4);
	    left = 0;
	    exit (0);
	  }
	int status;
	if (waitpid (pid, &status, 0) != pid || !WIFEXITED (status) || WEXITSTATUS (status) > 1)
	  printf ("allocation %d%s: status %x\n", k, for_ever ? " and later ones" : "", status), bad++;
	else if (status == 0)
	  complete++;
      }
  /* The first one of all is needed always.  */
  if (complete == 80)
    printf ("no allocation failed\n"), bad++;
  return bad != 0;
}
