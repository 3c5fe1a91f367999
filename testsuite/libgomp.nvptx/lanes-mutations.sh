#!/bin/bash
# Lane mode and PTX that is not as GCC makes it: with an instruction that is about the warp, a changed block or an address that
# gets away a region is warp only; texts that are damaged are refused or, rewritten, can be read.  Under sanitizers, where
# the compiler has them.  By hand: LANES_MUTATIONS=100000 LANES_PERCENT=100 LANES_SEED=7.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: thread one thread
# TEST-TIMEOUT: 120
. "$(dirname "$0")/../libgomp.abi/aux-common.sh"
. "$here/aux-lanes.sh"
sources=()
for file in "$top_srcdir"/plugin/nvptx-{lanes,read}*.c "$top_srcdir/plugin/nvptx-print.c"; do
  [[ $file == *lanes-image.c ]] || sources+=("$file")	# that needs a plugin
done
build ()
{
  "${cc[@]}" -O1 -g -std=gnu11 -D_GNU_SOURCE "$@" -I"$top_srcdir/plugin" -I"$top_srcdir/config/nvptx" -I"$here" \
    "$here/aux-lanes-mutations.c" "${sources[@]}" -o "$tmp/mutations" > "$tmp/log" 2>&1
}
build -fsanitize=address,undefined -fno-sanitize-recover=undefined && "$tmp/mutations" 2> "$tmp/log"; [ $? = 2 ] \
  || build || die "the tool does not compile: $(head -5 "$tmp/log")"

compile "$here/aux-lanes-corpus.c" "${LANES_LEVELS:--O2}"
"$tmp/mutations" "$tmp/image" "${LANES_SEED:-1}" "${LANES_PERCENT:-5}" "${LANES_MUTATIONS:-80}" > "$tmp/out" 2>&1 \
  || die "$(tail -c 3000 "$tmp/out")"
tail -1 "$tmp/out"
