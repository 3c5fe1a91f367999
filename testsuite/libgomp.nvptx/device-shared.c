/* A device that can use all of the host's memory says so.
   TEST-ENV: FAKE_CUDA_ATTRIBUTE=88:1
   TEST-OPTIONS: -D_GNU_SOURCE  */

#include <dlfcn.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void GOMP_offload_register_ver (unsigned, const void *, int, const void *);

int
main (void)
{
  static uintptr_t table[6], data[7] = { 0x220 };
  int x = 0;
  GOMP_offload_register_ver (0x30001, table, 5, data);
  int (*accessible) (const void *, size_t, int)
    = (int (*) (const void *, size_t, int)) dlsym (RTLD_DEFAULT, "omp_target_is_accessible");
  if (omp_get_num_devices () != 1)
    return printf ("%d devices\n", omp_get_num_devices ()), 1;
  if (!accessible (&x, sizeof (x), 0))
    return printf ("a local variable is not accessible\n"), 1;
  return 0;
}
