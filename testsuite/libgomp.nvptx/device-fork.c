/* A child of fork makes no call of the driver and gets no memory; the parent goes on.
   TEST-OPTIONS: -D_GNU_SOURCE -I@srcdir@/lib/fake-cuda  */

#include "fake-cuda.h"

#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned long (*calls) (const char *);

static int
all_calls (void)
{
  static const char *const names[] = { "cuInit", "cuCtxGetCurrent", "cuMemAlloc_v2", "cuMemFree_v2",
				       "cuMemcpyHtoDAsync_v2", "cuCtxPushCurrent_v2",
				       "cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRelease_v2" };
  int n = 0;
  for (size_t i = 0; i < sizeof (names) / sizeof (names[0]); i++)
    n += calls (names[i]);
  return n;
}

int
main (void)
{
  int h = omp_get_initial_device (), x = 5, status;
  int *p = omp_target_alloc (sizeof (x), 0);
  void *cuda = dlopen ("libcuda.so.1", RTLD_NOW);
  if (p == NULL || cuda == NULL || omp_target_memcpy (p, &x, sizeof (x), 0, 0, 0, h) != 0)
    return puts ("the device does not work"), 1;
  calls = (unsigned long (*) (const char *)) dlsym (cuda, "fake_cuda_calls");
  fflush (NULL);
  pid_t child = fork ();
  if (child == 0)
    {
      int before = all_calls ();
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
