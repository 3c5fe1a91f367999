/* device.c -- what constructs cost on a device: one team, inside a kernel, by omp_get_wtime there.

   The rows of a table in doc/performance.md.  A line of output is the row, its number of threads, and
   microseconds for one execution of the construct (for one iteration, in loops).  The device library
   is chosen outside: GOMP_NVPTX_DEVICE_LIBRARY=image is the one of the compiler.

     gcc -O2 -fopenmp device.c -o device && ./device [ROW ...]

   Threads are as many as the row says, or as the kernel's registers allow.  */

#include <omp.h>
#include <stdio.h>
#include <string.h>

#pragma omp declare target
extern void GOMP_atomic_start (void);
extern void GOMP_atomic_end (void);
static omp_lock_t lock;

/* Calls of the OpenMP API are not allowed in a teams region.  */
static double __attribute__ ((noinline))
now (void)
{
  return omp_get_wtime ();
}

#ifndef NO_TASKS
static void __attribute__ ((noinline))
make_a_task (void)
{
  #pragma omp task
  omp_unset_lock (&lock);
}
#endif
#pragma omp end declare target

#define PRAGMA(text) _Pragma (#text)
#define USE(value) __asm__ volatile ("" : : "r" (value) : "memory")

/* BODY is executed REPS times by each thread of a region; BEFORE and AFTER it once.  */
#define INSIDE(name, limit, threads, body)						\
  static double									\
  name (long reps, int *got)							\
  {										\
    double time = 0;								\
    int n = 0;									\
    PRAGMA (omp target teams num_teams (1) thread_limit (limit) map (tofrom: time, n))	\
    PRAGMA (omp parallel num_threads (threads) shared (time, n))		\
    {										\
      double begin = 0;								\
      PRAGMA (omp barrier)							\
      if (omp_get_thread_num () == 0)						\
	{									\
	  n = omp_get_num_threads ();						\
	  begin = now ();						\
	}									\
      body									\
      PRAGMA (omp barrier)							\
      if (omp_get_thread_num () == 0)						\
	time = now () - begin;					\
    }										\
    *got = n;									\
    return time;								\
  }

/* The same in the initial thread.  */
#define OUTSIDE(name, limit, body)						\
  static double									\
  name (long reps, int *got)							\
  {										\
    double time = 0;								\
    int n = 0;									\
    PRAGMA (omp target teams num_teams (1) thread_limit (limit) map (tofrom: time, n))	\
    {										\
      PRAGMA (omp parallel)							\
      if (omp_get_thread_num () == 0)						\
	n = omp_get_num_threads ();						\
      double begin = now ();						\
      body									\
      time = now () - begin;						\
    }										\
    *got = n;									\
    return time;								\
  }

#define REPEAT(body) for (long r = 0; r < reps; r++) { body }
#define FOR(clauses, body) PRAGMA (omp for clauses) for (long r = 0; r < reps; r++) { body }

#define BARRIER REPEAT (PRAGMA (omp barrier))
INSIDE (barrier_8, 8, 8, BARRIER)
INSIDE (barrier_32, 32, 32, BARRIER)

#define FORK REPEAT (PRAGMA (omp parallel) USE (r);)
OUTSIDE (fork_8, 8, FORK)
OUTSIDE (fork_32, 32, FORK)
OUTSIDE (fork_4_of_8, 8, REPEAT (PRAGMA (omp parallel num_threads (4)) USE (r);))
OUTSIDE (serial, 8, REPEAT (PRAGMA (omp parallel num_threads (1)) USE (r);))
INSIDE (nested, 8, 8, REPEAT (PRAGMA (omp parallel) USE (r);))

#define DYNAMIC FOR (schedule (dynamic, 1), USE (r);)
INSIDE (dynamic_8, 8, 8, DYNAMIC)
INSIDE (dynamic_32, 32, 32, DYNAMIC)
INSIDE (dynamic_alone, 8, 1, DYNAMIC)
INSIDE (guided_8, 8, 8, FOR (schedule (guided, 1), USE (r);))
INSIDE (monotonic_8, 8, 8, FOR (schedule (monotonic: dynamic, 1), USE (r);))
INSIDE (loop_8, 8, 8, REPEAT (PRAGMA (omp for schedule (dynamic)) for (int i = 0; i < 8; i++) USE (i);))
INSIDE (loop_static_8, 8, 8, REPEAT (PRAGMA (omp for) for (int i = 0; i < 8; i++) USE (i);))
INSIDE (ordered_8, 8, 8, FOR (ordered schedule (static, 1), PRAGMA (omp ordered) USE (r);))
INSIDE (doacross_8, 8, 8,
	FOR (ordered (1) schedule (static, 1),
	     PRAGMA (omp ordered depend (sink: r - 1)) USE (r);
	     PRAGMA (omp ordered depend (source))))

#define SECTIONS								\
  REPEAT (PRAGMA (omp sections)							\
	  {									\
	    PRAGMA (omp section)						\
	    USE (1);								\
	    PRAGMA (omp section)						\
	    USE (2);								\
	  })
INSIDE (sections_8, 8, 8, SECTIONS)
INSIDE (single_8, 8, 8, REPEAT (PRAGMA (omp single) USE (r);))
INSIDE (single_nowait_8, 8, 8, REPEAT (PRAGMA (omp single nowait) USE (r);))
INSIDE (copyprivate_8, 8, 8, long v; REPEAT (PRAGMA (omp single copyprivate (v)) v = r; USE (v);))

INSIDE (critical_1, 8, 1, REPEAT (PRAGMA (omp critical) USE (r);))
INSIDE (critical_8, 8, 8, REPEAT (PRAGMA (omp critical) USE (r);))
INSIDE (critical_32, 32, 32, REPEAT (PRAGMA (omp critical) USE (r);))
INSIDE (named_1, 8, 1, REPEAT (PRAGMA (omp critical (name)) USE (r);))
INSIDE (atomic_lock_1, 8, 1, REPEAT (GOMP_atomic_start (); USE (r); GOMP_atomic_end ();))
INSIDE (atomic_lock_8, 8, 8, REPEAT (GOMP_atomic_start (); USE (r); GOMP_atomic_end ();))
INSIDE (lock_1, 8, 1, omp_init_lock (&lock); REPEAT (omp_set_lock (&lock); USE (r); omp_unset_lock (&lock);))
INSIDE (query, 8, 8, REPEAT (int v = omp_get_level (); USE (v);))
INSIDE (thread_num, 8, 8, REPEAT (int v = omp_get_thread_num (); USE (v);))
OUTSIDE (reduction_8, 8,
	REPEAT (long sum = 0;
		PRAGMA (omp parallel for reduction (+: sum))
		for (int i = 0; i < 8; i++)
		  sum += i;
		USE (sum);))

#ifndef NO_TASKS
/* The same in regions that could make a task, and do not.  */
#define MAY_MAKE_A_TASK if (reps < 0) make_a_task ();
INSIDE (barrier_8_may_task, 8, 8, MAY_MAKE_A_TASK BARRIER)
INSIDE (barrier_32_may_task, 32, 32, MAY_MAKE_A_TASK BARRIER)
OUTSIDE (fork_8_may_task, 8, MAY_MAKE_A_TASK FORK)
OUTSIDE (fork_32_may_task, 32, MAY_MAKE_A_TASK FORK)
INSIDE (loop_static_8_may_task, 8, 8,
	MAY_MAKE_A_TASK REPEAT (PRAGMA (omp for) for (int i = 0; i < 8; i++) USE (i);))

/* Tasks are made by one thread and run by all; or made and run by each.  */
INSIDE (task_8, 8, 8, PRAGMA (omp single nowait) REPEAT (PRAGMA (omp task) USE (r);))
INSIDE (task_each_8, 8, 8, REPEAT (PRAGMA (omp task) USE (r);
				   PRAGMA (omp taskwait)))
INSIDE (task_1, 8, 1, REPEAT (PRAGMA (omp task) USE (r);
			      PRAGMA (omp taskwait)))
#endif

static const struct row
{
  const char *name;
  double (*run) (long, int *);
} rows[] =
  {
#define ROW(name) { #name, name }
    ROW (barrier_8), ROW (barrier_32), ROW (fork_8), ROW (fork_32), ROW (fork_4_of_8), ROW (serial),
    ROW (nested), ROW (dynamic_8), ROW (dynamic_32), ROW (dynamic_alone), ROW (guided_8),
    ROW (monotonic_8), ROW (loop_8), ROW (loop_static_8), ROW (ordered_8), ROW (doacross_8),
    ROW (sections_8), ROW (single_8), ROW (single_nowait_8), ROW (copyprivate_8), ROW (critical_1),
    ROW (critical_8), ROW (critical_32), ROW (named_1), ROW (atomic_lock_1), ROW (atomic_lock_8),
    ROW (lock_1), ROW (query), ROW (thread_num), ROW (reduction_8),
#ifndef NO_TASKS
    ROW (barrier_8_may_task), ROW (barrier_32_may_task), ROW (fork_8_may_task), ROW (fork_32_may_task),
    ROW (loop_static_8_may_task),
    ROW (task_8), ROW (task_each_8), ROW (task_1),
#endif
  };

int
main (int argc, char **argv)
{
  for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
    {
      const struct row *row = &rows[i];
      int wanted = argc < 2, n = 0;
      for (int k = 1; k < argc; k++)
	wanted |= strcmp (argv[k], row->name) == 0;
      if (!wanted)
	continue;

      /* As many as take 2 ms at least, then the best of five.  */
      long reps = 64;
      double time = row->run (reps, &n);
      while (time < 2e-3 && reps < 1l << 24)
	time = row->run (reps *= time < 2e-4 ? 8 : 2, &n);
      for (int k = 0; k < 4; k++)
	{
	  double again = row->run (reps, &n);
	  if (again < time)
	    time = again;
	}
      printf ("%-22s %2d %9.4f\n", row->name, n, time / (double) reps * 1e6);
      fflush (stdout);
    }
  return 0;
}
