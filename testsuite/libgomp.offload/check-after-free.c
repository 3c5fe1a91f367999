/* Device memory that is used after omp_target_free.
   TEST-MODES: cpu
   TEST-ENV: GOMP_CHECK=map
   TEST-EXIT: 1
   TEST-OUTPUT: ^  it is device memory: byte 0 of 400 bytes from omp_target_alloc at main
   TEST-OUTPUT: ^  which omp_target_free has freed
   TEST-OUTPUT: ^  remedy: free it after the last region that uses it  */

#include <omp.h>

int
main (void)
{
  int *device = omp_target_alloc (400, 0);
  omp_target_free (device, 0);
#pragma omp target is_device_ptr (device)
  device[0] = 1;
  return 0;
}
