/* With one thread queued tasks run by priority, those of the same in order; higher ones than the
   maximum count as that.
   TEST-ENV: OMP_MAX_TASK_PRIORITY=10 */
#include <omp.h>
#include <stdio.h>

int
main (void)
{
  static const int priority[] = { 1, 5, 3, 10, 3, 99, 7, 1 };
  static const int wanted[] = { 3, 5, 6, 1, 2, 4, 0, 7 };
  int order[8], n = 0, bad = 0;

  if (omp_get_max_task_priority () != 10)
    return 1;
#pragma omp parallel num_threads (1) shared (n)
  {
    for (int i = 0; i < 8; i++)
#pragma omp task priority (priority[i]) shared (n, order) firstprivate (i)
      order[n++] = i;
#pragma omp taskwait
    for (int i = 0; i < 8; i++)
      bad |= n != 8 || order[i] != wanted[i];
    /* More than are queued; the end of the region waits for them.  */
    n = 0;
    for (int i = 0; i < 100000; i++)
#pragma omp task priority (i % 12) shared (n)
      n++;
  }
  bad |= n != 100000;

  /* Of several threads only the number can be told.  */
  n = 0;
#pragma omp parallel num_threads (4)
  {
    for (int i = 0; i < 3000; i++)
#pragma omp task priority (i % 12) shared (n)
      {
#pragma omp task priority (i % 5) shared (n)
#pragma omp atomic
	n++;
	if (i % 7 == 0)
	  {
#pragma omp taskwait
	  }
#pragma omp atomic
	n++;
      }
  }
  bad |= n != 24000;
  /* Outside of regions they run at once.  */
#pragma omp task priority (10) shared (n)
  n = 1;
  bad |= n != 1;
  if (bad)
    printf ("wrong: n %d, order %d %d %d %d %d %d %d %d\n", n, order[0], order[1], order[2],
	    order[3], order[4], order[5], order[6], order[7]);
  return bad;
}
