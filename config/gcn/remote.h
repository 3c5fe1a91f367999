/* remote.h -- what calls of the host (config/accel/reverse.c) need to know of an AMD GPU.

   The model is config/nvptx/remote.h.  Code of the runtime is scalar here, so a thread has one lane, as far as it is
   concerned; words of a request that come from one place are copied by all (REMOTE_PUT).  Single loads and stores of 64 bits are atomic, and reach memory of the
   host past the caches.  */

#ifndef GOMPX_REMOTE_H
#define GOMPX_REMOTE_H 1

#include <stdbool.h>
#include <stdint.h>

#include "machine.h"

#define REMOTE_ALONE(lanes) 0
#define REMOTE_INLINE static inline __attribute__ ((always_inline))
/* GCC's plugin is called through the ring of messages (ring.h).  */
#define REMOTE_RING 1
/* Compilers that know reverse offload: usual calls are made in assembly (reverse-text.c).  */
#if MACHINE_ABI == 3
# define REMOTE_TEXT 1
#endif

#pragma omp declare target

REMOTE_INLINE unsigned
remote_lane (unsigned *lanes)
{
  *lanes = 1;
  return 0;
}

/* Where the caller is, to spread callers over slots.  */
REMOTE_INLINE unsigned
remote_place (void)
{
  return machine_block () + machine_thread () * 67;
}

REMOTE_INLINE void
remote_store (uint64_t *address, uint64_t value)
{
  /* relaxed: as all of these; tags and fences order.  */
  __atomic_store_n (address, value, __ATOMIC_RELAXED);
}

/* WORDS words at FROM become tagged words at TO, a word for each lane.  */
#define REMOTE_PUT 1
#define REMOTE_PUT_LANES(LOAD, BYTES, TO, FROM, LANES, NUMBER)			\
  do										\
    {										\
      uint64_t exec_, carry_;							\
      __asm__ volatile ("s_mov_b64 %0, exec\n\t"				\
			"s_bfm_b64 exec, %4, 0\n\t"				\
			"v_mad_u64_u32 v[4:5], %1, v1, " BYTES ", %3\n\t"	\
			"v_mad_u64_u32 v[6:7], %1, v1, 8, %2\n\t"		\
			LOAD " v8, v[4:5]\n\t"					\
			"v_mov_b32 v9, %5\n\t"					\
			"s_waitcnt 0\n\t"					\
			".if .amdgcn.gfx_generation_number == 9 && .amdgcn.gfx_generation_minor == 4\n\t" \
			"flat_store_dwordx2 v[6:7], v[8:9] sc0 sc1\n\t"	\
			".else\n\t"						\
			"flat_store_dwordx2 v[6:7], v[8:9]\n\t"		\
			".endif\n\t"						\
			"s_waitcnt 0\n\t"					\
			"s_mov_b64 exec, %0"					\
			: "=&Sg" (exec_), "=&Sg" (carry_)			\
			: "Sg" (TO), "Sg" (FROM), "Sg" (LANES), "Sg" (NUMBER)	\
			: "memory", "v4", "v5", "v6", "v7", "v8", "v9");	\
    }										\
  while (0)

REMOTE_INLINE void
remote_put (uint64_t *to, const void *from, unsigned words, uint32_t number)
{
  for (unsigned done = 0; done < words; done += 32)
    REMOTE_PUT_LANES ("flat_load_dword", "4", to + done, (const uint32_t *) from + done,
		      words - done < 32 ? words - done : 32, number);
}

/* The same of halfwords.  */
REMOTE_INLINE void
remote_put_halves (uint64_t *to, const uint16_t *from, unsigned halves, uint32_t number)
{
  for (unsigned done = 0; done < halves; done += 32)
    REMOTE_PUT_LANES ("flat_load_ushort", "2", to + done, from + done, halves - done < 32 ? halves - done : 32, number);
}

REMOTE_INLINE uint64_t
remote_load (const uint64_t *address)
{
  return __atomic_load_n (address, __ATOMIC_RELAXED);
}

REMOTE_INLINE void
remote_store_once (uint64_t *address, uint64_t value, unsigned lane)
{
  (void) lane;
  remote_store (address, value);
}

REMOTE_INLINE void
remote_ring (uint8_t *bell, uint32_t number, unsigned lane)
{
  (void) lane;
  *(volatile uint8_t *) bell = (uint8_t) number;
}

REMOTE_INLINE void
remote_store32 (uint32_t *address, uint32_t value, unsigned lane)
{
  (void) lane;
  __atomic_store_n (address, value, __ATOMIC_RELAXED);
}

REMOTE_INLINE uint32_t
remote_load32 (const uint32_t *address)
{
  return __atomic_load_n (address, __ATOMIC_RELAXED);
}

REMOTE_INLINE uint32_t
remote_exchange (uint32_t *address, uint32_t value, unsigned lane)
{
  (void) lane;
  return __atomic_exchange_n (address, value, __ATOMIC_RELAXED);
}

REMOTE_INLINE bool
remote_all (unsigned lanes, bool ok)
{
  (void) lanes;
  return ok;
}

REMOTE_INLINE uint32_t
remote_from_lane (unsigned lanes, uint32_t value, unsigned from)
{
  (void) lanes;
  (void) from;
  return value;
}

REMOTE_INLINE void
remote_join (unsigned lanes)
{
  (void) lanes;
}

REMOTE_INLINE void
remote_fence (void)
{
  machine_fence_system ();
}

/* Units of 64 cycles, for accel_call_await.  */
enum { REMOTE_EARLIER = 1, REMOTE_LATER = 4, REMOTE_LONGEST = 96 };

REMOTE_INLINE void
remote_spin (unsigned units)
{
  for (; units > 0; units--)
    __asm__ volatile ("s_sleep 1");
}

REMOTE_INLINE void remote_pause (unsigned turn);

/* WORDS tagged words at FROM, which come in their time, go to TO.  */
REMOTE_INLINE void
remote_take (void *to, const uint64_t *from, unsigned words, uint32_t number)
{
  for (unsigned done = 0; done < words; done += 32)
    {
      unsigned lanes = words - done < 32 ? words - done : 32;
      for (unsigned turn = 0;; remote_pause (turn++))
	{
	  uint64_t exec, missing;
	  __asm__ volatile ("s_mov_b64 %0, exec\n\t"
			    "s_bfm_b64 exec, %4, 0\n\t"
			    "v_mad_u64_u32 v[4:5], %1, v1, 8, %3\n\t"
			    "v_mad_u64_u32 v[6:7], %1, v1, 4, %2\n\t"
			    ".if .amdgcn.gfx_generation_number == 9 && .amdgcn.gfx_generation_minor == 4\n\t"
			    "flat_load_dwordx2 v[8:9], v[4:5] sc0 sc1\n\t"
			    ".else\n\t"
			    "flat_load_dwordx2 v[8:9], v[4:5] glc\n\t"
			    ".endif\n\t"
			    "s_waitcnt 0\n\t"
			    "v_cmp_ne_u32_e64 %1, %5, v9\n\t"
			    "s_andn2_b64 exec, exec, %1\n\t"
			    "flat_store_dword v[6:7], v8\n\t"
			    "s_waitcnt 0\n\t"
			    "s_mov_b64 exec, %0"
			    : "=&Sg" (exec), "=&Sg" (missing)
			    : "Sg" ((uint32_t *) to + done), "Sg" (from + done), "Sg" (lanes), "Sg" (number)
			    : "memory", "v4", "v5", "v6", "v7", "v8", "v9");
	  if (missing == 0)
	    break;
	}
    }
}

/* Turn TURN of a loop that waits for the host.  */
REMOTE_INLINE void
remote_pause (unsigned turn)
{
  if (turn < 64)
    __asm__ volatile ("s_sleep 1");
  else
    __asm__ volatile ("s_sleep 32");
  if (turn % 64 == 63)
    machine_look_for_exit ();
}

REMOTE_INLINE void
remote_trap (void)
{
  machine_end_program ();
}

#pragma omp end declare target

#endif /* GOMPX_REMOTE_H */
