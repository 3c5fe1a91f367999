/* nvptx-state.h -- what kernels leave for others in the variables of a module.  */

#ifndef GOMPX_NVPTX_STATE_H
#define GOMPX_NVPTX_STATE_H 1

#include "nvptx-ptx.h"

#pragma GCC visibility push (hidden)

enum { NVPTX_STATE_WHY = 140 };	/* room for a reason */

/* May a kernel of OBJECTS, of which the first is the program's own, leave something in a variable that another kernel finds there?
   WHY: how.  True, too, if there is no memory to look.  */
bool nvptx_state_is_left (const struct nvptx_object *objects, size_t num, char why[NVPTX_STATE_WHY]);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_STATE_H */
