#!/bin/bash
# The functions of libm for devices, compiled for the host, are as exact as they are said to be
# (doc/device-math.md), by MPFR.  All floats, which takes some hours:
#   MATH_STEP=1 testsuite/libgomp.accel/math-accuracy.sh BUILD
# TEST-MODES: host
# TEST-SKIP-SANITIZER: address there are no accesses to memory in it
# TEST-SKIP-SANITIZER: thread there is one thread
# TEST-TIMEOUT: 120
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
printf '#include <mpfr.h>\nint main (void) { return mpfr_get_version () == 0; }\n' > "$tmp/t.c"
"${cc[@]}" "$tmp/t.c" -o "$tmp/t" -lmpfr > "$tmp/log" 2>&1 || skip "libmpfr-dev is not installed"
math=$top_srcdir/config/math
sources=()
for source in "$math"/*f.c; do
  # erf and the like are of double.
  grep -q '^float MATH\|^void MATH (sincosf)\|MATH_HELPER (re.*f)' "$source" && sources+=("$source")
done
options=(-std=gnu11 -O2 -Wall -Wextra -Wno-unknown-pragmas -Werror -DMATH_HOST -ffp-contract=off
	 -fno-builtin -I"$math" "${sanitizer_flags[@]}")
# Without it fused operations are functions of the host's libm.
! grep -qw fma /proc/cpuinfo || [ "$(uname -m)" != x86_64 ] || options+=(-mfma)
"${cc[@]}" "${options[@]}" "$here/aux-math-float.c" "${sources[@]}" -o "$tmp/float" -lmpfr -lm \
  || die "it does not compile"
"$tmp/float" "${MATH_STEP:-50021}" || bad "a function is not as exact as it should be"
# It would notice: with another coefficient.
mkdir "$tmp/wrong"
cp "$math"/*.h "$tmp/wrong"
sed 's/0x1.6a5a54p-10f/0x1.7a5a54p-10f/g' "$math/exponentialf.h" > "$tmp/wrong/exponentialf.h"
cp "${sources[@]}" "$tmp/wrong"
"${cc[@]}" "${options[@]/#-I*/-I$tmp/wrong}" "$here/aux-math-float.c" "$tmp"/wrong/*.c \
  -o "$tmp/float" -lmpfr -lm || die "it does not compile"
! "$tmp/float" 100003 expf > "$tmp/out" \
  || bad "nothing is wrong with another coefficient: $(cat "$tmp/out")"
exit $status
