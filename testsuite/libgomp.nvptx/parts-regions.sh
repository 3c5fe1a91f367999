#!/bin/bash
# Regions that GCC compiles, each with a function that others use, too: what is linked for one alone has all that it calls, and computes what the whole does.
# Those with a critical construct, or with the lock of atomics, with declare target variables or mathematical functions, too: all that was linked has the same variables.
# TEST-MODES: fake
# TEST-TIMEOUT: 300
# TEST-SKIP-SANITIZER: thread the simulator is slow
# TEST-SKIP-SANITIZER: address the simulator is slow
# TEST-SKIP-SANITIZER: undefined the simulator is slow
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
. "$here/aux-lanes.sh"
. "$here/aux-first-start.sh"
after_alone "$tmp/log" >> "$dir/before"

# N regions of several kinds.  VARIABLES: with declare target variables, which the host looks at after each.
program ()
{
  local n=$1 variables=${2:-} k pragma critical value chain loop=loop
  [ -z "$variables" ] || loop="distribute parallel for"	# loop has no other constructs in it
  echo "#define VARIABLES ${variables:-0}"
  cat <<'PROGRAM'
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { N = 40 };
static long x[N];
#pragma omp declare target
struct all { long seen[60], calls; long *last; const char *name; };
struct all there = { { 1, 2 }, 5, 0, "there" };
#define VISIT(k, i) { _Pragma ("omp atomic") there.seen[k] += weights[i & 3]; }
static long first;
long *last = &first;
static const long weights[4] = { 3, 1, 4, 1 };
#pragma omp end declare target
static struct all here = { { 1, 2 }, 5, 0, 0 };
static long *here_last;
static long here_first;
static __attribute__ ((noinline)) long both (long a, int k) { long s = 0; for (int i = 0; i < k; i++) s += a * i; return s; }
PROGRAM
  for ((k = 0; k < n; k++)); do
    critical= chain=
    value="own$k (i + $k)"
    case $((k % 7)) in
      0) pragma="target teams distribute parallel for map (tofrom: x, s) reduction (+: s)" ;;
      1) pragma="target parallel for simd map (tofrom: x, s) reduction (+: s)" ;;
      2) pragma="target map (tofrom: x, s)" chain=1 ;;
      3) pragma="target teams $loop map (tofrom: x, s) reduction (+: s)" ;;
      4) pragma="target parallel for map (tofrom: x, s)" critical="#pragma omp critical (sum)" ;;
      5) pragma="target parallel for map (tofrom: x, s) reduction (+: s, t)" ;;
      6) pragma="target teams distribute parallel for map (tofrom: x, s) reduction (+: s)" value="own$k (i + $k) + (long) (sqrt (i + 0.5) * 4)" ;;
    esac
    cat <<PROGRAM
static __attribute__ ((noinline)) long own$k (long a) { return both (a, $k) + a * $k % 7; }
static __attribute__ ((noinline)) long
region$k (void)
{
  long s = 0, t = 0;
  #pragma omp $pragma
  for (int i = 0; i < N; i++)
    {
      x[i] += $value;
      ${variables:+VISIT ($k, i)}
      if (VARIABLES)
	{
	  ${chain:+*last += there.name[0]; last = &there.seen[$k]; there.last = last; there.calls++;}
	}
      $critical
      s += x[i];
      if ($k % 7 == 5)
	t += x[i];
    }
  return s + t - ($k % 7 == 5 ? s : 0);
}
static long
plain$k (long *y)
{
  long s = 0;
  for (int i = 0; i < N; i++)
    {
      here.seen[$k] += weights[i & 3];
      ${chain:+*here_last += 't'; here_last = &here.seen[$k]; here.calls++;}
      s += y[i] += $value;
    }
  return s;
}
PROGRAM
  done
  echo 'static long (*const regions[]) (void) = {'; for ((k = 0; k < n; k++)); do echo "region$k, "; done
  echo '}; static long (*const plain[]) (long *) = {'; for ((k = 0; k < n; k++)); do echo "plain$k, "; done
  cat <<'PROGRAM'
};
int
main (int argc, char **argv)
{
  static long y[N];
  int bad = 0;
  here_last = &here_first;
  for (int i = 1; i < argc; i++)
    {
      int k = atoi (argv[i]);
      long s = regions[k] (), t = plain[k] (y);
      if (s != t || memcmp (x, y, sizeof (x)) != 0)
	{
	  printf ("region %d: %ld, not %ld\n", k, s, t);
	  bad = 1;
	}
      if (!VARIABLES)
	continue;
      #pragma omp target update from (there, first)
      if (memcmp (there.seen, here.seen, sizeof (here.seen)) != 0 || there.calls != here.calls || first != here_first)
	{
	  printf ("region %d: %ld %ld, not %ld %ld\n", k, there.calls, first, here.calls, here_first);
	  bad = 1;
	}
      /* What the host writes is there for the next one.  */
      here.calls += 10;
      there.calls += 10;
      #pragma omp target update to (there.calls)
    }
  return bad;
}
PROGRAM
}

# run WHAT ALONE ARGUMENT...: as many regions are linked alone, and all are right.
run ()
{
  local what="$level, $1, ${*:3}" alone=$2; shift 2
  rm -rf "$tmp/cache"
  GOMP_CACHE_DIR=$tmp/cache timeout 100 "$tmp/build/image" "$@" > "$tmp/out" 2> "$tmp/log" || bad "$what: $(tail -5 "$tmp/log") $(head -5 "$tmp/out")"
  await_told "$tmp/log"
  grep -c 'region .* alone' "$tmp/log" | grep -qx "$alone" || bad "$what: not $alone alone: $(grep -E "alone|by itself|one by one" "$tmp/log")"
}

for level in -O0 -O2; do
  program 14 > "$tmp/t.c"
  compile "$tmp/t.c" $level
  for ((k = 0; k < 14; k++)); do run "one" 1 $k; done
  run "all" "[0-9]*" 0 1 2 3 4 5 6 7 8 9 10 11 12 13
  program 14 1 > "$tmp/t.c"
  compile "$tmp/t.c" $level
  for k in 2 4 5; do run "one with variables" 1 $k; done
  run "all with variables" "[0-9]*" 0 1 2 3 9 4 5 6 7 8 9 2 10 11 12 13 2
  grep -q "its modules share" "$tmp/log" || bad "$level: they do not"
  FAKE_CUDA_LINK_US=4000 run "several with variables" "[0-9]*" 2 9 2 4 5
done
# A large image: the whole takes longer than a few of its regions.
for variables in "" 1; do
  program 40 $variables > "$tmp/t.c"
  compile "$tmp/t.c" $level
  GOMP_NVPTX_LANES=off FAKE_CUDA_LINK_US=4000 run "several" 4 30 1 14 20
  # shellcheck disable=SC2046
  run "all" "[0-9]*" $(seq 0 39)
done
exit $status
