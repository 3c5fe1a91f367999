/* A kernel calls the host while other threads of the program start their first kernels and give back
   pinned memory: a driver that waits for running kernels meanwhile would wait for ever.
   TEST-ENV: FAKE_CUDA_SYNC=load,cuModuleLoadData,cuFuncSetAttribute,cuCtxSetLimit,cuMemHostUnregister,cuMemFreeHost  */

#define _GNU_SOURCE 1
#include "aux-reverse.h"

enum { CALLS = 100, OTHERS = 3, TIMES = 5 };
static _Atomic int calls;

HOST_PART (counts)
{
  calls += **(int **) counts_arg;
}

KERNEL (region)
{
  (void) region_arg;
}

KERNEL (first)
{
  ++**(int **) first_arg;
}

KERNEL (second)
{
  *(*(int **) second_arg + 99999) += 2;
}

static void
on_device (const struct fake_cuda_launch *launch)
{
  int *one = *(int **) launch->params[1];	/* the bottom of the stack */
  for (int i = 0; i < CALLS; i++)
    {
      *one = 1;
      call_host (launch, "counts", 1, (uint64_t[]) { (uintptr_t) one }, (uint64_t[]) { 4 },
		 (uint16_t[]) { FIRSTPRIVATE });
    }
}

int
main (void)
{
  int wrong = 0;
  const omp_alloctrait_t traits[] = { { omp_atk_pinned, omp_atv_true } };
  omp_allocator_handle_t allocator = omp_init_allocator (omp_default_mem_space, 1, traits);

  FAKE_CUDA (fake_cuda_register) ("region", on_device);
  for (int round = 0; round < 2; round++)
    {
      calls = 0;
#pragma omp parallel num_threads (OTHERS + 1) reduction (+: wrong)
      if (omp_get_thread_num () == 0)
	GOMP_target_ext (-1, region, 0, NULL, NULL, NULL, 0, NULL, NULL);
      else
	{
	  while (calls == 0)
	    sched_yield ();
	  for (int i = 0; i < TIMES; i++)
	    {
	      int x = i, *many = calloc (100000, sizeof (int));
	      void *addr[] = { &x };
	      size_t size[] = { sizeof (x) };
	      unsigned short kind[] = { TOFROM | ALIGNED (2) };
	      GOMP_target_ext (-1, first, 1, addr, size, kind, 0, NULL, NULL);
	      wrong += x != i + 1;
	      addr[0] = many;
	      size[0] = 100000 * sizeof (int);
	      GOMP_target_ext (-1, second, 1, addr, size, kind, 0, NULL, NULL);
	      wrong += many[99999] != 2;
	      free (many);
	      void *pinned = omp_alloc (8 << 20, allocator);
	      wrong += pinned == NULL;
	      omp_free (pinned, allocator);
	    }
	}
      if (calls != CALLS || wrong)
	return printf ("round %d: %d calls, %d wrong\n", round, calls, wrong), 1;
    }
  return 0;
}
