/* A library with a variable for devices, for image-dlclose.c.  */

#define _GNU_SOURCE 1
#define AUX_IMAGE_VERSION 0x10001	/* the library of reverse-dlclose.c has the newest */
#include "aux-image.h"

#include <omp.h>

int counter = 5;
#pragma omp declare target to (counter)

int
run (int x)
{
  if (!omp_target_is_present (&counter, 0))
    return -1;
  #pragma omp target map(tofrom: x)
  x++;
  return x;
}

static void __attribute__ ((destructor (101)))
forget (void)
{
  aux_image_free (&aux_image);
}
