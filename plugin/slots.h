/* slots.h -- requests of device code that has our device library, for the plugins of GPUs.  */

#ifndef GOMPX_SLOTS_H
#define GOMPX_SLOTS_H 1

#include "calls.h"
#include "plugin.h"
#include "slots-proto.h"

#pragma GCC visibility push (hidden)

struct plugin_slots;

/* The device that they are for.  */
struct plugin_slots_user
{
  const struct gomp_plugin_core *core;
  void *core_device;
  int32_t ordinal;
  struct plugin_calls *calls;
  const _Atomic int *xlost;	/* not 0: the device is lost.  Atomic: any thread may find out */
  /* Called with DEV between taking a request and serving it: what the device has said before is to appear first.
     May be NULL.  */
  void (*before) (struct gomp_plugin_device *dev);
  struct gomp_plugin_device *dev;
};

/* For AREA, zeroed memory for GOMPX_SLOTS_MAX slots.  NULL: out of memory.  */
struct plugin_slots *plugin_slots_new (const struct plugin_slots_user *user, struct gompx_slots *area);
void plugin_slots_free (struct plugin_slots *slots);

/* How many requests there are that nobody has taken, with those that are just being taken.  */
unsigned plugin_slots_pending (struct plugin_slots *slots);
/* Something that is different when another request is the first one of them.  */
uint32_t plugin_slots_first (struct plugin_slots *slots);
/* Take some of them, MOST at most, and serve them; how many.  Who knows that there are no more need not look for more.
   Those that come when *COUNT, unless COUNT is NULL, is no longer SEEN are left where they are.  *LENGTH, unless LENGTH
   is NULL, becomes the nanoseconds that the core took for one of them, if some were served.  */
unsigned plugin_slots_serve (struct plugin_slots *slots, unsigned most, const _Atomic unsigned *count, unsigned seen, uint64_t *length);

#pragma GCC visibility pop

#endif /* GOMPX_SLOTS_H */
