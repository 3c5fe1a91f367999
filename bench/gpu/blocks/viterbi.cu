/* viterbi.cu -- the kernel of viterbi.c in CUDA.  */

#include "viterbi.h"

static __global__ void
find (const int *moves, const int *shows, const unsigned char *symbols, int *paths)
{
  __shared__ int scores[2][STATES];
  __shared__ unsigned char from[LENGTH][STATES];
  int t = threadIdx.x;
  const unsigned char *own = symbols + (long) blockIdx.x * LENGTH;
  int *path = paths + (long) blockIdx.x * LENGTH;

  scores[0][t] = shows[own[0] * STATES + t];
  for (int i = 1; i < LENGTH; i++)
    {
      const int *before = scores[(i + 1) % 2];
      __syncthreads ();
      int best = before[0] + moves[t], origin = 0;
      for (int s = 1; s < STATES; s++)
	{
	  int score = before[s] + moves[s * STATES + t];
	  if (score > best)
	    {
	      best = score;
	      origin = s;
	    }
	}
      scores[i % 2][t] = best + shows[own[i] * STATES + t];
      from[i][t] = (unsigned char) origin;
    }
  __syncthreads ();
  if (t == 0)
    {
      const int *final = scores[(LENGTH + 1) % 2];
      int last = 0;
      for (int s = 1; s < STATES; s++)
	if (final[s] > final[last])
	  last = s;
      path[LENGTH - 1] = last;
      for (int i = LENGTH - 1; i > 0; i--)
	{
	  last = from[i][last];
	  path[i - 1] = last;
	}
    }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 1024, 2, 1 << 20);
  long n = (long) a.size * LENGTH;
  int *moves = ARRAY (int, STATES * STATES), *shows = ARRAY (int, SYMBOLS * STATES);
  int *paths = ARRAY (int, n), *expected = ARRAY (int, n);
  unsigned char *symbols = ARRAY (unsigned char, n);

  prepare (moves, shows, symbols, a.size);
  for (long i = 0; i < a.size; i++)
    find_exactly (moves, shows, symbols + i * LENGTH, expected + i * LENGTH);
  int *d_moves = on_device (moves, STATES * STATES), *d_shows = on_device (shows, SYMBOLS * STATES);
  int *d_paths = on_device (paths, n);
  unsigned char *d_symbols = on_device (symbols, n);
  MEASURE ("viterbi", a.repeats, find<<<a.size, THREADS>>> (d_moves, d_shows, d_symbols, d_paths));
  from_device (paths, d_paths, n);
  return verdict (integers_differ (paths, expected, n));
}
