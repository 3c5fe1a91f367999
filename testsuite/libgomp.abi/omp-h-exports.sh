#!/bin/sh
# Every function that omp.h declares is exported, and every omp_* function of the ABI is
# declared: omp.h against testsuite/libgomp.abi/symbols.tsv and libgomp.map.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

${TEST_CC:-gcc} -E -P -I"$top/include" -x c "$top/include/omp.h" > "$tmp/omp.i"
# Declarations only: the functions defined in the header need no symbol.
tr '\n' ' ' < "$tmp/omp.i" | tr ';' '\n' | grep 'extern ' \
  | grep -o '\bomp_[a-z_0-9]* *(' | tr -d ' (' | sort -u > "$tmp/declared"
awk -F'\t' '$1 ~ /^omp_/ && $1 !~ /_$/ { print $1 }' "$here/symbols.tsv" | sort -u > "$tmp/abi"
grep -o '\bomp_[a-z_0-9]*;' "$top/libgomp.map" | tr -d ';' | grep -v '_$' | sort -u > "$tmp/map"
[ "$(wc -l < "$tmp/declared")" -gt 90 ] || { echo "omp.h could not be read"; exit 1; }

status=0
for list in abi map
do
  missing=$(comm -23 "$tmp/declared" "$tmp/$list")
  [ -z "$missing" ] || { echo "declared in omp.h, but not in $list:" $missing; status=1; }
  missing=$(comm -13 "$tmp/declared" "$tmp/$list")
  [ -z "$missing" ] || { echo "in $list, but not declared in omp.h:" $missing; status=1; }
done
# The list that the other tests use is complete.
sed -n 's/^FUNCTION (\([a-z_0-9]*\),.*/\1/p' "$here/omp-h-list.h" | grep -v _with_hint | sort -u \
  > "$tmp/listed"
if ! cmp -s "$tmp/listed" "$tmp/declared"
then
  echo "omp-h-list.h differs from omp.h:"
  diff "$tmp/listed" "$tmp/declared" || :
  status=1
fi
exit $status
