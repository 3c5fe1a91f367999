#!/bin/bash
# What a program waits for at its first start is compiled by several threads of the driver's, where that knows how (CUDA 13) and another process
# links for later starts: the version with lanes, or a long image once more.  Nowhere else, unless GOMP_NVPTX_JIT says so.
# TEST-MODES: fake
# TEST-TIMEOUT: 120

set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d) || exit 77
trap 'kill_all; rm -rf "$dir"' EXIT
cat > "$dir/t.c" <<'PROGRAM'
#define _GNU_SOURCE
#include "aux-lanes-image.h"

static void nothing (const struct fake_cuda_launch *launch) { (void) launch; }

int
main (void)
{
  aux_lanes_register (aux_lanes_library, 2, nothing, nothing);
  #pragma omp target
  { }
  return 0;
}
PROGRAM
# 40 KB of the program's own, and less than that.
more=$(for ((i = 0; i < 400; i++)); do printf '"// %-100s\\n" ' "$i"; done)
$TEST_CC -fopenmp ${TEST_SANITIZER_FLAGS:-} -I"$here" -I"$here/../lib/fake-cuda" "-DAUX_LANES_MORE=$more" "$dir/t.c" -o "$dir/long" \
  && $TEST_CC -fopenmp ${TEST_SANITIZER_FLAGS:-} -I"$here" -I"$here/../lib/fake-cuda" "$dir/t.c" -o "$dir/short" || exit 1

. "$here/aux-child.sh"
export GOMP_DEBUG=1 GOMP_CACHE_DIR=$dir/cache GOMP_NVPTX_DEVICE_LIBRARY=$dir/lib.a FAKE_CUDA_VERSION=13000 GOMP_NVPTX_LANES=later

bad=0
complain () { echo "$what: $1"; cat "$dir/out" "$dir"/log*; bad=1; }
fresh () { rm -rf "$dir/cache"; before=${1:-}; }	# what the other process does first
# start WHAT PROGRAM LINKS THREADS CHILDREN ENTRIES [NAME=VALUE...]: links so many times, compiles with so many threads ("" as the driver does),
# has so many processes that link, none of which do it with several threads, and then there are so many entries in the cache.
start ()
{
  what=$1
  local program=$2 links=$3 threads=$4 others=$5 kept=$6
  shift 6
  rm -f "$dir"/log* "$dir/pids"
  printf '%s\n' 'export FAKE_CUDA_VERSION=13000' "$before" > "$dir/before"
  env "$@" FAKE_CUDA_LOG="$dir/log" timeout 40 "$dir/$program" > "$dir/out" 2>&1 || complain "ended with $?"
  await_end "$others"
  [ "$(children)" = "$others" ] || complain "$(children) processes instead of $others"
  [ "$(grep -c '^call cuLinkComplete' "$dir/log")" = "$links" ] || complain "not $links links"
  [ "$(sed -n 's/.*jit option 34 //p' "$dir/log" | sort -u | tr '\n' ' ')" = "${threads:+$threads }" ] || complain "not by $threads threads"
  ! grep -q 'jit option 34 ' "$dir"/log.* 2> "$dir/err" || complain "the other process links in haste, too"
  [ "$(entries)" = "$kept" ] || complain "not $kept entries"
}

# With lanes to come, whatever the image's length.
for program in short long; do
  fresh
  start "$program, lanes" $program 1 16 1 2
  start "$program, lanes, later" $program 0 "" 0 2
done
# Without lanes it is linked twice if it is long.
fresh
start long long 1 16 1 2 GOMP_NVPTX_LANES=off
grep -q "linked in haste for this start, and once more meanwhile for later ones" "$dir/out" || complain "it doesn't say so"
start "long, later" long 0 "" 0 2 GOMP_NVPTX_LANES=off
# The first one may have ended before it could take a note of it.
start "long, known" long 0 "" 0 2 GOMP_NVPTX_LANES=off
grep -q "known from an earlier start" "$dir/out" || complain "it is not known"
fresh
start short short 1 "" 0 1 GOMP_NVPTX_LANES=off
# The other process fails: the first result is there, and the next one tries again.
fresh "exit 1"
start "it fails" long 1 16 1 1 GOMP_NVPTX_LANES=off
before=
start "after it has failed" long 0 "" 1 2 GOMP_NVPTX_LANES=off
start "after it has not" long 0 "" 0 2 GOMP_NVPTX_LANES=off
# Nothing for later starts: no cache, no other process, or one that has been there before.
fresh
start "no cache" long 1 "" 0 0 GOMP_NVPTX_LANES=off GOMP_CACHE=off
mv "$dir/lib/gompx-nvptx-link" "$dir/kept"
start "no other process" long 1 "" 0 1 GOMP_NVPTX_LANES=off
fresh
start "no other process for lanes" long 1 16 0 1 -u GOMP_NVPTX_LANES
fresh
start "no other process" long 1 "" 0 1 GOMP_NVPTX_LANES=off
mv "$dir/kept" "$dir/lib/gompx-nvptx-link"
start "linked before" long 0 "" 1 2
# A driver that does not know it.
fresh
start "CUDA 12" long 1 "" 0 1 GOMP_NVPTX_LANES=off FAKE_CUDA_VERSION=12090
# The user's choice is for all links.
fresh
start "four threads" long 1 4 0 1 GOMP_NVPTX_LANES=off GOMP_NVPTX_JIT=-split-compile=4
start "four threads, later" long 0 "" 0 1 GOMP_NVPTX_LANES=off GOMP_NVPTX_JIT=-split-compile=4
start "a thread for each processor" long 1 0 0 2 GOMP_NVPTX_LANES=off "GOMP_NVPTX_JIT=-O2 -split-compile=0"
start "one thread" long 1 "" 0 3 GOMP_NVPTX_LANES=off GOMP_NVPTX_JIT=-split-compile=1
start "four threads, CUDA 12" long 1 "" 0 4 GOMP_NVPTX_LANES=off GOMP_NVPTX_JIT=-split-compile=4 FAKE_CUDA_VERSION=12090
for jit in -split-compile= -split-compile=x -split-compile=-1 -split-compile=1025 -split-compile=4x -split-compile; do
  OMP_TARGET_OFFLOAD=mandatory GOMP_NVPTX_JIT=$jit timeout 40 "$dir/long" > "$dir/out" 2>&1
  grep -q "GOMP_NVPTX_JIT is not .*-split-compile=N: $jit" "$dir/out" || complain "$jit: not refused"
done
exit $bad
