/* aux-launch.h -- what tests of queues and launches share: the stand-in driver's own functions, and
   seeing launches.  The first program file includes it after aux-image.h.  */

#ifndef AUX_LAUNCH_H
#define AUX_LAUNCH_H 1

#include "aux-check.h"
#include "fake-cuda.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline void *
aux_driver (const char *name)
{
  void *library = dlopen ("libcuda.so.1", RTLD_NOW);
  void *p = library != NULL ? dlsym (library, name) : NULL;
  if (p == NULL)
    {
      printf ("the stand-in driver has no %s\n", name);
      exit (1);
    }
  return p;
}

/* How often the driver's function NAME was called.  */
static inline unsigned long
aux_calls (const char *name)
{
  static __typeof__ (&fake_cuda_calls) calls;
  if (calls == NULL)
    calls = (__typeof__ (calls)) aux_driver ("fake_cuda_calls");
  return calls (name);
}

/* Region I of function WHERE is FUNCTION on the device.  */
static inline void
aux_region_of (const char *where, unsigned i, fake_cuda_kernel_fn *function)
{
  char name[64];
  snprintf (name, sizeof (name), "%s$_omp_fn$%u", where, i);
  ((__typeof__ (&fake_cuda_register)) aux_driver ("fake_cuda_register")) (name, function);
}

static inline void
aux_region (unsigned i, fake_cuda_kernel_fn *function)
{
  aux_region_of ("main", i, function);
}

/* A parameter of a kernel.  */
static inline uint64_t
aux_param (const struct fake_cuda_launch *launch, unsigned i)
{
  uint64_t value;
  memcpy (&value, launch->params[i], sizeof (value));
  return value;
}

static inline void
aux_nap (void)
{
  const struct timespec moment = { .tv_nsec = 200000 };
  nanosleep (&moment, NULL);
}

/* Wait until *WORD is at least N, but no longer than some seconds.  */
static inline int
aux_await (_Atomic int *word, int n)
{
  for (int i = 0; i < 50000; i++)
    {
      if (atomic_load (word) >= n)
	return 1;
      aux_nap ();
    }
  return 0;
}

#endif /* AUX_LAUNCH_H */
