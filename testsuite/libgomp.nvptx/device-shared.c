/* A device that can use all of the host's memory says so.
   TEST-ENV: FAKE_CUDA_ATTRIBUTE=88:1  */

#define _GNU_SOURCE 1
#define AUX_IMAGE_REQUIRES 0x220	/* unified_shared_memory */
#include "aux-image.h"

#include <dlfcn.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int
main (void)
{
  int x = 0;
  int (*accessible) (const void *, size_t, int)
    = (int (*) (const void *, size_t, int)) dlsym (RTLD_DEFAULT, "omp_target_is_accessible");
  if (omp_get_num_devices () != 1)
    return printf ("%d devices\n", omp_get_num_devices ()), 1;
  if (!accessible (&x, sizeof (x), 0))
    return printf ("a local variable is not accessible\n"), 1;
  return 0;
}
