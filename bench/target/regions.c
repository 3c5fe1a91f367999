/* regions.c -- what target constructs cost on a device:

     GOMP_CPU_DEVICES=1 ./regions
     GOMP_PLUGINS=null GOMP_PLUGIN_PATH=. ./regions		(plugin-null.c)

   With no device it measures host fallback, and says so.  "arrays" are 4 KB each.  */

#include "../bench.h"

#define ARRAYS 8
#define LENGTH 1024
#define MANY 2000

static int array[ARRAYS][LENGTH];
static int *a = array[0], *b = array[1], *c = array[2], *d = array[3];
static int *e = array[4], *f = array[5], *g = array[6], *h = array[7];
/* Small ones, to have many in one construct.  */
#define NAMES8(x) x##0, x##1, x##2, x##3, x##4, x##5, x##6, x##7
#define NAMES64 NAMES8 (v0), NAMES8 (v1), NAMES8 (v2), NAMES8 (v3), \
		NAMES8 (v4), NAMES8 (v5), NAMES8 (v6), NAMES8 (v7)
static int NAMES64;
/* A variable that a region does not use is not mapped.  */
#define SUM8(x) x##0 + x##1 + x##2 + x##3 + x##4 + x##5 + x##6 + x##7
#define SUM64 SUM8 (v0) + SUM8 (v1) + SUM8 (v2) + SUM8 (v3) \
	      + SUM8 (v4) + SUM8 (v5) + SUM8 (v6) + SUM8 (v7)
static struct shape
{
  int before[4], kind, after[4];
  double x, y, z;
  int *list, length;
} shape = { .list = array[0], .length = LENGTH };
static char block[1 << 20];
static char many[2 * MANY][64];	/* every second one is mapped */

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
      for (int i = 0; i < 2; i++)
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
  if (value != (int) count)
    abort ();
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
firstprivate_8 (long count)
{
  long p = 1, q = 2, r = 3, s = 4, t = 5, u = 6, v = 7;
  for (long k = 0; k < count; k++)
    {
#pragma omp target firstprivate (k, p, q, r, s, t, u, v)
      BENCH_KEEP (k + p + q + r + s + t + u + v);
    }
}

/* Does not travel as a value: needs a copy.  */
static void
firstprivate_array (long count)
{
  int few[16] = { 1 };
  for (long k = 0; k < count; k++)
    {
#pragma omp target firstprivate (few)
      BENCH_KEEP (few);
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
present_1 (long count)
{
#pragma omp target data map (tofrom: v00)
  for (long k = 0; k < count; k++)
    {
#pragma omp target map (tofrom: v00)
      v00++;
    }
}

static void
present_8 (long count)
{
#pragma omp target data map (tofrom: NAMES8 (v0))
  for (long k = 0; k < count; k++)
    {
#pragma omp target map (tofrom: NAMES8 (v0))
      v00 += v01 + v02 + v03 + v04 + v05 + v06 + v07;
    }
}

static void
use_64 (void)
{
#pragma omp target map (tofrom: NAMES64)
  BENCH_KEEP (SUM64);
}

static void
present_64 (long count)
{
#pragma omp target data map (tofrom: NAMES64)
  for (long k = 0; k < count; k++)
    use_64 ();
}

static void
map_64 (long count)
{
  for (long k = 0; k < count; k++)
    use_64 ();
}

static void
always_int (long count)
{
#pragma omp target data map (to: v00)
  for (long k = 0; k < count; k++)
    {
#pragma omp target map (always, tofrom: v00)
      v00++;
    }
}

static void
data_1 (long count)
{
  for (long k = 0; k < count; k++)
    {
#pragma omp target data map (tofrom: v00)
      BENCH_KEEP (k);
    }
}

/* Data regions in data regions, all of the same variables, and a region inside.  */
static void
nested_data (long count)
{
  for (long k = 0; k < count; k++)
    {
#pragma omp target data map (tofrom: NAMES8 (v0))
#pragma omp target data map (tofrom: NAMES8 (v0))
#pragma omp target data map (to: v00, v01)
      {
#pragma omp target map (tofrom: v00, v01)
	v00 += v01;
      }
    }
}

static void
struct_members (long count)
{
  for (long k = 0; k < count; k++)
    {
#pragma omp target map (tofrom: shape.kind, shape.x, shape.z)
      shape.kind += shape.x < shape.z;
    }
}

static void
struct_attach (long count)
{
  for (long k = 0; k < count; k++)
    {
#pragma omp target map (tofrom: shape, shape.list[0:16])
      shape.list[0] += shape.kind;
    }
}

static void
struct_attach_present (long count)
{
#pragma omp target enter data map (to: shape, shape.list[0:16])
  for (long k = 0; k < count; k++)
    {
#pragma omp target map (tofrom: shape, shape.list[0:16])
      shape.list[0] += shape.kind;
    }
#pragma omp target exit data map (delete: shape, shape.list[0:16])
}

static void
data_arrays (long count)
{
  for (long k = 0; k < count; k++)
    {
#pragma omp target data map (tofrom: a[0:LENGTH], b[0:LENGTH], c[0:LENGTH], d[0:LENGTH]) \
			map (tofrom: e[0:LENGTH], f[0:LENGTH], g[0:LENGTH], h[0:LENGTH])
      BENCH_KEEP (k);
    }
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

/* Map many small objects, for the others to be found among.  */
static int
map_many (void)
{
  for (int i = 0; i < MANY; i++)
    {
      char *one = many[2 * i];
#pragma omp target enter data map (alloc: one[0:64])
      BENCH_KEEP (one);
    }
  return 1;
}

static void
alloc_free (long count)
{
  int device = omp_get_default_device ();
  for (long k = 0; k < count; k++)
    {
      void *p = omp_target_alloc (sizeof block, device);
      if (!p)
	abort ();
      omp_target_free (p, device);
    }
}

static void
copy_to (long count)
{
  int device = omp_get_default_device (), host = omp_get_initial_device ();
  void *p = omp_target_alloc (sizeof block, device);
  for (long k = 0; k < count; k++)
    if (!p || omp_target_memcpy (p, block, sizeof block, 0, 0, device, host) != 0)
      abort ();
  omp_target_free (p, device);
}

static void
copy_from (long count)
{
  int device = omp_get_default_device (), host = omp_get_initial_device ();
  void *p = omp_target_alloc (sizeof block, device);
  for (long k = 0; k < count; k++)
    if (!p || omp_target_memcpy (block, p, sizeof block, 0, 0, host, device) != 0)
      abort ();
  omp_target_free (p, device);
}

static void
is_present (long count)
{
  int device = omp_get_default_device (), sum = 0;
  for (long k = 0; k < count; k++)
    sum += omp_target_is_present (array, device);
  BENCH_KEEP (sum);
}

static const struct bench_row rows[] =
{
  { "target", empty },
  { "target/parallel-for", empty_teams },
  { "target/map-int", map_int },
  { "target/firstprivate-int", firstprivate_int },
  { "target/firstprivate-8", firstprivate_8 },
  { "target/firstprivate-64-bytes", firstprivate_array },
  { "target/1-present", present_1 },
  { "target/8-present", present_8 },
  { "target/64-present", present_64 },
  { "target/64-ints", map_64 },
  { "target/always-int", always_int },
  { "target/8-arrays", map_arrays },
  { "target/8-arrays-present", present_arrays },
  { "target/3-members", struct_members },
  { "target/struct-attach", struct_attach },
  { "target/struct-attach-present", struct_attach_present },
  { "data/1-int", data_1 },
  { "data/8-arrays", data_arrays },
  { "data/3-nested", nested_data },
  { "update/to-4", update_to },
  { "update/from-4", update_from },
  { "enter+exit/4K", enter_exit },
  { "omp_target_alloc+free/1M", alloc_free },
  { "omp_target_memcpy/to-1M", copy_to },
  { "omp_target_memcpy/from-1M", copy_from },
  { "omp_target_is_present", is_present },
  { "enter+exit/4K-among-2000", enter_exit, .before = map_many },
  { "target/8-arrays-among-2000", map_arrays, .before = map_many },
};

int
main (int argc, char **argv)
{
  if (omp_get_num_devices () == 0)
    fprintf (stderr, "regions: no device: this is host fallback\n");
  return bench_main (argc, argv, rows, sizeof (rows) / sizeof (rows)[0]);
}
