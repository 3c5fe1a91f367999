/* OMP_STACKSIZE is what helper threads get.
   TEST-ENV: OMP_STACKSIZE=3M  */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

int
main (void)
{
  int bad = 0;
#pragma omp parallel num_threads (3) reduction (+: bad)
  if (omp_get_thread_num () > 0)
    {
      pthread_attr_t attr;
      void *start;
      size_t size;
      pthread_getattr_np (pthread_self (), &attr);
      pthread_attr_getstack (&attr, &start, &size);
      pthread_attr_destroy (&attr);
      if (size < 3 << 20 || size > 4 << 20)
	printf ("stack of %zu bytes\n", size), bad++;
      volatile char use[2 << 20];
      use[0] = use[sizeof (use) - 1] = 1;
    }
  return bad != 0;
}
