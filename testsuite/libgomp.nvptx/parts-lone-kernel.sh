#!/bin/bash
# A first region that needs nothing of the library is all that a first start compiles for it, neither a function of the library nor the parallel region whose code stands
# in it; and it is loaded without being linked, or, should the driver not take that, linked.  By one thread, as there is nothing to share.
# TEST-MODES: fake
# TEST-TIMEOUT: 120
# TEST-SKIP-SANITIZER: thread the simulator is slow
# TEST-SKIP-SANITIZER: address the simulator is slow
# TEST-SKIP-SANITIZER: undefined the simulator is slow
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
. "$here/aux-lanes.sh"
. "$here/aux-first-start.sh"
after_alone "$tmp/log" >> "$dir/before"

cat > "$tmp/t.c" <<'PROGRAM'
#include <stdlib.h>
enum { N = 1000 };
static int x[N], y[N];
int
main (int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    {
      int k = atoi (argv[i]);
      #pragma omp target teams distribute parallel for map (tofrom: x)
      for (int j = 0; j < N; j++)
	x[j] = x[j] * 3 + k;
      for (int j = 0; j < N; j++)
	y[j] = y[j] * 3 + k;
    }
  for (int j = 0; j < N; j++)
    if (x[j] != y[j])
      return 1;
  return 0;
}
PROGRAM

# start WHAT [NAME=VALUE...] ARGUMENT...: a start, and its calls of the driver.
start ()
{
  what="$level, $*"; shift
  rm -f "$tmp/calls"
  env GOMP_CACHE_DIR="$tmp/cache" FAKE_CUDA_LOG="$tmp/calls" "${@:1:$#-2}" timeout 60 "$tmp/build/image" "${@: -2}" > "$tmp/out" 2> "$tmp/log" \
    || bad "$what: $(tail -5 "$tmp/log")"
  await_told "$tmp/log"
}
says () { grep -qE -- "$1" "$tmp/log" || bad "$what: no line matches $1: $(cat "$tmp/log")"; }
calls () { [ "$(grep -c "^call $1\$" "$tmp/calls")" = "$2" ] || bad "$what: not $2 calls of $1: $(sort "$tmp/calls" | uniq -c)"; }

for level in -O2 -O3; do
  compile "$tmp/t.c" $level
  rm -rf "$tmp/cache"
  start first 1 2
  says ': 0 of 0 functions of the device library are not reached'
  says ': 1 object compiled for sm_90 and loaded in '
  calls cuModuleLoadDataEx 1
  ! grep -q 'jit option 34 ' "$tmp/calls" || bad "$what: by several threads"
  start second 1 2
  calls cuModuleLoadDataEx 0
  calls cuLinkComplete 0
  # The driver refuses it.
  rm -rf "$tmp/cache"
  start refused FAKE_CUDA_FAIL=cuModuleLoadDataEx:1:218 1 2
  says ': the text is not loaded as it is: cuModuleLoadDataEx failed: '
  says ': 1 object linked for sm_90 in '
  # Each start is a first one, unless the result is kept.
  rm -rf "$tmp/cache"
  mv "$dir/lib/gompx-nvptx-link" "$tmp/kept"
  start "nobody links for later starts" 1 2
  says ': 1 object linked for sm_90 in '
  calls cuModuleLoadDataEx 0
  start "the same" 1 2
  calls cuLinkComplete 0
  mv "$tmp/kept" "$dir/lib/gompx-nvptx-link"
done
exit $status
