/* sums.c -- reductions of floating-point numbers on a GPU: microseconds of each, the median, and how many different results there
   are.  Run by hand: ./sums with GOMP_NVPTX_TEAMS=off, without, and on another library.  */

#include "../bench.h"

enum { RUNS = 60, FIRST = 10 };
static const long length = 64L << 20, few = 100000, fewer = 10000;
static float *x;
static double *y;

static double
sum_simd (void)
{
  float s = 0;
#pragma omp target teams distribute parallel for simd reduction (+: s) map (tofrom: s)
  for (long i = 0; i < length; i++)
    s += x[i];
  return s;
}

static double
sum (void)
{
  float s = 0;
#pragma omp target teams distribute parallel for reduction (+: s) map (tofrom: s)
  for (long i = 0; i < length; i++)
    s += x[i];
  return s;
}

static double
sum_small (void)
{
  double s = 0;
#pragma omp target teams distribute parallel for reduction (+: s) map (tofrom: s)
  for (long i = 0; i < few; i++)
    s += y[i];
  return s;
}

static double
two_sums_simd (void)
{
  double s = 0, t = 0;
#pragma omp target teams distribute parallel for simd reduction (+: s, t) map (tofrom: s, t)
  for (long i = 0; i < length / 4; i++)
    {
      s += y[i];
      t += y[i] * y[i];
    }
  return s + t;
}

static double
sum_one_team (void)
{
  double s = 0;
#pragma omp target parallel for reduction (+: s) map (tofrom: s)
  for (long i = 0; i < fewer; i++)
    s += y[i];
  return s;
}

static int
compare (const void *a, const void *b)
{
  const double *p = a, *q = b;
  return *p < *q ? -1 : *p > *q;
}

static void
measure (const char *name, double (*run) (void))
{
  double time[RUNS], result[RUNS];
  int results = 0;

  for (int i = 0; i < FIRST; i++)
    run ();
  for (int i = 0; i < RUNS; i++)
    {
      double begin = bench_now ();
      result[i] = run ();
      time[i] = bench_now () - begin;
      bench_check (result[i] > 0, name);
      int seen = 0;
      for (int k = 0; k < i; k++)
	seen |= memcmp (&result[k], &result[i], sizeof (result[i])) == 0;
      results += !seen;
    }
  qsort (time, RUNS, sizeof (time[0]), compare);
  printf ("%s\t%.1f\t%d\n", name, time[RUNS / 2] * 1e6, results);
}

int
main (void)
{
  unsigned long long state = 1;

  x = malloc (length * sizeof (*x));
  y = malloc (length / 4 * sizeof (*y));
  bench_check (x != NULL && y != NULL, "memory");
  for (long i = 0; i < length; i++)
    {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      x[i] = (float) (state >> 40) * 0x1p-24f - 0.3f;
      if (i < length / 4)
	y[i] = x[i] * 1.000001;
    }
#pragma omp target enter data map (to: x[:length], y[:length / 4])
  measure ("sum of 64M floats, simd", sum_simd);
  measure ("sum of 64M floats", sum);
  measure ("sum of 100000 doubles", sum_small);
  measure ("two sums of 16M doubles, simd", two_sums_simd);
  measure ("sum of 10000 doubles, one team", sum_one_team);
#pragma omp target exit data map (delete: x[:length], y[:length / 4])
  free (x);
  free (y);
  return 0;
}
