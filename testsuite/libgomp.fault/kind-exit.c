/* A kind of enter data on exit data.
   TEST-MODES: test cpu
   TEST-EXIT: 1
   TEST-OUTPUT: GOMP_target_enter_exit_data unhandled kind 0x11 */
#include "../libgomp.offload/aux-direct.h"

static int a;

int
main (void)
{
  need_device ();
  EXIT (ITEM (&a, 4, ALWAYS_TO));
  return 0;
}
