/* Queues of the simulated runtime without kernels: barrier packets and what they wait for, the order, many
   packets in flight, several threads that write, the ring's end, bad packets, and complaints.  */
/* TEST-MODES: gcnsim */
/* TEST-OPTIONS: -I@top_srcdir@/plugin -I@top_srcdir@/testsuite/gcn-sim -pthread */

#include "aux-hsa.h"

enum { SIZE = 64, THREADS = 4, EACH = 500 };

static hsa_queue_t *queue;
static hsa_signal_t all;
static _Atomic int error_status;
static _Atomic int num_errors;

static void
on_error (hsa_status_t status, hsa_queue_t *q, void *data)
{
  CHECK (q != NULL && data == (void *) &error_status);
  num_errors++;
  error_status = status;
}

static hsa_queue_t *
new_queue (void)
{
  hsa_queue_t *q;
  DO (hsa_queue_create (gpu_agent[0], SIZE, HSA_QUEUE_TYPE_MULTI, on_error, (void *) &error_status,
			UINT32_MAX, UINT32_MAX, &q));
  return q;
}

static void
check_layout (void)
{
  const amd_queue_t *amd = (const amd_queue_t *) queue;
  CHECK (queue->size == SIZE && queue->type == HSA_QUEUE_TYPE_MULTI
	 && queue->features == HSA_AGENT_FEATURE_KERNEL_DISPATCH && queue->base_address != NULL);
  CHECK ((uintptr_t) queue >> 48 == 0);
  CHECK (amd->group_segment_aperture_base_hi != 0);
  CHECK (hsa_queue_load_read_index_acquire (queue) == 0
	 && hsa_queue_load_write_index_relaxed (queue) == 0);
  for (unsigned i = 0; i < SIZE; i++)
    CHECK (((uint16_t *) queue->base_address)[i * 32] == HSA_PACKET_TYPE_INVALID);
}

/* Wait until N packets are through.  */
static void
drained (uint64_t n)
{
  while (hsa_queue_load_read_index_scacquire (queue) != n)
    usleep (50);
}

static void
check_barriers (void)
{
  hsa_signal_t dep[5], done = new_signal (1), later = new_signal (1);
  for (int i = 0; i < 5; i++)
    dep[i] = new_signal (1);
  uint64_t first = enqueue_barrier (queue, HSA_PACKET_TYPE_BARRIER_AND, dep, 5, done);
  uint64_t second = enqueue_barrier (queue, HSA_PACKET_TYPE_BARRIER_AND, NULL, 0, later);
  CHECK (second == first + 1);
  for (int i = 0; i < 5; i++)
    {
      /* It and what is behind it wait until the last one is 0.  */
      CHECK (hsa_signal_wait_scacquire (later, HSA_SIGNAL_CONDITION_LT, 1, 300000,
					HSA_WAIT_STATE_BLOCKED) == 1);
      CHECK (hsa_signal_load_relaxed (done) == 1);
      CHECK (hsa_queue_load_read_index_relaxed (queue) == first);
      hsa_signal_store_screlease (dep[(i * 2) % 5], 0);
    }
  wait_zero (done);
  wait_zero (later);
  drained (second + 1);
  CHECK (((uint16_t *) queue->base_address)[first * 32] == HSA_PACKET_TYPE_INVALID);

  /* One of several, and there may be holes in the list.  */
  for (int i = 0; i < 5; i++)
    hsa_signal_store_relaxed (dep[i], 1);
  hsa_signal_store_relaxed (done, 1);
  hsa_signal_t some[5] = { { 0 }, dep[1], { 0 }, dep[3], dep[4] };
  enqueue_barrier (queue, HSA_PACKET_TYPE_BARRIER_OR, some, 5, done);
  CHECK (hsa_signal_wait_scacquire (done, HSA_SIGNAL_CONDITION_LT, 1, 300000,
				    HSA_WAIT_STATE_BLOCKED) == 1);
  hsa_signal_store_screlease (dep[3], 0);
  wait_zero (done);

  /* Two queues that wait for one another in turn.  */
  hsa_queue_t *other = new_queue ();
  hsa_signal_t link[6];
  for (int i = 0; i < 6; i++)
    link[i] = new_signal (1);
  for (int i = 5; i > 0; i--)
    if (i % 2 == 0)
      enqueue_barrier (i % 4 == 0 ? queue : other, HSA_PACKET_TYPE_BARRIER_AND, &link[i - 1], 1,
		       link[i]);
  hsa_queue_t *third = new_queue ();
  for (int i = 1; i < 6; i += 2)
    enqueue_barrier (third, HSA_PACKET_TYPE_BARRIER_AND, &link[i - 1], 1, link[i]);
  hsa_signal_store_screlease (link[0], 0);
  wait_zero (link[5]);
  DO (hsa_queue_destroy (third));
  DO (hsa_queue_destroy (other));
  for (int i = 0; i < 6; i++)
    DO (hsa_signal_destroy (link[i]));
  for (int i = 0; i < 5; i++)
    DO (hsa_signal_destroy (dep[i]));
  DO (hsa_signal_destroy (done));
  DO (hsa_signal_destroy (later));
}

static void *
produce (void *arg)
{
  (void) arg;
  for (int i = 0; i < EACH; i++)
    enqueue_barrier (queue, HSA_PACKET_TYPE_BARRIER_AND, NULL, 0, all);
  return NULL;
}

static void
check_threads (void)
{
  pthread_t threads[THREADS];
  all = new_signal (THREADS * EACH);
  unsigned long before = count_p ("packets");
  for (int i = 0; i < THREADS; i++)
    CHECK (pthread_create (&threads[i], NULL, produce, NULL) == 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  wait_zero (all);
  CHECK (count_p ("packets") - before == THREADS * EACH);
  drained (hsa_queue_load_write_index_relaxed (queue));
  DO (hsa_signal_destroy (all));
}

/* A packet that is no packet ends the queue.  */
static void
check_bad (uint32_t header, const hsa_barrier_and_packet_t *packet, const char *text)
{
  hsa_queue_t *q = new_queue ();
  int errors = num_errors;
  hsa_signal_t after = new_signal (1);
  catch_stderr ();
  error_status = 0;
  enqueue (q, packet, header);
  while (num_errors == errors)
    usleep (50);
  char *said = caught ();
  CHECK (strstr (said, text) != NULL);
  free (said);
  CHECK (error_status == HSA_STATUS_ERROR_INVALID_PACKET_FORMAT);
  /* Nothing more is done, and the callback is not called again.  */
  enqueue_barrier (q, HSA_PACKET_TYPE_BARRIER_AND, NULL, 0, after);
  CHECK (hsa_signal_wait_scacquire (after, HSA_SIGNAL_CONDITION_LT, 1, 1000000,
				    HSA_WAIT_STATE_BLOCKED) == 1);
  CHECK (num_errors == errors + 1);
  DO (hsa_queue_destroy (q));
  DO (hsa_signal_destroy (after));
}

static void
check_misuse (void)
{
  hsa_queue_t *q;
  hsa_barrier_and_packet_t bad = { .dep_signal[2] = { 12 } }, none = { 0 };
  MISUSE (hsa_queue_create (cpu_agent, SIZE, HSA_QUEUE_TYPE_MULTI, NULL, NULL, 0, 0, &q),
	  HSA_STATUS_ERROR_INVALID_AGENT, "is no GPU agent");
  MISUSE (hsa_queue_create (gpu_agent[0], 100, HSA_QUEUE_TYPE_MULTI, NULL, NULL, 0, 0, &q),
	  HSA_STATUS_ERROR_INVALID_ARGUMENT, "size 100");
  MISUSE (hsa_queue_destroy ((hsa_queue_t *) &q), HSA_STATUS_ERROR_INVALID_QUEUE, "is no queue");
  COMPLAINS (hsa_signal_store_screlease (queue->doorbell_signal, 1 << 20),
	     "of a queue whose write index is");
  MISUSE (hsa_signal_destroy (queue->doorbell_signal), HSA_STATUS_ERROR_INVALID_SIGNAL,
	  "is a queue's doorbell");
  check_bad (HSA_PACKET_TYPE_BARRIER_AND | FENCES, &bad, "dependence of a barrier packet: signal 0xc");
  check_bad (HSA_PACKET_TYPE_AGENT_DISPATCH | FENCES, &none, "type 4");
  check_bad (HSA_PACKET_TYPE_VENDOR_SPECIFIC | FENCES, &none, "type 0");

  /* A queue that is not empty goes away.  */
  hsa_signal_t never = new_signal (1);
  q = new_queue ();
  enqueue_barrier (q, HSA_PACKET_TYPE_BARRIER_AND, &never, 1, (hsa_signal_t) { 0 });
  usleep (1000);
  COMPLAINS (DO (hsa_queue_destroy (q)), "hsa_queue_destroy:");

  /* One that was stopped takes nothing more, whatever happens, and has nobody told.  */
  int errors = num_errors;
  hsa_signal_t behind = new_signal (1);
  q = new_queue ();
  enqueue_barrier (q, HSA_PACKET_TYPE_BARRIER_AND, &never, 1, (hsa_signal_t) { 0 });
  enqueue_barrier (q, HSA_PACKET_TYPE_BARRIER_AND, NULL, 0, behind);
  DO (hsa_queue_inactivate (q));
  hsa_signal_store_screlease (never, 0);
  CHECK (hsa_signal_wait_scacquire (behind, HSA_SIGNAL_CONDITION_LT, 1, 3000000, HSA_WAIT_STATE_BLOCKED) == 1);
  DO (hsa_queue_destroy (q));
  CHECK (num_errors == errors);
  MISUSE (hsa_queue_inactivate ((hsa_queue_t *) &q), HSA_STATUS_ERROR_INVALID_QUEUE, "is no queue");
  DO (hsa_signal_destroy (behind));
  DO (hsa_signal_destroy (never));
}

int
main (void)
{
  start_hsa ();
  queue = new_queue ();
  check_layout ();
  check_barriers ();
  check_threads ();
  check_misuse ();
  unsigned n = 0;
  COMPLAINS (n = leaks_p (), "leak: queue");
  CHECK (n == 1);
  DO (hsa_queue_destroy (queue));
  stop_hsa ();
  return 0;
}
