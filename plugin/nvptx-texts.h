/* nvptx-texts.h -- what is linked for an image, and what that has in it.  */

#ifndef GOMPX_NVPTX_TEXTS_H
#define GOMPX_NVPTX_TEXTS_H 1

#include "nvptx-lanes.h"
#include "nvptx-order.h"
#include "nvptx-setup.h"
#include "nvptx-shake.h"
#include "nvptx-state.h"
#include "nvptx-subst.h"

#pragma GCC visibility push (hidden)

struct nvptx_texts
{
  struct nvptx_subst subst;	/* its objects are to be linked */
  struct nvptx_order order;	/* its object: the program's own, with parts of reductions in order */
  struct nvptx_object extended;	/* the same, with entries that carry; text NULL: they don't */
  struct nvptx_object with_room;	/* the same, with room for variables of simd loops; text NULL: it has enough */
  struct nvptx_object streaming;	/* the same, with loads that ask for more; text NULL: there are none */
  struct nvptx_object inlined;	/* the same, with small functions of the library in it; text NULL: there are none */
  struct nvptx_object with_math;	/* the same, with our functions of libm in it; text NULL: none is called */
  struct nvptx_object with_copies;	/* the same, with small copies in it; text NULL: there are none */
  struct nvptx_object divided;	/* the same, without divisions by constants; text NULL: there are none */
  struct nvptx_object in_registers;	/* the same, with private arrays in registers; text NULL: there are none */
  struct nvptx_lanes lanes;	/* HAS_LANES: all the texts are in it, or live for ever */
  bool has_lanes;		/* some kernels have a second version */
  bool our_library, our_tasks, gcc_library;
  bool lowlat_pool, prints, sets_icvs;
  bool constructs;		/* there are constructors or destructors */
  struct nvptx_symbol *makes_tasks;	/* our_tasks: what the program's own object needs for tasks */
  size_t num_makes_tasks;
  struct nvptx_shaken used;	/* what is linked of the objects; empty: nobody has asked (nvptx_texts_used) */
  struct nvptx_variables variables;	/* of USED; HAS_VARIABLES: somebody has asked */
  bool has_variables;
  _Atomic unsigned *xshares;	/* how many structs have the same pointers; NULL: one */
};

/* Choose for IMAGE.  LANES: look for regions that can have lane mode.  False: out of memory.  */
bool nvptx_texts_make (const struct nvptx_image *image, bool lanes, struct nvptx_texts *texts);
void nvptx_texts_free (struct nvptx_texts *texts);

/* What is left of the objects, as many as they are, when what nothing reaches is left out (nvptx_shake); NULL: out of memory.  TEXTS's, and before they are
   shared.  */
const struct nvptx_object *nvptx_texts_used (struct nvptx_texts *texts);
/* The variables of that; NULL: out of memory.  The same.  */
struct nvptx_variables *nvptx_texts_variables (struct nvptx_texts *texts);

/* *OTHER is another owner of TEXTS, for another thread, too: both are to be freed, and neither changed any more.  False: out of memory.  */
bool nvptx_texts_share (struct nvptx_texts *texts, struct nvptx_texts *other);

enum { NVPTX_TEXTS_WHY = NVPTX_STATE_WHY };	/* room for a reason */

/* Can kernels of two modules of IMAGE, made of WARPS and of LANES, run one after the other and at the same time, as those
   of one module do?  VARIABLES: each has its own.  False: WHY says why not.  */
bool nvptx_texts_agree (const struct nvptx_image *image, struct nvptx_texts *warps, const struct nvptx_texts *lanes,
			bool variables, char why[NVPTX_TEXTS_WHY]);

/* The same for two modules that are each made of a part of TEXTS, if neither leaves anything in variables of its own for the other
   (nvptx_state_is_left, nvptx-home.c).  */
bool nvptx_texts_divide (const struct nvptx_image *image, struct nvptx_texts *texts, char why[NVPTX_TEXTS_WHY]);

/* Tell users which device library the image has got, and why.  */
void nvptx_texts_tell (const struct nvptx_image *image, const struct nvptx_texts *texts);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_TEXTS_H */
