/* omp_display_affinity: a line for each call, also one that needs memory of the heap.  */
/* TEST-OUTPUT: ^level 0 thread 0x0 affinity 0$ */
/* TEST-OUTPUT: ^nobody but 1/2$ */
/* TEST-OUTPUT: ^ {200} {99}0 end$ */

#include <omp.h>
#include <stddef.h>

int
main (void)
{
  omp_display_affinity (NULL);
#pragma omp parallel num_threads (2)
  if (omp_get_thread_num () == 1)
    omp_display_affinity ("nobody but %n/%N");
  omp_display_affinity ("%.300n end");
  return 0;
}
