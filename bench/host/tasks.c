/* tasks.c -- explicit tasks: what one of them costs, beside work that is next to nothing.

   With two threads one thread creates ("create-2") or both do ("both-2").  Dependences: a chain
   (each task waits for the one before), a fan (one task, then many that wait for it, then one
   that waits for these), a wave front, and tasks that have dependences but nothing to wait for.  */

#include "../bench.h"

#define FAN 16
#define WAVE 16			/* tasks in a row and in a column */
#define LOOP 1024		/* iterations of a taskloop */

static long done[64][16];	/* one line a thread */

static inline void
count_one (void)
{
  done[omp_get_thread_num () % 64][0]++;
}

/* All tasks were executed, once.  */
static void
check_done (long wanted)
{
  long sum = 0;
  for (int i = 0; i < 64; i++)
    {
      sum += done[i][0];
      done[i][0] = 0;
    }
  bench_check (sum == wanted, "number of executed tasks");
}

static void
create (long count)
{
#pragma omp parallel
#pragma omp single
  for (long k = 0; k < count; k++)
    {
#pragma omp task
      count_one ();
    }
  check_done (count);
}

static void
create_both (long count)
{
#pragma omp parallel
  for (long k = 0; k < count; k++)
    {
#pragma omp task
      count_one ();
    }
  check_done (count * omp_get_max_threads ());
}

static void
create_wait (long count)
{
#pragma omp parallel
#pragma omp single
  for (long k = 0; k < count; k++)
    {
#pragma omp task
      count_one ();
#pragma omp taskwait
    }
  check_done (count);
}

static void
create_256 (long count)
{
  char block[256] = { 0 };
#pragma omp parallel
#pragma omp single
  for (long k = 0; k < count; k++)
    {
#pragma omp task firstprivate (block)
      {
	BENCH_KEEP (&block[0]);
	count_one ();
      }
    }
  check_done (count);
}

static void
untied (long count)
{
#pragma omp parallel
#pragma omp single
  for (long k = 0; k < count; k++)
    {
#pragma omp task untied
      count_one ();
    }
  check_done (count);
}

static void
undeferred (long count)
{
#pragma omp parallel
#pragma omp single
  for (long k = 0; k < count; k++)
    {
#pragma omp task if (0)
      count_one ();
    }
  check_done (count);
}

static void
final (long count)
{
#pragma omp parallel
#pragma omp single
  for (long k = 0; k < count; k++)
    {
#pragma omp task final (1)
      count_one ();
    }
  check_done (count);
}

/* A wait and a yield with no task to wait for.  */
static void
wait_alone (long count)
{
#pragma omp parallel
#pragma omp single
  for (long k = 0; k < count; k++)
    {
#pragma omp taskwait
    }
}

static void
yield (long count)
{
#pragma omp parallel
#pragma omp single
  for (long k = 0; k < count; k++)
    {
#pragma omp taskyield
    }
}

static void
group (long count)
{
#pragma omp parallel
#pragma omp single
  for (long k = 0; k < count; k++)
    {
#pragma omp taskgroup
      {
#pragma omp task
	count_one ();
      }
    }
  check_done (count);
}

static void
group_reduction (long count)
{
  long sum = 0;
#pragma omp parallel
#pragma omp single
  for (long k = 0; k < count; k++)
    {
#pragma omp taskgroup task_reduction (+: sum)
      {
#pragma omp task in_reduction (+: sum)
	sum++;
      }
    }
  bench_check (sum == count, "task reduction");
}

static void
taskloop (long count)
{
#pragma omp parallel
#pragma omp single
  for (long k = 0; k < count; k++)
    {
#pragma omp taskloop grainsize (16)
      for (int i = 0; i < LOOP; i++)
	count_one ();
    }
  check_done (count * LOOP);
}

static void
taskloop_default (long count)
{
#pragma omp parallel
#pragma omp single
  for (long k = 0; k < count; k++)
    {
#pragma omp taskloop
      for (int i = 0; i < LOOP; i++)
	count_one ();
    }
  check_done (count * LOOP);
}

/* ---- Dependences ---- */

static void
chain (long count)
{
  long value = 0;
#pragma omp parallel
#pragma omp single
  for (long k = 0; k < count; k++)
    {
#pragma omp task depend (inout: value)
      value++;
    }
  bench_check (value == count, "chain of dependences");
}

static void
fan (long count)
{
  long value = 0, seen[FAN] = { 0 };
#pragma omp parallel
#pragma omp single
  for (long k = 0; k < count; k++)
    {
#pragma omp task depend (out: value)
      value++;
      for (int i = 0; i < FAN; i++)
	{
#pragma omp task depend (in: value)
	  seen[i] += value;
	}
    }
  for (int i = 0; i < FAN; i++)
    bench_check (seen[i] == count * (count + 1) / 2, "fan of dependences");
}

static void
wave (long count)
{
  static long cell[WAVE + 1][WAVE + 1];
  memset (cell, 0, sizeof cell);
#pragma omp parallel
#pragma omp single
  for (long k = 0; k < count; k++)
    for (int i = 1; i <= WAVE; i++)
      for (int j = 1; j <= WAVE; j++)
	{
#pragma omp task depend (in: cell[i - 1][j], cell[i][j - 1]) depend (inout: cell[i][j])
	  cell[i][j]++;
	}
  bench_check (cell[WAVE][WAVE] == count, "wave front");
}

static void
independent (long count)
{
  static long cell[64];
  memset (cell, 0, sizeof cell);
#pragma omp parallel
#pragma omp single
  for (long k = 0; k < count; k++)
    for (int i = 0; i < 64; i++)
      {
#pragma omp task depend (inout: cell[i])
	cell[i]++;
      }
  bench_check (cell[63] == count, "independent dependences");
}

/* ---- Recursion ---- */

static int
serial_fib (int n)
{
  return n < 2 ? n : serial_fib (n - 1) + serial_fib (n - 2);
}

static int
task_fib (int n, int cut)
{
  if (n < cut || n < 2)
    return serial_fib (n);
  int a, b;
#pragma omp task shared (a)
  a = task_fib (n - 1, cut);
#pragma omp task shared (b)
  b = task_fib (n - 2, cut);
#pragma omp taskwait
  return a + b;
}

static void
run_fib (long count, int n, int cut, int wanted)
{
#pragma omp parallel
#pragma omp single
  for (long k = 0; k < count; k++)
    bench_check (task_fib (n, cut) == wanted, "fib");
}

static void
fib (long count)
{
  run_fib (count, 27, 18, 196418);
}

/* A task for every call.  */
static void
fib_fine (long count)
{
  run_fib (count, 16, 0, 987);
}
#define FIB_FINE 3192		/* tasks of that */

static const struct bench_row rows[] =
{
  { "task/create-1", create, .threads = 1 },
  { "task/create-2", create, .threads = 2 },
  { "task/both-2", create_both, .threads = 2 },
  { "task/create-wait-1", create_wait, .threads = 1 },
  { "task/create-wait-2", create_wait, .threads = 2 },
  { "task/256-bytes-2", create_256, .threads = 2 },
  { "task/untied-2", untied, .threads = 2 },
  { "task/if-false-1", undeferred, .threads = 1 },
  { "task/if-false-2", undeferred, .threads = 2 },
  { "task/final-2", final, .threads = 2 },
  { "taskwait/1", wait_alone, .threads = 1 },
  { "taskwait/2", wait_alone, .threads = 2 },
  { "taskyield/2", yield, .threads = 2 },
  { "taskgroup/1", group, .threads = 1 },
  { "taskgroup/2", group, .threads = 2 },
  { "taskgroup/reduction-2", group_reduction, .threads = 2 },
  { "taskloop/16-1", taskloop, .threads = 1, .parts = LOOP / 16 },
  { "taskloop/16-2", taskloop, .threads = 2, .parts = LOOP / 16 },
  { "taskloop/default-2", taskloop_default, .threads = 2 },
  { "depend/chain-1", chain, .threads = 1 },
  { "depend/chain-2", chain, .threads = 2 },
  { "depend/fan-1", fan, .threads = 1, .parts = FAN + 1 },
  { "depend/fan-2", fan, .threads = 2, .parts = FAN + 1 },
  { "depend/wave-2", wave, .threads = 2, .parts = WAVE * WAVE },
  { "depend/independent-1", independent, .threads = 1, .parts = 64 },
  { "depend/independent-2", independent, .threads = 2, .parts = 64 },
  { "fib/27-1", fib, .threads = 1 },
  { "fib/27-2", fib, .threads = 2 },
  { "fib/every-call-1", fib_fine, .threads = 1, .parts = FIB_FINE },
  { "fib/every-call-2", fib_fine, .threads = 2, .parts = FIB_FINE },
  { "fib/27-many", fib, .threads = BENCH_TOO_MANY },
  { "task/create-many", create, .threads = BENCH_TOO_MANY },
};

BENCH_MAIN (rows)
