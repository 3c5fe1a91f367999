/* Reverse offload of images with GCC's device library: calls without data, of mapped data, of data that
   only the device has; many of them; in regions that a thread waits for and in nowait regions.
   TEST-ENV: FAKE_CUDA_LEAKS=1  */

#define _GNU_SOURCE 1
#include "aux-reverse.h"

static int x, calls, wrong;
enum { MANY = 200 };

HOST_PART (nothing)
{
  (void) nothing_arg;
  calls++;
}

HOST_PART (mapped)
{
  int *p = *(int **) mapped_arg;
  if (p != &x)
    wrong = 1;
  *p += 1000;
}

HOST_PART (local)
{
  int *p = *(int **) local_arg;
  *p = 2 * *p + 1;
}

KERNEL (region)
{
  (void) region_arg;
}

/* The device's version.  */
static void
on_device (const struct fake_cuda_launch *launch)
{
  uint64_t *args = *(uint64_t **) launch->params[0];
  int *dx = (int *) (uintptr_t) args[0];
  int *slot = *(int **) launch->params[1];		/* the bottom of the stack */

  for (int i = 0; i < MANY; i++)
    call_host (launch, "nothing", 0, NULL, NULL, NULL);
  *dx += 10;
  call_host (launch, "mapped", 1, (uint64_t[]) { (uintptr_t) dx }, (uint64_t[]) { sizeof (int) },
	     (uint16_t[]) { ALWAYS_TOFROM | ALIGNED (2) });
  *dx += 100;
  *slot = 20;
  call_host (launch, "local", 1, (uint64_t[]) { (uintptr_t) slot }, (uint64_t[]) { sizeof (int) },
	     (uint16_t[]) { TOFROM | ALIGNED (2) });
  *dx += *slot;
}

int
main (void)
{
  void *addr = &x;
  size_t size = sizeof (x);
  unsigned short kind = TOFROM | ALIGNED (2);

  FAKE_CUDA (fake_cuda_register) ("region", on_device);
  x = 1;
  GOMP_target_ext (-1, region, 1, &addr, &size, &kind, 0, NULL, NULL);
  if (x != 1 + 10 + 1000 + 100 + 41 || calls != MANY || wrong)
    return printf ("x = %d, %d calls, wrong %d\n", x, calls, wrong), 1;
  x = 2;
  /* nowait: flags 1.  */
#pragma omp parallel num_threads (2)
#pragma omp single
  {
    GOMP_target_ext (-1, region, 1, &addr, &size, &kind, 1, NULL, NULL);
#pragma omp taskwait
  }
  if (x != 2 + 10 + 1000 + 100 + 41 || calls != 2 * MANY || wrong)
    return printf ("nowait: x = %d, %d calls, wrong %d\n", x, calls, wrong), 1;
  if (omp_pause_resource (omp_pause_hard, 0) != 0)
    return printf ("pause failed\n"), 1;
  return 0;
}
