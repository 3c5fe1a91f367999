/* The driver's compiler refuses an image: one message with the driver's words and what was being done.
   TEST-ENV: FAKE_CUDA_FAIL=cuLinkAddData:2:218
   TEST-EXIT: 1
   TEST-OUTPUT: starting a target region: cuLinkAddData failed: .* .CUDA_ERROR_INVALID_PTX., while linking object 1 of the image of .*image-link-fails.* for sm_90
   TEST-NO-OUTPUT: not reached  */

#define _GNU_SOURCE
#include "aux-image.h"

int
main (void)
{
  int x = 0;
  #pragma omp target map(tofrom: x)
  x = 1;
  printf ("not reached\n");
  return 0;
}
