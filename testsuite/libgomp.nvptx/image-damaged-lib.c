/* A library with a damaged image, for image-damaged-library.c.  */

#define _GNU_SOURCE 1
#define AUX_IMAGE_MANUAL
#include "aux-image.h"

int
run (int x)
{
  #pragma omp target map(tofrom: x)
  x++;
  return x;
}

static void __attribute__ ((constructor))
begin (void)
{
  aux_image_make (&aux_image, AUX_IMAGE_VERSION, AUX_IMAGE_REQUIRES);
  aux_image.objs[0].size--;
  aux_image_register (&aux_image);
}

static void __attribute__ ((destructor))
end (void)
{
  aux_image_unregister (&aux_image);
  aux_image_free (&aux_image);
}
