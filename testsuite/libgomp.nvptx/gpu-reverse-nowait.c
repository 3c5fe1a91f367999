/* Deferred regions call the host at the same time: in each round the functions that all of them call wait for each
   other, so as many calls are served at once as there are regions.  Nobody waits for the device meanwhile: helpers serve.
   MINGCC: 13
   TEST-MODES: gpu
   TEST-GPU: ours  */

#include <omp.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>

#pragma omp requires reverse_offload

enum { REGIONS = 4, ROUNDS = 20, PATIENCE = 20 };

static struct host
{
  int rounds[REGIONS];		/* how far each region is */
  int late, ended;
} host;

/* On the host: wait until all regions have come to ROUND.  */
static void
meet (struct host *h, int region, int round)
{
  double begin = omp_get_wtime ();
  __atomic_store_n (&h->rounds[region], round, __ATOMIC_RELEASE);
  for (int i = 0; i < REGIONS; i++)
    while (__atomic_load_n (&h->rounds[i], __ATOMIC_ACQUIRE) < round)
      {
	sched_yield ();
	if (omp_get_wtime () - begin > PATIENCE)
	  {
	    __atomic_store_n (&h->late, 1, __ATOMIC_RELAXED);
	    return;
	  }
      }
}

int
main (void)
{
  /* Its address as a number: a variable that is named in a region is mapped there.  */
  uintptr_t host_at = (uintptr_t) &host;
  int results[REGIONS], failures = 0;

  for (int phase = 0; phase < 2; phase++)
    {
      host = (struct host) { { 0 }, 0, 0 };
      for (int i = 0; i < REGIONS; i++)
	{
	  int *result = &results[i];
	  *result = 100 * i;
#pragma omp target nowait map (tofrom: result[:1]) firstprivate (i, host_at)
	  {
	    for (int round = 1; round <= ROUNDS; round++)
	      {
		int local = round;
#pragma omp target device (ancestor: 1) firstprivate (i, round, host_at) map (tofrom: local)
		{
		  meet ((struct host *) host_at, i, round);
		  local = local == round ? 2 * round : -1;
		}
		result[0] += local == 2 * round;
	      }
#pragma omp target device (ancestor: 1) firstprivate (host_at)
	    __atomic_add_fetch (&((struct host *) host_at)->ended, 1, __ATOMIC_RELEASE);
	  }
	}
      /* First with a thread that does nothing for the device, then with one that waits for it.  */
      double begin = omp_get_wtime ();
      while (phase == 0 && __atomic_load_n (&host.ended, __ATOMIC_ACQUIRE) < REGIONS
	     && omp_get_wtime () - begin < 2 * PATIENCE)
	sched_yield ();
      if (phase == 0 && host.ended < REGIONS)
	printf ("%d regions came to their end\n", host.ended), failures++;
#pragma omp taskwait
      for (int i = 0; i < REGIONS; i++)
	if (results[i] != 100 * i + ROUNDS)
	  printf ("phase %d, region %d: %d\n", phase, i, results[i]), failures++;
      if (host.late)
	printf ("phase %d: functions did not meet\n", phase), failures++;
    }
  return failures != 0;
}
