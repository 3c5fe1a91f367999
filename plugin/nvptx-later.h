/* nvptx-later.h -- images that are linked while the program runs, for its next start.  */

#ifndef GOMPX_NVPTX_LATER_H
#define GOMPX_NVPTX_LATER_H 1

#include "nvptx-texts.h"

#pragma GCC visibility push (hidden)

/* Link TEXTS of the image that messages call PATH for DEV, in a thread of the plugin's, and keep the result in the cache.
   TEXTS, which have lanes, are taken over.  The caller has entered DEV.  */
void nvptx_later_link (struct gomp_plugin_device *dev, const char *path, struct nvptx_texts *texts);

/* In a child of fork, where that thread is not.  */
void nvptx_later_forked (void);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_LATER_H */
