/* stencil.c -- kernels that read neighbours: Jacobi's method in the plane, heat in space, the game of
   life.  */

#include "kernels.h"

static void
jacobi_init (void **host)
{
  float *a = host[0];
  for (int i = 0; i < JACOBI_N * JACOBI_N; i++)
    a[i] = (float) (scramble (i) & 255);
  memset (host[1], 0, JACOBI_N * JACOBI_N * sizeof (float));
}

static void
jacobi_run (void **device)
{
  float *a = device[0], *b = device[1];
#pragma omp target teams distribute parallel for SHAPE collapse (2) is_device_ptr (a, b)
  for (int i = 1; i < JACOBI_N - 1; i++)
    for (int j = 1; j < JACOBI_N - 1; j++)
      b[i * JACOBI_N + j] = 0.25f * (a[(i - 1) * JACOBI_N + j] + a[(i + 1) * JACOBI_N + j]
				     + a[i * JACOBI_N + j - 1] + a[i * JACOBI_N + j + 1]);
}

static int
jacobi_check (void **host)
{
  const float *a = host[0], *b = host[1];
  for (int i = 0; i < JACOBI_N; i++)
    for (int j = 0; j < JACOBI_N; j++)
      {
	int edge = i == 0 || j == 0 || i == JACOBI_N - 1 || j == JACOBI_N - 1;
	int at = i * JACOBI_N + j;
	/* Sums of small integers: exact.  */
	if (b[at] != (edge ? 0 : 0.25f * (a[at - JACOBI_N] + a[at + JACOBI_N] + a[at - 1] + a[at + 1])))
	  return 0;
      }
  return 1;
}

const struct kernel jacobi = {
  "stencil 5", { JACOBI_N * JACOBI_N * sizeof (float), JACOBI_N * JACOBI_N * sizeof (float) },
  jacobi_init, jacobi_run, jacobi_check
};

#define PLANE (HEAT_N * HEAT_N)

static void
heat_init (void **host)
{
  double *a = host[0];
  for (int i = 0; i < HEAT_N * PLANE; i++)
    a[i] = scramble (i) & 255;
  memset (host[1], 0, HEAT_N * PLANE * sizeof (double));
}

static void
heat_run (void **device)
{
  double *a = device[0], *b = device[1];
#pragma omp target teams distribute parallel for SHAPE collapse (3) is_device_ptr (a, b)
  for (int i = 1; i < HEAT_N - 1; i++)
    for (int j = 1; j < HEAT_N - 1; j++)
      for (int k = 1; k < HEAT_N - 1; k++)
	{
	  int at = i * PLANE + j * HEAT_N + k;
	  b[at] = 0.5 * a[at] + 0.125 * (a[at - PLANE] + a[at + PLANE] + a[at - HEAT_N] + a[at + HEAT_N]
					 + a[at - 1] + a[at + 1]);
	}
}

static int
heat_check (void **host)
{
  const double *a = host[0], *b = host[1];
  for (int i = 1; i < HEAT_N - 1; i++)
    for (int j = 1; j < HEAT_N - 1; j++)
      for (int k = 1; k < HEAT_N - 1; k++)
	{
	  int at = i * PLANE + j * HEAT_N + k;
	  if (b[at] != 0.5 * a[at] + 0.125 * (a[at - PLANE] + a[at + PLANE] + a[at - HEAT_N]
					      + a[at + HEAT_N] + a[at - 1] + a[at + 1]))
	    return 0;
	}
  return b[0] == 0;
}

const struct kernel heat = {
  "stencil 7", { HEAT_N * PLANE * sizeof (double), HEAT_N * PLANE * sizeof (double) },
  heat_init, heat_run, heat_check
};

static void
life_init (void **host)
{
  unsigned char *a = host[0];
  for (int i = 0; i < LIFE_N * LIFE_N; i++)
    a[i] = scramble (i) % 3 == 0;
}

static void
life_run (void **device)
{
  unsigned char *a = device[0], *b = device[1];
#pragma omp target teams distribute parallel for SHAPE collapse (2) is_device_ptr (a, b)
  for (int i = 0; i < LIFE_N; i++)
    for (int j = 0; j < LIFE_N; j++)
      {
	int alive = 0;
	for (int di = -1; di <= 1; di++)
	  for (int dj = -1; dj <= 1; dj++)
	    alive += a[(i + di + LIFE_N) % LIFE_N * LIFE_N + (j + dj + LIFE_N) % LIFE_N];
	unsigned char self = a[i * LIFE_N + j];
	b[i * LIFE_N + j] = alive == 3 || (alive == 4 && self);
      }
}

static int
life_check (void **host)
{
  const unsigned char *a = host[0], *b = host[1];
  for (int i = 0; i < LIFE_N; i++)
    for (int j = 0; j < LIFE_N; j++)
      {
	int up = (i + LIFE_N - 1) % LIFE_N, down = (i + 1) % LIFE_N;
	int left = (j + LIFE_N - 1) % LIFE_N, right = (j + 1) % LIFE_N;
	int alive = a[up * LIFE_N + left] + a[up * LIFE_N + j] + a[up * LIFE_N + right]
		    + a[i * LIFE_N + left] + a[i * LIFE_N + right]
		    + a[down * LIFE_N + left] + a[down * LIFE_N + j] + a[down * LIFE_N + right];
	if (b[i * LIFE_N + j] != (alive == 3 || (alive == 2 && a[i * LIFE_N + j])))
	  return 0;
      }
  return 1;
}

const struct kernel life = {
  "game of life", { LIFE_N * LIFE_N, LIFE_N * LIFE_N }, life_init, life_run, life_check
};
