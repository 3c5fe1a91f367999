/* A loop with very many blocks needs no memory for each; iterations without sinks do not wait
   for a slow one, and nothing goes wrong when they come to the same place of a window again.  */
#include "aux-doacross.h"
#include <sched.h>
#include <sys/resource.h>

#define BLOCKS 200000
#define AHEAD 200	/* half of the sink below */

/* Sanitizers have memory of their own.  */
#if defined __SANITIZE_THREAD__ || defined __SANITIZE_ADDRESS__
# define GROWTH 1000000
#else
# define GROWTH 8000
#endif

static unsigned char ran[BLOCKS];

static long
max_rss_kb (void)
{
  struct rusage usage;
  getrusage (RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

int
main (void)
{
  long sum = 0, ahead = 0;
  memset (ran, 1, sizeof (ran));
  long before = max_rss_kb ();

  for (int sched = STATIC_CHUNK; sched <= DYNAMIC; sched++)
    {
      memset (ran, 0, sizeof (ran));
#pragma omp parallel num_threads (3)
      {
	ull s, e, counts[LEVELS] = { BLOCKS }, v[LEVELS] = { 0 };
	if (doacross_start (false, sched, 1, counts, 1, &s, &e))
	  do
	    {
	      v[0] = s - s % 1000;
	      if (v[0] != s && s % 3 == 0)
		{
		  doacross_wait (false, v);
		  if (!ran[v[0]])
		    abort ();
		}
	      ran[s] = 1;
	      v[0] = s;
	      doacross_post (false, v);
	    }
	  while (doacross_next (false, sched, &s, &e));
	GOMP_loop_end ();
      }
      for (int i = 0; i < BLOCKS; i++)
	sum += ran[i];
    }
  long growth = max_rss_kb () - before;
  if (sum != 2 * BLOCKS || growth > GROWTH)
    return printf ("ran %ld, memory grew by %ld KB\n", sum, growth), 1;

  /* The thread with the first block waits until others are far ahead of it.  */
#pragma omp parallel for ordered (1) schedule (dynamic) num_threads (3)
  for (int i = 0; i < 2 * AHEAD; i++)
    {
      if (i == 0)
	while (__atomic_load_n (&ahead, __ATOMIC_RELAXED) < AHEAD)
	  sched_yield ();
      else
	__atomic_fetch_add (&ahead, 1, __ATOMIC_RELAXED);
#pragma omp ordered depend (source)
#pragma omp ordered depend (sink: i - 400)
    }
  return 0;
}
