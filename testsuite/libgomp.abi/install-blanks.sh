#!/bin/bash
# A library that is configured for a prefix with blanks in its name is installed there and below a
# DESTDIR with blanks, and what is installed works in both places, and where it is moved to.
# TEST-MODES: host
# TEST-TIMEOUT: 600
# TEST-SKIP-SANITIZER: address installs are made without sanitizers
# TEST-SKIP-SANITIZER: thread installs are made without sanitizers
# TEST-SKIP-SANITIZER: undefined installs are made without sanitizers
. "$(dirname "$0")/aux-common.sh"
need make
[ -z "${GOMPX_INSTALLED-}" ] || skip "the compiler of the library is not there"
[ ! "$builddir" -ef "$top_srcdir" ] || skip "built in the source directory"
prefix="$tmp/an installation" dest="$tmp/a root"
unset GOMP_PLUGIN_PATH GOMP_PLUGINS LD_LIBRARY_PATH MAKEFLAGS MAKELEVEL MFLAGS

# The same build, configured again: only what has the prefix in it is compiled.
mkdir "$tmp/build" && cd "$tmp/build" || exit 1
(cd "$builddir" && find . -mindepth 1 -maxdepth 1 ! -name testsuite -exec cp -a {} "$tmp/build" \;)
# The sources have another relative path here: what else depends on them is up to date.
find . -name '*.P*o' -path '*/.deps/*' | while read -r file; do echo '# nothing' > "$file"; done
eval "options=($("$builddir/config.status" --config))"
"$top_srcdir/configure" -q "${options[@]}" --prefix="$prefix" > "$tmp/log" 2>&1 \
  || die "configure fails: $(tail -20 "$tmp/log")"
rm -f plugins.*o tools/gompx_info-info-loader.o gompx.pc
./config.status -q gompx.pc
make -s -j2 SUBDIRS=. > "$tmp/log" 2>&1 || die "make fails: $(tail -40 "$tmp/log")"
make -s SUBDIRS=. install > "$tmp/log" 2>&1 || die "make install fails: $(tail -20 "$tmp/log")"
grep -q '^gompx: .*LD_LIBRARY_PATH=' "$tmp/log" \
  || bad "make install does not say how it is used: $(cat "$tmp/log")"
make -s SUBDIRS=. install DESTDIR="$dest" > "$tmp/log" 2>&1 \
  || die "make install with DESTDIR fails: $(tail -20 "$tmp/log")"
grep -q '^gompx: ' "$tmp/log" \
  && bad "make install with DESTDIR talks of this machine: $(cat "$tmp/log")"

for f in bin/gompx-info lib/libgomp.so.1 lib/libgomp.so lib/libgomp.spec lib/gompx-nvptx-link \
	 lib/libgomp-plugin-nvptx.so.1 lib/libgomp-plugin-gcn.so.1 lib/pkgconfig/gompx.pc include/omp.h \
	 share/man/man3/omp_get_num_threads.3; do
  [ -f "$prefix/$f" ] || bad "not installed: $f"
  [ -f "$dest$prefix/$f" ] || bad "not installed below DESTDIR: $f"
done
find "$tmp" -name '*.la' -path '*/lib/*' -not -path "$tmp/build/*" | grep . \
  && bad "descriptions of libtool are installed"

# gompx-info finds the plugins of its own installation, also after that was moved.
plugins_of ()
{
  "$1/bin/gompx-info" > "$tmp/out" 2>&1 || bad "$1: gompx-info: exit status $?"
  grep -qF "plugin nvptx: $1/lib/libgomp-plugin-nvptx.so.1, " "$tmp/out" \
    || bad "$1: gompx-info does not find its plugins: $(cat "$tmp/out")"
}
plugins_of "$prefix"
plugins_of "$dest$prefix"
cp -a "$dest$prefix" "$tmp/moved here"
plugins_of "$tmp/moved here"

cat > "$tmp/t.c" <<'END'
#include <omp.h>
int
main (void)
{
  int n = 0, on_host = 1;
#pragma omp parallel num_threads (3) reduction (+: n)
  n++;
#pragma omp target map (from: on_host)
  on_host = omp_is_initial_device ();
  return n != 3 || on_host;
}
END
# run NAME LD_LIBRARY_PATH
run ()
{
  GOMP_CPU_DEVICES=1 LD_LIBRARY_PATH=$2 timeout 60 "$tmp/t" > "$tmp/out" 2>&1 \
    || bad "$1: exit status $?: $(cat "$tmp/out")"
  LD_LIBRARY_PATH=$2 LD_TRACE_LOADED_OBJECTS=1 "$tmp/t" | grep -qF "libgomp.so.1 => $tmp/" \
    || bad "$1: another libgomp"
}
"${cc[@]}" -fopenmp "$tmp/t.c" -o "$tmp/t" || die "the compiler does not know OpenMP"
run LD_LIBRARY_PATH "$prefix/lib"
run "LD_LIBRARY_PATH below DESTDIR" "$dest$prefix/lib"
"${cc[@]}" -fopenmp "$tmp/t.c" -o "$tmp/t" -B"$prefix/lib" -Wl,-rpath,"$prefix/lib" \
  || bad "-B does not link"
run -B ""
if command -v pkg-config >/dev/null; then
  flags=$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --cflags --libs gompx) \
    || bad "pkg-config does not know gompx"
  rm -f "$tmp/t"
  eval "\"\${cc[@]}\" \"\$tmp/t.c\" -o \"\$tmp/t\" $flags" \
    || bad "pkg-config: does not link: $flags"
  run pkg-config ""
fi

make -s SUBDIRS=. uninstall > "$tmp/log" 2>&1 || bad "make uninstall fails: $(tail "$tmp/log")"
make -s SUBDIRS=. uninstall DESTDIR="$dest" >> "$tmp/log" 2>&1 \
  || bad "make uninstall fails: $(tail "$tmp/log")"
left=$(find "$prefix" "$dest" ! -type d)
[ -z "$left" ] || bad "left after make uninstall: $left"
exit $status
