/* Calls of NVIDIA's driver fail once, in turn, with an error that leaves the device usable; then
   operations fail when they are executed, which kills it.  Every time the program ends as it is
   specified: the result is right, or a routine answers that it failed, or a message names what
   failed.  Nothing hangs, nothing is misused, and the device can be closed.
   TEST-TIMEOUT: 200  */

#define _GNU_SOURCE 1
#include "aux-image.h"
#include "aux-fake.h"

enum { ARRAY = 3000 };
#define EVERY_CALL_KNOBS 1
#include "../libgomp.fault/aux-every-call.h"

/* Every call would take too long with a sanitizer: primes, so that calls which come in patterns are all met.  */
#if defined (__SANITIZE_THREAD__) || defined (__SANITIZE_ADDRESS__)
enum { CALL_STEP = 13, OPERATION_STEP = 5 };
#else
enum { CALL_STEP = 1, OPERATION_STEP = 1 };
#endif

static int
child (void)
{
  alarm (50);
#pragma omp target map(from: no_image)
  no_image = 0;
  /* The kernel is the host's function: it cannot tell where it runs.  */
  no_image = (FAKE_CUDA (fake_cuda_calls) ("cuLaunchKernel")
	      + FAKE_CUDA (fake_cuda_calls) ("cuLaunchKernelEx")) == 0;
  return use_device ();
}

int
main (int argc, char **argv)
{
  static const struct knob knobs[] =
    {
      { "any", 1, CALL_STEP }, { "cuMemAlloc", 2, 1 }, { "cuMemHostAlloc", 2, 1 },
      { "op", 719, OPERATION_STEP }
    };

  (void) argv;
  return argc > 1 ? child () : run_all (knobs, 4, "FAKE_CUDA_FAIL", "fake-cuda");
}
