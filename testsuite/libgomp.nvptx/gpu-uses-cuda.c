/* A program that uses the CUDA driver by itself: its current context stays what it was, in every
   thread, memory of either side is good on the other, and its own kernels run between regions.
   TEST-MODES: gpu
   TEST-OPTIONS: -I@top_srcdir@/plugin -ldl  */

#include "cuda-api.h"
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DECLARE(name, suffix, version, parameters)			\
  static CUresult (*name##suffix) parameters __attribute__ ((unused));
CUDA_FUNCTIONS (DECLARE, DECLARE)

static int failures;
#define CHECK(cond)							\
  do									\
    if (!(cond))							\
      {									\
	printf ("%d: not so: %s\n", __LINE__, #cond);			\
	_Pragma ("omp atomic") failures++;				\
      }									\
  while (0)

static const char ptx[] =
  ".version 6.0\n.target sm_52\n.address_size 64\n"
  ".visible .entry add (.param .u64 p, .param .u32 v)\n"
  "{ .reg .u64 %p, %o; .reg .u32 %v, %w, %t; ld.param.u64 %p, [p]; ld.param.u32 %v, [v];\n"
  "  mov.u32 %t, %tid.x; mul.wide.u32 %o, %t, 4; add.u64 %p, %p, %o;\n"
  "  ld.global.u32 %w, [%p]; add.u32 %w, %w, %v; st.global.u32 [%p], %w; ret; }\n";

enum { N = 64 };

static int
region (int x)
{
#pragma omp target map (tofrom: x)
  x++;
  return x;
}

int
main (void)
{
  void *library = dlopen ("libcuda.so.1", RTLD_NOW);
  if (library == NULL)
    return printf ("%s\n", dlerror ()), 77;
#define LOOK_UP(name, suffix, version, parameters) \
  *(void **) &name##suffix = dlsym (library, #name #suffix);
  CUDA_FUNCTIONS (LOOK_UP, LOOK_UP)

  CUcontext current = (CUcontext) 1, context, popped;
  CUdevice device;
  CHECK (cuInit (0) == 0 && cuDeviceGet (&device, 0) == 0);

  /* No context before, none afterwards.  */
  CHECK (region (1) == 2);
  CHECK (cuCtxGetCurrent (&current) == 0 && current == NULL);

  /* The program's context of the same device.  */
  CHECK (cuDevicePrimaryCtxRetain (&context, device) == 0);
  CHECK (cuCtxPushCurrent_v2 (context) == 0);
  CHECK (region (2) == 3);
  CHECK (cuCtxGetCurrent (&current) == 0 && current == context);

  CUmodule module;
  CUfunction add;
  CUstream stream;
  CHECK (cuModuleLoadData (&module, ptx) == 0);
  CHECK (cuModuleGetFunction (&add, module, "add") == 0);
  CHECK (cuStreamCreate (&stream, CU_STREAM_NON_BLOCKING) == 0);

  /* Memory of OpenMP in a kernel of the program, memory of the program in a region.  */
  int host[N], *ours = omp_target_alloc (sizeof host, 0);
  CUdeviceptr theirs;
  CHECK (ours != NULL && cuMemAlloc_v2 (&theirs, sizeof host) == 0);
  int *p = (int *) theirs;
  for (int round = 0; round < 20; round++)
    {
      CUdeviceptr a = (CUdeviceptr) ours, b = theirs;
      unsigned v = 5;
#pragma omp target is_device_ptr (ours, p) firstprivate (round)
      for (int i = 0; i < N; i++)
	ours[i] = p[i] = i + round;
      CHECK (cuLaunchKernel (add, 1, 1, 1, N, 1, 1, 0, stream, (void *[]) { &a, &v }, NULL) == 0);
      CHECK (cuLaunchKernel (add, 1, 1, 1, N, 1, 1, 0, stream, (void *[]) { &b, &v }, NULL) == 0);
      CHECK (cuStreamSynchronize (stream) == 0);
      int sum = 0, wrong = 0;
#pragma omp target is_device_ptr (ours, p) map (tofrom: sum)
      for (int i = 0; i < N; i++)
	sum += ours[i] + p[i];
      CHECK (sum == 2 * (N * (N - 1) / 2 + N * (round + 5)));
      memset (host, 0, sizeof host);
      CHECK (cuMemcpyDtoH_v2 (host, a, sizeof host) == 0);
      for (int i = 0; i < N; i++)
	wrong += host[i] != i + round + 5;
      CHECK (wrong == 0);
      CHECK (omp_target_memcpy (host, p, sizeof host, 0, 0, omp_get_initial_device (), 0) == 0);
      CHECK (host[3] == 3 + round + 5);
    }

  /* Threads with and without a context.  */
#pragma omp parallel num_threads (4)
  {
    CUcontext mine = omp_get_thread_num () % 2 ? context : NULL, seen = (CUcontext) 1;
    CHECK (cuCtxSetCurrent (mine) == 0);
    for (int k = 0; k < 20; k++)
      {
	CHECK (region (k) == k + 1);
	CHECK (cuCtxGetCurrent (&seen) == 0 && seen == mine);
      }
    if (omp_get_thread_num () != 0)
      CHECK (cuCtxSetCurrent (NULL) == 0);
  }
  CHECK (cuMemFree_v2 (theirs) == 0);
  omp_target_free (ours, 0);
  CHECK (cuCtxSetCurrent (context) == 0);
  CHECK (region (9) == 10);
  CHECK (cuCtxPopCurrent_v2 (&popped) == 0 && popped == context);

  /* The program drops its reference: ours keeps the context alive.  */
  CHECK (cuDevicePrimaryCtxRelease_v2 (device) == 0);
  CHECK (region (10) == 11);
  return failures != 0;
}
