/* bfs.c -- breadth-first search: a launch for each distance, whose teams share the vertices reached
   last, claim their neighbours and gather the new ones in an array of the team.
   Needs atomic operations on variables of the team and of all teams, and hundreds of launches in
   order, of one team and of many, between which the host reads a number.  */

#include "bfs.h"

static void
begin (int *distances, int *frontier, int *sizes, int vertices)
{
#pragma omp target teams num_teams (teams_for (vertices)) thread_limit (THREADS)
#pragma omp parallel TEAM_OF (THREADS)
  {
    int threads = omp_get_num_threads (), stride = omp_get_num_teams () * threads;
    int own = omp_get_team_num () * threads + omp_get_thread_num ();

    for (int v = own; v < vertices; v += stride)
      {
	distances[v] = v == 0 ? 0 : -1;
	sizes[v] = v == 0 ? 1 : 0;
	if (v == 0)
	  frontier[0] = 0;
      }
  }
}

/* From the SIZE vertices of FRONTIER to those at DISTANCE.  */
static void
advance (const int *offsets, const int *targets, int *distances, const int *frontier, int size,
	 int *next, int *next_size, int distance)
{
#pragma omp target teams num_teams (teams_for (size)) thread_limit (THREADS)
  {
    int found[ROOM], count, place;
#pragma omp parallel TEAM_OF (THREADS)
    {
      int t = omp_get_thread_num (), threads = omp_get_num_threads ();
      int stride = omp_get_num_teams () * THREADS;

      for (int first = omp_get_team_num () * THREADS; first < size; first += stride)
	{
	  int end = first + THREADS < size ? first + THREADS : size;

	  if (t == 0)
	    count = 0;
#pragma omp barrier
	  for (int i = first + t; i < end; i += threads)
	    for (int e = offsets[frontier[i]]; e < offsets[frontier[i] + 1]; e++)
	      {
		int v = targets[e], was, at;
#pragma omp atomic read
		was = distances[v];
		if (was >= 0)
		  continue;
		/* All that come now write the same; the first takes the vertex.  */
#pragma omp atomic capture
		{
		  was = distances[v];
		  distances[v] = distance;
		}
		if (was >= 0)
		  continue;
#pragma omp atomic capture
		at = count++;
		if (at < ROOM)
		  {
		    found[at] = v;
		    continue;
		  }
#pragma omp atomic capture
		at = (*next_size)++;
		next[at] = v;
	      }
#pragma omp barrier
	  int kept = count < ROOM ? count : ROOM;
	  if (t == 0)
	    {
#pragma omp atomic capture
	      {
		place = *next_size;
		*next_size += kept;
	      }
	    }
#pragma omp barrier
	  for (int i = t; i < kept; i += threads)
	    next[place + i] = found[i];
	}
    }
  }
}

static void
search (const int *offsets, const int *targets, int *distances, int *frontier, int *next,
	int *sizes, int vertices)
{
  begin (distances, frontier, sizes, vertices);
  for (int distance = 1, size = 1; size > 0; distance++)
    {
      advance (offsets, targets, distances, frontier, size, next, sizes + distance, distance);
      int *spare = frontier;
      frontier = next;
      next = spare;
      if (distance == vertices - 1)
	break;
#pragma omp target update from (sizes[distance : 1])
      size = sizes[distance];
    }
}

int
main (int argc, char **argv)
{
  struct arguments a = read_arguments (argc, argv, 2048, 6, 1000000);
  struct graph g = make_graph (a.size);
  int n = g.vertices, *offsets = g.offsets, *targets = g.targets;
  int *distances = ARRAY (int, n), *expected = ARRAY (int, n);
  int *frontier = ARRAY (int, n), *next = ARRAY (int, n), *sizes = ARRAY (int, n);

  find_distances (g, expected);
#pragma omp target data map (to: offsets[:n + 1], targets[:g.edges]) map (tofrom: distances[:n]) \
			map (alloc: frontier[:n], next[:n], sizes[:n])
  MEASURE ("bfs", a.repeats, search (offsets, targets, distances, frontier, next, sizes, n));
  return verdict (integers_differ (distances, expected, n));
}
