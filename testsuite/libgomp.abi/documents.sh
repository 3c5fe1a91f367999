#!/bin/bash
# The documents name files, functions and lock ranks that exist.
# TEST-TIMEOUT: 120
# TEST-MODES: host
# TEST-SKIP-SANITIZER: address says nothing about the library
# TEST-SKIP-SANITIZER: thread says nothing about the library
# TEST-SKIP-SANITIZER: undefined says nothing about the library
. "$(dirname "$0")/aux-common.sh"
cd "$top_srcdir" || exit 1
documents=(README.md doc/*.md)
[ ${#documents[@]} -ge 5 ] || die "no documents"

# Files: `host/team.c', `map-*.c', `tour.md'.  Those that a build or an installation makes, and
# those of other projects, are not here.
made='^(libgomp\.(so|a)|.*\.so(\.1)?|omp_lib(_kinds)?\.(mod|h)|file\.c|prog(ram)?\.[a-z0-9]*|a\.out|config\.h|nvptx-library\.c)$'
for d in "${documents[@]}"; do
  # Blocks of code hold examples.
  awk '/^ *```/ { code = !code; next } !code' "$d" | grep -o '`[^` ]*`' | tr -d '`' | sort -u \
    | grep -E '^[A-Za-z0-9_.*/-]+\.(c|h|cc|md|sh|am|ac|in|map|tsv|spec|f90|exp|json)$' | grep -Ev "$made" \
    | while read -r f; do
    found=
    for where in . "$(dirname "$d")" plugin host config/accel config/nvptx config/gcn testsuite testsuite/libgomp.abi testsuite/libgomp.accel testsuite/libgomp.gcn testsuite/libgomp.nvptx include; do
      compgen -G "$where/$f" >/dev/null && found=1
    done
    [ "$found" ] || echo "$d: there is no file $f"
  done
done > "$tmp/out"
[ ! -s "$tmp/out" ] || bad "$(cat "$tmp/out")"

# Functions and constants of the library.
for d in doc/*.md; do
  grep -o '`[^`]*`' "$d" | grep -oE '\b(gomp|GOMP)_[A-Za-z0-9_]+\b(\*)?' | sort -u | grep -v '[_*]$' \
    | while read -r name; do
    grep -qrw --include='*.[ch]' --include='*.map' -e "$name" . || echo "$d: there is no $name"
  done
done > "$tmp/out"
[ ! -s "$tmp/out" ] || bad "$(cat "$tmp/out")"

# Every source file of the library has its place in design.md.
sed -n '/^| Part/,/^$/p' doc/design.md | grep -o '`[^`]*`' | tr -d '`' > "$tmp/places"
for f in ./*.[ch] host/*.[ch] config/linux/*.[ch] plugin/*.[ch]; do
  f=${f#./} known=
  # Made in a build of the source directory.
  case $f in host/env-doc.c|config.h|nvptx-library.c|gcn-library.c) continue ;; esac
  while read -r pattern; do
    # shellcheck disable=SC2053
    [[ $f == $pattern ]] && known=1
  done < "$tmp/places"
  [ "$known" ] || bad "doc/design.md does not say which part $f belongs to"
done

# Those of the device runtime are in a table of their own.
sed -n '/^| Part/,/^$/p' doc/device-runtime.md | grep -o '`[^`]*`' | tr -d '`' > "$tmp/places"
for f in config/accel/*.[ch] config/nvptx/*.[ch] config/gcn/*.[ch]; do
  grep -qxF "$f" "$tmp/places" || bad "doc/device-runtime.md does not say which part $f belongs to"
done

# The ranks, in their order.
sed -n '/^enum gomp_lock_rank/,/^}/s/^  \(GOMP_RANK_[A-Z_]*\).*/\1/p' locks.h \
  | grep -v GOMP_RANK_NONE > "$tmp/want"
sed -n 's/^| `\(GOMP_RANK_[A-Z_]*\)`.*/\1/p' doc/locking.md > "$tmp/have"
[ -s "$tmp/want" ] || bad "no ranks found in locks.h"
cmp -s "$tmp/want" "$tmp/have" \
  || bad "the ranks of doc/locking.md differ from those of locks.h:"$'\n'"$(diff "$tmp/have" "$tmp/want")"
exit $status
