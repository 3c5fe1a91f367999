/* The protocol of reverse calls (plugin/reverse-proto.h) by itself: threads play device and host.
   Synchronous requests, several at once from one thread, and detached ones, with few slots.
   TEST-MODES: host
   TEST-OPTIONS: -I@top_srcdir@ -pthread */

#define GOMP_REVERSE_DEVICE 1
#include "plugin/reverse-proto.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 16, DEVICES = 6, HOSTS = 3, REQUESTS = 1500, AHEAD = 3 };

static struct gomp_reverse_area *area;
static struct gomp_reverse_taken taken;
static struct gomp_reverse_free idle;
static _Atomic (unsigned) xserved, xdetached, xfailures;
static _Atomic (bool) xstop;

static void
fail (const char *what)
{
  if (xfailures++ == 0)
    printf ("%s\n", what);
}

/* The host's function: doubles what it gets, answers the sum of two items.  */
static void
serve (struct gomp_reverse_slot *slot)
{
  struct gomp_reverse_item *items = gomp_reverse_items (slot);
  long value, more;
  if (slot->count != 4 || slot->function != 0x1234 || slot->device != 7)
    fail ("the request is damaged");
  memcpy (&value, slot->data + items[0].at, sizeof (value));
  memcpy (&more, slot->data + items[1].at, sizeof (more));
  if (!(items[0].flags & GOMP_REVERSE_FILLED) || !(items[2].flags & GOMP_REVERSE_INLINE)
      || (items[2].flags & GOMP_REVERSE_FILLED) || (items[3].flags & GOMP_REVERSE_INLINE))
    fail ("wrong flags");
  long sum = value + more;
  value *= 2;
  memcpy (slot->data + items[0].at, &value, sizeof (value));
  memcpy (slot->data + items[2].at, &sum, sizeof (sum));
  items[0].flags |= GOMP_REVERSE_RETURNED;
  items[2].flags |= GOMP_REVERSE_RETURNED;
  if (slot->flags & GOMP_REVERSE_DETACHED)
    xdetached++;
  xserved++;
}

static void *
host (void *arg)
{
  uint32_t start = 0, taken_here = 0;
  (void) arg;
  while (!xstop || gomp_reverse_pending (area, &taken, SLOTS))
    {
      uint32_t i = gomp_reverse_take (area, &taken, SLOTS, start);
      if (i == GOMP_REVERSE_NONE)
	{
	  sched_yield ();
	  continue;
	}
      start = i + 1;
      /* Some are left to another thread.  */
      if (++taken_here % 7 == 0)
	{
	  gomp_reverse_leave (area, &taken, i);
	  continue;
	}
      serve (&area->slots[i]);
      gomp_reverse_answer (&area->slots[i], GOMP_REVERSE_OK);
    }
  return NULL;
}

static uint32_t
acquire (uint32_t hint)
{
  uint32_t i;
  while ((i = gomp_reverse_acquire (area, &idle, hint)) == GOMP_REVERSE_NONE)
    sched_yield ();
  if (i >= SLOTS)
    fail ("a slot that does not exist");
  return i;
}

static void *
device (void *arg)
{
  long me = (long) arg, value[AHEAD], more = 5, sum[AHEAD];
  static char large[GOMP_REVERSE_DATA];
  uint32_t slots[AHEAD], hint = me;

  for (int n = 0; n < REQUESTS; n++)
    {
      /* A thread that holds slots must not wait for more of them.  */
      int ahead = n % 3 == 0 && me == 0 ? AHEAD : 1;
      for (int k = 0; k < ahead; k++)
	{
	  void *addrs[4] = { &value[k], &more, &sum[k], large };
	  const uint64_t sizes[4] = { sizeof (long), sizeof (long), sizeof (long), sizeof (large) };
	  const uint16_t kinds[4] = { 3, 1, 2, 3 };
	  value[k] = 1000 * me + n + k;
	  sum[k] = -1;
	  slots[k] = hint = acquire (hint);
	  struct gomp_reverse_slot *slot = &area->slots[slots[k]];
	  gomp_reverse_pack (slot, 0x1234, 7, 4, addrs, sizes, kinds);
	  if (n % 5 == 4)
	    slot->flags |= GOMP_REVERSE_DETACHED;
	  gomp_reverse_publish (area, &idle, slots[k]);
	}
      for (int k = 0; k < ahead && n % 5 != 4; k++)
	{
	  struct gomp_reverse_slot *slot = &area->slots[slots[k]];
	  while (!gomp_reverse_is_done (slot))
	    sched_yield ();
	  gomp_reverse_unpack (slot);
	  if (slot->status != GOMP_REVERSE_OK || value[k] != 2 * (1000 * me + n + k)
	      || sum[k] != 1000 * me + n + k + 5)
	    fail ("wrong results");
	  gomp_reverse_release (&idle, slots[k]);
	}
    }
  return NULL;
}

int
main (void)
{
  pthread_t hosts[HOSTS], devices[DEVICES];
  uint64_t size = (gomp_reverse_area_size (SLOTS) + 127) / 128 * 128;
  area = aligned_alloc (128, size);
  memset (area, 0, size);
  gomp_reverse_area_init (area, SLOTS);
  gomp_reverse_free_init (&idle, SLOTS);

  for (long i = 0; i < HOSTS; i++)
    pthread_create (&hosts[i], NULL, host, NULL);
  for (long i = 0; i < DEVICES; i++)
    pthread_create (&devices[i], NULL, device, (void *) i);
  for (int i = 0; i < DEVICES; i++)
    pthread_join (devices[i], NULL);
  xstop = true;
  for (int i = 0; i < HOSTS; i++)
    pthread_join (hosts[i], NULL);

  /* Thread 0 issues several at a time: two more for each third request.  */
  unsigned expected = DEVICES * REQUESTS + (REQUESTS / 3) * (AHEAD - 1);
  unsigned detached = DEVICES * (REQUESTS / 5);
  for (int n = 0; n < REQUESTS; n++)
    detached += n % 3 == 0 && n % 5 == 4 ? AHEAD - 1 : 0;
  if (xserved != expected || xdetached != detached)
    {
      printf ("%u of %u requests served, %u of %u detached\n", xserved, expected, xdetached, detached);
      return 1;
    }
  free (area);
  return xfailures != 0;
}
