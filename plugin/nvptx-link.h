/* nvptx-link.h -- from the PTX objects of an image to a loaded module.  */

#ifndef GOMPX_NVPTX_LINK_H
#define GOMPX_NVPTX_LINK_H 1

#include "nvptx.h"
#include "nvptx-cache.h"
#include "nvptx-ptx.h"

#pragma GCC visibility push (hidden)

/* Read the settings.  GOMP_INVALID, with a text: one of them makes no sense.  Called by init.  */
gomp_status_t nvptx_link_init (const struct gomp_plugin_core *core);

/* Link NUM objects of the image that messages call WHAT for the device, and load the result.  The first object is the program's own, the
   others are of device libraries, the last NUM_OURS of ours.  HASTY: in a way that takes less time and makes code that is good enough for one
   start.  PASSING, too: the result need not be kept, so that what is nothing but kernels is not linked at all.  *PLACE: where the cache has it now, if it has
   (cubin_size).  The caller has entered DEV.  */
gomp_status_t nvptx_link (struct gomp_plugin_device *dev, const struct nvptx_object *objects,
			  size_t num, size_t num_ours, const char *what, bool hasty, bool passing, CUmodule *module,
			  struct nvptx_cache_place *place);

/* Take only what the cache has.  *HASTY: what was linked in haste will do; then says whether it is that.  False: nothing that can be loaded;
   *HASTY is false.  */
bool nvptx_link_kept (struct gomp_plugin_device *dev, const struct nvptx_object *objects,
		      size_t num, size_t num_ours, const char *what, bool *hasty, CUmodule *module,
		      struct nvptx_cache_place *place);

/* Does haste make a difference?  */
bool nvptx_link_hastens (void);

/* Let the driver load its compiler, with all that is to be done when the process ends.  The caller has entered a device.  */
bool nvptx_link_load_compiler (void);

/* Load CUBIN, which the cache had for the image that messages call WHAT.  NULL: the driver does not take it.  The caller
   has entered DEV.  */
CUmodule nvptx_link_load (struct gomp_plugin_device *dev, const void *cubin, const char *what);

enum { NVPTX_LINK_WHY = 6000 };	/* room for a reason */

/* Link in haste, and load nothing: *CUBIN is the result, in memory of malloc; or, if LONE is not NULL and there is nothing but kernels, load them as *LONE,
   which is NULL otherwise, and *CUBIN is NULL.  Not GOMP_OK: WHY says how it has failed.  In any thread that has entered DEV.  */
gomp_status_t nvptx_link_meanwhile (struct gomp_plugin_device *dev, const struct nvptx_object *objects, size_t num,
				    size_t num_ours, const char *what, CUmodule *lone, void **cubin, char why[NVPTX_LINK_WHY]);

/* What to do while another process links the same.  */
enum nvptx_wait
{
  NVPTX_WAIT_AGAIN,		/* look again whether it has ended */
  NVPTX_WAIT_ENOUGH,		/* link here, too */
  NVPTX_WAIT_END		/* do without */
};

struct nvptx_link_turn
{
  enum nvptx_wait (*wait) (void);	/* called, some time after the other, while another process links the same */
  gomp_status_t (*begin) (void);	/* called before it is linked here, or NULL: with an error it is not */
};

/* See to it that the cache has it, and load nothing.  CUBIN, if not NULL, is the result in memory of malloc, which need not be
   in the cache then.  *PLACE as above.  The caller, or TURN's begin, has entered DEV, in one thread of the process.  Not GOMP_OK: WHY says how
   it has failed.  */
gomp_status_t nvptx_link_for_later (struct gomp_plugin_device *dev, const struct nvptx_object *objects,
				    size_t num, size_t num_ours, const char *what, const struct nvptx_link_turn *turn,
				    void **cubin, struct nvptx_cache_place *place, char why[NVPTX_LINK_WHY]);

/* Has the cache what nvptx_link_for_later sees to?  Then *PLACE is where.  */
bool nvptx_link_is_kept (struct gomp_plugin_device *dev, const struct nvptx_object *objects,
			 size_t num, size_t num_ours, struct nvptx_cache_place *place);

/* From now on at most MOST threads compile in this process, whatever the settings say.  Before the first link.  */
void nvptx_link_limit_threads (unsigned most);

/* A text that stands for the device and NUM objects with this nvptx_cache_hash that are linked for it; of malloc, or NULL.  */
char *nvptx_link_key (struct gomp_plugin_device *dev, uint64_t hash, size_t num, size_t num_ours);
/* The same for whatever is linked for devices of this architecture: the driver and the settings.  */
char *nvptx_link_settings (struct gomp_plugin_device *dev);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_LINK_H */
