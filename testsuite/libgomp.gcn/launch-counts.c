/* What a region costs once everything is there: a packet, and nothing made, copied or read besides, on one queue and
   with several regions under way; also after more launches than any ring has room for.
   TEST-MODES: gcnsim
   TEST-IMAGE: gcn
   TEST-SKIP-SANITIZER: thread the simulator is slow there  */

#define _GNU_SOURCE
#include "aux-gcn.h"
#include <dlfcn.h>

enum { WARM = 700, MEASURED = 300, QUEUES = 3, ROUNDS = 100 };

/* A queue whose waits begin to sleep takes signals of another kind from then on; when that happens is a
   question of time.  Few are made then, in all.  */
enum { SIGNALS = 6, NEW_SIGNALS = 4 };

static const char *const names[]
  = { "packets", "barrier-packets", "copies", "sync-copies", "fills", "allocations", "signals-created", "locks" };
enum { NAMES = sizeof (names) / sizeof (names[0]) };

static unsigned long (*count) (const char *);

static void
read_counts (unsigned long *now)
{
  for (int i = 0; i < NAMES; i++)
    now[i] = count (names[i]);
}

static void
compare (const char *what, const unsigned long *before, unsigned long packets)
{
  unsigned long now[NAMES];
  read_counts (now);
  for (int i = 0; i < NAMES; i++)
    if (i == SIGNALS ? now[i] - before[i] > NEW_SIGNALS
	: now[i] - before[i] != (i == 0 ? packets : 0))
      {
	printf ("%s: %s: %lu for %lu regions\n", what, names[i], now[i] - before[i], packets);
	failures++;
      }
}

int
main (void)
{
  void *runtime = dlopen ("libhsa-runtime64.so.1", RTLD_NOW);
  unsigned long before[NAMES];

  if (runtime == NULL || (count = (unsigned long (*) (const char *)) dlsym (runtime, "gcn_sim_count")) == NULL)
    return 1;
  for (int i = 0; i < WARM; i++)
    {
#pragma omp target
      { }
    }
  read_counts (before);
  for (int i = 0; i < MEASURED; i++)
    {
#pragma omp target
      { }
    }
  compare ("empty regions", before, MEASURED);

  /* Arguments that travel in no table.  */
  for (int k = 0; k < 2; k++)
    {
      read_counts (before);
      for (int i = 0; i < 40; i++)
#pragma omp target teams num_teams (2) thread_limit (2)
	{ }
      if (k == 1)
	compare ("teams", before, 40);
    }

  /* Several at a time.  */
  for (int k = 0; k < 2 * ROUNDS; k++)
    {
      if (k == ROUNDS)
	read_counts (before);
      for (int q = 0; q < QUEUES; q++)
#pragma omp target nowait
	{ }
#pragma omp taskwait
    }
  unsigned long now[NAMES];
  read_counts (now);
  CHECK_EQUAL (now[5] - before[5], 0);
  CHECK_EQUAL (now[SIGNALS] - before[SIGNALS] > QUEUES * NEW_SIGNALS, 0);
  CHECK_EQUAL (now[0] - before[0] - (now[1] - before[1]), ROUNDS * QUEUES);
  return failures != 0;
}
