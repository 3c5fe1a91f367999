/* nvptx-driver.c -- the CUDA driver: loading it, results of its calls, contexts.

   libcuda.so.1 comes with the driver of the kernel, not with a toolkit, and is looked for as the dynamic
   loader does it.  A function is asked for with cuGetProcAddress where the driver has that, and
   with dlsym by its exported name otherwise.

   The error of a driver call may be that of an earlier, asynchronous operation.  Some say that the
   context is gone for good: then the device is lost.

   Called by all other files of the plugin.  */

#include "nvptx-queue.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct nvptx_cuda nvptx_cuda;
const struct gomp_plugin_core *nvptx_core;
int nvptx_driver_version;

#define DRIVER_FILE "libcuda.so.1"

/* Written by nvptx_driver_load only.  */
static char driver_path[4096];

/* ---- loading ---- */

/* The rows of CUDA_FUNCTIONS.  */
static const struct function
{
  const char *base, *exported;
  int version;
  bool required;
  size_t offset;		/* of the pointer in struct nvptx_cuda */
} functions[] =
{
#define ROW(base, suffix, version, required) \
  { #base, #base #suffix, version, required, offsetof (struct nvptx_cuda, base##suffix) },
#define REQUIRED(base, suffix, version, parameters) ROW (base, suffix, version, true)
#define OPTIONAL(base, suffix, version, parameters) ROW (base, suffix, version, false)
  CUDA_FUNCTIONS (REQUIRED, OPTIONAL)
#undef OPTIONAL
#undef REQUIRED
#undef ROW
};

typedef CUresult (*get_proc_fn) (const char *, void **, int, uint64_t, int *);

static void *
look_up (void *library, get_proc_fn get_proc, const struct function *f)
{
  void *found = NULL;
  int status;

  if (get_proc != NULL
      && get_proc (f->base, &found, f->version, CU_GET_PROC_ADDRESS_DEFAULT, &status) == 0
      && found != NULL)
    return found;
  return dlsym (library, f->exported);
}

gomp_status_t
nvptx_driver_load (void)
{
  void *library = dlopen (DRIVER_FILE, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL)
    {
      const char *why = dlerror ();
      nvptx_core->set_error ("the CUDA driver is not usable: %s",
			     why != NULL ? why : DRIVER_FILE " cannot be loaded");
      return GOMP_NO_DEVICE;
    }

  /* POSIX has functions fit into void *, ISO C needs the detour.  */
  void *symbol = dlsym (library, "cuGetProcAddress_v2");
  get_proc_fn get_proc = NULL;
  memcpy (&get_proc, &symbol, sizeof (get_proc));
  for (size_t i = 0; i < sizeof (functions) / sizeof (functions[0]); i++)
    {
      void *found = look_up (library, get_proc, &functions[i]);
      if (found == NULL && functions[i].required)
	{
	  nvptx_core->set_error ("the CUDA driver is too old or damaged: %s has no function %s",
				 DRIVER_FILE, functions[i].exported);
	  dlclose (library);
	  memset (&nvptx_cuda, 0, sizeof (nvptx_cuda));
	  return GOMP_DRIVER_ERROR;
	}
      memcpy ((char *) &nvptx_cuda + functions[i].offset, &found, sizeof (found));
    }

  Dl_info info;
  memcpy (&symbol, &nvptx_cuda.cuInit, sizeof (symbol));
  if (dladdr (symbol, &info) != 0 && info.dli_fname != NULL)
    snprintf (driver_path, sizeof (driver_path), "%s", info.dli_fname);
  return GOMP_OK;
}

const char *
nvptx_driver_path (void)
{
  return driver_path[0] != '\0' ? driver_path : NULL;
}

/* ---- results ---- */

const char *
nvptx_error_name (CUresult result)
{
  const char *text = NULL;
  if (nvptx_cuda.cuGetErrorName == NULL || nvptx_cuda.cuGetErrorName (result, &text) != 0
      || text == NULL)
    return "unknown error";
  return text;
}

const char *
nvptx_error_text (CUresult result)
{
  const char *text = NULL;
  if (nvptx_cuda.cuGetErrorString == NULL || nvptx_cuda.cuGetErrorString (result, &text) != 0
      || text == NULL)
    return "an error that the driver has no text for";
  return text;
}

/* Has the context that answered RESULT ended for good?  */
static bool
kills_context (CUresult result)
{
  switch (result)
    {
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CUDA_ERROR_CONTAINED:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_TENSOR_MEMORY_LEAK:
    case CUDA_ERROR_EXTERNAL_DEVICE:
    case CUDA_ERROR_UNKNOWN:
      return true;
    default:
      return false;
    }
}

gomp_status_t
nvptx_check_quiet (struct gomp_plugin_device *dev, CUresult result)
{
  if (result == CUDA_SUCCESS || result == CUDA_ERROR_DEINITIALIZED)
    return GOMP_OK;
  if (dev != NULL && (kills_context (result) || nvptx_is_lost (dev)))
    return nvptx_lose (dev, result);
  switch (result)
    {
    case CUDA_ERROR_INVALID_VALUE:
    case CUDA_ERROR_INVALID_DEVICE:
      return GOMP_INVALID;
    case CUDA_ERROR_OUT_OF_MEMORY:
      return GOMP_OUT_OF_DEVICE_MEMORY;
    case CUDA_ERROR_STUB_LIBRARY:
    case CUDA_ERROR_NO_DEVICE:
      return GOMP_NO_DEVICE;
    case CUDA_ERROR_INVALID_IMAGE:
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_INVALID_PTX:
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
      return GOMP_BAD_IMAGE;
    case CUDA_ERROR_NOT_FOUND:
      return GOMP_NOT_FOUND;
    case CUDA_ERROR_NOT_SUPPORTED:
      return GOMP_UNSUPPORTED;
    default:
      return GOMP_DRIVER_ERROR;
    }
}

gomp_status_t
nvptx_check (struct gomp_plugin_device *dev, CUresult result, const char *call,
	     const char *doing, ...)
{
  if (__builtin_expect (result == CUDA_SUCCESS, 1))
    return GOMP_OK;
  gomp_status_t status = nvptx_check_quiet (dev, result);
  if (status != GOMP_OK)
    {
      char text[512];
      va_list list;
      va_start (list, doing);
      vsnprintf (text, sizeof (text), doing, list);
      va_end (list);
      nvptx_core->set_error ("%s failed: %s (%s), while %s", call, nvptx_error_text (result),
			     nvptx_error_name (result), text);
    }
  return status;
}

/* ---- lost devices ---- */

gomp_status_t
nvptx_lose (struct gomp_plugin_device *dev, CUresult result)
{
  int alive = 0;
  /* Relaxed: the number is all there is to it.  The first reason stays.  */
  if (atomic_compare_exchange_strong_explicit (&dev->xlost, &alive, result, memory_order_relaxed,
					       memory_order_relaxed))
    {
      nvptx_core->debug (1, "nvptx device %u is lost: %s", dev->ordinal, nvptx_error_name (result));
      nvptx_queue_lost (dev);
    }
  return GOMP_DEVICE_LOST;
}

gomp_status_t
nvptx_alive (struct gomp_plugin_device *dev)
{
  int lost = atomic_load_explicit (&dev->xlost, memory_order_relaxed);
  if (__builtin_expect (lost == 0, 1))
    return GOMP_OK;
  if (lost == NVPTX_FORKED)
    nvptx_core->set_error ("the device belongs to the process from which this one was forked");
  else
    nvptx_core->set_error ("the device was lost before: %s (%s)", nvptx_error_text (lost),
			   nvptx_error_name (lost));
  return GOMP_DEVICE_LOST;
}

/* ---- contexts ---- */

gomp_status_t
nvptx_enter (struct gomp_plugin_device *dev, struct nvptx_scope *scope)
{
  CUcontext current = NULL;
  scope->pushed = false;
  gomp_status_t status = nvptx_alive (dev);
  if (status != GOMP_OK)
    return status;
  status = NVPTX_CALL (dev, cuCtxGetCurrent, (&current), "looking at the current context");
  if (status == GOMP_OK && current != dev->context)
    {
      status = NVPTX_CALL (dev, cuCtxPushCurrent_v2, (dev->context),
			   "making device %u current", dev->ordinal);
      scope->pushed = status == GOMP_OK;
    }
  return status;
}

void
nvptx_leave (struct gomp_plugin_device *dev, struct nvptx_scope *scope)
{
  if (!scope->pushed)
    return;
  CUcontext popped;
  scope->pushed = false;
  /* A context that has died can be popped like any other.  */
  CUresult result = nvptx_cuda.cuCtxPopCurrent_v2 (&popped);
  if (result != CUDA_SUCCESS)
    nvptx_core->debug (1, "cuCtxPopCurrent failed: %s, after a call for device %u",
		       nvptx_error_name (result), dev->ordinal);
}
