#!/bin/bash
# In what compilers make no calls of memcpy, memmove and memset with a small constant size are left,
# also where lanes are threads, and private arrays become registers.  The driver's assembler takes it,
# where it is installed.
# TEST-MODES: host
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
. "$here/aux-lanes.sh"
library=$builddir/nvptx
[ -f "$library/libgomp.a" ] || skip "built without an offload compiler"
plugin=$top_srcdir/plugin
"${cc[@]}" -g -std=gnu11 -D_GNU_SOURCE "${sanitizer_flags[@]}" -I"$plugin" "$here/aux-texts.c" \
  "$plugin"/nvptx-{divide,frame-registers,frame-loops,inline,inline-math,inline-copy,read,read-body,read-build,read-lex,read-names,read-scope,stream,ptx,print}.c -o "$tmp/texts" \
  || die "the tool does not compile"
build_tool

# calls FILE: how many calls of these functions there are in it.
calls ()
{
  grep -cE 'call.*[ ,)](memcpy|memmove|memset)[ ,]' "$1"
}

# look WHAT TEXT LEFT: that many calls are left of more.
look ()
{
  "$tmp/texts" "$2" "$library/core.o" > "$tmp/new.ptx" || die "$1: the tool fails"
  [ "$(calls "$2")" -gt "$(($3 + 20))" ] \
    || bad "$1: the compiler makes $(calls "$2") calls: the test is about nothing"
  [ "$(calls "$tmp/new.ptx")" -le "$3" ] || bad "$1: $(calls "$tmp/new.ptx") calls are left"
  ! command -v ptxas > "$tmp/which" \
    || ptxas -c -arch=sm_90 "$tmp/new.ptx" -o "$tmp/new.cubin" > "$tmp/log" 2>&1 \
    || bad "$1: $(head -5 "$tmp/log")"
}

# Each of the three functions with 129 bytes stays a call, in both versions.
for source in inline-copies:6 inline-copies-frame:0; do
  for level in -O1 "-O2 -g"; do
    what="${source%:*} with $level"
    # shellcheck disable=SC2086
    compile "$here/${source%:*}.c" -I"$here" -fno-builtin $level
    # The program's own object is the first one.
    tr '\0' '\n' < "$tmp/image" \
      | awk '/^\/\/ BEGIN PREAMBLE/ && n++ { exit } { print }' > "$tmp/first"
    look "$what" "$tmp/first" "${source#*:}"
    "$tmp/lanes" "$tmp/image" -o "$tmp/o" "$library"/lanes-*.o > "$tmp/verdicts" \
      || die "the analysis failed: $(cat "$tmp/verdicts")"
    grep -q '\$lanes' "$tmp/o0.ptx" || bad "$what: no threads are lanes: the test is about nothing"
    look "$what, lanes" "$tmp/o0.ptx" "${source#*:}"
  done
done

# The struct and the arrays of these.
for source in frame-registers-image frame-loops-image; do
  compile "$here/$source.c" -I"$here" -fno-builtin -O2
  "$tmp/lanes" "$tmp/image" -o "$tmp/o" "$library"/lanes-*.o > "$tmp/verdicts" \
    || die "the analysis failed: $(cat "$tmp/verdicts")"
  grep -q '\.local .*lanes_frame' "$tmp/o0.ptx" || bad "$source has no frame: the test is about nothing"
  "$tmp/texts" "$tmp/o0.ptx" "$library/core.o" > "$tmp/new.ptx" || die "the tool fails"
  ! grep '\.local .*lanes_frame' "$tmp/new.ptx" || bad "$source: a frame stays in memory"
  ! command -v ptxas > "$tmp/which" \
    || ptxas -c -arch=sm_90 "$tmp/new.ptx" -o "$tmp/new.cubin" > "$tmp/log" 2>&1 \
    || bad "$source: $(head -5 "$tmp/log")"
done
exit $status
