/* aux-enter.c -- the rules of the model for target, target data and target enter data: what is found, what is
   made, which pointers are attached or stored, what is copied, and what the region then sees.  As
   aux-rules.c, whose part this is.  */

#include "aux-rules.h"

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

enum verdict
not_present (struct work *w, const struct flat *f)
{
  return wrong (w->m, "present clause: not present on the device (addr: %p, size: %lu (0x%lx), dev: ",
		(void *) f->host, (unsigned long) f->it->size, (unsigned long) f->it->size);
}

static enum verdict
data_item (struct work *w, struct flat *f, const struct flat *next)
{
  unsigned kind = f->adopted ? ALLOC : f->it->kind;
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
  return !f->null && (is_data (f->it->kind) || f->it->kind == TO_PSET || f->adopted);
}

static bool
attaches (const struct work *w, uint64_t pointer)
{
  for (unsigned i = 0; i < w->n; i++)
    if (is_attach (w->f[i].it->kind) && !w->f[i].it->slot && !w->f[i].null && w->f[i].host == pointer)
      return true;
  return false;
}

/* Pointers that a region is to find by the struct around them, which is not mapped: zero-length sections
   among the members [FIRST, END) of H that the construct attaches.  They are mapped like ALLOC.  */
static enum verdict
adopt_pointers (struct work *w, const struct flat *h, unsigned first, unsigned end)
{
  uint64_t high = 0;

  for (unsigned i = first; i < end; i++)
    {
      const struct flat *f = &w->f[i];
      uint64_t last = f->it->kind == ZLAS ? f->host + 8 : f->end;
      if (!f->null && (f->it->kind == ZLAS || has_range (f)) && last > high)
	high = last;
    }
  if (h->host >= high || overlap (w->d, h->host, high) >= 0)
    return RIGHT;
  for (unsigned i = first; i < end; i++)
    {
      struct flat *f = &w->f[i];
      if (f->null || f->it->kind != ZLAS || !attaches (w, f->host))
	continue;
      if (f->it->size != 0 || f->host + 8 > w->m->base + w->m->size)
	return UNDEFINED;
      f->adopted = true;
      f->start = f->host;
      f->end = f->host + 8;
    }
  return RIGHT;
}

static enum verdict
struct_item (struct work *w, unsigned index)
{
  struct flat *h = &w->f[index];
  uint64_t low = UINT64_MAX, high = 0;
  unsigned end = index + 1;
  int any = -1;

  if (w->op->type == OP_TARGET)
    {
      unsigned last = end;
      while (last < w->n && w->f[last].slot - h->slot <= (uint64_t) h->it->size)
	last++;
      enum verdict v = adopt_pointers (w, h, index + 1, last);
      if (v != RIGHT)
	return v;
    }
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
    if (!w->f[i].null && w->f[i].host == addr && w->f[i].it->size == 0 && !w->f[i].adopted
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
      if (is_data (kind) || f->adopted)
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

/* ---- The directives that enter ---- */

enum verdict
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
