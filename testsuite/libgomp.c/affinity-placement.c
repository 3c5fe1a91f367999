/* The places of the threads of a team, for many sizes of partitions and teams: the library's
   arithmetic against a table that is filled step by step.
   TEST-OPTIONS: -I@top_srcdir@ -I@top_builddir@  */

#include <stdio.h>

#include "host/placement.c"

#define MAX_PLACES 13
#define MAX_THREADS 40

static unsigned failures;

static void
complain (const struct gomp_placement *p, unsigned num, struct gomp_seat got,
	  struct gomp_seat wanted)
{
  if (failures++ < 20)
    printf ("FAIL: policy %u, %u threads, partition %u+%u, primary on %u: thread %u on %u of %u+%u,"
	    " not on %u of %u+%u\n", p->policy, p->nthreads, p->primary.partition.first,
	    p->primary.partition.count, p->primary.place, num, got.place, got.partition.first,
	    got.partition.count, wanted.place, wanted.partition.first, wanted.partition.count);
}

/* The table: one thread after the other takes its place.  */
static void
fill_close (const struct gomp_placement *p, struct gomp_seat *table)
{
  struct gomp_partition part = p->primary.partition;
  unsigned each = p->nthreads <= part.count ? 1 : p->nthreads / part.count;
  unsigned place = p->primary.place, here = 0, places_done = 0;

  for (unsigned i = 0; i < p->nthreads; i++)
    {
      table[i].place = place;
      table[i].partition = part;
      if (++here == (places_done < part.count ? each : 1))
	{
	  here = 0;
	  places_done++;
	  place = place + 1 == part.first + part.count ? part.first : place + 1;
	}
    }
}

static void
fill_spread (const struct gomp_placement *p, struct gomp_seat *table)
{
  struct gomp_partition part = p->primary.partition, runs[MAX_THREADS];
  unsigned next = part.first, own = 0;

  if (p->nthreads > part.count)
    {
      fill_close (p, table);
      for (unsigned i = 0; i < p->nthreads; i++)
	table[i].partition = (struct gomp_partition) { table[i].place, 1 };
      return;
    }
  for (unsigned i = 0; i < p->nthreads; i++)
    {
      runs[i].first = next;
      runs[i].count = part.count / p->nthreads + (i < part.count % p->nthreads);
      next += runs[i].count;
      if (p->primary.place >= runs[i].first && p->primary.place < next)
	own = i;
    }
  for (unsigned i = 0; i < p->nthreads; i++)
    {
      table[i].partition = runs[(own + i) % p->nthreads];
      table[i].place = i == 0 ? p->primary.place : table[i].partition.first;
    }
}

static void
check (const struct gomp_placement *p)
{
  struct gomp_seat table[MAX_THREADS];
  unsigned share[MAX_PLACES + 8] = { 0 };

  if (p->policy == GOMP_BIND_PRIMARY)
    for (unsigned i = 0; i < p->nthreads; i++)
      table[i] = p->primary;
  else if (p->policy == GOMP_BIND_SPREAD)
    fill_spread (p, table);
  else
    fill_close (p, table);

  for (unsigned i = 0; i < p->nthreads; i++)
    {
      struct gomp_seat got = gomp_placement_seat (p, i);
      if (got.place != table[i].place || got.partition.first != table[i].partition.first
	  || got.partition.count != table[i].partition.count)
	complain (p, i, got, table[i]);
      share[table[i].place]++;
    }
  if (p->policy == GOMP_BIND_PRIMARY || p->nthreads > p->primary.partition.count)
    for (unsigned i = 0; i < p->primary.partition.count; i++)
      {
	unsigned place = p->primary.partition.first + i;
	if (gomp_placement_share (p, place) != share[place] && failures++ < 20)
	  printf ("FAIL: policy %u, %u threads, partition %u+%u, primary on %u: %u threads on %u,"
		  " not %u\n", p->policy, p->nthreads, p->primary.partition.first,
		  p->primary.partition.count, p->primary.place, gomp_placement_share (p, place),
		  place, share[place]);
      }
}

int
main (void)
{
  unsigned cases = 0;
  for (unsigned policy = GOMP_BIND_TRUE; policy <= GOMP_BIND_SPREAD; policy++)
    for (unsigned first = 0; first < 8; first += 7)
      for (unsigned count = 1; count <= MAX_PLACES; count++)
	for (unsigned place = first; place < first + count; place++)
	  for (unsigned n = 1; n <= MAX_THREADS; n++)
	    {
	      struct gomp_placement p = { { place, { first, count } }, n, policy };
	      check (&p);
	      cases++;
	    }

  /* The example of the interface description: five threads on two places.  */
  static const unsigned wanted[] = { 0, 0, 1, 1, 0 };
  struct gomp_placement five = { { 0, { 0, 2 } }, 5, GOMP_BIND_CLOSE };
  for (unsigned i = 0; i < 5; i++)
    if (gomp_placement_seat (&five, i).place != wanted[i])
      {
	printf ("FAIL: thread %u of five\n", i);
	failures++;
      }

  /* As many places as there can be.  */
  struct gomp_placement large = { { 65535, { 0, 65536 } }, 65535, GOMP_BIND_SPREAD };
  struct gomp_seat second = gomp_placement_seat (&large, 1), last = gomp_placement_seat (&large, 65534);
  if (second.place != 0 || second.partition.count != 2 || last.place != 65534
      || last.partition.count != 1)
    {
      printf ("FAIL: large: %u+%u, %u+%u\n", second.place, second.partition.count, last.place,
	      last.partition.count);
      failures++;
    }
  if (cases < 10000)
    failures++;
  return failures != 0;
}
