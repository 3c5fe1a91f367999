/* Lane mode is on: a region has more threads than a block has warps, and each has a number and a place of its own.
   TEST-MODES: ptxlanes gpu
   TEST-GPU: ours
   TEST-IMAGE: nvptx
   TEST-ENV: GOMP_NVPTX_LANES=force  */
#include <omp.h>
#include <stdio.h>

#define THREADS 100

int
main (void)
{
  int threads = 0, seen[THREADS] = { 0 }, bad = 0;
#pragma omp target map (tofrom: threads, seen)
  {
#pragma omp parallel num_threads (THREADS)
    {
      if (omp_get_thread_num () == 0)
	threads = omp_get_num_threads ();
#pragma omp atomic
      seen[omp_get_thread_num ()] += 1;
    }
  }
  if (threads != THREADS)
    printf ("%d threads, not %d\n", threads, THREADS), bad++;
  for (int i = 0; i < THREADS; i++)
    bad += seen[i] != 1;
  return bad != 0;
}
