/* nvptx-lanes.h -- a thread for each lane: which parallel regions of an image can have it, and the
   code that they need for it, for the nvptx plugin.

   doc/lanes.md has the idea, the conditions and what has to be shown for each.  */

#ifndef GOMPX_NVPTX_LANES_H
#define GOMPX_NVPTX_LANES_H 1

#include "nvptx-ptx.h"

#pragma GCC visibility push (hidden)

/* GOMP_NVPTX_LANES.  */
enum nvptx_lanes_mode
{
  NVPTX_LANES_OFF,
  NVPTX_LANES_AUTO,
  NVPTX_LANES_FORCE
};

enum nvptx_lanes_verdict
{
  NVPTX_LANES_WARP_ONLY,
  NVPTX_LANES_AS_IS,		/* its code is right for lanes without a change */
  NVPTX_LANES_REWRITTEN		/* it has a clone that is */
};

enum nvptx_lanes_reason
{
  LANES_NO_REASON,		/* not warp only */
  LANES_UNREADABLE,		/* the reader refused a text */
  LANES_SIMD,
  LANES_ALLOCA,
  LANES_INDIRECT_CALL,
  LANES_NO_VERSION,		/* calls a function of the OpenMP library without a version for lanes */
  LANES_ORDER,			/* threads add their parts in order (nvptx-order.c) */
  LANES_NOT_THERE,		/* calls a function that is not in the image */
  LANES_WARP_OPERATION,		/* an instruction or special register that is about the warp or block */
  LANES_UNKNOWN,		/* an instruction that the analysis doesn't know */
  LANES_STACK_USE,		/* uses the stack pointers or the uniform flags in a way of its own */
  LANES_ESCAPE_STORE,		/* a local variable's address is stored */
  LANES_ESCAPE_CALL,		/* ... or given to a function that may keep it */
  LANES_ATOMIC_LOCAL,		/* an atomic operation on what may be a local variable */
  LANES_RECURSION,		/* recursive: what a lane's stack needs can't be said */
  LANES_RECURSION_SIZE,		/* recursive, with more local variables in memory than there is room for */
  LANES_STACK_SIZE,		/* more local variables in memory than a lane has room for */
  LANES_NOT_KNOWN,		/* which function it is can't be seen at the call */
  LANES_NUM_REASONS
};

/* Behind the names of kernels, and the first of other functions, too: versions with lanes, and for warps without the library.  */
#define LANES_SUFFIX "$lanes"
#define LANES_WARPS_SUFFIX "$warps"
/* Behind these, if the version is an entry without the library that takes its arguments from the launch (carry-proto.h).  */
#define LANES_ARGS_SUFFIX "$args"
/* Behind the name of a version with lanes that shares an inner loop out to them: variables that
   nobody reads or writes, of so many bytes as sets of words of its arguments have as a number, bit
   N for word N.  By the former it writes, by the latter it reads or writes.  Who launches it needs
   their sizes, which driver calls tell that wait for nothing.  */
#define LANES_STORES_SUFFIX "$stores"
#define LANES_USES_SUFFIX "$uses"

enum { NVPTX_LANES_WORDS = 16 };	/* of the arguments, that such a version uses, at most */

enum
{
  NVPTX_LANES_STACK = 4096,	/* bytes: the most that a lane's local variables may take, but for
				   those of recursive functions */
  NVPTX_LANES_SHARE = 256	/* all that recursion has of threads' stacks; the most that lanes may
				   need besides, for local variables of recursive functions */
};

/* What lanes have on the GPU's stacks that warps have elsewhere.  */
struct nvptx_lane_stack
{
  uint16_t bytes;		/* local variables, but for those of recursive functions */
  uint16_t share;		/* those, of NVPTX_LANES_SHARE */
};

/* A function that GOMP_parallel or one of its kind is called with.  */
struct nvptx_lanes_region
{
  const char *name;
  enum nvptx_lanes_verdict verdict;
  enum nvptx_lanes_reason reason;
  unsigned local_bytes;		/* of a lane's local variables, with those of all it calls that isn't
				   recursive */
  unsigned call_bytes;		/* of them, for each call of a recursive function */
  unsigned share;		/* ... and of NVPTX_LANES_SHARE */
  bool warps;			/* warp only, but kernels with it have a version that needs nothing of the library */
  bool stride;			/* neighbouring lanes have neighbouring iterations of its loop */
  bool nest;			/* an inner loop of it can be shared out to lanes */
  const char *why_no_nest;	/* NULL: it can, or it was not looked for */
  const char *why_no_stride;	/* NULL: it has, or it was not looked for */
  char why[256];		/* warp only: the reason, with names; else "" */
};

struct nvptx_lanes
{
  struct nvptx_lanes_region *regions;
  size_t num_regions;
  size_t num_kernels;		/* that have a version for lanes, called NAME$lanes */
  struct nvptx_lane_stack stack;	/* the most of all regions that are not warp only */
  size_t num_direct;		/* of them, that need nothing of the library */
  size_t num_warps;		/* kernels that have a version for warps that needs nothing of it, called NAME$warps; counted
				   in num_kernels, too */
  size_t num_clones;
  char why[256];		/* nothing was looked at, or was rewritten though regions could have lanes:
				   why; else "" */
  struct nvptx_object *objects;	/* with the clones; NULL: there is nothing to change */
  struct lanes_work *work;	/* of nvptx-lanes*.c */
};

enum
{
  NVPTX_LANES_REWRITE = 1,	/* make new texts, if any region can have lanes */
  NVPTX_LANES_CANCELLATION = 2,	/* OMP_CANCELLATION is true */
  NVPTX_LANES_STRIDE = 4,	/* static loops: neighbouring lanes have neighbouring iterations, where that can be had */
  NVPTX_LANES_FLUSHES = 8,	/* atom.add.f32 in global memory is known to take denormal numbers for 0, and to be exact otherwise */
  NVPTX_LANES_BLOCKS = 16,	/* kernels without the library whose functions' frames are in the block's memory */
  NVPTX_LANES_RECURSION = 64,	/* lanes may call recursive functions */
  NVPTX_LANES_NEST = 32,	/* inner loops are shared out to lanes where that can be had */
  NVPTX_LANES_PIECE_SHIFT = 8,	/* the binary logarithm of how many at a time, and 1; 0: what has proved good */
  NVPTX_LANES_PIECE_MOST = 6
};

/* Look at NUM objects of an image, the first of which is the program's own; the last NUM_OURS are of our
   library.  FLAGS as above.  False: out of memory.  Texts of OBJECTS must live until nvptx_lanes_free.  */
bool nvptx_lanes_analyse (const struct nvptx_object *objects, size_t num, size_t num_ours,
			  unsigned flags, struct nvptx_lanes *lanes);
void nvptx_lanes_free (struct nvptx_lanes *lanes);

/* What the program could change for a lane version; NULL: nothing.  */
const char *nvptx_lanes_advice (enum nvptx_lanes_reason reason);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_LANES_H */
