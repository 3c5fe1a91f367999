/* Kernels that the stand-in driver executes as PTX and that do what they must not: the error is the driver's, it
   stays until the context is gone, and kernels of other streams end.
   TEST-OPTIONS: -I@top_srcdir@/plugin
   TEST-ENV: FAKE_CUDA_PTX=1
   TEST-OUTPUT: ^ptx-sim: .*that was freed
   TEST-OUTPUT: ^ptx-sim: .*0x8
   TEST-OUTPUT: ^ptx-trap:
   TEST-NO-OUTPUT: not so  */

#include "aux-execute.h"

#include <stdatomic.h>

static const char text[] =
  ".version 6.0\n.target sm_35\n.address_size 64\n"
  ".visible .entry store (.param .u64 address)\n"
  "{\n"
  "  .reg .u64 %rd<2>; .reg .u32 %r<2>;\n"
  "  ld.param.u64 %rd1, [address];\n"
  "  mov.u32 %r1, 1;\n"
  "  st.u32 [%rd1], %r1;\n"
  "  ret;\n"
  "}\n"
  ".visible .entry traps (.param .u64 address)\n"
  "{\n"
  "  trap;\n"
  "  ret;\n"
  "}\n"
  /* Says that it is there, and never ends.  */
  ".visible .entry stays (.param .u64 address)\n"
  "{\n"
  "  .reg .u64 %rd<2>; .reg .u32 %r<2>;\n"
  "  ld.param.u64 %rd1, [address];\n"
  "  mov.u32 %r1, 1;\n"
  "  st.volatile.u32 [%rd1], %r1;\n"
  "again:\n"
  "  bra again;\n"
  "}\n";

/* Launch NAME with ADDRESS in a new context: the error is WANTED.  WITH: the kernel stays runs.  */
static int
try (const char *name, CUdeviceptr address, CUresult wanted, bool with)
{
  CUcontext ctx;
  CUmodule module;
  CUfunction kernel, stays;
  CUstream one, two;
  void *params[] = { &address }, *word = NULL;
  int device;
  GOOD (cuDevicePrimaryCtxRetain, &ctx, 0);
  GOOD (cuCtxPushCurrent_v2, ctx);
  GOOD (cuModuleLoadData, &module, text);
  GOOD (cuModuleGetFunction, &kernel, module, name);
  GOOD (cuModuleGetFunction, &stays, module, "stays");
  GOOD (cuStreamCreate, &one, CU_STREAM_NON_BLOCKING);
  GOOD (cuStreamCreate, &two, CU_STREAM_NON_BLOCKING);
  GOOD (cuMemHostAlloc, &word, 4, 0);
  if (address == 1)
    {
      GOOD (cuMemAlloc_v2, &address, 100);
      GOOD (cuMemFree_v2, address);
    }
  else if (address == 2)
    /* Behind what was asked for, and misaligned.  */
    address = (uintptr_t) word + 4 - (wanted == CUDA_ERROR_MISALIGNED_ADDRESS ? 2 : 0);
  if (with)
    {
      _Atomic unsigned *here = word;
      atomic_store (here, 0);
      GOOD (cuLaunchKernel, stays, 1, 1, 1, 32, 1, 1, 0, two, (void *[]) { &word }, NULL);
      while (atomic_load (here) == 0)
	;
    }
  GOOD (cuLaunchKernel, kernel, 1, 1, 1, 32, 1, 1, 0, one, params, NULL);
  CHECK (FAKE_CUDA (cuStreamSynchronize) (one) == wanted);
  CHECK (FAKE_CUDA (cuStreamSynchronize) (two) == wanted);
  CHECK (FAKE_CUDA (cuMemFreeHost) (word) == wanted);
  CHECK (FAKE_CUDA (cuCtxGetDevice) (&device) == wanted);
  GOOD (cuCtxPopCurrent_v2, &ctx);
  GOOD (cuDevicePrimaryCtxRelease_v2, 0);
  return 0;
}

int
main (void)
{
  GOOD (cuInit, 0);
  return try ("store", 8, CUDA_ERROR_ILLEGAL_ADDRESS, false)
	 || try ("store", 1, CUDA_ERROR_ILLEGAL_ADDRESS, false)
	 || try ("store", 2, CUDA_ERROR_ILLEGAL_ADDRESS, true)
	 || try ("store", 2, CUDA_ERROR_MISALIGNED_ADDRESS, false)
	 || try ("traps", 0, CUDA_ERROR_LAUNCH_FAILED, true);
}
