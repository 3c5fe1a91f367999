#!/bin/bash
# A program that is started by naming the dynamic loader, with options of the loader and arguments of
# its own, has its device.
# TEST-MODES: cpu
# TEST-SKIP-SANITIZER: thread does not run programs that are started this way

cat >prog.c <<'END'
#include <stdio.h>
#include <unistd.h>
int
main (int argc, char **argv)
{
  int pid = 0;
  if (argc == 3 && chdir ("/") != 0)
    return 2;
#pragma omp target map (from: pid)
  pid = getpid ();
  if (pid == 0 || pid == getpid ())
    return printf ("%s with %d arguments: the region was not on the device\n", argv[0], argc), 1;
  return 0;
}
END
$TEST_CC -fopenmp $TEST_SANITIZER_FLAGS prog.c -o prog || exit 1
loader=$(LC_ALL=C readelf -l prog | sed -n 's/.*program interpreter: \(.*\)]/\1/p')
[ -x "$loader" ] || { echo "there is no loader"; exit 77; }
export OMP_TARGET_OFFLOAD=mandatory

failed=0
try ()
{
  "$@" || { echo "failed with $?: $*"; failed=1; }
}
try ./prog
try "$loader" ./prog
try "$loader" ./prog one ''
try "$loader" --library-path "$TEST_LIBDIR" "$PWD/prog" two
if "$loader" --help 2>&1 | grep -q -e --argv0; then
  try "$loader" --argv0 another ./prog
  try "$loader" --library-path "$LD_LIBRARY_PATH" --argv0 another ./prog one 'a b'
fi
exit $failed
