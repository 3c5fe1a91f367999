/* Threads use the gcn plugin at the same time: queues of their own on two devices, that wait for each
   other's events, small, locked and pinned memory, allocations.
   TEST-MODES: gcnsim
   TEST-OPTIONS: -I@top_srcdir@/plugin -I@top_srcdir@/testsuite/gcn-sim -pthread
   TEST-ENV: GCN_SIM_LEAKS=1
   TEST-ENV: GCN_SIM_AGENTS=2  */

#include "aux-plugin.h"

#include <pthread.h>

enum { THREADS = 12, ROUNDS = 30, WORDS = 2000 };

static struct gomp_plugin_device *dev[2];
/* Each thread's own, but others wait for it, between the barriers.  */
static struct gomp_plugin_event *events[THREADS];
static gomp_devptr_t there[THREADS];
static pthread_barrier_t barrier;

static void *
work (void *arg)
{
  unsigned me = (unsigned) (size_t) arg, next = (me + 1) % THREADS;
  struct gomp_plugin_device *mine = dev[me % 2];
  struct gomp_plugin_queue *queue = plugin_queue (mine);
  int *a = malloc (WORDS * sizeof (int)), *b = malloc ((WORDS + 100) * sizeof (int));

  events[me] = plugin_event (mine);
  there[me] = plugin_memory (mine, (WORDS + 100) * sizeof (int));
  for (int round = 0; round < ROUNDS; round++)
    {
      for (int i = 0; i < WORDS; i++)
	a[i] = i * round + (int) me;
      /* 8000 bytes are locked; 40 are taken along.  */
      CHECK (plugin->copy_h2d (queue, there[me], a, WORDS * sizeof (int)) == GOMP_OK);
      CHECK (plugin->copy_h2d (queue, there[me] + 400, a + 50, 40) == GOMP_OK);
      CHECK (plugin->event_record (queue, events[me]) == GOMP_OK);
      pthread_barrier_wait (&barrier);
      /* What the next thread has sent, on a queue of the device that has it.  */
      CHECK (plugin->queue_wait_event (queue, events[next]) == GOMP_OK);
      if (round % 3 == 0)
	{
	  gomp_devptr_t extra = plugin_memory (mine, 4096);
	  CHECK (plugin->fill (queue, extra, 3, 4096) == GOMP_OK);
	  CHECK (plugin->queue_wait (queue) == GOMP_OK);
	  CHECK (plugin->mem_free (mine, extra) == GOMP_OK);
	}
      CHECK (plugin->copy_d2d (queue, mine, there[me] + WORDS * sizeof (int), dev[next % 2],
			       there[next], 400) == GOMP_OK);
      CHECK (plugin->copy_d2h (queue, b, there[me], (WORDS + 100) * sizeof (int)) == GOMP_OK);
      /* The event of the others is waited for here, too, by who does not own it.  */
      CHECK (plugin->event_wait (events[next]) == GOMP_OK);
      CHECK (plugin->event_status (events[next]) == GOMP_OK);
      CHECK (plugin->queue_wait (queue) == GOMP_OK);
      pthread_barrier_wait (&barrier);
      CHECK (b[WORDS - 1] == (WORDS - 1) * round + (int) me && b[100] == 50 * round + (int) me);
      CHECK (b[WORDS + 1] == round + (int) next);
    }
  CHECK (plugin->queue_wait (queue) == GOMP_OK);
  pthread_barrier_wait (&barrier);
  plugin->event_destroy (events[me]);
  plugin->queue_destroy (queue);
  CHECK (plugin->mem_free (mine, there[me]) == GOMP_OK);
  free (a);
  free (b);
  return NULL;
}

static void *
look (void *stop)
{
  while (!atomic_load ((_Atomic bool *) stop))
    for (int i = 0; i < 2; i++)
      plugin->progress (dev[i]);
  return NULL;
}

int
main (void)
{
  pthread_t threads[THREADS], looker;
  static _Atomic bool stop;

  plugin_start ();
  for (unsigned i = 0; i < 2; i++)
    dev[i] = plugin_open (i);
  CHECK (pthread_barrier_init (&barrier, NULL, THREADS) == 0);
  CHECK (pthread_create (&looker, NULL, look, &stop) == 0);
  for (size_t i = 0; i < THREADS; i++)
    CHECK (pthread_create (&threads[i], NULL, work, (void *) i) == 0);
  for (int i = 0; i < THREADS; i++)
    CHECK (pthread_join (threads[i], NULL) == 0);
  atomic_store (&stop, true);
  CHECK (pthread_join (looker, NULL) == 0);
  for (unsigned i = 0; i < 2; i++)
    plugin->device_close (dev[i], false);
  return 0;
}
