/* The present modifier and defaultmap(present) as compilers emit them, where everything is present:
   nothing is copied but by always; what is present in part of a larger mapping counts.
   MINGCC: 14
   TEST-MODES: cpu gpu */
#include <omp.h>
#include "aux-check.h"

struct pair { int a, b; int *p; };
#pragma omp declare target
static int permanent = 6;
#pragma omp end declare target

int
main (void)
{
  int x = 1, y[10] = { 0 }, r = 0, data[3] = { 1, 2, 3 };
  struct pair s = { 1, 2, data };

  if (omp_get_num_devices () == 0)
    return 77;
  #pragma omp target enter data map(to: x, y, s, s.p[:3], r)
  x = 2;
  y[4] = 4;
  #pragma omp target map(present, tofrom: x, y[2:5]) map(present, alloc: r)
  {
    r = x + y[4];
    x = 10;
    y[4] = 40;
  }
  CHECK_EQUAL (x, 2);
  #pragma omp target update from(present: r, x)
  CHECK_EQUAL (r, 1);
  CHECK_EQUAL (x, 10);
  #pragma omp target defaultmap(present)
  {
    r = y[4] + s.p[2] + s.b;
    s.a = 70;
  }
  #pragma omp target update from(r)
  CHECK_EQUAL (r, 45);
  x = 11;
  #pragma omp target map(present, always, tofrom: x) map(always, present, from: y[4:1])
  x++;
  CHECK_EQUAL (x, 12);
  CHECK_EQUAL (y[4], 40);
  CHECK_EQUAL (y[3], 0);
  s.a = 71;
  #pragma omp target data map(present, to: s.a) map(present, from: s.b)
  {
    #pragma omp target update to(present: s.a)
    #pragma omp target map(present, to: s.a) map(present, alloc: r)
    r = s.a;
  }
  #pragma omp target update from(present: r) to(present: y[0:3])
  CHECK_EQUAL (r, 71);
  #pragma omp target enter data map(present, to: y)
  #pragma omp target exit data map(release: y)
  #pragma omp target map(present, tofrom: permanent)
  permanent = 7;
  CHECK_EQUAL (permanent, 6);
  #pragma omp target update from(present: permanent)
  CHECK_EQUAL (permanent, 7);
  #pragma omp target exit data map(present, from: x, y) map(present, always, from: r) map(delete: s)
  CHECK_EQUAL (y[4], 40);
  CHECK_EQUAL (omp_target_is_present (&x, 0) + omp_target_is_present (y, 0)
	       + omp_target_is_present (&s, 0), 0);
  CHECK_EQUAL (s.p == data, 1);
  return failures != 0;
}
