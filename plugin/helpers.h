/* helpers.h -- who looks for requests of device code, for the plugins of GPUs.  */

#ifndef GOMPX_HELPERS_H
#define GOMPX_HELPERS_H 1

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "plugin.h"
#include "slots.h"

#pragma GCC visibility push (hidden)

/* What a plugin answers.  */
struct plugin_helpers_ops
{
  bool (*is_lost) (struct gomp_plugin_device *);
  /* May a kernel be running that calls the host?  */
  bool (*may_call) (struct gomp_plugin_device *);
  /* A request in the form of the compiler's device library that nobody has taken, or -1.  */
  int (*find) (struct gomp_plugin_device *);
  /* Serve that one.  False: another thread does.  */
  bool (*serve) (struct gomp_plugin_device *, int);
};

/* Of a device.  */
struct plugin_helpers
{
  /* Fixed.  */
  struct gomp_plugin_device *dev;
  const struct gomp_plugin_core *core;
  void *core_device;
  struct plugin_slots *slots;
  const struct plugin_helpers_ops *ops;
  /* Counts looks of threads that wait for queues: helpers need not hurry.  */
  _Atomic unsigned xlooks;
  /* Threads that serve all the time: that wait for a kernel, or helpers that have joined.  A hint,
     for how many helpers are worth it.  */
  _Atomic unsigned xservers;
  /* Requests take so long that it is worth another thread when there are many.  A hint, too.  */
  _Atomic bool xlong;
  /* Helpers that sleep until a kernel is launched that may call; changed under lock.  */
  _Atomic unsigned xsleepers;
  pthread_mutex_t lock;		/* a leaf */
  pthread_cond_t wake;
  unsigned wakes;		/* lock: plugin_helpers_wake was called */
};

void plugin_helpers_open (struct plugin_helpers *h, struct gomp_plugin_device *dev,
			  const struct gomp_plugin_core *core, void *core_device,
			  struct plugin_slots *slots, const struct plugin_helpers_ops *ops);
void plugin_helpers_close (struct plugin_helpers *h);

/* The plugin's reverse_poll, _wait and _wake.  */
bool plugin_helpers_poll (struct plugin_helpers *h);
gomp_status_t plugin_helpers_wait (struct plugin_helpers *h);
void plugin_helpers_wake (struct plugin_helpers *h);
/* A kernel was enqueued that may call the host, and may_call says so.  */
void plugin_helpers_launched (struct plugin_helpers *h);
/* The calling thread is going to look for requests again and again (WAITS), or no longer.  */
void plugin_helpers_waits (struct plugin_helpers *h, bool waits);
/* Does the calling thread serve a request, of any device?  */
bool plugin_helpers_serving (void);

#pragma GCC visibility pop

#endif /* GOMPX_HELPERS_H */
