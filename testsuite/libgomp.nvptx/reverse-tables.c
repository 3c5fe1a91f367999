/* A call of the host whose sizes and kinds are constant tables, as compilers make them: they are not
   copied from the device, and the rest comes with one wait.
   TEST-ENV: FAKE_CUDA_LEAKS=1  */

#define _GNU_SOURCE
#include "aux-reverse.h"

enum { CALLS = 50 };

#pragma omp declare target
uint64_t table_sizes[2] = { sizeof (int), sizeof (int) };
uint16_t table_kinds[2] = { FIRSTPRIVATE, TOFROM | ALIGNED (2) };
#pragma omp end declare target

static int calls, wrong;

HOST_PART (adds)
{
  int *first = ((int **) adds_arg)[0], *second = ((int **) adds_arg)[1];
  wrong += *first != calls || *second != 2 * calls;
  *second += *first + 1;
  calls++;
}

KERNEL (region)
{
  (void) region_arg;
}

static void
on_device (const struct fake_cuda_launch *launch)
{
  int *data = *(int **) launch->params[1];	/* the bottom of the stack */
  uint64_t *addrs = (uint64_t *) (data + 64);
  addrs[0] = (uintptr_t) data;
  addrs[1] = (uintptr_t) (data + 16);
  for (int i = 0; i < CALLS; i++)
    {
      data[0] = i;
      data[16] = 2 * i;
      call_host_at ("adds", 2, (uintptr_t) addrs, FAKE_CUDA (fake_cuda_symbol) ("table_sizes", NULL),
		    FAKE_CUDA (fake_cuda_symbol) ("table_kinds", NULL));
      wrong += data[16] != 3 * i + 1;
    }
}

int
main (void)
{
  FAKE_CUDA (fake_cuda_register) ("region", on_device);
  unsigned long copies = 0, waits = 0;
  for (int round = 0; round < 2; round++)
    {
      calls = 0;
      copies = FAKE_CUDA (fake_cuda_calls) ("cuMemcpyDtoHAsync_v2");
      waits = FAKE_CUDA (fake_cuda_calls) ("cuStreamWriteValue32_v2");
      GOMP_target_ext (-1, region, 0, NULL, NULL, NULL, 0, NULL, NULL);
      copies = FAKE_CUDA (fake_cuda_calls) ("cuMemcpyDtoHAsync_v2") - copies;
      waits = FAKE_CUDA (fake_cuda_calls) ("cuStreamWriteValue32_v2") - waits;
    }
  /* A call: the addresses, and the two numbers; waits for the addresses, for the numbers, for
     the way back.  And the region's end.  */
  if (calls != CALLS || wrong || copies > 3 * CALLS || waits > 3 * CALLS + 2)
    return printf ("%d calls, wrong %d, %lu copies, %lu waits\n", calls, wrong, copies, waits), 1;
  if (omp_pause_resource (omp_pause_hard, 0) != 0)
    return printf ("pause failed\n"), 1;
  return 0;
}
