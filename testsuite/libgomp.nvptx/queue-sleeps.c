/* A thread that waits for a region that takes long sleeps in the driver, unless OMP_WAIT_POLICY is active: then it
   never does.
   TEST-OPTIONS: -I@srcdir@/lib/fake-cuda  */

#define _GNU_SOURCE 1
#include "aux-image.h"
#include "aux-launch.h"

static unsigned long before;
static _Atomic int slept;

/* Until its thread sleeps; where it must not, for a while.  */
static void
wait_long (const struct fake_cuda_launch *launch)
{
  const char *policy = getenv ("OMP_WAIT_POLICY");
  int naps = policy != NULL && strcmp (policy, "active") == 0 ? 200 : 100000;
  (void) launch;
  for (int i = 0; i < naps && !slept; i++)
    {
      aux_nap ();
      slept = aux_calls ("cuEventSynchronize") + aux_calls ("cuStreamSynchronize") != before;
    }
}

static void
nothing (const struct fake_cuda_launch *launch)
{
  (void) launch;
}

int
main (void)
{
  const char *policy = getenv ("OMP_WAIT_POLICY");
  int active = policy != NULL && strcmp (policy, "active") == 0;

  aux_region (0, nothing);
  aux_region (1, wait_long);
  /* The image is linked, which waits, too.  */
#pragma omp target
  { }
  before = aux_calls ("cuEventSynchronize") + aux_calls ("cuStreamSynchronize");
#pragma omp target
  { }
  CHECK (slept == !active);
  CHECK (aux_calls ("cuCtxSynchronize") == 0);
  return 0;
}
