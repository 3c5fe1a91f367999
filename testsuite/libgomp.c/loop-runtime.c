/* schedule (runtime) follows omp_set_schedule: the kind shows in who gets what.  */
#include <omp.h>
#include <stdio.h>

#define N 60
static int owner[N], bad;

static void
run (omp_sched_t kind, int chunk, int threads)
{
  omp_set_schedule (kind, chunk);
#pragma omp parallel for num_threads (threads) schedule (runtime)
  for (int i = 0; i < N; i++)
    owner[i] = omp_get_thread_num ();
}

int
main (void)
{
  run (omp_sched_static, 0, 4);
  for (int i = 0; i < N; i++)
    bad += owner[i] != i / 15;
  if (bad)
    return puts ("static"), 1;
  run (omp_sched_static, 2, 3);
  for (int i = 0; i < N; i++)
    bad += owner[i] != i / 2 % 3;
  if (bad)
    return puts ("static, 2"), 1;
  run (omp_sched_static | omp_sched_monotonic, 5, 3);
  for (int i = 0; i < N; i++)
    bad += owner[i] != i / 5 % 3;
  if (bad)
    return puts ("monotonic static, 5"), 1;
  run (omp_sched_dynamic, 10, 3);
  for (int i = 0; i < N; i++)
    bad += owner[i] != owner[i / 10 * 10];
  if (bad)
    return puts ("dynamic, 10"), 1;
  run (omp_sched_guided, N, 3);
  for (int i = 0; i < N; i++)
    bad += owner[i] != owner[0];
  if (bad)
    return puts ("guided with a chunk of everything"), 1;
  /* Each task has its own.  */
  omp_set_schedule (omp_sched_static, 3);
#pragma omp parallel num_threads (2) reduction (+: bad)
  {
    omp_sched_t kind;
    int chunk;
    omp_set_schedule (omp_sched_dynamic, 2 + omp_get_thread_num ());
#pragma omp barrier
    omp_get_schedule (&kind, &chunk);
    bad += kind != omp_sched_dynamic || chunk != 2 + omp_get_thread_num ();
  }
  omp_sched_t kind;
  int chunk;
  omp_get_schedule (&kind, &chunk);
  if (bad || kind != omp_sched_static || chunk != 3)
    return puts ("not the task's own"), 1;
  return 0;
}
