/* target exit data of what a running region uses: whoever is the last to leave the mapping copies what
   the region has stored, in whatever order they come.
   TEST-MODES: host cpu test gpu */
#include <omp.h>
#include "aux-check.h"

#pragma omp declare target
static int
slowly (int result)
{
  double start = omp_get_wtime ();
  while (omp_get_wtime () - start < 0.02)
    ;
  return result;
}
#pragma omp end declare target

static void
deferred (void)
{
  int x = 1, y = 1, z[2] = { 1, 1 };

  #pragma omp target enter data map(to: x, y, z)
  #pragma omp target map(tofrom: x) nowait
  x = slowly (5);
  #pragma omp target map(always, tofrom: y) nowait
  y += slowly (5);
  #pragma omp target map(to: z) nowait
  z[1] = slowly (7);
  #pragma omp target exit data map(from: x)
  #pragma omp target exit data map(from: y)
  #pragma omp target exit data map(delete: z)
  #pragma omp taskwait
  CHECK_EQUAL (x, 5);
  CHECK_EQUAL (y, 6);
  if (omp_get_num_devices () > 0)
    {
      CHECK_EQUAL (z[1], 1);
      CHECK_EQUAL (omp_target_is_present (&x, 0) + omp_target_is_present (&y, 0)
		   + omp_target_is_present (z, 0), 0);
    }
}

static void
other_thread (void)
{
  int x = 1;

  #pragma omp target enter data map(to: x)
  #pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num () == 0)
      {
	#pragma omp target map(tofrom: x)
	x = slowly (7);
      }
    else
      {
	slowly (0);
	#pragma omp target exit data map(from: x)
      }
  }
  CHECK_EQUAL (x, 7);
  if (omp_get_num_devices () > 0)
    CHECK_EQUAL (omp_target_is_present (&x, 0), 0);
}

int
main (void)
{
  for (int round = 0; round < 3; round++)
    {
      deferred ();
      other_thread ();
    }
  return failures != 0;
}
