#!/bin/bash
# scenario-second-start.sh -- the second start of a program takes the linked image from our cache:
# the driver's own is switched off, damaged entries are made anew.

set -u
exe=$PACK/progs/$VERSION/bench.first.c/first.exe
export XDG_CACHE_HOME=$PWD/cache CUDA_CACHE_DISABLE=1 OMP_TARGET_OFFLOAD=mandatory

# The first region, in milliseconds.
start ()
{
  timeout 60 "$exe" | awk -F '\t' '{ printf "%d", $2 / 1e6 }'
}
# The least of three: another tenant of the machine may disturb one.
later ()
{
  for _ in 1 2 3; do start; echo; done | sort -n | head -1
}
first=$(start) second=$(later)
entries=$(find cache -type f | wc -l)
if [ "${first:-0}" -gt 0 ] && [ "${second:-0}" -gt 0 ] && [ "$entries" -gt 0 ] \
   && [ "$second" -lt $((first * 9 / 10)) ]; then
  echo "PASS: first start $first ms, second $second ms, $entries entries"
else
  echo "FAIL: first start ${first:-?} ms, second ${second:-?} ms, $entries entries"
fi

find cache -type f | while read -r file; do
  dd if=/dev/urandom of="$file" bs=1 count=64 seek=5000 conv=notrunc 2> /dev/null
done
third=$(start) fourth=$(later)
if [ "${third:-0}" -gt 0 ] && [ "${fourth:-0}" -gt 0 ] && [ "$fourth" -lt $((third * 9 / 10)) ]; then
  echo "PASS: with a damaged entry $third ms, then $fourth ms"
else
  echo "FAIL: with a damaged entry ${third:-?} ms, then ${fourth:-?} ms"
fi
exit 0
