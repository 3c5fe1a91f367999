/* calls.h -- which functions of the host device code may call, for the plugins of GPUs.  */

#ifndef GOMPX_CALLS_H
#define GOMPX_CALLS_H 1

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugin.h"

#pragma GCC visibility push (hidden)

/* Of a device.  */
struct plugin_calls
{
  pthread_mutex_t *lock;	/* a leaf of the plugin's; protects list.  Fixed */
  struct plugin_callees *list;
};

/* TABLE has for each of NUM functions of IMAGE the device address by which device code means it, or 0.  Each module of an image
   has a table.  False: out of memory.  */
bool plugin_calls_note (struct plugin_calls *calls, struct gomp_plugin_image *image,
			const uint64_t *table, size_t num);
/* All tables of IMAGE.  */
void plugin_calls_forget (struct plugin_calls *calls, struct gomp_plugin_image *image);
/* What device code has meant by an address.  */
struct plugin_called
{
  const struct plugin_calls *calls;
  uint64_t address;
  struct gomp_plugin_image *image;	/* NULL: there is none */
  size_t index;			/* in its host's table */
  unsigned changes;		/* plugin_calls_xchanges then */
};

/* The last one of the calling thread.  */
struct plugin_called *plugin_calls_last (void);
/* Find the function of the host that device code means by ADDRESS: it becomes *CALLED.  */
void plugin_calls_search (struct plugin_calls *calls, uint64_t address, struct plugin_called *called);

/* Counts what was noted and forgotten, on all devices.  */
extern _Atomic unsigned plugin_calls_xchanges;

/* The same, unless *LAST, which is plugin_calls_last (), is that one already.  */
static inline void
plugin_calls_find (struct plugin_calls *calls, uint64_t address, struct plugin_called *last)
{
  /* Relaxed: invariant 2 of calls.c.  */
  unsigned changes = atomic_load_explicit (&plugin_calls_xchanges, memory_order_relaxed);
  if (last->image == NULL || last->calls != calls || last->address != address || last->changes != changes)
    plugin_calls_search (calls, address, last);
}

#pragma GCC visibility pop

#endif /* GOMPX_CALLS_H */
