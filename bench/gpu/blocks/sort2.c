/* sort2.c -- keys with values sorted by a bitonic network: its steps within 1024 elements by teams
   that have them in arrays, all of such steps in one launch, and a launch for each step between
   elements farther apart.
   Needs up to 256 threads, up to 55 barriers in two loops, two arrays, and launches in order.  */

#include "sort2.h"

/* The lower index of pair PAIR of those DISTANCE apart.  */
#define LOWER(pair, distance) (2 * (pair) - ((pair) & ((distance) - 1)))

/* All steps for SIZE FIRST to LAST that are within a block.  */
static void
sort_in_blocks (unsigned *keys, int *values, int n, int first, int last)
{
#pragma omp target teams num_teams (n / BLOCK) thread_limit (THREADS)
  {
    unsigned key[BLOCK];
    int value[BLOCK];
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num (), threads = omp_get_num_threads ();
      int base = omp_get_team_num () * BLOCK;

      for (int i = t; i < BLOCK; i += threads)
	{
	  key[i] = keys[base + i];
	  value[i] = values[base + i];
	}
      for (int size = first; size <= last; size *= 2)
	for (int distance = size < BLOCK ? size / 2 : BLOCK / 2; distance > 0; distance /= 2)
	  {
#pragma omp barrier
	    for (int pair = t; pair < BLOCK / 2; pair += threads)
	      {
		int a = LOWER (pair, distance), b = a + distance;
		int falls = ((base + a) & size) != 0;
		if (comes_after (key[a], value[a], key[b], value[b]) != falls)
		  {
		    unsigned spare_key = key[a];
		    int spare_value = value[a];
		    key[a] = key[b];
		    value[a] = value[b];
		    key[b] = spare_key;
		    value[b] = spare_value;
		  }
	      }
	  }
#pragma omp barrier
      for (int i = t; i < BLOCK; i += threads)
	{
	  keys[base + i] = key[i];
	  values[base + i] = value[i];
	}
    }
  }
}

/* One step, of elements DISTANCE apart.  */
static void
exchange (unsigned *keys, int *values, int n, int size, int distance)
{
#pragma omp target teams num_teams (n / BLOCK) thread_limit (THREADS)
#pragma omp parallel TEAM_OF (THREADS)
  {
    int stride = omp_get_num_teams () * omp_get_num_threads ();
    for (int pair = omp_get_team_num () * omp_get_num_threads () + omp_get_thread_num ();
	 pair < n / 2; pair += stride)
      {
	int a = LOWER (pair, distance), b = a + distance, falls = (a & size) != 0;
	unsigned key_a = keys[a], key_b = keys[b];
	int value_a = values[a], value_b = values[b];
	if (comes_after (key_a, value_a, key_b, value_b) != falls)
	  {
	    keys[a] = key_b;
	    values[a] = value_b;
	    keys[b] = key_a;
	    values[b] = value_a;
	  }
      }
  }
}

static void
copy (const unsigned *from_keys, const int *from_values, unsigned *keys, int *values, int n)
{
#pragma omp target teams distribute parallel for num_teams (n / BLOCK) thread_limit (THREADS)
  for (int i = 0; i < n; i++)
    {
      keys[i] = from_keys[i];
      values[i] = from_values[i];
    }
}

static void
sort (const unsigned *from_keys, const int *from_values, unsigned *keys, int *values, int n)
{
  copy (from_keys, from_values, keys, values, n);
  sort_in_blocks (keys, values, n, 2, BLOCK);
  for (int size = 2 * BLOCK; size <= n; size *= 2)
    {
      for (int distance = size / 2; distance >= BLOCK; distance /= 2)
	exchange (keys, values, n, size, distance);
      sort_in_blocks (keys, values, n, size, size);
    }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 10, 2, 17);
  int n = BLOCK << a.size;
  unsigned *from_keys = ARRAY (unsigned, n), *keys = ARRAY (unsigned, n);
  int *from_values = ARRAY (int, n), *values = ARRAY (int, n);
  int *expected_keys = ARRAY (int, n), *expected_values = ARRAY (int, n);

  prepare (from_keys, from_values, expected_keys, expected_values, n);
#pragma omp target data map (to: from_keys[:n], from_values[:n]) map (tofrom: keys[:n], values[:n])
  MEASURE ("sort2", a.repeats, sort (from_keys, from_values, keys, values, n));
  return verdict (integers_differ ((const int *) keys, expected_keys, n)
		  || integers_differ (values, expected_values, n));
}
