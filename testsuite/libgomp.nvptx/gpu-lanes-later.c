/* With GOMP_NVPTX_LANES=auto and nothing in the cache kernels begin with threads that are warps, and go over to lanes when these are linked,
   also while others run: each region does what it says in both.
   TEST-MODES: ptxlanes gpu
   TEST-GPU: ours
   TEST-IMAGE: nvptx
   TEST-ENV: GOMP_NVPTX_LANES=auto
   TEST-ENV: GOMP_CACHE=off  */
#include <omp.h>
#include <stdio.h>
#include <time.h>

/* Seconds until there are lanes, and for more of them: where the GPU is shared the library may find warps faster.  */
enum { THREADS = 64, N = 200, TASKS = 3, MOST = 45, MORE = 5 };

int
main (void)
{
  int threads = 0, warps = 0, lanes = 0, bad = 0;
  int a[TASKS][N] = { { 0 } };
  double end = omp_get_wtime () + MOST;

  for (int round = 1; bad == 0 && lanes < 3 && omp_get_wtime () < end; round++)
    {
#pragma omp target parallel num_threads (THREADS) map (from: threads)
      if (omp_get_thread_num () == 0)
	threads = omp_get_num_threads ();
      warps += threads <= 32;
      if (threads > 32 && lanes++ == 0)
	end = omp_get_wtime () + MORE;
      for (int t = 0; t < TASKS; t++)
	{
#pragma omp target teams distribute parallel for nowait map (tofrom: a[t]) num_teams (2)
	  for (int i = 0; i < N; i++)
	    a[t][i] += i % 7 + t;
	}
#pragma omp taskwait
      for (int t = 0; t < TASKS; t++)
	for (int i = 0; i < N; i++)
	  if (a[t][i] != round * (i % 7 + t))
	    bad++;
      if (bad != 0)
	printf ("round %d: %d elements are wrong\n", round, bad);
    }
  if (lanes == 0)
    printf ("%d times warps, and never lanes\n", warps), bad++;
  return bad != 0;
}
