/* Two threads that start regions of an image at the same time link it once.
   TEST-OPTIONS: -I@srcdir@/lib/fake-cuda  */

#define _GNU_SOURCE
#include "aux-image.h"
#include "aux-driver.h"

#include <omp.h>

int
main (void)
{
  int x[8] = { 0 };
  #pragma omp parallel for num_threads(8) schedule(static, 1)
  for (int i = 0; i < 8; i++)
    {
      int y = 0;
      #pragma omp target map(tofrom: y)
      y = i + 1;
      x[i] = y;
    }
  for (int i = 0; i < 8; i++)
    CHECK (x[i] == i + 1);
  CHECK (driver_calls ("cuLinkCreate_v2") == 1 && driver_calls ("cuModuleLoadData") == 1);
  return 0;
}
