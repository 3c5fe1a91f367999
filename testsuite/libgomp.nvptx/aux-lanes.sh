# aux-lanes.sh -- for tests of lane mode on what GCC compiles; read by bash, after aux-common.sh.

# The compiler of the tests: its first words, without what switches offloading off.
compiler=()
for word in "${cc[@]}"; do
  [ "$word" = -foffload=disable ] || compiler+=("$word")
done
options=$("$top_srcdir/tools/nvptx-options.sh" "${compiler[@]}") || skip "${compiler[*]} makes no image"

# use_compiler WORD...: the compiler of these words compiles from now on.
use_compiler ()
{
  compiler=()
  for word; do
    [ "$word" = -foffload=disable ] || compiler+=("$word")
  done
}

# build_tool [OPTION...]: make $tmp/lanes, which is aux-lanes.c; or take the one that another test has made of the same files.
build_tool ()
{
  local sources=() key made
  for name in lanes lanes-scan lanes-flow lanes-depth lanes-atomic lanes-stride lanes-stride-emit lanes-combine lanes-joint lanes-ends lanes-direct lanes-direct-emit lanes-teams lanes-frame lanes-slots lanes-effects lanes-updates lanes-spaces lanes-offsets lanes-team lanes-rows lanes-nest lanes-nest-emit lanes-loops lanes-windows lanes-blocks lanes-turns lanes-wait lanes-warps lanes-rewrite read-names read read-body read-build read-lex read-scope print inline inline-math inline-copy frame-registers frame-loops divide stream ptx; do
    sources+=("$top_srcdir/plugin/nvptx-$name.c")
  done
  key=$({ echo "${cc[@]}" "$@" "${sanitizer_flags[@]}"; cat "$here/aux-lanes.c" "${sources[@]}" "$top_srcdir"/plugin/*.h "$top_srcdir"/config/nvptx/*.h; } | md5sum)
  made=$builddir/testsuite/results/lanes-tool-${key%% *}
  if [ -x "$made" ]; then
    ln -s "$made" "$tmp/lanes"
    return
  fi
  "${cc[@]}" -O1 -g "$@" -std=gnu11 -D_GNU_SOURCE "${sanitizer_flags[@]}" -I"$top_srcdir/plugin" -I"$top_srcdir/config/nvptx" \
    "$here/aux-lanes.c" "${sources[@]}" -o "$tmp/lanes" || die "the tool does not compile"
  if [ -w "$builddir/testsuite/results" ]; then
    cp "$tmp/lanes" "$made.$$" && mv "$made.$$" "$made"
  fi
}

# compile SOURCE OPTION...: leave the image's objects, with zeros between them, in $tmp/image.
compile ()
{
  local source=$1 found; shift
  rm -rf "$tmp/build"; mkdir "$tmp/build"
  # shellcheck disable=SC2086
  (cd "$tmp/build" && "${compiler[@]}" "$@" -fopenmp $options '-foffload-options=nvptx-none=-lm -latomic' -save-temps \
     "$source" -o image -lm > log 2>&1) \
    || die "$source with $*: $(grep -E 'error|unresolved' "$tmp/build/log" || tail "$tmp/build/log")"
  found=("$tmp"/build/*.xnvptx-none.mkoffload)
  [ ${#found[@]} = 1 ] && [ -f "${found[0]}" ] || die "no image was made"
  cp "${found[0]}" "$tmp/image"
}

# run_image WHAT NAME=VALUE...: the program that was compiled finds nothing wrong, with these settings.
run_image ()
{
  local what="$level, $1"; shift
  timeout 100 env "LD_LIBRARY_PATH=$libdir:$builddir/testsuite/fake-cuda/.libs" "$@" "$tmp/build/image" > "$tmp/out" 2> "$tmp/log" \
    || bad "$what: $(grep -v info: "$tmp/log" | head -5) $(head -5 "$tmp/out")"
}
