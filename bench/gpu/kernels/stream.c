/* stream.c -- kernels that wait for memory: saxpy, triad.  */

#include "kernels.h"

static void
saxpy_init (void **host)
{
  float *x = host[0], *y = host[1];
  for (int i = 0; i < SAXPY_N; i++)
    {
      x[i] = (float) (i & 1023);
      y[i] = (float) (i & 511);
    }
}

static void
saxpy_run (void **device)
{
  float *x = device[0], *y = device[1];
#pragma omp target teams distribute parallel for SHAPE is_device_ptr (x, y)
  for (int i = 0; i < SAXPY_N; i++)
    y[i] = 3 * x[i] + y[i];
}

static int
saxpy_check (void **host)
{
  const float *y = host[1];
  for (int i = 0; i < SAXPY_N; i++)
    if (y[i] != (float) (3 * (i & 1023) + (i & 511)))
      return 0;
  return 1;
}

const struct kernel saxpy = {
  "saxpy", { SAXPY_N * sizeof (float), SAXPY_N * sizeof (float) }, saxpy_init, saxpy_run, saxpy_check
};

static void
triad_init (void **host)
{
  double *b = host[1], *c = host[2];
  for (int i = 0; i < TRIAD_N; i++)
    {
      b[i] = i & 1023;
      c[i] = i & 511;
    }
}

static void
triad_run (void **device)
{
  double *a = device[0], *b = device[1], *c = device[2], s = 0.5;
#pragma omp target teams distribute parallel for SHAPE is_device_ptr (a, b, c)
  for (int i = 0; i < TRIAD_N; i++)
    a[i] = b[i] + s * c[i];
}

static int
triad_check (void **host)
{
  const double *a = host[0];
  for (int i = 0; i < TRIAD_N; i++)
    if (a[i] != (i & 1023) + 0.5 * (i & 511))
      return 0;
  return 1;
}

const struct kernel triad = {
  "triad", { TRIAD_N * sizeof (double), TRIAD_N * sizeof (double), TRIAD_N * sizeof (double) },
  triad_init, triad_run, triad_check
};
