/* Variables of a shared object with regions, of which the executable has copies (relocations of a program
   that is not position-independent): the mapping checker tells those that are not declare target, and
   not those of the C library.
   TEST-SHARED: check-copied-lib.c
   TEST-MODES: cpu
   TEST-OPTIONS: -O1 -fno-pie -no-pie -foffload=disable -L. -l:check-copied-lib.so -Wl,-rpath,.
   TEST-ENV: GOMP_CHECK=map
   TEST-SKIP-SANITIZER: thread variables of modules are not watched then
   TEST-OUTPUT: ^libgomp: check: not declare target: the device used a variable of its own for `shared_gain' \(4 bytes\)$
   TEST-OUTPUT: ^  the host has another value$
   TEST-OUTPUT: ^libgomp: check: not declare target: the device used a variable of its own for `shared_calls' \(4 bytes\)$
   TEST-OUTPUT: ^libgomp: check: 2 findings \(2 variables that are not declare target\)
   TEST-NO-OUTPUT: shared_table
   TEST-NO-OUTPUT: stdout  */

#include <stdio.h>
#include <sys/prctl.h>

extern int shared_gain, shared_calls;
#pragma omp declare target
extern int shared_table;
#pragma omp end declare target
int in_library (int);

int __attribute__ ((noinline, noclone))
amplify (int x)
{
  shared_calls = x;
  return shared_gain * x + (*(FILE *volatile *) &stdout == NULL);
}

int
main (void)
{
  int x = 3;
  /* System call user dispatch is Linux 5.11's.  */
  if (prctl (59, 0, 0, 0, 0) != 0)
    return 77;
  shared_gain = 5;
#pragma omp target map(tofrom: x)
  x = amplify (x) + shared_table;
  return in_library (x) != 3 + 7 + 7 || shared_calls != 0;
}
