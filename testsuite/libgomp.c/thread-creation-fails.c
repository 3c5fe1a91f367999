/* No room for the stack of a helper thread.
   TEST-ENV: OMP_STACKSIZE=64M
   TEST-EXIT: 1
   TEST-OUTPUT: Resource temporarily unavailable .with a stack of 65536k, as OMP_STACKSIZE says
   TEST-SKIP-SANITIZER: address needs more address space
   TEST-SKIP-SANITIZER: thread needs more address space  */
#include <stdio.h>
#include <sys/resource.h>

int
main (void)
{
  struct rlimit limit = { 256 << 20, 256 << 20 };
  if (setrlimit (RLIMIT_AS, &limit) != 0)
    return 77;
  int n = 0;
#pragma omp parallel num_threads (16) reduction (+: n)
  n++;
  printf ("region ran with %d threads\n", n);
  return 0;
}
