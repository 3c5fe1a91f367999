/* A driver that is too old for the image's PTX: the device is not used, and the message says what is
   missing.
   TEST-ENV: FAKE_CUDA_VERSION=10020
   TEST-ENV: GOMP_INFO=1
   TEST-OUTPUT: it cannot be used: its code is PTX 7.3, and the driver, of CUDA 10.2, knows up to 6.5  */

#define _GNU_SOURCE
#define AUX_IMAGE_MANUAL
#include "aux-image.h"

#include <omp.h>

static struct aux_image image;

int
main (void)
{
  int on_host = 0;
  aux_image_make (&image, 0x30001, 512);
  char *version = strstr ((char *) image.objs[1].code, ".version 6.0");
  memcpy (version, ".version 7.3", 12);
  aux_image_register (&image);
  #pragma omp target map(tofrom: on_host)
  on_host = omp_is_initial_device ();
  return !on_host;
}
