/* map-table.c -- the mapping table of a device: look-ups, insertion, removal, batches, and the
   entries that no construct makes (declare target variables, associated pointers).

   The table alone: which constructs count, copy and attach is decided in map-enter.c and
   map-exit.c.  map-table.h has the invariants.  */

#include "map-table.h"
#include "reverse.h"
#include "config/linux/futex.h"
#include "target-task.h"
#include "plugin/thread-own.h"

#include <errno.h>

static _Atomic (uint64_t) xtable_serial;	/* relaxed: only a source of different numbers */

static inline struct gomp_map_entry *
entry_of (struct gomp_range *range)
{
  return (struct gomp_map_entry *) range;
}

/* The same, for somebody who uses the block as well: that of most entries lies before them, and both
   lines are missed together instead of one after the other.  */
static inline struct gomp_map_entry *
entry_to_use (struct gomp_range *range)
{
  __builtin_prefetch ((void *) ((uintptr_t) range - offsetof (struct gomp_map_block, first)), 1, 3);
  __builtin_prefetch (range, 0, 3);
  return (struct gomp_map_entry *) range;
}

struct gomp_map_table *
gomp_map_table_new (void)
{
  struct gomp_map_table *table = gomp_calloc (1, sizeof (*table));
  table->serial = gomp_add_relaxed (&xtable_serial, 1) + 1;
  gomp_map_memory_init (table);
  return table;
}

static void
lock_table (struct gomp_device *dev)
{
  gomp_lock_ranked (&dev->map_lock, GOMP_RANK_MAP);
}

static void
unlock_table (struct gomp_device *dev)
{
  gomp_unlock_ranked (&dev->map_lock, GOMP_RANK_MAP);
}

/* ---- Look-ups ---- */

struct gomp_map_entry *
gomp_map_find_range (struct gomp_map_table *table, uint64_t start, uint64_t end)
{
  struct gomp_range *range = gomp_range_overlap (&table->ranges, start, end);
  return range != NULL ? entry_to_use (range) : NULL;
}

struct gomp_map_entry *
gomp_map_find_byte (struct gomp_map_table *table, uint64_t addr)
{
  struct gomp_range *range = gomp_range_at (&table->ranges, addr);
  return range != NULL ? entry_to_use (range) : NULL;
}

static struct gomp_map_entry *
empty_at (struct gomp_map_table *table, uint64_t addr)
{
  if (table->empties.count == 0)
    return NULL;
  struct gomp_range *range = gomp_range_floor (&table->empties, addr);
  return range != NULL && range->start == addr ? entry_of (range) : NULL;
}

struct gomp_map_entry *
gomp_map_find_empty (struct gomp_map_table *table, uint64_t addr)
{
  struct gomp_map_entry *entry = empty_at (table, addr);
  if (entry != NULL)
    return entry;
  struct gomp_range *range = gomp_range_at (&table->ranges, addr);
  return range != NULL && range->start < addr ? entry_of (range) : NULL;
}

struct gomp_map_entry *
gomp_map_find_pointer (struct gomp_map_table *table, uint64_t addr)
{
  struct gomp_range *range = gomp_range_at (&table->ranges, addr);
  if (range != NULL)
    return entry_of (range);
  if (addr != 0)
    {
      range = gomp_range_floor (&table->ranges, addr - 1);
      if (range != NULL && range->end == addr)
	return entry_of (range);
    }
  return empty_at (table, addr);
}

struct gomp_map_attach *
gomp_map_find_attach (struct gomp_map_entry *entry, uint64_t addr)
{
  struct gomp_splay_node *node = gomp_splay_floor (&entry->attached, addr);
  return node != NULL && node->start == addr ? (struct gomp_map_attach *) node : NULL;
}

struct gomp_map_attach *
gomp_map_next_attach (struct gomp_map_entry *entry, uint64_t addr)
{
  struct gomp_splay_node *node = gomp_splay_floor (&entry->attached, addr);
  if (node == NULL || node->end <= addr)
    node = gomp_splay_above (&entry->attached, addr);
  return (struct gomp_map_attach *) node;
}

/* ---- Blocks ---- */

struct gomp_map_block *
gomp_map_block_new (struct gomp_map_table *table, uint64_t host, uint64_t size)
{
  struct gomp_map_block *block = gomp_map_memory_get (table);
  block->host = host;
  block->size = size;
  block->align_base = host;
  return block;
}

struct gomp_map_entry *
gomp_map_insert (struct gomp_map_table *table, struct gomp_map_block *block, uint64_t start,
		 uint64_t end)
{
  struct gomp_map_entry *entry = &block->first;
  if (entry->block != NULL)
    entry = gomp_calloc (1, sizeof (*entry));
  entry->node.start = start;
  entry->node.end = end;
  entry->block = block;
  entry->sibling = block->entries;
  block->entries = entry;
  block->mapped = true;
  gomp_range_insert (start == end ? &table->empties : &table->ranges, &entry->node);
  return entry;
}

void
gomp_map_chunk_unref (struct gomp_map_chunk *chunk, struct gomp_map_chunk **garbage)
{
  struct gomp_map_table *keeper = chunk->keeper;

  if (--chunk->refs > 0)
    return;
  if (keeper != NULL && keeper->num_spares < GOMP_MAP_KEEP_SPARES)
    {
      chunk->next = keeper->spares;
      keeper->spares = chunk;
      keeper->num_spares++;
    }
  else
    {
      chunk->next = *garbage;
      *garbage = chunk;
    }
}

struct gomp_map_chunk *
gomp_map_spare_get (struct gomp_map_table *table)
{
  struct gomp_map_chunk *chunk = table->spares;
  if (chunk != NULL)
    {
      table->spares = chunk->next;
      table->num_spares--;
    }
  return chunk;
}

void
gomp_map_trim (struct gomp_device *dev)
{
  lock_table (dev);
  struct gomp_map_chunk *spares = dev->maps->spares;
  dev->maps->spares = NULL;
  dev->maps->num_spares = 0;
  if (dev->maps->open != NULL)
    gomp_map_chunk_unref (dev->maps->open, &spares);
  dev->maps->open = NULL;
  gomp_map_memory_trim (dev->maps);
  unlock_table (dev);
  gomp_map_free_chunks (dev, spares);
}

/* Nothing refers to BLOCK any more.  */
static void
free_block (struct gomp_map_table *table, struct gomp_map_block *block,
	    struct gomp_map_chunk **garbage)
{
  struct gomp_map_entry *entry, *next;
  for (entry = block->entries; entry != NULL; entry = next)
    {
      next = entry->sibling;
      if (entry != &block->first)
	free (entry);
    }
  if (block->chunk != NULL)
    gomp_map_chunk_unref (block->chunk, garbage);
  gomp_map_memory_put (table, block);
}

static void
set_target (struct gomp_map_attach *attach, struct gomp_map_block *target)
{
  attach->target = target;
  if (target == NULL)
    return;
  attach->next = target->pointers;
  if (attach->next != NULL)
    attach->next->prevp = &attach->next;
  attach->prevp = &target->pointers;
  target->pointers = attach;
}

static void
clear_target (struct gomp_map_attach *attach)
{
  if (attach->target == NULL)
    return;
  *attach->prevp = attach->next;
  if (attach->next != NULL)
    attach->next->prevp = attach->prevp;
  attach->target = NULL;
}

struct gomp_map_attach *
gomp_map_attach_new (struct gomp_map_entry *entry, uint64_t addr, struct gomp_map_block *target)
{
  struct gomp_map_attach *attach = gomp_calloc (1, sizeof (*attach));
  attach->node.start = addr;
  attach->node.end = addr + sizeof (void *);
  attach->entry = entry;
  set_target (attach, target);
  gomp_splay_insert (&entry->attached, &attach->node);
  entry->counters = true;
  return attach;
}

void
gomp_map_attach_free (struct gomp_map_attach *attach)
{
  gomp_splay_remove (&attach->entry->attached, &attach->node);
  clear_target (attach);
  free (attach);
}

void
gomp_map_set_pointee (struct gomp_map_entry *entry, struct gomp_map_block *target)
{
  if (entry->pointee == NULL)
    {
      entry->pointee = gomp_calloc (1, sizeof (*entry->pointee));
      entry->pointee->entry = entry;
    }
  clear_target (entry->pointee);
  set_target (entry->pointee, target);
}

/* Take BLOCK off the list of its fill.  */
static void
clear_fill (struct gomp_map_block *block)
{
  if (block->fill == NULL)
    return;
  *block->fill_prevp = block->fill_next;
  if (block->fill_next != NULL)
    block->fill_next->fill_prevp = block->fill_prevp;
  block->fill = NULL;
}

static void
link_leaving (struct gomp_map_table *table, struct gomp_map_block *block)
{
  block->leaving_next = table->leaving;
  if (block->leaving_next != NULL)
    block->leaving_next->leaving_prevp = &block->leaving_next;
  block->leaving_prevp = &table->leaving;
  table->leaving = block;
}

void
gomp_map_leaving (struct gomp_map_table *table, struct gomp_map_block *block,
		  struct gomp_map_batch *batch)
{
  if (block->leaving != NULL)
    return;			/* of this construct: another one would have to wait */
  block->leaving = batch;
  if (!block->mapped)
    link_leaving (table, block);
}

void
gomp_map_has_left (struct gomp_map_block *block)
{
  block->leaving = NULL;
  if (block->leaving_prevp == NULL)
    return;
  *block->leaving_prevp = block->leaving_next;
  if (block->leaving_next != NULL)
    block->leaving_next->leaving_prevp = block->leaving_prevp;
  block->leaving_prevp = NULL;
}

void
gomp_map_remove (struct gomp_map_table *table, struct gomp_map_block *block,
		 struct gomp_map_chunk **garbage)
{
  struct gomp_map_entry *entry;
  for (entry = block->entries; entry != NULL; entry = entry->sibling)
    {
      bool empty = entry->node.start == entry->node.end;
      gomp_range_remove (empty ? &table->empties : &table->ranges, &entry->node);
      while (entry->attached.root != NULL)
	gomp_map_attach_free ((struct gomp_map_attach *) entry->attached.root);
      if (entry->pointee != NULL)
	{
	  clear_target (entry->pointee);
	  free (entry->pointee);
	  entry->pointee = NULL;
	}
      if (entry->link != NULL)
	{
	  entry->link->owner = NULL;
	  entry->link = NULL;
	}
      if (entry->cached)
	table->generation++;
    }
  while (block->pointers != NULL)
    {
      /* The pointers stay attached to what is not there any more.  */
      struct gomp_map_attach *attach = block->pointers;
      block->pointers = attach->next;
      attach->target = NULL;
    }
  if (gomp_unlikely (table->by_device != NULL))
    gomp_map_index_remove (table, block);
  clear_fill (block);
  block->refcount = 0;
  block->mapped = false;
  if (gomp_unlikely (block->leaving != NULL) && block->leaving_prevp == NULL)
    link_leaving (table, block);
  if (block->pins == 0)
    free_block (table, block, garbage);
}

void
gomp_map_unpin (struct gomp_map_table *table, struct gomp_map_block *block,
		struct gomp_map_chunk **garbage)
{
  if (--block->pins == 0 && !block->mapped)
    free_block (table, block, garbage);
}

void
gomp_map_free_chunks (struct gomp_device *dev, struct gomp_map_chunk *garbage)
{
  while (garbage != NULL)
    {
      struct gomp_map_chunk *next = garbage->next;
      /* Acquire: pairs with the store that ended the device's life.  Lost and finalized devices
	 have freed everything already.  */
      if (gomp_load_acquire (&dev->xstate) == GOMP_DEVICE_OPEN)
	gomp_devfree (dev, garbage->dev);
      free (garbage);
      garbage = next;
    }
}

/* ---- Batches ---- */

const void *
gomp_map_thread (void)
{
  return &gomp_own_block;
}

struct gomp_map_batch *
gomp_map_batch_new (void)
{
  return gomp_map_batch_again (gomp_malloc (sizeof (struct gomp_map_batch)));
}

struct gomp_map_batch *
gomp_map_batch_again (struct gomp_map_batch *batch)
{
  atomic_init (&batch->xstate, GOMP_BATCH_PENDING);
  atomic_init (&batch->xrefs, 1);
  batch->event = NULL;
  batch->fills = NULL;
  batch->owner = gomp_map_thread ();
  return batch;
}

void
gomp_map_set_fill (struct gomp_map_block *block, struct gomp_map_batch *batch)
{
  if (block->fill == batch)
    return;
  clear_fill (block);
  block->fill = batch;
  block->fill_next = batch->fills;
  if (block->fill_next != NULL)
    block->fill_next->fill_prevp = &block->fill_next;
  block->fill_prevp = &batch->fills;
  batch->fills = block;
}

static void
set_state (struct gomp_map_batch *batch, enum gomp_batch_state state)
{
  /* Release: waiters see the event, or what the construct did.  */
  if (gomp_swap_acq_rel (&batch->xstate, state) & GOMP_BATCH_WAITED)
    gomp_futex_wake (&batch->xstate, INT_MAX);
}

enum gomp_batch_state
gomp_map_batch_wait (struct gomp_map_batch *batch, enum gomp_batch_state state)
{
  for (;;)
    {
      /* Acquire: the event, or what the construct did.  */
      uint32_t seen = gomp_load_acquire (&batch->xstate);
      bool abandoned = (seen & GOMP_BATCH_STATE) == GOMP_BATCH_ABANDONED;
      if ((seen & GOMP_BATCH_STATE) >= state && !abandoned)
	return seen & GOMP_BATCH_STATE;
      if (gomp_unlikely (batch->owner == gomp_map_thread ()))
	return GOMP_BATCH_DONE;	/* a reverse call, or an exit handler after an error */
      if (gomp_unlikely (state == GOMP_BATCH_DONE && gomp_reverse_serving ()))
	return GOMP_BATCH_DONE;	/* perhaps of the region that waits for the calling thread */
      if (gomp_unlikely (abandoned))
	gomp_await_exit ();
      if (gomp_target_active ())
	{
	  /* It may be that of a target task.  */
	  gomp_target_collect ();
	  if (!gomp_target_need_progress ())
	    continue;
	}
      if ((seen & GOMP_BATCH_WAITED)
	  || gomp_cas_acquire (&batch->xstate, &seen, seen | GOMP_BATCH_WAITED))
	gomp_futex_wait (&batch->xstate, seen | GOMP_BATCH_WAITED);
    }
}

void
gomp_map_batch_recorded (struct gomp_map_batch *batch, struct gomp_plugin_event *event)
{
  batch->event = event;
  set_state (batch, GOMP_BATCH_RECORDED);
}

void
gomp_map_batch_done (struct gomp_map_batch *batch)
{
  while (batch->fills != NULL)
    clear_fill (batch->fills);
  set_state (batch, GOMP_BATCH_DONE);
}

void
gomp_map_batch_abandon (struct gomp_map_batch *batch)
{
  set_state (batch, GOMP_BATCH_ABANDONED);
}

void
gomp_map_batch_unref (struct gomp_device *dev, struct gomp_map_batch *batch)
{
  /* Acquire and release: the last one sees that all others are finished with it.  */
  if (gomp_sub_acq_rel (&batch->xrefs, 1) == 1)
    {
      if (batch->event != NULL)
	gomp_event_put (dev, batch->event);
      free (batch);
    }
}

/* ---- Entries that no construct makes ---- */

static struct gomp_map_block *
insert_permanent (struct gomp_map_table *table, uint64_t start, uint64_t size, gomp_devptr_t addr,
		  const char *construct)
{
  struct gomp_map_block *block = gomp_map_block_new (table, start, size);
  block->dev = addr;
  block->refcount = GOMP_MAP_PERMANENT;
  block->construct = construct;
  gomp_map_insert (table, block, start, start + size);
  if (gomp_unlikely (table->by_device != NULL))
    gomp_map_index_add (table, block);
  return block;
}

void
gomp_map_add_variable (struct gomp_device *dev, uint64_t host_start, uint64_t size,
		       gomp_devptr_t addr, bool is_link, void *image)
{
  struct gomp_map_entry *old;

  if (size == 0 || host_start + size < host_start)
    return;
  lock_table (dev);
  struct gomp_map_table *table = dev->maps;
  if (is_link)
    {
      if (gomp_splay_overlap (&table->links, host_start, host_start + size) == NULL)
	{
	  struct gomp_map_link *link = gomp_calloc (1, sizeof (*link));
	  link->node.start = host_start;
	  link->node.end = host_start + size;
	  link->pointer = addr;
	  link->image = image;
	  gomp_splay_insert (&table->links, &link->node);
	}
    }
  else if ((old = gomp_map_find_range (table, host_start, host_start + size)) == NULL)
    insert_permanent (table, host_start, size, addr, "declare target")->image = image;
  else
    /* Mapped as ordinary data before its image came.  Regions of the image use the image's
       copy, everybody else the mapping, until that ends.  */
    gomp_debug (1, "device %d: variable [%p..%p) is mapped already as [%p..%p)", dev->number,
		(void *) host_start, (void *) (host_start + size), (void *) old->node.start,
		(void *) old->node.end);
  unlock_table (dev);
}

void
gomp_map_drop_image (struct gomp_device *dev, void *image)
{
  struct gomp_map_chunk *garbage = NULL;
  struct gomp_splay_node *node, *next;
  struct gomp_range *range, *next_range;

  lock_table (dev);
  struct gomp_map_table *table = dev->maps;
  for (range = gomp_range_first (&table->ranges); range != NULL; range = next_range)
    {
      /* All entries of the block may go, but they are siblings of the same image.  */
      uint64_t start = range->start;
      struct gomp_map_entry *entry = entry_of (range);
      if (entry->block->image == image || (entry->link != NULL && entry->link->image == image))
	gomp_map_remove (table, entry->block, &garbage);
      next_range = gomp_range_above (&table->ranges, start);
    }
  for (node = gomp_splay_first (&table->links); node != NULL; node = next)
    {
      next = gomp_splay_above (&table->links, node->start);
      struct gomp_map_link *link = (struct gomp_map_link *) node;
      if (link->image == image)
	{
	  /* Parts that were mapped when another one had the device's pointer.  */
	  struct gomp_map_entry *part;
	  while ((part = gomp_map_find_range (table, node->start, node->end)) != NULL)
	    gomp_map_remove (table, part->block, &garbage);
	  gomp_splay_remove (&table->links, node);
	  free (link);
	}
    }
  unlock_table (dev);
  gomp_map_free_chunks (dev, garbage);
}

bool
gomp_map_in_use (struct gomp_device *dev)
{
  lock_table (dev);
  struct gomp_map_table *table = dev->maps;
  bool used = table->empties.count > 0 || table->leaving != NULL;
  for (struct gomp_range *range = gomp_range_first (&table->ranges); range != NULL && !used;
       range = gomp_range_above (&table->ranges, range->start))
    used = entry_of (range)->block->image == NULL;
  unlock_table (dev);
  return used;
}

bool
gomp_map_is_present (struct gomp_device *dev, const void *addr)
{
  /* The tree alone knows: the entry is not touched.  */
  lock_table (dev);
  bool present = gomp_range_at (&dev->maps->ranges, (uint64_t) addr) != NULL;
  unlock_table (dev);
  return present;
}

/* Walk the entries: the index by device address costs every later mapping something.  */
bool
gomp_map_has_device_range (struct gomp_device *dev, gomp_devptr_t addr, size_t size)
{
  bool found = false;
  lock_table (dev);
  struct gomp_range_tree *ranges = &dev->maps->ranges;
  struct gomp_range *r = gomp_range_first (ranges);
  for (; r != NULL && !found; r = gomp_range_above (ranges, r->start))
    {
      const struct gomp_map_block *b = ((struct gomp_map_entry *) r)->block;
      found = addr >= b->dev && addr - b->dev < b->size && size <= b->size - (addr - b->dev);
    }
  unlock_table (dev);
  return found;
}

bool
gomp_map_translate_addr (struct gomp_device *dev, const void *addr, gomp_devptr_t *result)
{
  lock_table (dev);
  struct gomp_map_entry *entry = gomp_map_find_byte (dev->maps, (uint64_t) addr);
  if (entry != NULL)
    *result = gomp_map_dev (entry->block, (uint64_t) addr);
  unlock_table (dev);
  return entry != NULL;
}

int
gomp_map_associate (struct gomp_device *dev, const void *host, gomp_devptr_t addr, size_t size)
{
  uint64_t start = (uint64_t) host, end = start + size;
  int result = 0;

  if (start == 0 || addr == 0 || size == 0 || end < start)
    return EINVAL;
  lock_table (dev);
  struct gomp_map_entry *entry = gomp_map_find_range (dev->maps, start, end);
  if (entry == NULL)
    insert_permanent (dev->maps, start, size, addr, "omp_target_associate_ptr")->associated = true;
  else if (gomp_map_dev (entry->block, entry->node.start) != addr || entry->node.start > start
	   || entry->node.end < end)
    result = EINVAL;
  unlock_table (dev);
  return result;
}

int
gomp_map_disassociate (struct gomp_device *dev, const void *host)
{
  struct gomp_map_chunk *garbage = NULL;
  int result = EINVAL;

  lock_table (dev);
  struct gomp_map_entry *entry = gomp_map_find_byte (dev->maps, (uint64_t) host);
  if (entry != NULL && entry->node.start == (uint64_t) host && entry->block->associated)
    {
      gomp_map_remove (dev->maps, entry->block, &garbage);
      result = 0;
    }
  unlock_table (dev);
  gomp_map_free_chunks (dev, garbage);
  return result;
}
