/* What a region prints is there when the region is over.
   TEST-MODES: gpu
EXPECT DEV:
before
in the region: 1 2.5 text
7 of 10
after
END
*/

#include <stdio.h>

int
main (void)
{
  int x = 1;
  printf ("before\n");
  fflush (stdout);
#pragma omp target map (tofrom: x)
  {
    printf ("in the region: %d %g %s\n", x, x + 1.5, "text");
    x = 7;
  }
#pragma omp target firstprivate (x)
  printf ("%d of %d\n", x, 10);
  printf ("after\n");
  return 0;
}
