/* hash.cu -- the kernels of hash.c in CUDA.  */

#include "hash.h"

static __global__ void
clear (unsigned *table, int *counts, unsigned places)
{
  for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < places; i += gridDim.x * THREADS)
    {
      table[i] = 0;
      counts[i] = 0;
    }
}

static __global__ void
insert (const unsigned *keys, int n, unsigned *table, int *counts, unsigned places)
{
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
    {
      unsigned key = keys[i], place = first_place (key, places);
      for (;; place = (place + 1) & (places - 1))
	{
	  unsigned was = atomicCAS (table + place, 0, key);
	  if (was == 0 || was == key)
	    break;
	}
      atomicAdd (counts + place, 1);
    }
}

static __global__ void
find (const unsigned *asked, int *found, int *total, int n, const unsigned *table,
      const int *counts, unsigned places)
{
  __shared__ int hits;
  int own = 0;

  if (threadIdx.x == 0)
    hits = 0;
  __syncthreads ();
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
    {
      unsigned place = first_place (asked[i], places);
      while (table[place] != 0 && table[place] != asked[i])
	place = (place + 1) & (places - 1);
      found[i] = table[place] == 0 ? 0 : counts[place];
      own += found[i] > 0;
    }
  atomicAdd (&hits, own);
  __syncthreads ();
  if (threadIdx.x == 0)
    atomicAdd (total, hits);
}

static void
count (const unsigned *keys, const unsigned *asked, int *found, int *total, int n, unsigned *table,
       int *counts, unsigned places)
{
  int teams = n / KEYS;

  clear<<<teams, THREADS>>> (table, counts, places);
  insert<<<teams, THREADS>>> (keys, n, table, counts, places);
  find<<<teams, THREADS>>> (asked, found, total, n, table, counts, places);
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 1024, 4, 1 << 17);
  int n = a.size * KEYS, expected_total, total = 0;
  unsigned *keys = ARRAY (unsigned, n), *asked = ARRAY (unsigned, n), places = places_for (n);
  int *found = ARRAY (int, n), *expected = ARRAY (int, n), *counts = ARRAY (int, places);

  prepare (keys, asked, expected, &expected_total, n);
  unsigned *d_keys = on_device (keys, n), *d_asked = on_device (asked, n);
  unsigned *d_table = on_device ((unsigned *) counts, places);
  int *d_counts = on_device (counts, places), *d_found = on_device (found, n);
  int *d_total = on_device (&total, 1);
  MEASURE ("hash", a.repeats,
	   count (d_keys, d_asked, d_found, d_total, n, d_table, d_counts, places));
  from_device (found, d_found, n);
  from_device (&total, d_total, 1);
  expected_total *= a.repeats + 1;
  return verdict (integers_differ (found, expected, n)
		  || integers_differ (&total, &expected_total, 1));
}
