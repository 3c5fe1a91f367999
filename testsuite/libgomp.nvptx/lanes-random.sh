#!/bin/bash
# Random target regions compute the same on the host, with warps as threads and with lanes as threads, and what must not have
# lanes has none.  Without a GPU the stand-in driver executes them.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: thread the simulator is slow
# TEST-SKIP-SANITIZER: address the simulator is slow
# TEST-SKIP-SANITIZER: undefined the simulator is slow
# TEST-TIMEOUT: 120
#
# By hand: LANES_SEEDS="1 50" has programs from seed 1 to 50, LANES_LEVELS="-O0 -O3" names options (one for each
# program in turn), LANES_KERNELS how many regions a program has, LANES_TIMEOUT seconds for a run of one, LANES_KEEP=DIRECTORY
# keeps what fails.  Of four programs one has block kernels (LANES_THREADS: of a team on the host), one
# only loops that may have a stride, and one only simd loops; LANES_ONLY=blocks, plain, initial or simd:
# all programs.
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
. "$here/aux-lanes.sh"
[ -f "$builddir/nvptx/libgomp.a" ] || skip "built without an offload compiler"
read -r from to <<< "${LANES_SEEDS:-1 5}"
read -r -a levels <<< "${LANES_LEVELS:--O2 -O1}"
"${cc[@]}" -O1 -w -D_GNU_SOURCE "$here"/aux-kernels*.c -o "$tmp/kernels" || die "the generator does not compile"

export XDG_CACHE_HOME=$tmp/cache
orders=("" "random:7" adversarial)
run ()
{
  timeout "${LANES_TIMEOUT:-100}" env "LD_LIBRARY_PATH=$libdir:$builddir/testsuite/fake-cuda/.libs" "$@" \
    ./k "${arguments[@]}"
}
# different A B KINDS: say which sums of the kinds differ.
different ()
{
  diff <(grep -E "^kernel[0-9]+ [$3] " "$1") <(grep -E "^kernel[0-9]+ [$3] " "$2") > "$tmp/diff" && return
  bad "seed $seed, $level, ${PTX_SIM_ORDER:-in order}: $1 and $2 differ: $(grep -oE '^> kernel[0-9]+' "$tmp/diff" | cut -c3- | tr '\n' ' ')"
}
# blocks: what runs of block kernels have to be.  The host, the cpu device and warps may have fewer
# threads than a region counts on, which then says so and has no sum; lanes have all.
blocks ()
{
  local arguments=(all 1 model)
  run OMP_TARGET_OFFLOAD=disabled > model 2> log || bad "seed $seed, $level: model: $(tail -3 log)"
  arguments=()
  run OMP_TARGET_OFFLOAD=mandatory GOMP_PLUGINS=cpu GOMP_CPU_DEVICES=1 OMP_THREAD_LIMIT_DEV=4 \
    > cpu 2> log || bad "seed $seed, $level: cpu device: $(tail -3 log)"
  for mode in host cpu warps; do
    different model $mode i
    grep -E '^kernel[0-9]+ x ' $mode | grep -vxFf model > log \
      && bad "seed $seed, $level: $mode: $(tr '\n' ';' < log)"
  done
  different model lanes ix
  different model pieces ix
  grep -H ' threads of ' lanes pieces && bad "seed $seed, $level: a kernel has fewer threads than it counts on"
  counted=$((counted + $(grep -cE '^kernel[0-9]+ x ' lanes)))
}

regions=0 strides=0 simd=0 counted=0 all_blocks=0
arguments=()
for ((seed = from; seed <= to; seed++)); do
  before=$status
  level=${levels[seed % ${#levels[@]}]}
  mkdir "$tmp/$seed" && cd "$tmp/$seed" || exit 1
  only=${LANES_ONLY:-}
  if [ -z "$only" ]; then
    kinds=(simd blocks "" plain)
    only=${kinds[seed % 4]}
  fi
  "$tmp/kernels" "$seed" "${LANES_KERNELS:-10}" ${only:+"$only"} > k.c
  lines=-g
  [ $((seed % 2)) = 0 ] || lines=-g0
  # shellcheck disable=SC2086
  "${compiler[@]}" "$level" "$lines" -w -fwrapv -ffp-contract=off -fopenmp $options '-foffload-options=nvptx-none=-lm -latomic' \
    k.c -o k -lm > log 2>&1 || die "seed $seed, $level: $(grep -E 'error|unresolved' log || tail -3 log)"
  export PTX_SIM_ORDER=${orders[seed % 3]}
  [ -n "$PTX_SIM_ORDER" ] || unset PTX_SIM_ORDER
  run OMP_TARGET_OFFLOAD=disabled OMP_THREAD_LIMIT="${LANES_THREADS:-4}" > host 2> log \
    || bad "seed $seed, $level: host: $(tail -3 log)"
  export GOMP_PLUGINS=nvptx FAKE_CUDA_PTX=1 FAKE_CUDA_ATTRIBUTE=16:2
  run OMP_TARGET_OFFLOAD=mandatory GOMP_NVPTX_LANES=off > warps 2> log || bad "seed $seed, $level: warps: $(head -5 log)"
  # Loops are short: with pieces of 8 there would be none.
  run OMP_TARGET_OFFLOAD=mandatory GOMP_NVPTX_LANES=force GOMP_NVPTX_LANES_STRIDE=$((1 << seed % 3)) GOMP_INFO=2 > lanes 2> verdicts \
    || bad "seed $seed, $level: lanes: $(grep -v info: verdicts | head -5)"
  run OMP_TARGET_OFFLOAD=mandatory GOMP_NVPTX_LANES=force GOMP_NVPTX_LANES_STRIDE=off > pieces 2> log \
    || bad "seed $seed, $level: a piece for each lane: $(head -5 log)"
  different warps lanes ifa
  different warps pieces ifa
  if [ "$only" = blocks ]; then
    blocks
    all_blocks=$((all_blocks + 1))
  fi
  # -Ofast changes what depends on floating-point numbers.
  if [ "$level" = -Ofast ]; then different host warps i; else different host warps if; fi
  grep -H wrong host warps lanes pieces && bad "seed $seed, $level: a thread saw what it must not"
  while read -r _ kernel _; do
    grep -qE "$kernel[$].*: threads are warps, (not lanes|without)" verdicts || bad "seed $seed, $level: $kernel may have lanes"
  done < <(grep -o 'EXPECT: kernel[0-9]* warp' k.c)
  regions=$((regions + $(grep -c 'threads can be lanes' verdicts)))
  simd=$((simd + $(grep -c 'threads are warps, without' verdicts)))
  strides=$((strides + $(grep -c 'threads can be lanes, with a stride' verdicts)))
  cd "$tmp" || exit 1
  if [ "$before" != "$status" ]; then
    again="LANES_SEEDS='$seed $seed' LANES_ONLY='$only' LANES_LEVELS=$level"
    echo "again: $again LANES_KERNELS=${LANES_KERNELS:-10} $here/lanes-random.sh $builddir"
    [ -z "${LANES_KEEP:-}" ] || cp -r "$seed" "$LANES_KEEP/"
  fi
  rm -rf "$seed"
done
echo "$regions regions had lanes, $strides of them a stride; $simd had warps without the library;" \
  "$counted kernels counted on threads"
[ "$regions" -gt $((3 * (to - from + 1))) ] || [ "${LANES_ONLY:-}" = simd ] || bad "too few regions had lanes"
[ "$strides" -gt 0 ] || [ $((to - from)) -lt 2 ] || [[ ${LANES_ONLY:-} =~ simd|blocks ]] \
  || bad "no region had a stride"
[ "$simd" -gt 0 ] || [ -n "${LANES_ONLY:-}" ] || [ $((to - from)) -lt 3 ] || bad "no region had warps without the library"
[ "$counted" -ge "$all_blocks" ] || bad "too few block kernels counted on threads"
exit $status
