/* launch.c -- kernels of the stand-in driver.

   A kernel is run in the thread of its stream.  What is checked of a launch: the shape, the
   parameters, and for entries of OpenMP regions, which have the three parameters argument block, soft
   stack and its size, that the soft stack is device memory which no other kernel in flight uses.

   An entry that the plugin has extended has a fourth parameter (plugin/carry-proto.h).  A function of
   the host in its place does not look at it, so that is done here.  */

#include "carry-proto.h"
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct
{
  char *name;
  fake_cuda_kernel_fn *function;
} registered[256];
static unsigned num_registered;

/* Soft stacks of kernels that are enqueued or run.  */
static struct { uint64_t start, size; struct CUstream_st *stream; struct launch_op *launch; } stacks[1024];
static unsigned num_stacks;

/* The launch that the thread runs.  */
static __thread struct CUmod_st *running_module;
static __thread struct CUstream_st *running_stream;

void
fake_cuda_register (const char *name, fake_cuda_kernel_fn *function)
{
  pthread_mutex_lock (&fake_lock);
  if (num_registered == sizeof (registered) / sizeof (registered[0]))
    abort ();
  registered[num_registered].name = strdup (name);
  registered[num_registered++].function = function;
  pthread_mutex_unlock (&fake_lock);
}

fake_cuda_kernel_fn *
fake_registered (const char *name)
{
  for (unsigned i = num_registered; i-- > 0;)
    if (strcmp (registered[i].name, name) == 0)
      return registered[i].function;
  return NULL;
}

uint64_t
fake_cuda_symbol (const char *name, size_t *size)
{
  return running_module != NULL ? fake_symbol (running_module, name, size) : 0;
}

void
fake_cuda_takes (uint64_t ns)
{
  pthread_mutex_lock (&fake_lock);
  if (running_stream != NULL)
    running_stream->taken += ns;
  pthread_mutex_unlock (&fake_lock);
}

/* ---- facts about functions ---- */

static int
registers (const struct CUfunc_st *code)
{
  return (int) fake_setting ("FAKE_CUDA_REGISTERS", code->registers);
}

/* A warp gets registers in multiples of 256.  */
static int
warps_by_registers (const struct CUfunc_st *code)
{
  return 65536 / ((registers (code) + 7) / 8 * 8 * 32);
}

static int
max_threads (const struct CUfunc_st *code)
{
  int n = (int) code->max_threads, fit = warps_by_registers (code) * 32;
  /* Functions of the program need none.  */
  return (int) fake_setting ("FAKE_CUDA_MAX_THREADS",
			     (unsigned long) (code->kernel == NULL || n < fit ? n : fit));
}

/* Static and dynamic memory together are 48 KB, unless the program has asked for more.  */
static int
max_dynamic_shared (const struct CUfunc_st *code)
{
  int plain = fake_attribute (code->object.ctx->dev->ordinal, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK)
	      - (int) code->shared;
  return code->max_dynamic_shared >= 0 ? code->max_dynamic_shared : plain > 0 ? plain : 0;
}

CUresult
cuFuncGetAttribute (int *value, int attribute, CUfunction function)
{
  ENTER (cuFuncGetAttribute);
  CUresult result = CUDA_SUCCESS;
  pthread_mutex_lock (&fake_lock);
  if (!fake_is (function, FAKE_FUNCTION, "function"))
    result = CUDA_ERROR_INVALID_HANDLE;
  else
    switch (attribute)
      {
      case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
	*value = max_threads (function);
	break;
      case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
	*value = (int) function->shared;
	break;
      case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
	*value = (int) function->local;
	break;
      case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
	*value = 0;
	break;
      case CU_FUNC_ATTRIBUTE_NUM_REGS:
	*value = registers (function);
	break;
      case CU_FUNC_ATTRIBUTE_PTX_VERSION:
	*value = 60;
	break;
      case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
	*value = 90;
	break;
      case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
	*value = max_dynamic_shared (function);
	break;
      default:
	result = CUDA_ERROR_INVALID_VALUE;
      }
  pthread_mutex_unlock (&fake_lock);
  return result;
}

CUresult
cuFuncSetAttribute (CUfunction function, int attribute, int value)
{
  ENTER (cuFuncSetAttribute);
  CUresult result = CUDA_SUCCESS;
  pthread_mutex_lock (&fake_lock);
  if (!fake_is (function, FAKE_FUNCTION, "function"))
    result = CUDA_ERROR_INVALID_HANDLE;
  else if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES && value >= 0
	   && value <= fake_attribute (function->object.ctx->dev->ordinal,
				       CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) - (int) function->shared)
    function->max_dynamic_shared = value;
  else
    result = CUDA_ERROR_INVALID_VALUE;
  pthread_mutex_unlock (&fake_lock);
  return result;
}

/* FUNCTION, if it is one, is about to be used.  */
static void
load (CUfunction function)
{
  pthread_mutex_lock (&fake_lock);
  bool first = fake_is (function, FAKE_FUNCTION, "function") && !function->loaded;
  if (first)
    function->loaded = true;
  pthread_mutex_unlock (&fake_lock);
  if (first)
    fake_synchronizes ("load");
}

CUresult
cuFuncLoad (CUfunction function)
{
  ENTER (cuFuncLoad);
  load (function);
  pthread_mutex_lock (&fake_lock);
  bool good = fake_is (function, FAKE_FUNCTION, "function");
  pthread_mutex_unlock (&fake_lock);
  return good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult
cuFuncGetParamInfo (CUfunction function, size_t index, size_t *offset, size_t *size)
{
  ENTER (cuFuncGetParamInfo);
  CUresult result = CUDA_SUCCESS;
  pthread_mutex_lock (&fake_lock);
  if (!fake_is (function, FAKE_FUNCTION, "function"))
    result = CUDA_ERROR_INVALID_HANDLE;
  else if (index >= function->num_params)
    result = CUDA_ERROR_INVALID_VALUE;
  else
    {
      *offset = function->param_offset[index];
      if (size != NULL)
	*size = function->param_size[index];
    }
  pthread_mutex_unlock (&fake_lock);
  return result;
}

CUresult
cuOccupancyMaxActiveBlocksPerMultiprocessor (int *blocks, CUfunction function, int threads,
					     size_t shared_bytes)
{
  ENTER (cuOccupancyMaxActiveBlocksPerMultiprocessor);
  if (threads <= 0)
    return CUDA_ERROR_INVALID_VALUE;
  pthread_mutex_lock (&fake_lock);
  bool good = fake_is (function, FAKE_FUNCTION, "function");
  pthread_mutex_unlock (&fake_lock);
  if (!good)
    return CUDA_ERROR_INVALID_HANDLE;
  int n = 2048 / threads;
  int by_registers = warps_by_registers (function) / ((threads + 31) / 32);
  int by_shared = (int) (233472 / (shared_bytes + function->shared + 1024));
  n = n < by_registers ? n : by_registers;
  n = n < by_shared ? n : by_shared;
  *blocks = threads > max_threads (function) ? 0 : n < 32 ? n : 32;
  return CUDA_SUCCESS;
}

/* ---- launches ---- */

struct launch_op
{
  struct fake_op op;
  struct fake_cuda_launch launch;
  struct CUfunc_st *code;
  void *function;		/* of the program */
  fake_cuda_kernel_fn *kernel;	/* or what the test registered */
  uint64_t stack, stack_size;	/* 0: none */
  struct nvptx_carry *carry;	/* what the entry would take along; NULL: it does not */
  void *params[FAKE_MAX_PARAMS];
  uint64_t values[];		/* what params point to */
};

/* What an entry that the plugin has extended does, where a function of the host is called in its place.  The
   region has not begun: data comes in; or it has ended.  */
static void
carry (const struct nvptx_carry *c, bool begins)
{
  const struct nvptx_carry_head *h = &c->head;
  if (begins && h->in_size != 0)
    memcpy ((void *) h->in_dst, c->data, h->in_size);
  if (begins || h->word == 0)
    return;
  if (h->out_size != 0)
    memcpy ((void *) h->out_dst, (const void *) h->out_src, h->out_size);
  /* Release: what the region did.  */
  atomic_store_explicit ((_Atomic uint32_t *) h->word, h->number, memory_order_release);
}

static CUresult
call (void *arg)
{
  struct launch_op *l = arg;
  running_module = l->code->module;
  running_stream = l->op.stream;
  if (l->code->kernel != NULL && l->kernel == NULL)
    return fake_run_program (l->op.stream->object.ctx, l->code, &l->launch, l->values);
  if (l->carry != NULL)
    carry (l->carry, true);
  if (l->kernel != NULL)
    l->kernel (&l->launch);
  else if (l->function != NULL)
    {
      /* The plugin's word about the launch is in the upper bits (config/nvptx/device-abi.h).  */
      uint64_t block = *(uint64_t *) l->params[0] & ((UINT64_C (1) << 48) - 1);
      ((void (*) (void *)) l->function) ((void *) block);
    }
  if (l->carry != NULL)
    carry (l->carry, false);
  return CUDA_SUCCESS;
}

static CUresult
run_launch (struct fake_op *op)
{
  struct launch_op *l = (struct launch_op *) op;
  fake_log ("run %s", l->code->name);
  bool host = l->kernel != NULL || l->code->kernel == NULL;
  fake_kernel_begins (host);
  CUresult result = fake_guarded (call, l);
  running_module = NULL;
  running_stream = NULL;
  fake_kernel_ends (host);
  return result;
}

static void
drop_launch (struct fake_op *op)
{
  struct launch_op *l = (struct launch_op *) op;
  if (l->stack_size != 0)
    for (unsigned i = 0; i < num_stacks; i++)
      if (stacks[i].launch == l)
	{
	  stacks[i] = stacks[--num_stacks];
	  break;
	}
}

/* Has the kernel of L said that it has ended?  Nothing of it uses memory then.  */
static bool
has_marked (const struct launch_op *l)
{
  const struct nvptx_carry_head *h = l->carry != NULL ? &l->carry->head : NULL;
  /* Acquire: what the region did.  */
  return h != NULL && h->word != 0
	 && (int32_t) (atomic_load_explicit ((_Atomic uint32_t *) h->word, memory_order_acquire) - h->number) >= 0;
}

/* Is the soft stack of a launch in S device memory of its own?  Launches of which one begins when the other
   is complete may share theirs.  */
static void
check_stack (struct launch_op *l, struct CUstream_st *s)
{
  uint64_t base, per_warp, size;
  memcpy (&base, l->params[1], 8);
  memcpy (&per_warp, l->params[2], 8);
  size = per_warp * l->launch.grid[0] * l->launch.block[1];
  if (size == 0 || base % 16 != 0 || per_warp % 16 != 0 || !fake_in_arena (base)
      || !fake_may_use (s->object.ctx, base, size, "a soft stack"))
    {
      fake_misuse ("the soft stack of %s, %lu bytes at %#lx, is no device memory", l->code->name,
		   (unsigned long) size, (unsigned long) base);
      return;
    }
  for (unsigned i = 0; i < num_stacks; i++)
    if (base < stacks[i].start + stacks[i].size && stacks[i].start < base + size
	&& !has_marked (stacks[i].launch)
	&& !fake_comes_after (s, s->enqueued, stacks[i].stream, stacks[i].launch->op.number))
      fake_misuse ("the soft stack of %s belongs to another kernel in flight", l->code->name);
  if (num_stacks < sizeof (stacks) / sizeof (stacks[0]))
    {
      stacks[num_stacks].start = l->stack = base;
      stacks[num_stacks].size = l->stack_size = size;
      stacks[num_stacks].launch = l;
      stacks[num_stacks++].stream = s;
    }
}

/* Which function of the program is CODE?  *KERNEL (out): what the test registered for it.  */
static bool
find_function (struct CUfunc_st *code, fake_cuda_kernel_fn **kernel)
{
  *kernel = fake_registered (code->name);
  if (*kernel != NULL || code->called || code->kernel != NULL)
    return true;
  /* Not under the lock of the loader: it might be held by who waits for ours.  */
  pthread_mutex_unlock (&fake_lock);
  void *function = fake_host_function (code->name);
  pthread_mutex_lock (&fake_lock);
  code->function = function;
  code->called = true;
  /* Entries that only device code needs, and those of the runtime itself, do nothing.  */
  return function != NULL || strncmp (code->name, "__", 2) == 0 || strstr (code->name, "gomp") != NULL;
}

static CUresult
launch (CUfunction code, const unsigned shape[6], unsigned shared, CUstream stream, void **params,
	void **extra)
{
  NEED_CONTEXT (ctx);
  CUresult result;
  fake_cuda_kernel_fn *kernel = NULL;
  struct CUstream_st *s = fake_stream (stream, ctx, &result);
  unsigned long threads = (unsigned long) shape[3] * shape[4] * shape[5];
  if (s == NULL)
    ;
  else if (!fake_is (code, FAKE_FUNCTION, "function") || !code->entry || code->object.ctx != ctx)
    result = CUDA_ERROR_INVALID_HANDLE;
  else if (threads == 0 || threads > 1024 || shape[3] > 1024 || shape[4] > 1024 || shape[5] > 64
	   || shape[0] > 2147483647 || shape[0] == 0 || shape[1] == 0 || shape[2] == 0
	   || shape[1] > 65535 || shape[2] > 65535
	   || (params != NULL && extra != NULL)
	   || (params == NULL && extra == NULL && code->num_params != 0))
    result = CUDA_ERROR_INVALID_VALUE;
  else if (threads > (unsigned long) max_threads (code))
    result = CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  else if (shared > (unsigned) max_dynamic_shared (code))
    result = CUDA_ERROR_INVALID_VALUE;
  else if (!find_function (code, &kernel))
    {
      fake_misuse ("no function of the program is called %s", code->name);
      result = CUDA_ERROR_NOT_FOUND;
    }
  if (s == NULL || result != CUDA_SUCCESS)
    {
      pthread_mutex_unlock (&fake_lock);
      return result;
    }
  struct launch_op *l = calloc (1, sizeof (*l) + code->params_size + 16 * FAKE_MAX_PARAMS);
  if (l == NULL)
    abort ();
  l->op.name = "kernel";
  l->op.run = run_launch;
  l->op.drop = drop_launch;
  l->code = code;
  l->function = code->function;
  l->kernel = kernel;
  l->launch.name = code->name;
  memcpy (l->launch.grid, shape, 12);
  memcpy (l->launch.block, shape + 3, 12);
  l->launch.shared = shared;
  l->launch.num_params = code->num_params;
  l->launch.params = l->params;
  l->launch.module = code->module;
  const char *buffer = NULL;
  size_t buffer_size = 0;
  for (void **e = extra; e != NULL && *e != CU_LAUNCH_PARAM_END; e += 2)
    if (*e == CU_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = e[1];
    else if (*e == CU_LAUNCH_PARAM_BUFFER_SIZE)
      buffer_size = *(size_t *) e[1];
  /* As drivers answer also where it is too large.  */
  if (extra != NULL && buffer_size != code->params_size)
    result = CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  for (unsigned i = 0; i < code->num_params && result == CUDA_SUCCESS; i++)
    {
      l->params[i] = (char *) l->values + code->param_offset[i];
      memcpy (l->params[i], params != NULL ? params[i] : buffer + code->param_offset[i],
	      code->param_size[i]);
    }
  if (result != CUDA_SUCCESS)
    free (l);
  else
    {
      bool carries = code->num_params == 4 && code->params_size == sizeof (struct nvptx_carry_params);
      if (carries)
	l->carry = l->params[3];
      if ((carries || (code->num_params == 3 && code->params_size == 24)) && kernel == NULL)
	{
	  if (shape[3] != 32 || shape[1] != 1 || shape[2] != 1 || shape[5] != 1)
	    fake_misuse ("%s is launched with %ux%ux%u blocks of %ux%ux%u threads", code->name, shape[0],
			 shape[1], shape[2], shape[3], shape[4], shape[5]);
	  check_stack (l, s);
	}
      ctx->fixed_limits[CU_LIMIT_MALLOC_HEAP_SIZE] |= code->module->has_heap;
      ctx->fixed_limits[CU_LIMIT_PRINTF_FIFO_SIZE] |= code->module->prints;
      fake_log ("launch %s grid %u %u %u block %u %u %u shared %u", code->name, shape[0], shape[1],
		shape[2], shape[3], shape[4], shape[5], shared);
      fake_enqueue (s, &l->op);
    }
  pthread_mutex_unlock (&fake_lock);
  return result;
}

CUresult
cuLaunchKernel (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
		unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
		CUstream stream, void **params, void **extra)
{
  ENTER (cuLaunchKernel);
  load (function);
  const unsigned shape[6] = { grid_x, grid_y, grid_z, block_x, block_y, block_z };
  return launch (function, shape, shared_bytes, stream, params, extra);
}

CUresult
cuLaunchKernelEx (const CUlaunchConfig *config, CUfunction function, void **params, void **extra)
{
  ENTER (cuLaunchKernelEx);
  load (function);
  const unsigned shape[6] = { config->gridDimX, config->gridDimY, config->gridDimZ,
			      config->blockDimX, config->blockDimY, config->blockDimZ };
  return launch (function, shape, config->sharedMemBytes, config->hStream, params, extra);
}
