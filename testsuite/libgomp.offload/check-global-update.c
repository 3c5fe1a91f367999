/* With the mapping checker a thread copies declare target variables while another one's region runs, for
   which the data of the module is closed.
   TEST-MODES: cpu
   TEST-ENV: GOMP_CHECK=map
   TEST-OUTPUT: ^libgomp: check: 0 findings  */

#include <omp.h>
#include <stdlib.h>

#define N 1000
#define ROUNDS 20

int there[N], used, linked[N];
#pragma omp declare target to (there, used)
#pragma omp declare target link (linked)

static int running, done;

static void
run_for_long (void)
{
  for (int i = 0; i < ROUNDS; i++)
    {
      __atomic_store_n (&running, 1, __ATOMIC_SEQ_CST);
      int bad = 0;
#pragma omp target map(tofrom: bad)
      {
	double end = omp_get_wtime () + 0.02;
	while (omp_get_wtime () < end)
	  bad |= used != 0;
      }
      if (bad)
	abort ();
    }
  __atomic_store_n (&done, 1, __ATOMIC_SEQ_CST);
}

static void
copy (void)
{
  while (!__atomic_load_n (&running, __ATOMIC_SEQ_CST))
    ;
  for (int round = 0; !__atomic_load_n (&done, __ATOMIC_SEQ_CST); round++)
    {
      for (int i = 0; i < N; i++)
	there[i] = linked[i] = round + i;
#pragma omp target update to (there, linked)
      for (int i = 0; i < N; i++)
	there[i] = linked[i] = -1;
#pragma omp target update from (there, linked)
      for (int i = 0; i < N; i++)
	if (there[i] != round + i || linked[i] != round + i)
	  abort ();
    }
}

int
main (void)
{
#pragma omp target enter data map(to: linked)
#pragma omp parallel sections num_threads (2)
  {
#pragma omp section
    run_for_long ();
#pragma omp section
    copy ();
  }
#pragma omp target exit data map(delete: linked)
  return 0;
}
