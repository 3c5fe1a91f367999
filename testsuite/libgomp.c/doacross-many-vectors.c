/* Loops with more vectors than 64 bits can number: order is kept on all levels.  */
#include "aux-doacross.h"

#define N 6			/* iterations of level 0 */
#define POINTS 12		/* vectors that each goes through */
static const ull counts[LEVELS] = { N, 1ull << 40, 3, 1ull << 50, 1ull << 62 };
static bool is_ull;
static unsigned levels;
static ull points[POINTS][LEVELS];	/* ascending; level 0 is not used */
static int done[N][POINTS], bad;

static int
compare (const void *a, const void *b)
{
  const ull *va = a, *vb = b;
  for (unsigned k = 1; k < LEVELS; k++)
    if (va[k] != vb[k])
      return va[k] < vb[k] ? -1 : 1;
  return 0;
}

/* Few different values on each level, the last index among them.  */
static void
choose_points (void)
{
  static unsigned seed = 1;
  for (;;)
    {
      bool same = false;
      memset (points, 0, sizeof (points));
      for (int j = 0; j < POINTS; j++)
	for (unsigned k = 1; k < levels; k++)
	  {
	    seed = seed * 1103515245 + 12345;
	    unsigned i = (seed >> 8) % (levels < 4 ? 1000 : 4);
	    points[j][k] = i == 0 ? counts[k] - 1 : counts[k] / (levels < 4 ? 1000 : 4) * i;
	  }
      qsort (points, POINTS, sizeof (points[0]), compare);
      for (int j = 1; j < POINTS; j++)
	same |= compare (points[j], points[j - 1]) == 0;
      if (!same)
	return;
    }
}

static void
region (void *unused)
{
  (void) unused;
  ull s, e;
  if (doacross_start (is_ull, DYNAMIC, levels, counts, 1, &s, &e))
    do
      for (int j = 0; j < POINTS; j++)
	{
	  ull v[LEVELS];
	  memcpy (v, points[j], sizeof (v));
	  if (s > 0)
	    {
	      v[0] = s - 1;
	      doacross_wait (is_ull, v);
	      if (done[s - 1][j] != 1)
		__atomic_fetch_add (&bad, 1, __ATOMIC_RELAXED);
	    }
	  done[s][j]++;
	  v[0] = s;
	  doacross_post (is_ull, v);
	}
    while (doacross_next (is_ull, DYNAMIC, &s, &e));
  GOMP_loop_end ();
}

int
main (void)
{
  for (int round = 0; round < 100 && !bad; round++)
    {
      is_ull = round % 2;
      levels = 2 + round % 4;
      choose_points ();
      memset (done, 0, sizeof (done));
      GOMP_parallel (region, NULL, 4, 0);
      for (int i = 0; i < N; i++)
	for (int j = 0; j < POINTS; j++)
	  bad += done[i][j] != 1;
    }
  if (bad)
    printf ("%d wrong\n", bad);
  return bad != 0;
}
