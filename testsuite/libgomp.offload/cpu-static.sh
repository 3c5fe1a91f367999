#!/bin/bash
# The cpu device in programs that contain libgomp.a: dynamic otherwise, and fully static.
# TEST-MODES: cpu
# TEST-SKIP-SANITIZER: undefined has no static runtime here
# TEST-SKIP-SANITIZER: thread has no static runtime here
# TEST-SKIP-SANITIZER: address has no static runtime here

set -u
cc=${TEST_CC:-gcc}
lib=${TEST_LIBDIR:?run it with make check, or set TEST_LIBDIR to the directory of libgomp.a}
[ -f "$lib/libgomp.a" ] || { echo "there is no libgomp.a"; exit 77; }
dir=$(mktemp -d) || exit 77
trap 'rm -rf "$dir"' EXIT

cat > "$dir/p.c" <<'END'
#include <stdio.h>
#include <unistd.h>
#pragma omp declare target
int v = 5;
#pragma omp end declare target
static void __attribute__ ((constructor)) once (void) { printf ("constructor\n"); fflush (stdout); }
int main (void)
{
  int pid = 0, sum = 0;
  v = 1;
#pragma omp target map (from: pid, sum)
  {
    pid = getpid ();
#pragma omp parallel num_threads (3) reduction (+: sum)
    sum += v;
  }
  printf ("%s %d\n", pid == getpid () ? "host" : "device", sum);
  return 0;
}
END

status=0
check () {
  local what=$1; shift
  if ! $cc -fopenmp "$dir/p.c" -o "$dir/p" "$@" >"$dir/log" 2>&1; then
    cat "$dir/log"; echo "$what: does not link"; status=1; return
  fi
  out=$(GOMP_CPU_DEVICES=1 timeout 60 "$dir/p" 2>&1 | tr '\n' ' ')
  [ "$out" = "constructor device 15 " ] || { echo "$what: $out"; status=1; }
}
mkdir "$dir/lib" && cp "$lib/libgomp.a" "$dir/lib/" || exit 1
check "libgomp.a" -L"$dir/lib"
check "libgomp.a, not position independent" -L"$dir/lib" -no-pie
check "static" -L"$dir/lib" -static
check "static PIE" -L"$dir/lib" -static-pie
exit $status
