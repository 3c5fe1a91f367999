/* gcn-mem.c -- device, pinned and managed memory, and what the runtime knows of an address.

   Device memory comes from the GPU's own coarse-grained pool and is opened to all other GPUs that can
   reach it, so that copies between devices need no preparation.  Pinned memory comes from the host's
   fine-grained pool and is opened to all GPUs.  The core sub-allocates both, so that these calls are
   rare.

   Managed memory is ordinary memory of the host that has been made accessible to all GPUs with the
   attributes of shared virtual memory, where the system can do that; pages move as they are used.

   Invariant: what is allocated here has one address for all.  */

#include "gcn.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A block of managed memory: a mapping of whole pages.  */
struct managed
{
  struct managed *next;
  void *start;
  size_t size;
};

struct gcn_memory
{
  uint32_t num_peers;		/* fixed */
  hsa_agent_t peers[GCN_MAX_DEVICES];	/* that reach the device's memory, and the device itself */
  _Atomic uint64_t xused;	/* bytes of the device that are allocated; relaxed, a figure */
  struct managed *managed;	/* dev->lock */
};

/* ---- the part of a device ---- */

gomp_status_t
gcn_mem_open (struct gomp_plugin_device *dev)
{
  struct gcn_memory *memory = calloc (1, sizeof (*memory));
  if (memory == NULL)
    return gcn_no_memory ();
  dev->memory = memory;
  memory->peers[memory->num_peers++] = dev->agent;
  for (unsigned i = 0; i < gcn_system.num_gpus; i++)
    {
      hsa_agent_t other = gcn_system.gpus[i];
      int access = HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED;
      if (other.handle == dev->agent.handle)
	continue;
      hsa_status_t result
	= gcn_hsa.hsa_amd_agent_memory_pool_get_info (other, dev->facts->pool,
						      HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS,
						      &access);
      if (gcn_check_quiet (dev, result) == GOMP_OK
	  && access != HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED)
	memory->peers[memory->num_peers++] = other;
      else
	gcn_note (dev, "a GPU cannot reach the memory of this one: copies between the two go through"
		  " the host");
    }
  return GOMP_OK;
}

void
gcn_mem_close (struct gomp_plugin_device *dev, bool exiting)
{
  struct gcn_memory *memory = dev->memory;
  if (memory == NULL || exiting)
    return;
  dev->memory = NULL;
  for (struct managed *m = memory->managed, *next; m != NULL; m = next)
    {
      next = m->next;
      munmap (m->start, m->size);
      free (m);
    }
  free (memory);
}

/* Does DEV's memory have an address for PEER?  */
bool
gcn_mem_reaches (struct gomp_plugin_device *dev, struct gomp_plugin_device *peer)
{
  const struct gcn_memory *memory = dev->memory;
  for (uint32_t i = 0; i < memory->num_peers; i++)
    if (memory->peers[i].handle == peer->agent.handle)
      return true;
  return false;
}

/* ---- blocks of pools ---- */

static void
pool_free (struct gomp_plugin_device *dev, void *ptr)
{
  if (ptr != NULL && !gcn_is_lost (dev))
    (void) gcn_check_quiet (dev, gcn_hsa.hsa_amd_memory_pool_free (ptr));
}

/* SIZE bytes of POOL, open to the AGENTS; WHAT for messages.  */
static gomp_status_t
pool_alloc (struct gomp_plugin_device *dev, hsa_amd_memory_pool_t pool, size_t size,
	    uint32_t num_agents, const hsa_agent_t *agents, void **ptr, const char *what)
{
  void *block = NULL;

  gomp_status_t status = GCN_CALL (dev, hsa_amd_memory_pool_allocate, (pool, size, 0, &block),
				   "allocating %zu bytes of %s", size, what);
  if (status == GOMP_OK && block == NULL)
    {
      gcn_core->set_error ("the HSA runtime has no %zu bytes of %s", size, what);
      status = GOMP_OUT_OF_DEVICE_MEMORY;
    }
  if (status == GOMP_OK && num_agents > 0)
    {
      status = GCN_CALL (dev, hsa_amd_agents_allow_access, (num_agents, agents, NULL, block),
			 "opening %zu bytes of %s to %u GPUs", size, what, num_agents);
      if (status != GOMP_OK)
	{
	  pool_free (dev, block);
	  block = NULL;
	}
    }
  *ptr = block;
  return status;
}

static size_t
block_size (const void *ptr)
{
  hsa_amd_pointer_info_t info = { .size = sizeof (info) };
  return (gcn_hsa.hsa_amd_pointer_info (ptr, &info, NULL, NULL, NULL) == HSA_STATUS_SUCCESS
	  && info.type == HSA_EXT_POINTER_TYPE_HSA ? info.sizeInBytes : 0);
}

/* ---- device memory ---- */

static gomp_status_t
device_alloc (struct gomp_plugin_device *dev, size_t size, uint64_t *addr, const char *what)
{
  struct gcn_memory *memory = dev->memory;
  void *block = NULL;
  /* One that is alone has access anyway.  */
  uint32_t agents = memory->num_peers > 1 ? memory->num_peers : 0;

  gomp_status_t status = gcn_alive (dev);
  if (status == GOMP_OK)
    status = pool_alloc (dev, dev->facts->pool, size, agents, memory->peers, &block, what);
  if (status == GOMP_OK)
    atomic_fetch_add_explicit (&memory->xused, size, memory_order_relaxed);	/* a figure */
  *addr = (uintptr_t) block;
  return status;
}

static gomp_status_t
device_free (struct gomp_plugin_device *dev, uint64_t addr)
{
  gomp_status_t status = gcn_alive (dev);
  if (status != GOMP_OK)
    return status;
  size_t size = block_size ((void *) (uintptr_t) addr);
  status = GCN_CALL (dev, hsa_amd_memory_pool_free, ((void *) (uintptr_t) addr),
		     "freeing %#llx on device %u", (unsigned long long) addr, dev->ordinal);
  if (status == GOMP_OK)
    atomic_fetch_sub_explicit (&dev->memory->xused, size, memory_order_relaxed);	/* a figure */
  return status;
}

gomp_status_t
gcn_mem_alloc (struct gomp_plugin_device *dev, size_t size, size_t align, gomp_devptr_t *ptr)
{
  uint64_t block = 0;
  gomp_status_t status = device_alloc (dev, size, &block, "device memory");
  if (status == GOMP_OK && (block & (align - 1)) != 0)
    {
      (void) device_free (dev, block);
      block = 0;
      gcn_core->set_error ("device %u has no memory aligned to %zu bytes", dev->ordinal, align);
      status = GOMP_UNSUPPORTED;
    }
  *ptr = block;
  return status;
}

gomp_status_t
gcn_mem_free (struct gomp_plugin_device *dev, gomp_devptr_t ptr)
{
  return device_free (dev, ptr);
}

gomp_status_t
gcn_device_new (struct gomp_plugin_device *dev, size_t size, uint64_t *addr, const char *what)
{
  return device_alloc (dev, size, addr, what);
}

void
gcn_device_delete (struct gomp_plugin_device *dev, uint64_t addr)
{
  if (addr != 0 && !gcn_is_lost (dev))
    (void) device_free (dev, addr);
}

gomp_status_t
gcn_mem_info (struct gomp_plugin_device *dev, uint64_t *free_bytes, uint64_t *total_bytes)
{
  uint64_t available = 0, total = dev->facts->memory;

  gomp_status_t status = gcn_alive (dev);
  if (status != GOMP_OK)
    return status;
  hsa_status_t result = gcn_hsa.hsa_agent_get_info (dev->agent, HSA_AMD_AGENT_INFO_MEMORY_AVAIL,
						    &available);
  /* Older runtimes do not tell: then what this process has left.  */
  if (gcn_check_quiet (dev, result) != GOMP_OK || available > total)
    {
      uint64_t used = atomic_load_explicit (&dev->memory->xused, memory_order_relaxed);
      available = used < total ? total - used : 0;
    }
  *free_bytes = available;
  *total_bytes = total;
  return gcn_alive (dev);
}

/* ---- pinned memory ---- */

/* SIZE bytes of a POOL of the host for all GPUs.  */
static gomp_status_t
host_pool_alloc (struct gomp_plugin_device *dev, hsa_amd_memory_pool_t pool, size_t size,
		 void **ptr, const char *what)
{
  *ptr = NULL;
  gomp_status_t status = gcn_alive (dev);
  if (status == GOMP_OK)
    status = pool_alloc (dev, pool, size, gcn_system.num_gpus, gcn_system.gpus, ptr, what);
  return status == GOMP_OUT_OF_DEVICE_MEMORY ? GOMP_OUT_OF_HOST_MEMORY : status;
}

gomp_status_t
gcn_shared_new (struct gomp_plugin_device *dev, size_t size, void **ptr, const char *what)
{
  return host_pool_alloc (dev, gcn_system.kernarg_pool, size, ptr, what);
}

void
gcn_shared_delete (struct gomp_plugin_device *dev, void *ptr)
{
  pool_free (dev, ptr);
}

gomp_status_t
gcn_host_alloc (struct gomp_plugin_device *dev, size_t size, void **ptr)
{
  return host_pool_alloc (dev, gcn_system.host_pool, size, ptr, "pinned memory");
}

gomp_status_t
gcn_host_free (struct gomp_plugin_device *dev, void *ptr)
{
  gomp_status_t status = gcn_alive (dev);
  if (status == GOMP_OK)
    status = GCN_CALL (dev, hsa_amd_memory_pool_free, (ptr), "freeing pinned memory at %p", ptr);
  return status;
}

/* ---- managed memory ---- */

gomp_status_t
gcn_managed_alloc (struct gomp_plugin_device *dev, size_t size, void **ptr)
{
  hsa_amd_svm_attribute_pair_t attributes[GCN_MAX_DEVICES];

  *ptr = NULL;
  gomp_status_t status = gcn_alive (dev);
  if (status != GOMP_OK)
    return status;
  if (!gcn_system.svm || gcn_hsa.hsa_amd_svm_attributes_set == NULL)
    {
      gcn_core->set_error ("device %u has no managed memory: the system has no shared virtual memory"
			   " for GPUs", dev->ordinal);
      return GOMP_UNSUPPORTED;
    }
  size_t page = (size_t) sysconf (_SC_PAGESIZE);
  size_t whole = (size + page - 1) & -page;
  struct managed *m = size <= SIZE_MAX - page ? malloc (sizeof (*m)) : NULL;
  void *start = m == NULL ? MAP_FAILED : mmap (NULL, whole, PROT_READ | PROT_WRITE,
					       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED)
    {
      free (m);
      return gcn_no_memory ();
    }
  for (unsigned i = 0; i < gcn_system.num_gpus; i++)
    attributes[i] = (hsa_amd_svm_attribute_pair_t)
      { .attribute = HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE, .value = gcn_system.gpus[i].handle };
  status = GCN_CALL (dev, hsa_amd_svm_attributes_set,
		     (start, whole, attributes, gcn_system.num_gpus),
		     "opening %zu bytes of managed memory to %u GPUs", size, gcn_system.num_gpus);
  if (status != GOMP_OK)
    {
      munmap (start, whole);
      free (m);
      return status;
    }
  m->start = start;
  m->size = whole;
  pthread_mutex_lock (&dev->lock);
  m->next = dev->memory->managed;
  dev->memory->managed = m;
  pthread_mutex_unlock (&dev->lock);
  *ptr = start;
  return GOMP_OK;
}

gomp_status_t
gcn_managed_free (struct gomp_plugin_device *dev, void *ptr)
{
  struct managed **p, *m;

  pthread_mutex_lock (&dev->lock);
  for (p = &dev->memory->managed; (m = *p) != NULL && m->start != ptr; p = &m->next)
    continue;
  if (m != NULL)
    *p = m->next;
  pthread_mutex_unlock (&dev->lock);
  if (m == NULL)
    {
      gcn_core->set_error ("%p is no managed memory of device %u", ptr, dev->ordinal);
      return GOMP_INVALID;
    }
  munmap (m->start, m->size);
  free (m);
  return gcn_alive (dev);
}

/* ---- what the runtime knows of a host address ---- */

gomp_status_t
gcn_mem_find_pinned (struct gomp_plugin_device *dev, const void *ptr, size_t size,
		     void **agent_ptr, bool *is_locked)
{
  hsa_amd_pointer_info_t info = { .size = sizeof (info) };

  *agent_ptr = NULL;
  *is_locked = false;
  gomp_status_t status = GCN_CALL (dev, hsa_amd_pointer_info, (ptr, &info, NULL, NULL, NULL),
				   "asking what memory there is at %p", ptr);
  if (status != GOMP_OK
      || (info.type != HSA_EXT_POINTER_TYPE_HSA && info.type != HSA_EXT_POINTER_TYPE_LOCKED)
      || info.hostBaseAddress == NULL)
    return status;
  uintptr_t at = (uintptr_t) ptr, start = (uintptr_t) info.hostBaseAddress;
  if (at >= start && at - start <= info.sizeInBytes && size <= info.sizeInBytes - (at - start))
    {
      *agent_ptr = (char *) info.agentBaseAddress + (at - start);
      *is_locked = info.type == HSA_EXT_POINTER_TYPE_LOCKED;
    }
  return GOMP_OK;
}

/* Do all GPUs use [PTR, PTR + SIZE) by the attributes of shared virtual memory?  */
static bool
is_managed (struct gomp_plugin_device *dev, const void *ptr, size_t size)
{
  uintptr_t at = (uintptr_t) ptr;
  pthread_mutex_lock (&dev->lock);
  const struct managed *m = dev->memory->managed;
  for (; m != NULL; m = m->next)
    {
      uintptr_t start = (uintptr_t) m->start;
      if (at >= start && at - start <= m->size && size <= m->size - (at - start))
	break;
    }
  pthread_mutex_unlock (&dev->lock);
  return m != NULL;
}

/* What somebody else has opened, who knows these attributes.  */
static bool
has_access (struct gomp_plugin_device *dev, const void *ptr, size_t size)
{
  size_t page = (size_t) sysconf (_SC_PAGESIZE);
  uintptr_t start = (uintptr_t) ptr & -page, end = ((uintptr_t) ptr + size + page - 1) & -page;
  hsa_amd_svm_attribute_pair_t query
    = { .attribute = HSA_AMD_SVM_ATTRIB_ACCESS_QUERY, .value = dev->agent.handle };

  if (!gcn_system.svm || gcn_hsa.hsa_amd_svm_attributes_get == NULL)
    return false;
  hsa_status_t result
    = gcn_hsa.hsa_amd_svm_attributes_get ((void *) start, end - start, &query, 1);
  return (result == HSA_STATUS_SUCCESS
	  && (query.attribute == HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE
	      || query.attribute == HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE));
}

bool
gcn_is_accessible (struct gomp_plugin_device *dev, const void *ptr, size_t size)
{
  void *agent_ptr;

  if (gcn_is_lost (dev))
    return false;
  return (dev->facts->shared_memory
	  || (gcn_find_pinned (dev, ptr, size, &agent_ptr) == GOMP_OK && agent_ptr == ptr)
	  || is_managed (dev, ptr, size) || has_access (dev, ptr, size));
}

bool
gcn_is_pinned (struct gomp_plugin_device *dev, const void *ptr, size_t size)
{
  void *agent_ptr;
  return (!gcn_is_lost (dev) && gcn_find_pinned (dev, ptr, size, &agent_ptr) == GOMP_OK
	  && agent_ptr != NULL);
}

/* ---- copies for setting up ---- */

enum { BOUNCE_BYTES = 65536 };

/* The runtime locks the host's memory for a copy, which does not work for pages that cannot be
   written: those are copied through memory that can.  */
static gomp_status_t
copy_now (struct gomp_plugin_device *dev, void *dst, const void *src, size_t size, bool to_device,
	  const char *what)
{
  gomp_status_t status = gcn_alive (dev);
  if (status != GOMP_OK || size == 0)
    return status;
  hsa_status_t result = gcn_hsa.hsa_memory_copy (dst, src, size);
  if (result != HSA_STATUS_SUCCESS && to_device)
    {
      char *bounce = malloc (size < BOUNCE_BYTES ? size : BOUNCE_BYTES);
      if (bounce == NULL)
	return gcn_no_memory ();
      result = HSA_STATUS_SUCCESS;
      for (size_t done = 0; done < size && result == HSA_STATUS_SUCCESS; )
	{
	  size_t n = size - done < BOUNCE_BYTES ? size - done : BOUNCE_BYTES;
	  memcpy (bounce, (const char *) src + done, n);
	  result = gcn_hsa.hsa_memory_copy ((char *) dst + done, bounce, n);
	  done += n;
	}
      free (bounce);
    }
  return gcn_check (dev, result, "hsa_memory_copy", "copying %zu bytes %s the device: %s", size,
		    to_device ? "to" : "from", what);
}

gomp_status_t
gcn_write_now (struct gomp_plugin_device *dev, uint64_t addr, const void *data, size_t size,
	       const char *what)
{
  return copy_now (dev, (void *) (uintptr_t) addr, data, size, true, what);
}

gomp_status_t
gcn_read_now (struct gomp_plugin_device *dev, void *data, uint64_t addr, size_t size,
	      const char *what)
{
  return copy_now (dev, data, (const void *) (uintptr_t) addr, size, false, what);
}
