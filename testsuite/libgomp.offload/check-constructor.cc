/* The mapping checker names declare target objects of C++ that a constructor has initialised on the host only;
   those that the compiler initialises are fine.
   TEST-MODES: cpu
   TEST-OPTIONS: -O1
   TEST-SKIP-SANITIZER: thread variables of modules are not watched then
   TEST-ENV: GOMP_CHECK=map
   TEST-OUTPUT: ^libgomp: check: stale read: the device used an old value of `built' \(16 bytes\), which is declare target$
   TEST-OUTPUT: ^  the host has changed built.*, and the device has its initial value$
   TEST-OUTPUT: ^  if it is an object of C\+\+ with a constructor: that ran on the host only
   TEST-OUTPUT: ^libgomp: check: 1 finding \(1 stale read\)
   TEST-NO-OUTPUT: `constant'  */

#include <sys/prctl.h>

volatile int five = 5;
struct item
{
  int v, *p;
  item (int *q, int n) : v (*q + n), p (q) {}
};
struct plain
{
  int v, *p;
  constexpr plain (int n) : v (n), p (nullptr) {}
};
#pragma omp declare target
int a = 3;
item built (&a, five);
plain constant (4);
#pragma omp end declare target

int
main ()
{
  /* System call user dispatch is Linux 5.11's.  */
  if (prctl (59, 0, 0, 0, 0) != 0)
    return 77;
  int x = -1, y = -1;
#pragma omp target map (from: x, y)
  {
    x = built.v;
    y = constant.v;
  }
  return x != 0 || y != 4 || built.v != 8;
}
