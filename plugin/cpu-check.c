/* cpu-check.c -- the mapping checker of a cpu device, the host's side of it.

   The core says what is to be watched, by marks: a byte for each byte of the device's memory.
   The worker sees the accesses (cpu-watch.c) and leaves them in a list.  Here are the marks, the
   list, and an allocator that makes accesses beside blocks and after their end fault:

     | block: unused bytes, data | page that nobody can access | block ...
			       ^ as far to the end of its last page as the alignment allows

   A freed block keeps its addresses, which cannot be accessed, until half of the memory or
   MAX_FREED blocks have been freed after it.

   Invariants
   1. A page with a mark that is to be watched is WATCHED, or the worker has given it up, and then it
      has none of these marks.  OUTSIDE may stay: it is looked at as long as it costs little.
   2. Pages change from NONE and to NONE under dev->lock.  Everything else in the shared words is
      single bytes that host and worker may change at any time.  */

#define _GNU_SOURCE 1
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "plugin/cpu-device.h"

#define MAX_FREED 8192
#define MOST_OF_GLOBAL (1u << 20)	/* bytes of one entry */
#define SEEN_PATIENCE_NS UINT64_C (1000000000)
#define SEEN_TURNS 1000		/* before a thread that waits for the list sleeps */

/* ---- blocks ---- */

static uint64_t
page_up (uint64_t n)
{
  return (n + GOMP_CPU_PAGE - 1) & ~(uint64_t) (GOMP_CPU_PAGE - 1);
}

uint64_t
gomp_cpu_check_need (uint64_t size)
{
  return page_up (size ? size : 1) + GOMP_CPU_PAGE;
}

static void
set_pages (struct gomp_plugin_device *dev, uint64_t start, uint64_t end, uint8_t state)
{
  uint64_t first = start / GOMP_CPU_PAGE, last = page_up (end) / GOMP_CPU_PAGE;
  gomp_cpu_bytes_put (dev->pages + first, last - first, state);
  /* Relaxed: the next launch publishes it.  */
  if (last > atomic_load_explicit (&dev->shared->xpages_used, memory_order_relaxed))
    atomic_store_explicit (&dev->shared->xpages_used, last, memory_order_relaxed);
}

void
gomp_cpu_check_new (struct gomp_plugin_device *dev, size_t i, uint64_t size, uint64_t align)
{
  struct gomp_cpu_extent *block = &dev->blocks[i];
  uint64_t end = block->start + block->size - GOMP_CPU_PAGE;
  uint64_t addr = (dev->heap_addr + end - size) & -align;
  block->data = addr - dev->heap_addr;
  set_pages (dev, block->start, end, GOMP_CPU_PAGE_OPEN);
}

void
gomp_cpu_check_freed (struct gomp_plugin_device *dev, size_t i)
{
  struct gomp_cpu_extent *block = &dev->blocks[i];
  set_pages (dev, block->start, block->start + block->size, GOMP_CPU_PAGE_NONE);
  memset (dev->marks + block->start, 0, block->size);
  madvise (dev->marks + block->start, block->size, MADV_REMOVE);
  block->freed = ++dev->frees;
  dev->freed_bytes += block->size;
  dev->freed_blocks++;
  while (dev->freed_blocks > MAX_FREED || dev->freed_bytes > dev->heap_size / 2)
    {
      size_t oldest = gomp_cpu_check_oldest (dev);
      dev->num_blocks--;
      memmove (&dev->blocks[oldest], &dev->blocks[oldest + 1],
	       (dev->num_blocks - oldest) * sizeof (dev->blocks[0]));
    }
}

size_t
gomp_cpu_check_oldest (struct gomp_plugin_device *dev)
{
  size_t oldest = dev->num_blocks;
  for (size_t i = 0; i < dev->num_blocks && dev->freed_blocks > 0; i++)
    if (dev->blocks[i].freed != 0
	&& (oldest == dev->num_blocks || dev->blocks[i].freed < dev->blocks[oldest].freed))
      oldest = i;
  if (oldest < dev->num_blocks)
    {
      dev->freed_blocks--;
      dev->freed_bytes -= dev->blocks[oldest].size;
    }
  return oldest;
}

/* ---- marks ---- */

gomp_status_t
gomp_cpu_check_view (struct gomp_plugin_device *dev, gomp_devptr_t addr, size_t size,
		     const uint8_t **marks, const void **data)
{
  if (!gomp_cpu_checks (dev) || !gomp_cpu_in_heap (dev, addr, size))
    return GOMP_UNSUPPORTED;
  if (gomp_cpu_lost (dev))
    return gomp_cpu_say_lost (dev);
  *marks = dev->marks + (addr - dev->heap_addr);
  *data = gomp_cpu_window (dev, addr);
  return GOMP_OK;
}

gomp_status_t
gomp_cpu_check_mark (struct gomp_plugin_device *dev, gomp_devptr_t addr, size_t size,
		     unsigned set, unsigned clear)
{
  const uint8_t *view;
  const void *data;
  gomp_status_t status = gomp_cpu_check_view (dev, addr, size, &view, &data);
  if (status != GOMP_OK)
    return status;
  uint64_t start = addr - dev->heap_addr;
  uint8_t *marks = dev->marks + start;
  for (size_t i = 0; i < size; i++)
    {
      uint8_t old = gomp_cpu_byte_get (&marks[i]), new = (old & ~clear) | set;
      if (new != old)
	gomp_cpu_byte_put (&marks[i], new);
    }
  if ((set & (GOMP_MARK_UNWRITTEN | GOMP_MARK_STALE | GOMP_MARK_OUTSIDE)) != 0 && size > 0)
    {
      pthread_mutex_lock (&dev->lock);
      set_pages (dev, start, start + size, GOMP_CPU_PAGE_WATCHED);
      pthread_mutex_unlock (&dev->lock);
    }
  return GOMP_OK;
}

void
gomp_cpu_check_written (struct gomp_plugin_device *dev, uint64_t offset, uint64_t size)
{
  const uint8_t *pages = dev->pages;
  uint8_t *marks = dev->marks;
  for (uint64_t at = offset, next; at < offset + size; at = next)
    {
      next = (at & -(uint64_t) GOMP_CPU_PAGE) + GOMP_CPU_PAGE;
      if (next > offset + size)
	next = offset + size;
      /* A page that is not watched has no marks that could go.  */
      if (gomp_cpu_byte_get (&pages[at / GOMP_CPU_PAGE]) != GOMP_CPU_PAGE_WATCHED)
	continue;
      for (uint64_t i = at; i < next; i++)
	{
	  uint8_t old = gomp_cpu_byte_get (&marks[i]);
	  gomp_cpu_byte_put (&marks[i], (old & ~(GOMP_MARK_UNWRITTEN | GOMP_MARK_STALE))
					| GOMP_MARK_STORED);
	}
    }
}

/* ---- what was seen ---- */

size_t
gomp_cpu_check_take (struct gomp_plugin_device *dev, struct gomp_check_access *accesses, size_t max)
{
  struct gomp_cpu_shared *s = dev->shared;
  size_t n = 0;
  uint32_t free_word = 0;

  if (!gomp_cpu_checks (dev) || dev->forked)
    return 0;
  /* Relaxed: see there.  */
  if (max > 0 && atomic_load_explicit (&dev->xblind, memory_order_relaxed))
    {
      atomic_store_explicit (&dev->xblind, false, memory_order_relaxed);
      accesses[n++] = (struct gomp_check_access) { .mark = GOMP_MARK_BLIND };
      return n;
    }
  /* Of a lost device it may help to explain the end.  Acquire: the list.  Held for a moment only,
     unless the worker dies just then, or a region writes into the lock.  */
  uint64_t start = 0;
  for (unsigned tries = 0;
       !atomic_compare_exchange_weak_explicit (&s->xseen_lock, &free_word, 1, memory_order_acquire,
					       memory_order_relaxed);
       free_word = 0)
    {
      if (++tries < SEEN_TURNS)
	{
	  gomp_cpu_pause ();
	  continue;
	}
      if (start == 0)
	start = gomp_cpu_now ();
      /* Relaxed: a hint not to wait as long again.  */
      if (gomp_cpu_is_dead (s)
	  || atomic_load_explicit (&dev->xseen_stuck, memory_order_relaxed)
	  || gomp_cpu_now () - start > SEEN_PATIENCE_NS)
	{
	  atomic_store_explicit (&dev->xseen_stuck, true, memory_order_relaxed);
	  return 0;
	}
      /* Who has it may need this processor.  */
      const struct timespec nap = { .tv_nsec = 50000 };
      nanosleep (&nap, NULL);
    }
  atomic_store_explicit (&dev->xseen_stuck, false, memory_order_relaxed);
  /* Once: the worker may not care for the lock.  */
  uint32_t count = *(volatile uint32_t *) &s->num_seen, taken = 0;
  if (count > GOMP_CPU_ACCESSES)
    count = GOMP_CPU_ACCESSES;
  pthread_mutex_lock (&dev->lock);
  for (; taken < count && n < max; taken++)
    {
      struct gomp_cpu_seen seen = s->seen[taken];
      __asm__ ("" : "+m" (seen));	/* a copy, not the list itself */
      if (seen.mark == GOMP_MARK_GLOBAL)
	{
	  uint64_t host = gomp_cpu_host_code (dev, seen.low);
	  /* In one module.  No region writes more in the steps that it has.  */
	  uint64_t last = seen.high - seen.low - 1;
	  if (last >= MOST_OF_GLOBAL)
	    last = MOST_OF_GLOBAL - 1;
	  if (host != 0 && seen.low < seen.high && gomp_cpu_host_code (dev, seen.low + last) == host + last)
	    accesses[n++] = (struct gomp_check_access) {
	      .start = seen.low, .end = seen.low + last + 1, .ip = gomp_cpu_host_code (dev, seen.ip),
	      .count = seen.count, .mark = seen.mark, .size = seen.size, .write = seen.write != 0,
	      .certain = seen.certain != 0, .host = host, .value = seen.value
	    };
	  continue;
	}
      if (seen.low >= seen.high || seen.high > dev->heap_size)
	continue;
      accesses[n++] = (struct gomp_check_access) {
	.start = dev->heap_addr + seen.low, .end = dev->heap_addr + seen.high,
	.ip = gomp_cpu_host_code (dev, seen.ip), .count = seen.count, .mark = seen.mark,
	.size = seen.size, .write = seen.write != 0, .certain = seen.certain != 0
      };
    }
  pthread_mutex_unlock (&dev->lock);
  memmove (&s->seen[0], &s->seen[taken], (count - taken) * sizeof (s->seen[0]));
  s->num_seen = count - taken;
  /* Release: the list.  */
  atomic_store_explicit (&s->xseen_lock, 0, memory_order_release);
  return n;
}
