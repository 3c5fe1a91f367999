/* The modifier close only asks for memory near the device: everything else is as without it, alone, with
   always, in each directive that maps, and mixed with constructs that don't have it.
   TEST-MODES: host cpu cpu2 test */

#include <omp.h>
#include <stdio.h>

static int wrong;

static void
check (const char *what, int value, int expected)
{
  if (value == expected)
    return;
  printf ("%s: %d, not %d\n", what, value, expected);
  wrong = 1;
}

int
main (void)
{
  int x = 1, a[4] = { 1, 2, 3, 4 }, device = omp_get_default_device ();
  int shared = 0;

#pragma omp target map (to: shared)
  shared = 1;
  /* With a host fallback there is one copy only.  */

#pragma omp target map (close, tofrom: x, a)
  {
    x++;
    a[3] += x;
  }
  check ("tofrom", x, 2);
  check ("tofrom of an array", a[3], 6);
  if (!shared)
    check ("present after the region", omp_target_is_present (&x, device), 0);

#pragma omp target enter data map (close, to: x) map (close, alloc: a[0:4])
  x = 10;
#pragma omp target map (tofrom: x)
  x++;
  check ("present, not copied back", x, shared ? 11 : 10);
#pragma omp target map (always, close, tofrom: x)
  x++;
  check ("always", x, shared ? 12 : 11);
#pragma omp target data map (close, from: x)
  if (!shared)
    check ("present in data", omp_target_is_present (&x, device), 1);
#pragma omp target exit data map (close, from: x) map (close, delete: a[0:4])
  check ("exit data", x, shared ? 12 : 11);
  if (!shared)
    {
      check ("present after exit data", omp_target_is_present (&x, device), 0);
      check ("deleted", omp_target_is_present (a, device), 0);
    }
  return wrong;
}
