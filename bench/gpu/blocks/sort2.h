/* sort2.h -- keys with values sorted: sizes, input and the serial reference.  */

#ifndef SORT2_H
#define SORT2_H 1

#include "blocks.h"

/* A team has BLOCK elements, a thread two pairs of them in each step.  */
enum { THREADS = 256, BLOCK = 1024 };

/* Of equal keys the one with the lower value comes first, so that there is one result.  */
BOTH_SIDES int
comes_after (unsigned key, int value, unsigned other_key, int other_value)
{
  return key > other_key || (key == other_key && value > other_value);
}

struct element
{
  unsigned key;
  int value;
};

static inline int
compare (const void *a, const void *b)
{
  const struct element *x = (const struct element *) a, *y = (const struct element *) b;
  return comes_after (x->key, x->value, y->key, y->value) ? 1 : -1;
}

/* Each key is there eight times on average, and there are keys above 2^31.  */
static inline void
prepare (unsigned *keys, int *values, int *expected_keys, int *expected_values, int n)
{
  unsigned long long state = 26;
  struct element *elements = ARRAY (struct element, n);

  for (int i = 0; i < n; i++)
    {
      elements[i].key = keys[i] = draw_below (&state, n / 8) * 0x3001u;
      elements[i].value = values[i] = i;
    }
  qsort (elements, n, sizeof *elements, compare);
  for (int i = 0; i < n; i++)
    {
      expected_keys[i] = (int) elements[i].key;
      expected_values[i] = elements[i].value;
    }
  free (elements);
}

#endif
