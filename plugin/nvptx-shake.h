/* nvptx-shake.h -- linking without what nothing reaches, for the nvptx plugin.  */

#ifndef GOMPX_NVPTX_SHAKE_H
#define GOMPX_NVPTX_SHAKE_H 1

#include "nvptx-ptx.h"

#pragma GCC visibility push (hidden)

/* What is left of an image's objects.  */
struct nvptx_shaken
{
  struct nvptx_object *objects;	/* of malloc, as many as were given; those of which all is left are the given ones */
  char *memory;			/* of malloc, with the new texts; NULL: there are none */
  size_t functions, left_out;	/* of those objects that functions were left out of */
};

/* Copy OBJECTS, but leave out of them, but for the first one, which is the program's own, the functions, and variables of their own, that
   nothing reaches.  KERNEL, if not NULL: all kernels of the first one but this, and the functions that only they reach, too; other kernels
   stay if something else names them.  FOR_PARTS: what is left is going to be given again with kernels.  Without memory everything stays; false: not even for the objects, and SHAKEN is empty.  OBJECTS and their texts
   are not changed, and have to stay while *SHAKEN is used.  */
bool nvptx_shake (const struct nvptx_object *objects, size_t num_objects, const char *kernel, bool for_parts, struct nvptx_shaken *shaken);

void nvptx_shaken_free (struct nvptx_shaken *shaken);

/* Leave out objects of OBJECTS that define nothing, but for the first one, and move those that have nothing but variables into others that use
   these.  Answers how many objects are left; the last *NUM_OURS of them are what the last *NUM_OURS were.  New texts are in *MEMORY, of
   malloc, which may be NULL.  */
size_t nvptx_shake_objects (struct nvptx_object *objects, size_t num_objects, size_t *num_ours, char **memory);

/* How long functions and kernels are, in bytes, as far as they are known by their comments.  */
struct nvptx_lengths_of
{
  size_t longest, total;
  size_t functions;		/* the total of those that are no kernels */
};

struct nvptx_lengths_of nvptx_shake_lengths (const struct nvptx_object *objects, size_t num_objects);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_SHAKE_H */
