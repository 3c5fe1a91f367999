#!/bin/bash
# The fuzz targets accept every input of their corpora.
#
# Plain compilers can do this; new inputs are found by tools/fuzz.sh, which needs clang.
# TEST-MODES: host
# TEST-SKIP-SANITIZER: thread one thread

set -u
cc=${TEST_CC:-gcc}
here=${TEST_SRCDIR:-$(cd "$(dirname "$0")/.." && pwd)}
top=${TEST_TOP_SRCDIR:-$here/..}
lib=${TEST_LIBDIR:?run it with make check, or set TEST_LIBDIR to the directory of libgomp.a}
[ -f "$lib/libgomp.a" ] || { echo "there is no libgomp.a"; exit 77; }
dir=$(mktemp -d) || exit 77
trap 'rm -rf "$dir"' EXIT
cp "$lib/libgomp.a" "$dir/" || exit 1
flags="-g -O1 -D_GNU_SOURCE -DHAVE_CONFIG_H ${TEST_SANITIZER_FLAGS:-}"
includes="-I$lib/.. -I$top -I$top/include -I$top/config/linux"
$cc $flags -fPIC -shared -I"$top/plugin" "$top/bench/target/plugin-null.c" \
  -o "$dir/libgomp-plugin-null.so.1" || exit 1

# Inputs that are refused leave things behind: in a program they end it.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
bad=0
for target in cache env elf gcn image lanes map merge nvptx ptx trace; do
  # What a target does not include.
  more=
  [ $target = lanes ] && more="-I$top/plugin -I$top/config/nvptx $(ls "$top"/plugin/nvptx-{lanes,read}*.c \
    "$top/plugin/nvptx-print.c" | grep -v lanes-image)"
  [ $target = merge ] && more="-I$top -I$top/config/nvptx $top/plugin/nvptx-merge.c $top/plugin/nvptx-shake.c $top/plugin/nvptx-home.c $top/plugin/nvptx-state.c"
  $cc $flags $includes $more "$here/libgomp.fuzz/aux-fuzz-$target.c" "$here/libgomp.fuzz/aux-fuzz-main.c" \
    -Wl,--wrap=exit -L"$dir" -lgomp -lpthread -ldl -o "$dir/$target" || exit 1
  GOMP_PLUGINS=null GOMP_PLUGIN_PATH="$dir" timeout 50 \
    "$dir/$target" "$here/libgomp.fuzz/corpus/$target"/* > "$dir/$target.out" 2> "$dir/$target.err"
  status=$?
  if [ $status != 0 ] || ! grep -q '^[1-9][0-9]* inputs$' "$dir/$target.out"; then
    echo "fuzz target $target: status $status"
    tail -40 "$dir/$target.err"
    bad=1
  fi
done
exit $bad
