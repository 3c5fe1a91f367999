#!/bin/bash
# A library that lacks a symbol of its version script, or a version of one, ends the build.
# TEST-MODES: host
. "$(dirname "$0")/aux-common.sh"
need awk readelf

lacks () { sh "$top_srcdir/config/check-symbols.sh" readelf "$libdir/libgomp.so.1" "$1" > "$tmp/out" 2>&1; }
lacks "$top_srcdir/libgomp.map" || bad "check-symbols.sh finds fault with the library: $(cat "$tmp/out")"
sed 's/^    omp_in_final;/&\n    omp_set_lock;/' "$top_srcdir/libgomp.map" > "$tmp/more.map"
lacks "$tmp/more.map" && bad "check-symbols.sh does not miss a version"
grep -q 'omp_set_lock of version OMP_3\.1$' "$tmp/out" || bad "check-symbols.sh does not name it: $(cat "$tmp/out")"
: > "$tmp/empty.map"
lacks "$tmp/empty.map" && bad "check-symbols.sh takes a script without symbols"

exit $status
