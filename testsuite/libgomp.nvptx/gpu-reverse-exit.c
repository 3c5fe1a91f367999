/* A function of the host that a region calls ends the program by exit, while other threads of the region wait for
   their answers or go on calling.
   MINGCC: 13
   TEST-MODES: gpu
   TEST-EXIT: 3
   TEST-OUTPUT: ^handler 1$
   TEST-NO-OUTPUT: not reached|libgomp:  */

#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#pragma omp requires reverse_offload

enum { TEAMS = 8, THREADS = 4, CALLS = 1 << 20, LAST = 100 };
static int calls, handlers;

static void
handler (void)
{
  printf ("handler %d\n", ++handlers);
}

int
main (void)
{
  /* Its address as a number: a variable that is named in a region is mapped there.  */
  uintptr_t counter = (uintptr_t) &calls;

  atexit (handler);
#pragma omp target teams num_teams (TEAMS) firstprivate (counter)
#pragma omp parallel num_threads (THREADS)
  for (int k = 0; k < CALLS; k++)
    {
#pragma omp target device (ancestor: 1) firstprivate (counter)
      if (__atomic_add_fetch ((int *) counter, 1, __ATOMIC_RELAXED) == LAST)
	exit (3);
    }
  printf ("not reached: %d calls\n", calls);
  return 1;
}
