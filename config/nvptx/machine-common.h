/* machine-common.h -- the part of machine.h that is the same whether a thread of OpenMP is a warp (machine.h) or a
   lane (lanes/machine.h), which include this.  */

#ifndef GOMPX_MACHINE_COMMON_H
#define GOMPX_MACHINE_COMMON_H 1

/* The window of a doacross loop is in shared memory: threads look there all the time, and what they look at in global
   memory is in the L2 cache.  */
#define MACHINE_NEAR_DOACROSS 1

#pragma omp declare target

/* This block, the blocks.  */
static inline unsigned
machine_block (void)
{
  unsigned value;
  __asm__ ("mov.u32 %0, %%ctaid.x;" : "=r" (value));
  return value;
}

static inline unsigned
machine_blocks (void)
{
  unsigned value;
  __asm__ ("mov.u32 %0, %%nctaid.x;" : "=r" (value));
  return value;
}

/* The block's shared memory, as a generic address.  */
static inline void *
machine_shared (void)
{
  void *address;
  __asm__ ("cvta.shared.u64 %0, gompx_block;" : "=r" (address));
  return address;
}

/* The word at OFFSET of shared memory.  */
#define machine_shared32(OFFSET)						\
  ({										\
    unsigned shared32_;								\
    __asm__ volatile ("ld.shared.u32 %0, [gompx_block+%1];"			\
		      : "=r" (shared32_) : "n" (OFFSET) : "memory");		\
    shared32_;									\
  })

/* Order memory accesses of this thread as the block, the device, everybody sees them.  */
static inline void
machine_fence_block (void)
{
  __asm__ volatile ("membar.cta;" : : : "memory");
}

static inline void
machine_fence_device (void)
{
  __asm__ volatile ("membar.gl;" : : : "memory");
}

static inline void
machine_fence_system (void)
{
  __asm__ volatile ("membar.sys;" : : : "memory");
}

/* Loads that are really made, in loops that wait for others.  */
static inline unsigned
machine_load32 (const unsigned *address)
{
  unsigned value;
  __asm__ volatile ("ld.volatile.u32 %0, [%1];" : "=r" (value) : "r" (address) : "memory");
  return value;
}

static inline unsigned long long
machine_load64 (const unsigned long long *address)
{
  unsigned long long value;
  __asm__ volatile ("ld.volatile.u64 %0, [%1];" : "=r" (value) : "r" (address) : "memory");
  return value;
}

/* Stores that are really made, and at once; by all lanes, which is harmless.  */
static inline void
machine_store32 (unsigned *address, unsigned value)
{
  __asm__ volatile ("st.volatile.u32 [%0], %1;" : : "r" (address), "r" (value) : "memory");
}

static inline void
machine_store64 (unsigned long long *address, unsigned long long value)
{
  __asm__ volatile ("st.volatile.u64 [%0], %1;" : : "r" (address), "r" (value) : "memory");
}

/* Change a word of any memory, in an order of __ATOMIC_*.  */
#define machine_atomic_add(ADDRESS, VALUE, ORDER) ((void) __atomic_fetch_add (ADDRESS, VALUE, ORDER))
#define machine_atomic_or(ADDRESS, VALUE, ORDER) ((void) __atomic_fetch_or (ADDRESS, VALUE, ORDER))

/* Put VALUE into a word of any memory; the old one.  Relaxed.  */
static inline unsigned
machine_exchange32 (unsigned *address, unsigned value)
{
  return __atomic_exchange_n (address, value, __ATOMIC_RELAXED);
}

/* The order of an atomic access to memory that another thread may use for something else as soon as it
   sees the result, and what that thread does before it writes there.  Nothing: the accesses of a word keep
   their order.  ThreadSanitizer wants to be told, see the host's machine.h.  */
#define MACHINE_LEAVE __ATOMIC_RELAXED

static inline void
machine_left (const unsigned *address)
{
  (void) address;
}

/* At the begin of a loop's body: the loop is rare, and the driver's compiler need not unroll it.  */
static inline void
machine_rare_loop (void)
{
  asm volatile (".pragma \"nounroll\";");
}

/* Nanoseconds of a clock that all blocks share.  */
static inline unsigned long long
machine_clock (void)
{
  unsigned long long value;
  __asm__ volatile ("mov.u64 %0, %%globaltimer;" : "=r" (value));
  return value;
}

/* The program cannot go on, and has said why.  */
static inline void __attribute__ ((noreturn))
machine_end_program (void)
{
  __builtin_trap ();
}

#pragma omp end declare target

#endif /* GOMPX_MACHINE_COMMON_H */
