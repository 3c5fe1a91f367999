/* Reductions of 64 bits in kernels whose warps need no library: all lanes of a warp load the team's number from the block's memory while
   other warps change it.  When they did not all see the same one, in one of a hundred launches or so, the kernel never ended.
   TEST-MODES: ptxlanes gpu
   TEST-GPU: ours
   TEST-IMAGE: nvptx
   TEST-ENV: GOMP_NVPTX_LANES=force  */

#include <omp.h>
#include <stdio.h>

enum { N = 512, MOST = 3000 };
#define SECONDS 4

int
main (void)
{
  double begin = omp_get_wtime ();
  int launches = 0;

  for (; launches < MOST && omp_get_wtime () - begin < SECONDS; launches++)
    {
      double sum = 0;
      long product = 1;
      #pragma omp target teams distribute parallel for simd map (tofrom: sum) reduction (+: sum) num_teams (3)
      for (int i = 0; i < N; i++)
	sum += i;
      #pragma omp target teams distribute parallel for simd map (tofrom: product) reduction (*: product) num_teams (3) thread_limit (8)
      for (int i = 0; i < 42; i++)
	product *= 1 | i;
      long expected = 1;
      for (int i = 0; i < 42; i++)
	expected *= 1 | i;
      if (sum != N * (N - 1) / 2 || product != expected)
	{
	  printf ("launch %d: %g, %ld\n", launches, sum, product);
	  return 1;
	}
    }
  return launches == 0;
}
