/* allocator.h -- OpenMP memory allocators (OpenMP 5.2 section 6, abi/host section 4.1).

   allocator.c	      handles and traits: allocators are made, found and destroyed
   alloc.c	      blocks: omp_alloc and its relatives, pools, fallbacks
   allocator-space.c  memory that is not the heap: page-locked, managed by a device, spread
		      over NUMA nodes
   alloc-set.c	      addresses that Fortran code has to tell from those of malloc

   A handle is the number of a predefined allocator (1 to 8, 200, 201), or

       generation << HALF | index + GOMP_ALLOCATOR_FIRST

   of a slot in the table of allocators; HALF is half the width of a pointer.  The lower half
   is the allocator's number, which is what a block remembers.

   Invariants
   1. Slots are never freed, only used again, with the next generation: looking at a slot is
      always safe, and a handle of a destroyed allocator finds none.
   2. A slot's traits are written before its handle is stored and constant while it is there.
   3. The sum of what the live blocks of an allocator with a pool are charged for is in xused
      and never exceeds the pool.  A slot with live blocks in its pool is not used again.  */

#ifndef GOMP_ALLOCATOR_H
#define GOMP_ALLOCATOR_H 1

#include "libgomp.h"
#include "host/abi.h"

/* Predefined allocators that differ from the default one, and the memory space that does.  */
#define GOMP_LAST_HEAP_ALLOC 8		/* 1 to 8 are the heap */
#define GOMP_PINNED_MEM_ALLOC 200
#define GOMP_MANAGED_MEM_ALLOC 201
#define GOMP_LAST_MEM_SPACE 4		/* 0 to 4 are ordinary memory */
#define GOMP_MANAGED_MEM_SPACE 200

#define GOMP_ALLOCATOR_FIRST 256	/* the least number that is not predefined */
#define GOMP_MIN_ALIGNMENT 16		/* of every block, as from malloc */
/* Up to this alignment any address of malloc is used and the block put behind it, which is faster
   than asking for an aligned one.  */
#define GOMP_MAX_OFFSET 4096
#define GOMP_NO_POOL SIZE_MAX		/* pool_size: no limit */

/* omp_alloctrait_key_t and omp_alloctrait_value_t.  */
enum
{
  GOMP_ATK_SYNC_HINT = 1, GOMP_ATK_ALIGNMENT, GOMP_ATK_ACCESS, GOMP_ATK_POOL_SIZE,
  GOMP_ATK_FALLBACK, GOMP_ATK_FB_DATA, GOMP_ATK_PINNED, GOMP_ATK_PARTITION
};
enum
{
  GOMP_ATV_FALSE = 0, GOMP_ATV_TRUE = 1,
  GOMP_ATV_CONTENDED = 3, GOMP_ATV_UNCONTENDED, GOMP_ATV_SERIALIZED, GOMP_ATV_PRIVATE,
  GOMP_ATV_ALL, GOMP_ATV_THREAD, GOMP_ATV_PTEAM, GOMP_ATV_CGROUP,
  GOMP_ATV_DEFAULT_MEM_FB, GOMP_ATV_NULL_FB, GOMP_ATV_ABORT_FB, GOMP_ATV_ALLOCATOR_FB,
  GOMP_ATV_ENVIRONMENT, GOMP_ATV_NEAREST, GOMP_ATV_BLOCKED, GOMP_ATV_INTERLEAVED
};
#define GOMP_ATV_DEFAULT ((uintptr_t) -1)

/* What a new allocator is made from.  sync_hint and access promise something about the
   program that this implementation has no use for: any thread may use any allocator.  */
struct gomp_traits
{
  size_t alignment;		/* a power of two, at least GOMP_MIN_ALIGNMENT */
  size_t pool_size;		/* or GOMP_NO_POOL */
  uintptr_t fb_data;		/* handle */
  uint8_t fallback;		/* GOMP_ATV_*_FB */
  uint8_t partition;		/* GOMP_ATV_ENVIRONMENT ... */
  bool pinned;
  bool managed;			/* of GOMP_MANAGED_MEM_SPACE */
};

struct gomp_allocator
{
  /* Its handle while it exists, otherwise 0.  */
  _Atomic (uintptr_t) xhandle;
  struct gomp_traits traits;	/* invariant 2 */
  size_t heap_align;		/* its alignment if that is at most GOMP_MAX_OFFSET and all its memory
				   of malloc, otherwise 0; the same */
  uint32_t heap_bits;		/* what is the same in the headers of such blocks (alloc.c); the same */
  uint32_t number;		/* constant */
  uintptr_t generation;		/* of the last handle; under the table's lock */
  struct gomp_allocator *next_free;	/* under the table's lock */
  /* Bytes in use of the pool; written by every allocation if there is one.  */
  GOMP_NO_SHARING _Atomic (size_t) xused;
};

/* ---- allocator.c ---- */

/* False: there is no such key, or it cannot have this value.  */
bool gomp_trait_set (struct gomp_traits *, unsigned key, uintptr_t value);
/* All defaults, for memory of SPACE; false: there is no such space.  */
bool gomp_traits_init (struct gomp_traits *, uintptr_t space);
/* The handle of a new allocator; 0 when there are too many.  */
uintptr_t gomp_allocator_new (const struct gomp_traits *);
/* The slots of the first numbers, which most programs have enough of: found without a look at the
   table.  */
#define GOMP_ALLOCATORS_FIRST 16	/* a power of two */
extern GOMP_HIDDEN struct gomp_allocator gomp_allocators_first[GOMP_ALLOCATORS_FIRST];
/* Of a handle that is not predefined: NULL when it never existed or was destroyed.  */
struct gomp_allocator *gomp_allocator_find_later (uintptr_t handle);
static inline struct gomp_allocator *
gomp_allocator_find (uintptr_t handle)
{
  uint32_t index = (uint32_t) handle - GOMP_ALLOCATOR_FIRST;
  if (gomp_unlikely (index >= GOMP_ALLOCATORS_FIRST))
    return gomp_allocator_find_later (handle);
  struct gomp_allocator *a = &gomp_allocators_first[index];
  /* Acquire: its traits are written.  A slot that was never used has handle 0.  */
  return gomp_load_acquire (&a->xhandle) == handle ? a : NULL;
}
/* Of an allocator's number: its slot.  */
struct gomp_allocator *gomp_allocator_numbered_later (uint32_t number);
static inline struct gomp_allocator *
gomp_allocator_numbered (uint32_t number)
{
  uint32_t index = number - GOMP_ALLOCATOR_FIRST;
  return gomp_likely (index < GOMP_ALLOCATORS_FIRST) ? &gomp_allocators_first[index]
	 : gomp_allocator_numbered_later (number);
}
/* alloc.c: for heap_bits.  */
uint32_t gomp_block_bits (const struct gomp_traits *);
/* No chain of different allocators is longer.  */
size_t gomp_allocators_count (void);

/* ---- allocator-space.c ---- */

/* SIZE bytes of whole pages for ALLOCATOR_TRAITS, zero, at a multiple of ALIGN; NULL when that
   is not possible.  errno is kept.  */
void *gomp_pages_alloc (size_t align, size_t size, bool pinned, unsigned partition);
void gomp_pages_free (void *, size_t size);
/* SIZE bytes of locked memory of a device, at least at a multiple of GOMP_MIN_ALIGNMENT, with any
   contents; NULL when no device offers it.  */
void *gomp_device_pinned_alloc (size_t size);
void gomp_device_pinned_free (void *);
/* SIZE bytes that host and default device access alike, at least at a multiple of
   GOMP_MIN_ALIGNMENT, with any contents; NULL when the default device is the host or has no such
   memory.  */
void *gomp_device_managed_alloc (size_t size);
void gomp_device_managed_free (void *);
/* Is there a choice of where SIZE bytes are?  */
bool gomp_can_place (size_t size);

/* So that fork finds nobody in the middle of a change.  */
void gomp_allocators_lock (void);
void gomp_allocators_unlock (void);
void gomp_alloc_set_lock (void);
void gomp_alloc_set_unlock (void);

#endif /* GOMP_ALLOCATOR_H */
