/* Calls of the HSA runtime fail once, in turn; then kernels and copies fail when they are executed.  Every time the
   program ends as it is specified: the result is right, or a routine answers that it failed, or a message
   names what failed.  Nothing hangs, nothing is misused, and the device can be closed.
   TEST-MODES: gcnsim
   TEST-IMAGE: gcn
   TEST-GPU: fallback
   TEST-OUTPUT: (?n)^any: [0-9]+ calls$
   TEST-TIMEOUT: 200  */

#define _GNU_SOURCE 1
enum { ARRAY = 300 };
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
  no_image = omp_is_initial_device ();
  return use_device ();
}

int
main (int argc, char **argv)
{
  static const struct knob knobs[] =
    {
      { "any", 0x1000, CALL_STEP }, { "hsa_amd_memory_pool_allocate", 0x1008, 1 },
      { "hsa_queue_create", 0x1008, 1 }, { "op", 0x1016, OPERATION_STEP }
    };

  (void) argv;
  return argc > 1 ? child () : run_all (knobs, 4, "GCN_SIM_FAIL", "gcn-sim");
}
