/* size.c -- how much shared memory a block needs: read from this file's PTX by device.mk.  */

#include "accel.h"

#pragma omp declare target
extern unsigned gompx_block_size;
unsigned gompx_block_size = sizeof (struct accel_block);
#pragma omp end declare target
