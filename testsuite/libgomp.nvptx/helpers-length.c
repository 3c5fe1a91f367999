/* When helpers join those who serve (plugin/helpers.c): when more requests wait than these can do, and each takes long.  That is told by what the
   core takes for them, however long the others' lines of the cache keep whoever serves waiting, so short ones are never served by many because
   they were once; and one that happens to take long is none that does.  Nor does a helper come for a request that waits for its turn among short ones.
   TEST-MODES: host
   TEST-OPTIONS: -D_GNU_SOURCE -I@top_srcdir@ -I@top_srcdir@/plugin -I@top_srcdir@/include */

#include "plugin/helpers.c"

#include <stdio.h>

static unsigned pending = 64, failures;
static uint64_t length;

unsigned plugin_slots_pending (struct plugin_slots *slots) { (void) slots; return pending; }
uint32_t plugin_slots_first (struct plugin_slots *slots) { (void) slots; return 0; }
uint64_t plugin_patience (unsigned pollers) { return pollers; }

unsigned
plugin_slots_serve (struct plugin_slots *slots, unsigned most, const _Atomic unsigned *count, unsigned seen, uint64_t *took)
{
  (void) slots, (void) count, (void) seen;
  if (took != NULL)
    *took = length;
  /* What they are kept waiting.  */
  nanosleep (&(struct timespec) { .tv_nsec = 1000 * most }, NULL);
  return most;
}

static bool no (struct gomp_plugin_device *dev) { (void) dev; return false; }
static bool others (struct gomp_plugin_device *dev, const void *queue) { (void) dev, (void) queue; return false; }
static int find (struct gomp_plugin_device *dev) { (void) dev; return -1; }
static bool serve (struct gomp_plugin_device *dev, int i, struct plugin_waiter *w) { (void) dev, (void) i, (void) w; return false; }
static bool wanted (void *core_device, bool by_others) { (void) core_device, (void) by_others; return true; }

static void
expect (struct plugin_helpers *h, bool joins, const char *when)
{
  if (worth_joining (h, pending) != joins)
    {
      printf ("%s, a helper %s\n", when, joins ? "does not join" : "joins");
      failures++;
    }
}

/* Is a request that has waited NS one that wants a helper?  */
static void
expect_stuck (struct plugin_helpers *h, bool stuck, uint64_t ns, const char *when)
{
  uint32_t first = 0;		/* plugin_slots_first */
  uint64_t since = plugin_now () - ns;
  needed = false;
  if (needs_helper (h, &first, &since) != stuck)
    {
      printf ("%s, a helper %s after %lu us\n", when, stuck ? "does not come" : "comes", (unsigned long) ns / 1000);
      failures++;
    }
}

/* TIMES batches of requests that take the core NS each.  */
static void
batches (struct plugin_helpers *h, struct plugin_waiter *w, uint64_t ns, unsigned times)
{
  length = ns;
  while (times-- > 0)
    if (!plugin_helpers_poll (h, w))
      failures++;
}

int
main (void)
{
  static const struct plugin_helpers_ops ops = { no, no, others, find, serve };
  static const struct gomp_plugin_core core = { .reverse_wanted = wanted };
  struct plugin_helpers h;
  struct plugin_waiter w, more[5];

  plugin_helpers_open (&h, NULL, &core, NULL, NULL, &ops);
  expect (&h, true, "While nobody serves");
  plugin_helpers_begin (&h, &w, NULL);
  expect (&h, false, "Before it is known how long they take");
  batches (&h, &w, 90, 10);
  expect (&h, false, "While they are short");
  batches (&h, &w, 50000, 1);
  expect (&h, false, "When one took long");
  batches (&h, &w, 90, 10);
  batches (&h, &w, 330, 20);
  expect (&h, false, "While short ones take as long as they do side by side");
  batches (&h, &w, 450, 20);
  expect (&h, true, "While they are long");
  for (unsigned i = 0; i < 5; i++)
    plugin_helpers_begin (&h, &more[i], NULL);
  expect (&h, false, "When there are six for 64");
  pending = 512;
  expect (&h, true, "When there are six for 512");
  batches (&h, &w, 90, 10);
  expect (&h, false, "When they are short again, by six");
  batches (&h, &w, 20000, 3);
  expect (&h, true, "When they are long again");
  pending = 16;
  batches (&h, &w, 90, 20);	/* few: nobody measures */
  pending = 512;
  expect (&h, true, "After a few");
  pending = 16;
  expect_stuck (&h, true, 10000, "While they are long");
  pending = 512;
  batches (&h, &w, 90, 10);
  pending = 12500000;		/* for five seconds: no busy machine takes that long to ask */
  expect_stuck (&h, false, 20000, "Among many short ones");
  expect_stuck (&h, true, 6000000000, "Among many short ones");
  pending = 16;
  expect_stuck (&h, true, 17000, "Among few short ones");
  for (unsigned i = 0; i < 5; i++)
    plugin_helpers_end (&h, &more[i]);
  plugin_helpers_end (&h, &w);
  plugin_helpers_close (&h);
  printf ("%u failures\n", failures);
  return failures != 0;
}
