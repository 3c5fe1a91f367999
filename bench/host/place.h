/* place.h -- where the two threads of a row run: functions for its "before".

   Near processors share the last level of cache with the first one that this process may use,
   far ones do not.  A row that wants what the machine does not have is not measured.  The
   threads are bound by the program, as a user would with taskset, not by the runtime.  */

#ifndef PLACE_H
#define PLACE_H 1

#include "../bench.h"

/* Whether processor B is in the last level of cache of A.  */
static int
place_shares_cache (int a, int b)
{
  char path[128], line[4096];
  for (int level = 9; level > 0; level--)
    {
      snprintf (path, sizeof path, "/sys/devices/system/cpu/cpu%d/cache/index%d/shared_cpu_list",
		a, level);
      FILE *f = fopen (path, "r");
      if (!f)
	continue;
      char *p = fgets (line, sizeof line, f) ? line : NULL;
      fclose (f);
      while (p && *p)
	{
	  char *end;
	  long first = strtol (p, &end, 10), last = first;
	  if (end == p)
	    return 0;
	  if (*end == '-')
	    last = strtol (end + 1, &end, 10);
	  if (first <= b && b <= last)
	    return 1;
	  p = *end == ',' ? end + 1 : NULL;
	}
      return 0;
    }
  return 1;			/* nothing is known: one processor is like another */
}

/* Bind the threads of a team of two, the first to processor A, the second to B.  */
static void
place_threads (int a, int b)
{
#pragma omp parallel num_threads (2)
  {
    cpu_set_t one;
    CPU_ZERO (&one);
    CPU_SET (omp_get_thread_num () == 0 ? a : b, &one);
    sched_setaffinity (0, sizeof one, &one);
  }
}

/* The first processor that this process may use, and the next that is NEAR to it, or is not.  */
static int
place_find (int near, int *first, int *second)
{
  cpu_set_t usable;
  *first = -1;
  if (sched_getaffinity (0, sizeof usable, &usable) != 0)
    return 0;
  for (*second = 0; *second < CPU_SETSIZE; ++*second)
    if (CPU_ISSET (*second, &usable))
      {
	if (*first < 0)
	  *first = *second;
	else if (place_shares_cache (*first, *second) == near)
	  return 1;
      }
  return 0;
}

static int
place_pair (int near)
{
  int first, second;
  if (!place_find (near, &first, &second))
    return 0;
  place_threads (first, second);
  return 1;
}

static int __attribute__ ((unused))
place_near (void)
{
  return place_pair (1);
}

static int __attribute__ ((unused))
place_far (void)
{
  return place_pair (0);
}

/* Both on one processor, as the scheduler sometimes does.  The runtime does not know.  */
static int __attribute__ ((unused))
place_same (void)
{
  int here = sched_getcpu ();
  place_threads (here, here);
  return 1;
}

#endif /* PLACE_H */
