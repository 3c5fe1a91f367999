/* Order of the gcn plugin's queues: many operations under way, events that are recorded again, queues
   that wait for events of other queues and devices, more of them than a packet holds.
   TEST-MODES: gcnsim
   TEST-OPTIONS: -I@top_srcdir@/plugin -I@top_srcdir@/testsuite/gcn-sim
   TEST-ENV: GCN_SIM_LEAKS=1
   TEST-ENV: GCN_SIM_AGENTS=2  */

#include "aux-plugin.h"

enum { OPS = 2000, QUEUES = 12, WORDS = 5000 };

static struct gomp_plugin_device *dev[2];

/* More operations than a queue holds, in order.  */
static void
many_operations (void)
{
  struct gomp_plugin_queue *queue = plugin_queue (dev[0]);
  struct gomp_plugin_event *event = plugin_event (dev[0]);
  gomp_devptr_t there = plugin_memory (dev[0], 64);
  void *pinned;
  CHECK (plugin->host_alloc (dev[0], OPS * sizeof (int), &pinned) == GOMP_OK);
  int *seen = pinned;

  for (int i = 0; i < OPS; i++)
    {
      CHECK (plugin->copy_h2d (queue, there, &i, sizeof (i)) == GOMP_OK);
      CHECK (plugin->copy_d2h (queue, &seen[i], there, sizeof (i)) == GOMP_OK);
      if (i % 7 == 0)
	CHECK (plugin->event_record (queue, event) == GOMP_OK);
    }
  CHECK (plugin->event_record (queue, event) == GOMP_OK);
  CHECK (plugin->event_wait (event) == GOMP_OK && plugin_signalled (event));
  CHECK (plugin->event_status (event) == GOMP_OK);
  for (int i = 0; i < OPS; i++)
    CHECK (seen[i] == i);
  /* An event behind nothing that is under way.  */
  CHECK (plugin->queue_wait (queue) == GOMP_OK);
  CHECK (plugin->event_record (queue, event) == GOMP_OK && plugin_signalled (event));
  plugin->event_destroy (event);
  plugin->queue_destroy (queue);
  CHECK (plugin->host_free (dev[0], pinned) == GOMP_OK);
  CHECK (plugin->mem_free (dev[0], there) == GOMP_OK);
}

/* A value goes through all queues, each of which waits for the one before.  */
static void
chain (void)
{
  struct gomp_plugin_queue *queues[QUEUES];
  struct gomp_plugin_event *events[QUEUES];
  gomp_devptr_t there[QUEUES];
  void *pinned;
  CHECK (plugin->host_alloc (dev[0], (QUEUES + 1) * WORDS * sizeof (int), &pinned) == GOMP_OK);
  int (*block)[WORDS] = pinned;

  for (int i = 0; i < QUEUES; i++)
    {
      queues[i] = plugin_queue (dev[i % 2]);
      events[i] = plugin_event (dev[i % 2]);
      there[i] = plugin_memory (dev[i % 2], sizeof (block[0]));
    }
  for (int round = 1; round < 20; round++)
    {
      memset (block, 0, (QUEUES + 1) * sizeof (block[0]));
      for (int i = 0; i < WORDS; i++)
	block[0][i] = round * i;
      for (int i = 0; i < QUEUES; i++)
	{
	  if (i > 0)
	    CHECK (plugin->queue_wait_event (queues[i], events[i - 1]) == GOMP_OK);
	  CHECK (plugin->copy_h2d (queues[i], there[i], block[i], sizeof (block[0])) == GOMP_OK);
	  CHECK (plugin->copy_d2h (queues[i], block[i + 1], there[i], sizeof (block[0])) == GOMP_OK);
	  CHECK (plugin->event_record (queues[i], events[i]) == GOMP_OK);
	}
      CHECK (plugin->event_wait (events[QUEUES - 1]) == GOMP_OK);
      for (int i = 0; i < WORDS; i++)
	CHECK (block[QUEUES][i] == round * i);
      for (int i = 0; i < QUEUES; i++)
	CHECK (plugin_signalled (events[i]));
    }
  for (int i = 0; i < QUEUES; i++)
    {
      plugin->queue_destroy (queues[i]);
      plugin->event_destroy (events[i]);
      CHECK (plugin->mem_free (dev[i % 2], there[i]) == GOMP_OK);
    }
  CHECK (plugin->host_free (dev[0], pinned) == GOMP_OK);
}

/* One queue waits for all others, and an event tells when it has.  */
static void
gather (void)
{
  struct gomp_plugin_queue *queues[QUEUES], *last = plugin_queue (dev[1]);
  struct gomp_plugin_event *events[QUEUES], *end = plugin_event (dev[1]);
  gomp_devptr_t there[QUEUES];
  void *pinned;
  CHECK (plugin->host_alloc (dev[0], QUEUES * WORDS * sizeof (int), &pinned) == GOMP_OK);
  int (*block)[WORDS] = pinned;

  for (int i = 0; i < QUEUES; i++)
    {
      queues[i] = plugin_queue (dev[i % 2]);
      events[i] = plugin_event (dev[i % 2]);
      there[i] = plugin_memory (dev[i % 2], sizeof (block[0]));
    }
  for (int round = 1; round < 20; round++)
    {
      memset (block, round, QUEUES * sizeof (block[0]));
      for (int i = 0; i < QUEUES; i++)
	{
	  CHECK (plugin->fill (queues[i], there[i], (uint8_t) (round + i), sizeof (block[0]))
		 == GOMP_OK);
	  CHECK (plugin->copy_d2h (queues[i], block[i], there[i], sizeof (block[0])) == GOMP_OK);
	  CHECK (plugin->event_record (queues[i], events[i]) == GOMP_OK);
	  CHECK (plugin->queue_wait_event (last, events[i]) == GOMP_OK);
	}
      if (round % 2)
	{
	  CHECK (plugin->event_record (last, end) == GOMP_OK);
	  CHECK (plugin->event_wait (end) == GOMP_OK && plugin_signalled (end));
	}
      else
	CHECK (plugin->queue_wait (last) == GOMP_OK);
      for (int i = 0; i < QUEUES; i++)
	CHECK (((unsigned char *) block[i])[WORDS - 1] == round + i && plugin_signalled (events[i]));
    }
  for (int i = 0; i < QUEUES; i++)
    {
      plugin->queue_destroy (queues[i]);
      plugin->event_destroy (events[i]);
      CHECK (plugin->mem_free (dev[i % 2], there[i]) == GOMP_OK);
    }
  plugin->queue_destroy (last);
  plugin->event_destroy (end);
  CHECK (plugin->host_free (dev[0], pinned) == GOMP_OK);
}

int
main (void)
{
  plugin_start ();
  CHECK (plugin_devices == 2);
  for (unsigned i = 0; i < 2; i++)
    dev[i] = plugin_open (i);
  many_operations ();
  chain ();
  gather ();
  for (unsigned i = 0; i < 2; i++)
    plugin->device_close (dev[i], false);
  return 0;
}
