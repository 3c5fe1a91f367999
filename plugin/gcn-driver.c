/* gcn-driver.c -- the HSA runtime: loading it, results of its calls, lost devices.

   libhsa-runtime64.so.1 comes with ROCm or with the distribution, and is looked for as the dynamic
   loader does it; HSA_RUNTIME_LIB names another file.  It is opened in init, at the first use of a
   device, never in a constructor: constructors of programs set variables that it reads (HSA_XNACK).

   Results of calls do not kill a device: the runtime tells of that by the callback of a queue, or of
   the system for memory faults (gcn-signal.c, plugin-gcn.c), in threads of its own.

   Called by all other files of the plugin.  */

#define _GNU_SOURCE 1
#include "gcn-queue.h"

#include <dlfcn.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct gcn_hsa gcn_hsa;
const struct gomp_plugin_core *gcn_core;

#define DRIVER_FILE "libhsa-runtime64.so.1"

/* Written by gcn_driver_load only.  */
static char driver_path[4096];

/* ---- loading ---- */

/* The rows of HSA_FUNCTIONS.  */
static const struct function
{
  const char *name;
  bool required;
  size_t offset;		/* of the pointer in struct gcn_hsa */
} functions[] =
{
#define REQUIRED(result, name, parameters) { #name, true, offsetof (struct gcn_hsa, name) },
#define OPTIONAL(result, name, parameters) { #name, false, offsetof (struct gcn_hsa, name) },
  HSA_FUNCTIONS (REQUIRED, OPTIONAL)
#undef OPTIONAL
#undef REQUIRED
};

/* Open FILE; otherwise *STATUS and the text say whether it is missing or broken.  The loader's words
   are wanted in English, as all messages are, and to tell the two apart.  */
static void *
open_library (const char *file, gomp_status_t *status)
{
  locale_t plain = newlocale (LC_ALL_MASK, "C", (locale_t) 0);
  locale_t before = plain != (locale_t) 0 ? uselocale (plain) : (locale_t) 0;
  void *library = dlopen (file, RTLD_NOW | RTLD_LOCAL);

  if (library == NULL)
    {
      const char *why = dlerror ();
      if (why == NULL)
	why = "it cannot be loaded";
      size_t n = strlen (file);
      bool missing = (strncmp (why, file, n) == 0 && why[n] == ':'
		      && strstr (why, "No such file") != NULL);
      gcn_core->set_error (missing ? "there is no HSA runtime: %s"
			   : "the HSA runtime cannot be loaded: %s", why);
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
gcn_driver_load (void)
{
  gomp_status_t status = GOMP_OK;
  const char *file = gcn_core->getenv ("HSA_RUNTIME_LIB", true);
  if (file == NULL || file[0] == '\0')
    file = DRIVER_FILE;
  void *library = open_library (file, &status);
  if (library == NULL)
    return status;
  for (size_t i = 0; i < sizeof (functions) / sizeof (functions[0]); i++)
    {
      void *found = dlsym (library, functions[i].name);
      if (found == NULL && functions[i].required)
	{
	  gcn_core->set_error ("the HSA runtime is too old or damaged: %s has no function %s", file,
			       functions[i].name);
	  dlclose (library);
	  memset (&gcn_hsa, 0, sizeof (gcn_hsa));
	  return GOMP_DRIVER_ERROR;
	}
      /* POSIX has functions fit into void *, ISO C needs the detour.  */
      memcpy ((char *) &gcn_hsa + functions[i].offset, &found, sizeof (found));
    }

  Dl_info info;
  void *symbol;
  memcpy (&symbol, &gcn_hsa.hsa_init, sizeof (symbol));
  if (dladdr (symbol, &info) != 0 && info.dli_fname != NULL)
    snprintf (driver_path, sizeof (driver_path), "%s", info.dli_fname);
  return GOMP_OK;
}

const char *
gcn_driver_path (void)
{
  return driver_path[0] != '\0' ? driver_path : NULL;
}

/* ---- results ---- */

const char *
gcn_error_text (hsa_status_t status)
{
  const char *text = NULL;
  if (gcn_hsa.hsa_status_string == NULL
      || gcn_hsa.hsa_status_string (status, &text) != HSA_STATUS_SUCCESS || text == NULL
      || text[0] == '\0')
    return "an error that the HSA runtime has no text for";
  return text;
}

/* The runtime's texts begin with the status' name, and many end with a dot or a newline:
   "HSA_STATUS_ERROR_OUT_OF_RESOURCES: The runtime failed to allocate the necessary resources".  */
static void
format_result (hsa_status_t status, char *text, size_t size)
{
  snprintf (text, size, "%s", gcn_error_text (status));
  for (char *p = text; *p != '\0'; p++)
    if (*p == '\n')
      *p = ' ';
  size_t n = strlen (text);
  while (n > 0 && (text[n - 1] == '.' || text[n - 1] == ' '))
    text[--n] = '\0';
  if (n < size)
    snprintf (text + n, size - n, " (%#x)", (unsigned) status);
}

gomp_status_t
gcn_check_quiet (struct gomp_plugin_device *dev, hsa_status_t result)
{
  if (result == HSA_STATUS_SUCCESS)
    return GOMP_OK;
  if (dev != NULL && gcn_is_lost (dev))
    return GOMP_DEVICE_LOST;
  switch (result)
    {
    case HSA_STATUS_ERROR_INVALID_ARGUMENT:
    case HSA_STATUS_ERROR_INVALID_AGENT:
    case HSA_STATUS_ERROR_INVALID_REGION:
    case HSA_STATUS_ERROR_INVALID_MEMORY_POOL:
    case HSA_STATUS_ERROR_INVALID_SIGNAL:
    case HSA_STATUS_ERROR_INVALID_QUEUE:
    case HSA_STATUS_ERROR_INVALID_INDEX:
      return GOMP_INVALID;
    case HSA_STATUS_ERROR_INVALID_ALLOCATION:
    case HSA_STATUS_ERROR_OUT_OF_RESOURCES:
      return GOMP_OUT_OF_DEVICE_MEMORY;
    case HSA_STATUS_ERROR_NOT_INITIALIZED:
      return GOMP_NO_DEVICE;
    case HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS:
    case HSA_STATUS_ERROR_INVALID_ISA:
    case HSA_STATUS_ERROR_INVALID_ISA_NAME:
    case HSA_STATUS_ERROR_INVALID_CODE_OBJECT:
      return GOMP_BAD_IMAGE;
    case HSA_STATUS_ERROR_INVALID_SYMBOL_NAME:
    case HSA_STATUS_ERROR_VARIABLE_UNDEFINED:
      return GOMP_NOT_FOUND;
    default:
      return GOMP_DRIVER_ERROR;
    }
}

gomp_status_t
gcn_check (struct gomp_plugin_device *dev, hsa_status_t result, const char *call,
	   const char *doing, ...)
{
  if (__builtin_expect (result == HSA_STATUS_SUCCESS, 1))
    return GOMP_OK;
  gomp_status_t status = gcn_check_quiet (dev, result);
  char what[512], text[256];
  va_list list;
  va_start (list, doing);
  vsnprintf (what, sizeof (what), doing, list);
  va_end (list);
  format_result (result, text, sizeof (text));
  gcn_core->set_error ("%s failed: %s, while %s", call, text, what);
  return status;
}

gomp_status_t
gcn_no_memory (void)
{
  gcn_core->set_error ("out of host memory");
  return GOMP_OUT_OF_HOST_MEMORY;
}

/* ---- lost devices ---- */

gomp_status_t
gcn_lose (struct gomp_plugin_device *dev, hsa_status_t result)
{
  int alive = 0;
  /* Sequentially consistent with gcn-queue.c's publish: who enqueues sees that the device is lost, or
     its signal is seen.  The first reason stays.  */
  if (atomic_compare_exchange_strong (&dev->xlost, &alive, result))
    {
      gcn_core->debug (1, "gcn device %u is lost: status %#x", dev->ordinal, (unsigned) result);
      gcn_queue_lost (dev, result == GCN_COPY_FAILED);
    }
  return GOMP_DEVICE_LOST;
}

/* What a status means to somebody who does not program in HSA.  */
static const char *
explanation (hsa_status_t status)
{
  switch (status)
    {
    case HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION:
    case HSA_STATUS_ERROR_MEMORY_FAULT:
      return "a region used an address that is not on the device; is all mapped that it uses?";
    case HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION:
      return "a region ran into something that is no code";
    case HSA_STATUS_ERROR_EXCEPTION:
      return "a region trapped";
    case HSA_STATUS_ERROR_INVALID_ISA:
    case HSA_STATUS_ERROR_OUT_OF_RESOURCES:
      return "a region needs more than the device has: registers, local memory or stack";
    default:
      return NULL;
    }
}

void
gcn_explain_loss (struct gomp_plugin_device *dev, char *text, size_t size)
{
  int lost = atomic_load_explicit (&dev->xlost, memory_order_relaxed);
  if (lost == GCN_FORKED)
    {
      snprintf (text, size, "it belongs to the process from which this one was forked");
      return;
    }
  if (lost == GCN_COPY_FAILED)
    {
      size_t n = gcn_queue_describe_failed (dev, text, size);
      snprintf (text + n, size - n, "; a region was waiting for it");
      return;
    }
  const char *more = explanation (lost);
  char what[256];
  format_result (lost, what, sizeof (what));
  snprintf (text, size, "%s%s%s", what, more != NULL ? ": " : "", more != NULL ? more : "");
}

gomp_status_t
gcn_alive (struct gomp_plugin_device *dev)
{
  if (__builtin_expect (!gcn_is_lost (dev), 1))
    return GOMP_OK;
  char text[400];
  gcn_explain_loss (dev, text, sizeof (text));
  gcn_core->set_error ("%s", text);
  return GOMP_DEVICE_LOST;
}
