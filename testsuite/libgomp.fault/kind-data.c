/* A kind of exit data on target data.
   TEST-MODES: test cpu
   TEST-EXIT: 1
   TEST-OUTPUT: gomp_map_vars_internal: unhandled kind 0x07 */
#include "../libgomp.offload/aux-direct.h"

static int a;

int
main (void)
{
  need_device ();
  DATA (ITEM (&a, 4, DELETE | ALIGNED (2)));
  return 0;
}
