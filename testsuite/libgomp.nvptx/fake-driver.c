/* The stand-in driver by itself: memory apart from the host's, order of streams and events, copies that
   read late, variables and kernels of modules, sticky errors, complaints.
   TEST-OPTIONS: -I@top_srcdir@/plugin -I@srcdir@/lib/fake-cuda
   TEST-ENV: FAKE_CUDA_DEVICES=2
   TEST-OUTPUT: fake-cuda: misuse: cuMemFree of .* freed already  */

#define _GNU_SOURCE 1
#include "aux-check.h"
#include "cuda-api.h"
#include "fake-cuda.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *library;

static void *
find (const char *name)
{
  void *p = dlsym (library, name);
  if (p == NULL)
    {
      printf ("no %s\n", name);
      exit (1);
    }
  return p;
}

#define CALL(function, ...) ((__typeof__ (&function)) find (#function)) (__VA_ARGS__)
#define GOOD(function, ...)							\
  do										\
    {										\
      int result_ = CALL (function, __VA_ARGS__);				\
      if (result_ != 0)								\
	{									\
	  printf ("line %d: %s: %d\n", __LINE__, #function, result_);		\
	  exit (1);								\
	}									\
    }										\
  while (0)
#define PROTOTYPE(base, suffix, version, parameters) extern CUresult base##suffix parameters;
CUDA_FUNCTIONS (PROTOTYPE, PROTOTYPE)
extern CUresult cuCtxCreate_v2 (CUcontext *, unsigned, CUdevice);

static _Atomic int gate;

/* A kernel: waits until it may, then adds 1 to an array.  */
static void
waiting (const struct fake_cuda_launch *launch)
{
  while (atomic_load (&gate) == 0)
    ;
  int *a = *(int **) launch->params[0];
  int n = *(int *) launch->params[1];
  for (int i = 0; i < n; i++)
    a[i]++;
  ((int *) (uintptr_t) CALL (fake_cuda_symbol, "counter", NULL))[0] += 100;
}

static void
wild (const struct fake_cuda_launch *launch)
{
  volatile int *volatile p = (volatile int *) 16;
  (void) launch;
  *p = 1;
}

static const char ptx[] = "//\n.version 6.0\n.target sm_52\n.address_size 64\n"
  ".visible .global .align 4 .u32 counter[2] = { 7, 8 };\n"
  ".visible .global .align 8 .u64 table[2] = { helper, counter };\n"
  ".global .align 8 .f64 d = 0d3FF0000000000000;\n"
  ".visible .func helper\n{\n ret;\n}\n"
  ".visible .entry waiting (.param .u64 a, .param .u32 n)\n{\n { ret; }\n}\n"
  ".visible .entry wild\n{\nret;\n}\n";

int
main (void)
{
  CUcontext ctx, other;
  CUstream one, two;
  CUevent event;
  CUmodule module;
  CUfunction kernel, bad;
  CUlinkState state;
  CUdeviceptr p, q, counter, table;
  enum { N = 1000 };
  int a[N], n = N, *pinned, count;
  size_t size;
  void *cubin, *params[2] = { &p, &n };
  uint64_t words[2];
  double d;

  library = dlopen ("libcuda.so.1", RTLD_NOW);
  CHECK (library != NULL);
  CHECK (CALL (cuDeviceGetCount, &count) == CUDA_ERROR_NOT_INITIALIZED);
  GOOD (cuInit, 0);
  GOOD (cuDeviceGetCount, &count);
  CHECK (count == 2);
  CHECK (CALL (cuMemAlloc_v2, &p, 100) == CUDA_ERROR_INVALID_CONTEXT);
  GOOD (cuDevicePrimaryCtxRetain, &ctx, 0);
  GOOD (cuCtxPushCurrent_v2, ctx);
  CALL (fake_cuda_register, "waiting", waiting);
  CALL (fake_cuda_register, "wild", wild);

  /* A module.  */
  GOOD (cuLinkCreate_v2, 0, NULL, NULL, &state);
  GOOD (cuLinkAddData_v2, state, CU_JIT_INPUT_PTX, (void *) ptx, sizeof (ptx), "test", 0, NULL, NULL);
  GOOD (cuLinkComplete, state, &cubin, &size);
  GOOD (cuModuleLoadData, &module, cubin);
  GOOD (cuLinkDestroy, state);
  GOOD (cuModuleGetFunction, &kernel, module, "waiting");
  GOOD (cuModuleGetFunction, &bad, module, "wild");
  CHECK (CALL (cuModuleGetFunction, &bad, module, "nothing") == CUDA_ERROR_NOT_FOUND);
  GOOD (cuModuleGetGlobal_v2, &counter, &size, module, "counter");
  CHECK (size == 8);
  GOOD (cuMemcpyDtoH_v2, a, counter, 8);
  CHECK (a[0] == 7 && a[1] == 8);
  GOOD (cuModuleGetGlobal_v2, &table, NULL, module, "table");
  GOOD (cuMemcpyDtoH_v2, words, table, 16);
  CHECK (words[0] != 0 && words[1] == counter);
  GOOD (cuModuleGetGlobal_v2, &table, NULL, module, "d");
  GOOD (cuMemcpyDtoH_v2, &d, table, 8);
  CHECK (d == 1.0);

  /* Streams: the second one waits for the first, whose kernel waits for us.  */
  GOOD (cuStreamCreate, &one, CU_STREAM_NON_BLOCKING);
  GOOD (cuStreamCreate, &two, CU_STREAM_NON_BLOCKING);
  GOOD (cuEventCreate, &event, 0);
  GOOD (cuMemAlloc_v2, &p, sizeof (a));
  GOOD (cuMemHostAlloc, (void **) &pinned, sizeof (a), 0);
  for (int i = 0; i < N; i++)
    a[i] = i, pinned[i] = -1;
  GOOD (cuMemcpyHtoDAsync_v2, p, a, sizeof (a), one);
  memset (a, 0x55, sizeof (a));		/* it was read already */
  GOOD (cuLaunchKernel, kernel, 1, 1, 1, 32, 1, 1, 0, one, params, NULL);
  GOOD (cuEventRecord, event, one);
  GOOD (cuStreamWaitEvent, two, event, 0);
  GOOD (cuMemcpyDtoHAsync_v2, pinned, p, sizeof (a), two);
  CHECK (CALL (cuEventQuery, event) == CUDA_ERROR_NOT_READY);
  CHECK (CALL (cuStreamQuery, two) == CUDA_ERROR_NOT_READY);
  CHECK (pinned[5] == -1);
  atomic_store (&gate, 1);
  GOOD (cuStreamSynchronize, two);
  GOOD (cuEventQuery, event);
  for (int i = 0; i < N; i++)
    CHECK (pinned[i] == i + 1);
  GOOD (cuMemcpyDtoH_v2, a, counter, 4);
  CHECK (a[0] == 107);

  /* Pinned memory is read when the copy is executed.  */
  atomic_store (&gate, 0);
  GOOD (cuLaunchKernel, kernel, 1, 1, 1, 32, 1, 1, 0, one, params, NULL);
  pinned[3] = 1;
  GOOD (cuMemcpyHtoDAsync_v2, p, pinned, sizeof (a), one);
  pinned[3] = 333;
  atomic_store (&gate, 1);
  GOOD (cuStreamSynchronize, one);
  GOOD (cuMemcpyDtoH_v2, a, p, sizeof (a));
  CHECK (a[3] == 333);

  /* Wrong arguments.  */
  CHECK (CALL (cuMemcpyHtoD_v2, p + 4, a, sizeof (a)) == CUDA_ERROR_INVALID_VALUE);
  CHECK (CALL (cuMemcpyHtoD_v2, 4096, a, 4) == CUDA_ERROR_INVALID_VALUE);
  GOOD (cuMemAlloc_v2, &q, 64);
  GOOD (cuMemFree_v2, q);
  CHECK (CALL (cuMemFree_v2, q) == CUDA_ERROR_INVALID_VALUE);
  CHECK (CALL (cuLaunchKernel, kernel, 1, 1, 1, 2048, 1, 1, 0, one, params, NULL)
	 == CUDA_ERROR_INVALID_VALUE);

  /* A kernel that touches wrong memory kills the context, and no other one.  */
  GOOD (cuModuleGetFunction, &bad, module, "wild");
  GOOD (cuLaunchKernel, bad, 1, 1, 1, 32, 1, 1, 0, one, NULL, NULL);
  CHECK (CALL (cuStreamSynchronize, one) == CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK (CALL (cuMemAlloc_v2, &q, 64) == CUDA_ERROR_ILLEGAL_ADDRESS);
  GOOD (cuCtxPopCurrent_v2, NULL);
  GOOD (cuCtxCreate_v2, &other, 0, 1);
  GOOD (cuMemAlloc_v2, &q, 64);
  GOOD (cuMemFree_v2, q);
  CHECK (CALL (fake_cuda_calls, "cuMemFree") == 3);
  return 0;
}
