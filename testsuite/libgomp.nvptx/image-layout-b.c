/* The image as GCC 13 lays it out.
   TEST-OPTIONS: -I@srcdir@/lib/fake-cuda
   TEST-ENV: OMP_NUM_TEAMS_DEV=5
   TEST-ENV: OMP_TEAMS_THREAD_LIMIT_DEV=7
   TEST-OUTPUT: destroyed  */

#define AUX_IMAGE_VERSION 0x20001
#include "image-setup.c"
