#!/bin/bash
# A program with declare target variables, and one with a critical construct, has lanes at its first start, too: the version with lanes is linked meanwhile such that it has the same
# variables as what was linked before, and regions go over to it and back, as the library measures, without anything lost.  The next start has it from the cache.
# TEST-MODES: fake
# TEST-TIMEOUT: 240
# TEST-SKIP-SANITIZER: thread the simulator is slow
# TEST-SKIP-SANITIZER: address the simulator is slow
# TEST-SKIP-SANITIZER: undefined the simulator is slow
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
. "$here/aux-lanes.sh"
. "$here/aux-first-start.sh"

cat > "$tmp/t.c" <<'PROGRAM'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
enum { N = 2000, REGIONS = 9, MORE = 40 };
static double x[N], y[N];
#if VARIABLES
#pragma omp declare target
static double factors[REGIONS] = { 1, 1.5, 0.5, 2, 0.25, 3, 1.25, 0.125, 0.75 };
static long calls;
struct place { const char *name; long *where, count[2]; } near = { "ab", &calls, { 4, 5 } }, far = { "cd", &near.count[1], { 6, 7 } };
#pragma omp end declare target
#define BEFORE
#define LOCK
#else
static double factors[REGIONS] = { 1, 1.5, 0.5, 2, 0.25, 3, 1.25, 0.125, 0.75 };
static long calls;
#define BEFORE map (tofrom: calls) map (to: factors)
#endif
#define PRAGMA(text) _Pragma (#text)
#if VARIABLES
#define COUNT _Pragma ("omp atomic") calls++; if (i == 0) { far.count[0]++; *far.where += near.name[1]; }
#else
#define COUNT _Pragma ("omp critical") calls++;
#endif
#define REGION(k, value)							\
  static __attribute__ ((noinline)) void					\
  region##k (void)							\
  {									\
    PRAGMA (omp target teams distribute parallel for map (tofrom: x) BEFORE)	\
    for (int i = 0; i < N; i++)						\
      {									\
	double v = x[i];						\
	x[i] = value;							\
	if (i % 100 == 0)						\
	  {								\
	    COUNT							\
	  }								\
      }									\
  }									\
  static void								\
  host##k (void)								\
  {									\
    for (int i = 0; i < N; i++)						\
      {									\
	double v = y[i];						\
	y[i] = value;							\
      }									\
  }
REGION (0, v * factors[0] + i)
REGION (1, v * factors[1] - 1)
REGION (2, v * factors[2] + i % 3)
REGION (3, v * factors[3] - i % 5)
REGION (4, v * factors[4] + 2)
REGION (5, v * factors[5] / (i + 1))
REGION (6, v * factors[6] + factors[7])
REGION (7, v * factors[7])
REGION (8, v * factors[8])
#define ALL(f) { f##0, f##1, f##2, f##3, f##4, f##5, f##6, f##7, f##8 }
static void (*const regions[]) (void) = ALL (region), (*const hosts[]) (void) = ALL (host);

/* Does the library say in FILE that there are lanes?  */
static int
has_lanes (const char *file)
{
  static char text[1 << 20];
  FILE *f = fopen (file, "r");
  if (f == NULL)
    exit (2);
  text[fread (text, 1, sizeof (text) - 1, f)] = 0;
  fclose (f);
  return strstr (text, "kernels have had versions with lanes since") != NULL;
}

int
main (int argc, char **argv)
{
  int end = argc > 1 ? 3000 : MORE;
  for (int k = 0; k < end; k++)
    {
      regions[k % REGIONS] ();
      hosts[k % REGIONS] ();
#if VARIABLES
#pragma omp target update from (calls, near, far)
      if (far.count[0] != 6 + k + 1 || near.count[1] != 5 + (k + 1) * 'b')
	{
	  printf ("region %d: %ld and %ld\n", k, far.count[0], near.count[1]);
	  return 1;
	}
      factors[1] = k % 4 + 1;
#pragma omp target update to (factors)
#endif
      if (calls != (k + 1) * (N / 100l))
	{
	  printf ("region %d: %ld calls\n", k, calls);
	  return 1;
	}
      if (end == 3000 && has_lanes (argv[1]))
	end = k + MORE;
      if (end == 3000)
	nanosleep (&(struct timespec) { .tv_nsec = 20000000 }, NULL);
    }
  for (int i = 0; i < N; i++)
    if (!(x[i] - y[i] <= 1e-9 * y[i] + 1e-9 && y[i] - x[i] <= 1e-9 * y[i] + 1e-9))
      {
	printf ("%d: %g, not %g\n", i, x[i], y[i]);
	return 1;
      }
  printf (end == 3000 ? "never lanes\n" : "right\n");
  return 0;
}
PROGRAM

export GOMP_NVPTX_LANES=later GOMP_DEBUG=2 GOMP_CACHE_DIR=$tmp/cache
# run WHAT ARGUMENT...
run ()
{
  local what=$1; shift
  timeout 100 "$tmp/build/image" "$@" > "$tmp/out" 2> "$tmp/log"
  [ "$(cat "$tmp/out")" = right ] || bad "$what: $(cat "$tmp/out"), $(grep -v "on queue\|registers" "$tmp/log" | tail -5)"
}
says () { grep -qE "$2" "$tmp/log" || bad "$1: no line has $2"; }
for variables in 1 0; do
  what="variables $variables"
  rm -rf "$tmp/cache" "$tmp/pids"; told=0
  compile "$tmp/t.c" -O2 -DVARIABLES=$variables
  run "$what, first start" "$tmp/log"
  says "$what" "its modules share [0-9]+ variables"
  says "$what" "threads are warps until its version with lanes is linked"
  says "$what" "its version with lanes for this start was linked in"
  says "$what" 'region[0-9]\$_omp_fn\$0\$lanes on queue'
  # On a busy machine the version with lanes may be there before the first launch.
  grep -q 'region0\$_omp_fn\$0 on queue' "$tmp/log" || echo "$what: no warps"
  # The process that links for later starts may outlive this one.
  await_end
  run "$what, second start"
  says "$what, second start" "known from an earlier start|found in the cache"
  ! grep -q "its modules share\|alone" "$tmp/log" || bad "$what: the second start links in parts"
  # With lanes first the parts share the variables, too.
  rm -rf "$tmp/cache"
  GOMP_NVPTX_LANES=auto run "$what, lanes first"
  says "$what, lanes first" "its modules share [0-9]+ variables"
  says "$what, lanes first" 'region0\$_omp_fn\$0\$lanes on queue'
  ! grep -q 'region0\$_omp_fn\$0 on queue' "$tmp/log" || bad "$what, lanes first: there are warps"
  await_end
done
exit $status
