#!/bin/bash
# With -maxrregcount=auto registers are capped for the objects of the device library, but not for those
# that compute with floating point, and for the program's own only if that spills no more then; a number
# caps everything, and by default nothing is.  Each way has its own file in the cache.
# TEST-MODES: fake

set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d) || exit 77
trap 'rm -rf "$dir"' EXIT
export GOMP_CACHE_DIR=$dir/cache FAKE_CUDA_LOG=$dir/log GOMP_INFO=2 GOMP_NVPTX_JIT=-maxrregcount=auto
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
  timeout 50 "$dir/t" > "$dir/out" 2>&1 || { echo "$1: failed"; cat "$dir/out"; bad=1; }
  options=$(sed -n 's/.*\(text [0-9]* jit option 0 [0-9]*\).*/\1/p; t; s/.*\(jit option 0 [0-9]*\).*/\1/p' \
	    "$dir/log" | tr '\n' ',')
  [ "$options" = "$2" ] || { echo "$1: '$options' instead of '$2'"; bad=1; }
  files=("$GOMP_CACHE_DIR"/*.cubin)
  [ ${#files[@]} = "$3" ] || { echo "$1: ${#files[@]} files instead of $3"; bad=1; }
  grep -q "$4" "$dir/out" || { echo "$1: no '$4' in:"; cat "$dir/out"; bad=1; }
}

build
run "auto" "text 1 jit option 0 32," 1 "at most 32 registers for a thread in the device library"
run "from the cache" "" 1 "at most 32 registers for a thread in the device library"
GOMP_NVPTX_JIT=-maxrregcount=40 run "a cap" "jit option 0 40," 2 "at most 40 registers for a thread"
GOMP_NVPTX_JIT=-maxrregcount=0 run "no cap" "" 3 "multiprocessors"
grep -q "at most" "$dir/out" && { echo "no cap: there is one"; bad=1; }
GOMP_NVPTX_JIT= run "by default" "" 3 "multiprocessors"
grep -q "at most" "$dir/out" && { echo "by default: there is one"; bad=1; }
# Compiled twice, and what spills less goes on.
rm -f "$GOMP_CACHE_DIR"/*
FAKE_CUDA_SPILLS=8:12 run "it would spill" "text 0 jit option 0 32,text 1 jit option 0 32," 1 multiprocessors
linked ()
{
  grep -q "link 2 texts, $1 capped" "$dir/log" || { echo "not $1 capped:"; grep texts "$dir/log"; bad=1; }
}
linked 1
tries ()
{
  grep -c "$1" "$dir/log"
}
[ "$(tries '^call cuLinkCreate') $(tries '^call cuLinkDestroy')" = "2 2" ] || { echo "not 2 links"; bad=1; }
[ "$(tries '^call cuLinkAddData')" = 3 ] || { echo "$(tries '^call cuLinkAddData') texts"; bad=1; }
run "it would spill, second start" "" 1 multiprocessors
rm -f "$GOMP_CACHE_DIR"/*
export GOMP_DEBUG=1
FAKE_CUDA_SPILLS=8:8 run "it does not spill" "text 0 jit option 0 32,text 1 jit option 0 32," 1 \
  "spills 12 bytes, and 12 with 32 registers"
linked 2
unset GOMP_DEBUG
[ "$(tries '^call cuLinkCreate') $(tries '^call cuLinkDestroy')" = "2 2" ] || { echo "not 2 links"; bad=1; }
FAKE_CUDA_FAIL=cuLinkCreate:2:999 FAKE_CUDA_SPILLS=8:8 GOMP_CACHE=off \
  run "no second one" "text 1 jit option 0 32," 1 multiprocessors
FAKE_CUDA_SPILLS=8:8 GOMP_NVPTX_JIT=-maxrregcount=0 run "no cap is asked for" "" 2 multiprocessors
rm -f "$GOMP_CACHE_DIR"/*
build '-DAUX_IMAGE_LIBRARY=".func mean () { .reg .f64 %r22; }\n"'
run "a library that computes" "" 1 "at most 32 registers for a thread in the device library"
for jit in -maxrregcount=256 -maxrregcount= -maxrregcount=-1 -maxrregcount=4x -maxrregcount=autos; do
  GOMP_NVPTX_JIT=$jit OMP_TARGET_OFFLOAD=mandatory timeout 50 "$dir/t" > "$dir/out" 2>&1
  grep -q "GOMP_NVPTX_JIT is not" "$dir/out" || { echo "$jit: not refused"; cat "$dir/out"; bad=1; }
done
exit $bad
