/* plugin-nvptx.c -- NVIDIA GPUs: the ops table, finding devices, their life.

   init loads the driver, initialises it (cuInit: the driver looks at all devices, which takes 100 ms
   and more, and which everybody has to pay who wants to know how many there are) and reads the
   devices' attributes.  No context is made: that happens in device_open, at the first use.

   A device's context is its primary one, the same that programs with CUDA code of their own use, so
   that pointers and streams can be exchanged with them.

   Invariants
   1. facts, num_facts, limits and lines are written by init only.
   2. Devices that nothing could run on (compute mode, no answers) are left out and have a line
      that says so: an ordinal of ours need not be the driver's.
   3. open_devices is protected by open_lock: fork's child has to find them, and a device that is
      closed is no longer a peer of the others.  */

#include "nvptx.h"
#include "nvptx-lanes-image.h"
#include "nvptx-later.h"
#include "nvptx-link.h"
#include "nvptx-parts.h"
#include "nvptx-subst.h"
#include "nvptx-tune.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct nvptx_facts *facts;
static unsigned num_facts;

/* What the user wants, 0: nothing in particular.  */
static struct
{
  size_t stack, heap;
} limits;

/* About the plugin, for info.  */
static struct plugin_line *lines;

static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static struct gomp_plugin_device *open_devices[NVPTX_MAX_DEVICES];

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
nvptx_note (struct gomp_plugin_device *dev, const char *fmt, ...)
{
  char text[512];
  va_list list;
  va_start (list, fmt);
  vsnprintf (text, sizeof (text), fmt, list);
  va_end (list);
  pthread_mutex_lock (&dev->lock);
  plugin_lines_add (&dev->notes, text);
  pthread_mutex_unlock (&dev->lock);
  nvptx_core->debug (1, "nvptx device %u: %s", dev->ordinal, text);
}

static const char *
nvptx_info (struct gomp_plugin_device *dev, unsigned key)
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

/* The version of the kernel's part of the driver, as everybody but CUDA counts: "580.65.06".  */
static void
kernel_driver (char *text, size_t size)
{
  int fd = open ("/sys/module/nvidia/version", O_RDONLY | O_CLOEXEC);
  ssize_t n = fd >= 0 ? read (fd, text, size - 1) : -1;
  if (fd >= 0)
    close (fd);
  text[n > 0 ? n : 0] = '\0';
  text[strcspn (text, "\n")] = '\0';
}

static void
describe_driver (void)
{
  char kernel[64];
  const char *path = nvptx_driver_path ();

  kernel_driver (kernel, sizeof (kernel));
  plugin_line ("driver %s, CUDA %d.%d%s%s", path != NULL ? path : "of unknown place",
	       nvptx_driver_version / 1000, nvptx_driver_version % 1000 / 10,
	       kernel[0] != '\0' ? ", kernel module " : "", kernel);
}

/* ---- settings ---- */

/* "65536", "64k", "1M".  */
static bool
parse_size (const char *text, size_t *size)
{
  static const char units[] = "kmg";
  char *end;

  while (*text == ' ')
    text++;
  if (*text < '0' || *text > '9')
    return false;
  errno = 0;
  unsigned long n = strtoul (text, &end, 10);
  unsigned shift = 0;
  if (*end != '\0')
    {
      const char *unit = strchr (units, *end | 0x20);
      if (unit != NULL)
	{
	  shift = 10 * (unit - units + 1);
	  end++;
	}
    }
  while (*end == ' ')
    end++;
  if (errno != 0 || *end != '\0' || n > SIZE_MAX >> shift)
    return false;
  *size = n << shift;
  return true;
}

static gomp_status_t
read_settings (void)
{
  static const struct { const char *name; size_t *size; } rows[] =
  {
    { "GOMP_NVPTX_NATIVE_GPU_THREAD_STACK_SIZE", &limits.stack },
    { "GOMP_NVPTX_HEAP_SIZE", &limits.heap }
  };
  for (size_t i = 0; i < sizeof (rows) / sizeof (rows[0]); i++)
    {
      const char *value = nvptx_core->getenv (rows[i].name, false);
      if (value != NULL && !parse_size (value, rows[i].size))
	{
	  nvptx_core->set_error ("%s: `%s' is no size", rows[i].name, value);
	  return GOMP_INVALID;
	}
    }
  return GOMP_OK;
}

/* ---- finding devices ---- */

static gomp_status_t
read_attributes (unsigned ordinal, struct nvptx_facts *f)
{
  int integrated = 0, map_host = 0, concurrent = 0, unified = 0, managed = 0;
  int concurrent_managed = 0, pageable = 0, host_tables = 0, pools = 0, timeout = 0;
  int registered_pointer = 0;
  const struct
  {
    int attribute;
    int *value;
    bool required;		/* old drivers do not know the others: 0 */
  } rows[] =
  {
    { CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &f->cc_major, true },
    { CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &f->cc_minor, true },
    { CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &f->multiprocessors, true },
    { CU_DEVICE_ATTRIBUTE_WARP_SIZE, &f->warp_size, true },
    { CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &f->max_threads_per_block, true },
    { CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, &f->max_threads_per_multiprocessor,
      true },
    { CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, &f->max_grid_x, true },
    { CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, &f->registers_per_block, true },
    { CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, &f->registers_per_multiprocessor,
      true },
    { CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, &f->shared_per_block, true },
    { CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, &f->shared_per_block_optin, false },
    { CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, &f->shared_per_multiprocessor,
      false },
    { CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, &f->l2_bytes, false },
    { CU_DEVICE_ATTRIBUTE_CLOCK_RATE, &f->clock_khz, true },
    { CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT, &f->async_engines, false },
    { CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, &f->compute_mode, true },
    { CU_DEVICE_ATTRIBUTE_INTEGRATED, &integrated, true },
    { CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY, &map_host, true },
    { CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS, &concurrent, true },
    { CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, &unified, true },
    { CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, &managed, false },
    { CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, &concurrent_managed, false },
    { CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, &pageable, false },
    { CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES, &host_tables, false },
    { CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, &registered_pointer, false },
    { CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, &pools, false },
    { CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT, &timeout, false }
  };


  for (size_t i = 0; i < sizeof (rows) / sizeof (rows[0]); i++)
    {
      CUresult result = nvptx_cuda.cuDeviceGetAttribute (rows[i].value, rows[i].attribute, f->cuda);
      if (result == CUDA_ERROR_INVALID_VALUE && !rows[i].required)
	{
	  *rows[i].value = 0;
	  continue;
	}
      gomp_status_t status = nvptx_check (NULL, result, "cuDeviceGetAttribute",
					  "reading attribute %d of GPU %u", rows[i].attribute,
					  ordinal);
      if (status != GOMP_OK)
	return status;
    }
  f->integrated = integrated != 0;
  f->can_map_host = map_host != 0;
  f->concurrent_kernels = concurrent != 0;
  f->unified_addressing = unified != 0;
  f->managed_memory = managed != 0;
  f->concurrent_managed = concurrent_managed != 0;
  f->pageable_access = pageable != 0;
  f->pageable_host_tables = host_tables != 0;
  f->registered_pointer = registered_pointer != 0;
  f->memory_pools = pools != 0;
  f->timeout = timeout != 0;
  return GOMP_OK;
}

/* All about the driver's device ORDINAL.  */
static gomp_status_t
read_facts (unsigned ordinal, struct nvptx_facts *f)
{
  size_t memory = 0;

  memset (f, 0, sizeof (*f));
  gomp_status_t status = NVPTX_CALL (NULL, cuDeviceGet, (&f->cuda, (int) ordinal),
				     "looking at GPU %u", ordinal);
  if (status == GOMP_OK)
    status = NVPTX_CALL (NULL, cuDeviceGetName, (f->name, sizeof (f->name), f->cuda),
			 "reading the name of GPU %u", ordinal);
  if (status == GOMP_OK)
    status = NVPTX_CALL (NULL, cuDeviceTotalMem_v2, (&memory, f->cuda),
			 "reading the memory size of GPU %u", ordinal);
  if (status == GOMP_OK)
    status = read_attributes (ordinal, f);
  if (status != GOMP_OK)
    return status;
  f->name[sizeof (f->name) - 1] = '\0';
  f->memory = memory;

  /* These two are nice to have.  The newer function tells the parts of a partitioned GPU apart.  */
  nvptx_device_uid (f->cuda, f->uid, sizeof (f->uid));
  if (nvptx_cuda.cuDeviceGetPCIBusId == NULL
      || nvptx_cuda.cuDeviceGetPCIBusId (f->pci, sizeof (f->pci), f->cuda) != CUDA_SUCCESS)
    f->pci[0] = '\0';
  f->pci[sizeof (f->pci) - 1] = '\0';
  snprintf (f->summary, sizeof (f->summary),
	    "compute capability %d.%d, %d multiprocessors at %d MHz%s%s%s", f->cc_major,
	    f->cc_minor, f->multiprocessors, f->clock_khz / 1000,
	    f->pci[0] != '\0' ? ", PCI " : "", f->pci,
	    f->compute_mode == CU_COMPUTEMODE_EXCLUSIVE_PROCESS ? ", for one process at a time" : "");
  return GOMP_OK;
}

/* What makes a device useless for us, or NULL.  */
static const char *
why_useless (const struct nvptx_facts *f)
{
  if (f->compute_mode == CU_COMPUTEMODE_PROHIBITED)
    return "its compute mode is `prohibited' (nvidia-smi -c)";
  if (f->warp_size != 32)
    return "its warps do not have 32 threads";
  if (!f->unified_addressing || !f->can_map_host)
    return "host and device have no common addresses";
  return NULL;
}

/* Read the facts of all devices of the driver, of which there are COUNT.  */
static gomp_status_t
find_devices (unsigned count)
{
  gomp_status_t status = GOMP_OK, first = GOMP_OK;

  facts = calloc (count, sizeof (facts[0]));
  if (facts == NULL)
    {
      nvptx_core->set_error ("out of host memory");
      return GOMP_OUT_OF_HOST_MEMORY;
    }
  for (unsigned i = 0; i < count; i++)
    {
      struct nvptx_facts *f = &facts[num_facts];
      const char *useless = NULL;
      status = read_facts (i, f);
      if (status == GOMP_OK && (useless = why_useless (f)) != NULL)
	{
	  nvptx_core->set_error ("GPU %u (%s): %s", i, f->name, useless);
	  status = GOMP_NO_DEVICE;
	}
      if (status != GOMP_OK)
	{
	  /* The reason stays in the text if there is no other device.  */
	  if (first == GOMP_OK)
	    first = status;
	  plugin_line ("GPU %u is left out: %s", i,
		       useless != NULL ? useless : "the driver does not answer about it");
	  nvptx_core->debug (1, "nvptx: GPU %u is left out", i);
	  continue;
	}
      plugin_line ("device %u is GPU %u: %s", num_facts, i, f->summary);
      num_facts++;
    }
  return num_facts > 0 ? GOMP_OK : first;
}

/* There is a driver, but no device: is that what the user has ordered?  */
static gomp_status_t
no_device (const char *why)
{
  const char *visible = nvptx_core->getenv ("CUDA_VISIBLE_DEVICES", false);
  if (visible != NULL)
    nvptx_core->set_error ("%s; CUDA_VISIBLE_DEVICES is `%s'", why, visible);
  else
    nvptx_core->set_error ("%s", why);
  return GOMP_NO_DEVICE;
}

static void child_of_fork (void);

static gomp_status_t
nvptx_init (const struct gomp_plugin_core *core, unsigned *num_devices)
{
  int count = 0;

  nvptx_core = core;
  *num_devices = 0;
  gomp_status_t status = nvptx_driver_load ();
  if (status != GOMP_OK)
    return status;
  CUresult result = nvptx_cuda.cuInit (0);
  if (result == CUDA_ERROR_NO_DEVICE)
    return no_device ("the CUDA driver finds no device");
  status = nvptx_check (NULL, result, "cuInit", "starting the CUDA driver");
  if (status == GOMP_OK)
    status = NVPTX_CALL (NULL, cuDriverGetVersion, (&nvptx_driver_version),
			 "reading the version of the CUDA driver");
  if (status != GOMP_OK)
    return status;
  describe_driver ();
  status = NVPTX_CALL (NULL, cuDeviceGetCount, (&count), "counting the devices");
  if (status != GOMP_OK)
    return status;
  if (count <= 0)
    return no_device ("the CUDA driver finds no device");
  if (count > NVPTX_MAX_DEVICES)
    {
      plugin_line ("%d devices are left out: %d can be used", count - NVPTX_MAX_DEVICES,
		   NVPTX_MAX_DEVICES);
      count = NVPTX_MAX_DEVICES;
    }
  status = read_settings ();
  if (status == GOMP_OK)
    status = nvptx_link_init (core);
  if (status == GOMP_OK)
    status = nvptx_subst_init (core);
  if (status == GOMP_OK)
    status = nvptx_tune_init (core);
  if (status == GOMP_OK)
    status = nvptx_lanes_init (core);
  if (status == GOMP_OK)
    status = find_devices (count);
  if (status != GOMP_OK)
    return status;
  pthread_atfork (NULL, NULL, child_of_fork);
  *num_devices = num_facts;
  return GOMP_OK;
}

/* The device's own architecture and those for which compilers make code that it runs.  */
static void
list_isas (const struct nvptx_facts *f, char *text, size_t size)
{
  static const int known[] = { 90, 89, 80, 75, 70, 61, 53, 52, 50, 37, 35, 30 };
  int own = 10 * f->cc_major + f->cc_minor;
  size_t n = snprintf (text, size, "sm_%d", own);

  for (size_t i = 0; i < sizeof (known) / sizeof (known[0]) && n < size; i++)
    if (known[i] < own)
      n += snprintf (text + n, size - n, ",sm_%d", known[i]);
}

static gomp_status_t
nvptx_device_attr (unsigned ordinal, struct gomp_device_attr *attr)
{
  const struct nvptx_facts *f = &facts[ordinal];

  memset (attr, 0, sizeof (*attr));
  snprintf (attr->name, sizeof (attr->name), "%s", f->name);
  snprintf (attr->uid, sizeof (attr->uid), "%s", f->uid);
  attr->caps = GOMP_CAP_PEER_COPY | GOMP_CAP_PINNED_FASTER | GOMP_CAP_REVERSE_OFFLOAD
	       | GOMP_CAP_FOLLOW
	       /* Where the GPU reads any memory itself, the driver need not.  */
	       | (f->pageable_access ? GOMP_CAP_SHARED_MEMORY : GOMP_CAP_TAKES_ALONG);
  if (!f->pageable_access)
    snprintf (attr->no_shared_memory, sizeof (attr->no_shared_memory),
	      "%.48s cannot use all of the host's memory (PAGEABLE_MEMORY_ACCESS is 0)", f->name);
  attr->memory_size = f->memory;
  attr->driver_version = nvptx_driver_version;
  /* Measured on an H100: an empty kernel until its word is seen; 64 bytes until they are there; 256 MB
     of pinned memory.  */
  attr->launch_latency_ns = 6500;
  attr->copy_latency_ns = 5500;
  attr->copy_bandwidth = UINT64_C (55000000000);
  attr->coalesce_max = 16u << 10;
  attr->chunk_min = 1u << 20;
  /* cuMemAlloc's blocks are multiples of 2 MiB, and cost 60 us to make and free.  */
  attr->mem_align = 256;
  attr->arena_step = 32u << 20;
  attr->multiprocessors = f->multiprocessors;
  attr->max_threads_per_team = f->max_threads_per_block / f->warp_size;
  snprintf (attr->kind, sizeof (attr->kind), "gpu");
  snprintf (attr->vendor, sizeof (attr->vendor), "nvidia");
  attr->vendor_id = 11;
  snprintf (attr->arch, sizeof (attr->arch), "nvptx,nvptx64");
  list_isas (f, attr->isa, sizeof (attr->isa));
  attr->foreign_runtimes = (1u << GOMP_RUNTIME_CUDA | 1u << GOMP_RUNTIME_CUDA_DRIVER
			    | 1u << GOMP_RUNTIME_HIP);
  attr->default_runtime = GOMP_RUNTIME_CUDA;
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
#define PART(name) { nvptx_##name##_open, nvptx_##name##_close },
  NVPTX_PARTS (PART)
#undef PART
};
enum { NUM_PARTS = sizeof (parts) / sizeof (parts[0]) };

/* The context's limits.  It may have been used before, by the program itself: what it has set larger
   stays, and what cannot be set any more is no reason to do without the device.  */
static void
set_limits (struct gomp_plugin_device *dev)
{
  const struct nvptx_facts *f = dev->facts;
  /* GCC's device library allocates something for every team and parallel region.  */
  const size_t heap = limits.heap != 0 ? limits.heap : (size_t) f->multiprocessors << 18;
  const struct { int limit; size_t value; const char *what; } rows[] =
  {
    { CU_LIMIT_STACK_SIZE, limits.stack, "stack of a thread" },
    { CU_LIMIT_MALLOC_HEAP_SIZE, heap, "heap of the device" }
  };

  dev->stack_set = limits.stack;
  for (size_t i = 0; i < sizeof (rows) / sizeof (rows[0]); i++)
    {
      size_t now = 0;
      if (rows[i].value == 0
	  || (nvptx_cuda.cuCtxGetLimit (&now, rows[i].limit) == CUDA_SUCCESS
	      && now >= rows[i].value))
	continue;
      CUresult result = nvptx_cuda.cuCtxSetLimit (rows[i].limit, rows[i].value);
      if (nvptx_check_quiet (dev, result) != GOMP_OK)
	nvptx_note (dev, "the %s cannot be set to %zu bytes: %s", rows[i].what, rows[i].value,
		    nvptx_error_text (result));
    }
}

static void
nvptx_device_close (struct gomp_plugin_device *dev, bool exiting)
{
  struct nvptx_scope scope;

  pthread_mutex_lock (&open_lock);
  if (open_devices[dev->ordinal] == dev)
    {
      open_devices[dev->ordinal] = NULL;
      /* Its next context will not be one that the others can reach.  */
      for (unsigned i = 0; i < NVPTX_MAX_DEVICES; i++)
	if (open_devices[i] != NULL)
	  atomic_fetch_and_explicit (&open_devices[i]->xpeers, ~(UINT64_C (1) << dev->ordinal),
				     memory_order_relaxed);	/* nobody uses it now */
    }
  pthread_mutex_unlock (&open_lock);

  bool entered = !nvptx_is_lost (dev) && nvptx_enter (dev, &scope) == GOMP_OK;
  for (int i = NUM_PARTS; i-- > 0; )
    parts[i].close (dev, exiting);
  if (entered)
    nvptx_leave (dev, &scope);
  if (exiting)
    return;			/* other threads may still be in calls */
  /* Relaxed: no other thread uses the device.  */
  if (atomic_load_explicit (&dev->xlost, memory_order_relaxed) != NVPTX_FORKED)
    (void) nvptx_check_quiet (dev, nvptx_cuda.cuDevicePrimaryCtxRelease_v2 (dev->cuda));
  pthread_mutex_destroy (&dev->lock);
  plugin_lines_free (dev->notes);
  free (dev);
}

static gomp_status_t
nvptx_device_open (unsigned ordinal, void *core_device, struct gomp_plugin_device **result)
{
  struct nvptx_scope scope;
  struct gomp_plugin_device *dev = calloc (1, sizeof (*dev));

  if (dev == NULL)
    {
      nvptx_core->set_error ("out of host memory");
      return GOMP_OUT_OF_HOST_MEMORY;
    }
  dev->ordinal = ordinal;
  dev->facts = &facts[ordinal];
  dev->cuda = dev->facts->cuda;
  dev->core_device = core_device;
  const char *exclusive = dev->facts->compute_mode == CU_COMPUTEMODE_EXCLUSIVE_PROCESS
			  ? " on a device for one process at a time" : "";
  gomp_status_t status = NVPTX_CALL (NULL, cuDevicePrimaryCtxRetain, (&dev->context, dev->cuda),
				     "making a context%s", exclusive);
  if (status != GOMP_OK)
    {
      free (dev);
      return status;
    }
  pthread_mutex_init (&dev->lock, NULL);
  dev->calls.lock = &dev->lock;
  pthread_mutex_lock (&open_lock);
  open_devices[ordinal] = dev;
  pthread_mutex_unlock (&open_lock);

  status = nvptx_enter (dev, &scope);
  if (status == GOMP_OK)
    {
      set_limits (dev);
      status = nvptx_alive (dev);
      for (int i = 0; i < NUM_PARTS && status == GOMP_OK; i++)
	status = parts[i].open (dev);
      nvptx_leave (dev, &scope);
    }
  if (status != GOMP_OK)
    {
      nvptx_device_close (dev, false);
      return status;
    }
  *result = dev;
  return GOMP_OK;
}

/* In a child of fork, before fork returns.  The driver does not work there.  */
static void
child_of_fork (void)
{
  pthread_mutex_init (&open_lock, NULL);
  nvptx_later_forked ();
  nvptx_parts_forked ();
  for (unsigned i = 0; i < NVPTX_MAX_DEVICES; i++)
    if (open_devices[i] != NULL)
      {
	/* Threads of the parent may have held it.  Relaxed: there are no others here.  */
	pthread_mutex_init (&open_devices[i]->lock, NULL);
	atomic_store_explicit (&open_devices[i]->xlost, NVPTX_FORKED, memory_order_relaxed);
	open_devices[i] = NULL;
      }
}

/* The driver tells neither address nor code.  */
static gomp_status_t
nvptx_device_fault (struct gomp_plugin_device *dev, struct gomp_fault *fault)
{
  if (!nvptx_is_lost (dev))
    return GOMP_NOT_FOUND;
  memset (fault, 0, sizeof (*fault));
  fault->has_function = nvptx_queue_suspect (dev, &fault->image, &fault->function);
  nvptx_explain_loss (dev, fault->text, sizeof (fault->text));
  return GOMP_OK;
}

const struct gomp_plugin GOMPX_plugin =
{
  .api_version = GOMP_PLUGIN_API_VERSION,
  .struct_size = sizeof (struct gomp_plugin),
  .name = "nvptx",
  .target_type = 5,
  .init = nvptx_init,
  .device_attr = nvptx_device_attr,
  .device_open = nvptx_device_open,
  .device_close = nvptx_device_close,
  .device_fault = nvptx_device_fault,
  .progress = nvptx_progress,
  .mem_alloc = nvptx_mem_alloc,
  .mem_free = nvptx_mem_free,
  .mem_info = nvptx_mem_info,
  .host_alloc = nvptx_host_alloc,
  .host_free = nvptx_host_free,
  .is_accessible = nvptx_is_accessible,
  .is_pinned = nvptx_is_pinned,
  .queue_create = nvptx_queue_create,
  .queue_destroy = nvptx_queue_destroy,
  .queue_flush = nvptx_queue_flush,
  .queue_wait = nvptx_queue_wait,
  .queue_wait_event = nvptx_queue_wait_event,
  .queue_follow = nvptx_queue_follow,
  .event_create = nvptx_event_create,
  .event_destroy = nvptx_event_destroy,
  .event_record = nvptx_event_record,
  .event_wait = nvptx_event_wait,
  .event_status = nvptx_event_status,
  .event_time = nvptx_event_time,
  .copy_h2d = nvptx_copy_h2d,
  .copy_d2h = nvptx_copy_d2h,
  .copy_d2d = nvptx_copy_d2d,
  .copy3d_h2d = nvptx_copy3d_h2d,
  .copy3d_d2h = nvptx_copy3d_d2h,
  .fill = nvptx_fill,
  .image_load = nvptx_image_load,
  .image_copy = nvptx_image_copy,
  .image_prepare = nvptx_image_prepare,
  .image_unload = nvptx_image_unload,
  .image_function = nvptx_image_function,
  .image_variable = nvptx_image_variable,
  .launch = nvptx_launch,
  .reverse_enable = nvptx_reverse_enable,
  .reverse_poll = nvptx_reverse_poll,
  .reverse_wait = nvptx_reverse_wait,
  .reverse_wake = nvptx_reverse_wake,
  .managed_alloc = nvptx_managed_alloc,
  .managed_free = nvptx_managed_free,
  .interop_create = nvptx_interop_create,
  .interop_sync = nvptx_interop_sync,
  .interop_destroy = nvptx_interop_destroy,
  .device_icvs = nvptx_device_icvs,
  .info = nvptx_info
};
