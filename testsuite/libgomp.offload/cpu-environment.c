/* The worker's environment: OMP_NUM_THREADS_DEV counts there, bad values are reported once, by
   the program, and variables of the program are there.
   TEST-MODES: cpu
   TEST-ENV: OMP_NUM_THREADS=2
   TEST-ENV: OMP_NUM_THREADS_DEV=5
   TEST-ENV: OMP_DYNAMIC=perhaps
   TEST-ENV: OMP_DISPLAY_ENV=true
   TEST-ENV: SOME_VARIABLE=some value
   TEST-OUTPUT: Invalid value for environment variable OMP_DYNAMIC
   TEST-NO-OUTPUT: OMP_DYNAMIC: perhaps(.|\n)*OMP_DYNAMIC: perhaps
   TEST-NO-OUTPUT: DISPLAY ENVIRONMENT BEGIN(.|\n)*DISPLAY ENVIRONMENT BEGIN  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
main (void)
{
  int threads = 0, there = 0, hidden = 0, preload = 1;
#pragma omp target map (from: threads, there, hidden, preload)
  {
    const char *text = getenv ("SOME_VARIABLE");
#pragma omp parallel
#pragma omp single
    threads = omp_get_num_threads ();
    there = text != NULL && strcmp (text, "some value") == 0;
    hidden = getenv ("GOMPX_CPU_WORKER") == NULL && getenv ("GOMP_CPU_DEVICES") == NULL;
    preload = getenv ("LD_PRELOAD") != NULL;
  }
  if (threads != 5 || !there || !hidden || preload || omp_get_max_threads () != 2)
    {
      printf ("threads %d and %d, variable %d, hidden %d, preload %d\n", threads,
	      omp_get_max_threads (), there, hidden, preload);
      return 1;
    }
  return 0;
}
