/* nvptx-setup.c -- what a device library finds in an image when it has been linked.

   A library expects of its host, each if the image has the variable (abi/nvptx sections 1.5, 1.6,
   4): the block of ICVs, the device number (GCC 12), the clock's tick, the map of indirect functions, the
   block for reverse offload; ours has one more, gompx_plugin (device-abi.h).  Then the constructors of
   device code run.

   Indirect functions.  GCC's libraries turn the map into their own table at the begin of every kernel, in
   one team that the others do not wait for.  A kernel of our own is linked to the image that
   makes them do it before any other kernel runs.

   Invariants
   1. Called once for an image, under its link_lock, before anybody else sees the module.
   2. Operations of this file use a stream of their own, and wait for that alone.

   Called by nvptx-image.c.  */

#include "nvptx-setup.h"
#include "nvptx-image.h"
#include "nvptx-parts.h"
#include "device-abi.h"
#include "slots-proto.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum
{
  WARP = 32,
  HELPER_STACK = 128 << 10	/* soft stack of kernels that this file starts */
};

/* The kernel that lets GCC's library make its table of indirect functions: it does what the begin of
   a kernel does, then calls the library.  One team, one warp.  */
#define MAP_KERNEL "gompx$build_indirect_map"
static const char map_kernel[]
  = "// BEGIN PREAMBLE\n"
    ".version 6.0\n"
    ".target sm_30\n"
    ".address_size 64\n"
    "// END PREAMBLE\n"
    "// BEGIN GLOBAL FUNCTION DECL: " NVPTX_MAP_BUILDER "\n"
    ".extern .func " NVPTX_MAP_BUILDER ";\n"
    "// BEGIN GLOBAL VAR DECL: __nvptx_stacks\n"
    ".extern .shared .u64 __nvptx_stacks[32];\n"
    "// BEGIN GLOBAL VAR DECL: __nvptx_uni\n"
    ".extern .shared .u32 __nvptx_uni[32];\n"
    "// BEGIN GLOBAL FUNCTION DEF: " MAP_KERNEL "\n"
    ".visible .entry " MAP_KERNEL " (.param .u64 %stack)\n"
    "{\n"
    ".reg .u64 %top;\n"
    ".reg .u32 %zero;\n"
    "ld.param.u64 %top, [%stack];\n"
    "st.shared.u64 [__nvptx_stacks], %top;\n"
    "mov.u32 %zero, 0;\n"
    "st.shared.u32 [__nvptx_uni], %zero;\n"
    "call " NVPTX_MAP_BUILDER ";\n"
    "ret;\n"
    "}\n";

struct nvptx_object
nvptx_setup_builder (void)
{
  return (struct nvptx_object) { map_kernel, sizeof (map_kernel) };
}

/* Find the variable NAME.  *ADDR is 0 if there is none.  *SIZE may be larger than LEAST.  */
static gomp_status_t
find_variable (struct nvptx_image *image, const char *name, size_t least, CUdeviceptr *addr)
{
  size_t size = 0;
  CUdeviceptr found = 0;
  CUresult result = nvptx_cuda.cuModuleGetGlobal_v2 (&found, &size, image->shared.module, name);
  *addr = 0;
  if (result == CUDA_ERROR_NOT_FOUND)
    return GOMP_OK;
  gomp_status_t status = nvptx_check (image->shared.dev, result, "cuModuleGetGlobal",
				      "looking for %s in the image of %s", name, image->path);
  if (status == GOMP_OK && size < least)
    {
      nvptx_core->set_error ("the variable %s in the image of %s has %zu bytes instead of %zu", name,
			     image->path, size, least);
      status = GOMP_BAD_IMAGE;
    }
  if (status == GOMP_OK)
    *addr = found;
  return status;
}

/* Copy SIZE bytes to ADDR; they are free to change when this returns.  */
gomp_status_t
nvptx_setup_write (struct nvptx_image *image, CUstream stream, CUdeviceptr addr, const void *data,
		   size_t size, const char *what)
{
  gomp_status_t status
    = NVPTX_CALL (image->shared.dev, cuMemcpyHtoDAsync_v2, (addr, data, size, stream),
		  "setting %s of the image of %s", what, image->path);
  if (status == GOMP_OK)
    status = NVPTX_CALL (image->shared.dev, cuStreamSynchronize, (stream),
			 "setting %s of the image of %s", what, image->path);
  return status;
}

gomp_status_t
nvptx_setup_read (struct nvptx_image *image, CUstream stream, void *data, CUdeviceptr addr,
		  size_t size, const char *what)
{
  gomp_status_t status
    = NVPTX_CALL (image->shared.dev, cuMemcpyDtoHAsync_v2, (data, addr, size, stream),
		  "reading %s of the image of %s", what, image->path);
  if (status == GOMP_OK)
    status = NVPTX_CALL (image->shared.dev, cuStreamSynchronize, (stream),
			 "reading %s of the image of %s", what, image->path);
  return status;
}

/* Set the variable NAME if the image has it.  */
static gomp_status_t
set_variable (struct nvptx_image *image, CUstream stream, const char *name, const void *data, size_t size)
{
  CUdeviceptr addr;
  gomp_status_t status = find_variable (image, name, size, &addr);
  return status == GOMP_OK && addr != 0
	 ? nvptx_setup_write (image, stream, addr, data, size, name) : status;
}

/* A kernel of this file is done, or has failed, or has not ended within LIMIT ms (0: no limit).  */
static CUresult
wait_helper (CUstream stream, unsigned limit)
{
  if (limit == 0)
    return nvptx_cuda.cuStreamSynchronize (stream);
  CUresult result = CUDA_ERROR_NOT_READY;
  for (unsigned i = 0; i < limit && (result = nvptx_cuda.cuStreamQuery (stream))
		       == CUDA_ERROR_NOT_READY; i++)
    nanosleep (&(struct timespec) { .tv_nsec = 1000000 }, NULL);
  return result;
}

/* Run FUNCTION once in THREADS threads, with the top of a soft stack as its parameter.  */
gomp_status_t
nvptx_setup_run (struct nvptx_image *image, CUstream stream, CUfunction function, unsigned threads,
		 unsigned limit, const char *what)
{
  struct gomp_plugin_device *dev = image->shared.dev;
  CUdeviceptr stack;
  gomp_status_t status = NVPTX_CALL (dev, cuMemAlloc_v2, (&stack, HELPER_STACK),
				     "making a stack for %s of the image of %s", what, image->path);
  if (status != GOMP_OK)
    return status;
  CUdeviceptr top = stack + HELPER_STACK;
  void *params[] = { &top };
  status = NVPTX_CALL (dev, cuLaunchKernel,
		       (function, 1, 1, 1, threads, 1, 1, 0, stream, params, NULL),
		       "starting %s of the image of %s", what, image->path);
  if (status == GOMP_OK)
    {
      CUresult result = wait_helper (stream, limit);
      /* Still running: it keeps its stack.  */
      if (result == CUDA_ERROR_NOT_READY)
	return GOMP_DRIVER_ERROR;
      status = nvptx_check (dev, result, "cuStreamSynchronize", "running %s of the image of %s",
			    what, image->path);
    }
  if (status != GOMP_DEVICE_LOST)
    nvptx_cuda.cuMemFree_v2 (stack);
  return status;
}

/* A function that the image need not have.  */
static gomp_status_t
find_function (struct nvptx_image *image, const char *name, CUfunction *function)
{
  CUresult result = nvptx_cuda.cuModuleGetFunction (function, image->shared.module, name);
  if (result == CUDA_SUCCESS)
    return GOMP_OK;
  *function = NULL;
  return result == CUDA_ERROR_NOT_FOUND ? GOMP_OK
	 : nvptx_check (image->shared.dev, result, "cuModuleGetFunction",
			"looking for %s in the image of %s", name, image->path);
}

static gomp_status_t
set_icvs (struct nvptx_image *image, CUstream stream)
{
  const struct gomp_device_icvs *icvs = &image->icvs;
  struct icv_block block = { icvs->device_num, icvs->default_device, icvs->nteams,
			     icvs->teams_thread_limit };
  double tick = 0;
  gomp_status_t status = find_variable (image, "__gomp_additional_icvs", sizeof (block),
					&image->icv_block);
  if (status == GOMP_OK && image->icv_block != 0)
    status = nvptx_setup_write (image, stream, image->icv_block, &block, sizeof (block), "the ICVs");
  if (status == GOMP_OK)	/* GCC 12 */
    status = set_variable (image, stream, "__gomp_device_num", &block.device_num,
			   sizeof (block.device_num));
  if (image->shared.dev->facts->clock_khz > 0)
    tick = 1e-3 / image->shared.dev->facts->clock_khz;
  if (status == GOMP_OK)
    status = set_variable (image, stream, "__nvptx_clocktick", &tick, sizeof (tick));
  return status;
}

static bool
is_true (const char *text)
{
  text += strspn (text, " \t");
  return strncasecmp (text, "true", 4) == 0 && text[4 + strspn (text + 4, " \t")] == 0;
}

/* Tell our library what holds for the process.  A library of another version may know less or more.  */
static gomp_status_t
set_plugin (struct nvptx_image *image, CUstream stream)
{
  const char *cancellation = nvptx_core->getenv ("OMP_CANCELLATION", false);
  const char *priority = nvptx_core->getenv ("OMP_MAX_TASK_PRIORITY", false);
  long greatest = priority != NULL ? strtol (priority, NULL, 10) : 0;
  const size_t tells_tasks = offsetof (struct gompx_plugin, launches_tell_tasks) + sizeof (uint32_t);
  struct gompx_plugin about =
    { .version = GOMPX_DEVICE_ABI,
      .cancellation = cancellation != NULL && is_true (cancellation),
      .max_task_priority = greatest > 0 && greatest <= INT32_MAX ? greatest : 0,
      .multiprocessors = image->shared.dev->facts->multiprocessors,
      .indirect_sorted = image->shared.our_library ? image->tables.num_indirect : 0,
      .launches_tell_tasks = 1 };
  size_t size = 0;
  CUdeviceptr addr = 0;
  CUresult result = nvptx_cuda.cuModuleGetGlobal_v2 (&addr, &size, image->shared.module,
						     GOMPX_PLUGIN_VARIABLE);
  if (result == CUDA_ERROR_NOT_FOUND)
    return GOMP_OK;
  gomp_status_t status = nvptx_check (image->shared.dev, result, "cuModuleGetGlobal",
				      "looking for " GOMPX_PLUGIN_VARIABLE " in the image of %s",
				      image->path);
  image->shared.knows_tasks = status == GOMP_OK && image->shared.our_tasks && size >= tells_tasks;
  return status != GOMP_OK ? status
	 : nvptx_setup_write (image, stream, addr, &about, size < sizeof (about) ? size : sizeof (about),
			      GOMPX_PLUGIN_VARIABLE);
}

/* Read the image's table NAME of NUM addresses into memory of malloc; *TABLE is NULL if the image has
   none.  */
static gomp_status_t
read_table (struct nvptx_image *image, CUstream stream, const char *name, size_t num, uint64_t **table)
{
  CUdeviceptr addr;
  *table = NULL;
  gomp_status_t status = find_variable (image, name, num * sizeof (**table), &addr);
  if (status != GOMP_OK || addr == 0)
    return status;
  *table = malloc (num * sizeof (**table));
  if (*table == NULL)
    {
      nvptx_core->set_error ("out of memory, while loading the image of %s", image->path);
      return GOMP_OUT_OF_HOST_MEMORY;
    }
  status = nvptx_setup_read (image, stream, *table, addr, num * sizeof (**table), name);
  if (status != GOMP_OK)
    {
      free (*table);
      *table = NULL;
    }
  return status;
}

static int
by_first (const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;
  return x < y ? -1 : x > y;
}

/* Give the device library its map from host to device addresses, and let it build its table.  */
static gomp_status_t
set_indirect (struct nvptx_image *image, CUstream stream)
{
  struct gomp_plugin_device *dev = image->shared.dev;
  size_t num = image->tables.num_indirect, size = (num + 1) * 2 * sizeof (uint64_t);
  CUdeviceptr variable;
  CUfunction builder;
  uint64_t *device;

  if (num == 0)
    return GOMP_OK;
  gomp_status_t status = find_variable (image, "__gomp_indirect_addr_map", 8, &variable);
  if (status != GOMP_OK || variable == 0)
    return status;		/* the program makes no indirect call */
  status = read_table (image, stream, "$offload_ind_func_table", num, &device);
  if (status != GOMP_OK)
    return status;
  if (device == NULL)
    {
      nvptx_core->set_error ("the image of %s has %zu indirect functions and no table of them",
			     image->path, num);
      return GOMP_BAD_IMAGE;
    }
  uint64_t *map = calloc (num + 1, 2 * sizeof (*map));	/* ends with zeros */
  if (map == NULL)
    {
      nvptx_core->set_error ("out of memory, while loading the image of %s", image->path);
      status = GOMP_OUT_OF_HOST_MEMORY;
    }
  for (size_t i = 0; status == GOMP_OK && i < num; i++)
    {
      map[2 * i] = image->host_indirect[i];
      map[2 * i + 1] = device[i];
    }
  if (status == GOMP_OK && image->shared.our_library)
    qsort (map, num, 2 * sizeof (*map), by_first);
  free (device);
  if (status == GOMP_OK)
    status = NVPTX_CALL (dev, cuMemAlloc_v2, (&image->indirect_map, size),
			 "making the map of indirect functions of the image of %s", image->path);
  if (status == GOMP_OK)
    status = nvptx_setup_write (image, stream, image->indirect_map, map, size,
				"the map of indirect functions");
  free (map);
  if (status == GOMP_OK)
    status = nvptx_setup_write (image, stream, variable, &image->indirect_map, 8,
				"the map of indirect functions");
  if (status == GOMP_OK)
    status = find_function (image, MAP_KERNEL, &builder);
  if (status == GOMP_OK && builder != NULL)
    status = nvptx_setup_run (image, stream, builder, WARP, 0, "the builder of indirect functions");
  return status;
}

/* The image's block in the area for reverse offload, 0 while there is none; under dev->lock.  */
CUdeviceptr
nvptx_setup_reverse (const struct nvptx_image *image)
{
  CUdeviceptr area = image->shared.dev->reverse_block;
  return area != 0 ? area + (CUdeviceptr) image->reverse_slot * NVPTX_REVERSE_STRIDE : 0;
}

/* Our library's variable for reverse offload, which modules may share.  It may be used by other parts of the library than
   reverse calls.  */
static gomp_status_t
set_slots (struct nvptx_image *image, CUstream stream)
{
  struct gomp_plugin_device *dev = image->shared.dev;
  CUdeviceptr variable = nvptx_parts_slots (image->parts), slots;

  gomp_status_t status = variable != 0 ? GOMP_OK : find_variable (image, GOMPX_REVERSE_VARIABLE, 8, &variable);
  if (status != GOMP_OK || variable == 0)
    return status;
  /* Whoever links that part of our library means to call.  */
  image->shared.calls_host = true;
  pthread_mutex_lock (&dev->lock);
  image->slots_variable = variable;
  slots = dev->reverse_slots;
  pthread_mutex_unlock (&dev->lock);
  return slots != 0 ? nvptx_setup_write (image, stream, variable, &slots, 8, GOMPX_REVERSE_VARIABLE)
	 : GOMP_OK;
}

/* Note by which addresses code of LOADED, which is IMAGE or stands for another module of it, means functions for the host.  *HAS: it can.  */
static gomp_status_t
note_callees (struct nvptx_image *image, struct nvptx_image *loaded, CUstream stream, bool *has)
{
  size_t num = image->tables.num_functions;
  uint64_t *table;

  gomp_status_t status = read_table (loaded, stream, "$offload_func_table", num, &table);
  *has = status == GOMP_OK && table != NULL;
  if (!*has)
    return status;
  bool noted = plugin_calls_note (&image->shared.dev->calls, &image->shared, table, num);
  free (table);
  if (noted)
    return GOMP_OK;
  nvptx_core->set_error ("out of memory, while loading the image of %s", image->path);
  return GOMP_OUT_OF_HOST_MEMORY;
}

/* The functions for the host, and the place of the block through which they are called.  */
static gomp_status_t
set_reverse (struct nvptx_image *image, CUstream stream)
{
  struct gomp_plugin_device *dev = image->shared.dev;
  CUdeviceptr variable, block = 0;
  bool has;

  gomp_status_t status = set_slots (image, stream);
  if (status != GOMP_OK || !image->shared.calls_host)
    return status;
  status = note_callees (image, image, stream, &has);
  if (status != GOMP_OK || !has)
    return status;
  status = find_variable (image, "__gomp_rev_offload_var", 8, &variable);
  pthread_mutex_lock (&dev->lock);
  if (status == GOMP_OK && variable != 0 && image->slots_variable == 0)
    {
      uint64_t used = atomic_load_explicit (&dev->xreverse_slots, memory_order_relaxed);
      if (used == UINT64_MAX)
	{
	  nvptx_core->set_error ("more than %d images have functions for reverse offload",
				 NVPTX_REVERSE_SLOTS);
	  status = GOMP_UNSUPPORTED;
	}
      else
	{
	  image->reverse_variable = variable;
	  image->reverse_slot = (unsigned) __builtin_ctzll (~used);
	  /* Relaxed: kernels of the image are launched later.  */
	  atomic_store_explicit (&dev->xreverse_slots, used | UINT64_C (1) << image->reverse_slot,
				 memory_order_relaxed);
	  block = nvptx_setup_reverse (image);
	}
    }
  pthread_mutex_unlock (&dev->lock);
  if (status == GOMP_OK && block != 0)
    status = nvptx_setup_write (image, stream, variable, &block, 8, "the block for reverse offload");
  return status;
}

static gomp_status_t
run_constructors (struct nvptx_image *image, CUstream stream)
{
  CUfunction constructors;
  gomp_status_t status = find_function (image, "__do_global_ctors__entry__mgomp", &constructors);
  if (status == GOMP_OK && constructors != NULL)
    status = nvptx_setup_run (image, stream, constructors, 1, 0, "the constructors");
  if (status == GOMP_OK)
    status = find_function (image, "__do_global_dtors__entry__mgomp", &image->destructors);
  return status;
}

gomp_status_t
nvptx_setup (struct nvptx_image *image)
{
  CUstream stream;
  gomp_status_t status = NVPTX_CALL (image->shared.dev, cuStreamCreate,
				     (&stream, CU_STREAM_NON_BLOCKING),
				     "making a stream to load the image of %s", image->path);
  if (status != GOMP_OK)
    return status;
  status = set_icvs (image, stream);
  if (status == GOMP_OK)
    status = set_plugin (image, stream);
  if (status == GOMP_OK)
    status = set_indirect (image, stream);
  if (status == GOMP_OK)
    status = set_reverse (image, stream);
  if (status == GOMP_OK)
    status = run_constructors (image, stream);
  if (status != GOMP_DEVICE_LOST)
    nvptx_cuda.cuStreamDestroy_v2 (stream);
  return status;
}

static gomp_status_t
set_up_second (struct nvptx_image *image, CUmodule module)
{
  bool has;
  struct nvptx_image second = { .tables = image->tables, .path = image->path, .icvs = image->icvs };
  CUstream stream;

  second.shared.dev = image->shared.dev;
  second.shared.module = module;
  second.shared.our_library = image->shared.our_library;
  gomp_status_t status = NVPTX_CALL (image->shared.dev, cuStreamCreate, (&stream, CU_STREAM_NON_BLOCKING),
				     "making a stream to load the image of %s", image->path);
  if (status != GOMP_OK)
    return status;
  status = set_icvs (&second, stream);
  if (status == GOMP_OK)
    status = set_plugin (&second, stream);
  if (status == GOMP_OK && image->shared.calls_host)	/* the last one: it can't be taken back */
    status = note_callees (image, &second, stream, &has);
  if (status != GOMP_DEVICE_LOST)
    nvptx_cuda.cuStreamDestroy_v2 (stream);
  return status;
}

gomp_status_t
nvptx_setup_loaded (struct nvptx_image *image, CUmodule module)
{
  bool first = image->shared.module == NULL;

  if (first)
    image->shared.module = module;
  gomp_status_t status = first ? nvptx_setup (image) : set_up_second (image, module);
  if (status != GOMP_OK)
    {
      if (first)
	{
	  image->shared.module = NULL;
	  plugin_calls_forget (&image->shared.dev->calls, &image->shared);
	}
      if (!nvptx_is_lost (image->shared.dev))
	(void) nvptx_check_quiet (image->shared.dev, nvptx_cuda.cuModuleUnload (module));
    }
  return status;
}
