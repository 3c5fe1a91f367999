/* alloc.c -- blocks of memory: omp_alloc and its relatives, GOMP_alloc, GOMP_free.

   A block is what the program gets, with a header right before it, because whoever frees it
   does not say where it came from:

       base                                     user address
       | unused, to align | struct gomp_block  | size bytes | unused |

   The whole is size + alignment bytes long, which is also what a pool is charged.  Blocks of
   the heap come from malloc, so that tools which replace it see them; those with other needs
   (allocator-space.c) are pages of their own.

   The header's magic number catches addresses that were not allocated here, and blocks that
   were freed already or whose header was overwritten.  */

#include "host/allocator.h"
#include "host/thread.h"

#include <errno.h>

/* As large as the least alignment, so that a block without further wishes needs no more.  */
struct gomp_block
{
  size_t size;			/* what was asked for */
  uint32_t allocator;		/* number */
  uint32_t bits;
};
_Static_assert (sizeof (struct gomp_block) <= GOMP_MIN_ALIGNMENT, "header");
_Static_assert (_Alignof (max_align_t) >= GOMP_MIN_ALIGNMENT, "malloc");

#define PAGES 1u		/* not from malloc */
#define POOLED 2u		/* charged to the pool of its allocator */
#define DEVICE 4u		/* a device's locked memory; with PAGES: memory that it manages */
#define SOURCE_MASK (PAGES | DEVICE)
#define MANAGED (PAGES | DEVICE)
#define OFFSET_MASK 0x1ff0u	/* user address - base; 0: as large as the alignment */
#define ALIGN_SHIFT 13		/* 6 bits: log2 of the alignment */
#define ALIGN_MASK (0x3fu << ALIGN_SHIFT)
#define MAGIC 0xb5c00000u
#define MAGIC_MASK 0xfff80000u

#define MAX_OFFSET GOMP_MAX_OFFSET
_Static_assert ((MAX_OFFSET & ~OFFSET_MASK) == 0 && GOMP_MIN_ALIGNMENT == (OFFSET_MASK & -OFFSET_MASK),
		"offset");

static inline bool
is_power_of_two (size_t n)
{
  return (n & (n - 1)) == 0;
}

/* ---- one attempt ---- */

/* The header of USER; BITS with the magic number.  */
static inline void
make_header (void *user, size_t size, uint32_t allocator, uint32_t bits)
{
  struct gomp_block *b = (struct gomp_block *) user - 1;
  b->size = size;
  b->allocator = allocator;
  /* Volatile: a store of its own, which whoever frees the block soon can read at once.  */
  *(volatile uint32_t *) &b->bits = bits;
}

/* Make BASE, which has room, a block, and answer its user address.  */
static inline void *
make_block (void *base, size_t offset, size_t size, uint32_t allocator, uint32_t bits)
{
  void *user = (char *) base + offset;
  make_header (user, size, allocator, MAGIC | bits);
  return user;
}

/* The bits that say ALIGN.  */
static inline uint32_t
align_bits (size_t align)
{
  return (uint32_t) __builtin_ctzl (align) << ALIGN_SHIFT;
}

/* The first address behind a header at BASE that is aligned, as an offset.  */
static inline size_t
offset_in (const void *base, size_t align)
{
  uintptr_t first = (uintptr_t) base + GOMP_MIN_ALIGNMENT;
  return ((first + align - 1) & -align) - (uintptr_t) base;
}

/* A block of BASE, which has room for SIZE bytes at ALIGN, which is at most MAX_OFFSET.  */
static inline void *
make_aligned (void *base, size_t align, size_t size, uint32_t allocator, uint32_t bits)
{
  size_t offset = offset_in (base, align);
  bits |= (uint32_t) offset | align_bits (align);
  return make_block (base, offset, size, allocator, bits);
}

/* From malloc, at an ALIGN that is larger than MAX_OFFSET.  */
static void * __attribute__ ((noinline))
heap_block_aligned (size_t align, size_t size, uint32_t allocator, bool zero, uint32_t bits)
{
  void *base;
  if (posix_memalign (&base, align, size + align) != 0)
    return NULL;
  if (zero)
    memset ((char *) base + align, 0, size);
  return make_block (base, align, size, allocator, bits | align_bits (align));
}

/* From malloc.  ALIGN is at least the least alignment; SIZE + ALIGN does not overflow.  */
static inline void *
heap_block (size_t align, size_t size, uint32_t allocator, bool zero, uint32_t bits)
{
  if (gomp_unlikely (align > MAX_OFFSET))
    return heap_block_aligned (align, size, allocator, zero, bits);
  void *base = zero ? calloc (1, size + align) : malloc (size + align);
  if (gomp_unlikely (base == NULL))
    return NULL;
  if (gomp_likely (align == GOMP_MIN_ALIGNMENT))
    return make_block (base, align, size, allocator, bits | GOMP_MIN_ALIGNMENT | align_bits (align));
  return make_aligned (base, align, size, allocator, bits);
}

/* The same of BASE, with the source in BITS, or NULL if that is not aligned at all or the offset is
   too large.  */
static void *
device_block (void *base, size_t align, size_t size, uint32_t allocator, bool zero, uint32_t bits)
{
  size_t offset = offset_in (base, align);
  if ((uintptr_t) base % GOMP_MIN_ALIGNMENT != 0 || offset > MAX_OFFSET)
    return NULL;
  if (zero)
    memset ((char *) base + offset, 0, size);
  bits |= (uint32_t) offset | align_bits (align);
  return make_block (base, offset, size, allocator, bits);
}

/* The same, of pages or of a device.  */
static void *
pages_block (size_t align, size_t size, uint32_t allocator, bool zero, bool pinned,
	     unsigned partition, uint32_t bits)
{
  void *base, *user;
  if (pinned && (base = gomp_device_pinned_alloc (size + align)) != NULL)
    {
      user = device_block (base, align, size, allocator, zero, bits | DEVICE);
      if (user != NULL)
	return user;
      gomp_device_pinned_free (base);
    }
  base = gomp_pages_alloc (align, size + align, pinned, partition);
  if (base == NULL)
    return NULL;
  return make_block (base, align, size, allocator, bits | PAGES | align_bits (align));
}

/* The same, of what the default device manages.  */
static void *
managed_block (size_t align, size_t size, uint32_t allocator, bool zero, uint32_t bits)
{
  void *base = gomp_device_managed_alloc (size + align), *user = NULL;
  if (base != NULL
      && (user = device_block (base, align, size, allocator, zero, bits | MANAGED)) == NULL)
    gomp_device_managed_free (base);
  return user;
}

/* ---- pools ---- */

static bool
charge (struct gomp_allocator *a, size_t bytes)
{
  /* Relaxed: a number that guards nothing; the memory has its own synchronization.  */
  size_t used = gomp_load_relaxed (&a->xused);
  do
    if (bytes > a->traits.pool_size - used)
      return false;
  while (!gomp_cas_weak_relaxed (&a->xused, &used, used + bytes));
  return true;
}

static void
discharge (struct gomp_allocator *a, size_t bytes)
{
  /* Release: the thread that destroys the allocator sees that it is no longer used.  */
  gomp_sub_acq_rel (&a->xused, bytes);
}

/* ---- allocators and their fallbacks ---- */

static void *
allocate_from (struct gomp_allocator *a, size_t align, size_t size, bool zero)
{
  const struct gomp_traits *t = &a->traits;
  uint32_t bits = 0;
  void *user;

  if (t->pool_size != GOMP_NO_POOL)
    {
      if (!charge (a, size + align))
	return NULL;
      bits = POOLED;
    }
  if (t->managed)
    user = managed_block (align, size, a->number, zero, bits);
  else if (t->pinned || (t->partition != GOMP_ATV_ENVIRONMENT && gomp_can_place (size)))
    user = pages_block (align, size, a->number, zero, t->pinned, t->partition, bits);
  else
    user = heap_block (align, size, a->number, zero, bits);
  if (user == NULL && bits != 0)
    discharge (a, size + align);
  return user;
}

static struct gomp_allocator *
find (uintptr_t handle)
{
  struct gomp_allocator *a = gomp_allocator_find (handle);
  if (a == NULL)
    gomp_fatal ("there is no memory allocator %#lx: it was destroyed, or never made",
		(unsigned long) handle);
  return a;
}

/* HANDLE is not 0.  ALIGN stays what it has become when a fallback is tried.  */
static void * __attribute__ ((noinline))
allocate_slow (size_t align, size_t size, uintptr_t handle, bool zero)
{
  int saved = errno;
  void *user = NULL;

  if (size == 0 || !is_power_of_two (align))
    return NULL;
  if (align < GOMP_MIN_ALIGNMENT)
    align = GOMP_MIN_ALIGNMENT;
  for (size_t hops = 0; ; )
    {
      struct gomp_allocator *a = NULL;
      if (handle == 0)
	handle = gomp_icvs ()->allocator;
      if (handle >= GOMP_ALLOCATOR_FIRST)
	{
	  a = find (handle);
	  if (align < a->traits.alignment)
	    align = a->traits.alignment;
	}
      /* No object is larger than PTRDIFF_MAX.  */
      bool possible = align <= PTRDIFF_MAX && size <= PTRDIFF_MAX - align;

      if (a != NULL)
	{
	  if (possible && (user = allocate_from (a, align, size, zero)) != NULL)
	    break;
	  switch (a->traits.fallback)
	    {
	    case GOMP_ATV_DEFAULT_MEM_FB:
	      handle = GOMP_DEFAULT_MEM_ALLOC;
	      continue;
	    case GOMP_ATV_ABORT_FB:
	      gomp_fatal ("Out of memory allocating %lu bytes", (unsigned long) size);
	    case GOMP_ATV_ALLOCATOR_FB:
	      handle = a->traits.fb_data;
	      /* A chain that is longer goes round in a circle.  */
	      if (++hops <= gomp_allocators_count ())
		continue;
	      break;
	    }
	  break;
	}
      if (handle == GOMP_MANAGED_MEM_ALLOC)
	{
	  user = possible ? managed_block (align, size, handle, zero, 0) : NULL;
	  if (user != NULL)
	    break;
	  handle = GOMP_DEFAULT_MEM_ALLOC;
	  continue;
	}
      if (handle == GOMP_PINNED_MEM_ALLOC)
	user = possible ? pages_block (align, size, handle, zero, true, GOMP_ATV_ENVIRONMENT, 0)
			: NULL;
      else if (handle <= GOMP_LAST_HEAP_ALLOC)
	user = possible ? heap_block (align, size, handle, zero, 0) : NULL;
      else
	find (handle);		/* says that there is none */
      break;
    }
  errno = saved;
  return user;
}

uint32_t
gomp_block_bits (const struct gomp_traits *traits)
{
  return MAGIC | align_bits (traits->alignment) | (traits->pool_size != GOMP_NO_POOL ? POOLED : 0);
}

/* A has no memory, or its pool has no room, for SIZE bytes: the fallback is left.  CHARGED: they are
   charged to the pool.  */
static void * __attribute__ ((cold, noinline))
allocate_failed (struct gomp_allocator *a, size_t size, bool charged, bool zero)
{
  if (charged)
    discharge (a, size + a->heap_align);
  /* As it was, unless the program has destroyed it meanwhile.  */
  return allocate_slow (a->heap_align, size, gomp_load_acquire (&a->xhandle), zero);
}

/* From another allocator than those that are the heap.  Out of line, so that each saves no registers for
   the other.  */
static inline void * __attribute__ ((always_inline))
allocate_other (size_t align, size_t size, uintptr_t handle, bool zero)
{
  uint32_t index = (uint32_t) handle - GOMP_ALLOCATOR_FIRST;
  if (gomp_unlikely (index >= GOMP_ALLOCATORS_FIRST))
    return allocate_slow (align, size, handle, zero);
  struct gomp_allocator *a = &gomp_allocators_first[index];
  __asm__ ("" : "+r" (a));	/* is in one register, not made anew */
  /* Acquire: its traits are written.  No alignment is below a heap_align of 0.  */
  if (gomp_unlikely (gomp_load_acquire (&a->xhandle) != handle || align - 1 >= a->heap_align
		     || !is_power_of_two (align) || size - 1 >= PTRDIFF_MAX - MAX_OFFSET))
    return allocate_slow (align, size, handle, zero);
  size_t total = size + a->heap_align;
  if (a->heap_bits & POOLED)
    {
      if (gomp_unlikely (!charge (a, total)))
	return allocate_failed (a, size, false, zero);
    }
  void *base = zero ? calloc (1, total) : malloc (total);
  if (gomp_unlikely (base == NULL))
    return allocate_failed (a, size, (a->heap_bits & POOLED) != 0, zero);
  /* What was read of A is read again: it is near, and no register has to be saved for it.  */
  __asm__ ("" : : : "memory");
  size_t offset = offset_in (base, a->heap_align);
  void *user = (char *) base + offset;
  make_header (user, size, a->number, a->heap_bits | (uint32_t) offset);
  return user;
}

static void * __attribute__ ((noinline))
allocate_other_plain (size_t align, size_t size, uintptr_t handle)
{
  return allocate_other (align, size, handle, false);
}

static void * __attribute__ ((noinline))
allocate_other_zero (size_t align, size_t size, uintptr_t handle)
{
  return allocate_other (align, size, handle, true);
}

/* From one of those that are the heap.  */
static inline void * __attribute__ ((always_inline))
allocate_default (size_t align, size_t size, uintptr_t handle, bool zero)
{
  if (gomp_likely (size - 1 < PTRDIFF_MAX - MAX_OFFSET && align <= MAX_OFFSET
		   && is_power_of_two (align)))
    {
      void *user = heap_block (align < GOMP_MIN_ALIGNMENT ? GOMP_MIN_ALIGNMENT : align, size, handle,
			       zero, 0);
      if (gomp_likely (user != NULL))
	return user;
    }
  return allocate_slow (align, size, handle, zero);
}

/* From the allocator that the ICV names.  */
static void * __attribute__ ((noinline))
allocate_icv (size_t align, size_t size, bool zero)
{
  uintptr_t handle = gomp_icvs_now ()->allocator;
  if (gomp_likely (handle <= GOMP_LAST_HEAP_ALLOC))
    return allocate_default (align, size, handle, zero);
  return zero ? allocate_other_zero (align, size, handle) : allocate_other_plain (align, size, handle);
}

static inline void * __attribute__ ((always_inline))
allocate (size_t align, size_t size, uintptr_t handle, bool zero)
{
  if (gomp_likely (handle - 1 < GOMP_LAST_HEAP_ALLOC))
    return allocate_default (align, size, handle, zero);
  if (handle == 0)
    return allocate_icv (align, size, zero);
  return zero ? allocate_other_zero (align, size, handle) : allocate_other_plain (align, size, handle);
}

/* ---- giving back ---- */

/* Where the block of USER is; the program ends if there is none.  */
static inline struct gomp_block *
block_of (void *user, const char *caller)
{
  struct gomp_block *b = (struct gomp_block *) user - 1;
  if (gomp_unlikely ((b->bits & MAGIC_MASK) != MAGIC))
    gomp_fatal ("%s: %p is not memory of an OpenMP allocator, or was freed before, or the bytes"
		" before it were overwritten", caller, user);
  return b;
}

static inline size_t
align_of (const struct gomp_block *b)
{
  return (size_t) 1 << ((b->bits & ALIGN_MASK) >> ALIGN_SHIFT);
}

static inline void *
base_of (struct gomp_block *b)
{
  size_t offset = b->bits & OFFSET_MASK;
  if (gomp_unlikely (offset == 0))
    offset = align_of (b);
  return (char *) (b + 1) - offset;
}

/* So that freeing it again is noticed.  */
static inline void
erase (struct gomp_block *b)
{
  /* Volatile: otherwise the compiler drops a store to memory that is about to be freed.  */
  *(volatile uint32_t *) &b->bits = 0;
}

/* B is not of malloc.  */
static void __attribute__ ((noinline))
release_pages (struct gomp_block *b)
{
  uint32_t bits = b->bits;
  void *base = base_of (b);
  size_t total = b->size + align_of (b);

  if (bits & POOLED)
    discharge (gomp_allocator_numbered (b->allocator), total);
  erase (b);
  if ((bits & SOURCE_MASK) == PAGES)
    gomp_pages_free (base, total);
  else if ((bits & SOURCE_MASK) == DEVICE)
    gomp_device_pinned_free (base);
  else
    gomp_device_managed_free (base);
}

/* What is not so usual: pools, other memory than the heap's, larger alignments; or no block.  */
static void __attribute__ ((noinline))
release_rare (void *user, const char *caller)
{
  struct gomp_block *b = block_of (user, caller);
  if (b->bits & SOURCE_MASK)
    {
      release_pages (b);
      return;
    }
  void *base = base_of (b);
  if (b->bits & POOLED)
    discharge (gomp_allocator_numbered (b->allocator), b->size + align_of (b));
  erase (b);
  free (base);
}

/* The same; of pools what is usual is done here, where no register has to be saved.  */
static void __attribute__ ((noinline))
release_other (void *user, const char *caller)
{
  struct gomp_block *b = (struct gomp_block *) user - 1;
  uint32_t bits = b->bits, index = b->allocator - GOMP_ALLOCATOR_FIRST;
  size_t offset = bits & OFFSET_MASK;
  if (gomp_unlikely ((bits & (MAGIC_MASK | POOLED | SOURCE_MASK)) != (MAGIC | POOLED) || offset == 0
		     || index >= GOMP_ALLOCATORS_FIRST))
    {
      release_rare (user, caller);
      return;
    }
  size_t total = b->size + align_of (b);
  erase (b);
  /* Loads wait for it: nothing of the block is read behind it.  */
  discharge (&gomp_allocators_first[index], total);
  free ((char *) user - offset);
}

static inline void
release (void *user, const char *caller)
{
  if (user == NULL)
    return;
  struct gomp_block *b = (struct gomp_block *) user - 1;
  uint32_t bits = b->bits;
  size_t offset = bits & OFFSET_MASK;
  if (gomp_unlikely ((bits & (MAGIC_MASK | POOLED | SOURCE_MASK)) != MAGIC || offset == 0))
    {
      release_other (user, caller);
      return;
    }
  erase (b);
  free ((char *) user - offset);
}

/* ---- another size ---- */

/* The handle of the allocator that has the block; 0 when it was destroyed.  */
static uintptr_t
owner_of (const struct gomp_block *b)
{
  if (b->allocator < GOMP_ALLOCATOR_FIRST)
    return b->allocator;
  /* Acquire: as in gomp_allocator_find.  */
  return gomp_load_acquire (&gomp_allocator_numbered (b->allocator)->xhandle);
}

/* SIZE bytes for the heap block B, which stays with its allocator and its alignment.  NULL: not
   possible.  */
static void *
resize (struct gomp_block *b, size_t size)
{
  struct gomp_allocator *a = NULL;
  size_t align = align_of (b), old_size = b->size;
  char *base = base_of (b);
  size_t offset = (char *) (b + 1) - base;

  if (b->bits & POOLED)
    {
      a = gomp_allocator_numbered (b->allocator);
      if (size > old_size && !charge (a, size - old_size))
	return NULL;
    }
  base = realloc (base, size + align);
  if (base == NULL)
    {
      if (a != NULL && size > old_size)
	discharge (a, size - old_size);
      return NULL;
    }
  if (a != NULL && size < old_size)
    discharge (a, old_size - size);

  /* The header has moved along with the contents.  */
  b = (struct gomp_block *) (base + offset) - 1;
  uint32_t number = b->allocator, bits = b->bits & (POOLED | ALIGN_MASK);
  size_t new_offset = offset_in (base, align);
  if (new_offset != offset)
    memmove (base + new_offset, base + offset, old_size < size ? old_size : size);
  return make_block (base, new_offset, size, number, bits | (uint32_t) new_offset);
}

/* ---- entry points ---- */

void *
omp_alloc (size_t size, omp_allocator_handle_t allocator)
{
  return allocate (1, size, allocator, false);
}

void *
omp_aligned_alloc (size_t align, size_t size, omp_allocator_handle_t allocator)
{
  return allocate (align, size, allocator, false);
}

/* What is too large for the product is too large for every allocator.  */
void *
omp_aligned_calloc (size_t align, size_t n, size_t size, omp_allocator_handle_t allocator)
{
  size_t bytes;
  if (__builtin_mul_overflow (n, size, &bytes))
    bytes = SIZE_MAX;
  return allocate (align, bytes, allocator, true);
}

void *
omp_calloc (size_t n, size_t size, omp_allocator_handle_t allocator)
{
  return omp_aligned_calloc (1, n, size, allocator);
}

void
omp_free (void *ptr, omp_allocator_handle_t allocator)
{
  (void) allocator;
  release (ptr, "omp_free");
}

/* Out of line, so that what is changed in place saves no registers for it.  */
static void * __attribute__ ((noinline))
allocate_apart (size_t size, uintptr_t allocator)
{
  return allocate (1, size, allocator, false);
}

void *
omp_realloc (void *ptr, size_t size, omp_allocator_handle_t allocator,
	     omp_allocator_handle_t free_allocator)
{
  (void) free_allocator;
  if (ptr == NULL)
    return allocate_apart (size, allocator);
  if (size == 0)
    {
      release (ptr, "omp_realloc");
      return NULL;
    }

  struct gomp_block *b = block_of (ptr, "omp_realloc");
  uintptr_t owner = owner_of (b);
  if (allocator == 0)
    allocator = owner;
  if (gomp_unlikely (allocator == 0))
    gomp_fatal ("omp_realloc: the allocator of %p was destroyed", ptr);
  size_t align = GOMP_MIN_ALIGNMENT;
  if (allocator >= GOMP_ALLOCATOR_FIRST)
    align = find (allocator)->traits.alignment;
  if (allocator == owner && !(b->bits & SOURCE_MASK) && align == align_of (b) && align <= MAX_OFFSET
      && size <= PTRDIFF_MAX - align)
    {
      int saved = errno;
      void *user = resize (b, size);
      errno = saved;
      if (user != NULL)
	return user;
    }

  /* Also where that has failed: the fallback may have memory.  */
  size_t keep = b->size < size ? b->size : size;
  void *user = allocate_apart (size, allocator);
  if (user != NULL)
    {
      memcpy (user, ptr, keep);
      release (ptr, "omp_realloc");
    }
  return user;
}

void *
GOMP_alloc (size_t align, size_t size, uintptr_t allocator)
{
  void *user = allocate (align, size, allocator, false);
  if (gomp_unlikely (user == NULL) && size != 0)
    gomp_fatal ("Out of memory allocating %lu bytes", (unsigned long) size);
  return user;
}

void
GOMP_free (void *ptr, uintptr_t allocator)
{
  (void) allocator;
  release (ptr, "GOMP_free");
}
