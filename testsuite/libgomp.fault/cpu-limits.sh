#!/bin/bash
# Resource limits of the program: the device adapts to limits on address space and file sizes,
# or there is none, but the program is never hurt.
# TEST-MODES: cpu
# TEST-SKIP-SANITIZER: thread needs more address space
# TEST-SKIP-SANITIZER: address needs more address space

set -u
cc=${TEST_CC:-gcc}
dir=$(mktemp -d) || exit 77
trap 'rm -rf "$dir"' EXIT
cat > "$dir/p.c" <<'END'
#include <stdio.h>
#include <unistd.h>
int main (void)
{
  int pid = 0;
#pragma omp target map (from: pid)
  pid = getpid ();
  printf ("%s\n", pid == getpid () ? "host" : "device");
  return 0;
}
END
$cc -fopenmp "$dir/p.c" -o "$dir/p" || exit 1
status=0
check () {
  local expect=$1 limit=$2
  out=$(ulimit $limit && GOMP_CPU_DEVICES=1 ${TEST_LIBDIR:+env LD_LIBRARY_PATH=$TEST_LIBDIR} timeout 60 "$dir/p" 2>"$dir/err")
  rc=$?
  [ $rc = 0 ] && [[ $out =~ ^($expect)$ ]] || { echo "ulimit $limit: status $rc, $out"; cat "$dir/err"; status=1; }
}
check device "-v 8000000"
check device "-f 1000000"
check "device|host" "-f 10"
check "device|host" "-v 400000"
check "device|host" "-n 5"
check device "-s unlimited"
check device "-c 0"
exit $status
