/* Examples of the interface's description, 10: allocators, and queries in a region.  */
#include "aux-gcn.h"

int
main (void)
{
  int p1 = 0, q2 = 0, zeros = 1, there = 0, time = 0, initial = -1, number = -1;

  /* Compilers before GCC 16 do not know the clause uses_allocators.  */
#if __GNUC__ >= 16
#pragma omp target map (tofrom: p1, q2, zeros, there, time, initial, number) \
  uses_allocators (omp_low_lat_mem_alloc, omp_cgroup_mem_alloc)
#else
#pragma omp target map (tofrom: p1, q2, zeros, there, time, initial, number)
#endif
  {
    int *p = omp_alloc (64, omp_cgroup_mem_alloc);
    int *q = omp_alloc (64, omp_default_mem_alloc);
    int *z = omp_calloc (4, 16, omp_low_lat_mem_alloc);
    if (p != NULL)
      p[1] = 3, p1 = p[1];
    if (q != NULL)
      q[2] = 4, q2 = q[2];
    if (z != NULL)
      {
	there = 1;
	for (int i = 0; i < 16; i++)
	  zeros &= z[i] == 0;
      }
    omp_free (p, omp_cgroup_mem_alloc);
    omp_free (q, omp_default_mem_alloc);
    omp_free (z, omp_low_lat_mem_alloc);
    double t = omp_get_wtime () + omp_get_wtick ();
    time = t > 0;
    initial = omp_is_initial_device ();
    number = omp_get_device_num ();
  }
  CHECK_EQUAL (p1, 3);
  CHECK_EQUAL (q2, 4);
  CHECK_EQUAL (there, 1);
  CHECK_EQUAL (zeros, 1);
  CHECK_EQUAL (time, 1);
  CHECK_EQUAL (initial, 0);
  CHECK_EQUAL (number, omp_get_default_device ());
  return failures != 0;
}
