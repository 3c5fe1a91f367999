/* Functions of libm on the device: within a few units in the last place of the host's.
   TEST-SKIP-SANITIZER: thread the simulator is slow there  */
#include <math.h>
#include "aux-gcn.h"

enum { VALUES = 9, FUNCTIONS = 25 };

#pragma omp declare target
static const double values[VALUES] = { 0.7, 0.01, 1.0, 1.9, 3.3, 10.25, 0.3333333, 5e-5, 21.0 };

#define ALL_FUNCTIONS(name, type, f)					\
  static __attribute__ ((noinline)) void				\
  name (type *r, type x)						\
  {									\
    type y = x / 22, *p = r;						\
    int e;								\
    *p++ = sqrt##f (x);							\
    *p++ = sin##f (x);							\
    *p++ = cos##f (x);							\
    *p++ = tan##f (y);							\
    *p++ = exp##f (y * 8);						\
    *p++ = exp2##f (y * 8);						\
    *p++ = log##f (x);							\
    *p++ = log2##f (x);							\
    *p++ = log10##f (x);						\
    *p++ = log1p##f (x);						\
    *p++ = expm1##f (y);						\
    *p++ = pow##f (x, (type) 1.3);					\
    *p++ = asin##f (y);							\
    *p++ = acos##f (y);							\
    *p++ = atan##f (x);							\
    *p++ = atan2##f (x, (type) -2);					\
    *p++ = sinh##f (y);							\
    *p++ = cosh##f (y);							\
    *p++ = tanh##f (y);							\
    *p++ = cbrt##f (x);							\
    *p++ = hypot##f (x, 3);						\
    *p++ = fmod##f (x, (type) 0.3);					\
    *p++ = round##f (x * 1.5f) + lround##f (x) + lrint##f (x);		\
    *p++ = frexp##f (x, &e) + e;					\
    *p++ = erf##f (x);							\
  }
ALL_FUNCTIONS (all_floats, float, f)
ALL_FUNCTIONS (all_doubles, double, )
#pragma omp end declare target

static float df[VALUES][FUNCTIONS], hf[VALUES][FUNCTIONS];
static double dd[VALUES][FUNCTIONS], hd[VALUES][FUNCTIONS];

int
main (void)
{
#pragma omp target map (from: df, dd)
  for (int i = 0; i < VALUES; i++)
    {
      all_floats (df[i], (float) values[i]);
      all_doubles (dd[i], values[i]);
    }
  for (int i = 0; i < VALUES; i++)
    {
      all_floats (hf[i], (float) values[i]);
      all_doubles (hd[i], values[i]);
      for (int j = 0; j < FUNCTIONS; j++)
	{
	  /* cos and sin are small near their zeros, where the error is absolute.  */
	  if (!(fabsf (df[i][j] - hf[i][j]) <= 4e-7f * (fabsf (hf[i][j]) + 0.01f)))
	    printf ("float function %d of %g: %.9g, not %.9g\n", j, values[i], df[i][j], hf[i][j]), failures++;
	  if (!(fabs (dd[i][j] - hd[i][j]) <= 1e-15 * (fabs (hd[i][j]) + 0.01)))
	    printf ("double function %d of %g: %.17g, not %.17g\n", j, values[i], dd[i][j], hd[i][j]), failures++;
	}
    }
  return failures != 0;
}
