/* Examples of the interface's description, 11: a region on the host inside of one on the device.  What is mapped
   is the host's object there; only "always" copies.
   MINGCC: 14
   TEST-OUTPUT: ^on host 1$  */
#include "aux-gcn.h"
#pragma omp requires reverse_offload

int
main (void)
{
  int r = 1, arr[10] = { 0 };

#pragma omp target map (tofrom: r, arr)
  {
    r += 2;
#pragma omp target device (ancestor: 1) map (tofrom: r) map (always, tofrom: arr)
    {
      printf ("on host %d\n", r);
      r *= 5;
      arr[3] = 7;
    }
    r += arr[3];
  }
  CHECK_EQUAL (r, 1 + 2 + 7);
  CHECK_EQUAL (arr[3], 7);
  return failures != 0;
}
