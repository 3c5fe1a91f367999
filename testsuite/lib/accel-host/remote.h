/* remote.h -- the host as a device that calls the host: see config/nvptx/remote.h.

   A thread has one lane.  Words of a slot are accessed like those of any shared memory; accesses to
   them are atomic and order nothing, as across a bus.  */

#ifndef GOMPX_REMOTE_H
#define GOMPX_REMOTE_H 1

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define REMOTE_ALONE(lanes) 0
#define REMOTE_INLINE static inline __attribute__ ((always_inline))

REMOTE_INLINE unsigned
remote_lane (unsigned *lanes)
{
  *lanes = 1;
  return 0;
}

REMOTE_INLINE unsigned
remote_place (void)
{
  /* Stacks are that far apart at least; many threads begin at the same slot, and meet there.  */
  return (unsigned) ((uintptr_t) pthread_self () >> 20);
}

REMOTE_INLINE void
remote_store (uint64_t *address, uint64_t value)
{
  __atomic_store_n (address, value, __ATOMIC_RELAXED);
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
  __atomic_store_n (bell, (uint8_t) number, __ATOMIC_RELAXED);
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

/* There is no bus.  */
enum { REMOTE_EARLIER = 1, REMOTE_LATER = 3, REMOTE_LONGEST = 30 };

REMOTE_INLINE void
remote_spin (unsigned cycles)
{
  (void) cycles;
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

#ifdef __SANITIZE_THREAD__
/* Stands for fences, of which ThreadSanitizer knows nothing: machine.h tells how.  */
__attribute__ ((weak)) unsigned remote_fences;
#endif

REMOTE_INLINE void
remote_fence (void)
{
#ifdef __SANITIZE_THREAD__
  /* acq_rel: every fence synchronises with the next ones.  */
  __atomic_fetch_add (&remote_fences, 1, __ATOMIC_ACQ_REL);
#else
  __atomic_thread_fence (__ATOMIC_SEQ_CST);
#endif
}

REMOTE_INLINE void
remote_pause (unsigned turn)
{
  if (turn % 64 == 63)
    sched_yield ();
}

REMOTE_INLINE void
remote_trap (void)
{
  abort ();
}

#endif /* GOMPX_REMOTE_H */
