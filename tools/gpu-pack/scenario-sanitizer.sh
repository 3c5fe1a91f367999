#!/bin/bash
# scenario-sanitizer.sh -- NVIDIA's compute-sanitizer finds nothing in some of the tests.

set -u
tool=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2> /dev/null)
if [ -z "$tool" ]; then
  echo "SKIP: there is no compute-sanitizer"
  exit 0
fi
export OMP_TARGET_OFFLOAD=mandatory
tests="libgomp.offload.map-references.cc/map-references libgomp.offload.memcpy-rect.c/memcpy-rect
  libgomp.offload.async-basic.c/async-basic libgomp.nvptx.gpu-constructs.c/gpu-constructs
  libgomp.device.teams-exclusion.c/teams-exclusion libgomp.device.teams-tasks.c/teams-tasks
  libgomp.device.task-reductions.c/task-reductions"
for test in $tests; do
  (
    # Calls that fail because a name is not there are look-ups of what an image may have.
    exe=$PACK/progs/$VERSION/$test.exe
    if ! [ -x "$exe" ]; then
      echo "SKIP: compute-sanitizer: no ${test#*/}"
      exit
    fi
    out=$(timeout 100 "$tool" --tool memcheck --leak-check no --report-api-errors no \
	  --error-exitcode 99 "$exe" 2>&1)
    status=$?
    if grep -q 'Device not supported' <<< "$out"; then
      echo "SKIP: compute-sanitizer: not on this machine: ${test#*/}"
    elif [ $status = 0 ] && grep -q 'ERROR SUMMARY: 0 errors' <<< "$out"; then
      echo "PASS: compute-sanitizer: ${test#*/}"
    else
      echo "FAIL: compute-sanitizer: ${test#*/}: status $status: $(grep '=====' <<< "$out" | head -4 | tr '\n' ' ')"
      head -30 <<< "$out"
    fi
  ) &
done
wait
exit 0
