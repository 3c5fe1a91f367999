/* hsa-memory.c -- regions and pools of the simulated runtime, allocation, who may use what, locked
   memory, what a pointer is, attributes of the program's own memory.

   Every GPU agent has a pool of coarse-grained memory and one for LDS, from which nothing can be
   allocated.  The system has three: fine-grained, fine-grained for kernarg blocks, coarse-grained.
   Regions are the older view of the same: those of a GPU agent are its own and the system's.
   A handle is HSA_POOL_HANDLE or HSA_REGION_HANDLE + 16 * owner + index, owner 0 the system.

   As with AMD's runtime, memory of a pool can be used by the agent it is of; others must be allowed to;
   what is allocated from a region of the system can be used by all.  */

#include "hsa-sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HSA_POOL_HANDLE = 0x1000, HSA_REGION_HANDLE = 0x2000 };
enum { GROUP_BYTES = 65536 };

struct pool
{
  int owner;			/* GPU agent; -1: the system */
  int segment;
  uint32_t flags;
};

static bool
find_pool (uint64_t handle, uint64_t base, struct pool *pool)
{
  static const uint32_t system_flags[]
    = { HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED,
	HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED | HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT,
	HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED };
  uint64_t n = handle - base, owner = n / 16, index = n % 16;
  if (owner > (uint64_t) hsa_num_gpus || index >= (owner == 0 ? 3 : 2))
    return false;
  pool->owner = (int) owner - 1;
  pool->segment = owner != 0 && index == 1 ? HSA_AMD_SEGMENT_GROUP : HSA_AMD_SEGMENT_GLOBAL;
  pool->flags = owner == 0 ? system_flags[index]
		: index == 0 ? HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED : 0;
  return true;
}

static int
arena_of_pool (const struct pool *p)
{
  return p->owner >= 0 ? p->owner : SIM_SYSTEM_ARENA;
}

static size_t
pool_bytes (const struct pool *p)
{
  return p->segment == HSA_AMD_SEGMENT_GROUP ? GROUP_BYTES : space_limit (arena_of_pool (p));
}

/* ---- regions and pools ---- */

hsa_status_t
hsa_amd_agent_iterate_memory_pools (hsa_agent_t agent, hsa_amd_memory_pool_fn callback, void *data)
{
  ENTER (hsa_amd_agent_iterate_memory_pools);
  int gpu = hsa_agent_number (agent);
  if (gpu < -1 || callback == NULL)
    {
      hsa_misuse ("hsa_amd_agent_iterate_memory_pools: %s",
		  gpu < -1 ? "no agent" : "no callback");
      return gpu < -1 ? HSA_STATUS_ERROR_INVALID_AGENT : HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  hsa_status_t result = HSA_STATUS_SUCCESS;
  uint64_t first = HSA_POOL_HANDLE + 16 * (uint64_t) (gpu + 1);
  for (uint64_t i = 0; i < (gpu < 0 ? 3 : 2) && result == HSA_STATUS_SUCCESS; i++)
    result = callback ((hsa_amd_memory_pool_t) { first + i }, data);
  return result;
}

hsa_status_t
hsa_agent_iterate_regions (hsa_agent_t agent, hsa_region_fn callback, void *data)
{
  ENTER (hsa_agent_iterate_regions);
  int gpu = hsa_agent_number (agent);
  if (gpu < -1 || callback == NULL)
    {
      hsa_misuse ("hsa_agent_iterate_regions: %s", gpu < -1 ? "no agent" : "no callback");
      return gpu < -1 ? HSA_STATUS_ERROR_INVALID_AGENT : HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  hsa_status_t result = HSA_STATUS_SUCCESS;
  uint64_t own = HSA_REGION_HANDLE + 16 * (uint64_t) (gpu + 1);
  if (gpu >= 0)
    for (uint64_t i = 0; i < 2 && result == HSA_STATUS_SUCCESS; i++)
      result = callback ((hsa_region_t) { own + i }, data);
  for (uint64_t i = 0; i < 3 && result == HSA_STATUS_SUCCESS; i++)
    result = callback ((hsa_region_t) { HSA_REGION_HANDLE + i }, data);
  return result;
}

/* What regions and pools have in common.  */
static bool
pool_info (const struct pool *p, int attribute, void *value)
{
  bool global = p->segment == HSA_AMD_SEGMENT_GLOBAL;
  switch (attribute)
    {
    case HSA_REGION_INFO_SEGMENT:
      *(int *) value = p->segment;
      return true;
    case HSA_REGION_INFO_GLOBAL_FLAGS:
      *(uint32_t *) value = p->flags;
      return true;
    case HSA_REGION_INFO_SIZE:
      *(size_t *) value = pool_bytes (p);
      return true;
    case HSA_REGION_INFO_RUNTIME_ALLOC_ALLOWED:
      *(bool *) value = global;
      return true;
    case HSA_REGION_INFO_RUNTIME_ALLOC_GRANULE:
    case HSA_REGION_INFO_RUNTIME_ALLOC_ALIGNMENT:
      *(size_t *) value = global ? SIM_PAGE : 0;
      return true;
    default:
      return false;
    }
}

hsa_status_t
hsa_amd_memory_pool_get_info (hsa_amd_memory_pool_t handle, int attribute, void *value)
{
  struct pool p;
  ENTER (hsa_amd_memory_pool_get_info);
  if (!find_pool (handle.handle, HSA_POOL_HANDLE, &p))
    {
      hsa_misuse ("hsa_amd_memory_pool_get_info: %#lx is no pool", (unsigned long) handle.handle);
      return HSA_STATUS_ERROR_INVALID_MEMORY_POOL;
    }
  if (pool_info (&p, attribute, value))
    return HSA_STATUS_SUCCESS;
  if (attribute == HSA_AMD_MEMORY_POOL_INFO_ACCESSIBLE_BY_ALL)
    *(bool *) value = false;
  else if (attribute == HSA_AMD_MEMORY_POOL_INFO_ALLOC_MAX_SIZE)
    *(size_t *) value = pool_bytes (&p);
  else
    {
      hsa_misuse ("hsa_amd_memory_pool_get_info: attribute %d", attribute);
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_region_get_info (hsa_region_t handle, int attribute, void *value)
{
  struct pool p;
  ENTER (hsa_region_get_info);
  if (!find_pool (handle.handle, HSA_REGION_HANDLE, &p))
    {
      hsa_misuse ("hsa_region_get_info: %#lx is no region", (unsigned long) handle.handle);
      return HSA_STATUS_ERROR_INVALID_REGION;
    }
  if (pool_info (&p, attribute, value))
    return HSA_STATUS_SUCCESS;
  if (attribute == HSA_REGION_INFO_ALLOC_MAX_SIZE)
    {
      *(size_t *) value = p.segment == HSA_AMD_SEGMENT_GLOBAL ? pool_bytes (&p) : 0;
      return HSA_STATUS_SUCCESS;
    }
  hsa_misuse ("hsa_region_get_info: attribute %d", attribute);
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t
hsa_amd_agent_memory_pool_get_info (hsa_agent_t agent, hsa_amd_memory_pool_t handle, int attribute,
				    void *value)
{
  struct pool p;
  ENTER (hsa_amd_agent_memory_pool_get_info);
  int gpu = hsa_agent_number (agent);
  if (gpu < -1 || !find_pool (handle.handle, HSA_POOL_HANDLE, &p))
    {
      hsa_misuse ("hsa_amd_agent_memory_pool_get_info: %#lx, %#lx", (unsigned long) agent.handle,
		  (unsigned long) handle.handle);
      return gpu < -1 ? HSA_STATUS_ERROR_INVALID_AGENT : HSA_STATUS_ERROR_INVALID_MEMORY_POOL;
    }
  if (attribute != HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS)
    {
      hsa_misuse ("hsa_amd_agent_memory_pool_get_info: attribute %d", attribute);
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  int access = HSA_AMD_MEMORY_POOL_ACCESS_DISALLOWED_BY_DEFAULT;
  if (gpu == p.owner)
    access = HSA_AMD_MEMORY_POOL_ACCESS_ALLOWED_BY_DEFAULT;
  else if (p.segment == HSA_AMD_SEGMENT_GROUP || gpu < 0
	   || (p.owner >= 0 && hsa_setting ("GCN_SIM_NO_PEER", 0) != 0))
    access = HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED;
  *(int *) value = access;
  return HSA_STATUS_SUCCESS;
}

/* ---- allocation ---- */

static hsa_status_t
allocate (const char *function, const struct pool *p, size_t size, uint32_t agents, void **ptr)
{
  if (ptr == NULL || size == 0)
    {
      hsa_misuse ("%s: %s", function, ptr == NULL ? "a null pointer" : "0 bytes");
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  if (p->segment != HSA_AMD_SEGMENT_GLOBAL)
    return HSA_STATUS_ERROR_INVALID_ALLOCATION;
  uint64_t addr = space_allocate (arena_of_pool (p), size,
				  p->owner >= 0 ? SIM_DEVICE_MEMORY : SIM_SYSTEM_MEMORY, agents);
  if (addr == 0)
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  hsa_count (COUNT_ALLOCATIONS, 1);
  hsa_count (COUNT_ALLOCATED_BYTES, size);
  hsa_log ("allocate %#lx +%zu %s %d", (unsigned long) addr, size,
	   p->owner >= 0 ? "agent" : "system", p->owner);
  *ptr = (void *) addr;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_amd_memory_pool_allocate (hsa_amd_memory_pool_t handle, size_t size, uint32_t flags, void **ptr)
{
  struct pool p;
  ENTER (hsa_amd_memory_pool_allocate);
  if (!find_pool (handle.handle, HSA_POOL_HANDLE, &p))
    {
      hsa_misuse ("hsa_amd_memory_pool_allocate: %#lx is no pool", (unsigned long) handle.handle);
      return HSA_STATUS_ERROR_INVALID_MEMORY_POOL;
    }
  if (flags != 0)
    {
      hsa_misuse ("hsa_amd_memory_pool_allocate: flags %#x", flags);
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  return allocate ("hsa_amd_memory_pool_allocate", &p, size,
		   p.owner >= 0 ? (uint32_t) 1 << p.owner : 0, ptr);
}

hsa_status_t
hsa_memory_allocate (hsa_region_t handle, size_t size, void **ptr)
{
  struct pool p;
  ENTER (hsa_memory_allocate);
  if (!find_pool (handle.handle, HSA_REGION_HANDLE, &p))
    {
      hsa_misuse ("hsa_memory_allocate: %#lx is no region", (unsigned long) handle.handle);
      return HSA_STATUS_ERROR_INVALID_REGION;
    }
  return allocate ("hsa_memory_allocate", &p, size,
		   p.owner >= 0 ? (uint32_t) 1 << p.owner : ~(uint32_t) 0, ptr);
}

static hsa_status_t
release (const char *function, void *ptr)
{
  struct sim_range range;
  char text[300];
  if (ptr == NULL)
    return HSA_STATUS_SUCCESS;
  uint64_t addr = (uintptr_t) ptr;
  bool found = sim_space_find (addr, 1, -1, &range);
  if (!found || range.start != addr
      || (range.kind != SIM_DEVICE_MEMORY && range.kind != SIM_SYSTEM_MEMORY))
    {
      sim_space_explain (addr, 1, -1, text, sizeof (text));
      hsa_misuse ("%s: %p was not allocated: %s", function, ptr, text);
      return HSA_STATUS_ERROR_INVALID_ALLOCATION;
    }
  char user[QUEUE_USER_MOST];
  if (queue_user_of (addr, range.size, user))
    hsa_misuse ("%s: %p is used by kernel %s in flight", function, ptr, user);
  copy_check_free (function, addr, range.size);
  hsa_count (COUNT_FREES, 1);
  hsa_log ("free %p", ptr);
  return space_free (addr) ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ALLOCATION;
}

hsa_status_t
hsa_amd_memory_pool_free (void *ptr)
{
  ENTER (hsa_amd_memory_pool_free);
  return release ("hsa_amd_memory_pool_free", ptr);
}

hsa_status_t
hsa_memory_free (void *ptr)
{
  ENTER (hsa_memory_free);
  return release ("hsa_memory_free", ptr);
}

/* ---- access ---- */

static bool
agent_bits (const char *function, uint32_t n, const hsa_agent_t *agents, uint32_t *bits)
{
  *bits = 0;
  for (uint32_t i = 0; i < n; i++)
    {
      int gpu = hsa_agent_number (agents[i]);
      if (gpu < -1)
	{
	  hsa_misuse ("%s: agent %u of the list is none", function, i);
	  return false;
	}
      if (gpu >= 0)
	*bits |= (uint32_t) 1 << gpu;
    }
  return true;
}

hsa_status_t
hsa_amd_agents_allow_access (uint32_t num_agents, const hsa_agent_t *agents, const uint32_t *flags,
			     const void *ptr)
{
  struct sim_range range;
  uint32_t bits;
  ENTER (hsa_amd_agents_allow_access);
  if (flags != NULL || agents == NULL || num_agents == 0)
    {
      hsa_misuse ("hsa_amd_agents_allow_access: %s",
		  flags != NULL ? "flags are reserved" : "no agents");
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  if (!agent_bits ("hsa_amd_agents_allow_access", num_agents, agents, &bits))
    return HSA_STATUS_ERROR_INVALID_AGENT;
  if (!sim_space_find ((uintptr_t) ptr, 1, -1, &range) || range.start != (uintptr_t) ptr
      || (range.kind != SIM_DEVICE_MEMORY && range.kind != SIM_SYSTEM_MEMORY))
    {
      hsa_misuse ("hsa_amd_agents_allow_access: %p was not allocated from a pool", ptr);
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  if (range.owner >= 0)
    {
      if ((bits & ~((uint32_t) 1 << range.owner)) != 0 && hsa_setting ("GCN_SIM_NO_PEER", 0) != 0)
	return HSA_STATUS_ERROR_INVALID_ARGUMENT;
      bits |= (uint32_t) 1 << range.owner;
    }
  space_allow (range.start, bits);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_memory_assign_agent (void *ptr, hsa_agent_t agent, int access)
{
  struct sim_range range;
  ENTER (hsa_memory_assign_agent);
  if (hsa_agent_number (agent) < -1)
    {
      hsa_misuse ("hsa_memory_assign_agent: %#lx is no agent", (unsigned long) agent.handle);
      return HSA_STATUS_ERROR_INVALID_AGENT;
    }
  if (access < HSA_ACCESS_PERMISSION_RO || access > HSA_ACCESS_PERMISSION_RW
      || !sim_space_find ((uintptr_t) ptr, 1, -1, &range))
    {
      hsa_misuse ("hsa_memory_assign_agent: %p, access %d", ptr, access);
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_amd_memory_lock (void *host, size_t size, hsa_agent_t *agents, int num_agents, void **agent_ptr)
{
  uint32_t bits = ~(uint32_t) 0;
  ENTER (hsa_amd_memory_lock);
  if (host == NULL || size == 0 || agent_ptr == NULL || (num_agents != 0 && agents == NULL))
    {
      hsa_misuse ("hsa_amd_memory_lock: %p, %zu bytes, agents %d", host, size, num_agents);
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  if (num_agents != 0
      && !agent_bits ("hsa_amd_memory_lock", (uint32_t) num_agents, agents, &bits))
    return HSA_STATUS_ERROR_INVALID_AGENT;
  if (space_is_arena ((uintptr_t) host))
    {
      hsa_misuse ("hsa_amd_memory_lock: %p is memory of the runtime", host);
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  if (!space_host_readable ((uintptr_t) host, size, true))
    {
      hsa_log ("lock %p: not writable memory", host);
      return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
  uint64_t addr = space_lock (host, size, bits);
  if (addr == 0)
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  hsa_count (COUNT_LOCKS, 1);
  hsa_log ("lock %p +%zu at %#lx", host, size, (unsigned long) addr);
  *agent_ptr = (void *) addr;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_amd_memory_unlock (void *host)
{
  struct sim_range range;
  ENTER (hsa_amd_memory_unlock);
  if (space_locked_host (host, &range))
    copy_check_free ("hsa_amd_memory_unlock", range.start, range.size);
  if (!space_unlock (host))
    {
      hsa_misuse ("hsa_amd_memory_unlock: %p is not locked", host);
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  hsa_count (COUNT_UNLOCKS, 1);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_amd_pointer_info (const void *ptr, hsa_amd_pointer_info_t *info, void *(*alloc) (size_t),
		      uint32_t *num_agents, hsa_agent_t **agents)
{
  struct sim_range range;
  hsa_amd_pointer_info_t answer = { .type = HSA_EXT_POINTER_TYPE_UNKNOWN };
  ENTER (hsa_amd_pointer_info);
  if (ptr == NULL || info == NULL || info->size < 56
      || (alloc != NULL && (num_agents == NULL || agents == NULL)))
    {
      hsa_misuse ("hsa_amd_pointer_info: %s", ptr == NULL || info == NULL
		  ? "a null pointer" : "size of the answer");
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  bool found = sim_space_find ((uintptr_t) ptr, 1, -1, &range) && range.kind != SIM_HOST_MEMORY;
  bool locked = found ? range.kind == SIM_LOCKED_MEMORY : space_locked_host (ptr, &range);
  if (found || locked)
    {
      answer.type = locked ? HSA_EXT_POINTER_TYPE_LOCKED : HSA_EXT_POINTER_TYPE_HSA;
      answer.agentBaseAddress = (void *) range.start;
      answer.hostBaseAddress = locked ? range.view
			       : range.owner < 0 ? (void *) range.start : NULL;
      answer.sizeInBytes = range.size;
      answer.userData = space_user_data (range.start);
      answer.agentOwner = hsa_agent_handle (range.owner);
      answer.global_flags = range.owner >= 0 ? HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED
					     : HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED;
    }
  uint32_t size = info->size < sizeof (answer) ? info->size : sizeof (answer);
  answer.size = size;
  memcpy (info, &answer, size);
  if (alloc != NULL)
    {
      *num_agents = 0;
      *agents = NULL;
      if (found || locked)
	{
	  *agents = alloc (((size_t) hsa_num_gpus + 1) * sizeof (hsa_agent_t));
	  if (*agents == NULL)
	    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	  for (int i = range.owner < 0 ? -1 : 0; i < hsa_num_gpus; i++)
	    if (i < 0 || (range.agents >> i & 1) != 0)
	      (*agents)[(*num_agents)++] = hsa_agent_handle (i);
	}
    }
  return HSA_STATUS_SUCCESS;
}

/* ---- attributes of the program's own memory ---- */

hsa_status_t
hsa_amd_svm_attributes_set (void *ptr, size_t size, hsa_amd_svm_attribute_pair_t *attributes,
			    size_t count)
{
  ENTER (hsa_amd_svm_attributes_set);
  if (ptr == NULL || size == 0 || (uintptr_t) ptr % SIM_PAGE != 0 || size % SIM_PAGE != 0
      || (attributes == NULL && count != 0) || space_is_arena ((uintptr_t) ptr))
    {
      hsa_misuse ("hsa_amd_svm_attributes_set: [%p, +%zu) is not pages of the program", ptr, size);
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  for (size_t i = 0; i < count; i++)
    {
      int gpu = hsa_agent_number ((hsa_agent_t) { attributes[i].value });
      switch (attributes[i].attribute)
	{
	case HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE:
	case HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE_IN_PLACE:
	case HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS:
	  if (gpu < -1)
	    {
	      hsa_misuse ("hsa_amd_svm_attributes_set: %#lx is no agent",
			  (unsigned long) attributes[i].value);
	      return HSA_STATUS_ERROR_INVALID_AGENT;
	    }
	  if (gpu >= 0)
	    space_set_svm ((uintptr_t) ptr, size, gpu,
			   attributes[i].attribute != HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS);
	  break;
	case HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG:
	case HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION:
	case HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION:
	  break;
	default:
	  hsa_misuse ("hsa_amd_svm_attributes_set: attribute %#lx",
		      (unsigned long) attributes[i].attribute);
	  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	}
    }
  return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_amd_svm_attributes_get (void *ptr, size_t size, hsa_amd_svm_attribute_pair_t *attributes,
			    size_t count)
{
  ENTER (hsa_amd_svm_attributes_get);
  if (ptr == NULL || size == 0 || (attributes == NULL && count != 0))
    {
      hsa_misuse ("hsa_amd_svm_attributes_get: [%p, +%zu)", ptr, size);
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  for (size_t i = 0; i < count; i++)
    {
      int gpu = hsa_agent_number ((hsa_agent_t) { attributes[i].value });
      switch (attributes[i].attribute)
	{
	case HSA_AMD_SVM_ATTRIB_ACCESS_QUERY:
	  if (gpu < -1)
	    {
	      hsa_misuse ("hsa_amd_svm_attributes_get: %#lx is no agent",
			  (unsigned long) attributes[i].value);
	      return HSA_STATUS_ERROR_INVALID_AGENT;
	    }
	  attributes[i].attribute
	    = gpu < 0 || hsa_svm || space_is_svm ((uintptr_t) ptr, size, gpu)
	      ? HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE : HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS;
	  break;
	case HSA_AMD_SVM_ATTRIB_GLOBAL_FLAG:
	case HSA_AMD_SVM_ATTRIB_PREFERRED_LOCATION:
	case HSA_AMD_SVM_ATTRIB_PREFETCH_LOCATION:
	  attributes[i].value = 0;
	  break;
	default:
	  hsa_misuse ("hsa_amd_svm_attributes_get: attribute %#lx",
		      (unsigned long) attributes[i].attribute);
	  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
	}
    }
  return HSA_STATUS_SUCCESS;
}
