#!/bin/bash
# The cpu device by its plugin interface: order, events across queues and devices, copies,
# rectangles, memory, opening again.
# TEST-MODES: cpu2

set -u
cc=${TEST_CC:-gcc}
here=${TEST_SRCDIR:-$(dirname "$0")/..}
top=${TEST_TOP_SRCDIR:-$here/..}
lib=${TEST_LIBDIR:?run it with make check, or set TEST_LIBDIR to the directory of libgomp.a}
[ -f "$lib/libgomp.a" ] || { echo "there is no libgomp.a"; exit 77; }
dir=$(mktemp -d) || exit 77
trap 'rm -rf "$dir"' EXIT
cp "$lib/libgomp.a" "$dir/" || exit 1
$cc -g -fopenmp ${TEST_SANITIZER_FLAGS:-} -I"$top" "$here/libgomp.offload/aux-cpu-plugin.c" \
  -L"$dir" -o "$dir/p" || exit 1
GOMP_CPU_DEVICES=2 GOMP_CPU_MEMORY=64M "$dir/p"
