/* The mapping checker executes regions with nowait at once, and says that it finds no races so.
   TEST-MODES: cpu
   TEST-ENV: GOMP_CHECK=map
   TEST-OUTPUT: ^libgomp: check: 0 findings; 2 regions
   TEST-OUTPUT: ^libgomp: check: 2 regions with nowait ran at once, so that the order is known: races with other regions and with the host are not found, and may not happen here  */

#include <omp.h>
#include <unistd.h>

int
main (void)
{
  int a = 1, b = 1;

  if (omp_get_num_devices () == 0)
    return 77;
#pragma omp target enter data map(to: a, b)
#pragma omp target nowait map(a)
  {
    usleep (1000);
    a = 2;
  }
#pragma omp target nowait map(b)
  b = 2;
#pragma omp taskwait
#pragma omp target exit data map(from: a, b)
  return a != 2 || b != 2;
}
