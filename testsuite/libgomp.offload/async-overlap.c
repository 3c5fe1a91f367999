/* Regions with nowait are executed side by side, and the thread that starts them goes on: each
   of two waits for the other, by way of variables on the device.
   TEST-MODES: cpu test */
#include <stdio.h>

#pragma omp declare target
int flag[2];
#pragma omp end declare target

static int
meet (void)
{
  int seen[2] = { 0, 0 };
#pragma omp target
  flag[0] = flag[1] = 0;
  for (int i = 0; i < 2; i++)
    {
#pragma omp target nowait map(from: seen[i])
      {
	__atomic_store_n (&flag[i], 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n (&flag[1 - i], __ATOMIC_SEQ_CST) == 0)
	  ;
	seen[i] = 1;
      }
    }
#pragma omp taskwait
  return seen[0] + seen[1];
}

int
main (void)
{
  int sum = 0;
  for (int i = 0; i < 5; i++)
    sum += meet ();
#pragma omp parallel num_threads(2) reduction(+: sum)
#pragma omp single
  for (int i = 0; i < 5; i++)
    sum += meet ();
  if (sum != 20)
    printf ("%d regions have met, not 20\n", sum);
  return sum != 20;
}
