/* Copies of the gcn plugin between all kinds of host memory and a device: pinned, small, locked,
   read-only, boxes, fills.  What was locked for a copy is unlocked after it; nothing is left over.
   TEST-MODES: gcnsim
   TEST-OPTIONS: -I@top_srcdir@/plugin -I@top_srcdir@/testsuite/gcn-sim
   TEST-ENV: GCN_SIM_LEAKS=1  */

#define _GNU_SOURCE 1
#include "aux-plugin.h"

#include <sys/mman.h>

enum { SMALL = 1000, LARGE = 3 << 20 };

static struct gomp_plugin_device *dev;
static struct gomp_plugin_queue *queue;
static struct gomp_plugin_event *event;

static unsigned char
value (size_t i, unsigned seed)
{
  return (unsigned char) (i * 7 + (i >> 8) * 13 + seed);
}

static void
fill (unsigned char *p, size_t n, unsigned seed)
{
  for (size_t i = 0; i < n; i++)
    p[i] = value (i, seed);
}

static int
is_filled (const unsigned char *p, size_t n, unsigned seed)
{
  for (size_t i = 0; i < n; i++)
    if (p[i] != value (i, seed))
      return 0;
  return 1;
}

/* There and back, by way of the device.  */
static void
round_trip (unsigned char *from, unsigned char *to, size_t n, unsigned seed, bool writable)
{
  gomp_devptr_t there = plugin_memory (dev, n + 64);
  if (writable)
    fill (from, n, seed);
  CHECK (plugin->copy_h2d (queue, there + 3, from, n) == GOMP_OK);
  CHECK (plugin->copy_d2h (queue, to, there + 3, n) == GOMP_OK);
  CHECK (plugin->event_record (queue, event) == GOMP_OK);
  CHECK (plugin->event_wait (event) == GOMP_OK);
  CHECK (plugin_signalled (event) && plugin->event_status (event) == GOMP_OK);
  CHECK (is_filled (to, n, seed));
  CHECK (plugin->mem_free (dev, there) == GOMP_OK);
}

static void
kinds_of_memory (void)
{
  unsigned char *a = malloc (LARGE), *b = malloc (LARGE);
  void *pinned;

  round_trip (a, b, SMALL, 1, true);
  round_trip (a, b, 1, 2, true);
  unsigned long locks = simulator_count ("locks");
  round_trip (a, b, LARGE, 3, true);
  CHECK (simulator_count ("locks") == locks + 2);
  CHECK (simulator_count ("unlocks") == simulator_count ("locks"));

  CHECK (plugin->host_alloc (dev, LARGE, &pinned) == GOMP_OK);
  CHECK (plugin->is_pinned (dev, pinned, LARGE) && plugin->is_accessible (dev, pinned, LARGE));
  CHECK (!plugin->is_pinned (dev, (char *) pinned + 1, LARGE + 4096));
  CHECK (!plugin->is_pinned (dev, a, SMALL) && !plugin->is_accessible (dev, a, SMALL));
  locks = simulator_count ("locks");
  round_trip (pinned, pinned, LARGE, 4, true);
  CHECK (simulator_count ("locks") == locks);
  CHECK (plugin->host_free (dev, pinned) == GOMP_OK);

  /* Pages that nobody may write.  */
  unsigned char *map = mmap (NULL, LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			     0);
  CHECK (map != MAP_FAILED);
  fill (map, LARGE, 5);
  CHECK (mprotect (map, LARGE, PROT_READ) == 0);
  round_trip (map, b, LARGE, 5, false);
  munmap (map, LARGE);

  /* The source is the caller's again at once.  */
  gomp_devptr_t there = plugin_memory (dev, 100 * GOMP_TAKEN_MOST);
  for (unsigned i = 0; i < 100; i++)
    {
      fill (a, GOMP_TAKEN_MOST, i);
      CHECK (plugin->copy_h2d (queue, there + i * GOMP_TAKEN_MOST, a, GOMP_TAKEN_MOST) == GOMP_OK);
    }
  CHECK (plugin->copy_d2h (queue, b, there, 100 * GOMP_TAKEN_MOST) == GOMP_OK);
  CHECK (plugin->queue_wait (queue) == GOMP_OK);
  for (unsigned i = 0; i < 100; i++)
    CHECK (is_filled (b + i * GOMP_TAKEN_MOST, GOMP_TAKEN_MOST, i));
  CHECK (plugin->mem_free (dev, there) == GOMP_OK);
  CHECK (simulator_count ("unlocks") == simulator_count ("locks"));
  free (a);
  free (b);
}

/* Memory that several copies have locked at the same time.  */
static void
shared_lock (void)
{
  unsigned char *a = malloc (LARGE);
  gomp_devptr_t there = plugin_memory (dev, LARGE);
  unsigned long locks = simulator_count ("locks");

  fill (a, LARGE, 6);
  CHECK (plugin->copy_h2d (queue, there, a, LARGE) == GOMP_OK);
  for (size_t i = 0; i < 20; i++)
    CHECK (plugin->copy_h2d (queue, there + i * 8192, a + i * 8192, 8192) == GOMP_OK);
  CHECK (plugin->queue_wait (queue) == GOMP_OK);
  CHECK (simulator_count ("locks") == locks + 1);
  CHECK (simulator_count ("unlocks") == simulator_count ("locks"));
  memset (a, 0, LARGE);
  CHECK (plugin->copy_d2h (queue, a, there, LARGE) == GOMP_OK);
  CHECK (plugin->queue_wait (queue) == GOMP_OK);
  CHECK (is_filled (a, LARGE, 6));
  CHECK (plugin->mem_free (dev, there) == GOMP_OK);
  free (a);
}

/* Boxes, of which the engines do some; the plugin says so of the others.  */
static void
boxes (void)
{
  enum { PLANES = 3, ROWS = 10, ROW = 40, PITCH = 64, DEVICE_PITCH = 128 };
  unsigned char *a = malloc (PLANES * 16 * PITCH + 8), *b = malloc (PLANES * 20 * DEVICE_PITCH);
  gomp_devptr_t there = plugin_memory (dev, PLANES * 20 * DEVICE_PITCH);
  struct gomp_copy3d shape = { .count = { ROW, ROWS, PLANES },
			       .dst_stride = { DEVICE_PITCH, 20 * DEVICE_PITCH },
			       .src_stride = { PITCH, 16 * PITCH } };

  fill (a, PLANES * 16 * PITCH + 8, 7);
  CHECK (plugin->fill (queue, there, 0xee, PLANES * 20 * DEVICE_PITCH) == GOMP_OK);
  CHECK (plugin->copy3d_h2d (queue, there + 4, a + 1, &shape) == GOMP_OK);
  CHECK (plugin->copy_d2h (queue, b, there, PLANES * 20 * DEVICE_PITCH) == GOMP_OK);
  CHECK (plugin->queue_wait (queue) == GOMP_OK);
  for (size_t at = 0; at < PLANES * 20 * DEVICE_PITCH; at++)
    {
      size_t z = at / (20 * DEVICE_PITCH), y = at / DEVICE_PITCH % 20, x = at % DEVICE_PITCH;
      if (x >= 4 && x < 4 + ROW && y < ROWS)
	CHECK (b[at] == value (z * 16 * PITCH + y * PITCH + x - 4 + 1, 7));
      else
	CHECK (b[at] == 0xee);
    }
  struct gomp_copy3d back = { .count = { ROW, ROWS, PLANES },
			      .dst_stride = { PITCH, 16 * PITCH },
			      .src_stride = { DEVICE_PITCH, 20 * DEVICE_PITCH } };
  memset (a, 0, PLANES * 16 * PITCH);
  CHECK (plugin->copy3d_d2h (queue, a, there + 4, &back) == GOMP_OK);
  CHECK (plugin->queue_wait (queue) == GOMP_OK);
  CHECK (a[2 * 16 * PITCH + 9 * PITCH + 39] == value (2 * 16 * PITCH + 9 * PITCH + 39 + 1, 7));
  CHECK (a[2 * 16 * PITCH + 9 * PITCH + 40] == 0 && a[10 * PITCH] == 0);

  struct gomp_copy3d odd = shape;
  odd.src_stride[0] = 43;
  CHECK (plugin->copy3d_h2d (queue, there, a, &odd) == GOMP_UNSUPPORTED);
  CHECK (plugin->queue_wait (queue) == GOMP_OK);
  CHECK (plugin->mem_free (dev, there) == GOMP_OK);
  free (a);
  free (b);
}

static void
fills (void)
{
  static const size_t sizes[] = { 1, 5, 4096, 4097, 100001 };
  unsigned char *b = malloc (100100);

  for (int i = 0; i < 5; i++)
    {
      gomp_devptr_t there = plugin_memory (dev, 100100);
      CHECK (plugin->fill (queue, there, 1, 100100) == GOMP_OK);
      CHECK (plugin->fill (queue, there + 9, (uint8_t) (50 + i), sizes[i]) == GOMP_OK);
      CHECK (plugin->copy_d2h (queue, b, there, 100100) == GOMP_OK);
      CHECK (plugin->queue_wait (queue) == GOMP_OK);
      for (size_t at = 0; at < 100100; at++)
	CHECK (b[at] == (at >= 9 && at < 9 + sizes[i] ? 50 + i : 1));
      CHECK (plugin->mem_free (dev, there) == GOMP_OK);
    }
  free (b);
}

int
main (void)
{
  plugin_start ();
  CHECK (plugin_devices == 1);
  dev = plugin_open (0);
  queue = plugin_queue (dev);
  event = plugin_event (dev);
  CHECK (plugin_signalled (event));
  kinds_of_memory ();
  shared_lock ();
  boxes ();
  fills ();
  plugin->event_destroy (event);
  plugin->queue_destroy (queue);
  plugin->device_close (dev, false);
  return 0;
}
