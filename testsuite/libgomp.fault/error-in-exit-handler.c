/* An error ends the program, a handler of atexit starts a region, and there a helper has another
   error: the program ends all the same, although exit was called twice.
   TEST-EXIT: 1
   TEST-TIMEOUT: 20
   TEST-SKIP-SANITIZER: thread reports that exit was called by two threads
   TEST-OUTPUT: there is no allocator 0x100.*\n(.*\n)*.*there is no allocator 0x101  */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static void
handler (void)
{
#pragma omp parallel num_threads (3)
  {
#pragma omp barrier
    if (omp_get_thread_num () == 2)
      omp_destroy_allocator ((omp_allocator_handle_t) 0x101);
  }
  printf ("the region came to its end\n");
}

int
main (void)
{
  atexit (handler);
  omp_set_max_active_levels (3);
#pragma omp parallel num_threads (2)
  if (omp_get_thread_num () == 1)
    omp_destroy_allocator ((omp_allocator_handle_t) 0x100);
  return 0;
}
