/* blackscholes.h -- prices of European options: sizes, input and the serial reference.  */

#ifndef BLACKSCHOLES_H
#define BLACKSCHOLES_H 1

#include "blocks.h"

/* So many teams at most, and options in a unit of the size.  */
enum { TEAMS = 528, THREADS = 256, UNIT = 1000 };
#define RATE 0.03f
#define VOLATILITY 0.3f
#define TOLERANCE 3e-6
/* That of a usual spot price.  */
#define SCALE 50

static inline int
teams_for (long n)
{
  long needed = (n + THREADS - 1) / THREADS;
  return needed < TEAMS ? (int) needed : TEAMS;
}

static inline void
prepare (float *spot, float *strike, float *years, float *call, float *put, long n)
{
  unsigned long long state = 4;

  for (long i = 0; i < n; i++)
    {
      spot[i] = draw_between (&state, 5, 100);
      strike[i] = draw_between (&state, 5, 100);
      years[i] = draw_between (&state, 0.1f, 10);

      double s = spot[i], k = strike[i], y = years[i], v = VOLATILITY, deviation = v * sqrt (y);
      double d1 = (log (s / k) + (RATE + v * v / 2) * y) / deviation, d2 = d1 - deviation;
      double paid = k * exp (-RATE * y);
      call[i] = (float) (s * erfc (-d1 / sqrt (2.0)) / 2 - paid * erfc (-d2 / sqrt (2.0)) / 2);
      put[i] = (float) (paid * erfc (d2 / sqrt (2.0)) / 2 - s * erfc (d1 / sqrt (2.0)) / 2);
    }
}

#endif
