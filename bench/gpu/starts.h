/* starts.h -- the first regions of a program, each a loop of its own: from main until the device is open, to the end of the first
   one and of all; and how long both take once more.  run-bench.py runs it with empty caches and again.

   Who includes it has defined NAME, a string, and LOOPS (loop): `loop (value)' for each, where a loop is x[i] = value; and perhaps
   CHECK_AFTERWARDS, statements; REQUIRES, clauses; AFTER_LOOP, statements that each region ends with, which have a private COUNTER, the address of CALLS.  */

#include "../bench.h"

#include <math.h>
#include <stdint.h>

#define PRAGMA(...) PRAGMA_OF (__VA_ARGS__)
#define PRAGMA_OF(...) _Pragma (#__VA_ARGS__)
#ifdef REQUIRES
PRAGMA (omp requires REQUIRES)
#endif

enum { COUNT = 100000 };

static double x[COUNT];

/* Each as a region and by the host, which the results are compared with.  */
#ifdef AFTER_LOOP
static long calls;
#define REGION(value)							\
  PRAGMA (omp target map (tofrom: x) firstprivate (counter))		\
  {									\
    PRAGMA (omp parallel for)						\
    for (int i = 0; i < COUNT; i++)					\
      x[i] = value;							\
    AFTER_LOOP								\
  }									\
  if (first == 0)							\
    first = bench_now ();
#else
#define REGION(value)							\
  PRAGMA (omp target teams distribute parallel for map (tofrom: x))	\
  for (int i = 0; i < COUNT; i++)					\
    x[i] = value;							\
  if (first == 0)							\
    first = bench_now ();
#endif
#define ON_HOST(value)							\
  for (int i = 0; i < COUNT; i++)					\
    x[i] = value;

static double
sum_up (void)
{
  double sum = 0;
  for (int i = 0; i < COUNT; i++)
    sum += x[i];
  return sum;
}

static void
begin_data (void)
{
  for (int i = 0; i < COUNT; i++)
    x[i] = i % 100;
}

/* Prints TITLE with the times from BEGIN to the end of the first region and of all, and returns a sum of the results.  */
static double
all_regions (const char *title, double begin)
{
  double first = 0;
#ifdef AFTER_LOOP
  uintptr_t counter = (uintptr_t) &calls;
#endif
  begin_data ();
  LOOPS (REGION)
  double end = bench_now ();
  printf ("%s\t%.4f\t%.4f\n", title, (first - begin) * 1e9, (end - begin) * 1e9);
  return sum_up ();
}

int
main (void)
{
  double begin = bench_now (), sums[2];
  int opened = 0;
#pragma omp target enter data map (to: opened)
  (void) opened;
  double open = bench_now () - begin;
  printf ("open\t%.4f\t%.4f\n", open * 1e9, open * 1e9);
  sums[0] = all_regions (NAME, begin);
  sums[1] = all_regions ("again", bench_now ());
#ifdef CHECK_AFTERWARDS
  CHECK_AFTERWARDS
#endif
#pragma omp target exit data map (delete: opened)
  begin_data ();
  LOOPS (ON_HOST)
  double expected = sum_up ();
  for (int i = 0; i < 2; i++)
    bench_check (fabs (sums[i] - expected) < 1e-9 * fabs (expected), NAME);
  return 0;
}
