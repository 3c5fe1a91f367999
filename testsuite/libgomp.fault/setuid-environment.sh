#!/bin/bash
# A set-user-ID program ignores the variables that name files or plugins, and GOMP_DEBUG; the
# others count.  Needs root, to make such a program, and a file system that honours the bit.
# TEST-SKIP-SANITIZER: address the loader ignores LD_LIBRARY_PATH, so that its library comes too late
# TEST-SKIP-SANITIZER: thread the loader ignores LD_LIBRARY_PATH, so that its library comes too late

set -u
cc=${TEST_CC:-gcc}
lib=${TEST_LIBDIR:?run it with make check, or set TEST_LIBDIR to the directory of libgomp.so.1}
[ "$(id -u)" = 0 ] || { echo "only root can make a set-user-ID program of another user"; exit 77; }

dir=$(mktemp -d) || exit 77
trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir"
mkdir "$dir/lib" "$dir/trace"
# The loader ignores LD_LIBRARY_PATH, too, and whoever runs the program must be able to read
# the library.
cp -L "$lib"/libgomp.so.1 "$dir/lib/" && chmod 755 "$dir/lib" "$dir/lib/libgomp.so.1" || exit 77

cat > "$dir/p.c" <<'END'
#include <omp.h>
#include <stdio.h>
#include <sys/auxv.h>
int main (void)
{
  printf ("secure %d threads %d devices %d\n", getauxval (AT_SECURE) != 0,
	  omp_get_max_threads (), omp_get_num_devices ());
  return 0;
}
END
cat > "$dir/plugin.c" <<'END'
#include <unistd.h>
static void __attribute__ ((constructor)) loaded (void)
{ if (write (2, "foreign plugin loaded\n", 22) < 0) _exit (1); }
END
$cc -fopenmp "$dir/p.c" -o "$dir/p" -Wl,-rpath,"$dir/lib" || exit 1
$cc -shared -fPIC "$dir/plugin.c" -o "$dir/libgomp-plugin-foreign.so.1" || exit 1

run () {
  env OMP_NUM_THREADS=7 GOMP_DEBUG=9 GOMP_TRACE="$dir/trace/%p" GOMP_PLUGIN_PATH="$dir" GOMP_PLUGINS=foreign "$dir/p" 2>&1
}

failures=0
expect () {	# TEXT PATTERN yes|no
  if grep -q -- "$2" <<< "$1"; then found=yes; else found=no; fi
  [ $found = "$3" ] || { echo "FAIL: '$2': $found instead of $3 in"; echo "$1"; failures=1; }
}

# An ordinary program.
text=$(run)
expect "$text" '^secure 0 threads 7 ' yes
expect "$text" 'foreign plugin loaded' yes
[ "$(ls "$dir/trace" | wc -l)" = 1 ] || { echo "FAIL: no trace"; failures=1; }

chown 65534 "$dir/p" && chmod 4755 "$dir/p" || exit 77
text=$(run)
grep -q '^secure 0' <<< "$text" && { echo "the file system ignores the set-user-ID bit"; exit 77; }
expect "$text" '^secure 1 threads 7 ' yes
expect "$text" 'foreign plugin loaded' no
expect "$text" 'libgomp: debug' no
[ "$(ls "$dir/trace" | wc -l)" = 1 ] || { echo "FAIL: a trace"; failures=1; }
exit $failures
