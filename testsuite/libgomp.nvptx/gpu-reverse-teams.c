/* Many threads of the device call the host at the same time, each many times.
   MINGCC: 13
   TEST-MODES: gpu  */

#include <omp.h>
#include <stdint.h>
#include <stdio.h>

#pragma omp requires reverse_offload

enum { TEAMS = 16, THREADS = 4, CALLS = 20 };
static int calls[TEAMS * THREADS];

int
main (void)
{
  /* Its address as a number: a variable that is named in a region is mapped there.  */
  uintptr_t list = (uintptr_t) calls;
  int failures = 0;

#pragma omp target teams num_teams (TEAMS) firstprivate (list) map (tofrom: failures)
#pragma omp parallel num_threads (THREADS)
  for (int k = 0; k < CALLS; k++)
    {
      int who = omp_get_team_num () * THREADS + omp_get_thread_num (), answer = 0;
#pragma omp target device (ancestor: 1) firstprivate (who, list) map (from: answer)
      {
	((int *) list)[who]++;
	answer = who + 1;
      }
      if (answer != who + 1)
#pragma omp atomic
	failures++;
    }
  for (int i = 0; i < TEAMS * THREADS; i++)
    if (calls[i] != CALLS)
      {
	printf ("%d called %d times\n", i, calls[i]);
	failures++;
      }
  if (failures)
    printf ("%d failures\n", failures);
  return failures != 0;
}
