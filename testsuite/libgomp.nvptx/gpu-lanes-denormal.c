/* Sums of floats over teams are right to the last bit where denormal numbers are involved, which the GPU's instruction for them takes for 0; and
   the other updates that have an instruction in kernels without the library.  Sums of numbers that are all multiples of 2^-149, less than
   2^24 of it, are exact in any order.
   TEST-MODES: ptxlanes gpu
   TEST-GPU: ours
   TEST-IMAGE: nvptx
   TEST-ENV: GOMP_NVPTX_LANES=force  */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 600
#define UNIT 0x1p-149f

static float x[N];
static long units[N];
static int bad;

/* Whole numbers, the sum of whose absolute values and START is small: most so that they are denormal, some not.  */
static void
choose (unsigned seed, long start)
{
  unsigned state = seed * 2654435761u + 1;
  for (int i = 0; i < N; i++)
    {
      state = state * 1664525 + 1013904223;
      units[i] = (long) (state >> 20) - 2048;
      if (i % (2 + seed) == 0 && i < 10)
	units[i] = (long) (state >> 12) << 3;	/* up to 2^23, which is normal */
      if (i % 60 == 7)
	units[i] = 0;
    }
  /* What is left of 2^24.  */
  long room = (1 << 24) - 1 - labs (start);
  for (int i = 0; i < N; i++)
    {
      long size = labs (units[i]);
      if (size > room - 4096)
	units[i] = 0;
      else
	room -= size;
      x[i] = (float) units[i] * UNIT;
    }
}

static void
check (const char *what, unsigned seed, int teams, float got, long want)
{
  if (got == (float) want * UNIT)
    return;
  if (bad++ < 5)
    printf ("%s, seed %u, %d teams: %a instead of %a\n", what, seed, teams, got, (float) want * UNIT);
}

static void
sums (unsigned seed, int teams, long start)
{
  long want = start;
  float plain = (float) start * UNIT, simd = plain;

  for (int i = 0; i < N; i++)
    want += units[i];
#pragma omp target teams distribute parallel for reduction (+: plain) map (tofrom: plain) map (to: x) num_teams (teams)
  for (int i = 0; i < N; i++)
    plain += x[i];
  check ("plain", seed, teams, plain, want);
#pragma omp target teams distribute parallel for simd reduction (+: simd) map (tofrom: simd) map (to: x) num_teams (teams)
  for (int i = 0; i < N; i++)
    simd += x[i];
  check ("simd", seed, teams, simd, want);
}

static void
others (int teams)
{
  double d = 1;
  float f = 1, inf = INFINITY, none = NAN;
  int most = INT_MIN;
#pragma omp target teams distribute parallel for reduction (+: d) map (tofrom: d) num_teams (teams)
  for (int i = 0; i < N; i++)
    d += i;
#pragma omp target teams distribute parallel for simd reduction (max: most) map (tofrom: most) num_teams (teams)
  for (int i = 0; i < N; i++)
    most = most > i * 7 % 601 ? most : i * 7 % 601;
#pragma omp target teams distribute parallel for reduction (+: f) map (tofrom: f) num_teams (teams)
  for (int i = 0; i < N; i++)
    f += i;
#pragma omp target teams distribute parallel for reduction (+: inf) map (tofrom: inf) num_teams (teams)
  for (int i = 0; i < N; i++)
    inf += i;
#pragma omp target teams distribute parallel for reduction (+: none) map (tofrom: none) num_teams (teams)
  for (int i = 0; i < N; i++)
    none += i;
  if (d != 1 + N * (N - 1) / 2 || f != 1 + N * (N - 1) / 2 || most != 600 || !isinf (inf) || !isnan (none))
    printf ("%d teams: %g, %g, %d, %g, %g\n", teams, d, f, most, inf, none), bad++;
}

int
main (void)
{
  /* Of the variable's first values one is denormal, one the least normal number, one negative.  */
  static const long starts[] = { 0, 5, 1 << 23, -(3 << 21) };
  for (unsigned seed = 0; seed < 8; seed++)
    {
      choose (seed, starts[seed % 4]);
      sums (seed, 1 + (int) seed * seed, starts[seed % 4]);
    }
  /* One number, which goes below the least normal one, or is added to a denormal one.  */
  for (int i = 0; i < N; i++)
    x[i] = 0, units[i] = 0;
  units[N / 2] = -(1 << 23);
  x[N / 2] = -0x1p-126f;
  sums (100, 3, 3 << 22);
  sums (101, 3, 77);
  sums (102, 3, 1 << 23);
  others (1);
  others (5);
  return bad != 0;
}
