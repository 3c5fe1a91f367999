/* aux-plugin.h -- for programs that call the gcn plugin's slots themselves, on the simulator.  */

#ifndef AUX_PLUGIN_H
#define AUX_PLUGIN_H 1

#include "gcn-sim.h"
#include "plugin.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)						\
  do									\
    if (!(condition))							\
      {									\
	printf ("%s:%d: not so: %s (%s)\n", __FILE__, __LINE__, #condition, plugin_text); \
	exit (1);							\
      }									\
  while (0)

static __thread char plugin_text[1000];	/* the last error */
static const struct gomp_plugin *plugin;
static unsigned plugin_devices;

static void __attribute__ ((format (printf, 1, 2)))
plugin_set_error (const char *fmt, ...)
{
  va_list list;
  va_start (list, fmt);
  vsnprintf (plugin_text, sizeof (plugin_text), fmt, list);
  va_end (list);
}

static void __attribute__ ((format (printf, 2, 3)))
plugin_debug (int level, const char *fmt, ...)
{
  (void) level;
  (void) fmt;
}

static const char *
plugin_getenv (const char *name, bool file_name)
{
  (void) file_name;
  return getenv (name);
}

static void __attribute__ ((format (printf, 2, 3)))
plugin_info (void *core_device, const char *fmt, ...)
{
  (void) core_device;
  (void) fmt;
}

static struct gomp_plugin_core plugin_core =
{
  .api_version = GOMP_PLUGIN_API_VERSION,
  .struct_size = sizeof (struct gomp_plugin_core),
  .set_error = plugin_set_error,
  .debug = plugin_debug,
  .getenv = plugin_getenv,
  .info = plugin_info
};

/* The plugin, started; ends the program if that fails.  */
static inline void
plugin_start (void)
{
  void *library = dlopen ("libgomp-plugin-gcn.so.1", RTLD_NOW);
  plugin = library != NULL ? dlsym (library, "GOMPX_plugin") : NULL;
  if (plugin == NULL)
    {
      printf ("no plugin: %s\n", dlerror ());
      exit (1);
    }
  CHECK (plugin->init (&plugin_core, &plugin_devices) == GOMP_OK);
}

static inline struct gomp_plugin_device *
plugin_open (unsigned ordinal)
{
  struct gomp_plugin_device *dev = NULL;
  CHECK (plugin->device_open (ordinal, NULL, &dev) == GOMP_OK);
  return dev;
}

static inline struct gomp_plugin_queue *
plugin_queue (struct gomp_plugin_device *dev)
{
  struct gomp_plugin_queue *queue = NULL;
  CHECK (plugin->queue_create (dev, &queue) == GOMP_OK);
  return queue;
}

static inline struct gomp_plugin_event *
plugin_event (struct gomp_plugin_device *dev)
{
  struct gomp_plugin_event *event = NULL;
  CHECK (plugin->event_create (dev, &event) == GOMP_OK);
  return event;
}

static inline bool
plugin_signalled (const struct gomp_plugin_event *event)
{
  return (int32_t) (atomic_load_explicit (event->word, memory_order_acquire) - event->target) >= 0;
}

static inline gomp_devptr_t
plugin_memory (struct gomp_plugin_device *dev, size_t size)
{
  gomp_devptr_t ptr = 0;
  CHECK (plugin->mem_alloc (dev, size, 256, &ptr) == GOMP_OK);
  return ptr;
}

/* What the simulator has counted, or how often a function was called.  */
static inline void *
simulator_function (const char *name)
{
  void *library = dlopen ("libhsa-runtime64.so.1", RTLD_NOW);
  void *function = library != NULL ? dlsym (library, name) : NULL;
  if (function == NULL)
    {
      printf ("the simulator has no %s\n", name);
      exit (1);
    }
  return function;
}

static inline unsigned long
simulator_count (const char *name)
{
  unsigned long (*count) (const char *);
  void *function = simulator_function ("gcn_sim_count");
  memcpy (&count, &function, sizeof (count));
  return count (name);
}

#endif /* AUX_PLUGIN_H */
