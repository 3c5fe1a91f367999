/* Helpers have the CPUs, the signal mask, the rounding mode, the policy and the nice value of the thread that would create
   them, also where helpers of an earlier thread could be had.
   TEST-OPTIONS: -D_GNU_SOURCE -lm -frounding-math */

#include <fenv.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

static cpu_set_t all;

struct wish
{
  cpu_set_t cpus;
  int blocked, rounding;
  int policy, nice;		/* added to that of the main thread */
};
static int main_nice;

static void *
root (void *arg)
{
  const struct wish *wish = arg;
  sigset_t set;
  cpu_set_t seen_cpus;
  int seen_blocked = -1, seen_rounding = -1, seen_policy = -1, seen_nice = -1;
  struct sched_param none = { 0 };

  sched_setaffinity (0, sizeof wish->cpus, &wish->cpus);
  sigemptyset (&set);
  sigaddset (&set, SIGUSR1);
  sigaddset (&set, SIGRTMAX);
  pthread_sigmask (wish->blocked ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
  fesetround (wish->rounding);
  if (sched_setscheduler (0, wish->policy, &none) != 0
      || setpriority (PRIO_PROCESS, 0, main_nice + wish->nice) != 0)
    abort ();
#pragma omp parallel num_threads (2)
  if (omp_get_thread_num () == 1)
    {
      sigset_t now;
      sched_getaffinity (0, sizeof seen_cpus, &seen_cpus);
      pthread_sigmask (SIG_BLOCK, NULL, &now);
      seen_blocked = sigismember (&now, SIGUSR1);
      if (sigismember (&now, SIGRTMAX) != seen_blocked)
	seen_blocked = -2;
      seen_policy = sched_getscheduler (0);
      seen_nice = getpriority (PRIO_PROCESS, 0) - main_nice;
      seen_rounding = fegetround ();
    }
  if (!CPU_EQUAL (&seen_cpus, &wish->cpus) || seen_blocked != wish->blocked
      || seen_rounding != wish->rounding || seen_policy != wish->policy || seen_nice != wish->nice)
    {
      printf ("wanted blocked %d, rounding %d, %d CPUs, policy %d, nice %d; the helper has %d, %d, %d, %d, %d\n",
	      wish->blocked, wish->rounding, CPU_COUNT (&wish->cpus), wish->policy, wish->nice,
	      seen_blocked, seen_rounding, CPU_COUNT (&seen_cpus), seen_policy, seen_nice);
      exit (1);
    }
  return NULL;
}

static void
run (struct wish wish)
{
  pthread_t thread;
  if (pthread_create (&thread, NULL, root, &wish) != 0)
    abort ();
  pthread_join (thread, NULL);
}

int
main (void)
{
  cpu_set_t one;
  if (sched_getaffinity (0, sizeof all, &all) != 0)
    return 77;
  CPU_ZERO (&one);
  for (int cpu = 0; CPU_COUNT (&one) == 0; cpu++)
    if (CPU_ISSET (cpu, &all))
      CPU_SET (cpu, &one);

  main_nice = getpriority (PRIO_PROCESS, 0);
  if (main_nice > 17 || sched_getscheduler (0) != SCHED_OTHER)
    return 77;

  for (int turn = 0; turn < 3; turn++)
    {
      run ((struct wish) { all, 0, FE_TONEAREST, SCHED_OTHER, 0 });
      run ((struct wish) { one, 0, FE_TONEAREST, SCHED_OTHER, 0 });
      run ((struct wish) { all, 1, FE_TONEAREST, SCHED_OTHER, 0 });
      run ((struct wish) { all, 0, FE_UPWARD, SCHED_OTHER, 0 });
      run ((struct wish) { all, 0, FE_TONEAREST, SCHED_BATCH, 0 });
      run ((struct wish) { all, 0, FE_TONEAREST, SCHED_OTHER, 1 });
      run ((struct wish) { one, 1, FE_DOWNWARD, SCHED_BATCH, 2 });
    }
  return 0;
}
