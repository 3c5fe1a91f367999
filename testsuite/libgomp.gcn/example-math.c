/* Examples of the interface's description, 3: functions of libm.  */
#include "aux-gcn.h"
#include <math.h>

int
main (void)
{
  double d = 0.7;
  float f = 0.3f;

#pragma omp target map (tofrom: d, f)
  {
    d += sqrt (d) + sin (d) + cos (d) + exp (d) + log (d) + pow (d, 1.3) + tan (d) + atan2 (d, 2.0) + floor (d)
	 + ceil (d) + fmod (d, 0.3) + round (d) + trunc (d) + hypot (d, 3);
    f += sqrtf (f) + sinf (f) + cosf (f) + expf (f) + logf (f) + powf (f, 1.3f) + tanhf (f) + asinf (f)
	 + floorf (f) + rintf (f);
  }
  if (!(fabs (d - 11.591311633841126) < 1e-13) || !(fabsf (f - 3.04952407f) < 2e-6f))
    {
      printf ("%.17g instead of 11.591311633841126, %.9g instead of 3.04952407\n", d, f);
      failures++;
    }
  return failures != 0;
}
