/* labels.c -- the connected parts of a picture: teams find those of tiles of 16 x 16 in an array,
   then tiles are joined at their borders, then each pixel looks up the first of its part.
   Needs the minimum of what is there and a number, with what was there, on an array of the team and
   on global memory by the same function, and loops that end when other threads have written.  */

#include "labels.h"

/* The first of the trees' pixels above AT.  */
static int
top_of (int *parents, int at)
{
  for (;;)
    {
      int parent;
#pragma omp atomic read
      parent = parents[at];
      if (parent == at)
	return at;
      at = parent;
    }
}

/* Joins the trees of A and B; the lower top becomes the other's parent.  */
static void
join (int *parents, int a, int b)
{
  for (;;)
    {
      int was;

      a = top_of (parents, a);
      b = top_of (parents, b);
      if (a == b)
	return;
      if (a < b)
	{
	  int spare = a;
	  a = b;
	  b = spare;
	}
#pragma omp atomic compare capture
      {
	was = parents[a];
	if (b < parents[a])
	  {
	    parents[a] = b;
	  }
      }
      if (was == a)
	return;
      a = was;
    }
}

static void
label_tiles (const unsigned char *picture, int *labels, int tiles, int size)
{
#pragma omp target teams num_teams (tiles * tiles) thread_limit (THREADS)
  {
    int parents[PIXELS];
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num (), threads = omp_get_num_threads ();
      int left = omp_get_team_num () % tiles * TILE, top = omp_get_team_num () / tiles * TILE;

      for (int i = t; i < PIXELS; i += threads)
	{
	  int x = left + i % TILE, y = top + i / TILE;
	  parents[i] = x < size && y < size && picture[y * size + x] ? i : -1;
	}
#pragma omp barrier
      for (int i = t; i < PIXELS; i += threads)
	if (parents[i] >= 0)
	  {
	    if (i % TILE > 0 && parents[i - 1] >= 0)
	      join (parents, i, i - 1);
	    if (i >= TILE && parents[i - TILE] >= 0)
	      join (parents, i, i - TILE);
	  }
#pragma omp barrier
      for (int i = t; i < PIXELS; i += threads)
	{
	  int x = left + i % TILE, y = top + i / TILE;
	  if (x < size && y < size)
	    {
	      int first = parents[i] >= 0 ? top_of (parents, i) : -1;
	      labels[y * size + x]
		= first < 0 ? -1 : (top + first / TILE) * size + left + first % TILE;
	    }
	}
    }
  }
}

static void
join_tiles (const unsigned char *picture, int *labels, int tiles, int size)
{
#pragma omp target teams num_teams (tiles * tiles) thread_limit (THREADS)
#pragma omp parallel TEAM_OF (THREADS)
  {
    int left = omp_get_team_num () % tiles * TILE, top = omp_get_team_num () / tiles * TILE;

    for (int i = omp_get_thread_num (); i < 2 * TILE; i += omp_get_num_threads ())
      {
	int beside = i < TILE, x = left + (beside ? 0 : i - TILE), y = top + (beside ? i : 0);
	int at = y * size + x, other = beside ? at - 1 : at - size;
	if (x < size && y < size && (beside ? x : y) > 0 && picture[at] && picture[other])
	  join (labels, at, other);
      }
  }
}

static void
look_up (int *labels, int tiles, int size)
{
#pragma omp target teams num_teams (tiles * tiles) thread_limit (THREADS)
#pragma omp parallel TEAM_OF (THREADS)
  {
    int stride = omp_get_num_teams () * omp_get_num_threads ();
    for (int i = omp_get_team_num () * omp_get_num_threads () + omp_get_thread_num ();
	 i < size * size; i += stride)
      if (labels[i] >= 0)
	{
	  int first = top_of (labels, i);
	  if (first != i)
	    {
#pragma omp atomic write
	      labels[i] = first;
	    }
	}
  }
}

static void
label (const unsigned char *picture, int *labels, int tiles, int size)
{
  label_tiles (picture, labels, tiles, size);
  join_tiles (picture, labels, tiles, size);
  look_up (labels, tiles, size);
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 128, 3, 2000);
  int size = a.size * TILE - MISSING, n = size * size;
  unsigned char *picture = ARRAY (unsigned char, n);
  int *labels = ARRAY (int, n), *expected = ARRAY (int, n);

  prepare (picture, expected, size);
#pragma omp target data map (to: picture[:n]) map (tofrom: labels[:n])
  MEASURE ("labels", a.repeats, label (picture, labels, a.size, size));
  return verdict (integers_differ (labels, expected, n));
}
