/* reverse.h -- reverse offload: device code calls the host (doc/reverse-offload.md).

   A plugin finds a request (plugin/reverse-proto.h) and calls gomp_reverse_serve in the thread that
   found it: one that waits for a queue or an event, or a helper of this file.  reverse.c finds
   the function and has the threads, reverse-map.c turns device addresses into host
   addresses, moves the data and runs the function.

   Who serves
   1. A thread that waits for a device serves its requests.  Programs that make none pay for that
      with a look at the bells while they wait.
   2. While a request is being served at least one helper thread of the device is idle, up
      to a limit: requests that come meanwhile do not wait for the function that runs.  Helpers are
      started by the first request, or when a region that may call the host is launched and nobody
      is going to wait for it (gomp_reverse_expect).
   3. A thread that must not run the program's functions (it holds a lock, or is there for
      something else) says so with gomp_reverse_forbid; helpers do it then.
   4. Whoever polls events instead of waiting calls gomp_reverse_attend now and then.  Helpers
      serve then: who polls has its own work to get back to.  */

#ifndef GOMP_REVERSE_H
#define GOMP_REVERSE_H 1

#include "target.h"

struct gomp_reverse_slot;

/* ---- reverse.c ---- */

/* The state of a device that is being opened.  */
struct gomp_reverse *gomp_reverse_new (void);
/* Images have been loaded: set up what a program that requires reverse offload needs.  open_lock is
   held.  False: it cannot be done, the plugin's text says why.  */
bool gomp_reverse_prepare (struct gomp_device *);
/* A region was launched that nobody waits for.  Cheap when the program does not require reverse
   offload.  */
void gomp_reverse_expect (struct gomp_device *);
/* The calling thread polls for something else on the device: if a request waits, see to it that a
   helper serves it.  */
void gomp_reverse_attend (struct gomp_device *);
/* From now on the calling thread serves nobody, until it is called with false as often.  */
void gomp_reverse_forbid (bool);
/* Does the calling thread serve a request, or is it in a team of one that does?  The region that made
   it is not complete before.  */
bool gomp_reverse_serving (void);
/* Does a thread that serves a request wait for the end of the calling thread, which it has made?  */
bool gomp_reverse_joins_me (void);
/* The device is lost, and the calling thread is going to end the program for it: let functions that other threads
   run for the device come to their ends.  Not for ever: one may wait for what the device would have done.  */
void gomp_reverse_let_end (const struct gomp_device *);
/* The calling thread does not go on: whatever it serves has no end.  */
void gomp_reverse_give_up (void);
/* Call FN (DATA), which serves, as an initial thread.  */
void gomp_reverse_run (gomp_fn fn, void *data);
/* The device is going to be closed while the program goes on: its helpers end.  */
void gomp_reverse_stop (struct gomp_device *);

/* What plugins call: struct gomp_plugin_core.  */
bool gomp_reverse_wanted (void *core_device, bool others);
int gomp_reverse_serve (void *core_device, struct gomp_plugin_image *image, size_t index,
			struct gomp_reverse_slot *slot);

enum { GOMP_REVERSE_BOUNCE = 4096 };

/* A queue that no kernel occupies, and pinned memory that goes with it.  */
struct gomp_reverse_queue
{
  struct gomp_plugin_queue *queue;	/* NULL: the device is lost */
  unsigned char *bounce;	/* GOMP_REVERSE_BOUNCE bytes; NULL: the device does not care */
};
struct gomp_reverse_queue gomp_reverse_queue_get (struct gomp_device *);
void gomp_reverse_queue_put (struct gomp_device *, struct gomp_reverse_queue);

/* ---- reverse-map.c ---- */

/* Map the items of SLOT, call FN, bring the results back.  False: the device was lost meanwhile; who
   waits for the region explains that.  */
bool gomp_reverse_call (struct gomp_device *, gomp_fn fn, struct gomp_reverse_slot *slot);

#endif /* GOMP_REVERSE_H */
