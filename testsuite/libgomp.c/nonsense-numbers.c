/* Numbers of threads, levels, teams and tasks, priorities, chunks and steps that make no sense, at
   run time: none of them crashes or loses an iteration, and numbers of threads are kept within the
   limit.
   TEST-ENV: OMP_THREAD_LIMIT=6
   TEST-TIMEOUT: 60  */

#include <limits.h>
#include <omp.h>
#include <stdio.h>

static int failed;

#define CHECK(ok, number)						\
  do									\
    if (!(ok))								\
      {									\
	printf ("%d: not true: %s\n", number, #ok);			\
	failed = 1;							\
      }									\
  while (0)

static void
threads (int v)
{
  int n = 0, in_teams = 0;
#pragma omp parallel num_threads(v) reduction(+: n)
  n++;
  CHECK (n >= 1 && n <= 6, v);
  CHECK (v < 1 || v > 6 || n == v, v);
  omp_set_num_threads (v);
  CHECK (omp_get_max_threads () == (v > 0 ? v : 1), v);
  n = 0;
#pragma omp parallel reduction(+: n)
  n++;
  CHECK (n >= 1 && n <= 6, v);
#pragma omp teams num_teams(2) thread_limit(v) reduction(+: in_teams)
  {
    n = 0;
#pragma omp parallel num_threads(3) reduction(+: n)
    n++;
    in_teams += n >= 1 && n <= 6;
  }
  CHECK (in_teams == 2, v);
  omp_set_num_threads (3);
}

static void
levels (int v)
{
  int n = 0;
  omp_set_max_active_levels (v);
  int now = omp_get_max_active_levels ();
  CHECK (now >= 0 && now <= omp_get_supported_active_levels (), v);
#pragma omp parallel num_threads(2) reduction(+: n)
#pragma omp parallel num_threads(2) reduction(+: n)
  n++;
  CHECK (n >= 1 && n <= 4, v);
  omp_set_max_active_levels (1);
}

static void
tasks (int v)
{
  int n = 0, by_number = 0, by_size = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
  {
    for (int i = 0; i < 10; i++)
      {
#pragma omp task priority(v) shared(n)
#pragma omp atomic
	n++;
      }
#pragma omp taskloop num_tasks(v) reduction(+: by_number)
    for (int i = 0; i < 100; i++)
      by_number++;
#pragma omp taskloop grainsize(v) reduction(+: by_size)
    for (int i = 0; i < 100; i++)
      by_size++;
  }
  CHECK (n == 10, v);
  CHECK (by_number == 100, v);
  CHECK (by_size == 100, v);
}

static void
chunks (int v)
{
  static const omp_sched_t kinds[] =
    { omp_sched_static, omp_sched_dynamic, omp_sched_guided, omp_sched_auto };
  for (int k = 0; k < 4; k++)
    {
      int n = 0;
      omp_set_schedule (kinds[k], v);
#pragma omp parallel for num_threads(3) schedule(runtime) reduction(+: n)
      for (int i = 0; i < 1000; i++)
	n++;
      CHECK (n == 1000, v);
    }
}

/* Steps away from the end, and such that the variable wraps behind the last iteration.  */
static void
steps (int v)
{
  int n = 0, wraps = 0;
  long step = v;
  unsigned long long huge = (unsigned long long) v;
  if (v >= 0)
    return;
#pragma omp parallel for num_threads(2) schedule(dynamic) reduction(+: n)
  for (long i = 0; i < 10; i += step)
    n++;
  CHECK (n == 0, v);
#pragma omp parallel for num_threads(2) schedule(guided) reduction(+: wraps)
  for (unsigned long long i = 0; i < 10; i += huge)
    wraps++;
  CHECK (wraps == 1, v);
}

/* As many as asked for, if that can be.  */
static void
teams (int v)
{
  int n = 0;
#pragma omp teams num_teams(v) thread_limit(2) reduction(+: n)
  n++;
  CHECK (n >= 1, v);
  CHECK (v < 1 || n == v, v);
}

int
main (void)
{
  static const int values[] = { 0, -1, 1, 5, INT_MIN, INT_MIN + 1, INT_MAX, INT_MAX - 1, 100000 };
  for (int i = 0; i < (int) (sizeof (values) / sizeof (values[0])); i++)
    {
      int v = values[i];
      threads (v);
      levels (v);
      tasks (v);
      chunks (v);
      steps (v);
    }
  teams (0);
  teams (1);
  teams (5000);
  return failed;
}
