/* nvptx-limit.c -- the limit of the GPU's own stacks.

   A thread's return addresses and the registers that are live across its calls lie on a stack of
   the GPU's own; what compiled code keeps in memory is elsewhere (nvptx-stacks.c).  The driver
   knows from the code how much of it a kernel needs, but for recursion and some calls through
   pointers: then it takes the context's limit, CU_LIMIT_STACK_SIZE, 1 KiB.  A thread that needs
   more stores behind its stack, by which the device is lost.  So the limit is raised here before
   such kernels run.  The driver reserves that much for all threads that can be resident; programs
   without such kernels are spared that.

   A user's limit (GOMP_NVPTX_NATIVE_GPU_THREAD_STACK_SIZE, plugin-nvptx.c) comes before what is a
   guess, for tasks and recursion.  What lanes and kernels are known to need is added up, and they
   cannot do with less.

   Where a lane is a thread local variables are on that stack, too.  Those of recursive functions
   are a known part of what their calls take with warps at least (nvptx-lanes-depth.c), so the limit
   is larger by that part, and recursion as deep as with warps.

   Invariants
   1. The limit only grows while the device is open.
   2. A limit that cannot be raised is no error: kernels that need no more run.  Lanes do not run
      recursion without theirs: their kernel has a version for warps.

   Called by nvptx-image.c when images are linked and kernels are filled in, and by
   nvptx-context.c.  */

#include "nvptx-limit.h"

/* A task that waits runs others on top of its stack, so that what the driver knows kernels to
   need is not enough for recursive programs.  */
#define FOR_TASKS ((size_t) 8 << 10)

/* What a lane needs beside its local variables: return addresses, spilled registers, the
   library's record.  */
#define FOR_LANES ((size_t) 2 << 10)

/* Recursion, whose depth only data knows: what a part of the device's memory, one in SHARE, has
   for each thread that can be resident.  16 KiB on an H200: a call of a function takes from 16
   to some 100 bytes, so that is a hundred calls or more.  On a device with few threads MOST is
   enough for all but programs that had better say what they need; where memory is short LEAST
   may be a larger part of it.  */
enum { SHARE = 32 };
#define LEAST ((size_t) 4 << 10)
#define MOST ((size_t) 64 << 10)

/* For reading the limit and setting it, so that of two threads the larger one wins.  Driver
   calls are made under it, nothing else.  */
static pthread_mutex_t stack_lock = PTHREAD_MUTEX_INITIALIZER;

/* Threads' stacks of DEV get BYTES at least.  False: not now; then the driver gives kernels
   what it knows them to need.  */
static bool
raise_stack (struct gomp_plugin_device *dev, size_t bytes)
{
  CUresult result = CUDA_SUCCESS;
  size_t now = 0;

  bytes = (bytes + 511) & -512ul;
  pthread_mutex_lock (&stack_lock);
  bool known = nvptx_cuda.cuCtxGetLimit (&now, CU_LIMIT_STACK_SIZE) == CUDA_SUCCESS;
  if (known && now < bytes)
    {
      result = nvptx_cuda.cuCtxSetLimit (CU_LIMIT_STACK_SIZE, bytes);
      now = result == CUDA_SUCCESS ? bytes : now;
    }
  pthread_mutex_unlock (&stack_lock);
  /* Relaxed: for messages.  */
  if (known)
    atomic_store_explicit (&dev->xstack, now, memory_order_relaxed);
  return nvptx_check_quiet (dev, result) == GOMP_OK && known;
}

void
nvptx_limit_known (struct gomp_plugin_device *dev, size_t bytes)
{
  (void) raise_stack (dev, bytes);
}

/* Regions are called through pointers, so the driver can't know what their frames take.  */
void
nvptx_limit_lanes (struct gomp_plugin_device *dev, const struct nvptx_lane_stack *lanes)
{
  (void) raise_stack (dev, FOR_LANES + lanes->bytes);
}

void
nvptx_limit_tasks (struct gomp_plugin_device *dev)
{
  if (dev->stack_set == 0)
    (void) raise_stack (dev, FOR_TASKS);
}

static size_t
share (const struct nvptx_facts *f)
{
  uint64_t threads = (uint64_t) f->multiprocessors * f->max_threads_per_multiprocessor;
  uint64_t bytes = threads > 0 ? f->memory / SHARE / threads : 0;
  return bytes < LEAST ? LEAST : bytes > MOST ? MOST : bytes & -1024ul;
}

/* What recursion on DEV may count on with warps.  */
static size_t
limit_warps (struct gomp_plugin_device *dev)
{
  size_t bytes = dev->stack_set != 0 ? 0 : share (dev->facts);

  while (!raise_stack (dev, bytes) && bytes > LEAST && !nvptx_is_lost (dev))
    bytes /= 2;
  return dev->stack_set != 0 ? dev->stack_set : bytes;
}

bool
nvptx_limit_recursion (struct gomp_plugin_device *dev, const struct nvptx_lane_stack *lanes)
{
  size_t bytes = limit_warps (dev);
  bool good = true;

  if (lanes != NULL)
    good = raise_stack (dev, bytes + (bytes * lanes->share + NVPTX_LANES_SHARE - 1) / NVPTX_LANES_SHARE
			       + FOR_LANES + lanes->bytes);
  /* Relaxed: for messages.  */
  if (!atomic_exchange_explicit (&dev->xrecurses, true, memory_order_relaxed) || lanes != NULL)
    nvptx_core->debug (1, "nvptx device %u: recursion%s: %zu bytes of stack for each thread",
		       dev->ordinal, lanes != NULL ? " of lanes" : "",
		       atomic_load_explicit (&dev->xstack, memory_order_relaxed));
  return good;
}

size_t
nvptx_limit_suspect (const struct gomp_plugin_device *dev)
{
  /* Relaxed: written before the kernel ran.  */
  return atomic_load_explicit (&dev->xrecurses, memory_order_relaxed)
	 ? atomic_load_explicit (&dev->xstack, memory_order_relaxed) : 0;
}
