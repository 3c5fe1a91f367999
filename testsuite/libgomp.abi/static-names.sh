#!/bin/bash
# libgomp.a shares the name space of the program: it defines the symbols of the interface and
# names that begin with gomp_ or gompx_, nothing else; and it has every symbol of the shared library.
# TEST-MODES: host
. "$(dirname "$0")/aux-common.sh"
need nm
lib=$libdir/libgomp.a
[ -f "$lib" ] || skip "built without libgomp.a"
nm -g --defined-only "$lib" | awk 'NF == 3 && $3 !~ /^__(odr_)?asan/ { print $3 }' | sort -u > "$tmp/have"
grep -vE '^(gompx?_|GOMP_|GOMPX_|omp_)' "$tmp/have" > "$tmp/foreign"
[ ! -s "$tmp/foreign" ] || bad "defines names of others: $(tr '\n' ' ' < "$tmp/foreign")"
awk -F'\t' 'NR > 1 && $7 != "openacc" && $7 != "plugin-callback" && $3 == "default" { print $1 }' \
  "$here/symbols.tsv" | sort -u | comm -23 - "$tmp/have" > "$tmp/missing"
[ ! -s "$tmp/missing" ] || bad "missing in libgomp.a: $(tr '\n' ' ' < "$tmp/missing")"
exit $status
