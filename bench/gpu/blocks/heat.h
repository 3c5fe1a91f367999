/* heat.h -- the temperature of a chip step by step: sizes, input and the serial reference.  */

#ifndef HEAT_H
#define HEAT_H 1

#include "blocks.h"

/* A launch makes STEPS steps, so that of a team's TILE x TILE cells CORE x CORE are right at its
   end.  */
enum { TILE = 16, THREADS = TILE * TILE, STEPS = 3, CORE = TILE - 2 * STEPS, LAUNCHES = 8 };
#define TOLERANCE 1e-5
#define SCALE 1

/* The temperature after a step.  */
BOTH_SIDES float
after (float here, float above, float below, float left, float right, float power)
{
  return here + 0.5f * power + 0.15f * (above + below - 2 * here)
	 + 0.2f * (left + right - 2 * here) + 0.01f * (25 - here);
}

/* Cells beyond the border are as warm as those on it.  */
static inline void
prepare (float *start, float *power, float *expected, int size)
{
  unsigned long long state = 36;
  long n = (long) size * size;
  double *now = ARRAY (double, n), *next = ARRAY (double, n);

  for (long i = 0; i < n; i++)
    {
      now[i] = start[i] = draw_between (&state, 20, 80);
      power[i] = draw_below (&state, 10) == 0 ? draw_between (&state, 0, 5) : 0;
    }
  for (int step = 0; step < STEPS * LAUNCHES; step++)
    {
      double *spare = now;
      for (int y = 0; y < size; y++)
	for (int x = 0; x < size; x++)
	  {
	    long at = (long) y * size + x;
	    double here = now[at], above = y > 0 ? now[at - size] : here;
	    double below = y < size - 1 ? now[at + size] : here;
	    double left = x > 0 ? now[at - 1] : here, right = x < size - 1 ? now[at + 1] : here;
	    next[at] = here + 0.5 * power[at] + 0.15 * (above + below - 2 * here)
		       + 0.2 * (left + right - 2 * here) + 0.01 * (25 - here);
	  }
      now = next;
      next = spare;
    }
  for (long i = 0; i < n; i++)
    expected[i] = (float) now[i];
  free (now);
  free (next);
}

#endif
