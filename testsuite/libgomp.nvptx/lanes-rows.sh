#!/bin/bash
# Loops of loops with simd, in regions whose lanes take turns: lanes leave them when nothing is left,
# and compute what they should in any order.  Without a GPU the stand-in driver executes them.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: thread the simulator is slow
# TEST-SKIP-SANITIZER: address the simulator is slow
# TEST-SKIP-SANITIZER: undefined the simulator is slow
# TEST-TIMEOUT: 240
#
# By hand: LANES_LEVELS="-O1 -O3 -Ofast" names other options than -O2.
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
. "$here/aux-lanes.sh"
library=${PTX_LIBRARY:-$builddir/nvptx}
[ -f "$library/libgomp.a" ] || skip "built without an offload compiler"
build_tool
export GOMP_PLUGINS=nvptx FAKE_CUDA_PTX=1 FAKE_CUDA_ATTRIBUTE=16:2 OMP_TARGET_OFFLOAD=mandatory GOMP_CACHE=off

for level in ${LANES_LEVELS:--O2}; do
  compile "$here/gpu-collapse-simd.c" "$level"
  "$tmp/lanes" "$tmp/image" -o "$tmp/o" "$library"/lanes-*.o "$library"/{lock,time}.o > "$tmp/verdicts" \
    || die "$level: the analysis failed: $(cat "$tmp/verdicts")"
  for function in two unsigned_two long_two three planes sums; do
    awk -v name="$function" 'index ($0, ".visible .entry " name "$") && index ($0, "$lanes") { p = 1 }
			     p { print } /^}/ { p = 0 }' "$tmp/o0.ptx" > "$tmp/kernel"
    [ -s "$tmp/kernel" ] || bad "$level: $function needs the library"
    grep -q 'lanes_idle.* bra ' "$tmp/kernel" || bad "$level: $function goes through empty rows"
  done
  for order in inorder random:7 adversarial; do
    run_image "order $order" GOMP_NVPTX_LANES=force PTX_SIM_ORDER="$order"
  done
  run_image "chunks" GOMP_NVPTX_LANES=force GOMP_NVPTX_LANES_STRIDE=off
  run_image "one iteration at a time" GOMP_NVPTX_LANES=force GOMP_NVPTX_LANES_STRIDE=1
done
exit $status
