/* map-struct.c -- members of one struct that are mapped together (abi/target section 2.9).

   A header announces N members.  When nothing of the struct up to the last member is mapped,
   the members get one block, from the first to the last of them, and an entry each: they share
   one count, keep their distances, and what lies between them is not mapped.  When something
   is mapped, every member has to be mapped already, in the block of the others.  In both
   cases the members are ordinary items afterwards, whose entries are there.

   Members may come in any order.  A zero-length section as a member stands for a pointer member
   that is not to be mapped itself; it has no part in the span.  When a group has no other members
   and the pointer is mapped, the header stands for the struct around that pointer.  A region, however, finds
   such a pointer through the header only: when nothing of the struct is mapped and the construct
   attaches the pointer, it becomes a member for the time of the region.  */

#include "map-plan.h"

static inline bool
has_range (const struct gomp_map_item *item)
{
  return (item->op == GOMP_OP_DATA || item->op == GOMP_OP_DESCRIPTOR
	  || item->op == GOMP_OP_POINTER);
}

static inline uint64_t
range_size (const struct gomp_map_item *item)
{
  return item->op == GOMP_OP_POINTER ? sizeof (void *) : item->size;
}

/* What stands for the member's range now.  */
static struct gomp_map_entry *
find_member (struct gomp_map_plan *plan, const struct gomp_map_item *item)
{
  uint64_t size = range_size (item);
  return (size > 0 ? gomp_map_lookup_range (plan, item->host, item->host + size)
	  : gomp_map_find_empty (plan->dev->maps, item->host));
}

/* Nothing of the struct is mapped: one block for all members, between LOW and HIGH.  */
static struct gomp_map_entry *
make_members (struct gomp_map_plan *plan, const struct gomp_map_item *header,
	      struct gomp_map_item *end, uint64_t low, uint64_t high)
{
  struct gomp_map_item *item, *first = (struct gomp_map_item *) header + 1;

  for (item = first; item < end; item++)
    if ((item->flags & GOMP_ITEM_MEMBER) && (item->flags & GOMP_ITEM_PRESENT))
      gomp_map_not_present (plan, item->host, item->size);
  struct gomp_map_block *block
    = gomp_map_new_block (plan, low, high, header->log2_align, header->host);
  for (item = first; item < end; item++)
    if (item->flags & GOMP_ITEM_MEMBER)
      {
	/* The same member twice has one entry; that one member overlaps another is found out when
	   the items are handled.  */
	if (find_member (plan, item) == NULL)
	  gomp_map_new_entry (plan, block, item->host, item->host + range_size (item));
      }
  return block->entries;
}

/* Something of the struct is mapped: all members must be, together.  */
static struct gomp_map_entry *
check_members (struct gomp_map_plan *plan, const struct gomp_map_item *header,
	       const struct gomp_map_item *end)
{
  struct gomp_map_entry *any = NULL;

  for (const struct gomp_map_item *item = header + 1; item < end; item++)
    if (item->flags & GOMP_ITEM_MEMBER)
      {
	struct gomp_map_entry *entry = find_member (plan, item);
	if (entry == NULL && item->size == 0)
	  continue;		/* becomes an empty entry of its own */
	if (entry == NULL || (any != NULL && entry->block != any->block))
	  {
	    const struct gomp_map_trouble trouble = {
	      .what = "the member", .start = item->host, .end = item->host + range_size (item),
	      .old = entry, .advice = "list all members that regions use in one construct, or map the"
				      " whole structure"
	    };
	    gomp_map_range_fatal (plan, &trouble, "Trying to map into device [%p..%p) structure element"
			       " when other mapped elements from the same structure weren't mapped"
			       " together with it", (void *) item->host,
			       (void *) (item->host + range_size (item)));
	  }
	any = entry;
      }
  return any;
}

/* The entry of the first zero-length section among the members that is mapped, or NULL.  */
static struct gomp_map_entry *
find_section (struct gomp_map_plan *plan, const struct gomp_map_item *header,
	      const struct gomp_map_item *end)
{
  struct gomp_map_entry *entry = NULL;

  for (const struct gomp_map_item *item = header + 1; item < end && entry == NULL; item++)
    if (item->op == GOMP_OP_ZERO_LENGTH)
      entry = gomp_map_lookup_byte (plan, item->host);
  return entry;
}

static bool
attaches (const struct gomp_map_plan *plan, uint64_t pointer)
{
  for (size_t i = 0; i < plan->items.n; i++)
    if (plan->items.v[i].op == GOMP_OP_ATTACH && plan->items.v[i].host == pointer)
      return true;
  return false;
}

/* A region: zero-length sections that stand for pointers of a struct of which nothing is mapped become
   members, so that there is something to attach.  */
static void
adopt_pointers (struct gomp_map_plan *plan, const struct gomp_map_item *header,
		struct gomp_map_item *end)
{
  uint64_t low = header->host, high = 0;
  bool any = false;

  for (struct gomp_map_item *item = (struct gomp_map_item *) header + 1; item < end; item++)
    {
      bool section = item->op == GOMP_OP_ZERO_LENGTH;
      uint64_t size = section ? sizeof (void *) : range_size (item);
      any |= section;
      if ((section || has_range (item)) && item->host + size > high)
	high = item->host + size;
    }
  if (!any || low >= high || gomp_map_lookup_range (plan, low, high) != NULL)
    return;
  for (struct gomp_map_item *item = (struct gomp_map_item *) header + 1; item < end; item++)
    if (item->op == GOMP_OP_ZERO_LENGTH && attaches (plan, item->host))
      {
	item->op = GOMP_OP_DATA;
	item->flags = 0;
	item->size = sizeof (void *);
      }
}

void
gomp_map_struct (struct gomp_map_plan *plan, size_t index)
{
  struct gomp_map_item *header = &plan->items.v[index];
  struct gomp_map_item *first = header + 1, *list_end = plan->items.v + plan->items.n;
  struct gomp_map_item *item, *end = first;
  uint64_t low = UINT64_MAX, high = 0;

  /* The count is in list items as the compiler sees them.  */
  while (end < list_end && end->slot - header->slot <= header->size)
    end++;
  header->value = header->host;
  if (plan->directive == GOMP_DIR_TARGET)
    adopt_pointers (plan, header, end);
  for (item = first; item < end; item++)
    if (has_range (item))
      {
	if (item->host + range_size (item) < item->host)
	  return;		/* nonsense, which is refused as an item of its own */
	item->flags |= GOMP_ITEM_MEMBER;
	if (item->host < low)
	  low = item->host;
	if (item->host + range_size (item) > high)
	  high = item->host + range_size (item);
      }
  if (low > high)
    {
      /* No member is to be mapped.  */
      header->entry = find_section (plan, header, end);
      return;
    }

  /* From the struct's start: a member below what is mapped is not found by this.  */
  uint64_t base = header->host < low ? header->host : low;
  if (base < high && gomp_map_lookup_range (plan, base, high) != NULL)
    header->entry = check_members (plan, header, end);
  else
    header->entry = make_members (plan, header, end, low, high);
}
