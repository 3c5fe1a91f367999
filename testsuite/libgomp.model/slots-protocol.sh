#!/bin/bash
# The protocol of plugin/slots-proto.h as a model: spin finds nothing wrong with it, and does find what is
# wrong with two broken ones.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: address says nothing about the library
# TEST-SKIP-SANITIZER: thread says nothing about the library
# TEST-SKIP-SANITIZER: undefined says nothing about the library
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
need spin

check () # RESULT OPTION...
{
  local result=$1 errors
  shift
  (cd "$tmp" && rm -f pan* && spin "$@" -a "$here/slots.pml" && ${TEST_CC:-gcc} -O2 -w -DSAFETY -o pan pan.c \
    && ./pan -m200000) > "$tmp/out" 2>&1 || { cat "$tmp/out"; bad "spin $* did not run"; return; }
  errors=$(sed -n 's/.*errors: \([0-9]*\).*/\1/p' "$tmp/out")
  [ "$errors" = "$result" ] || { cat "$tmp/out"; bad "spin $*: ${errors:-no} errors instead of $result"; }
  grep -q 'max search depth too small' "$tmp/out" && bad "spin $* has not looked at everything"
}

check 0 -DDEVICES=2 -DHOSTS=1
check 0 -DDEVICES=1 -DHOSTS=2
check 1 -DBROKEN_EARLY
check 1 -DBROKEN_REUSE
exit $status
