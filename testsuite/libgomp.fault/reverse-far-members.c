/* Members of a structure in the list of a reverse call that lie nearly the whole address space apart:
   no memory can hold their range, and its size must not wrap around.
   TEST-MODES: cpu
   TEST-OPTIONS: -I@srcdir@/libgomp.offload
   TEST-EXIT: 1
   TEST-OUTPUT: reverse offload: device 0 asks for more than [0-9]+ bytes in one call
   TEST-NO-OUTPUT: not reached  */

#include "aux-direct.h"

KERNEL (look)
{
  (void) look_arg;
  printf ("not reached: the function runs\n");
}

KERNEL (region)
{
  (void) region_arg;
  char first[100] = "";
  CALL_HOST (look, ITEM (first, sizeof (first), FIRSTPRIVATE), ITEM (64, 2, STRUCT),
	     ITEM (64, 8, ALLOC), ITEM (UINT64_MAX - 63, 63, ALLOC));
}

int
main (void)
{
  int x = 0;
  need_device ();
  TARGET (region, ITEM (&x, sizeof (x), TOFROM));
  printf ("not reached: the region ends\n");
  return 0;
}
