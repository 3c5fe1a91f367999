/* allocator-space.c -- memory for allocators that is more than the heap: page-locked
   (pinned), managed by a device's driver, or placed on certain NUMA nodes (partition).

   Locked memory comes from the first device that says that its own kind of it is faster to copy
   (GOMP_CAP_PINNED_FASTER), which opens that device; without one it is locked here.  Managed memory
   comes from the default device; each block begins with a note of which one that was.

   Other than that each block is a mapping of its own.  Placement is asked of the kernel directly;
   it is a wish, so that a refusal is no failure.  A locked page that cannot be locked is one.  Blocks that are
   smaller than a page for each node are not placed at all: the heap's pages are on the node of
   the thread that first writes to them.  Large-capacity, high-bandwidth and the other memory
   spaces are the same ordinary memory on the host.  */

#include "host/allocator.h"
#include "target.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* From the kernel's interface (set_mempolicy (2)); its header is not always there.  */
enum { POLICY_PREFERRED = 1, POLICY_INTERLEAVE = 3 };
#define POLICY_ASK_ALLOWED 4ul

#define MAX_NODES 1024
#define WORD_BITS (8 * sizeof (unsigned long))
struct node_mask
{
  unsigned long words[MAX_NODES / WORD_BITS];
};

/* The nodes that have memory for this process.  */
struct nodes
{
  unsigned count;		/* at least 1 */
  struct node_mask mask;
};
/* Set by the first thread that wants to know, constant afterwards.  No lock: fork would have to
   know it.  */
static _Atomic (struct nodes *) xnodes;

static size_t
page_size (void)
{
  return sysconf (_SC_PAGESIZE);
}

static const struct nodes *
get_nodes (void)
{
  /* Acquire: what is in it.  */
  struct nodes *nodes = gomp_load_acquire (&xnodes), *other = NULL;
  if (gomp_likely (nodes != NULL))
    return nodes;
  nodes = gomp_calloc (1, sizeof (*nodes));
  if (syscall (SYS_get_mempolicy, NULL, nodes->mask.words, (unsigned long) MAX_NODES, NULL,
	       POLICY_ASK_ALLOWED) == 0)
    for (size_t i = 0; i < GOMP_ARRAY_SIZE (nodes->mask.words); i++)
      nodes->count += __builtin_popcountl (nodes->mask.words[i]);
  if (nodes->count == 0)
    nodes->count = 1;		/* the kernel does not know or does not tell */
  /* Release: what is in it; acquire, when another thread was first: the same.  */
  if (gomp_cas_acq_rel (&xnodes, &other, nodes))
    return nodes;
  free (nodes);
  return other;
}

bool
gomp_can_place (size_t size)
{
  int saved = errno;
  unsigned count = get_nodes ()->count;
  errno = saved;
  return count > 1 && size / page_size () >= count;
}

static void
bind_range (void *start, size_t size, int policy, const struct node_mask *mask)
{
  /* The kernel takes one bit less than it is told.  No mask and "preferred" is the node of the
     thread that first writes to a page.  A refusal is ignored.  */
  (void) syscall (SYS_mbind, start, size, policy, mask != NULL ? mask->words : NULL,
		  mask != NULL ? MAX_NODES + 1ul : 0ul, 0u);
}

/* Ranges of about the same size, one for each node.  */
static void
place_blocked (char *start, size_t size, const struct nodes *nodes)
{
  unsigned count = nodes->count;
  size_t page = page_size (), pages = size / page, done = 0;
  unsigned nth = 0;
  for (unsigned node = 0; node < MAX_NODES; node++)
    if (nodes->mask.words[node / WORD_BITS] >> node % WORD_BITS & 1)
      {
	struct node_mask one = { { 0 } };
	one.words[node / WORD_BITS] = 1ul << node % WORD_BITS;
	/* Without overflow: pages * (nth + 1) / count.  */
	nth++;
	size_t end = pages / count * nth + pages % count * nth / count;
	if (end > done)
	  bind_range (start + done * page, (end - done) * page, POLICY_PREFERRED, &one);
	done = end;
      }
}

static void
place (void *start, size_t size, unsigned partition)
{
  const struct nodes *nodes = get_nodes ();
  if (nodes->count == 1)
    return;
  switch (partition)
    {
    case GOMP_ATV_NEAREST:
      bind_range (start, size, POLICY_PREFERRED, NULL);
      break;
    case GOMP_ATV_BLOCKED:
      place_blocked (start, size, nodes);
      break;
    case GOMP_ATV_INTERLEAVED:
      bind_range (start, size, POLICY_INTERLEAVE, &nodes->mask);
      break;
    }
}

void *
gomp_pages_alloc (size_t align, size_t size, bool pinned, unsigned partition)
{
  int saved = errno;
  size_t page = page_size (), extra = align > page ? align - page : 0;
  char *start = NULL, *got;

  /* SIZE is at most PTRDIFF_MAX, so that rounding does not overflow; with EXTRA it may.  */
  size = (size + page - 1) & -page;
  if (size > PTRDIFF_MAX - extra)
    return NULL;
  got = mmap (NULL, size + extra, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (got == MAP_FAILED)
    goto out;
  start = got;
  if (extra != 0)
    {
      start = (char *) (((uintptr_t) got + align - 1) & -align);
      if (start != got)
	munmap (got, start - got);
      if (start + size != got + size + extra)
	munmap (start + size, got + extra - start);
    }
  if (partition != GOMP_ATV_ENVIRONMENT)
    place (start, size, partition);
  if (pinned && mlock (start, size) != 0)
    {
      munmap (start, size);
      start = NULL;
    }
 out:
  errno = saved;
  return start;
}

void
gomp_pages_free (void *start, size_t size)
{
  int saved = errno;
  size_t page = page_size ();
  munmap (start, (size + page - 1) & -page);
  errno = saved;
}

/* ---- of a device ---- */

/* The first device that offers such memory, in whatever state; always the same one.  */
static struct gomp_device *
pinning_device (int *number)
{
  int count = gomp_num_devices ();
  for (int n = 0; n < count; n++)
    {
      struct gomp_device *dev = gomp_device_at (n);
      if (dev->attr.caps & GOMP_CAP_PINNED_FASTER)
	{
	  *number = n;
	  return dev;
	}
    }
  return NULL;
}

void *
gomp_device_pinned_alloc (size_t size)
{
  int number, saved = errno;
  void *ptr = NULL;
  struct gomp_device *dev = pinning_device (&number);
  if (dev != NULL)
    dev = gomp_resolve_device (number, false, NULL);
  /* One that cannot be opened or has no more such memory is no reason to have none.  */
  if (dev != NULL)
    ptr = gomp_pinned_alloc (dev, size);
  if (ptr != NULL)
    gomp_add_relaxed (&dev->xlent, 1);	/* relaxed: a number that guards nothing here */
  errno = saved;
  return ptr;
}

void
gomp_device_pinned_free (void *ptr)
{
  int number, saved = errno;
  struct gomp_device *dev = pinning_device (&number);
  /* Acquire: the handle of an open device.  What was closed at exit has freed its memory; one that
     is lost frees nothing.  */
  if (dev != NULL && gomp_load_acquire (&dev->xstate) == GOMP_DEVICE_OPEN)
    {
      gomp_pinned_free (dev, ptr);
      gomp_sub_acq_rel (&dev->xlent, 1);	/* release: the device may be closed now */
    }
  errno = saved;
}

enum { MANAGED_NOTE = GOMP_MIN_ALIGNMENT };
_Static_assert (sizeof (struct gomp_device *) <= MANAGED_NOTE, "note");

void *
gomp_device_managed_alloc (size_t size)
{
  int saved = errno;
  void *ptr = NULL;
  struct gomp_device *dev = gomp_resolve_device (GOMP_DEVICE_DEFAULT, false, NULL);
  if (dev != NULL && size <= SIZE_MAX - MANAGED_NOTE)
    {
      if (dev->ops->managed_alloc (dev->handle, size + MANAGED_NOTE, &ptr) == GOMP_OK)
	{
	  gomp_add_relaxed (&dev->xlent, 1);	/* relaxed: as above */
	  memcpy (ptr, &dev, sizeof (dev));
	  ptr = (char *) ptr + MANAGED_NOTE;
	}
      else
	ptr = NULL;
    }
  errno = saved;
  return ptr;
}

void
gomp_device_managed_free (void *ptr)
{
  int saved = errno;
  struct gomp_device *dev;
  ptr = (char *) ptr - MANAGED_NOTE;
  memcpy (&dev, ptr, sizeof (dev));
  /* Acquire: as above.  */
  if (gomp_load_acquire (&dev->xstate) == GOMP_DEVICE_OPEN)
    {
      dev->ops->managed_free (dev->handle, ptr);
      gomp_sub_acq_rel (&dev->xlent, 1);	/* release: as above */
    }
  errno = saved;
}
