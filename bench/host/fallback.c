/* fallback.c -- target constructs that the host itself executes.

   The default device is the initial device, so that it is the same measurement on a machine
   that has devices.  LLVM's library has these entry points for old programs only.  */

#include "../bench.h"

static int a[1024];

static int
on_host (void)
{
  omp_set_default_device (omp_get_initial_device ());
  return 1;
}

static void
target (long count)
{
  for (long k = 0; k < count; k++)
    {
#pragma omp target
      BENCH_KEEP (0);
    }
}

static void
target_map (long count)
{
  long value = 0;
  for (long k = 0; k < count; k++)
    {
#pragma omp target map (tofrom: value, a)
      value++;
    }
  bench_check (value == count, "target on the host");
}

static void
target_for (long count)
{
  for (long k = 0; k < count; k++)
    {
#pragma omp target teams distribute parallel for
      for (int i = 0; i < 2; i++)
	BENCH_KEEP (i);
    }
}

static void
data (long count)
{
  for (long k = 0; k < count; k++)
    {
#pragma omp target data map (a)
      BENCH_KEEP (k);
    }
}

static void
update (long count)
{
  for (long k = 0; k < count; k++)
    {
#pragma omp target update to (a)
    }
}

static void
enter_exit (long count)
{
  for (long k = 0; k < count; k++)
    {
#pragma omp target enter data map (to: a)
#pragma omp target exit data map (from: a)
    }
}

static const struct bench_row rows[] =
{
  { "target/empty", target, .threads = 2, .before = on_host },
  { "target/map", target_map, .threads = 2, .before = on_host },
  { "target/parallel-for", target_for, .threads = 2, .before = on_host },
  { "target/data", data, .threads = 2, .before = on_host },
  { "target/update", update, .threads = 2, .before = on_host },
  { "target/enter-exit", enter_exit, .threads = 2, .before = on_host },
};

BENCH_MAIN (rows)
