/* test-memory.c -- memory of the test devices, and kinds of host memory.  */

#include "plugin-test.h"

#include <stdlib.h>
#include <string.h>

static _Atomic long allocs;

/* A kind of host memory that can be told from others: all bytes of a new block are 0x5a.  What is
   known of it is kept before it.  */
struct pinned
{
  struct pinned *next;
  size_t size;
  char bytes[] __attribute__ ((aligned (16)));
};
static pthread_mutex_t pinned_lock = PTHREAD_MUTEX_INITIALIZER;
static size_t pinned_bytes;	/* pinned_lock */
static struct pinned *all_pinned;	/* pinned_lock */

gomp_status_t
test_host_alloc (struct gomp_plugin_device *dev, size_t size, void **ptr)
{
  struct pinned *p = NULL;
  (void) dev;
  if (test_fails ("testHostAlloc"))
    return GOMP_OUT_OF_HOST_MEMORY;
  pthread_mutex_lock (&pinned_lock);
  if (pinned_bytes <= test_knobs.pinned_memory && size <= test_knobs.pinned_memory - pinned_bytes)
    p = malloc (sizeof (*p) + size);
  if (p != NULL)
    {
      memset (p->bytes, 0x5a, size);
      p->size = size;
      p->next = all_pinned;
      all_pinned = p;
      pinned_bytes += size;
    }
  pthread_mutex_unlock (&pinned_lock);
  if (p == NULL)
    {
      test_core->set_error ("testHostAlloc has no %zu bytes", size);
      return GOMP_OUT_OF_HOST_MEMORY;
    }
  *ptr = p->bytes;
  return GOMP_OK;
}

gomp_status_t
test_host_free (struct gomp_plugin_device *dev, void *ptr)
{
  struct pinned **p = &all_pinned, *found;
  (void) dev;
  pthread_mutex_lock (&pinned_lock);
  while (*p != NULL && (*p)->bytes != ptr)
    p = &(*p)->next;
  found = *p;
  if (found != NULL)
    {
      *p = found->next;
      pinned_bytes -= found->size;
    }
  pthread_mutex_unlock (&pinned_lock);
  if (found == NULL)
    {
      test_core->set_error ("testHostFree: no block at %p", ptr);
      return GOMP_INVALID;
    }
  free (found);
  return GOMP_OK;
}

bool
test_is_pinned (struct gomp_plugin_device *dev, const void *ptr, size_t size)
{
  uintptr_t at = (uintptr_t) ptr;
  bool found = false;
  (void) dev;
  pthread_mutex_lock (&pinned_lock);
  for (const struct pinned *p = all_pinned; p != NULL && !found; p = p->next)
    {
      uintptr_t start = (uintptr_t) p->bytes;
      found = at >= start && at - start <= p->size && size <= p->size - (at - start);
    }
  pthread_mutex_unlock (&pinned_lock);
  return found;
}

static _Atomic size_t managed_bytes;

gomp_status_t
test_managed_alloc (struct gomp_plugin_device *dev, size_t size, void **ptr)
{
  (void) dev;
  if (!test_knobs.managed || atomic_fetch_add (&managed_bytes, size) + size > 1 << 20)
    {
      if (test_knobs.managed)
	atomic_fetch_sub (&managed_bytes, size);
      test_core->set_error ("testManagedAlloc has no %zu bytes", size);
      return test_knobs.managed ? GOMP_OUT_OF_DEVICE_MEMORY : GOMP_UNSUPPORTED;
    }
  char *block = malloc (size + 32);
  if (block == NULL)
    return GOMP_OUT_OF_HOST_MEMORY;
  memset (block, 0x6b, size + 32);
  memcpy (block, &size, sizeof (size));
  *ptr = block + 32;
  return GOMP_OK;
}

gomp_status_t
test_managed_free (struct gomp_plugin_device *dev, void *ptr)
{
  size_t size;
  (void) dev;
  memcpy (&size, (char *) ptr - 32, sizeof (size));
  atomic_fetch_sub (&managed_bytes, size);
  free ((char *) ptr - 32);
  return GOMP_OK;
}

gomp_status_t
test_alloc (struct gomp_plugin_device *dev, size_t size, size_t align, gomp_devptr_t *ptr)
{
  gomp_status_t status = test_device_status (dev, "testAlloc");
  if (status != GOMP_OK)
    return status;
  if (test_fails ("testAlloc"))
    return GOMP_OUT_OF_DEVICE_MEMORY;
  if (test_is_turn (&allocs, test_knobs.fail_alloc))
    {
      test_core->set_error ("testAlloc of %zu bytes failed: as ordered by fail_alloc", size);
      return GOMP_OUT_OF_DEVICE_MEMORY;
    }
  status = GOMP_OUT_OF_DEVICE_MEMORY;
  pthread_mutex_lock (&dev->lock);
  size_t offset = 0;
  for (struct block **p = &dev->blocks; ; p = &(*p)->next)
    {
      uintptr_t at = (uintptr_t) dev->memory + offset;
      offset += -at & (align - 1);
      size_t end = *p != NULL ? (*p)->offset : test_knobs.memory;
      if (offset <= end && size <= end - offset)
	{
	  struct block *b = malloc (sizeof (*b));
	  if (b == NULL)
	    break;
	  *b = (struct block) { offset, size, *p };
	  *p = b;
	  *ptr = (uintptr_t) dev->memory + offset;
	  status = GOMP_OK;
	  break;
	}
      if (*p == NULL)
	break;
      offset = (*p)->offset + (*p)->size;
    }
  pthread_mutex_unlock (&dev->lock);
  if (status != GOMP_OK)
    test_core->set_error ("testAlloc: no %zu of %lu bytes left", size, test_knobs.memory);
  return status;
}

gomp_status_t
test_free (struct gomp_plugin_device *dev, gomp_devptr_t ptr)
{
  gomp_status_t status = GOMP_INVALID;
  pthread_mutex_lock (&dev->lock);
  for (struct block **p = &dev->blocks; *p != NULL; p = &(*p)->next)
    if ((uintptr_t) dev->memory + (*p)->offset == ptr)
      {
	struct block *b = *p;
	*p = b->next;
	/* What is still used after this shows.  */
	memset (dev->memory + b->offset, 0xdd, b->size);
	free (b);
	status = GOMP_OK;
	break;
      }
  pthread_mutex_unlock (&dev->lock);
  if (status != GOMP_OK)
    test_core->set_error ("testFree: no block at %#llx", (unsigned long long) ptr);
  return status;
}

gomp_status_t
test_mem_info (struct gomp_plugin_device *dev, uint64_t *free_bytes, uint64_t *total_bytes)
{
  *total_bytes = *free_bytes = test_knobs.memory;
  pthread_mutex_lock (&dev->lock);
  for (struct block *b = dev->blocks; b != NULL; b = b->next)
    *free_bytes -= b->size;
  pthread_mutex_unlock (&dev->lock);
  return GOMP_OK;
}

bool
test_accessible (struct gomp_plugin_device *dev, const void *ptr, size_t size)
{
  (void) ptr;
  (void) size;
  (void) dev;
  return test_knobs.shared;
}

bool
test_in_memory (struct gomp_plugin_device *dev, gomp_devptr_t ptr, size_t size)
{
  bool found = false;
  pthread_mutex_lock (&dev->lock);
  for (struct block *b = dev->blocks; b != NULL; b = b->next)
    {
      uintptr_t start = (uintptr_t) dev->memory + b->offset;
      found |= ptr >= start && ptr - start <= b->size && size <= b->size - (ptr - start);
    }
  pthread_mutex_unlock (&dev->lock);
  return found;
}
