#!/bin/bash
# Scalar and memory instructions one by one, against values that are written down from the manual; and what
# the simulator must not let pass.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: thread one thread, and much arithmetic
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../libgomp.abi/aux-common.sh"
unit=$builddir/testsuite/gcn-sim/gcn-unit
[ -x "$unit" ] || skip "gcn-unit is not built"
for t in scalar memory faults; do
  "$unit" "$t" > "$tmp/out" 2>&1 || bad "gcn-unit $t:"$'\n'"$(head -20 "$tmp/out")"
done
exit $status
