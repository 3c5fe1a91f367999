/* plugin-gcn.c -- AMD GPUs: the ops table, finding devices, their life.

   init loads the HSA runtime, initialises it (hsa_init: it opens /dev/kfd and looks at all devices) and
   reads what the agents tell about themselves.  Nothing is allocated on a device before
   device_open.  Which GPUs there are is the runtime's to say: it obeys ROCR_VISIBLE_DEVICES.

   Invariants
   1. gcn_system, facts, num_facts and lines are written by init only.
   2. GPUs that nothing could run on are left out and have a line that says so.
   3. open_devices is protected by open_lock: fork's child and callbacks of the runtime have to find
      them.  */

#include "gcn-launch.h"
#include "gcn-queue.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct gcn_system gcn_system;

static struct gcn_facts *facts[GCN_MAX_DEVICES];
static unsigned num_facts;

/* About the plugin, for info.  */
static struct plugin_line *lines;

static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static struct gomp_plugin_device *open_devices[GCN_MAX_DEVICES];
static unsigned num_open;	/* not closed, open_lock */

/* ---- lines for info ---- */

static void __attribute__ ((format (printf, 1, 2)))
plugin_line (const char *fmt, ...)
{
  char text[512];
  va_list list;
  va_start (list, fmt);
  vsnprintf (text, sizeof (text), fmt, list);
  va_end (list);
  plugin_lines_add (&lines, text);
}

void
gcn_note (struct gomp_plugin_device *dev, const char *fmt, ...)
{
  char text[512];
  va_list list;
  va_start (list, fmt);
  vsnprintf (text, sizeof (text), fmt, list);
  va_end (list);
  pthread_mutex_lock (&dev->lock);
  plugin_lines_add (&dev->notes, text);
  pthread_mutex_unlock (&dev->lock);
  gcn_core->debug (1, "gcn device %u: %s", dev->ordinal, text);
}

static const char *
gcn_info (struct gomp_plugin_device *dev, unsigned key)
{
  if (dev == NULL)
    return plugin_lines_text (lines, key);
  if (key == 0)
    return dev->facts->summary;
  pthread_mutex_lock (&dev->lock);
  const char *text = plugin_lines_text (dev->notes, key - 1);
  pthread_mutex_unlock (&dev->lock);
  return text;
}

/* ---- finding devices ---- */

/* The pools of the host that we use.  */
static hsa_status_t
look_at_host_pool (hsa_amd_memory_pool_t pool, void *data)
{
  int segment = -1;
  uint32_t flags = 0;
  bool allowed = false;

  (void) data;
  hsa_status_t result
    = gcn_hsa.hsa_amd_memory_pool_get_info (pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment);
  if (result == HSA_STATUS_SUCCESS && segment == HSA_AMD_SEGMENT_GLOBAL)
    {
      result = gcn_hsa.hsa_amd_memory_pool_get_info (pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS,
						     &flags);
      if (result == HSA_STATUS_SUCCESS)
	result = gcn_hsa.hsa_amd_memory_pool_get_info (pool,
						       HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED,
						       &allowed);
    }
  if (result != HSA_STATUS_SUCCESS || !allowed
      || (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED) == 0)
    return result;
  if (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT)
    {
      if (gcn_system.kernarg_pool.handle == 0)
	gcn_system.kernarg_pool = pool;
    }
  else if (gcn_system.host_pool.handle == 0)
    gcn_system.host_pool = pool;
  return HSA_STATUS_SUCCESS;
}

static hsa_status_t
look_at_agent (hsa_agent_t agent, void *data)
{
  int type = -1;
  uint32_t features = 0;

  (void) data;
  hsa_status_t result = gcn_hsa.hsa_agent_get_info (agent, HSA_AGENT_INFO_DEVICE, &type);
  if (result == HSA_STATUS_SUCCESS)
    result = gcn_hsa.hsa_agent_get_info (agent, HSA_AGENT_INFO_FEATURE, &features);
  if (result != HSA_STATUS_SUCCESS)
    return result;
  if (type == HSA_DEVICE_TYPE_CPU && gcn_system.cpu.handle == 0)
    {
      gcn_system.cpu = agent;
      return gcn_hsa.hsa_amd_agent_iterate_memory_pools (agent, look_at_host_pool, NULL);
    }
  if (type == HSA_DEVICE_TYPE_GPU && (features & HSA_AGENT_FEATURE_KERNEL_DISPATCH))
    {
      if (gcn_system.num_gpus < GCN_MAX_DEVICES)
	gcn_system.gpus[gcn_system.num_gpus++] = agent;
      else
	plugin_line ("a GPU is left out: %d can be used", GCN_MAX_DEVICES);
    }
  return HSA_STATUS_SUCCESS;
}

/* The pools of a device: its own memory, and how much local memory work-groups have.  */
static hsa_status_t
look_at_pool (hsa_amd_memory_pool_t pool, void *data)
{
  struct gcn_facts *f = data;
  int segment = -1;
  uint32_t flags = 0;
  size_t size = 0, granule = 0;
  bool allowed = false;

  hsa_status_t result
    = gcn_hsa.hsa_amd_memory_pool_get_info (pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment);
  if (result == HSA_STATUS_SUCCESS)
    result = gcn_hsa.hsa_amd_memory_pool_get_info (pool, HSA_AMD_MEMORY_POOL_INFO_SIZE, &size);
  if (result != HSA_STATUS_SUCCESS)
    return result;
  if (segment == HSA_AMD_SEGMENT_GROUP && size > 0)
    f->lds_bytes = size < UINT32_MAX ? (unsigned) size : UINT32_MAX;
  if (segment != HSA_AMD_SEGMENT_GLOBAL)
    return HSA_STATUS_SUCCESS;
  const struct { int attribute; void *value; } rows[] =
  {
    { HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags },
    { HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED, &allowed },
    { HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE, &granule }
  };
  for (size_t i = 0; i < sizeof (rows) / sizeof (rows[0]); i++)
    {
      result = gcn_hsa.hsa_amd_memory_pool_get_info (pool, rows[i].attribute, rows[i].value);
      if (result != HSA_STATUS_SUCCESS)
	return result;
    }
  if (allowed && (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED) && size > f->memory)
    {
      f->pool = pool;
      f->pool_granule = granule;
      f->memory = size;
    }
  return HSA_STATUS_SUCCESS;
}

/* The first name is that of the agent's own instruction set, the others are more general.  */
static hsa_status_t
look_at_isa (hsa_isa_t isa, void *data)
{
  struct gcn_facts *f = data;
  uint32_t length = 0;

  hsa_status_t result = gcn_hsa.hsa_isa_get_info_alt (isa, HSA_ISA_INFO_NAME_LENGTH, &length);
  if (result != HSA_STATUS_SUCCESS || length == 0 || length > sizeof (f->isa))
    return HSA_STATUS_INFO_BREAK;
  result = gcn_hsa.hsa_isa_get_info_alt (isa, HSA_ISA_INFO_NAME, f->isa);
  f->isa[sizeof (f->isa) - 1] = '\0';
  if (result != HSA_STATUS_SUCCESS)
    f->isa[0] = '\0';
  return HSA_STATUS_INFO_BREAK;
}

/* Facts that older runtimes do not tell: what cannot be read stays 0 or empty.  */
static void
read_extras (struct gcn_facts *f)
{
  char product[65] = "", uuid[65] = "";
  uint32_t bdf = 0, domain = 0, waves = 0, clock = 0;

  if (gcn_hsa.hsa_agent_iterate_isas != NULL && gcn_hsa.hsa_isa_get_info_alt != NULL)
    (void) gcn_hsa.hsa_agent_iterate_isas (f->agent, look_at_isa, f);
  if (gcn_hsa.hsa_agent_get_info (f->agent, HSA_AMD_AGENT_INFO_PRODUCT_NAME, product)
      == HSA_STATUS_SUCCESS)
    snprintf (f->product, sizeof (f->product), "%s", product);
  if (f->product[0] == '\0')
    snprintf (f->product, sizeof (f->product), "AMD %s", f->name);
  /* "GPU-XX" is what those have that have no number.  */
  if (gcn_hsa.hsa_agent_get_info (f->agent, HSA_AMD_AGENT_INFO_UUID, uuid) == HSA_STATUS_SUCCESS
      && strncmp (uuid, "GPU-", 4) == 0 && strcmp (uuid, "GPU-XX") != 0)
    snprintf (f->uid, sizeof (f->uid), "%.63s", uuid);
  if (gcn_hsa.hsa_agent_get_info (f->agent, HSA_AMD_AGENT_INFO_BDFID, &bdf) == HSA_STATUS_SUCCESS)
    {
      if (gcn_hsa.hsa_agent_get_info (f->agent, HSA_AMD_AGENT_INFO_DOMAIN, &domain)
	  != HSA_STATUS_SUCCESS)
	domain = 0;
      snprintf (f->pci, sizeof (f->pci), "%04x:%02x:%02x.%x", domain & 0xffff, bdf >> 8 & 0xff,
		bdf >> 3 & 0x1f, bdf & 7);
    }
  if (gcn_hsa.hsa_agent_get_info (f->agent, HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU, &waves)
      == HSA_STATUS_SUCCESS)
    f->waves_per_unit = waves;
  if (gcn_hsa.hsa_agent_get_info (f->agent, HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY, &clock)
      == HSA_STATUS_SUCCESS)
    f->clock_mhz = clock;
}

/* All about GPU NUMBER.  */
static gomp_status_t
read_facts (unsigned number, struct gcn_facts *f)
{
  uint32_t units = 0, wavefront = 0, least = 0, most = 0;

  memset (f, 0, sizeof (*f));
  f->agent = gcn_system.gpus[number];
  f->lds_bytes = 65536;
  const struct { int attribute; void *value; } rows[] =
  {
    { HSA_AGENT_INFO_NAME, f->name },
    { HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT, &units },
    { HSA_AGENT_INFO_WAVEFRONT_SIZE, &wavefront },
    { HSA_AGENT_INFO_QUEUE_MIN_SIZE, &least },
    { HSA_AGENT_INFO_QUEUE_MAX_SIZE, &most }
  };
  for (size_t i = 0; i < sizeof (rows) / sizeof (rows[0]); i++)
    {
      gomp_status_t status = GCN_CALL (NULL, hsa_agent_get_info,
				       (f->agent, rows[i].attribute, rows[i].value),
				       "reading attribute %#x of GPU %u", (unsigned) rows[i].attribute,
				       number);
      if (status != GOMP_OK)
	return status;
    }
  f->name[sizeof (f->name) - 1] = '\0';
  f->compute_units = units;
  f->wavefront_size = wavefront;
  f->queue_packets = 1024 < least ? least : 1024;
  if (f->queue_packets > most)
    f->queue_packets = most;
  gomp_status_t status = GCN_CALL (NULL, hsa_amd_agent_iterate_memory_pools,
				   (f->agent, look_at_pool, f), "looking at the memory of GPU %u",
				   number);
  if (status != GOMP_OK)
    return status;
  read_extras (f);
  f->shared_memory = gcn_system.shared_by_default && strstr (f->isa, ":xnack-") == NULL;
  snprintf (f->summary, sizeof (f->summary), "%s, %u compute units at %u MHz, %llu MiB%s%s%s",
	    f->isa[0] != '\0' ? f->isa : f->name, f->compute_units, f->clock_mhz,
	    (unsigned long long) (f->memory >> 20), f->pci[0] != '\0' ? ", PCI " : "", f->pci,
	    f->shared_memory ? ", uses all memory of the host" : "");
  return GOMP_OK;
}

/* What makes a device useless for us, or NULL.  */
static const char *
why_useless (const struct gcn_facts *f)
{
  if (strncmp (f->name, "gfx", 3) != 0)
    return "its name is not that of an instruction set";
  if (f->memory == 0)
    return "it has no memory of its own that can be allocated";
  if (f->queue_packets == 0 || (f->queue_packets & (f->queue_packets - 1)) != 0)
    return "it has no queues";
  return NULL;
}

/* Read the facts of all GPUs.  */
static gomp_status_t
find_devices (void)
{
  gomp_status_t first = GOMP_OK;

  for (unsigned i = 0; i < gcn_system.num_gpus; i++)
    {
      struct gcn_facts *f = malloc (sizeof (*f));
      const char *useless = NULL;
      if (f == NULL)
	return gcn_no_memory ();
      gomp_status_t status = read_facts (i, f);
      if (status == GOMP_OK && (useless = why_useless (f)) != NULL)
	{
	  gcn_core->set_error ("GPU %u (%s): %s", i, f->name, useless);
	  status = GOMP_NO_DEVICE;
	}
      if (status != GOMP_OK)
	{
	  /* The reason stays in the text if there is no other device.  */
	  if (first == GOMP_OK)
	    first = status;
	  plugin_line ("GPU %u is left out: %s", i,
		       useless != NULL ? useless : "the runtime does not answer about it");
	  gcn_core->debug (1, "gcn: GPU %u is left out", i);
	  free (f);
	  continue;
	}
      plugin_line ("device %u is GPU %u: %s, %s", num_facts, i, f->product, f->summary);
      facts[num_facts++] = f;
    }
  return num_facts > 0 ? GOMP_OK : first;
}

/* The runtime does not start.  On a machine without AMD GPUs that is what it does, and its words are
   about resources: say what a user can look at.  */
static gomp_status_t
no_start (hsa_status_t result)
{
  const char *why = "";
  if (access ("/dev/kfd", F_OK) != 0)
    why = "; there is no /dev/kfd: no driver of an AMD GPU is loaded";
  else if (access ("/dev/kfd", R_OK | W_OK) != 0)
    why = "; this user may not open /dev/kfd";
  gomp_status_t status = gcn_check (NULL, result, "hsa_init", "starting the HSA runtime%s", why);
  return why[0] != '\0' ? GOMP_NO_DEVICE : status;
}

/* There is a runtime, but no device: is that what the user has ordered?  */
static gomp_status_t
no_device (void)
{
  const char *visible = gcn_core->getenv ("ROCR_VISIBLE_DEVICES", false);
  if (visible != NULL)
    gcn_core->set_error ("the HSA runtime finds no GPU; ROCR_VISIBLE_DEVICES is `%s'", visible);
  else
    gcn_core->set_error ("the HSA runtime finds no GPU");
  return GOMP_NO_DEVICE;
}

/* What the runtime says of itself and of the machine.  */
static gomp_status_t
read_system (void)
{
  uint16_t major = 0, minor = 0;
  const char *path = gcn_driver_path (), *build = NULL;
  const struct { int attribute; void *value; bool required; } rows[] =
  {
    { HSA_SYSTEM_INFO_VERSION_MAJOR, &major, true },
    { HSA_SYSTEM_INFO_VERSION_MINOR, &minor, true },
    { HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &gcn_system.ticks_per_second, true },
    /* Older runtimes do not know these.  */
    { HSA_AMD_SYSTEM_INFO_BUILD_VERSION, &build, false },
    { HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED, &gcn_system.svm, false },
    { HSA_AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT, &gcn_system.shared_by_default, false }
  };
  for (size_t i = 0; i < sizeof (rows) / sizeof (rows[0]); i++)
    {
      hsa_status_t result = gcn_hsa.hsa_system_get_info (rows[i].attribute, rows[i].value);
      if (result == HSA_STATUS_SUCCESS || !rows[i].required)
	continue;
      return gcn_check (NULL, result, "hsa_system_get_info", "reading attribute %#x of the system",
			(unsigned) rows[i].attribute);
    }
  gcn_system.version = major * 1000u + minor;
  plugin_line ("HSA runtime %s, interface %u.%u%s%s", path != NULL ? path : "of unknown place",
	       major, minor, build != NULL ? ", version " : "", build != NULL ? build : "");
  return GOMP_OK;
}

/* A memory fault on some GPU, in a thread of the runtime.  Without this it ends the process.  */
static hsa_status_t
system_event (const hsa_amd_event_t *event, void *data)
{
  (void) data;
  if (event->event_type != HSA_AMD_GPU_MEMORY_FAULT_EVENT)
    return HSA_STATUS_ERROR;
  pthread_mutex_lock (&open_lock);
  struct gomp_plugin_device *dev = NULL;
  for (unsigned i = 0; i < GCN_MAX_DEVICES; i++)
    if (open_devices[i] != NULL
	&& open_devices[i]->agent.handle == event->memory_fault.agent.handle)
      dev = open_devices[i];
  if (dev != NULL)
    {
      pthread_mutex_lock (&dev->lock);
      dev->fault = (struct gcn_fault) { .known = true,
					.address = event->memory_fault.virtual_address,
					.reasons = event->memory_fault.fault_reason_mask };
      pthread_mutex_unlock (&dev->lock);
      gcn_lose (dev, HSA_STATUS_ERROR_MEMORY_FAULT);
    }
  pthread_mutex_unlock (&open_lock);
  return dev != NULL ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR;
}

static void child_of_fork (void);

/* The runtime is there and started.  */
static gomp_status_t
start (void)
{
  gomp_status_t status = read_system ();
  if (status != GOMP_OK)
    return status;
  status = GCN_CALL (NULL, hsa_iterate_agents, (look_at_agent, NULL), "looking for GPUs");
  if (status != GOMP_OK)
    return status;
  if (gcn_system.num_gpus == 0)
    return no_device ();
  if (gcn_system.kernarg_pool.handle == 0)
    {
      gcn_core->set_error ("the HSA runtime has no memory for arguments of kernels");
      return GOMP_NO_DEVICE;
    }
  if (gcn_system.host_pool.handle == 0)
    gcn_system.host_pool = gcn_system.kernarg_pool;
  status = gcn_settings_read ();
  if (status == GOMP_OK)
    status = find_devices ();
  if (status != GOMP_OK)
    return status;
  if (gcn_hsa.hsa_amd_register_system_event_handler != NULL)
    {
      hsa_status_t result = gcn_hsa.hsa_amd_register_system_event_handler (system_event, NULL);
      if (result != HSA_STATUS_SUCCESS)
	gcn_core->debug (1, "gcn: somebody else handles memory faults of GPUs (%#x)",
			 (unsigned) result);
    }
  gcn_times_init ();
  return GOMP_OK;
}

static gomp_status_t
gcn_init (const struct gomp_plugin_core *core, unsigned *num_devices)
{
  gcn_core = core;
  *num_devices = 0;
  gomp_status_t status = gcn_driver_load ();
  if (status != GOMP_OK)
    return status;
  hsa_status_t result = gcn_hsa.hsa_init ();
  if (result != HSA_STATUS_SUCCESS)
    return no_start (result);
  status = start ();
  if (status != GOMP_OK)
    {
      (void) gcn_check_quiet (NULL, gcn_hsa.hsa_shut_down ());
      return status;
    }
  pthread_atfork (NULL, NULL, child_of_fork);
  *num_devices = num_facts;
  return GOMP_OK;
}

/* The family of GPUs that run the same code as those of NAME, or NULL.  */
static const char *
family (const char *name)
{
  static const struct { const char *family, *members; } rows[] =
  {
    { "gfx9-generic", "gfx900 gfx902 gfx904 gfx906 gfx909 gfx90c " },
    { "gfx9-4-generic", "gfx940 gfx941 gfx942 gfx950 " },
    { "gfx10-3-generic", "gfx1030 gfx1031 gfx1032 gfx1033 gfx1034 gfx1035 gfx1036 " },
    { "gfx11-generic", "gfx1100 gfx1101 gfx1102 gfx1103 gfx1150 gfx1151 gfx1152 gfx1153 " }
  };
  char word[72];
  snprintf (word, sizeof (word), "%s ", name);
  for (size_t i = 0; i < sizeof (rows) / sizeof (rows[0]); i++)
    if (strstr (rows[i].members, word) != NULL)
      return rows[i].family;
  return NULL;
}

static gomp_status_t
gcn_device_attr (unsigned ordinal, struct gomp_device_attr *attr)
{
  const struct gcn_facts *f = facts[ordinal];
  const char *generic = family (f->name);

  memset (attr, 0, sizeof (*attr));
  snprintf (attr->name, sizeof (attr->name), "%s", f->product);
  snprintf (attr->uid, sizeof (attr->uid), "%s", f->uid);
  attr->caps = (GOMP_CAP_PEER_COPY | GOMP_CAP_PINNED_FASTER | GOMP_CAP_REVERSE_OFFLOAD
		| GOMP_CAP_TAKES_ALONG | (f->shared_memory ? GOMP_CAP_SHARED_MEMORY : 0));
  if (!f->shared_memory)
    snprintf (attr->no_shared_memory, sizeof (attr->no_shared_memory),
	      "%.24s cannot use all of the host's memory (%s)", f->name,
	      gcn_system.shared_by_default
	      ? "XNACK is off on it"
	      : "the HSA runtime says so; HSA_XNACK=1 may help");
  attr->memory_size = f->memory;
  /* Estimates, not measured: a packet and the look at its signal; the start of a copy engine; PCIe of
     the fourth generation.  */
  attr->launch_latency_ns = 8000;
  attr->copy_latency_ns = 10000;
  attr->copy_bandwidth = UINT64_C (25000000000);
  attr->coalesce_max = 16u << 10;
  attr->chunk_min = 1u << 20;
  attr->mem_align = 4096;
  attr->arena_step = 32u << 20;
  attr->multiprocessors = f->compute_units;
  attr->max_threads_per_team = 16;
  snprintf (attr->kind, sizeof (attr->kind), "gpu");
  snprintf (attr->vendor, sizeof (attr->vendor), "amd");
  attr->vendor_id = 1;
  snprintf (attr->arch, sizeof (attr->arch), "gcn,amdgcn");
  snprintf (attr->isa, sizeof (attr->isa), "%s%s%s", f->name, generic != NULL ? "," : "",
	    generic != NULL ? generic : "");
  attr->foreign_runtimes = 1u << GOMP_RUNTIME_HSA;
  attr->default_runtime = GOMP_RUNTIME_HSA;
  return GOMP_OK;
}

/* ---- devices ---- */

/* The parts of a device in the order in which they are opened.  */
static const struct
{
  gomp_status_t (*open) (struct gomp_plugin_device *);
  void (*close) (struct gomp_plugin_device *, bool);
} parts[] =
{
#define PART(name) { gcn_##name##_open, gcn_##name##_close },
  GCN_PARTS (PART)
#undef PART
};
enum { NUM_PARTS = sizeof (parts) / sizeof (parts[0]) };

static void
gcn_device_close (struct gomp_plugin_device *dev, bool exiting)
{
  pthread_mutex_lock (&open_lock);
  if (open_devices[dev->ordinal] == dev)
    open_devices[dev->ordinal] = NULL;
  pthread_mutex_unlock (&open_lock);

  for (int i = NUM_PARTS; i-- > 0; )
    parts[i].close (dev, exiting);
  if (exiting)
    return;			/* other threads may still be in calls */
  /* Relaxed: no other thread uses the device.  */
  bool forked = atomic_load_explicit (&dev->xlost, memory_order_relaxed) == GCN_FORKED;
  pthread_mutex_destroy (&dev->lock);
  plugin_lines_free (dev->notes);
  free (dev);
  pthread_mutex_lock (&open_lock);
  bool last = --num_open == 0;
  pthread_mutex_unlock (&open_lock);
  if (last && !forked)
    gcn_signals_close ();
}

static gomp_status_t
gcn_device_open (unsigned ordinal, void *core_device, struct gomp_plugin_device **result)
{
  struct gomp_plugin_device *dev = calloc (1, sizeof (*dev));
  gomp_status_t status = GOMP_OK;

  if (dev == NULL)
    return gcn_no_memory ();
  dev->ordinal = ordinal;
  dev->facts = facts[ordinal];
  dev->agent = dev->facts->agent;
  dev->core_device = core_device;
  pthread_mutex_init (&dev->lock, NULL);
  pthread_mutex_lock (&open_lock);
  open_devices[ordinal] = dev;
  num_open++;
  pthread_mutex_unlock (&open_lock);
  for (int i = 0; i < NUM_PARTS && status == GOMP_OK; i++)
    status = parts[i].open (dev);
  if (status != GOMP_OK)
    {
      gcn_device_close (dev, false);
      return status;
    }
  *result = dev;
  return GOMP_OK;
}

/* In a child of fork, before fork returns.  The runtime does not work there.  */
static void
child_of_fork (void)
{
  pthread_mutex_init (&open_lock, NULL);
  for (unsigned i = 0; i < GCN_MAX_DEVICES; i++)
    if (open_devices[i] != NULL)
      {
	/* Threads of the parent may have held it.  Relaxed: there are no others here.  */
	pthread_mutex_init (&open_devices[i]->lock, NULL);
	atomic_store_explicit (&open_devices[i]->xlost, GCN_FORKED, memory_order_relaxed);
	open_devices[i] = NULL;
      }
}

static gomp_status_t
gcn_device_fault (struct gomp_plugin_device *dev, struct gomp_fault *fault)
{
  if (!gcn_is_lost (dev))
    return GOMP_NOT_FOUND;
  gcn_attend_lost (dev);
  memset (fault, 0, sizeof (*fault));
  fault->has_function = gcn_queue_suspect (dev, &fault->image, &fault->function);
  pthread_mutex_lock (&dev->lock);
  struct gcn_fault seen = dev->fault;
  pthread_mutex_unlock (&dev->lock);
  if (seen.known)
    {
      fault->has_address = true;
      fault->fault_addr = seen.address;
      fault->access = seen.reasons & HSA_AMD_MEMORY_FAULT_READ_ONLY ? GOMP_FAULT_WRITE
		      : seen.reasons & HSA_AMD_MEMORY_FAULT_NX ? GOMP_FAULT_EXEC
		      : GOMP_FAULT_UNKNOWN;
    }
  gcn_explain_loss (dev, fault->text, sizeof (fault->text));
  return GOMP_OK;
}

/* ---- the plugin ---- */

const struct gomp_plugin GOMPX_plugin =
{
  .api_version = GOMP_PLUGIN_API_VERSION,
  .struct_size = sizeof (struct gomp_plugin),
  .name = "gcn",
  .target_type = 8,
  .init = gcn_init,
  .device_attr = gcn_device_attr,
  .device_open = gcn_device_open,
  .device_close = gcn_device_close,
  .device_fault = gcn_device_fault,
  .progress = gcn_progress,
  /* No device_nap: the runtime waits for signals (hsa_amd_signal_wait_any) or a thread for a word, not for both, and
     it polls where one of the signals does not interrupt.  The core's naps are a small part of what has been
     waited for, and kernels that call the host want a look that often anyway.  */
  .mem_alloc = gcn_mem_alloc,
  .mem_free = gcn_mem_free,
  .mem_info = gcn_mem_info,
  .host_alloc = gcn_host_alloc,
  .host_free = gcn_host_free,
  .is_accessible = gcn_is_accessible,
  .is_pinned = gcn_is_pinned,
  .queue_create = gcn_queue_create,
  .queue_destroy = gcn_queue_destroy,
  /* queue_flush: everything is with the hardware as soon as it is enqueued.  */
  .queue_wait = gcn_queue_wait,
  .queue_wait_event = gcn_queue_wait_event,
  .event_create = gcn_event_create,
  .event_destroy = gcn_event_destroy,
  .event_record = gcn_event_record,
  .event_wait = gcn_event_wait,
  .event_status = gcn_event_status,
  .event_time = gcn_event_time,
  .copy_h2d = gcn_copy_h2d,
  .copy_d2h = gcn_copy_d2h,
  .copy_d2d = gcn_copy_d2d,
  .copy3d_h2d = gcn_copy3d_h2d,
  .copy3d_d2h = gcn_copy3d_d2h,
  .fill = gcn_fill,
  .image_load = gcn_image_load,
  .image_copy = gcn_image_copy,
  .image_unload = gcn_image_unload,
  .image_function = gcn_image_function,
  .image_variable = gcn_image_variable,
  .launch = gcn_launch,
  .reverse_enable = gcn_reverse_enable,
  .reverse_poll = gcn_reverse_poll,
  .reverse_wait = gcn_reverse_wait,
  .reverse_wake = gcn_reverse_wake,
  .managed_alloc = gcn_managed_alloc,
  .managed_free = gcn_managed_free,
  .interop_create = gcn_interop_create,
  .interop_sync = gcn_interop_sync,
  .interop_destroy = gcn_interop_destroy,
  .device_icvs = gcn_device_icvs,
  .info = gcn_info
};
