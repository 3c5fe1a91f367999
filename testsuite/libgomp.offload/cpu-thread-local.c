/* A program with large thread-local variables can use the cpu device: they come out of the stacks of
   its threads.
   TEST-MODES: cpu  */
#include <omp.h>
#include <stdio.h>

__thread char large[2000000] = { 1 };

int
main (void)
{
  int x = 41, host = 1;
#pragma omp target map(tofrom: x, host)
  {
    host = omp_get_device_num () == omp_get_initial_device ();
    x++;
  }
  if (x != 42 || host != 0)
    return printf ("x = %d, run by the %s\n", x, host ? "host" : "device"), 1;
  return large[0] != 1;
}
