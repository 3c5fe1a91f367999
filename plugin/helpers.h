/* helpers.h -- who looks for requests of device code, for the plugins of GPUs.  */

#ifndef GOMPX_HELPERS_H
#define GOMPX_HELPERS_H 1

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "plugin.h"
#include "slots.h"

#pragma GCC visibility push (hidden)

/* A thread that waits for what a queue holds, on its stack.  */
struct plugin_waiter
{
  const void *queue;		/* the plugin's, for its op others */
  /* helpers.c's.  */
  bool begun;			/* plugin_helpers_begin was called */
  bool serves;			/* is one of xservers: it waits for all kernels that may call ... */
  unsigned launches;		/* ... of those that were launched so far */
  uint64_t told;		/* when it last left something to helpers */
};

/* What a plugin answers.  */
struct plugin_helpers_ops
{
  bool (*is_lost) (struct gomp_plugin_device *);
  /* May a kernel be running that calls the host?  */
  bool (*may_call) (struct gomp_plugin_device *);
  /* May one be running that is not in QUEUE?  What a thread waits for there comes before all that does not run yet.  */
  bool (*others) (struct gomp_plugin_device *, const void *queue);
  /* A request in the form of the compiler's device library that nobody has taken, or -1.  */
  int (*find) (struct gomp_plugin_device *);
  /* Serve that one, if plugin_helpers_may still says so when it is taken.  False: another thread does.  */
  bool (*serve) (struct gomp_plugin_device *, int, struct plugin_waiter *);
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
  /* Nanoseconds that the core takes for a request when there are many: a mean, in which the last ones count most.  A hint, too.  */
  _Atomic unsigned xlength;
  /* Launches of kernels that may call, counted before they run.  */
  _Atomic unsigned xlaunches;
  /* Threads that wait and leave what comes to helpers.  A hint, for how long those look.  */
  _Atomic unsigned xleaving;
  /* Helpers that sleep until a kernel is launched that may call, and those that nap between two looks; changed under lock.  */
  _Atomic unsigned xsleepers, xnapping;
  pthread_mutex_t lock;		/* a leaf */
  pthread_cond_t wake;		/* of sleepers, or somebody is wanted back */
  pthread_cond_t look;		/* naps end: a request is left to helpers; of CLOCK_MONOTONIC */
  unsigned wakes;		/* lock: plugin_helpers_wake was called */
};

void plugin_helpers_open (struct plugin_helpers *h, struct gomp_plugin_device *dev,
			  const struct gomp_plugin_core *core, void *core_device,
			  struct plugin_slots *slots, const struct plugin_helpers_ops *ops);
void plugin_helpers_close (struct plugin_helpers *h);

/* The plugin's reverse_poll (WAITER is NULL), _wait and _wake; and what a waiting thread does between the two below, again
   and again.  */
bool plugin_helpers_poll (struct plugin_helpers *h, struct plugin_waiter *waiter);
gomp_status_t plugin_helpers_wait (struct plugin_helpers *h);
void plugin_helpers_wake (struct plugin_helpers *h);
/* A kernel that may call the host is going to be enqueued, and may_call and others say so; then it was.  */
void plugin_helpers_launching (struct plugin_helpers *h);
void plugin_helpers_launched (struct plugin_helpers *h);
/* The calling thread is going to wait for something in QUEUE.  */
void plugin_helpers_begin (struct plugin_helpers *h, struct plugin_waiter *waiter, const void *queue);
void plugin_helpers_end (struct plugin_helpers *h, struct plugin_waiter *waiter);
/* Must all requests that are there now come from kernels that the thread waits for?  WAITER may be NULL: so it is.  */
bool plugin_helpers_may (struct plugin_helpers *h, struct plugin_waiter *waiter);
/* Does the calling thread serve a request, of any device?  */
bool plugin_helpers_serving (void);

#pragma GCC visibility pop

#endif /* GOMPX_HELPERS_H */
