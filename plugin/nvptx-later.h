/* nvptx-later.h -- images that are linked while the program runs.  */

#ifndef GOMPX_NVPTX_LATER_H
#define GOMPX_NVPTX_LATER_H 1

#include "nvptx-link.h"
#include "nvptx-parts.h"
#include "nvptx-start.h"
#include "nvptx-texts.h"

#pragma GCC visibility push (hidden)

/* Link TEXTS of IMAGE in a thread of the plugin's, or in another process, and keep the result in the cache, and NOTE with it.  Both are taken over.
   If TEXTS have lanes: APART says why the image's kernels can't have it in this process, or is empty if nobody is to be told, or is NULL: then
   nvptx_image_linked gets it.
   Otherwise they were linked in haste (nvptx_link), and it is for later starts; in another process or not at all.
   JOINED, if not NULL, is made of TEXTS, is linked in their place, for this process, and taken over, too: NOTE and APART are NULL.  Under link_lock.  */
void nvptx_later_link (struct nvptx_image *image, struct nvptx_texts *texts, struct nvptx_home *joined, struct nvptx_start_note *note,
		       const char *apart);

/* What has come of a link that somebody waits for.  */
struct nvptx_later_result
{
  gomp_status_t status;
  double seconds;
  char why[NVPTX_LINK_WHY];	/* not GOMP_OK: how it has failed */
  _Atomic bool xdone;		/* all of it is written */
};

/* Have TEXTS linked and kept, with NOTE, and wait for it; both are taken over, and this process does
   not get what is linked.  Another process does it or, where that can't be, this one, whatever the user
   has asked for.  */
void nvptx_later_link_now (struct nvptx_image *image, struct nvptx_texts *texts,
			   struct nvptx_start_note *note, struct nvptx_later_result *result);

/* DEV has no memory left: stop another process that has a context there to link for this one, and forget what is to be linked.
   The memory may take a moment to come back.  False: there was nothing to stop.  */
bool nvptx_later_give_way (struct gomp_plugin_device *dev);

/* IMAGE goes away: nothing is handed to it any more.  */
void nvptx_later_forget (struct nvptx_image *image);

/* In a child of fork, where that thread is not.  */
void nvptx_later_forked (void);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_LATER_H */
