/* Regions on all GPUs call the host at the same time: in each round the functions of all devices wait for each other.
   What each device has mapped is its own.
   MINGCC: 13
   TEST-MODES: gpu
   TEST-GPU: devices=2  */

#include <omp.h>
#include <stdint.h>
#include <stdio.h>

#pragma omp requires reverse_offload

enum { MOST = 16, ROUNDS = 30, TEAMS = 4, CALLS = 10, PATIENCE = 20 };

static struct host
{
  int devices;
  int rounds[MOST];		/* how far each device is */
  long calls[MOST], late;
} host;

/* On the host: wait until all devices have come to ROUND.  */
static void
meet (struct host *h, int device, int round)
{
  double begin = omp_get_wtime ();
  __atomic_store_n (&h->rounds[device], round, __ATOMIC_RELEASE);
  for (int d = 0; d < h->devices; d++)
    while (__atomic_load_n (&h->rounds[d], __ATOMIC_ACQUIRE) < round)
      if (omp_get_wtime () - begin > PATIENCE)
	{
	  h->late++;
	  return;
	}
}

int
main (void)
{
  /* Its address as a number: a variable that is named in a region is mapped there.  */
  uintptr_t host_at = (uintptr_t) &host;
  static int own[MOST][8];
  int failures = 0, devices = omp_get_num_devices ();

  if (devices < 2)
    return 77;
  host.devices = devices = devices > MOST ? MOST : devices;
#pragma omp parallel num_threads (devices) reduction (+: failures)
  for (int d = omp_get_thread_num (); d < devices; d += omp_get_num_threads ())
    {
      int *mine = own[d], wrong = 0;
      for (int i = 0; i < 8; i++)
	mine[i] = 100 * d + i;
      if (omp_get_num_threads () < devices)
	failures++;
#pragma omp target device (d) map (tofrom: mine[:8], wrong) firstprivate (d, host_at)
      for (int round = 1; round <= ROUNDS; round++)
	{
	  mine[0] = round * 10 + d;
#pragma omp target device (ancestor: 1) firstprivate (d, round, host_at) map (always, tofrom: mine[:8])
	  {
	    meet ((struct host *) host_at, d, round);
	    mine[1] = mine[0] == round * 10 + d ? round : -1;
	  }
	  wrong += mine[1] != round;
	}
      failures += wrong + (mine[1] != ROUNDS) + (mine[2] != 100 * d + 2);

      wrong = 0;
#pragma omp target teams num_teams (TEAMS) device (d) map (tofrom: wrong) firstprivate (d, host_at)
#pragma omp parallel num_threads (2)
      for (int i = 0; i < CALLS; i++)
	{
	  int answer = 0;
#pragma omp target device (ancestor: 1) firstprivate (d, i, host_at) map (from: answer)
	  {
	    __atomic_fetch_add (&((struct host *) host_at)->calls[d], 1, __ATOMIC_RELAXED);
	    answer = d * 1000 + i;
	  }
	  if (answer != d * 1000 + i)
#pragma omp atomic
	    wrong++;
	}
      failures += wrong;
    }
  for (int d = 0; d < devices; d++)
    if (host.calls[d] != TEAMS * 2 * CALLS)
      {
	printf ("device %d: %ld calls\n", d, host.calls[d]);
	failures++;
      }
  if (failures || host.late)
    return printf ("%d failures, %ld late\n", failures, host.late), 1;
  return 0;
}
