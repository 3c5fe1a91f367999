/* The same as device-shared.c with "requires self_maps".
   TEST-ENV: FAKE_CUDA_ATTRIBUTE=88:1  */

#define AUX_IMAGE_REQUIRES 0x600
#include "device-shared.c"
