#!/bin/bash
# Regions that call recursive functions: which can have a thread for each lane, that they compute
# what they do on the host, and that their recursion can be as deep as with warps.  Without a GPU
# the stand-in driver executes them, which ends a program whose stack is too small.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: thread the simulator is slow
# TEST-SKIP-SANITIZER: address the simulator is slow
# TEST-SKIP-SANITIZER: undefined the simulator is slow
# TEST-TIMEOUT: 240
#
# By hand: LANES_LEVELS="-O1 -O3 -Os" names other options than -O2.
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
. "$here/aux-lanes.sh"
library=${PTX_LIBRARY:-$builddir/nvptx}
[ -f "$library/libgomp.a" ] || skip "built without an offload compiler"
build_tool
export GOMP_INFO=2 GOMP_PLUGINS=nvptx FAKE_CUDA_PTX=1 FAKE_CUDA_ATTRIBUTE=16:2 OMP_TARGET_OFFLOAD=mandatory GOMP_CACHE=off

# Of the kernel of FUNCTION the text, in $tmp/kernel.
get_kernel ()
{
  awk -v name="$1" 'index ($0, ".visible .entry " name "$_omp_fn$") && index ($0, "$lanes (") { p = 1 } p { print } /^}/ { p = 0 }' \
    "$tmp/o0.ptx" > "$tmp/kernel"
}

# A clone's calls take no more than the plugin says: those of the function, and share/256 of that.
check_sizes ()
{
  local share stacks name size plain found=0
  share=$(sed -n 's/^share \([0-9]*\)$/\1/p' "$tmp/verdicts")
  ptxas -c -v -arch=sm_90 "$tmp/o0.ptx" -o "$tmp/o0.cubin" > "$tmp/ptxas" 2>&1 || bad "ptxas: $(head -5 "$tmp/ptxas")"
  stacks=$(sed -n '/Function properties for/ { s/.* for //; N; s/\n *\([0-9]*\) bytes stack frame.*/ \1/; p }' "$tmp/ptxas")
  while read -r name size; do
    plain=$(sed -n "s/^${name%\$lanes} \\([0-9]*\\)$/\\1/p" <<< "$stacks")
    [ -n "$plain" ] && [ "$plain" -gt 0 ] && grep -q "call.*${name//\$/\\\$}[,;]" "$tmp/o0.ptx" || continue
    found=$((found + 1))
    [ "$size" -le $((plain + plain * share / 256)) ] \
      || bad "$level, $source: $name: $size bytes, without lanes $plain, of which $share/256 are to be enough"
  done < <(grep -E '^(even|odd|down|_ZNK6walker4walk|_ZN4treeC|_ZN5turns|__cases_MOD_(down|even|odd))[^ ]*\$lanes ' <<< "$stacks")
  [ $found -gt 0 ] || bad "$level, $source: no clone of a recursive function was compared: $stacks"
}

for level in ${LANES_LEVELS:--O2}; do for source in frames.c member.cc fortran.f90; do
  program=$here/recursion-$source
  case $source in
    *.cc) use_compiler "${cxx[@]}" ;;
    *.f90) use_compiler "${fc[@]}" ;;
    *) use_compiler "${cc[@]}" ;;
  esac
  compile "$program" "$level"
  rm -f "$tmp"/o[0-9]*.ptx
  "$tmp/lanes" "$tmp/image" -o "$tmp/o" "$library"/lanes-*.o "$library"/{lock,time}.o > "$tmp/verdicts" || die "$level: the analysis failed: $(cat "$tmp/verdicts")"
  ! grep '^failed' "$tmp/verdicts" || die "$level: nothing was rewritten"
  while read -r _ function verdict why; do
    get_kernel "$function"
    case $verdict in
      direct) grep -q '%direct_thread' "$tmp/kernel" || bad "$level: $function needs the library: $(grep "^$function" "$tmp/verdicts")" ;;
      warps) grep -qE "^$function\\\$_omp_fn\\\$[0-9]+ warp [0-9]+ ${why% \*/}" "$tmp/verdicts" \
	       || bad "$level: $function has lanes, or for another reason none: $(grep "^$function" "$tmp/verdicts")" ;;
      *) bad "$function: $verdict?" ;;
    esac
  done < <(grep -oE 'EXPECT:.*' "$program")
  if command -v ptxas > "$tmp/which"; then
    check_sizes
  fi
  run_image warps GOMP_NVPTX_LANES=off
  for order in "" random:7 adversarial; do
    run_image "lanes, order $order" GOMP_NVPTX_LANES=force ${order:+PTX_SIM_ORDER="$order"}
  done
  run_image "lanes with the library" GOMP_NVPTX_LANES=force GOMP_NVPTX_LANES_BLOCKS=off GOMP_NVPTX_LANES_STRIDE=off PTX_SIM_ORDER=random:7
done; done

# ---- how deep ----

# at DEPTH NAME=VALUE...: it can be so deep.
at ()
{
  local depth=$1; shift
  timeout 100 env "LD_LIBRARY_PATH=$libdir:$builddir/testsuite/fake-cuda/.libs" "$@" "$tmp/build/image" "$depth" > "$tmp/out" 2> "$tmp/log"
}

# deepest NAME=VALUE...: set DEEPEST.
deepest ()
{
  local low=1 high=4000
  at $low "$@" || die "no recursion at all with $*: $(tail -5 "$tmp/log")"
  while [ $((high - low)) -gt 1 ]; do
    local middle=$(((low + high) / 2))
    if at $middle "$@"; then low=$middle; else high=$middle; fi
  done
  deepest=$low
}
use_compiler "${cc[@]}"
compile "$here/recursion-frames.c" -O2
# The least that recursion has, twice as much by the device's memory, and what the user says.
for setting in FAKE_CUDA_MEMORY=256 FAKE_CUDA_MEMORY=1024 GOMP_NVPTX_NATIVE_GPU_THREAD_STACK_SIZE=6k; do
  settings=("$setting" FAKE_CUDA_ATTRIBUTE=16:2,39:2048)
  deepest "${settings[@]}" GOMP_NVPTX_LANES=off
  ! at $((deepest + 1)) "${settings[@]}" GOMP_NVPTX_LANES=off && grep -q 'bytes of the stack, which has' "$tmp/log" \
    || bad "$setting: the stack is not what ends recursion: $(tail -5 "$tmp/log")"
  [ "$deepest" -ge 50 ] || bad "$setting: with warps only $deepest calls"
  at "$deepest" "${settings[@]}" GOMP_NVPTX_LANES=force || bad "$setting: lanes cannot be $deepest calls deep, as warps can: $(tail -5 "$tmp/log")"
  grep -q '\$lanes: [0-9]' "$tmp/log" || bad "$setting: threads are warps"
  echo "$setting: $deepest"
done

# ---- without memory for it ----

# Of a kernel with such a region threads are warps then.  The limit is set for lanes, recursion, and
# recursion of lanes.
lanes=force
rm -f "$tmp/calls"
at 20 GOMP_NVPTX_LANES=$lanes FAKE_CUDA_LOG="$tmp/calls" || bad "$lanes: $(tail -5 "$tmp/log")"
[ "$(grep -c 'limit 0 ' "$tmp/calls")" = 3 ] || bad "$lanes: the limit of stacks is not set three times: $(grep 'limit 0' "$tmp/calls")"
grep -q '\$lanes: [0-9]' "$tmp/log" || bad "$lanes: threads are warps"
at 20 GOMP_NVPTX_LANES=$lanes FAKE_CUDA_FAIL=cuCtxSetLimit:3:2 || bad "$lanes, no memory: $(tail -5 "$tmp/log")"
grep -q 'threads are warps: there is no memory for the recursion of lanes' "$tmp/log" || bad "$lanes, no memory: nothing is said"
! grep '\$lanes: [0-9]' "$tmp/log" || bad "$lanes, no memory: threads are lanes"
# Only who forces lanes has them.
at 20 GOMP_NVPTX_LANES=auto || bad "auto: $(tail -5 "$tmp/log")"
grep -q 'threads are warps, not lanes: it is recursive' "$tmp/log" || bad "auto: it is not told that threads are warps"
! grep '\$lanes: [0-9]' "$tmp/log" || bad "auto: threads are lanes"
exit $status
