#!/bin/bash
# Sections that a lock excludes, in lane mode: lanes of a warp execute those for which that is known to be right in turn, under one
# taking of the lock, and no others; results are those of warps.  Without a GPU the stand-in driver executes them.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: thread the simulator is slow
# TEST-SKIP-SANITIZER: address the simulator is slow
# TEST-SKIP-SANITIZER: undefined the simulator is slow
# TEST-TIMEOUT: 120
#
# By hand: LANES_LEVELS="-O3 -Os" names other options than -O2.
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
. "$here/aux-lanes.sh"
library=$builddir/nvptx
[ -f "$library/libgomp.a" ] || skip "built without an offload compiler"
build_tool
# The library's form of all kernels, in which sections are clones'.
export GOMP_NVPTX_LANES_BLOCKS=off GOMP_PLUGINS=nvptx FAKE_CUDA_PTX=1 FAKE_CUDA_ATTRIBUTE=16:2 OMP_TARGET_OFFLOAD=mandatory GOMP_CACHE=off

# A library in which a trap stands for the lock's other part.
mkdir "$tmp/lib" && cp "$library/libgomp.a" "$tmp/lib/" || exit 1
awk '{ print } /^\.visible \.func gompx_lanes_section_widen$/ { f = 1 } f && /^{/ { print "\ttrap;"; f = 0 }' "$library/lanes-unit.o" \
  > "$tmp/lib/lanes-unit.o"
ar r "$tmp/lib/libgomp.a" "$tmp/lib/lanes-unit.o" 2> "$tmp/log" || die "$(cat "$tmp/log")"

for level in ${LANES_LEVELS:--O2}; do
  compile "$here/aux-lanes-turns.c" "$level"
  rm -f "$tmp"/new*
  "$tmp/lanes" "$tmp/image" -o "$tmp/new" "$library"/lanes-*.o "$library"/{lock,time}.o \
    > "$tmp/verdicts" || die "$level: the analysis failed: $(cat "$tmp/verdicts")"
  # The clones, and whether each has turns.
  awk '/^(\.visible )?\.func .*\$lanes/ { name = $0; sub (/\$_omp_fn.*/, "", name); sub (/.* /, "", name); has[name] += 0 }
       /^}/ { name = "" }
       /lanes_turn[0-9]+:/ && name != "" { has[name]++ }
       /call gompx_lanes_section_widen/ { widens[name] = 1 }
       END { for (n in has) print n, n in widens ? "widens" : has[n] ? "turns" : "no" }' "$tmp"/new* > "$tmp/got"
  while read -r _ function verdict; do
    grep -qx "$function ${verdict% \*/}" "$tmp/got" || bad "$level: $function: '$(grep "^$function " "$tmp/got")' instead of '${verdict% \*/}'"
  done < <(grep -oE 'EXPECT: [a-z]+ (turns|widens|no) \*/' "$here/aux-lanes-turns.c")
  run_image warps GOMP_NVPTX_LANES=off
  for order in inorder random:7 adversarial; do
    run_image "order $order" GOMP_INFO=2 GOMP_NVPTX_LANES=force PTX_SIM_ORDER="$order"
    ! grep "no lane mode" "$tmp/log" || bad "$level: lanes are not the threads"
  done
  run_image "kernels without the library" GOMP_NVPTX_LANES=force GOMP_NVPTX_LANES_BLOCKS=on PTX_SIM_ORDER=random:9
  run_image "teams do not wait for others" GOMP_NVPTX_LANES=force GOMP_NVPTX_DEVICE_LIBRARY="$tmp/lib/libgomp.a" TURNS_OF_TEAMS=1
  timeout 100 env "LD_LIBRARY_PATH=$libdir:$builddir/testsuite/fake-cuda/.libs" GOMP_NVPTX_LANES=force \
    GOMP_NVPTX_DEVICE_LIBRARY="$tmp/lib/libgomp.a" "$tmp/build/image" > "$tmp/out" 2>&1
  grep -q 'gompx_lanes_section_widen.*trap' "$tmp/out" || bad "$level: teams do not take the rest of the lock: $(head -3 "$tmp/out")"
done
exit $status
