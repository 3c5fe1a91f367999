/* regions.c -- what target constructs cost on an NVIDIA GPU: the rows of the table in
   doc/performance.md, compiled with images by any GCC.

   Times are for one construct; rows of 20 000 objects are for one of them, and those of 256 MB and
   of saxpy are for the whole.  run-bench.py runs it on our library and on GCC's in turn.  */

#include "../bench.h"

#define ARRAYS 8
#define LENGTH 1024
#define MANY 20000
#define BULK (256l << 20)
#define N (64l << 20)

static int array[ARRAYS][LENGTH];
static int *a = array[0], *b = array[1], *c = array[2], *d = array[3];
static int *e = array[4], *f = array[5], *g = array[6], *h = array[7];
static char (*many)[128];
static char *bulk;
static float *x, *y;
static int device, host;

static int
have_device (void)
{
  device = omp_get_default_device ();
  host = omp_get_initial_device ();
  return omp_get_num_devices () > 0;
}

static void
empty (long count)
{
  for (long k = 0; k < count; k++)
    {
#pragma omp target
      BENCH_KEEP (0);
    }
}

static void
empty_teams (long count)
{
  for (long k = 0; k < count; k++)
    {
#pragma omp target teams distribute parallel for
      for (int i = 0; i < 1024; i++)
	BENCH_KEEP (i);
    }
}

static void
map_int (long count)
{
  int value = 0;
  for (long k = 0; k < count; k++)
    {
#pragma omp target map (tofrom: value)
      value++;
    }
  bench_check (value == (int) count, "map(tofrom: int)");
}

static void
firstprivate_int (long count)
{
  for (long k = 0; k < count; k++)
    {
#pragma omp target firstprivate (k)
      BENCH_KEEP (k);
    }
}

static void
use_arrays (void)
{
#pragma omp target map (tofrom: a[0:LENGTH], b[0:LENGTH], c[0:LENGTH], d[0:LENGTH]) \
		   map (tofrom: e[0:LENGTH], f[0:LENGTH], g[0:LENGTH], h[0:LENGTH])
  a[0] += b[0] + c[0] + d[0] + e[0] + f[0] + g[0] + h[0];
}

static void
map_arrays (long count)
{
  for (long k = 0; k < count; k++)
    use_arrays ();
}

static void
present_arrays (long count)
{
#pragma omp target data map (tofrom: a[0:LENGTH], b[0:LENGTH], c[0:LENGTH], d[0:LENGTH]) \
			map (tofrom: e[0:LENGTH], f[0:LENGTH], g[0:LENGTH], h[0:LENGTH])
  for (long k = 0; k < count; k++)
    use_arrays ();
}

static void
update_to (long count)
{
#pragma omp target data map (to: a[0:LENGTH])
  for (long k = 0; k < count; k++)
    {
#pragma omp target update to (a[0:1])
    }
}

static void
update_from (long count)
{
#pragma omp target data map (to: a[0:LENGTH])
  for (long k = 0; k < count; k++)
    {
#pragma omp target update from (a[0:1])
    }
}

static void
enter_exit (long count)
{
  for (long k = 0; k < count; k++)
    {
#pragma omp target enter data map (to: a[0:LENGTH])
#pragma omp target exit data map (from: a[0:LENGTH])
    }
}

static void
alloc_free (long count)
{
  for (long k = 0; k < count; k++)
    {
      void *p = omp_target_alloc (1 << 20, device);
      bench_check (p != NULL, "omp_target_alloc");
      omp_target_free (p, device);
    }
}

/* ---- many objects ---- */

static int
allocate_many (void)
{
  return have_device () && (many = malloc (MANY * sizeof (many[0]))) != NULL;
}

static void
enter_many (void)
{
  for (int i = 0; i < MANY; i++)
    {
      char *one __attribute__ ((unused)) = many[i];
#pragma omp target enter data map (alloc: one[0:64])
    }
}

static void
exit_many (void)
{
  for (int i = 0; i < MANY; i++)
    {
      char *one __attribute__ ((unused)) = many[i];
#pragma omp target exit data map (release: one[0:64])
    }
}

static double
map_many (void)
{
  double begin = bench_now ();
  enter_many ();
  double took = bench_now () - begin;
  exit_many ();
  return took;
}

static int
map_for_lookup (void)
{
  if (!allocate_many ())
    return 0;
  enter_many ();
  return 1;
}

static void
lookup (long count)
{
  int present = 0;
  for (long k = 0; k < count; k++)
    present += omp_target_is_present (many[k * 7919 % MANY], device);
  bench_check (present == count, "lookup");
}

/* ---- bulk ---- */

static void *there;

static int
allocate_bulk (void)
{
  if (!have_device () || !(bulk = malloc (BULK)) || !(there = omp_target_alloc (BULK, device)))
    return 0;
  memset (bulk, 1, BULK);
  return 1;
}

static double
bulk_to (void)
{
  double begin = bench_now ();
  omp_target_memcpy (there, bulk, BULK, 0, 0, device, host);
  return bench_now () - begin;
}

static double
bulk_from (void)
{
  double begin = bench_now ();
  omp_target_memcpy (bulk, there, BULK, 0, 0, host, device);
  return bench_now () - begin;
}

/* ---- nowait ---- */

static unsigned results[64];

/* Some 100 microseconds of one thread.  */
#pragma omp declare target
static unsigned
work (unsigned v)
{
  for (int i = 0; i < 20000; i++)
    v = (v ^ v >> 7) * 1664525 + 1013904223;
  return v;
}
#pragma omp end declare target

static void
kernels (int n)
{
  for (int k = 0; k < n; k++)
    {
#pragma omp target nowait firstprivate (k) map (alloc: results)
      results[k] = work (k);
    }
#pragma omp taskwait
}

static int
map_results (void)
{
  if (!have_device ())
    return 0;
#pragma omp target enter data map (to: results)
  return 1;
}

static void one_kernel (long count) { for (long k = 0; k < count; k++) kernels (1); }
static void eight_kernels (long count) { for (long k = 0; k < count; k++) kernels (8); }

/* ---- saxpy, and a sum ---- */

static int
map_vectors (void)
{
  if (x && y)
    return 1;
  if (!have_device () || !(x = malloc (N * sizeof (float))) || !(y = malloc (N * sizeof (float))))
    return 0;
  for (long i = 0; i < N; i++)
    x[i] = 1, y[i] = 2;
#pragma omp target enter data map (to: x[0:N], y[0:N])
  return 1;
}

static double
saxpy (void)
{
  double begin = bench_now ();
#pragma omp target teams distribute parallel for map (to: x[0:N]) map (tofrom: y[0:N])
  for (long i = 0; i < N; i++)
    y[i] += 3 * x[i];
  return bench_now () - begin;
}

static double
saxpy_simd (void)
{
  double begin = bench_now ();
#pragma omp target teams distribute parallel for simd map (to: x[0:N]) map (tofrom: y[0:N])
  for (long i = 0; i < N; i++)
    y[i] += 3 * x[i];
  return bench_now () - begin;
}

static double
sum_simd (void)
{
  float sum = 0;
  double begin = bench_now ();
#pragma omp target teams distribute parallel for simd map (to: x[0:N]) map (tofrom: sum) reduction (+: sum)
  for (long i = 0; i < N; i++)
    sum += x[i];
  double took = bench_now () - begin;
  bench_check (sum > 0.999f * N && sum < 1.001f * N, "sum");
  return took;
}

static const struct bench_row rows[] =
{
  { "empty", empty, .before = have_device },
  { "empty teams", empty_teams, .before = have_device },
  { "map(tofrom: int)", map_int, .before = have_device },
  { "firstprivate(int)", firstprivate_int, .before = have_device },
  { "8 arrays of 4 KB", map_arrays, .before = have_device },
  { "8 arrays present", present_arrays, .before = have_device },
  { "update to 4 B", update_to, .before = have_device },
  { "update from 4 B", update_from, .before = have_device },
  { "enter+exit data 4 KB", enter_exit, .before = have_device },
  { "alloc+free 1 MB", alloc_free, .before = have_device },
  { "map one of 20000", .sample = map_many, .before = allocate_many, .parts = MANY },
  { "look up one of 20000", lookup, .before = map_for_lookup },
  { "256 MB to", .sample = bulk_to, .before = allocate_bulk },
  { "256 MB from", .sample = bulk_from, .before = allocate_bulk },
  { "1 nowait kernel", one_kernel, .before = map_results },
  { "8 nowait kernels", eight_kernels, .before = map_results },
  { "saxpy 64M", .sample = saxpy, .before = map_vectors },
  { "saxpy 64M simd", .sample = saxpy_simd, .before = map_vectors },
  { "sum 64M simd", .sample = sum_simd, .before = map_vectors },
};

BENCH_MAIN (rows)
