/* map-explain.c -- errors in map lists: what collides with what, what is near, what to write
   instead.

   The first line of a message is the one that programs and tests know (abi/target section 8).
   More lines follow: the construct and its list, the range that is meant, the mapping in its way
   with the construct that made it, else the nearest one, and an advice.  */

#include "diag.h"
#include "map-plan.h"

static const char not_present[] = "not present";

/* ---- what is mapped, for messages ---- */

static void
describe (const struct gomp_map_entry *entry, struct gomp_map_info *info)
{
  info->host_start = entry->node.start;
  info->host_end = entry->node.end;
  info->dev_start = gomp_map_dev (entry->block, entry->node.start);
  info->refcount = entry->block->refcount;
  info->construct = entry->block->construct;
  info->call_site = entry->block->call_site;
}

/* Distance of ADDR from [START, END).  */
static uint64_t
distance (uint64_t addr, uint64_t start, uint64_t end)
{
  return addr < start ? start - addr : addr >= end ? addr - end + 1 : 0;
}

/* The entry nearest to the host range [START, END), with which it shares nothing.  */
static const struct gomp_map_entry *
nearest_host (struct gomp_map_table *table, uint64_t start, uint64_t end)
{
  struct gomp_range *below = gomp_range_floor (&table->ranges, start);
  struct gomp_range *above = gomp_range_above (&table->ranges, start);
  if (below == NULL || (above != NULL && above->start - end < distance (start, below->start, below->end)))
    below = above;
  return (const struct gomp_map_entry *) below;
}

static const struct gomp_map_entry *
nearest_device (struct gomp_map_table *table, gomp_devptr_t addr)
{
  const struct gomp_map_entry *best = NULL;
  uint64_t best_distance = UINT64_MAX;

  for (struct gomp_range *range = gomp_range_first (&table->ranges); range != NULL;
       range = gomp_range_above (&table->ranges, range->start))
    {
      const struct gomp_map_entry *entry = (const struct gomp_map_entry *) range;
      gomp_devptr_t start = gomp_map_dev (entry->block, range->start);
      uint64_t d = distance (addr, start, start + (range->end - range->start));
      if (d < best_distance)
	{
	  best_distance = d;
	  best = entry;
	}
    }
  return best;
}

bool
gomp_map_nearest (struct gomp_device *dev, uint64_t addr, bool is_device_addr,
		  struct gomp_map_info *info)
{
  const struct gomp_map_entry *best = NULL;

  /* Not ranked: the caller may hold anything.  */
  if (!gomp_mutex_trylock (&dev->map_lock))
    return false;
  if (dev->maps != NULL)	/* it was opened */
    best = is_device_addr ? nearest_device (dev->maps, addr) : nearest_host (dev->maps, addr, addr);
  if (best != NULL)
    describe (best, info);
  gomp_mutex_unlock (&dev->map_lock);
  return best != NULL;
}

/* ---- the message ---- */

/* What is printed after the lock was released.  */
struct found
{
  bool any;			/* info is filled in */
  bool own;			/* made by the same construct */
  struct gomp_map_info info;
};

static void
print_mapping (FILE *f, const struct gomp_map_trouble *t, const struct found *old,
	       const struct found *near)
{
  if (old->any)
    {
      gomp_diag_range (f, old->own ? "  also in the list:" : "  mapped already:",
		       old->info.host_start, old->info.host_end);
      if (!old->own)
	{
	  gomp_diag_origin (f, &old->info);
	  if (old->info.refcount != GOMP_MAP_PERMANENT)
	    fprintf (f, ", reference count %llu", (unsigned long long) old->info.refcount);
	}
      fputs ("\n", f);
      return;
    }
  if (!near->any)
    {
      fputs ("  nothing is mapped on the device\n", f);
      return;
    }
  const struct gomp_map_info *m = &near->info;
  gomp_diag_range (f, "  the nearest mapping:", m->host_start, m->host_end);
  if (t->end <= m->host_start)
    fprintf (f, ", which starts %llu bytes behind it", (unsigned long long) (m->host_start - t->end));
  else if (t->start >= m->host_end)
    fprintf (f, ", which ends %llu bytes before it", (unsigned long long) (t->start - m->host_end));
  gomp_diag_origin (f, m);
  fputs ("\n", f);
}

/* The number of the list item that has to be present and is not, from 1, or 0.  */
static size_t
absent_item (const struct gomp_region_note *note, const struct gomp_map_trouble *t)
{
  if (t == NULL || t->what != not_present || t->old != NULL || note == NULL
      || note->hostaddrs == NULL)
    return 0;
  for (size_t i = 0; i < note->mapnum; i++)
    if ((uintptr_t) note->hostaddrs[i] == t->start)
      return i + 1;
  return 0;
}

/* The message, whose first line is FIRST, without the newline at its end.  NULL: no memory.  */
static char *
compose (struct gomp_map_plan *plan, const char *first, const struct gomp_map_trouble *t,
	 const struct found *old, const struct found *near)
{
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream (&text, &size);

  if (f == NULL)
    return NULL;
  fprintf (f, "%s\n", first);
  if (t != NULL)
    fprintf (f, "  device %d (%s)\n", plan->dev->number, plan->dev->attr.name);
  if (t != NULL && t->what != NULL)
    {
      char intro[64];
      snprintf (intro, sizeof (intro), "  %s:", t->what);
      gomp_diag_range (f, intro, t->start, t->end);
      fputs ("\n", f);
      print_mapping (f, t, old, near);
    }
  gomp_diag_construct (f, plan->note, NULL, absent_item (plan->note, t));
  if (t != NULL && t->advice != NULL)
    fprintf (f, "  %s\n", t->advice);
  if (fclose (f) != 0 || text == NULL)
    {
      free (text);
      return NULL;
    }
  text[strlen (text) - 1] = 0;
  return text;
}

/* As the table is before anything is undone.  */
static void
look_up (struct gomp_map_plan *plan, const struct gomp_map_trouble *t, struct found *old)
{
  if (t->old == NULL)
    return;
  describe (t->old, &old->info);
  old->any = true;
  for (struct gomp_map_block *block = plan->new_blocks; block != NULL; block = block->new_next)
    old->own |= block == t->old->block;
}

static void __attribute__ ((noreturn, format (printf, 3, 0)))
fail (struct gomp_map_plan *plan, const struct gomp_map_trouble *t, const char *fmt, va_list list)
{
  struct found old = { .any = false }, near = { .any = false };
  char first[1024];

  vsnprintf (first, sizeof (first), fmt, list);
  if (t != NULL)
    look_up (plan, t, &old);
  /* exit runs handlers of the program, which may use the device: leave the table without
     blocks that have no memory.  */
  for (struct gomp_map_block *block = plan->new_blocks; block != NULL; block = block->new_next)
    {
      block->chunk = NULL;
      gomp_map_remove (plan->dev->maps, block, &plan->garbage);
    }
  if (t != NULL && !old.any)
    {
      const struct gomp_map_entry *entry = nearest_host (plan->dev->maps, t->start, t->end);
      if (entry != NULL)
	{
	  describe (entry, &near.info);
	  near.any = true;
	}
    }
  if (plan->batch != NULL)
    gomp_map_batch_done (plan->batch);
  gomp_map_unlock (plan);

  char *text = compose (plan, first, t, &old, &near);
  gomp_fatal ("%s", text != NULL ? text : first);
}

void
gomp_map_fatal (struct gomp_map_plan *plan, const char *fmt, ...)
{
  va_list list;
  va_start (list, fmt);
  fail (plan, NULL, fmt, list);
}

void
gomp_map_range_fatal (struct gomp_map_plan *plan, const struct gomp_map_trouble *trouble,
		   const char *fmt, ...)
{
  va_list list;
  va_start (list, fmt);
  fail (plan, trouble, fmt, list);
}

/* ---- errors that several places find ---- */

void
gomp_map_not_present (struct gomp_map_plan *plan, uint64_t start, uint64_t size)
{
  const struct gomp_map_trouble trouble = {
    .what = not_present, .start = start, .end = start + size,
    .old = start < start + size ? gomp_map_find_range (plan->dev->maps, start, start + size) : NULL,
    .advice = "map it before (target data, target enter data, declare target), or leave `present' out"
  };
  gomp_map_range_fatal (plan, &trouble, "present clause: not present on the device (addr: %p, "
		     "size: %ld (0x%lx), dev: %u)", (void *) start, (long) size,
		     (unsigned long) size, plan->dev->ordinal);
}

void
gomp_map_wraps (struct gomp_map_plan *plan, const struct gomp_map_item *item)
{
  const struct gomp_map_trouble trouble = {
    .advice = "is the length of the array section negative, or computed from garbage?"
  };
  const char *what = (plan->directive == GOMP_DIR_UPDATE ? "update"
		      : plan->directive == GOMP_DIR_EXIT ? "unmap" : "map into device");
  gomp_map_range_fatal (plan, &trouble, "Trying to %s %ld bytes at %p, more than there can be", what,
			(long) item->size, (void *) item->host);
}

void
gomp_map_overlap (struct gomp_map_plan *plan, uint64_t start, uint64_t end,
		  const struct gomp_map_entry *old)
{
  const struct gomp_map_trouble trouble = {
    .what = "to be mapped", .start = start, .end = end, .old = old,
    .advice = "a list item has to lie in what is mapped already, or not touch it: map one range that"
	      " holds both, first, or unmap the old one before"
  };
  gomp_map_range_fatal (plan, &trouble, "Trying to map into device [%p..%p) object when [%p..%p) is "
		     "already mapped", (void *) start, (void *) end, (void *) old->node.start,
		     (void *) old->node.end);
}
