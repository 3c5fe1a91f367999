#!/bin/bash
# Mathematical functions set errno, of which the C library keeps one for all threads of a module.  Nobody reads that, so regions that
# compute so get lanes at their first start.  Where a region leaves something in the library, as rand does, they have lanes at the next one, or, where
# all that is linked can share that, at the first, and in either case the numbers of any other start.
# What a first start waits for has the library's objects as one, unless the driver does not take that.
# TEST-MODES: fake
# TEST-TIMEOUT: 240
# TEST-SKIP-SANITIZER: thread the simulator is slow
# TEST-SKIP-SANITIZER: address the simulator is slow
# TEST-SKIP-SANITIZER: undefined the simulator is slow
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
. "$here/aux-lanes.sh"
. "$here/aux-first-start.sh"

cat > "$tmp/t.c" <<'PROGRAM'
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { N = 40 };
static double x[N], y[N];

static double compute (double a, int i) { return sqrt (a + i) + exp (-a) + pow (a, 1.5) + log (a + 1) - fmod (i, 7); }

int
main (int argc, char **argv)
{
  int bad = 0, rounds = argc > 1 ? atoi (argv[1]) : 1;
  for (int i = 0; i < N; i++)
    x[i] = y[i] = i * 0.25;
  for (int k = 0; k < rounds; k++)
    {
      #pragma omp target teams distribute parallel for map (tofrom: x)
      for (int i = 0; i < N; i++)
	x[i] = compute (x[i], i);
      for (int i = 0; i < N; i++)
	{
	  y[i] = compute (y[i], i);
	  bad |= !(fabs (x[i] - y[i]) <= 1e-12 * (1 + fabs (y[i])));
	  x[i] = y[i] = fabs (fmod (y[i], 10));
	}
#ifdef RANDOM
      int number;
      #pragma omp target map (from: number)
      number = rand ();
      printf ("%d\n", number);
#endif
    }
  if (bad)
    printf ("the results differ\n");
  return bad;
}
PROGRAM

# run WHAT ROUNDS: all is right.
run ()
{
  GOMP_NVPTX_LANES=later GOMP_CACHE_DIR=$tmp/cache timeout 100 "$tmp/build/image" "$2" > "$tmp/out" 2> "$tmp/log" || bad "$level, $1: $(tail -5 "$tmp/log") $(head -5 "$tmp/out")"
  await_told "$tmp/log"
}
says () { grep -qE -- "$2" "$tmp/log" || bad "$level, $1: no line matches $2: $(grep -E 'lanes|linked' "$tmp/log")"; }

for level in -O1 -O2; do
  compile "$tmp/t.c" $level
  rm -rf "$tmp/cache"
  run "first" 40
  says "first" "threads are warps until its version with lanes is linked"
  says "first" "image: 1 object linked .* for this start"
  run "second" 2
  says "second" "known from an earlier start|found in the cache"
  rm -rf "$tmp/cache"
  FAKE_CUDA_FAIL=cuLinkAddData_v2:1:218 run "refused" 2
  says "refused" "image: [0-9]+ objects are not linked as one: cuLinkAddData failed: a PTX JIT compilation failed"
  says "refused" "image: [0-9]+ objects linked .* for this start"
  compile "$tmp/t.c" $level -DRANDOM
  rm -rf "$tmp/cache"
  run "random" 20
  says "random" "threads are warps at this start, as it has the variable [_a-z]+; its version with lanes is linked meanwhile|lanes for this start was linked"
  cp "$tmp/out" "$tmp/first"
  run "random, again" 20
  says "random, again" "known from an earlier start|found in the cache"
  [ "$(sort -u "$tmp/out" | wc -l)" -ge 19 ] && cmp -s "$tmp/first" "$tmp/out" || bad "$level, random: $(diff "$tmp/first" "$tmp/out" | head -5)"
done
exit $status
