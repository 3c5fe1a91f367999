#!/bin/bash
# Atomic updates that all lanes of a warp make at once: which are such, and that programs compute what they do without.
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
export GOMP_INFO=2 GOMP_PLUGINS=nvptx FAKE_CUDA_PTX=1 FAKE_CUDA_ATTRIBUTE=16:2 OMP_TARGET_OFFLOAD=mandatory GOMP_CACHE=off
source=$here/aux-lanes-joint.c

for level in ${LANES_LEVELS:--O2}; do
  compile "$source" "$level"
  "$tmp/lanes" "$tmp/image" -o "$tmp/o" "$library"/lanes-*.o "$library"/{lock,time}.o > "$tmp/verdicts" || die "$level: the analysis failed: $(cat "$tmp/verdicts")"
  ! grep '^failed' "$tmp/verdicts" || die "$level: nothing was rewritten"
  while read -r _ function number _; do
    joint=$(awk -v name=" $function\$_omp_fn\$" '/^\.(visible \.)?(func|entry)/ && !/;$/ && index ($0, name) && /\$lanes/ { p = 1 }
						 p && /^\$lanes_joined[0-9]*:/ { n++ } /^}/ { p = 0 } END { print n + 0 }' "$tmp/o0.ptx")
    [ "$joint" -ge "${number%-*}" ] && [ "$joint" -le "${number#*-}" ] || bad "$level: $function has $joint joint updates, not $number"
  done < <(grep -oE 'EXPECT: [a-z]+ [0-9].*' "$source")
  # Who goes on sees its own update.
  [ "$(grep -A1 '^\$lanes_made' "$tmp/o0.ptx" | grep -c 'bar\.warp\.sync 4294967295;')" = "$(grep -c '^\$lanes_made' "$tmp/o0.ptx")" ] || bad "$level: lanes do not wait for the update"
  if command -v ptxas > "$tmp/which"; then
    ptxas -c -arch=sm_90 "$tmp/o0.ptx" -o "$tmp/o0.cubin" > "$tmp/ptxas" 2>&1 || bad "ptxas: $(head -5 "$tmp/ptxas")"
  fi
  run_image warps GOMP_NVPTX_LANES=off
  run_image "lanes together" GOMP_NVPTX_LANES=force TOGETHER=1
  for order in random:7 random:8 adversarial; do
    run_image "lanes, order $order" GOMP_NVPTX_LANES=force PTX_SIM_ORDER="$order"
  done
  run_image "the library's lanes" GOMP_NVPTX_LANES=force GOMP_NVPTX_LANES_BLOCKS=off
  run_image "the library's lanes, apart" GOMP_NVPTX_LANES=force GOMP_NVPTX_LANES_BLOCKS=off PTX_SIM_ORDER=random:9
  run_image "few lanes" GOMP_NVPTX_LANES=force OMP_TEAMS_THREAD_LIMIT_ALL=64
  run_image "a part of a warp" GOMP_NVPTX_LANES=force OMP_TEAMS_THREAD_LIMIT_ALL=45
  run_image "in order" GOMP_NVPTX_LANES=force GOMP_NVPTX_TEAMS=off
done
exit $status
