#!/bin/bash
# Team kernels and shapes of loops as users write them (bench/gpu/blocks, bench/gpu/given), which check
# their results: in small sizes on the cpu device, where a map that is missing shows, and on the host.
# TEST-MODES: cpu
# TEST-TIMEOUT: 480
# TEST-SKIP-SANITIZER: thread the constructs have tests of their own, and it takes minutes
# TEST-SKIP-SANITIZER: address the constructs have tests of their own
# TEST-SKIP-SANITIZER: undefined the constructs have tests of their own
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
need make
unset MAKEFLAGS MAKELEVEL
[ -d "$top_srcdir/bench/gpu" ] || skip "no benchmarks here"
cp -r "$top_srcdir/bench/gpu/blocks" "$top_srcdir/bench/gpu/given" "$tmp" && chmod -R u+w "$tmp" || exit 1

# built FOLDER
built ()
{
  make -s -j2 -C "$tmp/$1" host CC="${cc[*]}" CXX="${cxx[*]}" > "$tmp/log" 2>&1 \
    || die "$1 does not compile: $(tail -20 "$tmp/log")"
}
# checked FOLDER NUMBER LAST-LINE PATTERN NAME=VALUE...: its own check passes, and NUMBER lines are PATTERN
checked ()
{
  local folder=$1 number=$2 last=$3 pattern=$4; shift 4
  env "$@" make -s -C "$tmp/$folder" check > "$tmp/log" 2>&1 || bad "$folder, $*: $(cat "$tmp/log")"
  [ "$(grep -cE -- "$pattern" "$tmp/log")" = "$number" ] \
    || bad "$folder, $*: not $number lines are $pattern: $(cat "$tmp/log")"
  [ "$(tail -1 "$tmp/log")" = "$last" ] || bad "$folder, $*: the last line is $(tail -1 "$tmp/log"), not $last"
}

device='GOMP_CPU_DEVICES=1 OMP_TARGET_OFFLOAD=mandatory' host=OMP_TARGET_OFFLOAD=disabled
built blocks
built given/blocks
built given/shapes
for where in "$device" "$host"; do
  # shellcheck disable=SC2086
  checked blocks "$(find "$tmp/blocks/build/host" -maxdepth 1 -type f -perm -u+x | wc -l)" 'all passed' '^PASS$' $where
  # shellcheck disable=SC2086
  checked given/blocks 30 '0 failed' '^PASS$' $where
done
# Its own check turns the device off.
checked given/shapes 60 '60 of 60 passed' ' PASS$' "$host"
# shellcheck disable=SC2086
env $device "$tmp/given/shapes/shapes-host" --size small --repeats 2 > "$tmp/log" 2>&1 \
  || bad "given/shapes, $device: $(cat "$tmp/log")"
[ "$(tail -1 "$tmp/log")" = '60 of 60 passed' ] || bad "given/shapes, $device: $(tail -3 "$tmp/log")"
exit $status
