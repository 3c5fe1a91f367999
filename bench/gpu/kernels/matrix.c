/* matrix.c -- dense matrices: multiplication, the same with tiles in local arrays, steps of an LU
   decomposition, shortest ways.  */

#include "kernels.h"

#define N MATMUL_N

static void
matmul_init (void **host)
{
  float *a = host[0], *b = host[1];
  for (int i = 0; i < N * N; i++)
    {
      a[i] = (float) (scramble (i) & 7);
      b[i] = (float) (scramble (i + N * N) & 7);
    }
}

/* A sample of the elements.  Sums of small integers: exact.  */
static int
matmul_check (void **host)
{
  const float *a = host[0], *b = host[1], *c = host[2];
  for (int s = 0; s < 4 * N; s++)
    {
      int i = s % N, j = scramble (s) % N;
      float sum = 0;
      for (int k = 0; k < N; k++)
	sum += a[i * N + k] * b[k * N + j];
      if (c[i * N + j] != sum)
	return 0;
    }
  return 1;
}

static void
matmul_run (void **device)
{
  float *a = device[0], *b = device[1], *c = device[2];
#pragma omp target teams distribute parallel for SHAPE collapse (2) is_device_ptr (a, b, c)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      {
	float sum = 0;
	for (int k = 0; k < N; k++)
	  sum += a[i * N + k] * b[k * N + j];
	c[i * N + j] = sum;
      }
}

const struct kernel matmul = {
  "matrix product", { N * N * sizeof (float), N * N * sizeof (float), N * N * sizeof (float) },
  matmul_init, matmul_run, matmul_check
};

/* Each iteration makes TILE x TILE elements.  */
static void
tiles_run (void **device)
{
  float *a = device[0], *b = device[1], *c = device[2];
#pragma omp target teams distribute parallel for SHAPE collapse (2) is_device_ptr (a, b, c)
  for (int i = 0; i < N; i += TILE)
    for (int j = 0; j < N; j += TILE)
      {
	float sum[TILE][TILE] = { { 0 } };
	for (int k = 0; k < N; k++)
	  {
	    float row[TILE], column[TILE];
	    for (int t = 0; t < TILE; t++)
	      {
		row[t] = b[k * N + j + t];
		column[t] = a[(i + t) * N + k];
	      }
	    for (int s = 0; s < TILE; s++)
	      for (int t = 0; t < TILE; t++)
		sum[s][t] += column[s] * row[t];
	  }
	for (int s = 0; s < TILE; s++)
	  for (int t = 0; t < TILE; t++)
	    c[(i + s) * N + j + t] = sum[s][t];
      }
}

const struct kernel tiles = {
  "matrix tiles", { N * N * sizeof (float), N * N * sizeof (float), N * N * sizeof (float) },
  matmul_init, tiles_run, matmul_check
};

/* Gaussian elimination of the first columns, without pivots.  */
static void
lu_init (void **host)
{
  double *a = host[0];
  for (int i = 0; i < LU_N; i++)
    for (int j = 0; j < LU_N; j++)
      a[i * LU_N + j] = fraction (i * LU_N + j) + (i == j ? LU_N : 0);
}

static void
lu_run (void **device)
{
  double *a = device[0];
  for (int k = 0; k < LU_STEPS; k++)
    {
#pragma omp target teams distribute parallel for SHAPE is_device_ptr (a)
      for (int i = k + 1; i < LU_N; i++)
	a[i * LU_N + k] /= a[k * LU_N + k];
#pragma omp target teams distribute parallel for SHAPE collapse (2) is_device_ptr (a)
      for (int i = k + 1; i < LU_N; i++)
	for (int j = k + 1; j < LU_N; j++)
	  a[i * LU_N + j] -= a[i * LU_N + k] * a[k * LU_N + j];
    }
}

/* L times U is what was there: a sample of the rows that are ready.  */
static int
lu_check (void **host)
{
  const double *a = host[0];
  for (int i = 1; i < LU_STEPS; i += 3)
    for (int j = LU_STEPS; j < LU_N; j += 7)
      {
	double sum = a[i * LU_N + j];
	for (int k = 0; k < i; k++)
	  sum += a[i * LU_N + k] * a[k * LU_N + j];
	if (!near (sum, fraction (i * LU_N + j), 1e-6))
	  return 0;
      }
  return 1;
}

const struct kernel lu = {
  "LU steps", { LU_N * LU_N * sizeof (double) }, lu_init, lu_run, lu_check
};

#define F FLOYD_N

static void
floyd_init (void **host)
{
  int *d = host[0];
  for (int i = 0; i < F; i++)
    for (int j = 0; j < F; j++)
      d[i * F + j] = i == j ? 0 : 1 + (int) (scramble (i * F + j) % 1000);
}

static void
floyd_run (void **device)
{
  int *d = device[0];
  for (int k = 0; k < F; k++)
    {
#pragma omp target teams distribute parallel for SHAPE collapse (2) is_device_ptr (d)
      for (int i = 0; i < F; i++)
	for (int j = 0; j < F; j++)
	  {
	    int way = d[i * F + k] + d[k * F + j];
	    if (way < d[i * F + j])
	      d[i * F + j] = way;
	  }
    }
}

/* No way is longer than one over another place, and those from the first place are right.  */
static int
floyd_check (void **host)
{
  const int *d = host[0];
  static int way[F];
  static char done[F];
  for (int i = 0; i < F; i += 7)
    for (int k = 0; k < F; k++)
      for (int j = 0; j < F; j++)
	if (d[i * F + j] > d[i * F + k] + d[k * F + j])
	  return 0;
  memset (done, 0, sizeof (done));
  for (int j = 0; j < F; j++)
    way[j] = j == 0 ? 0 : 1 << 30;
  for (;;)
    {
      int next = -1;
      for (int j = 0; j < F; j++)
	if (!done[j] && (next < 0 || way[j] < way[next]))
	  next = j;
      if (next < 0)
	break;
      done[next] = 1;
      if (d[next] != way[next])
	return 0;
      for (int j = 0; j < F; j++)
	if (j != next)
	  {
	    int length = way[next] + 1 + (int) (scramble (next * F + j) % 1000);
	    way[j] = length < way[j] ? length : way[j];
	  }
    }
  return 1;
}

const struct kernel floyd = {
  "Floyd-Warshall", { F * F * sizeof (int) }, floyd_init, floyd_run, floyd_check
};
