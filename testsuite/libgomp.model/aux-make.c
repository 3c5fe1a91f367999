/* aux-make.c -- random operations.

   A list is made of groups as compilers emit them: plain sections, a section with its pointer, members of
   a struct, an array descriptor.  Ranges are near to what is mapped more often than not, so that most
   operations are right; make_op does not look whether they are.  */

#include "aux-model.h"

struct maker
{
  struct model *m;
  struct device_model *d;
  uint64_t *state;
  struct op *op;
};

static unsigned
rnd (struct maker *k, unsigned n)
{
  return rnd_next (k->state, n);
}

static bool
chance (struct maker *k, unsigned percent)
{
  return rnd (k, 100) < percent;
}

static struct map_item *
put (struct maker *k, unsigned kind, long off, long size)
{
  static __thread struct map_item none;
  if (k->op->n == MAX_ITEMS)
    return &none;
  struct map_item *it = &k->op->items[k->op->n++];
  *it = (struct map_item) { .kind = kind, .off = off, .size = size };
  return it;
}

static unsigned
length (struct maker *k)
{
  unsigned size = k->m->size;
  if (chance (k, 15))
    return 1 + rnd (k, size / 2);
  if (chance (k, 20))
    return 8 * (1 + rnd (k, size / 64));
  return 1 + rnd (k, size / 16);
}

/* A range: that of an entry, a part of it, something that has not been mapped, anything.  */
static void
pick_range (struct maker *k, long *off, long *len)
{
  unsigned how = rnd (k, 10);
  if (how < 6 && k->d->n > 0)
    {
      const struct entry *e = &k->d->entries[rnd (k, k->d->n)];
      long size = e->end - e->start;
      *off = e->start - k->m->base;
      *len = size;
      if (how < 4 && size > 1)
	{
	  long skip = rnd (k, size);
	  *off += skip;
	  *len = 1 + rnd (k, size - skip);
	}
      return;
    }
  for (int try = 0; try < 8; try++)
    {
      *len = length (k);
      *off = rnd (k, k->m->size - *len);
      bool clear = true;
      for (unsigned i = 0; i < k->d->n && clear; i++)
	clear = (k->d->entries[i].start >= k->m->base + *off + *len
		 || k->d->entries[i].end <= k->m->base + *off);
      if (clear || how == 9)
	return;
    }
}

static unsigned
data_kind (struct maker *k)
{
  static const unsigned char region[]
    = { ALLOC, TO, FROM, TOFROM, TOFROM, IMPLICIT, IMPLICIT | TO, IMPLICIT | FROM,
	IMPLICIT | TOFROM, ALWAYS_TO, ALWAYS_FROM, ALWAYS_TOFROM, PRESENT, ALWAYS_PRESENT_TO,
	ALWAYS_PRESENT_FROM, ALWAYS_PRESENT_TOFROM };
  static const unsigned char enter[] = { ALLOC, TO, TO, ALWAYS_TO, PRESENT, ALWAYS_PRESENT_TO };
  static const unsigned char leave[]
    = { FROM, FROM, DELETE, ALWAYS_FROM, RELEASE, RELEASE, PRESENT, ALWAYS_PRESENT_FROM };
  static const unsigned char update[]
    = { TO, FROM, TO, FROM, ALWAYS_PRESENT_TO, ALWAYS_PRESENT_FROM };
  switch (k->op->type)
    {
    case OP_ENTER: return enter[rnd (k, sizeof (enter))];
    case OP_EXIT: return leave[rnd (k, sizeof (leave))];
    case OP_UPDATE: return update[rnd (k, sizeof (update))];
    default: return region[rnd (k, sizeof (region))];
    }
}

static unsigned
some_align (struct maker *k)
{
  return chance (k, 90) ? rnd (k, 5) : rnd (k, 8);
}

static void
section (struct maker *k)
{
  long off, len;
  pick_range (k, &off, &len);
  put (k, data_kind (k), off, chance (k, 3) ? 0 : len)->align = some_align (k);
}

/* A pointer variable, and where it points: the offset in the arena, or -1.  */
static long
pick_pointer (struct maker *k, long *target)
{
  long off = POINTERS_EVERY * rnd (k, k->m->size / POINTERS_EVERY);
  uint64_t value;
  memcpy (&value, k->m->host + off, 8);
  *target = value - k->m->base < k->m->size ? (long) (value - k->m->base) : -1;
  return off;
}

/* The section that a pointer points to, and the bias.  */
static long
pointee (struct maker *k, long target, bool map)
{
  long size = k->m->size;
  if (target < 0)
    return 0;
  long bias = chance (k, 60) ? 0 : (long) rnd (k, 48) - 16;
  if (bias == -1 || target + bias < 0 || target + bias >= size)
    bias = 0;
  if (map)
    {
      long len = length (k);
      for (unsigned i = 0; i < k->d->n; i++)
	{
	  const struct entry *e = &k->d->entries[i];
	  uint64_t at = k->m->base + target + bias;
	  if (e->start <= at && e->end > at)
	    len = 1 + rnd (k, e->end - at);
	  else if (e->start > at && (long) (e->start - at) < len)
	    len = e->start - at;
	}
      if (target + bias + len > size)
	len = size - target - bias;
      put (k, chance (k, 5) ? ZLAS : data_kind (k), target + bias, len)->align = some_align (k);
      if (k->op->n > 0 && k->op->items[k->op->n - 1].kind == ZLAS)
	k->op->items[k->op->n - 1].size = 0;
    }
  return bias;
}

/* What is in the place of a pointer variable, so that it can be attached.  */
static void
variable (struct maker *k, long off)
{
  static const unsigned char lens[] = { 8, 8, 16, 32 };
  const struct entry *e = model_entry_at (k->m, k->op->dev, k->m->base + off);
  if (e == NULL || chance (k, 30))
    put (k, data_kind (k), off, lens[rnd (k, sizeof (lens))])->align = 3;
}

static void
attached (struct maker *k)
{
  long target, off = pick_pointer (k, &target);
  bool first = chance (k, 50);
  if (first && chance (k, 70))
    variable (k, off);
  long bias = pointee (k, target, chance (k, 80));
  if (!first && chance (k, 70))
    variable (k, off);
  put (k, chance (k, 85) ? ATTACH : ATTACH_ZLAS, off, bias);
  if (chance (k, 8))
    put (k, ATTACH, off, bias + 8);
}

static void
descriptor (struct maker *k)
{
  long target, off = pick_pointer (k, &target), bias = pointee (k, target, chance (k, 85));
  long len = 24 + 8 * rnd (k, 6);
  if (off + len > (long) k->m->size)
    len = 24;
  put (k, TO_PSET, off, len)->align = 3;
  if (chance (k, 90))
    put (k, chance (k, 60) ? POINTER : ALWAYS_POINTER, off, bias);
}

static void
pointer (struct maker *k)
{
  long target, off = pick_pointer (k, &target);
  switch (rnd (k, 3))
    {
    case 0:
      put (k, POINTER, off, pointee (k, target, chance (k, 85)));
      break;
    case 1:
      put (k, POINTER_ZLAS, off, pointee (k, target, chance (k, 50)));
      break;
    case 2:
      {
	if (chance (k, 80))
	  variable (k, off);
	long bias = pointee (k, target, target >= 0);
	put (k, ALWAYS_POINTER, off, bias);
	if (chance (k, 10))
	  {
	    long other = pick_pointer (k, &target);
	    put (k, ALWAYS_POINTER, other, rnd (k, 16));
	  }
      }
      break;
    }
}

static void
structure (struct maker *k)
{
  unsigned n = 1 + rnd (k, 4), header = k->op->n;
  bool unordered = chance (k, 30);
  long pointers[4], biases[4], num = 0, at, target;
  struct map_item *h;

  if (k->op->n + n + 1 > MAX_ITEMS)
    return;
  if (k->d->n > 0 && chance (k, 50))
    {
      /* Of a struct that is mapped.  */
      const struct entry *e = &k->d->entries[rnd (k, k->d->n)];
      h = put (k, STRUCT, e->start - k->m->base, 0);
      for (unsigned i = 0; i < k->d->n && (unsigned) h->size < n; i++)
	if (k->d->entries[i].block == e->block)
	  {
	    long off = k->d->entries[i].start - k->m->base;
	    put (k, data_kind (k), off, k->d->entries[i].end - k->d->entries[i].start);
	    if (off < h->off)
	      h->off = off;
	    h->size++;
	  }
    }
  else
    {
      at = 8 * rnd (k, k->m->size / 8 - 1);
      h = put (k, STRUCT, at, 0);
      for (unsigned i = 0; i < n; i++)
	{
	  at += rnd (k, 24);
	  long len = 1 + rnd (k, 24);
	  long p = (at + POINTERS_EVERY - 1) / POINTERS_EVERY * POINTERS_EVERY;
	  bool is_pointer = p - at < 32 && chance (k, 60);
	  if (is_pointer)
	    {
	      at = p;
	      len = 8;
	      if (at + 8 <= (long) k->m->size)
		pointers[num++] = at;
	    }
	  if (at + len > (long) k->m->size)
	    break;
	  put (k, chance (k, is_pointer ? 30 : 3) ? ZLAS : data_kind (k), at, len);
	  if (k->op->items[k->op->n - 1].kind == ZLAS)
	    k->op->items[k->op->n - 1].size = 0;
	  h->size++;
	  at += len;
	}
    }
  h->align = rnd (k, 7);
  if (unordered)
    {
      h->kind = STRUCT_UNORD;
      for (unsigned i = header + 1; i < k->op->n; i++)
	{
	  unsigned j = header + 1 + rnd (k, k->op->n - header - 1);
	  struct map_item it = k->op->items[i];
	  k->op->items[i] = k->op->items[j];
	  k->op->items[j] = it;
	}
    }
  for (int i = 0; i < num; i++)
    {
      uint64_t value;
      memcpy (&value, k->m->host + pointers[i], 8);
      target = value - k->m->base < k->m->size ? (long) (value - k->m->base) : -1;
      biases[i] = pointee (k, target, chance (k, 85));
    }
  for (int i = 0; i < num; i++)
    if (chance (k, 85))
      put (k, ATTACH, pointers[i], biases[i]);
}

static void
iterators (struct maker *k)
{
  unsigned n = 1 + rnd (k, 4), first = k->op->n, kind = data_kind (k);
  long pointers[4], biases[4], target;
  bool attach = (k->op->type == OP_TARGET || k->op->type == OP_DATA || k->op->type == OP_ENTER)
		&& chance (k, 60);

  if (k->op->n + 3 * n > MAX_ITEMS)
    return;
  if (chance (k, 5))
    {
      put (k, kind, 0, 0)->elements = NO_ELEMENTS;
      return;
    }
  for (unsigned i = 0; i < n; i++)
    {
      long off, len;
      pointers[i] = pick_pointer (k, &target);
      biases[i] = 0;
      if (attach && target >= 0)
	{
	  biases[i] = pointee (k, target, true);
	  struct map_item *it = &k->op->items[k->op->n - 1];
	  it->kind = kind;
	  it->align = 0;
	}
      else
	{
	  pick_range (k, &off, &len);
	  put (k, kind, off, len)->null = chance (k, 10);
	}
    }
  k->op->items[first].elements = n;
  if (!attach)
    return;
  if (chance (k, 70))
    for (unsigned i = 0; i < n; i++)
      variable (k, pointers[i]);
  first = k->op->n;
  for (unsigned i = 0; i < n; i++)
    put (k, ATTACH, pointers[i], biases[i]);
  if (k->op->n - first == n)
    k->op->items[first].elements = n;
}

static void
private (struct maker *k)
{
  long off, len;
  if (k->op->type != OP_TARGET)
    return;
  pick_range (k, &off, &len);
  if (len > 4000)
    len = 4000;
  switch (rnd (k, 3))
    {
    case 0:
      put (k, FIRSTPRIVATE, off, len)->align = rnd (k, 8);
      break;
    case 1:
      put (k, VALUE, rnd (k, 100000), 0)->align = 3;
      break;
    case 2:
      {
	/* A descriptor with its data.  */
	if (k->op->n + 3 > MAX_ITEMS)
	  return;
	long bias = 8 * rnd (k, 3);
	put (k, FIRSTPRIVATE, POINTERS_EVERY * rnd (k, k->m->size / POINTERS_EVERY), 64)->align = 3;
	put (k, FIRSTPRIVATE, off, len)->align = rnd (k, 6);
	put (k, ATTACH, 0, bias)->slot = true;
      }
      break;
    }
}

static void
use_device (struct maker *k)
{
  long off, len;
  pick_range (k, &off, &len);
  if (chance (k, 30))
    off += len;
  if (chance (k, 30))
    {
      long target;
      pick_pointer (k, &target);
      if (target >= 0)
	off = target;
    }
  if (off >= (long) k->m->size)
    off = k->m->size - 1;
  put (k, USE_DEVICE, off, 0);
}

static void
detachments (struct maker *k)
{
  for (unsigned w = 0; w < k->m->size / 8; w += POINTERS_EVERY / 8)
    if (k->d->attached[w] > 0 ? chance (k, 25) : chance (k, 1))
      put (k, DETACH, 8 * w, 0);
}

static void
random_list (struct maker *k)
{
  unsigned groups = 1 + rnd (k, 4);
  unsigned type = k->op->type;

  for (unsigned i = 0; i < groups; i++)
    {
      unsigned how = rnd (k, 24);
      long off, len;
      if (how < 9 || (type == OP_UPDATE && how < 20))
	section (k);
      else if (how == 9)
	iterators (k);
      else if (how == 10)
	{
	  struct map_item *it = put (k, data_kind (k), 0, chance (k, 50) ? -1 : (long) rnd (k, 9999));
	  it->null = true;
	}
      else if (type == OP_EXIT)
	{
	  pick_range (k, &off, &len);
	  if (how < 15)
	    section (k);
	  else if (how < 18)
	    put (k, chance (k, 50) ? ZLAS : DELETE_ZLAS, off, 0);
	  else if (how < 21)
	    detachments (k);
	}
      else if (type == OP_UPDATE)
	{
	  if (chance (k, 50))
	    put (k, ATTACH, POINTERS_EVERY * rnd (k, k->m->size / POINTERS_EVERY), 0);
	}
      else if (how < 14)
	attached (k);
      else if (how < 16)
	structure (k);
      else if (how == 16)
	descriptor (k);
      else if (how == 17)
	pointer (k);
      else if (how == 18)
	{
	  pick_range (k, &off, &len);
	  put (k, ZLAS, off, 0);
	}
      else if (type == OP_TARGET && how < 22)
	private (k);
    }
  if (type == OP_DATA)
    while (chance (k, 40))
      use_device (k);
  if (type == OP_TARGET)
    {
      unsigned slot[MAX_ITEMS], n = 0;
      for (unsigned i = 0; i < k->op->n; i++)
	{
	  const struct map_item *it = &k->op->items[i];
	  if (it->elements != 0 && it->elements != NO_ELEMENTS)
	    i += it->elements - 1;
	  else if (!it->null && it->size > 0 && !it->slot && it->kind != FIRSTPRIVATE
		   && it->kind != TO_PSET && it->kind != POINTER && it->kind != POINTER_ZLAS
		   && it->kind != ALWAYS_POINTER && it->kind != ATTACH && it->kind != STRUCT
		   && it->kind != STRUCT_UNORD && it->kind != ATTACH_ZLAS && it->kind != VALUE)
	    slot[n++] = i;
	}
      while (n > 0 && k->op->num_writes < MAX_WRITES && chance (k, 60))
	{
	  struct kernel_write *w = &k->op->writes[k->op->num_writes++];
	  w->item = slot[rnd (k, n)];
	  long size = k->op->items[w->item].size;
	  w->off = rnd (k, size);
	  w->len = 1 + rnd (k, size - w->off);
	  w->seed = rnd (k, 1000000);
	}
      k->op->shared = chance (k, 10);
    }
}

void
make_op (struct model *m, uint64_t *state, struct op *op)
{
  static const struct { unsigned char type, weight; } weights[]
    = { { OP_ENTER, 17 }, { OP_EXIT, 17 }, { OP_TARGET, 24 }, { OP_DATA, 6 }, { OP_END_DATA, 6 },
	{ OP_UPDATE, 9 }, { OP_WRITE, 5 }, { OP_POINT, 5 }, { OP_COPY_IN, 2 }, { OP_COPY_OUT, 1 },
	{ OP_COPY_DEVICE, 1 }, { OP_FILL, 2 }, { OP_ASSOCIATE, 1 }, { OP_DISASSOCIATE, 1 },
	{ OP_SHARE, 1 }, { OP_UNSHARE, 2 } };
  struct maker maker = { .m = m, .state = state, .op = op }, *k = &maker;
  long off, len;

  memset (op, 0, sizeof (*op));
  unsigned n = rnd (k, 100), i = 0;
  while (n >= weights[i].weight)
    n -= weights[i++].weight;
  op->type = weights[i].type;
  op->dev = rnd (k, m->num_devices);
  k->d = &m->dev[op->dev];
  switch ((enum op_type) op->type)
    {
    case OP_ENTER: case OP_EXIT: case OP_UPDATE: case OP_TARGET:
      op->nowait = chance (k, 15);
      random_list (k);
      break;
    case OP_DATA:
      random_list (k);
      break;
    case OP_WRITE:
      op->len = 1 + rnd (k, 40);
      op->off = rnd (k, m->size - op->len);
      /* Pointers seldom become garbage.  */
      if (op->off % POINTERS_EVERY < 8 && chance (k, 80))
	op->off += 8;
      if (op->off % POINTERS_EVERY + op->len > POINTERS_EVERY)
	op->len = POINTERS_EVERY - op->off % POINTERS_EVERY;
      if (op->off + op->len > (int) m->size)
	op->len = m->size - op->off;
      op->value = rnd (k, 1000000);
      break;
    case OP_POINT:
      op->off = POINTERS_EVERY * rnd (k, m->size / POINTERS_EVERY);
      op->value = -1;
      if (chance (k, 85))
	{
	  pick_range (k, &off, &len);
	  op->value = off;
	}
      break;
    case OP_ASSOCIATE:
      pick_range (k, &off, &len);
      op->off = off;
      op->len = len;
      break;
    case OP_DISASSOCIATE:
      op->off = rnd (k, m->size);
      for (unsigned e = 0; e < k->d->n; e++)
	if (m->blocks[k->d->entries[e].block].permanent && chance (k, 50))
	  op->off = k->d->entries[e].start - m->base;
      break;
    case OP_COPY_IN: case OP_COPY_OUT: case OP_COPY_DEVICE: case OP_FILL:
      pick_range (k, &off, &len);
      op->off = off;
      op->len = len;
      op->value = op->type == OP_FILL ? rnd (k, 256) : rnd (k, m->size - len);
      if (op->type == OP_COPY_DEVICE)
	{
	  op->other = rnd (k, m->num_devices);
	  struct device_model *d = &m->dev[op->other];
	  if (d->n > 0)
	    {
	      const struct entry *e = &d->entries[rnd (k, d->n)];
	      op->value = e->start - m->base;
	      if ((long) (e->end - e->start) < len)
		op->len = e->end - e->start;
	    }
	}
      break;
    case OP_SHARE: case OP_UNSHARE:
      op->value = rnd (k, SHARED_OBJECTS);
      break;
    case OP_END_DATA:
    case OP_TYPES:
      break;
    }
}
