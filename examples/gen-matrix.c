/* gen-matrix.c -- made data/diffusion.mtx:   ./gen-matrix > data/diffusion.mtx

   The matrix of a diffusion problem  -div (D grad u) = f,  u = 0 on the boundary,  by linear
   finite elements.  What makes it worth solving by an iterative method:
     - the domain is a lobed blob with a round hole, so rows have no regular structure;
     - the mesh is irregular: grid points are moved by up to a fifth of their distance;
     - D conducts 20 times better along one direction than across it, and the direction turns
       around the hole;
     - in one quarter of the blob everything conducts 50 times better.
   It is symmetric and positive definite for every such D.  The pseudo-random numbers are our
   own and the output is rounded to 9 digits, so every machine writes nearly the same file.  */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define GRID 116		/* points along a side of the square around the domain */
#define SPAN 2.8		/* length of that side */
#define ROW_ROOM 9		/* entries of a row: a point and its neighbours */

static int number[GRID][GRID];	/* of the unknown at a point, -1: none */
static double px[GRID][GRID], py[GRID][GRID];

struct row
{
  int used;
  int col[ROW_ROOM];
  double val[ROW_ROOM];
};

/* A number in [-1, 1) that depends on I, J and WHICH alone.  */
static double
jitter (unsigned i, unsigned j, unsigned which)
{
  unsigned h = i * 2654435761u ^ j * 2246822519u ^ which * 3266489917u;
  h ^= h >> 15;
  h *= 2246822519u;
  h ^= h >> 13;
  h *= 3266489917u;
  h ^= h >> 16;
  return h / 2147483648.0 - 1;
}

static int
inside (double x, double y)
{
  double angle = atan2 (y, x);
  double edge = 1 + 0.22 * cos (3 * angle) + 0.10 * sin (5 * angle);
  return hypot (x, y) < edge && hypot (x - 0.25, y - 0.15) > 0.22;
}

static void
add (struct row *rows, int i, int j, double value)
{
  struct row *r = &rows[i];
  int k;
  for (k = 0; k < r->used && r->col[k] != j; k++)
    ;
  if (k == ROW_ROOM)
    {
      fprintf (stderr, "gen-matrix: row %d has too many entries\n", i);
      exit (1);
    }
  if (k == r->used)
    {
      r->col[k] = j;
      r->val[k] = 0;
      r->used++;
    }
  r->val[k] += value;
}

/* One triangle: its share of the integral of  grad u . D grad v.  */
static void
add_triangle (struct row *rows, const int (*at)[2])
{
  double x[3], y[3], gx[3], gy[3], area2;
  double mx, my, strong, angle, c, s, dxx, dxy, dyy;
  int v, w;

  for (v = 0; v < 3; v++)
    {
      x[v] = px[at[v][0]][at[v][1]];
      y[v] = py[at[v][0]][at[v][1]];
    }
  area2 = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
  for (v = 0; v < 3; v++)
    {
      int a = (v + 1) % 3, b = (v + 2) % 3;
      gx[v] = (y[a] - y[b]) / area2;
      gy[v] = (x[b] - x[a]) / area2;
    }

  mx = (x[0] + x[1] + x[2]) / 3;
  my = (y[0] + y[1] + y[2]) / 3;
  strong = mx < 0 && my < 0 ? 50 : 1;
  angle = atan2 (my - 0.15, mx - 0.25);
  c = cos (angle);
  s = sin (angle);
  dxx = strong * (0.05 * c * c + s * s);
  dxy = strong * (0.05 - 1) * c * s;
  dyy = strong * (0.05 * s * s + c * c);

  for (v = 0; v < 3; v++)
    for (w = 0; w < 3; w++)
      {
	int i = number[at[v][0]][at[v][1]], j = number[at[w][0]][at[w][1]];
	double k = fabs (area2) / 2 * (gx[v] * (dxx * gx[w] + dxy * gy[w])
				       + gy[v] * (dxy * gx[w] + dyy * gy[w]));
	if (i >= 0 && j >= 0 && i >= j)
	  add (rows, i, j, k);
      }
}

int
main (void)
{
  struct row *rows;
  int i, j, k, l, n = 0, entries = 0;

  for (i = 0; i < GRID; i++)
    for (j = 0; j < GRID; j++)
      {
	double h = SPAN / (GRID - 1);
	px[i][j] = -SPAN / 2 + h * (j + 0.2 * jitter (i, j, 1));
	py[i][j] = -SPAN / 2 + h * (i + 0.2 * jitter (i, j, 2));
	number[i][j] = i > 0 && j > 0 && i < GRID - 1 && j < GRID - 1
		       && inside (px[i][j], py[i][j]) ? n++ : -1;
      }
  rows = calloc (n, sizeof *rows);
  if (!rows)
    return 1;

  /* Each square of four points is two triangles.  */
  for (i = 0; i + 1 < GRID; i++)
    for (j = 0; j + 1 < GRID; j++)
      {
	const int lower[3][2] = { { i, j }, { i, j + 1 }, { i + 1, j } };
	const int upper[3][2] = { { i + 1, j + 1 }, { i + 1, j }, { i, j + 1 } };
	add_triangle (rows, lower);
	add_triangle (rows, upper);
      }

  for (i = 0; i < n; i++)
    entries += rows[i].used;
  printf ("%%%%MatrixMarket matrix coordinate real symmetric\n"
	  "%% Anisotropic diffusion on a lobed domain with a hole, linear finite elements.\n"
	  "%% Made by gen-matrix.c of gompx.\n"
	  "%d %d %d\n", n, n, entries);
  for (i = 0; i < n; i++)
    for (j = 0; j <= i; j++)
      {
	/* Print the row in order; rows are short.  */
	for (k = 0, l = -1; k < rows[i].used; k++)
	  if (rows[i].col[k] >= j && (l < 0 || rows[i].col[k] < rows[i].col[l]))
	    l = k;
	if (l < 0)
	  break;
	j = rows[i].col[l];
	printf ("%d %d %.9g\n", i + 1, j + 1, rows[i].val[l]);
      }
  free (rows);
  return ferror (stdout) || fflush (stdout) != 0;
}
