/* The device dies while a call by slots is served, of a kernel that waits for the answer: the program ends with
   a message and does not hang.
   TEST-OPTIONS: -L@libdir@ -I@top_srcdir@/plugin -I@top_srcdir@/config/accel -I@top_srcdir@/testsuite/lib/accel-host
   TEST-ENV: FAKE_CUDA_FAIL=fill:1:719
   TEST-EXIT: 1
   TEST-OUTPUT: libgomp: .*CUDA_ERROR_LAUNCH_FAILED
   TEST-NO-OUTPUT: came back  */

#define _GNU_SOURCE 1
#include "aux-slots.h"

/* Older compilers have no such function.  */
extern void *omp_target_memset (void *, int, size_t, int);

static void *block;

HOST_PART (killer)
{
  (void) killer_arg;
  omp_target_memset (block, 0, 1 << 20, 0);
}

KERNEL (caller)
{
  (void) caller_arg;
}

static void
on_device (const struct fake_cuda_launch *launch)
{
  (void) launch;
  slots_kernel ();
  slots_target (slots_function ("killer"), 0, NULL, NULL, NULL);
}

int
main (void)
{
  block = omp_target_alloc (1 << 20, 0);
  FAKE_CUDA (fake_cuda_register) ("caller", on_device);
  GOMP_target_ext (-1, caller, 0, NULL, NULL, NULL, 0, NULL, NULL);
  printf ("the region came back\n");
  return 0;
}
