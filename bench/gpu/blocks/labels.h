/* labels.h -- the connected parts of a picture: sizes, input and the serial reference.  */

#ifndef LABELS_H
#define LABELS_H 1

#include "blocks.h"

enum { TILE = 16, PIXELS = TILE * TILE, THREADS = 256 };
/* The last tiles of a row and of a column are not full.  */
enum { MISSING = 3 };

/* Three in five pixels are set, by which parts are near to becoming one, and long ways lead
   through them.  The label of a pixel that is set is the lowest index in its part, and -1 that of
   others.  */
static inline void
prepare (unsigned char *picture, int *expected, int size)
{
  unsigned long long state = 35;
  int n = size * size, *waiting = ARRAY (int, n);

  for (int i = 0; i < n; i++)
    {
      picture[i] = draw_below (&state, 5) < 3;
      expected[i] = -1;
    }
  for (int first = 0; first < n; first++)
    if (picture[first] && expected[first] < 0)
      {
	int count = 0;

	waiting[count++] = first;
	expected[first] = first;
	while (count > 0)
	  {
	    int at = waiting[--count], x = at % size, y = at / size;
	    const int sides[] = { x > 0 ? at - 1 : -1, x < size - 1 ? at + 1 : -1,
				  y > 0 ? at - size : -1, y < size - 1 ? at + size : -1 };
	    for (int s = 0; s < 4; s++)
	      if (sides[s] >= 0 && picture[sides[s]] && expected[sides[s]] < 0)
		{
		  expected[sides[s]] = first;
		  waiting[count++] = sides[s];
		}
	  }
      }
  free (waiting);
}

#endif
