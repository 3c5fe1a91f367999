#!/bin/bash
# Inner loops that are shared out to lanes: those for which that is known to be right, and no others,
# and all compute what the host does, to the last bit.  Without a GPU the stand-in driver executes
# them.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: thread the simulator is slow
# TEST-SKIP-SANITIZER: address the simulator is slow
# TEST-SKIP-SANITIZER: undefined the simulator is slow
# TEST-TIMEOUT: 240
#
# By hand: LANES_LEVELS="-O3 -Os" names other options than -O2; what can be shared out depends on
# them.  LANES_SEEDS="1 50" has random programs from seed 1 to 50, LANES_KERNELS how many loops one has.
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
. "$here/aux-lanes.sh"
library=$builddir/nvptx
[ -f "$library/libgomp.a" ] || skip "built without an offload compiler"
build_tool
export GOMP_INFO=2 GOMP_PLUGINS=nvptx FAKE_CUDA_PTX=1 FAKE_CUDA_ATTRIBUTE=16:2 OMP_TARGET_OFFLOAD=mandatory GOMP_CACHE=off PTX_SIM_RACES=1

# run WHAT ARGUMENT NAME=VALUE...: the program finds nothing wrong.
run ()
{
  local what="$level, $1" argument=$2; shift 2
  timeout 100 env "LD_LIBRARY_PATH=$libdir:$builddir/testsuite/fake-cuda/.libs" "$@" "$tmp/build/image" $argument > "$tmp/out" 2> "$tmp/log" \
    || bad "$what: $(grep -v info: "$tmp/log" | head -5) $(head -5 "$tmp/out")"
}

for level in ${LANES_LEVELS:--O2}; do
  compile "$here/aux-lanes-nest.c" "$level" -ffp-contract=off
  rm -f "$tmp"/o*.ptx
  "$tmp/lanes" "$tmp/image" -n -o "$tmp/o" "$library"/lanes-*.o "$library"/{lock,time}.o > "$tmp/verdicts" \
    || die "$level: the analysis failed: $(cat "$tmp/verdicts")"
  nests=0
  while read -r _ function verdict; do
    verdict=${verdict% \*/}
    got=$(sed -nE "s/^$function\\\$_omp_fn\\\$[0-9]+ [a-z-]+ [0-9]+ //p" "$tmp/verdicts")
    awk -v name="$function" 'index ($0, ".visible .entry " name "$_omp_fn$") && index ($0, "$lanes (") { p = 1 } p { print } /^}/ { p = 0 }' \
      "$tmp/o0.ptx" > "$tmp/kernel"
    case $verdict in
      nest) [ -n "${LANES_LEVELS:-}" ] || [ "$got" = "stride nest" ] && grep -q '%nest_shared' "$tmp/kernel" \
	      && grep -q "^\\.visible .global .align 1 .b8 $function\\\$_omp_fn\\\$[0-9]*\\\$lanes\\\$stores\\[[0-9]*\\];" "$tmp/o0.ptx" \
	      || bad "$level: $function is not shared out: ${got:-nothing}"
	    nests=$((nests + 1)) ;;
      no*) [ -n "${LANES_LEVELS:-}" ] || [ "$verdict" = no ] || [ "$got" = "stride; ${verdict#no }" ] \
	     || bad "$level: $function: '$got' instead of '${verdict#no }'"
	   ! grep -q '%nest_shared' "$tmp/kernel" || bad "$level: $function is shared out" ;;
      *) bad "$function: $verdict?" ;;
    esac
  done < <(grep -oE 'EXPECT:.*' "$here/aux-lanes-nest.c" | grep -v '"')
  run warps "" GOMP_NVPTX_LANES=off
  run lanes "" GOMP_NVPTX_LANES=force
  [ "$(grep -c 'an inner loop is shared out to them' "$tmp/log")" = "$nests" ] || [ -n "${LANES_LEVELS:-}" ] || bad "$level: not told of $nests loops"
  run "switched off" "" GOMP_NVPTX_LANES=force GOMP_NVPTX_LANES_NEST=off
  ! grep 'an inner loop is shared out' "$tmp/log" || bad "$level: off, and loops are shared out"
  for order in inorder random:7 adversarial; do
    run "order $order" again GOMP_NVPTX_LANES=force PTX_SIM_ORDER=$order
  done
  run "many teams" again GOMP_NVPTX_LANES=force GOMP_NVPTX_TEAMS=11
  run "one team" again GOMP_NVPTX_LANES=force OMP_NUM_TEAMS=1 PTX_SIM_ORDER=random:3
  run "few lanes" again GOMP_NVPTX_LANES=force OMP_TEAMS_THREAD_LIMIT_ALL=96
  run "a part of a warp" again GOMP_NVPTX_LANES=force OMP_TEAMS_THREAD_LIMIT_ALL=45
  [ -z "${LANES_LEVELS:-}" ] || continue
  # One row: a lane that has all of it executes more than the simulator may let it.
  run "one row, shared out" heavy GOMP_NVPTX_LANES=force PTX_SIM_BUDGET=150000
  ! timeout 100 env "LD_LIBRARY_PATH=$libdir:$builddir/testsuite/fake-cuda/.libs" GOMP_NVPTX_LANES=force GOMP_NVPTX_LANES_NEST=off \
    PTX_SIM_BUDGET=150000 "$tmp/build/image" heavy > "$tmp/out" 2> "$tmp/log" || bad "$level: one row is shared out though nothing may be"
done

# Random loops, whose iterations may depend on each other in any way.
read -r from to <<< "${LANES_SEEDS:-1 3}"
"${cc[@]}" -O1 -w "$here/aux-nests.c" -o "$tmp/nests" || die "the generator does not compile"
orders=(random:7 adversarial inorder) options_of=(-O2 -O3 -O1) shared=0
for ((seed = from; seed <= to; seed++)); do
  level="seed $seed, ${options_of[seed % 3]}"
  "$tmp/nests" "$seed" "${LANES_KERNELS:-12}" > "$tmp/random.c"
  compile "$tmp/random.c" "${options_of[seed % 3]}" -w
  run "random loops" "" GOMP_NVPTX_LANES=force PTX_SIM_ORDER="${orders[seed % 3]}"
  shared=$((shared + $(grep -c 'an inner loop is shared out' "$tmp/log")))
done
[ "$shared" -gt 0 ] || bad "no random loop is shared out"
exit $status
