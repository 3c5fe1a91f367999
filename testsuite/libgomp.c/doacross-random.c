/* Doacross loops of 1 to 5 levels with random shapes, sinks and schedules compute what the
   serial loop computes; signed and unsigned; some sources are skipped.  GCC's libraries, on the host and on
   devices, do not end with these calls (doc/abi-notes.md).
   TEST-TIMEOUT: 60  */
#include "aux-doacross.h"

#define MAX 3000
#define SINKS 3
#ifndef TESTED
#define TRIALS 250
#elif !defined FEW
#define TRIALS 60		/* one thread of a GPU is slow */
#else
#define TRIALS 14		/* and a simulated one slower */
#endif

static unsigned seed = 1;
static unsigned
rnd (unsigned n)
{
  seed = seed * 1103515245 + 12345;
  return (seed >> 8) % n;
}

static unsigned levels, sched;
static bool is_ull, skip;
static ull counts[LEVELS], chunk, total;
static unsigned value[MAX], expected[MAX];
static int ran[MAX];
static int distance[MAX][SINKS];	/* sinks: so many positions before; 0: none */

static void
vector_of (ull at, ull *v)
{
  for (unsigned k = levels; k-- > 0; at /= counts[k])
    v[k] = at % counts[k];
}

static unsigned
one (ull at, const unsigned *from)
{
  unsigned x = at * 2654435761u;
  for (int k = 0; k < SINKS; k++)
    if (distance[at][k])
      x = x * 31 + from[at - distance[at][k]];
  return x;
}

static void
region (void *unused)
{
  (void) unused;
  ull s, e, per_iter = total / counts[0];
  if (doacross_start (is_ull, sched, levels, counts, chunk, &s, &e))
    do
      for (ull at = s * per_iter; at < e * per_iter; at++)
	{
	  ull v[LEVELS] = { 0 };
	  for (int k = 0; k < SINKS; k++)
	    if (distance[at][k])
	      {
		vector_of (at - distance[at][k], v);
		doacross_wait (is_ull, v);
	      }
	  /* Sinks outside of the loop, of which compilers leave some in the program, come at
	     once.  */
	  vector_of (at, v);
	  v[at % levels] = at % 2 ? counts[at % levels] + at % 3 : -1ull - at % 2;
	  doacross_wait (is_ull, v);
	  value[at] = one (at, value);
	  __atomic_fetch_add (&ran[at], 1, __ATOMIC_RELAXED);
	  if (skip && at % 7 == 3)
	    continue;		/* a later source of the block will do */
	  vector_of (at, v);
	  doacross_post (is_ull, v);
	}
    while (doacross_next (is_ull, sched, &s, &e));
  GOMP_loop_end ();
}

int
main (void)
{
  static const omp_sched_t kinds[] = { omp_sched_static, omp_sched_dynamic, omp_sched_guided,
				       omp_sched_auto };
  for (int trial = 0; trial < TRIALS; trial++)
    {
      levels = 1 + rnd (LEVELS);
      sched = rnd (SCHEDS);
      is_ull = rnd (2);
      skip = rnd (4) == 0;
      chunk = 1 + rnd (rnd (2) ? 3 : 20);
      omp_set_schedule (kinds[rnd (4)], rnd (5));
      do
	{
	  total = 1;
	  for (unsigned k = 0; k < levels; k++)
	    total *= counts[k] = 1 + rnd (levels == 1 ? MAX : levels == 2 ? 60 : 8);
	}
      while (total > MAX);
      unsigned far = rnd (3) == 0 ? total : total / counts[0] * 2 + 2;
      for (ull at = 0; at < total; at++)
	{
	  for (int k = 0; k < SINKS; k++)
	    distance[at][k] = at > 0 && rnd (2) ? 1 + rnd (at < far ? at : far) : 0;
	  expected[at] = one (at, expected);
	}
      memset (ran, 0, sizeof (ran));
      memset (value, 0, sizeof (value));
      GOMP_parallel (region, NULL, 1 + rnd (8), 0);
      for (ull at = 0; at < total; at++)
	if (value[at] != expected[at] || ran[at] != 1)
	  return printf ("trial %d: levels %u schedule %u ull %d chunk %llu: wrong at %llu of %llu\n",
			 trial, levels, sched, is_ull, chunk, at, total), 1;
    }
  return 0;
}
