/* nvptx-child.h -- processes that link, and go on when this one has ended.  */

#ifndef GOMPX_NVPTX_CHILD_H
#define GOMPX_NVPTX_CHILD_H 1

#include "nvptx.h"
#include "nvptx-subst.h"

#pragma GCC visibility push (hidden)

/* Can another process link for DEV, as far as that can be told?  */
bool nvptx_child_can (const struct gomp_plugin_device *dev);

/* Begin a process that sees to it that the cache has what SUBST is linked to; PATH names the image.  Its answers come
   from the descriptor that this returns and that the caller closes, at any time; until then it can be told to stop.  It
   begins when the descriptor is closed, or QUIET ms later.  -1, with errno: there is no process.  */
int nvptx_child_start (struct gomp_plugin_device *dev, const struct nvptx_subst *subst, const char *path,
		       unsigned quiet);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_CHILD_H */
