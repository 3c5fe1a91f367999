/* The floating-point mode of the launching thread is that of the region.
   TEST-OPTIONS: -frounding-math -lm
   TEST-MODES: host cpu  */

#include <fenv.h>
#include <stdio.h>

int
main (void)
{
  volatile double one = 1, three = 3;
  double down = 0, up = 0;

  fesetround (FE_DOWNWARD);
#pragma omp target map (from: down) map (to: one, three)
  down = one / three;
  fesetround (FE_UPWARD);
#pragma omp target map (from: up) map (to: one, three)
  up = one / three;
  fesetround (FE_TONEAREST);
  if (down < up)
    return 0;
  printf ("downward %a, upward %a\n", down, up);
  return 1;
}
