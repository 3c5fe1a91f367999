/* slab.c -- pools of objects of one size (slab.h).

   A slab is 64 KB at a multiple of 64 KB, whose first cache line is a header and which is divided into
   objects behind it.  Blocks of a mapping table (map-memory.c) and nodes of range trees come from
   pools: spread among a program's own memory, each of them would be on a page of its own, and a look-up
   among 100 000 objects would be missed in the TLB as often as in the caches.

   Invariants
   1. A slab is on the pool's list if and only if it has room.
   2. used counts a slab's objects in use; those below fresh that are not are on the slab's list.
   3. At most pool->keep slabs without an object in use are kept, for a program that maps many objects and
      unmaps them again and again: the kernel would have to give it each page anew, for more than
      everything else costs.  */

#include "slab.h"
#include "atomics.h"
#include "libgomp.h"

#include <sys/mman.h>

#ifdef __SANITIZE_ADDRESS__

/* The sanitizer is to notice objects that are used too late.  */

void *
gomp_slab_get (struct gomp_slab_pool *pool)
{
  pool->used++;
  return gomp_aligned_alloc (64, pool->object);
}

void
gomp_slab_put (struct gomp_slab_pool *pool, void *object)
{
  pool->used--;
  free (object);
}

void
gomp_slab_trim (struct gomp_slab_pool *pool)
{
  (void) pool;
}

#else

#define SLAB_SIZE ((size_t) 1 << 16)
#define HEADER 64

struct gomp_slab
{
  struct gomp_slab *next, **prevp;	/* the pool's list; prevp is NULL outside of it */
  void *freed;			/* objects, each with the address of the next one in it */
  unsigned used;
  unsigned fresh;		/* bytes from here on were never in use */
};

_Static_assert (sizeof (struct gomp_slab) <= HEADER, "the header is one cache line");

static inline bool
has_fresh (const struct gomp_slab_pool *pool, const struct gomp_slab *slab)
{
  return slab->fresh + pool->object <= SLAB_SIZE;
}

static void
link_slab (struct gomp_slab_pool *pool, struct gomp_slab *slab)
{
  slab->next = pool->slabs;
  if (slab->next != NULL)
    slab->next->prevp = &slab->next;
  slab->prevp = &pool->slabs;
  pool->slabs = slab;
}

static void
unlink_slab (struct gomp_slab *slab)
{
  *slab->prevp = slab->next;
  if (slab->next != NULL)
    slab->next->prevp = slab->prevp;
  slab->prevp = NULL;
}

static struct gomp_slab * __attribute__ ((noinline))
new_slab (struct gomp_slab_pool *pool)
{
  struct gomp_slab *slab = gomp_aligned_alloc (SLAB_SIZE, SLAB_SIZE);
  slab->freed = NULL;
  slab->used = 0;
  slab->fresh = HEADER;
  link_slab (pool, slab);
  pool->num_empty++;
#ifdef MADV_POPULATE_WRITE
  /* There are many: all pages at once cost a third.  Where the kernel cannot do it they come one by
     one.  */
  if (pool->num > 0)
    madvise (slab, SLAB_SIZE, MADV_POPULATE_WRITE);
#endif
  pool->num++;
  return slab;
}

static void
free_slab (struct gomp_slab_pool *pool, struct gomp_slab *slab)
{
  unlink_slab (slab);
  pool->num_empty--;
  pool->num--;
  free (slab);
}

void *
gomp_slab_get (struct gomp_slab_pool *pool)
{
  struct gomp_slab *slab = pool->slabs;

  if (gomp_unlikely (slab == NULL))
    slab = new_slab (pool);
  void *object = slab->freed;
  if (object != NULL)
    memcpy (&slab->freed, object, sizeof (slab->freed));
  else
    {
      object = (char *) slab + slab->fresh;
      slab->fresh += pool->object;
    }
  if (slab->used++ == 0)
    pool->num_empty--;
  pool->used++;
  if (slab->freed == NULL && gomp_unlikely (!has_fresh (pool, slab)))
    unlink_slab (slab);
  else
    {
      /* The next one, of which all is written at once, will be in the cache by then.  */
      const char *next = slab->freed != NULL ? slab->freed : (char *) slab + slab->fresh;
      for (size_t i = 0; i < pool->object; i += 64)
	gomp_prefetch_write (next + i);
    }
  return object;
}

void
gomp_slab_put (struct gomp_slab_pool *pool, void *object)
{
  struct gomp_slab *slab = (struct gomp_slab *) ((uintptr_t) object & -(uintptr_t) SLAB_SIZE);

  memcpy (object, &slab->freed, sizeof (slab->freed));
  slab->freed = object;
  if (gomp_unlikely (slab->prevp == NULL))
    link_slab (pool, slab);
  pool->used--;
  if (gomp_unlikely (--slab->used == 0))
    {
      /* The next ones lie in order again.  */
      slab->freed = NULL;
      slab->fresh = HEADER;
      if (++pool->num_empty > pool->keep)
	free_slab (pool, slab);
    }
}

void
gomp_slab_trim (struct gomp_slab_pool *pool)
{
  struct gomp_slab *slab, *next;

  for (slab = pool->slabs; slab != NULL && pool->num_empty > 0; slab = next)
    {
      next = slab->next;
      if (slab->used == 0)
	free_slab (pool, slab);
    }
}

#endif /* __SANITIZE_ADDRESS__ */
