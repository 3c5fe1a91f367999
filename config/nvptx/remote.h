/* remote.h -- what calls of the host (config/accel/reverse.c) need to know of an NVIDIA GPU.

   The host has a form of its own for tests (testsuite/lib/accel-host/remote.h), with the same names.

   In uniform code the 32 lanes of a warp do everything together, and here they share the work: each
   handles the words whose number is its own, modulo the lanes.  In simd code a lane is on its own, and
   others may not even be there: one lane of one.  Values that differ between lanes live in
   registers only, never in variables whose address is taken.

   The portable forms: st.volatile and ld.volatile are single accesses of 64 bits that are made when
   and as often as written, which is what tagged words need (slots-proto.h); ld.acquire.sys and
   st.release.sys would need sm_70, and order more than is wanted.  */

#ifndef GOMPX_REMOTE_H
#define GOMPX_REMOTE_H 1

#include <stdbool.h>
#include <stdint.h>

#define REMOTE_PRINTS 1		/* print.c */
#define REMOTE_ROWS 1		/* a lane for each item, where it can be */
#define REMOTE_APART static __attribute__ ((noinline))
#define REMOTE_ALONE(lanes) ((lanes) == 1)	/* simd code */
#define REMOTE_INLINE static inline __attribute__ ((always_inline))

#pragma omp declare target

/* The number of the calling lane among *LANES that are here together, 32 or 1.  The compiler declares
   __nvptx_uni where it compiles an __atomic builtin: whoever uses this uses one, too.  */
REMOTE_INLINE unsigned
remote_lane (unsigned *lanes)
{
  unsigned lane, simd;
  __asm__ volatile ("{\n\t"
		    ".reg .u32 %%y;\n\t"
		    ".reg .u64 %%a;\n\t"
		    "mov.u32 %0, %%laneid;\n\t"
		    "mov.u32 %%y, %%tid.y;\n\t"
		    "mov.u64 %%a, __nvptx_uni;\n\t"
		    "mad.wide.u32 %%a, %%y, 4, %%a;\n\t"
		    "ld.shared.u32 %1, [%%a];\n\t"
		    "}" : "=r" (lane), "=r" (simd));
  *lanes = simd == 0 ? 32 : 1;
  return simd == 0 ? lane : 0;
}

/* Where the caller is, to spread callers over slots.  */
REMOTE_INLINE unsigned
remote_place (void)
{
  unsigned block, warp;
  __asm__ ("mov.u32 %0, %%ctaid.x;" : "=r" (block));
  __asm__ ("mov.u32 %0, %%tid.y;" : "=r" (warp));
  return block + warp * 67;
}

REMOTE_INLINE void
remote_store (uint64_t *address, uint64_t value)
{
  __asm__ volatile ("st.volatile.u64 [%0], %1;" : : "r" (address), "r" (value) : "memory");
}

/* Two of them, in one access, at a multiple of 16.  */
REMOTE_INLINE void
remote_store_two (uint64_t *address, uint64_t first, uint64_t second)
{
  __asm__ volatile ("st.volatile.v2.u64 [%0], {%1, %2};" : : "r" (address), "r" (first), "r" (second) : "memory");
}

REMOTE_INLINE uint64_t
remote_load (const uint64_t *address)
{
  uint64_t value;
  __asm__ volatile ("ld.volatile.u64 %0, [%1];" : "=r" (value) : "r" (address) : "memory");
  return value;
}

/* By lane 0 alone.  */
REMOTE_INLINE void
remote_store_once (uint64_t *address, uint64_t value, unsigned lane)
{
  __asm__ volatile ("{\n\t"
		    ".reg .pred %%p;\n\t"
		    "setp.eq.u32 %%p, %2, 0;\n\t"
		    "@%%p st.volatile.u64 [%0], %1;\n\t"
		    "}" : : "r" (address), "r" (value), "r" (lane) : "memory");
}

REMOTE_INLINE void
remote_ring (uint8_t *bell, uint32_t number, unsigned lane)
{
  __asm__ volatile ("{\n\t"
		    ".reg .pred %%p;\n\t"
		    "setp.eq.u32 %%p, %2, 0;\n\t"
		    "@%%p st.volatile.u8 [%0], %1;\n\t"
		    "}" : : "r" (bell), "r" (number), "r" (lane) : "memory");
}

REMOTE_INLINE void
remote_store32 (uint32_t *address, uint32_t value, unsigned lane)
{
  __asm__ volatile ("{\n\t"
		    ".reg .pred %%p;\n\t"
		    "setp.eq.u32 %%p, %2, 0;\n\t"
		    "@%%p st.volatile.u32 [%0], %1;\n\t"
		    "}" : : "r" (address), "r" (value), "r" (lane) : "memory");
}

/* Is OK true in all lanes that are here?  */
REMOTE_INLINE bool
remote_all (unsigned lanes, bool ok)
{
  unsigned all = ok;
  if (lanes == 32)
    __asm__ volatile ("{\n\t"
		      ".reg .pred %%p, %%q;\n\t"
		      "setp.ne.u32 %%p, %1, 0;\n\t"
		      "vote.sync.all.pred %%q, %%p, 0xffffffff;\n\t"
		      "selp.u32 %0, 1, 0, %%q;\n\t"
		      "}" : "=r" (all) : "r" ((unsigned) ok) : "memory");
  return all != 0;
}

/* What VALUE is in the lane FROM.  */
REMOTE_INLINE uint32_t
remote_from_lane (unsigned lanes, uint32_t value, unsigned from)
{
  if (lanes == 32)
    __asm__ volatile ("shfl.sync.idx.b32 %0, %0, %1, 31, 0xffffffff;"
		      : "+r" (value) : "r" (from));
  return value;
}

/* What each lane has written before is there for all that are here.  */
REMOTE_INLINE void
remote_join (unsigned lanes)
{
  if (lanes == 32)
    __asm__ volatile ("bar.warp.sync 0xffffffff;" : : : "memory");
}

/* What was read and written before comes before what is read and written afterwards, also as the host
   sees it, and nothing that is read afterwards was cached before.  */
REMOTE_INLINE void
remote_fence (void)
{
  __asm__ volatile ("membar.sys;" : : : "memory");
}

REMOTE_INLINE uint32_t
remote_load32 (const uint32_t *address)
{
  uint32_t value;
  __asm__ volatile ("ld.volatile.u32 %0, [%1];" : "=r" (value) : "r" (address) : "memory");
  return value;
}

/* By lane 0 alone, which gets what was there; others get anything.  */
REMOTE_INLINE uint32_t
remote_exchange (uint32_t *address, uint32_t value, unsigned lane)
{
  uint32_t old;
  __asm__ volatile ("{\n\t"
		    ".reg .pred %%p;\n\t"
		    "setp.eq.u32 %%p, %3, 0;\n\t"
		    "mov.u32 %0, 0;\n\t"
		    "@%%p atom.exch.b32 %0, [%1], %2;\n\t"
		    "}" : "=&r" (old) : "r" (address), "r" (value), "r" (lane) : "memory");
  return old;
}

/* Cycles of a multiprocessor, for accel_call_await; a round trip across the bus takes 2500.  */
enum { REMOTE_EARLIER = 16, REMOTE_LATER = 224, REMOTE_LONGEST = 6000 };

REMOTE_INLINE void
remote_spin (unsigned cycles)
{
  unsigned start, now;
  __asm__ volatile ("mov.u32 %0, %%clock;" : "=r" (start) : : "memory");
  do
    __asm__ volatile ("mov.u32 %0, %%clock;" : "=r" (now) : : "memory");
  while (now - start < cycles);
}

/* Turn TURN of a loop that waits for the host.  A load across the bus takes longer than a pause by which
   one caller would gain; but thousands of warps that wait for a long time must not keep the bus busy.  */
REMOTE_INLINE void
remote_pause (unsigned turn)
{
  if (turn >= 16)
    remote_spin (turn < 1024 ? turn * 4 : 4096);
}

REMOTE_INLINE void
remote_trap (void)
{
  __asm__ volatile ("trap;");
}

#pragma omp end declare target

#endif /* GOMPX_REMOTE_H */
