#!/bin/bash
# simulator.sh BUILD COMPILER... -- how fast the simulator of AMD GPUs is: instructions of waves and operations of
# lanes a second of processor time, on one thread.
#
# The program has a loop that all 64 lanes work at; operations are those that the source has, five for each element.
# Two runs are compared, so that starting up cancels out; the best of five is taken.

set -u
. "$(dirname "$0")/prepare.sh"
few=50 many=550 TIMEFORMAT='%3U'
# shellcheck disable=SC2086
"$@" -O2 -fopenmp $options "$here/vector.c" -o "$tmp/vector" || exit 1

measure ()	# ROUNDS: sets instructions and seconds
{
  local now i
  seconds=1000
  for i in 1 2 3 4 5; do
    rm -f "$tmp/counts"
    now=$( { time "${run[@]}" env LD_LIBRARY_PATH="$build/.libs:$build/testsuite/gcn-sim/.libs" GOMP_PLUGINS=gcn \
      GCN_SIM_ISA="$isa" GCN_SIM_THREADS=1 GCN_SIM_COUNTS="$tmp/counts" OMP_TARGET_OFFLOAD=mandatory \
      timeout 100 "$tmp/vector" "$1" > "$tmp/log" 2>&1; } 2>&1) || { head -2 "$tmp/log" >&2; exit 1; }
    seconds=$(awk -v a="$seconds" -v b="$now" 'BEGIN { print (a < b ? a : b) }')
  done
  instructions=$(sed -n 's/^instructions //p' "$tmp/counts")
}

measure $few; few_instructions=$instructions few_seconds=$seconds
measure $many
awk -v i=$((instructions - few_instructions)) -v s="$seconds" -v t="$few_seconds" -v o=$(((many - few) * 65536 * 5)) \
  'BEGIN { printf "instructions: %.1f million a second; operations of lanes: %.0f million\n", i / (s - t) / 1e6, o / (s - t) / 1e6 }'
