/* alloc.c -- blocks of memory: omp_alloc and its relatives, GOMP_alloc, GOMP_free (alloc.h).

   A block is what the program gets, with a header right before it, because whoever frees it does not say
   where it came from:

       base                                     user address
       | unused, to align | struct block       | size bytes | unused |

   The whole is `total' bytes long, which is also what an allocator with a limit is charged.  The heap's
   memory is at multiples of 8 bytes, the pool's of 16.

   The header's last word catches addresses that were not allocated here, and blocks that were freed
   already or whose header was overwritten.  It is where the device's malloc has the upper half of
   a block's size, so it tells blocks from memory of malloc, too: GOMP_is_alloc needs no table.  */

#include "alloc.h"
#include "api.h"
#include "message.h"

#include <stdlib.h>

#pragma omp declare target

#define MIN_ALIGNMENT 16u	/* of every block */
#define BASE_ALIGNMENT 8u

struct block
{
  uint64_t size;		/* what was asked for */
  uint64_t total;		/* bytes at the base */
  uintptr_t handle;		/* of its allocator */
  unsigned offset;		/* user address - base */
  unsigned check;
};

/* struct block.check: CHECK and what is known of the block.  */
#define CHECK 0xb10c4a00u
#define CHECK_MASK 0xffffff00u
#define FROM_POOL 1u
#define CHARGED 2u		/* to its allocator's limit */
#define REMEMBERED 4u		/* GOMP_add_alloc */

#define MAX_ALIGNMENT ((size_t) 1 << 31)
#define MAX_HOPS 256u		/* from fallback to fallback; more go round in a circle */

/* ---- bytes: each lane does its share ---- */

static void
clear (char *to, size_t n)
{
  const size_t step = 8 * MACHINE_LANES;
  size_t i = 0;
  for (; i + step <= n; i += step)
    *(uint64_t *) (to + i + 8 * machine_lane ()) = 0;
  for (; i < n; i++)
    to[i] = 0;
  machine_fence_block ();	/* for the other lanes */
}

/* Both are aligned as blocks are.  */
static void
copy (char *to, const char *from, size_t n)
{
  const size_t step = 8 * MACHINE_LANES;
  size_t i = 0;
  for (; i + step <= n; i += step)
    {
      size_t mine = i + 8 * machine_lane ();
      *(uint64_t *) (to + mine) = *(const uint64_t *) (from + mine);
    }
  for (; i < n; i++)
    to[i] = from[i];
  machine_fence_block ();	/* as above */
}

/* ---- limits ---- */

static bool
charge (struct accel_allocator *a, uint64_t bytes)
{
  /* relaxed: as below; a read-modify-write gives all lanes the same.  */
  accel_u64 used = __atomic_fetch_add (&a->xused, 0, __ATOMIC_RELAXED);
  do
    if (used > a->limit || bytes > a->limit - used)
      return false;
  /* relaxed: a number that guards nothing; the memory has its own synchronization.  */
  while (!__atomic_compare_exchange_n (&a->xused, &used, used + bytes, false, __ATOMIC_RELAXED,
				       __ATOMIC_RELAXED));
  return true;
}

static void
discharge (struct accel_allocator *a, uint64_t bytes)
{
  /* relaxed: as above.  */
  __atomic_fetch_sub (&a->xused, bytes, __ATOMIC_RELAXED);
}

/* ---- one attempt ---- */

/* A block of A, or of the predefined allocator HANDLE if that is NULL.  CREDIT: what A was charged for a
   block that the new one will replace.  */
static void *
make_block (struct accel_allocator *a, bool from_pool, size_t align, size_t size, uintptr_t handle,
	    uint64_t credit)
{
  unsigned flags = 0;
  uint64_t total = size + sizeof (struct block) + align - BASE_ALIGNMENT, charged = 0;
  char *base;

  if (size > PTRDIFF_MAX - sizeof (struct block) - MAX_ALIGNMENT || align > MAX_ALIGNMENT)
    return NULL;
  if (a != NULL && a->limit != ACCEL_NO_LIMIT)
    {
      charged = total > credit ? total - credit : 0;
      if (!charge (a, charged))
	return NULL;
      flags |= CHARGED;
    }
  if (from_pool)
    {
      base = accel_pool_alloc (total);
      flags |= FROM_POOL;
    }
  else
    base = malloc (total);
  if (base == NULL)
    {
      if (charged != 0)
	discharge (a, charged);
      return NULL;
    }
  if (total < credit)
    discharge (a, credit - total);

  uintptr_t user = ((uintptr_t) base + sizeof (struct block) + align - 1) & -(uintptr_t) align;
  struct block *b = (struct block *) user - 1;
  b->size = size;
  b->total = total;
  b->handle = handle;
  b->offset = user - (uintptr_t) base;
  b->check = CHECK | flags;
  return (void *) user;
}

/* ---- allocators and their fallbacks ---- */

static bool
is_predefined (uintptr_t handle)
{
  return handle <= ACCEL_THREAD_MEM || handle == ACCEL_PINNED_MEM || handle == ACCEL_MANAGED_MEM;
}

/* ALIGN stays what it has become when a fallback is tried.  */
static void *
allocate (size_t align, size_t size, uintptr_t handle, bool zero)
{
  if (size == 0 || (align & (align - 1)) != 0)
    return NULL;
  if (align < MIN_ALIGNMENT)
    align = MIN_ALIGNMENT;
  for (unsigned hops = 0; hops < MAX_HOPS; hops++)
    {
      struct accel_allocator *a = NULL;
      if (handle == 0)
	handle = accel_self ()->icv->allocator;
      bool from_pool = handle >= ACCEL_CGROUP_MEM && handle <= ACCEL_THREAD_MEM;
      void *user;

      if (!is_predefined (handle))
	{
	  a = accel_allocator (handle);
	  from_pool = a->from_pool;
	  if (align < a->alignment)
	    align = a->alignment;
	}
      user = make_block (a, from_pool, align, size, handle, 0);
      if (user == NULL && a == NULL && from_pool)
	user = make_block (NULL, false, align, size, handle, 0);
      if (user != NULL)
	{
	  if (zero)
	    clear (user, size);
	  return user;
	}
      /* The others would only ask the heap again.  */
      if (a == NULL)
	return NULL;
      switch (a->fallback)
	{
	case ACCEL_ATV_DEFAULT_MEM_FB:
	  handle = ACCEL_DEFAULT_MEM;
	  break;
	case ACCEL_ATV_ALLOCATOR_FB:
	  handle = a->fb_data;
	  break;
	case ACCEL_ATV_ABORT_FB:
	  accel_fatal ("Out of memory allocating ", size, 10, " bytes");
	default:
	  return NULL;
	}
    }
  return NULL;
}

/* ---- giving back ---- */

static bool
is_block (const struct block *b)
{
  return (b->check & CHECK_MASK) == CHECK;
}

/* Where the block of USER is; the program ends if there is none.  */
static struct block *
block_of (void *user)
{
  struct block *b = (struct block *) user - 1;
  if ((uintptr_t) user % MIN_ALIGNMENT != 0 || !is_block (b))
    accel_fatal ("0x", (uintptr_t) user, 16, " is not memory of an OpenMP allocator, or was freed"
		 " before, or the bytes before it were overwritten");
  return b;
}

static void
release (void *user)
{
  if (user == NULL)
    return;
  struct block *b = block_of (user);
  unsigned check = b->check;
  char *base = (char *) user - b->offset;
  uint64_t total = b->total;

  if (check & CHARGED)
    discharge (accel_allocator_once (b->handle), total);
  machine_store32 (&b->check, 0);
  if (check & FROM_POOL)
    accel_pool_free (base, total);
  else
    free (base);
}

/* ---- entry points ---- */

void *
omp_alloc (size_t size, uintptr_t allocator)
{
  return allocate (1, size, allocator, false);
}

void *
omp_aligned_alloc (size_t align, size_t size, uintptr_t allocator)
{
  return allocate (align, size, allocator, false);
}

/* What is too large for the product is too large for every allocator.  */
void *
omp_aligned_calloc (size_t align, size_t n, size_t size, uintptr_t allocator)
{
  size_t bytes = n * size;
  if (n != 0 && size > SIZE_MAX / n)
    bytes = SIZE_MAX;
  return allocate (align, bytes, allocator, true);
}

void *
omp_calloc (size_t n, size_t size, uintptr_t allocator)
{
  return omp_aligned_calloc (1, n, size, allocator);
}

void
omp_free (void *ptr, uintptr_t allocator)
{
  (void) allocator;
  release (ptr);
}

void *
omp_realloc (void *ptr, size_t size, uintptr_t allocator, uintptr_t free_allocator)
{
  (void) free_allocator;
  if (ptr == NULL)
    return allocate (1, size, allocator, false);
  if (size == 0)
    {
      release (ptr);
      return NULL;
    }
  struct block *b = block_of (ptr);
  size_t keep = b->size < size ? b->size : size;
  void *user = NULL;
  if (allocator == 0)
    allocator = b->handle;
  if (allocator == b->handle && (b->check & CHARGED) != 0)
    {
      /* It need not have room for both.  */
      struct accel_allocator *a = accel_allocator (allocator);
      size_t align = a->alignment > MIN_ALIGNMENT ? a->alignment : MIN_ALIGNMENT;
      user = make_block (a, a->from_pool, align, size, allocator, b->total);
      if (user != NULL)
	b->check &= ~CHARGED;
    }
  if (user == NULL)
    user = allocate (1, size, allocator, false);
  if (user != NULL)
    {
      copy (user, ptr, keep);
      release (ptr);
    }
  return user;
}

void *
GOMP_alloc (size_t align, size_t size, uintptr_t allocator)
{
  void *user = allocate (align, size, allocator, false);
  if (user == NULL && size != 0)
    accel_fatal ("Out of memory allocating ", size, 10, " bytes");
  return user;
}

void
GOMP_free (void *ptr, uintptr_t allocator)
{
  (void) allocator;
  release (ptr);
}

/* ---- allocatable variables of Fortran, whose memory may be of malloc or of an allocator ---- */

void
GOMP_add_alloc (void *ptr)
{
  if (ptr != NULL)
    block_of (ptr)->check |= REMEMBERED;
}

/* Is PTR, or memory of malloc, what GOMP_add_alloc was told?  Forget it.  */
bool
GOMP_is_alloc (void *ptr)
{
  if (ptr == NULL || (uintptr_t) ptr % MIN_ALIGNMENT != 0)
    return false;
  struct block *b = (struct block *) ptr - 1;
  if (!is_block (b) || (b->check & REMEMBERED) == 0)
    return false;
  b->check &= ~REMEMBERED;
  return true;
}

#pragma omp end declare target
