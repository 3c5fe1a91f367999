/* fir.h -- signals filtered by a filter whose length the program is told: sizes, input and the
   serial reference.  */

#ifndef FIR_H
#define FIR_H 1

#include "blocks.h"

/* A team has BLOCK samples of a signal.  */
enum { THREADS = 256, BLOCK = 1024, USUAL_TAPS = 64 };
#define TOLERANCE 1e-5
#define SCALE 1

/* In front of the signal are TAPS - 1 zeros.  */
static inline void
prepare (float *in, float *filter, float *expected, long n, int taps)
{
  unsigned long long state = 40;

  for (int k = 0; k < taps; k++)
    filter[k] = draw_between (&state, -1, 1) / sqrtf ((float) taps);
  for (long i = 0; i < n + taps - 1; i++)
    in[i] = i < taps - 1 ? 0 : draw_between (&state, -1, 1);
  for (long i = 0; i < n; i++)
    {
      double sum = 0;
      for (int k = 0; k < taps; k++)
	sum += (double) filter[k] * in[i + k];
      expected[i] = (float) sum;
    }
}

#endif
