/* Plugins were asked for by name and there is no device: told once, without GOMP_INFO, although many
   regions run on the host.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=zero
   TEST-OUTPUT: no device can be used: test: testGetCount found nothing
   TEST-NO-OUTPUT: no device can be used.*no device can be used  */

#include <stdio.h>

int
main (void)
{
  int x = 0;
  for (int i = 0; i < 3; i++)
    {
#pragma omp target map(tofrom: x)
      x++;
    }
  if (x != 3)
    return printf ("x = %d\n", x), 1;
  return 0;
}
