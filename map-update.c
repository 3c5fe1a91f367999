/* map-update.c -- planning target update.

   List items that are not mapped are left alone, those that are mapped are copied whatever
   their counts are.  Attached pointers are never overwritten, on neither side.  */

#include "map-plan.h"

static void
update_item (struct gomp_map_plan *plan, const struct gomp_map_item *item)
{
  uint64_t start = item->host, end = start + item->size;

  if (item->size == 0)
    return;
  if (end < start)
    gomp_map_wraps (plan, item);
  struct gomp_map_entry *entry = gomp_map_lookup_range (plan, start, end);
  if (entry == NULL)
    {
      if (item->flags & GOMP_ITEM_PRESENT)
	gomp_map_not_present (plan, start, item->size);
      return;
    }
  if (start < entry->node.start || end > entry->node.end)
    {
      const struct gomp_map_trouble trouble = {
	.what = "to be updated", .start = start, .end = end, .old = entry,
	.advice = "update the part that is mapped, as an array section, or map all of it"
      };
      gomp_map_range_fatal (plan, &trouble, "Trying to update [%p..%p) object when only [%p..%p) is"
			 " mapped", (void *) start, (void *) end, (void *) entry->node.start,
			 (void *) entry->node.end);
    }
  gomp_map_touch_block (plan, entry->block);
  if (item->flags & GOMP_ITEM_TO)
    gomp_map_copy_to (plan, entry, start, end);
  if (item->flags & GOMP_ITEM_FROM)
    gomp_map_copy_from (plan, entry, start, end);
}

void
gomp_map_update (struct gomp_map_plan *plan)
{
  gomp_map_lock (plan);
  for (size_t i = 0; i < plan->items.n; i++)
    if (plan->items.v[i].op == GOMP_OP_DATA)
      update_item (plan, &plan->items.v[i]);
  gomp_map_planned (plan);
}
