/* gcn-signal.c -- signals of the HSA runtime, and its queues, to which packets are written.

   Signals are made when there is none to use again, and kept.  There are two kinds: those that
   raise an interrupt, on which threads sleep until it happens, and those that do not, which are
   faster where somebody polls; a thread that sleeps on such a one looks now and then, which the
   runtime does.

   A channel is a queue of the runtime for any number of producers, as the specification has them:
   the index is taken with an atomic addition, the packet is filled in but for its first word, that is
   stored with release order, and the doorbell is rung.  Nobody holds a lock meanwhile, and a
   producer that is interrupted in the middle only keeps the packets behind his own waiting.

   Locks: signals_lock, a leaf, for the signals that no queue has.  */

#include "gcn-queue.h"
#include "helpers.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t signals_lock = PTHREAD_MUTEX_INITIALIZER;
static struct gcn_signal *idle_signals[2];	/* signals_lock */
static struct gcn_signal *spoiled_signals;	/* signals_lock */

/* ---- signals ---- */

static gomp_status_t
make_signal (struct gomp_plugin_device *dev, bool interrupts, struct gcn_signal **signal)
{
  volatile hsa_signal_value_t *value = NULL;
  struct gcn_signal *s = calloc (1, sizeof (*s));

  if (s == NULL)
    return gcn_no_memory ();
  gomp_status_t status
    = (interrupts
       ? GCN_CALL (dev, hsa_signal_create, (1, 0, NULL, &s->hsa), "making a signal")
       : GCN_CALL (dev, hsa_amd_signal_create,
		   (1, 0, NULL, HSA_AMD_SIGNAL_AMD_GPU_ONLY, &s->hsa), "making a signal"));
  if (status != GOMP_OK)
    {
      free (s);
      return status;
    }
  status = GCN_CALL (dev, hsa_amd_signal_value_pointer, (s->hsa, &value),
		     "looking where a signal has its value");
  if (status != GOMP_OK)
    {
      (void) gcn_check_quiet (dev, gcn_hsa.hsa_signal_destroy (s->hsa));
      free (s);
      return status;
    }
  s->xword = (_Atomic uint32_t *) (uintptr_t) value;
  s->interrupts = interrupts;
  *signal = s;
  return GOMP_OK;
}

static void
free_signals (struct gcn_signal *s)
{
  for (struct gcn_signal *next; s != NULL; s = next)
    {
      next = s->next;
      (void) gcn_check_quiet (NULL, gcn_hsa.hsa_signal_destroy (s->hsa));
      free (s);
    }
}

gomp_status_t
gcn_signal_take (struct gomp_plugin_device *dev, struct gcn_signal *idle[2], bool interrupts,
		 struct gcn_signal **signal)
{
  struct gcn_signal *s = idle != NULL ? idle[interrupts] : NULL;

  if (__builtin_expect (s != NULL, 1))
    idle[interrupts] = s->next;
  else
    {
      pthread_mutex_lock (&signals_lock);
      s = idle_signals[interrupts];
      if (s != NULL)
	idle_signals[interrupts] = s->next;
      pthread_mutex_unlock (&signals_lock);
      if (s == NULL)
	{
	  gomp_status_t status = make_signal (dev, interrupts, &s);
	  if (status != GOMP_OK)
	    return status;
	}
    }
  s->next = NULL;
  atomic_store_explicit (&s->xrefs, 1, memory_order_relaxed);	/* nobody else has it */
  atomic_store_explicit (&s->xfailed, false, memory_order_relaxed);	/* the same */
  /* Release: pairs with gcn_signal_done in gcn_reached, which may look at a signal that was given
     back: it sees then that its operation is known to be complete.  */
  gcn_hsa.hsa_signal_store_screlease (s->hsa, 1);
  *signal = s;
  return GOMP_OK;
}

void
gcn_signal_drop (struct gcn_signal *s, struct gcn_signal *idle[2])
{
  /* Sequentially consistent with gcn_queue_lost, which takes a reference and then looks whether the
     operation still has its own.  */
  if (atomic_fetch_sub (&s->xrefs, 1) != 1)
    return;
  /* Relaxed: who has set it had a reference.  */
  bool spoiled = atomic_load_explicit (&s->xspoiled, memory_order_relaxed);
  if (__builtin_expect (idle != NULL && !spoiled, 1))
    {
      s->next = idle[s->interrupts];
      idle[s->interrupts] = s;
      return;
    }
  pthread_mutex_lock (&signals_lock);
  struct gcn_signal **list = spoiled ? &spoiled_signals : &idle_signals[s->interrupts];
  s->next = *list;
  *list = s;
  pthread_mutex_unlock (&signals_lock);
}

void
gcn_signals_return (struct gcn_signal *idle[2])
{
  for (int kind = 0; kind < 2; kind++)
    for (struct gcn_signal *s = idle[kind], *next; s != NULL; s = next)
      {
	next = s->next;
	pthread_mutex_lock (&signals_lock);
	s->next = idle_signals[kind];
	idle_signals[kind] = s;
	pthread_mutex_unlock (&signals_lock);
      }
  idle[0] = idle[1] = NULL;
}

void
gcn_signals_close (void)
{
  pthread_mutex_lock (&signals_lock);
  struct gcn_signal *lists[3] = { idle_signals[0], idle_signals[1], spoiled_signals };
  idle_signals[0] = idle_signals[1] = spoiled_signals = NULL;
  pthread_mutex_unlock (&signals_lock);
  for (int i = 0; i < 3; i++)
    free_signals (lists[i]);
}

void
gcn_signal_sleep (struct gcn_signal *s, uint64_t ns)
{
  /* In ticks; a clock of the usual GHz and less does not overflow for hours.  */
  uint64_t ticks = ns / 1000 * (gcn_system.ticks_per_second / 1000) / 1000 + 1;
  (void) gcn_hsa.hsa_signal_wait_scacquire (s->hsa, HSA_SIGNAL_CONDITION_LT, 1, ticks,
					    HSA_WAIT_STATE_BLOCKED);
}

/* ---- channels ---- */

/* In a thread of the runtime: the queue is dead, and nothing tells which of its packets is to
   blame.  */
static void
channel_error (hsa_status_t status, hsa_queue_t *hsa, void *data)
{
  struct gcn_channel *channel = data;
  (void) hsa;
  if (status != HSA_STATUS_SUCCESS)
    gcn_lose (channel->dev, status);
}

gomp_status_t
gcn_channel_new (struct gomp_plugin_device *dev, struct gcn_channel **channel)
{
  struct gcn_channel *c = calloc (1, sizeof (*c));
  if (c == NULL)
    return gcn_no_memory ();
  c->dev = dev;
  gomp_status_t status
    = GCN_CALL (dev, hsa_queue_create,
		(dev->agent, dev->facts->queue_packets, HSA_QUEUE_TYPE_MULTI, channel_error, c,
		 UINT32_MAX, UINT32_MAX, &c->hsa), "making a queue on device %u", dev->ordinal);
  if (status != GOMP_OK)
    {
      free (c);
      return status;
    }
  if (gcn_core->wants_times && gcn_hsa.hsa_amd_profiling_set_profiler_enabled != NULL)
    (void) gcn_check_quiet (dev, gcn_hsa.hsa_amd_profiling_set_profiler_enabled (c->hsa, 1));
  *channel = c;
  return GOMP_OK;
}

void
gcn_channel_delete (struct gcn_channel *channel)
{
  /* A queue that has died is destroyed like any other; one of the parent of fork is not ours.  */
  if (atomic_load_explicit (&channel->dev->xlost, memory_order_relaxed) != GCN_FORKED)
    (void) gcn_check_quiet (channel->dev, gcn_hsa.hsa_queue_destroy (channel->hsa));
  free (channel);
}

/* The ring is full: wait until the packet INDEX may be written.  */
static gomp_status_t __attribute__ ((noinline, cold))
wait_for_room (struct gcn_channel *c, uint64_t index)
{
  const struct timespec nap = { .tv_nsec = 20000 };
  struct plugin_waiter waiter;
  gomp_status_t status = GOMP_OK;

  /* It is that of several queues.  */
  gcn_reverse_begin (c->dev, &waiter, NULL);
  while (status == GOMP_OK && index - gcn_hsa.hsa_queue_load_read_index_scacquire (c->hsa) >= c->hsa->size)
    {
      /* Nothing behind this packet will ever run on a lost device.  */
      status = gcn_alive (c->dev);
      if (status == GOMP_OK && !gcn_attend (c->dev, &waiter))
	nanosleep (&nap, NULL);
    }
  gcn_reverse_end (c->dev, &waiter);
  return status;
}

gomp_status_t
gcn_channel_write (struct gcn_channel *c, const void *packet)
{
  hsa_queue_t *hsa = c->hsa;
  uint32_t header;
  uint64_t index = gcn_hsa.hsa_queue_add_write_index_screlease (hsa, 1);

  if (__builtin_expect (index - gcn_hsa.hsa_queue_load_read_index_scacquire (hsa) >= hsa->size, 0))
    {
      gomp_status_t status = wait_for_room (c, index);
      if (status != GOMP_OK)
	return status;
    }
  char *to = (char *) hsa->base_address + (index & (hsa->size - 1)) * 64;
  memcpy (&header, packet, sizeof (header));
  memcpy (to + sizeof (header), (const char *) packet + sizeof (header), 64 - sizeof (header));
  /* Release: the rest of the packet, and what the kernel is going to read.  */
  atomic_store_explicit ((_Atomic uint32_t *) (void *) to, header, memory_order_release);
  gcn_hsa.hsa_signal_store_screlease (hsa->doorbell_signal, (hsa_signal_value_t) index);
  return GOMP_OK;
}

gomp_status_t
gcn_channel_barrier (struct gcn_channel *channel, struct gcn_signal *const *deps, unsigned num_deps,
		     bool barrier, struct gcn_signal *completion)
{
  hsa_barrier_and_packet_t packet =
    {
      .header = (HSA_PACKET_TYPE_BARRIER_AND << HSA_PACKET_HEADER_TYPE
		 | barrier << HSA_PACKET_HEADER_BARRIER
		 | HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE
		 | HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE)
    };
  for (unsigned i = 0; i < num_deps; i++)
    packet.dep_signal[i] = deps[i]->hsa;
  if (completion != NULL)
    packet.completion_signal = completion->hsa;
  return gcn_channel_write (channel, &packet);
}
