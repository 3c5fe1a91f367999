#!/bin/bash
# fuzz.sh -- search for inputs that break the library, with clang's libFuzzer.
#
#   tools/fuzz.sh BUILD-DIR TARGET [SECONDS [LIBFUZZER-OPTION...]]
#
# TARGET: cache, env, elf, gcn, image, lanes, map, merge, nvptx, ptx or trace (testsuite/libgomp.fuzz).  The library is built by clang with the address
# sanitizer in BUILD-DIR, which is made if there is none.  New inputs that reach new code are kept
# in BUILD-DIR/corpus-TARGET, one that fails in BUILD-DIR/TARGET-*.  To add what was found to the
# corpus of the tests:
#
#   BUILD-DIR/fuzz-TARGET -merge=1 testsuite/libgomp.fuzz/corpus/TARGET BUILD-DIR/corpus-TARGET
#
# CC: another clang.  Debian: clang-14 libclang-rt-14-dev.

set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
[ $# -ge 2 ] || { sed -n '2,/^$/s/^# \{0,1\}//p' "$0"; exit 2; }
mkdir -p "$1"
build=$(cd "$1" && pwd) target=$2 seconds=${3:-60}
shift $(($# < 3 ? $# : 3))
cc=${CC:-$(command -v clang-14 || command -v clang)}
flags="-g -O1 -fno-omit-frame-pointer -D_GNU_SOURCE -DHAVE_CONFIG_H"

cd "$build"
[ -f config.status ] || "$top/configure" --disable-shared --enable-checking CC="$cc" \
  CFLAGS="-g -O1 -fsanitize=fuzzer-no-link,address -fno-omit-frame-pointer" > configure.log
make -s -j"$(nproc)" libgomp.la
$cc $flags -fsanitize=address -fPIC -shared -I"$top/plugin" "$top/bench/target/plugin-null.c" \
  -o libgomp-plugin-null.so.1
more=()
if [ "$target" = lanes ]; then
  more=(-I"$top/plugin" -I"$top/config/nvptx")
  for file in "$top"/plugin/nvptx-{lanes,read}*.c "$top/plugin/nvptx-print.c"; do
    [[ $file == *lanes-image.c ]] || more+=("$file")	# that needs a plugin
  done
fi
[ "$target" != merge ] || more=(-I"$top" -I"$top/config/nvptx" "$top/plugin/nvptx-merge.c" "$top/plugin/nvptx-shake.c" "$top/plugin/nvptx-home.c" "$top/plugin/nvptx-state.c")
$cc $flags -fsanitize=fuzzer,address "${more[@]}" -I. -I"$top" -I"$top/include" -I"$top/config/linux" \
  "$top/testsuite/libgomp.fuzz/aux-fuzz-$target.c" -Wl,--wrap=exit .libs/libgomp.a -lpthread -ldl \
  -o "fuzz-$target"
mkdir -p "corpus-$target"
# The library's messages are many; leaks are looked for by the tests.
exec env ASAN_OPTIONS=detect_leaks=0 GOMP_PLUGINS=null GOMP_PLUGIN_PATH="$build" "./fuzz-$target" -max_total_time="$seconds" \
  -detect_leaks=0 -close_fd_mask=3 -artifact_prefix="$target-" -timeout=10 "$@" "corpus-$target" \
  "$top/testsuite/libgomp.fuzz/corpus/$target"
