/* Functions of the vector library: what a loop over the lanes calls, near the host's.  (Some of double
   precision have but ten digits.)  GCC 14's compiler for the device does not survive sin and cos here.
   TEST-OPTIONS: -ffast-math
   TEST-SKIP-SANITIZER: thread the simulator is slow there  */
#include <math.h>
#include "aux-gcn.h"

enum { N = 100 };

#if __GNUC__ == 13 || __GNUC__ == 14
#define WAVES(sine, cosine) 0
#else
#define WAVES(sine, cosine) ((sine) + (cosine))
#endif

static float a[N], b[N], c[N];
static double x[N], y[N], z[N];

int
main (void)
{
  for (int i = 0; i < N; i++)
    {
      b[i] = 0.05f + (float) i * 0.09f;
      y[i] = 0.03 + i * 0.07;
    }
#pragma omp target map (from: a, c, x, z) map (to: b, y)
  {
#pragma omp simd
    for (int i = 0; i < N; i++)
      a[i] = expf (b[i] * 0.5f) + logf (b[i] + 1) + sqrtf (b[i]) + powf (b[i], 1.25f);
#pragma omp simd
    for (int i = 0; i < N; i++)
      c[i] = WAVES (sinf (b[i]), cosf (b[i])) + tanhf (b[i]) + atanf (b[i]) + fmodf (b[i], 0.7f);
#pragma omp simd
    for (int i = 0; i < N; i++)
      x[i] = exp (y[i] * 0.5) + log (y[i] + 1) + sqrt (y[i]) + pow (y[i], 1.25);
#pragma omp simd
    for (int i = 0; i < N; i++)
      z[i] = WAVES (sin (y[i]), cos (y[i])) + tanh (y[i]) + atan (y[i]) + fmod (y[i], 0.7);
  }
  for (int i = 0; i < N; i++)
    {
      float wa = expf (b[i] * 0.5f) + logf (b[i] + 1) + sqrtf (b[i]) + powf (b[i], 1.25f);
      float wc = WAVES (sinf (b[i]), cosf (b[i])) + tanhf (b[i]) + atanf (b[i]) + fmodf (b[i], 0.7f);
      double wx = exp (y[i] * 0.5) + log (y[i] + 1) + sqrt (y[i]) + pow (y[i], 1.25);
      double wz = WAVES (sin (y[i]), cos (y[i])) + tanh (y[i]) + atan (y[i]) + fmod (y[i], 0.7);
      if (!(fabsf (a[i] - wa) <= 4e-6f * fabsf (wa)) || !(fabsf (c[i] - wc) <= 4e-6f * (fabsf (wc) + 1)))
	printf ("float %d: %.9g and %.9g, not %.9g and %.9g\n", i, a[i], c[i], wa, wc), failures++;
      if (!(fabs (x[i] - wx) <= 1e-14 * fabs (wx)) || !(fabs (z[i] - wz) <= 1e-10 * (fabs (wz) + 1)))
	printf ("double %d: %.17g and %.17g, not %.17g and %.17g\n", i, x[i], z[i], wx, wz), failures++;
    }
  return failures != 0;
}
