#!/bin/bash
# A distribution (make dist) has every file of the source tree.
# TEST-MODES: host
# TEST-TIMEOUT: 120
# TEST-SKIP-SANITIZER: address says nothing about the library
# TEST-SKIP-SANITIZER: thread says nothing about the library
# TEST-SKIP-SANITIZER: undefined says nothing about the library
. "$(dirname "$0")/aux-common.sh"
need git make
files=$(cd "$top_srcdir" && git ls-files 2>/dev/null) || skip "not a git checkout"
[ -n "$files" ] || skip "not a git checkout"
# Relative: subdirectories have to find it, too.
name=dist-test.$$
trap 'chmod -R u+w "$builddir/$name" 2>/dev/null; rm -rf "$tmp" "${builddir:?}/$name"' EXIT
make -s -C "$builddir" distdir distdir="$name" > "$tmp/log" 2>&1 \
  || die "make distdir fails: $(tail -20 "$tmp/log")"
while read -r f; do
  [ "$f" = .gitignore ] || [ ! -e "$top_srcdir/$f" ] || [ -e "$builddir/$name/$f" ] \
    || bad "not in the distribution: $f (EXTRA_DIST of a Makefile.am or files.am)"
done <<< "$files"
exit $status
