/* queue.c -- queues and their packets.

   A queue is an amd_queue_t and a ring of packets in memory of the system, and a thread that takes the
   packets in order: as far as the doorbell has said, and as soon as the header is a packet's.  A
   kernel packet is handed to dispatch.c and the next one is taken; a barrier packet, or one with the
   barrier bit, holds up those behind it.

   packet:  invalid --(program writes the header)--> written --(thread takes it)--> active
	    --(kernel has ended, signals are 0)--> complete --(all before it, too)--> invalid

   Invariants
   1. The read index is that of the first packet which is not complete: device code reads its
      packet as long as it runs.
   2. A queue that failed takes nothing more, and its callback is called once, by its thread.
   3. Fields of struct queue are protected by its lock; the indices are in the program's memory and
      atomic.  */

#include "dispatch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct queue
{
  struct queue *next;		/* all that live; protected by hsa_lock */
  amd_queue_t *amd;
  int gpu;
  hsa_signal_t doorbell;
  hsa_queue_error_fn callback;
  void *data;
  pthread_t thread;

  pthread_mutex_t lock;
  pthread_cond_t changed;
  uint64_t rung;		/* packets below this index may be taken */
  uint64_t taken;
  unsigned active;
  struct dispatch *dispatches;	/* in flight */
  bool *complete;		/* by slot */
  bool failed;
  hsa_status_t status;
  uint64_t fault_address;
  bool told;			/* the callback was called */
  bool gone;
  _Atomic bool xstop;		/* the thread is to end */
};

static struct queue *queues;	/* protected by hsa_lock */

/* The indices are 64-bit words of the program's memory.  */
static uint64_t
load_index (volatile uint64_t *index)
{
  /* seq_cst: at least what the names of the functions say.  */
  return __atomic_load_n (index, __ATOMIC_SEQ_CST);
}

static hsa_kernel_dispatch_packet_t *
packet_at (const struct queue *q, uint64_t index)
{
  hsa_kernel_dispatch_packet_t *ring = q->amd->hsa_queue.base_address;
  return &ring[index & (q->amd->hsa_queue.size - 1)];
}

/* The queue that HANDLE is, or NULL, and that is told.  With hsa_lock held.  */
static struct queue *
find_queue (const hsa_queue_t *handle, const char *function)
{
  struct queue *q = queues;
  while (q != NULL && (q->gone || &q->amd->hsa_queue != handle))
    q = q->next;
  if (q == NULL)
    hsa_misuse ("%s: %p is no queue", function, (const void *) handle);
  return q;
}

/* ---- completion ---- */

/* With the lock held.  */
static void
complete_packet (struct queue *q, uint64_t index)
{
  uint32_t mask = q->amd->hsa_queue.size - 1;
  q->complete[index & mask] = true;
  q->active--;
  uint64_t read = load_index (&q->amd->read_dispatch_id);
  while (read < q->taken && q->complete[read & mask])
    {
      q->complete[read & mask] = false;
      /* release: the packet was read.  */
      __atomic_store_n (&packet_at (q, read)->header, HSA_PACKET_TYPE_INVALID, __ATOMIC_RELEASE);
      read++;
    }
  __atomic_store_n (&q->amd->read_dispatch_id, read, __ATOMIC_SEQ_CST);
  pthread_cond_broadcast (&q->changed);
}

/* With the lock held.  */
static void
fail (struct queue *q, hsa_status_t status, uint64_t address)
{
  if (!q->failed)
    {
      q->failed = true;
      /* Relaxed: who is told of it is told with the lock held.  */
      atomic_store_explicit (&hsa_gpus[q->gpu].xfailed, true, memory_order_relaxed);
      q->status = status;
      q->fault_address = address;
    }
  pthread_cond_broadcast (&q->changed);
}

void
queue_finished (struct dispatch *d)
{
  struct queue *q = d->queue;
  hsa_signal_t completion = d->packet.completion_signal;
  hsa_count_kernel (d->name, d->instructions);
  hsa_log ("finished %s packet %lu%s", d->name, (unsigned long) d->index,
	   d->failed ? " failed" : d->abandoned ? " abandoned" : "");
  signal_unuse (completion);
  bool done = !d->failed && !d->abandoned;
  if (done)
    signal_times (completion, d->began, hsa_now ());
  pthread_mutex_lock (&q->lock);
  struct dispatch **p = &q->dispatches;
  while (*p != d)
    p = &(*p)->next_of_queue;
  *p = d->next_of_queue;
  if (done)
    {
      uint64_t index = d->index;
      /* Before the kernel is known to be complete: the program may end then, and look for lost memory.  */
      dispatch_free (d);
      complete_packet (q, index);
      /* With the lock held: a packet with the barrier bit does not begin before, nor is the queue destroyed.  */
      if (completion.handle != 0)
	signal_subtract (completion, 1);
    }
  else
    {
      q->active--;
      if (d->failed)
	fail (q, d->status, d->fault_address);
      dispatch_free (d);
      pthread_cond_broadcast (&q->changed);
    }
  pthread_mutex_unlock (&q->lock);
}

bool
queue_user_of (uint64_t addr, size_t size, char name[QUEUE_USER_MOST])
{
  bool used = false;
  pthread_mutex_lock (&hsa_lock);
  for (struct queue *q = queues; q != NULL && !used; q = q->next)
    {
      pthread_mutex_lock (&q->lock);
      for (struct dispatch *d = q->dispatches; d != NULL; d = d->next_of_queue)
	if ((uintptr_t) d->packet.kernarg_address - addr < size
	    || d->packet.kernel_object - addr < size)
	  {
	    used = true;
	    snprintf (name, QUEUE_USER_MOST, "%s", d->name);
	  }
      pthread_mutex_unlock (&q->lock);
    }
  pthread_mutex_unlock (&hsa_lock);
  return used;
}

/* ---- the thread ---- */

static void
wait_changed (struct queue *q, uint64_t ns)
{
  struct timespec ts;
  if (ns == 0)
    {
      pthread_cond_wait (&q->changed, &q->lock);
      return;
    }
  clock_gettime (CLOCK_MONOTONIC, &ts);
  ts.tv_nsec += (long) ns;
  ts.tv_sec += ts.tv_nsec / 1000000000;
  ts.tv_nsec %= 1000000000;
  pthread_cond_timedwait (&q->changed, &q->lock, &ts);
}

/* A barrier packet, without the lock; false: the thread is to end.  */
static bool
run_barrier (struct queue *q, uint64_t index, const hsa_barrier_and_packet_t *p, unsigned type)
{
  hsa_count (COUNT_BARRIER_PACKETS, 1);
  for (int i = 0; i < 5; i++)
    signal_use (p->dep_signal[i]);
  bool go_on = signal_wait_zero (p->dep_signal, 5, type == HSA_PACKET_TYPE_BARRIER_AND, &q->xstop);
  for (int i = 0; i < 5; i++)
    signal_unuse (p->dep_signal[i]);
  if (!go_on)
    {
      signal_unuse (p->completion_signal);
      return false;
    }
  uint64_t now = hsa_now ();
  signal_times (p->completion_signal, now, now);
  hsa_log ("barrier packet %lu", (unsigned long) index);
  pthread_mutex_lock (&q->lock);
  complete_packet (q, index);
  pthread_mutex_unlock (&q->lock);
  signal_unuse (p->completion_signal);
  if (p->completion_signal.handle != 0)
    signal_subtract (p->completion_signal, 1);
  return true;
}

/* A kernel packet, without the lock.  */
static void
run_kernel (struct queue *q, uint64_t index, const hsa_kernel_dispatch_packet_t *packet)
{
  hsa_status_t status = hsa_execute ("kernel");
  struct dispatch *d = calloc (1, sizeof (*d));
  if (d == NULL)
    abort ();
  d->queue = q;
  d->index = index;
  d->packet = *packet;
  d->packet_addr = (uintptr_t) packet_at (q, index);
  d->queue_addr = (uintptr_t) q->amd;
  d->gpu = q->gpu;
  d->began = hsa_now ();
  hsa_count (COUNT_DISPATCHES, 1);
  if (status != HSA_STATUS_SUCCESS || !dispatch_check (d, &status))
    {
      signal_unuse (packet->completion_signal);
      pthread_mutex_lock (&q->lock);
      q->active--;
      fail (q, status, 0);
      pthread_mutex_unlock (&q->lock);
      dispatch_free (d);
      return;
    }
  pthread_mutex_lock (&q->lock);
  d->next_of_queue = q->dispatches;
  q->dispatches = d;
  pthread_mutex_unlock (&q->lock);
  hsa_log ("start %s packet %lu groups %lu waves %u", d->name, (unsigned long) index,
	   (unsigned long) d->num_groups, d->waves_per_group);
  dispatch_submit (d);
}

/* Signals of a packet are alive?  */
static bool
check_signals (const hsa_kernel_dispatch_packet_t *packet, unsigned type)
{
  const hsa_barrier_and_packet_t *barrier = (const hsa_barrier_and_packet_t *) packet;
  if (packet->completion_signal.handle != 0
      && !hsa_signal_ok (packet->completion_signal, "completion signal of a packet"))
    return false;
  if (type != HSA_PACKET_TYPE_KERNEL_DISPATCH)
    for (int i = 0; i < 5; i++)
      if (barrier->dep_signal[i].handle != 0
	  && !hsa_signal_ok (barrier->dep_signal[i], "dependence of a barrier packet"))
	return false;
  return true;
}

static void
call_back (struct queue *q)
{
  hsa_status_t status = q->status;
  uint64_t address = q->fault_address;
  q->told = true;
  pthread_mutex_unlock (&q->lock);
  hsa_log ("queue %p failed: %#x", (void *) q->amd, (unsigned) status);
  dispatch_abandon (q);
  if (status == HSA_STATUS_ERROR_MEMORY_FAULT)
    hsa_memory_fault_event (q->gpu, address, HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT);
  if (q->callback != NULL)
    q->callback (status, &q->amd->hsa_queue, q->data);
  pthread_mutex_lock (&q->lock);
}

/* Take the next packet, with the lock held, which is released meanwhile.  */
static void
take (struct queue *q, uint16_t header)
{
  hsa_kernel_dispatch_packet_t packet;
  uint64_t index = q->taken++;
  unsigned type = header & 0xff;
  memcpy (&packet, packet_at (q, index), sizeof (packet));
  packet.header = header;
  q->active++;
  pthread_mutex_unlock (&q->lock);
  hsa_count (COUNT_PACKETS, 1);
  bool ok = check_signals (&packet, type);
  if (ok)
    signal_use (packet.completion_signal);
  if (ok && type == HSA_PACKET_TYPE_KERNEL_DISPATCH)
    run_kernel (q, index, &packet);
  else if (ok && (type == HSA_PACKET_TYPE_BARRIER_AND || type == HSA_PACKET_TYPE_BARRIER_OR))
    run_barrier (q, index, (hsa_barrier_and_packet_t *) &packet, type);
  else
    {
      if (ok)
	hsa_misuse ("packet %lu: type %u", (unsigned long) index, type);
      pthread_mutex_lock (&q->lock);
      q->active--;
      fail (q, HSA_STATUS_ERROR_INVALID_PACKET_FORMAT, 0);
      pthread_mutex_unlock (&q->lock);
    }
  pthread_mutex_lock (&q->lock);
}

static void *
process (void *arg)
{
  struct queue *q = arg;
  pthread_mutex_lock (&q->lock);
  /* relaxed: it is set with the lock held.  */
  while (!atomic_load_explicit (&q->xstop, memory_order_relaxed))
    {
      if (q->failed && !q->told)
	call_back (q);
      else if (q->failed || q->taken == q->rung)
	wait_changed (q, 0);
      else
	{
	  /* acquire: with the header comes the packet.  */
	  uint16_t header = __atomic_load_n (&packet_at (q, q->taken)->header, __ATOMIC_ACQUIRE);
	  if ((header & 0xff) == HSA_PACKET_TYPE_INVALID)
	    wait_changed (q, 200000);
	  else if ((header >> HSA_PACKET_HEADER_BARRIER & 1) != 0 && q->active != 0)
	    wait_changed (q, 0);
	  else
	    take (q, header);
	}
    }
  pthread_mutex_unlock (&q->lock);
  return NULL;
}

void
queue_doorbell (void *queue, int64_t value)
{
  struct queue *q = queue;
  uint64_t write = load_index (&q->amd->write_dispatch_id);
  hsa_count (COUNT_DOORBELLS, 1);
  if (value < 0 || (uint64_t) value >= write)
    {
      hsa_misuse ("doorbell %ld of a queue whose write index is %lu", (long) value,
		  (unsigned long) write);
      return;
    }
  pthread_mutex_lock (&q->lock);
  if ((uint64_t) value - load_index (&q->amd->read_dispatch_id) >= q->amd->hsa_queue.size
      && (uint64_t) value >= load_index (&q->amd->read_dispatch_id))
    hsa_misuse ("packet %ld has overwritten one that is not complete", (long) value);
  if ((uint64_t) value + 1 > q->rung)
    q->rung = (uint64_t) value + 1;
  pthread_cond_broadcast (&q->changed);
  pthread_mutex_unlock (&q->lock);
}

/* ---- the API ---- */

hsa_status_t
hsa_queue_create (hsa_agent_t agent, uint32_t size, uint32_t type, hsa_queue_error_fn callback,
		  void *data, uint32_t private_segment_size, uint32_t group_segment_size,
		  hsa_queue_t **queue)
{
  pthread_condattr_t attr;
  ENTER (hsa_queue_create);
  int gpu = hsa_agent_number (agent);
  if (gpu < 0)
    {
      hsa_misuse ("hsa_queue_create: %#lx is no GPU agent", (unsigned long) agent.handle);
      return HSA_STATUS_ERROR_INVALID_AGENT;
    }
  if (queue == NULL || size < 64 || size > 131072 || (size & (size - 1)) != 0
      || (type != HSA_QUEUE_TYPE_MULTI && type != HSA_QUEUE_TYPE_SINGLE))
    {
      hsa_misuse ("hsa_queue_create: size %u, type %u", size, type);
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  (void) private_segment_size;
  (void) group_segment_size;
  uint64_t addr = space_allocate (SIM_SYSTEM_ARENA, sizeof (amd_queue_t), SIM_QUEUE_MEMORY,
				  ~(uint32_t) 0);
  uint64_t ring = space_allocate (SIM_SYSTEM_ARENA, (size_t) size * 64, SIM_QUEUE_MEMORY,
				  ~(uint32_t) 0);
  struct queue *q = calloc (1, sizeof (*q));
  if (q == NULL)
    abort ();
  if (addr == 0 || ring == 0)
    {
      if (addr != 0)
	space_free (addr);
      free (q);
      return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    }
  q->amd = (amd_queue_t *) addr;
  q->gpu = gpu;
  q->callback = callback;
  q->data = data;
  q->complete = calloc (size, sizeof (bool));
  if (q->complete == NULL)
    abort ();
  pthread_mutex_init (&q->lock, NULL);
  pthread_condattr_init (&attr);
  pthread_condattr_setclock (&attr, CLOCK_MONOTONIC);
  pthread_cond_init (&q->changed, &attr);
  pthread_condattr_destroy (&attr);
  memset (q->amd, 0, sizeof (*q->amd));
  for (uint32_t i = 0; i < size; i++)
    ((hsa_kernel_dispatch_packet_t *) ring)[i].header = HSA_PACKET_TYPE_INVALID;
  q->amd->hsa_queue.type = type;
  q->amd->hsa_queue.features = HSA_AGENT_FEATURE_KERNEL_DISPATCH;
  q->amd->hsa_queue.base_address = (void *) ring;
  q->amd->hsa_queue.size = size;
  q->amd->group_segment_aperture_base_hi = SIM_SHARED_APERTURE;
  q->amd->private_segment_aperture_base_hi = SIM_PRIVATE_APERTURE;
  pthread_mutex_lock (&hsa_lock);
  static uint64_t ids;
  q->amd->hsa_queue.id = ids++;
  q->doorbell = signal_new (0, q);
  q->amd->hsa_queue.doorbell_signal = q->doorbell;
  q->next = queues;
  queues = q;
  pthread_mutex_unlock (&hsa_lock);
  if (pthread_create (&q->thread, NULL, process, q) != 0)
    abort ();
  *queue = &q->amd->hsa_queue;
  hsa_log ("queue %p agent %d size %u", (void *) *queue, gpu, size);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_queue_destroy (hsa_queue_t *queue)
{
  ENTER (hsa_queue_destroy);
  pthread_mutex_lock (&hsa_lock);
  struct queue *q = find_queue (queue, "hsa_queue_destroy");
  if (q != NULL && pthread_equal (q->thread, pthread_self ()))
    {
      hsa_misuse ("hsa_queue_destroy is called in the queue's callback");
      q = NULL;
    }
  if (q != NULL)
    q->gone = true;
  pthread_mutex_unlock (&hsa_lock);
  if (q == NULL)
    return HSA_STATUS_ERROR_INVALID_QUEUE;
  pthread_mutex_lock (&q->lock);
  if (!q->failed && (q->active != 0 || q->taken != q->rung))
    hsa_misuse ("hsa_queue_destroy: %u packets are active, %lu wait", q->active,
		(unsigned long) (q->rung - q->taken));
  /* release: who waits for signals looks at it without the lock.  */
  atomic_store_explicit (&q->xstop, true, memory_order_release);
  pthread_cond_broadcast (&q->changed);
  pthread_mutex_unlock (&q->lock);
  pthread_join (q->thread, NULL);
  dispatch_abandon (q);
  pthread_mutex_lock (&hsa_lock);
  struct queue **p = &queues;
  while (*p != q)
    p = &(*p)->next;
  *p = q->next;
  signal_delete (q->doorbell);
  pthread_mutex_unlock (&hsa_lock);
  space_free ((uintptr_t) q->amd->hsa_queue.base_address);
  space_free ((uintptr_t) q->amd);
  pthread_mutex_destroy (&q->lock);
  pthread_cond_destroy (&q->changed);
  free (q->complete);
  free (q);
  hsa_log ("queue %p destroyed", (void *) queue);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t
hsa_queue_inactivate (hsa_queue_t *queue)
{
  ENTER (hsa_queue_inactivate);
  pthread_mutex_lock (&hsa_lock);
  struct queue *q = find_queue (queue, "hsa_queue_inactivate");
  pthread_mutex_unlock (&hsa_lock);
  if (q == NULL)
    return HSA_STATUS_ERROR_INVALID_QUEUE;
  pthread_mutex_lock (&q->lock);
  /* As if it had failed, but nobody is told.  */
  q->told = true;
  fail (q, HSA_STATUS_SUCCESS, 0);
  pthread_mutex_unlock (&q->lock);
  dispatch_abandon (q);
  hsa_log ("queue %p inactivated", (void *) queue);
  return HSA_STATUS_SUCCESS;
}

/* Indices: QUEUE is taken for one, as the real runtime does.  */
static amd_queue_t *
amd_queue (const hsa_queue_t *queue)
{
  return (amd_queue_t *) (uintptr_t) queue;
}

#define LOAD_INDEX(name, field)						\
  uint64_t								\
  name (const hsa_queue_t *queue)					\
  {									\
    COUNT_CALL (name);							\
    return load_index (&amd_queue (queue)->field);			\
  }
LOAD_INDEX (hsa_queue_load_read_index_scacquire, read_dispatch_id)
LOAD_INDEX (hsa_queue_load_read_index_acquire, read_dispatch_id)
LOAD_INDEX (hsa_queue_load_read_index_relaxed, read_dispatch_id)
LOAD_INDEX (hsa_queue_load_write_index_relaxed, write_dispatch_id)

#define ADD_INDEX(name)								\
  uint64_t									\
  name (const hsa_queue_t *queue, uint64_t value)				\
  {										\
    COUNT_CALL (name);								\
    /* seq_cst: at least what the name says.  */				\
    return __atomic_fetch_add (&amd_queue (queue)->write_dispatch_id, value,	\
			       __ATOMIC_SEQ_CST);				\
  }
ADD_INDEX (hsa_queue_add_write_index_screlease)
ADD_INDEX (hsa_queue_add_write_index_release)
ADD_INDEX (hsa_queue_add_write_index_relaxed)

hsa_status_t
hsa_amd_profiling_set_profiler_enabled (hsa_queue_t *queue, int enable)
{
  ENTER (hsa_amd_profiling_set_profiler_enabled);
  pthread_mutex_lock (&hsa_lock);
  struct queue *q = find_queue (queue, "hsa_amd_profiling_set_profiler_enabled");
  pthread_mutex_unlock (&hsa_lock);
  hsa_log ("times of kernels: %d", enable);
  return q != NULL ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_QUEUE;
}

unsigned
queue_report_leaks (void)
{
  unsigned n = 0;
  char text[80];
  pthread_mutex_lock (&hsa_lock);
  for (struct queue *q = queues; q != NULL; q = q->next)
    {
      snprintf (text, sizeof (text), "queue %p", (void *) q->amd);
      hsa_tell ("leak", text);
      n++;
    }
  pthread_mutex_unlock (&hsa_lock);
  return n;
}
