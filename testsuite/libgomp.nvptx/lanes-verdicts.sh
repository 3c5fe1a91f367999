#!/bin/bash
# Which parallel regions can have a thread for each lane: verdicts on what the compilers make of aux-lanes-corpus.c, .cc,
# .f90 and aux-lanes-reductions.c, the same at all levels of optimisation (LANES_LEVELS names others).
# TEST-MODES: host
# TEST-SKIP-SANITIZER: thread one thread
# TEST-TIMEOUT: 240
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
. "$here/aux-lanes.sh"
build_tool

# check SOURCE LEVEL: all regions of a function have its verdict, one of them if that is "warp".
check ()
{
  compile "$here/$1" "$2"
  "$tmp/lanes" "$tmp/image" > "$tmp/verdicts" || die "$1, $2: the analysis failed: $(cat "$tmp/verdicts")"
  ! grep '^failed' "$tmp/verdicts" || bad "$1, $2: it could not be read"
  while read -r _ _ function verdict; do
    verdict=${verdict% \*/}
    grep -E "^$function\\\$_omp_fn\\\$[0-9]+ " "$tmp/verdicts" | sed -E 's/^[^ ]+ ([a-z-]+) [0-9]+ /\1 /' > "$tmp/got"
    regions=$((regions + $(wc -l < "$tmp/got")))
    # What is in a region that begins another one may have lanes.
    case $verdict in warp*) grep -qE "^$verdict" "$tmp/got" ;; *) [ -s "$tmp/got" ] && ! grep -qvE "^$verdict" "$tmp/got" ;; esac \
      || bad "$1, $2: $function: '$(cat "$tmp/got")' instead of '$verdict'"
  done < <(grep -oE '/\* EXPECT:.*' "$here/$1")
}

regions=0
# One level in builds with a sanitizer, where the analysis is slow.
default_levels='-O1 -O2 -O3'
[ ${#sanitizer_flags[@]} = 0 ] || default_levels=-O2
for level in ${LANES_LEVELS:-$default_levels}; do
  use_compiler "${cc[@]}"
  check aux-lanes-corpus.c "$level"
  check aux-lanes-reductions.c "$level"
  use_compiler "${cxx[@]}"
  check aux-lanes-corpus.cc "$level"
  use_compiler "${fc[@]}"
  check aux-lanes-corpus.f90 "$level"
done
# Lines of the source between the instructions change nothing, what a kernel is made of included.
use_compiler "${cc[@]}"
library=()
[ ! -f "$builddir/nvptx/libgomp.a" ] || library=("$builddir/nvptx"/lanes-*.o "$builddir/nvptx"/{lock,time}.o)
for source in corpus reduce; do
  for lines in -g0 -g; do
    compile "$here/aux-lanes-$source.c" -O2 "$lines"
    "$tmp/lanes" "$tmp/image" -o "$tmp/o" "${library[@]}" | sed -E 's/line [0-9]+//' > "$tmp/with$lines"
  done
  [ -s "$tmp/with-g" ] && cmp -s "$tmp/with-g0" "$tmp/with-g" || bad "aux-lanes-$source.c: with -g: $(diff "$tmp/with-g0" "$tmp/with-g" | head -5)"
done
echo "$regions verdicts"
exit $status
