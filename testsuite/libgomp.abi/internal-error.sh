#!/bin/bash
# A message of a fault of the library itself says so, and where to report it: what configure --with-bugurl says.
# TEST-MODES: host
. "$(dirname "$0")/aux-common.sh"
lib=$libdir/libgomp.a
[ -f "$lib" ] || skip "built without libgomp.a"
cat > "$tmp/t.c" <<'END'
void gomp_internal_fatal (const char *, ...);
int
main (void)
{
  gomp_internal_fatal ("internal error: number %d", 7);
}
END
"${cc[@]}" "${sanitizer_flags[@]}" "$tmp/t.c" "$lib" -lpthread -ldl -o "$tmp/t" 2> "$tmp/log" || die "does not link: $(cat "$tmp/log")"
"$tmp/t" > "$tmp/out" 2>&1
[ $? = 1 ] || bad "the program does not end with 1"
to=$(sed -n 's/^#define GOMP_REPORT_TO "\(.*\)"$/\1/p' "$builddir/config.h")
[ -n "$to" ] || bad "config.h has no place to report faults to"
grep -q '^libgomp: internal error: number 7$' "$tmp/out" || bad "the error is missing: $(cat "$tmp/out")"
grep -qF "a fault of gompx" "$tmp/out" && grep -qF "report it to $to" "$tmp/out" || bad "does not say where to report it: $(cat "$tmp/out")"
exit $status
