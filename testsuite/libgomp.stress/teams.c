/* Teams of changing size from several masters at once, nested and not, with worksharing
   constructs of all kinds that run ahead of each other; masters come and go.
   TEST-TIMEOUT: 120  */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int bad;

static void
fail (const char *what, long got, long want)
{
  printf ("%s: %ld, not %ld\n", what, got, want);
  __atomic_fetch_add (&bad, 1, __ATOMIC_RELAXED);
}

static unsigned
next_random (unsigned *seed)
{
  *seed = *seed * 1103515245u + 12345u;
  return *seed >> 16;
}

static void
region (unsigned *seed, int depth)
{
  int threads = 1 + next_random (seed) % 6;
  int constructs = next_random (seed) % 12;
  int n = next_random (seed) % 50;
  unsigned inner_seed = next_random (seed);
  long members = 0, sum = 0, singles = 0, order = 0, copies = 0;
  int disorder = 0;

#pragma omp parallel num_threads (threads) reduction (+: members, sum, singles, copies)
  {
    members++;
    for (int k = 0; k < constructs; k++)
      switch ((inner_seed >> (k % 8)) % 8)
	{
	case 0:
#pragma omp for schedule (dynamic) nowait
	  for (int i = 0; i < n; i++)
	    sum++;
	  break;
	case 1:
#pragma omp for schedule (guided)
	  for (int i = n; i > 0; i--)
	    sum++;
	  break;
	case 2:
#pragma omp single nowait
	  singles++;
	  break;
	case 3:
	  {
	    int x = 0;
#pragma omp single copyprivate (x)
	    {
	      singles++;
	      x = k;
	    }
	    copies += x != k;
	  }
	  break;
	case 4:
	  {
#pragma omp for ordered schedule (dynamic, 3)
	    for (int i = 0; i < n; i++)
	      {
		sum++;
#pragma omp ordered
		order++;
	      }
	  }
	  break;
	case 5:
	  {
#pragma omp barrier
	  }
	  break;
	case 6:
#pragma omp for schedule (runtime) nowait
	  for (unsigned long i = 0; i < (unsigned long) n; i++)
	    sum++;
	  break;
	case 7:
#pragma omp sections nowait
	  {
#pragma omp section
	    singles++;
#pragma omp section
	    __atomic_fetch_add (&disorder, 0, __ATOMIC_RELAXED);
	  }
	  break;
	}
    if (depth > 0 && omp_get_thread_num () % 2 == 0)
      {
	unsigned mine = inner_seed + omp_get_thread_num ();
	region (&mine, depth - 1);
      }
  }

  long want_sum = 0, want_singles = 0, want_order = 0;
  for (int k = 0; k < constructs; k++)
    switch ((inner_seed >> (k % 8)) % 8)
      {
      case 0: case 1: case 6: want_sum += n; break;
      case 2: case 3: case 7: want_singles++; break;
      case 4: want_sum += n; want_order += n; break;
      }
  if (members != threads && omp_get_active_level () == 0)
    fail ("threads", members, threads);
  if (sum != want_sum)
    fail ("iterations", sum, want_sum);
  if (singles != want_singles)
    fail ("singles", singles, want_singles);
  if (order != want_order)
    fail ("ordered regions", order, want_order);
  if (copies != 0)
    fail ("wrong copies", copies, 0);
}

static void *
master (void *arg)
{
  unsigned seed = (unsigned) (size_t) arg;
  omp_set_max_active_levels (2);
  for (int round = 0; round < 60; round++)
    region (&seed, round % 5 == 0);
  return NULL;
}

int
main (void)
{
  for (size_t generation = 0; generation < 5; generation++)
    {
      pthread_t t[3];
      for (size_t i = 0; i < 3; i++)
	pthread_create (&t[i], NULL, master, (void *) (generation * 10 + i));
      master ((void *) (generation * 100));
      if (generation % 2)
	omp_pause_resource_all (omp_pause_soft);
      for (size_t i = 0; i < 3; i++)
	pthread_join (t[i], NULL);
    }
  return bad != 0;
}
