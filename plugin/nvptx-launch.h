/* nvptx-launch.h -- what the files about launches share.  */

#ifndef GOMPX_NVPTX_LAUNCH_H
#define GOMPX_NVPTX_LAUNCH_H 1

#include "nvptx-queue.h"

#pragma GCC visibility push (hidden)

enum { NVPTX_MAX_WARPS = 32 };	/* of a team: fixed by compiled code */

/* How a kernel is started.  A thread of OpenMP is a warp.  */
struct nvptx_shape
{
  unsigned teams, warps;	/* teams: blocks of the grid */
  unsigned logical;		/* teams that run on them, told in the launch word; 0: nothing is told */
  unsigned limit;		/* the same: threads of a team, of which the block has no less */
  unsigned pool_bytes;		/* dynamic shared memory: low-latency allocations */
  size_t stack_bytes;		/* soft stack of each warp */
  size_t stack_least;		/* of it, without which the device library does not do */
  CUdeviceptr stacks;		/* teams * warps * stack_bytes */
};

struct nvptx_stacks;		/* nvptx-stacks.c */
struct nvptx_flight;		/* nvptx-flight.c */
struct nvptx_timers;		/* nvptx-tune.c */

/* Launch KERNEL on Q; the device is entered.  PARAMS, for an image that carries: what it takes along, or NULL.  */
gomp_status_t nvptx_launch_now (struct nvptx_queue *q, struct nvptx_kernel *kernel,
				const struct gomp_launch *launch, struct nvptx_carry_params *params);

struct nvptx_launches
{
  pthread_mutex_t lock;		/* protects everything here; queues->lock may be taken under it */
  struct nvptx_stacks *stacks;
  struct nvptx_flight *flights;
  struct nvptx_timers *timers;
};

/* ---- nvptx-stacks.c; with the lock, the device is entered ---- */

gomp_status_t nvptx_stacks_open (struct gomp_plugin_device *dev, struct nvptx_stacks **stacks);
void nvptx_stacks_close (struct gomp_plugin_device *dev, struct nvptx_stacks *stacks);
/* Bytes of soft stack of a warp, by default or as the user wants it.  */
size_t nvptx_stack_size (void);
/* How much memory the stacks of one launch may take while there is another way.  */
uint64_t nvptx_stacks_budget (const struct gomp_plugin_device *dev);
/* Soft stacks for a kernel that Q is about to get, of SHAPE, whose teams and stack_bytes become
   less when memory is short.  */
gomp_status_t nvptx_stacks_take (struct gomp_plugin_device *dev, struct nvptx_stacks *stacks,
				 struct nvptx_queue *q, struct nvptx_shape *shape);

/* ---- nvptx-flight.c; with the lock, the device is entered ---- */

void nvptx_flights_close (struct nvptx_flight *flights);
/* A kernel of IMAGE, whose device library keeps state in device globals, is about to be enqueued
   on Q: order it behind those that it would disturb.  To be ended when it is enqueued; *FLIGHT
   NULL: no need.  */
gomp_status_t nvptx_flight_begin (struct nvptx_launches *launches, struct nvptx_queue *q,
				  const struct gomp_plugin_image *image,
				  const struct gomp_launch *launch, unsigned teams,
				  struct nvptx_flight **flight);
/* Without the lock.  */
void nvptx_flight_end (struct nvptx_flight *flight);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_LAUNCH_H */
