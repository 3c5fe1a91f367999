/* The shared object of cpu-late-library.c.  */
#include <omp.h>

#pragma omp declare target
int elsewhere;
#pragma omp end declare target

int
twice (int *numbers, int n)
{
#pragma omp target parallel for map (tofrom: numbers[0:n])
  for (int i = 0; i < n; i++)
    {
      numbers[i] *= 2;
#pragma omp atomic write
      elsewhere = 1;
    }
  return omp_get_num_devices ();
}
