/* The mapping checker finds a region that computes with what nobody has written.  Setting bit-fields and
   copying structs reads such memory, too, without a mistake.
   TEST-MODES: cpu
   TEST-OPTIONS: -O1
   TEST-ENV: GOMP_CHECK=map
   TEST-OUTPUT: ^libgomp: check: uninitialized read: the device used `sums' \(400 bytes\), item [0-9] of target at main
   TEST-OUTPUT: ^  target at main.* read it before anything was written there, by the code at main._omp_fn
   TEST-OUTPUT: ^  remedy: map it with `to' or `tofrom' instead of `from' or `alloc'
   TEST-OUTPUT: ^libgomp: check: uninitialized read: the device used 4 bytes from omp_target_alloc at main
   TEST-OUTPUT: ^  remedy: fill it by omp_target_memcpy, omp_target_memset or a region first
   TEST-OUTPUT: ^libgomp: check: 2 findings \(2 uninitialized reads\); 4 regions,  */

#include <omp.h>

int sums[100];
struct pair { int set; int never[3]; double x; };
struct pair pairs[2];
struct bits { unsigned a : 3, b : 5, c : 9; } bits[4];

int
main (void)
{
  int bad;
#pragma omp target map (from: sums)
  for (int i = 0; i < 100; i++)
    sums[i] += i;

#pragma omp target map (from: pairs)
  {
    pairs[0].set = 1;
    pairs[0].x = 2;
    pairs[1] = pairs[0];
  }

#pragma omp target map (from: bits)
  for (int i = 0; i < 4; i++)
    {
      bits[i].b = i;
      bits[i].a = 1;
      bits[i].c = 300 + i;
    }

  int *device = omp_target_alloc (sizeof (int), 0);
#pragma omp target is_device_ptr (device) map (from: bad)
  bad = *device != 1;
  omp_target_free (device, 0);
  return pairs[1].x != 2 || bits[3].b != 3 || bits[3].a != 1 || bits[3].c != 303;
}
