/* nvptx-stream.h -- loads of loops that walk through memory; for the nvptx plugin.  */

#ifndef GOMPX_NVPTX_STREAM_H
#define GOMPX_NVPTX_STREAM_H 1

#include "nvptx-ptx.h"

#pragma GCC visibility push (hidden)

/* GPUs of these compute capabilities, and drivers of these versions, know what is asked for.  */
enum { NVPTX_STREAM_MAJOR = 8, NVPTX_STREAM_DRIVER = 11040 };

/* Make *RESULT of OBJECT, whose loads in such loops ask for more than they read.  Its text is of malloc; NULL: there is
   nothing to do.  False: out of memory.  */
bool nvptx_stream_loads (const struct nvptx_object *object, struct nvptx_object *result);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_STREAM_H */
