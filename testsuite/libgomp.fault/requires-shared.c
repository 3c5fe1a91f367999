/* A program that requires unified_shared_memory has no device that cannot do it.
   TEST-MODES: test
   TEST-ENV: GOMP_INFO=1
   TEST-OUTPUT: no device can be used: test: devices present but 'omp requires unified_shared_memory' cannot be fulfilled  */

#include <omp.h>
#include <stdint.h>
#include <stdio.h>

void GOMP_offload_register_ver (unsigned, const void *, int, const void *);
static uintptr_t table[6], data[4] = { 0x220 };

int
main (void)
{
  int x = 1;
  GOMP_offload_register_ver (0x30001, table, 5, data);
  if (omp_get_num_devices () != 0)
    return printf ("%d devices\n", omp_get_num_devices ()), 1;
#pragma omp target map(tofrom: x)
  x += 41;
  if (x != 42)
    return printf ("x = %d\n", x), 1;
  return 0;
}
