/* hsa-agent.c -- start and end of the simulated runtime, the system, agents and their ISAs.

   One CPU agent and as many GPU agents as GCN_SIM_AGENTS says.  All is set up by the first hsa_init
   and stays, so that handles mean the same after the last hsa_shut_down.  */

#include "hsa-sim.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct hsa_gpu hsa_gpus[SIM_MAX_AGENTS];
int hsa_num_gpus;
_Atomic int hsa_references;
bool hsa_svm;

static hsa_amd_system_event_callback_t event_handler;	/* protected by hsa_lock */
static void *event_data;

int
hsa_agent_number (hsa_agent_t agent)
{
  if (agent.handle == HSA_CPU_HANDLE)
    return -1;
  uint64_t i = agent.handle - HSA_GPU_HANDLE;
  return i < (uint64_t) hsa_num_gpus ? (int) i : -2;
}

hsa_agent_t
hsa_agent_handle (int number)
{
  return (hsa_agent_t) { number < 0 ? HSA_CPU_HANDLE : HSA_GPU_HANDLE + (uint64_t) number };
}

/* "gfx90a:xnack+" into the GPU.  */
static bool
set_isa (struct hsa_gpu *gpu, const char *word, size_t len)
{
  char text[100];
  const char *sramecc = "", *xnack = "";
  snprintf (text, sizeof (text), "%.*s", (int) len, word);
  char *colon = strchr (text, ':');
  if (colon != NULL)
    *colon = 0;
  snprintf (gpu->name, sizeof (gpu->name), "%.60s", text);
  gpu->isa = sim_isa_find (text);
  if (gpu->isa == NULL)
    {
      hsa_misuse ("GCN_SIM_ISA: `%s' is not simulated", text);
      return false;
    }
  gpu->xnack = colon != NULL && strstr (colon + 1, "xnack+") != NULL;
  /* What the models have: gfx906, gfx908 and gfx90a count errors in their SRAM.  */
  gpu->has_sramecc = strcmp (text, "gfx906") == 0 || strcmp (text, "gfx908") == 0
		     || strcmp (text, "gfx90a") == 0;
  gpu->sramecc = gpu->has_sramecc && (colon == NULL || strstr (colon + 1, "sramecc-") == NULL);
  gpu->has_xnack = strcmp (text, "gfx803") != 0;
  if (gpu->has_sramecc)
    sramecc = gpu->sramecc ? ":sramecc+" : ":sramecc-";
  if (gpu->has_xnack)
    xnack = gpu->xnack ? ":xnack+" : ":xnack-";
  snprintf (gpu->isa_name, sizeof (gpu->isa_name), "amdgcn-amd-amdhsa--%.30s%s%s", gpu->name,
	    sramecc, xnack);
  return true;
}

static bool
set_up (void)
{
  const char *isas = getenv ("GCN_SIM_ISA");
  unsigned long n = hsa_setting ("GCN_SIM_AGENTS", 1);
  unsigned long xnack = hsa_setting ("HSA_XNACK", 0);
  if (isas == NULL || *isas == 0)
    isas = "gfx90a";
  if (n > SIM_MAX_AGENTS)
    {
      hsa_misuse ("GCN_SIM_AGENTS=%lu, %d are possible", n, SIM_MAX_AGENTS);
      n = SIM_MAX_AGENTS;
    }
  for (unsigned i = 0; i < n; i++)
    {
      struct hsa_gpu *gpu = &hsa_gpus[i];
      size_t len = strcspn (isas, ",");
      if (!set_isa (gpu, isas, len))
	return false;
      if (gpu->has_xnack && xnack != 0)
	{
	  gpu->xnack = true;
	  char *sign = strstr (gpu->isa_name, ":xnack");
	  if (sign != NULL)
	    sign[6] = '+';
	}
      gpu->cus = (unsigned) hsa_setting ("GCN_SIM_CUS", 4);
      if (gpu->cus == 0)
	gpu->cus = 1;
      if (isas[len] != 0)
	isas += len + 1;
    }
  hsa_num_gpus = (int) n;
  hsa_svm = hsa_setting ("GCN_SIM_SVM", 0) != 0;
  return space_start ((int) n, hsa_setting ("GCN_SIM_MEMORY", 1024) << 20, (size_t) 4 << 30);
}

/* ---- start and end ---- */

hsa_status_t
hsa_init (void)
{
  static struct hsa_call this_call = { "hsa_init", 0 };
  static bool done, ok;
  hsa_status_t entered = hsa_enter (&this_call, true);
  if (entered != HSA_STATUS_SUCCESS)
    return entered;
  pthread_mutex_lock (&hsa_lock);
  if (!done)
    ok = set_up ();
  done = true;
  if (ok)
    /* release: what was set up.  */
    atomic_fetch_add_explicit (&hsa_references, 1, memory_order_release);
  pthread_mutex_unlock (&hsa_lock);
  return ok ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
}

hsa_status_t
hsa_shut_down (void)
{
  ENTER (hsa_shut_down);
  /* acq_rel: the last one sees what the others did.  */
  if (atomic_fetch_sub_explicit (&hsa_references, 1, memory_order_acq_rel) == 1)
    hsa_log ("shut down");
  return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_status_string (hsa_status_t status, const char **text)
{
  static const struct { hsa_status_t status; const char *text; } texts[] =
    {
      { HSA_STATUS_SUCCESS, "HSA_STATUS_SUCCESS: The function has been executed successfully." },
      { HSA_STATUS_INFO_BREAK, "HSA_STATUS_INFO_BREAK: An iteration was ended by its callback." },
      { HSA_STATUS_ERROR_INVALID_MEMORY_POOL,
	"HSA_STATUS_ERROR_INVALID_MEMORY_POOL: The memory pool is invalid." },
      { HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION,
	"HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION: The agent accessed memory beyond the largest "
	"legal address." },
      { HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION,
	"HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION: The agent executed an invalid instruction." },
      { HSA_STATUS_ERROR_MEMORY_FAULT,
	"HSA_STATUS_ERROR_MEMORY_FAULT: The agent accessed an inaccessible page." },
      { HSA_STATUS_ERROR, "HSA_STATUS_ERROR: A generic error has occurred." },
      { HSA_STATUS_ERROR_INVALID_ARGUMENT,
	"HSA_STATUS_ERROR_INVALID_ARGUMENT: An argument does not meet a precondition." },
      { HSA_STATUS_ERROR_INVALID_QUEUE_CREATION,
	"HSA_STATUS_ERROR_INVALID_QUEUE_CREATION: The queue cannot be created like that." },
      { HSA_STATUS_ERROR_INVALID_ALLOCATION,
	"HSA_STATUS_ERROR_INVALID_ALLOCATION: The requested allocation is not valid." },
      { HSA_STATUS_ERROR_INVALID_AGENT,
	"HSA_STATUS_ERROR_INVALID_AGENT: The agent is invalid." },
      { HSA_STATUS_ERROR_INVALID_REGION,
	"HSA_STATUS_ERROR_INVALID_REGION: The memory region is invalid." },
      { HSA_STATUS_ERROR_INVALID_SIGNAL,
	"HSA_STATUS_ERROR_INVALID_SIGNAL: The signal is invalid." },
      { HSA_STATUS_ERROR_INVALID_QUEUE,
	"HSA_STATUS_ERROR_INVALID_QUEUE: The queue is invalid." },
      { HSA_STATUS_ERROR_OUT_OF_RESOURCES,
	"HSA_STATUS_ERROR_OUT_OF_RESOURCES: The runtime failed to allocate what it needs." },
      { HSA_STATUS_ERROR_INVALID_PACKET_FORMAT,
	"HSA_STATUS_ERROR_INVALID_PACKET_FORMAT: The AQL packet is malformed." },
      { HSA_STATUS_ERROR_NOT_INITIALIZED,
	"HSA_STATUS_ERROR_NOT_INITIALIZED: The runtime has not been initialized." },
      { HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS,
	"HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS: The arguments are not compatible." },
      { HSA_STATUS_ERROR_INVALID_INDEX, "HSA_STATUS_ERROR_INVALID_INDEX: The index is invalid." },
      { HSA_STATUS_ERROR_INVALID_ISA, "HSA_STATUS_ERROR_INVALID_ISA: The ISA is invalid." },
      { HSA_STATUS_ERROR_INVALID_ISA_NAME,
	"HSA_STATUS_ERROR_INVALID_ISA_NAME: The name of the ISA is invalid." },
      { HSA_STATUS_ERROR_INVALID_CODE_OBJECT,
	"HSA_STATUS_ERROR_INVALID_CODE_OBJECT: The code object is invalid." },
      { HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER,
	"HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER: The code object reader is invalid." },
      { HSA_STATUS_ERROR_INVALID_EXECUTABLE,
	"HSA_STATUS_ERROR_INVALID_EXECUTABLE: The executable is invalid." },
      { HSA_STATUS_ERROR_FROZEN_EXECUTABLE,
	"HSA_STATUS_ERROR_FROZEN_EXECUTABLE: The executable is frozen." },
      { HSA_STATUS_ERROR_INVALID_SYMBOL_NAME,
	"HSA_STATUS_ERROR_INVALID_SYMBOL_NAME: There is no symbol with that name." },
      { HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL,
	"HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL: The executable symbol is invalid." },
      { HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED,
	"HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED: The symbol is already defined." },
      { HSA_STATUS_ERROR_VARIABLE_UNDEFINED,
	"HSA_STATUS_ERROR_VARIABLE_UNDEFINED: A variable is undefined." },
      { HSA_STATUS_ERROR_EXCEPTION,
	"HSA_STATUS_ERROR_EXCEPTION: An operation resulted in a hardware exception." },
      { HSA_STATUS_ERROR_FATAL, "HSA_STATUS_ERROR_FATAL: The queue is in an error state." }
    };
  static struct hsa_call this_call = { "hsa_status_string", 0 };
  hsa_status_t entered = hsa_enter (&this_call, true);
  if (entered != HSA_STATUS_SUCCESS)
    return entered;
  if (text == NULL)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  for (size_t i = 0; i < sizeof (texts) / sizeof (texts[0]); i++)
    if (texts[i].status == status)
      {
	*text = texts[i].text;
	return HSA_STATUS_SUCCESS;
      }
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t
hsa_system_get_info (int attribute, void *value)
{
  ENTER (hsa_system_get_info);
  switch (attribute)
    {
    case HSA_SYSTEM_INFO_VERSION_MAJOR:
    case HSA_SYSTEM_INFO_VERSION_MINOR:
      *(uint16_t *) value = 1;
      return HSA_STATUS_SUCCESS;
    case HSA_SYSTEM_INFO_TIMESTAMP:
      *(uint64_t *) value = hsa_now ();
      return HSA_STATUS_SUCCESS;
    case HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY:
      *(uint64_t *) value = 1000000000;
      return HSA_STATUS_SUCCESS;
    case HSA_SYSTEM_INFO_SIGNAL_MAX_WAIT:
      *(uint64_t *) value = UINT64_MAX;
      return HSA_STATUS_SUCCESS;
    case HSA_SYSTEM_INFO_ENDIANNESS:
      *(int *) value = 0;
      return HSA_STATUS_SUCCESS;
    case HSA_SYSTEM_INFO_MACHINE_MODEL:
      *(int *) value = 1;
      return HSA_STATUS_SUCCESS;
    case HSA_AMD_SYSTEM_INFO_BUILD_VERSION:
      *(const char **) value = "gcn-sim";
      return HSA_STATUS_SUCCESS;
    case HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED:
      *(bool *) value = true;
      return HSA_STATUS_SUCCESS;
    case HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT:
      *(bool *) value = hsa_svm;
      return HSA_STATUS_SUCCESS;
    default:
      hsa_misuse ("hsa_system_get_info: attribute %#x", (unsigned) attribute);
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
}

hsa_status_t
hsa_amd_register_system_event_handler (hsa_amd_system_event_callback_t callback, void *data)
{
  ENTER (hsa_amd_register_system_event_handler);
  pthread_mutex_lock (&hsa_lock);
  bool ok = event_handler == NULL;
  if (ok)
    {
      event_handler = callback;
      event_data = data;
    }
  pthread_mutex_unlock (&hsa_lock);
  return ok ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR;
}

void
hsa_memory_fault_event (int gpu, uint64_t address, uint32_t reason)
{
  hsa_amd_event_t event = { .event_type = HSA_AMD_GPU_MEMORY_FAULT_EVENT };
  event.memory_fault.agent = hsa_agent_handle (gpu);
  event.memory_fault.virtual_address = address;
  event.memory_fault.fault_reason_mask = reason;
  pthread_mutex_lock (&hsa_lock);
  hsa_amd_system_event_callback_t callback = event_handler;
  void *data = event_data;
  pthread_mutex_unlock (&hsa_lock);
  if (callback != NULL)
    callback (&event, data);
}

/* ---- agents ---- */

hsa_status_t
hsa_iterate_agents (hsa_agent_fn callback, void *data)
{
  ENTER (hsa_iterate_agents);
  if (callback == NULL)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  hsa_status_t result = HSA_STATUS_SUCCESS;
  for (int i = -1; i < hsa_num_gpus && result == HSA_STATUS_SUCCESS; i++)
    result = callback (hsa_agent_handle (i), data);
  return result;
}

/* Facts of an agent that are one 32-bit word.  */
static bool
word_of_agent (int gpu, int attribute, uint32_t *value)
{
  const struct hsa_gpu *g = gpu >= 0 ? &hsa_gpus[gpu] : NULL;
  switch (attribute)
    {
    case HSA_AGENT_INFO_FEATURE:
      *value = g != NULL ? HSA_AGENT_FEATURE_KERNEL_DISPATCH : 0;
      return true;
    case HSA_AGENT_INFO_MACHINE_MODEL:
      *value = 1;
      return true;
    case HSA_AGENT_INFO_PROFILE:
      *value = g != NULL ? HSA_PROFILE_BASE : HSA_PROFILE_FULL;
      return true;
    case HSA_AGENT_INFO_DEFAULT_FLOAT_ROUNDING_MODE:
      *value = HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR;
      return true;
    case HSA_AGENT_INFO_WAVEFRONT_SIZE:
      *value = g != NULL ? 64 : 0;
      return true;
    case HSA_AGENT_INFO_WORKGROUP_MAX_SIZE:
      *value = g != NULL ? 1024 : 0;
      return true;
    case HSA_AGENT_INFO_GRID_MAX_SIZE:
      *value = g != NULL ? UINT32_MAX : 0;
      return true;
    case HSA_AGENT_INFO_QUEUES_MAX:
      *value = g != NULL ? 128 : 0;
      return true;
    case HSA_AGENT_INFO_QUEUE_MIN_SIZE:
      *value = g != NULL ? 64 : 0;
      return true;
    case HSA_AGENT_INFO_QUEUE_MAX_SIZE:
      *value = g != NULL ? 131072 : 0;
      return true;
    case HSA_AGENT_INFO_QUEUE_TYPE:
      *value = HSA_QUEUE_TYPE_MULTI;
      return true;
    case HSA_AGENT_INFO_NODE:
    case HSA_AMD_AGENT_INFO_DRIVER_NODE_ID:
      *value = (uint32_t) (gpu + 1);
      return true;
    case HSA_AGENT_INFO_DEVICE:
      *value = g != NULL ? HSA_DEVICE_TYPE_GPU : HSA_DEVICE_TYPE_CPU;
      return true;
    case HSA_AMD_AGENT_INFO_CHIP_ID:
      *value = g != NULL ? 0x7408 : 0;
      return true;
    case HSA_AMD_AGENT_INFO_CACHELINE_SIZE:
      *value = g != NULL ? 128 : 64;
      return true;
    case HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT:
      *value = g != NULL ? g->cus : (uint32_t) sysconf (_SC_NPROCESSORS_ONLN);
      return true;
    case HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY:
      *value = g != NULL ? 1700 : 0;
      return true;
    case HSA_AMD_AGENT_INFO_BDFID:
      *value = g != NULL ? (uint32_t) (gpu + 1) << 8 : 0;
      return true;
    case HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU:
      *value = g != NULL ? 40 : 0;
      return true;
    case HSA_AMD_AGENT_INFO_NUM_SIMDS_PER_CU:
      *value = g != NULL ? 4 : 0;
      return true;
    case HSA_AMD_AGENT_INFO_DOMAIN:
      *value = 0;
      return true;
    default:
      return false;
    }
}

hsa_status_t
hsa_agent_get_info (hsa_agent_t agent, int attribute, void *value)
{
  ENTER (hsa_agent_get_info);
  int gpu = hsa_agent_number (agent);
  const struct hsa_gpu *g = gpu >= 0 ? &hsa_gpus[gpu] : NULL;
  if (gpu < -1)
    {
      hsa_misuse ("hsa_agent_get_info: %#lx is no agent", (unsigned long) agent.handle);
      return HSA_STATUS_ERROR_INVALID_AGENT;
    }
  if (word_of_agent (gpu, attribute, value))
    return HSA_STATUS_SUCCESS;
  switch (attribute)
    {
    case HSA_AGENT_INFO_NAME:
      memset (value, 0, 64);
      strcpy (value, g != NULL ? g->name : "Simulated CPU");
      return HSA_STATUS_SUCCESS;
    case HSA_AGENT_INFO_VENDOR_NAME:
      memset (value, 0, 64);
      strcpy (value, g != NULL ? "AMD" : "CPU");
      return HSA_STATUS_SUCCESS;
    case HSA_AMD_AGENT_INFO_PRODUCT_NAME:
      memset (value, 0, 64);
      snprintf (value, 64, g != NULL ? "Simulated %.40s" : "Simulated CPU%.0s",
		g != NULL ? g->name : "");
      return HSA_STATUS_SUCCESS;
    case HSA_AGENT_INFO_WORKGROUP_MAX_DIM:
      for (int i = 0; i < 3; i++)
	((uint16_t *) value)[i] = g != NULL ? 1024 : 0;
      return HSA_STATUS_SUCCESS;
    case HSA_AGENT_INFO_GRID_MAX_DIM:
      *(hsa_dim3_t *) value = g != NULL ? (hsa_dim3_t) { INT32_MAX, UINT16_MAX, UINT16_MAX }
					: (hsa_dim3_t) { 0, 0, 0 };
      return HSA_STATUS_SUCCESS;
    case HSA_AGENT_INFO_CACHE_SIZE:
      memset (value, 0, 4 * sizeof (uint32_t));
      ((uint32_t *) value)[0] = 16384;
      return HSA_STATUS_SUCCESS;
    case HSA_AGENT_INFO_ISA:
      *(hsa_isa_t *) value = (hsa_isa_t) { g != NULL ? (uintptr_t) g : 0 };
      return HSA_STATUS_SUCCESS;
    case HSA_AGENT_INFO_VERSION_MAJOR:
    case HSA_AGENT_INFO_VERSION_MINOR:
      *(uint16_t *) value = attribute == HSA_AGENT_INFO_VERSION_MAJOR ? 1 : 0;
      return HSA_STATUS_SUCCESS;
    case HSA_AMD_AGENT_INFO_UUID:
      memset (value, 0, 21);
      snprintf (value, 21, g != NULL ? "GPU-51d%013x" : "CPU-XX%.0d", (unsigned) (gpu + 1));
      return HSA_STATUS_SUCCESS;
    case HSA_AMD_AGENT_INFO_SVM_DIRECT_HOST_ACCESS:
      *(bool *) value = hsa_svm || g == NULL;
      return HSA_STATUS_SUCCESS;
    case HSA_AMD_AGENT_INFO_MEMORY_AVAIL:
      *(uint64_t *) value = space_free_bytes (g != NULL ? gpu : SIM_SYSTEM_ARENA);
      return HSA_STATUS_SUCCESS;
    default:
      hsa_misuse ("hsa_agent_get_info: attribute %#x", (unsigned) attribute);
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
}

/* ---- ISAs: a handle is the GPU's record ---- */

static const struct hsa_gpu *
isa_gpu (hsa_isa_t isa, const char *function)
{
  for (int i = 0; i < hsa_num_gpus; i++)
    if (isa.handle == (uintptr_t) &hsa_gpus[i])
      return &hsa_gpus[i];
  hsa_misuse ("%s: %#lx is no ISA", function, (unsigned long) isa.handle);
  return NULL;
}

hsa_status_t
hsa_agent_iterate_isas (hsa_agent_t agent, hsa_isa_fn callback, void *data)
{
  ENTER (hsa_agent_iterate_isas);
  int gpu = hsa_agent_number (agent);
  if (gpu < -1 || callback == NULL)
    {
      hsa_misuse ("hsa_agent_iterate_isas: %#lx is no agent", (unsigned long) agent.handle);
      return gpu < -1 ? HSA_STATUS_ERROR_INVALID_AGENT : HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  return gpu >= 0 ? callback ((hsa_isa_t) { (uintptr_t) &hsa_gpus[gpu] }, data)
		  : HSA_STATUS_SUCCESS;
}

static hsa_status_t
isa_info (const struct hsa_gpu *g, int attribute, void *value)
{
  if (g == NULL)
    return HSA_STATUS_ERROR_INVALID_ISA;
  if (attribute == HSA_ISA_INFO_NAME_LENGTH)
    *(uint32_t *) value = (uint32_t) strlen (g->isa_name) + 1;
  else if (attribute == HSA_ISA_INFO_NAME)
    strcpy (value, g->isa_name);
  else
    {
      hsa_misuse ("hsa_isa_get_info: attribute %#x", (unsigned) attribute);
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_isa_get_info_alt (hsa_isa_t isa, int attribute, void *value)
{
  ENTER (hsa_isa_get_info_alt);
  return isa_info (isa_gpu (isa, "hsa_isa_get_info_alt"), attribute, value);
}

hsa_status_t
hsa_isa_get_info (hsa_isa_t isa, int attribute, uint32_t index, void *value)
{
  ENTER (hsa_isa_get_info);
  if (index != 0)
    return HSA_STATUS_ERROR_INVALID_INDEX;
  return isa_info (isa_gpu (isa, "hsa_isa_get_info"), attribute, value);
}
