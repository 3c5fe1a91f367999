/* map-check.c -- the mapping checker: what host and device know of each other's data.

   For each block of device memory that a construct has mapped there is a copy of the host's
   bytes as they were when they were last copied, in whatever direction.  So

     host now != copy                     the host has changed the byte since
     device now != copy                   the device has
     the first, and not the second        the byte is STALE on the device

   Before a region is launched all blocks are compared and STALE bytes are marked; the device tells
   which of them the region read.  Bytes that were never copied nor written by the
   device are UNWRITTEN, and watched in the same way.  This is exact to the byte, and needs no
   access to be seen but those of bytes that are in question.

   A read of a STALE byte is no mistake yet: a program may fill the host's array with the data for
   the next step while the device still works on the last one, or prepare what it got for output.
   What happens to the byte next decides (settle_stale): copied later by the program, in any
   direction, it is a note; otherwise, when the mapping or the program ends, a finding.

   Invariants
   1. known[i] is 1 if and only if copy[i] is what both sides had at the last copy of the byte.
      Attached pointers are never known: the two sides are meant to differ.
   2. Bytes are marked STALE only while no region runs on the device.  Launches wait for each other, up
      to a second; what still runs then is not judged.
   3. The program's memory is read by a system call that fails where the program has unmapped it.  */

#include "diag.h"
#include "host/env.h"
#include "map-check.h"
#include "plugin/peek.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define CHUNK ((size_t) 64 << 10)
#define PAGE UINT64_C (4096)
#define MAX_GONE 1024		/* blocks that are remembered after their end */
#define PATIENCE_MS 1000

struct check_block
{
  struct gomp_splay_node node;	/* device addresses; first */
  struct gomp_device *dev;
  uint64_t host, size;		/* host 0: of omp_target_alloc */
  unsigned item;		/* of the list of the construct that mapped it, from 1 */
  bool any_stale;
  struct gomp_check_place mapped, unmapped, synced;
  uint8_t *copy, *known;	/* NULL: nothing is known */
  struct gomp_check_read *reads;
  struct check_block *next_gone;
};

bool gomp_check_enabled;
static gomp_mutex_t lock;	/* GOMP_RANK_CHECK: everything below */
static struct gomp_splay_tree blocks;	/* of all devices: their addresses differ */
static struct check_block *gone;	/* newest first */
static size_t num_gone;
static unsigned running[64];	/* regions, by device number */
static uint64_t num_regions, num_blocks;
static bool blind;		/* what a device does to variables that are not mapped is not seen */
static int self_mem = -1;	/* /proc/self/mem, where the system call may not be allowed */
static bool finished;
_Atomic (uint64_t) gomp_check_xat_once;

void
gomp_check_lock (void)
{
  gomp_lock_ranked (&lock, GOMP_RANK_CHECK);
}

bool
gomp_check_try (void)
{
  return gomp_mutex_trylock (&lock);
}

void
gomp_check_try_end (void)
{
  gomp_mutex_unlock (&lock);
}

void
gomp_check_unlock (void)
{
  gomp_unlock_ranked (&lock, GOMP_RANK_CHECK);
}

/* ---- GOMP_CHECK ---- */

static bool
is_word (const char *text, size_t n, const char *word)
{
  return strlen (word) == n && strncasecmp (text, word, n) == 0;
}

void GOMP_STARTUP
gomp_check_init (void)
{
  const char *value = gomp_getenv ("GOMP_CHECK", false);
  bool map = false, valid = true;

  if (value == NULL || value[strspn (value, " \t")] == 0)
    return;
  const char *word = value + strspn (value, " \t");
  size_t length = strcspn (word, " \t,");
  if (is_word (word, length, "off") && word[length + strspn (word + length, " \t")] == 0)
    {
      gomp_host_fault_told = false;
      return;
    }
  for (const char *p = value; ; p++)
    {
      p += strspn (p, " \t");
      size_t n = strcspn (p, " \t,");
      if (is_word (p, n, "map"))
	map = true;
      else if (is_word (p, n, "notes"))
	gomp_check_notes = true;
      else if (is_word (p, n, "fatal"))
	gomp_check_fatal = true;
      else
	valid = false;
      p += n;
      p += strspn (p, " \t");
      if (*p != ',')
	{
	  valid &= *p == 0;
	  break;
	}
    }
  if (!valid || !map)
    gomp_env_invalid (GOMP_ENV_CHECK, "GOMP_CHECK", value);
  else
    gomp_check_enabled = true;
}

/* ---- The program's memory ---- */

bool
gomp_check_read_host (void *buf, uint64_t addr, size_t size)
{
  if (self_mem < 0 && !gomp_filtered ())
    {
      struct iovec to = { buf, size }, from = { (void *) addr, size };
      ssize_t n = process_vm_readv (getpid (), &to, 1, &from, 1, 0);
      if (n == (ssize_t) size)
	return true;
      if (n >= 0 || errno == EFAULT)
	return false;
    }
  int cancel = gomp_cancel_off ();
  if (self_mem < 0)
    self_mem = open ("/proc/self/mem", O_RDONLY | O_CLOEXEC);
  bool all = self_mem >= 0 && pread (self_mem, buf, size, addr) == (ssize_t) size;
  gomp_cancel_restore (cancel);
  return all;
}

/* ---- Blocks ---- */

static struct check_block *
block_at (uint64_t dev)
{
  return (struct check_block *) gomp_splay_overlap (&blocks, dev, dev + 1);
}

/* Device data and marks of BLOCK; false: they cannot be had.  */
static bool
view (const struct check_block *block, const uint8_t **marks, const uint8_t **data)
{
  const void *bytes;
  if (block->dev->ops->check_view (block->dev->handle, block->node.start, block->size, marks,
				   &bytes) != GOMP_OK)
    return false;
  *data = bytes;
  return true;
}

static void
mark (const struct check_block *block, uint64_t start, uint64_t end, unsigned set, unsigned clear)
{
  block->dev->ops->check_mark (block->dev->handle, block->node.start + start, end - start, set,
			       clear);
}

struct gomp_check_place
gomp_check_place_of (const struct gomp_region_note *note)
{
  return (struct gomp_check_place) { note->construct, note->call_site, note->fn };
}

static struct check_block *
new_block (struct gomp_device *dev, uint64_t addr, uint64_t host, uint64_t size)
{
  struct check_block *block = gomp_calloc (1, sizeof (*block));
  block->dev = dev;
  block->host = host;
  block->size = size;
  block->node.start = addr;
  block->node.end = addr + size;
  gomp_splay_insert (&blocks, &block->node);
  num_blocks++;
  mark (block, 0, size, GOMP_MARK_UNWRITTEN, GOMP_MARK_STALE | GOMP_MARK_STORED | GOMP_MARK_READ);
  /* The rest of its first and last page.  */
  uint64_t before = addr & (PAGE - 1), after = -(addr + size) & (PAGE - 1);
  if (before > 0)
    dev->ops->check_mark (dev->handle, addr - before, before, GOMP_MARK_OUTSIDE, 0);
  if (after > 0)
    dev->ops->check_mark (dev->handle, addr + size, after, GOMP_MARK_OUTSIDE, 0);
  return block;
}

static void
free_block (struct check_block *block)
{
  while (block->reads != NULL)
    {
      struct gomp_check_read *next = block->reads->next;
      free (block->reads);
      block->reads = next;
    }
  free (block->copy);
  free (block->known);
  block->copy = block->known = NULL;
}

static void
need_copy (struct check_block *block)
{
  if (block->copy != NULL)
    return;
  block->copy = gomp_malloc (block->size);
  block->known = gomp_calloc (1, block->size);
}

/* ---- Findings ---- */

struct gomp_check_finding *
gomp_check_append (struct gomp_check_finding **list, const struct gomp_check_finding *what)
{
  struct gomp_check_finding *f = gomp_malloc (sizeof (*f));
  *f = *what;
  f->next = NULL;
  while (*list != NULL)
    list = &(*list)->next;
  *list = f;
  return f;
}

static struct gomp_check_finding
finding_about (enum gomp_check_kind kind, const struct check_block *block, uint64_t start, uint64_t end)
{
  return (struct gomp_check_finding) {
    .kind = kind, .device = block->dev->number, .host = block->host, .dev = block->node.start,
    .size = block->size, .start = start, .end = end, .item = block->item, .mapped = block->mapped,
    .synced = block->synced, .count = 1
  };
}

static struct gomp_check_finding *
new_finding (struct gomp_check_finding **list, enum gomp_check_kind kind,
	     const struct check_block *block, uint64_t start, uint64_t end)
{
  const struct gomp_check_finding what = finding_about (kind, block, start, end);
  return gomp_check_append (list, &what);
}

void
gomp_check_settle (struct gomp_check_finding **list, struct gomp_check_read **reads,
		   const struct gomp_check_finding *what, uint64_t start, uint64_t end,
		   const struct gomp_check_place *later, bool to_device)
{
  for (struct gomp_check_read **p = reads, *r; (r = *p) != NULL; )
    {
      if (r->end <= start || r->start >= end)
	{
	  p = &r->next;
	  continue;
	}
      struct gomp_check_finding *f = gomp_check_append (list, what);
      f->start = r->start;
      f->end = r->end;
      f->ip = r->ip;
      f->count = r->count;
      f->access = r->access;
      f->region = r->region;
      f->synced = r->synced;
      f->wide = r->wide;
      f->note = r->wide || later != NULL;
      if (later != NULL)
	{
	  f->later = *later;
	  f->late = to_device;
	  f->overwritten = !to_device;
	}
      *p = r->next;
      free (r);
    }
}

/* What was read STALE in [START, END) of BLOCK: copied by LATER, or, NULL, the mapping has
   ended.  */
static void
settle_stale (struct gomp_check_finding **list, struct check_block *block, uint64_t start,
	      uint64_t end, const struct gomp_check_place *later, bool to_device)
{
  const struct gomp_check_finding what = finding_about (GOMP_CHECK_STALE, block, 0, 0);
  gomp_check_settle (list, &block->reads, &what, start, end, later, to_device);
}

/* Bytes that the device has changed since they were last copied, when nobody will copy them any
   more.  */
static void
dropped (struct gomp_check_finding **list, struct check_block *block)
{
  const uint8_t *marks, *data;
  uint64_t first = 0, last = 0, count = 0;

  if (block->copy == NULL || block->host == 0 || !view (block, &marks, &data))
    return;
  for (uint64_t i = 0; i < block->size; i++)
    if (block->known[i] && data[i] != block->copy[i])
      {
	if (count++ == 0)
	  first = i;
	last = i + 1;
      }
  if (count == 0)
    return;
  struct gomp_check_finding *f = new_finding (list, GOMP_CHECK_DROPPED, block, first, last);
  f->note = true;
  f->later = block->unmapped;
}

/* ---- Mapping ---- */

void
gomp_check_mapped (struct gomp_map_plan *plan)
{
  if (!gomp_check_covers (plan->dev))
    return;
  gomp_check_lock ();
  for (struct gomp_map_block *b = plan->new_blocks; b != NULL; b = b->new_next)
    {
      const uint8_t *marks;
      const void *data;
      if (b->chunk == NULL || b->size == 0 || block_at (b->dev) != NULL
	  || plan->dev->ops->check_view (plan->dev->handle, b->dev, b->size, &marks, &data)
	     != GOMP_OK)
	continue;
      struct check_block *block = new_block (plan->dev, b->dev, b->host, b->size);
      block->mapped = gomp_check_place_of (plan->note);
      for (size_t i = 0; i < plan->items.n && block->item == 0; i++)
	if (plan->items.v[i].host == b->host && plan->items.v[i].op != GOMP_OP_VALUE)
	  block->item = plan->items.v[i].slot + 1;
    }
  gomp_check_unlock ();
}

void
gomp_check_unmapped (struct gomp_map_plan *plan, const struct gomp_map_block *b)
{
  if (!gomp_check_covers (plan->dev))
    return;
  gomp_check_lock ();
  struct check_block *block = block_at (b->dev);
  if (block != NULL)
    block->unmapped = gomp_check_place_of (plan->note);
  gomp_check_unlock ();
}

void
gomp_check_allocated (struct gomp_device *dev, gomp_devptr_t addr, size_t size,
		      const void *call_site)
{
  if (!gomp_check_covers (dev))
    return;
  gomp_check_lock ();
  if (block_at (addr) == NULL)
    new_block (dev, addr, 0, size)->mapped
      = (struct gomp_check_place) { "omp_target_alloc", call_site, NULL };
  gomp_check_unlock ();
}

bool
gomp_check_holds (struct gomp_device *dev, gomp_devptr_t addr, size_t size)
{
  gomp_check_lock ();
  const struct check_block *block = block_at (addr);
  bool holds = block != NULL && block->dev == dev && block->host == 0
	       && size <= block->node.end - addr;
  gomp_check_unlock ();
  return holds;
}

bool
gomp_check_has (struct gomp_device *dev, gomp_devptr_t addr)
{
  gomp_check_lock ();
  const struct check_block *block = block_at (addr);
  bool has = block != NULL && block->dev == dev;
  gomp_check_unlock ();
  return has;
}

void
gomp_check_freed (struct gomp_device *dev, gomp_devptr_t addr)
{
  struct gomp_check_finding *list = NULL;

  if (!gomp_check_covers (dev))
    return;
  gomp_check_lock ();
  /* A block need not begin where the memory does.  */
  struct check_block *block = block_at (addr);
  if (block == NULL)
    {
      block = (struct check_block *) gomp_splay_above (&blocks, addr);
      if (block != NULL && block->node.start - addr >= PAGE)
	block = NULL;
    }
  if (block != NULL)
    {
      settle_stale (&list, block, 0, block->size, NULL, false);
      dropped (&list, block);
      gomp_splay_remove (&blocks, &block->node);
      free_block (block);
      block->next_gone = gone;
      gone = block;
      if (++num_gone > 2 * MAX_GONE)
	{
	  struct check_block *last = gone, *next;
	  for (size_t i = 1; i < MAX_GONE; i++)
	    last = last->next_gone;
	  for (next = last->next_gone, last->next_gone = NULL; next != NULL; next = last)
	    {
	      last = next->next_gone;
	      free (next);
	    }
	  num_gone = MAX_GONE;
	}
    }
  gomp_check_unlock ();
  gomp_check_report (list);
}

/* ---- Copies ---- */

void
gomp_check_reaches (struct gomp_device *dev, const struct gomp_region_note *note, gomp_devptr_t addr,
		    size_t size, bool write)
{
  struct gomp_check_finding *list = NULL;
  uint64_t end = addr + size;

  if (!gomp_check_covers (dev))
    return;
  gomp_check_lock ();
  struct check_block *block = (struct check_block *) gomp_splay_overlap (&blocks, addr, end);
  /* Blocks have their pages for themselves, and may end or begin where a page does.  */
  if (block == NULL)
    block = (struct check_block *) gomp_splay_overlap (&blocks, (addr - 1) & -PAGE, (end + PAGE) & -PAGE);
  if (block != NULL && block->dev == dev && (addr < block->node.start || end > block->node.end))
    {
      struct gomp_check_finding *f = new_finding (&list, GOMP_CHECK_OUTSIDE, block,
						  addr - block->node.start, end - block->node.start);
      f->write = write;
      f->region = gomp_check_place_of (note);
    }
  if (write)
    {
      const struct gomp_check_place place = gomp_check_place_of (note);
      gomp_check_globals_copied (&list, dev, &place, addr, 0, size, true);
    }
  gomp_check_unlock ();
  gomp_check_report (list);
}

/* [START, END) of BLOCK is now the same on both sides: VALUES.  */
static void
synchronized (struct check_block *block, uint64_t start, uint64_t end, const void *values,
	      const struct gomp_check_place *place)
{
  need_copy (block);
  memcpy (block->copy + start, values, end - start);
  memset (block->known + start, 1, end - start);
  block->synced = *place;
}

void
gomp_check_sent (struct gomp_device *dev, const struct gomp_region_note *note, gomp_devptr_t dst,
		 const void *src, size_t size)
{
  struct gomp_check_finding *list = NULL;

  if (!gomp_check_covers (dev) || size == 0)
    return;
  struct gomp_check_place place = gomp_check_place_of (note);
  gomp_check_lock ();
  struct check_block *block = block_at (dst);
  if (block != NULL && block->host != 0 && dst + size <= block->node.end)
    {
      uint64_t start = dst - block->node.start, end = start + size;
      settle_stale (&list, block, start, end, &place, true);
      mark (block, start, end, 0, GOMP_MARK_UNWRITTEN | GOMP_MARK_STALE | GOMP_MARK_STORED
				  | GOMP_MARK_READ);
      need_copy (block);
      if (gomp_check_read_host (block->copy + start, (uint64_t) src, size))
	{
	  memset (block->known + start, 1, size);
	  block->synced = place;
	}
      else
	memset (block->known + start, 0, size);
    }
  else if (block == NULL)
    gomp_check_globals_copied (&list, dev, &place, dst, (uintptr_t) src, size, true);
  gomp_check_unlock ();
  gomp_check_report (list);
}

void
gomp_check_word (struct gomp_device *dev, gomp_devptr_t dst)
{
  if (!gomp_check_covers (dev))
    return;
  gomp_check_lock ();
  struct check_block *block = block_at (dst);
  if (block != NULL && dst + sizeof (uint64_t) <= block->node.end)
    {
      uint64_t start = dst - block->node.start;
      mark (block, start, start + sizeof (uint64_t), 0,
	    GOMP_MARK_UNWRITTEN | GOMP_MARK_STALE | GOMP_MARK_STORED | GOMP_MARK_READ);
      if (block->known != NULL)
	memset (block->known + start, 0, sizeof (uint64_t));
    }
  else if (block == NULL)
    gomp_check_globals_copied (NULL, dev, NULL, dst, 0, sizeof (uint64_t), true);
  gomp_check_unlock ();
}

static void
received (struct gomp_check_finding **list, struct gomp_map_plan *plan,
	  const struct gomp_xfer *xfer, bool arrived)
{
  struct gomp_check_place place = gomp_check_place_of (plan->note);
  struct check_block *block = block_at (xfer->dev);
  const uint8_t *marks, *data;

  if (block == NULL)
    gomp_check_globals_copied (list, plan->dev, &place, xfer->dev,
			       arrived ? (uintptr_t) xfer->host : 0, xfer->size, false);
  if (block == NULL || block->host == 0 || xfer->dev + xfer->size > block->node.end
      || !view (block, &marks, &data))
    return;
  uint64_t start = xfer->dev - block->node.start, end = start + xfer->size;
  /* At the end of a mapping, the change of the host is lost.  */
  if (block->unmapped.construct == NULL && plan->directive == GOMP_DIR_UPDATE)
    settle_stale (list, block, start, end, &place, false);
  if (block->any_stale)
    mark (block, start, end, 0, GOMP_MARK_STALE | GOMP_MARK_STORED | GOMP_MARK_READ);
  synchronized (block, start, end, data + start, &place);
}

void
gomp_check_received (struct gomp_map_plan *plan)
{
  struct gomp_check_finding *list = NULL;

  if (!gomp_check_covers (plan->dev))
    return;
  gomp_check_lock ();
  for (size_t i = 0; i < plan->from.n; i++)
    received (&list, plan, &plan->from.v[i], plan->dev->staging == NULL);
  for (size_t i = 0; i < plan->unpacked.n; i++)
    received (&list, plan, &plan->unpacked.v[i], false);
  gomp_check_unlock ();
  gomp_check_report (list);
}

/* ---- Regions ---- */

/* What the host's bytes NOW say about a byte of BLOCK: is it STALE, or marked so and not?  */
enum verdict { SAME, MAKE_STALE, MAKE_FRESH };

static enum verdict
compare_byte (const struct check_block *block, uint64_t i, uint8_t now, const uint8_t *marks,
	      const uint8_t *data)
{
  uint8_t had = __atomic_load_n (&marks[i], __ATOMIC_RELAXED);
  bool stale = block->known[i] && now != block->copy[i] && data[i] == block->copy[i]
	       && !(had & GOMP_MARK_STORED);
  bool marked = (had & GOMP_MARK_STALE) != 0;
  return stale == marked ? SAME : stale ? MAKE_STALE : MAKE_FRESH;
}

/* Mark what the host has changed in [START, START + SIZE) of BLOCK.  */
static void
compare (struct check_block *block, uint64_t start, size_t size, const uint8_t *now,
	 const uint8_t *marks, const uint8_t *data)
{
  if (!block->any_stale && memcmp (now, block->copy + start, size) == 0)
    return;
  for (size_t i = 0, n; i < size; i = n)
    {
      enum verdict verdict = compare_byte (block, start + i, now[i], marks, data);
      for (n = i + 1; n < size; n++)
	if (compare_byte (block, start + n, now[n], marks, data) != verdict)
	  break;
      if (verdict == MAKE_STALE)
	{
	  mark (block, start + i, start + n, GOMP_MARK_STALE, GOMP_MARK_READ);
	  block->any_stale = true;
	}
      else if (verdict == MAKE_FRESH)
	mark (block, start + i, start + n, 0, GOMP_MARK_STALE);
    }
}

static void
compare_all (struct gomp_device *dev)
{
  uint8_t *now = gomp_malloc (CHUNK);

  for (struct gomp_splay_node *node = gomp_splay_first (&blocks); node != NULL;
       node = gomp_splay_above (&blocks, node->start))
    {
      struct check_block *block = (struct check_block *) node;
      const uint8_t *marks, *data;
      if (block->dev != dev || block->copy == NULL || block->host == 0
	  || block->unmapped.construct != NULL || !view (block, &marks, &data))
	continue;
      for (uint64_t start = 0; start < block->size; start += CHUNK)
	{
	  size_t n = block->size - start < CHUNK ? block->size - start : CHUNK;
	  if (gomp_check_read_host (now, block->host + start, n))
	    compare (block, start, n, now, marks, data);
	}
    }
  free (now);
}

static unsigned *
running_on (const struct gomp_device *dev)
{
  return &running[dev->number & 63];
}

void
gomp_check_launch (struct gomp_device *dev, bool may_wait)
{
  if (!gomp_check_covers (dev))
    return;
  unsigned *n = running_on (dev);
  gomp_check_lock ();
  /* A region may be waiting for this one, which only one of them can know.  */
  for (unsigned ms = 0; may_wait && *n > 0 && ms < PATIENCE_MS; ms++)
    {
      const struct timespec nap = { .tv_nsec = 1000000 };
      gomp_check_unlock ();
      int cancel = gomp_cancel_off ();
      nanosleep (&nap, NULL);
      gomp_cancel_restore (cancel);
      gomp_check_lock ();
    }
  num_regions++;
  if ((*n)++ == 0)
    {
      compare_all (dev);
      gomp_check_globals_compare (dev);
    }
  gomp_check_unlock ();
}

/* The hull of the bytes of BLOCK in *START to *END that carry READ, which is taken off.  */
static bool
narrow (const struct check_block *block, uint64_t *start, uint64_t *end)
{
  const uint8_t *marks, *data;
  if (!view (block, &marks, &data))
    return false;
  uint64_t from = *start, to = *end;
  while (from < to && !(__atomic_load_n (&marks[from], __ATOMIC_RELAXED) & GOMP_MARK_READ))
    from++;
  while (from < to && !(__atomic_load_n (&marks[to - 1], __ATOMIC_RELAXED) & GOMP_MARK_READ))
    to--;
  if (from == to)
    return false;
  *start = from;
  *end = to;
  return true;
}

void
gomp_check_add_read (struct gomp_check_read **reads, uint64_t start, uint64_t end,
		     const struct gomp_check_access *access, bool wide,
		     const struct gomp_region_note *note, const struct gomp_check_place *synced)
{
  struct gomp_check_read *r;
  for (r = *reads; r != NULL; r = r->next)
    if (r->ip == access->ip && r->region.call_site == note->call_site && r->wide == wide)
      {
	r->start = start < r->start ? start : r->start;
	r->end = end > r->end ? end : r->end;
	r->count++;
	return;
      }
  r = gomp_malloc (sizeof (*r));
  *r = (struct gomp_check_read) {
    .next = *reads, .start = start, .end = end, .ip = access->ip, .count = 1,
    .access = access->size, .wide = wide, .region = gomp_check_place_of (note), .synced = *synced
  };
  *reads = r;
}

static void
read_stale (struct check_block *block, uint64_t start, uint64_t end,
	    const struct gomp_check_access *access, const struct gomp_region_note *note)
{
  if (narrow (block, &start, &end))
    gomp_check_add_read (&block->reads, start, end, access, !access->certain, note, &block->synced);
}

static void
judge (struct gomp_check_finding **list, const struct gomp_check_access *access,
       const struct gomp_region_note *note)
{
  struct check_block *block
    = (struct check_block *) gomp_splay_overlap (&blocks, access->start, access->end);
  if (access->mark == GOMP_MARK_OUTSIDE)
    {
      /* What it is beside of: blocks have their pages for themselves.  */
      if (block == NULL)
	block = (struct check_block *) gomp_splay_overlap (&blocks, access->start & -PAGE,
							    (access->end + PAGE - 1) & -PAGE);
      if (block == NULL)
	return;
      struct gomp_check_finding *f
	= new_finding (list, GOMP_CHECK_OUTSIDE, block, access->start - block->node.start,
		       access->end - block->node.start);
      f->ip = access->ip;
      f->access = access->size;
      f->count = access->count;
      f->write = access->write;
      f->region = gomp_check_place_of (note);
      return;
    }
  if (block == NULL)
    return;
  uint64_t start = access->start > block->node.start ? access->start - block->node.start : 0;
  uint64_t end = access->end < block->node.end ? access->end - block->node.start : block->size;
  if (access->mark == GOMP_MARK_STALE)
    read_stale (block, start, end, access, note);
  else if (narrow (block, &start, &end))
    {
      struct gomp_check_finding *f
	= new_finding (list, GOMP_CHECK_UNWRITTEN, block, start, end);
      f->ip = access->ip;
      f->access = access->size;
      f->count = access->count;
      f->region = gomp_check_place_of (note);
    }
}

void
gomp_check_landed (struct gomp_device *dev, const struct gomp_region_note *note)
{
  struct gomp_check_finding *list = NULL;
  struct gomp_check_access seen[64], *globals = NULL;
  size_t n, num_globals = 0;

  if (!gomp_check_covers (dev))
    return;
  gomp_check_lock ();
  while ((n = dev->ops->check_take (dev->handle, seen, sizeof (seen) / sizeof (seen[0]))) > 0)
    for (size_t i = 0; i < n; i++)
      if (seen[i].mark == GOMP_MARK_BLIND)
	blind = true;
      else if (seen[i].mark != GOMP_MARK_GLOBAL)
	judge (&list, &seen[i], note);
      else
	{
	  globals = gomp_realloc_array (globals, num_globals + 1, sizeof (*globals));
	  globals[num_globals++] = seen[i];
	}
  bool alone = *running_on (dev) <= 1;
  if (*running_on (dev) > 0)
    --*running_on (dev);
  gomp_check_unlock ();
  if (alone && num_globals > 0)
    gomp_check_globals_landed (&list, dev, globals, num_globals, note);
  free (globals);
  gomp_check_report (list);
}

/* ---- A device died ---- */

static void
explain_block (FILE *f, const struct check_block *block, uint64_t addr, bool is_gone)
{
  fputs ("  it is device memory: ", f);
  if (addr < block->node.start)
    fprintf (f, "%llu bytes before ", (unsigned long long) (block->node.start - addr));
  else if (addr >= block->node.end)
    fprintf (f, "%llu bytes behind the end of ", (unsigned long long) (addr - block->node.end));
  else
    fprintf (f, "byte %llu of ", (unsigned long long) (addr - block->node.start));
  gomp_check_print_block (f, block->host, block->size, block->item, &block->mapped);
  fputs ("\n", f);
  if (!is_gone)
    {
      fputs ("  remedy: map more of it, or do not go beyond its end\n", f);
      return;
    }
  if (block->host == 0)
    fputs ("  which omp_target_free has freed\n"
	   "  remedy: free it after the last region that uses it\n", f);
  else
    {
      fputs ("  whose mapping has ended by ", f);
      gomp_check_print_place (f, &block->unmapped);
      fputs ("\n  remedy: keep it mapped as long as device pointers to it are used"
	     " (target enter data), or take the pointer anew (use_device_addr)\n", f);
    }
}

void
gomp_check_explain (FILE *f, struct gomp_device *dev, uint64_t addr, bool is_device_addr)
{
  if (!gomp_check_covers (dev))
    return;
  if (!is_device_addr)
    {
      fputs ("  remedy: name it in a map clause of the region, or map it before by target enter"
	     " data; a pointer that is copied must be mapped as a section, p[0:n]\n", f);
      return;
    }
  /* Somebody may have died with the lock.  */
  if (!gomp_mutex_trylock (&lock))
    return;
  struct check_block *best = (struct check_block *)
    gomp_splay_overlap (&blocks, addr > 2 * PAGE ? addr - 2 * PAGE : 0, addr + 2 * PAGE);
  bool is_gone = false;
  for (struct check_block *b = gone; b != NULL && !is_gone; b = b->next_gone)
    if (b->dev == dev && addr - b->node.start < b->size)
      {
	best = b;
	is_gone = true;
      }
  if (best != NULL)
    explain_block (f, best, addr, is_gone);
  gomp_mutex_unlock (&lock);
}

/* ---- The end ---- */

void
gomp_check_finish (void)
{
  struct gomp_check_finding *list = NULL;

  if (!gomp_check_enabled || finished || !gomp_mutex_trylock (&lock))
    return;
  finished = true;
  for (struct gomp_splay_node *node = gomp_splay_first (&blocks); node != NULL;
       node = gomp_splay_above (&blocks, node->start))
    {
      struct check_block *block = (struct check_block *) node;
      /* Acquire: a device that is lost or closed has no memory to look at.  */
      if (gomp_load_acquire (&block->dev->xstate) != GOMP_DEVICE_OPEN)
	continue;
      settle_stale (&list, block, 0, block->size, NULL, false);
      dropped (&list, block);
    }
  gomp_check_globals_finish (&list);
  gomp_mutex_unlock (&lock);
  bool fatal = gomp_check_fatal;
  gomp_check_fatal = false;
  gomp_check_report (list);
  if (gomp_check_summary (num_regions, num_blocks, blind,
			  /* Relaxed: the program is over.  */
			  gomp_load_relaxed (&gomp_check_xat_once)) > 0 && fatal)
    {
      fflush (NULL);
      _exit (EXIT_FAILURE);
    }
}
