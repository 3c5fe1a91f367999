/* plugin-nvptx.c -- NVIDIA GPUs: the ops table, finding devices, their life.

   init loads the driver, initialises it (cuInit: the driver looks at all devices, which costs some
   10 to 100 ms and cannot be avoided by anyone who wants to know how many there are) and reads
   the devices' attributes.  No context is made: that happens in device_open, at the first use.

   A device's context is its primary one, the same that programs with CUDA code of their own use, so
   that pointers and streams can be exchanged with them.

   Invariants
   1. facts and num_facts are written by init only.
   2. open_devices is protected by open_lock; it is for fork's child, which has to find them.  */

#include "nvptx.h"
#include "nvptx-link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct nvptx_facts *facts;
static unsigned num_facts;

static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static struct gomp_plugin_device *open_devices[NVPTX_MAX_DEVICES];

/* ---- finding devices ---- */

/* "GPU-" and the bytes, as GCC 15's libgomp has them: one dash less than nvidia-smi.  */
static void
format_uid (const CUuuid *uuid, char *text, size_t size)
{
  const unsigned char *b = uuid->bytes;
  snprintf (text, size, "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x%02x%02x",
	    b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12],
	    b[13], b[14], b[15]);
}

static gomp_status_t
read_attributes (struct nvptx_facts *f)
{
  int integrated = 0, map_host = 0, concurrent = 0, unified = 0, managed = 0, concurrent_managed = 0;
  int pageable = 0, host_tables = 0, pools = 0, timeout = 0;
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
    { CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, &f->max_threads_per_multiprocessor, true },
    { CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, &f->max_grid_x, true },
    { CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, &f->registers_per_block, true },
    { CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, &f->registers_per_multiprocessor, true },
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
					  "reading attribute %d of device %u", rows[i].attribute,
					  f->ordinal);
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
  f->memory_pools = pools != 0;
  f->timeout = timeout != 0;
  return GOMP_OK;
}

static gomp_status_t
read_facts (unsigned ordinal, struct nvptx_facts *f)
{
  size_t memory = 0;
  CUuuid uuid;

  memset (f, 0, sizeof (*f));
  f->ordinal = ordinal;
  gomp_status_t status = NVPTX_CALL (NULL, cuDeviceGet, (&f->cuda, (int) ordinal),
				     "looking at device %u", ordinal);
  if (status == GOMP_OK)
    status = NVPTX_CALL (NULL, cuDeviceGetName, (f->name, sizeof (f->name), f->cuda),
			 "reading the name of device %u", ordinal);
  if (status == GOMP_OK)
    status = NVPTX_CALL (NULL, cuDeviceTotalMem_v2, (&memory, f->cuda),
			 "reading the memory size of device %u", ordinal);
  if (status == GOMP_OK)
    status = read_attributes (f);
  if (status != GOMP_OK)
    return status;
  f->name[sizeof (f->name) - 1] = '\0';
  f->memory = memory;

  /* These two are nice to have.  The newer function tells the parts of a partitioned GPU apart.  */
  CUresult (*get_uuid) (CUuuid *, CUdevice) = nvptx_cuda.cuDeviceGetUuid_v2 != NULL
					      ? nvptx_cuda.cuDeviceGetUuid_v2
					      : nvptx_cuda.cuDeviceGetUuid;
  if (get_uuid != NULL && get_uuid (&uuid, f->cuda) == CUDA_SUCCESS)
    format_uid (&uuid, f->uid, sizeof (f->uid));
  if (nvptx_cuda.cuDeviceGetPCIBusId == NULL
      || nvptx_cuda.cuDeviceGetPCIBusId (f->pci, sizeof (f->pci), f->cuda) != CUDA_SUCCESS)
    f->pci[0] = '\0';
  return GOMP_OK;
}

static void child_of_fork (void);

static gomp_status_t
nvptx_init (const struct gomp_plugin_core *core, unsigned *num_devices)
{
  int count = 0;

  nvptx_core = core;
  *num_devices = 0;
  gomp_status_t status = nvptx_driver_load ();
  if (status == GOMP_OK)
    status = NVPTX_CALL (NULL, cuInit, (0), "starting the CUDA driver");
  if (status == GOMP_OK)
    status = NVPTX_CALL (NULL, cuDriverGetVersion, (&nvptx_driver_version),
			 "reading the version of the CUDA driver");
  if (status == GOMP_OK)
    status = NVPTX_CALL (NULL, cuDeviceGetCount, (&count), "counting the devices");
  if (status != GOMP_OK)
    return status;
  if (count <= 0)
    {
      const char *visible = core->getenv ("CUDA_VISIBLE_DEVICES", false);
      if (visible != NULL)
	core->set_error ("the CUDA driver shows no device, CUDA_VISIBLE_DEVICES is `%s'", visible);
      else
	core->set_error ("the CUDA driver knows no device");
      return GOMP_NO_DEVICE;
    }
  if (count > NVPTX_MAX_DEVICES)
    count = NVPTX_MAX_DEVICES;
  status = nvptx_link_init (core);
  if (status != GOMP_OK)
    return status;

  facts = calloc (count, sizeof (facts[0]));
  if (facts == NULL)
    {
      core->set_error ("out of host memory");
      return GOMP_OUT_OF_HOST_MEMORY;
    }
  for (int i = 0; i < count && status == GOMP_OK; i++)
    status = read_facts (i, &facts[i]);
  if (status != GOMP_OK)
    return status;
  pthread_atfork (NULL, NULL, child_of_fork);
  num_facts = count;
  *num_devices = num_facts;
  return GOMP_OK;
}

static void
nvptx_fini (bool exiting)
{
  (void) exiting;
}

static gomp_status_t
nvptx_device_attr (unsigned ordinal, struct gomp_device_attr *attr)
{
  const struct nvptx_facts *f = &facts[ordinal];

  memset (attr, 0, sizeof (*attr));
  snprintf (attr->name, sizeof (attr->name), "%s", f->name);
  snprintf (attr->uid, sizeof (attr->uid), "%s", f->uid);
  attr->caps = GOMP_CAP_PEER_COPY | GOMP_CAP_PINNED_FASTER | GOMP_CAP_REVERSE_OFFLOAD
	       | (f->pageable_access ? GOMP_CAP_SHARED_MEMORY : 0);
  attr->memory_size = f->memory;
  attr->launch_latency_ns = 6500;
  attr->copy_latency_ns = 5000;
  attr->copy_bandwidth = UINT64_C (50000000000);
  attr->coalesce_max = 16u << 10;
  attr->chunk_min = 1u << 20;
  attr->mem_align = 256;
  attr->arena_step = 32u << 20;
  attr->multiprocessors = f->multiprocessors;
  attr->max_threads_per_team = 32;
  snprintf (attr->kind, sizeof (attr->kind), "gpu");
  snprintf (attr->vendor, sizeof (attr->vendor), "nvidia");
  snprintf (attr->arch, sizeof (attr->arch), "nvptx,nvptx64");
  snprintf (attr->isa, sizeof (attr->isa), "sm_%d%d", f->cc_major, f->cc_minor);
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

static void
nvptx_device_close (struct gomp_plugin_device *dev, bool exiting)
{
  pthread_mutex_lock (&open_lock);
  if (open_devices[dev->ordinal] == dev)
    open_devices[dev->ordinal] = NULL;
  pthread_mutex_unlock (&open_lock);

  struct nvptx_scope scope;
  bool entered = nvptx_enter (dev, &scope) == GOMP_OK;
  for (int i = NUM_PARTS; i-- > 0; )
    parts[i].close (dev, exiting);
  if (entered)
    nvptx_leave (dev, &scope);
  if (exiting)
    return;			/* other threads may still be in calls */
  if (atomic_load_explicit (&dev->xlost, memory_order_relaxed) != NVPTX_FORKED)
    (void) nvptx_cuda.cuDevicePrimaryCtxRelease_v2 (dev->cuda);
  pthread_mutex_destroy (&dev->lock);
  free (dev);
}

static gomp_status_t
nvptx_device_open (unsigned ordinal, void *core_device, struct gomp_plugin_device **result)
{
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

  gomp_status_t status = NVPTX_CALL (NULL, cuDevicePrimaryCtxRetain, (&dev->context, dev->cuda),
				     "opening device %u", ordinal);
  if (status != GOMP_OK)
    {
      free (dev);
      return status;
    }
  pthread_mutex_init (&dev->lock, NULL);
  pthread_mutex_lock (&open_lock);
  open_devices[ordinal] = dev;
  pthread_mutex_unlock (&open_lock);

  struct nvptx_scope scope;
  status = nvptx_enter (dev, &scope);
  for (int i = 0; i < NUM_PARTS && status == GOMP_OK; i++)
    status = parts[i].open (dev);
  nvptx_leave (dev, &scope);
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
  for (unsigned i = 0; i < NVPTX_MAX_DEVICES; i++)
    if (open_devices[i] != NULL)
      {
	pthread_mutex_init (&open_devices[i]->lock, NULL);
	atomic_store_explicit (&open_devices[i]->xlost, NVPTX_FORKED, memory_order_relaxed);
	open_devices[i] = NULL;
      }
}

static gomp_status_t
nvptx_device_fault (struct gomp_plugin_device *dev, struct gomp_fault *fault)
{
  int lost = atomic_load_explicit (&dev->xlost, memory_order_relaxed);
  if (lost == 0)
    return GOMP_NOT_FOUND;
  memset (fault, 0, sizeof (*fault));
  snprintf (fault->text, sizeof (fault->text), "%s (%s)", nvptx_error_text (lost),
	    nvptx_error_name (lost));
  return GOMP_OK;
}

const struct gomp_plugin GOMPX_plugin =
{
  .api_version = GOMP_PLUGIN_API_VERSION,
  .struct_size = sizeof (struct gomp_plugin),
  .name = "nvptx",
  .target_type = 5,
  .init = nvptx_init,
  .fini = nvptx_fini,
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
  .device_icvs = nvptx_device_icvs
};
