/* A helper thread could not be created.  A handler of atexit starts a region of that size
   again.
   TEST-ENV: OMP_STACKSIZE=512M
   TEST-EXIT: 1
   TEST-OUTPUT: libgomp: Thread creation failed: Resource temporarily unavailable
   TEST-OUTPUT: 2 threads at exit
   TEST-SKIP-SANITIZER: address needs more address space
   TEST-SKIP-SANITIZER: thread needs more address space  */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

static struct rlimit limit;

static int
region (void)
{
  int n = 0;
#pragma omp parallel num_threads (2) reduction (+: n)
  n++;
  return n;
}

static void
at_exit (void)
{
  limit.rlim_cur = limit.rlim_max;
  setrlimit (RLIMIT_AS, &limit);
  printf ("%d threads at exit\n", region ());
}

int
main (void)
{
  getrlimit (RLIMIT_AS, &limit);
  if (limit.rlim_max < 2ul << 30)
    return 77;
  limit.rlim_cur = 256 << 20;
  if (setrlimit (RLIMIT_AS, &limit) != 0 || atexit (at_exit) != 0)
    return 77;
  printf ("region ran with %d threads\n", region ());
  return 0;
}
