# An executable that its user may run but not read (mode 711): its regions run on the host, so its data
# stays there, too, and one line says why.
# TEST-MODES: cpu
# TEST-SKIP-SANITIZER: address the runtime of the sanitizer reads the executable
# TEST-SKIP-SANITIZER: thread the runtime of the sanitizer reads the executable
# TEST-SKIP-SANITIZER: undefined the runtime of the sanitizer reads the executable

set -u
cc=${TEST_CC:-gcc}
cat > main.c <<'C'
#include <stdio.h>
int a[1000], x = 1;
#pragma omp declare target
int g = 5;
#pragma omp end declare target
int main (void)
{
#pragma omp target data map(tofrom: a)
  {
#pragma omp target map(tofrom: x)
    { x += 10; a[3] = 7; g++; }
#pragma omp target
    a[4] = 8;
#pragma omp target update from(a[0:10], g)
  }
  printf ("x %d a %d %d g %d\n", x, a[3], a[4], g);
  return 0;
}
C
$cc -fopenmp main.c -o main && chmod 111 main || exit 1
as=
if [ "$(id -u)" = 0 ]; then
  as="setpriv --reuid 65534 --regid 65534 --clear-groups"
  $as true || exit 77
  # The directories on the way, and the library.
  $as test -x "$PWD" -a -r "$TEST_LIBDIR/libgomp.so.1" || exit 77
fi
out=$($as ./main 2>&1) status=$?
message="the tables of the program cannot be read, its target regions run on the host: Permission denied"
if [ $status != 0 ] || [[ $out != *"x 11 a 7 8 g 6"* ]] || [[ $out != *"$message"* ]] \
   || [ "$(grep -c libgomp: <<<"$out")" != 1 ]; then
  echo "exit status $status: $out"
  exit 1
fi
# Mandatory: no region runs elsewhere.
out=$(OMP_TARGET_OFFLOAD=mandatory $as ./main 2>&1) status=$?
if [ $status = 0 ] || [[ $out != *"$message"* ]]; then
  echo "mandatory: exit status $status: $out"
  exit 1
fi
exit 0
