#!/bin/bash
# The PTX simulator knows every instruction of GCC's libraries for NVIDIA GPUs and of our device runtime.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: thread one thread, and much to read
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../libgomp.abi/aux-common.sh"
run=$builddir/testsuite/ptx-sim/ptx-run
[ -x "$run" ] || skip "ptx-run is not built"
accel=$("${cc[0]}" -print-file-name=accel/nvptx-none)
[ -f "$accel/mgomp/libc.a" ] || skip "this compiler has no libraries for nvptx"
decode ()
{
  local what=$1
  shift
  "$run" -a "$@" > "$tmp/out" 2>&1
  # What the program or the linker would define is not there.
  grep -v 'is not defined' "$tmp/out" > "$tmp/rest"
  grep -qE '^[0-9]+ texts, [0-9]{3,} functions decoded' "$tmp/rest" || bad "$what: $(tail -n 3 "$tmp/out")"
  grep -vE '^[0-9]+ texts, ' "$tmp/rest" > "$tmp/unknown" && bad "$what:"$'\n'"$(head -20 "$tmp/unknown")"
}
libraries=()
for name in gfortran m c gcc atomic; do
  [ -f "$accel/mgomp/lib$name.a" ] && libraries+=("$accel/mgomp/lib$name.a")
done
[ -f "$accel/mgomp/libgomp.a" ] && decode "GCC's libraries" "$accel/mgomp/libgomp.a" "${libraries[@]}"
[ -f "$builddir/nvptx/libgomp.a" ] && decode "our device runtime" "$builddir/nvptx/libgomp.a" "${libraries[@]}"
exit $status
