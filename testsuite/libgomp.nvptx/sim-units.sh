#!/bin/bash
# The PTX simulator alone: instructions against values that are computed otherwise, kernels that use all
# it has in all orders, and faults that it must not let pass.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: thread much arithmetic, and threads in few of them
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../libgomp.abi/aux-common.sh"
unit=$builddir/testsuite/ptx-sim/ptx-unit
[ -x "$unit" ] || skip "ptx-unit is not built"
for t in int float kernels faults; do
  "$unit" "$t" > "$tmp/out" 2>&1 || bad "ptx-unit $t:"$'\n'"$(head -20 "$tmp/out")"
done
exit $status
