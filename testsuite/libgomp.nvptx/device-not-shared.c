/* A program that requires unified_shared_memory learns why a device without it is no device for it.
   TEST-ENV: FAKE_CUDA_ATTRIBUTE=88:0
   TEST-ENV: GOMP_INFO=1
   TEST-OUTPUT: nvptx: devices present but 'omp requires unified_shared_memory' cannot be fulfilled: NVIDIA .* cannot use all of the host's memory  */

#include <omp.h>
#include <stdint.h>
#include <stdio.h>

void GOMP_offload_register_ver (unsigned, const void *, int, const void *);

int
main (void)
{
  static uintptr_t table[6], data[7] = { 0x220 };
  GOMP_offload_register_ver (0x30001, table, 5, data);
  if (omp_get_num_devices () != 0)
    return printf ("%d devices\n", omp_get_num_devices ()), 1;
  return 0;
}
