/* The allocate directive for local variables.
   MINGCC: 14  */

#include <omp.h>
#include <stdint.h>
#include <stdio.h>

static int
use (omp_allocator_handle_t h, int n)
{
  int a = 1, b[100], c[n];
#pragma omp allocate (a) allocator (omp_low_lat_mem_alloc) align (64)
#pragma omp allocate (b) allocator (h)
#pragma omp allocate (c) allocator (h) align (4096)
  for (int i = 0; i < 100; i++)
    b[i] = i;
  for (int i = 0; i < n; i++)
    c[i] = a;
  int sum = 0;
#pragma omp parallel num_threads (2) reduction (+: sum)
  sum += b[99] + c[n - 1];
  return sum == 200 && (uintptr_t) &a % 64 == 0 && (uintptr_t) b % 256 == 0
	 && (uintptr_t) c % 4096 == 0;
}

int
main (void)
{
  omp_alloctrait_t t[] = { { omp_atk_alignment, 256 }, { omp_atk_pool_size, 20000 },
			   { omp_atk_fallback, omp_atv_abort_fb } };
  omp_allocator_handle_t h = omp_init_allocator (omp_default_mem_space, 3, t);
  /* The pool would not do for two calls at once.  */
  for (int i = 0; i < 100; i++)
    if (!use (h, 1000 + i))
      {
	printf ("wrong in round %d\n", i);
	return 1;
      }
  omp_destroy_allocator (h);
  return 0;
}
