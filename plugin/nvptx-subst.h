/* nvptx-subst.h -- which device library an image gets: ours, or the one in it.  */

#ifndef GOMPX_NVPTX_SUBST_H
#define GOMPX_NVPTX_SUBST_H 1

#include "plugin.h"
#include "nvptx-decode.h"
#include "nvptx-ptx.h"

#pragma GCC visibility push (hidden)

/* What to link for an image.  */
struct nvptx_subst
{
  struct nvptx_object *objects;	/* in memory of malloc; texts are the image's and the library's */
  size_t num;
  size_t num_ours;		/* the last ones are of our library; 0: the image keeps its own */
  size_t num_math;		/* before these: our functions of libm */
  char why[NVPTX_WHY];		/* it keeps its own: why; "" where nothing else was wanted */
  char math_names[NVPTX_WHY];	/* of the functions of libm, with blanks between them */
  char math_why[NVPTX_WHY];	/* none of ours: why; "" where none was wanted */
};

/* Read the setting.  GOMP_INVALID, with a text: it makes no sense.  Called by init.  */
gomp_status_t nvptx_subst_init (const struct gomp_plugin_core *core);

/* Is our library wanted?  If so, and if it is of a file, *OBJECTS and *NUM are it; otherwise *NUM is 0.  */
bool nvptx_subst_setting (const struct nvptx_object **objects, size_t *num);

/* Are our functions of libm wanted?  */
bool nvptx_subst_math (void);

/* Choose.  Nothing is believed of the image.  With LANES our library comes with the versions for lanes of what
   the program calls.  False: out of memory.  */
bool nvptx_substitute (const struct nvptx_tables *tables, bool lanes, struct nvptx_subst *subst);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_SUBST_H */
