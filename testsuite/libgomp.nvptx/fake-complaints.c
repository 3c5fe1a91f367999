/* The stand-in driver tells what a program must not do, and what it leaves behind.
   TEST-OPTIONS: -I@top_srcdir@/plugin
   TEST-SKIP-SANITIZER: address children fault on purpose
   TEST-ENV: FAKE_CUDA_LEAKS=1
   TEST-OUTPUT: fake-cuda: misuse: the stream 0x[0-9a-f]+ was destroyed before
   TEST-OUTPUT: fake-cuda: misuse: cuMemFree of 0x[0-9a-f]+, which is unknown
   TEST-OUTPUT: fake-cuda: misuse: cuMemFree of 0x[0-9a-f]+, which is memory of another kind
   TEST-OUTPUT: fake-cuda: misuse: a copy uses device memory at 0x[0-9a-f]+ that was freed
   TEST-OUTPUT: fake-cuda: misuse: a copy gets a device pointer as an address of the host
   TEST-OUTPUT: fake-cuda: misuse: cuCtxGetCurrent is called in a callback of a stream
   TEST-OUTPUT: fake-cuda: misuse: cuCtxSynchronize is called in a forked child
   TEST-OUTPUT: fake-cuda: misuse: a context is popped that nobody has pushed
   TEST-OUTPUT: fake-cuda: misuse: the primary context of device 0 is used after its release
   TEST-OUTPUT: fake-cuda: misuse: the host touches device memory
   TEST-OUTPUT: fake-cuda: misuse: 0x[0-9a-f]+ in pinned memory is used that was freed
   TEST-OUTPUT: fake-cuda: leak: 1000 bytes of device memory are left in a context that goes away
   TEST-OUTPUT: fake-cuda: leak: 77 bytes of device memory at
   TEST-OUTPUT: fake-cuda: leak: 88 bytes of pinned memory at
   TEST-OUTPUT: fake-cuda: leak: stream
   TEST-OUTPUT: fake-cuda: leak: event
   TEST-OUTPUT: fake-cuda: leak: context  */

#define _GNU_SOURCE 1
#include "cuda-api.h"
#include "aux-fake.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROTOTYPE(base, suffix, version, parameters) extern CUresult base##suffix parameters;
CUDA_FUNCTIONS (PROTOTYPE, PROTOTYPE)

#define GOOD(function, ...)							\
  do										\
    if (FAKE_CUDA (function) (__VA_ARGS__) != 0)				\
      {										\
	printf ("line %d: %s failed\n", __LINE__, #function);			\
	exit (1);								\
      }										\
  while (0)
#define BAD(function, ...)							\
  do										\
    if (FAKE_CUDA (function) (__VA_ARGS__) == 0)				\
      {										\
	printf ("line %d: %s did not fail\n", __LINE__, #function);		\
	exit (1);								\
      }										\
  while (0)

static void
callback (void *data)
{
  CUcontext ctx;
  if (FAKE_CUDA (cuCtxGetCurrent) (&ctx) == CUDA_ERROR_NOT_PERMITTED)
    *(int *) data = 1;
}

/* A child touches ADDRESS and dies.  */
static void
touch (void *address)
{
  int status = 0;
  pid_t pid = fork ();
  if (pid == 0)
    {
      signal (SIGALRM, SIG_DFL);
      alarm (50);
      *(volatile char *) address = 1;
      _exit (0);
    }
  waitpid (pid, &status, 0);
  if (status == 0)
    {
      printf ("nothing stopped the access\n");
      exit (1);
    }
}

int
main (void)
{
  CUcontext ctx;
  CUdeviceptr p, q;
  CUstream stream, other;
  CUevent event;
  void *pinned, *gone;
  int called = 0, status;
  char byte = 0;

  GOOD (cuInit, 0);
  GOOD (cuDevicePrimaryCtxRetain, &ctx, 0);
  GOOD (cuCtxPushCurrent_v2, ctx);
  GOOD (cuMemAlloc_v2, &p, 1000);
  GOOD (cuDevicePrimaryCtxRelease_v2, 0);
  BAD (cuMemAlloc_v2, &q, 1000);
  GOOD (cuDevicePrimaryCtxRetain, &ctx, 0);

  GOOD (cuMemAlloc_v2, &p, 77);
  GOOD (cuMemHostAlloc, &pinned, 88, 0);
  GOOD (cuStreamCreate, &stream, CU_STREAM_NON_BLOCKING);
  GOOD (cuStreamCreate, &other, CU_STREAM_NON_BLOCKING);
  GOOD (cuEventCreate, &event, 0);
  GOOD (cuStreamDestroy_v2, other);
  BAD (cuStreamSynchronize, other);
  BAD (cuMemFree_v2, 0x1000);
  BAD (cuMemFree_v2, (uintptr_t) pinned);
  GOOD (cuMemAlloc_v2, &q, 100);
  GOOD (cuMemFree_v2, q);
  BAD (cuMemcpyHtoD_v2, q, &byte, 1);
  BAD (cuMemcpyDtoH_v2, (void *) (uintptr_t) p, p, 1);
  GOOD (cuLaunchHostFunc, stream, callback, &called);
  GOOD (cuStreamSynchronize, stream);
  if (!called)
    return printf ("the callback could call\n"), 1;
  pid_t pid = fork ();
  if (pid == 0)
    _exit (FAKE_CUDA (cuCtxSynchronize) () != CUDA_ERROR_NOT_INITIALIZED);
  if (waitpid (pid, &status, 0) != pid || status != 0)
    return printf ("the child could call\n"), 1;
  /* These print from the handler that a stream's first operation has installed.  */
  GOOD (cuMemHostAlloc, &gone, 5000, 0);
  GOOD (cuMemFreeHost, gone);
  touch (gone);
  touch ((void *) (uintptr_t) p);
  GOOD (cuCtxPopCurrent_v2, NULL);
  BAD (cuCtxPopCurrent_v2, NULL);
  return 0;
}
