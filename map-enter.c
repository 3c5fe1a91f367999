/* map-enter.c -- planning the entry side: target, target data, target enter data.

   Under map_lock, in this order:
   1. data items in list order: look up, count, make entries (gomp_map_lookup_* see what
      earlier items of the construct made);
   2. one reservation of device memory for everything new (map-layout.c);
   3. copies, then the words that the items' pointers get, in list order;
   4. attachments, after all data items: the order in the list does not matter;
   5. addresses handed back to the caller (use_device);
   6. for target: the copies back that can be foreseen, so that they are enqueued behind the
      region and one wait suffices.

   On 6: an item whose block this construct alone has counted is copied back behind the region.
   Another construct that finds the block meanwhile waits until the copy is done, as if it had
   come later (invariant 5 of map-table.h); otherwise the copy could overwrite what its thread
   stores on the host.  Items with always are copied behind the region, too, whoever else uses the
   block; if others have left it in the meantime and this construct is the last one, they are
   copied once more (map-exit.c).  */

#include "map-check.h"
#include "map-plan.h"
#include "ompt-target.h"

static inline uint64_t
read_pointer (uint64_t addr)
{
  uint64_t value;
  memcpy (&value, (const void *) addr, sizeof (value));
  return value;
}

/* The construct uses BLOCK as a list item: its count grows, once.  */
static inline void
count_up (struct gomp_map_plan *plan, struct gomp_map_block *block)
{
  struct gomp_map_touch *touch = gomp_map_touch_block (plan, block);
  if (touch->counted)
    return;
  touch->counted = true;
  if (block->refcount != GOMP_MAP_PERMANENT)
    {
      block->refcount++;
      if (plan->directive == GOMP_DIR_ENTER)
	block->dynamic++;
    }
}

static inline void
add_exit (struct gomp_map_plan *plan, struct gomp_map_entry *entry, uint64_t start, uint64_t end,
	  unsigned flags)
{
  if (plan->directive == GOMP_DIR_ENTER)
    return;
  struct gomp_map_exit *pending = gomp_vec_push (&plan->exits);
  *pending = (struct gomp_map_exit) {
    .entry = entry, .start = start, .end = end,
    .from = (flags & GOMP_ITEM_FROM) != 0, .always = (flags & GOMP_ITEM_ALWAYS) != 0
  };
}

/* ---- New blocks ---- */

struct gomp_map_block *
gomp_map_new_block (struct gomp_map_plan *plan, uint64_t start, uint64_t end, unsigned log2_align,
		    uint64_t align_base)
{
  struct gomp_map_block *block = gomp_map_block_new (plan->dev->maps, start, end - start);

  block->construct = plan->note->construct;
  block->call_site = plan->note->call_site;
  block->log2_align = log2_align;
  block->align_base = align_base;
  block->new_next = plan->new_blocks;
  plan->new_blocks = block;
  gomp_map_await_leavers (plan, start, end);
  count_up (plan, block);
  return block;
}

struct gomp_map_entry *
gomp_map_new_entry (struct gomp_map_plan *plan, struct gomp_map_block *block, uint64_t start,
		    uint64_t end)
{
  struct gomp_map_table *table = plan->dev->maps;
  struct gomp_map_entry *entry = gomp_map_insert (table, block, start, end);

  if (gomp_unlikely (table->links.root != NULL) && start < end)
    {
      /* The first mapped part of a link variable gets the device's pointer.  */
      struct gomp_splay_node *node = gomp_splay_overlap (&table->links, start, end);
      struct gomp_map_link *link = (struct gomp_map_link *) node;
      if (node != NULL && link->owner == NULL && node->start <= start && node->end >= end)
	{
	  link->owner = entry;
	  entry->link = link;
	}
    }
  return entry;
}

/* ---- Data items ---- */

/* The entry for ITEM's range [start, end), found or made; counted.  What is found must hold the
   range, or for an implicit item lie in it: then *START and *END are cut.  */
static struct gomp_map_entry *
find_or_make (struct gomp_map_plan *plan, struct gomp_map_item *item, uint64_t *start,
	      uint64_t *end)
{
  struct gomp_map_entry *entry;

  if (*start == *end)
    entry = gomp_map_find_empty (plan->dev->maps, *start);
  else
    entry = gomp_map_lookup_range (plan, *start, *end);
  if (entry == NULL)
    {
      struct gomp_map_block *block
	= gomp_map_new_block (plan, *start, *end, item->log2_align, *start);
      entry = gomp_map_new_entry (plan, block, *start, *end);
      item->flags |= GOMP_ITEM_NEW;
    }
  else
    {
      if (*start < entry->node.start || *end > entry->node.end)
	{
	  if (!(item->flags & GOMP_ITEM_IMPLICIT)
	      || *start > entry->node.start || *end < entry->node.end)
	    gomp_map_overlap (plan, *start, *end, entry);
	  *start = entry->node.start;
	  *end = entry->node.end;
	}
      count_up (plan, entry->block);
    }
  item->entry = entry;
  return entry;
}

/* Was BLOCK made by this construct?  */
static inline bool
is_new (const struct gomp_map_plan *plan, const struct gomp_map_block *block)
{
  return block->touched == plan->construct && block->dev == 0;
}

static void
data_item (struct gomp_map_plan *plan, struct gomp_map_item *item, struct gomp_map_item *next)
{
  uint64_t start = item->host, end = start + item->size;

  if (end < start)
    gomp_map_wraps (plan, item);
  if ((item->flags & GOMP_ITEM_PRESENT) && start < end
      && gomp_map_lookup_range (plan, start, end) == NULL)
    {
      /* Fortran: the descriptor is present, its data is not: the data is mapped.  */
      if (next == NULL || next->op != GOMP_OP_DESCRIPTOR || next->size == 0
	  || gomp_map_lookup_range (plan, next->host, next->host + next->size) == NULL)
	gomp_map_not_present (plan, start, item->size);
      item->flags |= GOMP_ITEM_TO;
    }

  struct gomp_map_entry *entry = find_or_make (plan, item, &start, &end);
  struct gomp_map_block *block = entry->block;
  bool made = is_new (plan, block);
  if ((item->flags & GOMP_ITEM_TO)
      && (made ? !entry->filled || entry->node.start != start || entry->node.end != end
	  : (item->flags & GOMP_ITEM_ALWAYS) != 0))
    {
      item->flags |= GOMP_ITEM_COPY;
      if (made)
	{
	  block->wants_data = true;
	  if (entry->node.start == start && entry->node.end == end)
	    entry->filled = true;
	}
    }
  if (item->flags & GOMP_ITEM_FROM)
    {
      add_exit (plan, entry, start, end, item->flags);
      if (made && plan->directive == GOMP_DIR_TARGET)
	block->wants_result = true;
    }
}

/* The common case of data_item: the thread has found the entry before, and it holds all of
   the item.  It was not made by this construct, since such entries are not cached.  */
static inline bool
data_item_again (struct gomp_map_plan *plan, struct gomp_map_item *item)
{
  uint64_t start = item->host, end = start + item->size;
  struct gomp_map_entry *entry = start < end ? gomp_map_cached (plan, start, end) : NULL;

  if (entry == NULL)
    return false;
  item->entry = entry;
  count_up (plan, entry->block);
  if ((item->flags & (GOMP_ITEM_TO | GOMP_ITEM_ALWAYS)) == (GOMP_ITEM_TO | GOMP_ITEM_ALWAYS))
    item->flags |= GOMP_ITEM_COPY;
  if (item->flags & GOMP_ITEM_FROM)
    add_exit (plan, entry, start, end, item->flags);
  return true;
}

static void
zero_length_item (struct gomp_map_plan *plan, struct gomp_map_item *item)
{
  item->entry = gomp_map_lookup_byte (plan, item->host);
  if (item->entry != NULL)
    count_up (plan, item->entry->block);
  else
    item->value = item->host;	/* keeps the host value */
}

static void
pointer_item (struct gomp_map_plan *plan, struct gomp_map_item *item)
{
  uint64_t start = item->host, end = start + sizeof (void *);

  if (item->flags & GOMP_ITEM_CONSUMED)
    return;
  struct gomp_map_entry *entry = find_or_make (plan, item, &start, &end);
  if (item->flags & GOMP_ITEM_NEW)
    {
      /* Its word is all there is of it: it travels with the data.  */
      item->flags |= GOMP_ITEM_WRITE;
      entry->block->wants_data = true;
    }
  else if (gomp_unlikely (gomp_map_is_dangling (entry)) && read_pointer (start) != 0
	   && gomp_map_find_pointer (plan->dev->maps, read_pointer (start) + item->size) != NULL)
    /* It was mapped when it was NULL, or its target has been unmapped since: GCC 12 leaves
       such pointers behind (exit data of dummy arguments).  */
    item->flags |= GOMP_ITEM_WRITE;
}

static inline bool
is_pointer_op (const struct gomp_map_item *item)
{
  return item->op == GOMP_OP_POINTER || item->op == GOMP_OP_STORE_POINTER;
}

/* ITEM is an array descriptor, of whose pointers those follow up to END of the list that lie in
   it.  */
static void
descriptor_item (struct gomp_map_plan *plan, struct gomp_map_item *item,
		 struct gomp_map_item *list_end)
{
  uint64_t start = item->host, end = start + item->size;
  struct gomp_map_item *p, *first = item + 1, *last = first;

  if (item->size == 0)
    {
      data_item (plan, item, NULL);
      return;
    }
  while (last < list_end && is_pointer_op (last) && last->host >= start
	 && last->host + sizeof (void *) <= end)
    last++;

  struct gomp_map_entry *entry = find_or_make (plan, item, &start, &end);
  bool made = is_new (plan, entry->block) && !entry->filled;
  bool copy = made;
  if (made)
    {
      entry->filled = true;
      entry->block->wants_data = true;
      if (first == last)
	entry->null_descriptor = item->size >= sizeof (void *) && read_pointer (start) == 0;
      for (p = first; p < last; p++)
	if (read_pointer (p->host) == 0)
	  entry->null_descriptor = true;
    }
  else
    {
      /* Allocated late, after the descriptor was mapped: it has bounds only now.  */
      bool stale = (entry->null_descriptor || gomp_map_is_dangling (entry)
		    || entry->block->refcount == GOMP_MAP_PERMANENT);
      for (p = first; p < last; p++)
	if (p->op == GOMP_OP_STORE_POINTER || (stale && read_pointer (p->host) != 0))
	  copy = true;
      /* A component, whose pointer will be attached: what is not attached yet was not
	 allocated when the struct was mapped.  */
      if (first == last && item->size >= sizeof (void *) && read_pointer (start) != 0
	  && (entry->null_descriptor || gomp_map_find_attach (entry, start) == NULL))
	copy = true;
    }
  if (copy)
    item->flags |= GOMP_ITEM_COPY;
  for (p = first; p < last; p++)
    {
      p->entry = entry;
      p->flags |= GOMP_ITEM_CONSUMED;
      if (copy)
	p->flags |= GOMP_ITEM_WRITE;
    }
}

static void
data_pass (struct gomp_map_plan *plan)
{
  struct gomp_map_item *items = plan->items.v, *end = items + plan->items.n;

  for (struct gomp_map_item *item = items; item < end; item++)
    switch ((enum gomp_map_op) item->op)
      {
      case GOMP_OP_STRUCT:
	gomp_map_struct (plan, item - items);
	break;
      case GOMP_OP_DATA:
	if (!data_item_again (plan, item))
	  data_item (plan, item, item + 1 < end ? item + 1 : NULL);
	break;
      case GOMP_OP_ZERO_LENGTH:
	zero_length_item (plan, item);
	break;
      case GOMP_OP_POINTER:
	pointer_item (plan, item);
	break;
      case GOMP_OP_DESCRIPTOR:
	descriptor_item (plan, item, end);
	break;
      case GOMP_OP_VALUE:
	item->value = item->host;
	break;
      case GOMP_OP_NONE:
      case GOMP_OP_STORE_POINTER:
      case GOMP_OP_ATTACH:
      case GOMP_OP_USE_DEVICE:
      case GOMP_OP_PRIVATE:
      case GOMP_OP_DETACH:
      case GOMP_OP_RELEASE:
      case GOMP_OP_DELETE:
      case GOMP_OP_COUNT:
	break;
      }
}

/* Like find_byte, for a pointer variable; NULL: the variable is not mapped.  */
static struct gomp_map_entry *
find_pointer_variable (struct gomp_map_plan *plan, uint64_t addr)
{
  struct gomp_map_entry *entry = gomp_map_lookup_byte (plan, addr);
  return entry != NULL && entry->node.end >= addr + sizeof (void *) ? entry : NULL;
}

/* A word will be stored into the new blocks that hold pointers to be attached: it travels with
   them.  */
static void
expect_attachments (struct gomp_map_plan *plan)
{
  for (size_t i = 0; i < plan->items.n; i++)
    {
      const struct gomp_map_item *item = &plan->items.v[i];
      if (item->op != GOMP_OP_ATTACH || (item->flags & GOMP_ITEM_CONSUMED))
	continue;
      struct gomp_map_entry *entry = find_pointer_variable (plan, item->host);
      if (entry != NULL && is_new (plan, entry->block))
	entry->block->wants_data = true;
    }
}

/* ---- Copies and words ---- */

/* Device value of the pointer at ITEM's host address, in ITEM's entry, which is or is part of
   what the item stands for.  */
static uint64_t
pointer_value (struct gomp_map_plan *plan, const struct gomp_map_item *item)
{
  uint64_t value = read_pointer (item->host);
  gomp_map_set_pointee (item->entry, NULL);
  if (value == 0)
    return 0;
  struct gomp_map_entry *target = gomp_map_find_pointer (plan->dev->maps, value + item->size);
  if (target == NULL)
    {
      if (item->flags & GOMP_ITEM_LENIENT)
	return value;
      const struct gomp_map_trouble trouble = {
	.what = "not mapped", .start = value + item->size, .end = value + item->size,
	.advice = "map what the pointer points to, in this construct or an earlier one"
      };
      gomp_map_range_fatal (plan, &trouble, "Pointer target of array section wasn't mapped (the pointer"
			 " at %p points to %p)", (void *) item->host,
			 (void *) (value + item->size));
    }
  gomp_map_await_fill (plan, target->block);
  gomp_map_set_pointee (item->entry, target->block);
  return gomp_map_dev (target->block, value + item->size) - item->size;
}

static void
store_pointer (struct gomp_map_plan *plan, struct gomp_map_item *item,
	       const struct gomp_map_item *before)
{
  struct gomp_map_entry *entry = find_pointer_variable (plan, item->host);
  if (entry == NULL)
    {
      const struct gomp_map_trouble trouble = {
	.what = "the pointer", .start = item->host, .end = item->host + sizeof (void *),
	.advice = "map the structure that holds the pointer, in this construct or an earlier one"
      };
      gomp_map_range_fatal (plan, &trouble, "always pointer not mapped (%p)", (void *) item->host);
    }
  uint64_t value = before != NULL ? before->value : 0;
  gomp_devptr_t dev = gomp_map_dev (entry->block, item->host);
  gomp_map_touch_block (plan, entry->block);
  gomp_map_writes (plan, entry->block);
  gomp_map_store_word (plan, dev, value != 0 ? value - item->size : 0);
  item->value = dev;
}

/* A private copy; NEXT may be the attachment that goes with it.  */
static void
private_item (struct gomp_map_plan *plan, struct gomp_map_item *item,
	      const struct gomp_map_item *next)
{
  struct gomp_xfer *xfer;

  if (item->size > 0)
    {
      if (item->value - plan->base < plan->staged_size)
	xfer = gomp_vec_push (&plan->packed);
      else
	xfer = gomp_vec_push (&plan->to);
      xfer->dev = item->value;
      xfer->host = (void *) item->host;
      xfer->size = item->size;
    }
  item->low = item->value;
  item->high = item->value + item->size;
  plan->hostaddrs[item->slot] = (void *) item->value;
  if (next != NULL && (next->flags & GOMP_ITEM_CONSUMED) && next->op == GOMP_OP_ATTACH)
    /* Its address is a slot of the caller's array, which holds the device address of the
       descriptor's copy by now.  */
    gomp_map_store_word (plan, read_pointer (next->host) + next->size, item->value);
}

static void
copy_pass (struct gomp_map_plan *plan)
{
  struct gomp_map_item *items = plan->items.v, *end = items + plan->items.n;

  for (struct gomp_map_item *item = items; item < end; item++)
    {
      struct gomp_map_entry *entry = item->entry;
      item->low = item->high = 0;
      if (entry != NULL)
	{
	  item->value = gomp_map_dev (entry->block, item->host);
	  item->low = gomp_map_dev (entry->block, entry->node.start);
	  item->high = gomp_map_dev (entry->block, entry->node.end);
	}
      if (item->flags & GOMP_ITEM_COPY)
	{
	  uint64_t from = item->host, to = from + item->size;
	  if (from < entry->node.start)
	    from = entry->node.start;
	  if (to > entry->node.end)
	    to = entry->node.end;
	  gomp_map_copy_to (plan, entry, from, to);
	  gomp_map_writes (plan, entry->block);
	}
      if (entry != NULL && entry->link != NULL && entry->link->owner == entry
	  && !(plan->dev->attr.caps & GOMP_CAP_LINK_IN_PLACE)
	  && (item->flags & (GOMP_ITEM_NEW | GOMP_ITEM_MEMBER)))
	{
	  /* The whole variable as if all of it were there.  */
	  gomp_map_store_word (plan, entry->link->pointer,
			       gomp_map_dev (entry->block, entry->link->node.start));
	  gomp_map_writes (plan, entry->block);
	}
    }
  if (!gomp_map_has (plan, GOMP_OP_BIT (GOMP_OP_POINTER) | GOMP_OP_BIT (GOMP_OP_STORE_POINTER)
			   | GOMP_OP_BIT (GOMP_OP_PRIVATE)))
    return;
  for (struct gomp_map_item *item = items; item < end; item++)
    switch ((enum gomp_map_op) item->op)
      {
      case GOMP_OP_POINTER:
	if (item->flags & GOMP_ITEM_WRITE)
	  {
	    gomp_map_store_word (plan, item->value, pointer_value (plan, item));
	    gomp_map_writes (plan, item->entry->block);
	  }
	break;
      case GOMP_OP_STORE_POINTER:
	if (!(item->flags & GOMP_ITEM_CONSUMED))
	  store_pointer (plan, item, item > items ? item - 1 : NULL);
	else if (item->flags & GOMP_ITEM_WRITE)
	  gomp_map_store_word (plan, item->value, pointer_value (plan, item));
	break;
      case GOMP_OP_PRIVATE:
	private_item (plan, item, item + 1 < end ? item + 1 : NULL);
	break;
      default:
	break;
      }
}

/* ---- Attachments ---- */

/* Does the construct have an item without bytes at ADDR?  Nothing needs to be mapped there.  */
static bool
has_empty_item (const struct gomp_map_plan *plan, uint64_t addr)
{
  for (size_t i = 0; i < plan->items.n; i++)
    {
      const struct gomp_map_item *item = &plan->items.v[i];
      if (item->host == addr && item->size == 0
	  && (item->op == GOMP_OP_ZERO_LENGTH || item->op == GOMP_OP_DATA))
	return true;
    }
  return false;
}

static void
attach_item (struct gomp_map_plan *plan, struct gomp_map_item *item)
{
  struct gomp_map_entry *entry = find_pointer_variable (plan, item->host);
  if (entry == NULL)
    return;			/* a pointer that is not mapped stays as it is */

  gomp_map_touch_block (plan, entry->block);
  item->entry = entry;
  item->value = gomp_map_dev (entry->block, item->host);
  struct gomp_map_attach *attach = gomp_map_find_attach (entry, item->host);
  if (attach != NULL)
    {
      if (attach->count == UINT32_MAX)
	gomp_map_fatal (plan, "attach count overflow (the pointer at %p)", (void *) item->host);
      attach->count++;
    }
  else
    {
      uint64_t value = read_pointer (item->host);
      struct gomp_map_block *block = NULL;
      if (value != 0)
	{
	  uint64_t addr = value + item->size;
	  struct gomp_map_entry *target = gomp_map_lookup_byte (plan, addr);
	  if (target != NULL)
	    {
	      block = target->block;
	      gomp_map_await_fill (plan, block);
	      value = gomp_map_dev (block, addr) - item->size;
	    }
	  else if (!(item->flags & GOMP_ITEM_LENIENT) && plan->directive != GOMP_DIR_ENTER
		   && !has_empty_item (plan, addr))
	    {
	      const struct gomp_map_trouble trouble = {
		.what = "not mapped", .start = addr, .end = addr,
		.advice = "map the section that the pointer points to, in this construct or an"
			  " earlier one: map(s, s.p[:n])"
	      };
	      gomp_map_range_fatal (plan, &trouble, "pointer target not mapped for attach (the pointer"
				 " at %p points to %p)", (void *) item->host, (void *) addr);
	    }
	}
      attach = gomp_map_attach_new (entry, item->host, block);
      attach->count = 1;
      plan->attaches = true;
      gomp_map_writes (plan, entry->block);
      gomp_map_store_word (plan, item->value, value);
    }
  if (plan->directive != GOMP_DIR_ENTER)
    {
      add_exit (plan, entry, item->host, item->host + sizeof (void *), 0);
      plan->exits.v[plan->exits.n - 1].detach = plan->has_detach = true;
    }
}

/* The caller gets the device address that belongs to ITEM's host address.  */
static void
use_device_item (struct gomp_map_plan *plan, struct gomp_map_item *item)
{
  struct gomp_map_table *table = plan->dev->maps;
  struct gomp_map_entry *entry = gomp_map_find_pointer (table, item->host);
  uint64_t value = item->host;

  if (entry == NULL)
    {
      /* The pointer itself may point below the section of it that is mapped: its attachment in
	 this directive tells by how much.  Otherwise it keeps its value.  */
      for (size_t i = 0; i < plan->items.n && entry == NULL; i++)
	{
	  const struct gomp_map_item *other = &plan->items.v[i];
	  if (other->op == GOMP_OP_ATTACH && read_pointer (other->host) == item->host)
	    {
	      entry = gomp_map_find_byte (table, item->host + other->size);
	      if (entry != NULL)
		value = gomp_map_dev (entry->block, item->host + other->size) - other->size;
	    }
	}
    }
  else
    value = gomp_map_dev (entry->block, item->host);
  if (entry != NULL)
    gomp_map_await_fill (plan, entry->block);
  plan->hostaddrs[item->slot] = (void *) value;
}

/* ---- The whole ---- */

static void
foresee_results (struct gomp_map_plan *plan)
{
  /* A reverse call of the region may use the blocks before it is complete, and must not wait.  */
  if (gomp_unlikely (gomp_requires_mask () & GOMP_REQUIRES_REVERSE_OFFLOAD))
    return;
  for (size_t i = 0; i < plan->exits.n; i++)
    {
      struct gomp_map_exit *pending = &plan->exits.v[i];
      if (pending->from && (pending->always || pending->entry->block->refcount == 1))
	{
	  gomp_map_copy_from (plan, pending->entry, pending->start, pending->end);
	  if (pending->entry->block->refcount == 1)
	    gomp_map_leaving (plan->dev->maps, pending->entry->block, gomp_map_batch (plan));
	  pending->done = true;
	}
    }
}

void
gomp_map_enter (struct gomp_map_plan *plan)
{
  struct gomp_map_item *item, *end;

  gomp_map_lock (plan);
  plan->entered = plan->construct;
  plan->keep_pins = plan->directive != GOMP_DIR_ENTER;
  data_pass (plan);
  if (plan->new_blocks != NULL && gomp_map_has (plan, GOMP_OP_BIT (GOMP_OP_ATTACH)))
    expect_attachments (plan);
  gomp_map_layout (plan);
  if (gomp_unlikely (plan->dev->maps->by_device != NULL))
    for (struct gomp_map_block *block = plan->new_blocks; block != NULL; block = block->new_next)
      gomp_map_index_add (plan->dev->maps, block);
  copy_pass (plan);
  end = plan->items.v + plan->items.n;
  if (gomp_map_has (plan, GOMP_OP_BIT (GOMP_OP_ATTACH)))
    for (item = plan->items.v; item < end; item++)
      if (item->op == GOMP_OP_ATTACH && !(item->flags & GOMP_ITEM_CONSUMED))
	attach_item (plan, item);
  if (plan->directive == GOMP_DIR_DATA && gomp_map_has (plan, GOMP_OP_BIT (GOMP_OP_USE_DEVICE)))
    for (item = plan->items.v; item < end; item++)
      if (item->op == GOMP_OP_USE_DEVICE)
	use_device_item (plan, item);
  if (plan->directive == GOMP_DIR_TARGET)
    foresee_results (plan);
  if (gomp_unlikely (gomp_info_enabled))
    {
      size_t made = 0, found = 0;
      for (struct gomp_map_block *block = plan->new_blocks; block != NULL; block = block->new_next)
	{
	  made++;
	  gomp_info_line (plan->dev, "%s maps [%p..%p) to %#llx", plan->note->construct,
			  (void *) block->host, (void *) (block->host + block->size),
			  (unsigned long long) block->dev);
	}
      for (size_t i = 0; i < plan->touches.n; i++)
	found += plan->touches.v[i].counted;
      gomp_info_count (plan->dev, GOMP_INFO_MAPS_NEW, made);
      gomp_info_count (plan->dev, GOMP_INFO_MAPS_FOUND, found - made);
    }
  if (gomp_unlikely (gomp_check_enabled))
    gomp_check_mapped (plan);
  if (gomp_ompt_on ())
    {
      for (struct gomp_map_block *block = plan->new_blocks; block != NULL; block = block->new_next)
	gomp_map_changed (plan, block, false);
      for (item = plan->items.v; item < end; item++)
	if (item->op == GOMP_OP_DATA || item->op == GOMP_OP_ZERO_LENGTH
	    || item->op == GOMP_OP_POINTER || item->op == GOMP_OP_DESCRIPTOR)
	  gomp_map_mapped (plan, item, item->entry);
    }
  if (gomp_unlikely (plan->deferred) && plan->directive == GOMP_DIR_TARGET)
    gomp_map_give_back (plan);
  plan->new_blocks = NULL;
  gomp_map_planned (plan);
}
