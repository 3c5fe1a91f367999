/* The mapping checker tells when a function that a region calls uses a global variable that is not
   declare target: the device has one of its own, with another value, or what it writes there is
   lost.  Each variable is told once; one that has the host's value is a note.
   TEST-MODES: cpu
   TEST-OPTIONS: -O1 -foffload=disable
   TEST-ENV: GOMP_CHECK=map
   TEST-SKIP-SANITIZER: thread variables of modules are not watched then
   TEST-OUTPUT: ^libgomp: check: not declare target: the device used a variable of its own for `gain' \(8 bytes\)$
   TEST-OUTPUT: ^  target at main.* read it, by the code at amplify.* \([0-9]+ times\)$
   TEST-OUTPUT: ^  the host has another value$
   TEST-OUTPUT: ^  remedy: write `declare target \(gain\)' behind its declaration, and copy it with `target update to\(gain\)'
   TEST-OUTPUT: ^libgomp: check: not declare target: the device used a variable of its own for `calls' \(4 bytes\)$
   TEST-OUTPUT: ^  target at main.* wrote it, by the code at amplify
   TEST-OUTPUT: ^  what the device writes there never gets to the host$
   TEST-OUTPUT: ^libgomp: check: 2 findings \(2 variables that are not declare target\), 1 note \(GOMP_CHECK=map,notes shows them\)
   TEST-NO-OUTPUT: `same'
   TEST-NO-OUTPUT: `scale'  */

#include <sys/prctl.h>

double gain = 1, same = 3, unused = 7;
int calls;
#pragma omp declare target
double scale = 2;
#pragma omp end declare target

double __attribute__ ((noinline))
amplify (double x)
{
  calls = x;
  return gain * scale * same * x;
}

int
main (void)
{
  /* System call user dispatch is Linux 5.11's.  */
  if (prctl (59, 0, 0, 0, 0) != 0)
    return 77;
  double v[100];
  gain = unused = 5;
  for (int round = 0; round < 2; round++)
    {
      for (int i = 0; i < 100; i++)
	v[i] = i;
#pragma omp target map (tofrom: v)
      for (int i = 0; i < 100; i++)
	v[i] = amplify (v[i]);
    }
  return v[99] != 6 * 99 || calls != 0;
}
