#!/bin/bash
# Kernels whose lanes run the whole target region by themselves: those that can, and no others, and all compute what they do
# with warps.  Without a GPU the stand-in driver executes them.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: thread the simulator is slow
# TEST-SKIP-SANITIZER: address the simulator is slow
# TEST-SKIP-SANITIZER: undefined the simulator is slow
# TEST-TIMEOUT: 240
#
# By hand: LANES_LEVELS="-O3 -Os" names other options than -O2, LANES_SOURCES one of the programs.
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
. "$here/aux-lanes.sh"
library=${PTX_LIBRARY:-$builddir/nvptx}
[ -f "$library/libgomp.a" ] || skip "built without an offload compiler"
build_tool
export GOMP_INFO=2 GOMP_PLUGINS=nvptx FAKE_CUDA_PTX=1 FAKE_CUDA_ATTRIBUTE=16:2 OMP_TARGET_OFFLOAD=mandatory GOMP_CACHE=off

for level in ${LANES_LEVELS:--O2}; do for source in ${LANES_SOURCES:-direct reduce blocks fortran}; do
  program=$here/aux-lanes-$source.c
  use_compiler "${cc[@]}"
  if [ "$source" = fortran ]; then
    program=$here/aux-lanes-$source.f90
    use_compiler "${fc[@]}"
  fi
  compile "$program" "$level"
  "$tmp/lanes" "$tmp/image" -o "$tmp/o" "$library"/lanes-*.o "$library"/{lock,time}.o > "$tmp/verdicts" || die "$level: the analysis failed: $(cat "$tmp/verdicts")"
  ! grep '^failed' "$tmp/verdicts" || die "$level: nothing was rewritten"
  direct=0
  while read -r _ function verdict _; do
    awk -v name="$function" 'index ($0, ".visible .entry " name "$_omp_fn$") && index ($0, "$lanes (") { p = 1 } p { print } /^}/ { p = 0 }' \
      "$tmp/o0.ptx" > "$tmp/kernel"
    case $verdict in
      direct) grep -q '%direct_thread' "$tmp/kernel" || bad "$level: $function needs the library"
	      ! grep -E '^[[:space:]]*call[^,]*, *(GOMP|omp|gompx)_|call (GOMP|omp|gompx)_' "$tmp/kernel" || bad "$level: $function calls the library"
	      direct=$((direct + 1)) ;;
      locks) grep -q 'call gompx_lanes_locks_begin' "$tmp/kernel" || bad "$level: $function's locks are not made ready"
	     grep -E 'call(.uni)? [^;]*(GOMP|omp|gompx)_' "$tmp/kernel" | grep -vE '_(locks_begin|turn_start|turn_end|team_start|team_end|section_[a-z]+|GOMP_(critical|atomic)_[a-z_]+|omp_(un)?set_lock)\b' \
	       && bad "$level: $function calls the library for more than locks"
	     direct=$((direct + 1)) ;;
      team) grep -q 'call gompx_lanes_team_start' "$tmp/kernel" || bad "$level: $function does without the team's lock"
	    ! { grep 'call gompx_lanes_GOMP_critical_[a-z_]*start' "$tmp/kernel" || grep -A1 'lanes_which\], 2' "$tmp/kernel" | grep turn_start; } \
	      || bad "$level: $function takes the device's lock"
	    direct=$((direct + 1)) ;;
      library) grep -q 'gompx_lanes_main' "$tmp/kernel" || bad "$level: $function does not begin with the library"
	       ! grep '%direct_thread' "$tmp/kernel" || bad "$level: $function has no library" ;;
      *) bad "$function: $verdict?" ;;
    esac
  done < <(grep -oE 'EXPECT:.*' "$program" | grep -v '"')
  # Teams that have computed a part do not wait for one another to add it.
  [ "$source" != reduce ] || { grep -q 'atom.global.add.f32 %direct_was' "$tmp/o0.ptx" && grep -q 'red.global.add.f64' "$tmp/o0.ptx"; } || bad "$level: teams swap to add"
  grep -q "^kernels .* direct $direct warps 0$" "$tmp/verdicts" || bad "$level: not $direct kernels: $(grep ^kernels "$tmp/verdicts")"
  if command -v ptxas > "$tmp/which"; then
    ptxas -c -v -arch=sm_90 "$tmp/o0.ptx" -o "$tmp/o0.cubin" > "$tmp/ptxas" 2>&1 || bad "ptxas: $(head -5 "$tmp/ptxas")"
    # The data block is registers.
    [ $source != direct ] || grep -A1 'Function properties for plain$_omp_fn$0$lanes' "$tmp/ptxas" | grep -q ' 0 bytes stack frame' || bad "$level: a frame is left"
  fi
  run_image warps GOMP_NVPTX_LANES=off
  for order in "" random:7 adversarial; do
    run_image "lanes, order $order" GOMP_NVPTX_LANES=force ${order:+PTX_SIM_ORDER="$order"}
  done
  run_image "many teams" GOMP_NVPTX_LANES=force GOMP_NVPTX_TEAMS=11
  run_image "teams by the user" GOMP_NVPTX_LANES=force OMP_NUM_TEAMS=2
  run_image "few lanes" GOMP_NVPTX_LANES=force OMP_TEAMS_THREAD_LIMIT_ALL=64
  run_image "a part of a warp" GOMP_NVPTX_LANES=force OMP_TEAMS_THREAD_LIMIT_ALL=45
done; done

# A kernel whose teams are to have 1024 threads does not get registers that leave no room for them.
program=$here/gpu-lanes-most.c
compile "$program" -O2
"$tmp/lanes" "$tmp/image" -o "$tmp/o" "$library"/lanes-*.o > "$tmp/verdicts" || die "the analysis failed: $(cat "$tmp/verdicts")"
grep -qE '^\.visible \.entry .*\$lanes .*\.maxntid 1024, 1, 1$' "$tmp/o0.ptx" || bad "gpu-lanes-most: nothing says how many threads there are"
! grep -E '^\.visible \.entry [^$]*\$_omp_fn\$[0-9]* .*maxntid' "$tmp/o0.ptx" || bad "gpu-lanes-most: the compiler's kernel is changed"
if command -v ptxas > "$tmp/which"; then
  ptxas -c -v -arch=sm_90 "$tmp/o0.ptx" -o "$tmp/o0.cubin" > "$tmp/ptxas" 2>&1 || bad "ptxas: $(head -5 "$tmp/ptxas")"
  registers=$(grep -A3 "entry function '.*lanes'" "$tmp/ptxas" | sed -nE 's/.*Used ([0-9]+) registers.*/\1/p')
  [ "${registers:-99}" -le 64 ] || bad "gpu-lanes-most: ${registers:-no} registers"
fi
exit $status
