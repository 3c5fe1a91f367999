/* topk.cpp -- the 16 largest values of a row and where they are, by each team: each thread sorts
   its share into a list of its own, and the lists are merged in a tree.
   Needs a private array of each thread, 16 KiB of team array, and threads that leave a tree but not
   its barriers.  */

#include "topk.h"

/* Puts X where it belongs and drops the last.  */
template <int K>
static void
insert (list<K> &l, item x)
{
  if (!before (x, l.items[K - 1]))
    return;
  for (int k = 0; k < K; k++)
    if (before (x, l.items[k]))
      {
	item next = l.items[k];
	l.items[k] = x;
	x = next;
      }
}

template <int K>
static void
largest (const float *in, float *values, int *indices, int rows)
{
#pragma omp target teams num_teams (rows) thread_limit (THREADS)
  {
    list<K> lists[THREADS];
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num (), threads = omp_get_num_threads ();
      long row = omp_get_team_num ();
      list<K> own;

      for (int k = 0; k < K; k++)
	own.items[k] = { -FLT_MAX, INT_MAX };
      for (int i = t; i < WIDTH; i += threads)
	insert (own, { in[row * WIDTH + i], i });
      lists[t] = own;
      for (int live = threads; live > 1;)
	{
	  int half = (live + 1) / 2;
#pragma omp barrier
	  if (t + half < live)
	    {
	      for (int k = 0; k < K; k++)
		insert (own, lists[t + half].items[k]);
	      lists[t] = own;
	    }
	  live = half;
	}
#pragma omp barrier
      for (int k = t; k < K; k += threads)
	{
	  values[row * K + k] = lists[0].items[k].value;
	  indices[row * K + k] = lists[0].items[k].index;
	}
    }
  }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 4096, 4, 1 << 18);
  long n = (long) a.size * WIDTH, m = (long) a.size * LARGEST;
  float *in = ARRAY (float, n), *values = ARRAY (float, m), *expected_values = ARRAY (float, m);
  int *indices = ARRAY (int, m), *expected_indices = ARRAY (int, m);

  prepare (in, expected_values, expected_indices, a.size);
#pragma omp target data map (to: in[:n]) map (tofrom: values[:m], indices[:m])
  MEASURE ("topk", a.repeats, largest<LARGEST> (in, values, indices, a.size));
  return verdict (integers_differ (indices, expected_indices, m)
		  || floats_differ (values, expected_values, m, 0, 0));
}
