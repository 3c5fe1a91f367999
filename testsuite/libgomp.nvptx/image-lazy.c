/* An image is linked when its first region runs, not when the device is opened, and once.
   TEST-OPTIONS: -I@srcdir@/lib/fake-cuda  */

#define _GNU_SOURCE
#include "aux-image.h"
#include "aux-driver.h"

#include <omp.h>

int
main (void)
{
  void *p = omp_target_alloc (100, 0);
  int x = 1;
  if (p == NULL || omp_target_memcpy (p, &x, sizeof (x), 0, 0, 0, omp_get_initial_device ()) != 0)
    return puts ("no memory"), 1;
  CHECK (driver_calls ("cuLinkCreate_v2") == 0 && driver_calls ("cuModuleLoadData") == 0);
  omp_target_free (p, 0);
  for (int i = 0; i < 3; i++)
    {
      #pragma omp target map(tofrom: x)
      x++;
    }
  #pragma omp target map(tofrom: x)
  x *= 10;
  CHECK (x == 40);
  CHECK (driver_calls ("cuLinkCreate_v2") == 1 && driver_calls ("cuModuleLoadData") == 1);
  CHECK (driver_calls ("cuModuleGetFunction") <= 2 + 3);	/* regions, and what the image may have */
  return 0;
}
