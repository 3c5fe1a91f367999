/* cpu.h -- what the library's start-up (host/init.c, host/worker.c) and the cpu device need of
   each other.  The cpu device is embedded in libgomp; this and plugin.h are all that the two
   know of one another.  */

#ifndef GOMP_CPU_H
#define GOMP_CPU_H 1

#include <stdbool.h>
#include <stdint.h>

#include "plugin/plugin.h"

extern const struct gomp_plugin gomp_plugin_cpu;

/* One region that the worker is to run.  */
struct gomp_cpu_region
{
  void (*fn) (void *);
  void *args;
  int num_teams, thread_limit;	/* as in struct gomp_launch */
  bool one_thread;		/* whatever the region asks for */
  /* Of the device that this process is; nteams and teams_thread_limit are, after the region, as it
     leaves them.  */
  struct gomp_device_icvs icvs;
};

/* What the worker asks of the runtime in its own process.  */
struct gomp_cpu_runtime
{
  /* Run a region in the calling thread as an initial thread would.  */
  void (*run) (struct gomp_cpu_region *region);
};

/* Is this process the worker of a cpu device?  To be called before anything that reads the
   environment.  Answers false for an ordinary program, after taking our variable out of its
   environment; true in a worker, whose environment is then that of a device; does not return
   when the process claims to be a worker and cannot prove it.  */
bool gomp_cpu_worker_claim (int argc, char **argv, char **envp);
/* Serve the host until it goes away.  */
void gomp_cpu_worker_serve (const struct gomp_cpu_runtime *) __attribute__ ((noreturn));
/* In a worker: let the host call its own FN with these items (abi/target section 2), whose
   addresses are this process's, and wait.  False: there is no host to call, since this is a
   child that a region has forked.  */
bool gomp_cpu_worker_call (void (*fn) (void *), uint64_t count, void *const *addrs,
			   const size_t *sizes, const unsigned short *kinds, int device);
/* In a worker: what include/gompx.h asks of the host.  */
struct gompx_request;
void gomp_cpu_worker_ask (struct gompx_request *request);
/* A thread of the runtime's pools starts in a worker: let it report stack overflows.  */
void gomp_cpu_worker_thread_start (void);

/* The library is being loaded into an ordinary program: keep what is needed to start workers
   later.  ENVP must stay as it is.  CHECK: the mapping checker is on.  */
void gomp_cpu_host_init (int argc, char **argv, char **envp, bool check);
/* The program has target regions: start the workers now if the environment asks for cpu
   devices, since later the program may not be allowed to (chroot, seccomp, set-user-ID).  */
void gomp_cpu_start_early (void);

#endif /* GOMP_CPU_H */
