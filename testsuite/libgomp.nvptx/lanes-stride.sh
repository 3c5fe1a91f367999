#!/bin/bash
# Loops with a static schedule in lane mode: neighbouring lanes take neighbouring iterations in regions for which that is known to
# be right, and in no others, and all regions compute what they do with warps.  Without a GPU the stand-in driver executes them.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: thread the simulator is slow
# TEST-SKIP-SANITIZER: address the simulator is slow
# TEST-SKIP-SANITIZER: undefined the simulator is slow
# TEST-TIMEOUT: 240
#
# By hand: LANES_LEVELS="-O1 -O3 -Ofast" names other options than -O2.  (At -Os atomic updates have another form, and reductions
# by a loop no stride.)
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
. "$here/aux-lanes.sh"
library=$builddir/nvptx
[ -f "$library/libgomp.a" ] || skip "built without an offload compiler"
build_tool
export GOMP_INFO=2 GOMP_PLUGINS=nvptx FAKE_CUDA_PTX=1 FAKE_CUDA_ATTRIBUTE=16:2 OMP_TARGET_OFFLOAD=mandatory GOMP_CACHE=off

# run WHAT LONGEST NAME=VALUE...: the program finds nothing wrong, and no thread's piece is longer than LONGEST, or some is (+).
run ()
{
  local what="$level, $1" want=$2 longest; shift 2
  timeout 100 env "LD_LIBRARY_PATH=$libdir:$builddir/testsuite/fake-cuda/.libs" "$@" "$tmp/build/image" > "$tmp/out" 2> "$tmp/log" \
    || bad "$what: $(grep -v info: "$tmp/log" | head -5) $(head -5 "$tmp/out")"
  longest=$(sed -n 's/^longest //p' "$tmp/out")
  case $want in
    +) [ "${longest:-0}" -gt 1 ] || bad "$what: no thread has more than one iteration: ${longest:-none}" ;;
    *) [ "${longest:-0}" = "$want" ] || bad "$what: a thread has ${longest:-no} iterations" ;;
  esac
}

for level in ${LANES_LEVELS:--O2}; do
  compile "$here/aux-lanes-stride.c" "$level"
  rm -f "$tmp"/new*
  "$tmp/lanes" "$tmp/image" -o "$tmp/new" "$library"/lanes-*.o "$library"/{lock,time}.o > "$tmp/verdicts" \
    || die "$level: the analysis failed: $(cat "$tmp/verdicts")"
  # Clones and kernels in which lanes of a warp combine what they have, and where they don't do so one after the other: of how many
  # words, and whether the one that is left then enters a section of a lock.
  awk '/^(\.visible )?\.(func|entry) .*\$lanes/ { name = $0; sub (/\$_omp_fn.*/, "", name); sub (/.* /, "", name) }
       /^}/ { if (name != "" && bfly > 0 && bfly % 5 == 0 && down == bfly && !folds && left)
		print name, bfly / 5, section == 1 && !turns ? "section" : "none"
	      name = ""; bfly = down = folds = left = section = turns = 0 }
       /shfl.sync.bfly/ { bfly++ } /shfl.sync.down/ { down++ } /match.any/ { folds = 1 } /@%lanes_leaves (ret;|bra )/ { left = 1 }
       left && /call gompx_lanes_section_start;/ { section++ } left && /call gompx_lanes_turn_/ { turns = 1 }' \
    "$tmp"/new* > "$tmp/combine"
  strides=0
  while read -r _ function verdict; do
    verdict=${verdict% \*/}
    grep -E "^$function\\\$_omp_fn\\\$[0-9]+ lanes " "$tmp/verdicts" | sed -E 's/^[^ ]+ lanes [0-9]+ //' > "$tmp/got"
    [ -s "$tmp/got" ] || bad "$level: $function: no region has lanes: $(grep "^$function" "$tmp/verdicts")"
    case $verdict in
      stride|combines*|section*|updates*) grep -qx stride "$tmp/got" || bad "$level: $function has no stride: $(cat "$tmp/got")"
	      strides=$((strides + 1)) ;;
      no*) ! grep -qx stride "$tmp/got" || bad "$level: $function has a stride"
	   grep -q "^${verdict#no }" <(sed 's/^/ /; s/^ //' "$tmp/got") || [ "$verdict" = no ] \
	     || bad "$level: $function: '$(cat "$tmp/got")' instead of '${verdict#no }'" ;;
      *) bad "$function: $verdict?" ;;
    esac
    combines=$(sed -n "s/^$function //p" "$tmp/combine")
    case $verdict in
      combines) grep -qxE '[12] none' <<< "$combines" ;;
      section*) grep -qxE "${verdict#section } section" <<< "$combines" ;;
      updates*) grep -qxE "${verdict#updates } none" <<< "$combines" ;;
      *) [ -z "$combines" ] ;;
    esac || bad "$level: $function: lanes combine: ${combines:-no}"
  done < <(grep -oE 'EXPECT:.*' "$here/aux-lanes-stride.c" | grep -v '"')
  run warps + GOMP_NVPTX_LANES=off
  run "a piece each" + GOMP_NVPTX_LANES=force GOMP_NVPTX_LANES_STRIDE=off
  ! grep 'with a stride' "$tmp/log" || bad "$level: off, and there are strides"
  for order in "" random:7 adversarial; do
    run "stride, order $order" 8 GOMP_NVPTX_LANES=force ${order:+PTX_SIM_ORDER="$order"}
    [ "$(grep -c 'threads can be lanes, with a stride' "$tmp/log")" = "$strides" ] || bad "$level: not told of $strides strides"
  done
  # Pieces of 16 would leave lanes less than four, so there are none.
  for length in 1 4 16:1; do
    run "pieces of ${length%:*}" "${length#*:}" GOMP_NVPTX_LANES=force GOMP_NVPTX_LANES_STRIDE="${length%:*}" PTX_SIM_ORDER=random:8
  done
done
exit $status
