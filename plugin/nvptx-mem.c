/* nvptx-mem.c -- device, pinned and managed memory, and what the driver knows of an address.

   The core sub-allocates device memory, so that mem_alloc is rare; pinned memory as well.  Addresses
   are the same on host and devices (unified addressing, which init demands): a block of pinned or
   managed memory has one address for all.  */

#include "nvptx-later.h"
#include "nvptx-pages.h"

#include <stdlib.h>
#include <time.h>

gomp_status_t
nvptx_mem_open (struct gomp_plugin_device *dev)
{
  (void) dev;
  return GOMP_OK;
}

void
nvptx_mem_close (struct gomp_plugin_device *dev, bool exiting)
{
  (void) dev;
  (void) exiting;
}

/* A driver that is being unloaded takes every call and does nothing.  */
static gomp_status_t
shutting_down (void)
{
  nvptx_core->set_error ("the CUDA driver has shut down");
  return GOMP_DRIVER_ERROR;
}

/* ---- device memory ---- */

enum
{
  BACK_LOOKS = 100,		/* a process that has ended gives back what it had on the device within */
  BACK_LOOK = 10		/* ms each */
};

/* There was no memory for BLOCK: a process that links in the background has some, if there is one.  */
static gomp_status_t __attribute__ ((noinline, cold))
alloc_once_more (struct gomp_plugin_device *dev, size_t size, CUdeviceptr *block)
{
  gomp_status_t status = GOMP_OUT_OF_DEVICE_MEMORY;

  if (nvptx_later_give_way (dev))
    for (unsigned i = 0; i < BACK_LOOKS && status == GOMP_OUT_OF_DEVICE_MEMORY; i++)
      {
	status = NVPTX_CALL (dev, cuMemAlloc_v2, (block, size), "allocating %zu bytes on device %u", size, dev->ordinal);
	if (status == GOMP_OUT_OF_DEVICE_MEMORY)
	  nanosleep (&(struct timespec) { .tv_nsec = BACK_LOOK * 1000000 }, NULL);
      }
  return status;
}

gomp_status_t
nvptx_mem_alloc (struct gomp_plugin_device *dev, size_t size, size_t align, gomp_devptr_t *ptr)
{
  struct nvptx_scope scope;
  CUdeviceptr block = 0;

  gomp_status_t status = nvptx_enter (dev, &scope);
  if (status != GOMP_OK)
    return status;
  status = NVPTX_CALL (dev, cuMemAlloc_v2, (&block, size), "allocating %zu bytes on device %u",
		       size, dev->ordinal);
  if (status == GOMP_OUT_OF_DEVICE_MEMORY)
    status = alloc_once_more (dev, size, &block);
  if (status == GOMP_OK && block == 0)
    status = shutting_down ();
  else if (status == GOMP_OK && (block & (align - 1)) != 0)
    {
      (void) nvptx_check_quiet (dev, nvptx_cuda.cuMemFree_v2 (block));
      nvptx_core->set_error ("device %u has no memory aligned to %zu bytes", dev->ordinal, align);
      status = GOMP_UNSUPPORTED;
    }
  nvptx_leave (dev, &scope);
  *ptr = block;
  return status;
}

gomp_status_t
nvptx_mem_free (struct gomp_plugin_device *dev, gomp_devptr_t ptr)
{
  struct nvptx_scope scope;

  gomp_status_t status = nvptx_enter (dev, &scope);
  if (status != GOMP_OK)
    return status;
  status = NVPTX_CALL (dev, cuMemFree_v2, (ptr), "freeing %#llx on device %u",
		       (unsigned long long) ptr, dev->ordinal);
  nvptx_leave (dev, &scope);
  return status;
}

gomp_status_t
nvptx_mem_info (struct gomp_plugin_device *dev, uint64_t *free_bytes, uint64_t *total_bytes)
{
  struct nvptx_scope scope;
  size_t available = 0, total = 0;

  gomp_status_t status = nvptx_enter (dev, &scope);
  if (status != GOMP_OK)
    return status;
  status = NVPTX_CALL (dev, cuMemGetInfo_v2, (&available, &total),
		       "asking device %u for its free memory", dev->ordinal);
  nvptx_leave (dev, &scope);
  *free_bytes = available;
  *total_bytes = total;
  return status;
}

/* ---- pinned memory ---- */

gomp_status_t
nvptx_pinned_alloc (struct gomp_plugin_device *dev, size_t size, void **ptr, const char *what)
{
  *ptr = NULL;
  gomp_status_t status
    = NVPTX_CALL (dev, cuMemHostAlloc,
		  (ptr, size, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP),
		  "allocating %zu bytes of pinned memory for %s", size, what);
  if (status == GOMP_OK && *ptr == NULL)
    return shutting_down ();
  return status == GOMP_OUT_OF_DEVICE_MEMORY ? GOMP_OUT_OF_HOST_MEMORY : status;
}

void
nvptx_pinned_free (struct gomp_plugin_device *dev, void *ptr)
{
  if (ptr != NULL && !nvptx_is_lost (dev))
    (void) nvptx_check_quiet (dev, nvptx_cuda.cuMemFreeHost (ptr));
}

/* Large blocks.  The driver pins single pages and fills them with zeros one after the other, 0.5 ms
   for a megabyte; huge pages that are there already it pins ten times as fast.  */

#define LARGE_LEAST ((size_t) 2 << 20)
#ifndef MADV_POPULATE_WRITE
# define MADV_POPULATE_WRITE 23	/* Linux 5.14 */
#endif

struct large
{
  struct large *next;
  char *start;
  size_t size;
};
static pthread_mutex_t large_lock = PTHREAD_MUTEX_INITIALIZER;	/* a leaf */
static struct large *large_blocks;	/* large_lock */

/* The link to the block that has [PTR, PTR + SIZE); with the lock.  */
static struct large **
find_large (const void *ptr, size_t size)
{
  uintptr_t at = (uintptr_t) ptr;
  struct large **p;
  for (p = &large_blocks; *p != NULL; p = &(*p)->next)
    {
      uintptr_t start = (uintptr_t) (*p)->start;
      if (at >= start && at - start <= (*p)->size && size <= (*p)->size - (at - start))
	break;
    }
  return p;
}

/* The caller has entered DEV.  NULL: the driver has to find the memory.  */
static void *
large_alloc (struct gomp_plugin_device *dev, size_t size)
{
  int same_address = 0;

  if (size > SIZE_MAX / 2
      || nvptx_cuda.cuDeviceGetAttribute (&same_address,
					  CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM,
					  dev->cuda) != CUDA_SUCCESS
      || !same_address)
    return NULL;
  size_t whole = nvptx_pages_size (size);
  struct large *block = malloc (sizeof (*block));
  char *start = block == NULL ? NULL : nvptx_pages_map (whole);
  if (start == NULL)
    {
      free (block);
      return NULL;
    }
  /* Another wish; the driver brings what is missing.  */
  (void) madvise (start, whole, MADV_POPULATE_WRITE);
  CUresult result = nvptx_cuda.cuMemHostRegister_v2 (start, whole, CU_MEMHOSTREGISTER_PORTABLE
						     | CU_MEMHOSTREGISTER_DEVICEMAP);
  if (nvptx_check_quiet (dev, result) != GOMP_OK)
    {
      munmap (start, whole);
      free (block);
      return NULL;
    }
  block->start = start;
  block->size = whole;
  pthread_mutex_lock (&large_lock);
  block->next = large_blocks;
  large_blocks = block;
  pthread_mutex_unlock (&large_lock);
  return start;
}

/* *FREED (out): it was a large block.  */
static gomp_status_t
large_free (struct gomp_plugin_device *dev, void *ptr, bool *freed)
{
  pthread_mutex_lock (&large_lock);
  struct large **p = find_large (ptr, 0), *block = *p;
  *freed = block != NULL && block->start == ptr;
  if (*freed)
    *p = block->next;
  pthread_mutex_unlock (&large_lock);
  if (!*freed)
    return GOMP_OK;
  gomp_status_t status = NVPTX_CALL (dev, cuMemHostUnregister, (ptr), "freeing pinned memory at %p",
				     ptr);
  if (status == GOMP_OK)
    munmap (ptr, block->size);
  free (block);
  return status;
}

gomp_status_t
nvptx_host_alloc (struct gomp_plugin_device *dev, size_t size, void **ptr)
{
  struct nvptx_scope scope;

  *ptr = NULL;
  gomp_status_t status = nvptx_enter (dev, &scope);
  if (status != GOMP_OK)
    return status;
  if (size >= LARGE_LEAST)
    *ptr = large_alloc (dev, size);
  if (*ptr == NULL)
    status = nvptx_pinned_alloc (dev, size, ptr, "the program");
  nvptx_leave (dev, &scope);
  return status;
}

gomp_status_t
nvptx_host_free (struct gomp_plugin_device *dev, void *ptr)
{
  struct nvptx_scope scope;

  gomp_status_t status = nvptx_enter (dev, &scope);
  if (status != GOMP_OK)
    return status;
  bool freed, paused = nvptx_reverse_pause (dev);
  status = large_free (dev, ptr, &freed);
  if (!freed)
    status = NVPTX_CALL (dev, cuMemFreeHost, (ptr), "freeing pinned memory at %p", ptr);
  nvptx_reverse_resume (dev, paused);
  nvptx_leave (dev, &scope);
  return status;
}

/* ---- managed memory ---- */

gomp_status_t
nvptx_managed_alloc (struct gomp_plugin_device *dev, size_t size, void **ptr)
{
  struct nvptx_scope scope;
  CUdeviceptr block = 0;

  *ptr = NULL;
  if (!dev->facts->managed_memory)
    {
      nvptx_core->set_error ("device %u has no managed memory", dev->ordinal);
      return GOMP_UNSUPPORTED;
    }
  gomp_status_t status = nvptx_enter (dev, &scope);
  if (status != GOMP_OK)
    return status;
  status = NVPTX_CALL (dev, cuMemAllocManaged, (&block, size, CU_MEM_ATTACH_GLOBAL),
		       "allocating %zu bytes of managed memory", size);
  nvptx_leave (dev, &scope);
  *ptr = (void *) (uintptr_t) block;
  return status == GOMP_OK && block == 0 ? shutting_down () : status;
}

gomp_status_t
nvptx_managed_free (struct gomp_plugin_device *dev, void *ptr)
{
  return nvptx_mem_free (dev, (uintptr_t) ptr);
}

/* ---- what the driver knows of a host address ---- */

/* What a range is to the driver.  */
struct range
{
  int type;			/* CU_MEMORYTYPE_*; 0: nothing that it knows */
  bool managed;
  CUdeviceptr device;		/* where kernels find the first byte, or 0 */
  bool whole;			/* all of it is in one block */
};

/* The caller has entered a device.  */
static struct range
look_up (const void *ptr, size_t size)
{
  struct range r = { .type = 0 };
  unsigned type = 0, managed = 0;
  CUdeviceptr at = (uintptr_t) ptr, start = 0;
  size_t length = 0;
  int names[] =
  {
    CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
    CU_POINTER_ATTRIBUTE_DEVICE_POINTER, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
    CU_POINTER_ATTRIBUTE_RANGE_SIZE
  };
  void *values[] = { &type, &managed, &r.device, &start, &length };

  /* One call for all is as expensive as a call for one.  What the driver does not know is no
     error: the values are 0 then.  */
  if (nvptx_cuda.cuPointerGetAttributes (sizeof (names) / sizeof (names[0]), names, values, at)
      == CUDA_SUCCESS)
    {
      r.type = type;
      r.managed = managed != 0;
      r.whole = at >= start && at - start <= length && size <= length - (at - start);
    }
  return r;
}

bool
nvptx_is_accessible (struct gomp_plugin_device *dev, const void *ptr, size_t size)
{
  struct nvptx_scope scope;

  if (dev->facts->pageable_access)
    return !nvptx_is_lost (dev);
  if (nvptx_enter (dev, &scope) != GOMP_OK)
    return false;
  struct range r = look_up (ptr, size);
  nvptx_leave (dev, &scope);
  return (r.whole && (r.managed || r.type == CU_MEMORYTYPE_HOST)
	  && r.device == (uintptr_t) ptr);
}

bool
nvptx_is_pinned (struct gomp_plugin_device *dev, const void *ptr, size_t size)
{
  struct nvptx_scope scope;

  pthread_mutex_lock (&large_lock);
  bool is_large = *find_large (ptr, size) != NULL;
  pthread_mutex_unlock (&large_lock);
  if (is_large)
    return true;
  if (nvptx_enter (dev, &scope) != GOMP_OK)
    return false;
  struct range r = look_up (ptr, size);
  nvptx_leave (dev, &scope);
  return r.whole && !r.managed && r.type == CU_MEMORYTYPE_HOST;
}
