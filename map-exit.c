/* map-exit.c -- planning the end side: target exit data, the end of target and target data.

   Under map_lock, in this order:
   1. pointers are detached, so that nothing is copied out with a device address in it;
   2. counts go down, each once, deletes to zero;
   3. with the counts final, what is to be copied out is known: always, or the count is zero;
   4. blocks whose count is zero leave the table, all entries of a block together.  The memory
      stays until the copies are complete: the construct has them pinned.

   A block that vanished since the region began (deleted inside of it, its image unloaded) has
   nothing to be done for any more, and what was mapped at its place since then belongs to somebody
   else.  */

#include "map-check.h"
#include "map-plan.h"
#include "ompt-target.h"

/* The pointer at ADDR in ENTRY loses one attachment; with the last one its device copy gets
   the host's value back.  The attachment itself stays until the copies are planned, because the
   word must not be copied out.  */
static void
detach_one (struct gomp_map_plan *plan, struct gomp_map_entry *entry,
	    struct gomp_map_attach *attach)
{
  if (--attach->count == 0)
    {
      struct gomp_map_detached *detached = gomp_vec_push (&plan->detached);
      detached->entry = entry;
      detached->attach = attach;
    }
}

/* Copies are planned: pointers without attachments become ordinary words again.  */
static void
finish_detached (struct gomp_map_plan *plan)
{
  for (size_t i = 0; i < plan->detached.n; i++)
    {
      struct gomp_map_entry *entry = plan->detached.v[i].entry;
      struct gomp_map_attach *attach = plan->detached.v[i].attach;
      uint64_t addr = attach->node.start, value;

      if (entry->block->refcount > 0)
	{
	  memcpy (&value, (const void *) addr, sizeof (value));
	  gomp_map_store_word (plan, gomp_map_dev (entry->block, addr), value);
	  gomp_map_writes (plan, entry->block);
	}
      gomp_map_attach_free (attach);
    }
  plan->detached.n = 0;
}

/* The construct ends one use of BLOCK.  */
static void
count_down (struct gomp_map_plan *plan, struct gomp_map_touch *touch)
{
  struct gomp_map_block *block = touch->block;

  if (block->refcount == GOMP_MAP_PERMANENT)
    return;
  if (block->refcount > 0)
    block->refcount--;
  if (plan->directive == GOMP_DIR_EXIT && block->dynamic > 0)
    block->dynamic--;
}

/* Copy out what EXIT asks for, now that the counts are final.  */
static void
copy_out (struct gomp_map_plan *plan, const struct gomp_map_exit *pending)
{
  struct gomp_map_block *block = pending->entry->block;

  if (!pending->from || !(pending->always || block->refcount == 0))
    return;
  /* What was copied behind the kernel is up to date, unless another construct came in
     between, which then was not the last one to leave and has copied nothing.  */
  if (pending->done && !(block->refcount == 0 && plan->touches.v[block->touch_index].others))
    return;
  gomp_map_await_fill (plan, block);
  if (block->refcount == 0)
    gomp_map_await_users (plan, block);
  gomp_map_copy_from (plan, pending->entry, pending->start, pending->end);
  if (block->refcount == 0)
    gomp_map_leaving (plan->dev->maps, block, gomp_map_batch (plan));
}

/* Remove every block that the construct has counted to zero.  */
static void
remove_unused (struct gomp_map_plan *plan)
{
  size_t removed = 0;

  for (size_t i = 0; i < plan->touches.n; i++)
    {
      struct gomp_map_block *block = plan->touches.v[i].block;
      if (block->mapped && block->refcount == 0)
	{
	  if (gomp_unlikely (gomp_info_enabled))
	    gomp_info_line (plan->dev, "%s unmaps [%p..%p)", plan->note->construct,
			    (void *) block->host, (void *) (block->host + block->size));
	  if (gomp_unlikely (gomp_check_enabled))
	    gomp_check_unmapped (plan, block);
	  if (gomp_ompt_on ())
	    gomp_map_changed (plan, block, true);
	  gomp_map_remove (plan->dev->maps, block, &plan->garbage);
	  removed++;
	}
    }
  if (gomp_unlikely (gomp_info_enabled))
    gomp_info_count (plan->dev, GOMP_INFO_UNMAPS, removed);
}

static void
end_side (struct gomp_map_plan *plan)
{
  for (size_t i = 0; i < plan->exits.n; i++)
    if (plan->exits.v[i].entry->block->mapped)
      copy_out (plan, &plan->exits.v[i]);
  finish_detached (plan);
  remove_unused (plan);
  plan->exits.n = 0;
}

/* ---- The end of a region ---- */

/* A region that found everything present changes no count that matters: what it adds is taken away
   again before anybody sees it, and its end has nothing to decide.  So a task that comes after
   it may be planned while it still runs.  Its pins keep the memory; who unmaps one of
   its blocks meanwhile finds it in the list of users.  */
void
gomp_map_give_back (struct gomp_map_plan *plan)
{
  struct gomp_map_table *table = plan->dev->maps;

  if (plan->new_blocks != NULL || plan->attaches)
    return;
  for (size_t i = 0; i < plan->exits.n; i++)
    if (plan->exits.v[i].detach)
      gomp_map_find_attach (plan->exits.v[i].entry, plan->exits.v[i].start)->count--;
  for (size_t i = 0; i < plan->touches.n; i++)
    {
      struct gomp_map_touch *touch = &plan->touches.v[i];
      if (touch->counted && touch->block->refcount != GOMP_MAP_PERMANENT)
	touch->block->refcount--;
      touch->counted = false;
    }
  plan->exits.n = 0;
  plan->one_phase = true;
  plan->user_next = table->users;
  if (plan->user_next != NULL)
    plan->user_next->user_prevp = &plan->user_next;
  plan->user_prevp = &table->users;
  table->users = plan;
}


void
gomp_map_leave (struct gomp_map_plan *plan)
{
  plan->to.n = plan->from.n = plan->packed.n = plan->unpacked.n = plan->stores.n = 0;
  plan->staged_size = plan->back_size = 0;
  plan->args = 0;
  gomp_map_lock (plan);
  plan->keep_pins = false;
  gomp_map_complete (plan);	/* the entry side of this region, and its kernel */
  for (size_t i = 0; i < plan->touches.n; i++)
    {
      struct gomp_map_touch *touch = &plan->touches.v[i];
      touch->others = touch->block->touched != plan->entered;
      touch->block->touched = plan->construct;
      touch->block->touch_index = i;
      if (touch->counted && touch->block->mapped)
	count_down (plan, touch);
    }
  for (size_t i = 0; plan->has_detach && i < plan->exits.n; i++)
    {
      struct gomp_map_exit *pending = &plan->exits.v[i];
      struct gomp_map_attach *attach;
      if (pending->detach && pending->entry->block->mapped
	  && (attach = gomp_map_find_attach (pending->entry, pending->start)) != NULL
	  && attach->count > 0)
	detach_one (plan, pending->entry, attach);
    }
  end_side (plan);
  gomp_map_planned (plan);
}

/* ---- target exit data ---- */

static void
detach_item (struct gomp_map_plan *plan, const struct gomp_map_item *item)
{
  struct gomp_map_entry *entry = gomp_map_lookup_byte (plan, item->host);

  if (entry == NULL || entry->node.end < item->host + sizeof (void *))
    return;
  if (!entry->counters)
    {
      const struct gomp_map_trouble trouble = {
	.what = "the pointer", .start = item->host, .end = item->host + sizeof (void *), .old = entry,
	.advice = "no construct has attached it: enter data and exit data have to list the same pointers"
      };
      gomp_map_range_fatal (plan, &trouble, "no attachment counters for struct [%p..%p), which holds the"
			 " pointer at %p", (void *) entry->node.start, (void *) entry->node.end,
			 (void *) item->host);
    }
  struct gomp_map_attach *attach = gomp_map_find_attach (entry, item->host);
  if (attach == NULL || attach->count == 0)
    {
      const struct gomp_map_trouble trouble = {
	.what = "the pointer", .start = item->host, .end = item->host + sizeof (void *), .old = entry,
	.advice = "it was detached as often as it was attached before: enter data and exit data have to"
		  " list the same pointers"
      };
      gomp_map_range_fatal (plan, &trouble, "attach count underflow (the pointer at %p)",
			 (void *) item->host);
    }
  gomp_map_touch_block (plan, entry->block);
  detach_one (plan, entry, attach);
}

static void
exit_item (struct gomp_map_plan *plan, const struct gomp_map_item *item)
{
  struct gomp_map_entry *entry;
  uint64_t start = item->host, end = start + item->size;

  if (item->flags & GOMP_ITEM_BYTE)
    {
      entry = gomp_map_lookup_byte (plan, start);
      end = start;
    }
  else if (item->size == 0)
    entry = gomp_map_find_empty (plan->dev->maps, start);
  else
    {
      if (end < start)
	gomp_map_wraps (plan, item);
      entry = gomp_map_lookup_range (plan, start, end);
    }
  if (entry == NULL)
    {
      if ((item->flags & GOMP_ITEM_PRESENT) && item->size > 0)
	gomp_map_not_present (plan, start, item->size);
      return;
    }

  if (gomp_ompt_on ())
    gomp_map_mapped (plan, item, entry);
  struct gomp_map_touch *touch = gomp_map_touch_block (plan, entry->block);
  if (!touch->counted)
    {
      touch->counted = true;
      count_down (plan, touch);
    }
  if (item->op == GOMP_OP_DELETE && entry->block->refcount != GOMP_MAP_PERMANENT)
    entry->block->refcount = 0;
  if (item->flags & GOMP_ITEM_FROM)
    {
      /* What lies outside of the entry is not there to be copied.  */
      if (start < entry->node.start)
	start = entry->node.start;
      if (end > entry->node.end)
	end = entry->node.end;
      struct gomp_map_exit *pending = gomp_vec_push (&plan->exits);
      *pending = (struct gomp_map_exit) {
	.entry = entry, .start = start, .end = end, .from = true,
	.always = (item->flags & GOMP_ITEM_ALWAYS) != 0
      };
    }
}

void
gomp_map_exit (struct gomp_map_plan *plan)
{
  size_t n = plan->items.n;

  gomp_map_lock (plan);
  for (size_t i = 0; i < n; i++)
    if (plan->items.v[i].op == GOMP_OP_DETACH)
      detach_item (plan, &plan->items.v[i]);
  for (size_t i = 0; i < n; i++)
    switch ((enum gomp_map_op) plan->items.v[i].op)
      {
      case GOMP_OP_DATA:
      case GOMP_OP_RELEASE:
      case GOMP_OP_DELETE:
	exit_item (plan, &plan->items.v[i]);
	break;
      default:
	break;
      }
  end_side (plan);
  gomp_map_planned (plan);
}
