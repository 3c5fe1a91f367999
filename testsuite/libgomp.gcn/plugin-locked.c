/* Memory that the gcn plugin has locked for a copy stays locked for another copy of it, on another queue
   or another device, which is not over yet.
   TEST-MODES: gcnsim
   TEST-OPTIONS: -I@top_srcdir@/plugin -I@top_srcdir@/testsuite/gcn-sim
   TEST-ENV: GCN_SIM_LEAKS=1
   TEST-ENV: GCN_SIM_AGENTS=2  */

#include "aux-plugin.h"

enum { BYTES = 40000, PART = 8000, SLOW = 128 << 20 };

static struct gomp_plugin_device *dev[2];

/* The second copy waits behind a long fill of its queue, while the first one ends.  */
static void
shared_by (struct gomp_plugin_device *first, struct gomp_plugin_device *second, bool same)
{
  struct gomp_plugin_queue *q1 = plugin_queue (first), *q2 = plugin_queue (second);
  gomp_devptr_t a = plugin_memory (first, BYTES), b = plugin_memory (second, BYTES);
  gomp_devptr_t slow = plugin_memory (second, SLOW);
  unsigned char *host = malloc (BYTES), *back = malloc (BYTES);

  for (int i = 0; i < BYTES; i++)
    host[i] = (unsigned char) (i * 7 + i / 256);
  size_t size = same ? BYTES : PART;
  CHECK (plugin->fill (q2, slow, 1, SLOW) == GOMP_OK);
  CHECK (plugin->copy_h2d (q1, a, host, BYTES) == GOMP_OK);
  CHECK (plugin->copy_h2d (q2, b, host + BYTES - size, size) == GOMP_OK);
  /* The memory is unlocked here, if nobody knows of the other copy.  */
  CHECK (plugin->queue_wait (q1) == GOMP_OK);
  CHECK (plugin->queue_wait (q2) == GOMP_OK);
  CHECK (plugin->copy_d2h (q2, back, b, size) == GOMP_OK);
  CHECK (plugin->queue_wait (q2) == GOMP_OK);
  CHECK (memcmp (back, host + BYTES - size, size) == 0);
  CHECK (plugin->mem_free (first, a) == GOMP_OK && plugin->mem_free (second, b) == GOMP_OK);
  CHECK (plugin->mem_free (second, slow) == GOMP_OK);
  plugin->queue_destroy (q1);
  plugin->queue_destroy (q2);
  free (host);
  free (back);
}

int
main (void)
{
  plugin_start ();
  CHECK (plugin_devices == 2);
  for (unsigned i = 0; i < 2; i++)
    dev[i] = plugin_open (i);
  for (int same = 0; same < 2; same++)
    {
      shared_by (dev[0], dev[0], same != 0);
      shared_by (dev[0], dev[1], same != 0);
    }
  plugin->device_close (dev[0], false);
  plugin->device_close (dev[1], false);
  return 0;
}
