/* alloc.h -- memory allocators on a device (OpenMP 5.2, section 6).

   allocator.c	handles and traits: allocators are made, looked at and destroyed
   alloc.c	blocks: omp_alloc and its relatives, fallbacks
   pool.c	low-latency memory: the part of shared memory whose size the launch says

   Memory is the device's heap or the block's pool.  The pool is memory of one team, so it serves only who
   says that others need not see it: allocators with the access trait cgroup, pteam or thread.  From where:

       predefined cgroup, pteam, thread		pool, else heap
       other predefined ones			heap
       memory space low_lat, access not "all"	pool, else as the fallback trait says
       other traits				heap, else as the fallback trait says

   A handle is the number of a predefined allocator, or

       generation << 48 | address of a struct accel_allocator

   Invariants
   1. Those structures are never given back to the heap, only used again, with the next generation: to
      look at one is always safe, and a handle of a destroyed allocator does not match.
   2. What the blocks of an allocator with a limit take together is in xused and never exceeds the limit.  Who
      destroys an allocator has freed those, or it is not used again.  */

#ifndef GOMPX_ACCEL_ALLOC_H
#define GOMPX_ACCEL_ALLOC_H 1

#include "accel.h"

#pragma omp declare target

/* Predefined allocators and memory spaces.  */
enum
{
  ACCEL_DEFAULT_MEM = 1, ACCEL_CGROUP_MEM = 6, ACCEL_THREAD_MEM = 8,
  ACCEL_PINNED_MEM = 200, ACCEL_MANAGED_MEM = 201,
  ACCEL_LOW_LAT_SPACE = 4, ACCEL_LAST_SPACE = 4, ACCEL_MANAGED_SPACE = 200,
  ACCEL_FIRST_HANDLE = 4096	/* the least that can be an address */
};

/* omp_alloctrait_key_t and omp_alloctrait_value_t.  */
enum
{
  ACCEL_ATK_SYNC_HINT = 1, ACCEL_ATK_ALIGNMENT, ACCEL_ATK_ACCESS, ACCEL_ATK_POOL_SIZE,
  ACCEL_ATK_FALLBACK, ACCEL_ATK_FB_DATA, ACCEL_ATK_PINNED, ACCEL_ATK_PARTITION
};
enum
{
  ACCEL_ATV_FALSE = 0, ACCEL_ATV_TRUE = 1,
  ACCEL_ATV_CONTENDED = 3, ACCEL_ATV_UNCONTENDED, ACCEL_ATV_SERIALIZED, ACCEL_ATV_PRIVATE,
  ACCEL_ATV_ALL, ACCEL_ATV_THREAD, ACCEL_ATV_PTEAM, ACCEL_ATV_CGROUP,
  ACCEL_ATV_DEFAULT_MEM_FB, ACCEL_ATV_NULL_FB, ACCEL_ATV_ABORT_FB, ACCEL_ATV_ALLOCATOR_FB,
  ACCEL_ATV_ENVIRONMENT, ACCEL_ATV_NEAREST, ACCEL_ATV_BLOCKED, ACCEL_ATV_INTERLEAVED
};
#define ACCEL_ATV_DEFAULT ((uintptr_t) -1)

#define ACCEL_NO_LIMIT UINT64_MAX	/* pool_size */

struct accel_allocator
{
  accel_u64 xhandle;		/* 0: it is not used */
  /* Constant while it is.  */
  uint64_t alignment;		/* a power of two */
  accel_u64 limit;		/* pool_size, or ACCEL_NO_LIMIT */
  uintptr_t fb_data;		/* handle */
  unsigned fallback;		/* ACCEL_ATV_*_FB */
  unsigned from_pool;
  accel_u64 xused;		/* bytes that its blocks take, if there is a limit */
  struct accel_allocator *next_free;	/* allocator.c, under its lock */
};

/* Of a handle that is none of a predefined one; the program ends if there is none.  */
struct accel_allocator *accel_allocator (uintptr_t handle);

/* Of a handle that was that of an allocator: it may be another one's now.  */
static inline struct accel_allocator *
accel_allocator_once (uintptr_t handle)
{
  return (struct accel_allocator *) (handle & ((UINT64_C (1) << 48) - 1));
}

/* SIZE bytes, at a multiple of 16 bytes, of the block's pool; NULL: it does not have that many in one
   piece.  */
void *accel_pool_alloc (size_t size);
void accel_pool_free (void *, size_t size);

#pragma omp end declare target

#endif /* GOMPX_ACCEL_ALLOC_H */
