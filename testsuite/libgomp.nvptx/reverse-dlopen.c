/* A library with regions comes, runs one and goes while a kernel calls the host: the driver loads and unloads
   code only while no kernel runs, and keeps other calls meanwhile.
   TEST-ENV: FAKE_CUDA_SYNC=load,cuModuleLoadData,cuModuleUnload,cuFuncSetAttribute,cuCtxSetLimit
   TEST-SHARED: reverse-dlopen-lib.c
   TEST-OPTIONS: -ldl  */

#define _GNU_SOURCE 1
#include "aux-reverse.h"
#include "aux-dlopen.h"

enum { CALLS = 60, ROUNDS = 3 };
static _Atomic int calls, regions;

HOST_PART (counts)
{
  calls += **(int **) counts_arg;
}

KERNEL (region)
{
  (void) region_arg;
}

static void
on_device (const struct fake_cuda_launch *launch)
{
  int *one = *(int **) launch->params[1];	/* the bottom of the stack */
  for (int i = 0; i < CALLS; i++)
    {
      *one = 1;
      /* Served with copies, which are calls of the driver.  */
      call_host (launch, "counts", 1, (uint64_t[]) { (uintptr_t) one }, (uint64_t[]) { 4 },
		 (uint16_t[]) { FIRSTPRIVATE });
    }
}

static void *
others (void *arg)
{
  while (regions < ROUNDS)
    GOMP_target_ext (-1, region, 0, NULL, NULL, NULL, 0, NULL, NULL);
  return arg;
}

int
main (void)
{
  pthread_t thread;

  FAKE_CUDA (fake_cuda_register) ("region", on_device);
  pthread_create (&thread, NULL, others, NULL);
  for (int round = 0; round < ROUNDS; round++)
    {
      int seen = calls;
      while (calls == seen)
	sched_yield ();
      if (use_library ("./reverse-dlopen-lib.so", round) != round + 1)
	return printf ("round %d: not run\n", round), 1;
      regions++;
    }
  pthread_join (thread, NULL);
  return calls % CALLS != 0;
}
