/* map-memory.c -- memory of the blocks of a mapping table.

   A block comes from a slab: 64 KB at a multiple of 64 KB, whose first cache line is a header and
   which is divided into blocks behind it.  Blocks that are mapped one after the other so lie
   side by side, each at the start of a cache line, and getting one costs a few instructions.
   Everything is protected by the table's map_lock.

   Invariants
   1. A slab is on the table's list if and only if it has room.
   2. used counts the blocks in use; those below fresh that are not are on the slab's list.
   3. A slab without a block in use is given back, unless it is the only one with room.  */

#include "map-table.h"

#ifdef __SANITIZE_ADDRESS__

/* The sanitizer is to notice blocks that are used too late.  */

struct gomp_map_block *
gomp_map_memory_get (struct gomp_map_table *table)
{
  struct gomp_map_block *block = gomp_aligned_alloc (64, sizeof (*block));
  (void) table;
  return memset (block, 0, sizeof (*block));
}

void
gomp_map_memory_put (struct gomp_map_block *block)
{
  free (block);
}

#else

#define SLAB_SIZE ((size_t) 1 << 16)
#define SLAB_BLOCKS (SLAB_SIZE / sizeof (struct gomp_map_block) - 1)

struct gomp_map_slab
{
  struct gomp_map_table *table;	/* fixed */
  struct gomp_map_slab *next, **prevp;	/* the table's list; prevp is NULL outside of it */
  struct gomp_map_block *freed;	/* linked by new_next */
  unsigned used;
  unsigned fresh;		/* blocks from here on were never in use */
};

_Static_assert (sizeof (struct gomp_map_slab) <= sizeof (struct gomp_map_block),
		"the header takes the place of one block");

static void
link_slab (struct gomp_map_slab *slab)
{
  struct gomp_map_table *table = slab->table;
  slab->next = table->slabs;
  if (slab->next != NULL)
    slab->next->prevp = &slab->next;
  slab->prevp = &table->slabs;
  table->slabs = slab;
}

static void
unlink_slab (struct gomp_map_slab *slab)
{
  *slab->prevp = slab->next;
  if (slab->next != NULL)
    slab->next->prevp = slab->prevp;
  slab->prevp = NULL;
}

static struct gomp_map_slab *
new_slab (struct gomp_map_table *table)
{
  struct gomp_map_slab *slab = gomp_aligned_alloc (SLAB_SIZE, SLAB_SIZE);
  slab->table = table;
  slab->freed = NULL;
  slab->used = slab->fresh = 0;
  link_slab (slab);
  return slab;
}

struct gomp_map_block *
gomp_map_memory_get (struct gomp_map_table *table)
{
  struct gomp_map_slab *slab = table->slabs;
  struct gomp_map_block *block;

  if (gomp_unlikely (slab == NULL))
    slab = new_slab (table);
  block = slab->freed;
  if (block != NULL)
    slab->freed = block->new_next;
  else
    block = (struct gomp_map_block *) slab + 1 + slab->fresh++;
  if (++slab->used == SLAB_BLOCKS)
    unlink_slab (slab);
  return memset (block, 0, sizeof (*block));
}

void
gomp_map_memory_put (struct gomp_map_block *block)
{
  struct gomp_map_slab *slab
    = (struct gomp_map_slab *) ((uintptr_t) block & -(uintptr_t) SLAB_SIZE);

  block->new_next = slab->freed;
  slab->freed = block;
  if (slab->used-- == SLAB_BLOCKS)
    link_slab (slab);
  if (gomp_unlikely (slab->used == 0) && (slab->next != NULL || slab->table->slabs != slab))
    {
      unlink_slab (slab);
      free (slab);
    }
}

#endif /* __SANITIZE_ADDRESS__ */
