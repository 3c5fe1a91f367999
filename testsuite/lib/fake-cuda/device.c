/* device.c -- devices, attributes and contexts of the stand-in driver, and its error texts.

   The devices are alike and look like an H100.  Which context is current is a stack of each
   thread; everything else is protected by fake_lock.  */

#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fake_device fake_devices[FAKE_MAX_DEVICES];
int fake_num_devices;
bool fake_initialized;
struct fake_object *fake_objects;

enum { MAX_DEPTH = 32, MAX_STACK = 512 << 10, BUS_ID_SIZE = 13 };
static __thread struct CUctx_st *stack[MAX_DEPTH];	/* [0, depth) */
static __thread unsigned depth;

static const struct { int id, value; } attributes[] =
  {
    { CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024 },
    { CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 2147483647 },
    { CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 49152 },
    { CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32 },
    { FAKE_MAX_PITCH, 2147483647 },
    { CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, 65536 },
    { CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 1980000 },
    { CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 132 },
    { CU_DEVICE_ATTRIBUTE_INTEGRATED, 0 },
    { CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY, 1 },
    { CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, CU_COMPUTEMODE_DEFAULT },
    { CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS, 1 },
    { CU_DEVICE_ATTRIBUTE_ECC_ENABLED, 1 },
    { CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 2619000 },
    { CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 5120 },
    { CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 52428800 },
    { CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 2048 },
    { CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT, 3 },
    { CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 1 },
    { CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 9 },
    { CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0 },
    { CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED, 1 },
    { CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 233472 },
    { CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 65536 },
    { CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, 1 },
    { CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, 0 },
    { CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, 1 },
    { CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM, 1 },
    { CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 232448 },
    { CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES, 0 },
    { CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 1 }
  };

/* ---- errors ---- */

#define ERRORS(E)								\
  E (CUDA_SUCCESS, "no error")							\
  E (CUDA_ERROR_INVALID_VALUE, "invalid argument")				\
  E (CUDA_ERROR_OUT_OF_MEMORY, "out of memory")					\
  E (CUDA_ERROR_NOT_INITIALIZED, "initialization error")			\
  E (CUDA_ERROR_DEINITIALIZED, "driver shutting down")				\
  E (CUDA_ERROR_NO_DEVICE, "no CUDA-capable device is detected")		\
  E (CUDA_ERROR_INVALID_DEVICE, "invalid device ordinal")			\
  E (CUDA_ERROR_INVALID_IMAGE, "device kernel image is invalid")		\
  E (CUDA_ERROR_INVALID_CONTEXT, "invalid device context")			\
  E (CUDA_ERROR_NO_BINARY_FOR_GPU, "no kernel image is available for execution on the device") \
  E (CUDA_ERROR_ECC_UNCORRECTABLE, "uncorrectable ECC error encountered")	\
  E (CUDA_ERROR_UNSUPPORTED_LIMIT, "limit is not supported on this architecture") \
  E (CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, "peer access is not supported between these two devices") \
  E (CUDA_ERROR_INVALID_PTX, "a PTX JIT compilation failed")			\
  E (CUDA_ERROR_UNSUPPORTED_PTX_VERSION, "the provided PTX was compiled with an unsupported toolchain.") \
  E (CUDA_ERROR_INVALID_HANDLE, "invalid resource handle")			\
  E (CUDA_ERROR_NOT_FOUND, "named symbol not found")				\
  E (CUDA_ERROR_NOT_READY, "device not ready")					\
  E (CUDA_ERROR_ILLEGAL_ADDRESS, "an illegal memory access was encountered")	\
  E (CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "too many resources requested for launch") \
  E (CUDA_ERROR_LAUNCH_TIMEOUT, "the launch timed out and was terminated")	\
  E (CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, "peer access is already enabled")	\
  E (CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, "peer access has not been enabled")	\
  E (CUDA_ERROR_CONTEXT_IS_DESTROYED, "context is destroyed")			\
  E (CUDA_ERROR_ASSERT, "device-side assert triggered")				\
  E (CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "part or all of the requested memory range is already mapped") \
  E (CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, "pointer does not correspond to a registered memory region") \
  E (CUDA_ERROR_ILLEGAL_INSTRUCTION, "an illegal instruction was encountered")	\
  E (CUDA_ERROR_LAUNCH_FAILED, "unspecified launch failure")			\
  E (CUDA_ERROR_NOT_PERMITTED, "operation not permitted")			\
  E (CUDA_ERROR_NOT_SUPPORTED, "operation not supported")			\
  E (CUDA_ERROR_SYSTEM_NOT_READY, "system not yet initialized")			\
  E (CUDA_ERROR_UNKNOWN, "unknown error")

CUresult
cuGetErrorName (CUresult result, const char **text)
{
  ENTER (cuGetErrorName);
  switch (result)
    {
#define NAME(code, words) case code: *text = #code; return CUDA_SUCCESS;
      ERRORS (NAME)
    }
  *text = NULL;
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult
cuGetErrorString (CUresult result, const char **text)
{
  ENTER (cuGetErrorString);
  switch (result)
    {
#define WORDS(code, words) case code: *text = words; return CUDA_SUCCESS;
      ERRORS (WORDS)
    }
  *text = NULL;
  return CUDA_ERROR_INVALID_VALUE;
}

bool
fake_is_sticky (CUresult result)
{
  switch (result)
    {
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
      return true;
    }
  return false;
}

/* ---- objects ---- */

void *
fake_new (size_t size, enum fake_kind kind, struct CUctx_st *ctx)
{
  struct fake_object *o = calloc (1, size);
  if (o == NULL)
    abort ();
  o->kind = kind;
  o->ctx = ctx;
  o->next = fake_objects;
  fake_objects = o;
  return o;
}

bool
fake_is (const void *handle, enum fake_kind kind, const char *what)
{
  const struct fake_object *o = handle;
  /* Objects stay memory for ever: invariant 2.  */
  bool known = o != NULL && (uintptr_t) o % sizeof (void *) == 0;
  if (!known || o->kind != kind)
    fake_misuse ("%p is no %s", handle, what);
  else if (o->gone)
    fake_misuse ("the %s %p was destroyed before", what, handle);
  return known && o->kind == kind && !o->gone;
}

/* ---- devices ---- */

/* The visible devices: CUDA_VISIBLE_DEVICES counts numbers up to the first that makes no sense.  */
static int
choose_devices (void)
{
  unsigned long total = fake_setting ("FAKE_CUDA_DEVICES", 1);
  const char *text = getenv ("CUDA_VISIBLE_DEVICES");
  int n = 0;
  if (total > FAKE_MAX_DEVICES)
    total = FAKE_MAX_DEVICES;
  if (text == NULL)
    for (; n < (int) total; n++)
      fake_devices[n].number = n;
  while (text != NULL && *text != 0)
    {
      char *end;
      unsigned long number = strtoul (text, &end, 10);
      if (end == text || (*end != 0 && *end != ',') || number >= total || n == FAKE_MAX_DEVICES)
	break;
      fake_devices[n++].number = (int) number;
      text = end + (*end == ',');
    }
  for (int i = 0; i < n; i++)
    fake_devices[i].ordinal = i;
  return n;
}

CUresult
cuInit (unsigned flags)
{
  ENTER (cuInit);
  CUresult result = CUDA_SUCCESS;
  if (flags != 0)
    return CUDA_ERROR_INVALID_VALUE;
  pthread_mutex_lock (&fake_lock);
  if (!fake_initialized)
    {
      fake_num_devices = choose_devices ();
      if (fake_num_devices == 0)
	result = CUDA_ERROR_NO_DEVICE;
      else if (!fake_memory_start ())
	result = CUDA_ERROR_OUT_OF_MEMORY;
      else
	fake_initialized = true;
    }
  pthread_mutex_unlock (&fake_lock);
  return result;
}

CUresult
cuDriverGetVersion (int *version)
{
  ENTER (cuDriverGetVersion);
  *version = (int) fake_setting ("FAKE_CUDA_VERSION", FAKE_VERSION);
  return CUDA_SUCCESS;
}

CUresult
cuDeviceGetCount (int *count)
{
  ENTER (cuDeviceGetCount);
  *count = fake_num_devices;
  return CUDA_SUCCESS;
}

CUresult
cuDeviceGet (CUdevice *device, int ordinal)
{
  ENTER (cuDeviceGet);
  if (ordinal < 0 || ordinal >= fake_num_devices)
    return CUDA_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}

#define NEED_DEVICE(device)				\
  if ((device) < 0 || (device) >= fake_num_devices)	\
    return CUDA_ERROR_INVALID_DEVICE

CUresult
cuDeviceGetName (char *name, int size, CUdevice device)
{
  ENTER (cuDeviceGetName);
  NEED_DEVICE (device);
  if (size <= 0)
    return CUDA_ERROR_INVALID_VALUE;
  snprintf (name, (size_t) size, "NVIDIA Stand-in %d", fake_devices[device].number);
  return CUDA_SUCCESS;
}

int
fake_attribute (int device, int attribute)
{
  (void) device;		/* they are alike */
  const char *text = getenv ("FAKE_CUDA_ATTRIBUTE");
  while (text != NULL && *text != 0)
    {
      char *end;
      long id = strtol (text, &end, 10);
      if (*end == ':' && id == attribute)
	return atoi (end + 1);
      text += strcspn (text, ",");
      text += *text == ',';
    }
  for (size_t i = 0; i < sizeof (attributes) / sizeof (attributes[0]); i++)
    if (attributes[i].id == attribute)
      return attributes[i].value;
  return 0;
}

CUresult
cuDeviceGetAttribute (int *value, int attribute, CUdevice device)
{
  ENTER (cuDeviceGetAttribute);
  NEED_DEVICE (device);
  if (value == NULL || attribute <= 0 || attribute > 140)
    return CUDA_ERROR_INVALID_VALUE;
  *value = fake_attribute (device, attribute);
  return CUDA_SUCCESS;
}

CUresult
cuDeviceTotalMem_v2 (size_t *bytes, CUdevice device)
{
  ENTER (cuDeviceTotalMem_v2);
  NEED_DEVICE (device);
  *bytes = fake_setting ("FAKE_CUDA_MEMORY", 256) << 20;
  return CUDA_SUCCESS;
}

static CUresult
get_uuid (CUuuid *uuid, CUdevice device)
{
  NEED_DEVICE (device);
  for (int i = 0; i < 16; i++)
    uuid->bytes[i] = (unsigned char) (i * 17 + fake_devices[device].number);
  return CUDA_SUCCESS;
}

CUresult
cuDeviceGetUuid (CUuuid *uuid, CUdevice device)
{
  ENTER (cuDeviceGetUuid);
  return get_uuid (uuid, device);
}

CUresult
cuDeviceGetUuid_v2 (CUuuid *uuid, CUdevice device)
{
  ENTER (cuDeviceGetUuid_v2);
  return get_uuid (uuid, device);
}

CUresult
cuDeviceGetPCIBusId (char *text, int size, CUdevice device)
{
  ENTER (cuDeviceGetPCIBusId);
  NEED_DEVICE (device);
  if (text == NULL || size < BUS_ID_SIZE)
    return CUDA_ERROR_INVALID_VALUE;
  snprintf (text, (size_t) size, "0000:%02X:00.0", fake_devices[device].number + 1);
  return CUDA_SUCCESS;
}

CUresult
cuDeviceCanAccessPeer (int *can, CUdevice device, CUdevice peer)
{
  ENTER (cuDeviceCanAccessPeer);
  NEED_DEVICE (device);
  NEED_DEVICE (peer);
  *can = device != peer && fake_setting ("FAKE_CUDA_NO_PEER", 0) == 0;
  return CUDA_SUCCESS;
}

/* ---- contexts ---- */

bool
fake_context_ok (struct CUctx_st *ctx, CUresult *status)
{
  if (ctx == NULL || !fake_is (ctx, FAKE_CONTEXT, "context"))
    *status = CUDA_ERROR_INVALID_CONTEXT;
  else if (ctx->primary && ctx->refs == 0)
    {
      fake_misuse ("the primary context of device %d is used after its release", ctx->dev->ordinal);
      *status = CUDA_ERROR_CONTEXT_IS_DESTROYED;
    }
  else
    {
      *status = ctx->error;
      return ctx->error == CUDA_SUCCESS;
    }
  return false;
}

struct CUctx_st *
fake_current (CUresult *status)
{
  struct CUctx_st *ctx = depth != 0 ? stack[depth - 1] : NULL;
  if (ctx == NULL)
    {
      *status = CUDA_ERROR_INVALID_CONTEXT;
      return NULL;
    }
  return fake_context_ok (ctx, status) ? ctx : NULL;
}

void
fake_kill_context (struct CUctx_st *ctx, CUresult error)
{
  if (ctx->error != CUDA_SUCCESS)
    return;
  fake_log ("context of device %d dies with %d", ctx->dev->ordinal, error);
  ctx->error = error;
  /* The driver still shows what kernels printed before the fault, and nobody waits any more.  */
  fake_flush_prints (ctx);
  /* Relaxed: a kernel ends a little later.  */
  atomic_store_explicit (&ctx->xstop, 1, memory_order_relaxed);
  for (struct CUstream_st *s = ctx->streams; s != NULL; s = s->next)
    {
      pthread_cond_broadcast (&s->work);
      pthread_cond_broadcast (&s->progress);
    }
}

static struct CUctx_st *
new_context (struct fake_device *dev, bool primary, unsigned flags)
{
  struct CUctx_st *ctx = fake_new (sizeof (*ctx), FAKE_CONTEXT, NULL);
  ctx->dev = dev;
  ctx->primary = primary;
  ctx->flags = flags;
  ctx->limits[CU_LIMIT_STACK_SIZE] = 1024;
  ctx->limits[CU_LIMIT_PRINTF_FIFO_SIZE] = 1 << 20;
  ctx->limits[CU_LIMIT_MALLOC_HEAP_SIZE] = 8 << 20;
  ctx->null_stream = fake_new_stream (ctx, 0, 0, true);
  return ctx;
}

CUresult
cuDevicePrimaryCtxRetain (CUcontext *context, CUdevice device)
{
  ENTER (cuDevicePrimaryCtxRetain);
  NEED_DEVICE (device);
  struct fake_device *dev = &fake_devices[device];
  pthread_mutex_lock (&fake_lock);
  if (dev->primary == NULL)
    dev->primary = new_context (dev, true, dev->primary_flags);
  if (dev->primary->refs++ == 0)
    {
      dev->primary->error = CUDA_SUCCESS;
      /* Relaxed: no kernel runs.  */
      atomic_store_explicit (&dev->primary->xstop, 0, memory_order_relaxed);
      dev->primary->peers = 0;
      memset (dev->primary->fixed_limits, 0, sizeof (dev->primary->fixed_limits));
    }
  *context = dev->primary;
  pthread_mutex_unlock (&fake_lock);
  return CUDA_SUCCESS;
}

/* CTX goes away with everything in it.  */
static void
empty_context (struct CUctx_st *ctx)
{
  fake_wait_context (ctx);
  for (struct fake_object *o = fake_objects; o != NULL; o = o->next)
    if (o->ctx == ctx && !o->gone
	&& !(o->kind == FAKE_STREAM && ((struct CUstream_st *) o)->is_null))
      {
	if (fake_setting ("FAKE_CUDA_LEAKS", 0) != 0 && o->kind != FAKE_FUNCTION
	    && ctx->error == CUDA_SUCCESS)
	  fprintf (stderr, "fake-cuda: leak: %c%c%c%c %p is left in a context that goes away\n",
		   (int) o->kind >> 24, (int) o->kind >> 16 & 255, (int) o->kind >> 8 & 255,
		   (int) o->kind & 255, (void *) o);
	o->gone = true;
      }
  fake_free_all (ctx);
}

CUresult
cuDevicePrimaryCtxRelease_v2 (CUdevice device)
{
  ENTER (cuDevicePrimaryCtxRelease_v2);
  NEED_DEVICE (device);
  struct CUctx_st *ctx = fake_devices[device].primary;
  CUresult result = CUDA_SUCCESS;
  pthread_mutex_lock (&fake_lock);
  if (ctx == NULL || ctx->refs == 0)
    {
      fake_misuse ("the primary context of device %d is released too often", device);
      result = CUDA_ERROR_INVALID_CONTEXT;
    }
  else if (ctx->refs == 1)
    {
      empty_context (ctx);
      ctx->refs = 0;
    }
  else
    ctx->refs--;
  pthread_mutex_unlock (&fake_lock);
  return result;
}

CUresult
cuDevicePrimaryCtxGetState (CUdevice device, unsigned *flags, int *active)
{
  ENTER (cuDevicePrimaryCtxGetState);
  NEED_DEVICE (device);
  pthread_mutex_lock (&fake_lock);
  struct CUctx_st *ctx = fake_devices[device].primary;
  *active = ctx != NULL && ctx->refs != 0;
  *flags = ctx != NULL ? ctx->flags : 0;
  pthread_mutex_unlock (&fake_lock);
  return CUDA_SUCCESS;
}

/* For programs that use CUDA by themselves.  */
FAKE_DECLARE (cuCtxCreate, _v2, 3020, (CUcontext *context, unsigned flags, CUdevice device))
FAKE_DECLARE (cuCtxDestroy, _v2, 4000, (CUcontext context))

CUresult
cuCtxCreate_v2 (CUcontext *context, unsigned flags, CUdevice device)
{
  ENTER (cuCtxCreate_v2);
  NEED_DEVICE (device);
  if (depth == MAX_DEPTH)
    return CUDA_ERROR_OUT_OF_MEMORY;
  pthread_mutex_lock (&fake_lock);
  *context = stack[depth++] = new_context (&fake_devices[device], false, flags);
  pthread_mutex_unlock (&fake_lock);
  return CUDA_SUCCESS;
}

CUresult
cuCtxDestroy_v2 (CUcontext context)
{
  ENTER (cuCtxDestroy_v2);
  CUresult result = CUDA_SUCCESS;
  pthread_mutex_lock (&fake_lock);
  if (!fake_is (context, FAKE_CONTEXT, "context") || context->primary)
    result = CUDA_ERROR_INVALID_CONTEXT;
  else
    {
      empty_context (context);
      context->object.gone = true;
      if (depth != 0 && stack[depth - 1] == context)
	depth--;
    }
  pthread_mutex_unlock (&fake_lock);
  return result;
}

CUresult
cuCtxGetCurrent (CUcontext *context)
{
  ENTER (cuCtxGetCurrent);
  *context = depth != 0 ? stack[depth - 1] : NULL;
  return CUDA_SUCCESS;
}

CUresult
cuCtxSetCurrent (CUcontext context)
{
  ENTER (cuCtxSetCurrent);
  if (context == NULL)
    {
      if (depth != 0)
	depth--;
      return CUDA_SUCCESS;
    }
  pthread_mutex_lock (&fake_lock);
  bool good = fake_is (context, FAKE_CONTEXT, "context");
  pthread_mutex_unlock (&fake_lock);
  if (!good)
    return CUDA_ERROR_INVALID_CONTEXT;
  if (depth == 0)
    depth++;
  stack[depth - 1] = context;
  return CUDA_SUCCESS;
}

CUresult
cuCtxPushCurrent_v2 (CUcontext context)
{
  ENTER (cuCtxPushCurrent_v2);
  pthread_mutex_lock (&fake_lock);
  bool good = context != NULL && fake_is (context, FAKE_CONTEXT, "context");
  pthread_mutex_unlock (&fake_lock);
  if (!good)
    return CUDA_ERROR_INVALID_CONTEXT;
  if (depth == MAX_DEPTH)
    {
      fake_misuse ("contexts are pushed and never popped");
      return CUDA_ERROR_OUT_OF_MEMORY;
    }
  stack[depth++] = context;
  return CUDA_SUCCESS;
}

CUresult
cuCtxPopCurrent_v2 (CUcontext *context)
{
  ENTER (cuCtxPopCurrent_v2);
  if (depth == 0)
    {
      fake_misuse ("a context is popped that nobody has pushed");
      return CUDA_ERROR_INVALID_CONTEXT;
    }
  depth--;
  if (context != NULL)
    *context = stack[depth];
  return CUDA_SUCCESS;
}

CUresult
cuCtxGetDevice (CUdevice *device)
{
  ENTER (cuCtxGetDevice);
  NEED_CONTEXT (ctx);
  *device = ctx->dev->ordinal;
  pthread_mutex_unlock (&fake_lock);
  return CUDA_SUCCESS;
}

CUresult
cuCtxSynchronize (void)
{
  ENTER (cuCtxSynchronize);
  NEED_CONTEXT (ctx);
  CUresult result = fake_wait_context (ctx);
  pthread_mutex_unlock (&fake_lock);
  return result;
}

CUresult
cuCtxSetLimit (int limit, size_t value)
{
  ENTER (cuCtxSetLimit);
  if (limit < 0 || limit > CU_LIMIT_MALLOC_HEAP_SIZE)
    return CUDA_ERROR_UNSUPPORTED_LIMIT;
  NEED_CONTEXT (ctx);
  CUresult result = (limit == CU_LIMIT_STACK_SIZE && value > MAX_STACK) || ctx->fixed_limits[limit]
		    ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  if (result == CUDA_SUCCESS)
    ctx->limits[limit] = value;
  pthread_mutex_unlock (&fake_lock);
  fake_log ("limit %d %zu", limit, value);
  return result;
}

CUresult
cuCtxGetLimit (size_t *value, int limit)
{
  ENTER (cuCtxGetLimit);
  if (limit < 0 || limit > CU_LIMIT_MALLOC_HEAP_SIZE)
    return CUDA_ERROR_UNSUPPORTED_LIMIT;
  NEED_CONTEXT (ctx);
  *value = ctx->limits[limit];
  pthread_mutex_unlock (&fake_lock);
  return CUDA_SUCCESS;
}

CUresult
cuCtxEnablePeerAccess (CUcontext peer, unsigned flags)
{
  ENTER (cuCtxEnablePeerAccess);
  NEED_CONTEXT (ctx);
  CUresult result = CUDA_SUCCESS;
  if (flags != 0 || !fake_context_ok (peer, &result) || peer == ctx)
    result = result != CUDA_SUCCESS ? result : CUDA_ERROR_INVALID_VALUE;
  else if (peer->dev == ctx->dev || fake_setting ("FAKE_CUDA_NO_PEER", 0) != 0)
    result = CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
  else if ((ctx->peers & 1u << peer->dev->ordinal) != 0)
    result = CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
  else
    ctx->peers |= 1u << peer->dev->ordinal;
  pthread_mutex_unlock (&fake_lock);
  return result;
}

CUresult
cuCtxDisablePeerAccess (CUcontext peer)
{
  ENTER (cuCtxDisablePeerAccess);
  NEED_CONTEXT (ctx);
  CUresult result = CUDA_SUCCESS;
  if (!fake_context_ok (peer, &result))
    ;
  else if ((ctx->peers & 1u << peer->dev->ordinal) == 0)
    result = CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
  else
    ctx->peers &= ~(1u << peer->dev->ordinal);
  pthread_mutex_unlock (&fake_lock);
  return result;
}

CUresult
cuCtxGetStreamPriorityRange (int *least, int *greatest)
{
  ENTER (cuCtxGetStreamPriorityRange);
  *least = 0;
  *greatest = -5;
  return CUDA_SUCCESS;
}

/* ---- finding functions ---- */

CUresult
cuGetProcAddress_v2 (const char *name, void **function, int version, uint64_t flags, int *status)
{
  ENTER (cuGetProcAddress_v2);
  static const struct { const char *base; void *function; int version; } functions[] =
    {
#define ROW(base, suffix, version, parameters) { #base, (void *) base##suffix, version },
      CUDA_FUNCTIONS (ROW, ROW)
    };
  int best = 0;
  (void) flags;
  *function = NULL;
  for (size_t i = 0; i < sizeof (functions) / sizeof (functions[0]); i++)
    if (strcmp (functions[i].base, name) == 0 && functions[i].version <= version
	&& functions[i].version >= best && !fake_listed ("FAKE_CUDA_MISSING", name))
      {
	best = functions[i].version;
	*function = functions[i].function;
      }
  if (status != NULL)
    *status = *function == NULL;	/* 1: there is no such symbol */
  return *function == NULL ? CUDA_ERROR_NOT_FOUND : CUDA_SUCCESS;
}
