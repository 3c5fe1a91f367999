#!/bin/bash
# The double functions of libm for devices, compiled for the host, are as exact as they are said to
# be (doc/device-math.md), by MPFR.  With more arguments:
#   MATH_COUNT=1000000 testsuite/libgomp.accel/math-accuracy-double.sh BUILD
# TEST-MODES: host
# TEST-SKIP-SANITIZER: address there are no accesses to memory in it
# TEST-SKIP-SANITIZER: thread there is one thread
# TEST-TIMEOUT: 120
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
printf '#include <mpfr.h>\nint main (void) { return mpfr_get_version () == 0; }\n' > "$tmp/t.c"
"${cc[@]}" "$tmp/t.c" -o "$tmp/t" -lmpfr > "$tmp/log" 2>&1 || skip "libmpfr-dev is not installed"
math=$top_srcdir/config/math
mapfile -t sources < <(cd "$math" && grep -lE '^#include "math-(double|angle|arc|gamma|rest)\.h"' ./*.c)
options=(-std=gnu11 -O2 -Wall -Wextra -Wno-unknown-pragmas -Werror -DMATH_HOST -ffp-contract=off
	 -fno-builtin -fno-math-errno "${sanitizer_flags[@]}")
# Without it fused operations are functions of the host's libm.
! grep -qw fma /proc/cpuinfo || [ "$(uname -m)" != x86_64 ] || options+=(-mfma)

# build PROGRAM DIRECTORY: the test of the functions there.
build ()
{
  "${cc[@]}" "${options[@]}" -I"$2" "$here/aux-math-double.c" "${sources[@]/#/$2/}" -o "$1" \
    -lmpfr -lm || die "it does not compile"
}
build "$tmp/double" "$math"
"$tmp/double" -n "${MATH_COUNT:-10000}" || bad "a function is not as exact as it should be"

# It would notice: with another coefficient.
mkdir "$tmp/wrong"
cp "$math"/*.[ch] "$tmp/wrong"
sed 's/0x1.28ad7p-22/0x1.29ad7p-22/g' "$math/math-double.h" > "$tmp/wrong/math-double.h"
build "$tmp/wrong/double" "$tmp/wrong"
! "$tmp/wrong/double" -n 10000 exp > "$tmp/out" \
  || bad "nothing is wrong with another coefficient: $(cat "$tmp/out")"
exit $status
