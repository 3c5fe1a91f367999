/* With OMP_TARGET_OFFLOAD=MANDATORY a region in a handler that runs after the library's own ends the
   program; data directives and routines that answer otherwise do not matter.
   TEST-MODES: cpu
   TEST-ENV: OMP_TARGET_OFFLOAD=MANDATORY
   TEST-EXIT: 1
   TEST-OUTPUT: ^first 5$
   TEST-OUTPUT: OMP_TARGET_OFFLOAD is set to MANDATORY, but device is finalized
   TEST-NO-OUTPUT: ^late */
#include <stdio.h>
#include <stdlib.h>

static int x = 4;

static void
late (void)
{
#pragma omp target map(tofrom: x)
  x++;
  printf ("late %d\n", x);
}

int
main (void)
{
  atexit (late);
#pragma omp target map(tofrom: x)
  x++;
  printf ("first %d\n", x);
  return 0;
}
