#!/bin/bash
# scenario-warm.sh -- gompx-info --warm fills the cache for a program that has not been started yet: its
# first start links nothing.

set -u
exe=$PACK/progs/$VERSION/bench.first.c/first.exe
export CUDA_CACHE_DISABLE=1 OMP_TARGET_OFFLOAD=mandatory

# start DIRECTORY: with the cache there; the first region in milliseconds, and what is said in ./said.
start ()
{
  XDG_CACHE_HOME=$PWD/$1 GOMP_DEBUG=1 timeout 60 "$exe" 2> said | awk -F '\t' '{ printf "%d", $2 / 1e6 }'
}
# warm PATTERN: it says that, and ends well.
warm ()
{
  local out status
  out=$(XDG_CACHE_HOME=$PWD/warm timeout 100 "$PACK/gompx/gompx-info" --warm "$exe" 2>&1)
  status=$?
  out=${out//"$exe"/first}
  if [ $status = 0 ] && grep -qE "$1" <<< "$out"; then
    echo "PASS: $(head -1 <<< "$out")"
  else
    echo "FAIL: --warm: status $status: $(head -3 <<< "$out" | tr '\n' ' ')"
  fi
}

cold=$(start cold)
warm ' linked in [0-9.]+ s and kept in the cache$'
first=$(start warm)
if grep -q 'known from an earlier start' said && ! grep -qE ' linked for sm_|is linked' said && [ "${first:-0}" -gt 0 ]; then
  echo "PASS: the first start behind it links nothing, $first ms; without it $cold ms"
else
  echo "FAIL: the first start behind --warm: ${first:-?} ms: $(grep -E 'image of' said | head -3 | tr '\n' ' ')"
fi
warm ' all in the cache already$'
exit 0
