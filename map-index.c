/* map-index.c -- which block of a mapping table has a device address.

   Only reverse offload asks for that.  The index is made when it is asked for the first time, and
   from then on kept up to date by who inserts and removes blocks; before, the table's by_device is
   NULL and that is all that others look at.  A tree of device ranges, one node for a block;
   empty blocks have none.  Everything is protected by the device's map_lock.

   Ranges in the tree do not overlap.  Programs can associate the same device memory with several
   host ranges: then the index is not complete, and it is made anew when a block of it
   goes.  */

#include "map-table.h"

struct gomp_map_index
{
  struct gomp_range_tree blocks;
  bool incomplete;		/* a block was left out */
};

struct index_node
{
  struct gomp_range range;	/* device range; first, so that one is the other */
  struct gomp_map_block *block;
};

/* Where the numbers of all tables' xindexed come from.  Relaxed: only a source of different numbers.  */
static _Atomic (uint64_t) xnumber;

/* Release: before whatever makes device code ask for a block that has come in.  */
static void
renumber (struct gomp_map_table *table)
{
  gomp_store_release (&table->xindexed, gomp_add_relaxed (&xnumber, 1) + 1);
}

static void
insert (struct gomp_map_table *table, struct gomp_map_block *block)
{
  struct gomp_map_index *index = table->by_device;
  if (block->size == 0)
    return;
  if (gomp_range_overlap (&index->blocks, block->dev, block->dev + block->size) != NULL)
    {
      index->incomplete = true;
      return;
    }
  struct index_node *n = gomp_calloc (1, sizeof (*n));
  n->range.start = block->dev;
  n->range.end = block->dev + block->size;
  n->block = block;
  gomp_range_insert (&index->blocks, &n->range);
  renumber (table);
}

static void
fill (struct gomp_map_table *table)
{
  struct gomp_range *range = gomp_range_first (&table->ranges);
  for (; range != NULL; range = gomp_range_above (&table->ranges, range->start))
    {
      struct gomp_map_block *block = ((struct gomp_map_entry *) range)->block;
      /* Once for a block with several entries.  */
      if (range->start == block->host)
	insert (table, block);
    }
}

static void
empty (struct gomp_map_index *index)
{
  struct gomp_range *range;
  while ((range = gomp_range_first (&index->blocks)) != NULL)
    {
      gomp_range_remove (&index->blocks, range);
      free (range);
    }
  index->incomplete = false;
}

void
gomp_map_index_add (struct gomp_map_table *table, struct gomp_map_block *block)
{
  insert (table, block);
}

void
gomp_map_index_remove (struct gomp_map_table *table, struct gomp_map_block *block)
{
  struct gomp_map_index *index = table->by_device;
  struct gomp_range *range = gomp_range_floor (&index->blocks, block->dev);

  /* The block may be one that was left out, or has no place yet.  */
  if (range == NULL || ((struct index_node *) range)->block != block)
    return;
  gomp_range_remove (&index->blocks, range);
  free (range);
  if (gomp_unlikely (index->incomplete))
    {
      empty (index);
      fill (table);
    }
}

static inline struct gomp_range_tree *
blocks_of (struct gomp_map_table *table)
{
  if (gomp_unlikely (table->by_device == NULL))
    {
      table->by_device = gomp_calloc (1, sizeof (*table->by_device));
      renumber (table);		/* one without blocks has a number, too */
      fill (table);
    }
  return &table->by_device->blocks;
}

struct gomp_map_block *
gomp_map_find_device (struct gomp_map_table *table, gomp_devptr_t start, gomp_devptr_t end)
{
  struct gomp_range *range = gomp_range_overlap (blocks_of (table), start, end);
  return range != NULL ? ((struct index_node *) range)->block : NULL;
}

void
gomp_map_device_gap (struct gomp_map_table *table, gomp_devptr_t addr, gomp_devptr_t *start, gomp_devptr_t *end)
{
  struct gomp_range_tree *blocks = blocks_of (table);
  const struct gomp_range *below = gomp_range_floor (blocks, addr), *above = gomp_range_above (blocks, addr);
  *start = below != NULL ? below->end : 0;
  *end = above != NULL ? above->start : UINT64_MAX;
  if (*start > addr)
    *end = *start;
}
