/* TEST-ENV: OMP_CANCELLATION=true
   TEST-EXIT: 1
   TEST-OUTPUT: ^libgomp: cancellation of an unknown construct \(3\)$  */
#include "../libgomp.c/aux-gomp.h"

int
main (void)
{
  GOMP_cancel (3, true);
  return 0;
}
