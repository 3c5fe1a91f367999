/* Copies and regions without waiting, with a driver whose operations take long: nothing is seen before
   its dependences are complete, and everything after.
   TEST-OPTIONS: -L@libdir@
   TEST-ENV: FAKE_CUDA_LEAKS=1
   TEST-ENV: FAKE_CUDA_DELAY_US=copy:3000,kernel:2000  */

#define _GNU_SOURCE 1
#include "aux-image.h"

#include <omp.h>

/* Older compilers have no such function.  */
extern int omp_target_memcpy_async (void *, const void *, size_t, size_t, size_t, int, int, int,
				    omp_depend_t *);

enum { N = 40000 };		/* more than is staged in a call */

int
main (void)
{
  int h = omp_get_initial_device ();
  int *dev = omp_target_alloc (N * sizeof (int), 0), *dev2 = omp_target_alloc (N * sizeof (int), 0);
  int *from = malloc (N * sizeof (int)), *to = calloc (N, sizeof (int));
  omp_depend_t d[2];

  if (dev == NULL || dev2 == NULL)
    return printf ("no memory\n"), 1;
#pragma omp depobj (d[0]) depend (inout: dev[0])
#pragma omp depobj (d[1]) depend (inout: dev2[0])
  for (int round = 1; round <= 4; round++)
    {
      for (int i = 0; i < N; i++)
	from[i] = round * i;
      if (omp_target_memcpy_async (dev, from, N * sizeof (int), 0, 0, 0, h, 1, d) != 0)
	return printf ("copy failed\n"), 1;
#pragma omp target is_device_ptr (dev) nowait depend (inout: dev[0])
      for (int i = 0; i < N; i++)
	dev[i] += 5;
      if (omp_target_memcpy_async (dev2, dev, N * sizeof (int), 0, 0, 0, 0, 2, d) != 0
	  || omp_target_memcpy_async (to, dev2, N * sizeof (int), 0, 0, h, 0, 1, d + 1) != 0)
	return printf ("copy failed\n"), 1;
#pragma omp target is_device_ptr (dev) nowait depend (inout: dev[0])
      for (int i = 0; i < N; i++)
	dev[i] = -1;
#pragma omp taskwait depend (in: dev2[0])
      for (int i = 0; i < N; i++)
	if (to[i] != round * i + 5)
	  return printf ("round %d: to[%d] = %d\n", round, i, to[i]), 1;
#pragma omp taskwait
    }
#pragma omp depobj (d[0]) destroy
#pragma omp depobj (d[1]) destroy
  omp_target_free (dev, 0);
  omp_target_free (dev2, 0);
  return omp_pause_resource (omp_pause_hard, 0) != 0;
}
