/* A kernel that waits for the host does not burn a core, and goes on soon when the host has done it.  */
/* TEST-MODES: gcnsim */
/* TEST-OPTIONS: -I@top_srcdir@/plugin -I@top_srcdir@/testsuite/gcn-sim */
/* TEST-ENV: GCN_SIM_ISA=gfx900 */

#include "aux-hsa.h"
#include "aux-code.h"

#include <sys/resource.h>

static uint64_t
processor_time (void)
{
  struct rusage r;
  getrusage (RUSAGE_SELF, &r);
  return ((uint64_t) r.ru_utime.tv_sec + (uint64_t) r.ru_stime.tv_sec) * 1000000
	 + (uint64_t) r.ru_utime.tv_usec + (uint64_t) r.ru_stime.tv_usec;
}

int
main (void)
{
  struct code_choice c = CHOOSE (code_spin);
  hsa_queue_t *queue;
  start_hsa ();
  DO (hsa_queue_create (gpu_agent[0], 64, HSA_QUEUE_TYPE_MULTI, NULL, NULL, 0, 0, &queue));
  struct loaded l = load_code (0, &c);
  uint32_t *out = shared_memory (4096);
  uint64_t *kernarg = shared_memory (64);
  kernarg[0] = (uintptr_t) out;
  hsa_signal_t done = new_signal (1);
  hsa_kernel_dispatch_packet_t p = kernel_packet (&l, 4, 16, kernarg, done);
  enqueue (queue, &p, KERNEL_HEADER);
  /* Until it is all at rest, which takes a while on a busy machine.  */
  uint64_t used;
  int tries = 0;
  do
    {
      hsa_signal_wait_scacquire (done, HSA_SIGNAL_CONDITION_LT, 1, 100000000, HSA_WAIT_STATE_BLOCKED);
      uint64_t before = processor_time ();
      hsa_signal_wait_scacquire (done, HSA_SIGNAL_CONDITION_LT, 1, 500000000, HSA_WAIT_STATE_BLOCKED);
      used = processor_time () - before;
    }
  while (used > 350000 && ++tries < 20);
  if (used > 350000)
    {
      printf ("%lu us of processor time in half a second\n", (unsigned long) used);
      return 1;
    }
  __atomic_store_n (&out[0], 1, __ATOMIC_RELEASE);
  wait_zero (done);
  CHECK (out[1] == 9);
  DO (hsa_signal_destroy (done));
  DO (hsa_amd_memory_pool_free (out));
  DO (hsa_amd_memory_pool_free (kernarg));
  DO (hsa_executable_destroy (l.executable));
  DO (hsa_queue_destroy (queue));
  stop_hsa ();
  return 0;
}
