/* devalloc.c -- device memory: a caching sub-allocator over the plugin's mem_alloc; and pinned host
   memory in the same way over its host_alloc.

   Terms.  An arena is one block of mem_alloc.  It is divided into blocks, used or free,
   which cover it without gaps; all of their descriptions are kept on the host.  Free blocks hang
   in bins by size, two levels: the power of two, and which eighth of the way to the next one.

   Invariants
   1. Two neighbours in one arena are never both free.
   2. A free block is in the bin of its size; a bin's bit is set if the bin is not empty.
   3. Every used block is in the hash table, under its device address.
   4. reserved is the sum of the arenas' sizes, used that of the used blocks.

   Arenas that are wholly free stay, so that the next construct needs no driver call, until
   more is reserved than the recent peak of used memory calls for; then the largest go back.  The
   plugin is called without the lock: drivers may wait for the device in these calls.  */

#include "libgomp.h"
#include "diag.h"
#include "map-check.h"
#include "staging.h"
#include "target.h"
#include "trace.h"

#define GRAIN 128		/* blocks start and end at multiples of this */
#define DEFAULT_STEP ((size_t) 1 << 20)
#define PINNED_STEP ((size_t) 1 << 20)
#define DEFAULT_ALIGN 256
#define SUB_BITS 3		/* eighths */
#define BINS (64 << SUB_BITS)
#define KEEP_ARENAS 4		/* steps that may always stay */
#define PEAK_WINDOW 1024	/* frees after which the peak is half forgotten */

struct block
{
  gomp_devptr_t addr;
  size_t size;
  size_t lent;			/* used: what of it is the program's */
  struct arena *arena;
  struct block *prev, *next;	/* neighbours in the arena */
  struct block *bin_prev, *bin_next;	/* free: in the bin; next also in the spare list */
  bool is_free;
};

struct arena
{
  gomp_devptr_t base, whole;	/* whole is what the plugin gave: base, or a little before it */
  size_t size;
  struct gomp_host_range *range;	/* host-fault.c, or NULL */
  struct arena *next;
};

struct gomp_devalloc
{
  gomp_mutex_t lock;		/* GOMP_RANK_DEVALLOC: everything below */
  size_t step, align;		/* fixed */
  bool is_host;			/* pinned memory; fixed */
  struct block *bins[BINS];
  uint64_t level1;		/* bit: some bin of that power of two is not empty */
  uint8_t level2[64];
  struct block **table;		/* used blocks, open addressing */
  size_t table_size, table_used;	/* size is a power of two */
  struct block *spare;
  struct arena *arenas;
  size_t reserved, used;
  size_t peak;			/* of used, forgotten slowly */
  unsigned frees;
};

/* ---- bins ---- */

static unsigned
bin_of (size_t size)
{
  size_t units = size / GRAIN;
  unsigned log = 63 - __builtin_clzll (units);
  unsigned sub = log >= SUB_BITS ? (units >> (log - SUB_BITS)) & ((1 << SUB_BITS) - 1) : 0;
  return (log << SUB_BITS) | sub;
}

static void
bin_insert (struct gomp_devalloc *d, struct block *b)
{
  unsigned bin = bin_of (b->size);
  b->is_free = true;
  b->bin_prev = NULL;
  b->bin_next = d->bins[bin];
  if (b->bin_next != NULL)
    b->bin_next->bin_prev = b;
  d->bins[bin] = b;
  d->level1 |= UINT64_C (1) << (bin >> SUB_BITS);
  d->level2[bin >> SUB_BITS] |= 1 << (bin & ((1 << SUB_BITS) - 1));
}

static void
bin_remove (struct gomp_devalloc *d, struct block *b)
{
  unsigned bin = bin_of (b->size);
  if (b->bin_prev != NULL)
    b->bin_prev->bin_next = b->bin_next;
  else
    d->bins[bin] = b->bin_next;
  if (b->bin_next != NULL)
    b->bin_next->bin_prev = b->bin_prev;
  if (d->bins[bin] == NULL)
    {
      d->level2[bin >> SUB_BITS] &= ~(1 << (bin & ((1 << SUB_BITS) - 1)));
      if (d->level2[bin >> SUB_BITS] == 0)
	d->level1 &= ~(UINT64_C (1) << (bin >> SUB_BITS));
    }
  b->is_free = false;
}

/* A free block of at least SIZE bytes, or NULL.  Blocks of SIZE's own bin may be smaller than
   SIZE: a few are looked at, because sizes repeat.  All of the next bins fit.  */
static struct block *
bin_find (struct gomp_devalloc *d, size_t size)
{
  unsigned bin = bin_of (size);
  int tries = 4;
  for (struct block *b = d->bins[bin]; b != NULL && tries-- > 0; b = b->bin_next)
    if (b->size >= size)
      return b;

  bin++;
  unsigned log = bin >> SUB_BITS;
  unsigned subs = d->level2[log] & (0xffu << (bin & ((1 << SUB_BITS) - 1)));
  if (subs == 0)
    {
      uint64_t logs = log < 63 ? d->level1 & (~UINT64_C (0) << (log + 1)) : 0;
      if (logs == 0)
	return NULL;
      log = __builtin_ctzll (logs);
      subs = d->level2[log];
    }
  return d->bins[(log << SUB_BITS) | __builtin_ctz (subs)];
}

/* ---- descriptions of blocks ---- */

static struct block *
new_block (struct gomp_devalloc *d)
{
  if (d->spare == NULL)
    {
      enum { BATCH = 128 };
      struct block *batch = gomp_calloc (BATCH, sizeof (*batch));
      for (int i = 0; i < BATCH; i++)
	{
	  batch[i].bin_next = d->spare;
	  d->spare = &batch[i];
	}
    }
  struct block *b = d->spare;
  d->spare = b->bin_next;
  memset (b, 0, sizeof (*b));
  return b;
}

static void
drop_block (struct gomp_devalloc *d, struct block *b)
{
  b->bin_next = d->spare;
  d->spare = b;
}

static size_t
table_slot (const struct gomp_devalloc *d, gomp_devptr_t addr)
{
  return ((addr / GRAIN) * UINT64_C (0x9e3779b97f4a7c15) >> 20) & (d->table_size - 1);
}

static struct block **
table_find (const struct gomp_devalloc *d, gomp_devptr_t addr)
{
  size_t i = table_slot (d, addr);
  while (d->table[i] != NULL && d->table[i]->addr != addr)
    i = (i + 1) & (d->table_size - 1);
  return &d->table[i];
}

static void
table_insert (struct gomp_devalloc *d, struct block *b)
{
  if (2 * (d->table_used + 1) > d->table_size)
    {
      struct block **old = d->table;
      size_t n = d->table_size;
      d->table_size = n != 0 ? 2 * n : 256;
      d->table = gomp_calloc (d->table_size, sizeof (d->table[0]));
      for (size_t i = 0; i < n; i++)
	if (old[i] != NULL)
	  *table_find (d, old[i]->addr) = old[i];
      free (old);
    }
  *table_find (d, b->addr) = b;
  d->table_used++;
}

/* Empty the slot and close the gap: no block may end up behind a hole.  */
static void
table_remove (struct gomp_devalloc *d, struct block **slot)
{
  size_t mask = d->table_size - 1, hole = slot - d->table;
  for (size_t i = hole; ; )
    {
      i = (i + 1) & mask;
      if (d->table[i] == NULL)
	break;
      size_t home = table_slot (d, d->table[i]->addr);
      if (((i - home) & mask) >= ((i - hole) & mask))
	{
	  d->table[hole] = d->table[i];
	  hole = i;
	}
    }
  d->table[hole] = NULL;
  d->table_used--;
}

/* ---- arenas ---- */

/* Make BASE, SIZE an arena that is one free block; the plugin knows it as WHOLE.  */
static void
add_arena (struct gomp_devalloc *d, gomp_devptr_t base, size_t size, gomp_devptr_t whole,
	   struct gomp_host_range *range)
{
  struct arena *a = gomp_malloc (sizeof (*a));
  struct block *b = new_block (d);

  a->base = base;
  a->whole = whole;
  a->size = size;
  a->range = range;
  a->next = d->arenas;
  d->arenas = a;
  d->reserved += size;
  b->addr = base;
  b->size = size;
  b->arena = a;
  bin_insert (d, b);
}

/* Take wholly free arenas off until at most LIMIT bytes are reserved, the largest first.  The
   caller gives them back without the lock.  */
static struct arena *
take_free_arenas (struct gomp_devalloc *d, size_t limit)
{
  struct arena *taken = NULL;

  for (int bin = BINS - 1; bin >= 0 && d->reserved > limit; bin--)
    for (struct block *b = d->bins[bin], *next; b != NULL && d->reserved > limit; b = next)
      {
	next = b->bin_next;
	if (b->prev != NULL || b->next != NULL)
	  continue;
	struct arena **p = &d->arenas;
	while (*p != b->arena)
	  p = &(*p)->next;
	*p = b->arena->next;
	b->arena->next = taken;
	taken = b->arena;
	d->reserved -= taken->size;
	bin_remove (d, b);
	drop_block (d, b);
      }
  return taken;
}

static void
give_back (struct gomp_device *dev, const struct gomp_devalloc *d, struct arena *a)
{
  /* A caller may hold map_lock; those are a few small copies that wait for nobody.  */
  if (a != NULL && !d->is_host)
    gomp_trail_finish (dev, NULL);
  while (a != NULL)
    {
      struct arena *next = a->next;
      gomp_host_fault_remove (a->range);
      gomp_status_t status
	= d->is_host ? dev->ops->host_free (dev->handle, (void *) (uintptr_t) a->whole)
	  : dev->ops->mem_free (dev->handle, a->whole);
      if (status != GOMP_OK && d->is_host)
	gomp_debug (1, "device %d: %zu bytes of pinned memory are not freed: %s", dev->number,
		    a->size, gomp_plugin_error_text ());
      else if (status != GOMP_OK && status != GOMP_DEVICE_LOST)
	gomp_device_failed (dev, status, NULL,
			    "error in freeing device memory block at %#llx",
			    (unsigned long long) a->base);
      free (a);
      a = next;
    }
}

struct gomp_devalloc *
gomp_devalloc_new (const struct gomp_device_attr *attr)
{
  struct gomp_devalloc *d = gomp_calloc (1, sizeof (*d));
  size_t step = attr->arena_step != 0 ? attr->arena_step : DEFAULT_STEP;
  d->step = (step + GRAIN - 1) & ~(size_t) (GRAIN - 1);
  d->align = attr->mem_align > GRAIN && !(attr->mem_align & (attr->mem_align - 1))
	     ? attr->mem_align : DEFAULT_ALIGN;
  return d;
}

struct gomp_devalloc *
gomp_devalloc_new_pinned (const struct gomp_device_attr *attr)
{
  struct gomp_devalloc *d = gomp_devalloc_new (attr);
  d->is_host = true;
  d->align = GRAIN;
  if (d->step > PINNED_STEP)
    d->step = PINNED_STEP;
  return d;
}

static void
trim (struct gomp_device *dev, struct gomp_devalloc *d)
{
  gomp_lock_ranked (&d->lock, GOMP_RANK_DEVALLOC);
  struct arena *taken = take_free_arenas (d, 0);
  gomp_unlock_ranked (&d->lock, GOMP_RANK_DEVALLOC);
  give_back (dev, d, taken);
}

void
gomp_devalloc_trim (struct gomp_device *dev)
{
  trim (dev, dev->memory);
}

void
gomp_pinned_trim (struct gomp_device *dev)
{
  if (dev->pinned != NULL)
    trim (dev, dev->pinned);
}

bool
gomp_devalloc_in_use (struct gomp_device *dev)
{
  struct gomp_devalloc *d = dev->memory;
  gomp_lock_ranked (&d->lock, GOMP_RANK_DEVALLOC);
  bool used = d->used > 0;
  gomp_unlock_ranked (&d->lock, GOMP_RANK_DEVALLOC);
  return used;
}

/* The used blocks are not in the order of their addresses: all of them are looked at, if the range
   is in an arena.  */
static bool
holds (const struct gomp_devalloc *d, gomp_devptr_t addr, size_t size)
{
  const struct arena *a = d->arenas;
  while (a != NULL && (addr < a->base || addr - a->base >= a->size))
    a = a->next;
  for (size_t i = 0; a != NULL && i < d->table_size; i++)
    {
      const struct block *b = d->table[i];
      if (b != NULL && addr >= b->addr && addr - b->addr < b->lent)
	return size <= b->lent - (addr - b->addr);
    }
  return false;
}

bool
gomp_devalloc_holds (struct gomp_device *dev, gomp_devptr_t addr, size_t size)
{
  struct gomp_devalloc *d = dev->memory;

  if (gomp_check_covers (dev))
    return gomp_check_holds (dev, addr, size);
  gomp_lock_ranked (&d->lock, GOMP_RANK_DEVALLOC);
  bool found = holds (d, addr, size);
  gomp_unlock_ranked (&d->lock, GOMP_RANK_DEVALLOC);
  return found;
}

bool
gomp_devalloc_has (struct gomp_device *dev, gomp_devptr_t addr)
{
  struct gomp_devalloc *d = dev->memory;

  if (gomp_check_covers (dev))
    return gomp_check_has (dev, addr);
  gomp_lock_ranked (&d->lock, GOMP_RANK_DEVALLOC);
  const struct arena *a = d->arenas;
  while (a != NULL && (addr < a->base || addr - a->base >= a->size))
    a = a->next;
  gomp_unlock_ranked (&d->lock, GOMP_RANK_DEVALLOC);
  return a != NULL;
}

/* ---- the allocator ---- */

/* Cut B, which is not in a bin, so that its first FRONT bytes are a free block of their own;
   answers the rest.  */
static struct block *
split_front (struct gomp_devalloc *d, struct block *b, size_t front)
{
  struct block *rest = new_block (d);
  rest->addr = b->addr + front;
  rest->size = b->size - front;
  rest->arena = b->arena;
  rest->prev = b;
  rest->next = b->next;
  if (rest->next != NULL)
    rest->next->prev = rest;
  b->next = rest;
  b->size = front;
  return rest;
}

/* SIZE is a multiple of GRAIN; the first LENT bytes are the program's.  0: no free block is large
   enough.  */
static gomp_devptr_t
allocate (struct gomp_devalloc *d, size_t size, size_t lent, size_t align)
{
  size_t slack = align > GRAIN ? align - GRAIN : 0;
  struct block *b = bin_find (d, size + slack);

  if (b == NULL)
    return 0;
  bin_remove (d, b);
  size_t front = (align - (b->addr & (align - 1))) & (align - 1);
  if (front != 0)
    {
      struct block *rest = split_front (d, b, front);
      bin_insert (d, b);
      b = rest;
    }
  if (b->size > size)
    {
      struct block *rest = split_front (d, b, size);
      bin_insert (d, rest);
    }
  b->lent = lent;
  table_insert (d, b);
  d->used += b->size;
  if (d->used > d->peak)
    d->peak = d->used;
  return b->addr;
}

/* SIZE bytes of the plugin's at *BASE, which has to free *WHOLE.  */
static gomp_status_t
get_arena (struct gomp_device *dev, const struct gomp_devalloc *d, size_t size, size_t align,
	   gomp_devptr_t *base, gomp_devptr_t *whole)
{
  void *ptr = NULL;

  *whole = 0;
  if (!d->is_host)
    {
      gomp_status_t status = dev->ops->mem_alloc (dev->handle, size, align, base);
      *whole = *base;
      return status;
    }
  /* Most plugins answer whole pages; what is promised is the alignment of malloc.  */
  gomp_status_t status = dev->ops->host_alloc (dev->handle, size, &ptr);
  if (status == GOMP_OK && ((uintptr_t) ptr & (GRAIN - 1)) != 0)
    {
      dev->ops->host_free (dev->handle, ptr);
      status = dev->ops->host_alloc (dev->handle, size + GRAIN, &ptr);
    }
  if (status == GOMP_OK)
    {
      *whole = (uintptr_t) ptr;
      *base = (*whole + GRAIN - 1) & -(gomp_devptr_t) GRAIN;
    }
  return status;
}

/* A new arena for SIZE bytes; the lock is not held.  */
static bool
grow (struct gomp_device *dev, struct gomp_devalloc *d, size_t size, size_t align)
{
  gomp_devptr_t base = 0, whole = 0;
  size_t want = size;

  if (align < d->align)
    align = d->align;
  /* Small requests share arenas; large ones get what they need, rounded so that similar
     sizes find the freed arena again.  */
  if (size < d->step)
    want = d->step;
  else if (size <= SIZE_MAX / 2)
    {
      size_t round = (size_t) 1 << (60 - __builtin_clzll (size));
      if (round > d->step)
	round = d->step;
      want = (size + round - 1) / round * round;
      want = (want + GRAIN - 1) & ~(size_t) (GRAIN - 1);
    }
  struct gomp_trace_record *trace = gomp_trace_begin (GOMP_TRACE_SETUP, dev, "allocate from the driver");
  gomp_status_t status = get_arena (dev, d, want, align, &base, &whole);
  if (status != GOMP_OK && want > size && status != GOMP_DEVICE_LOST)
    {
      want = size;
      status = get_arena (dev, d, want, align, &base, &whole);
    }
  gomp_trace_count (trace, want);
  gomp_trace_end (trace);
  if (status == GOMP_DEVICE_LOST && !d->is_host)
    gomp_device_failed (dev, status, NULL, "allocating %zu bytes of device memory", want);
  if (status != GOMP_OK)
    return false;
  struct gomp_host_range *range = d->is_host ? NULL : gomp_host_fault_add (dev, base, want);
  gomp_lock_ranked (&d->lock, GOMP_RANK_DEVALLOC);
  add_arena (d, base, want, whole, range);
  gomp_unlock_ranked (&d->lock, GOMP_RANK_DEVALLOC);
  return true;
}

/* For the mapping checker each block is one of mem_alloc, which finds accesses beside it and
   after its end.  */
static gomp_devptr_t
allocate_checked (struct gomp_device *dev, size_t size, size_t align)
{
  const size_t least = 16;	/* what programs expect; more would hide the end of small blocks */
  gomp_devptr_t addr = 0;
  gomp_status_t status = dev->ops->mem_alloc (dev->handle, size, align < least ? least : align,
					      &addr);
  if (status == GOMP_DEVICE_LOST)
    gomp_device_failed (dev, status, NULL, "allocating %zu bytes of device memory", size);
  if (status == GOMP_OK)
    gomp_host_fault_add (dev, addr, size);
  return status == GOMP_OK ? addr : 0;
}

static bool
free_checked (struct gomp_device *dev, gomp_devptr_t addr)
{
  gomp_check_freed (dev, addr);
  gomp_host_fault_remove_at (dev, addr);
  gomp_status_t status = dev->ops->mem_free (dev->handle, addr);
  return status == GOMP_OK || status == GOMP_DEVICE_LOST;
}

/* Memory of D.  Without any, what D and staging keep is given back, and it is tried once more.  */
static gomp_devptr_t
get_block (struct gomp_device *dev, struct gomp_devalloc *d, size_t size, size_t lent,
	   size_t align)
{
  bool trimmed = false;

  if (align < GRAIN)
    align = GRAIN;
  if (size > SIZE_MAX / 2 || align > SIZE_MAX / 4)
    return 0;
  size = (size + GRAIN - 1) & ~(size_t) (GRAIN - 1);
  for (;;)
    {
      gomp_lock_ranked (&d->lock, GOMP_RANK_DEVALLOC);
      gomp_devptr_t addr = allocate (d, size, lent, align);
      gomp_unlock_ranked (&d->lock, GOMP_RANK_DEVALLOC);
      if (gomp_likely (addr != 0))
	return addr;
      /* With room for the alignment that allocate asks for.  Another thread may be faster and
	 use up the new arena: then once more.  */
      if (grow (dev, d, size + align - GRAIN, align))
	continue;
      if (trimmed)
	return 0;
      if (d->is_host)
	gomp_staging_trim (dev);
      trim (dev, d);
      trimmed = true;
    }
}

gomp_devptr_t
gomp_devalloc (struct gomp_device *dev, size_t size, size_t align)
{
  if (gomp_check_covers (dev))
    return allocate_checked (dev, size, align);
  return get_block (dev, dev->memory, size, 0, align);
}

gomp_devptr_t
gomp_devalloc_lend (struct gomp_device *dev, size_t size)
{
  if (gomp_check_covers (dev))
    return allocate_checked (dev, size, 1);
  return get_block (dev, dev->memory, size, size, 1);
}

void *
gomp_pinned_alloc (struct gomp_device *dev, size_t size)
{
  /* The request of a region may be rubbish that asks for what this kind of device has not.  */
  if (dev->pinned == NULL)
    return NULL;
  return (void *) (uintptr_t) get_block (dev, dev->pinned, size, 0, GRAIN);
}

/* Merge B with the block behind it.  */
static void
merge_next (struct gomp_devalloc *d, struct block *b)
{
  struct block *n = b->next;
  b->size += n->size;
  b->next = n->next;
  if (b->next != NULL)
    b->next->prev = b;
  drop_block (d, n);
}

/* Invariants 1 and 4, around a block that was just freed.  */
static void
check_free_block (const struct gomp_devalloc *d, const struct block *b)
{
#if GOMP_CHECKING
  if ((b->prev != NULL && (b->prev->is_free || b->prev->addr + b->prev->size != b->addr))
      || (b->next != NULL && (b->next->is_free || b->addr + b->size != b->next->addr))
      || b->addr < b->arena->base || b->addr + b->size > b->arena->base + b->arena->size
      || d->used > d->reserved)
    gomp_internal_fatal ("internal error: the list of blocks of device memory is damaged at %#llx",
			 (unsigned long long) b->addr);
#else
  (void) d;
  (void) b;
#endif
}

static void
free_block (struct gomp_device *dev, struct gomp_devalloc *d, gomp_devptr_t ptr)
{
  struct arena *taken = NULL;

  gomp_lock_ranked (&d->lock, GOMP_RANK_DEVALLOC);
  struct block **slot = d->table_size != 0 ? table_find (d, ptr) : NULL;
  if (slot == NULL || *slot == NULL)
    {
      gomp_unlock_ranked (&d->lock, GOMP_RANK_DEVALLOC);
      gomp_fatal ("error in freeing device memory block at %p: device %d has no such block",
		  (void *) (uintptr_t) ptr, dev->number);
    }
  struct block *b = *slot;
  table_remove (d, slot);
  d->used -= b->size;
  if (b->next != NULL && b->next->is_free)
    {
      bin_remove (d, b->next);
      merge_next (d, b);
    }
  if (b->prev != NULL && b->prev->is_free)
    {
      b = b->prev;
      bin_remove (d, b);
      merge_next (d, b);
    }
  bin_insert (d, b);
  check_free_block (d, b);

  if (++d->frees >= PEAK_WINDOW)
    {
      d->frees = 0;
      d->peak = d->used + (d->peak - d->used) / 2;
    }
  /* A quarter above the peak covers fragmentation.  */
  size_t limit = d->peak + d->peak / 4 + KEEP_ARENAS * d->step;
  if (b->prev == NULL && b->next == NULL && d->reserved > limit)
    taken = take_free_arenas (d, limit);
  gomp_unlock_ranked (&d->lock, GOMP_RANK_DEVALLOC);
  give_back (dev, d, taken);
}

void
gomp_devfree (struct gomp_device *dev, gomp_devptr_t ptr)
{
  if (!gomp_check_covers (dev) || !free_checked (dev, ptr))
    free_block (dev, dev->memory, ptr);
}

void
gomp_pinned_free (struct gomp_device *dev, void *ptr)
{
  free_block (dev, dev->pinned, (uintptr_t) ptr);
}

void
gomp_pinned_close (struct gomp_device *dev)
{
  struct gomp_devalloc *d = dev->pinned;

  gomp_lock_ranked (&d->lock, GOMP_RANK_DEVALLOC);
  for (size_t i = 0; i < d->table_size; i++)
    if (d->table[i] != NULL)
      {
	drop_block (d, d->table[i]);
	d->table[i] = NULL;
      }
  for (unsigned bin = 0; bin < BINS; bin++)
    while (d->bins[bin] != NULL)
      {
	struct block *b = d->bins[bin];
	bin_remove (d, b);
	drop_block (d, b);
      }
  struct arena *all = d->arenas;
  d->arenas = NULL;
  d->table_used = d->reserved = d->used = d->peak = 0;
  gomp_unlock_ranked (&d->lock, GOMP_RANK_DEVALLOC);
  give_back (dev, d, all);
}
