/* objects.c -- the mapping table with many objects: mapping and unmapping 20 000 of them, looking
   them up among 1000 and among 100 000.

   Objects are 64 bytes, with a gap of 64 behind each, so that none are neighbours.  "ordered" goes
   through them by address, "random" in a fixed order without a pattern, "repeated" takes the same
   10 again and again.  */

#include "../bench.h"

#define SOME 20000		/* a hundredth of these when it has to be quick */
#define FEW 1000
#define MANY 100000

static char pool[MANY][128] __attribute__ ((aligned (128)));
static int shuffled[MANY];
static int some = SOME;
static int device;

/* The numbers below N in an order without a pattern.  */
static int *
shuffle (int n)
{
  unsigned long state = 88172645463325252;
  for (int i = 0; i < n; i++)
    shuffled[i] = i;
  for (int i = n - 1; i > 0; i--)
    {
      state ^= state << 13, state ^= state >> 7, state ^= state << 17;
      int k = state % (i + 1), t = shuffled[i];
      shuffled[i] = shuffled[k];
      shuffled[k] = t;
    }
  return shuffled;
}

static inline void
enter (char *one)
{
#pragma omp target enter data map (to: one[0:64])
}

static inline void
leave (char *one)
{
#pragma omp target exit data map (release: one[0:64])
}

static inline void
leave_with_data (char *one)
{
#pragma omp target exit data map (from: one[0:64])
}

/* ---- SOME objects, a construct each ---- */

static int
set_some (void)
{
  if (bench_quick)
    some /= 100;
  return 1;
}

static double begun;

static double
map_ordered (void)
{
  begun = bench_now ();
  for (int i = 0; i < some; i++)
    enter (pool[i]);
  double seconds = bench_now () - begun;
  for (int i = 0; i < some; i++)
    leave (pool[i]);
  return seconds;
}

static double
unmap_ordered (void)
{
  for (int i = 0; i < some; i++)
    enter (pool[i]);
  begun = bench_now ();
  for (int i = 0; i < some; i++)
    leave (pool[i]);
  return bench_now () - begun;
}

static double
unmap_from_ordered (void)
{
  for (int i = 0; i < some; i++)
    enter (pool[i]);
  begun = bench_now ();
  for (int i = 0; i < some; i++)
    leave_with_data (pool[i]);
  return bench_now () - begun;
}

static double
map_random (void)
{
  int *order = shuffle (some);
  begun = bench_now ();
  for (int i = 0; i < some; i++)
    enter (pool[order[i]]);
  double seconds = bench_now () - begun;
  for (int i = 0; i < some; i++)
    leave (pool[order[i]]);
  return seconds;
}

static double
unmap_random (void)
{
  int *order = shuffle (some);
  for (int i = 0; i < some; i++)
    enter (pool[order[i]]);
  begun = bench_now ();
  for (int i = 0; i < some; i++)
    leave (pool[order[i]]);
  return bench_now () - begun;
}

/* Both, COUNT objects: for counting instructions.  */
static void
map_and_unmap (long count)
{
  for (long k = 0; k < count; k++)
    enter (pool[k % MANY]);
  for (long k = 0; k < count; k++)
    leave (pool[k % MANY]);
}

/* ---- SOME objects in one construct, as iterators and deep mapping produce them ---- */

void GOMP_target_enter_exit_data (int, size_t, void **, size_t *, unsigned short *, unsigned,
				  void **);
enum { KIND_TO = 1, KIND_RELEASE = 0x17, FLAG_EXIT = 2 };
static void *list_addrs[SOME];
static size_t list_sizes[SOME];
static unsigned short list_kinds[SOME];

static void
list (int kind, unsigned flags)
{
  for (int i = 0; i < some; i++)
    {
      list_addrs[i] = pool[i];
      list_sizes[i] = 64;
      list_kinds[i] = kind;
    }
  begun = bench_now ();
  GOMP_target_enter_exit_data (-1, some, list_addrs, list_sizes, list_kinds, flags, NULL);
}

static double
map_list (void)
{
  list (KIND_TO, 0);
  double seconds = bench_now () - begun;
  list (KIND_RELEASE, FLAG_EXIT);
  return seconds;
}

static double
unmap_list (void)
{
  list (KIND_TO, 0);
  list (KIND_RELEASE, FLAG_EXIT);
  return bench_now () - begun;
}

/* ---- looking up among N ---- */

static int live;

static int
map_n (int n)
{
  if (bench_quick)
    n /= 100;
  int *order = shuffle (n);
  device = omp_get_default_device ();
  live = n;
  for (int i = 0; i < n; i++)
    enter (pool[order[i]]);
  bench_check (omp_get_num_devices () == 0 || omp_target_is_present (pool[n - 1] + 63, device),
	       "omp_target_is_present");
  return 1;
}

static int
map_few (void)
{
  return map_n (FEW);
}

static int
map_many (void)
{
  return map_n (MANY);
}

static inline void
find (char *one)
{
  if (!omp_target_is_present (one + 3, device))
    abort ();
}

static inline void
update (char *one)
{
#pragma omp target update to (one[0:4])
}

static inline void
region (char *one)
{
#pragma omp target map (to: one[0:64])
  BENCH_KEEP (one);
}

static inline void
reenter (char *one)
{
  enter (one);
  leave (one);
}

#define LOOKUPS(what)							\
  static void								\
  what##_repeated (long count)						\
  {									\
    for (long k = 0; k < count; k++)					\
      what (pool[shuffled[k % 10]]);						\
  }									\
  static void								\
  what##_ordered (long count)						\
  {									\
    for (long k = 0, i = 0; k < count; k++, i = i + 1 < live ? i + 1 : 0) \
      what (pool[i]);								\
  }									\
  static void								\
  what##_random (long count)						\
  {									\
    for (long k = 0, i = 0; k < count; k++, i = i + 1 < live ? i + 1 : 0) \
      what (pool[shuffled[i]]);						\
  }
LOOKUPS (find)
LOOKUPS (update)
LOOKUPS (region)
LOOKUPS (reenter)

/* An object that is not there yet, mapped and unmapped among the others.  */
static void
come_and_go (long count)
{
  static char bytes[64];
  char *other = bytes;
  BENCH_KEEP (other);
  for (long k = 0; k < count; k++)
    {
#pragma omp target enter data map (to: other[0:64])
#pragma omp target exit data map (release: other[0:64])
    }
}

#define BOTH(row, function)						\
  { row "-1000", function, .before = map_few },				\
  { row "-100000", function, .before = map_many }

static const struct bench_row rows[] =
{
  { "map/20000-ordered", .sample = map_ordered, .parts = SOME, .before = set_some },
  { "map/20000-random", .sample = map_random, .parts = SOME, .before = set_some },
  { "map/20000-one-construct", .sample = map_list, .parts = SOME, .before = set_some },
  { "unmap/20000-ordered", .sample = unmap_ordered, .parts = SOME, .before = set_some },
  { "unmap/20000-random", .sample = unmap_random, .parts = SOME, .before = set_some },
  { "unmap/20000-from", .sample = unmap_from_ordered, .parts = SOME, .before = set_some },
  { "unmap/20000-one-construct", .sample = unmap_list, .parts = SOME, .before = set_some },
  { "map+unmap/many", map_and_unmap },
  BOTH ("find/repeated", find_repeated),
  BOTH ("find/ordered", find_ordered),
  BOTH ("find/random", find_random),
  BOTH ("update/repeated", update_repeated),
  BOTH ("update/ordered", update_ordered),
  BOTH ("update/random", update_random),
  BOTH ("region/repeated", region_repeated),
  BOTH ("region/ordered", region_ordered),
  BOTH ("region/random", region_random),
  BOTH ("reenter/repeated", reenter_repeated),
  BOTH ("reenter/ordered", reenter_ordered),
  BOTH ("reenter/random", reenter_random),
  BOTH ("enter+exit/among", come_and_go),
};

BENCH_MAIN (rows)
