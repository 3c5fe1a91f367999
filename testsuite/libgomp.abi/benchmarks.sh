#!/bin/bash
# Every row of the benchmarks works: for function, not for time.  bench/README.md.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: thread the constructs have tests of their own, and it takes minutes
# TEST-SKIP-SANITIZER: address the constructs have tests of their own
# TEST-TIMEOUT: 240
. "$(dirname "$0")/aux-common.sh"
need make ldd
[ -d "$top_srcdir/bench" ] || skip "no benchmarks here"
CC="${cc[*]}" CFLAGS="-O2 ${sanitizer_flags[*]}" \
  "$top_srcdir/bench/run-host.sh" -q -o "$tmp/bench" "$libdir" > "$tmp/out" 2>&1 \
  || bad "$(cat "$tmp/out")"
rows=$(sed -n 's/^\([0-9]*\) rows work$/\1/p' "$tmp/out")
[ "${rows:-0}" -ge 110 ] || bad "only ${rows:-0} rows work"$'\n'"$(cat "$tmp/out")"
CC="${cc[*]}" CFLAGS="-O2 ${sanitizer_flags[*]}" \
  "$top_srcdir/bench/run-target.sh" -q -o "$tmp/bench" "$libdir" > "$tmp/out" 2>&1 \
  || bad "$(cat "$tmp/out")"
rows=$(sed -n 's/^\([0-9]*\) rows work$/\1/p' "$tmp/out")
[ "${rows:-0}" -ge 150 ] || bad "only ${rows:-0} target rows work"$'\n'"$(cat "$tmp/out")"
exit $status
