/* Device memory: more than there is gives a null pointer and does no harm; blocks of all sizes;
   pinned memory of the host.
   TEST-MODES: gpu
   TEST-GPU: alone  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Always the same kernel: what the driver needs for its code and stacks nobody knows, nor how much a GPU that is full has left.  */
static __attribute__ ((noinline)) void
region (int *x)
{
#pragma omp target map (tofrom: x[:1])
  ++*x;
}

int
main (void)
{
  int device = omp_get_default_device (), host = omp_get_initial_device (), x = 1;
  if (omp_target_alloc ((size_t) 1 << 50, device) != NULL)
    return printf ("a petabyte was there\n"), 1;
  region (&x);
  enum { BLOCKS = 200 };
  void *block[BLOCKS];
  size_t got = 0;
  /* Until the device is full.  */
  for (; got < BLOCKS; got++)
    if (!(block[got] = omp_target_alloc ((size_t) 1 << 30, device)))
      break;
  if (got == 0)
    return printf ("not even one block\n"), 1;
  region (&x);
  for (size_t i = 0; i < got; i++)
    omp_target_free (block[i], device);
  /* What was given back is there again.  */
  void *large = omp_target_alloc (got * ((size_t) 1 << 30) / 2, device);
  if (large == NULL || x != 3)
    return printf ("after %zu blocks: %p, %d\n", got, large, x), 1;
  omp_target_free (large, device);

  omp_alloctrait_t traits[] = { { omp_atk_pinned, omp_atv_true } };
  omp_allocator_handle_t pinned = omp_init_allocator (omp_default_mem_space, 1, traits);
  char *p = omp_alloc (1 << 24, pinned), *d = omp_target_alloc (1 << 24, device);
  if (p == NULL || d == NULL)
    return printf ("no pinned memory\n"), 1;
  memset (p, 5, 1 << 24);
  if (omp_target_memcpy (d, p, 1 << 24, 0, 0, device, host) != 0)
    return printf ("not copied\n"), 1;
  memset (p, 0, 1 << 24);
  if (omp_target_memcpy (p, d, 1 << 24, 0, 0, host, device) != 0 || p[0] != 5
      || p[(1 << 24) - 1] != 5)
    return printf ("not copied back\n"), 1;
  omp_free (p, pinned);
  omp_destroy_allocator (pinned);
  omp_target_free (d, device);
  return 0;
}
