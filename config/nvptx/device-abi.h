/* device-abi.h -- what the nvptx plugin and the device runtime agree on.

   Both include this file: the plugin as it is, device code between "omp declare target" and its
   end.  Macros and structures only, so that it suits both.  Requests to the host have a
   header of their own, plugin/reverse-proto.h.

   Our library may be run by GCC's plugin, which knows nothing of this, and our plugin may run an image with
   GCC's library.  So everything here is such that zeros mean "nobody has told":
     - the variable gompx_plugin is zero in the file; our plugin fills it when it loads an image
       that has it, before any kernel of the image starts;
     - the launch word has zeros where GCC's plugin has them, and what an older plugin of ours puts there is not
       taken for what it can't say.

   The launch word.  A kernel's first parameter is the address of the region's table, which is all that
   the entry code hands on: to gomp_nvptx_main, as its second argument.  Addresses leave
   the upper bits of the word free, and our plugin puts there what it has to say about this one launch.  So
   there is no memory to write or to read for it.  GOMPX_LAUNCH_ARG must be applied before the
   program's function gets the address; that is harmless where nothing was put in.  (A device whose
   addresses need more bits gets no word: the plugin looks.)

     bits 0-47    address of the table, or 0
     bits 48-51   E
     bits 52-62   M:  M << E is the number of logical teams of a teams construct without a clause, when the
                  ICV nteams says nothing; M = 0: as many as there are blocks
     bit 63       if gompx_plugin.launches_tell_tasks: no code that the kernel reaches makes tasks

   E = 15: nothing is said of teams, and of the block, which is for lanes as threads, a team may have
   M (lanes-abi.h).

   A kernel that calls gompx_order_teams4 instead of GOMP_teams4 (config/accel/order.c) has other bits there, which only that
   function reads:

     bits 48-51   E:  1 << E is that number of logical teams; 0: as many as there are blocks; not 15
     bits 52-61   the number of a cell of accel_order_cells, which no other kernel that may run at the same time has; 0: none, then
		  teams have no order

   A version of a kernel with lanes that does without the library, and shares an inner loop out to
   them (plugin/nvptx-lanes-nest.c), has no use for bit 63, and another one:

     bit 63       words of the region's arguments by which it writes lead to other memory than all
		  other words that it uses, as far as it may get from there; which words these are
		  the sizes of two variables say (LANES_STORES_SUFFIX, LANES_USES_SUFFIX)

   What a launch says otherwise, its shape says: %nctaid.x is the number of blocks, %ntid.y the number of
   threads that a team may have at most, also where the program asked for a limit.  */

#ifndef GOMPX_DEVICE_ABI_H
#define GOMPX_DEVICE_ABI_H 1

#include <stdint.h>

/* Raised when something changes that is not an addition at the end of struct gompx_plugin.  The
   library and the plugin that carries it are one build; a program that was linked with libgomp.a is
   not.  */
#define GOMPX_DEVICE_ABI 1u

/* The variable gompx_plugin (.visible .global) of the library.  Its size tells the plugin how much of
   it the library knows: fields are only added at the end.  Constant while kernels run.  */
struct gompx_plugin
{
  uint32_t version;		/* GOMPX_DEVICE_ABI; 0: the plugin is another one */
  uint32_t cancellation;	/* OMP_CANCELLATION */
  uint32_t max_task_priority;	/* OMP_MAX_TASK_PRIORITY */
  uint32_t multiprocessors;	/* of this device */
  uint32_t indirect_sorted;	/* pairs in GOMPX_INDIRECT_VARIABLE, which are sorted by host address */
  uint32_t launches_tell_tasks;	/* bit 63 of launch words has the meaning above; 0: none */
};

/* ---- the launch word ---- */

#define GOMPX_LAUNCH_SHIFT 48
#define GOMPX_LAUNCH_ADDRESS ((UINT64_C (1) << GOMPX_LAUNCH_SHIFT) - 1)
#define GOMPX_LAUNCH_MANTISSA 0x7ffu	/* the greatest M */
#define GOMPX_LAUNCH_EXPONENT 14u	/* the greatest E of teams */
#define GOMPX_LAUNCH_LIMITS 15u	/* the E of a limit of threads; all bits of E */

/* Of a word (uint64_t): the address, and the number of logical teams or 0.  */
#define GOMPX_LAUNCH_ARG(word) ((uint64_t) (word) & GOMPX_LAUNCH_ADDRESS)
#define GOMPX_LAUNCH_TEAMS(word) \
  (GOMPX_LAUNCH_LIMIT (word) != 0 ? 0 \
   : ((unsigned) ((uint64_t) (word) >> 52) & GOMPX_LAUNCH_MANTISSA) \
     << ((unsigned) ((uint64_t) (word) >> 48) & 15u))
/* The same with a cell: the greatest number of one, the number, and the word as it is without.  */
#define GOMPX_LAUNCH_CELLS 0x3ffu
#define GOMPX_LAUNCH_CELL(word) ((unsigned) ((uint64_t) (word) >> 52) & GOMPX_LAUNCH_CELLS)
#define GOMPX_LAUNCH_WITHOUT_CELL(word) \
  (((uint64_t) (word) & ~((uint64_t) GOMPX_LAUNCH_MANTISSA << 52)) \
   | (((uint64_t) (word) >> GOMPX_LAUNCH_SHIFT & GOMPX_LAUNCH_LIMITS) != 0 \
      ? UINT64_C (1) << 52 : 0))
/* The limit, or 0.  */
#define GOMPX_LAUNCH_LIMIT(word) \
  (((uint64_t) (word) >> GOMPX_LAUNCH_SHIFT & GOMPX_LAUNCH_LIMITS) != GOMPX_LAUNCH_LIMITS ? 0 \
   : (unsigned) ((uint64_t) (word) >> 52) & GOMPX_LAUNCH_MANTISSA)
/* The bit that says: no tasks.  */
#define GOMPX_LAUNCH_NO_TASKS (UINT64_C (1) << 63)
/* The same bit, of kernels that share a loop out to lanes.  */
#define GOMPX_LAUNCH_DISJOINT (UINT64_C (1) << 63)

/* ---- names that the plugin looks for in a linked image ---- */

/* The library's: struct gompx_plugin.  */
#define GOMPX_PLUGIN_VARIABLE "gompx_plugin"
/* The first of the pairs { host address, device address } of declare target indirect functions, ended by
   one with the host address 0; NULL: there are none.  The name is GCC's, whose plugin neither sorts
   nor counts them.  */
#define GOMPX_INDIRECT_VARIABLE "__gomp_indirect_addr_map"

/* The library's function that makes a task ready to be run by any thread.  Code that needs it, directly or through
   other objects of the library, can make barriers wait for tasks; other code can't.  */
#define GOMPX_TASKS_FUNCTION "accel_task_push"

/* ---- soft stacks ---- */

/* The least that a thread needs, in bytes: gomp_nvptx_main keeps memory of worksharing constructs there,
   and the slots of tasks where a program has any (config/accel/start.c); the rest is the program's.  */
#define GOMPX_STACK_PLAIN ((size_t) 16 << 10)
#define GOMPX_STACK_TASKS ((size_t) 32 << 10)

#endif /* GOMPX_DEVICE_ABI_H */
