/* nvptx-ride.h -- small copies and marks that travel with a kernel (nvptx-ride.c); for the files of operations.  */

#ifndef GOMPX_NVPTX_RIDE_H
#define GOMPX_NVPTX_RIDE_H 1

#include "nvptx-queue.h"

#pragma GCC visibility push (hidden)

/* Q's next operation; each answers whether it is held back, to travel with a kernel.  If not, whoever
   calls enqueues it, after nvptx_ride_end.  For the queue's thread.  */
bool nvptx_ride_in (struct nvptx_queue *q, gomp_devptr_t dst, const void *src, size_t size);
bool nvptx_ride_kernel (struct nvptx_queue *q, struct nvptx_kernel *kernel,
			const struct gomp_launch *launch);
bool nvptx_ride_out (struct nvptx_queue *q, void *dst, gomp_devptr_t src, size_t size);

/* KERNEL is about to be launched on Q: the parameters it needs, with the table of LAUNCH, if it takes that from
   the launch.  *PARAMS NULL: it doesn't.  To be called first; the caller has entered the device.  */
gomp_status_t nvptx_ride_args (struct nvptx_queue *q, const struct nvptx_kernel *kernel,
			       const struct gomp_launch *launch, struct nvptx_carry_params **params);

/* Enqueue what Q holds back, each for itself.  */
gomp_status_t nvptx_ride_end_now (struct nvptx_queue *q);
static inline gomp_status_t
nvptx_ride_end (struct nvptx_queue *q)
{
  return __builtin_expect (q->held.any, 0) ? nvptx_ride_end_now (q) : GOMP_OK;
}

/* The event NUMBER is being recorded on Q, which holds something back: enqueue it.  *MARKED: the kernel marks
   the word, too.  The caller has entered the device.  */
gomp_status_t nvptx_ride_go (struct nvptx_queue *q, uint32_t number, bool *marked);

#pragma GCC visibility pop

#endif /* GOMPX_NVPTX_RIDE_H */
