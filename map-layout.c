/* map-layout.c -- where the new device memory of a construct lies: one chunk for everything.

   What travels together lies together, so that one copy moves it:

     | arguments | private copies | small to | small tofrom | small from | all else |
     |<------------- staged: one copy in ------------------>|
						|<-- one copy back ------->|

   What a region needs that has found everything present is arguments and private copies, for its
   own time: that is a spare chunk of the table in most cases.  What a construct needs that makes a few
   small blocks is a part of the table's open chunk.

   Small means attr.coalesce_max or less.  Large blocks of target enter data get chunks of
   their own instead, because they may be released one by one, long after one another.  */

#include "map-check.h"
#include "map-plan.h"

#include <stdio.h>

enum part { PART_TO, PART_TOFROM, PART_FROM, PART_REST, PARTS };

/* Device memory is aligned better than the compiler asks for: the alignment of components that
   deep mapping sends is not known, and transfers like lines.  */
static unsigned
block_alignment (const struct gomp_map_block *block)
{
  unsigned least = block->size >= 256 ? 7 : 4;
  return block->log2_align > least ? block->log2_align : least;
}

static enum part
part_of (const struct gomp_map_block *block, size_t small)
{
  if (block->size > small || block->size == 0)
    return PART_REST;
  if (block->wants_data)
    return block->wants_result ? PART_TOFROM : PART_TO;
  return block->wants_result ? PART_FROM : PART_REST;
}

/* OFFSET + SIZE; more than there can be is SIZE_MAX, which no device has.  */
static inline size_t
add_size (size_t offset, size_t size)
{
  return gomp_unlikely (offset + size < offset) ? SIZE_MAX : offset + size;
}

/* OFFSET or what follows it, such that OFFSET + SHIFT is a multiple of 1 << LOG2.  */
static size_t
align_up (size_t offset, unsigned log2, uint64_t shift)
{
  size_t mask = ((size_t) 1 << log2) - 1;
  return add_size (offset, -(offset + shift) & mask);
}

static void __attribute__ ((noreturn, cold))
no_memory (struct gomp_map_plan *plan, size_t size, const struct gomp_map_block *largest)
{
  struct gomp_device *dev = plan->dev;
  uint64_t free_bytes, total_bytes;
  char room[96] = "";

  if (dev->ops->mem_info (dev->handle, &free_bytes, &total_bytes) == GOMP_OK)
    snprintf (room, sizeof (room), ", where %lu of %lu bytes are free", (unsigned long) free_bytes,
	      (unsigned long) total_bytes);
  /* The only one: what the program wrote, without what alignment and arguments add.  */
  if (largest != NULL && plan->new_blocks->new_next == NULL)
    size = largest->size;
  if (largest != NULL)
    gomp_map_fatal (plan, "device memory allocation fail: %zu bytes on device %d (%s)%s; the largest"
		    " new list item is [%p..%p), %zu bytes", size, dev->number, dev->attr.name, room,
		    (void *) largest->host, (void *) (largest->host + largest->size), largest->size);
  gomp_map_fatal (plan, "device memory allocation fail: %zu bytes for arguments on device %d (%s)%s",
		  size, dev->number, dev->attr.name, room);
}

static struct gomp_map_chunk *
reserve (struct gomp_map_plan *plan, size_t size, unsigned log2,
	 const struct gomp_map_block *largest)
{
  if (size == 0)
    size = 1;
  gomp_devptr_t dev = gomp_devalloc (plan->dev, size, (size_t) 1 << log2);
  if (dev == 0)
    no_memory (plan, size, largest);
  struct gomp_map_chunk *chunk = gomp_malloc (sizeof (*chunk));
  chunk->dev = dev;
  chunk->refs = 0;
  chunk->keeper = NULL;
  return chunk;
}

/* SIZE bytes for the new blocks of the construct; sets plan->base.  */
static struct gomp_map_chunk *
reserve_small (struct gomp_map_plan *plan, size_t size, unsigned log2,
	       const struct gomp_map_block *largest)
{
  struct gomp_map_table *table = plan->dev->maps;
  struct gomp_map_chunk *open = table->open;
  size_t start = 0;

  if (gomp_likely (open != NULL) && open->refs > 1)
    start = align_up (table->open_used, log2, 0);
  if (open == NULL || start + size > GOMP_MAP_OPEN_SIZE)
    {
      if (open != NULL)
	gomp_map_chunk_unref (open, &plan->garbage);
      table->open = NULL;	/* should there be no memory */
      open = reserve (plan, GOMP_MAP_OPEN_SIZE, GOMP_MAP_OPEN_LOG2_ALIGN, largest);
      open->refs = 1;
      table->open = open;
      start = 0;
    }
  table->open_used = start + size;
  plan->base = open->dev + start;
  return open;
}

/* Devices whose code accesses link variables themselves: what is mapped of one has its place.  */
static bool
place_in_variable (const struct gomp_map_plan *plan, struct gomp_map_block *block)
{
  struct gomp_map_table *table = plan->dev->maps;

  if (gomp_likely (table->links.root == NULL) || block->size == 0
      || !(plan->dev->attr.caps & GOMP_CAP_LINK_IN_PLACE))
    return false;
  struct gomp_map_link *link = (struct gomp_map_link *)
    gomp_splay_overlap (&table->links, block->host, block->host + block->size);
  if (link == NULL || link->node.start > block->host
      || link->node.end < block->host + block->size)
    return false;
  block->dev = link->pointer + (block->host - link->node.start);
  return true;
}

/* Give the private copies that are small, or those that are not, places from OFFSET on; answers
   where the last one ends.  They are aligned to 1 << LEAST at least, and *ALIGN grows.  */
static size_t
place_private (struct gomp_map_plan *plan, bool are_small, unsigned least, size_t offset,
	       unsigned *align)
{
  if (!gomp_map_has (plan, GOMP_OP_BIT (GOMP_OP_PRIVATE)))
    return offset;
  for (size_t i = 0; i < plan->items.n; i++)
    {
      struct gomp_map_item *item = &plan->items.v[i];
      if (item->op != GOMP_OP_PRIVATE
	  || (item->size <= plan->dev->attr.coalesce_max) != are_small)
	continue;
      unsigned log2 = item->log2_align > least ? item->log2_align : least;
      offset = align_up (offset, log2, 0);
      item->value = offset;
      offset = add_size (offset, item->size);
      if (log2 > *align)
	*align = log2;
    }
  return offset;
}

/* The common case of gomp_map_layout outside of target: one small block, which has a part of the open
   chunk to itself.  */
static inline bool
place_one (struct gomp_map_plan *plan)
{
  struct gomp_map_block *block = plan->new_blocks;
  size_t size = block->size;
  unsigned log2 = block_alignment (block);

  if (block->new_next != NULL || plan->directive == GOMP_DIR_TARGET || size == 0
      || size > GOMP_MAP_OPEN_LARGEST || log2 > GOMP_MAP_OPEN_LOG2_ALIGN
      || block->align_base != block->host || plan->dev->maps->links.root != NULL
      || gomp_check_covers (plan->dev))
    return false;
  struct gomp_map_chunk *chunk = reserve_small (plan, size, log2, block);
  if (part_of (block, plan->dev->attr.coalesce_max) == PART_TO)
    plan->staged_size = plan->back_start = size;
  block->dev = plan->base;
  block->chunk = plan->chunk = chunk;
  chunk->refs++;
  return true;
}

void
gomp_map_layout (struct gomp_map_plan *plan)
{
  struct gomp_map_block *parts[PARTS] = { NULL }, *block, *next, *largest = NULL;
  size_t small = plan->dev->attr.coalesce_max, offset = 0;
  size_t own = plan->dev->attr.arena_step / 4;
  unsigned align = 0;

  if (plan->new_blocks == NULL && (plan->directive != GOMP_DIR_TARGET || plan->mapnum == 0))
    return;
  if (plan->new_blocks != NULL && place_one (plan))
    return;
  if (own < 65536)
    own = 65536;

  for (block = plan->new_blocks; block != NULL; block = next)
    {
      next = block->new_next;
      if (largest == NULL || block->size > largest->size)
	largest = block;
      if (place_in_variable (plan, block))
	continue;
      if ((plan->directive == GOMP_DIR_ENTER && block->size >= own)
	  || gomp_check_covers (plan->dev))
	{
	  uint64_t shift = block->host - block->align_base;
	  unsigned log2 = block_alignment (block);
	  size_t lead = align_up (0, log2, -shift);
	  block->chunk = reserve (plan, add_size (lead, block->size), log2, block);
	  block->chunk->refs = 1;
	  block->dev = block->chunk->dev + lead;
	  continue;
	}
      enum part part = part_of (block, small);
      block->layout_next = parts[part];
      parts[part] = block;
    }

  if (plan->directive == GOMP_DIR_TARGET)
    {
      offset = plan->mapnum * sizeof (uint64_t);
      offset = place_private (plan, true, 4, offset, &align);
    }
  for (unsigned part = 0; part < PARTS; part++)
    {
      for (block = parts[part]; block != NULL; block = block->layout_next)
	{
	  uint64_t shift = block->host - block->align_base;
	  unsigned log2 = block_alignment (block);
	  offset = align_up (offset, log2, -shift);
	  block->dev = offset;
	  /* An empty block has an address of its own, too.  */
	  offset = add_size (offset, block->size ? block->size : 1);
	  if (log2 > align)
	    align = log2;
	}
      if (part == PART_TO)
	plan->back_start = offset;
      if (part <= PART_TOFROM)
	plan->staged_size = offset;
      if (part == PART_FROM)
	plan->back_size = offset - plan->back_start;
    }
  if (plan->directive == GOMP_DIR_TARGET)
    offset = place_private (plan, false, 7, offset, &align);
  if (offset == 0)
    return;

  struct gomp_map_chunk *chunk = NULL;
  if (plan->new_blocks == NULL && offset <= GOMP_MAP_SPARE_SIZE && align <= GOMP_MAP_SPARE_LOG2_ALIGN)
    {
      chunk = gomp_map_spare_get (plan->dev->maps);
      if (gomp_unlikely (chunk == NULL))
	{
	  chunk = reserve (plan, GOMP_MAP_SPARE_SIZE, GOMP_MAP_SPARE_LOG2_ALIGN, NULL);
	  chunk->keeper = plan->dev->maps;
	}
      plan->base = chunk->dev;
    }
  else if (offset <= GOMP_MAP_OPEN_LARGEST && align <= GOMP_MAP_OPEN_LOG2_ALIGN
	   && !gomp_check_covers (plan->dev))
    chunk = reserve_small (plan, offset, align, largest);
  else
    {
      chunk = reserve (plan, offset, align, largest);
      plan->base = chunk->dev;
    }
  plan->chunk = chunk;
  for (unsigned part = 0; part < PARTS; part++)
    for (block = parts[part]; block != NULL; block = block->layout_next)
      {
	block->dev += plan->base;
	block->chunk = chunk;
	chunk->refs++;
      }
  if (plan->directive == GOMP_DIR_TARGET)
    {
      chunk->refs++;
      plan->holds_chunk = true;
      if (plan->mapnum > 0)
	plan->args = plan->base;
      if (gomp_map_has (plan, GOMP_OP_BIT (GOMP_OP_PRIVATE)))
	for (size_t i = 0; i < plan->items.n; i++)
	  if (plan->items.v[i].op == GOMP_OP_PRIVATE)
	    plan->items.v[i].value += plan->base;
    }
}
