/* A copy back to the host that the driver refuses.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=fail_copy=2
   TEST-EXIT: 1
   TEST-OUTPUT: Copying of dev object \[0x[0-9a-f]+\.\.0x[0-9a-f]+\) to host object \[0x[0-9a-f]+\.\.0x[0-9a-f]+\) failed */
#include "../libgomp.offload/aux-direct.h"

static char data[100000];

int
main (void)
{
  need_device ();
  DATA (ITEM (data, sizeof (data), TOFROM));
  END_DATA ();
  return 0;
}
