/* heap.c -- the device heap of a program: what malloc gives.

   One mapping; allocations in a list by address, each with a shadow and a guard behind it so that what
   lies beside an allocation is nobody's.  First fit.

   What was freed is nobody's, too; with PTX_SIM_FREED=accessible it is as it was until its place is needed.

   Called by kernels of all threads; protected by the heap's lock.  */

#include "sim.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct piece
{
  size_t start, size;		/* in the arena; size as asked for */
  bool freed;			/* and still there */
};

struct heap
{
  pthread_mutex_t lock;
  char *arena;			/* NULL until the first allocation */
  uint8_t *shadow;
  size_t limit;			/* 0: not said yet */
  bool keeps;			/* what was freed is accessible */
  struct piece *pieces;		/* by address */
  size_t n, room;
  _Atomic uint64_t generation;
};

enum { GAP = 32 };

struct heap *
heap_new (void)
{
  struct heap *h = calloc (1, sizeof (*h));
  if (h != NULL)
    {
      const char *freed = getenv ("PTX_SIM_FREED");
      h->keeps = freed != NULL && strcmp (freed, "accessible") == 0;
      pthread_mutex_init (&h->lock, NULL);
    }
  return h;
}

void
heap_free (struct heap *h)
{
  if (h == NULL)
    return;
  if (h->arena != NULL)
    munmap (h->arena, 2 * h->limit);
  free (h->pieces);
  pthread_mutex_destroy (&h->lock);
  free (h);
}

void
heap_limit (struct heap *h, size_t bytes)
{
  pthread_mutex_lock (&h->lock);
  if (h->limit == 0)
    h->limit = bytes != 0 ? (bytes + 4095) & ~(size_t) 4095 : 8 << 20;
  pthread_mutex_unlock (&h->lock);
}

/* The lock is held.  */
static bool
heap_arena (struct heap *h)
{
  if (h->arena != NULL)
    return true;
  if (h->limit == 0)
    h->limit = 8 << 20;
  char *p = mmap (NULL, 2 * h->limit, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		  -1, 0);
  if (p == MAP_FAILED)
    return false;
  h->arena = p;
  h->shadow = (uint8_t *) p + h->limit;
  return true;
}

/* A place for SIZE bytes; *I: in front of which piece.  The lock is held.  */
static size_t
find_place (const struct heap *h, uint64_t size, size_t *i)
{
  size_t at = 0;
  for (*i = 0; *i < h->n && h->pieces[*i].start - at < size + GAP; ++*i)
    at = (h->pieces[*i].start + h->pieces[*i].size + GAP + 15) & ~(size_t) 15;
  return at;
}

/* What was freed is nobody's from now on.  The lock is held.  */
static void
drop_freed (struct heap *h)
{
  size_t n = 0;
  for (size_t i = 0; i < h->n; i++)
    if (!h->pieces[i].freed)
      h->pieces[n++] = h->pieces[i];
  h->n = n;
  /* Release: with it caches of ranges are emptied.  */
  atomic_fetch_add_explicit (&h->generation, 1, memory_order_release);
}

uint64_t
heap_alloc (struct heap *h, uint64_t size)
{
  uint64_t result = 0;
  pthread_mutex_lock (&h->lock);
  if (size == 0 || size > h->limit || !heap_arena (h))
    goto out;
  if (h->n == h->room)
    {
      size_t room = h->room != 0 ? 2 * h->room : 64;
      struct piece *more = realloc (h->pieces, room * sizeof (*more));
      if (more == NULL)
	goto out;
      h->pieces = more;
      h->room = room;
    }
  size_t i, at = find_place (h, size, &i);
  if (at + size > h->limit && h->keeps)
    {
      drop_freed (h);
      at = find_place (h, size, &i);
    }
  if (at + size > h->limit)
    goto out;
  memmove (h->pieces + i + 1, h->pieces + i, (h->n - i) * sizeof (*h->pieces));
  h->pieces[i] = (struct piece) { .start = at, .size = size };
  h->n++;
  memset (h->shadow + at, 0, size);
  result = (uint64_t) (uintptr_t) (h->arena + at);
 out:
  pthread_mutex_unlock (&h->lock);
  return result;
}

/* The piece that has the byte AT; N if none.  The lock is held.  */
static size_t
piece_at (const struct heap *h, size_t at)
{
  size_t low = 0, high = h->n;
  while (low < high)
    {
      size_t middle = (low + high) / 2;
      if (h->pieces[middle].start <= at)
	low = middle + 1;
      else
	high = middle;
    }
  return low > 0 && at - h->pieces[low - 1].start < h->pieces[low - 1].size ? low - 1 : h->n;
}

bool
heap_release (struct heap *h, uint64_t address)
{
  bool found = false;
  pthread_mutex_lock (&h->lock);
  size_t at = (size_t) (address - (uint64_t) (uintptr_t) h->arena);
  if (h->arena != NULL && at < h->limit)
    {
      size_t i = piece_at (h, at);
      found = i < h->n && h->pieces[i].start == at && !h->pieces[i].freed;
      if (found && h->keeps)
	h->pieces[i].freed = true;
      else if (found)
	{
	  memmove (h->pieces + i, h->pieces + i + 1, (h->n - i - 1) * sizeof (*h->pieces));
	  h->n--;
	  /* Release: with it caches of ranges are emptied.  */
	  atomic_fetch_add_explicit (&h->generation, 1, memory_order_release);
	}
    }
  pthread_mutex_unlock (&h->lock);
  return found;
}

bool
heap_find (struct heap *h, uint64_t address, struct psim_range *out)
{
  bool found = false;
  pthread_mutex_lock (&h->lock);
  size_t at = (size_t) (address - (uint64_t) (uintptr_t) h->arena);
  if (h->arena != NULL && at < h->limit)
    {
      size_t i = piece_at (h, at);
      found = i < h->n;
      if (found)
	*out = (struct psim_range) { .start = (uint64_t) (uintptr_t) h->arena + h->pieces[i].start,
				     .size = h->pieces[i].size, .view = h->arena + h->pieces[i].start,
				     .shadow = h->shadow + h->pieces[i].start };
    }
  pthread_mutex_unlock (&h->lock);
  return found;
}

const _Atomic uint64_t *
heap_generation (const struct heap *h)
{
  return &h->generation;
}
