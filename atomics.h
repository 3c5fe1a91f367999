/* atomics.h -- atomic operations with the memory order in their names.

   Everything that threads share without a lock goes through these.  Each use says in one
   line what the order is for.  Fields of that kind start with x in their structs.  */

#ifndef GOMP_ATOMICS_H
#define GOMP_ATOMICS_H 1

#include <stdatomic.h>
#include <stdbool.h>

#define gomp_load_relaxed(p) atomic_load_explicit (p, memory_order_relaxed)
#define gomp_load_acquire(p) atomic_load_explicit (p, memory_order_acquire)
#define gomp_store_relaxed(p, v) atomic_store_explicit (p, v, memory_order_relaxed)
#define gomp_store_release(p, v) atomic_store_explicit (p, v, memory_order_release)
#define gomp_add_relaxed(p, v) atomic_fetch_add_explicit (p, v, memory_order_relaxed)
#define gomp_add_acq_rel(p, v) atomic_fetch_add_explicit (p, v, memory_order_acq_rel)
#define gomp_sub_acq_rel(p, v) atomic_fetch_sub_explicit (p, v, memory_order_acq_rel)
#define gomp_or_acq_rel(p, v) atomic_fetch_or_explicit (p, v, memory_order_acq_rel)
#define gomp_and_acq_rel(p, v) atomic_fetch_and_explicit (p, v, memory_order_acq_rel)
#define gomp_swap_acquire(p, v) atomic_exchange_explicit (p, v, memory_order_acquire)
#define gomp_swap_release(p, v) atomic_exchange_explicit (p, v, memory_order_release)
#define gomp_swap_acq_rel(p, v) atomic_exchange_explicit (p, v, memory_order_acq_rel)
/* Sequentially consistent: one total order of all of these, for two threads that each write
   their own word and then read the other's.  */
#define gomp_load_seq_cst(p) atomic_load_explicit (p, memory_order_seq_cst)
#define gomp_store_seq_cst(p, v) atomic_store_explicit (p, v, memory_order_seq_cst)
/* Compare and swap; *EXPECTED gets the value seen when it fails.  The weak form may fail
   for no reason and belongs into a loop.  */
#define gomp_cas_acquire(p, expected, v)				\
  atomic_compare_exchange_strong_explicit (p, expected, v,		\
					   memory_order_acquire, memory_order_relaxed)
#define gomp_cas_acq_rel(p, expected, v)				\
  atomic_compare_exchange_strong_explicit (p, expected, v,		\
					   memory_order_acq_rel, memory_order_acquire)
#define gomp_cas_weak_release(p, expected, v)				\
  atomic_compare_exchange_weak_explicit (p, expected, v,		\
					 memory_order_release, memory_order_relaxed)
#define gomp_cas_weak_relaxed(p, expected, v)				\
  atomic_compare_exchange_weak_explicit (p, expected, v,		\
					 memory_order_relaxed, memory_order_relaxed)

/* Tell the processor that this is a spin loop.  */
static inline void
gomp_cpu_relax (void)
{
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause ();
#elif defined __aarch64__
  __asm__ volatile ("isb" ::: "memory");
#else
  __asm__ volatile ("" ::: "memory");
#endif
}

/* Two fields that different threads write often are this far apart (the adjacent-line
   prefetcher of x86 moves pairs of 64-byte lines).  */
#define GOMP_CACHE_LINE 64
#define GOMP_NO_SHARING _Alignas (2 * GOMP_CACHE_LINE)

/* Ask for a line of memory that the calling thread is about to write.  What the compiler makes of
   this without knowing the processor gets a line to read, and then waits again to write it.  Every
   64-bit processor takes this instruction, even if it does nothing.  */
static inline void
gomp_prefetch_write (const void *line)
{
#if defined __x86_64__
  __asm__ volatile ("prefetchw %0" : : "m" (*(const char *) line));
#else
  __builtin_prefetch (line, 1);
#endif
}

#endif /* GOMP_ATOMICS_H */
