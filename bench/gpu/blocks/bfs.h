/* bfs.h -- distances from a vertex of a graph: sizes, the graph and the serial reference.  */

#ifndef BFS_H
#define BFS_H 1

#include "blocks.h"

/* A strip of so many columns, in which a part of the edges is missing, and vertices with many edges
   every few rows.  */
enum { COLUMNS = 128, HUB_ROWS = 200, HUB_EDGES = 2000, HUB_REACH = 8 };
/* THREADS is also how many vertices a team takes at a time; ROOM is how many new ones it can
   keep.  */
enum { THREADS = 128, ROOM = 4 * THREADS, TEAMS = 264 };

struct graph
{
  int vertices, edges;
  /* The edges of vertex v lead to targets[offsets[v]] to targets[offsets[v + 1] - 1].  */
  int *offsets, *targets;
};

static inline int
teams_for (int vertices)
{
  int needed = (vertices + THREADS - 1) / THREADS;
  return needed < TEAMS ? needed : TEAMS;
}

static inline void
add_both (int *from, int *to, int *edges, int v, int w)
{
  from[*edges] = v, to[(*edges)++] = w;
  from[*edges] = w, to[(*edges)++] = v;
}

static inline struct graph
make_graph (int rows)
{
  unsigned long long state = 6;
  int vertices = rows * COLUMNS, edges = 0;
  long most = 4l * vertices + 2l * HUB_EDGES * (rows / HUB_ROWS + 1);
  int *from = ARRAY (int, most), *to = ARRAY (int, most);

  for (int v = 0; v < vertices; v++)
    {
      if (v % COLUMNS != COLUMNS - 1 && draw_below (&state, 10) < 7)
	add_both (from, to, &edges, v, v + 1);
      if (v + COLUMNS < vertices && draw_below (&state, 10) < 7)
	add_both (from, to, &edges, v, v + COLUMNS);
    }
  for (int row = 0; row < rows; row += HUB_ROWS)
    {
      int low = row < HUB_REACH ? 0 : row - HUB_REACH;
      int high = row + HUB_REACH < rows ? row + HUB_REACH : rows;
      for (int i = 0; i < HUB_EDGES; i++)
	add_both (from, to, &edges, row * COLUMNS + COLUMNS / 2,
		  low * COLUMNS + draw_below (&state, (unsigned) (high - low) * COLUMNS));
    }

  struct graph g = { vertices, edges, ARRAY (int, vertices + 2), ARRAY (int, edges) };
  /* The edges of v are counted behind those of the vertices before it, one place further than they
     will be.  */
  memset (g.offsets, 0, (size_t) (vertices + 2) * sizeof (int));
  for (int e = 0; e < edges; e++)
    g.offsets[from[e] + 2]++;
  for (int v = 2; v < vertices + 2; v++)
    g.offsets[v] += g.offsets[v - 1];
  for (int e = 0; e < edges; e++)
    g.targets[g.offsets[from[e] + 1]++] = to[e];
  free (from);
  free (to);
  return g;
}

/* Of each vertex from vertex 0; -1 where no way leads.  */
static inline void
find_distances (struct graph g, int *distances)
{
  int *order = ARRAY (int, g.vertices), known = 1;

  for (int v = 0; v < g.vertices; v++)
    distances[v] = -1;
  distances[0] = 0;
  order[0] = 0;
  for (int i = 0; i < known; i++)
    for (int e = g.offsets[order[i]]; e < g.offsets[order[i] + 1]; e++)
      if (distances[g.targets[e]] < 0)
	{
	  distances[g.targets[e]] = distances[order[i]] + 1;
	  order[known++] = g.targets[e];
	}
  free (order);
}

#endif
