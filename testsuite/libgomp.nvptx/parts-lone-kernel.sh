#!/bin/bash
# A first region that needs nothing of the library is all that a first start compiles for it, neither a function of the library nor the parallel region whose code stands
# in it; and it is loaded without being linked, or, should the driver not take that, linked.  By one thread, as there is nothing to share.  Of several such regions a small
# image's are compiled together, by as many threads.
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
static inline __attribute__ ((always_inline)) int
mixed (int a, int k, int n)
{
  #pragma GCC unroll 10
  for (int i = 0; i < 10; i++)
    a = a % (k + n + i + 2) * (i + 3) + (a >> i);
  return a;
}
#define MORE(n) \
  static void more##n (int k) \
  { \
    _Pragma ("omp target teams distribute parallel for map (tofrom: x)") \
    for (int j = 0; j < N; j++) \
      x[j] = mixed (x[j] + j, k, n); \
    for (int j = 0; j < N; j++) \
      y[j] = mixed (y[j] + j, k, n); \
  }
#ifdef SEVERAL
MORE (1) MORE (2) MORE (3) MORE (4) MORE (5) MORE (6)
static void (*const all[]) (int) = { more1, more2, more3, more4, more5, more6 };
#else
static void (*const all[]) (int) = { };
#endif
int
main (int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    {
      int k = atoi (argv[i]);
      if (sizeof (all) > 0)
	{
	  all[k] (k);
	  continue;
	}
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
  compile "$tmp/t.c" $level -DSEVERAL
  rm -rf "$tmp/cache"
  start several 1 5
  says ': 1 object compiled for sm_90 and loaded in '
  calls cuModuleLoadDataEx 1
  calls cuLinkComplete 0
  ! grep -q 'region .* alone' "$tmp/log" || bad "$what: one by one"
  [ "$(sed -n 's/.*jit option 34 //p' "$tmp/calls")" = 16 ] || bad "$what: not by 16 threads"
  start "several, later" 1 5
  calls cuModuleLoadDataEx 0
  calls cuLinkComplete 0
  rm -rf "$tmp/cache"
  start "several, refused" FAKE_CUDA_FAIL=cuModuleLoadDataEx:1:218 0 4
  says ': the text is not loaded as it is: cuModuleLoadDataEx failed: '
  calls cuLinkComplete 1
done
exit $status
