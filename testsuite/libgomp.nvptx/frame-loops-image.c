/* Private arrays that loops go through, and that become registers where these are written out, have
   the same elements: forwards, backwards, in steps, with branches, ways out and loops around.
   TEST-MODES: ptxours ptxlanes gpu
   TEST-IMAGE: nvptx
   TEST-OPTIONS: -O2 -fno-builtin  */

#include <stdio.h>

enum { N = 200, EACH = 10, TAPS = 12 };

static float tile[N], tile_expected[N], left[N + EACH], right[N + EACH];
static double taps[N], taps_expected[N];
static int sorted[N], sorted_expected[N];
static unsigned short mixed[N], mixed_expected[N];

/* What happens to element N; on the host the compiler keeps the arrays as it likes.  */
static inline float
multiply (const float *a, const float *b, int n)
{
  float sums[EACH], all = 0;

  for (int i = 0; i < EACH; i++)
    sums[i] = (float) (i - 3);
  for (int k = 0; k < n % 7; k++)
    for (int i = 0; i < EACH; i++)
      sums[i] += a[n + i] * b[n + k] + (float) k;
  for (int i = EACH - 1; i >= 0; i--)
    all = all * 0.5f + sums[i];
  return all;
}

static inline double
filter (int n)
{
  double window[TAPS], sum = 0;

  for (int i = 0; i < TAPS; i++)
    window[i] = (double) (n * i % 11);
  for (int turn = 0; turn < n % 5; turn++)
    {
      for (int i = TAPS - 1; i > 0; i--)
	window[i] = window[i - 1] + 0.25;
      window[0] = turn;
    }
  for (int i = 0; i < TAPS; i += 2)
    {
      if (window[i] > 9)
	continue;
      sum += window[i] * window[i + 1];
    }
  return sum;
}

static inline int
place (int n)
{
  int list[8];

  for (int i = 0; i < 8; i++)
    list[i] = -1;
  for (int k = 0; k < 20; k++)
    {
      int x = (n * 37 + k * 101) % 97;
      for (int i = 0; i < 8; i++)
	if (x > list[i])
	  {
	    int next = list[i];
	    list[i] = x;
	    x = next;
	  }
    }
  for (int i = 0; i < 8; i++)
    if (list[i] < n % 97)
      return i * 1000 + list[i];
  return list[7];
}

static inline unsigned short
mix (int n)
{
  unsigned short parts[16];
  unsigned short sum = 0;

  for (int i = 0; i < 16; i++)
    parts[i] = (unsigned short) (n * i);
  for (int i = 0; i < 16; i++)
    parts[i] ^= (unsigned short) (parts[(i + 1) % 16] << 1);
  for (int i = 0; i < 16; i++)
    sum = (unsigned short) (sum * 3 + parts[i]);
  return sum;
}

int
main (void)
{
  int wrong = 0;

  for (int i = 0; i < N + EACH; i++)
    {
      left[i] = (float) (i % 13);
      right[i] = (float) (i % 7 - 3);
    }
  for (int i = 0; i < N; i++)
    {
      tile_expected[i] = multiply (left, right, i);
      taps_expected[i] = filter (i);
      sorted_expected[i] = place (i);
      mixed_expected[i] = mix (i);
    }
#pragma omp target teams distribute parallel for map (to: left, right) map (from: tile, taps)
  for (int i = 0; i < N; i++)
    {
      tile[i] = multiply (left, right, i);
      taps[i] = filter (i);
    }
#pragma omp target teams distribute parallel for map (from: sorted, mixed)
  for (int i = 0; i < N; i++)
    {
      sorted[i] = place (i);
      mixed[i] = mix (i);
    }
  for (int i = 0; i < N; i++)
    wrong += tile[i] != tile_expected[i] || taps[i] != taps_expected[i]
	     || sorted[i] != sorted_expected[i] || mixed[i] != mixed_expected[i];
  if (wrong > 0)
    printf ("%d elements are wrong\n", wrong);
  return wrong > 0;
}
