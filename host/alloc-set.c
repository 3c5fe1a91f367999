/* alloc-set.c -- addresses that Fortran code has to tell from those of malloc.

   With -fopenmp-allocators a scalar allocatable variable may hold memory of malloc or of an
   allocator.  The compiler tells us of the latter (GOMP_add_alloc) and asks when it deallocates
   (GOMP_is_alloc).  The set is split by address into parts, each a hash table with its own lock,
   a leaf: open addressing, no tombstones, at most half full.  */

#include "host/abi.h"
#include "host/allocator.h"

#define PARTS 16		/* a power of two */

static struct part
{
  GOMP_NO_SHARING gomp_mutex_t lock;
  void **slots;			/* NULL: free; the rest is under the lock */
  size_t mask;			/* slots - 1 */
  size_t count;
} parts[PARTS] GOMP_RARE;

static inline size_t
hash (const void *ptr)
{
  /* Addresses differ in the middle; the product mixes that into the upper bits.  */
  return ((uint64_t) (uintptr_t) ptr >> 4) * UINT64_C (0x9e3779b97f4a7c15) >> 20;
}

static inline struct part *
part_of (const void *ptr)
{
  return &parts[hash (ptr) % PARTS];
}

/* Where PTR is, or the free slot where it belongs.  */
static size_t
slot_of (const struct part *p, const void *ptr)
{
  size_t i = hash (ptr) / PARTS & p->mask;
  while (p->slots[i] != NULL && p->slots[i] != ptr)
    i = (i + 1) & p->mask;
  return i;
}

static void
grow (struct part *p)
{
  struct part old = *p;
  p->mask = old.slots != NULL ? 2 * old.mask + 1 : 31;
  p->slots = gomp_calloc (p->mask + 1, sizeof (*p->slots));
  for (size_t i = 0; old.slots != NULL && i <= old.mask; i++)
    if (old.slots[i] != NULL)
      p->slots[slot_of (p, old.slots[i])] = old.slots[i];
  free (old.slots);
}

/* Empty slot I.  What lies behind it and would not be found any more moves forward.  */
static void
erase (struct part *p, size_t i)
{
  p->slots[i] = NULL;
  for (size_t j = (i + 1) & p->mask; p->slots[j] != NULL; j = (j + 1) & p->mask)
    {
      void *ptr = p->slots[j];
      p->slots[j] = NULL;
      p->slots[slot_of (p, ptr)] = ptr;
    }
}

void
GOMP_add_alloc (void *ptr)
{
  if (ptr == NULL)
    return;
  struct part *p = part_of (ptr);
  gomp_mutex_lock (&p->lock);
  if (p->slots == NULL || p->count * 2 > p->mask)
    grow (p);
  size_t i = slot_of (p, ptr);
  p->count += p->slots[i] == NULL;
  p->slots[i] = ptr;
  gomp_mutex_unlock (&p->lock);
}

bool
GOMP_is_alloc (void *ptr)
{
  bool found = false;
  if (ptr == NULL)
    return false;
  struct part *p = part_of (ptr);
  gomp_mutex_lock (&p->lock);
  if (p->slots != NULL)
    {
      size_t i = slot_of (p, ptr);
      found = p->slots[i] != NULL;
      if (found)
	{
	  erase (p, i);
	  p->count--;
	}
    }
  gomp_mutex_unlock (&p->lock);
  return found;
}

void
gomp_alloc_set_lock (void)
{
  for (int i = 0; i < PARTS; i++)
    gomp_mutex_lock (&parts[i].lock);
}

void
gomp_alloc_set_unlock (void)
{
  for (int i = 0; i < PARTS; i++)
    gomp_mutex_unlock (&parts[i].lock);
}
