/* The same for a routine: it is named, with the place that calls it.
   TEST-MODES: cpu2
   TEST-EXIT: 1
   TEST-OUTPUT: omp_invalid_device encountered\n  device number -4: there are 2 devices, numbers 0 to 1\n  omp_target_alloc, called from main\+0x  */

#include <omp.h>

int
main (void)
{
  return omp_target_alloc (16, -4) != 0 ? 77 : 0;
}
