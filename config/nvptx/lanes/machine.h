/* machine.h -- what the device runtime needs to know of the lanes of an NVIDIA GPU.

   The same interface as config/nvptx/machine.h, for code that every lane executes for itself: a thread of
   OpenMP is a lane here.  config/nvptx/lanes/unit.c compiles files of config/accel with it, for a
   target without soft stacks and without the compiler's predicates for uniform code; what
   they define gets names that begin with gompx_lanes_ (device.mk).  lanes-abi.h tells the rest.

   Lanes of a warp may be at different places, so nothing here waits for lanes but the barrier, and
   machine_gather, which asks those that happen to be there.

   A lane finds its record in its own .local memory.  Its address is the same in all lanes of a warp, as the
   frames of the lanes lie alike, and is in the warp's own record, which has no other use meanwhile: as its
   "trip".

   Structures must have the layout that they have in warp mode.  */

#ifndef GOMPX_MACHINE_H
#define GOMPX_MACHINE_H 1

#include <stdbool.h>
#include <stdint.h>

#include "../machine-common.h"

#pragma omp declare target

#define ACCEL_MAX_THREADS 32u	/* warps: for the layout */
#define MACHINE_LANES 1u
/* There is room for lanes in the block's structure; and this code is for them.  */
#define MACHINE_LANE_REGIONS 1
#define MACHINE_EACH_LANE 1
#define MACHINE_WARP 32u

static inline unsigned
machine_warp (void)
{
  unsigned value;
  __asm__ ("mov.u32 %0, %%tid.y;" : "=r" (value));
  return value;
}

static inline unsigned
machine_lane (void)
{
  unsigned value;
  __asm__ ("mov.u32 %0, %%laneid;" : "=r" (value));
  return value;
}

/* The number of this lane in its block, the block's lanes.  */
static inline unsigned
machine_thread (void)
{
  return machine_warp () * MACHINE_WARP + machine_lane ();
}

static inline unsigned
machine_threads (void)
{
  unsigned value;
  __asm__ ("mov.u32 %0, %%ntid.y;" : "=r" (value));
  return value * MACHINE_WARP;
}

/* The lane's record.  The macros are expanded where the structures are known.  */
#define MACHINE_OWN 1
#define machine_own(FIRST, STRIDE)						\
  ({										\
    void *own_;									\
    __asm__ volatile ("{ .reg .u32 %%where;\n\t"					\
		      ".reg .u32 %%base; mov.u32 %%base, gompx_block;\n\t"		\
		      "mov.u32 %%where, %%tid.y; mad.lo.u32 %%where, %%where, %1, %%base;\n\t"	\
		      "ld.shared.u64 %0, [%%where+%2]; }"				\
		      : "=r" (own_) : "n" (STRIDE),				\
			"n" ((FIRST) + offsetof (struct accel_thread, trip)) : "memory"); \
    own_;									\
  })
/* The numbers that queries ask for are known without a record.  */
#define machine_own32(STRIDE, OFFSET)						\
  ((OFFSET) == offsetof (struct accel_thread, num) ? machine_thread ()		\
   : (OFFSET) == offsetof (struct accel_thread, num_threads)			\
   ? machine_shared32 (offsetof (struct accel_block, lanes.threads))		\
   : (OFFSET) == offsetof (struct accel_thread, plain)				\
   ? machine_shared32 (offsetof (struct accel_block, lanes.threads))		\
   : *(const unsigned *) ((const char *) accel_self () + (OFFSET)))

/* Wait for all lanes of the warp; they see what the others wrote.  */
static inline void
machine_meet_warp (void)
{
  __asm__ volatile ("bar.warp.sync 0xffffffff;" : : : "memory");
}

/* In run.c: wait for the other lanes of a region of THREADS.  True: its end, as those say that are at it (END).  */
unsigned machine_meet (unsigned threads, unsigned end);

/* What machine_barrier is to be told of a team of COUNT threads.  */
static inline unsigned
machine_barrier_count (unsigned count)
{
  return count;
}

/* The team's barrier; COUNT lanes are threads.  Those of the last warp that are none are in
   gompx_lanes_run, and are told that this is no end.  */
static inline void
machine_barrier (unsigned id, unsigned count)
{
  (void) id;
  machine_meet (count, 0);
}

/* Each lane goes by the value that it has got.  */
#define machine_uniform_load64(ADDRESS) machine_load64 (ADDRESS)
#define machine_uniform_store64(ADDRESS, VALUE) machine_store64 (ADDRESS, VALUE)

/* Those lanes of the warp that are here together and have the same ADDRESS, the caller too: it may wait for
   them, as each has got the same answer.  One or all of them, as it happens.  */
static inline unsigned
machine_gather (const void *address)
{
  unsigned lanes;
  __asm__ volatile ("{ .reg .b32 %%here; activemask.b32 %%here;\n\t"
		    "match.any.sync.b64 %0, %1, %%here; }" : "=r" (lanes) : "r" (address) : "memory");
  return lanes;
}

/* How many of them are before the caller.  */
static inline unsigned
machine_rank (unsigned lanes)
{
  unsigned before;
  __asm__ ("{ .reg .b32 %%less; mov.u32 %%less, %%lanemask_lt; and.b32 %%less, %%less, %1;\n\t"
	   "popc.b32 %0, %%less; }" : "=r" (before) : "r" (lanes));
  return before;
}

/* The word in shared memory counts on by VALUE for each lane, and each gets a number of its own.  Lanes
   that come together send one of them for all; VALUE is the same in all callers of an address.  */
static inline unsigned
machine_shared_add32 (unsigned *address, unsigned value)
{
  unsigned lanes = machine_gather (address), rank = machine_rank (lanes), old;
  __asm__ volatile ("{ .reg .pred %%one; .reg .u32 %%all, %%first; .reg .u64 %%where;\n\t"
		    "setp.eq.u32 %%one, %4, 0;\n\t"
		    "popc.b32 %%all, %3; mul.lo.u32 %%all, %%all, %2;\n\t"
		    "cvta.to.shared.u64 %%where, %1;\n\t"
		    "mov.u32 %0, 0;\n\t"
		    "@%%one atom.shared.add.u32 %0, [%%where], %%all;\n\t"
		    "brev.b32 %%first, %3; clz.b32 %%first, %%first;\n\t"
		    "shfl.sync.idx.b32 %0, %0, %%first, 31, %3; }"
		    : "=&r" (old) : "r" (address), "r" (value), "r" (lanes), "r" (rank) : "memory");
  return old + rank * value;
}

static inline unsigned
machine_shared_cas32 (unsigned *address, unsigned expected, unsigned desired)
{
  unsigned old;
  __asm__ volatile ("{ .reg .u64 %%where; cvta.to.shared.u64 %%where, %1;\n\t"
		    "atom.shared.cas.b32 %0, [%%where], %2, %3; }"
		    : "=r" (old) : "r" (address), "r" (expected), "r" (desired) : "memory");
  return old;
}

static inline unsigned long long
machine_shared_cas64 (unsigned long long *address, unsigned long long expected,
		      unsigned long long desired)
{
  unsigned long long old;
  __asm__ volatile ("{ .reg .u64 %%where; cvta.to.shared.u64 %%where, %1;\n\t"
		    "atom.shared.cas.b64 %0, [%%where], %2, %3; }"
		    : "=r" (old) : "r" (address), "r" (expected), "r" (desired) : "memory");
  return old;
}

/* A turn of a loop that waits: for another lane of this warp maybe, which must get on meanwhile.  */
static inline void
machine_pause (unsigned turn)
{
  unsigned time = turn < 6 ? 32u << turn : 2048;
  __asm__ volatile ("nanosleep.u32 %0;" : : "r" (time) : "memory");
}

/* About so many cycles, and never none: another lane of this warp may have to get on meanwhile.  */
static inline void
machine_delay (unsigned cycles)
{
  __asm__ volatile ("nanosleep.u32 %0;" : : "r" (cycles / 2 + 16) : "memory");
}

#pragma omp end declare target

#endif /* GOMPX_MACHINE_H */
