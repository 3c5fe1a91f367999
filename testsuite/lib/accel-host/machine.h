/* machine.h -- the host as a device: what config/accel needs to know of it.

   Same names and meanings as config/nvptx/machine.h.  The device is one block in the process: a thread
   of the block is a pthread with one lane, shared memory is a variable, and a hardware barrier counts
   threads under a mutex (host.c).  Nothing here is fast; all of it is checked: a thread that does
   not belong to the block, or barriers that do not agree on their count, end the process.

   Orders: as on the device, atomic accesses are relaxed and fences order them.  ThreadSanitizer
   knows no fences; there a fence is a read-modify-write of one common variable, by which the
   second of two fences sees what came before the first.  So it finds a missing fence.  */

#ifndef GOMPX_MACHINE_H
#define GOMPX_MACHINE_H 1

#include <stdbool.h>

#include <time.h>

#define ACCEL_MAX_THREADS 32u
#define MACHINE_NEAR_DOACROSS 1
#define MACHINE_LANES 1u

/* In host.c.  Written before the threads start.  */
extern __thread unsigned host_thread;	/* HOST_NO_THREAD: not of the block */
extern unsigned host_threads;
extern void *const host_shared;
extern unsigned host_fences;	/* atomic; only its order counts */
#define HOST_NO_THREAD (~0u)

extern void host_barrier (unsigned, unsigned);
extern void host_pause (unsigned);
extern void *host_pool (unsigned *);
extern void host_print (const char *);
extern void host_end_program (void) __attribute__ ((noreturn));
extern void host_no_thread (void) __attribute__ ((noreturn));

static inline unsigned
machine_thread (void)
{
  if (__builtin_expect (host_thread == HOST_NO_THREAD, 0))
    host_no_thread ();
  return host_thread;
}

static inline unsigned
machine_threads (void)
{
  return host_threads;
}

static inline unsigned
machine_block (void)
{
  return 0;
}

static inline unsigned
machine_blocks (void)
{
  return 1;
}

static inline void *
machine_shared (void)
{
  return host_shared;
}

#define machine_own32(STRIDE, OFFSET)						\
  (*(unsigned *) ((char *) host_shared + machine_thread () * (STRIDE) + (OFFSET)))
#define machine_shared32(OFFSET) (*(unsigned *) ((char *) host_shared + (OFFSET)))

static inline void
machine_barrier (unsigned id, unsigned count)
{
  host_barrier (id, count);
}

/* Thread 0 has a launch for the others, number TURN of them modulo 2; they wait for that of theirs, which
   machine_next_turn counts.  IDLE: the region before was one without the calling thread.  */
static inline void
machine_launch (unsigned turn)
{
  (void) turn;
  machine_barrier (0, machine_threads ());
}

static inline void
machine_await_launch (unsigned turn, bool idle)
{
  (void) turn;
  (void) idle;
  machine_barrier (0, machine_threads ());
}

static inline unsigned
machine_next_turn (unsigned turn)
{
  return turn ^ 1;
}

/* What machine_barrier is to be told of a team of COUNT threads.  */
static inline unsigned
machine_barrier_count (unsigned count)
{
  return count;
}

static inline void
machine_fence_block (void)
{
#ifdef __SANITIZE_THREAD__
  /* acq_rel: every fence synchronises with the next ones, see above.  */
  __atomic_fetch_add (&host_fences, 1, __ATOMIC_ACQ_REL);
#else
  __atomic_thread_fence (__ATOMIC_SEQ_CST);
#endif
}

static inline void
machine_fence_device (void)
{
  machine_fence_block ();
}

static inline void
machine_fence_system (void)
{
  machine_fence_block ();
}

static inline unsigned
machine_load32 (const unsigned *address)
{
  /* relaxed: as ld.volatile.  */
  return __atomic_load_n (address, __ATOMIC_RELAXED);
}

static inline unsigned long long
machine_load64 (const unsigned long long *address)
{
  return __atomic_load_n (address, __ATOMIC_RELAXED);
}

static inline void
machine_store32 (unsigned *address, unsigned value)
{
  /* relaxed: as st.volatile.  */
  __atomic_store_n (address, value, __ATOMIC_RELAXED);
}

static inline void
machine_store64 (unsigned long long *address, unsigned long long value)
{
  __atomic_store_n (address, value, __ATOMIC_RELAXED);
}

/* Change a word of any memory, in an order of __ATOMIC_*.  */
#define machine_atomic_add(ADDRESS, VALUE, ORDER) ((void) __atomic_fetch_add (ADDRESS, VALUE, ORDER))
#define machine_atomic_or(ADDRESS, VALUE, ORDER) ((void) __atomic_fetch_or (ADDRESS, VALUE, ORDER))

/* The same, relaxed, and the old value.  */
static inline unsigned
machine_fetch_and32 (unsigned *address, unsigned value)
{
  /* relaxed: as on the device.  */
  return __atomic_fetch_and (address, value, __ATOMIC_RELAXED);
}

/* Put VALUE into a word of any memory; the old one.  Relaxed.  */
static inline unsigned
machine_exchange32 (unsigned *address, unsigned value)
{
  /* relaxed, as on the device; so are the next three.  */
  return __atomic_exchange_n (address, value, __ATOMIC_RELAXED);
}

static inline unsigned
machine_shared_add32 (unsigned *address, unsigned value)
{
  return __atomic_fetch_add (address, value, __ATOMIC_RELAXED);
}

static inline unsigned
machine_shared_cas32 (unsigned *address, unsigned expected, unsigned desired)
{
  __atomic_compare_exchange_n (address, &expected, desired, false, __ATOMIC_RELAXED,
			       __ATOMIC_RELAXED);
  return expected;
}

static inline unsigned long long
machine_shared_cas64 (unsigned long long *address, unsigned long long expected,
		      unsigned long long desired)
{
  __atomic_compare_exchange_n (address, &expected, desired, false, __ATOMIC_RELAXED,
			       __ATOMIC_RELAXED);
  return expected;
}

static inline unsigned
machine_processor (void)
{
  return 0;
}

static inline unsigned long long
machine_uniform_load64 (const unsigned long long *address)
{
  return machine_load64 (address);
}

static inline void
machine_uniform_store64 (unsigned long long *address, unsigned long long value)
{
  machine_store64 (address, value);
}

static inline unsigned
machine_lane (void)
{
  return 0;
}

/* The thread's accesses before and with it come before all that those threads do who have called
   machine_left after they saw its result.  */
#define MACHINE_LEAVE __ATOMIC_ACQ_REL

static inline void
machine_left (const unsigned *address)
{
  /* acquire: see MACHINE_LEAVE.  */
  (void) __atomic_load_n (address, __ATOMIC_ACQUIRE);
}

static inline unsigned
machine_nonzero_words (const unsigned *address, unsigned count)
{
  unsigned bits = 0;
  for (unsigned i = 0; i < count; i++)
    bits |= (machine_load32 (&address[i]) != 0 ? 1u : 0) << i;
  return bits;
}

/* What a barrier in shared memory is made of, as on NVIDIA GPUs.  */
#define MACHINE_MEETS 1

static inline unsigned
machine_come (unsigned *count, unsigned most)
{
  unsigned old = machine_load32 (count);
  while (!__atomic_compare_exchange_n (count, &old, old == most ? 0 : old + 1, false, __ATOMIC_RELAXED,
				       __ATOMIC_RELAXED))
    continue;
  return old == most;
}

static inline unsigned
machine_await_change (const unsigned *address, unsigned mask, unsigned which, unsigned value)
{
  unsigned changed = 0;
  for (unsigned turn = 0; changed == 0; turn++)
    {
      for (unsigned i = 0; i < 4; i++)
	if (mask >> i & 1)
	  changed |= (machine_load32 (&address[i]) != (i == which ? value : 0) ? 1u : 0) << i;
      if (changed == 0)
	host_pause (turn);
    }
  return changed;
}

static inline void
machine_rare_loop (void)
{
}

static inline void
machine_pause (unsigned turn)
{
  host_pause (turn);
}

/* There may be more threads than processors: let others run.  */
static inline void
machine_delay (unsigned cycles)
{
  host_pause (cycles);
}

static inline unsigned long long
machine_clock (void)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return (unsigned long long) now.tv_sec * 1000000000u + (unsigned long long) now.tv_nsec;
}

static inline void *
machine_pool (unsigned *size)
{
  return host_pool (size);
}

static inline void
machine_print (const char *text)
{
  host_print (text);
}

static inline void __attribute__ ((noreturn))
machine_end_program (void)
{
  host_end_program ();
}

#endif /* GOMPX_MACHINE_H */
