#!/bin/bash
# doc/environment.md has the table of host/env-table.c, and the manual page, too.
# TEST-SKIP-SANITIZER: address says nothing about the library
# TEST-SKIP-SANITIZER: thread says nothing about the library
# TEST-SKIP-SANITIZER: undefined says nothing about the library
. "$(dirname "$0")/aux-common.sh"
[ -x "$builddir/env-doc" ] || die "$builddir/env-doc does not exist"
"$builddir/env-doc" markdown > "$tmp/want" || die "env-doc failed"
[ "$(wc -l < "$tmp/want")" -gt 20 ] || die "env-doc printed no table"
sed -n '/^<!-- begin/,/^<!-- end/{//!p;}' "$top_srcdir/doc/environment.md" > "$tmp/have"
cmp -s "$tmp/want" "$tmp/have" \
  || bad "doc/environment.md is old (make update-docs):"$'\n'"$(diff "$tmp/have" "$tmp/want")"

# host/env.c looks at entries with these letters only.
grep -o '^| `[A-Z_]*`' "$tmp/want" | grep -v '^| `[GHO]' > "$tmp/others" \
  && bad "read_all in host/env.c passes over $(tr -d '|` \n' < "$tmp/others")"

[ -f "$builddir/gompx.7" ] || die "$builddir/gompx.7 does not exist"
for name in $(grep -o '^| `[A-Z_]*`' "$tmp/want" | tr -d '|` '); do
  grep -q "^\\\\fB$name\\\\fP" "$builddir/gompx.7" || bad "gompx(7) does not describe $name"
done
if command -v mandoc >/dev/null; then
  mandoc -Tlint -W warning "$builddir/gompx.7" || bad "gompx.7: see above"
fi
exit $status
