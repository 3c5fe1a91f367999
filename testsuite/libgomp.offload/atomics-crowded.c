/* Many threads update a few places at a time, by atomic constructs for which processors have no instruction and by
   reductions: nothing is lost, and what a captured update has seen was seen by no other.
   TEST-MODES: host cpu gpu  */

#include <stdlib.h>

#define N 700
#define PLACES 3

static float f[PLACES], product[PLACES], seen_f[N];
static double d[PLACES], seen_d[N];
static unsigned short bits[PLACES];
static long long ll[PLACES];
static unsigned char count[N];

static void
check (int right, int line)
{
  if (!right)
    {
      __builtin_printf ("line %d\n", line);
      abort ();
    }
}
#define CHECK(x) check (x, __LINE__)

/* Values I to N - 1, of those with N % PLACES == I % PLACES, each once?  */
static int
each_once (int (*seen) (int))
{
  for (int i = 0; i < N; i++)
    count[i] = 0;
  for (int i = 0; i < N; i++)
    {
      int at = seen (i) * PLACES + i % PLACES;
      if (at < 0 || at >= N || count[at]++ != 0)
	return 0;
    }
  return 1;
}

static int get_f (int i) { return (int) seen_f[i]; }
static int get_d (int i) { return (int) seen_d[i] - 1; }

int
main (void)
{
  float sum = 0, times = 1;
  double dsum = 0, smallest = 1e9;
  int all = 1, largest = -1;

  for (int k = 0; k < PLACES; k++)
    product[k] = 1;
#pragma omp target teams distribute parallel for map (tofrom: f, product, d, bits, ll)
  for (int i = 0; i < N; i++)
    {
      int k = i % PLACES;
#pragma omp atomic
      f[k] += 1;
#pragma omp atomic
      product[k] *= i < 30 ? 2.0f : 1.0f;
#pragma omp atomic
      d[k] -= 0.5;
#pragma omp atomic
      ll[k] += i;
#pragma omp atomic
      bits[k] |= 1 << i % 16;
    }
  for (int k = 0; k < PLACES; k++)
    {
      int n = (N - k + PLACES - 1) / PLACES;
      long long expected = 0;
      for (int i = k; i < N; i += PLACES)
	expected += i;
      CHECK (f[k] == n && d[k] == -0.5 * n && product[k] == 1024 && ll[k] == expected && bits[k] == 0xffff);
      f[k] = 0;
      d[k] = 0;
    }

  /* Captured, before and after.  */
#pragma omp target teams distribute parallel for map (tofrom: f, d) map (from: seen_f, seen_d)
  for (int i = 0; i < N; i++)
    {
      float before, *at = &f[i % PLACES];	/* sanitizers make two things of two f[]s */
      double after;
#pragma omp atomic capture
      { before = *at; *at += 1; }
#pragma omp atomic capture
      after = d[i % PLACES] += 1;
      seen_f[i] = before;
      seen_d[i] = after;
    }
  CHECK (each_once (get_f) && each_once (get_d));

  /* Some of a warp's threads only.  */
  for (int k = 0; k < PLACES; k++)
    f[k] = d[k] = 0;
#pragma omp target teams distribute parallel for map (tofrom: f, d)
  for (int i = 0; i < N; i++)
    if (i % 7 < 3)
      {
#pragma omp atomic
	f[i % 2] += i % 7;
	if (i % 5 == 1)
	  {
#pragma omp atomic
	    d[0] += 1;
	  }
      }
  float expected[2] = { 0 };
  int fifths = 0;
  for (int i = 0; i < N; i++)
    if (i % 7 < 3)
      {
	expected[i % 2] += i % 7;
	fifths += i % 5 == 1;
      }
  CHECK (f[0] == expected[0] && f[1] == expected[1] && d[0] == fifths);

#pragma omp target teams distribute parallel for reduction (+: sum) map (tofrom: sum)
  for (int i = 0; i < N; i++)
    sum += i & 7;
#pragma omp target teams distribute parallel for reduction (*: times) map (tofrom: times)
  for (int i = 0; i < N; i++)
    times *= i % 50 == 0 ? 2 : 1;
#pragma omp target teams distribute parallel for reduction (max: largest) map (tofrom: largest)
  for (int i = 0; i < N; i++)
    largest = (i ^ 341) > largest ? i ^ 341 : largest;
#pragma omp target teams distribute parallel for reduction (+: dsum) reduction (min: smallest) \
		   reduction (&&: all) map (tofrom: dsum, smallest, all)
  for (int i = 0; i < N; i++)
    {
      dsum += i;
      smallest = (double) (i ^ 341) < smallest ? i ^ 341 : smallest;
      all = all && i >= 0;
    }
  float esum = 0;
  int elargest = -1;
  for (int i = 0; i < N; i++)
    {
      esum += i & 7;
      elargest = (i ^ 341) > elargest ? i ^ 341 : elargest;
    }
  CHECK (sum == esum && times == 16384 && largest == elargest && dsum == N * (N - 1) / 2 && smallest == 0
	 && all == 1);
  return 0;
}
