/* worker.h -- the host runtime in a process that is a cpu device (plugin/cpu.h).

   There the runtime answers as a device's would: its device number, the number of teams that
   the launch asked for.  In ordinary programs gomp_worker.active is false and nothing of
   this matters.  */

#ifndef GOMP_WORKER_H
#define GOMP_WORKER_H 1

#include "libgomp.h"

struct gomp_worker
{
  bool active;			/* fixed */
  /* Relaxed: they do not change any more once a region runs.  -1 before the first region.  */
  _Atomic (int) xdevice_num;
  _Atomic (int) xnum_devices;
};
extern GOMP_HIDDEN struct gomp_worker gomp_worker;

/* Teams and thread limit that GOMP_teams4 has to use for the region that the calling thread
   runs: what the construct asks for, or else what the launch says.  */
void gomp_worker_teams (unsigned *num_teams, unsigned *thread_limit);

/* In a worker: a reverse call of FN (plugin/cpu.h).  False: the caller runs it itself.  */
bool gomp_worker_call_host (gomp_fn fn, size_t mapnum, void *const *addrs, const size_t *sizes,
			    const unsigned short *kinds) __attribute__ ((cold));

/* In a worker: a request of include/gompx.h.  */
struct gompx_request;
void gomp_worker_ask (struct gompx_request *) __attribute__ ((cold));

/* A helper thread starts in a worker: it reports its own faults.  */
void gomp_worker_helper_start (void) __attribute__ ((cold));

/* Serve as a cpu device until the host goes away.  */
void gomp_worker_main (void) __attribute__ ((noreturn));

#endif /* GOMP_WORKER_H */
