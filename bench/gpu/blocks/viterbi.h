/* viterbi.h -- the most likely states behind observations: sizes, input and the serial
   reference.  */

#ifndef VITERBI_H
#define VITERBI_H 1

#include "blocks.h"

enum { STATES = 128, SYMBOLS = 16, LENGTH = 64, THREADS = STATES };

/* Likelihoods are logarithms in whole numbers, so that there is one result: of equal ways that from
   the lowest state is taken.  MOVES[FROM * STATES + TO] and SHOWS[SYMBOL * STATES + STATE].  */
static inline void
prepare (int *moves, int *shows, unsigned char *symbols, int sequences)
{
  unsigned long long state = 33;

  for (int i = 0; i < STATES * STATES; i++)
    moves[i] = -draw_below (&state, 2000);
  for (int i = 0; i < SYMBOLS * STATES; i++)
    shows[i] = -draw_below (&state, 1000);
  for (long i = 0; i < (long) sequences * LENGTH; i++)
    symbols[i] = (unsigned char) draw_below (&state, SYMBOLS);
}

static inline void
find_exactly (const int *moves, const int *shows, const unsigned char *symbols, int *path)
{
  static unsigned char from[LENGTH][STATES];
  int scores[2][STATES], last = 0;

  for (int s = 0; s < STATES; s++)
    scores[0][s] = shows[symbols[0] * STATES + s];
  for (int i = 1; i < LENGTH; i++)
    for (int to = 0; to < STATES; to++)
      {
	const int *before = scores[(i + 1) % 2];
	int best = 0;
	for (int s = 1; s < STATES; s++)
	  if (before[s] + moves[s * STATES + to] > before[best] + moves[best * STATES + to])
	    best = s;
	scores[i % 2][to] = before[best] + moves[best * STATES + to]
			    + shows[symbols[i] * STATES + to];
	from[i][to] = (unsigned char) best;
      }
  for (int s = 1; s < STATES; s++)
    if (scores[(LENGTH + 1) % 2][s] > scores[(LENGTH + 1) % 2][last])
      last = s;
  for (int i = LENGTH - 1; i >= 0; i--)
    {
      path[i] = last;
      last = from[i][last];
    }
}

#endif
