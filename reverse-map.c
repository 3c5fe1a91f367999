/* reverse-map.c -- the data of a reverse call: device addresses become host addresses.

   The items of a request are those of a target construct in device code, so they are translated to
   the same neutral operations (map-kinds.h); an item's `host' is a device address here, and "to"
   means from the device to the host.  What the host function finds in slot i of its table is said in
   abi/target section 6:

     mapped      the range belongs to a mapping: the host address that goes with it; copied only with
		 `always', and then not over attached pointers
     fresh       otherwise: memory of the call, filled and copied back as the map type says
     private     a copy of the bytes
     values      as they are

   Most lists have values, and small objects that only the device has: for them there is a short way (in_place), by
   which the function gets its objects where they are in the slot.  All others go the long one.

   The steps: read the request | look addresses up, under map_lock | place fresh memory | bytes in |
   pointers in fresh memory | run | pointers back to what they were | bytes out.  Bytes that fit into
   the request travel in it; for others there is a queue, taken at the first need.

   Invariants
   1. No lock is held while anything waits or runs; blocks that are copied from or to are pinned.
   2. The request is read once, into memory of the host, before anything in it is believed.  Bytes in
      the slot are data, never addresses or sizes.
   3. Fresh ranges do not overlap: an item lies inside one, or makes one, or is an error.  */

#include "map-plan.h"
#include "host/icv.h"
#include "host/thread.h"
#include "plugin/reverse-proto.h"
#include "reverse.h"
#include "plugin/thread-own.h"
#include "trace.h"

enum { FEW_ITEMS = 16, FEW_BYTES = 1024, MOST_ITEMS = 1 << 24, MOST_BOUNCES = 32 };

/* Members of a structure may be far apart, or a list have many items: their memory is at most so
   long.  */
#define MOST_MEMORY (UINT64_C (1) << 46)

enum place
{
  NOWHERE,			/* the slot is VALUE */
  MAPPED,
  FRESH,			/* in a range of the call */
  OWN				/* private copy, empty range: at OFFSET in the call's memory */
};

/* A device range that has memory of the call.  */
struct fresh
{
  struct gomp_splay_node node;	/* device range; first, so that a node is one of these */
  size_t offset;		/* in the call's memory */
};

struct rev_item
{
  struct gomp_map_item m;	/* host: the address on the device; value: the slot */
  unsigned char *bytes;		/* room in the slot, or NULL */
  struct gomp_reverse_item *source;	/* in the slot; NULL with FAR */
  bool filled;			/* bytes holds what the device has */
  uint8_t place;
  struct fresh *fresh;
  size_t offset;		/* OWN */
  uint64_t word;		/* pointers: the value on the device */
  bool whole;			/* MAPPED: what is copied is the item, without gaps */
};

/* A pointer in fresh memory.  */
struct patch
{
  unsigned char *where;
  uint64_t word;		/* what the device has there */
};

/* Bytes that come from the device by way of pinned memory.  */
struct bounced
{
  void *dst;
  unsigned offset, size;
};

struct call
{
  struct gomp_device *dev;
  const struct gomp_region_note *note;
  struct gomp_reverse_slot *slot;
  size_t count;			/* items of the request: slots of the table */
  size_t n, cap;		/* items, iterators expanded */
  struct rev_item *items, *few;	/* few: memory that is not freed */
  struct fresh *fresh;		/* room for n */
  size_t num_fresh;
  struct gomp_splay_tree tree;	/* of fresh ranges */
  size_t size, align;		/* of the call's memory */
  unsigned char *memory;
  uint64_t *table;
  GOMP_VEC (struct patch) patches;
  GOMP_VEC (struct gomp_xfer) always_in, always_out;	/* mapped ranges */
  GOMP_VEC (struct gomp_map_block *) pins;
  struct gomp_reverse_queue queue;	/* queue NULL: not needed so far */
  bool waits;			/* something is on its way in it */
  unsigned num_bounced, bounced_size;
  struct bounced *bounced;	/* room for MOST_BOUNCES */
  bool lost;			/* the device is */
};

/* ---- Transfers ---- */

static void
check_status (struct call *c, gomp_status_t status, const char *what)
{
  if (gomp_likely (status == GOMP_OK))
    return;
  if (status != GOMP_DEVICE_LOST)
    gomp_device_failed (c->dev, status, c->note, "%s for reverse offload", what);
  c->lost = true;
}

static bool
need_queue (struct call *c)
{
  if (c->queue.queue == NULL && !c->lost)
    {
      c->queue = gomp_reverse_queue_get (c->dev);
      c->lost = c->queue.queue == NULL;
    }
  return !c->lost;
}

/* DST is complete after finish.  Little data comes by way of the queue's pinned memory: to memory that
   is not pinned each copy would be waited for.  */
static void
fetch (struct call *c, void *dst, gomp_devptr_t src, size_t size)
{
  if (size == 0 || !need_queue (c))
    return;
  c->waits = true;
  if (c->queue.bounce != NULL && size <= GOMP_REVERSE_BOUNCE - c->bounced_size
      && c->num_bounced < MOST_BOUNCES)
    {
      struct bounced *b = &c->bounced[c->num_bounced++];
      *b = (struct bounced) { dst, c->bounced_size, (unsigned) size };
      dst = c->queue.bounce + c->bounced_size;
      c->bounced_size = (c->bounced_size + (unsigned) size + 7) & -8u;
    }
  check_status (c, c->dev->ops->copy_d2h (c->queue.queue, dst, src, size),
		"copying from the device");
}

static void
send (struct call *c, gomp_devptr_t dst, const void *src, size_t size)
{
  if (size == 0 || !need_queue (c))
    return;
  c->waits = true;
  c->slot->flags |= GOMP_REVERSE_COPIED;
  check_status (c, c->dev->ops->copy_h2d (c->queue.queue, dst, src, size),
		"copying to the device");
}

/* Wait for transfers.  Nobody is served meanwhile (gomp_queue_try_finish): helpers are there for
   that.  */
static void
finish (struct call *c)
{
  if (!c->waits || c->lost)
    return;
  c->waits = false;
  check_status (c, gomp_queue_try_finish (c->dev, c->queue.queue), "waiting for data");
  for (unsigned i = 0; i < c->num_bounced && !c->lost; i++)
    memcpy (c->bounced[i].dst, c->queue.bounce + c->bounced[i].offset, c->bounced[i].size);
  c->num_bounced = c->bounced_size = 0;
}

/* ---- Reading the request ---- */

static void *
grow (void *few, size_t n, size_t few_n, size_t size)
{
  return n <= few_n ? few : gomp_calloc (n, size);
}

static struct rev_item *
new_item (struct call *c)
{
  if (c->n == c->cap)
    {
      c->cap *= 2;
      struct rev_item *items = gomp_calloc (c->cap, sizeof (*items));
      memcpy (items, c->items, c->n * sizeof (*items));
      if (c->items != c->few)
	free (c->items);
      c->items = items;
    }
  struct rev_item *item = &c->items[c->n++];
  memset (item, 0, sizeof (*item));
  return item;
}

static struct gomp_map_item
translate_kind (size_t i, const struct gomp_reverse_item *raw)
{
  struct gomp_map_item form = { .slot = i };
  if (!gomp_map_translate (raw->kind, GOMP_DIR_TARGET, &form))
    gomp_fatal ("gomp_target_rev unhandled kind 0x%.4x (list item %zu at %p)", raw->kind, i,
		(void *) raw->addr);
  if (form.log2_align > 30)
    form.log2_align = 30;
  if (raw->addr == 0)
    form.op = GOMP_OP_NONE;
  form.host = raw->addr;
  form.size = raw->size;
  return form;
}

/* Sizes that no device has are damage, and would make sums of sizes wrap around; so would addresses
   behind which there is no room for a pointer.  */
static void
check_size (const struct gomp_map_item *m)
{
  bool sized = m->op == GOMP_OP_DATA || m->op == GOMP_OP_DESCRIPTOR || m->op == GOMP_OP_PRIVATE;
  if (m->op == GOMP_OP_NONE || m->op == GOMP_OP_VALUE)
    return;
  if ((sized && (m->size >> 44 != 0 || m->host + m->size < m->host))
      || m->host > UINT64_MAX - sizeof (void *))
    gomp_fatal ("reverse offload: list item %u at %p has %lu bytes", (unsigned) m->slot,
		(void *) m->host, (unsigned long) m->size);
}

static inline bool
is_pointer (const struct gomp_map_item *m)
{
  return (m->op == GOMP_OP_POINTER || m->op == GOMP_OP_STORE_POINTER || m->op == GOMP_OP_ATTACH);
}

/* The words {count, address, size, ...} of an iterator, at ADDR on the device.  free () them.  */
static uint64_t *
fetch_iterator (struct call *c, uint64_t addr)
{
  uint64_t count = 0;
  fetch (c, &count, addr, sizeof (count));
  finish (c);
  if (count > MOST_ITEMS)
    gomp_fatal ("reverse offload: an iterator with %llu elements", (unsigned long long) count);
  uint64_t *words = gomp_calloc (2 * count + 1, sizeof (*words));
  fetch (c, words + 1, addr + sizeof (count), 2 * count * sizeof (*words));
  finish (c);
  words[0] = c->lost ? 0 : count;
  return words;
}

/* Item I of the request, which may stand for several.  *ITERATED (in and out): the length of the last
   iterator of data, 0 none.  */
static void
read_item (struct call *c, size_t i, const struct gomp_reverse_item *raw,
	   struct gomp_reverse_item *source, uint64_t *iterated)
{
  struct gomp_map_item form = translate_kind (i, raw);
  struct rev_item *item;

  if (gomp_likely (form.size != SIZE_MAX || form.op == GOMP_OP_NONE || form.op == GOMP_OP_VALUE
		   || (is_pointer (&form) && *iterated == 0)))
    {
      check_size (&form);
      item = new_item (c);
      item->m = form;
      item->source = source;
      /* What the slot says about room is checked, not believed.  */
      uint64_t need = is_pointer (&form) ? sizeof (void *) : form.size;
      if (source != NULL && (raw->flags & GOMP_REVERSE_INLINE) && form.op != GOMP_OP_NONE
	  && raw->at <= GOMP_REVERSE_DATA && need <= GOMP_REVERSE_DATA - raw->at)
	{
	  item->bytes = c->slot->data + raw->at;
	  item->filled = (raw->flags & GOMP_REVERSE_FILLED) != 0;
	}
      return;
    }
  uint64_t *words = fetch_iterator (c, form.host);
  if (!is_pointer (&form))
    *iterated = words[0];
  else if (words[0] != *iterated)
    {
      /* The pointer itself, with a bias that only looks like an iterator.  */
      check_size (&form);
      new_item (c)->m = form;
      free (words);
      return;
    }
  if (words[0] == 0)
    {
      form.op = GOMP_OP_NONE;
      new_item (c)->m = form;
    }
  for (uint64_t k = 0; k < words[0]; k++)
    {
      item = new_item (c);
      item->m = form;
      item->m.host = words[2 * k + 1];
      item->m.size = words[2 * k + 2];
      if (item->m.host == 0)
	item->m.op = GOMP_OP_NONE;
      check_size (&item->m);
      form.flags |= GOMP_ITEM_REPEAT;
    }
  free (words);
}

/* The compiler keeps sizes and kinds that are constant in variables, which are the same on the host:
   SIZE bytes at ADDR on the device to DST, if that is where they are.  */
static bool
find_table (struct call *c, void *dst, gomp_devptr_t addr, size_t size)
{
  bool found = false;
  if (size == 0)
    return true;
  gomp_lock_ranked (&c->dev->map_lock, GOMP_RANK_MAP);
  struct gomp_map_block *block = gomp_map_find_device (c->dev->maps, addr, addr + size);
  if (block != NULL && block->image != NULL && addr >= block->dev
      && addr - block->dev <= block->size && size <= block->size - (addr - block->dev))
    {
      memcpy (dst, (void *) (block->host + (addr - block->dev)), size);
      found = true;
    }
  gomp_unlock_ranked (&c->dev->map_lock, GOMP_RANK_MAP);
  return found;
}

static void
read_request (struct call *c, bool far)
{
  struct gomp_reverse_slot *slot = c->slot;
  struct gomp_reverse_item raw[GOMP_REVERSE_MAX_ITEMS];
  uint64_t iterated = 0;

  if (c->count > (far ? (size_t) MOST_ITEMS : (size_t) GOMP_REVERSE_MAX_ITEMS))
    gomp_fatal ("reverse offload: device %d asks for %zu list items", c->dev->number, c->count);
  c->cap = c->count > FEW_ITEMS ? c->count : FEW_ITEMS;
  c->items = c->count > FEW_ITEMS ? gomp_calloc (c->cap, sizeof (*c->items)) : c->few;
  if (!far)
    {
      memcpy (raw, slot->data, c->count * sizeof (raw[0]));
      __asm__ ("" : "+m" (raw));	/* a copy, not the slot itself */
      for (size_t i = 0; i < c->count; i++)
	read_item (c, i, &raw[i], &gomp_reverse_items (slot)[i], &iterated);
      return;
    }

  uint64_t *addrs = gomp_calloc (c->count, 2 * sizeof (*addrs) + sizeof (uint16_t));
  uint64_t *sizes = addrs + c->count;
  uint16_t *kinds = (uint16_t *) (sizes + c->count);
  fetch (c, addrs, slot->addrs, c->count * sizeof (*addrs));
  if (!find_table (c, sizes, slot->sizes, c->count * sizeof (*sizes)))
    fetch (c, sizes, slot->sizes, c->count * sizeof (*sizes));
  if (!find_table (c, kinds, slot->kinds, c->count * sizeof (*kinds)))
    fetch (c, kinds, slot->kinds, c->count * sizeof (*kinds));
  finish (c);
  for (size_t i = 0; i < c->count && !c->lost; i++)
    {
      raw[0] = (struct gomp_reverse_item) { .addr = addrs[i], .size = sizes[i], .kind = kinds[i] };
      read_item (c, i, &raw[0], NULL, &iterated);
    }
  free (addrs);
}

/* ---- What is mapped; map_lock is held ---- */

static inline uint64_t
host_of (const struct gomp_map_block *block, gomp_devptr_t dev)
{
  return block->host + (dev - block->dev);
}

/* The mapping of the byte at DEV; *HOST (out): the address of that byte on the host.  */
static struct gomp_map_entry *
find_byte (struct call *c, gomp_devptr_t dev, uint64_t *host)
{
  struct gomp_map_block *block
    = dev == UINT64_MAX ? NULL : gomp_map_find_device (c->dev->maps, dev, dev + 1);
  if (block == NULL)
    return NULL;
  *host = host_of (block, dev);
  struct gomp_map_entry *entry = gomp_map_find_byte (c->dev->maps, *host);
  return entry != NULL && entry->block == block ? entry : NULL;
}

/* An entry that shares a byte with the device range [DEV, DEV + SIZE); *HOST (out): what DEV would
   be on the host.  */
static struct gomp_map_entry *
find_range (struct call *c, gomp_devptr_t dev, uint64_t size, uint64_t *host)
{
  if (size == 0)
    return find_byte (c, dev, host);
  struct gomp_map_block *block = gomp_map_find_device (c->dev->maps, dev, dev + size);
  if (block == NULL)
    return NULL;
  *host = host_of (block, dev);
  struct gomp_map_entry *entry = gomp_map_find_range (c->dev->maps, *host, *host + size);
  return entry != NULL && entry->block == block ? entry : NULL;
}

/* The part of ENTRY that [HOST, HOST + SIZE) covers is copied: note the pieces between attached
   pointers.  Answers whether that is all of the range.  */
static bool
note_pieces (struct gomp_map_entry *entry, uint64_t host, uint64_t size, bool in, bool out,
	     struct call *c)
{
  uint64_t start = host > entry->node.start ? host : entry->node.start;
  uint64_t end = host + size < entry->node.end ? host + size : entry->node.end;
  bool whole = start == host && end == host + size;
  for (uint64_t at = start, stop; at < end; at = stop)
    {
      struct gomp_map_attach *attach = gomp_map_next_attach (entry, at);
      uint64_t next = end;
      stop = end;
      if (attach != NULL && attach->node.start < end)
	{
	  whole = false;
	  next = attach->node.start > at ? attach->node.start : at;
	  stop = attach->node.end;
	}
      if (next > at)
	{
	  const struct gomp_xfer piece
	    = { gomp_map_dev (entry->block, at), (void *) at, next - at, 0 };
	  if (in)
	    *gomp_vec_push (&c->always_in) = piece;
	  if (out)
	    *gomp_vec_push (&c->always_out) = piece;
	}
    }
  return whole;
}

static void __attribute__ ((noreturn, cold, format (printf, 2, 3)))
unlock_and_fatal (struct call *c, const char *fmt, ...)
{
  gomp_unlock_ranked (&c->dev->map_lock, GOMP_RANK_MAP);
  va_list list;
  va_start (list, fmt);
  gomp_verror (fmt, list);
  va_end (list);
  exit (EXIT_FAILURE);
}

static void
look_up_data (struct call *c, struct rev_item *item)
{
  uint64_t host;
  struct gomp_map_entry *entry = find_range (c, item->m.host, item->m.size, &host);

  if (entry == NULL)
    {
      if (item->m.flags & GOMP_ITEM_PRESENT)
	unlock_and_fatal (c, "present clause: no corresponding data on parent device at %p with size "
			  "%lu", (void *) item->m.host, (unsigned long) item->m.size);
      if (item->m.flags & GOMP_ITEM_MEMBER)
	unlock_and_fatal (c, "reverse offload: structure element [%p..%p) is not mapped on the device, "
			  "but others of the same structure are", (void *) item->m.host,
			  (void *) (item->m.host + item->m.size));
      item->place = FRESH;
      return;
    }
  item->place = MAPPED;
  item->m.value = host;
  if ((item->m.flags & GOMP_ITEM_ALWAYS) && item->m.size > 0 && item->m.op == GOMP_OP_DATA)
    {
      entry->block->pins++;
      *gomp_vec_push (&c->pins) = entry->block;
      size_t in = c->always_in.n, out = c->always_out.n;
      item->whole = note_pieces (entry, host, item->m.size, item->m.flags & GOMP_ITEM_TO,
				 item->m.flags & GOMP_ITEM_FROM, c);
      if (item->whole && item->bytes != NULL)
	{
	  /* They travel in the slot.  */
	  c->always_in.n = in;
	  c->always_out.n = out;
	}
      else
	item->bytes = NULL;
    }
}

/* The range of the members of the struct whose header is item I; false: there is nothing in it.  */
static bool
struct_range (const struct call *c, size_t i, uint64_t *start, uint64_t *end)
{
  *start = UINT64_MAX;
  *end = 0;
  for (size_t k = i + 1; k <= i + c->items[i].m.size && k < c->n; k++)
    {
      const struct gomp_map_item *m = &c->items[k].m;
      if ((m->op != GOMP_OP_DATA && m->op != GOMP_OP_DESCRIPTOR) || m->size == 0)
	continue;
      if (m->host < *start)
	*start = m->host;
      if (m->host + m->size > *end)
	*end = m->host + m->size;
    }
  return *start < *end;
}

static void
look_up_struct (struct call *c, size_t i)
{
  struct rev_item *item = &c->items[i];
  uint64_t start, end, host;

  if (item->m.size > c->n - 1 - i)
    unlock_and_fatal (c, "reverse offload: a structure with %lu elements, of which %lu follow",
		      (unsigned long) item->m.size, (unsigned long) (c->n - 1 - i));
  item->place = NOWHERE;
  if (!struct_range (c, i, &start, &end))
    return;
  if (find_range (c, start, end - start, &host) == NULL)
    {
      item->place = FRESH;
      return;
    }
  item->place = MAPPED;
  item->m.value = host - (start - item->m.host);
  for (size_t k = i + 1; k <= i + item->m.size; k++)
    c->items[k].m.flags |= GOMP_ITEM_MEMBER;
}

static void
look_up (struct call *c)
{
  bool needed = false;
  for (size_t i = 0; i < c->n && !needed; i++)
    needed = (c->items[i].m.op != GOMP_OP_NONE && c->items[i].m.op != GOMP_OP_VALUE
	      && c->items[i].m.op != GOMP_OP_PRIVATE);
  if (!needed)
    return;
  gomp_lock_ranked (&c->dev->map_lock, GOMP_RANK_MAP);
  for (size_t i = 0; i < c->n; i++)
    {
      struct rev_item *item = &c->items[i];
      uint64_t host;
      switch (item->m.op)
	{
	case GOMP_OP_DATA:
	case GOMP_OP_DESCRIPTOR:
	  look_up_data (c, item);
	  break;
	case GOMP_OP_STRUCT:
	  look_up_struct (c, i);
	  break;
	case GOMP_OP_ZERO_LENGTH:
	case GOMP_OP_POINTER:
	case GOMP_OP_STORE_POINTER:
	case GOMP_OP_ATTACH:
	  if (find_byte (c, item->m.host, &host) != NULL)
	    {
	      item->place = MAPPED;
	      item->m.value = host;
	    }
	  else
	    item->place = FRESH;
	  break;
	default:
	  break;
	}
    }
  gomp_unlock_ranked (&c->dev->map_lock, GOMP_RANK_MAP);
}

/* ---- Fresh memory ---- */

static struct fresh *
find_fresh (struct call *c, uint64_t addr, uint64_t size)
{
  struct gomp_splay_node *node = gomp_splay_overlap (&c->tree, addr, addr + (size ? size : 1));
  return (struct fresh *) node;
}

/* SIZE bytes of the call's memory; the byte SHIFT before them is aligned.  */
static size_t
reserve (struct call *c, size_t size, unsigned log2, uint64_t shift)
{
  size_t align = (size_t) 1 << (log2 < 4 ? 4 : log2);
  /* So that nothing wraps around: log2 is 30 at most.  */
  if (size > MOST_MEMORY || c->size > MOST_MEMORY)
    gomp_fatal ("reverse offload: device %d asks for more than %llu bytes in one call",
		c->dev->number, (unsigned long long) MOST_MEMORY);
  size_t offset = ((c->size + align - 1) & -align) + (shift & (align - 1));
  if (align > c->align)
    c->align = align;
  c->size = offset + (size ? size : 1);
  return offset;
}

/* The range [ADDR, ADDR + SIZE) of ITEM gets memory, or is part of one that has.  */
static void
place_range (struct call *c, struct rev_item *item, uint64_t addr, uint64_t size, uint64_t shift)
{
  struct fresh *f = find_fresh (c, addr, size);
  if (f == NULL && size == 0)
    {
      item->place = OWN;
      item->offset = reserve (c, 0, item->m.log2_align, 0);
      return;
    }
  if (f == NULL)
    {
      f = &c->fresh[c->num_fresh++];
      f->node.start = addr;
      f->node.end = addr + size;
      f->offset = reserve (c, size, item->m.log2_align, shift);
      gomp_splay_insert (&c->tree, &f->node);
    }
  else if (addr < f->node.start || addr + size > f->node.end)
    gomp_fatal ("reverse offload: device range [%p..%p) overlaps [%p..%p) of the same construct",
		(void *) addr, (void *) (addr + size), (void *) f->node.start,
		(void *) f->node.end);
  item->fresh = f;
}

static void
place (struct call *c)
{
  struct fresh *f;
  uint64_t start, end;

  c->align = 16;
  for (size_t i = 0; i < c->n; i++)
    {
      struct rev_item *item = &c->items[i];
      if (item->m.op == GOMP_OP_PRIVATE)
	{
	  item->place = OWN;
	  item->offset = reserve (c, item->m.size, item->m.log2_align, 0);
	}
      if (item->place != FRESH)
	continue;
      switch (item->m.op)
	{
	case GOMP_OP_DATA:
	case GOMP_OP_DESCRIPTOR:
	  place_range (c, item, item->m.host, item->m.size, 0);
	  break;
	case GOMP_OP_STRUCT:
	  struct_range (c, i, &start, &end);
	  place_range (c, item, start, end - start, start - item->m.host);
	  break;
	case GOMP_OP_POINTER:
	  place_range (c, item, item->m.host, sizeof (void *), 0);
	  break;
	case GOMP_OP_STORE_POINTER:
	case GOMP_OP_ATTACH:
	  /* In fresh memory if a range holds it; otherwise nobody sees it.  */
	  f = find_fresh (c, item->m.host, sizeof (void *));
	  if (f != NULL && f->node.start <= item->m.host
	      && f->node.end - item->m.host >= sizeof (void *))
	    item->fresh = f;
	  else
	    item->place = NOWHERE;
	  break;
	default:		/* GOMP_OP_ZERO_LENGTH */
	  item->fresh = find_fresh (c, item->m.host, 0);
	  if (item->fresh == NULL)
	    {
	      item->place = NOWHERE;
	      item->m.value = item->m.host;
	    }
	  break;
	}
    }
}

/* Where the byte at ADDR on the device is in FRESH.  */
static unsigned char *
in_fresh (const struct call *c, const struct fresh *f, uint64_t addr)
{
  return c->memory + f->offset + (addr - f->node.start);
}

/* ---- Bytes in ---- */

static void
bring_in (struct call *c, struct rev_item *item, void *where)
{
  if (item->filled)
    memcpy (where, item->bytes, item->m.size);
  else
    fetch (c, where, item->m.host, item->m.size);
}

static void
bytes_in (struct call *c)
{
  for (size_t i = 0; i < c->n; i++)
    {
      struct rev_item *item = &c->items[i];
      if (item->m.op == GOMP_OP_NONE)
	continue;
      if (item->place == FRESH)
	item->m.value = (uint64_t) in_fresh (c, item->fresh, item->m.host);
      else if (item->place == OWN)
	item->m.value = (uint64_t) (c->memory + item->offset);
      else if (item->m.op == GOMP_OP_VALUE)
	item->m.value = item->m.host;

      bool to = item->m.flags & GOMP_ITEM_TO;
      if (item->m.op == GOMP_OP_PRIVATE || (item->m.op == GOMP_OP_DATA && item->place == FRESH && to)
	  || (item->m.op == GOMP_OP_DESCRIPTOR && item->place == FRESH)
	  || (item->place == MAPPED && item->whole && item->bytes != NULL && to))
	bring_in (c, item, (void *) item->m.value);
      else if (is_pointer (&item->m) && item->place == FRESH)
	{
	  if (item->filled)
	    memcpy (&item->word, item->bytes, sizeof (item->word));
	  else
	    fetch (c, &item->word, item->m.host, sizeof (item->word));
	}
    }
  for (size_t i = 0; i < c->always_in.n; i++)
    fetch (c, c->always_in.v[i].host, c->always_in.v[i].dev, c->always_in.v[i].size);
  finish (c);
}

/* ---- Pointers in fresh memory ---- */

/* The host address of the byte at ADDR on the device, or of the end of what lies before it.  */
static bool
translate (struct call *c, uint64_t addr, uint64_t *host)
{
  for (uint64_t back = addr == UINT64_MAX; back < 2 && addr - back != 0; back++)
    {
      struct fresh *f = find_fresh (c, addr - back, 1);
      if (f != NULL)
	{
	  *host = (uint64_t) in_fresh (c, f, addr - back) + back;
	  return true;
	}
      gomp_lock_ranked (&c->dev->map_lock, GOMP_RANK_MAP);
      bool found = find_byte (c, addr - back, host) != NULL;
      gomp_unlock_ranked (&c->dev->map_lock, GOMP_RANK_MAP);
      if (found)
	{
	  *host += back;
	  return true;
	}
    }
  return false;
}

/* What the pointer ITEM, item I, has to hold on the host.  */
static uint64_t
pointer_value (struct call *c, size_t i)
{
  const struct rev_item *item = &c->items[i], *before = i > 0 ? item - 1 : NULL;
  uint64_t bias = item->m.size, host;

  if (item->m.op == GOMP_OP_STORE_POINTER)
    return before == NULL || before->m.value == 0 ? 0 : before->m.value - bias;
  if (item->word == 0)
    return 0;
  if (translate (c, item->word + bias, &host))
    return host - bias;
  /* An empty section has no range to be found.  */
  if (before != NULL && before->m.host == item->word + bias && before->m.value != 0)
    return before->m.value - bias;
  if (item->m.op == GOMP_OP_POINTER && !(item->m.flags & GOMP_ITEM_LENIENT))
    gomp_fatal ("Pointer target wasn't mapped (reverse offload: the pointer at %p of the device "
		"points to %p)", (void *) item->m.host, (void *) (item->word + bias));
  return item->word;
}

static void
set_pointers (struct call *c)
{
  for (size_t i = 0; i < c->n; i++)
    {
      struct rev_item *item = &c->items[i];
      if (!is_pointer (&item->m) || item->place != FRESH)
	continue;
      uint64_t value = pointer_value (c, i);
      const struct patch patch = { (unsigned char *) item->m.value, item->word };
      *gomp_vec_push (&c->patches) = patch;
      memcpy (patch.where, &value, sizeof (value));
    }
  /* A private array descriptor, then private data, then the pointer in the descriptor: its address is
     that of the descriptor's slot in the device's table.  */
  for (size_t i = 1; i < c->n; i++)
    {
      struct rev_item *item = &c->items[i], *data = item - 1;
      if (item->m.op != GOMP_OP_ATTACH || data->m.op != GOMP_OP_PRIVATE)
	continue;
      uint64_t slot = (item->m.host - c->slot->addrs) / sizeof (uint64_t);
      size_t k = 0;
      while (k < i && c->items[k].m.slot != slot)
	k++;
      struct rev_item *descriptor = &c->items[k];
      if (k == i || descriptor->m.op != GOMP_OP_PRIVATE
	  || descriptor->m.size < sizeof (void *)
	  || item->m.size > descriptor->m.size - sizeof (void *))
	continue;
      memcpy ((void *) (descriptor->m.value + item->m.size), &data->m.value, sizeof (uint64_t));
    }
}

/* ---- Bytes out ---- */

static void
bytes_out (struct call *c)
{
  /* What is copied back has the device's pointers again.  The last patch of a place knows as much as
     the first: both read the device's word.  */
  for (size_t i = 0; i < c->patches.n; i++)
    memcpy (c->patches.v[i].where, &c->patches.v[i].word, sizeof (uint64_t));
  for (size_t i = 0; i < c->n; i++)
    {
      struct rev_item *item = &c->items[i];
      if (item->m.op != GOMP_OP_DATA || !(item->m.flags & GOMP_ITEM_FROM))
	continue;
      if (item->place != FRESH && !(item->place == MAPPED && item->whole && item->bytes != NULL))
	continue;
      if (item->bytes != NULL)
	{
	  memcpy (item->bytes, (void *) item->m.value, item->m.size);
	  item->source->flags |= GOMP_REVERSE_RETURNED;
	}
      else
	send (c, item->m.host, (void *) item->m.value, item->m.size);
    }
  for (size_t i = 0; i < c->always_out.n; i++)
    send (c, c->always_out.v[i].dev, c->always_out.v[i].host, c->always_out.v[i].size);
  finish (c);
}

static void
unpin (struct call *c)
{
  struct gomp_map_chunk *garbage = NULL;
  gomp_lock_ranked (&c->dev->map_lock, GOMP_RANK_MAP);
  for (size_t i = 0; i < c->pins.n; i++)
    gomp_map_unpin (c->dev->maps, c->pins.v[i], &garbage);
  gomp_unlock_ranked (&c->dev->map_lock, GOMP_RANK_MAP);
  gomp_map_free_chunks (c->dev, garbage);
}

/* ---- The whole ---- */

/* Kernels reach the host's memory: only private copies are made.  */
static void
share (struct call *c)
{
  for (size_t i = 0; i < c->n; i++)
    {
      struct rev_item *item = &c->items[i];
      item->m.value = item->m.host;
      bool in_private = (item->m.op == GOMP_OP_ATTACH && i > 0
			 && c->items[i - 1].m.op == GOMP_OP_PRIVATE);
      if (item->m.op != GOMP_OP_PRIVATE && !in_private)
	item->m.op = item->m.op == GOMP_OP_NONE ? GOMP_OP_NONE : GOMP_OP_VALUE;
    }
}

/* Nothing is mapped in the device range [START, END).  False: something is, or there is more to look at.  A thread
   remembers where it found nothing: most calls pass locals, and those of all threads lie together.  */
static inline bool
is_fresh (struct gomp_device *dev, gomp_devptr_t start, gomp_devptr_t end)
{
  struct gomp_own *own = gomp_own ();
  struct gomp_map_table *maps = dev->maps;

  /* Relaxed: the request was read with acquire, and what it can mean was mapped before it was made.  */
  if (gomp_likely (gomp_load_relaxed (&maps->xindexed) == own->gap.indexed
		   && start >= own->gap.start && end <= own->gap.end))
    return true;
  gomp_lock_ranked (&dev->map_lock, GOMP_RANK_MAP);
  gomp_map_device_gap (maps, start, &own->gap.start, &own->gap.end);
  /* Relaxed: it is changed under the lock.  */
  own->gap.indexed = gomp_load_relaxed (&maps->xindexed);
  gomp_unlock_ranked (&dev->map_lock, GOMP_RANK_MAP);
  return start >= own->gap.start && end <= own->gap.end;
}

/* COUNT items, FEW_ITEMS at most, that are nothing but values are the table, and there is nothing to look up or to copy.
   Each word is read once: invariant 2.  */
static inline bool
only_values (const struct gomp_reverse_slot *slot, uint64_t count, uint64_t *table)
{
  const struct gomp_reverse_item *items = (const struct gomp_reverse_item *) slot->data;

  for (uint64_t i = 0; i < count; i++)
    {
      if ((items[i].kind & 0xff) != GOMP_KIND_VALUE)
	return false;
      table[i] = items[i].addr;
    }
  return true;
}

/* The same with small objects among them that the device alone has, whose bytes are in the slot: the function gets them
   where they are.  Answers whether the list is one; then *RETURNED tells by bits which items go back.  */
static bool __attribute__ ((noinline))
in_place (struct gomp_device *dev, struct gomp_reverse_slot *slot, uint64_t count, uint64_t *table, uint32_t *returned)
{
  struct gomp_reverse_item *items = gomp_reverse_items (slot);
  struct gomp_range ranges[FEW_ITEMS];
  uint64_t low = UINT64_MAX, high = 0;
  unsigned num = 0;

  *returned = 0;
  for (uint64_t i = 0; i < count; i++)
    {
      struct gomp_reverse_item raw = items[i];
      __asm__ ("" : "+m" (raw));	/* a copy, not the slot itself: invariant 2 */
      unsigned kind = raw.kind & 0xff;
      if (kind == GOMP_KIND_VALUE)
	{
	  table[i] = raw.addr;
	  continue;
	}
      /* to, from, tofrom: the lower bit is what goes to the host, the upper one what comes back.  */
      bool data = kind - GOMP_KIND_TO <= GOMP_KIND_TOFROM - GOMP_KIND_TO;
      unsigned wanted = (kind == GOMP_KIND_FROM ? GOMP_REVERSE_INLINE : GOMP_REVERSE_INLINE | GOMP_REVERSE_FILLED);
      /* Whatever is aligned to more than the slot's bytes, is nothing, or has no sense goes the long way.  */
      if ((!data && kind != GOMP_KIND_PRIVATE) || (raw.flags & wanted) != wanted || raw.kind >> 8 > 3
	  || raw.at % 8 != 0 || raw.at > GOMP_REVERSE_DATA || raw.size > GOMP_REVERSE_DATA - raw.at
	  || raw.size == 0 || raw.addr == 0 || raw.addr + raw.size < raw.addr)
	return false;
      table[i] = (uint64_t) (slot->data + raw.at);
      if (!data)
	continue;
      if (dev->shared_memory)
	return false;
      const struct gomp_range range = { raw.addr, raw.addr + raw.size };
      for (unsigned k = 0; k < num; k++)
	if (range.start < ranges[k].end && ranges[k].start < range.end)
	  return false;		/* they share memory */
      ranges[num++] = range;
      low = range.start < low ? range.start : low;
      high = range.end > high ? range.end : high;
      if (kind != GOMP_KIND_TO)
	*returned |= UINT32_C (1) << i;
    }
  return num == 0 || is_fresh (dev, low, high);
}

static inline struct gomp_region_note
note_of (gomp_fn fn)
{
  return (struct gomp_region_note) { .construct = "target device(ancestor: 1)", .fn = (const void *) fn };
}

static bool __attribute__ ((noinline))
call_with_data (struct gomp_device *dev, gomp_fn fn, struct gomp_reverse_slot *slot,
		uint64_t count, bool far, uint64_t *few_slots)
{
  const struct gomp_region_note note = note_of (fn);
  struct rev_item few_items[FEW_ITEMS];
  struct fresh few_fresh[FEW_ITEMS];
  struct bounced bounced[MOST_BOUNCES];
  _Alignas (64) unsigned char few_bytes[FEW_BYTES];
  struct call c = { .dev = dev, .note = &note, .slot = slot, .count = count, .few = few_items,
		    .bounced = bounced };

  read_request (&c, far);
  if (c.lost)
    goto out;
  if (dev->shared_memory)
    share (&c);
  c.fresh = grow (few_fresh, c.n, FEW_ITEMS, sizeof (few_fresh[0]));
  c.table = grow (few_slots, c.count, FEW_ITEMS, sizeof (few_slots[0]));
  look_up (&c);
  place (&c);
  c.memory = c.size <= FEW_BYTES && c.align <= 64 ? few_bytes : gomp_aligned_alloc (c.align, c.size);
  bytes_in (&c);
  if (c.lost)
    goto out;
  set_pointers (&c);
  for (size_t i = 0; i < c.n; i++)
    if (!(c.items[i].m.flags & GOMP_ITEM_REPEAT))
      c.table[c.items[i].m.slot] = c.items[i].m.value;
  gomp_reverse_run (fn, c.table);
  bytes_out (&c);

 out:
  if (c.pins.n > 0)
    unpin (&c);
  if (c.queue.queue != NULL)
    gomp_reverse_queue_put (dev, c.queue);
  free (c.patches.v);
  free (c.always_in.v);
  free (c.always_out.v);
  free (c.pins.v);
  if (c.memory != few_bytes)
    free (c.memory);
  if (c.table != few_slots)
    free (c.table);
  if (c.fresh != few_fresh)
    free (c.fresh);
  if (c.items != few_items)
    free (c.items);
  return !c.lost;
}

static inline bool
call (struct gomp_device *dev, gomp_fn fn, struct gomp_reverse_slot *slot)
{
  /* Nothing of the stack is for a function whose list is too short.  */
  uint64_t few_slots[FEW_ITEMS] = { 0 };
  uint32_t returned;
  /* Once: invariant 2.  */
  const volatile struct gomp_reverse_slot *request = slot;
  uint64_t count = request->count;
  bool far = (request->flags & GOMP_REVERSE_FAR) != 0, few = count <= FEW_ITEMS && !far;

  if (few && only_values (slot, count, few_slots))
    gomp_reverse_run (fn, few_slots);
  else if (few && in_place (dev, slot, count, few_slots, &returned))
    {
      gomp_reverse_run (fn, few_slots);
      for (; returned != 0; returned &= returned - 1)
	gomp_reverse_items (slot)[__builtin_ctz (returned)].flags |= GOMP_REVERSE_RETURNED;
    }
  else
    return call_with_data (dev, fn, slot, count, far, few_slots);
  return true;
}

/* The same for who wants to know.  */
static bool __attribute__ ((noinline, cold))
call_recorded (struct gomp_device *dev, gomp_fn fn, struct gomp_reverse_slot *slot)
{
  const struct gomp_region_note note = note_of (fn);
  struct gomp_trace_record *trace = gomp_trace_begin_note (GOMP_TRACE_REVERSE, dev, &note);
  uint64_t start = gomp_info_start ();
  bool alive = call (dev, fn, slot);
  gomp_trace_end (trace);
  if (start != 0)
    gomp_info_reverse (dev, &note, gomp_now_ns () - start);
  return alive;
}

bool
gomp_reverse_call (struct gomp_device *dev, gomp_fn fn, struct gomp_reverse_slot *slot)
{
  if (gomp_unlikely (gomp_trace_enabled || gomp_info_enabled))
    return call_recorded (dev, fn, slot);
  return call (dev, fn, slot);
}
