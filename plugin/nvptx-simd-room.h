/* nvptx-simd-room.h -- room for variables of simd loops; for the nvptx plugin.  */

#ifndef GOMPX_NVPTX_SIMD_ROOM_H
#define GOMPX_NVPTX_SIMD_ROOM_H 1

#include "nvptx-ptx.h"

#pragma GCC visibility push (hidden)

/* Make *RESULT of OBJECT, the program's own, whose lanes have room for what their iterations of simd loops have
   in memory.  Its text is of malloc; NULL: there is nothing to do.  False: out of memory.  */
bool nvptx_simd_room (const struct nvptx_object *object, struct nvptx_object *result);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_SIMD_ROOM_H */
