#!/bin/bash
# check-objects.sh SIGNATURES ARCHIVE... -- is each archive the device runtime for AMD GPUs?
#
# SIGNATURES lists the entry points, one a line that begins with its name.  Each must be defined once (a weak
# definition beside it does not count), and nothing else may be global but names of our own (accel_ what files of
# the runtime call of each other, gompx_ what the plugin knows) and those below.  What the objects need
# from outside must be in the C library or libgcc of the device.  No object may add to the tables of the
# program's image.  Says what is wrong and returns 1.

set -u
[ $# -ge 2 ] || { echo "usage: check-objects.sh SIGNATURES ARCHIVE..." >&2; exit 2; }
signatures=$1
shift
export LC_ALL=C

# The compiler's entry glue, what GCC's plugin looks for, and what compiled code asks for (abi/gcn, 1.2, 3.2).
also='gomp_gcn_enter_kernel gomp_gcn_exit_kernel __gomp_additional_icvs __gomp_device_num
__gomp_indirect_addr_map __dso_handle __GCC_offload___cxa_finalize __sync_val_compare_and_swap_16'
for op in add sub and or xor nand; do
  for bytes in 1 2; do
    also="$also __atomic_fetch_${op}_$bytes __atomic_${op}_fetch_$bytes"
  done
done
for bytes in 1 2; do
  also="$also __atomic_exchange_$bytes __atomic_compare_exchange_$bytes __sync_val_compare_and_swap_$bytes"
  also="$also __sync_bool_compare_and_swap_$bytes"
done
# Needed: functions of newlib and of libgcc.
outside='malloc free memcpy memset write __cxa_finalize __divdi3 __moddi3 __udivdi3 __umoddi3 __divsi3 __modsi3
__udivsi3 __umodsi3 __udivmoddi4 __floatundidf __floatdidf __fixunsdfdi'

status=0
for archive; do
  readelf -SW "$archive" | grep -q '\.gnu\.offload_' \
    && { echo "$archive: it adds to the tables of the program's image"; status=1; }
  readelf -sW "$archive" | awk -v also="$also" -v outside="$outside" -v archive="$archive" '
    function wrong(text) { print archive ": " text; bad = 1 }
    BEGIN {
      n = split(also, word)
      for (i = 1; i <= n; i++) known[word[i]] = 1
      n = split(outside, word)
      for (i = 1; i <= n; i++) given[word[i]] = 1
    }
    FNR == NR { if ($1 != "" && $1 !~ /^#|nvptx/) { known[$1] = wanted[$1] = 1; any = 1 }; next }
    /^File: / { object = $2; sub(/.*\(/, "", object); sub(/\)$/, "", object); next }
    $5 == "GLOBAL" || $5 == "WEAK" {
      if ($7 == "UND") { needed[$8] = object; next }
      if ($5 == "GLOBAL") {
	if ($8 in strong) wrong(object ": " $8 " is defined in " strong[$8] ", too")
	strong[$8] = object
      }
      defined[$8] = object
      if (!($8 in known) && $8 !~ /^(gompx|accel)_/)
	wrong(object ": " $8 " is global and no entry point")
      if ($8 in wanted && $4 != "FUNC") wrong(object ": " $8 " is no function")
    }
    END {
      if (!any || object == "") wrong("nothing to check")
      for (name in wanted)
	if (!(name in defined)) wrong("no definition of " name)
      for (name in needed)
	if (!(name in defined) && !(name in given)) wrong(needed[name] ": " name " is needed and not of the C library")
      exit bad
    }' "$signatures" - || status=1
done
exit $status
