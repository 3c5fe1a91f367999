/* sparse.c -- kernels that read or write here and there: a sparse matrix times a vector, histograms with
   atomic operations.  */

#include "kernels.h"

#define MOST (SPMV_ROWS * (SPMV_PER_ROW + SPMV_PER_ROW / 2))

static void
spmv_init (void **host)
{
  int *begin = host[0], *column = host[1];
  float *value = host[2], *x = host[3];
  int n = 0;
  for (int row = 0; row < SPMV_ROWS; row++)
    {
      begin[row] = n;
      int count = SPMV_PER_ROW / 2 + scramble (row) % (SPMV_PER_ROW + 1);
      for (int k = 0; k < count; k++, n++)
	{
	  /* Near the diagonal mostly.  */
	  unsigned far = scramble (n) % 8 == 0 ? SPMV_ROWS : 64;
	  column[n] = (int) ((row + scramble (n + 1) % far) % SPMV_ROWS);
	  value[n] = (float) (n & 3);
	}
      x[row] = (float) (row & 7);
    }
  begin[SPMV_ROWS] = n;
}

static void
spmv_run (void **device)
{
  int *begin = device[0], *column = device[1];
  float *value = device[2], *x = device[3], *y = device[4];
#pragma omp target teams distribute parallel for SHAPE is_device_ptr (begin, column, value, x, y)
  for (int row = 0; row < SPMV_ROWS; row++)
    {
      float sum = 0;
      for (int k = begin[row]; k < begin[row + 1]; k++)
	sum += value[k] * x[column[k]];
      y[row] = sum;
    }
}

static int
spmv_check (void **host)
{
  const int *begin = host[0], *column = host[1];
  const float *value = host[2], *x = host[3], *y = host[4];
  for (int row = 0; row < SPMV_ROWS; row++)
    {
      float sum = 0;
      for (int k = begin[row]; k < begin[row + 1]; k++)
	sum += value[k] * x[column[k]];
      if (y[row] != sum)
	return 0;
    }
  return 1;
}

const struct kernel spmv = {
  "SpMV CSR",
  { (SPMV_ROWS + 1) * sizeof (int), MOST * sizeof (int), MOST * sizeof (float),
    SPMV_ROWS * sizeof (float), SPMV_ROWS * sizeof (float) },
  spmv_init, spmv_run, spmv_check
};

/* Counts on top of what is there: the first bins are begun anew for each run.  */
static void
histogram_init (void **host)
{
  unsigned char *a = host[0];
  for (int i = 0; i < HISTOGRAM_N; i++)
    a[i] = (unsigned char) (scramble (i) % BINS);
  memset (host[1], 0, BINS * sizeof (unsigned));
}

static void
histogram_run (void **device)
{
  unsigned char *a = device[0];
  unsigned *bins = device[1];
#pragma omp target teams distribute parallel for SHAPE_OF_ATOMICS is_device_ptr (a, bins)
  for (int i = 0; i < HISTOGRAM_N; i++)
    {
#pragma omp atomic
      bins[a[i]]++;
    }
}

static int
histogram_check (void **host)
{
  const unsigned char *a = host[0];
  const unsigned *bins = host[1];
  unsigned expected[BINS] = { 0 };
  for (int i = 0; i < HISTOGRAM_N; i++)
    expected[a[i]]++;
  return memcmp (bins, expected, sizeof (expected)) == 0;
}

const struct kernel histogram = {
  "histogram", { HISTOGRAM_N, BINS * sizeof (unsigned) }, histogram_init, histogram_run, histogram_check
};

static void
weights_init (void **host)
{
  int *where = host[0];
  float *weight = host[1];
  for (int i = 0; i < WEIGHTS_N; i++)
    {
      where[i] = (int) (scramble (i) % WEIGHT_BINS);
      weight[i] = (float) (i & 3);
    }
  memset (host[2], 0, WEIGHT_BINS * sizeof (float));
}

static void
weights_run (void **device)
{
  int *where = device[0];
  float *weight = device[1], *sum = device[2];
#pragma omp target teams distribute parallel for SHAPE_OF_ATOMICS is_device_ptr (where, weight, sum)
  for (int i = 0; i < WEIGHTS_N; i++)
    {
#pragma omp atomic
      sum[where[i]] += weight[i];
    }
}

static int
weights_check (void **host)
{
  const int *where = host[0];
  const float *weight = host[1], *sum = host[2];
  static float expected[WEIGHT_BINS];
  memset (expected, 0, sizeof (expected));
  for (int i = 0; i < WEIGHTS_N; i++)
    expected[where[i]] += weight[i];
  return memcmp (sum, expected, sizeof (expected)) == 0;
}

const struct kernel weights = {
  "float atomics",
  { WEIGHTS_N * sizeof (int), WEIGHTS_N * sizeof (float), WEIGHT_BINS * sizeof (float) },
  weights_init, weights_run, weights_check
};
