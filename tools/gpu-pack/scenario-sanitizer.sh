#!/bin/bash
# scenario-sanitizer.sh -- NVIDIA's compute-sanitizer on some of the tests: memcheck finds nothing, racecheck nothing but
# what doc/gpu-tests.md explains, by the functions that are named here.

set -u
tool=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2> /dev/null)
if [ -z "$tool" ]; then
  echo "SKIP: there is no compute-sanitizer"
  exit 0
fi
export OMP_TARGET_OFFLOAD=mandatory
at_once=$(nproc)
oldest=$(cd "$PACK/progs" && printf "%s\n" * | sort -n | head -1)

# Directories of programs; those in a region are of libgomp.device.
memory="libgomp.offload.map-references.cc libgomp.offload.memcpy-rect.c libgomp.offload.async-basic.c libgomp.nvptx.gpu-constructs.c
  libgomp.device.distribute-schedules.c
  libgomp.device.doacross-dimensions.c libgomp.device.kernels-at-once.c libgomp.device.objects.cc
  libgomp.device.ordered-fortran.f90 libgomp.device.shapes-queries.c libgomp.device.simd-queries.c
  libgomp.device.task-detach.c libgomp.device.task-reductions.c libgomp.device.teams-atomics.c
  libgomp.device.teams-exclusion.c libgomp.device.teams-more-than-blocks.c libgomp.device.teams-reductions.c
  libgomp.device.teams-tasks.c libgomp.device.threads-wait.c
  libgomp.device.libgomp.c.barrier.c libgomp.device.libgomp.c.lock-nest.c libgomp.device.libgomp.c.loop-runtime.c
  libgomp.device.libgomp.c.ordered.c libgomp.device.libgomp.c.sections.c libgomp.device.libgomp.c.single.c
  libgomp.device.libgomp.c.taskloop.c libgomp.device.libgomp.c.depend-undeferred.c"
# Not service-files.c, whose memory the host allocates while a kernel runs, nor allocators-teams.c: doc/gpu-tests.md has what memcheck says of them.
calls="libgomp.offload.reverse-basic.c libgomp.nvptx.gpu-reverse-teams.c libgomp.nvptx.gpu-reverse-threads.c
  libgomp.nvptx.gpu-reverse-nowait.c libgomp.nvptx.gpu-print-at-once.c libgomp.nvptx.gpu-service-test.c
  libgomp.offload.service-calls.c"
lanes="libgomp.device.shapes-queries.c libgomp.device.teams-atomics.c libgomp.device.teams-reductions.c
  libgomp.device.threads-wait.c libgomp.offload.cpu-parallel.c libgomp.device.libgomp.c.lock-nest.c"
# Kernels without tasks, whose threads use barriers, single, loops and critical constructs.
races="libgomp.device.shapes-queries.c libgomp.device.distribute-schedules.c libgomp.device.teams-more-than-blocks.c
  libgomp.nvptx.gpu-shapes.c"
# What it may report (doc/gpu-tests.md): words that threads claim work by or wait on, stores of all lanes of a warp, which are
# the same, and launch records.  The last one is a kernel's entry, code of the compiler.
allowed='GOMP_single_start|GOMP_single_copy_start|GOMP_single_copy_end|accel_work_[a-z_]+|accel_loop_next_[a-z_]+'
allowed+='|GOMP_critical_start|GOMP_critical_end|gomp_nvptx_main|GOMP_parallel|[A-Za-z_0-9.]*\$_omp_fn\$[0-9]+'

# The functions of racecheck's reports in the standard input that may not be there.
other_functions ()
{
  # "... access at NAME+0x10 in FILE:LINE", "... access at 0x10 in FILE:LINE:NAME"
  grep -oE '(Read|Write|Atomic[A-Za-z ]*) access at .*' | sed -E 's/ \[[0-9]+ hazards?\]//' \
    | grep -vE "(^|[^A-Za-z_0-9.\$])($allowed)([^A-Za-z_0-9.\$]|\$)" | sed -E 's/.* access at //' | sort -u | head -5 \
    | paste -sd' '
}

# check TOOL DIRECTORY [NAME=VALUE]
check ()
{
  local exe out status name=$1:\ $2${3:+ $3} others options=(--tool "$1") version=$VERSION
  # The run-time library of the newest Fortran may need a newer C library than the machine has.
  [[ $2 != *.f90 ]] || version=$oldest
  exe=$(ls "$PACK/progs/$version/$2"/*.exe 2> /dev/null | head -1)
  if [ -z "$exe" ]; then
    echo "SKIP: $name: no such program"
    return
  fi
  # Calls that fail because a name is not there are look-ups of what an image may have.
  [ "$1" != memcheck ] || options+=(--leak-check no --error-exitcode 99)
  out=$(mkdir -p "$1.$2.${3:-}" && cd "$1.$2.${3:-}" \
	&& env LD_LIBRARY_PATH="${LD_LIBRARY_PATH//lib\/$VERSION/lib/$version}" ${3:+"$3"} timeout 100 "$tool" "${options[@]}" --report-api-errors no "$exe" 2>&1)
  status=$?
  others=$(other_functions <<< "$out")
  if grep -q 'Device not supported' <<< "$out"; then
    echo "SKIP: $name: not on this machine"
  elif [ $status = 77 ]; then
    echo "SKIP: $name: unsupported"
  elif [ $status = 0 ] && [ "$1" = memcheck ] && grep -q 'ERROR SUMMARY: 0 errors' <<< "$out"; then
    echo "PASS: $name"
  elif [ $status = 0 ] && [ "$1" = racecheck ] && grep -q 'RACECHECK SUMMARY' <<< "$out" && [ -z "$others" ]; then
    echo "PASS: $name"
  else
    echo "FAIL: $name: status $status: ${others:-$(grep '=====' <<< "$out" | head -4 | tr '\n' ' ')}"
    head -30 <<< "$out"
  fi
}

# start ARGUMENT...: check, as many at once as there are processors.
start ()
{
  while [ "$(jobs -rp | wc -l)" -ge "$at_once" ]; do
    wait -n
  done
  check "$@" &
}

for test in $races; do start racecheck "$test"; done
for test in $calls $memory; do start memcheck "$test"; done
start memcheck libgomp.device.cancel-teams.c OMP_CANCELLATION=true
for test in $lanes; do start memcheck "$test" GOMP_NVPTX_LANES=force; done
wait
exit 0
