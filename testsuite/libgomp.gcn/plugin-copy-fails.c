/* A copy of the gcn plugin fails while it is executed: the operations behind it go on, on its queue and on
   others, the event behind it tells, once, and the device is as good as before.
   TEST-MODES: gcnsim
   TEST-OPTIONS: -I@top_srcdir@/plugin -I@top_srcdir@/testsuite/gcn-sim
   TEST-ENV: GCN_SIM_LEAKS=1
   TEST-ENV: GCN_SIM_FAIL=copy:2
   TEST-OUTPUT: gcn-sim: call 2 of copy fails  */

#include "aux-plugin.h"

enum { BYTES = 1000 };

int
main (void)
{
  plugin_start ();
  struct gomp_plugin_device *dev = plugin_open (0);
  struct gomp_plugin_queue *queue = plugin_queue (dev), *other = plugin_queue (dev);
  struct gomp_plugin_event *first = plugin_event (dev), *second = plugin_event (dev),
    *third = plugin_event (dev);
  gomp_devptr_t there = plugin_memory (dev, BYTES);
  unsigned char a[BYTES], b[BYTES];

  memset (a, 3, BYTES);
  memset (b, 0, BYTES);
  CHECK (plugin->copy_h2d (queue, there, a, BYTES) == GOMP_OK);
  CHECK (plugin->copy_h2d (queue, there, a, BYTES) == GOMP_OK);
  CHECK (plugin->event_record (queue, first) == GOMP_OK);
  CHECK (plugin->queue_wait_event (other, first) == GOMP_OK);
  CHECK (plugin->copy_h2d (other, there + 500, a, 10) == GOMP_OK);
  CHECK (plugin->event_record (other, third) == GOMP_OK);
  CHECK (plugin->copy_h2d (queue, there, a, BYTES) == GOMP_OK);
  CHECK (plugin->copy_d2h (queue, b, there, BYTES) == GOMP_OK);
  CHECK (plugin->event_record (queue, second) == GOMP_OK);
  CHECK (plugin->event_wait (second) == GOMP_OK && plugin_signalled (first));
  CHECK (plugin->event_wait (third) == GOMP_OK && plugin_signalled (third));
  CHECK (plugin->event_status (first) == GOMP_DRIVER_ERROR);
  CHECK (strstr (plugin_text, "copying 1000 bytes from ") != NULL);
  CHECK (strstr (plugin_text, " on device 0 has failed") != NULL);
  CHECK (plugin->event_status (second) == GOMP_OK);
  CHECK (plugin->event_status (third) == GOMP_OK);
  CHECK (memcmp (a, b, BYTES) == 0);
  CHECK (plugin->queue_wait (queue) == GOMP_OK);
  plugin->event_destroy (first);
  plugin->event_destroy (second);
  plugin->event_destroy (third);
  plugin->queue_destroy (queue);
  plugin->queue_destroy (other);
  CHECK (plugin->mem_free (dev, there) == GOMP_OK);
  plugin->device_close (dev, false);
  return 0;
}
