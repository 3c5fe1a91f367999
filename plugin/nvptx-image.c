/* nvptx-image.c -- images: tables, kernels, variables, and what a device library finds in them.

   An image is linked when something of it is needed that only the linked module has: the first kernel
   that is launched, or the address of the first variable.  Until then it is known by its tables alone
   (nvptx-decode.c), so that a program that opens a device and launches nothing there pays for no
   compiler.  Programs with declare target variables pay at loading: the core enters variables into
   its map then.

   Linking ends with what the image's device library expects of its host (abi/nvptx sections 1.5, 1.6,
   4), each if the image has the variable: the block of ICVs, the device number (GCC 12), the clock's
   tick, the map of indirect functions, the block for reverse offload; then the constructors of
   device code run.

   Indirect functions.  GCC's libraries turn the map into their own table at the begin of every kernel, in
   one team that the others do not wait for.  A kernel of our own is linked to the image that
   makes them do it before any other kernel runs.

   Invariants
   1. xstate goes from UNLINKED to LINKED or to FAILED once, under link_lock; everything else that
      linking makes is written before and does not change until the image is unloaded.
   2. A failure to link is remembered: it is not tried again.
   3. A kernel's fields are valid once its xready is set (release), which needs link_lock.
   4. Operations of this file use a stream of their own, and wait for that alone.  */

#include "nvptx-code.h"
#include "nvptx-image.h"
#include "nvptx-decode.h"
#include "nvptx-link.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum link_state { UNLINKED, LINKED, FAILED };

struct host_function
{
  uint64_t address;		/* on the device */
  size_t index;
};

struct image
{
  struct gomp_plugin_image shared;	/* first: this is what others see */
  struct nvptx_tables tables;
  const char *path;		/* the module, for messages */
  const uint64_t *host_indirect;	/* [num_indirect] */
  struct gomp_device_icvs icvs;	/* as image_load got them */
  _Atomic int *xready;		/* [num_kernels]: nvptx_kernel is filled */

  pthread_mutex_t link_lock;	/* held while driver calls are made: not a leaf */
  _Atomic int xstate;		/* enum link_state; written under link_lock */
  gomp_status_t failure;	/* FAILED: how; under link_lock */

  CUdeviceptr icv_block;	/* 0: the image has none */
  bool sets_icvs;		/* device code can change them */
  CUdeviceptr indirect_map;
  CUfunction destructors;	/* NULL: none */

  /* Under dev->lock, for nvptx-reverse.c.  */
  CUdeviceptr reverse_variable;	/* 0: not linked, or it has none */
  unsigned reverse_slot;	/* its block, when it has the variable */
  struct host_function *host_functions;	/* by address */
  size_t num_host_functions;
};

static struct image *
image_of (struct gomp_plugin_image *shared)
{
  return (struct image *) shared;
}

/* GCC's block of ICVs on the device.  */
struct icv_block
{
  int32_t device_num, default_device, nteams, teams_thread_limit;
};

enum
{
  WARP = 32,
  HELPER_STACK = 128 << 10,	/* soft stack of kernels that this file starts */
  EXIT_WAIT = 500		/* ms that destructors get when the process ends */
};

/* The kernel that lets GCC's library make its table of indirect functions: it does what the begin of
   a kernel does, then calls the library.  One team, one warp.  */
#define MAP_BUILDER "build_indirect_map"
#define MAP_KERNEL "gompx$build_indirect_map"
static const char map_kernel[]
  = "// BEGIN PREAMBLE\n"
    ".version 6.0\n"
    ".target sm_30\n"
    ".address_size 64\n"
    "// END PREAMBLE\n"
    "// BEGIN GLOBAL FUNCTION DECL: " MAP_BUILDER "\n"
    ".extern .func " MAP_BUILDER ";\n"
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
    "call " MAP_BUILDER ";\n"
    "ret;\n"
    "}\n";

/* ---- the parts of linking ---- */

/* Find the variable NAME.  *ADDR is 0 if there is none.  *SIZE may be larger than LEAST.  */
static gomp_status_t
find_variable (struct image *image, const char *name, size_t least, CUdeviceptr *addr)
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
static gomp_status_t
write_device (struct image *image, CUstream stream, CUdeviceptr addr, const void *data, size_t size,
	      const char *what)
{
  gomp_status_t status
    = NVPTX_CALL (image->shared.dev, cuMemcpyHtoDAsync_v2, (addr, data, size, stream),
		  "setting %s of the image of %s", what, image->path);
  if (status == GOMP_OK)
    status = NVPTX_CALL (image->shared.dev, cuStreamSynchronize, (stream),
			 "setting %s of the image of %s", what, image->path);
  return status;
}

static gomp_status_t
read_device (struct image *image, CUstream stream, void *data, CUdeviceptr addr, size_t size,
	     const char *what)
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
set_variable (struct image *image, CUstream stream, const char *name, const void *data, size_t size)
{
  CUdeviceptr addr;
  gomp_status_t status = find_variable (image, name, size, &addr);
  return status == GOMP_OK && addr != 0
	 ? write_device (image, stream, addr, data, size, name) : status;
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
static gomp_status_t
run_helper (struct image *image, CUstream stream, CUfunction function, unsigned threads,
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
find_function (struct image *image, const char *name, CUfunction *function)
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
set_icvs (struct image *image, CUstream stream)
{
  const struct gomp_device_icvs *icvs = &image->icvs;
  struct icv_block block = { icvs->device_num, icvs->default_device, icvs->nteams,
			     icvs->teams_thread_limit };
  double tick = 0;
  gomp_status_t status = find_variable (image, "__gomp_additional_icvs", sizeof (block),
					&image->icv_block);
  if (status == GOMP_OK && image->icv_block != 0)
    status = write_device (image, stream, image->icv_block, &block, sizeof (block), "the ICVs");
  if (status == GOMP_OK)	/* GCC 12 */
    status = set_variable (image, stream, "__gomp_device_num", &block.device_num,
			   sizeof (block.device_num));
  if (image->shared.dev->facts->clock_khz > 0)
    tick = 1e-3 / image->shared.dev->facts->clock_khz;
  if (status == GOMP_OK)
    status = set_variable (image, stream, "__nvptx_clocktick", &tick, sizeof (tick));
  return status;
}

/* Read the image's table NAME of NUM addresses into memory of malloc; *TABLE is NULL if the image has
   none.  */
static gomp_status_t
read_table (struct image *image, CUstream stream, const char *name, size_t num, uint64_t **table)
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
  status = read_device (image, stream, *table, addr, num * sizeof (**table), name);
  if (status != GOMP_OK)
    {
      free (*table);
      *table = NULL;
    }
  return status;
}

/* Give the device library its map from host to device addresses, and let it build its table.  */
static gomp_status_t
set_indirect (struct image *image, CUstream stream)
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
  free (device);
  if (status == GOMP_OK)
    status = NVPTX_CALL (dev, cuMemAlloc_v2, (&image->indirect_map, size),
			 "making the map of indirect functions of the image of %s", image->path);
  if (status == GOMP_OK)
    status = write_device (image, stream, image->indirect_map, map, size,
			   "the map of indirect functions");
  free (map);
  if (status == GOMP_OK)
    status = write_device (image, stream, variable, &image->indirect_map, 8,
			   "the map of indirect functions");
  if (status == GOMP_OK)
    status = find_function (image, MAP_KERNEL, &builder);
  if (status == GOMP_OK && builder != NULL)
    status = run_helper (image, stream, builder, WARP, 0, "the builder of indirect functions");
  return status;
}

static int
by_address (const void *a, const void *b)
{
  uint64_t x = ((const struct host_function *) a)->address;
  uint64_t y = ((const struct host_function *) b)->address;
  return x < y ? -1 : x > y;
}

/* The image's block in the area for reverse offload, 0 while there is none; under dev->lock.  */
static CUdeviceptr
reverse_block_of (const struct image *image)
{
  CUdeviceptr area = image->shared.dev->reverse_block;
  return area != 0 ? area + (CUdeviceptr) image->reverse_slot * NVPTX_REVERSE_STRIDE : 0;
}

/* The functions for the host, and the place of the block through which they are called.  */
static gomp_status_t
set_reverse (struct image *image, CUstream stream)
{
  struct gomp_plugin_device *dev = image->shared.dev;
  size_t num = image->tables.num_functions, n = 0;
  CUdeviceptr variable, block = 0;
  uint64_t *table;

  if (!image->shared.calls_host)
    return GOMP_OK;
  gomp_status_t status = read_table (image, stream, "$offload_func_table", num, &table);
  if (status != GOMP_OK || table == NULL)
    return status;
  struct host_function *functions = malloc (num * sizeof (*functions));
  if (functions == NULL)
    {
      free (table);
      nvptx_core->set_error ("out of memory, while loading the image of %s", image->path);
      return GOMP_OUT_OF_HOST_MEMORY;
    }
  for (size_t i = 0; i < num; i++)
    if (table[i] != 0)
      functions[n++] = (struct host_function) { table[i], i };
  free (table);
  qsort (functions, n, sizeof (*functions), by_address);

  status = find_variable (image, "__gomp_rev_offload_var", 8, &variable);
  pthread_mutex_lock (&dev->lock);
  image->host_functions = functions;
  image->num_host_functions = n;
  if (status == GOMP_OK && variable != 0)
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
	  block = reverse_block_of (image);
	}
    }
  pthread_mutex_unlock (&dev->lock);
  if (status == GOMP_OK && block != 0)
    status = write_device (image, stream, variable, &block, 8, "the block for reverse offload");
  return status;
}

static gomp_status_t
run_constructors (struct image *image, CUstream stream)
{
  CUfunction constructors;
  gomp_status_t status = find_function (image, "__do_global_ctors__entry__mgomp", &constructors);
  if (status == GOMP_OK && constructors != NULL)
    status = run_helper (image, stream, constructors, 1, 0, "the constructors");
  if (status == GOMP_OK)
    status = find_function (image, "__do_global_dtors__entry__mgomp", &image->destructors);
  return status;
}

/* ---- linking ---- */

static bool
any_defines (const struct nvptx_symbols *symbols, const char *name)
{
  return nvptx_symbol_defined (symbols, name, strlen (name), true) != NULL;
}

/* Does the program's own code refer to one of the functions that change ICVs?  */
static bool
changes_icvs (const struct nvptx_symbols *symbols)
{
  static const char *const setters[]
    = { "omp_set_num_teams", "omp_set_num_teams_", "omp_set_num_teams_8_",
	"omp_set_teams_thread_limit", "omp_set_teams_thread_limit_",
	"omp_set_teams_thread_limit_8_" };
  for (size_t i = 0; i < sizeof (setters) / sizeof (setters[0]); i++)
    if (nvptx_object_mentions (symbols, 0, setters[i]))
      return true;
  return false;
}

/* What the program's own object tells of its kernels.  */
static void
look_at_code (struct image *image)
{
  const struct nvptx_tables *t = &image->tables;
  const char **names = malloc ((t->num_functions + 1) * sizeof (*names));
  unsigned char *code = malloc (t->num_functions + 1);
  bool good = names != NULL && code != NULL;

  for (size_t i = 0; i < t->num_functions && good; i++)
    names[i] = t->functions[i].name;
  if (good)
    nvptx_code_look (t->objects[0].text, t->objects[0].size - 1, names, t->num_functions, code);
  for (size_t i = 0; i < t->num_functions; i++)
    image->shared.kernels[i].code = good ? code[i] : NVPTX_CODE_THREADS | NVPTX_CODE_SIMD;
  free (names);
  free (code);
}

/* Link the objects, with the map's builder if it is needed, and load the module.  */
static gomp_status_t
link_module (struct image *image)
{
  const struct nvptx_tables *t = &image->tables;
  struct nvptx_symbols symbols;
  struct nvptx_object *objects = malloc ((t->num_objects + 1) * sizeof (*objects));
  size_t num = t->num_objects;

  if (objects == NULL || !nvptx_symbols_find (t->objects, t->num_objects, &symbols))
    {
      free (objects);
      nvptx_core->set_error ("out of memory, while linking the image of %s", image->path);
      return GOMP_OUT_OF_HOST_MEMORY;
    }
  memcpy (objects, t->objects, num * sizeof (*objects));
  image->shared.gcc_library = any_defines (&symbols, "gomp_nvptx_main");
  image->shared.lowlat_pool = any_defines (&symbols, "__nvptx_lowlat_init");
  image->shared.prints = nvptx_object_prints (&symbols, 0);
  image->sets_icvs = changes_icvs (&symbols);
  look_at_code (image);
  if (t->num_indirect > 0
      && nvptx_symbol_defined (&symbols, MAP_BUILDER, strlen (MAP_BUILDER), false) != NULL)
    objects[num++] = (struct nvptx_object) { map_kernel, sizeof (map_kernel) };
  nvptx_symbols_free (&symbols);

  gomp_status_t status = nvptx_link (image->shared.dev, objects, num, image->path,
				     &image->shared.module);
  free (objects);
  return status;
}

static gomp_status_t
set_up_module (struct image *image)
{
  CUstream stream;
  gomp_status_t status = NVPTX_CALL (image->shared.dev, cuStreamCreate,
				     (&stream, CU_STREAM_NON_BLOCKING),
				     "making a stream to load the image of %s", image->path);
  if (status != GOMP_OK)
    return status;
  status = set_icvs (image, stream);
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
fill_kernel (struct image *image, struct nvptx_kernel *k)
{
  struct gomp_plugin_device *dev = image->shared.dev;
  const struct { int attribute, *value; } wanted[] =
    {
      { CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &k->max_threads },
      { CU_FUNC_ATTRIBUTE_NUM_REGS, &k->registers },
      { CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, &k->shared_bytes },
      { CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, &k->local_bytes }
    };
  gomp_status_t status = NVPTX_CALL (dev, cuModuleGetFunction,
				     (&k->function, image->shared.module, k->name),
				     "looking for the region %s in the image of %s", k->name,
				     image->path);
  for (size_t i = 0; status == GOMP_OK && i < sizeof (wanted) / sizeof (wanted[0]); i++)
    status = NVPTX_CALL (dev, cuFuncGetAttribute,
			 (wanted[i].value, wanted[i].attribute, k->function),
			 "asking about the region %s", k->name);
  if (status == GOMP_OK)
    nvptx_core->debug (2, "region %s: %d registers, %d + %d bytes shared and local, up to %d threads",
		       k->name, k->registers, k->shared_bytes, k->local_bytes, k->max_threads);
  return status == GOMP_NOT_FOUND ? GOMP_BAD_IMAGE : status;
}

/* The driver loads a kernel when it is first used, and lets threads' stacks grow when a kernel needs
   larger ones, and for that it may wait for all kernels that run, keeping every other call from the
   context meanwhile.  While a kernel waits for the host that would be for ever: so everything is
   loaded before the first kernel runs.  */
static gomp_status_t
load_kernels (struct image *image)
{
  struct gomp_plugin_device *dev = image->shared.dev;
  gomp_status_t status = GOMP_OK;
  size_t now = 0, most = 0;

  for (size_t i = 0; i < image->shared.num_kernels && status == GOMP_OK; i++)
    {
      struct nvptx_kernel *k = &image->shared.kernels[i];
      /* Relaxed: under link_lock.  */
      if (!k->is_kernel || atomic_load_explicit (&image->xready[i], memory_order_relaxed))
	continue;
      status = fill_kernel (image, k);
      if (status == GOMP_OK && nvptx_cuda.cuFuncLoad != NULL)
	status = NVPTX_CALL (dev, cuFuncLoad, (k->function), "loading the region %s", k->name);
      if (status == GOMP_OK)
	status = nvptx_launch_expect (dev, k);
      if (status == GOMP_OK)	/* release: the kernel's fields */
	atomic_store_explicit (&image->xready[i], 1, memory_order_release);
      if (k->local_bytes > 0 && (size_t) k->local_bytes > most)
	most = k->local_bytes;
    }
  if (status == GOMP_OK && most > 0
      && nvptx_cuda.cuCtxGetLimit (&now, CU_LIMIT_STACK_SIZE) == CUDA_SUCCESS && now < most)
    /* A limit that cannot be raised now is raised by the driver.  */
    (void) nvptx_check_quiet (dev, nvptx_cuda.cuCtxSetLimit (CU_LIMIT_STACK_SIZE,
							     (most + 511) & -512ul));
  return status;
}

static gomp_status_t
link_image (struct image *image)
{
  gomp_status_t status = link_module (image);
  if (status == GOMP_OK)
    status = set_up_module (image);
  /* Images that were linked before are seen to by nvptx_image_offer_reverse.  */
  if (status == GOMP_OK && (image->shared.calls_host || image->shared.dev->reverse != NULL))
    status = load_kernels (image);
  return status;
}

/* See to it that the image is linked.  The caller has entered the device.  */
static gomp_status_t
need_linked (struct image *image)
{
  /* Acquire: everything that linking has written.  */
  if (atomic_load_explicit (&image->xstate, memory_order_acquire) == LINKED)
    return GOMP_OK;
  pthread_mutex_lock (&image->link_lock);
  gomp_status_t status = GOMP_OK;
  switch (atomic_load_explicit (&image->xstate, memory_order_relaxed))	/* under the lock */
    {
    case LINKED:
      break;
    case FAILED:
      nvptx_core->set_error ("linking the image of %s has failed before", image->path);
      status = image->failure;
      break;
    default:
      status = link_image (image);
      image->failure = status;
      /* Release: whoever sees LINKED sees the module.  */
      atomic_store_explicit (&image->xstate, status == GOMP_OK ? LINKED : FAILED,
			     memory_order_release);
    }
  pthread_mutex_unlock (&image->link_lock);
  return status;
}

/* ---- kernels ---- */

struct nvptx_kernel *
nvptx_image_kernel (struct gomp_plugin_image *shared, size_t index, gomp_status_t *status)
{
  struct image *image = image_of (shared);
  *status = GOMP_OK;
  if (index >= shared->num_kernels || !shared->kernels[index].is_kernel)
    {
      nvptx_core->set_error ("the image of %s has no region %zu", image->path, index);
      *status = GOMP_NOT_FOUND;
      return NULL;
    }

  struct nvptx_kernel *k = &shared->kernels[index];
  /* Acquire: the kernel's fields.  */
  if (__builtin_expect (atomic_load_explicit (&image->xready[index], memory_order_acquire), 1))
    return k;
  struct nvptx_scope scope;
  *status = nvptx_enter (shared->dev, &scope);
  if (*status != GOMP_OK)
    return NULL;
  *status = need_linked (image);
  if (*status == GOMP_OK)
    {
      pthread_mutex_lock (&image->link_lock);
      /* Relaxed: under the lock.  */
      if (!atomic_load_explicit (&image->xready[index], memory_order_relaxed))
	*status = fill_kernel (image, k);
      if (*status == GOMP_OK)	/* release: the kernel's fields */
	atomic_store_explicit (&image->xready[index], 1, memory_order_release);
      pthread_mutex_unlock (&image->link_lock);
    }
  nvptx_leave (shared->dev, &scope);
  return *status == GOMP_OK ? k : NULL;
}

gomp_status_t
nvptx_image_function (struct gomp_plugin_image *shared, size_t index)
{
  return index < shared->num_kernels && shared->kernels[index].is_kernel ? GOMP_OK : GOMP_NOT_FOUND;
}

/* ---- variables ---- */

gomp_status_t
nvptx_image_variable (struct gomp_plugin_image *shared, size_t index, gomp_devptr_t *addr,
		      uint64_t *size)
{
  struct image *image = image_of (shared);
  struct nvptx_scope scope;

  if (index >= image->tables.num_vars)
    {
      nvptx_core->set_error ("the image of %s has no variable %zu", image->path, index);
      return GOMP_NOT_FOUND;
    }
  gomp_status_t status = nvptx_enter (shared->dev, &scope);
  if (status != GOMP_OK)
    return status;
  status = need_linked (image);
  if (status == GOMP_OK)
    {
      const char *name = image->tables.var_names[index];
      CUdeviceptr found = 0;
      size_t bytes = 0;
      status = NVPTX_CALL (shared->dev, cuModuleGetGlobal_v2, (&found, &bytes, shared->module, name),
			   "looking for the variable %s", name);
      /* The image promises it: this is not the same as having none.  */
      if (status == GOMP_NOT_FOUND)
	status = GOMP_BAD_IMAGE;
      if (status == GOMP_OK)
	{
	  *addr = found;
	  *size = bytes;
	}
    }
  nvptx_leave (shared->dev, &scope);
  return status;
}

/* The values that regions have left: of the last image that can change them.  Costs two driver calls
   where device code calls a function that sets one, nothing elsewhere.  */
gomp_status_t
nvptx_device_icvs (struct gomp_plugin_device *dev, struct gomp_device_icvs *icvs)
{
  struct image *image = NULL;
  struct nvptx_scope scope;
  struct icv_block block;
  CUstream stream;

  pthread_mutex_lock (&dev->lock);
  for (struct gomp_plugin_image *i = dev->images; i != NULL && image == NULL; i = i->next)
    /* Acquire: the fields that linking has written.  */
    if (atomic_load_explicit (&image_of (i)->xstate, memory_order_acquire) == LINKED
	&& image_of (i)->sets_icvs && image_of (i)->icv_block != 0)
      image = image_of (i);
  pthread_mutex_unlock (&dev->lock);
  if (image == NULL)
    return GOMP_UNSUPPORTED;	/* as they were at loading */

  gomp_status_t status = nvptx_enter (dev, &scope);
  if (status != GOMP_OK)
    return status;
  status = NVPTX_CALL (dev, cuStreamCreate, (&stream, CU_STREAM_NON_BLOCKING),
		       "making a stream to read the ICVs");
  if (status == GOMP_OK)
    {
      status = read_device (image, stream, &block, image->icv_block, sizeof (block), "the ICVs");
      if (status != GOMP_DEVICE_LOST)
	nvptx_cuda.cuStreamDestroy_v2 (stream);
    }
  if (status == GOMP_OK)
    {
      icvs->nteams = block.nteams;
      icvs->teams_thread_limit = block.teams_thread_limit;
    }
  nvptx_leave (dev, &scope);
  return status;
}

/* ---- reverse offload ---- */

gomp_status_t
nvptx_image_offer_reverse (struct gomp_plugin_device *dev, CUdeviceptr area)
{
  gomp_status_t status = GOMP_OK;
  struct gomp_plugin_image *i;
  CUstream stream;

  pthread_mutex_lock (&dev->lock);
  dev->reverse_block = area;
  i = dev->images;
  pthread_mutex_unlock (&dev->lock);
  /* Images come and go only while the core loads images of the device, which it is doing now.  Those
     that are being linked see the block.  */
  for (; i != NULL && status == GOMP_OK; i = i->next)
    {
      pthread_mutex_lock (&dev->lock);
      CUdeviceptr variable = image_of (i)->reverse_variable, block = reverse_block_of (image_of (i));
      pthread_mutex_unlock (&dev->lock);
      /* Loading code waits for running kernels, too.  What fails is told when the image is used.  */
      if (need_linked (image_of (i)) == GOMP_DEVICE_LOST)
	status = GOMP_DEVICE_LOST;
      pthread_mutex_lock (&image_of (i)->link_lock);
      if (status == GOMP_OK
	  && atomic_load_explicit (&image_of (i)->xstate, memory_order_relaxed) == LINKED)
	status = load_kernels (image_of (i));	/* relaxed: under the lock */
      pthread_mutex_unlock (&image_of (i)->link_lock);
      if (variable == 0 || status != GOMP_OK)
	continue;
      status = NVPTX_CALL (dev, cuStreamCreate, (&stream, CU_STREAM_NON_BLOCKING),
			   "making a stream to set up reverse offload");
      if (status == GOMP_OK)
	{
	  status = write_device (image_of (i), stream, variable, &block, 8,
				 "the block for reverse offload");
	  if (status != GOMP_DEVICE_LOST)
	    nvptx_cuda.cuStreamDestroy_v2 (stream);
	}
    }
  return status;
}

bool
nvptx_image_host_function (struct gomp_plugin_device *dev, uint64_t address,
			   struct gomp_plugin_image **image, size_t *index)
{
  const struct host_function key = { .address = address }, *found = NULL;

  pthread_mutex_lock (&dev->lock);
  for (struct gomp_plugin_image *i = dev->images; i != NULL && found == NULL; i = i->next)
    if (image_of (i)->num_host_functions > 0)
      {
	found = bsearch (&key, image_of (i)->host_functions, image_of (i)->num_host_functions,
			 sizeof (key), by_address);
	if (found != NULL)
	  {
	    *image = i;
	    *index = found->index;
	  }
      }
  pthread_mutex_unlock (&dev->lock);
  return found != NULL;
}

/* ---- loading and unloading ---- */

static void
free_image (struct image *image)
{
  for (size_t i = 0; i < image->shared.num_kernels && image->shared.kernels != NULL; i++)
    free (image->shared.kernels[i].shape);
  free (image->shared.kernels);
  free (image->xready);
  free (image->host_functions);
  pthread_mutex_destroy (&image->link_lock);
  free (image);
}

gomp_status_t
nvptx_image_load (struct gomp_plugin_device *dev, const struct gomp_image_desc *desc,
		  const struct gomp_device_icvs *icvs, struct gomp_plugin_image **result)
{
  struct nvptx_tables tables;
  char why[NVPTX_WHY];
  gomp_status_t status = nvptx_alive (dev);

  if (status != GOMP_OK)
    return status;
  if (!nvptx_decode (desc, &tables, why)
      || !nvptx_driver_knows (&tables, nvptx_driver_version, why))
    {
      nvptx_core->set_error ("it cannot be used: %s", why);
      return GOMP_BAD_IMAGE;
    }
  struct image *image = calloc (1, sizeof (*image));
  if (image == NULL)
    {
      nvptx_core->set_error ("out of memory, while loading an image");
      return GOMP_OUT_OF_HOST_MEMORY;
    }
  pthread_mutex_init (&image->link_lock, NULL);
  image->tables = tables;
  image->path = *desc->path ? desc->path : "the program";
  image->host_indirect = desc->host_ind_funcs;
  image->icvs = *icvs;
  image->shared.dev = dev;
  image->shared.lib_version = desc->lib_version;
  image->shared.num_kernels = tables.num_functions;
  /* One more than needed: calloc (0) may be NULL.  */
  image->shared.kernels = calloc (tables.num_functions + 1, sizeof (*image->shared.kernels));
  image->xready = calloc (tables.num_functions + 1, sizeof (*image->xready));
  if (image->shared.kernels == NULL || image->xready == NULL)
    {
      free_image (image);
      nvptx_core->set_error ("out of memory, while loading an image");
      return GOMP_OUT_OF_HOST_MEMORY;
    }
  for (size_t i = 0; i < tables.num_functions; i++)
    {
      struct nvptx_kernel *k = &image->shared.kernels[i];
      k->image = &image->shared;
      k->index = i;
      k->name = tables.functions[i].name;
      k->is_kernel = !nvptx_is_host_function (k->name);
      image->shared.calls_host |= !k->is_kernel;
    }

  pthread_mutex_lock (&dev->lock);
  image->shared.next = dev->images;
  dev->images = &image->shared;
  pthread_mutex_unlock (&dev->lock);
  nvptx_core->debug (1, "image of %s: %zu objects, %zu functions, %zu variables, %zu indirect "
		     "functions; not linked yet", image->path, tables.num_objects,
		     tables.num_functions, tables.num_vars, tables.num_indirect);
  *result = &image->shared;
  return GOMP_OK;
}

/* Undo linking.  The caller has entered the device, which lives.  LIMIT is what destructors get,
   in ms (0: no limit).  */
static gomp_status_t
unlink_image (struct image *image, unsigned limit, bool exiting)
{
  struct gomp_plugin_device *dev = image->shared.dev;
  gomp_status_t status = GOMP_OK;
  CUstream stream;

  if (image->destructors != NULL)
    {
      status = NVPTX_CALL (dev, cuStreamCreate, (&stream, CU_STREAM_NON_BLOCKING),
			   "making a stream for the destructors of the image of %s", image->path);
      if (status == GOMP_OK)
	{
	  status = run_helper (image, stream, image->destructors, 1, limit, "the destructors");
	  if (status == GOMP_OK && !exiting)
	    nvptx_cuda.cuStreamDestroy_v2 (stream);
	}
    }
  if (exiting || status == GOMP_DEVICE_LOST)
    return status;
  if (image->indirect_map != 0)
    {
      gomp_status_t s = NVPTX_CALL (dev, cuMemFree_v2, (image->indirect_map),
				    "unloading the image of %s", image->path);
      status = status == GOMP_OK ? s : status;
    }
  if (image->shared.module != NULL)
    {
      bool paused = nvptx_reverse_pause (dev);
      gomp_status_t s = NVPTX_CALL (dev, cuModuleUnload, (image->shared.module),
				    "unloading the image of %s", image->path);
      nvptx_reverse_resume (dev, paused);
      status = status == GOMP_OK ? s : status;
    }
  return status;
}

gomp_status_t
nvptx_image_unload (struct gomp_plugin_image *shared)
{
  struct gomp_plugin_device *dev = shared->dev;
  struct nvptx_scope scope;

  pthread_mutex_lock (&dev->lock);
  for (struct gomp_plugin_image **p = &dev->images; *p != NULL; p = &(*p)->next)
    if (*p == shared)
      {
	*p = shared->next;
	break;
      }
  if (image_of (shared)->reverse_variable != 0)
    /* Relaxed: its kernels have ended.  */
    atomic_fetch_and_explicit (&dev->xreverse_slots,
			       ~(UINT64_C (1) << image_of (shared)->reverse_slot),
			       memory_order_relaxed);
  pthread_mutex_unlock (&dev->lock);
  gomp_status_t status = nvptx_enter (dev, &scope);
  if (status == GOMP_OK)
    {
      status = unlink_image (image_of (shared), 0, false);
      nvptx_leave (dev, &scope);
    }
  free_image (image_of (shared));
  return status;
}

gomp_status_t
nvptx_image_open (struct gomp_plugin_device *dev)
{
  (void) dev;
  return GOMP_OK;
}

void
nvptx_image_close (struct gomp_plugin_device *dev, bool exiting)
{
  while (dev->images != NULL)
    {
      struct image *image = image_of (dev->images);
      dev->images = image->shared.next;
      if (!nvptx_is_lost (dev))
	unlink_image (image, EXIT_WAIT, exiting);
      /* The process goes away: threads of the program may still be using it.  */
      if (!exiting)
	free_image (image);
    }
}
