/* quadrature.h -- integrals of functions with narrow peaks: sizes, functions, input and the serial
   reference.  */

#ifndef QUADRATURE_H
#define QUADRATURE_H 1

#include "blocks.h"

/* A function has PIECES pieces, which the threads of a team integrate, each halved DEEPEST times at
   most.  */
enum { PIECES = 500, THREADS = 128, DEEPEST = 12 };
#define TOLERANCE 1e-4
#define SCALE 1

/* Two peaks on a slope; from 0 to 1.  */
struct function
{
  float slope, places[2], widths[2];
};

BOTH_SIDES float
value_of (struct function f, float x)
{
  float value = f.slope * x;
  for (int k = 0; k < 2; k++)
    {
      float distance = (x - f.places[k]) / f.widths[k];
      value += 1 / (f.widths[k] * (1 + distance * distance));
    }
  return value;
}

static inline void
prepare (struct function *functions, float *expected, int n)
{
  unsigned long long state = 43;

  for (int i = 0; i < n; i++)
    {
      struct function f;
      double sum;
      f.slope = draw_between (&state, -5, 5);
      sum = 0.5 * f.slope;
      for (int k = 0; k < 2; k++)
	{
	  f.places[k] = draw_between (&state, 0, 1);
	  f.widths[k] = draw_between (&state, 0.0005f, 0.1f);
	  sum += atan ((1.0 - f.places[k]) / f.widths[k])
		 + atan ((double) f.places[k] / f.widths[k]);
	}
      functions[i] = f;
      expected[i] = (float) sum;
    }
}

#endif
