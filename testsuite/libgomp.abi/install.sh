#!/bin/bash
# make install DESTDIR=, the three ways of using what it installs, make uninstall.
# Every program proves which libgomp it runs on.
# TEST-MODES: host
# TEST-TIMEOUT: 180
# TEST-SKIP-SANITIZER: address installs are made without sanitizers
# TEST-SKIP-SANITIZER: thread installs are made without sanitizers
# TEST-SKIP-SANITIZER: undefined installs are made without sanitizers
. "$(dirname "$0")/aux-common.sh"
need make nm readelf
root=$tmp/root
variable () { make -s -C "$builddir" --no-print-directory -f - "print-$1" <<< "include Makefile
print-$1: ; @echo \$($1)"; }
prefix=$(variable prefix) lib=$root$(variable libdir) inc=$root$(variable includedir)
man=$root$(variable mandir)
[ -n "$prefix" ] || die "cannot read $builddir/Makefile"

# Where the compiler of the library is not there, somebody has installed it for us.
if [ -n "${GOMPX_INSTALLED-}" ]; then
  cp -a "$GOMPX_INSTALLED" "$root" || exit 1
else
  make -s -C "$builddir" install DESTDIR="$root" > "$tmp/install.log" 2>&1 \
    || die "make install fails: $(tail -20 "$tmp/install.log")"
fi

# configure --disable-static makes no archive.
archive=libgomp.a
grep -q '^build_old_libs=no' "$builddir/libtool" && archive=
for f in libgomp.so.1 libgomp.so $archive libgomp.spec libgomp-plugin-nvptx.so.1 \
	 libgomp-plugin-gcn.so.1 gompx-nvptx-link pkgconfig/gompx.pc; do
  [ -f "$lib/$f" ] || bad "not installed: $f"
done
# The device runtime for linking, where there was a compiler for it.
[ ! -f "$builddir/nvptx/libgomp.a" ] || [ -f "$lib/gompx/nvptx/libgomp.a" ] \
  || bad "not installed: gompx/nvptx/libgomp.a"
[ -f "$inc/omp.h" ] || bad "not installed: omp.h"
[ -f "$inc/omp-tools.h" ] || bad "not installed: omp-tools.h"
[ -f "$man/man3/omp_get_num_threads.3" ] || bad "manual pages are not installed"
# One page for each routine, and no other.
sed -n 's/^FUNCTION (\([a-z_0-9]*\),.*/\1.3/p' "$here/omp-h-list.h" | sort > "$tmp/routines"
ls -A "$man/man3" | sort > "$tmp/pages"
diff "$tmp/routines" "$tmp/pages" > "$tmp/diff" \
  || bad "manual pages (>) are not those of the routines (<): $(cat "$tmp/diff")"
found=$(find "$root" -name '*.la')
[ -z "$found" ] || bad "descriptions of libtool are installed: $found"
outside=$(find "$root" -type f -o -type l | sed "s,^$root,," | grep -v "^$prefix/")
[ -z "$outside" ] || bad "installed outside of the prefix: $outside"
grep -rlF "$root" "$root" --include='*.pc' --include='*.la' --include='*.spec' > "$tmp/out" \
  && bad "DESTDIR is named in: $(cat "$tmp/out")"

cat > "$tmp/t.c" <<'END'
#include <omp.h>
#include <stdio.h>
int
main (void)
{
  int n = 0, sum = 0, on_host = -1;
#pragma omp parallel num_threads (3) reduction (+: n)
  n++;
#pragma omp parallel for reduction (+: sum) num_threads (2)
  for (int i = 0; i < 100; i++)
    sum += i;
#pragma omp target map (from: on_host)
  on_host = omp_is_initial_device ();
  printf ("%d %d %d\n", n, sum, on_host);
  return 0;
}
END
cat > "$tmp/t.f90" <<'END'
program t
  use omp_lib
  implicit none
  integer :: n = 0, s = 0, i
  logical :: on_host
  !$omp parallel num_threads (3) reduction (+: n)
  n = n + 1
  !$omp end parallel
  !$omp parallel do reduction (+: s) num_threads (2)
  do i = 0, 99
    s = s + i
  end do
  !$omp target map (from: on_host)
  on_host = omp_is_initial_device ()
  !$omp end target
  print '(i0,1x,i0,1x,i0)', n, s, merge (1, 0, on_host)
end program
END

# run NAME ENVIRONMENT...: the program must print this, and the loader must find WANT ("" for
# no shared libgomp at all).
run ()
{
  local name=$1 want=$2 out path; shift 2
  out=$(env -u LD_LIBRARY_PATH "$@" timeout 60 "$tmp/t" 2>&1) || bad "$name: exit status $?"
  [ "$out" = "3 4950 1" ] || bad "$name: printed: $out"
  path=$(env -u LD_LIBRARY_PATH "$@" LD_TRACE_LOADED_OBJECTS=1 "$tmp/t" 2>&1 \
	 | sed -n 's/.*libgomp[^ ]* => \([^ ]*\).*/\1/p')
  [ "$path" = "$want" ] || bad "$name: runs on '$path' instead of '$want'"
}
# link NAME COMMAND...
link ()
{
  local name=$1; shift
  rm -f "$tmp/t"
  "$@" -o "$tmp/t" > "$tmp/log" 2>&1 || bad "$name: does not link: $* : $(head -20 "$tmp/log")"
}
# from_archive NAME: the linker took our libgomp.a and no other (it was told to trace, ld -t).
from_archive ()
{
  grep -qF "$lib/libgomp.a" "$tmp/log" || bad "$1: our libgomp.a is not what was linked"
  grep 'libgomp\.' "$tmp/log" | grep -vF "$lib/libgomp.a" | grep '\.a\>' \
    && bad "$1: another libgomp.a was linked as well"
}

for lang in c f90; do
  case $lang in c) compiler=("${cc[@]}") ;; f90) compiler=("${fc[@]}") ;; esac
  command -v "${compiler[0]}" >/dev/null || continue
  src=$tmp/t.$lang

  # 1. At run time: the program of a compiler that knows nothing of this library.
  link "$lang, LD_LIBRARY_PATH" "${compiler[@]}" -fopenmp "$src"
  run "$lang, LD_LIBRARY_PATH" "$lib/libgomp.so.1" LD_LIBRARY_PATH="$lib"

  # 2. At link time.
  link "$lang, -L" "${compiler[@]}" -fopenmp "$src" -L"$lib" -Wl,-rpath,"$lib"
  run "$lang, -L" "$lib/libgomp.so.1"
  link "$lang, -B" "${compiler[@]}" -fopenmp "$src" -B"$lib" -Wl,-rpath,"$lib" -Wl,-t
  run "$lang, -B" "$lib/libgomp.so.1"
  grep -qF "$lib/libgomp.so" "$tmp/log" || bad "$lang, -B: linked with another libgomp"

  # 3. Statically: everything, or libgomp alone.
  [ -n "$archive" ] || continue
  link "$lang, -static" "${compiler[@]}" -fopenmp -static "$src" -B"$lib" -Wl,-t
  from_archive "$lang, -static"
  run "$lang, -static" ""
  link "$lang, libgomp.a" "${compiler[@]}" -fopenmp "$src" -L"$lib" -Wl,--as-needed -l:libgomp.a -Wl,-t
  from_archive "$lang, libgomp.a"
  run "$lang, libgomp.a" ""
done

# With our omp.h; C++ as well.
link "omp.h" "${cc[@]}" -fopenmp -I"$inc" "$tmp/t.c" -L"$lib" -Wl,-rpath,"$lib"
run "omp.h" "$lib/libgomp.so.1"
cp "$tmp/t.c" "$tmp/t.cc"
command -v "${cxx[0]}" >/dev/null && {
  link "omp.h in C++" "${cxx[@]}" -fopenmp -I"$inc" "$tmp/t.cc" -L"$lib" -Wl,-rpath,"$lib"
  run "omp.h in C++" "$lib/libgomp.so.1"; }

# 4. pkg-config.
if command -v pkg-config >/dev/null; then
  flags=$(PKG_CONFIG_PATH=$lib/pkgconfig pkg-config --define-variable=prefix="$root$prefix" \
	  --cflags --libs gompx) || bad "pkg-config does not know gompx"
  read -r -a words <<< "$flags"
  link "pkg-config" "${cc[@]}" "$tmp/t.c" "${words[@]}"
  run "pkg-config" "$lib/libgomp.so.1"
fi

[ -z "${GOMPX_INSTALLED-}" ] || exit $status
make -s -C "$builddir" uninstall DESTDIR="$root" > "$tmp/uninstall.log" 2>&1 \
  || bad "make uninstall fails: $(tail "$tmp/uninstall.log")"
left=$(find "$root" ! -type d)
[ -z "$left" ] || bad "left after make uninstall: $left"
exit $status
