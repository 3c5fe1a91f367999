/* The fault happens in another thread of a team.
   TEST-MODES: cpu
   TEST-SKIP-SANITIZER: thread its heap has the same addresses in both processes
   TEST-SKIP-SANITIZER: address its heap has the same addresses in both processes
   TEST-EXIT: 1
   TEST-OUTPUT: is lost: worker process [0-9]+: signal 11
   TEST-OUTPUT: it was running the region main._omp_fn
   TEST-NO-OUTPUT: not reached  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int
main (void)
{
  int *p = malloc (sizeof (int));
#pragma omp target parallel num_threads (4) is_device_ptr (p)
  {
#pragma omp barrier
    if (omp_get_thread_num () == 3)
      *p = 1;
#pragma omp barrier
  }
  printf ("not reached\n");
  return 0;
}
