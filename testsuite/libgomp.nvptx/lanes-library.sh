#!/bin/bash
# Lane regions of the device runtime, begun as rewritten programs do it, on the simulator: numbers of threads, barriers, loops
# of all schedules, sections, single, locks, queries, and regions of warp mode behind them.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: address says nothing about the library
# TEST-SKIP-SANITIZER: thread says nothing about the library
# TEST-SKIP-SANITIZER: undefined says nothing about the library
# TEST-TIMEOUT: 120
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
library=$builddir/nvptx
simulator=$builddir/testsuite/ptx-sim/.libs/libptx-sim.a
[ -e "$library/lanes-unit.o" ] || skip "built without an offload compiler"
[ -e "$simulator" ] || die "there is no simulator"
mapfile -t compilers < <("$top_srcdir/config/nvptx/find-compiler.sh" "${cc[0]}")
[ ${#compilers[@]} = 2 ] || skip "${cc[0]} does not compile for nvptx"
accel=${compilers[1]}

# As device.mk does it.
${compilers[0]} -fopenmp -foffload=nvptx-none -flto -fno-fat-lto-objects -fno-builtin -w -O2 -c "$here/aux-lane-region.c" \
  -o "$tmp/lanes.lto" || die "aux-lane-region.c: the first step fails"
GCC_OFFLOAD_OMP_REQUIRES_FILE="$tmp/requires" $accel -xlto -m64 -fno-openacc -foffload-abi=lp64 -misa=sm_70 -mptx=6.3 \
  -O2 "$tmp/lanes.lto" -S -o "$tmp/lanes.raw" || die "aux-lane-region.c: the second step fails"
{ grep -v '^//:' "$tmp/lanes.raw"; cat "$here/aux-lane-entry.s"; } > "$tmp/lanes.s"
$accel -m64 -mgomp -Wa,--no-verify -c "$tmp/lanes.s" -o "$tmp/lanes.o" || die "aux-lane-region.c: it is not assembled"

# The compiler's library has these.
printf '%s\n' '.version 6.0' '.target sm_30' '.address_size 64' \
  '.visible .shared .align 8 .u64 __nvptx_stacks[32];' '.visible .shared .align 4 .u32 __nvptx_uni[32];' > "$tmp/modes.o"

"${cc[@]}" "${sanitizer_flags[@]}" -std=gnu11 -O1 -I"$top_srcdir/testsuite/ptx-sim" "$here/aux-lane-run.c" \
  "$simulator" -lm -lpthread -o "$tmp/run" || die "aux-lane-run.c"
objects=()
for name in core lanes-region lanes-region-loop lanes-unit lock critical parallel-loop sections time iter work single \
	    divide ordered doacross message loop; do
  objects+=("$library/$name.o")
done
"$tmp/run" "$tmp/lanes.o" "$tmp/modes.o" "${objects[@]}" || bad "not right on the simulator"
exit $status
