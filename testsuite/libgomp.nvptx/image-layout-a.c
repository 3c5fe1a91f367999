/* The image as GCC 12 lays it out: no requirements in it.
   TEST-ENV: FAKE_CUDA_LEAKS=1  */

#define AUX_IMAGE_VERSION 0x10001
#include "region.c"
