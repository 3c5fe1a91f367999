/* Calls and operations of the stand-in driver fail and hang as they are told.
   TEST-OPTIONS: -I@top_srcdir@/plugin
   TEST-ENV: FAKE_CUDA_FAIL=cuMemAlloc:2:2,cuEventCreate:0:1,fill:2:719
   TEST-ENV: FAKE_CUDA_HANG=cuMemGetInfo:2
   TEST-ENV: FAKE_CUDA_MISSING=cuMemAllocAsync,cuMemFree
   TEST-OUTPUT: fake-cuda: call 2 of cuMemAlloc_v2 fails
   TEST-OUTPUT: fake-cuda: call 2 of fill fails
   TEST-OUTPUT: fake-cuda: cuMemGetInfo_v2 hangs  */

#define _GNU_SOURCE 1
#include "cuda-api.h"
#include "aux-fake.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define PROTOTYPE(base, suffix, version, parameters) extern CUresult base##suffix parameters;
CUDA_FUNCTIONS (PROTOTYPE, PROTOTYPE)

#define IS(wanted, function, ...)						\
  do										\
    {										\
      int result_ = FAKE_CUDA (function) (__VA_ARGS__);				\
      if (result_ != (wanted))							\
	{									\
	  printf ("line %d: %s: %d\n", __LINE__, #function, result_);		\
	  exit (1);								\
	}									\
    }										\
  while (0)

static CUcontext ctx;

static void *
hanging (void *arg)
{
  size_t a, b;
  FAKE_CUDA (cuCtxPushCurrent_v2) (ctx);
  FAKE_CUDA (cuMemGetInfo_v2) (&a, &b);
  printf ("it came back\n");
  exit (1);
  return arg;
}

int
main (void)
{
  CUdeviceptr p;
  CUevent event;
  size_t a, b;
  void *function;
  int status;
  pthread_t thread;

  IS (0, cuInit, 0);
  IS (0, cuDevicePrimaryCtxRetain, &ctx, 0);
  IS (0, cuCtxPushCurrent_v2, ctx);
  IS (0, cuMemAlloc_v2, &p, 100);
  IS (2, cuMemAlloc_v2, &p, 100);
  IS (0, cuMemAlloc_v2, &p, 100);
  IS (1, cuEventCreate, &event, 0);
  IS (1, cuEventCreate, &event, 0);
  IS (500, cuGetProcAddress_v2, "cuMemAllocAsync", &function, 12040, 0, &status);
  IS (500, cuGetProcAddress_v2, "cuMemFree", &function, 12040, 0, NULL);
  IS (0, cuGetProcAddress_v2, "cuMemAlloc", &function, 12040, 0, &status);
  if (function != (void *) FAKE_CUDA (cuMemAlloc_v2))
    return printf ("the wrong cuMemAlloc\n"), 1;
  IS (0, cuMemGetInfo_v2, &a, &b);
  pthread_create (&thread, NULL, hanging, NULL);
  while (FAKE_CUDA (fake_cuda_calls) ("cuMemGetInfo") < 2)
    sched_yield ();
  /* A call that hangs disturbs no other.  */
  IS (0, cuMemsetD8_v2, p, 1, 100);
  IS (0, cuCtxSynchronize);
  IS (0, cuMemsetD8_v2, p, 1, 100);
  IS (719, cuCtxSynchronize);
  IS (719, cuMemAlloc_v2, &p, 100);
  /* Until it has said so.  */
  const struct timespec moment = { .tv_nsec = 1000000 };
  for (int i = 0; i < 100; i++)
    nanosleep (&moment, NULL);
  return 0;
}
