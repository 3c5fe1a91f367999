#!/bin/bash
# gompx-info lists plugins with their reasons and devices, and tests devices.
# TEST-MODES: host
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
info=$builddir/gompx-info
[ -x "$info" ] || die "$info does not exist"
unset GOMP_CPU_DEVICES GOMP_PLUGINS GOMP_PLUGIN_PATH OMP_TARGET_OFFLOAD

# want STATUS REGEX... : the last run ended with STATUS and printed lines that match.
want ()
{
  local status_wanted=$1 regex
  shift
  [ "$rc" = "$status_wanted" ] || bad "$what: exit status $rc instead of $status_wanted:"$'\n'"$(cat "$tmp/out")"
  for regex; do
    grep -qE "$regex" "$tmp/out" || bad "$what: no line matches $regex:"$'\n'"$(cat "$tmp/out")"
  done
}
run () { what=$*; env "$@" > "$tmp/out" 2>&1; rc=$?; }

run GOMP_PLUGINS=cpu "$info"
want 0 '0 devices$' '^plugin cpu: built in, 0 devices \(.*GOMP_CPU_DEVICES'

run GOMP_PLUGINS=cpu GOMP_CPU_DEVICES=2 timeout 120 "$info" --test
want 0 '2 devices$' '^plugin cpu: built in, 2 devices$' '^device 0:' '^device 1:' '^  uid: .' '^  kind: cpu$' \
  'test: opened in' 'test: 64 MiB:'
[ "$(grep -c 'test: 64 MiB:' "$tmp/out")" = 2 ] || bad "not both devices were tested"

# A plugin that is not one, and a name that is none.
echo 'this is no shared object' > "$tmp/libgomp-plugin-broken.so.1"
run GOMP_PLUGINS=broken,../evil,cpu GOMP_CPU_DEVICES=1 GOMP_PLUGIN_PATH="$tmp" "$info"
want 0 '^plugin broken: 0 devices \(.*broken' '^plugin \.\./evil: 0 devices \(not the name' '^device 0:'

run OMP_TARGET_OFFLOAD=disabled GOMP_CPU_DEVICES=1 "$info"
want 0 '0 devices$' '^OMP_TARGET_OFFLOAD is set to DISABLED$'

run OMP_NUM_THREADS=3 "$info" --env
want 0 '^OMP_NUM_THREADS=3$' '^OMP_SCHEDULE is not set: '

run "$info" --nonsense
want 2 '^usage:'
run "$info" --version
want 0 '^gompx-info \(gompx\) [0-9]'
exit $status
