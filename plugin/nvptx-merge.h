/* nvptx-merge.h -- one object of several, for the nvptx plugin.  */

#ifndef GOMPX_NVPTX_MERGE_H
#define GOMPX_NVPTX_MERGE_H 1

#include "nvptx-ptx.h"

#pragma GCC visibility push (hidden)

/* Make one object of those of OBJECTS that can be one; the first is the program's own, the last *NUM_OURS are of our library.  It has the place of the
   first of them.  Answers how many objects are left; the last *NUM_OURS of them, then, are of our library and nothing else.  The new text is in
   *MEMORY, of malloc; NULL: nothing was merged, also for want of memory.  The given texts are not changed.  */
size_t nvptx_merge (struct nvptx_object *objects, size_t num_objects, size_t *num_ours, char **memory);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_MERGE_H */
