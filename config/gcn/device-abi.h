/* device-abi.h -- what the gcn plugin and the device runtime agree on.

   Both include this file: the plugin as it is, device code between "omp declare target" and its
   end.  Macros and structures only, so that it suits both.  Requests to the host have a header of their
   own, plugin/slots-proto.h.

   Our library may be run by GCC's plugin, which knows nothing of this, and our plugin may run an image with
   GCC's library.  So everything here is such that zeros mean "nobody has told", and the launch word is
   looked at only if the variable gompx_plugin says that our plugin is there.

   The launch word is at offset 8 of the kernel argument block (struct gompx_gcn_launch), which nobody else
   uses.  What a launch says otherwise, its shape says: the work-groups are the blocks, the waves of a
   work-group are the threads that a team may have at most.  */

#ifndef GOMPX_DEVICE_ABI_H
#define GOMPX_DEVICE_ABI_H 1

#include <stdint.h>

/* Raised when something changes that is not an addition at the end of struct gompx_plugin.  */
#define GOMPX_DEVICE_ABI 1u

/* The variable gompx_plugin of the library.  Its size tells the plugin how much of it the library knows:
   fields are only added at the end.  All zeros in the file; constant while kernels run.  */
struct gompx_plugin
{
  uint32_t version;		/* GOMPX_DEVICE_ABI; 0: the plugin is another one */
  uint32_t cancellation;	/* OMP_CANCELLATION */
  uint32_t max_task_priority;	/* OMP_MAX_TASK_PRIORITY */
  uint32_t multiprocessors;	/* compute units of this device */
  uint32_t indirect_sorted;	/* pairs in GOMPX_INDIRECT_VARIABLE, which are sorted by host address */
  uint32_t clock_khz;		/* of s_memrealtime; 0: 100000 */
};

/* The kernel argument block (abi/gcn, section 2.2).  */
struct gompx_gcn_launch
{
  uint64_t argument;
  uint64_t word;		/* our plugin's: bits 0-31 the number of logical teams of a teams construct
				   without a clause, 0: as many as there are work-groups */
  uint64_t output;
  uint64_t heap;
  uint64_t arena;
  uint64_t stacks;
  uint32_t arena_size;		/* of one team */
  uint32_t stack_size;
};

#define GOMPX_LAUNCH_TEAMS(word) ((unsigned) (word))

/* ---- names that the plugin looks for in a linked image ---- */

/* The library's: struct gompx_plugin.  */
#define GOMPX_PLUGIN_VARIABLE "gompx_plugin"
/* The first of the pairs { host address, device address } of declare target indirect functions, ended by
   one with the host address 0; NULL: there are none.  The name is GCC's, whose plugin neither sorts
   nor counts them.  */
#define GOMPX_INDIRECT_VARIABLE "__gomp_indirect_addr_map"
/* A function of our library that is in images which make tasks, and in no others.  */
#define GOMPX_TASKS_FUNCTION "accel_task_execute"

/* ---- memory ---- */

/* LDS that the library needs in images of GCC 14 and later, in bytes.  What a launch has beyond that is
   the pool of low-latency memory.  */
#define GOMPX_GCN_LDS 5120u

/* The part of a team's arena that the library uses, and the least that a thread's stack needs: the slots of tasks
   are there, where a program has any.  */
#define GOMPX_GCN_ARENA 32768u
#define GOMPX_GCN_STACK ((uint32_t) 32 << 10)
/* What it is with tasks, where the user does not say.  They nest where a thread that waits executes others, or
   where no slot is free, and each level is about 3 KiB: a frame has 256 bytes for each vector register.  */
#define GOMPX_GCN_STACK_TASKS ((uint32_t) 128 << 10)

/* Images of GCC 12 have arenas of a fixed size.  */
#define GOMPX_GCN_ARENA_2 65536u

#endif /* GOMPX_DEVICE_ABI_H */
