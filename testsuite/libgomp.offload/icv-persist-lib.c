/* See icv-persist.c.  */
#include <omp.h>

int
other_image (int device)
{
  int n = -1;
#pragma omp target device (device) map (from: n)
  n = omp_get_max_teams ();
  return n;
}
