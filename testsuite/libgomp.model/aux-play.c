/* aux-play.c -- does operations as compiled programs do them, and compares with the model.

   A region gets two list items more, before the others: a private copy of struct orders, and a value that keeps
   what follows apart from it.  It writes into its log what it found in its slots and behind them, then
   changes what it was told to change.  */

#include "aux-model.h"

#include <stdarg.h>
#include <stddef.h>

/* Not in every compiler's omp.h.  */
extern void *omp_get_mapped_ptr (const void *, int);
extern void *omp_target_memset (void *, int, size_t, int);

enum { BEFORE = 2 };

struct orders
{
  uint64_t log;
  int num_slots, num_views, num_writes, num_shared, first_shared;
  struct { int slot, off, len; } views[MAX_VIEWS];
  struct { int slot, off, len; unsigned seed; } writes[MAX_WRITES];
};

struct log
{
  uint64_t slots[MAX_ITEMS];
  uint64_t wrong_shared;	/* shared objects that the region found changed */
  unsigned char bytes[VIEW_BYTES];
};

static unsigned char shared[SHARED_OBJECTS][SHARED_SIZE + POINTERS_EVERY];

KERNEL (model_region)
{
  void **slots = model_region_arg;
  const struct orders *o = slots[0];
  struct log *log = (struct log *) o->log;
  unsigned at = 0;

  memcpy (log->slots, slots + BEFORE, o->num_slots * sizeof (slots[0]));
  for (int i = 0; i < o->num_views; i++)
    {
      memcpy (log->bytes + at, (char *) slots[o->views[i].slot] + o->views[i].off, o->views[i].len);
      at += o->views[i].len;
    }
  log->wrong_shared = 0;
  for (int i = 0; i < o->num_shared; i++)
    for (int k = 0; k < SHARED_SIZE; k++)
      log->wrong_shared += ((unsigned char *) slots[o->first_shared + i])[k] != pattern (i, k);
  for (int i = 0; i < o->num_writes; i++)
    for (int k = 0; k < o->writes[i].len; k++)
      ((unsigned char *) slots[o->writes[i].slot])[o->writes[i].off + k]
	= pattern (o->writes[i].seed, k);
}

static bool __attribute__ ((format (printf, 2, 3)))
differs (struct player *p, const char *fmt, ...)
{
  va_list list;
  if (p->failure[0] == 0)
    {
      va_start (list, fmt);
      vsnprintf (p->failure, sizeof (p->failure), fmt, list);
      va_end (list);
    }
  return false;
}

static void __attribute__ ((constructor))
fill_shared (void)
{
  for (int i = 0; i < SHARED_OBJECTS; i++)
    for (int k = 0; k < SHARED_SIZE; k++)
      shared[i][k] = pattern (i, k);
}

bool
player_init (struct player *p, unsigned size)
{
  int num = omp_get_num_devices ();
  if (num > MAX_DEVICES)
    num = MAX_DEVICES;
  memset (p, 0, sizeof (*p));
  p->arena = aligned_alloc (4096, (size + 4095) & -4096);
  for (unsigned i = 0; i < size; i++)
    p->arena[i] = pattern (77, i);
  model_init (&p->model, p->arena, size, num);
  for (int i = 0; i < num; i++)
    {
      p->log[i] = omp_target_alloc ((1 + MAX_FLIGHTS) * sizeof (struct log), i);
      p->spare[i] = omp_target_alloc (size, i);
      if (p->log[i] == NULL || p->spare[i] == NULL)
	return differs (p, "no device memory");
      p->model.dev[i].spare = (uint64_t) p->spare[i];
    }
  return true;
}

void
player_free (struct player *p)
{
  for (unsigned i = 0; i < p->model.num_devices; i++)
    {
      omp_target_free (p->log[i], i);
      omp_target_free (p->spare[i], i);
    }
  model_free (&p->model);
  free (p->arena);
}

/* ---- Lists ---- */

struct arrays
{
  void *addr[MAX_ITEMS + BEFORE + SHARED_OBJECTS];
  size_t size[MAX_ITEMS + BEFORE + SHARED_OBJECTS];
  unsigned short kind[MAX_ITEMS + BEFORE + SHARED_OBJECTS];
  uint64_t words[2 * MAX_ITEMS + MAX_ITEMS];
  size_t n;
};

static void
push (struct arrays *a, const void *addr, size_t size, unsigned kind)
{
  a->addr[a->n] = (void *) addr;
  a->size[a->n] = size;
  a->kind[a->n++] = kind;
}

/* The map list of OP behind what is in A.  */
static void
build (const struct player *p, const struct op *op, struct arrays *a)
{
  uint64_t *word = a->words;

  for (unsigned i = 0; i < op->n; )
    {
      const struct map_item *it = &op->items[i];
      unsigned kind = it->kind | it->align << 8;
      void *addr = it->null ? NULL : p->arena + it->off;
      if (it->kind == VALUE)
	addr = (void *) (long) it->off;
      else if (it->slot)
	addr = &a->addr[a->n - 2];
      if (it->elements == 0)
	{
	  push (a, addr, it->size, kind);
	  i++;
	  continue;
	}
      unsigned n = it->elements == NO_ELEMENTS ? 0 : it->elements;
      push (a, word, SIZE_MAX, kind);
      *word++ = n;
      for (unsigned k = 0; k < n && i + k < op->n; k++)
	{
	  *word++ = it[k].null ? 0 : (uint64_t) (p->arena + it[k].off);
	  *word++ = it[k].size;
	}
      i += n == 0 ? 1 : n;
    }
}

static int
list_item_of (const struct op *op, int index)
{
  int slot = 0;
  for (int i = 0; i < index; slot++)
    i += op->items[i].elements == 0 || op->items[i].elements == NO_ELEMENTS
	 ? 1 : op->items[i].elements;
  return slot;
}

/* ---- Comparing ---- */

/* The address that the device has for VALUE in a block: learn it, or is it the right one?  */
static bool
check_address (struct player *p, unsigned block, uint64_t value, uint64_t addr, const char *what)
{
  struct block *b = &p->model.blocks[block];
  if (addr == 0)
    return differs (p, "%s: NULL instead of an address on the device", what);
  if (!b->learned)
    {
      b->learned = true;
      b->delta = addr - value;
      uint64_t base = b->host + b->delta;
      if (b->align < 16 && (base & ((1u << b->align) - 1)) != 0)
	return differs (p, "%s: %#lx is not aligned to %u bytes", what, base, 1u << b->align);
    }
  if (addr != value + b->delta)
    return differs (p, "%s: address %#lx on the device should be %#lx", what, addr,
		    value + b->delta);
  return true;
}

static bool
check_host (struct player *p)
{
  struct model *m = &p->model;
  if (memchr (m->host_known, 0, m->size) == NULL)
    {
      if (memcmp (p->arena, m->host, m->size) == 0)
	return true;
    }
  for (unsigned i = 0; i < m->size; i++)
    if (!m->host_known[i])
      {
	/* Nobody can tell what came from the device; now it is known.  */
	m->host[i] = p->arena[i];
	m->host_known[i] = 1;
      }
    else if (p->arena[i] != m->host[i])
      return differs (p, "host byte %u is %#x, should be %#x", i, p->arena[i], m->host[i]);
  return true;
}

/* Does the routine that asks for addresses know whether ADDR is mapped?  */
static bool
check_presence (struct player *p, int dev, uint64_t addr)
{
  struct entry *e = model_entry_at (&p->model, dev, addr);
  uint64_t mapped = (uint64_t) omp_get_mapped_ptr ((void *) addr, dev);
  if (e == NULL && mapped != 0)
    return differs (p, "offset %lu is mapped on device %d and should not be",
		    addr - p->model.base, dev);
  if (e == NULL)
    return true;
  if (mapped == 0)
    return differs (p, "offset %lu is not mapped on device %d and should be",
		    addr - p->model.base, dev);
  return check_address (p, e->block, addr, mapped, "omp_get_mapped_ptr");
}

static bool
check_words (struct player *p, const unsigned char *bytes, const struct device_word *word,
	     const char *what)
{
  uint64_t seen;
  memcpy (&seen, bytes, 8);
  return check_address (p, word->block, word->value, seen, what);
}

static bool
check_entry (struct player *p, int dev, const struct entry *e)
{
  static __thread unsigned char *bytes;
  static __thread unsigned room;
  struct model *m = &p->model;
  const struct device_model *d = &m->dev[dev];
  uint64_t at = e->start - m->base, len = e->end - e->start;

  if (len == 0)
    return true;
  if (!check_presence (p, dev, e->start) || !check_presence (p, dev, e->end - 1))
    return false;
  if (room < m->size)
    {
      free (bytes);
      room = m->size;
      bytes = malloc (room);
    }
  if (omp_target_memcpy (bytes, (void *) (e->start + m->blocks[e->block].delta), len, 0, 0,
			 omp_get_initial_device (), dev) != 0)
    return differs (p, "omp_target_memcpy fails");
  if (memchr (d->known + at, 0, len) != NULL || memcmp (bytes, d->bytes + at, len) != 0)
    for (uint64_t i = 0; i < len; i++)
      if (d->known[at + i] && bytes[i] != d->bytes[at + i])
	return differs (p, "device %d has %#x for offset %lu, should be %#x", dev, bytes[i], at + i,
			d->bytes[at + i]);
  if (d->num_words > 0)
    for (uint64_t w = (at + 7) / 8; w * 8 + 8 <= at + len; w++)
      if (d->words[w].block != 0)
	{
	  char what[60];
	  snprintf (what, sizeof (what), "pointer at offset %lu, device %d", w * 8, dev);
	  if (!check_words (p, bytes + w * 8 - at, &d->words[w], what))
	    return false;
	}
  return true;
}

static bool land (struct player *);

bool
player_compare_all (struct player *p)
{
  struct model *m = &p->model;
  if (!land (p) || !check_host (p))
    return false;
  for (unsigned dev = 0; dev < m->num_devices; dev++)
    {
      struct device_model *d = &m->dev[dev];
      for (unsigned i = 0; i < d->n; i++)
	if (!check_entry (p, dev, &d->entries[i]))
	  return false;
      for (unsigned i = 0; i < d->n; i++)
	for (unsigned k = 0; k < i; k++)
	  {
	    const struct entry *a = &d->entries[i], *b = &d->entries[k];
	    uint64_t da = m->blocks[a->block].delta, db = m->blocks[b->block].delta;
	    if (m->blocks[a->block].learned && m->blocks[b->block].learned
		&& a->start + da < b->end + db && b->start + db < a->end + da)
	      return differs (p, "offsets %lu and %lu have the same memory on device %d",
			      a->start - m->base, b->start - m->base, dev);
	  }
      for (unsigned at = 0; at < m->size; at += m->size / 512 + 1)
	if (!check_presence (p, dev, m->base + at))
	  return false;
    }
  return true;
}

/* What the region found.  A is NULL for a target task, whose caller is not told about copies.  */
static bool
check_region (struct player *p, const struct op *op, const struct expected *x, int log_number,
	      const struct arrays *a, const struct arrays *before)
{
  struct log log;
  char what[60];

  if (omp_target_memcpy (&log, (struct log *) p->log[op->dev] + log_number,
			 offsetof (struct log, bytes) + x->num_bytes, 0, 0,
			 omp_get_initial_device (), op->dev) != 0)
    return differs (p, "omp_target_memcpy fails");
  for (unsigned i = 0; i < x->num_slots; i++)
    {
      const struct expected_slot *s = &x->slots[i];
      snprintf (what, sizeof (what), "slot %u", i);
      if (s->how == SLOT_VALUE && log.slots[i] != s->value)
	return differs (p, "%s has %#lx instead of %#lx", what, log.slots[i], s->value);
      if (s->how == SLOT_BLOCK && !check_address (p, s->block, s->value, log.slots[i], what))
	return false;
      if (s->how == SLOT_PRIVATE
	  && (log.slots[i] == 0 || (log.slots[i] & ((1u << s->align) - 1)) != 0
	      || (a != NULL && log.slots[i] != (uint64_t) a->addr[i + BEFORE])))
	return differs (p, "%s: private copy at %#lx, told to be at %p", what, log.slots[i],
			a != NULL ? a->addr[i + BEFORE] : NULL);
      if (a != NULL && s->how != SLOT_PRIVATE && a->addr[i + BEFORE] != before->addr[i + BEFORE])
	return differs (p, "%s: the caller's address was changed", what);
    }
  for (unsigned i = 0; i < x->num_bytes; i++)
    if (x->known[i] && log.bytes[i] != x->bytes[i])
      {
	unsigned k = 0;
	while (k + 1 < x->num_views && x->views[k + 1].at <= i)
	  k++;
	return differs (p, "the region finds %#x instead of %#x, %d behind slot %d", log.bytes[i],
			x->bytes[i], i - x->views[k].at + x->views[k].off, x->views[k].slot);
      }
  for (unsigned i = 0; i < x->num_words; i++)
    {
      const struct device_word *w = &x->words[i].word;
      if (w->block != WORD_OF_SLOT)
	{
	  if (!check_words (p, log.bytes + x->words[i].at, w, "a pointer that the region finds"))
	    return false;
	}
      else if (memcmp (log.bytes + x->words[i].at, &log.slots[w->value], 8) != 0)
	return differs (p, "private descriptor does not show slot %lu", w->value);
    }
  if (log.wrong_shared != 0)
    return differs (p, "the region finds %lu wrong bytes in shared objects", log.wrong_shared);
  return true;
}

/* What target data has put into the caller's array.  */
static bool
check_use_device (struct player *p, const struct arrays *a, const struct arrays *before)
{
  const struct expected *x = &p->expected;
  for (unsigned i = 0; i < x->num_slots; i++)
    {
      const struct expected_slot *s = &x->slots[i];
      uint64_t seen = (uint64_t) a->addr[i], old = (uint64_t) before->addr[i];
      if (a->kind[i] == USE_DEVICE && s->how == SLOT_BLOCK)
	{
	  if (!check_address (p, s->block, s->value, seen, "use_device"))
	    return false;
	}
      else if (s->how != SLOT_ANY || a->kind[i] != USE_DEVICE)
	if (seen != (a->kind[i] == USE_DEVICE ? s->value : old))
	  return differs (p, "list item %u: the caller gets %#lx", i, seen);
    }
  return true;
}

/* ---- Doing ---- */

static void
issue_target (struct player *p, const struct op *op, const struct expected *x, int log_number,
	      void **depend, struct arrays *a, struct arrays *before)
{
  struct orders o = { .log = (uint64_t) ((struct log *) p->log[op->dev] + log_number), .num_slots = x->num_slots,
		      .num_views = x->num_views, .num_writes = op->num_writes };
  void *args[] = { (void *) -130816L, (void *) 0x200, NULL };

  for (unsigned i = 0; i < x->num_views; i++)
    {
      o.views[i].slot = x->views[i].slot + BEFORE;
      o.views[i].off = x->views[i].off;
      o.views[i].len = x->views[i].len;
    }
  for (int i = 0; i < op->num_writes; i++)
    {
      o.writes[i].slot = list_item_of (op, op->writes[i].item) + BEFORE;
      o.writes[i].off = op->writes[i].off;
      o.writes[i].len = op->writes[i].len;
      o.writes[i].seed = op->writes[i].seed;
    }
  push (a, &o, sizeof (o), FIRSTPRIVATE | ALIGNED (3));
  push (a, NULL, 0, VALUE);
  build (p, op, a);
  if (op->shared)
    {
      o.first_shared = a->n;
      o.num_shared = SHARED_OBJECTS;
      for (int i = 0; i < SHARED_OBJECTS; i++)
	push (a, shared[i], SHARED_SIZE, TO);
    }
  *before = *a;
  GOMP_target_ext (op->dev, model_region, a->n, a->addr, a->size, a->kind, op->nowait, depend,
		   args);
}

/* X and the log are for a region.  */
static void
issue (struct player *p, const struct op *op, const struct expected *x, int log_number,
       struct arrays *a, struct arrays *before)
{
  /* depend(inout: *p)  */
  void *chain[] = { (void *) 1, (void *) 1, p }, **depend = op->nowait ? chain : NULL;
  int h = omp_get_initial_device ();
  const struct block *b;
  unsigned char *dst = NULL;

  a->n = 0;
  if (op->type == OP_TARGET)
    {
      issue_target (p, op, x, log_number, depend, a, before);
      return;
    }
  build (p, op, a);
  *before = *a;
  switch ((enum op_type) op->type)
    {
    case OP_WRITE:
      for (int i = 0; i < op->len; i++)
	p->arena[op->off + i] = pattern (op->value, i);
      break;
    case OP_POINT:
      {
	void *value = op->value < 0 ? NULL : p->arena + op->value;
	memcpy (p->arena + op->off, &value, sizeof (value));
      }
      break;
    case OP_ENTER:
    case OP_EXIT:
      GOMP_target_enter_exit_data (op->dev, a->n, a->addr, a->size, a->kind,
				   (op->type == OP_EXIT ? 2 : 0) | op->nowait, depend);
      break;
    case OP_UPDATE:
      GOMP_target_update_ext (op->dev, a->n, a->addr, a->size, a->kind, op->nowait, depend);
      break;
    case OP_DATA:
      GOMP_target_data_ext (op->dev, a->n, a->addr, a->size, a->kind);
      break;
    case OP_END_DATA:
      GOMP_target_end_data ();
      break;
    case OP_ASSOCIATE:
      if (omp_target_associate_ptr (p->arena + op->off, p->spare[op->dev], op->len, op->off,
				    op->dev) != p->model.result)
	differs (p, "omp_target_associate_ptr does not answer %d", p->model.result);
      break;
    case OP_DISASSOCIATE:
      if (omp_target_disassociate_ptr (p->arena + op->off, op->dev) != p->model.result)
	differs (p, "omp_target_disassociate_ptr does not answer %d", p->model.result);
      break;
    case OP_COPY_IN: case OP_COPY_OUT: case OP_COPY_DEVICE: case OP_FILL:
      {
	b = &p->model.blocks[model_entry_at (&p->model, op->dev, p->model.base + op->off)->block];
	unsigned char *dev = p->arena + op->off + b->delta;
	int result = 0;
	if (!b->learned)
	  differs (p, "a mapped block that was never seen");
	else if (op->type == OP_COPY_IN)
	  result = omp_target_memcpy (dev, p->arena, op->len, 0, op->value, op->dev, h);
	else if (op->type == OP_COPY_OUT)
	  result = omp_target_memcpy (p->arena, dev, op->len, op->value, 0, h, op->dev);
	else if (op->type == OP_FILL)
	  {
	    if (omp_target_memset (dev, op->value, op->len, op->dev) != dev)
	      differs (p, "omp_target_memset does not answer its argument");
	  }
	else
	  {
	    b = &p->model.blocks[model_entry_at (&p->model, op->other,
						 p->model.base + op->value)->block];
	    dst = p->arena + op->value + b->delta;
	    result = omp_target_memcpy (dst, dev, op->len, 0, 0, op->other, op->dev);
	  }
	if (result != 0)
	  differs (p, "omp_target_memcpy answers %d", result);
      }
      break;
    case OP_SHARE:
    case OP_UNSHARE:
      push (a, shared[op->value], SHARED_SIZE, op->type == OP_SHARE ? TO : RELEASE);
      GOMP_target_enter_exit_data (op->dev, a->n, a->addr, a->size, a->kind,
				   op->type == OP_SHARE ? 0 : 2, NULL);
      *before = *a;
      break;
    case OP_TARGET:
    case OP_TYPES:
      break;
    }
}

/* What I hold on to of the shared objects is there.  */
static bool
check_shared (struct player *p, int dev, int k)
{
  unsigned char copy[SHARED_SIZE];
  unsigned char *mapped;

  if (p->shares[dev][k] == 0)
    return true;
  mapped = omp_get_mapped_ptr (shared[k], dev);
  if (mapped == NULL)
    return differs (p, "shared object %d is not mapped on device %d", k, dev);
  omp_target_memcpy (copy, mapped, SHARED_SIZE, 0, 0, omp_get_initial_device (), dev);
  for (int i = 0; i < SHARED_SIZE; i++)
    if (copy[i] != pattern (k, i))
      return differs (p, "byte %d of shared object %d is %#x on device %d", i, k, copy[i], dev);
  return true;
}

/* The entries of the blocks that X names are as they should be.  */
static bool
check_touched (struct player *p, int dev, const struct expected *x)
{
  struct device_model *d = &p->model.dev[dev];
  for (unsigned i = 0; i < d->n; i++)
    for (unsigned k = 0; k < x->num_touched; k++)
      if (d->entries[i].block == x->touched[k] && !check_entry (p, dev, &d->entries[i]))
	return false;
  return true;
}

/* Issue a target task.  Nothing of the caller's may be needed afterwards.  */
static void
take_off (struct player *p, const struct op *op)
{
  struct arrays a, before;
  p->flight[p->flights].op = *op;
  issue (p, op, &p->flight[p->flights].expected, 1 + p->flights, &a, &before);
  memset (&a, 0x5a, sizeof (a));
  p->flights++;
}

/* Wait for the target tasks and compare.  */
static bool
land (struct player *p)
{
  unsigned n = p->flights;
  if (n == 0)
    return true;
  p->flights = 0;
#pragma omp taskwait
  for (unsigned i = 0; i < n; i++)
    if (p->flight[i].op.type == OP_TARGET
	&& !check_region (p, &p->flight[i].op, &p->flight[i].expected, 1 + i, NULL, NULL))
      return false;
  if (!check_host (p))
    return false;
  for (unsigned i = 0; i < n; i++)
    if (!check_touched (p, p->flight[i].op.dev, &p->flight[i].expected))
      return false;
  return true;
}

bool
player_do (struct player *p, const struct op *op, enum verdict *verdict)
{
  struct model *m = &p->model;
  struct expected *x = &p->expected;
  struct arrays a, before;

  *verdict = RIGHT;
  /* What is private is copied now, whatever the target tasks do to it later.  */
  bool now = !op->nowait || p->flights == MAX_FLIGHTS;
  for (unsigned i = 0; i < op->n; i++)
    now |= op->items[i].kind == FIRSTPRIVATE;
  if (now && !land (p))
    return false;
  if (op->nowait)
    {
      *verdict = op->type < OP_ENTER || op->type > OP_TARGET || op->type == OP_DATA
		 ? UNDEFINED : model_do (m, op, &p->flight[p->flights].expected);
      if (*verdict == RIGHT)
	{
	  take_off (p, op);
	  p->steps++;
	}
      return true;
    }
  if (op->type == OP_UNSHARE && op->value >= 0 && op->value < SHARED_OBJECTS
      && op->dev < m->num_devices && p->shares[op->dev][op->value] == 0)
    *verdict = UNDEFINED;
  else
    *verdict = model_do (m, op, x);
  if (*verdict != RIGHT)
    return true;
  p->steps++;
  if (op->type == OP_END_DATA)
    ((struct op *) op)->dev = m->frames[m->depth].dev;
  issue (p, op, x, 0, &a, &before);
  if (p->failure[0] != 0)
    return false;

  if (memcmp (a.size, before.size, a.n * sizeof (a.size[0])) != 0
      || memcmp (a.kind, before.kind, a.n * sizeof (a.kind[0])) != 0)
    return differs (p, "sizes or kinds of the caller were changed");
  if (op->type == OP_TARGET && !check_region (p, op, x, 0, &a, &before))
    return false;
  if (op->type != OP_TARGET && op->type != OP_DATA
      && memcmp (a.addr, before.addr, a.n * sizeof (a.addr[0])) != 0)
    return differs (p, "addresses of the caller were changed");
  if (op->type == OP_DATA && !check_use_device (p, &a, &before))
    return false;
  if (!check_host (p))
    return false;

  int dev = op->type == OP_COPY_DEVICE ? op->other : op->dev;
  if (!check_touched (p, dev, x))
    return false;
  uint64_t state = p->steps * 2654435761u + 88172645463325252u;
  for (int i = 0; i < 2; i++)
    if (!check_presence (p, dev, m->base + rnd_next (&state, m->size)))
      return false;
  if (op->type == OP_SHARE)
    p->shares[op->dev][op->value]++;
  if (op->type == OP_UNSHARE)
    p->shares[op->dev][op->value]--;
  if ((op->shared || op->type == OP_SHARE)
      && !check_shared (p, op->dev, op->type == OP_SHARE ? op->value : p->steps % SHARED_OBJECTS))
    return false;
  return p->steps % 64 != 0 || player_compare_all (p);
}

void
player_die (struct player *p, const struct op *op)
{
  struct arrays a, before;
  p->expected.num_slots = p->expected.num_views = 0;
  issue (p, op, &p->expected, 0, &a, &before);
#pragma omp taskwait
}

bool
player_unwind (struct player *p, struct op *op)
{
  struct model *m = &p->model;

  memset (op, 0, sizeof (*op));
  if (m->depth > 0)
    {
      op->type = OP_END_DATA;
      return true;
    }
  for (unsigned dev = 0; dev < m->num_devices; dev++)
    {
      op->dev = dev;
      for (int k = 0; k < SHARED_OBJECTS; k++)
	if (p->shares[dev][k] > 0)
	  {
	    op->type = OP_UNSHARE;
	    op->value = k;
	    return true;
	  }
      if (m->dev[dev].n == 0)
	continue;
      const struct entry *e = &m->dev[dev].entries[0];
      op->off = e->start - m->base;
      op->type = OP_DISASSOCIATE;
      if (!m->blocks[e->block].permanent)
	{
	  op->type = OP_EXIT;
	  op->n = 1;
	  op->items[0] = (struct map_item) { .kind = DELETE, .off = op->off,
					     .size = e->end - e->start };
	}
      return true;
    }
  return false;
}
