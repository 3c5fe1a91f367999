/* hash.c -- how often keys occur, counted in a hash table that is cleared, filled and asked by
   three kernels in strides of all teams.
   Needs compare-and-swap and sums that many threads make in one place, and a sum of the team.  */

#include "hash.h"

static void
clear (unsigned *table, int *counts, unsigned places, int teams)
{
#pragma omp target teams num_teams (teams) thread_limit (THREADS)
#pragma omp parallel TEAM_OF (THREADS)
  {
    unsigned stride = omp_get_num_teams () * omp_get_num_threads ();
    for (unsigned i = omp_get_team_num () * omp_get_num_threads () + omp_get_thread_num ();
	 i < places; i += stride)
      {
	table[i] = 0;
	counts[i] = 0;
      }
  }
}

static void
insert (const unsigned *keys, int n, unsigned *table, int *counts, unsigned places, int teams)
{
#pragma omp target teams num_teams (teams) thread_limit (THREADS)
#pragma omp parallel TEAM_OF (THREADS)
  {
    int stride = omp_get_num_teams () * omp_get_num_threads ();
    for (int i = omp_get_team_num () * omp_get_num_threads () + omp_get_thread_num ();
	 i < n; i += stride)
      {
	unsigned key = keys[i], place = first_place (key, places);
	for (;; place = (place + 1) & (places - 1))
	  {
	    unsigned was;
#pragma omp atomic compare capture
	    {
	      was = table[place];
	      if (table[place] == 0)
		{
		  table[place] = key;
		}
	    }
	    if (was == 0 || was == key)
	      break;
	  }
#pragma omp atomic
	counts[place]++;
      }
  }
}

static void
find (const unsigned *asked, int *found, int *total, int n, const unsigned *table,
      const int *counts, unsigned places, int teams)
{
#pragma omp target teams num_teams (teams) thread_limit (THREADS)
  {
    int hits = 0;
#pragma omp parallel TEAM_OF (THREADS)
    {
      int stride = omp_get_num_teams () * omp_get_num_threads (), own = 0;
      for (int i = omp_get_team_num () * omp_get_num_threads () + omp_get_thread_num ();
	   i < n; i += stride)
	{
	  unsigned place = first_place (asked[i], places);
	  while (table[place] != 0 && table[place] != asked[i])
	    place = (place + 1) & (places - 1);
	  found[i] = table[place] == 0 ? 0 : counts[place];
	  own += found[i] > 0;
	}
#pragma omp atomic
      hits += own;
#pragma omp barrier
      if (omp_get_thread_num () == 0)
	{
#pragma omp atomic
	  *total += hits;
	}
    }
  }
}

static void
count (const unsigned *keys, const unsigned *asked, int *found, int *total, int n, unsigned *table,
       int *counts, unsigned places)
{
  int teams = n / KEYS;

  clear (table, counts, places, teams);
  insert (keys, n, table, counts, places, teams);
  find (asked, found, total, n, table, counts, places, teams);
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 1024, 4, 1 << 17);
  int n = a.size * KEYS, expected_total, total = 0;
  unsigned *keys = ARRAY (unsigned, n), *asked = ARRAY (unsigned, n), places = places_for (n);
  unsigned *table = ARRAY (unsigned, places);
  int *found = ARRAY (int, n), *expected = ARRAY (int, n), *counts = ARRAY (int, places);

  prepare (keys, asked, expected, &expected_total, n);
#pragma omp target data map (to: keys[:n], asked[:n]) map (tofrom: found[:n], total) \
			map (alloc: table[:places], counts[:places])
  MEASURE ("hash", a.repeats, count (keys, asked, found, &total, n, table, counts, places));
  /* The kernels were executed once more than they were measured.  */
  expected_total *= a.repeats + 1;
  return verdict (integers_differ (found, expected, n)
		  || integers_differ (&total, &expected_total, 1));
}
