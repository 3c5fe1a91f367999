#!/bin/bash
# Variables that make no sense are told, and the plugin is not used then; those that make sense are taken.
#
# TEST-MODES: gcnsim

set -u
cc=${TEST_CC:-gcc}
dir=$(mktemp -d) || exit 77
trap 'rm -rf "$dir"' EXIT
cat > "$dir/t.c" <<'END'
#include <omp.h>
int main (void) { return omp_get_num_devices (); }
END
# shellcheck disable=SC2086
$cc -fopenmp ${TEST_SANITIZER_FLAGS:-} "$dir/t.c" -o "$dir/t" || exit 1
bad=0

# NAME=VALUE DEVICES [TEXT]
try ()
{
  env -u OMP_TARGET_OFFLOAD "$1" "$dir/t" > "$dir/out" 2>&1
  status=$?
  if [ $status != "$2" ] || { [ -n "${3:-}" ] && ! grep -qF "$3" "$dir/out"; }; then
    echo "$1: $status devices:"
    cat "$dir/out"
    bad=1
  fi
}

for name in GCN_NUM_TEAMS GCN_NUM_GANGS; do
  try $name=12 1
  try "$name=0" 0 "$name is not a number from 1 to 1048576: \`0'"
  try "$name=1048577" 0 "$name is not a number"
  try "$name=many" 0 "$name is not a number"
  try "$name=4k" 0 "$name is not a number"
  try "$name=-1" 0 "$name is not a number"
done
for name in GCN_NUM_THREADS GCN_NUM_WORKERS; do
  try $name=16 1
  try "$name=17" 0 "$name is not a number from 1 to 16: \`17'"
done
try GCN_STACK_SIZE=65536 1
try "GCN_STACK_SIZE= 64k " 1
try GCN_STACK_SIZE=1M 1
try GCN_STACK_SIZE= 1
try GCN_STACK_SIZE=100 0 "GCN_STACK_SIZE is not a size from 4K to 256M: \`100'"
try GCN_STACK_SIZE=1G 0 "GCN_STACK_SIZE is not a size"
try GCN_STACK_SIZE=64kb 0 "GCN_STACK_SIZE is not a size"
try GCN_HEAP_SIZE=1M 1
try GCN_HEAP_SIZE=99999999999999999999 0 "GCN_HEAP_SIZE is not a size from 4K to 1024G"
try GCN_HEAP_SIZE=0x1000000 0 "GCN_HEAP_SIZE is not a size"
try GCN_TEAM_ARENA_SIZE=0 1
try GCN_TEAM_ARENA_SIZE=2G 0 "GCN_TEAM_ARENA_SIZE is not a size up to 1G"
try GOMP_GCN_LOWLAT_POOL=4096 1
try GOMP_GCN_LOWLAT_POOL=65537 0 "GOMP_GCN_LOWLAT_POOL is not a size up to 64K"
exit $bad
