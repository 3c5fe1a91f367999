/* Times of copies on the gcn plugin, as the runtime knows them: in order, each inside of what the host
   has seen.
   TEST-MODES: gcnsim
   TEST-OPTIONS: -I@top_srcdir@/plugin -I@top_srcdir@/testsuite/gcn-sim
   TEST-ENV: GCN_SIM_LEAKS=1  */

#include "aux-plugin.h"

#include <time.h>

enum { BYTES = 1 << 20, ROUNDS = 10 };

static uint64_t
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (uint64_t) t.tv_sec * 1000000000 + (uint64_t) t.tv_nsec;
}

int
main (void)
{
  uint64_t last = 0;
  void *a;

  plugin_core.wants_times = true;
  plugin_start ();
  struct gomp_plugin_device *dev = plugin_open (0);
  struct gomp_plugin_queue *queue = plugin_queue (dev);
  struct gomp_plugin_event *event = plugin_event (dev);
  gomp_devptr_t there = plugin_memory (dev, BYTES);
  uint64_t begin, end;

  CHECK (plugin->event_time (event, &begin, &end) == GOMP_UNSUPPORTED);
  CHECK (plugin->host_alloc (dev, BYTES, &a) == GOMP_OK);
  memset (a, 1, BYTES);
  for (int i = 0; i < ROUNDS; i++)
    {
      uint64_t before = now ();
      CHECK (plugin->copy_h2d (queue, there, a, BYTES) == GOMP_OK);
      CHECK (plugin->event_record (queue, event) == GOMP_OK);
      CHECK (plugin->event_wait (event) == GOMP_OK);
      uint64_t after = now ();
      CHECK (plugin->event_time (event, &begin, &end) == GOMP_OK);
      CHECK (begin <= end && begin >= last);
      last = end;
      /* The two clocks were read one after the other, once, on a machine that may be busy.  */
      CHECK (begin + 1000000000 >= before && end <= after + 1000000000);
    }
  plugin->event_destroy (event);
  CHECK (plugin->queue_wait (queue) == GOMP_OK);
  plugin->queue_destroy (queue);
  CHECK (plugin->host_free (dev, a) == GOMP_OK);
  CHECK (plugin->mem_free (dev, there) == GOMP_OK);
  plugin->device_close (dev, false);
  return 0;
}
