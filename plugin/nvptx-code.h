/* nvptx-code.h -- what the code of regions does, as far as its PTX tells; for the nvptx plugin.  */

#ifndef GOMPX_NVPTX_CODE_H
#define GOMPX_NVPTX_CODE_H 1

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nvptx-ptx.h"

#pragma GCC visibility push (hidden)

enum nvptx_code
{
  /* It may start a parallel region, or wants to know how many threads one would have.  */
  NVPTX_CODE_THREADS = 1,
  /* The lanes of a warp execute iterations of their own.  */
  NVPTX_CODE_SIMD = 2,
  /* It may take the lock of atomics, as a reduction of several variables does: each thread once for its team, and each team.  */
  NVPTX_CODE_LOCK = 4,
  /* It may make tasks.  */
  NVPTX_CODE_TASKS = 8,
  /* Its teams wait for each other at their end, in the order of their numbers (nvptx-order.h).  */
  NVPTX_CODE_ORDER = 16,
  /* Its threads may wait for each other at barriers, so it may count on their number.  */
  NVPTX_CODE_BARRIER = 32,
  /* Two bits: clauses num_threads ask for no more threads than a team has warps, for up to 256 (or a
     number that is computed), up to 512, or more.  */
  NVPTX_CODE_COUNTS = 192,
  NVPTX_CODE_COUNTS_256 = 64,
  NVPTX_CODE_COUNTS_512 = 128,
  /* Functions of it may call themselves, directly or through others, or are called through
     pointers: how much stack its calls take depends on its data.  */
  NVPTX_CODE_RECURSION = 256
};

enum
{
  /* What a call through a pointer may do.  */
  NVPTX_CODE_ANY_CALL = NVPTX_CODE_THREADS | NVPTX_CODE_TASKS | NVPTX_CODE_RECURSION,
  /* What code may do of which nothing is known.  */
  NVPTX_CODE_UNKNOWN = NVPTX_CODE_ANY_CALL | NVPTX_CODE_SIMD
};

/* A set of enum nvptx_code.  */
typedef uint16_t nvptx_code_set;

/* The warps whose lanes are so many threads; 0: any number.  */
static inline unsigned
nvptx_code_warps (unsigned code)
{
  unsigned counts = code & NVPTX_CODE_COUNTS;
  return counts == 0 ? 0 : counts == NVPTX_CODE_COUNTS_256 ? 8
	 : counts == NVPTX_CODE_COUNTS_512 ? 16 : 32;
}

/* What the COUNT entries called NAMES do, with everything that they call or that could be called
   through addresses they take.  TEXT has SIZE bytes and is the program's own object.  NAMES may have
   NULLs.  Who mentions one of the NUM_TASKS symbols TASKS of other objects may make tasks.  CODE gets a set of enum
   nvptx_code for each; everything for names that the text does not
   have.  False: out of memory, and everything for all of them.  */
bool nvptx_code_look (const char *text, size_t size, const char *const *names, size_t count,
		      const struct nvptx_symbol *tasks, size_t num_tasks, nvptx_code_set *code);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_CODE_H */
