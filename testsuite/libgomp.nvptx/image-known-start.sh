#!/bin/bash
# The second start of a program finds what was linked without a look at the texts, and knows of its kernels what the first one
# found out.  It does not where anything differs that has a say in it (the image, settings, our library, driver, architecture, plugin), where
# messages are wanted that come from the texts, and where the cache has lost or damaged something.
# TEST-MODES: fake

set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d) || exit 77
trap 'rm -rf "$dir"' EXIT
cat > "$dir/t.c" <<'PROGRAM'
#define _GNU_SOURCE
#include "aux-lanes-image.h"
#include <omp.h>
#include <time.h>

static _Atomic int num_warps, num_lanes;
static void warps (const struct fake_cuda_launch *launch) { (void) launch; num_warps++; }
static void lanes (const struct fake_cuda_launch *launch) { (void) launch; num_lanes++; }

int
main (int argc, char **argv)
{
  const char *other[] = { AUX_START LIBRARY "// another library\n", aux_lanes_library[1] };
  aux_lanes_register (getenv ("OTHER_LIBRARY") != NULL ? other : aux_lanes_library, 2, warps, lanes);
  for (int i = 0; i < 2; i++)
    {
      #pragma omp target
      { }
    }
  /* Wait for the link that goes on beside.  */
  __typeof__ (&fake_cuda_calls) calls = (__typeof__ (calls)) aux_driver ("fake_cuda_calls");
  for (int i = 0; argc > 1 && i < 20000 && calls ("cuLinkDestroy") < strtoul (argv[1], NULL, 10); i++)
    nanosleep (&(struct timespec) { .tv_nsec = 1000000 }, NULL);
  printf ("%d as warps, %d as lanes, %lu links, %lu loaded\n", num_warps, num_lanes, calls ("cuLinkComplete"),
	  calls ("cuModuleLoadData"));
  fflush (stdout);
  aux_image_unregister (&aux_image);
  return 0;
}
PROGRAM
build () { $TEST_CC -fopenmp ${TEST_SANITIZER_FLAGS:-} -I"$here" -I"$here/../lib/fake-cuda" "$dir/t.c" -o "$1" || exit 1; }
build "$dir/t"
export GOMP_DEBUG=1 GOMP_CACHE_DIR=$dir/cache GOMP_NVPTX_DEVICE_LIBRARY=$dir/lib.a GOMP_NVPTX_LANES=force

bad=0
# run known|unknown REGEX [-- NAME=VALUE... [ARGUMENT]]: a start; REGEX is for its line.
run ()
{
  local want=$1 regex=$2 found=unknown; shift 2
  [ "${1:-}" != -- ] || shift
  env "$@" "$dir/t" ${ARGUMENT:-} > "$dir/out" 2>&1 || { echo "line ${BASH_LINENO[0]}: ended with $?"; cat "$dir/out"; bad=1; }
  ! grep -q "known from an earlier start" "$dir/out" || found=known
  [ "$found" = "$want" ] || { echo "line ${BASH_LINENO[0]}: $found instead of $want"; cat "$dir/out"; bad=1; }
  grep -qE -- "$regex" "$dir/out" || { echo "line ${BASH_LINENO[0]}: no line matches $regex"; cat "$dir/out"; bad=1; }
}
lanes="^0 as warps, 2 as lanes"
warps="^2 as warps, 0 as lanes"

run unknown "$lanes, 1 links, 1 loaded"
run known "$lanes, 0 links, 1 loaded"
run known "$lanes, 0 links, 1 loaded"
[ "$(find "$dir/cache" -name '*.start' | wc -l)" = 1 ] || { echo "not one record"; ls "$dir/cache"; bad=1; }

# Each setting has a record of its own; what was found out with another one is not taken.
for setting in GOMP_NVPTX_LANES_STRIDE=off GOMP_NVPTX_LANES_STRIDE=4 GOMP_NVPTX_LANES_BLOCKS=off GOMP_NVPTX_LANES_NEST=off OMP_CANCELLATION=true GOMP_NVPTX_JIT=-O1 \
	       GOMP_NVPTX_JIT=-maxrregcount=32 GOMP_NVPTX_JIT=-maxrregcount=auto GOMP_NVPTX_JIT=-maxrregcount=0 FAKE_CUDA_VERSION=13000 FAKE_CUDA_ATTRIBUTE=75:8 OTHER_LIBRARY=1; do
  run unknown "$lanes" -- "$setting"
  run known "$lanes, 0 links, 1 loaded" -- "$setting"
done
for setting in GOMP_NVPTX_LANES=off GOMP_NVPTX_DEVICE_LIBRARY=image FAKE_CUDA_ATTRIBUTE=75:6; do
  run unknown "$warps" -- "$setting"
  run known "$warps, 0 links, 1 loaded" -- "$setting"
done
# Messages come from the texts.
run unknown "good: threads can be lanes" -- GOMP_INFO=2
run known "$lanes, 0 links, 1 loaded"
# Without the cache, and with another one.
run unknown "$lanes, 1 links" -- GOMP_CACHE=off
run unknown "$lanes, 1 links" -- "GOMP_CACHE_DIR=$dir/cache2"
# Another program, which differs in one character of its text.
cp "$here"/*.h "$dir"
sed -i 's/vote.sync.any/vote.sync.all/' "$dir/aux-lanes-image.h"
$TEST_CC -fopenmp ${TEST_SANITIZER_FLAGS:-} -I"$dir" -I"$here/../lib/fake-cuda" -I"$here" "$dir/t.c" -o "$dir/other" || exit 1
mv "$dir/t" "$dir/first"
mv "$dir/other" "$dir/t"
run unknown "$lanes, 1 links, 1 loaded"
run known "$lanes, 0 links, 1 loaded"
mv "$dir/first" "$dir/t"
run known "$lanes, 0 links, 1 loaded"

# Another plugin is one with another build ID.
mkdir "$dir/plugins"
cp "$TEST_LIBDIR/libgomp-plugin-nvptx.so.1" "$dir/plugins"
run known "$lanes, 0 links, 1 loaded" -- "GOMP_PLUGIN_PATH=$dir/plugins"
objcopy --dump-section ".note.gnu.build-id=$dir/id" "$dir/plugins/libgomp-plugin-nvptx.so.1" "$dir/copy" || exit 1
printf 'XX' | dd of="$dir/id" bs=1 seek=20 conv=notrunc 2> "$dir/err"
objcopy --update-section ".note.gnu.build-id=$dir/id" "$TEST_LIBDIR/libgomp-plugin-nvptx.so.1" "$dir/plugins/libgomp-plugin-nvptx.so.1" || exit 1
run unknown "$lanes, 0 links, 1 loaded" -- "GOMP_PLUGIN_PATH=$dir/plugins"
run known "$lanes, 0 links, 1 loaded" -- "GOMP_PLUGIN_PATH=$dir/plugins"

# What a record leads to is gone, damaged or refused; the record is damaged.
rm -rf "$dir/cache"
run unknown "$lanes, 1 links, 1 loaded"
# The byte is another one then, whatever it was.
damage ()
{
  local at=$(($(stat -c %s "$1") - $2)) byte=X
  [ "$(dd if="$1" bs=1 skip=$at count=1 2> "$dir/err" | tr -d '\0')" != X ] || byte=Y
  printf $byte | dd of="$1" bs=1 seek=$at conv=notrunc 2> "$dir/err"
}
cubin=$(find "$dir/cache" -name '*.cubin')
start=$(find "$dir/cache" -name '*.start')
rm "$cubin"
run unknown "$lanes, 1 links, 1 loaded"
run known "$lanes, 0 links, 1 loaded"
damage "$cubin" 3
run unknown "$lanes, 1 links, 1 loaded"
run known "$lanes, 0 links, 1 loaded"
run unknown "$lanes, 0 links, 2 loaded" -- FAKE_CUDA_FAIL=cuModuleLoadData:1:200
size=$(stat -c %s "$start")
for at in 1 2 40 $((size - 1)) $((size - 10)) $((size - 60)) $((size / 2)); do
  damage "$start" "$at"
  run unknown "$lanes, 0 links, 1 loaded"
  run known "$lanes, 0 links, 1 loaded"
done
truncate -s 100 "$start"
run unknown "$lanes, 0 links, 1 loaded"
rm "$start"
mkdir "$start"
run unknown "$lanes, 0 links, 1 loaded"
rmdir "$start"

# later: what is linked beside the first start is known to the next one.
rm -rf "$dir/cache"
export GOMP_NVPTX_LANES=later
ARGUMENT=3 run unknown "^[0-9]+ as warps, [0-9]+ as lanes, 3 links"
[ "$(find "$dir/cache" -name '*.start' | wc -l)" = 1 ] || { echo "not one record with later"; ls "$dir/cache"; bad=1; }
run known "^[01] as warps, [12] as lanes, 0 links, 1 loaded"
# Where it has failed the next start tries again.
rm -rf "$dir/cache"
ARGUMENT=3 run unknown "$warps" -- FAKE_CUDA_FAIL=cuLinkComplete:3:218
ARGUMENT=2 run unknown "as lanes, 2 links"
exit $bad
