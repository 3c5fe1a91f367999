/* reduce.c -- reductions: sums of float and double, the greatest int, the place of the least float, and
   a sum of each row by the threads of a team.  */

#include "kernels.h"

struct least
{
  float value;
  int index;
};

static void
sumf_init (void **host)
{
  float *a = host[0];
  for (int i = 0; i < SUM_N; i++)
    a[i] = (float) (scramble (i) & 1);
}

static void
sumf_run (void **device)
{
  float *a = device[0], sum = 0;
#pragma omp target teams distribute parallel for SHAPE reduction (+: sum) map (tofrom: sum) is_device_ptr (a)
  for (int i = 0; i < SUM_N; i++)
    sum += a[i];
  result.f = sum;
}

static int
sumf_check (void **host)
{
  const float *a = host[0];
  double sum = 0;
  for (int i = 0; i < SUM_N; i++)
    sum += a[i];
  return result.f == sum;
}

const struct kernel sumf = {
  "sum float", { SUM_N * sizeof (float), sizeof (union result) }, sumf_init, sumf_run, sumf_check
};

static void
sumd_init (void **host)
{
  double *a = host[0], *b = host[1];
  for (int i = 0; i < SUM_N; i++)
    {
      a[i] = scramble (i) & 15;
      b[i] = i & 7;
    }
}

static void
sumd_run (void **device)
{
  double *a = device[0], *b = device[1], sum = 0;
#pragma omp target teams distribute parallel for SHAPE reduction (+: sum) map (tofrom: sum) \
		   is_device_ptr (a, b)
  for (int i = 0; i < SUM_N; i++)
    sum += a[i] * b[i];
  result.d = sum;
}

static int
sumd_check (void **host)
{
  const double *a = host[0], *b = host[1];
  double sum = 0;
  for (int i = 0; i < SUM_N; i++)
    sum += a[i] * b[i];
  return result.d == sum;
}

const struct kernel sumd = {
  "dot double", { SUM_N * sizeof (double), SUM_N * sizeof (double), sizeof (union result) },
  sumd_init, sumd_run, sumd_check
};

static void
maxi_init (void **host)
{
  int *a = host[0];
  for (int i = 0; i < SUM_N; i++)
    a[i] = (int) scramble (i);
}

static void
maxi_run (void **device)
{
  int *a = device[0], max = INT32_MIN;
#pragma omp target teams distribute parallel for SHAPE reduction (max: max) map (tofrom: max) is_device_ptr (a)
  for (int i = 0; i < SUM_N; i++)
    max = a[i] > max ? a[i] : max;
  result.i = max;
}

static int
maxi_check (void **host)
{
  const int *a = host[0];
  int max = INT32_MIN;
  for (int i = 0; i < SUM_N; i++)
    max = a[i] > max ? a[i] : max;
  return result.i == max;
}

const struct kernel maxi = {
  "max int", { SUM_N * sizeof (int), sizeof (union result) }, maxi_init, maxi_run, maxi_check
};

/* Two variables in one reduction, of the program's own.  */
#pragma omp declare reduction (least: struct least: omp_out = omp_in.value < omp_out.value \
  || (omp_in.value == omp_out.value && omp_in.index < omp_out.index) ? omp_in : omp_out) \
  initializer (omp_priv = (struct least) { 1e30f, INT32_MAX })

static void
argmin_init (void **host)
{
  float *a = host[0];
  for (int i = 0; i < SUM_N; i++)
    a[i] = fraction (i);
}

static void
argmin_run (void **device)
{
  float *a = device[0];
  struct least found = { 1e30f, INT32_MAX };
#pragma omp target teams distribute parallel for SHAPE reduction (least: found) map (tofrom: found) \
		   is_device_ptr (a)
  for (int i = 0; i < SUM_N; i++)
    if (a[i] < found.value || (a[i] == found.value && i < found.index))
      {
	found.value = a[i];
	found.index = i;
      }
  result.i = found.index;
}

static int
argmin_check (void **host)
{
  const float *a = host[0];
  int at = 0;
  for (int i = 0; i < SUM_N; i++)
    at = a[i] < a[at] ? i : at;
  return result.i == at;
}

const struct kernel argmin = {
  "argmin", { SUM_N * sizeof (float), sizeof (union result) }, argmin_init, argmin_run, argmin_check
};

/* A team for each row.  */
static void
rows_init (void **host)
{
  float *a = host[0];
  for (int i = 0; i < ROWS * COLUMNS; i++)
    a[i] = (float) (scramble (i) & 15);
}

static void
rows_run (void **device)
{
  float *a = device[0], *sums = device[1];
#pragma omp target teams distribute is_device_ptr (a, sums)
  for (int i = 0; i < ROWS; i++)
    {
      float sum = 0;
#pragma omp parallel for reduction (+: sum)
      for (int j = 0; j < COLUMNS; j++)
	sum += a[i * COLUMNS + j];
      sums[i] = sum;
    }
}

static int
rows_check (void **host)
{
  const float *a = host[0], *sums = host[1];
  for (int i = 0; i < ROWS; i++)
    {
      float sum = 0;
      for (int j = 0; j < COLUMNS; j++)
	sum += a[i * COLUMNS + j];
      if (sums[i] != sum)
	return 0;
    }
  return 1;
}

const struct kernel rows = {
  "row sums", { ROWS * COLUMNS * sizeof (float), ROWS * sizeof (float) },
  rows_init, rows_run, rows_check
};
