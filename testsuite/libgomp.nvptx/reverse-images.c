/* Two images with reverse functions whose kernels call at the same time: each has a block of its own.
   TEST-ENV: FAKE_CUDA_LEAKS=1
   TEST-SHARED: reverse-images-lib.c
   TEST-OPTIONS: @rundir@/reverse-images-lib.so -Wl,-rpath,@rundir@ -rdynamic  */

#define _GNU_SOURCE 1
#include "aux-reverse.h"

extern int run_other (int n);
extern atomic_int arrived;
static int calls;

HOST_PART (mine)
{
  (void) mine_arg;
  calls++;
}

KERNEL (region)
{
  (void) region_arg;
}

static void
on_device (const struct fake_cuda_launch *launch)
{
  /* Both kernels run: they do not wait for each other.  */
  atomic_fetch_add (&arrived, 1);
  while (atomic_load (&arrived) < 2)
    sched_yield ();
  for (int i = 0; i < 300; i++)
    call_host (launch, "mine", 0, NULL, NULL, NULL);
}

static void *
other_thread (void *arg)
{
  *(int *) arg = run_other (300);
  return NULL;
}

int
main (void)
{
  pthread_t thread;
  int others = 0;

  FAKE_CUDA (fake_cuda_register) ("region", on_device);
  pthread_create (&thread, NULL, other_thread, &others);
  GOMP_target_ext (-1, region, 0, NULL, NULL, NULL, 0, NULL, NULL);
  pthread_join (thread, NULL);
  if (calls != 300 || others != 300)
    return printf ("%d and %d calls\n", calls, others), 1;
  return omp_pause_resource (omp_pause_hard, 0) != 0;
}
