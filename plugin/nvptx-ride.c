/* nvptx-ride.c -- small copies and marks that travel with a kernel.

   A queue's thread enqueues, for a region, what the construct sends in one small copy, the kernel, what comes
   back in one small copy, and an event.  Each would be an operation of the stream, and a call of the driver
   for each.  Where the kernel's entry carries (nvptx-carry.c) the first three are held back until the event
   is recorded, and then all four are one launch.

   What is held back and then followed by anything else is enqueued before that, as it would have been: nobody
   can tell but by the time.  Nothing stays held back for longer than the construct enqueues, since every one
   ends with an event.

   Kernels that take their arguments from the launch (nvptx-lanes-spaces.c) get the table in the parameter, always and
   with any number of blocks.  A copy of the table alone is not needed then.  One that has more is
   held back as others, or enqueued; its data begins with the table, and stays where it is.

   Not held back: what is larger than NVPTX_CARRY_MOST or no multiple of 4 bytes, other kernels that may
   have several blocks (the last one to end would have to be found out, and the first one to begin would see data
   that others have not), everything on devices whose images do not carry, and while somebody wants to know
   the times of single operations.

   Invariants
   1. held is the queue's thread's; it is empty when the queue is given back.
   2. A copy to the device is held back with its data: the program's memory is free as soon as it is.
   3. Order: the copy in, the kernel, the copy out.
   4. The data of a kernel that is held back and takes its arguments begins with them.

   Called by nvptx-copy.c, nvptx-launch.c and nvptx-queue.c.  */

#include "nvptx-ride.h"
#include "nvptx-launch.h"

#include <string.h>

bool
nvptx_ride_in (struct nvptx_queue *q, gomp_devptr_t dst, const void *src, size_t size)
{
  struct nvptx_held *held = &q->held;

  /* Relaxed: an image is linked before its first kernel; until then there is nothing to ride on.  */
  if (!atomic_load_explicit (&q->base.dev->xcarries, memory_order_relaxed) || held->any
      || size > NVPTX_CARRY_MOST || size == 0 || ((size | dst) & 3) != 0 || q->times != NULL)
    return false;
  memcpy (held->params.carry.data, src, size);
  held->params.carry.head.in_dst = dst;
  held->params.carry.head.in_size = size;
  held->any = true;
  return true;
}

bool
nvptx_ride_kernel (struct nvptx_queue *q, struct nvptx_kernel *kernel,
		   const struct gomp_launch *launch)
{
  struct nvptx_held *held = &q->held;

  if (!kernel->image->carries || (launch->num_teams != -2 && launch->num_teams != 1)
      || held->kernel != NULL || q->times != NULL || nvptx_is_lost (q->base.dev))
    return false;
  held->kernel = kernel;
  held->launch = *launch;
  held->any = true;
  return true;
}

bool
nvptx_ride_out (struct nvptx_queue *q, void *dst, gomp_devptr_t src, size_t size)
{
  struct nvptx_held *held = &q->held;

  if (held->kernel == NULL || held->params.carry.head.out_size != 0 || size > NVPTX_CARRY_MOST || size == 0
      || ((size | src | (uintptr_t) dst) & 3) != 0
      || !nvptx_is_accessible (q->base.dev, dst, size))
    return false;
  held->params.carry.head.out_src = src;
  held->params.carry.head.out_dst = (uintptr_t) dst;
  held->params.carry.head.out_size = size;
  return true;
}

/* HELD is empty again.  */
static void
forget (struct nvptx_held *held)
{
  held->params.carry.head = (struct nvptx_carry_head) { .in_size = 0 };
  held->kernel = NULL;
  held->any = false;
}

static gomp_status_t
copy_in (struct nvptx_queue *q, const struct nvptx_carry *carry)
{
  struct gomp_plugin_device *dev = q->base.dev;
  nvptx_queue_begins (q);
  return NVPTX_CALL (dev, cuMemcpyHtoDAsync_v2,
		     (carry->head.in_dst, carry->data, carry->head.in_size, q->stream),
		     "copying %u bytes to %#llx on device %u", carry->head.in_size,
		     (unsigned long long) carry->head.in_dst, dev->ordinal);
}

static gomp_status_t
copy_out (struct nvptx_queue *q, const struct nvptx_carry_head *head)
{
  struct gomp_plugin_device *dev = q->base.dev;
  nvptx_queue_begins (q);
  return NVPTX_CALL (dev, cuMemcpyDtoHAsync_v2,
		     ((void *) (uintptr_t) head->out_dst, head->out_src, head->out_size, q->stream),
		     "copying %u bytes from %#llx on device %u to %#llx", head->out_size,
		     (unsigned long long) head->out_src, dev->ordinal,
		     (unsigned long long) head->out_dst);
}

gomp_status_t
nvptx_ride_args (struct nvptx_queue *q, const struct nvptx_kernel *kernel, const struct gomp_launch *launch,
		 struct nvptx_carry_params **params)
{
  struct nvptx_held *held = &q->held;
  struct nvptx_carry_head *head = &held->params.carry.head;
  size_t size = launch->num_args * sizeof (uint64_t);

  *params = NULL;
  if (!kernel->takes_args || size == 0)
    return GOMP_OK;
  /* What else is held back is in the table's place.  */
  if (held->any && (held->kernel != NULL || head->in_dst != launch->args || head->in_size < size))
    {
      gomp_status_t status = nvptx_ride_end_now (q);
      if (status != GOMP_OK)
	return status;
    }
  if (held->any && head->in_size == size)
    forget (held);
  if (!held->any)
    memcpy (held->params.carry.data, launch->table, size < NVPTX_CARRY_MOST ? size : NVPTX_CARRY_MOST);
  *params = &held->params;
  return GOMP_OK;
}

gomp_status_t
nvptx_ride_end_now (struct nvptx_queue *q)
{
  struct gomp_plugin_device *dev = q->base.dev;
  struct nvptx_held *held = &q->held;
  struct nvptx_scope scope;

  gomp_status_t status = nvptx_enter (dev, &scope);
  if (status == GOMP_OK)
    {
      const struct nvptx_carry_head head = held->params.carry.head;
      /* The driver takes pageable memory of this size along with the call.  */
      if (head.in_size != 0)
	status = copy_in (q, &held->params.carry);
      if (status == GOMP_OK && held->kernel != NULL)
	{
	  held->params.carry.head = (struct nvptx_carry_head) { .in_size = 0 };
	  status = nvptx_launch_now (q, held->kernel, &held->launch, &held->params);
	}
      if (status == GOMP_OK && head.out_size != 0)
	status = copy_out (q, &head);
      nvptx_leave (dev, &scope);
    }
  forget (held);
  return status;
}

gomp_status_t
nvptx_ride_go (struct nvptx_queue *q, uint32_t number, bool *marked)
{
  struct nvptx_held *held = &q->held;

  if (held->kernel == NULL)
    return nvptx_ride_end_now (q);
  held->params.carry.head.word = q->word_addr;
  held->params.carry.head.number = number;
  gomp_status_t status = nvptx_launch_now (q, held->kernel, &held->launch, &held->params);
  *marked = status == GOMP_OK;
  forget (held);
  return status;
}
