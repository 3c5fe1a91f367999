/* A device that can use all of the host's memory says so, and regions of a program that requires that work on the program's
   own memory, mapped or not.
   TEST-ENV: FAKE_CUDA_ATTRIBUTE=88:1  */

#define _GNU_SOURCE 1
#ifndef AUX_IMAGE_REQUIRES
# define AUX_IMAGE_REQUIRES 0x220	/* unified_shared_memory */
#endif
#include "aux-image.h"

#include <dlfcn.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int
main (void)
{
  int x = 0, *p = malloc (sizeof (*p));
  void *seen = NULL;
  int (*accessible) (const void *, size_t, int)
    = (int (*) (const void *, size_t, int)) dlsym (RTLD_DEFAULT, "omp_target_is_accessible");
  if (omp_get_num_devices () != 1)
    return printf ("%d devices\n", omp_get_num_devices ()), 1;
  if (!accessible (&x, sizeof (x), 0))
    return printf ("a local variable is not accessible\n"), 1;
  *p = 1;
#pragma omp target map (tofrom: x) map (from: seen)
  {
    seen = &x;
    x = ++*p;
  }
  if (seen != &x || x != 2 || *p != 2)
    return printf ("%p is %p in the region; %d and %d\n", (void *) &x, seen, x, *p), 1;
  free (p);
  return 0;
}
