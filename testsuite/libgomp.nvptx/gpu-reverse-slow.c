/* A slow function of the host holds up nobody but the thread that called it: it waits until all other threads, of the same
   teams and of others, have done their work, some with many calls of the host and some with none but one at the end.
   MINGCC: 13
   TEST-MODES: gpu
   TEST-GPU: ours  */

#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#pragma omp requires reverse_offload

#ifdef FEW
enum { TEAMS = 2, SLOW_TEAMS = 1, THREADS = 4, CALLS = 10, WORK = 300, PATIENCE = 20 };
#else
enum { TEAMS = 64, SLOW_TEAMS = 8, THREADS = 4, CALLS = 200, WORK = 100000, PATIENCE = 20 };
#endif

static struct host
{
  int begun, ended;		/* slow functions */
  int done;			/* other threads */
  int late;
} host;

/* On the host.  */
static void
be_slow (struct host *h)
{
  __atomic_add_fetch (&h->begun, 1, __ATOMIC_RELAXED);
  for (int i = 0; __atomic_load_n (&h->done, __ATOMIC_RELAXED) < TEAMS * THREADS - SLOW_TEAMS; i++)
    {
      usleep (1000);
      if (i > PATIENCE * 1000)
	{
	  __atomic_store_n (&h->late, 1, __ATOMIC_RELAXED);
	  return;
	}
    }
  __atomic_add_fetch (&h->ended, 1, __ATOMIC_RELAXED);
}

int
main (void)
{
  /* Its address as a number: a variable that is named in a region is mapped there.  */
  uintptr_t host_at = (uintptr_t) &host;
  int failures = 0;

#pragma omp target teams num_teams (TEAMS) map (tofrom: failures) firstprivate (host_at)
#pragma omp parallel num_threads (THREADS)
  {
    int team = omp_get_team_num (), thread = omp_get_thread_num (), wrong = 0;
    if (team < SLOW_TEAMS && thread == 0)
      {
	int answer = 0;
#pragma omp target device (ancestor: 1) firstprivate (host_at) map (from: answer)
	{
	  be_slow ((struct host *) host_at);
	  answer = 5;
	}
	wrong = answer != 5;
      }
    else
      {
	if (thread % 2 == 1)
	  for (int i = 0; i < CALLS; i++)
	    {
	      int x = i;
#pragma omp target device (ancestor: 1) map (tofrom: x)
	      x++;
	      wrong += x != i + 1;
	    }
	else
	  {
	    unsigned v = team;
	    for (int i = 0; i < WORK; i++)
	      v = (v ^ v >> 7) * 1664525 + 1013904223;
	    wrong = v == 12345;		/* which it is not */
	  }
#pragma omp target device (ancestor: 1) firstprivate (host_at)
	__atomic_add_fetch (&((struct host *) host_at)->done, 1, __ATOMIC_RELAXED);
      }
    if (wrong)
#pragma omp atomic
      failures += wrong;
  }
  if (failures || host.late || host.begun != SLOW_TEAMS || host.ended != SLOW_TEAMS)
    {
      printf ("%d failures; slow functions: %d begun, %d ended; %d other threads\n", failures, host.begun, host.ended,
	      host.done);
      return 1;
    }
  return 0;
}
