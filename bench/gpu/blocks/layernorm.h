/* layernorm.h -- rows brought to mean 0 and variance 1, with a gain and a bias for each column:
   sizes, input and the serial reference.  */

#ifndef LAYERNORM_H
#define LAYERNORM_H 1

#include "blocks.h"

/* The width is no multiple of the threads.  */
enum { WIDTH = 1537, THREADS = 256 };
#define EPSILON 1e-5f
#define TOLERANCE 2e-5
#define SCALE 1

/* Rows have means and deviations of their own; each eighth is nearly constant, so that EPSILON
   matters.  */
static inline void
prepare (float *in, float *gain, float *bias, float *expected, long rows)
{
  unsigned long long state = 22;

  for (int i = 0; i < WIDTH; i++)
    {
      gain[i] = draw_between (&state, 0.5f, 2);
      bias[i] = draw_between (&state, -1, 1);
    }
  for (long r = 0; r < rows; r++)
    {
      float *row = in + r * WIDTH, center = draw_between (&state, -2, 2);
      float reach = r % 8 == 3 ? 0.005f : draw_between (&state, 0.5f, 5);
      double mean = 0, variance = 0;

      if (r % 8 == 3)
	center /= 256;
      for (int i = 0; i < WIDTH; i++)
	{
	  row[i] = center + draw_between (&state, -reach, reach);
	  mean += row[i];
	}
      mean /= WIDTH;
      for (int i = 0; i < WIDTH; i++)
	variance += (row[i] - mean) * (row[i] - mean);
      variance /= WIDTH;
      for (int i = 0; i < WIDTH; i++)
	expected[r * WIDTH + i]
	  = (float) ((row[i] - mean) / sqrt (variance + EPSILON) * gain[i] + bias[i]);
    }
}

#endif
