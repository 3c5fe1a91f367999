#!/bin/bash
# Rules of the sources that a compiler does not check.
# TEST-TIMEOUT: 240
# TEST-MODES: host
# TEST-SKIP-SANITIZER: address says nothing about the library
# TEST-SKIP-SANITIZER: thread says nothing about the library
# TEST-SKIP-SANITIZER: undefined says nothing about the library
. "$(dirname "$0")/aux-common.sh"
cd "$top_srcdir" || exit 1
inside=
[ "$builddir" -ef "$top_srcdir" ] && inside=1
if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
  # Also what is not committed yet; a file that was deleted is not there to look at.
  git ls-files -co --exclude-standard
elif [ -n "$inside" ]; then
  :
else
  # Without git: leave out what autoreconf and a build make.
  find . \( -name '.?*' -o -path './build*' -o -name autom4te.cache -o -path ./m4 \) -prune \
    -o -type f -not -name aclocal.m4 -not -name 'configure' -not -name 'configure~' \
    -not -name 'config.h.in*' -not -name Makefile.in -print | sed 's,^\./,,'
fi | sort -u | while read -r f; do [ -f "$f" ] && echo "$f"; done > "$tmp/files"
grep -E '\.[ch]$' "$tmp/files" > "$tmp/sources"
[ -s "$tmp/files" ] || [ -z "$inside" ] \
  || skip "built in the source directory: without git nothing tells which files are sources"
[ "$(wc -l < "$tmp/sources")" -gt 10 ] || die "no sources in $top_srcdir"
library () { grep -E '^([^/]*|host/.*|config/.*|plugin/.*)\.[ch]$' "$tmp/sources"; }

# 1. The layer rule.  Vendor headers: of drivers and device runtimes.
vendor='(cuda|cudart|nvml|nvrtc|nvvm|nvtx|hip/|hip_|hsa|rocm|amd_comgr|level_zero|ze_api|sycl|CL/)'
library | grep -v '^plugin/' | xargs grep -nE "^[ 	]*#[ 	]*include[ 	]*[<\"]$vendor" > "$tmp/out"
[ ! -s "$tmp/out" ] || bad "the core includes a vendor header:"$'\n'"$(cat "$tmp/out")"

# 2. Plugins include system headers and headers of plugin/ only, and what they share with device code: in
# quotes what is in plugin/, in angles nothing of the source tree.
while read -r f; do
  while IFS=: read -r line text; do
    name=$(sed -E 's/.*#[ 	]*include[ 	]*[<"]([^>"]*)[>"].*/\1/' <<< "$text")
    case $text in
      *'"'*..*'"'*)
	bad "$f:$line: a plugin includes \"$name\"" ;;
      *'"'*)
	[ -f "plugin/$name" ] || [ "$name" = device-abi.h ] || [ "$name" = lanes-abi.h ] || [ "$name" = include/gompx.h ] || { [ -f "$name" ] && [[ $name == plugin/* ]]; } \
	  || bad "$f:$line: a plugin includes \"$name\", which is not in plugin/" ;;
      *'<'*)
	{ [ -f "$name" ] || [ -f "host/$name" ] || [ -f "config/linux/$name" ]; } \
	  && bad "$f:$line: a plugin includes <$name> of the core" ;;
      *) bad "$f:$line: cannot read: $text" ;;
    esac
  done < <(grep -nE '^[ 	]*#[ 	]*include' "$f" | sed -E 's/^([0-9]+):/\1:/')
done < <(grep -E '^plugin/.*\.[ch]$' "$tmp/sources")
grep -qE '^plugin/.*\.[ch]$' "$tmp/sources" || bad "there are no plugins to check"

# 3. Paths of somebody's machine.
home='/(home|Users)/[a-z]|/root/|/work/'
xargs grep -nIE "(^|[^A-Za-z0-9_.*\$)}@/])($home)" < "$tmp/files" 2>/dev/null \
  | grep -v '^testsuite/libgomp\.abi/lint\.sh:' > "$tmp/out"
[ ! -s "$tmp/out" ] || bad "absolute paths of one machine:"$'\n'"$(cat "$tmp/out")"

# 4. Nothing is left for later in a comment: there is an issue for it, or it is done.
xargs grep -nIwE 'TODO|FIXME|XXX|HACK' < "$tmp/files" \
  | grep -v '^testsuite/libgomp\.abi/lint\.sh:' > "$tmp/out"
[ ! -s "$tmp/out" ] || bad "left for later:"$'\n'"$(cat "$tmp/out")"

# 5. A source file begins with a comment that says what it owns, and stays readable.
while read -r f; do
  head -c 2 "$f" | grep -q '^/[*/]' || bad "$f does not begin with a comment"
  lines=$(wc -l < "$f")
  [ "$lines" -le 1100 ] || bad "$f has $lines lines: a file owns one thing"
  case $f in *.h)
    grep -qE '^#[ 	]*(ifndef|pragma once)' "$f" || bad "$f can be included only once" ;;
  esac
done < <(library)

# 6. Every source of the library is built, and environment variables are read by one function.
cat Makefile.am ./*.am host/*.am plugin/*.am config/*/*.am 2>/dev/null > "$tmp/am"
while read -r f; do
  grep -qF "$f" "$tmp/am" || bad "$f is in no sources.am"
done < <(library)
library | grep -vE '^(host/env[a-z-]*\.c|host/init\.c|plugin/)' | xargs grep -nE '(^|[^_a-z])(secure_)?getenv \(' > "$tmp/out"
[ ! -s "$tmp/out" ] || bad "getenv instead of gomp_getenv:"$'\n'"$(cat "$tmp/out")"

# 7. White space.
xargs grep -nE '[ 	]+$' < <(library) > "$tmp/out"
[ ! -s "$tmp/out" ] || bad "white space at the end of lines:"$'\n'"$(head -20 "$tmp/out")"

# 8. Scripts parse.
grep -E '\.sh$|^quickstart$|^\.ci/run$' "$tmp/files" | while read -r f; do
  bash -n "$f" || exit 1
done || bad "a script does not parse"
exit $status
