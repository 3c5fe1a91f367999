/* Which place each thread of a team is bound to, at every level, and that nobody is bound again
   without need.  On a machine of 16 CPUs that is not there; the places have one CPU each.  */

#include "aux-fake-machine.h"
#include "aux-run-self.h"

#include <omp.h>
#include <pthread.h>

static _Atomic (int) failures;

/* The calling thread is where it should be, and the kernel was told.  */
static void
here (int line, int place, int first, int count)
{
  int nums[64], ids[64], n = omp_get_partition_num_places (), bad = n != count;
  if (n <= 64)
    omp_get_partition_place_nums (nums);
  for (int i = 0; i < n && !bad; i++)
    bad |= nums[i] != first + i;
  if (omp_get_place_num () >= 0)
    omp_get_place_proc_ids (omp_get_place_num (), ids);
  bad |= omp_get_place_num () != place || fake_first != ids[0] || fake_count != 1;
  if (bad && atomic_fetch_add (&failures, 1) < 20)
    printf ("FAIL: line %d, level %d, thread %d of %d: place %d, CPU %d, partition %d+%d; not place"
	    " %d, partition %d+%d\n", line, omp_get_level (), omp_get_thread_num (),
	    omp_get_num_threads (), omp_get_place_num (), fake_first, n > 0 ? nums[0] : -1, n,
	    place, first, count);
}
#define HERE(place, first, count) here (__LINE__, place, first, count)

static void
number (int line, const char *what, int got, int wanted)
{
  if (got != wanted && atomic_fetch_add (&failures, 1) < 20)
    printf ("FAIL: line %d, level %d: %s is %d, not %d\n", line, omp_get_level (), what, got, wanted);
}
#define NUMBER(what, wanted) number (__LINE__, #what, what, wanted)

/* Bindings since the last call.  */
static int
calls (void)
{
  static int before;
  int now = atomic_load (&fake_calls), n = now - before;
  before = now;
  return n;
}

/* OMP_PLACES=threads  */
static void
policies (void)
{
  HERE (0, 0, 16);
  NUMBER (calls (), 1);
  NUMBER (omp_get_proc_bind (), omp_proc_bind_true);

  for (int round = 0; round < 2; round++)
    {
      for (int i = 0; i < 10; i++)
	{
#pragma omp parallel num_threads(4) proc_bind(close)
	  {
	    HERE (omp_get_thread_num (), 0, 16);
	    NUMBER (omp_get_proc_bind (), omp_proc_bind_close);
	  }
	}
      NUMBER (calls (), 3);

      for (int i = 0; i < 10; i++)
	{
#pragma omp parallel num_threads(4) proc_bind(spread)
	  HERE (4 * omp_get_thread_num (), 4 * omp_get_thread_num (), 4);
	  HERE (0, 0, 16);
	}
      NUMBER (calls (), 3);

#pragma omp parallel num_threads(4) proc_bind(master)
      HERE (0, 0, 16);
      NUMBER (calls (), 3);
    }

  /* 16 = 3 * 5 + 1.  */
#pragma omp parallel num_threads(3) proc_bind(spread)
  {
    static const int first[] = { 0, 6, 11 };
    int i = omp_get_thread_num ();
    HERE (first[i], first[i], i == 0 ? 6 : 5);
  }
  NUMBER (calls (), 2);

  /* Threads in the reserve keep their places, and the others do when they go there.  */
#pragma omp parallel num_threads(6)
  HERE (omp_get_thread_num (), 0, 16);
  NUMBER (calls (), 5);
#pragma omp parallel num_threads(2) proc_bind(spread)
  HERE (8 * omp_get_thread_num (), 8 * omp_get_thread_num (), 8);
  NUMBER (calls (), 1);
#pragma omp parallel num_threads(6)
  HERE (omp_get_thread_num (), 0, 16);
  NUMBER (calls (), 1);

  /* More threads than places: two on each, and four remain.  */
#pragma omp parallel num_threads(36)
  {
    int i = omp_get_thread_num ();
    HERE (i < 32 ? i / 2 : i - 32, 0, 16);
  }
#pragma omp parallel num_threads(36) proc_bind(spread)
  {
    int i = omp_get_thread_num (), place = i < 32 ? i / 2 : i - 32;
    HERE (place, place, 1);
  }

  /* A team of one changes nothing.  */
  calls ();
#pragma omp parallel num_threads(1) proc_bind(spread)
  {
    HERE (0, 0, 16);
    NUMBER (omp_get_proc_bind (), omp_proc_bind_spread);
  }
  NUMBER (calls (), 0);

  /* New helpers.  */
  NUMBER (omp_pause_resource_all (omp_pause_soft), 0);
#pragma omp parallel num_threads(3) proc_bind(close)
  HERE (omp_get_thread_num (), 0, 16);
  NUMBER (calls (), 2);
}

/* OMP_PLACES=threads, OMP_MAX_ACTIVE_LEVELS=3  */
static void
nested (void)
{
  for (int round = 0; round < 3; round++)
    {
#pragma omp parallel num_threads(4) proc_bind(spread)
      {
	int a = omp_get_thread_num ();
	HERE (4 * a, 4 * a, 4);
#pragma omp parallel num_threads(3) proc_bind(close)
	{
	  int b = omp_get_thread_num ();
	  HERE (4 * a + b, 4 * a, 4);
	  /* The runs are {0,1} and {2,3}; whoever is in the second begins there.  */
#pragma omp parallel num_threads(2) proc_bind(spread)
	  {
	    int c = omp_get_thread_num (), run = (b / 2 + c) % 2;
	    HERE (c == 0 ? 4 * a + b : 4 * a + 2 * run, 4 * a + 2 * run, 2);
	  }
	  HERE (4 * a + b, 4 * a, 4);
	}
	/* Wraps around in the partition.  */
#pragma omp parallel num_threads(2) proc_bind(spread)
	{
	  int b = omp_get_thread_num ();
	  HERE (4 * a + 2 * b, 4 * a + 2 * b, 2);
#pragma omp parallel num_threads(5) proc_bind(close)
	  {
	    /* Two on each of two places, the fifth on the first.  */
	    int c = omp_get_thread_num (), step = c < 4 ? c / 2 : 0;
	    HERE (4 * a + 2 * b + step, 4 * a + 2 * b, 2);
	  }
	}
	HERE (4 * a, 4 * a, 4);
      }
#pragma omp parallel num_threads(4) proc_bind(close)
      {
	int a = omp_get_thread_num ();
#pragma omp parallel num_threads(16) proc_bind(close)
	HERE ((a + omp_get_thread_num ()) % 16, 0, 16);
#pragma omp parallel num_threads(3) proc_bind(master)
	HERE (a, 0, 16);
      }
      HERE (0, 0, 16);
    }
  /* All of it again, with nothing new in it: one thread of two has one new place.  */
  for (int round = 0; round < 5; round++)
    {
#pragma omp parallel num_threads(2) proc_bind(spread)
      {
#pragma omp parallel num_threads(2) proc_bind(close)
	HERE (8 * omp_get_ancestor_thread_num (1) + omp_get_thread_num (),
	      8 * omp_get_ancestor_thread_num (1), 8);
      }
      if (round == 0)
	calls ();
    }
  NUMBER (calls (), 0);
}

/* OMP_PROC_BIND=spread,close,primary  */
static void
list (void)
{
  NUMBER (omp_get_proc_bind (), omp_proc_bind_spread);
#pragma omp parallel num_threads(2)
  {
    int a = omp_get_thread_num ();
    HERE (8 * a, 8 * a, 8);
    NUMBER (omp_get_proc_bind (), omp_proc_bind_close);
#pragma omp parallel num_threads(2)
    {
      int b = omp_get_thread_num ();
      HERE (8 * a + b, 8 * a, 8);
      NUMBER (omp_get_proc_bind (), omp_proc_bind_master);
#pragma omp parallel num_threads(2)
      {
	HERE (8 * a + b, 8 * a, 8);
	NUMBER (omp_get_proc_bind (), omp_proc_bind_master);
      }
    }
    /* The clause counts for the team, the list for what omp_get_proc_bind tells.  */
#pragma omp parallel num_threads(2) proc_bind(spread)
    {
      int b = omp_get_thread_num ();
      HERE (8 * a + 4 * b, 8 * a + 4 * b, 4);
      NUMBER (omp_get_proc_bind (), omp_proc_bind_master);
    }
  }
}

/* OMP_PROC_BIND=false, with places  */
static void
off (void)
{
#pragma omp parallel num_threads(3) proc_bind(spread)
  {
    NUMBER (omp_get_proc_bind (), omp_proc_bind_false);
    NUMBER (omp_get_place_num (), -1);
    NUMBER (omp_get_partition_num_places (), 0);
    /* A waiting thread may go to another processor, but not stay away from any.  */
    NUMBER (fake_count == 0 || fake_count == 16, 1);
  }
  NUMBER (omp_get_num_places (), 0);
}

/* GOMP_CPU_AFFINITY=5 3-1 ...: the order counts  */
static void
order (void)
{
  static const int cpus[] = { 5, 3, 9, 11 };
#pragma omp parallel num_threads(4)
  {
    HERE (omp_get_thread_num (), 0, 4);
    NUMBER (fake_first, cpus[omp_get_thread_num ()]);
  }
}

static void *
starts_regions (void *arg)
{
  (void) arg;
  NUMBER (omp_get_partition_num_places (), 16);
#pragma omp parallel num_threads(1)
  HERE (0, 0, 16);
#pragma omp parallel num_threads(4) proc_bind(spread)
  HERE (4 * omp_get_thread_num (), 4 * omp_get_thread_num (), 4);
  HERE (0, 0, 16);
  return NULL;
}

static void *
asks (void *arg)
{
  (void) arg;
  NUMBER (fake_first, -1);
  NUMBER (omp_get_num_threads (), 1);
  NUMBER (omp_get_proc_bind (), omp_proc_bind_true);
  NUMBER (fake_first, -1);
  HERE (0, 0, 16);
  return NULL;
}

static void *
only_counts (void *arg)
{
  (void) arg;
  NUMBER (omp_get_num_places (), 16);
  NUMBER (omp_get_max_threads (), 16);
  NUMBER (fake_first, -1);
  return NULL;
}

static void
foreign (void)
{
  void *(*const functions[]) (void *) = { starts_regions, asks, only_counts, starts_regions };
#pragma omp parallel num_threads(3)
  HERE (omp_get_thread_num (), 0, 16);
  for (int i = 0; i < 4; i++)
    {
      pthread_t thread;
      if (pthread_create (&thread, NULL, functions[i], NULL) != 0)
	abort ();
      pthread_join (thread, NULL);
    }
#pragma omp parallel num_threads(3)
  HERE (omp_get_thread_num (), 0, 16);
}

/* CPU 2 cannot be used any more.  */
static void
offline (void)
{
  for (int i = 0; i < 3; i++)
    {
#pragma omp parallel num_threads(4)
      {
	int num = omp_get_thread_num ();
	NUMBER (omp_get_place_num (), num);
	NUMBER (fake_first, num == 2 ? -1 : num);
      }
    }
  NUMBER (calls (), 4);
}

static const struct { const char *name; void (*fn) (void); const char *settings; } parts[] = {
  { "policies", policies, "OMP_PLACES=threads" },
  { "nested", nested, "OMP_PLACES=threads|OMP_MAX_ACTIVE_LEVELS=3" },
  { "list", list, "OMP_PROC_BIND=spread,close,primary" },
  { "list", list, "OMP_PROC_BIND_ALL=spread,close,primary|OMP_PLACES={0}:16" },
  { "off", off, "OMP_PROC_BIND=false|OMP_PLACES=threads|GOMP_CPU_AFFINITY=1" },
  { "off", off, "" },
  { "order", order, "GOMP_CPU_AFFINITY=5 3,9-11:2" },
  { "foreign", foreign, "OMP_PLACES=threads" },
  { "offline", offline, "OMP_PLACES=threads|FAKE_OFFLINE=2" },
};

int
main (int argc, char **argv)
{
  for (unsigned i = 0; i < sizeof parts / sizeof *parts && argc > 1; i++)
    if (strcmp (parts[i].name, argv[1]) == 0)
      {
	parts[i].fn ();
	return failures != 0;
      }
  for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
    {
      char settings[200];
      const char *wanted = parts[i].fn == offline
	? "\nlibgomp: A thread could not be bound to place 2: Invalid argument\n" : "";
      snprintf (settings, sizeof settings, "FAKE_CPUS=16%s%s", *parts[i].settings ? "|" : "",
		parts[i].settings);
      if (run_self (settings, parts[i].name) != 0 || strcmp (run_output, wanted) != 0)
	run_complain (settings, parts[i].name, "");
    }
  return run_failures != 0;
}
