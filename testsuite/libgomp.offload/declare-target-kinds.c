/* declare target with enter, device_type, indirect, link of structs and pointers, statics of functions,
   constants; what a variable is on the device does not depend on how it is named.
   MINGCC: 14
   TEST-MODES: cpu gpu */
#include <omp.h>
#include "aux-check.h"

int entered = 1, everywhere = 2, on_device = 3;
static const int constants[3] = { 7, 8, 9 };
#pragma omp declare target enter(entered) enter(constants)
#pragma omp declare target enter(everywhere) device_type(any)
#pragma omp declare target enter(on_device) device_type(nohost)
struct { int n; int *p; } linked = { 4, NULL };
int *pointer;
#pragma omp declare target link(linked, pointer)

#pragma omp begin declare target
static int
tick (void)
{
  static int ticks = 100;
  return ticks++;
}
int table[4] = { 1, 2, 3, 4 };
int *into_table = &table[2];	/* an address of the device on the device */
#pragma omp end declare target

#pragma omp begin declare target indirect
int add (int x) { return x + 1; }
int twice (int x) { return 2 * x; }
#pragma omp end declare target

int
main (void)
{
  int r = 0, data[4] = { 10, 20, 30, 40 };
  int (*fn) (int) = twice, (*both[2]) (int) = { add, twice };

  if (omp_get_num_devices () == 0)
    return 77;
  entered = everywhere = 50;
  #pragma omp target map(from: r)
  r = entered++ + everywhere + on_device + constants[2];
  CHECK_EQUAL (r, 1 + 2 + 3 + 9);
  #pragma omp target update from(entered) to(everywhere)
  #pragma omp target map(from: r)
  r = everywhere;
  CHECK_EQUAL (entered, 2);
  CHECK_EQUAL (r, 50);
  CHECK_EQUAL (omp_target_is_present (&entered, 0) + omp_target_is_present (constants, 0), 2);

  /* Statics of a function count on where it runs.  */
  tick ();
  #pragma omp target map(from: r)
  r = tick () + tick ();
  CHECK_EQUAL (r, 201);
  CHECK_EQUAL (tick (), 101);

  #pragma omp target map(from: r)
  r = *into_table + (into_table == &table[2]);
  CHECK_EQUAL (r, 4);

  /* A linked struct and the pointer in it.  */
  linked.p = data;
  #pragma omp target map(to: linked) map(tofrom: linked.p[0:4]) map(from: r)
  {
    r = linked.p[linked.n - 1];
    linked.p[0] = 11;
  }
  CHECK_EQUAL (r, 40);
  CHECK_EQUAL (data[0], 11);
  CHECK_EQUAL (linked.p == data, 1);
  pointer = data;
  #pragma omp target enter data map(to: pointer, pointer[0:4])
  #pragma omp target map(from: r)
  r = pointer[1];
  #pragma omp target exit data map(release: pointer[0:4], pointer)
  CHECK_EQUAL (r, 20);
  CHECK_EQUAL (omp_target_is_present (&pointer, 0) + omp_target_is_present (&linked, 0), 0);

  /* Functions by address: as a value, and in memory.  */
  #pragma omp target map(from: r) map(to: both)
  r = fn (10) * 100 + both[0] (1) + both[1] (4);
  CHECK_EQUAL (r, 2010);
  return failures != 0;
}
