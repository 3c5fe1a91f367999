/* cpu-mem.c -- the memory of a cpu device: extents of the shared object; and copies that the host does.

   The core's allocator sits above and asks for few, large blocks, so a sorted table of the
   blocks in use is enough: the first gap that fits is taken, which keeps reusing pages that
   are there already.  A block given back returns its pages to the system, since the core
   keeps what it wants to use again.  */

#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "plugin/cpu-device.h"
#include "plugin/peek.h"
#include "plugin/thread-own.h"

#define HEAP_ALIGN 64u		/* every block has this alignment anyway */

/* Index of the first block that starts at or behind START.  */
static size_t
lower_bound (const struct gomp_plugin_device *dev, uint64_t start)
{
  size_t low = 0, high = dev->num_blocks;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      if (dev->blocks[middle].start < start)
	low = middle + 1;
      else
	high = middle;
    }
  return low;
}

static void
remove_block (struct gomp_plugin_device *dev, size_t i)
{
  dev->num_blocks--;
  memmove (&dev->blocks[i], &dev->blocks[i + 1],
	   (dev->num_blocks - i) * sizeof (dev->blocks[0]));
}

gomp_status_t
gomp_cpu_mem_alloc (struct gomp_plugin_device *dev, size_t size, size_t align, gomp_devptr_t *ptr)
{
  if (gomp_cpu_lost (dev))
    return gomp_cpu_say_lost (dev);
  const bool check = gomp_cpu_checks (dev);
  const size_t asked_align = align;
  if (align < HEAP_ALIGN)
    align = HEAP_ALIGN;
  if (check && align < GOMP_CPU_PAGE)
    align = GOMP_CPU_PAGE;
  if (size > dev->heap_size)
    {
      gomp_cpu_core->set_error ("%zu bytes are more than the device's memory of %llu bytes", size,
				(unsigned long long) dev->heap_size);
      return GOMP_OUT_OF_DEVICE_MEMORY;
    }
  /* Room for the address behind the last byte, which must not belong to another block.  */
  uint64_t need = check ? gomp_cpu_check_need (size)
		  : (size + HEAP_ALIGN) & ~(uint64_t) (HEAP_ALIGN - 1);

  pthread_mutex_lock (&dev->lock);
  gomp_status_t status = GOMP_OUT_OF_DEVICE_MEMORY;
  uint64_t start = 0;
  size_t i;
  for (i = 0;; i++)
    {
      uint64_t end = i < dev->num_blocks ? dev->blocks[i].start : dev->heap_size;
      /* The address is what has to be aligned, not the offset.  */
      uint64_t addr = (dev->heap_addr + start + align - 1) & ~(uint64_t) (align - 1);
      uint64_t fit = addr - dev->heap_addr;
      if (fit <= end && need <= end - fit)
	{
	  start = fit;
	  break;
	}
      if (i == dev->num_blocks)
	{
	  size_t oldest = check ? gomp_cpu_check_oldest (dev) : i;
	  if (oldest < dev->num_blocks)
	    {
	      remove_block (dev, oldest);
	      start = 0;
	      i = -1;
	      continue;
	    }
	  gomp_cpu_core->set_error ("no %zu contiguous bytes are free, of %llu in all", size,
				    (unsigned long long) (dev->heap_size - dev->allocated));
	  goto out;
	}
      start = dev->blocks[i].start + dev->blocks[i].size;
    }
  if (dev->num_blocks == dev->max_blocks)
    {
      size_t max = dev->max_blocks ? 2 * dev->max_blocks : 64;
      struct gomp_cpu_extent *blocks = reallocarray (dev->blocks, max, sizeof (*blocks));
      if (blocks == NULL)
	{
	  gomp_cpu_core->set_error ("out of host memory");
	  status = GOMP_OUT_OF_HOST_MEMORY;
	  goto out;
	}
      dev->blocks = blocks;
      dev->max_blocks = max;
    }
  memmove (&dev->blocks[i + 1], &dev->blocks[i], (dev->num_blocks - i) * sizeof (dev->blocks[0]));
  dev->blocks[i] = (struct gomp_cpu_extent) { .start = start, .size = need, .data = start };
  dev->num_blocks++;
  dev->allocated += need;
  if (check)
    gomp_cpu_check_new (dev, i, size, asked_align);
  *ptr = dev->heap_addr + dev->blocks[i].data;
  status = GOMP_OK;
 out:
  pthread_mutex_unlock (&dev->lock);
  return status;
}

gomp_status_t
gomp_cpu_mem_free (struct gomp_plugin_device *dev, gomp_devptr_t ptr)
{
  const uint64_t page = (uint64_t) sysconf (_SC_PAGESIZE);
  uint64_t start = ptr - dev->heap_addr;
  gomp_status_t status = GOMP_NOT_FOUND;

  if (gomp_cpu_lost (dev))
    return gomp_cpu_say_lost (dev);
  pthread_mutex_lock (&dev->lock);
  size_t i = lower_bound (dev, start);
  if (gomp_cpu_checks (dev) && i > 0 && (i == dev->num_blocks || dev->blocks[i].start != start))
    i--;			/* data need not be at the start */
  if (i < dev->num_blocks && dev->blocks[i].data == start && dev->blocks[i].freed == 0)
    {
      start = dev->blocks[i].start;
      /* Whole pages only: the neighbours may be in use.  Failure is no harm.  */
      uint64_t first = (start + page - 1) / page * page;
      uint64_t last = (start + dev->blocks[i].size) / page * page;
      if (last > first)
	madvise (dev->heap + first, last - first, MADV_REMOVE);
      dev->allocated -= dev->blocks[i].size;
      if (gomp_cpu_checks (dev))
	gomp_cpu_check_freed (dev, i);
      else
	remove_block (dev, i);
      status = GOMP_OK;
    }
  else
    gomp_cpu_core->set_error ("%#llx is not the start of a block of device memory",
			      (unsigned long long) ptr);
  pthread_mutex_unlock (&dev->lock);
  return status;
}

gomp_status_t
gomp_cpu_mem_info (struct gomp_plugin_device *dev, uint64_t *free_bytes, uint64_t *total_bytes)
{
  pthread_mutex_lock (&dev->lock);
  *free_bytes = dev->heap_size - dev->allocated;
  *total_bytes = dev->heap_size;
  pthread_mutex_unlock (&dev->lock);
  return GOMP_OK;
}

void
gomp_cpu_mem_watched (struct gomp_plugin_device *dev, uint64_t start, uint64_t end)
{
  unsigned i = 0;
  pthread_mutex_lock (&dev->lock);
  while (i < dev->num_watched && dev->watched[i].start != start)
    i++;
  if (i < GOMP_CPU_MOST_GLOBALS && i == dev->num_watched)
    {
      dev->watched[i].start = start;
      dev->watched[i].end = end;
      dev->num_watched++;
    }
  pthread_mutex_unlock (&dev->lock);
}

static bool
is_watched (struct gomp_plugin_device *dev, uint64_t addr, uint64_t size)
{
  bool found = false;
  pthread_mutex_lock (&dev->lock);
  for (unsigned i = 0; i < dev->num_watched && !found; i++)
    {
      uint64_t room = dev->watched[i].end - dev->watched[i].start, at = addr - dev->watched[i].start;
      found = at <= room && size <= room - at;
    }
  pthread_mutex_unlock (&dev->lock);
  return found;
}

/* Of a range that is as long as chance makes it, one of so many places lies in a gap.  */
#define PLACES 64

/* How many of the N bytes at FROM, from the first on, are memory of the worker's?  -1: unknown.  */
static ssize_t
look_at (const struct gomp_plugin_device *dev, const struct iovec *from, size_t n)
{
  char bytes[PLACES], name[40];
  const struct iovec to = { bytes, sizeof (bytes) };
  ssize_t got;

  if (!gomp_filtered ())
    {
      got = process_vm_readv (dev->process.worker, &to, 1, from, n, 0);
      return got < 0 && errno == EFAULT ? 0 : got;
    }
  snprintf (name, sizeof (name), "/proc/%ld/mem", (long) dev->process.worker);
  int fd = open (name, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return -1;
  for (got = 0; (size_t) got < n; got++)
    if (pread (fd, bytes, 1, (off_t) (uintptr_t) from[got].iov_base) != 1)
      {
	/* At the end of the address space nothing is read.  */
	got = errno == EIO || errno == EFAULT ? got : -1;
	break;
      }
  close (fd);
  return got;
}

gomp_status_t
gomp_cpu_mem_look (struct gomp_plugin_device *dev, gomp_devptr_t addr, size_t size)
{
  struct iovec from[PLACES];
  int saved = errno;

  if (size == 0 || gomp_cpu_in_heap (dev, addr, size) || is_watched (dev, addr, size))
    return GOMP_OK;
  /* A variable of a few pages has no more places than that.  */
  const size_t n = size / GOMP_CPU_PAGE < PLACES - 2 ? size / GOMP_CPU_PAGE + 2 : PLACES;
  for (size_t i = 0; i < n; i++)
    from[i] = (struct iovec) { (void *) (addr + (size - 1) / (n - 1) * i), 1 };
  from[n - 1].iov_base = (void *) (addr + size - 1);
  /* No variable reaches into the heap.  */
  bool nowhere = addr < dev->heap_addr + dev->heap_size && addr + size > dev->heap_addr;
  if (!nowhere)
    {
      ssize_t got = look_at (dev, from, n);
      nowhere = got >= 0 && (size_t) got < n;
    }
  errno = saved;
  if (!nowhere)
    return GOMP_OK;
  gomp_cpu_core->set_error ("there is no memory of %zu bytes at %#llx in the device", size,
			    (unsigned long long) addr);
  return GOMP_INVALID;
}

/* ---- Copies by the host ---- */

void
gomp_cpu_copy_host (struct gomp_plugin_device *dev, void *dst, const void *src, const void *host,
		    size_t size)
{
  struct gomp_host_copy copy = { .dev = dev->core_device, .host = host,
				 .size = host != NULL ? size : 0, .writes = host == dst };
  gomp_host_copy_begin (&copy);
  memmove (dst, src, size);
  gomp_host_copy_end (&copy);
}

void
gomp_cpu_copy3d_host (struct gomp_plugin_device *dev, char *dst, const char *src, const void *host,
		      const struct gomp_copy3d *shape)
{
  bool writes = host == dst;
  struct gomp_host_copy copy
    = { .dev = dev->core_device, .host = host,
	.size = gomp_cpu_span (shape, writes ? shape->dst_stride : shape->src_stride),
	.writes = writes };

  gomp_host_copy_begin (&copy);
  for (size_t i = 0; i < shape->count[2]; i++)
    for (size_t j = 0; j < shape->count[1]; j++)
      memcpy (dst + i * shape->dst_stride[1] + j * shape->dst_stride[0],
	      src + i * shape->src_stride[1] + j * shape->src_stride[0], shape->count[0]);
  gomp_host_copy_end (&copy);
}
