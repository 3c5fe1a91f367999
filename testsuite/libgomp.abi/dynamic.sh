#!/bin/bash
# The dynamic section: the name that programs ask for, no library but libc, thread-local
# variables without calls, stays when it is closed, nothing writable and executable, little that
# each process has to do before main.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: address brings its own libraries
# TEST-SKIP-SANITIZER: thread brings its own libraries
# TEST-SKIP-SANITIZER: undefined brings its own libraries
. "$(dirname "$0")/aux-common.sh"
need readelf
lib=$libdir/libgomp.so.1
readelf -W -d "$lib" > "$tmp/d" || exit 1
grep -q 'SONAME.*\[libgomp\.so\.1\]' "$tmp/d" || bad "the SONAME is not libgomp.so.1"
sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' "$tmp/d" | grep -v '^libc\.so\.6$\|^ld-linux' > "$tmp/needed"
[ ! -s "$tmp/needed" ] || bad "needs more than libc: $(tr '\n' ' ' < "$tmp/needed")"
grep -q 'FLAGS.*STATIC_TLS' "$tmp/d" || bad "no STATIC_TLS: thread-local variables need calls"
grep -q 'FLAGS_1.*NODELETE' "$tmp/d" || bad "could be unloaded while its threads live"
grep -q 'TEXTREL' "$tmp/d" && bad "relocations in the code"
grep -qE 'R(UN)?PATH' "$tmp/d" && bad "has a run path: $(grep -E 'R(UN)?PATH' "$tmp/d")"
readelf -W -l "$lib" | grep -q 'GNU_STACK.* RW ' || bad "executable stack"
# Calls to __tls_get_addr would be slow and not async-signal-safe.
readelf -W --dyn-syms "$lib" | grep -q '__tls_get_addr' && bad "uses __tls_get_addr"
# Programs that load the library late have little static TLS left for it: no more than GCC's library
# takes.
size=$(readelf -W -l "$lib" | awk '$1 == "TLS" { print $6 }')
[ $((${size:-0})) -le 136 ] || bad "$((size)) bytes of static TLS: dlopen of the library may fail"
# Before main: compilers bring constructors with what looks like a question (__builtin_cpu_supports), and
# tables of pointers have to be relocated.  libgomp.h: GOMP_RARE, GOMP_STARTUP.
size=$(readelf -W -S "$lib" | sed -n 's/.* \.init_array  *INIT_ARRAY  *[0-9a-f]* [0-9a-f]* \([0-9a-f]*\) .*/\1/p')
[ -n "$size" ] && [ $((0x$size)) -le 16 ] || bad "${size:-no} bytes of constructors: more than the compiler's and our own"
relocations=$(readelf -W -r "$lib" | grep -c '_RELATIVE')
[ "$relocations" -le 250 ] || bad "$relocations addresses to relocate before main"
for p in "$libdir"/libgomp-plugin-*.so.1; do
  [ -f "$p" ] || continue
  readelf -W --dyn-syms "$p" \
    | awk '$7 != "UND" && $1 ~ /^[0-9]+:$/ && $5 != "LOCAL" { print $8 }' > "$tmp/exports"
  [ "$(cat "$tmp/exports")" = GOMPX_plugin ] || bad "${p##*/} exports $(tr '\n' ' ' < "$tmp/exports")"
done
# Every undefined symbol is found when all are bound at once.
LD_BIND_NOW=1 LD_LIBRARY_PATH=$libdir LD_PRELOAD=$lib /bin/true > "$tmp/bind" 2>&1 \
  || bad "symbols that nobody defines: $(cat "$tmp/bind")"
exit $status
