/* 24 threads use two devices at once, which are opened by whoever comes first.
   TEST-OPTIONS: -D_GNU_SOURCE
   TEST-ENV: FAKE_CUDA_DEVICES=2
   TEST-TIMEOUT: 60  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 24, ROUNDS = 10 };

int
main (void)
{
  int h = omp_get_initial_device (), failures = 0;

#pragma omp parallel num_threads (THREADS) reduction (+: failures)
  for (int i = 0; i < ROUNDS; i++)
    {
      int me = omp_get_thread_num (), d = (me + i) % 2;
      size_t size = 64 + 4096 * ((me * 7 + i) % 5);
      unsigned char *out = malloc (size), *back = calloc (1, size);
      void *p = omp_target_alloc (size, d), *q = omp_target_alloc (size, 1 - d);
      memset (out, me + i, size);
      if (p == NULL || q == NULL
	  || omp_target_memcpy (p, out, size, 0, 0, d, h) != 0
	  || omp_target_memcpy (q, p, size, 0, 0, 1 - d, d) != 0
	  || omp_target_memcpy (back, q, size, 0, 0, h, 1 - d) != 0
	  || memcmp (out, back, size) != 0)
	failures++;
      omp_target_free (p, d);
      omp_target_free (q, 1 - d);
      free (out);
      free (back);
    }
  if (failures)
    printf ("%d of %d rounds failed\n", failures, THREADS * ROUNDS);
  return failures != 0;
}
