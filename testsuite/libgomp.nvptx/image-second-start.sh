#!/bin/bash
# The first start of a program links its image and keeps the result, the second one does not link; with
# GOMP_CACHE=off, other options, or a damaged file it links again, and a damaged file is replaced.
# TEST-MODES: fake

set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d) || exit 77
trap 'rm -rf "$dir"' EXIT
export GOMP_CACHE_DIR=$dir/cache FAKE_CUDA_LOG=$dir/log
cat > "$dir/t.c" <<'PROGRAM'
#define _GNU_SOURCE
#include "aux-image.h"
int v = 3;
#pragma omp declare target to (v)
int
main (void)
{
  int x = 0;
  #pragma omp target map(tofrom: x)
  x = 41;
  return x != 41;
}
PROGRAM
$TEST_CC -fopenmp ${TEST_SANITIZER_FLAGS:-} -I"$here" "$dir/t.c" -o "$dir/t" || exit 1

bad=0
# run WHAT LINKS: a start that links so many times.
run ()
{
  rm -f "$dir/log"
  timeout 50 "$dir/t" > "$dir/out" 2>&1 || { echo "$1: failed"; cat "$dir/out"; bad=1; }
  links=$(grep -c '^call cuLinkComplete' "$dir/log")
  loads=$(grep -c '^call cuModuleLoadData' "$dir/log")
  [ "$links" = "$2" ] || { echo "$1: linked $links times instead of $2"; bad=1; }
  [ "$loads" -ge 1 ] || { echo "$1: nothing loaded"; bad=1; }
}
one_file ()
{
  files=("$GOMP_CACHE_DIR"/*.cubin)
  [ ${#files[@]} = "$1" ] || { echo "$2: ${#files[@]} files instead of $1"; bad=1; }
}

run "first start" 1
one_file 1 "first start"
run "second start" 0
export GOMP_CACHE=off
run "without the cache" 1
unset GOMP_CACHE
export GOMP_NVPTX_JIT=-O1
run "other options" 1
grep -q '^jit option 7 1$' "$dir/log" || { echo "the driver is not told -O1"; bad=1; }
run "other options, second start" 0
export GOMP_NVPTX_JIT="-O1 -maxrregcount=32"
run "other registers" 1
unset GOMP_NVPTX_JIT
one_file 3 "three sets of options"
FAKE_CUDA_VERSION=13000 run "another driver" 1
one_file 4 "another driver"
rm -f "$GOMP_CACHE_DIR"/*
run "after removal" 1
for file in "$GOMP_CACHE_DIR"/*.cubin; do
  printf 'X' | dd of="$file" bs=1 seek=$(($(stat -c %s "$file") - 5)) conv=notrunc 2> /dev/null
done
run "damaged file" 1
run "replaced file" 0
# The file is as it was stored, and the driver does not take it: neither where an earlier start has left it nor found by its key.
FAKE_CUDA_FAIL=cuModuleLoadData:1:200,cuModuleLoadData:2:200 run "refused file" 1
run "after a refused file" 0
exit $bad
