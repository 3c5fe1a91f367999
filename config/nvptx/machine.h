/* machine.h -- what the device runtime needs to know of an NVIDIA GPU.

   This is the nvptx form of the interface that config/accel is written against; another device has
   a machine.h of its own with the same names.  A thread of OpenMP is a warp: its 32 lanes execute
   everything together, so plain stores are idempotent and the compiler makes __atomic builtins happen
   once a warp and gives the result to all lanes.  Inline assembly is not so treated: what must happen
   once is predicated here by hand (abi/nvptx, section 0).

   Orders: the __atomic builtins are used with __ATOMIC_RELAXED only, because any other order puts
   membar.sys around them; what orders there are to be is said by the fences below.

   All code for devices stands between "omp declare target" and its end, and is compiled as
   abi/nvptx, section 5.1, says.  */

#ifndef GOMPX_MACHINE_H
#define GOMPX_MACHINE_H 1

#include <stdbool.h>

#include "machine-common.h"

#pragma omp declare target

/* Defined in core.s (device.mk): room for struct accel_block and the launch-sized pool behind it.  */
#define ACCEL_MAX_THREADS 32u
/* Lanes of a thread.  */
#define MACHINE_LANES 32u
/* There are lane regions, lanes-abi.h.  */
#define MACHINE_LANE_REGIONS 1

/* The number of this warp in its block, the block's warps.  */
static inline unsigned
machine_thread (void)
{
  unsigned value;
  __asm__ ("mov.u32 %0, %%tid.y;" : "=r" (value));
  return value;
}

static inline unsigned
machine_threads (void)
{
  unsigned value;
  __asm__ ("mov.u32 %0, %%ntid.y;" : "=r" (value));
  return value;
}

/* The word at OFFSET of what shared memory has for this warp, when each warp has STRIDE bytes there (both are
   constants).  Queries and barriers get by with this; an address that may be of any memory takes several
   times as long to make and to use.  */
#define machine_own32(STRIDE, OFFSET)						\
  ({										\
    unsigned own32_;								\
    __asm__ volatile ("{ .reg .u32 %%me, %%base;\n\t"				\
		      "mov.u32 %%me, %%tid.y; mov.u32 %%base, gompx_block;\n\t"	\
		      "mad.lo.u32 %%base, %%me, %1, %%base;\n\t"			\
		      "ld.shared.u32 %0, [%%base+%2]; }"				\
		      : "=r" (own32_) : "n" (STRIDE), "n" (OFFSET) : "memory");	\
    own32_;									\
  })
/* What machine_barrier is to be told of a team of COUNT warps: how many lanes they have.  */
static inline unsigned
machine_barrier_count (unsigned count)
{
  return count * 32;
}

/* Wait until the warps of the block that COUNT stands for have come to this point with the same ID, 0 to 15; what they
   wrote is visible afterwards to all of them.  */
static inline void
machine_barrier (unsigned id, unsigned count)
{
  /* A number where the compiler knows it: a register makes the kernel own all 16 barriers.  */
  __asm__ volatile ("bar.sync %0, %1;" : : "rn" (id), "r" (count) : "memory");
}

/* Thread 0 has a launch for the others, number TURN of them modulo 2; they wait for that of theirs, which
   machine_next_turn counts.  IDLE: the region before was one without the calling thread.  */
static inline void
machine_launch (unsigned turn)
{
  (void) turn;
  machine_barrier (0, machine_barrier_count (machine_threads ()));
}

static inline void
machine_await_launch (unsigned turn, bool idle)
{
  (void) turn;
  (void) idle;
  machine_barrier (0, machine_barrier_count (machine_threads ()));
}

static inline unsigned
machine_next_turn (unsigned turn)
{
  return turn ^ 1;
}

/* The same for words that others change meanwhile, in uniform code.  All lanes must see one value, or they
   would part.  A load of 32 bits is made for all at once; one of 64 bits may be made in parts,
   between which the word changes, so it is made by one lane.  Likewise a store in parts could
   hide what somebody else has stored after the first part.  */
static inline unsigned long long
machine_uniform_load64 (const unsigned long long *address)
{
  unsigned long long value;
  __asm__ volatile ("{ .reg .pred %%one; .reg .u32 %%lane, %%low, %%high; .reg .u64 %%all;\n\t"
		    "mov.u32 %%lane, %%laneid; setp.eq.u32 %%one, %%lane, 0; mov.u64 %%all, 0;\n\t"
		    "@%%one ld.volatile.u64 %%all, [%1];\n\t"
		    "mov.b64 {%%low, %%high}, %%all;\n\t"
		    "shfl.sync.idx.b32 %%low, %%low, 0, 31, 0xffffffff;\n\t"
		    "shfl.sync.idx.b32 %%high, %%high, 0, 31, 0xffffffff;\n\t"
		    "mov.b64 %0, {%%low, %%high}; }" : "=r" (value) : "r" (address) : "memory");
  return value;
}

static inline void
machine_uniform_store64 (unsigned long long *address, unsigned long long value)
{
  __asm__ volatile ("{ .reg .pred %%one; .reg .u32 %%lane;\n\t"
		    "mov.u32 %%lane, %%laneid; setp.eq.u32 %%one, %%lane, 0;\n\t"
		    "@%%one st.volatile.u64 [%0], %1; }" : : "r" (address), "r" (value) : "memory");
}

/* Where in the device the thread is; a whole block moves, if at all.  */
static inline unsigned
machine_processor (void)
{
  unsigned value;
  __asm__ volatile ("mov.u32 %0, %%smid;" : "=r" (value));
  return value;
}

/* True in one lane at a time only: for stores that must be seen once.  In simd code each lane is on
   its own, so only uniform code may ask.  */
static inline unsigned
machine_lane (void)
{
  unsigned value;
  __asm__ ("mov.u32 %0, %%laneid;" : "=r" (value));
  return value;
}

/* "And" VALUE to a word of any memory, relaxed; the old one.  */
static inline unsigned
machine_fetch_and32 (unsigned *address, unsigned value)
{
  return __atomic_fetch_and (address, value, __ATOMIC_RELAXED);
}

/* Read-modify-writes of words in the block's shared memory; all lanes get the old value.  Their orders are
   relaxed.  The generic __atomic builtins would find out at run time what memory it is.  */
static inline unsigned
machine_shared_add32 (unsigned *address, unsigned value)
{
  unsigned old;
  __asm__ volatile ("{ .reg .pred %%one; .reg .u32 %%lane; .reg .u64 %%where;\n\t"
		    "mov.u32 %%lane, %%laneid; setp.eq.u32 %%one, %%lane, 0;\n\t"
		    "cvta.to.shared.u64 %%where, %1;\n\t"
		    "@%%one atom.shared.add.u32 %0, [%%where], %2;\n\t"
		    "shfl.sync.idx.b32 %0, %0, 0, 31, 0xffffffff; }"
		    : "=r" (old) : "r" (address), "r" (value) : "memory");
  return old;
}

static inline unsigned
machine_shared_cas32 (unsigned *address, unsigned expected, unsigned desired)
{
  unsigned old;
  __asm__ volatile ("{ .reg .pred %%one; .reg .u32 %%lane; .reg .u64 %%where;\n\t"
		    "mov.u32 %%lane, %%laneid; setp.eq.u32 %%one, %%lane, 0;\n\t"
		    "cvta.to.shared.u64 %%where, %1;\n\t"
		    "@%%one atom.shared.cas.b32 %0, [%%where], %2, %3;\n\t"
		    "shfl.sync.idx.b32 %0, %0, 0, 31, 0xffffffff; }"
		    : "=r" (old) : "r" (address), "r" (expected), "r" (desired) : "memory");
  return old;
}

static inline unsigned long long
machine_shared_cas64 (unsigned long long *address, unsigned long long expected,
		      unsigned long long desired)
{
  unsigned long long old;
  __asm__ volatile ("{ .reg .pred %%one; .reg .u32 %%lane, %%low, %%high; .reg .u64 %%where;\n\t"
		    "mov.u32 %%lane, %%laneid; setp.eq.u32 %%one, %%lane, 0;\n\t"
		    "cvta.to.shared.u64 %%where, %1;\n\t"
		    "@%%one atom.shared.cas.b64 %0, [%%where], %2, %3;\n\t"
		    "mov.b64 {%%low, %%high}, %0;\n\t"
		    "shfl.sync.idx.b32 %%low, %%low, 0, 31, 0xffffffff;\n\t"
		    "shfl.sync.idx.b32 %%high, %%high, 0, 31, 0xffffffff;\n\t"
		    "mov.b64 %0, {%%low, %%high}; }"
		    : "=r" (old) : "r" (address), "r" (expected), "r" (desired) : "memory");
  return old;
}

/* Which of the first COUNT words at ADDRESS, in shared memory, are not zero: bit I for word I.  */
static inline unsigned
machine_nonzero_words (const unsigned *address, unsigned count)
{
  unsigned bits;
  __asm__ volatile ("{ .reg .pred %%have, %%set; .reg .u32 %%lane, %%word; .reg .u64 %%where;\n\t"
		    "mov.u32 %%lane, %%laneid; mov.u32 %%word, 0;\n\t"
		    "setp.lt.u32 %%have, %%lane, %2;\n\t"
		    "cvta.to.shared.u64 %%where, %1;\n\t"
		    "mad.wide.u32 %%where, %%lane, 4, %%where;\n\t"
		    "@%%have ld.volatile.shared.u32 %%word, [%%where];\n\t"
		    "setp.ne.u32 %%set, %%word, 0;\n\t"
		    "vote.sync.ballot.b32 %0, %%set, 0xffffffff; }"
		    : "=r" (bits) : "r" (address), "r" (count) : "memory");
  return bits;
}

/* What a barrier in shared memory is made of (barrier-wait.c).  */
#define MACHINE_MEETS 1

/* The calling thread is one of MOST + 1 that come.  *COUNT, in shared memory, tells how many have; the last one, for
   which the answer is true, makes it 0 again.  Relaxed.  */
static inline unsigned
machine_come (unsigned *count, unsigned most)
{
  unsigned last;
  __asm__ volatile ("{ .reg .pred %%one; .reg .u32 %%lane, %%old; .reg .u64 %%where;\n\t"
		    "mov.u32 %%lane, %%laneid; setp.eq.u32 %%one, %%lane, 0; mov.u32 %%old, -1;\n\t"
		    "cvta.to.shared.u64 %%where, %1;\n\t"
		    "@%%one atom.shared.inc.u32 %%old, [%%where], %2;\n\t"
		    "setp.eq.u32 %%one, %%old, %2;\n\t"
		    "vote.sync.ballot.b32 %0, %%one, 0xffffffff; }"
		    : "=r" (last) : "r" (count), "r" (most) : "memory");
  return last;
}

/* Wait until one of the words at ADDRESS in shared memory that MASK has bits of is not what it was: word WHICH was VALUE, the
   others were 0.  Bits of those that are something else.  Each lane looks at one of them, so that a turn takes one load.  */
static inline unsigned
machine_await_change (const unsigned *address, unsigned mask, unsigned which, unsigned value)
{
  unsigned changed;
  __asm__ volatile ("{ .reg .pred %%have, %%other; .reg .u32 %%lane, %%word, %%was; .reg .u64 %%where;\n\t"
		    "mov.u32 %%lane, %%laneid; shr.u32 %%word, %2, %%lane; and.b32 %%word, %%word, 1;\n\t"
		    "setp.ne.u32 %%have, %%word, 0;\n\t"
		    "setp.eq.u32 %%other, %%lane, %3; selp.u32 %%was, %4, 0, %%other; mov.u32 %%word, %%was;\n\t"
		    "cvta.to.shared.u64 %%where, %1;\n\t"
		    "mad.wide.u32 %%where, %%lane, 4, %%where;\n"
		    "$await_change%=:\n\t"
		    "@%%have ld.volatile.shared.u32 %%word, [%%where];\n\t"
		    "setp.ne.u32 %%other, %%word, %%was;\n\t"
		    "vote.sync.ballot.b32 %0, %%other, 0xffffffff;\n\t"
		    "setp.eq.u32 %%other, %0, 0;\n\t"
		    "@%%other bra.uni $await_change%=; }"
		    : "=r" (changed) : "r" (address), "r" (mask), "r" (which), "r" (value) : "memory");
  return changed;
}

/* A turn of a loop that waits.  */
static inline void
machine_pause (unsigned turn)
{
  (void) turn;
}

/* Kernels' entries can bring and take data.  */
#define MACHINE_CARRIES 1

/* The lanes of the warp wait for each other, and see what they have stored.  */
static inline void
machine_warp_barrier (void)
{
  __asm__ volatile ("bar.warp.sync 0xffffffff;" : : : "memory");
}

/* Store the first SIZE bytes (a multiple of 4) of what the lanes have, 16 each in two words, at TO in global
   memory.  */
static inline void
machine_scatter (uint64_t to, unsigned size, uint64_t low, uint64_t high)
{
  __asm__ volatile ("{ .reg .pred %%some; .reg .u32 %%at, %%part<4>; .reg .u64 %%where;\n\t"
		    "mov.u32 %%at, %%laneid; mul.wide.u32 %%where, %%at, 16; shl.b32 %%at, %%at, 4;\n\t"
		    "add.u64 %%where, %%where, %0;\n\t"
		    "mov.b64 {%%part0, %%part1}, %2; mov.b64 {%%part2, %%part3}, %3;\n\t"
		    "setp.lt.u32 %%some, %%at, %1; @%%some st.global.u32 [%%where], %%part0;\n\t"
		    "add.u32 %%at, %%at, 4; setp.lt.u32 %%some, %%at, %1; @%%some st.global.u32 [%%where+4], %%part1;\n\t"
		    "add.u32 %%at, %%at, 4; setp.lt.u32 %%some, %%at, %1; @%%some st.global.u32 [%%where+8], %%part2;\n\t"
		    "add.u32 %%at, %%at, 4; setp.lt.u32 %%some, %%at, %1; @%%some st.global.u32 [%%where+12], %%part3;\n\t"
		    "bar.warp.sync 0xffffffff; }"
		    : : "r" (to), "r" (size), "r" (low), "r" (high) : "memory");
}

/* Copy SIZE bytes, a multiple of 4, in global memory; the lanes take words in turn.  */
static inline void
machine_copy_lanes (uint64_t to, uint64_t from, unsigned size)
{
  __asm__ volatile ("{ .reg .pred %%some; .reg .u32 %%row, %%at, %%word; .reg .u64 %%source, %%target, %%offset;\n\t"
		    "mov.u32 %%row, 0;\n"
		    "$copy_row%=:\n\t"
		    "mov.u32 %%at, %%laneid; shl.b32 %%at, %%at, 2; add.u32 %%at, %%at, %%row;\n\t"
		    "setp.lt.u32 %%some, %%at, %2; cvt.u64.u32 %%offset, %%at;\n\t"
		    "add.u64 %%source, %1, %%offset; add.u64 %%target, %0, %%offset;\n\t"
		    "@%%some ld.volatile.global.u32 %%word, [%%source];\n\t"
		    "@%%some st.volatile.global.u32 [%%target], %%word;\n\t"
		    "add.u32 %%row, %%row, 128; setp.lt.u32 %%some, %%row, %2; @%%some bra.uni $copy_row%=; }"
		    : : "r" (to), "r" (from), "r" (size) : "memory");
}

/* Let about so many cycles of the processor pass; 0: none.  */
static inline void
machine_delay (unsigned cycles)
{
  unsigned start, now;
  __asm__ volatile ("mov.u32 %0, %%clock;" : "=r" (start));
  do
    __asm__ volatile ("mov.u32 %0, %%clock;" : "=r" (now));
  while (now - start < cycles);
}

/* The part of the shared memory whose size the launch says, at a multiple of 16 bytes; *SIZE may be 0.  */
static inline void *
machine_pool (unsigned *size)
{
  void *address;
  __asm__ ("mov.u32 %0, %%dynamic_smem_size;" : "=r" (*size));
  __asm__ ("cvta.shared.u64 %0, gompx_pool;" : "=r" (address));
  return address;
}

/* The driver's printf: a format, and the arguments one after the other.  The compiler has one lane call
   it, because it knows the name.  */
extern int machine_vprintf (const char *, const void *) __asm__ ("vprintf");

/* A message, all in one; it comes out on the host's standard output at the latest when the kernel ends.  */
static inline void
machine_print (const char *text)
{
  struct { const char *text; } arguments = { text };
  machine_vprintf ("%s", &arguments);
}

#pragma omp end declare target

#endif /* GOMPX_MACHINE_H */
