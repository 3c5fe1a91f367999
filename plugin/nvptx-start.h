/* nvptx-start.h -- what an earlier start of a program has found out about its image.  */

#ifndef GOMPX_NVPTX_START_H
#define GOMPX_NVPTX_START_H 1

#include "nvptx-cache.h"
#include "nvptx-code.h"
#include "nvptx-setup.h"
#include "nvptx-texts.h"

#pragma GCC visibility push (hidden)

/* What is to be known of what is linked for an image, when its texts are not at hand any more.  */
struct nvptx_start
{
  bool our_library, our_tasks, gcc_library;
  bool lowlat_pool, prints, sets_icvs;
  bool carries;			/* entries of its kernels take data along */
  bool has_lanes;
  struct nvptx_lane_stack lane_stack;
  uint32_t num, num_ours;	/* objects; the last NUM_OURS are of our library */
  uint64_t hash;		/* nvptx_cache_hash of them */
  size_t num_kernels;
  nvptx_code_set *code;		/* [num_kernels], of malloc */
  bool unsure;			/* they are everything, for want of memory: this is not for later starts */
};

/* The same for TEXTS, of IMAGE.  Its code must be freed.  False: out of memory.  */
bool nvptx_start_describe (const struct nvptx_image *image, const struct nvptx_texts *texts, struct nvptx_start *start);

/* Has an earlier start with the same image, settings, driver and device found out what to link, and does the
   cache have that?  Then *CUBIN, in memory of malloc, is it.  START's code must be freed.  */
bool nvptx_start_find (const struct nvptx_image *image, struct nvptx_start *start, void **cubin);

/* START and what it was found out from, in memory of its own; NULL: no memory, or nothing is to be kept, as START is unsure or there is no cache.  Later starts of IMAGE find it when it
   has been kept.  */
struct nvptx_start_note *nvptx_start_note (const struct nvptx_image *image, const struct nvptx_start *start);
/* Keep NOTE, which may be NULL: what was linked is in PLACE.  */
void nvptx_start_keep (const struct nvptx_start_note *note, const struct nvptx_cache_place *place);
void nvptx_start_free (struct nvptx_start_note *note);

/* For tests: the record of START and PLACE, in memory of malloc, or NULL; and what a record of SIZE bytes says.  False: it is none
   for NUM_KERNELS kernels.  */
void *nvptx_start_write (const struct nvptx_start *start, const struct nvptx_cache_place *place, size_t *size);
bool nvptx_start_read (const void *record, size_t size, size_t num_kernels, struct nvptx_start *start,
		       struct nvptx_cache_place *place);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_START_H */
