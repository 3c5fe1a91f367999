/* A kind of target on enter data.
   TEST-MODES: test cpu
   TEST-EXIT: 1
   TEST-OUTPUT: GOMP_target_enter_exit_data unhandled kind 0x0c */
#include "../libgomp.offload/aux-direct.h"

static int a;

int
main (void)
{
  need_device ();
  ENTER (ITEM (&a, 4, FIRSTPRIVATE | ALIGNED (2)));
  return 0;
}
