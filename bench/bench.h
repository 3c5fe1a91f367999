/* bench.h -- measuring how long a construct takes.

   A program is a table of rows and a main that calls bench_main.  A row has a function that
   does its construct COUNT times.  The count is raised until one run is long enough for the
   clock; then several runs are timed, and one line is printed:
     NAME <tab> nanoseconds of one construct, median <tab> minimum
   A row that this machine or runtime cannot run prints no line.

   Arguments of a program:
     -l        list the names of the rows and measure nothing
     -t        the processor time of the thread instead of the time: for rows with one thread and no device
               that works by itself, on a machine that has other things to do
     -q        quick: do everything once or twice, to see whether it works; the times mean nothing
     -x NAME   the row of exactly that name
     -c COUNT  once, with COUNT constructs, for counting instructions (those of twice as many less
               those of one run, so that the start does not count); rows with a sample of their own
               take COUNT samples
     NAME...   rows whose names begin so; without any, all

   No OpenMP routine is called before a row is chosen, so that a process started for one row
   (run-host.sh does that) is not influenced by others.  Rows check their results where that costs
   no time: a runtime that does not do the work is not fast.  */

#ifndef BENCH_H
#define BENCH_H 1

#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BENCH_RUNS 9
#define BENCH_SECONDS 0.004	/* of one run, at least */

struct bench_row
{
  const char *name;
  void (*run) (long count);	/* does the construct COUNT times ... */
  double (*sample) (void);	/* ... or, if set: measures it once, seconds */
  int threads;			/* 0: what OMP_NUM_THREADS says */
  long parts;			/* things in one construct, iterations of a loop, say; 0: one */
  int (*before) (void);		/* once, not timed; false: cannot be measured here */
  int one_cpu;			/* in a process that may use one processor only */
  int cancellation;		/* in a process with OMP_CANCELLATION=true */
};

/* Does everything once: rows with long loops of their own make them shorter.  */
static int bench_quick __attribute__ ((unused));
static long bench_count __attribute__ ((unused));
static clockid_t bench_clock __attribute__ ((unused)) = CLOCK_MONOTONIC;

/* The compiler may not see through this, nor drop or merge what comes before it.  */
#define BENCH_KEEP(x) __asm__ volatile ("" : : "g" (x) : "memory")

/* A result that cannot be.  */
static inline void
bench_check (int right, const char *what)
{
  if (right)
    return;
  fprintf (stderr, "wrong result: %s\n", what);
  exit (1);
}

/* Threads of the rows with more threads than processors: 8 on 2.  */
static inline int
bench_too_many (void)
{
  return 4 * (int) sysconf (_SC_NPROCESSORS_ONLN);
}
#define BENCH_TOO_MANY -1

static inline double
bench_now (void)
{
  struct timespec now;
  clock_gettime (bench_clock, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

static inline double
bench_run (const struct bench_row *row, long count)
{
  if (row->sample)
    return row->sample ();
  double begin = bench_now ();
  row->run (count);
  return (bench_now () - begin) / count;
}

static int
bench_compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

static inline void
bench_measure (const struct bench_row *row)
{
  double sample[BENCH_RUNS], unit = 1e9 / (row->parts ? row->parts : 1);
  long count = bench_quick ? 2 : 1;
  int runs = bench_quick ? 1 : BENCH_RUNS;

  if (row->threads != 0)
    omp_set_num_threads (row->threads > 0 ? row->threads : bench_too_many ());
  if (row->before && !row->before ())
    return;
  if (bench_count != 0)
    {
      for (long k = 0; row->sample && k < bench_count; k++)
	row->sample ();
      if (!row->sample)
	row->run (bench_count);
      printf ("%s\t%ld\n", row->name, bench_count);
      return;
    }
  /* A first time may link, map or start threads: not what the others are counted by.  */
  if (!bench_quick && !row->sample)
    bench_run (row, 1);
  while (!bench_quick)
    {
      double seconds = bench_run (row, count) * count;
      if (row->sample || seconds >= BENCH_SECONDS)
	break;
      count = seconds < BENCH_SECONDS / 8 ? 8 * count : 2 * count;
    }
  for (int k = 0; k < runs; k++)
    sample[k] = bench_run (row, count) * unit;
  qsort (sample, runs, sizeof sample[0], bench_compare);
  printf ("%s\t%.4f\t%.4f\n", row->name, sample[runs / 2], sample[0]);
  fflush (stdout);
}

/* In a new process, with what ROW needs that cannot be set in this one.  */
static inline void
bench_measure_elsewhere (const struct bench_row *row)
{
  pid_t child = fork ();
  if (child == 0)
    {
      char count[32] = "-c0";
      if (bench_count != 0)
	snprintf (count, sizeof count, "-c%ld", bench_count);
      cpu_set_t cpus;
      CPU_ZERO (&cpus);
      CPU_SET (sched_getcpu (), &cpus);
      if ((!row->one_cpu || sched_setaffinity (0, sizeof cpus, &cpus) == 0)
	  && (!row->cancellation || setenv ("OMP_CANCELLATION", "true", 1) == 0)
	  && setenv ("BENCH_ELSEWHERE", "1", 1) == 0)
	execl ("/proc/self/exe", "bench", count, bench_clock == CLOCK_MONOTONIC ? "-x" : "-tx",
	       row->name, bench_quick ? "-q" : (char *) NULL, (char *) NULL);
      _exit (1);
    }
  int status = 1;
  if (child < 0 || waitpid (child, &status, 0) != child || status != 0)
    exit (1);
}

static inline int
bench_main (int argc, char **argv, const struct bench_row *rows, int nrows)
{
  const char *exact = NULL;
  int list = 0, option;

  while ((option = getopt (argc, argv, "lqtx:c:")) != -1)
    switch (option)
      {
      case 'l': list = 1; break;
      case 'q': bench_quick = 1; break;
      case 't': bench_clock = CLOCK_THREAD_CPUTIME_ID; break;
      case 'x': exact = optarg; break;
      case 'c': bench_count = atol (optarg); break;
      default: return 2;
      }
  for (int i = 0; i < nrows; i++)
    {
      const struct bench_row *row = &rows[i];
      int wanted = exact ? strcmp (row->name, exact) == 0 : optind == argc;
      for (int k = optind; k < argc; k++)
	wanted |= strncmp (row->name, argv[k], strlen (argv[k])) == 0;
      if (!wanted)
	continue;
      if (list)
	puts (row->name);
      else if ((row->one_cpu || row->cancellation) && !getenv ("BENCH_ELSEWHERE"))
	bench_measure_elsewhere (row);
      else
	bench_measure (row);
    }
  return 0;
}

#define BENCH_MAIN(rows)						\
  int									\
  main (int argc, char **argv)						\
  {									\
    return bench_main (argc, argv, rows, sizeof (rows) / sizeof (rows)[0]); \
  }

#endif /* BENCH_H */
