/* The device has as much memory as GOMP_CPU_MEMORY says: more cannot be had, and then again.
   TEST-MODES: cpu
   TEST-ENV: GOMP_CPU_MEMORY=32M  */

#include <omp.h>
#include <stdio.h>

int
main (void)
{
  for (int round = 0; round < 3; round++)
    {
      void *p = omp_target_alloc (24u << 20, 0), *q = omp_target_alloc (24u << 20, 0);
      if (p == NULL || q != NULL)
	{
	  printf ("round %d: %p, %p\n", round, p, q);
	  return 1;
	}
      omp_target_free (p, 0);
    }
  if (omp_target_alloc ((size_t) 1 << 40, 0) != NULL)
    {
      printf ("1 TB of 32 MB\n");
      return 1;
    }
  return 0;
}
