/* A kind of OpenACC on target.
   TEST-MODES: test cpu
   TEST-EXIT: 1
   TEST-OUTPUT: gomp_map_vars_internal: unhandled kind 0x80 */
#include "../libgomp.offload/aux-direct.h"

static int a;

KERNEL (nothing)
{
  (void) nothing_arg;
}

int
main (void)
{
  need_device ();
  TARGET (nothing, ITEM (&a, 4, 0x80 | ALIGNED (2)));
  return 0;
}
