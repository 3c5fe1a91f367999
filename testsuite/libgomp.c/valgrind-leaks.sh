#!/bin/bash
# The leak check of valgrind finds nothing of the runtime's that is lost, definitely or possibly: every
# block is known by its start.  What pthread_create keeps for a thread is not the runtime's.
# TEST-MODES: host
# TEST-TIMEOUT: 120
# TEST-SKIP-SANITIZER: address runs under valgrind
# TEST-SKIP-SANITIZER: thread runs under valgrind
# TEST-SKIP-SANITIZER: undefined runs under valgrind

set -u
command -v valgrind > /dev/null || { echo "valgrind is not installed"; exit 77; }
cat > main.c <<'C'
#include <omp.h>
int
main (void)
{
  int n = 0;
#pragma omp parallel num_threads(3) reduction(+: n)
  n++;
#pragma omp parallel num_threads(20) reduction(+: n)
  n++;
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < 10; i++)
#pragma omp task
    { }
#pragma omp task shared(n)
  n++;
#pragma omp taskwait
  return n != 24;
}
C
${TEST_CC:-gcc} -g -fopenmp main.c -o main || exit 1
valgrind --leak-check=full --num-callers=30 ./main > out 2>&1
status=$?
grep -q "LEAK SUMMARY\|no leaks are possible" out || { echo "valgrind cannot run this here"; cat out; exit 77; }
[ $status = 0 ] || { echo "status $status"; cat out; exit 1; }
# A record is a paragraph.
sed 's/^==[0-9]*== *//' out | awk -v RS= '/(definitely|possibly) lost in loss record/ && !/pthread_create/' > lost
[ -s lost ] || exit 0
cat lost
exit 1
