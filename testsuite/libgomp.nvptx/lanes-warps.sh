#!/bin/bash
# Kernels with simd loops whose warps run the whole target region by themselves: those that can, and no others, and all compute
# what they do with the library.  Without a GPU the stand-in driver executes them.
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

for level in ${LANES_LEVELS:--O2}; do
  compile "$here/aux-lanes-warps.c" "$level"
  "$tmp/lanes" "$tmp/image" -o "$tmp/o" "$library"/lanes-*.o "$library"/{lock,time}.o > "$tmp/verdicts" || die "$level: the analysis failed: $(cat "$tmp/verdicts")"
  ! grep '^failed' "$tmp/verdicts" || die "$level: nothing was rewritten"
  warps=0 wide=0
  while read -r _ function verdict _; do
    for suffix in warps lanes; do
      awk -v name="$function" -v suffix="$suffix" \
	'index ($0, ".visible .entry " name "$_omp_fn$") && index ($0, "$" suffix " (") { p = 1 } p { print } /^}/ { p = 0 }' \
	"$tmp/o0.ptx" > "$tmp/kernel.$suffix"
    done
    case $verdict in
      warps) [ -s "$tmp/kernel.warps" ] || bad "$level: $function needs the library"
	     ! grep -E '^[[:space:]]*call[^,]*, *(GOMP|omp|gompx)_|call (GOMP|omp|gompx)_' "$tmp/kernel.warps" || bad "$level: $function calls the library"
	     grep -qE "^$function\\$.* warp .*without the library" "$tmp/verdicts" || bad "$level: it is not told of $function"
	     # All lanes have to have the same old number.
	     if grep -qE '@%r[0-9]+ atom(\.(global|shared))?\.cas\.b64' "$tmp/kernel.warps"; then
	       grep -q '%direct_half0' "$tmp/kernel.warps" || bad "$level: lanes of a warp load what others change, each for itself: $function"
	       wide=$((wide + 1))
	     fi
	     # With few iterations some warps have 32 each, and the others none; but a lane has no iteration of
	     # its own where a simd loop is in each, or threads take pieces of a size.
	     full=0
	     ! grep -q '%direct_full' "$tmp/kernel.warps" || full=1
	     case $function in
	       plain|saxpy|unsigned_long|backwards|numbered|calls|two|last|bytes|sum|real_sum|greatest)
		 [ $full = 1 ] || bad "$level: lanes idle in $function" ;;
	       inner|together|rows|chunks)
		 [ $full = 0 ] || bad "$level: $function has fewer threads" ;;
	     esac
	     [[ $function != divides* ]] || grep -q '%direct_q' "$tmp/kernel.warps" || bad "$level: $function divides as it did"
	     warps=$((warps + 1)) ;;
      library) ! [ -s "$tmp/kernel.warps" ] || bad "$level: $function has no library"
	       ! [ -s "$tmp/kernel.lanes" ] || bad "$level: $function has lanes" ;;
      lanes) ! [ -s "$tmp/kernel.warps" ] && [ -s "$tmp/kernel.lanes" ] || bad "$level: $function has no lanes" ;;
      *) bad "$function: $verdict?" ;;
    esac
  done < <(grep -oE 'EXPECT:.*' "$here/aux-lanes-warps.c" | grep -v '"')
  [ $wide -gt 0 ] || bad "$level: no kernel reduces 64 bits"
  grep -q "^kernels .* warps $warps$" "$tmp/verdicts" || bad "$level: not $warps kernels: $(grep ^kernels "$tmp/verdicts")"
  if command -v ptxas > "$tmp/which"; then
    ptxas -c -v -arch=sm_90 "$tmp/o0.ptx" -o "$tmp/o0.cubin" > "$tmp/ptxas" 2>&1 || bad "ptxas: $(head -5 "$tmp/ptxas")"
    # With more a multiprocessor has no room for all the warps that it can hold.
    for function in plain saxpy unsigned_long; do
      grep -A2 "Function properties for $function\$_omp_fn\$0\$warps" "$tmp/ptxas" > "$tmp/properties"
      registers=$(grep -oE 'Used [0-9]+ registers' "$tmp/properties" | grep -oE '[0-9]+')
      [ "${registers:-99}" -le 32 ] || bad "$level: $function has $registers registers"
      grep -q ' 0 bytes spill stores' "$tmp/properties" || bad "$level: $function spills"
    done
  fi
  run_image "with the library" GOMP_NVPTX_LANES=off
  for order in "" random:7 adversarial; do
    run_image "warps, order $order" GOMP_NVPTX_LANES=force ${order:+PTX_SIM_ORDER="$order"}
    grep -q 'saxpy.*: threads are warps, without the library' "$tmp/log" || bad "$level: it is not told"
  done
  run_image "many teams" GOMP_NVPTX_LANES=force GOMP_NVPTX_TEAMS=11
  run_image "teams by the user" GOMP_NVPTX_LANES=force OMP_NUM_TEAMS=2
  for limit in 1 2 5; do
    run_image "$limit warps" GOMP_NVPTX_LANES=force "OMP_TEAMS_THREAD_LIMIT=$limit"
  done
  run_image "both in turn" GOMP_NVPTX_LANES=wait
done
exit $status
