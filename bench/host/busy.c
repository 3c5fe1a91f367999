/* busy.c -- teams of a thread for each processor, while other processes compute.

   Prints what one construct takes: the mean over a fixed time, since constructs take time slices or next
   to nothing, and a median would show only one of the two.  Then its processor time, how many were
   done, and the voluntary and involuntary context switches meanwhile.

   Arguments: -l, -q, -x NAME and NAME... as in bench.h.  Environment:
     BUSY_COUNT=2     competing processes for each processor
     BUSY_NICE=0      by which this process, not those, is nicer
     BUSY_SESSIONS=0  1: they are in sessions of their own, each a group of its own for a scheduler
		      that has autogroups
     BUSY_MS=400      the time  */

#include "../bench.h"
#include "plain.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>

static long counter;
static omp_lock_t lock;

static void
single (long count)
{
#pragma omp parallel
  for (long k = 0; k < count; k++)
    {
#pragma omp single
      BENCH_KEEP (k);
    }
}

static void
dynamic (long count)
{
#pragma omp parallel
  for (long k = 0; k < count; k++)
    {
#pragma omp for schedule (dynamic)
      for (int i = 0; i < 100; i++)
	BENCH_KEEP (i);
    }
}

static void
locked (long count)
{
  counter = 0;
  omp_init_lock (&lock);
#pragma omp parallel
  for (long k = 0; k < count; k++)
    {
      omp_set_lock (&lock);
      counter++;
      omp_unset_lock (&lock);
    }
  omp_destroy_lock (&lock);
  bench_check (counter == count * omp_get_max_threads (), "updates were lost");
}

static void
tasks (long count)
{
  counter = 0;
#pragma omp parallel
#pragma omp single
  for (long k = 0; k < count; k++)
    {
      for (int i = 0; i < 20; i++)
	{
#pragma omp task
	  {
#pragma omp atomic
	    counter++;
	  }
	}
#pragma omp taskwait
    }
  bench_check (counter == 20 * count, "tasks were lost");
}

static volatile double unit;

static void
work (void)
{
  double x = 0;
  for (int i = 0; i < 20000; i++)
    x += i * 1e-3;
  unit = x;
}

static void
worked_region (long count)
{
  for (long k = 0; k < count; k++)
    {
#pragma omp parallel
      work ();
    }
}

static const struct { const char *name; void (*run) (long); long chunk; } rows[] =
{
  { "busy/region", region, 20 },
  { "busy/barrier", barrier, 100 },
  { "busy/single", single, 100 },
  { "busy/loop-dynamic", dynamic, 20 },
  { "busy/lock", locked, 500 },
  { "busy/tasks", tasks, 20 },
  { "busy/region-20us", worked_region, 20 },
};
#define ROWS (sizeof (rows) / sizeof (rows)[0])

static pid_t competitors[1024];
static int ncompetitors;

static void
start_competitors (int count, int sessions)
{
  for (int i = 0; i < count && i < 1024; i++)
    {
      pid_t parent = getpid (), child = fork ();
      if (child == 0)
	{
	  prctl (PR_SET_PDEATHSIG, SIGKILL);
	  if (sessions)
	    setsid ();
	  alarm (100);
	  for (volatile long turn = 0; getppid () == parent || turn < 1; turn = 0)
	    for (; turn < 100000000; turn++)
	      ;
	  _exit (0);
	}
      if (child > 0)
	competitors[ncompetitors++] = child;
    }
  usleep (50000);
}

static void
end_competitors (void)
{
  for (int i = 0; i < ncompetitors; i++)
    {
      kill (competitors[i], SIGKILL);
      waitpid (competitors[i], NULL, 0);
    }
}

static double
processor_time (const struct rusage *r)
{
  return r->ru_utime.tv_sec + r->ru_stime.tv_sec + (r->ru_utime.tv_usec + r->ru_stime.tv_usec) * 1e-6;
}

static void
measure (unsigned row, double seconds)
{
  struct rusage before, after;
  rows[row].run (1);
  getrusage (RUSAGE_SELF, &before);
  double start = bench_now (), now;
  long done = 0;
  do
    {
      rows[row].run (rows[row].chunk);
      done += rows[row].chunk;
      now = bench_now ();
    }
  while (now - start < seconds);
  getrusage (RUSAGE_SELF, &after);
  printf ("%s\t%.1f\t%.1f\t%ld\t%ld\t%ld\n", rows[row].name, (now - start) * 1e9 / done,
	  (processor_time (&after) - processor_time (&before)) * 1e9 / done, done,
	  after.ru_nvcsw - before.ru_nvcsw, after.ru_nivcsw - before.ru_nivcsw);
  fflush (stdout);
}

static int
setting (const char *name, int value)
{
  const char *text = getenv (name);
  return text != NULL ? atoi (text) : value;
}

int
main (int argc, char **argv)
{
  const char *exact = NULL;
  int busy = setting ("BUSY_COUNT", 2), nicer = setting ("BUSY_NICE", 0), list = 0, option;
  double seconds = setting ("BUSY_MS", 400) * 1e-3;

  while ((option = getopt (argc, argv, "lqx:")) != -1)
    switch (option)
      {
      case 'l': list = 1; break;
      case 'q': seconds = 0.001; busy = 1; break;
      case 'x': exact = optarg; break;
      default: return 2;
      }
  if (list)
    {
      for (unsigned i = 0; i < ROWS; i++)
	puts (rows[i].name);
      return 0;
    }
  start_competitors (busy * (int) sysconf (_SC_NPROCESSORS_ONLN), setting ("BUSY_SESSIONS", 0));
  if (nicer != 0 && nice (nicer) == -1)
    perror ("nice");
  for (unsigned i = 0; i < ROWS; i++)
    {
      int wanted = exact ? strcmp (rows[i].name, exact) == 0 : optind == argc;
      for (int k = optind; k < argc; k++)
	wanted |= strncmp (rows[i].name, argv[k], strlen (argv[k])) == 0;
      if (wanted)
	measure (i, seconds);
    }
  end_competitors ();
  return 0;
}
