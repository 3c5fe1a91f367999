/* nvptx-driver.c -- the CUDA driver: loading it, results of its calls.

   libcuda.so.1 comes with the driver of the kernel, not with a toolkit, and is looked for as the
   dynamic loader does it.  A function is asked for with cuGetProcAddress where the driver has that,
   and with dlsym by its exported name otherwise.

   The error of a driver call may be that of an earlier, asynchronous operation.  Some say that the
   context is gone for good: then the device is lost (nvptx-context.c).

   Called by all other files of the plugin, and a part of gompx-nvptx-link (nvptx-link-main.c).  */

#include "nvptx.h"

#include <dlfcn.h>
#include <locale.h>
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

/* Open the file; otherwise *STATUS and the text say whether it is missing or broken.  The loader's
   words are wanted in English, as all messages are, and to tell the two apart.  */
static void *
open_library (gomp_status_t *status)
{
  locale_t plain = newlocale (LC_ALL_MASK, "C", (locale_t) 0);
  locale_t before = plain != (locale_t) 0 ? uselocale (plain) : (locale_t) 0;
  void *library = dlopen (DRIVER_FILE, RTLD_NOW | RTLD_LOCAL);

  if (library == NULL)
    {
      const char *why = dlerror ();
      if (why == NULL)
	why = DRIVER_FILE " cannot be loaded";
      bool missing = (strncmp (why, DRIVER_FILE ": ", strlen (DRIVER_FILE ": ")) == 0
		      && strstr (why, "No such file") != NULL);
      nvptx_core->set_error (missing ? "there is no CUDA driver: %s"
				     : "the CUDA driver cannot be loaded: %s", why);
      *status = missing ? GOMP_NO_DEVICE : GOMP_DRIVER_ERROR;
    }
  if (plain != (locale_t) 0)
    {
      uselocale (before);
      freelocale (plain);
    }
  return library;
}

gomp_status_t
nvptx_driver_load (void)
{
  gomp_status_t status = GOMP_OK;
  void *library = open_library (&status);
  if (library == NULL)
    return status;

  /* POSIX has functions fit into void *, ISO C needs the detour.  */
  void *symbol = dlsym (library, "cuGetProcAddress_v2");
  get_proc_fn get_proc = NULL;
  memcpy (&get_proc, &symbol, sizeof (get_proc));
  for (size_t i = 0; i < sizeof (functions) / sizeof (functions[0]); i++)
    {
      void *found = look_up (library, get_proc, &functions[i]);
      if (found == NULL && functions[i].required)
	{
	  nvptx_core->set_error ("the CUDA driver is too old or damaged: "
				 DRIVER_FILE " has no function %s", functions[i].exported);
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

void
nvptx_device_uid (CUdevice device, char *text, size_t size)
{
  CUresult (*get_uuid) (CUuuid *, CUdevice) = nvptx_cuda.cuDeviceGetUuid_v2 != NULL
					      ? nvptx_cuda.cuDeviceGetUuid_v2
					      : nvptx_cuda.cuDeviceGetUuid;
  CUuuid uuid;
  const unsigned char *b = uuid.bytes;

  text[0] = 0;
  /* With one dash less than nvidia-smi, as GCC 15's libgomp has them.  */
  if (get_uuid != NULL && get_uuid (&uuid, device) == CUDA_SUCCESS)
    snprintf (text, size, "GPU-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x%02x%02x",
	      b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12],
	      b[13], b[14], b[15]);
}

/* ---- results ---- */

static const char *
find_name (CUresult result)
{
  const char *text = NULL;
  if (nvptx_cuda.cuGetErrorName == NULL || nvptx_cuda.cuGetErrorName (result, &text) != 0)
    return NULL;
  return text;
}

const char *
nvptx_error_name (CUresult result)
{
  const char *text = find_name (result);
  return text != NULL ? text : "unknown error";
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

void
nvptx_format_result (CUresult result, char *text, size_t size)
{
  const char *name = find_name (result);
  if (name != NULL)
    snprintf (text, size, "%s (%s)", nvptx_error_text (result), name);
  else
    snprintf (text, size, "%s (error %d)", nvptx_error_text (result), result);
}

/* Has the context that answered RESULT ended for good?  INVALID_CONTEXT: calls are made with the
   device's context current, so somebody has destroyed it.  */
static bool
kills_context (CUresult result)
{
  switch (result)
    {
    case CUDA_ERROR_INVALID_CONTEXT:
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
      return true;
    default:
      return false;
    }
}

/* UNKNOWN may be either: a context that has ended answers it to every call.  */
static bool
is_dead (struct gomp_plugin_device *dev)
{
  CUcontext popped;
  size_t available, total;

  if (nvptx_cuda.cuCtxPushCurrent_v2 (dev->context) != CUDA_SUCCESS)
    return true;
  CUresult result = nvptx_cuda.cuMemGetInfo_v2 (&available, &total);
  (void) nvptx_cuda.cuCtxPopCurrent_v2 (&popped);
  return result == CUDA_ERROR_UNKNOWN || kills_context (result);
}

gomp_status_t
nvptx_check_quiet (struct gomp_plugin_device *dev, CUresult result)
{
  if (result == CUDA_SUCCESS || result == CUDA_ERROR_DEINITIALIZED)
    return GOMP_OK;
  if (dev != NULL && (nvptx_is_lost (dev) || kills_context (result)
		      || (result == CUDA_ERROR_UNKNOWN && is_dead (dev))))
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
      char what[512], text[256];
      va_list list;
      va_start (list, doing);
      vsnprintf (what, sizeof (what), doing, list);
      va_end (list);
      nvptx_format_result (result, text, sizeof (text));
      nvptx_core->set_error ("%s failed: %s, while %s", call, text, what);
    }
  return status;
}
