/* Many threads that sleep until a vector is posted are woken; those that wait for later ones
   sleep on.
   TEST-ENV: OMP_WAIT_POLICY=passive  */
#include <stdio.h>
#include <unistd.h>

#define THREADS 24
#define N 40
static int a[THREADS + 1][N + 1];

int
main (void)
{
  int bad = 0;
#pragma omp parallel for ordered (2) schedule (static, 1) num_threads (THREADS)
  for (int i = 1; i <= THREADS; i++)
    for (int j = 1; j <= N; j++)
      {
	if (i == 1 && j % 20 == 1)
	  usleep (20000);	/* the others have gone to sleep by then */
#pragma omp ordered depend (sink: i - 1, j)
	a[i][j] = a[i - 1][j] + 1;
#pragma omp ordered depend (source)
      }
  for (int i = 1; i <= THREADS; i++)
    for (int j = 1; j <= N; j++)
      bad += a[i][j] != i;

  /* All wait for different vectors of one block.  */
  int start = 0;
#pragma omp parallel for ordered (2) schedule (static, 1) num_threads (THREADS) reduction (+: bad)
  for (int i = 0; i < THREADS; i++)
    for (int j = 0; j < THREADS; j++)
      {
	if (i == 0)
	  {
	    if (j == 0)
	      usleep (20000);
	    __atomic_store_n (&start, j + 1, __ATOMIC_RELAXED);
	  }
	else if (j == 0)
	  {
	    /* Vector (0, i).  */
	    int k = i;
#pragma omp ordered depend (sink: i - 1, j)
	    (void) k;
	    bad += __atomic_load_n (&start, __ATOMIC_RELAXED) < 1;
	  }
#pragma omp ordered depend (source)
      }
  if (bad)
    printf ("%d wrong\n", bad);
  return bad != 0;
}
