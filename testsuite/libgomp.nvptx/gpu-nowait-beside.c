/* Regions with nowait, each with a kernel of its own, run at the same time when they are launched for the first time, too: the first one waits for what
   the others write.
   TEST-MODES: gpu ptxours
   TEST-GPU: ours
   TEST-ENV: FAKE_CUDA_SYNC=load,cuModuleLoadData  */

#include <omp.h>
#include <stdio.h>
#include <time.h>

enum { PATIENCE = 20 };		/* seconds */

int
main (void)
{
  int zeros[3] = { 0 }, device = omp_get_default_device (), seen = 0;
  int *words = omp_target_alloc (sizeof (zeros), device);
  if (words == NULL
      || omp_target_memcpy (words, zeros, sizeof (zeros), 0, 0, device, omp_get_initial_device ()) != 0)
    return puts ("no memory"), 1;

  #pragma omp target nowait is_device_ptr(words) map(from: seen)
  {
    double begin = omp_get_wtime ();
    int sum = 0;
    while (sum < 3 && omp_get_wtime () - begin < PATIENCE)
      {
	sum = 0;
	for (int i = 0; i < 3; i++)
	  sum += __atomic_load_n (&words[i], __ATOMIC_ACQUIRE);
      }
    seen = sum;
  }
  /* It has been launched, and most likely runs then.  */
  nanosleep (&(struct timespec) { .tv_nsec = 50000000 }, NULL);
  #pragma omp target nowait is_device_ptr(words)
  __atomic_store_n (&words[0], 1, __ATOMIC_RELEASE);
  #pragma omp target teams num_teams(2) nowait is_device_ptr(words)
  if (omp_get_team_num () == 1)
    __atomic_store_n (&words[1], 1, __ATOMIC_RELEASE);
  #pragma omp target is_device_ptr(words)
  #pragma omp parallel num_threads(4)
  #pragma omp master
  __atomic_store_n (&words[2], 1, __ATOMIC_RELEASE);
  #pragma omp taskwait
  if (seen != 3)
    return printf ("only %d regions have run beside the first one\n", seen), 1;
  omp_target_free (words, device);
  return 0;
}
