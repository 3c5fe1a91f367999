#!/bin/bash
# A first start has lanes from its first launch on and links nothing else for it: the kernels' versions with lanes.  The version for warps is linked when a
# launch wants it, of less than 32 threads.  Later starts have both, linked by another process.  Where two modules can't be, or linking fails, a
# start begins with warps.
# TEST-MODES: fake

set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d) || exit 77
trap 'kill_all; rm -rf "$dir"' EXIT
cat > "$dir/t.c" <<'PROGRAM'
#define _GNU_SOURCE
#include "aux-lanes-image.h"

static char launched[1000];
static void warps (const struct fake_cuda_launch *launch) { (void) launch; strcat (launched, "w"); }
static void lanes (const struct fake_cuda_launch *launch) { (void) launch; strcat (launched, "l"); }

/* Arguments: how many threads a launch may have, 0: any; -1: of the second region.  */
int
main (int argc, char **argv)
{
  const char *with_state[] = { AUX_START LIBRARY ".visible .global .align 4 .u32 counter[1];\n" AUX_USE ("counter"), aux_lanes_library[1] };
  aux_lanes_register (getenv ("STATE") != NULL ? with_state : aux_lanes_library, 2, warps, lanes);
  for (int i = 1; i < argc; i++)
    {
      int limit = atoi (argv[i]);
      if (limit > 0)
	{
	  #pragma omp target teams num_teams (1) thread_limit (limit)
	  { }
	}
      else
	{
	  #pragma omp target
	  { }
	}
    }
  __typeof__ (&fake_cuda_calls) calls = (__typeof__ (calls)) aux_driver ("fake_cuda_calls");
  printf ("launched %s, %lu links, %lu modules\n", launched, calls ("cuLinkComplete"), calls ("cuModuleLoadData"));
  return 0;
}
PROGRAM
build () {	# NAME [OPTION...]
  local name=$1; shift
  $TEST_CC -fopenmp ${TEST_SANITIZER_FLAGS:-} -I"$here" -I"$here/../lib/fake-cuda" "$@" "$dir/t.c" -o "$dir/$name" || exit 1
}
build t
# Such a call makes two modules impossible.
build pointer '-DAUX_LANES_MORE="// BEGIN FUNCTION DEF: calls\n.func calls\n{\n.reg .u64 %f;\nmine: .callprototype ();\ncall %f, mine;\nret;\n}\n"' \
  '-DAUX_LANES_IMPL(name)=(strstr (name, "$1") ? "calls_impl" : "impl0")'

. "$here/aux-child.sh"
export GOMP_DEBUG=1 GOMP_CACHE_DIR=$dir/cache GOMP_NVPTX_DEVICE_LIBRARY=$dir/lib.a OMP_TARGET_OFFLOAD=mandatory
bad=0
complain () { echo "$what: $1"; cat "$dir/out"; bad=1; }
fresh () { await_end; rm -rf "$dir/cache" "$dir/pids"; }
# start "PROGRAM ARGUMENTS" LINE [NAME=VALUE...]
start ()
{
  local arguments=$1 line=$2
  what="${BASH_LINENO[0]}: $*"
  shift 2
  # shellcheck disable=SC2086
  env "$@" timeout 40 "$dir"/$arguments > "$dir/out" 2>&1 || complain "ended with $?"
  grep -qxE "$line" "$dir/out" || complain "no line is $line"
}
says () { grep -qE -- "$1" "$dir/out" || complain "no line matches $1"; }
want_entries () { [ "$(entries)" = "$1" ] || complain "$(entries) entries, not $1"; }

for how in -uGOMP_NVPTX_LANES GOMP_NVPTX_LANES=auto STATE=1 FAKE_CUDA_DEVICES=2; do
  fresh
  start "t 0" "launched l, 1 links, 1 modules" "$how"
  await_end 1
  want_entries 2
  # Both versions are there.
  start "t 0 0 0 16" "launched lllw, 0 links, 1 modules" "$how"
done
# More threads than warps, and fewer; which are linked when they are wanted, once.
fresh
start "t 256 64 32" "launched lll, 1 links, 1 modules"
fresh
start "t 256 16 8 256 16" "launched lwwlw, 2 links, 2 modules"
says "region main._omp_fn.0 alone"
await_end 1
start "t 256 16 8 256 16" "launched lwwlw, 0 links, 1 modules"
# The first one wants it.
fresh
start "t 16 256" "launched wl, 2 links, 2 modules"
# So short an image is linked as a whole, of versions with lanes.
fresh
start "t 0 64 0 64" "launched llll, 1 links, 1 modules"
# Without a cache, and where no other process can link, nothing is linked for later starts, and each is a first one.
fresh
start "t 0 0" "launched ll, 1 links, 1 modules" GOMP_CACHE=off
mv "$dir/lib/gompx-nvptx-link" "$dir/kept"
start "t 0 0" "launched ll, 1 links, 1 modules"
start "t 0 0" "launched ll, 0 links, 1 modules"
want_entries 1
mv "$dir/kept" "$dir/lib/gompx-nvptx-link"
[ "$(children)" = 0 ] || complain "another process"
# One that the driver can't link: begins with warps, if that can be linked.
fresh
start "t 0" "launched w, .* modules" FAKE_CUDA_FAIL=cuLinkComplete:1:218
fresh
start "t 0" "launched w, 1 links, 1 modules" GOMP_NVPTX_LANES=later FAKE_CUDA_FAIL=cuLinkComplete:2:218
# Two modules can't be.
fresh
start "pointer 0" "launched w, 1 links, 1 modules"
says "lanes are not linked first: it calls through pointers"
await_end
exit $bad
