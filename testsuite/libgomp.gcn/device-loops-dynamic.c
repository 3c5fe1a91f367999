/* Dynamic loops of all kinds: up, down, by steps, unsigned, wide ones with chunks, ones without iterations,
   in teams and alone; runtime schedules; and threads that are ahead of others.
   TEST-ENV: GCN_SIM_ORDER=random:3  */
#include "aux-gcn.h"

int
main (void)
{
  long sum[9] = { 0 };
  int last = 0;
#pragma omp target map (tofrom: sum, last)
  {
#pragma omp parallel
    {
#pragma omp for schedule (dynamic) nowait
      for (int i = 0; i < 100; i++)
	{
#pragma omp atomic
	  sum[0] += i;
	}
#pragma omp for schedule (dynamic, 3) nowait
      for (long i = 50; i > -50; i -= 7)
	{
#pragma omp atomic
	  sum[1] += i;
	}
#pragma omp for schedule (nonmonotonic: dynamic, 2) nowait lastprivate (last)
      for (unsigned long long i = 0xfffffffffffffff0u; i < 0xfffffffffffffffbu; i += 2)
	{
	  last = (int) (i & 15);
#pragma omp atomic
	  sum[2] += last;
	}
#pragma omp for schedule (dynamic) nowait
      for (int i = 5; i < 5; i++)
	{
#pragma omp atomic
	  sum[3]++;
	}
#pragma omp for schedule (dynamic, 1000000000) nowait
      for (long long i = 0; i < 5000000000; i += 1000000000)
	{
#pragma omp atomic
	  sum[4] += i / 1000000000 + 1;
	}
#pragma omp barrier
#pragma omp for schedule (runtime)
      for (int i = 0; i < 64; i++)
	{
#pragma omp atomic
	  sum[5]++;
	}
#pragma omp parallel num_threads (1)
#pragma omp for schedule (dynamic, 3)
      for (int i = 0; i < 10; i++)
	{
#pragma omp atomic
	  sum[6]++;
	}
#pragma omp master
      sum[7] = omp_get_num_threads ();
#pragma omp for schedule (guided) ordered
      for (int i = 0; i < 30; i++)
	{
#pragma omp ordered
	  sum[8] = sum[8] * 2 % 1000003 + i;
	}
    }
  }
  long ordered = 0;
  for (int i = 0; i < 30; i++)
    ordered = ordered * 2 % 1000003 + i;
  long want[9] = { 4950, 15, 30, 0, 15, 64, 10 * sum[7], sum[7], ordered };
  for (int i = 0; i < 9; i++)
    if (sum[i] != want[i])
      {
	printf ("%d: %ld, not %ld\n", i, sum[i], want[i]);
	return 1;
      }
  if (last != 10)
    {
      printf ("last %d\n", last);
      return 1;
    }
  return 0;
}
