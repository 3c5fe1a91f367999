/* aux-rules.c -- the rules of OpenMP's data mapping as a model that is as simple as possible.

   Written from abi/target section 2; it shares nothing with the library.  Everything is searched from
   one end to the other.  Each operation is first looked through: what would be an error, or is not
   defined, changes nothing.  Then it is done.

   What the rules leave open is unknown in the model (known[] is 0): new device memory that nobody has
   filled, and words that the library may or may not bring up to date.

   What is here: the state, what all directives have in common, exit data, update, the ends of regions,
   and the routines.  aux-enter.c has the directives that enter.  */

#include "aux-rules.h"

#include <stdarg.h>

enum verdict __attribute__ ((format (printf, 2, 3)))
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
int
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

int
at_byte (const struct device_model *d, uint64_t addr)
{
  for (unsigned i = 0; i < d->n; i++)
    if (d->entries[i].start <= addr && d->entries[i].end > addr)
      return i;
  return -1;
}

/* What stands for an empty range.  */
int
at_empty (const struct device_model *d, uint64_t addr)
{
  for (unsigned i = 0; i < d->n; i++)
    if (d->entries[i].start == addr && d->entries[i].end == addr)
      return i;
  int i = at_byte (d, addr);
  return i >= 0 && d->entries[i].start < addr ? i : -1;
}

/* What a pointer points at.  */
int
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
int
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

unsigned
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

int
new_entry (struct device_model *d, unsigned block, uint64_t start, uint64_t end)
{
  d->entries[d->n] = (struct entry) { .start = start, .end = end, .block = block };
  return d->n++;
}

/* ---- Contents ---- */

/* The device's words in the range are not what they were.  */
void
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

void
set_unknown (struct model *m, struct device_model *d, uint64_t start, uint64_t end)
{
  forget_words (m, d, start, end);
  memset (d->known + (start - m->base), 0, end - start);
}

/* The device word of the pointer variable at ADDR becomes the device's address of VALUE in BLOCK.  */
void
set_word (struct model *m, struct device_model *d, uint64_t addr, unsigned block, uint64_t value)
{
  set_unknown (m, d, addr, addr + 8);
  d->words[(addr - m->base) / 8] = (struct device_word) { block, value };
  d->num_words++;
}

void
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
bool
pointer_at (const struct model *m, uint64_t addr, uint64_t *value)
{
  uint64_t at = addr - m->base;
  if (at % 8 != 0 || at + 8 > m->size || memchr (m->host_known + at, 0, 8) != NULL)
    return false;
  memcpy (value, m->host + at, 8);
  return true;
}

/* Copy in or out; not what is attached.  */
void
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

void
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

bool
is_implicit (unsigned kind)
{
  return (kind & 0xfc) == IMPLICIT;
}

bool
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

bool
has_to (unsigned kind)
{
  return (kind == TO || kind == TOFROM || kind == ALWAYS_TO || kind == ALWAYS_TOFROM
	  || kind == ALWAYS_PRESENT_TO || kind == ALWAYS_PRESENT_TOFROM || kind == (IMPLICIT | TO)
	  || kind == (IMPLICIT | TOFROM));
}

bool
has_from (unsigned kind)
{
  return (kind == FROM || kind == TOFROM || kind == ALWAYS_FROM || kind == ALWAYS_TOFROM
	  || kind == ALWAYS_PRESENT_FROM || kind == ALWAYS_PRESENT_TOFROM
	  || kind == (IMPLICIT | FROM) || kind == (IMPLICIT | TOFROM) || kind == PRESENT);
}

bool
is_always (unsigned kind)
{
  return (kind == ALWAYS_TO || kind == ALWAYS_FROM || kind == ALWAYS_TOFROM
	  || kind == ALWAYS_PRESENT_TO || kind == ALWAYS_PRESENT_FROM
	  || kind == ALWAYS_PRESENT_TOFROM);
}

bool
must_be_present (unsigned kind)
{
  return (kind == PRESENT || kind == ALWAYS_PRESENT_TO || kind == ALWAYS_PRESENT_FROM
	  || kind == ALWAYS_PRESENT_TOFROM);
}

bool
is_pointer (unsigned kind)
{
  return kind == POINTER || kind == POINTER_ZLAS || kind == ALWAYS_POINTER;
}

bool
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

void
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
void
count (struct work *w, unsigned block, int by)
{
  for (unsigned i = 0; i < w->frame->num_counted; i++)
    if (w->frame->counted[i] == block)
      return;
  w->frame->counted[w->frame->num_counted++] = block;
  if (!w->m->blocks[block].permanent && (by > 0 || w->m->blocks[block].count > 0))
    w->m->blocks[block].count += by;
}

enum verdict
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

void
pend (struct work *w, struct pending p)
{
  w->frame->pending[w->frame->n++] = p;
}

void
touch (struct expected *x, unsigned block)
{
  for (unsigned i = 0; i < x->num_touched; i++)
    if (x->touched[i] == block)
      return;
  if (x->num_touched < 2 * MAX_ITEMS)
    x->touched[x->num_touched++] = block;
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
