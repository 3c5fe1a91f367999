/* Memory of the simulated runtime: what regions and pools say of themselves, whose memory is whose, what the
   host may touch, locked memory, what a pointer is, and complaints.  */
/* TEST-MODES: gcnsim */
/* TEST-OPTIONS: -I@top_srcdir@/plugin -I@top_srcdir@/testsuite/gcn-sim */
/* TEST-ENV: GCN_SIM_AGENTS=2
   TEST-ENV: GCN_SIM_MEMORY=64 */

#include "aux-hsa.h"

#include <setjmp.h>
#include <signal.h>
#include <stdint.h>

static sigjmp_buf back;

static void
handler (int number)
{
  (void) number;
  siglongjmp (back, 1);
}

/* Can the host read there?  */
static bool
readable (const void *ptr)
{
  struct sigaction new = { .sa_handler = handler }, old;
  volatile bool ok = false;
  sigaction (SIGSEGV, &new, &old);
  if (sigsetjmp (back, 1) == 0)
    {
      (void) *(const volatile char *) ptr;
      ok = true;
    }
  sigaction (SIGSEGV, &old, NULL);
  return ok;
}

static unsigned regions, kernarg_regions;
static hsa_region_t device_region, kernarg_region, group_region;

static hsa_status_t
see_region (hsa_region_t region, void *data)
{
  int segment;
  uint32_t flags;
  size_t size;
  (void) data;
  regions++;
  DO (hsa_region_get_info (region, HSA_REGION_INFO_SEGMENT, &segment));
  DO (hsa_region_get_info (region, HSA_REGION_INFO_GLOBAL_FLAGS, &flags));
  DO (hsa_region_get_info (region, HSA_REGION_INFO_SIZE, &size));
  CHECK (size > 0);
  if (segment == HSA_REGION_SEGMENT_GROUP)
    {
      group_region = region;
      CHECK (size == 65536);
    }
  else if ((flags & HSA_REGION_GLOBAL_FLAG_KERNARG) != 0)
    {
      kernarg_region = region;
      kernarg_regions++;
      CHECK ((flags & HSA_REGION_GLOBAL_FLAG_FINE_GRAINED) != 0);
    }
  else if ((flags & HSA_REGION_GLOBAL_FLAG_COARSE_GRAINED) != 0 && device_region.handle == 0)
    {
      device_region = region;
      CHECK (size == (size_t) 64 << 20);
    }
  return HSA_STATUS_SUCCESS;
}

static void
check_pools (void)
{
  size_t size;
  bool allowed;
  int access;
  DO (hsa_amd_memory_pool_get_info (device_pool[0], HSA_AMD_MEMORY_POOL_INFO_SIZE, &size));
  CHECK (size == (size_t) 64 << 20);
  DO (hsa_amd_memory_pool_get_info (device_pool[0],
				    HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED, &allowed));
  CHECK (allowed);
  DO (hsa_amd_memory_pool_get_info (device_pool[0],
				    HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE, &size));
  CHECK (size == 4096);
  DO (hsa_amd_agent_memory_pool_get_info (gpu_agent[0], device_pool[0],
					  HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS, &access));
  CHECK (access == HSA_AMD_MEMORY_POOL_ACCESS_ALLOWED_BY_DEFAULT);
  DO (hsa_amd_agent_memory_pool_get_info (gpu_agent[1], device_pool[0],
					  HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS, &access));
  CHECK (access == HSA_AMD_MEMORY_POOL_ACCESS_DISALLOWED_BY_DEFAULT);
  DO (hsa_amd_agent_memory_pool_get_info (cpu_agent, device_pool[0],
					  HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS, &access));
  CHECK (access == HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED);
  DO (hsa_amd_agent_memory_pool_get_info (gpu_agent[1], kernarg_pool,
					  HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS, &access));
  CHECK (access == HSA_AMD_MEMORY_POOL_ACCESS_DISALLOWED_BY_DEFAULT);
  MISUSE (hsa_amd_memory_pool_get_info ((hsa_amd_memory_pool_t) { 3 }, 0, &size),
	  HSA_STATUS_ERROR_INVALID_MEMORY_POOL, "0x3 is no pool");
}

static void
check_blocks (void)
{
  void *a, *b;
  uint64_t avail, less;
  size_t size;
  DO (hsa_agent_get_info (gpu_agent[0], HSA_AMD_AGENT_INFO_MEMORY_AVAIL, &avail));
  a = device_memory (0, 10000);
  DO (hsa_agent_get_info (gpu_agent[0], HSA_AMD_AGENT_INFO_MEMORY_AVAIL, &less));
  CHECK (avail - less == 12288);
  CHECK ((uintptr_t) a % 4096 == 0 && (uintptr_t) a >> 47 == 0);
  CHECK (!readable (a));
  /* Fresh memory is not zero.  */
  unsigned char byte = 0;
  DO (hsa_memory_copy (&byte, (char *) a + 9999, 1));
  CHECK (byte == 0xdb);

  DO (hsa_amd_memory_pool_allocate (fine_pool, 100, 0, &b));
  CHECK (readable (b));
  memset (b, 7, 100);
  DO (hsa_memory_copy (a, b, 100));
  DO (hsa_amd_memory_fill ((char *) a + 8, 0x01020304, 2));
  memset (b, 0, 100);
  DO (hsa_memory_copy (b, a, 100));
  const unsigned char *bytes = b;
  for (int i = 0; i < 100; i++)
    CHECK (bytes[i] == (i < 8 || i >= 16 ? 7 : 4 - i % 4));

  MISUSE (hsa_amd_memory_pool_free ((char *) a + 4096), HSA_STATUS_ERROR_INVALID_ALLOCATION,
	  "was not allocated: it is 4096 bytes into");
  DO (hsa_amd_memory_pool_free (a));
  MISUSE (hsa_amd_memory_pool_free (a), HSA_STATUS_ERROR_INVALID_ALLOCATION, "that was freed");
  MISUSE (hsa_memory_copy (&byte, a, 1), HSA_STATUS_ERROR_INVALID_ARGUMENT,
	  "is not allocated: it is 0 bytes into");
  DO (hsa_memory_free (b));
  CHECK (!readable (b));
  DO (hsa_amd_memory_pool_free (NULL));

  /* All of it, and no more.  */
  CHECK_STATUS (hsa_amd_memory_pool_allocate (device_pool[0], ((size_t) 64 << 20) + 1, 0, &a),
		HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  DO (hsa_amd_memory_pool_allocate (device_pool[0], (size_t) 64 << 20, 0, &a));
  CHECK_STATUS (hsa_amd_memory_pool_allocate (device_pool[0], 1, 0, &b),
		HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  DO (hsa_amd_memory_pool_free (a));
  for (size = 0; size < 100; size++)
    {
      DO (hsa_amd_memory_pool_allocate (device_pool[0], (size_t) 40 << 20, 0, &a));
      DO (hsa_amd_memory_pool_free (a));
    }
  MISUSE (hsa_amd_memory_pool_allocate (device_pool[0], 0, 0, &a), HSA_STATUS_ERROR_INVALID_ARGUMENT,
	  "0 bytes");
  MISUSE (hsa_amd_memory_pool_allocate (device_pool[0], 8, 4, &a), HSA_STATUS_ERROR_INVALID_ARGUMENT,
	  "flags 0x4");
  MISUSE (hsa_amd_memory_fill ((void *) 6, 0, 1), HSA_STATUS_ERROR_INVALID_ARGUMENT,
	  "is not the address of words");
}

static void
check_regions (void)
{
  void *a;
  DO (hsa_agent_iterate_regions (gpu_agent[0], see_region, NULL));
  CHECK (regions == 5 && kernarg_regions == 1 && device_region.handle != 0);
  DO (hsa_memory_allocate (kernarg_region, 64, &a));
  CHECK (readable (a));
  DO (hsa_memory_assign_agent (a, gpu_agent[0], HSA_ACCESS_PERMISSION_RW));
  MISUSE (hsa_memory_assign_agent (a, gpu_agent[0], 9), HSA_STATUS_ERROR_INVALID_ARGUMENT,
	  "access 9");
  DO (hsa_memory_free (a));
  DO (hsa_memory_allocate (device_region, 64, &a));
  CHECK (!readable (a));
  DO (hsa_memory_free (a));
  CHECK_STATUS (hsa_memory_allocate (group_region, 64, &a), HSA_STATUS_ERROR_INVALID_ALLOCATION);
  MISUSE (hsa_memory_allocate ((hsa_region_t) { 1 }, 64, &a), HSA_STATUS_ERROR_INVALID_REGION,
	  "0x1 is no region");
}

static void
check_pointers (void)
{
  static char mine[8192] __attribute__ ((aligned (4096)));
  hsa_amd_pointer_info_t info = { .size = sizeof (info) };
  void *seen, *again, *a = device_memory (1, 5000);
  hsa_agent_t *agents;
  uint32_t n;

  DO (hsa_amd_pointer_info ((char *) a + 4999, &info, malloc, &n, &agents));
  CHECK (info.type == HSA_EXT_POINTER_TYPE_HSA && info.agentBaseAddress == a
	 && info.sizeInBytes == 5000 && info.agentOwner.handle == gpu_agent[1].handle);
  CHECK (n == 1 && agents[0].handle == gpu_agent[1].handle);
  free (agents);
  DO (hsa_amd_agents_allow_access (2, gpu_agent, NULL, a));
  DO (hsa_amd_pointer_info (a, &info, malloc, &n, &agents));
  CHECK (n == 2);
  free (agents);
  MISUSE (hsa_amd_agents_allow_access (2, gpu_agent, NULL, mine), HSA_STATUS_ERROR_INVALID_ARGUMENT,
	  "was not allocated from a pool");
  DO (hsa_amd_memory_pool_free (a));

  DO (hsa_amd_pointer_info (mine, &info, NULL, NULL, NULL));
  CHECK (info.type == HSA_EXT_POINTER_TYPE_UNKNOWN);
  DO (hsa_amd_memory_lock (mine + 16, 1000, gpu_agent, 1, &seen));
  CHECK (seen != mine + 16 && (uintptr_t) seen % 4096 == 16);
  DO (hsa_amd_pointer_info (mine + 20, &info, NULL, NULL, NULL));
  CHECK (info.type == HSA_EXT_POINTER_TYPE_LOCKED && info.hostBaseAddress == mine + 16
	 && info.agentBaseAddress == seen && info.sizeInBytes == 1000);
  DO (hsa_amd_pointer_info (seen, &info, NULL, NULL, NULL));
  CHECK (info.type == HSA_EXT_POINTER_TYPE_LOCKED && info.hostBaseAddress == mine + 16);
  /* Locks count.  */
  DO (hsa_amd_memory_lock (mine + 16, 1000, gpu_agent, 2, &again));
  CHECK (again == seen);
  DO (hsa_amd_memory_unlock (mine + 16));
  DO (hsa_amd_memory_unlock (mine + 16));
  MISUSE (hsa_amd_memory_unlock (mine + 16), HSA_STATUS_ERROR_INVALID_ARGUMENT, "is not locked");
  MISUSE (hsa_amd_memory_lock (NULL, 10, gpu_agent, 1, &seen), HSA_STATUS_ERROR_INVALID_ARGUMENT,
	  "hsa_amd_memory_lock");
  /* Memory that is not there, or is only to be read, cannot be locked.  */
  void *page = mmap (NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK_STATUS (hsa_amd_memory_lock (page, 4096, NULL, 0, &seen),
		HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  munmap (page, 4096);
  info.size = 10;
  MISUSE (hsa_amd_pointer_info (mine, &info, NULL, NULL, NULL), HSA_STATUS_ERROR_INVALID_ARGUMENT,
	  "size of the answer");
}

static void
check_svm (void)
{
  static char mine[16384] __attribute__ ((aligned (4096)));
  hsa_amd_svm_attribute_pair_t p = { HSA_AMD_SVM_ATTRIB_ACCESS_QUERY, gpu_agent[0].handle };
  DO (hsa_amd_svm_attributes_get (mine, 4096, &p, 1));
  CHECK (p.attribute == HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS);
  p.attribute = HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE;
  DO (hsa_amd_svm_attributes_set (mine, sizeof (mine), &p, 1));
  p.attribute = HSA_AMD_SVM_ATTRIB_AGENT_NO_ACCESS;
  DO (hsa_amd_svm_attributes_set (mine + 4096, 4096, &p, 1));
  for (int page = 0; page < 4; page++)
    {
      p.attribute = HSA_AMD_SVM_ATTRIB_ACCESS_QUERY;
      DO (hsa_amd_svm_attributes_get (mine + 4096 * page, 4096, &p, 1));
      CHECK ((p.attribute == HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE) == (page != 1));
    }
  p.attribute = HSA_AMD_SVM_ATTRIB_AGENT_ACCESSIBLE;
  MISUSE (hsa_amd_svm_attributes_set (mine + 1, 4096, &p, 1), HSA_STATUS_ERROR_INVALID_ARGUMENT,
	  "is not pages of the program");
  p.value = 4711;
  MISUSE (hsa_amd_svm_attributes_set (mine, 4096, &p, 1), HSA_STATUS_ERROR_INVALID_AGENT,
	  "0x1267 is no agent");
}

int
main (void)
{
  start_hsa ();
  CHECK (num_gpus == 2);
  check_pools ();
  check_blocks ();
  check_regions ();
  check_pointers ();
  check_svm ();

  /* What is left is told.  */
  void *a = device_memory (0, 77);
  unsigned n = 0;
  COMPLAINS (n = leaks_p (), "leak: 77 bytes of device memory");
  CHECK (n == 1);
  DO (hsa_amd_memory_pool_free (a));
  stop_hsa ();
  return 0;
}
