/* link-pointer.c on a device that shares the memory of the host.
   TEST-MODES: test
   TEST-ENV: GOMPX_TEST_PLUGIN=links,shared */
#include "link-pointer.c"
