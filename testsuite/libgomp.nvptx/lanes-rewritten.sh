#!/bin/bash
# An image is rewritten for lanes: what the compiler made stays, clones have no trace of the warp, and NVIDIA's assembler
# and linker take all of it, where they are.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: thread one thread
# TEST-TIMEOUT: 120
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
. "$here/aux-lanes.sh"
library=${PTX_LIBRARY:-$builddir/nvptx}
[ -f "$library/libgomp.a" ] || skip "built without an offload compiler"
build_tool
# Regions that are not part of kernels, too.
export GOMP_NVPTX_LANES_BLOCKS=off

compile "$here/aux-lanes-corpus.c" -O2 "-foffload-options=nvptx-none=-L$library"
"$tmp/lanes" "$tmp/image" -o "$tmp/o" "$library"/lanes-*.o "$library"/{lock,time}.o > "$tmp/verdicts" || die "failed: $(cat "$tmp/verdicts")"
! grep '^failed' "$tmp/verdicts" || die "nothing was rewritten"
tr '\0' '\f' < "$tmp/image" | awk 'BEGIN { RS = "\f" } NR == 1' > "$tmp/before.ptx"

# clones: the text of those whose name ends in $1.
clones () { awk -v end="$1" 'index ($0, ".func") && index ($0, end " (") && !/;$/ { p = 1 } p { print } /^}/ { p = 0 }' "$tmp"/o*.ptx; }
clones '$lanes' > "$tmp/clones"
clones '$carrier' > "$tmp/carriers"
# Kernels that have their region in them (lanes-direct.sh).
awk '/^\.visible \.entry/ { text = "" } { text = text $0 "\n" } /^}/ { if (index (text, "%direct_thread")) printf "%s", text; text = "" }' "$tmp/o0.ptx" > "$tmp/direct"
[ "$(cat "$tmp/clones" "$tmp/direct" | grep -cE '[.]func|[.]visible [.]entry')" -ge 30 ] || bad "too few clones"
# But for atomic updates and sections in turn, which have registers of their own; a barrier of the warp is behind a jump by one, or where it leads to.
awk '/bar\.warp\.sync 4294967295/ && before ~ /@!?%lanes_.*bra|^\$lanes_made/ { next } { before = $0 } !/%lanes_/' "$tmp/clones" \
  | grep -E '__nvptx_stacks|__nvptx_uni|%tid|%laneid|shfl|vote|[^m]bar\.|\.uni|\.shared' && bad "a clone uses the warp"
grep -q 'match.any.sync.b64 %lanes_peers' "$tmp/clones" "$tmp/direct" || bad "no update is folded"
grep -q -E 'atom(\.[a-z]+)?\.add\.f64 %lanes_double' "$tmp/clones" "$tmp/direct" || bad "no update has an instruction instead of a loop"
grep -E 'call.* (GOMP|omp)_' "$tmp/clones" "$tmp/direct" && bad "a clone calls the library for warps"
grep -qE 'call.* gompx_lanes_omp_get_thread_num' "$tmp/clones" || bad "no clone asks for its number"
grep -qE 'cvta\.local' "$tmp/clones" || bad "no clone has a frame of its own"
grep -qE 'call gompx_lanes_GOMP_parallel, ' "$tmp/carriers" || bad "no carrier begins a region for lanes"
grep -qE '^\.visible \.entry plain\$_omp_fn\$0\$lanes ' "$tmp/o0.ptx" || bad "there is no kernel for lanes"
! grep -qE '^\.visible \.entry simd\$_omp_fn\$0\$lanes ' "$tmp/o0.ptx" || bad "a kernel of a simd loop was rewritten"
grep -hE '^[[:space:]]*\.target' "$tmp"/o*.ptx | grep -v 'sm_[7-9]\|sm_1[0-9][0-9]' && bad "a target is too old"
# Each kernel and function of the program is still there.
while read -r name; do
  grep -qF "$name" "$tmp/o0.ptx" || bad "$name is gone"
done < <(grep -oE '(func|entry) (\([^)]*\) )?[A-Za-z0-9_$]+' "$tmp/before.ptx" | grep -oE '[A-Za-z0-9_$]+$' | sort -u)

if command -v ptxas > "$tmp/which" && command -v nvlink > "$tmp/which"; then
  for o in "$tmp"/o*.ptx; do
    ptxas -c -arch=sm_90 "$o" -o "$o.cubin" > "$tmp/out" 2>&1 || bad "ptxas does not take $(basename "$o"): $(head -5 "$tmp/out")"
  done
  nvlink -arch=sm_90 "$tmp"/o*.cubin -o "$tmp/image.cubin" > "$tmp/out" 2>&1 || bad "nvlink: $(grep -v warning "$tmp/out" | head -5)"
fi
exit $status
