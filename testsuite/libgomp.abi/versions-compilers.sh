#!/bin/bash
# The lock routines have both versions whichever compiler builds the library: also one that does not know
# the attribute symver, as clang.
# TEST-MODES: host
. "$(dirname "$0")/aux-common.sh"
need clang readelf awk

awk -F'\t' 'NR > 1 && $1 ~ /^omp_(init|destroy|set|unset|test)_(nest_)?lock_?$/ {
  print $1 ($3 == "default" ? "@@" : "@") $2 }' "$here/symbols.tsv" | sort > "$tmp/want"
[ "$(wc -l < "$tmp/want")" = 40 ] || die "symbols.tsv is damaged"

for compiler in "${cc[0]}" clang; do
  "$compiler" -std=gnu11 -O2 -Wall -Werror -fPIC -DPIC -DHAVE_CONFIG_H -I"$builddir" -I"$top_srcdir" \
    -fvisibility=hidden -pthread -c -o "$tmp/lock.o" "$top_srcdir/host/lock.c" \
    || { bad "$compiler cannot compile lock.c"; continue; }
  readelf -W --syms "$tmp/lock.o" | awk '$7 != "UND" && $8 ~ /@/ { print $8 }' \
    | sort > "$tmp/have"
  diff "$tmp/want" "$tmp/have" || bad "$compiler: wrong versions"
done
exit $status
