/* hash.h -- how often keys occur, counted in a hash table: sizes, input and the serial
   reference.  */

#ifndef HASH_H
#define HASH_H 1

#include "blocks.h"

/* Keys are not 0, which is an empty place.  A team takes KEYS keys.  */
enum { THREADS = 256, EACH = 8, KEYS = THREADS * EACH };

/* Half of the places stay empty if all keys differ.  */
static inline unsigned
places_for (int n)
{
  unsigned places = 1;
  while (places < 2u * n)
    places *= 2;
  return places;
}

BOTH_SIDES unsigned
first_place (unsigned key, unsigned places)
{
  key = (key ^ (key >> 16)) * 0x85ebca6bu;
  key = (key ^ (key >> 13)) * 0xc2b2ae35u;
  return (key ^ (key >> 16)) & (places - 1);
}

/* One key in four is one of 16 that many threads come upon at a time.  Each second key asked for
   may not be there.  EXPECTED_FOUND is how many are.  */
static inline void
prepare (unsigned *keys, unsigned *asked, int *expected, int *expected_found, int n)
{
  unsigned long long state = 23;
  unsigned range = n / 2 + 1, *order = ARRAY (unsigned, n);
  int *counts = ARRAY (int, 2 * range + 1);

  memset (counts, 0, (2 * (size_t) range + 1) * sizeof (int));
  for (int i = 0; i < n; i++)
    {
      order[i] = draw_below (&state, 4) == 0 ? (unsigned) draw_below (&state, 16) % range
					     : (unsigned) draw_below (&state, range);
      counts[order[i]]++;
      keys[i] = order[i] * 2654435761u + 1;
    }
  *expected_found = 0;
  for (int i = 0; i < n; i++)
    {
      unsigned any = draw_below (&state, 2 * range);
      unsigned which = i % 2 == 0 ? order[draw_below (&state, n)] : any;
      asked[i] = which * 2654435761u + 1;
      expected[i] = counts[which];
      *expected_found += counts[which] > 0;
    }
  free (order);
  free (counts);
}

#endif
