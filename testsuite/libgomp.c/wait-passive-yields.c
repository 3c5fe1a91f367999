/* With OMP_WAIT_POLICY=passive no thread that waits calls sched_yield, which gives a time slice to whoever computes: not in
   teams with a processor for each thread, not in larger ones.  The same program without the policy shows that
   such calls are seen here.  */
/* TEST-OPTIONS: -rdynamic */
/* TEST-TIMEOUT: 60 */

#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_long yields;

int
sched_yield (void)
{
  yields++;
  return syscall (SYS_sched_yield);
}

static void
wait_in_many_ways (int threads)
{
  static omp_lock_t lock;
  long sum = 0;
  omp_init_lock (&lock);
#pragma omp parallel num_threads (threads)
  for (int i = 0; i < 50; i++)
    {
      if (omp_get_thread_num () == i % threads)
	usleep (200);
#pragma omp barrier
#pragma omp for ordered schedule (static, 1)
      for (int k = 0; k < threads; k++)
	{
#pragma omp ordered
	  sum++;
	}
      omp_set_lock (&lock);
#pragma omp atomic
      sum++;
      omp_unset_lock (&lock);
#pragma omp single
      for (int k = 0; k < 10; k++)
	{
#pragma omp task
	  {
#pragma omp atomic
	    sum++;
	  }
	}
    }
  for (int i = 0; i < 50; i++)
    {
#pragma omp parallel num_threads (threads)
      if (omp_get_thread_num () == threads - 1)
	usleep (100);
    }
  omp_destroy_lock (&lock);
}

static long
yields_of_all (void)
{
  wait_in_many_ways (2);
  wait_in_many_ways (4 * omp_get_num_procs () + 1);
  return yields;
}

int
main (int argc, char **argv)
{
  const char *policies[] = { "active", "passive" };

  if (argc > 1)
    {
      long n = yields_of_all ();
      printf ("%s: %ld yields\n", argv[1], n);
      return (n == 0) != (strcmp (argv[1], "passive") == 0);
    }
  for (int i = 0; i < 2; i++)
    {
      pid_t child = fork ();
      if (child == 0)
	{
	  setenv ("OMP_WAIT_POLICY", policies[i], 1);
	  execl ("/proc/self/exe", argv[0], policies[i], (char *) NULL);
	  _exit (1);
	}
      int status = 1;
      if (child < 0 || waitpid (child, &status, 0) != child || status != 0)
	{
	  printf ("%s: not as it should be\n", policies[i]);
	  return 1;
	}
    }
  return 0;
}
