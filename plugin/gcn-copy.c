/* gcn-copy.c -- copies and fills.

   Everything here is a copy of the engines (hsa_amd_memory_async_copy), in the order of its queue.
   The engines need memory that the runtime knows.  What is done depends on the host's side:
   - Pinned memory, by whomever: it is copied from or to where it is.
   - Other memory, up to GOMP_TAKEN_MOST bytes to the device: taken along, in a slot of the queue.
   - More, or from the device: the memory is locked until somebody waits for something that comes
     after the copy (gcn_copy_ended).
   - Memory that cannot be locked (pages that may only be read): copied in pieces through pinned memory,
     while the caller waits.
   The core has pinned memory for nearly all it copies (staging.h), so that the last two are rare.

   A fill writes a pattern and copies what is filled behind itself, twice as much each time.

   Rectangles that the engines cannot do are the core's again (GOMP_UNSUPPORTED).

   Invariants
   1. Memory that was locked here is unlocked when the last copy that uses it has ended; another copy
      of the same memory, on whichever device, shares it.  So "the runtime knows this memory as locked"
      says nothing by itself: it may be another thread's, and unlocked at once.
   2. A slot is used again when the copy from it has ended.

   Locks: copies->lock and locked_lock, leaves.  */

#include "gcn-queue.h"

#include <stdlib.h>
#include <string.h>

enum
{
  SLOTS = 16,			/* of a queue */
  SLOT_BYTES = GOMP_TAKEN_MOST,
  PIECE_BYTES = 4 << 20,
  MOST_PITCH = 1 << 18,		/* bytes from row to row; engines have 19 bits for elements */
  FEW_ROWS = 8			/* of memory that is not pinned: they are copied one by one */
};

/* Memory that a queue takes along.  */
struct slots
{
  struct slots *next;		/* all of the device; copies->lock */
  struct gcn_queue *queue;
  char *memory;			/* SLOTS * SLOT_BYTES, pinned */
  unsigned turn;		/* the next slot; of the queue's thread */
  bool used[SLOTS];
  uint32_t numbers[SLOTS];	/* the copy from it */
};

/* Memory of the program that is locked.  */
struct locked
{
  struct locked *next;
  char *start;
  size_t size;
  char *agent_start;		/* where GPUs find it */
  struct user *users;
  bool spoiled;			/* a device was lost that may still use it: it stays locked */
};

struct user			/* a copy */
{
  struct user *next;
  struct gcn_queue *queue;
  uint32_t number;
};

struct gcn_copies
{
  pthread_mutex_t lock;		/* a leaf; protects the list */
  struct slots *slots;
};

/* What is locked, for all devices: the runtime knows memory, not who has locked it.  */
static pthread_mutex_t locked_lock = PTHREAD_MUTEX_INITIALIZER;
static struct locked *locked_memory;	/* locked_lock */
static _Atomic bool xlocked;	/* there is some; changed under locked_lock */

gomp_status_t
gcn_copy_open (struct gomp_plugin_device *dev)
{
  dev->copies = calloc (1, sizeof (*dev->copies));
  if (dev->copies == NULL)
    return gcn_no_memory ();
  pthread_mutex_init (&dev->copies->lock, NULL);
  return GOMP_OK;
}

static void drop_users (struct gomp_plugin_device *dev, bool closing);

void
gcn_copy_close (struct gomp_plugin_device *dev, bool exiting)
{
  struct gcn_copies *copies = dev->copies;
  if (copies == NULL || exiting)
    return;			/* another thread may be in a copy */
  dev->copies = NULL;
  drop_users (dev, true);
  for (struct slots *s = copies->slots, *next; s != NULL; s = next)
    {
      next = s->next;
      gcn_shared_delete (dev, s->memory);
      free (s);
    }
  pthread_mutex_destroy (&copies->lock);
  free (copies);
}

/* ---- one copy ---- */

/* Enqueue a copy between addresses that the engines know.  */
static gomp_status_t
enqueue (struct gcn_queue *q, void *dst, hsa_agent_t dst_agent, const void *src,
	 hsa_agent_t src_agent, size_t size)
{
  struct gomp_plugin_device *dev = q->base.dev;
  struct gcn_start start;
  hsa_signal_t deps[GCN_DEPS + 1];

  gomp_status_t status = gcn_op_begin (q, dst, src, size, &start);
  if (status != GOMP_OK)
    return status;
  for (unsigned i = 0; i < start.num_deps; i++)
    deps[i] = start.deps[i]->hsa;
  status = GCN_CALL (dev, hsa_amd_memory_async_copy,
		     (dst, dst_agent, src, src_agent, size, start.num_deps,
		      start.num_deps > 0 ? deps : NULL, start.signal->hsa),
		     "copying %zu bytes from %p to %p on device %u", size, src, dst, dev->ordinal);
  return gcn_op_end (q, &start, status);
}

static inline gomp_status_t
enqueue_h2d (struct gcn_queue *q, gomp_devptr_t dst, const void *src, size_t size)
{
  return enqueue (q, (void *) (uintptr_t) dst, q->base.dev->agent, src, gcn_system.cpu, size);
}

static inline gomp_status_t
enqueue_d2h (struct gcn_queue *q, void *dst, gomp_devptr_t src, size_t size)
{
  return enqueue (q, dst, gcn_system.cpu, (const void *) (uintptr_t) src, q->base.dev->agent, size);
}

/* ---- small copies are taken along ---- */

static gomp_status_t __attribute__ ((noinline, cold))
make_slots (struct gcn_queue *q)
{
  struct gomp_plugin_device *dev = q->base.dev;
  void *memory = NULL;
  struct slots *s = calloc (1, sizeof (*s));
  if (s == NULL)
    return gcn_no_memory ();
  gomp_status_t status = gcn_shared_new (dev, SLOTS * SLOT_BYTES, &memory, "memory for small copies");
  if (status != GOMP_OK)
    {
      free (s);
      return status;
    }
  s->queue = q;
  s->memory = memory;
  pthread_mutex_lock (&dev->copies->lock);
  s->next = dev->copies->slots;
  dev->copies->slots = s;
  pthread_mutex_unlock (&dev->copies->lock);
  q->slots = s;
  return GOMP_OK;
}

/* An idle slot.  */
static gomp_status_t
take_slot (struct gcn_queue *q, char **memory)
{
  gomp_status_t status = GOMP_OK;
  if (__builtin_expect (q->slots == NULL, 0))
    status = make_slots (q);
  if (status != GOMP_OK)
    return status;
  struct slots *s = q->slots;
  unsigned i = s->turn;
  if (s->used[i])
    status = gcn_queue_wait_number (q, s->numbers[i]);
  if (status != GOMP_OK)
    return status;
  s->turn = (i + 1) % SLOTS;
  s->used[i] = true;
  s->numbers[i] = gcn_queue_next (q);
  *memory = s->memory + (size_t) i * SLOT_BYTES;
  return GOMP_OK;
}

static gomp_status_t
take_along (struct gcn_queue *q, gomp_devptr_t dst, const void *src, size_t size)
{
  char *slot;
  gomp_status_t status = take_slot (q, &slot);
  if (status != GOMP_OK)
    return status;
  memcpy (slot, src, size);
  return enqueue_h2d (q, dst, slot, size);
}

/* ---- locked memory ---- */

/* What was locked here and holds [PTR, PTR + SIZE).  Under locked_lock.  */
static struct locked *
find_locked (const void *ptr, size_t size)
{
  uintptr_t at = (uintptr_t) ptr;
  struct locked *l = locked_memory;
  for (; l != NULL; l = l->next)
    {
      uintptr_t start = (uintptr_t) l->start;
      if (at >= start && at - start <= l->size && size <= l->size - (at - start))
	break;
    }
  return l;
}

/* Does anything that was locked here touch [PTR, PTR + SIZE)?  Under locked_lock.  */
static bool
touches_locked (const void *ptr, size_t size)
{
  uintptr_t at = (uintptr_t) ptr;
  for (const struct locked *l = locked_memory; l != NULL; l = l->next)
    if ((uintptr_t) l->start < at + size && at < (uintptr_t) l->start + l->size)
      return true;
  return false;
}

gomp_status_t
gcn_find_pinned (struct gomp_plugin_device *dev, const void *ptr, size_t size, void **agent_ptr)
{
  bool is_locked;
  gomp_status_t status = gcn_mem_find_pinned (dev, ptr, size, agent_ptr, &is_locked);
  if (status != GOMP_OK || *agent_ptr == NULL || !is_locked)
    return status;
  /* Again, while nobody locks or unlocks anything here.  */
  pthread_mutex_lock (&locked_lock);
  if (touches_locked (ptr, size))
    *agent_ptr = NULL;
  else
    status = gcn_mem_find_pinned (dev, ptr, size, agent_ptr, &is_locked);
  pthread_mutex_unlock (&locked_lock);
  return status;
}

/* Let the next operation of Q use [PTR, PTR + SIZE) of the program; *AGENT_PTR is where.  *STATUS is
   GOMP_OK if that is impossible, and the answer false.  */
static bool
lock_memory (struct gcn_queue *q, const void *ptr, size_t size, void **agent_ptr,
	     gomp_status_t *status)
{
  struct user *user = malloc (sizeof (*user));
  struct locked *l = malloc (sizeof (*l)), *found;
  bool is_locked = false;

  *status = GOMP_OK;
  if (user == NULL || l == NULL)
    {
      free (user);
      free (l);
      *status = gcn_no_memory ();
      return false;
    }
  *user = (struct user) { .queue = q, .number = gcn_queue_next (q) };
  /* The lock is held while the runtime locks memory: nobody unlocks a part of it meanwhile.  */
  pthread_mutex_lock (&locked_lock);
  found = find_locked (ptr, size);
  if (found != NULL)
    {
      free (l);
      is_locked = true;
    }
  else
    {
      void *agent_start = NULL;
      hsa_status_t result
	= gcn_hsa.hsa_amd_memory_lock ((void *) (uintptr_t) ptr, size, gcn_system.gpus,
				       (int) gcn_system.num_gpus, &agent_start);
      is_locked = result == HSA_STATUS_SUCCESS && agent_start != NULL;
      if (is_locked)
	{
	  *l = (struct locked) { .next = locked_memory, .start = (char *) (uintptr_t) ptr,
				 .size = size, .agent_start = agent_start };
	  found = locked_memory = l;
	  /* Relaxed: who has to unlock it was told of the copy by other means.  */
	  atomic_store_explicit (&xlocked, true, memory_order_relaxed);
	}
      else
	free (l);
    }
  if (is_locked)
    {
      user->next = found->users;
      found->users = user;
      *agent_ptr = found->agent_start + ((const char *) ptr - found->start);
    }
  else
    free (user);
  pthread_mutex_unlock (&locked_lock);
  return is_locked;
}

/* Forget copies that have ended, all of DEV's if it is being closed, and unlock what nobody uses any
   more.  */
static void
drop_users (struct gomp_plugin_device *dev, bool closing)
{
  struct locked *ended = NULL;
  bool any = false;

  pthread_mutex_lock (&locked_lock);
  for (struct locked **p = &locked_memory, *l; (l = *p) != NULL; )
    {
      for (struct user **up = &l->users, *u; (u = *up) != NULL; )
	if ((closing && u->queue->base.dev == dev) || gcn_reached (u->queue, u->number))
	  {
	    l->spoiled |= gcn_is_lost (u->queue->base.dev);
	    *up = u->next;
	    free (u);
	  }
	else
	  up = &u->next;
      if (l->users == NULL)
	{
	  *p = l->next;
	  l->next = ended;
	  ended = l;
	  /* Under the lock: nobody locks the same memory meanwhile.  */
	  if (!l->spoiled && !gcn_is_lost (dev))
	    (void) gcn_check_quiet (dev, gcn_hsa.hsa_amd_memory_unlock (l->start));
	}
      else
	{
	  p = &l->next;
	  any = true;
	}
    }
  atomic_store_explicit (&xlocked, any, memory_order_relaxed);	/* under the lock */
  pthread_mutex_unlock (&locked_lock);
  for (struct locked *l = ended, *next; l != NULL; l = next)
    {
      next = l->next;
      free (l);
    }
}

void
gcn_copy_ended (struct gomp_plugin_device *dev)
{
  /* Relaxed: see lock_memory.  */
  if (__builtin_expect (atomic_load_explicit (&xlocked, memory_order_relaxed), 0))
    drop_users (dev, false);
}

/* ---- memory that cannot be locked ---- */

static gomp_status_t __attribute__ ((noinline, cold))
copy_pieces (struct gcn_queue *q, gomp_devptr_t device, char *host, size_t size, bool to_device)
{
  struct gomp_plugin_device *dev = q->base.dev;
  size_t most = size < PIECE_BYTES ? size : PIECE_BYTES;
  void *memory = NULL;

  gomp_status_t status = gcn_shared_new (dev, most, &memory, "memory for a copy");
  for (size_t done = 0, n; status == GOMP_OK && done < size; done += n)
    {
      n = size - done < most ? size - done : most;
      if (to_device)
	memcpy (memory, host + done, n);
      status = to_device ? enqueue_h2d (q, device + done, memory, n)
			 : enqueue_d2h (q, memory, device + done, n);
      if (status == GOMP_OK)
	status = gcn_queue_wait_number (q, gcn_queue_next (q) - 1);
      if (status == GOMP_OK && !to_device)
	memcpy (host + done, memory, n);
    }
  gcn_shared_delete (dev, memory);
  return status;
}

/* ---- between host and device ---- */

gomp_status_t
gcn_copy_h2d (struct gomp_plugin_queue *queue, gomp_devptr_t dst, const void *src, size_t size)
{
  struct gcn_queue *q = gcn_queue_of (queue);
  void *agent_ptr;

  gomp_status_t status = gcn_alive (queue->dev);
  if (status == GOMP_OK)
    status = gcn_find_pinned (queue->dev, src, size, &agent_ptr);
  if (status != GOMP_OK)
    return status;
  if (agent_ptr != NULL)
    return enqueue_h2d (q, dst, agent_ptr, size);
  if (size <= SLOT_BYTES)
    return take_along (q, dst, src, size);
  if (lock_memory (q, src, size, &agent_ptr, &status))
    return enqueue_h2d (q, dst, agent_ptr, size);
  return status == GOMP_OK ? copy_pieces (q, dst, (char *) (uintptr_t) src, size, true) : status;
}

gomp_status_t
gcn_copy_d2h (struct gomp_plugin_queue *queue, void *dst, gomp_devptr_t src, size_t size)
{
  struct gcn_queue *q = gcn_queue_of (queue);
  void *agent_ptr;

  gomp_status_t status = gcn_alive (queue->dev);
  if (status == GOMP_OK)
    status = gcn_find_pinned (queue->dev, dst, size, &agent_ptr);
  if (status != GOMP_OK)
    return status;
  if (agent_ptr != NULL || lock_memory (q, dst, size, &agent_ptr, &status))
    return enqueue_d2h (q, agent_ptr, src, size);
  return status == GOMP_OK ? copy_pieces (q, src, dst, size, false) : status;
}

/* ---- between devices ---- */

gomp_status_t
gcn_copy_d2d (struct gomp_plugin_queue *queue, struct gomp_plugin_device *dst_dev,
	      gomp_devptr_t dst, struct gomp_plugin_device *src_dev, gomp_devptr_t src,
	      size_t size)
{
  if (dst_dev != src_dev
      && (!gcn_mem_reaches (dst_dev, src_dev) || !gcn_mem_reaches (src_dev, dst_dev)))
    {
      gcn_core->set_error ("devices %u and %u do not reach each other's memory", src_dev->ordinal,
			   dst_dev->ordinal);
      return GOMP_UNSUPPORTED;
    }
  gomp_status_t status = gcn_alive (dst_dev);
  if (status != GOMP_OK)
    return status;
  return enqueue (gcn_queue_of (queue), (void *) (uintptr_t) dst, dst_dev->agent,
		  (const void *) (uintptr_t) src, src_dev->agent, size);
}

/* ---- rectangles ---- */

/* SHAPE with what does not matter made regular: a dimension of one has no stride, and planes of one
   row are rows.  */
static struct gomp_copy3d
normalise (const struct gomp_copy3d *given)
{
  struct gomp_copy3d s = *given;

  if (s.count[1] == 1)
    {
      s.count[1] = s.count[2];
      s.count[2] = 1;
      s.dst_stride[0] = s.dst_stride[1];
      s.src_stride[0] = s.src_stride[1];
    }
  if (s.count[1] == 1)
    s.dst_stride[0] = s.src_stride[0] = (s.count[0] + 6) & -(size_t) 4;
  if (s.count[2] == 1)
    {
      s.dst_stride[1] = s.dst_stride[0] * s.count[1];
      s.src_stride[1] = s.src_stride[0] * s.count[1];
    }
  return s;
}

/* Are the strides such that the engines count them, in words, and have bits enough?  */
static bool
is_regular (const size_t count[3], const size_t stride[2], uintptr_t at)
{
  return ((stride[0] & 3) == 0 && (stride[1] & 3) == 0 && count[0] <= MOST_PITCH
	  && stride[0] >= count[0] + (at & 3) && stride[0] <= MOST_PITCH
	  && count[1] <= UINT16_MAX && count[2] <= 1024
	  && stride[1] >= stride[0] * count[1] && stride[1] <= UINT32_MAX);
}

/* A side of a box: the engines want its base aligned, and an offset from there.  */
static void
set_side (hsa_pitched_ptr_t *box, hsa_dim3_t *offset, uintptr_t at, const size_t stride[2])
{
  *box = (hsa_pitched_ptr_t) { .base = (void *) (at & -(uintptr_t) 4), .pitch = stride[0],
			       .slice = stride[1] };
  *offset = (hsa_dim3_t) { .x = at & 3 };
}

static gomp_status_t
copy_box (struct gcn_queue *q, gomp_devptr_t device, const char *host,
	  const struct gomp_copy3d *shape, bool to_device)
{
  struct gomp_plugin_device *dev = q->base.dev;
  struct gomp_copy3d s = normalise (shape);
  const size_t *host_stride = to_device ? s.src_stride : s.dst_stride;
  const size_t *device_stride = to_device ? s.dst_stride : s.src_stride;
  hsa_signal_t deps[GCN_DEPS + 1];
  hsa_pitched_ptr_t host_box, device_box;
  hsa_dim3_t host_offset, device_offset;
  struct gcn_start start;
  void *agent_ptr = NULL;

  gomp_status_t status = gcn_alive (dev);
  if (status != GOMP_OK)
    return status;
  bool possible = (gcn_hsa.hsa_amd_memory_async_copy_rect != NULL
		   && is_regular (s.count, host_stride, (uintptr_t) host)
		   && is_regular (s.count, device_stride, device));
  if (possible)
    {
      /* Nothing overflows: see is_regular.  */
      size_t extent = ((s.count[2] - 1) * host_stride[1] + (s.count[1] - 1) * host_stride[0]
		       + s.count[0]);
      status = gcn_find_pinned (dev, host, extent, &agent_ptr);
      if (status == GOMP_OK && agent_ptr == NULL)
	possible = (s.count[1] * s.count[2] >= FEW_ROWS
		    && lock_memory (q, host, extent, &agent_ptr, &status));
      if (status != GOMP_OK)
	return status;
    }
  if (!possible)
    {
      gcn_core->set_error ("a box with rows of %zu bytes, %zu and %zu apart, is not for the copy"
			   " engines", s.count[0], s.src_stride[0], s.dst_stride[0]);
      return GOMP_UNSUPPORTED;	/* the core copies row by row */
    }
  set_side (&host_box, &host_offset, (uintptr_t) agent_ptr, host_stride);
  set_side (&device_box, &device_offset, device, device_stride);
  hsa_dim3_t range = { (uint32_t) s.count[0], (uint32_t) s.count[1], (uint32_t) s.count[2] };
  const void *there = (const void *) (uintptr_t) device;
  status = gcn_op_begin (q, to_device ? there : host, to_device ? host : there,
			 s.count[0] * s.count[1] * s.count[2], &start);
  if (status != GOMP_OK)
    return status;
  for (unsigned i = 0; i < start.num_deps; i++)
    deps[i] = start.deps[i]->hsa;
  hsa_status_t result
    = gcn_hsa.hsa_amd_memory_async_copy_rect (to_device ? &device_box : &host_box,
					      to_device ? &device_offset : &host_offset,
					      to_device ? &host_box : &device_box,
					      to_device ? &host_offset : &device_offset, &range,
					      dev->agent,
					      to_device ? hsaHostToDevice : hsaDeviceToHost,
					      start.num_deps, start.num_deps > 0 ? deps : NULL,
					      start.signal->hsa);
  /* Devices differ in what they can do, and only this tells.  */
  if (result == HSA_STATUS_ERROR_INVALID_ARGUMENT)
    {
      gcn_core->set_error ("the copy engines of device %u do not copy such a box", dev->ordinal);
      status = GOMP_UNSUPPORTED;
    }
  else
    status = gcn_check (dev, result, "hsa_amd_memory_async_copy_rect",
			"copying %zu x %zu x %zu bytes %s device %u", s.count[0], s.count[1],
			s.count[2], to_device ? "to" : "from", dev->ordinal);
  return gcn_op_end (q, &start, status);
}

gomp_status_t
gcn_copy3d_h2d (struct gomp_plugin_queue *queue, gomp_devptr_t dst, const void *src,
		const struct gomp_copy3d *shape)
{
  return copy_box (gcn_queue_of (queue), dst, src, shape, true);
}

gomp_status_t
gcn_copy3d_d2h (struct gomp_plugin_queue *queue, void *dst, gomp_devptr_t src,
		const struct gomp_copy3d *shape)
{
  return copy_box (gcn_queue_of (queue), src, dst, shape, false);
}

/* ---- filling ---- */

gomp_status_t
gcn_fill (struct gomp_plugin_queue *queue, gomp_devptr_t dst, uint8_t value, size_t size)
{
  struct gcn_queue *q = gcn_queue_of (queue);
  hsa_agent_t agent = queue->dev->agent;
  size_t done = size < SLOT_BYTES ? size : SLOT_BYTES;
  char *slot;

  gomp_status_t status = gcn_alive (queue->dev);
  if (status == GOMP_OK)
    status = take_slot (q, &slot);
  if (status != GOMP_OK)
    return status;
  memset (slot, value, done);
  status = enqueue_h2d (q, dst, slot, done);
  for (size_t n; status == GOMP_OK && done < size; done += n)
    {
      n = size - done < done ? size - done : done;
      status = enqueue (q, (void *) (uintptr_t) (dst + done), agent, (void *) (uintptr_t) dst, agent,
			n);
    }
  return status;
}
