/* A child of fork makes no call of the HSA runtime and gets no memory; the parent goes on.
   TEST-MODES: gcnsim
   TEST-OPTIONS: -D_GNU_SOURCE -I@top_srcdir@/testsuite/gcn-sim  */

#include "gcn-sim.h"

#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned long (*calls) (const char *);

static unsigned long
all_calls (void)
{
  static const char *const names[] = { "hsa_init", "hsa_iterate_agents", "hsa_agent_get_info",
				       "hsa_amd_memory_pool_allocate", "hsa_amd_memory_pool_free",
				       "hsa_amd_memory_async_copy", "hsa_amd_pointer_info",
				       "hsa_signal_store_screlease", "hsa_signal_destroy",
				       "hsa_queue_destroy", "hsa_shut_down" };
  unsigned long n = 0;
  for (size_t i = 0; i < sizeof (names) / sizeof (names[0]); i++)
    n += calls (names[i]);
  return n;
}

int
main (void)
{
  int h = omp_get_initial_device (), x = 5, status;
  int *p = omp_target_alloc (sizeof (x), 0);
  void *runtime = dlopen ("libhsa-runtime64.so.1", RTLD_NOW);
  void *function = runtime != NULL ? dlsym (runtime, "gcn_sim_calls") : NULL;

  if (p == NULL || function == NULL || omp_target_memcpy (p, &x, sizeof (x), 0, 0, 0, h) != 0)
    return puts ("the device does not work"), 1;
  memcpy (&calls, &function, sizeof (calls));
  fflush (NULL);
  pid_t child = fork ();
  if (child == 0)
    {
      unsigned long before = all_calls ();
      void *q = omp_target_alloc (100, 0);
      if (q != NULL)
	_exit (2);
      _exit (all_calls () == before ? 0 : 3);
    }
  if (waitpid (child, &status, 0) != child || status != 0)
    return printf ("the child's status is %#x\n", status), 1;
  x = 0;
  if (omp_target_memcpy (&x, p, sizeof (x), 0, 0, h, 0) != 0 || x != 5)
    return puts ("the parent's device does not work any more"), 1;
  omp_target_free (p, 0);
  return 0;
}
