#!/bin/bash
# A set-user-ID program has no cpu devices, and nobody makes it believe that it is a worker.
# Needs root, to make such a program, and a file system that honours the bit.
# TEST-SKIP-SANITIZER: address its runtime has no place in set-user-ID programs
# TEST-SKIP-SANITIZER: thread its runtime has no place in set-user-ID programs

set -u
cc=${TEST_CC:-gcc}
lib=${TEST_LIBDIR:?run it with make check, or set TEST_LIBDIR to the directory of libgomp.so.1}
[ "$(id -u)" = 0 ] || { echo "only root can make a set-user-ID program of another user"; exit 77; }

dir=$(mktemp -d) || exit 77
trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir"
mkdir "$dir/lib"
cp -L "$lib"/libgomp.so.1 "$dir/lib/" && chmod 755 "$dir/lib" "$dir/lib/libgomp.so.1" || exit 77
cat > "$dir/p.c" <<'END'
#include <omp.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <unistd.h>
int main (void)
{
  int pid = 0;
#pragma omp target map (from: pid)
  pid = getpid ();
  printf ("secure %d devices %d %s\n", getauxval (AT_SECURE) != 0, omp_get_num_devices (),
	  pid == getpid () ? "host" : "device");
  return 0;
}
END
$cc -fopenmp "$dir/p.c" -o "$dir/p" -Wl,-rpath,"$dir/lib" || exit 1

status=0
expect () {	# WHAT EXPECTED GOT
  [ "$2" = "$3" ] || { echo "$1: '$3' instead of '$2'"; status=1; }
}
expect "ordinary program" "secure 0 devices 1 device" "$(GOMP_CPU_DEVICES=1 "$dir/p" 2>&1)"
chown 65534 "$dir/p" && chmod 4755 "$dir/p" || exit 77
out=$(GOMP_CPU_DEVICES=1 "$dir/p" 2>&1)
case $out in "secure 0"*) echo "the file system ignores the set-user-ID bit"; exit 77;; esac
expect "set-user-ID program" "secure 1 devices 0 host" "$out"
out=$(GOMPX_CPU_WORKER=0:0123456789abcdef0123456789abcdef "$dir/p" --gompx-cpu-worker 2>&1)
expect "set-user-ID program with the marker" "125 " "$? $out"
exit $status
