/* aux-rules.c -- the rules of OpenMP's data mapping as a model that is as simple as possible.

   Written from abi/target section 2; it shares nothing with the library.  Everything is searched from
   one end to the other.  Each operation is first looked through: what would be an error, or is not
   defined, changes nothing.  Then it is done.

   What the rules leave open is unknown in the model (known[] is 0): new device memory that nobody has
   filled, and words that the library may or may not bring up to date.  */

#include "aux-model.h"

#include <stdarg.h>

/* One element of the map list.  */
struct flat
{
  const struct map_item *it;
  uint64_t host, start, end;	/* cut to the entry */
  unsigned slot;
  bool first;			/* of its list item */
  bool null, consumed;
  bool made;			/* this item made its entry, */
  bool repeated;		/* or another one of this construct did */
  bool copy;			/* its range is copied in; */
  bool vague;			/* perhaps */
  bool write;			/* its pointer is stored, */
  bool vague_write;		/* perhaps: */
  unsigned target;		/* the device address of VALUE in that block; 0: VALUE itself */
  uint64_t value;
  int entry;			/* index, or -1 */
};

struct work
{
  struct model *m;
  struct device_model *d;
  const struct op *op;
  struct frame *frame;
  struct flat f[MAX_ITEMS];
  unsigned n;
  /* To undo.  */
  unsigned old_entries, old_blocks;
  uint64_t first_new;		/* blocks from here on are made by this operation */
  unsigned attached[MAX_ITEMS], num_attached;	/* words whose count was changed, by: */
  int step;
  bool had_counters[MAX_ENTRIES];
};

static enum verdict __attribute__ ((format (printf, 2, 3)))
wrong (struct model *m, const char *fmt, ...)
{
  va_list list;
  va_start (list, fmt);
  vsnprintf (m->error, sizeof (m->error), fmt, list);
  va_end (list);
  return WRONG;
}

void
model_init (struct model *m, void *arena, unsigned size, unsigned num_devices)
{
  memset (m, 0, sizeof (*m));
  m->size = size;
  m->base = (uint64_t) arena;
  m->num_devices = num_devices;
  m->host = malloc (size);
  m->host_known = malloc (size);
  memcpy (m->host, arena, size);
  memset (m->host_known, 1, size);
  for (unsigned i = 0; i < num_devices; i++)
    {
      m->dev[i].bytes = calloc (size, 1);
      m->dev[i].known = calloc (size, 1);
      m->dev[i].words = calloc (size / 8, sizeof (struct device_word));
      m->dev[i].attached = calloc (size / 8, sizeof (unsigned));
    }
  m->num_blocks = 1;
}

void
model_free (struct model *m)
{
  for (unsigned i = 0; i < m->num_devices; i++)
    {
      free (m->dev[i].bytes);
      free (m->dev[i].known);
      free (m->dev[i].words);
      free (m->dev[i].attached);
    }
  free (m->host);
  free (m->host_known);
  free (m->blocks);
}

/* ---- What is mapped ---- */

/* The lowest entry that shares a byte with [START, END), or -1.  */
static int
overlap (const struct device_model *d, uint64_t start, uint64_t end)
{
  int best = -1;
  for (unsigned i = 0; i < d->n; i++)
    if (d->entries[i].start < end && d->entries[i].end > start
	&& d->entries[i].start < d->entries[i].end
	&& (best < 0 || d->entries[i].start < d->entries[best].start))
      best = i;
  return best;
}

static int
at_byte (const struct device_model *d, uint64_t addr)
{
  for (unsigned i = 0; i < d->n; i++)
    if (d->entries[i].start <= addr && d->entries[i].end > addr)
      return i;
  return -1;
}

/* What stands for an empty range.  */
static int
at_empty (const struct device_model *d, uint64_t addr)
{
  for (unsigned i = 0; i < d->n; i++)
    if (d->entries[i].start == addr && d->entries[i].end == addr)
      return i;
  int i = at_byte (d, addr);
  return i >= 0 && d->entries[i].start < addr ? i : -1;
}

/* What a pointer points at.  */
static int
at_pointer (const struct device_model *d, uint64_t addr)
{
  int i = at_byte (d, addr);
  for (unsigned k = 0; i < 0 && k < d->n; k++)
    if (d->entries[k].end == addr && d->entries[k].start < addr)
      i = k;
  for (unsigned k = 0; i < 0 && k < d->n; k++)
    if (d->entries[k].end == addr && d->entries[k].start == addr)
      i = k;
  return i;
}

/* The entry that has all of the pointer variable at ADDR.  */
static int
at_variable (const struct device_model *d, uint64_t addr)
{
  int i = at_byte (d, addr);
  return i >= 0 && d->entries[i].end >= addr + 8 ? i : -1;
}

struct entry *
model_entry_at (struct model *m, int dev, uint64_t addr)
{
  int i = at_byte (&m->dev[dev], addr);
  return i < 0 ? NULL : &m->dev[dev].entries[i];
}

static unsigned
new_block (struct model *m, uint64_t host, unsigned align)
{
  if (m->num_blocks == m->room_blocks || m->blocks == NULL)
    {
      m->room_blocks = m->room_blocks * 2 + 256;
      m->blocks = realloc (m->blocks, m->room_blocks * sizeof (m->blocks[0]));
    }
  m->blocks[m->num_blocks]
    = (struct block) { .count = 0, .host = host, .align = align, .mapped = true };
  return m->num_blocks++;
}

static int
new_entry (struct device_model *d, unsigned block, uint64_t start, uint64_t end)
{
  d->entries[d->n] = (struct entry) { .start = start, .end = end, .block = block };
  return d->n++;
}

/* ---- Contents ---- */

/* The device's words in the range are not what they were.  */
static void
forget_words (struct model *m, struct device_model *d, uint64_t start, uint64_t end)
{
  if (d->num_words == 0 || start >= end)
    return;
  for (uint64_t w = (start - m->base) / 8; w <= (end - 1 - m->base) / 8; w++)
    if (d->words[w].block != 0)
      {
	d->words[w].block = 0;
	d->num_words--;
      }
}

static void
set_bytes (struct model *m, struct device_model *d, uint64_t start, const unsigned char *bytes,
	   const unsigned char *known, uint64_t size)
{
  uint64_t at = start - m->base;
  forget_words (m, d, start, start + size);
  memcpy (d->bytes + at, bytes, size);
  memcpy (d->known + at, known, size);
}

static void
set_unknown (struct model *m, struct device_model *d, uint64_t start, uint64_t end)
{
  forget_words (m, d, start, end);
  memset (d->known + (start - m->base), 0, end - start);
}

/* The device word of the pointer variable at ADDR becomes the device's address of VALUE in BLOCK.  */
static void
set_word (struct model *m, struct device_model *d, uint64_t addr, unsigned block, uint64_t value)
{
  set_unknown (m, d, addr, addr + 8);
  d->words[(addr - m->base) / 8] = (struct device_word) { block, value };
  d->num_words++;
}

static void
set_value (struct model *m, struct device_model *d, uint64_t addr, uint64_t value)
{
  static const unsigned char known[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };
  set_bytes (m, d, addr, (const unsigned char *) &value, known, 8);
}

/* What the host has there, which may be unknown.  */
static void
set_from_host (struct model *m, struct device_model *d, uint64_t addr, uint64_t size)
{
  set_bytes (m, d, addr, m->host + (addr - m->base), m->host_known + (addr - m->base), size);
}

/* Is the pointer variable at ADDR in the arena, with a value that the model knows?  */
static bool
pointer_at (const struct model *m, uint64_t addr, uint64_t *value)
{
  uint64_t at = addr - m->base;
  if (at % 8 != 0 || at + 8 > m->size || memchr (m->host_known + at, 0, 8) != NULL)
    return false;
  memcpy (value, m->host + at, 8);
  return true;
}

/* Copy in or out; not what is attached.  */
static void
copy_range (struct model *m, struct device_model *d, uint64_t start, uint64_t end, bool in)
{
  while (start < end)
    {
      uint64_t stop = end, next = end;
      if (d->num_attached > 0)
	for (uint64_t w = (start - m->base) / 8; w <= (end - 1 - m->base) / 8; w++)
	  if (d->attached[w] > 0)
	    {
	      stop = m->base + w * 8;
	      next = stop + 8;
	      break;
	    }
      if (stop > start)
	{
	  uint64_t at = start - m->base, size = stop - start;
	  if (in)
	    set_from_host (m, d, start, size);
	  else
	    {
	      memcpy (m->host + at, d->bytes + at, size);
	      memcpy (m->host_known + at, d->known + at, size);
	    }
	}
      start = next;
    }
}

static void
change_attached (struct device_model *d, unsigned word, int by)
{
  d->num_attached -= d->attached[word] > 0;
  d->attached[word] += by;
  d->num_attached += d->attached[word] > 0;
}

static void
unmap (struct model *m, struct device_model *d, unsigned block)
{
  m->blocks[block].mapped = false;
  for (unsigned i = 0; i < d->n; )
    if (d->entries[i].block == block)
      {
	struct entry *e = &d->entries[i];
	if (e->start < e->end)
	  {
	    set_unknown (m, d, e->start, e->end);
	    for (uint64_t w = (e->start - m->base + 7) / 8; w < (e->end - m->base) / 8; w++)
	      if (d->attached[w] > 0)
		change_attached (d, w, -(int) d->attached[w]);
	  }
	*e = d->entries[--d->n];
      }
    else
      i++;
}

/* ---- Kinds ---- */

static bool
is_implicit (unsigned kind)
{
  return (kind & 0xfc) == IMPLICIT;
}

static bool
is_data (unsigned kind)
{
  switch (kind)
    {
    case ALLOC: case TO: case FROM: case TOFROM: case PRESENT:
    case ALWAYS_TO: case ALWAYS_FROM: case ALWAYS_TOFROM:
    case ALWAYS_PRESENT_TO: case ALWAYS_PRESENT_FROM: case ALWAYS_PRESENT_TOFROM:
      return true;
    default:
      return is_implicit (kind);
    }
}

static bool
has_to (unsigned kind)
{
  return (kind == TO || kind == TOFROM || kind == ALWAYS_TO || kind == ALWAYS_TOFROM
	  || kind == ALWAYS_PRESENT_TO || kind == ALWAYS_PRESENT_TOFROM || kind == (IMPLICIT | TO)
	  || kind == (IMPLICIT | TOFROM));
}

static bool
has_from (unsigned kind)
{
  return (kind == FROM || kind == TOFROM || kind == ALWAYS_FROM || kind == ALWAYS_TOFROM
	  || kind == ALWAYS_PRESENT_FROM || kind == ALWAYS_PRESENT_TOFROM
	  || kind == (IMPLICIT | FROM) || kind == (IMPLICIT | TOFROM) || kind == PRESENT);
}

static bool
is_always (unsigned kind)
{
  return (kind == ALWAYS_TO || kind == ALWAYS_FROM || kind == ALWAYS_TOFROM
	  || kind == ALWAYS_PRESENT_TO || kind == ALWAYS_PRESENT_FROM
	  || kind == ALWAYS_PRESENT_TOFROM);
}

static bool
must_be_present (unsigned kind)
{
  return (kind == PRESENT || kind == ALWAYS_PRESENT_TO || kind == ALWAYS_PRESENT_FROM
	  || kind == ALWAYS_PRESENT_TOFROM);
}

static bool
is_pointer (unsigned kind)
{
  return kind == POINTER || kind == POINTER_ZLAS || kind == ALWAYS_POINTER;
}

static bool
is_attach (unsigned kind)
{
  return kind == ATTACH || kind == ATTACH_ZLAS;
}

/* ---- Common to all directives ---- */

static void
flatten (struct work *w)
{
  const struct op *op = w->op;
  unsigned slot = 0;
  for (unsigned i = 0; i < op->n; slot++)
    {
      unsigned elements = op->items[i].elements;
      unsigned n = elements == 0 || elements == NO_ELEMENTS ? 1 : elements;
      for (unsigned k = 0; k < n && i < op->n; k++, i++)
	{
	  const struct map_item *it = &op->items[i];
	  struct flat *f = &w->f[w->n++];
	  *f = (struct flat) { .it = it, .slot = slot, .first = k == 0, .entry = -1 };
	  f->null = (it->null || elements == NO_ELEMENTS) && it->kind != VALUE;
	  f->host = it->null ? 0 : w->m->base + it->off;
	  f->start = f->host;
	  f->end = f->host + (is_pointer (it->kind) ? 8 : (uint64_t) it->size);
	}
    }
}

static void
start_work (struct work *w, struct model *m, const struct op *op, struct frame *frame)
{
  w->m = m;
  w->d = &m->dev[op->dev];
  w->op = op;
  w->frame = frame;
  w->n = w->num_attached = 0;
  w->old_entries = w->d->n;
  w->old_blocks = w->first_new = m->num_blocks;
  frame->dev = op->dev;
  frame->n = frame->num_counted = 0;
  for (unsigned i = 0; i < w->d->n; i++)
    w->had_counters[i] = w->d->entries[i].counters;
  flatten (w);
}

/* The construct uses BLOCK: its count changes once.  */
static void
count (struct work *w, unsigned block, int by)
{
  for (unsigned i = 0; i < w->frame->num_counted; i++)
    if (w->frame->counted[i] == block)
      return;
  w->frame->counted[w->frame->num_counted++] = block;
  if (!w->m->blocks[block].permanent && (by > 0 || w->m->blocks[block].count > 0))
    w->m->blocks[block].count += by;
}

static enum verdict
undo (struct work *w, enum verdict verdict)
{
  for (unsigned i = 0; i < w->frame->num_counted; i++)
    if (!w->m->blocks[w->frame->counted[i]].permanent)
      w->m->blocks[w->frame->counted[i]].count--;
  for (unsigned i = 0; i < w->num_attached; i++)
    change_attached (w->d, w->attached[i], -w->step);
  w->d->n = w->old_entries;
  w->m->num_blocks = w->old_blocks;
  for (unsigned i = 0; i < w->d->n; i++)
    w->d->entries[i].counters = w->had_counters[i];
  return verdict;
}

static void
pend (struct work *w, struct pending p)
{
  w->frame->pending[w->frame->n++] = p;
}

static void
touch (struct expected *x, unsigned block)
{
  for (unsigned i = 0; i < x->num_touched; i++)
    if (x->touched[i] == block)
      return;
  if (x->num_touched < 2 * MAX_ITEMS)
    x->touched[x->num_touched++] = block;
}

/* ---- The entry side: list items ---- */

static enum verdict
find_or_make (struct work *w, struct flat *f)
{
  struct device_model *d = w->d;
  int i = f->start == f->end ? at_empty (d, f->start) : overlap (d, f->start, f->end);

  if (i < 0)
    {
      if (d->n == MAX_ENTRIES)
	return UNDEFINED;
      unsigned block = new_block (w->m, f->start, f->it->align);
      f->entry = new_entry (d, block, f->start, f->end);
      f->made = true;
      count (w, block, 1);
      return RIGHT;
    }
  struct entry *e = &d->entries[i];
  if (f->start < e->start || f->end > e->end)
    {
      if (!is_implicit (f->it->kind) || f->start > e->start || f->end < e->end)
	return wrong (w->m, "Trying to map into device [%p..%p) object when [", (void *) f->start,
		      (void *) f->end);
      /* Stands for one of the entries that it covers; which of them is not said when there are
	 several.  */
      for (unsigned k = 0; k < d->n; k++)
	if ((int) k != i && d->entries[k].start < f->end && d->entries[k].end > f->start
	    && d->entries[k].start < d->entries[k].end)
	  return UNDEFINED;
      f->start = e->start;
      f->end = e->end;
    }
  f->entry = i;
  if (e->fresh && f->start == e->start && f->end == e->end)
    {
      e->fresh = false;
      f->made = true;
    }
  f->repeated = !f->made && e->block >= w->first_new;
  count (w, e->block, 1);
  return RIGHT;
}

static enum verdict
not_present (struct work *w, const struct flat *f)
{
  return wrong (w->m, "present clause: not present on the device (addr: %p, size: %lu (0x%lx), dev: ",
		(void *) f->host, (unsigned long) f->it->size, (unsigned long) f->it->size);
}

static enum verdict
data_item (struct work *w, struct flat *f, const struct flat *next)
{
  unsigned kind = f->it->kind;
  bool to = has_to (kind);

  if (must_be_present (kind) && f->start < f->end && overlap (w->d, f->start, f->end) < 0)
    {
      if (next == NULL || next->null || next->it->kind != TO_PSET
	  || overlap (w->d, next->start, next->end) < 0)
	return not_present (w, f);
      to = true;
    }
  enum verdict v = find_or_make (w, f);
  if (v != RIGHT)
    return v;
  struct entry *e = &w->d->entries[f->entry];
  if (to)
    {
      f->copy = f->made || is_always (kind);
      /* Found, but only this construct has made it: copied or not.  */
      f->vague = f->repeated && !is_always (kind);
    }
  if (has_from (kind))
    pend (w, (struct pending) { .block = e->block, .start = f->start, .end = f->end, .from = true,
				.always = is_always (kind) });
  return RIGHT;
}


/* An array descriptor, whose pointer is its first word, and the items for that pointer behind it.  */
static enum verdict
descriptor_item (struct work *w, unsigned index)
{
  struct flat *f = &w->f[index];
  unsigned last = index + 1;
  uint64_t value;
  bool again = false;

  if (f->end < f->start + 8 || !pointer_at (w->m, f->start, &value))
    return UNDEFINED;
  for (; last < w->n && is_pointer (w->f[last].it->kind) && !w->f[last].null; last++)
    {
      if (w->f[last].host < f->start || w->f[last].host + 8 > f->end)
	break;
      if (w->f[last].host != f->start)
	return UNDEFINED;
      again |= w->f[last].it->kind == ALWAYS_POINTER;
    }
  enum verdict v = find_or_make (w, f);
  if (v != RIGHT)
    return v;
  struct entry *e = &w->d->entries[f->entry];
  if (f->repeated
      || (!f->made && e->descriptor && (e->start != f->start || e->end != f->end)))
    return UNDEFINED;
  if (f->made)
    {
      f->copy = e->descriptor = true;
      e->null_descriptor = value == 0;
    }
  else
    {
      bool dangling = e->by_pointer && (e->target == 0 || !w->m->blocks[e->target].mapped);
      f->copy = again || (e->null_descriptor && value != 0);
      /* What an associated descriptor gets, one whose target is gone, or one without a pointer that was
	 mapped as plain bytes, is not said.  */
      f->vague = (!f->copy && value != 0
		  && (last == index + 1 || w->m->blocks[e->block].permanent || dangling));
    }
  for (unsigned i = index + 1; i < last; i++)
    {
      w->f[i].consumed = true;
      w->f[i].entry = f->entry;
      w->f[i].write = f->copy;
      w->f[i].vague_write = f->vague;
    }
  return RIGHT;
}

static enum verdict
pointer_item (struct work *w, struct flat *f)
{
  uint64_t value;

  if (f->consumed)
    return RIGHT;
  if (!pointer_at (w->m, f->host, &value))
    return UNDEFINED;
  enum verdict v = find_or_make (w, f);
  if (v != RIGHT)
    return v;
  struct entry *e = &w->d->entries[f->entry];
  f->write = f->made;
  /* Whether one that points nowhere is brought up to date is not said.  */
  f->vague_write = (!f->made && e->by_pointer && value != 0
		    && (e->target == 0 || !w->m->blocks[e->target].mapped));
  return RIGHT;
}

static bool
has_range (const struct flat *f)
{
  return !f->null && (is_data (f->it->kind) || f->it->kind == TO_PSET);
}

static enum verdict
struct_item (struct work *w, unsigned index)
{
  struct flat *h = &w->f[index];
  uint64_t low = UINT64_MAX, high = 0;
  unsigned end = index + 1;
  int any = -1;

  for (; end < w->n && w->f[end].slot - h->slot <= (uint64_t) h->it->size; end++)
    {
      const struct flat *f = &w->f[end];
      if (is_pointer (f->it->kind) || f->it->kind == STRUCT || f->it->kind == STRUCT_UNORD
	  || (has_range (f) && f->start == f->end))
	return UNDEFINED;
      if (has_range (f))
	{
	  low = f->start < low ? f->start : low;
	  high = f->end > high ? f->end : high;
	}
    }
  if (low > high)
    return RIGHT;
  if (h->host > low)
    return UNDEFINED;
  if (overlap (w->d, h->host, high) < 0)
    {
      for (unsigned i = index + 1; i < end; i++)
	if (has_range (&w->f[i]) && must_be_present (w->f[i].it->kind))
	  return not_present (w, &w->f[i]);
      unsigned block = new_block (w->m, h->host, h->it->align);
      for (unsigned i = index + 1; i < end; i++)
	if (has_range (&w->f[i]) && overlap (w->d, w->f[i].start, w->f[i].end) < 0)
	  {
	    if (w->d->n == MAX_ENTRIES)
	      return UNDEFINED;
	    any = new_entry (w->d, block, w->f[i].start, w->f[i].end);
	    w->d->entries[any].fresh = true;
	  }
      count (w, block, 1);
    }
  else
    for (unsigned i = index + 1; i < end; i++)
      if (has_range (&w->f[i]))
	{
	  int e = overlap (w->d, w->f[i].start, w->f[i].end);
	  if (e < 0 || (any >= 0 && w->d->entries[e].block != w->d->entries[any].block))
	    return wrong (w->m, "Trying to map into device [%p..%p) structure element when other mapped"
			  " elements from the same structure weren't mapped together with it",
			  (void *) w->f[i].start, (void *) w->f[i].end);
	  any = e;
	}
  h->entry = any;
  return RIGHT;
}

/* ---- The entry side: pointers ---- */

/* Bytes of the device that nobody has set may be addresses in arenas of other actors, and what these
   have mapped is not known here.  */
static bool
is_foreign (const struct model *m, uint64_t value, uint64_t bias)
{
  return value != 0 && value + bias - m->base >= m->size;
}

/* The pointer of F is set to what it points at, by the rule for POINTER.  */
static enum verdict
find_target (struct work *w, struct flat *f)
{
  uint64_t value;
  if (!pointer_at (w->m, f->host, &value))
    return UNDEFINED;
  f->value = value;
  if (value == 0)
    return RIGHT;
  if (is_foreign (w->m, value, f->it->size))
    return UNDEFINED;
  int i = at_pointer (w->d, value + f->it->size);
  if (i >= 0)
    f->target = w->d->entries[i].block;
  else if (f->vague_write)
    {
      /* A pointer on its own is left alone then; a descriptor might be an error.  */
      if (f->consumed)
	return UNDEFINED;
      f->vague_write = false;
    }
  else if (f->it->kind != POINTER_ZLAS)
    return wrong (w->m, "Pointer target of array section wasn't mapped (the pointer at %p points to %p)",
		  (void *) f->host, (void *) (value + f->it->size));
  return RIGHT;
}

/* ALWAYS_POINTER: the device address of the item before.  */
static enum verdict
store_pointer (struct work *w, unsigned index)
{
  struct flat *f = &w->f[index], *before = f - 1;

  f->entry = at_variable (w->d, f->host);
  if (f->host % 8 != 0)
    return UNDEFINED;
  if (f->entry < 0)
    return wrong (w->m, "always pointer not mapped (%p)", (void *) f->host);
  if (index == 0 || f->it->elements != 0 || !f->first || before->it->elements != 0
      || !before->first)
    return UNDEFINED;
  f->write = true;
  if (before->null)
    return RIGHT;		/* stays 0 */
  f->value = before->host - f->it->size;
  if (before->entry >= 0
      && (is_data (before->it->kind) || before->it->kind == TO_PSET || before->it->kind == ZLAS
	  || is_pointer (before->it->kind)))
    f->target = w->d->entries[before->entry].block;
  else if (before->it->kind != ZLAS)
    return UNDEFINED;
  return RIGHT;
}

static bool
has_empty_item (const struct work *w, uint64_t addr)
{
  for (unsigned i = 0; i < w->n; i++)
    if (!w->f[i].null && w->f[i].host == addr && w->f[i].it->size == 0
	&& (w->f[i].it->kind == ZLAS || is_data (w->f[i].it->kind)))
      return true;
  return false;
}

static enum verdict
attach_item (struct work *w, struct flat *f)
{
  unsigned word = (f->host - w->m->base) / 8;

  if (f->host % 8 != 0)
    return UNDEFINED;
  f->entry = at_variable (w->d, f->host);
  if (f->entry < 0)
    return RIGHT;
  struct entry *e = &w->d->entries[f->entry];
  if (w->d->attached[word] == 0)
    {
      if (!pointer_at (w->m, f->host, &f->value)
	  || is_foreign (w->m, f->value, f->it->size))
	return UNDEFINED;
      f->write = true;
      int target = f->value == 0 ? -1 : at_byte (w->d, f->value + f->it->size);
      if (target >= 0)
	f->target = w->d->entries[target].block;
      else if (f->value != 0 && f->it->kind == ATTACH && w->op->type != OP_ENTER
	       && !has_empty_item (w, f->value + f->it->size))
	return wrong (w->m, "pointer target not mapped for attach (the pointer at %p points to %p)",
		      (void *) f->host, (void *) (f->value + f->it->size));
    }
  e->counters = true;
  change_attached (w->d, word, 1);
  w->attached[w->num_attached++] = word;
  pend (w, (struct pending) { .block = e->block, .start = f->host, .end = f->host + 8,
			      .detach = true });
  return RIGHT;
}

static enum verdict
look_through (struct work *w)
{
  enum verdict v = RIGHT;
  const struct op *op = w->op;

  for (unsigned i = 0; i < w->n && v == RIGHT; i++)
    {
      struct flat *f = &w->f[i];
      unsigned kind = f->it->kind;
      if (f->null)
	continue;
      if (is_data (kind))
	v = data_item (w, f, i + 1 < w->n ? f + 1 : NULL);
      else if (kind == STRUCT || kind == STRUCT_UNORD)
	v = struct_item (w, i);
      else if (kind == TO_PSET)
	v = descriptor_item (w, i);
      else if (kind == POINTER || kind == POINTER_ZLAS)
	v = pointer_item (w, f);
      else if (kind == ZLAS && (f->entry = at_byte (w->d, f->host)) >= 0)
	count (w, w->d->entries[f->entry].block, 1);
      else if (is_attach (kind) && f->it->slot)
	{
	  f->consumed = (op->type == OP_TARGET && i >= 2 && w->f[i - 1].it->kind == FIRSTPRIVATE
			 && w->f[i - 2].it->kind == FIRSTPRIVATE && !w->f[i - 2].null
			 && !w->f[i - 1].null && f->it->size >= 0
			 && f->it->size + 8 <= w->f[i - 2].it->size);
	  if (!f->consumed)
	    v = UNDEFINED;
	}
      else if (is_attach (kind) && i > 0 && w->f[i - 1].it->kind == FIRSTPRIVATE)
	v = UNDEFINED;
    }
  for (unsigned i = 0; i < w->n && v == RIGHT; i++)
    {
      struct flat *f = &w->f[i];
      if (f->null || !is_pointer (f->it->kind))
	continue;
      if (f->it->kind == ALWAYS_POINTER && !f->consumed)
	v = store_pointer (w, i);
      else if (f->write || f->vague_write)
	v = find_target (w, f);
    }
  for (unsigned i = 0; i < w->n && v == RIGHT; i++)
    if (is_attach (w->f[i].it->kind) && !w->f[i].null && !w->f[i].consumed)
      v = attach_item (w, &w->f[i]);
  for (unsigned i = 0; i < op->num_writes && v == RIGHT; i++)
    {
      const struct kernel_write *k = &op->writes[i];
      const struct flat *f = k->item >= 0 && k->item < (int) w->n ? &w->f[k->item] : NULL;
      if (f == NULL || !f->first || f->null || f->entry < 0 || !is_data (f->it->kind)
	  || f->host + k->off < f->start || f->host + k->off + k->len > f->end)
	v = UNDEFINED;
    }
  return v;
}

/* ---- The entry side, done ---- */

static void
write_pointer (struct work *w, const struct flat *f)
{
  if (f->target != 0)
    set_word (w->m, w->d, f->host, f->target, f->value);
  else
    set_value (w->m, w->d, f->host, f->value);
}

static void
copy_in (struct work *w, const struct flat *f)
{
  struct model *m = w->m;
  uint64_t at = f->start - m->base, size = f->end - f->start;

  if (f->copy)
    copy_range (m, w->d, f->start, f->end, true);
  else if (f->it->kind == TO_PSET || memchr (w->d->known + at, 0, size) != NULL
	   || memcmp (w->d->bytes + at, m->host + at, size) != 0)
    set_unknown (m, w->d, f->start, f->end);
}

static void
change_contents (struct work *w)
{
  for (unsigned i = w->old_entries; i < w->d->n; i++)
    set_unknown (w->m, w->d, w->d->entries[i].start, w->d->entries[i].end);
  for (unsigned i = 0; i < w->n; i++)
    if ((w->f[i].copy || w->f[i].vague) && w->f[i].start < w->f[i].end)
      copy_in (w, &w->f[i]);
  for (unsigned i = 0; i < w->n; i++)
    {
      struct flat *f = &w->f[i];
      if (!is_pointer (f->it->kind) || f->null)
	continue;
      struct entry *e = f->entry < 0 ? NULL : &w->d->entries[f->entry];
      if (f->vague_write)
	{
	  set_unknown (w->m, w->d, f->host, f->host + 8);
	  e->by_pointer = true;
	  e->target = 0;
	}
      else if (f->write)
	{
	  write_pointer (w, f);
	  if (f->it->kind != ALWAYS_POINTER || f->consumed)
	    {
	      e->by_pointer = true;
	      e->target = f->target;
	    }
	}
    }
  for (unsigned i = 0; i < w->n; i++)
    if (is_attach (w->f[i].it->kind) && !w->f[i].null && w->f[i].write)
      write_pointer (w, &w->f[i]);
}

/* What the program finds in its slots.  */
static void
expect_slots (struct work *w, struct expected *x)
{
  for (unsigned i = 0; i < w->n; i++)
    {
      const struct flat *f = &w->f[i];
      struct expected_slot *s = &x->slots[f->slot];
      unsigned kind = f->it->kind;
      if (!f->first)
	continue;
      x->num_slots = f->slot + 1;
      *s = (struct expected_slot) { .how = SLOT_ANY };
      if (kind == FIRSTPRIVATE && !f->null)
	{
	  s->how = SLOT_PRIVATE;
	  s->align = f->it->align;
	}
      else if (kind == VALUE)
	*s = (struct expected_slot) { .how = SLOT_VALUE, .value = f->it->off };
      else if (f->null)
	s->how = SLOT_VALUE;
      else if (f->entry >= 0 && kind != ALWAYS_POINTER)
	*s = (struct expected_slot) { .how = SLOT_BLOCK, .value = f->host,
				      .block = w->d->entries[f->entry].block };
      else if (kind == ZLAS)
	*s = (struct expected_slot) { .how = SLOT_VALUE, .value = f->host };
    }
  for (unsigned i = 0; i < w->frame->num_counted; i++)
    touch (x, w->frame->counted[i]);
  for (unsigned i = 0; i < w->n; i++)
    if (w->f[i].entry >= 0)
      touch (x, w->d->entries[w->f[i].entry].block);
}

static void
expect_view (struct work *w, struct expected *x, const struct flat *f)
{
  const struct model *m = w->m;
  uint64_t len = f->end - f->start, at = f->start - m->base;
  bool is_private = f->it->kind == FIRSTPRIVATE;

  if (len == 0 || !f->first || f->null || x->num_views == MAX_VIEWS)
    return;
  if (len > VIEW_BYTES - x->num_bytes)
    return;
  struct expected_view *v = &x->views[x->num_views++];
  *v = (struct expected_view) { f->slot, f->start - f->host, len, x->num_bytes };
  memcpy (x->bytes + v->at, (is_private ? m->host : w->d->bytes) + at, len);
  memcpy (x->known + v->at, (is_private ? m->host_known : w->d->known) + at, len);
  x->num_bytes += len;
  if (!is_private && w->d->num_words > 0)
    for (uint64_t word = (at + 7) / 8; word * 8 + 8 <= at + len; word++)
      if (w->d->words[word].block != 0 && x->num_words < MAX_WORDS)
	{
	  x->words[x->num_words].at = v->at + word * 8 - at;
	  x->words[x->num_words++].word = w->d->words[word];
	}
  /* The copy of a descriptor has the address of its data's copy.  */
  if (is_private && f + 2 < w->f + w->n && f[2].consumed && is_attach (f[2].it->kind)
      && x->num_words < MAX_WORDS)
    {
      memset (x->known + v->at + f[2].it->size, 0, 8);
      x->words[x->num_words].at = v->at + f[2].it->size;
      x->words[x->num_words++].word = (struct device_word) { WORD_OF_SLOT, f[1].slot };
    }
}

static void
use_device (struct work *w, const struct flat *f, struct expected_slot *s)
{
  int i = at_pointer (w->d, f->host);
  *s = (struct expected_slot) { .how = SLOT_VALUE, .value = f->host };
  for (unsigned k = 0; k < w->n && i < 0; k++)
    {
      uint64_t value;
      if (is_attach (w->f[k].it->kind) && !w->f[k].null)
	{
	  if (!pointer_at (w->m, w->f[k].host, &value))
	    *s = (struct expected_slot) { .how = SLOT_ANY };
	  else if (value == f->host)
	    i = at_byte (w->d, value + w->f[k].it->size);
	}
    }
  if (i >= 0)
    *s = (struct expected_slot) { .how = SLOT_BLOCK, .value = f->host,
				  .block = w->d->entries[i].block };
}

/* ---- The end side ---- */

static void
detach (struct model *m, struct device_model *d, uint64_t addr)
{
  unsigned word = (addr - m->base) / 8;
  if (d->attached[word] == 0)
    return;
  change_attached (d, word, -1);
  if (d->attached[word] == 0)
    set_from_host (m, d, addr, 8);
}

static void
copy_out_and_unmap (struct model *m, struct frame *f)
{
  struct device_model *d = &m->dev[f->dev];
  for (unsigned i = 0; i < f->n; i++)
    {
      const struct pending *p = &f->pending[i];
      const struct block *b = &m->blocks[p->block];
      if (p->from && b->mapped && (p->always || (!b->permanent && b->count == 0)))
	copy_range (m, d, p->start, p->end, false);
    }
  for (unsigned i = 0; i < f->num_counted; i++)
    {
      const struct block *b = &m->blocks[f->counted[i]];
      if (b->mapped && !b->permanent && b->count == 0)
	unmap (m, d, f->counted[i]);
    }
}

static void
leave (struct model *m, struct frame *f)
{
  struct device_model *d = &m->dev[f->dev];
  for (unsigned i = 0; i < f->n; i++)
    if (f->pending[i].detach && m->blocks[f->pending[i].block].mapped)
      detach (m, d, f->pending[i].start);
  for (unsigned i = 0; i < f->num_counted; i++)
    {
      struct block *b = &m->blocks[f->counted[i]];
      if (b->mapped && !b->permanent && b->count > 0)
	b->count--;
    }
  copy_out_and_unmap (m, f);
}

/* ---- Directives ---- */

static enum verdict
enter (struct model *m, const struct op *op, struct frame *frame, struct expected *x)
{
  struct work w;

  start_work (&w, m, op, frame);
  w.step = 1;
  enum verdict v = look_through (&w);
  if (v != RIGHT)
    return undo (&w, v);
  change_contents (&w);
  expect_slots (&w, x);
  if (op->type == OP_DATA)
    for (unsigned i = 0; i < w.n; i++)
      if (w.f[i].it->kind == USE_DEVICE && !w.f[i].null)
	use_device (&w, &w.f[i], &x->slots[w.f[i].slot]);
  if (op->type == OP_TARGET)
    {
      for (unsigned i = 0; i < w.n; i++)
	if ((w.f[i].entry >= 0 && (is_data (w.f[i].it->kind) || w.f[i].it->kind == TO_PSET
				   || w.f[i].it->kind == POINTER))
	    || w.f[i].it->kind == FIRSTPRIVATE)
	  expect_view (&w, x, &w.f[i]);
      for (unsigned i = 0; i < op->num_writes; i++)
	{
	  const struct kernel_write *k = &op->writes[i];
	  uint64_t start = w.f[k->item].host + k->off;
	  forget_words (m, w.d, start, start + k->len);
	  for (int j = 0; j < k->len; j++)
	    w.d->bytes[start - m->base + j] = pattern (k->seed, j);
	  memset (w.d->known + (start - m->base), 1, k->len);
	}
    }
  return RIGHT;
}

static enum verdict
exit_data (struct model *m, const struct op *op, struct expected *x)
{
  static __thread struct frame frame;
  struct work w;
  bool last[MAX_ITEMS] = { false };

  start_work (&w, m, op, &frame);
  w.step = -1;
  for (unsigned i = 0; i < w.n; i++)
    {
      struct flat *f = &w.f[i];
      if (f->it->kind != DETACH || f->null)
	continue;
      if (f->host % 8 != 0)
	return undo (&w, UNDEFINED);
      f->entry = at_variable (w.d, f->host);
      if (f->entry < 0)
	continue;
      unsigned word = (f->host - m->base) / 8;
      if (!w.d->entries[f->entry].counters)
	return undo (&w, wrong (m, "no attachment counters for struct"));
      if (w.d->attached[word] == 0)
	return undo (&w, wrong (m, "attach count underflow (the pointer at %p)",
				(void *) f->host));
      change_attached (w.d, word, -1);
      w.attached[w.num_attached++] = word;
      last[i] = w.d->attached[word] == 0;
    }
  for (unsigned i = 0; i < w.n; i++)
    {
      struct flat *f = &w.f[i];
      unsigned kind = f->it->kind;
      if (f->null || kind == DETACH)
	continue;
      if (kind == ZLAS || kind == DELETE_ZLAS)
	f->entry = at_byte (w.d, f->host);
      else
	f->entry = f->start == f->end ? at_empty (w.d, f->start) : overlap (w.d, f->start, f->end);
      if (f->entry < 0 && must_be_present (kind) && f->start < f->end)
	return undo (&w, not_present (&w, f));
    }

  for (unsigned i = 0; i < w.n; i++)
    if (last[i])
      set_from_host (m, w.d, w.f[i].host, 8);
  for (unsigned i = 0; i < w.n; i++)
    {
      struct flat *f = &w.f[i];
      unsigned kind = f->it->kind;
      if (f->entry < 0)
	continue;
      struct entry *e = &w.d->entries[f->entry];
      touch (x, e->block);
      if (kind == DETACH)
	continue;
      count (&w, e->block, -1);
      if ((kind == DELETE || kind == DELETE_ZLAS) && !m->blocks[e->block].permanent)
	m->blocks[e->block].count = 0;
      if (has_from (kind))
	pend (&w, (struct pending) { .block = e->block, .from = true, .always = is_always (kind),
				     .start = f->start > e->start ? f->start : e->start,
				     .end = f->end < e->end ? f->end : e->end });
    }
  copy_out_and_unmap (m, &frame);
  return RIGHT;
}

static enum verdict
update (struct model *m, const struct op *op, struct expected *x)
{
  static __thread struct frame frame;
  struct work w;

  start_work (&w, m, op, &frame);
  for (unsigned i = 0; i < w.n; i++)
    {
      struct flat *f = &w.f[i];
      if (f->null || f->start == f->end || is_attach (f->it->kind))
	continue;
      f->entry = overlap (w.d, f->start, f->end);
      if (f->entry < 0 && must_be_present (f->it->kind))
	return not_present (&w, f);
      if (f->entry < 0)
	continue;
      struct entry *e = &w.d->entries[f->entry];
      if (f->start < e->start || f->end > e->end)
	return wrong (m, "Trying to update [%p..%p) object when only [", (void *) f->start,
		      (void *) f->end);
      for (unsigned k = 0; k < i; k++)
	if (w.f[k].entry >= 0 && w.f[k].start < f->end && f->start < w.f[k].end
	    && has_to (w.f[k].it->kind) != has_to (f->it->kind))
	  return UNDEFINED;
    }
  for (unsigned i = 0; i < w.n; i++)
    if (w.f[i].entry >= 0)
      {
	touch (x, w.d->entries[w.f[i].entry].block);
	copy_range (m, w.d, w.f[i].start, w.f[i].end, has_to (w.f[i].it->kind));
      }
  return RIGHT;
}

/* ---- The omp_target_* routines ---- */

/* Does an entry hold [OFF, OFF + LEN) of the arena?  */
static bool
is_mapped (const struct model *m, int dev, uint64_t off, uint64_t len)
{
  int i = at_byte (&m->dev[dev], m->base + off);
  return i >= 0 && len > 0 && m->dev[dev].entries[i].end >= m->base + off + len;
}

static enum verdict
copy_by_routine (struct model *m, const struct op *op, struct expected *x)
{
  struct device_model *d = &m->dev[op->dev], *other = &m->dev[op->other];
  unsigned long off = op->off, len = op->len, value = op->value;

  if (off + len > m->size || len == 0 || !is_mapped (m, op->dev, off, len))
    return UNDEFINED;
  if (op->type != OP_FILL && value + len > m->size)
    return UNDEFINED;
  touch (x, d->entries[at_byte (d, m->base + off)].block);
  switch (op->type)
    {
    case OP_COPY_IN:
      set_bytes (m, d, m->base + off, m->host + value, m->host_known + value, len);
      break;
    case OP_COPY_OUT:
      memcpy (m->host + value, d->bytes + off, len);
      memcpy (m->host_known + value, d->known + off, len);
      break;
    case OP_COPY_DEVICE:
      if (!is_mapped (m, op->other, value, len)
	  || (op->dev == op->other && off < value + len && value < off + len))
	return UNDEFINED;
      if (op->dev == op->other)
	touch (x, other->entries[at_byte (other, m->base + value)].block);
      set_bytes (m, other, m->base + value, d->bytes + off, d->known + off, len);
      break;
    case OP_FILL:
      forget_words (m, d, m->base + off, m->base + off + len);
      memset (d->bytes + off, (int) value, len);
      memset (d->known + off, 1, len);
      break;
    }
  return RIGHT;
}

static enum verdict
associate (struct model *m, const struct op *op, struct expected *x)
{
  struct device_model *d = &m->dev[op->dev];
  uint64_t start = m->base + op->off, end = start + op->len;
  if (op->len <= 0 || (unsigned) (op->off + op->len) > m->size || d->n == MAX_ENTRIES)
    return UNDEFINED;
  int i = overlap (d, start, end);
  if (i < 0)
    {
      unsigned block = new_block (m, start, 0);
      new_entry (d, block, start, end);
      m->blocks[block].permanent = true;
      m->blocks[block].learned = true;
      m->blocks[block].delta = d->spare - m->base;
      set_unknown (m, d, start, end);
      touch (x, block);
      m->result = 0;
    }
  else
    {
      /* All right if it is where the entry begins, whatever its length.  */
      const struct block *b = &m->blocks[d->entries[i].block];
      m->result = (b->learned && d->entries[i].start + b->delta == d->spare + op->off
		   && d->entries[i].start <= start && d->entries[i].end >= end ? 0 : 22);
    }
  return RIGHT;
}

static enum verdict
disassociate (struct model *m, const struct op *op)
{
  struct device_model *d = &m->dev[op->dev];
  int i = at_byte (d, m->base + op->off);
  m->result = 22;
  if (i >= 0 && d->entries[i].start == m->base + op->off
      && m->blocks[d->entries[i].block].permanent)
    {
      unmap (m, d, d->entries[i].block);
      m->result = 0;
    }
  return RIGHT;
}

/* ---- */

static bool
fits (const struct model *m, const struct op *op)
{
  for (unsigned i = 0; i < op->n; i++)
    {
      const struct map_item *it = &op->items[i];
      bool by_size = is_data (it->kind) || it->kind == TO_PSET || it->kind == FIRSTPRIVATE
		     || it->kind == DELETE || it->kind == RELEASE;
      long size = by_size ? it->size : is_pointer (it->kind) || is_attach (it->kind) ? 8 : 1;
      if (!it->null && it->kind != VALUE && !it->slot
	  && (it->off < 0 || size < 0 || it->off + size > (long) m->size))
	return false;
    }
  return true;
}

enum verdict
model_do (struct model *m, const struct op *op, struct expected *x)
{
  static __thread struct frame frame;
  enum verdict v;

  x->num_slots = x->num_views = x->num_bytes = x->num_touched = x->num_words = 0;
  if (op->dev >= m->num_devices || op->other >= m->num_devices || !fits (m, op))
    return UNDEFINED;
  switch ((enum op_type) op->type)
    {
    case OP_WRITE:
      if (op->off < 0 || op->len < 0 || (unsigned) (op->off + op->len) > m->size)
	return UNDEFINED;
      for (int i = 0; i < op->len; i++)
	m->host[op->off + i] = pattern (op->value, i);
      memset (m->host_known + op->off, 1, op->len);
      return RIGHT;
    case OP_POINT:
      if (op->off % 8 != 0 || op->off < 0 || op->off + 8u > m->size || op->value >= (long) m->size)
	return UNDEFINED;
      {
	uint64_t value = op->value < 0 ? 0 : m->base + op->value;
	memcpy (m->host + op->off, &value, 8);
	memset (m->host_known + op->off, 1, 8);
      }
      return RIGHT;
    case OP_ENTER:
      return enter (m, op, &frame, x);
    case OP_TARGET:
      v = enter (m, op, &frame, x);
      if (v == RIGHT)
	leave (m, &frame);
      return v;
    case OP_DATA:
      if (m->depth == MAX_DEPTH)
	return UNDEFINED;
      v = enter (m, op, &m->frames[m->depth], x);
      m->depth += v == RIGHT;
      return v;
    case OP_END_DATA:
      if (m->depth == 0)
	return UNDEFINED;
      m->depth--;
      for (unsigned i = 0; i < m->frames[m->depth].num_counted; i++)
	touch (x, m->frames[m->depth].counted[i]);
      leave (m, &m->frames[m->depth]);
      return RIGHT;
    case OP_EXIT:
      return exit_data (m, op, x);
    case OP_UPDATE:
      return update (m, op, x);
    case OP_ASSOCIATE:
      return associate (m, op, x);
    case OP_DISASSOCIATE:
      return op->off < 0 || (unsigned) op->off >= m->size ? UNDEFINED : disassociate (m, op);
    case OP_COPY_IN: case OP_COPY_OUT: case OP_COPY_DEVICE: case OP_FILL:
      return op->off < 0 || op->len < 0 || op->value < 0 ? UNDEFINED : copy_by_routine (m, op, x);
    case OP_SHARE: case OP_UNSHARE:
      return op->value >= 0 && op->value < SHARED_OBJECTS ? RIGHT : UNDEFINED;
    case OP_TYPES:
      break;
    }
  return UNDEFINED;
}
