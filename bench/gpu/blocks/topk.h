/* topk.h -- the largest values of rows: sizes, order, input and the serial reference.  */

#ifndef TOPK_H
#define TOPK_H 1

#include "blocks.h"

#include <algorithm>
#include <cfloat>
#include <climits>
#include <vector>

enum { LARGEST = 16, WIDTH = 5003, THREADS = 128 };

struct item
{
  float value;
  int index;
};

/* Of equal values the first in the row comes first, so that there is one result.  */
BOTH_SIDES bool
before (item a, item b)
{
  return a.value > b.value || (a.value == b.value && a.index < b.index);
}

/* K items in order, the first first.  They stay in registers where the loops are unrolled.  */
template <int K>
struct list
{
  item items[K];
};

/* So many values that they are often equal; each fourth row rises, so that each is larger than all
   before.  */
static inline void
prepare (float *in, float *values, int *indices, long rows)
{
  unsigned long long state = 3;
  std::vector<item> row (WIDTH);

  for (long r = 0; r < rows; r++)
    {
      for (int i = 0; i < WIDTH; i++)
	{
	  float value = 0.125f * (float) (r % 4 == 3 ? i / 2 : draw_below (&state, 20000)) - 1000;
	  in[r * WIDTH + i] = value;
	  row[i] = { value, i };
	}
      std::partial_sort (row.begin (), row.begin () + LARGEST, row.end (), before);
      for (int k = 0; k < LARGEST; k++)
	{
	  values[r * LARGEST + k] = row[k].value;
	  indices[r * LARGEST + k] = row[k].index;
	}
    }
}

#endif
