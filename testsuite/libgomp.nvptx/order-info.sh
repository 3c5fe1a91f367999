#!/bin/bash
# GOMP_NVPTX_TEAMS=off: what GOMP_INFO tells of additions that have an order, and that have none; the same bits whatever comes first,
# at the second start, too, which knows the image, of which there is one version; as many teams as is good for waiting, and no version with lanes of such regions.
# Otherwise, and with the image's own library, nothing has an order, and the bits differ.
# TEST-MODES: fake
# TEST-TIMEOUT: 120
# TEST-SKIP-SANITIZER: thread the simulator is slow
# TEST-SKIP-SANITIZER: address the simulator is slow
# TEST-SKIP-SANITIZER: undefined the simulator is slow
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
. "$here/aux-lanes.sh"
[ -f "$builddir/nvptx/libgomp.a" ] || skip "built without an offload compiler"
unset GOMP_NVPTX_DEVICE_LIBRARY
export GOMP_PLUGINS=nvptx FAKE_CUDA_PTX=1 FAKE_CUDA_ATTRIBUTE=16:6 OMP_TARGET_OFFLOAD=mandatory

cat > "$tmp/t.c" <<'PROGRAM'
#include <stdio.h>
#include <stdlib.h>
enum { N = 1000 };
static double x[N];

static double
ordered (void)
{
  double s = 0;
  #pragma omp target teams distribute parallel for map (to: x) map (tofrom: s) reduction (+: s)
  for (int i = 0; i < N; i++)
    s += x[i];
  return s;
}

static double
in_a_loop (void)
{
  double s = 0;
  #pragma omp target teams distribute parallel for map (to: x) map (tofrom: s)
  for (int i = 0; i < N / 10; i++)
    {
      #pragma omp atomic
      s += x[i];
    }
  return s;
}

static long
whole (void)
{
  long s = 0;
  #pragma omp target teams distribute parallel for map (tofrom: s) reduction (+: s)
  for (int i = 0; i < N; i++)
    s += i;
  return s;
}

int
main (int argc, char **argv)
{
  unsigned long long state = 1;
  for (int i = 0; i < N; i++)
    {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      x[i] = ((double) (state >> 33) / (1u << 31) - 0.5) * (1u << state % 29) / (1 << 20);
    }
  printf ("%a\n", ordered ());
  (void) argv;
  return argc > 1 ? 0 : in_a_loop () != in_a_loop () + 1e300 && whole () != (long) N * (N - 1) / 2;
}
PROGRAM
level=-O2
compile "$tmp/t.c" $level
run ()	# NAME=VALUE...: output to out and err
{
  timeout 60 env "LD_LIBRARY_PATH=$libdir:$builddir/testsuite/fake-cuda/.libs" GOMP_CACHE=off "$@" "$tmp/build/image" > "$tmp/out" 2> "$tmp/err" \
    || bad "$*: $(grep -v info: "$tmp/err" | head -5)"
}
tells () { grep -qE -- "$1" "$tmp/err" || bad "$what: not told: $1 in: $(grep -E 'order|come|teams of' "$tmp/err")"; }
tells_not () { ! grep -E -- "$1" "$tmp/err" || bad "$what: told: $1"; }

what="off"
run GOMP_NVPTX_TEAMS=off GOMP_INFO=2 GOMP_NVPTX_LANES=wait
tells 'ordered\$_omp_fn\$1: threads add their parts in order'
tells 'ordered\$_omp_fn\$0[^ ]*: teams add their parts in order'
tells 'in_a_loop\$_omp_fn\$1: floating-point numbers are added as they come: it may be made several times'
tells_not 'whole.*(order|as they come)'
tells 'ordered\$_omp_fn\$1: threads are warps, not lanes: its threads add their parts in order, by GOMP_NVPTX_TEAMS=off'
tells 'whole\$_omp_fn\$1: threads can be lanes'
# Of 6 multiprocessors; that many whose threads do not wait for others.
tells 'ordered\$_omp_fn\$0: 4 teams of'
tells 'in_a_loop\$_omp_fn\$0[^:]*: ([89]|[1-9][0-9]+) teams of'
what="the image's library"
run GOMP_NVPTX_TEAMS=off GOMP_NVPTX_DEVICE_LIBRARY=image GOMP_INFO=2
tells 'ordered\$_omp_fn\$1: floating-point numbers are added as they come: the image keeps its device library'
tells_not 'in order'
for setting in auto 4; do
  what=$setting
  run GOMP_NVPTX_TEAMS=$setting GOMP_INFO=2
  tells_not 'in order|as they come'
done

# results NAME=VALUE...: how many different ones there are.
results ()
{
  for seed in 1 2 3 4 5 6 7 8; do
    run "PTX_SIM_ORDER=random:$seed" GOMP_NVPTX_LANES=off "$@"
    head -1 "$tmp/out"
  done | sort -u | wc -l
}
[ "$(results GOMP_NVPTX_TEAMS=4)" -gt 1 ] || bad "4 teams: the bits are the same: the test is about nothing"
for level in -O0 -O1 -O3 -O2; do
  compile "$tmp/t.c" $level
  [ "$(results GOMP_NVPTX_TEAMS=off)" = 1 ] || bad "$level: the bits differ"
  run GOMP_NVPTX_TEAMS=off GOMP_INFO=2
  what=$level
  tells 'ordered\$_omp_fn\$1: threads add their parts in order'
  tells 'ordered\$_omp_fn\$0[^ ]*: teams add their parts in order'
done

# Starts with a cache.  The setting is part of what makes one start like another.
cached () { run GOMP_CACHE=on "GOMP_CACHE_DIR=$tmp/cache" GOMP_DEBUG=1 "$@"; }
known='known from an earlier start'
cached GOMP_NVPTX_TEAMS=off GOMP_NVPTX_LANES=off
first=$(head -1 "$tmp/out")
what="first start"; tells_not "$known"
cached GOMP_NVPTX_TEAMS=off GOMP_NVPTX_LANES=off PTX_SIM_ORDER=random:3
what="second start"; tells "$known"
[ "$(head -1 "$tmp/out")" = "$first" ] || bad "the second start has other bits"
cached GOMP_NVPTX_TEAMS=4 GOMP_NVPTX_LANES=off
what="other setting"; tells_not "$known"

# One version of the image, which all starts have: with lanes, for which the first one waits, also where another process could link it.
dir=$tmp
complain () { bad "$what: $*"; }
. "$here/aux-child.sh"
for start in first second third; do
  cached "LD_LIBRARY_PATH=$dir/lib:$builddir/testsuite/fake-cuda/.libs" "GOMP_CACHE_DIR=$dir/lanes" GOMP_NVPTX_TEAMS=off FAKE_CUDA_VERSION=13000
  what="$start start with lanes"
  if [ $start = first ]; then tells_not "$known"; else tells "$known"; fi
  await_end
done
[ "$(children)" = 0 ] || bad "another process has linked a version of the image"
files=("$dir/lanes"/*.cubin)
[ ${#files[@]} = 1 ] || bad "${#files[@]} versions of the image are kept"
exit $status
