#!/bin/sh
# Every routine of omp.h is described by exactly one manual page, with the prototype of
# omp.h, and the pages are free of errors.
# TEST-SKIP-SANITIZER: address says nothing about the library
# TEST-SKIP-SANITIZER: thread says nothing about the library
# TEST-SKIP-SANITIZER: undefined says nothing about the library
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
status=0
bad () { echo "$*"; status=1; }

cd "$top/doc/man"
for page in *.3
do
  sed -n '/^\.SH NAME/{n;s/\\-.*//;s/,/ /g;p;q;}' "$page" | tr -s ' ' '\n' | grep . > "$tmp/names"
  [ "$(head -1 "$tmp/names")" = "${page%.3}" ] || bad "$page does not begin with its own name"
  cat "$tmp/names" >> "$tmp/described"
  # References lead somewhere, and every function in NAME has its prototype.
  for name in $(cat "$tmp/names")
  do
    sed -n '/^\.SH SYNOPSIS/,/^\.SH DESC/p' "$page" | grep -q "[ *]$name(" \
      || bad "$page: no prototype of $name"
  done
  for other in $(sed -n 's/^\.BR \(omp_[a-z_]*\) (3).*/\1/p' "$page")
  do
    ls -- *.3 | sed 's/\.3$//' | grep -qx "$other" \
      || grep -qw "$other" -- *.3 || bad "$page refers to $other(3)"
  done
done
sort "$tmp/described" > "$tmp/sorted"
twice=$(uniq -d "$tmp/sorted")
[ -z "$twice" ] || bad "described twice:" $twice
sed -n 's/^FUNCTION (\([a-z_0-9]*\),.*/\1/p' "$here/omp-h-list.h" | sort > "$tmp/functions"
missing=$(comm -13 "$tmp/sorted" "$tmp/functions")
[ -z "$missing" ] || bad "not described:" $missing
extra=$(comm -23 "$tmp/sorted" "$tmp/functions")
[ -z "$extra" ] || bad "described, but not in omp.h:" $extra

# The prototypes are those of omp.h: a program that has both compiles.
{
  echo '#include <stddef.h>'
  echo '#include "omp.h"'
  sed -n '/^\.SH SYNOPSIS/,/^\.SH DESC/s/^\.B "\(.*\)"$/\1/p' -- *.3 | grep -v '^#' \
    | awk '/omp_init(_nest)?_lock_with_hint/ { next } { print }'
} > "$tmp/prototypes.c"
[ "$(grep -c ';' "$tmp/prototypes.c")" -gt 90 ] || bad "no prototypes found in the pages"
${TEST_CC:-gcc} -fsyntax-only -Werror -I"$top/include" "$tmp/prototypes.c" \
  || bad "the prototypes differ from those of omp.h"

if command -v mandoc > /dev/null
then
  for page in *.[1-9]
  do
    mandoc -Tlint -W warning "$page" || bad "$page: see above"
  done
elif command -v man > /dev/null
then
  for page in *.[1-9]
  do
    text=$(man -l --warnings -Tutf8 "$page" 2>&1 > /dev/null)
    [ -z "$text" ] || bad "$page: $text"
  done
fi
exit $status
