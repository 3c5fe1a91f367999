/* A library that is opened when a device is open has a damaged image: that is told, and its regions run on the host.
   TEST-SHARED: image-damaged-lib.c
   TEST-OPTIONS: -ldl
   TEST-OUTPUT: the image of .*image-damaged-lib.so cannot be loaded, its regions run on the host: it cannot be used: object 0 has no end  */

#define _GNU_SOURCE 1
#include "aux-fake.h"
#include "aux-dlopen.h"

#include <omp.h>

int
main (void)
{
  omp_target_free (omp_target_alloc (8, 0), 0);
  int x = use_library ("./image-damaged-lib.so", 6);
  if (x != 7 || FAKE_CUDA (fake_cuda_calls) ("cuLinkCreate_v2") != 0)
    return printf ("%d\n", x), 1;
  return 0;
}
