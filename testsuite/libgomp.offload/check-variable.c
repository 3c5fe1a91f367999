/* The mapping checker finds a region that reads a declare target variable which the host has changed without a
   target update: before the first region, and later.  What is updated, or not read, is fine; what is
   updated only behind the region is a note.
   TEST-MODES: cpu
   TEST-OPTIONS: -O1
   TEST-SKIP-SANITIZER: thread variables of modules are not watched then
   TEST-ENV: GOMP_CHECK=map
   TEST-OUTPUT: ^libgomp: check: stale read: the device used an old value of `dt' \(8 bytes\), which is declare target$
   TEST-OUTPUT: ^  the host has changed dt, and the device has its initial value$
   TEST-OUTPUT: ^  target at main.* read what was there before, by the code at main._omp_fn
   TEST-OUTPUT: ^  remedy: before that region write `target update to\(dt\)'
   TEST-OUTPUT: ^libgomp: check: stale read: the device used an old value of `table' \(400 bytes\), which is declare target$
   TEST-OUTPUT: ^  the host has changed table\[10:2\] after target update at main.* copied it$
   TEST-OUTPUT: ^libgomp: check: 2 findings \(2 stale reads\), 1 note
   TEST-NO-OUTPUT: `(late|unread|own)'  */

#include <sys/prctl.h>

#pragma omp declare target
double dt = 0.1;
int table[100], late = 1, unread = 1, own = 1;
#pragma omp end declare target

int
main (void)
{
  /* System call user dispatch is Linux 5.11's.  */
  if (prctl (59, 0, 0, 0, 0) != 0)
    return 77;
  double step = 0;
  int sum = 0, few = 0, seen = 0;
  dt = 0.5;
#pragma omp target map (from: step)
  step = dt;
  for (int i = 0; i < 100; i++)
    table[i] = i;
#pragma omp target update to (table)
  table[10] = 1000;
  table[11] = 1001;
  unread = 2;
#pragma omp target map (tofrom: few)
  for (int i = 0; i < 10; i++)
    few += table[i];
#pragma omp target map (tofrom: sum)
  for (int i = 0; i < 100; i++)
    sum += table[i];
  late = 2;
#pragma omp target map (from: seen)
  {
    own = 5;
    seen = late + own;
  }
#pragma omp target update to (late)
  own = 3;
#pragma omp target map (tofrom: seen)
  seen += own;
  return step != 0.1 || few != 45 || sum != 4950 || seen != 11;
}
