#!/bin/bash
# clang compiles the library without warnings (14 to 19), its symbols have their versions, and a program of the
# test's compiler runs on it.  So it does the plugins: a quarter of their files with each commit.
#   build-clang.sh BUILD [CLANG]     all files, with another clang
# TEST-MODES: host
# TEST-TIMEOUT: 240
# TEST-SKIP-SANITIZER: address says nothing about the library
# TEST-SKIP-SANITIZER: thread says nothing about the library
# TEST-SKIP-SANITIZER: undefined says nothing about the library
. "$(dirname "$0")/aux-common.sh"
clang=${2:-clang}
need "$clang" make awk readelf xargs

# The value of a variable of the build's Makefile.
value ()
{
  printf 'include Makefile\nvalue:\n\t@echo $(%s)\n' "$1" \
    | (cd "$builddir" && make -s -f - value) || die "make cannot tell $1"
}

# Which quarter it is, or "all".
quarter=all
if [ $# -lt 2 ]; then
  commit=$(git -C "$top_srcdir" rev-parse HEAD 2>/dev/null) || commit=0000
  quarter=$((16#${commit:0:4} % 4))
fi

# compile NAME CPPFLAGS CFLAGS OPTION...: the sources of a library, or the quarter of a plugin's,
# without libtool, several in one call, from a directory for each of theirs, since an object is named
# as its source.
compile ()
{
  local name=$1 flags flag sources dir directories absolute
  flags="$(value "$2") $(value "$3")"; shift 3
  sources=$(value "${name}_SOURCES" | tr ' ' '\n' | grep '\.c$') || die "$name has no sources"
  [ "$(wc -l <<< "$sources")" -gt 20 ] || die "$name has only these sources: $sources"
  case $name-$quarter in
    libgomp_la-*|*-all) ;;
    *) sources=$(awk -v quarter="$quarter" 'NR % 4 == quarter' <<< "$sources") ;;
  esac
  # Directories are relative to that of the build.
  flags=$(cd "$builddir" && for flag in $flags; do
    case $flag in -I*) echo "-I$(cd "${flag#-I}" && pwd)" ;; *) echo "$flag" ;; esac
  done)
  directories=$(sed -n 's,/[^/]*$,,p' <<< "$sources" | sort -u)
  for dir in . $directories; do
    absolute=$tmp/$name/$dir
    mkdir -p "$absolute"
    sed '/\//! s,^,./,' <<< "$sources" | grep "^$dir/[^/]*$" | sed "s,.*,$top_srcdir/&," \
      | (cd "$absolute" && xargs -r -n 12 -P 2 "$clang" -DHAVE_CONFIG_H -I"$builddir" \
	   -I"$top_srcdir" $flags -Werror -fPIC -DPIC "$@") > "$tmp/log" 2>&1 \
      || bad "$name: $dir: $(head -40 "$tmp/log")"
  done
  compiled=$(wc -l <<< "$sources")
}

unset MAKEFLAGS MAKELEVEL MFLAGS
# Of later ones nobody knows what they warn of.
case $("$clang" -dumpversion) in
  1[4-9].*) later=() ;;
  *) later=(-Wno-error) ;;
esac
compile libgomp_la AM_CPPFLAGS AM_CFLAGS "${later[@]}" -O0 -c
mapfile -t objects < <(find "$tmp/libgomp_la" -name '*.o')
[ "${#objects[@]}" = "$compiled" ] || bad "${#objects[@]} objects of $compiled sources"
for plugin in nvptx gcn; do
  name=libgomp_plugin_${plugin}_la
  compile $name ${name}_CPPFLAGS ${name}_CFLAGS "${later[@]}" -fsyntax-only
done
[ $status = 0 ] || exit $status

mkdir "$tmp/lib"
"$clang" -shared -o "$tmp/lib/libgomp.so.1" "${objects[@]}" -pthread -Wl,-soname,libgomp.so.1 \
  -Wl,-z,nodelete -Wl,-z,defs "-Wl,--version-script=$top_srcdir/libgomp.map" > "$tmp/log" 2>&1 \
  || die "cannot be linked: $(head -40 "$tmp/log")"
ln -s "$libdir"/libgomp-plugin-*.so.1 "$tmp/lib"
TEST_LIBDIR=$tmp/lib "$here/symbols.sh" || bad "the symbols are wrong"

cat > "$tmp/t.c" <<'END_OF_PROGRAM'
#include <omp.h>
#include <stdio.h>
int
main (void)
{
  int n = 0, tasks = 0, on_host = 1, a[100];
  omp_lock_t lock;
  omp_init_lock (&lock);
  for (int i = 0; i < 100; i++)
    a[i] = i;
#pragma omp parallel num_threads (3) reduction (+: n)
  {
    n++;
#pragma omp for schedule (dynamic) ordered
    for (int i = 0; i < 50; i++)
#pragma omp ordered
      tasks += tasks == i;
#pragma omp single
    for (int i = 0; i < 50; i++)
#pragma omp task depend (inout: tasks)
      {
	omp_set_lock (&lock);
	tasks++;
	omp_unset_lock (&lock);
      }
  }
#pragma omp target teams distribute parallel for map (tofrom: a)
  for (int i = 0; i < 100; i++)
    a[i] += 100;
#pragma omp target map (from: on_host)
  on_host = omp_is_initial_device ();
  for (int i = 0; i < 100; i++)
    if (a[i] != i + 100)
      return printf ("a[%d] is %d\n", i, a[i]);
  if (n != 3 || tasks != 100 || on_host)
    return printf ("%d threads, %d turns and tasks, on host: %d\n", n, tasks, on_host);
  omp_destroy_lock (&lock);
  return 0;
}
END_OF_PROGRAM
"${cc[@]}" -O2 -fopenmp "$tmp/t.c" -o "$tmp/t" || die "the compiler does not know OpenMP"
GOMP_CPU_DEVICES=1 GOMP_PLUGINS=cpu LD_LIBRARY_PATH=$tmp/lib timeout 20 "$tmp/t" > "$tmp/out" 2>&1 \
  || bad "a program does not run on it: exit status $?: $(cat "$tmp/out")"
LD_LIBRARY_PATH=$tmp/lib ldd "$tmp/t" | grep -q "$tmp/lib/libgomp.so.1" \
  || bad "the program takes another library"
exit $status
