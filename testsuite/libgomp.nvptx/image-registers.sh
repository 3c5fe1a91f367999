#!/bin/bash
# Registers are capped for the objects of the device library, but neither for the program's own nor for
# those that compute with floating point; GOMP_NVPTX_JIT caps everything, or nothing.  Each way has its
# own file in the cache.
# TEST-MODES: fake

set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d) || exit 77
trap 'rm -rf "$dir"' EXIT
export GOMP_CACHE_DIR=$dir/cache FAKE_CUDA_LOG=$dir/log GOMP_INFO=2
cat > "$dir/t.c" <<'PROGRAM'
#define _GNU_SOURCE
#include "aux-image.h"
int
main (void)
{
  int x = 0;
  #pragma omp target map(tofrom: x)
  x = 41;
  return x != 41;
}
PROGRAM
build ()
{
  $TEST_CC -fopenmp ${TEST_SANITIZER_FLAGS:-} -I"$here" "$@" "$dir/t.c" -o "$dir/t" || exit 1
}

bad=0
# run WHAT OPTIONS FILES INFO: a start with these JIT options, and so many files in the cache after it.
run ()
{
  rm -f "$dir/log"
  timeout 20 "$dir/t" > "$dir/out" 2>&1 || { echo "$1: failed"; cat "$dir/out"; bad=1; }
  options=$(sed -n 's/.*\(text [0-9]* jit option 0 [0-9]*\).*/\1/p; t; s/.*\(jit option 0 [0-9]*\).*/\1/p' \
	    "$dir/log" | tr '\n' ',')
  [ "$options" = "$2" ] || { echo "$1: '$options' instead of '$2'"; bad=1; }
  files=("$GOMP_CACHE_DIR"/*.cubin)
  [ ${#files[@]} = "$3" ] || { echo "$1: ${#files[@]} files instead of $3"; bad=1; }
  grep -q "$4" "$dir/out" || { echo "$1: no '$4' in:"; cat "$dir/out"; bad=1; }
}

build
run "by default" "text 1 jit option 0 32," 1 "library gets at most 32 registers"
run "from the cache" "" 1 "library gets at most 32 registers"
GOMP_NVPTX_JIT=-maxrregcount=40 run "a cap" "jit option 0 40," 2 "at most 40 registers for a thread"
GOMP_NVPTX_JIT=-maxrregcount=0 run "no cap" "" 3 "multiprocessors"
grep -q "at most" "$dir/out" && { echo "no cap: there is one"; bad=1; }
GOMP_NVPTX_JIT=-maxrregcount=0 run "no cap, second start" "" 3 "multiprocessors"
build '-DAUX_IMAGE_LIBRARY=".func mean () { .reg .f64 %r22; }\n"'
run "a library that computes" "" 4 "library gets at most 32 registers"
for jit in -maxrregcount=256 -maxrregcount= -maxrregcount=-1 -maxrregcount=4x; do
  GOMP_NVPTX_JIT=$jit OMP_TARGET_OFFLOAD=mandatory timeout 20 "$dir/t" > "$dir/out" 2>&1
  grep -q "GOMP_NVPTX_JIT is not" "$dir/out" || { echo "$jit: not refused"; cat "$dir/out"; bad=1; }
done
exit $bad
