/* flash.h -- attention of all queries of some heads to all keys of their head: sizes, input and the
   serial reference.  */

#ifndef FLASH_H
#define FLASH_H 1

#include "blocks.h"

/* A team has THREADS queries of a head, a thread one of them; TILE keys are there at a time.  */
enum { LENGTH = 512, WIDTH = 32, TILE = 32, THREADS = 128, TEAMS = LENGTH / THREADS };
#define TOLERANCE 1e-5
#define SCALE 1

/* Queries are large enough that the maximum of the scores often rises from tile to tile, and exp of
   a score by itself is often infinite.  */
static inline void
prepare (float *queries, float *keys, float *values, float *expected, int heads)
{
  unsigned long long state = 29;
  double scores[LENGTH];

  for (long i = 0; i < (long) heads * LENGTH * WIDTH; i++)
    {
      queries[i] = draw_between (&state, -40, 40);
      keys[i] = draw_between (&state, -1, 1);
      values[i] = draw_between (&state, -1, 1);
    }
  for (int h = 0; h < heads; h++)
    for (int q = 0; q < LENGTH; q++)
      {
	const float *key = keys + (long) h * LENGTH * WIDTH, *value = values + (key - keys);
	long at = ((long) h * LENGTH + q) * WIDTH;
	double most = -INFINITY, sum = 0, total[WIDTH] = { 0 };

	for (int k = 0; k < LENGTH; k++)
	  {
	    scores[k] = 0;
	    for (int i = 0; i < WIDTH; i++)
	      scores[k] += (double) queries[at + i] * key[k * WIDTH + i];
	    scores[k] /= sqrt ((double) WIDTH);
	    most = scores[k] > most ? scores[k] : most;
	  }
	for (int k = 0; k < LENGTH; k++)
	  {
	    double weight = exp (scores[k] - most);
	    sum += weight;
	    for (int i = 0; i < WIDTH; i++)
	      total[i] += weight * value[k * WIDTH + i];
	  }
	for (int i = 0; i < WIDTH; i++)
	  expected[at + i] = (float) (total[i] / sum);
      }
}

#endif
